"""The game itself: tiles, moves, rounds, matches. Standard library only; no I/O, clock, text or global chance."""
