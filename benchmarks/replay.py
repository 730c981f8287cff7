"""`kozel replay FILE… --json` on many matches: how many a second, and whether memory grows with their number.

Run `python -m benchmarks.replay [MATCHES]`. The matches are played at random over all rulesets, written as the program
writes records, and replayed by one run of the program; another run with a tenth of them shows what the rest adds to its
memory. Peak memory and processor time are told where the system tells them (not on Windows).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from kozel.engine.match import Game, deal, decide, new_match, shuffled
from kozel.records.writing import deal_text, head_text, move_text
from kozel.rules.reading import find, shipped_ids

MATCHES = 1000
NAMES = ("Anna", "Boris", "Vera", "Gleb")
MOST_ROUNDS = 200


def record(game: Game, seed: str) -> str:
    """A match of random players, played to its end, as a record."""
    random = Random(seed)
    match = new_match(game)
    text = head_text(game.ruleset, NAMES[: game.seats], game.pairs)
    for _ in range(MOST_ROUNDS):
        if match.end:
            break
        dealt = shuffled(match, seed)
        text += deal_text(dealt)
        match, _ = deal(match, dealt)
        while match.round:
            move = random.choice(match.round.legal)
            text += move_text(move.text)
            match, _ = decide(match, move)
    return text


def write(folder: Path, number: int) -> list[str]:
    """So many records in a folder; their paths."""
    games = [find(name).game(seats) for name in shipped_ids() for seats in find(name).seats]
    paths = []
    for count in range(number):
        path = folder / f"{count:05}.yaml"
        path.write_text(record(games[count % len(games)], str(count)), encoding="utf-8")
        paths.append(str(path))
    return paths


def run(paths: list[str]) -> tuple[float, int | None]:
    """Seconds that the program takes (of the processor, where the system tells), and its peak memory in kilobytes."""
    start = time.perf_counter()
    program = subprocess.Popen([sys.executable, "-m", "kozel", "replay", "--json", *paths], stdout=subprocess.DEVNULL)
    if not hasattr(os, "wait4"):
        return (time.perf_counter() - start, None) if program.wait() == 0 else (float("nan"), None)
    _, status, usage = os.wait4(program.pid, 0)
    assert status == 0, "every record is legal"
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def main(number: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        paths = write(Path(folder), number)
        size = sum(Path(path).stat().st_size for path in paths)
        run(paths[:10])
        few_seconds, few = run(paths[: number // 10])
        seconds, peak = run(paths)
    print(
        f"Python {sys.version.split()[0]}: {number} matches of {size / number / 1000:.1f} kB in {seconds:.2f} s of processor "
        f"time, {number / seconds:.0f} a second; a tenth of them in {few_seconds:.2f} s"
    )
    if peak is not None and few is not None:
        print(f"peak memory {peak / 1000:.1f} MB; with a tenth of them {few / 1000:.1f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES)
