"""Measurements of speed, run by hand: `python -m benchmarks.peers`, `benchmarks.start`, `benchmarks.replay`."""
