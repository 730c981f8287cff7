"""This program next to another one of its kind, such as an earlier commit, in one run: what a player waits for.

`python benchmarks/against.py OTHER` where OTHER is the Python of an environment in which the other one is installed.
Each figure is taken from both in turn, round after round, and told with the ratio this / other. Processor time and
memory are the children's own; what is waited for is wall time on an otherwise quiet machine.
"""

from __future__ import annotations

import argparse
import os
import pty
import resource
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

KEYS = (b"w", b"m", b"c", b"s", b"a", b"z", b"b", b"l", b"\t", b"t") * 20
"""Keys that tell something, in the own turn."""
THREE_MASTERS = ("--player", "Anna", "--player", "B:master", "--player", "C:master", "--player", "D:master")
TWO = ("--player", "Anna", "--player", "Boris")


class Played:
    """A program at a pseudo-terminal; what it says is read from its terminal."""

    def __init__(self, python: str, folder: Path, *words: str) -> None:
        self.master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "KOZEL_SOUNDS": "off", "LANG": "C.UTF-8"}
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(
            [python, "-m", "kozel", *words, "--data-dir", str(folder), "--lang", "en", "--speech", "lines"],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
        )
        os.close(slave)

    def read(self, quiet: float, most: float = 10.0) -> tuple[float, bytes]:
        """Seconds until something came, and all of it until `quiet` seconds of silence."""
        begun, first, data = time.perf_counter(), 0.0, b""
        while time.perf_counter() - begun < most:
            ready, _, _ = select.select([self.master], [], [], quiet if data else most)
            if not ready:
                break
            try:
                part = os.read(self.master, 65536)
            except OSError:
                break
            first = first or time.perf_counter() - begun
            data += part
        return first, data

    def key(self, data: bytes) -> float:
        """Seconds from a key to the first byte of its answer."""
        os.write(self.master, data)
        return self.read(0.02)[0]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)


def first_words(python: str) -> list[float]:
    """Seconds from the start to the first byte on the terminal."""
    with tempfile.TemporaryDirectory() as folder:
        program = Played(python, Path(folder), "play", "kozel", *TWO, "--seed", "1")
        first, _ = program.read(0.3)
        program.end()
    return [first * 1000]


def own_turn_keys(python: str) -> list[float]:
    """Milliseconds a key in the own turn."""
    return _keys(python, ("play", "domino", *TWO, "--seed", "1"), b"\r")


def keys_while_masters_think(python: str) -> list[float]:
    """Milliseconds a key while three masters think."""
    return _keys(python, ("play", "kozel", *THREE_MASTERS, "--seed", "2", "--option", "auto_draw=yes"), b"\t  ")


def _keys(python: str, words: tuple[str, ...], before: bytes) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        program = Played(python, Path(folder), *words)
        program.read(0.8)
        for byte in before:
            time.sleep(0.5)
            program.key(bytes([byte]))
        program.read(0.4, 0.5)
        taken = [program.key(key) * 1000 for key in KEYS]
        program.end()
    return taken


def first_hint(python: str) -> list[float]:
    """Milliseconds from H to its answer, two seconds after the own turn began."""
    with tempfile.TemporaryDirectory() as folder:
        program = Played(python, Path(folder), "play", "domino", "--player", "A", "--player", "B:novice", "--seed", "4")
        program.read(0.8)
        time.sleep(2)
        taken = program.key(b"h") * 1000
        program.end()
    return [taken]


def decisions(python: str, level: str) -> list[float]:
    """Milliseconds of processor time a decision of a whole match of two computers, its start taken off."""
    with tempfile.TemporaryDirectory() as folder:
        words = ("play", "domino", "--player", f"A:{level}", "--player", f"B:{level}", "--seed", "9")
        used = _processor([python, "-m", "kozel", *words, "--option", "target=60", "--data-dir", folder])
        text = next(Path(folder, "matches").glob("*.yaml")).read_text(encoding="utf-8")
    number = sum(line.startswith("      - ") and "[" not in line for line in text.splitlines())
    return [(used - _processor([python, "-m", "kozel", "--version"])) * 1000 / number]


def replaying(python: str, records: list[str]) -> list[float]:
    """Seconds of processor time to replay these records."""
    return [_processor([python, "-m", "kozel", "replay", "--json", *records])]


def peak(python: str, records: list[str]) -> list[float]:
    """Megabytes at the most while replaying them."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, python, "-m", "kozel", "replay", "--json", *records],
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(done.stdout) / 1024]


def _processor(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def records_in(folder: Path, number: int) -> list[str]:
    """Copies of the records in a folder, so many in all."""
    known = sorted(str(path) for path in folder.rglob("*.yaml") if "errors" not in path.parts)
    return (known * (number // len(known) + 1))[:number]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", help="the other one's Python")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--records", type=Path, default=Path(__file__).parents[1] / "tests" / "conformance")
    chosen = parser.parse_args()
    records = records_in(chosen.records, 1000)
    measures: dict[str, Callable[[str], list[float]]] = {
        "start to first words, ms": first_words,
        "key in the own turn, ms": own_turn_keys,
        "key while three masters think, ms": keys_while_masters_think,
        "first hint, ms": first_hint,
        "decision of a strong player, ms of processor": lambda python: decisions(python, "strong"),
        "decision of a novice, ms of processor": lambda python: decisions(python, "novice"),
        "replay of 1,000 records, s of processor": lambda python: replaying(python, records),
        "replay of 1,000 records, MB at the most": lambda python: peak(python, records),
    }
    print("| what | this | other | this / other |")
    print("|---|---|---|---|")
    for name, measure in measures.items():
        own, other = [], []
        for _ in range(chosen.rounds):
            own += measure(sys.executable)
            other += measure(chosen.other)
        print(f"| {name} | {_told(own)} | {_told(other)} | {statistics.median(own) / statistics.median(other):.2f} |")


def _told(values: list[float]) -> str:
    ordered = sorted(values)
    told = f"{statistics.median(ordered):.1f}"
    return f"{told}, p95 {ordered[int(0.95 * (len(ordered) - 1))]:.1f}" if len(ordered) > 20 else told


if __name__ == "__main__":
    main()
