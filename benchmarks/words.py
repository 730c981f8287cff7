"""Words and lines a turn at each verbosity, in matches recorded by the real program: `python -m benchmarks.words`.

Computer players (amateurs) play one match a table with the real `kozel play`, whose transcript is kept. The record tells
the turns; each turn's sentence is looked for in the transcript, where it must be one whole line.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median

from kozel.cli.main import run
from kozel.cli.replay_command import table_of
from kozel.engine.events import Event
from kozel.engine.match import Match
from kozel.engine.turns import turns_of
from kozel.narration.narrator import VERBOSITIES, Narrator, Verbosity
from kozel.records.reading import parse_record
from kozel.records.replay import replay

NAMES = {"en": ("Anna", "Boris", "Vera", "Gena"), "ru": ("Анна", "Борис", "Вера", "Гена")}
TABLES = (
    ("domino", 2),
    ("domino", 4),
    ("kozel", 2),
    ("kozel", 4),
    ("kozel-yard", 4),
    ("kozel-101", 3),
    ("osel", 3),
    ("kozel-1x1", 2),
    ("kozel-2x2", 4),
    ("kozel-deferred", 3),
)
"""Ruleset and seats."""


def recorded(folder: Path, ruleset: str, seats: int, lang: str, verbosity: Verbosity) -> tuple[Path, list[str]]:
    """A match played by the program: its record, and the lines that it said of the game."""
    record, transcript = folder / "match.yaml", folder / "said.jsonl"
    words = ["play", ruleset, "--seed", "words", "--record", str(record), "--transcript", str(transcript)]
    words += ["--speech", "off", "--lang", lang, "--verbosity", verbosity, "--data-dir", str(folder)]
    for name in NAMES[lang][:seats]:
        words += ["--player", f"{name}:amateur"]
    if run(words):
        raise SystemExit(f"{' '.join(words)} failed")
    return record, [json.loads(line)["text"] for line in transcript.read_text("utf-8").splitlines()]


def turn_sentences(path: Path, lang: str, verbosity: Verbosity) -> list[str]:
    """What the narrator makes of each turn of a record."""
    record = parse_record(path.read_bytes(), path, None)
    rounds: list[list[Event]] = []

    def watch(match: Match, events: Sequence[Event]) -> None:
        if any(type(event).__name__ == "RoundBegan" for event in events):
            rounds.append([])
        rounds[-1].extend(events)

    replay(record, watch)
    narrator = Narrator(lang, verbosity, table_of(record))
    return [narrator.turn(turn.events, None, turn.before) for events in rounds for turn in turns_of(events)]


def whole_lines(sentences: Sequence[str], said: Sequence[str]) -> int:
    """How many of the sentences are whole lines of what was said, in this order."""
    rest = iter(said)
    return sum(any(line == sentence for line in rest) for sentence in sentences)


def measure(lang: str, verbosity: Verbosity) -> str:
    counts: list[int] = []
    lines = in_all = 0
    for ruleset, seats in TABLES:
        with tempfile.TemporaryDirectory() as folder:
            record, said = recorded(Path(folder), ruleset, seats, lang, verbosity)
            sentences = turn_sentences(record, lang, verbosity)
        lines += whole_lines(sentences, said)
        counts += [len(sentence.split()) for sentence in sentences]
        in_all += sum(len(line.split()) for line in said)
    return (
        f"{lang} {verbosity}: {len(counts)} turns, {lines / len(counts):.2f} lines a turn, "
        f"words a turn {median(counts):.0f} at the median, {mean(counts):.1f} on average, {max(counts)} at most; "
        f"{in_all / len(counts):.1f} with the rounds' beginnings and results"
    )


def main() -> None:
    for lang in NAMES:
        for verbosity in VERBOSITIES:
            print(measure(lang, verbosity))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
