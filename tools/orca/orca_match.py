#!/usr/bin/env python3
"""Real Orca listens to whole matches of the real game in xfce4-terminal, played by somebody who hears only what was said.

    tools/orca/orca_match.py            two persons hot seat, then one person against a computer
    tools/orca/orca_match.py --log DIR  keeps Orca's debug logs and the transcripts there
    tools/orca/orca_match.py --terminal gnome --rows 10 --tmux --match hot

Between the moves the person asks: whose turn, the last move, own tiles, chain, scores, the last announcement, older
messages. After each key the next one waits until Orca has spoken all that was said. Checked of every message in the
transcript, the handover's included:

- Orca spoke it exactly once, in the order in which it was said, beside its own words (key echo, "blank");
- Orca's braille line held it, or the last row of it where it wraps. Of lines told together that is the last one, where the
  cursor is; how many stood above it is reported.

Exit status 1 if that is not so. An Orca that runs already is ended, as `orca --replace` does. What it needs is
named in orca_hears.py.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import orca_hears
from orca_hears import INSIDE, Heard, add_terminal, on_own_display, orca, read_log, running, terminal

HERE = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HERE / "tests")]

from play.person import Person  # noqa: E402
from play.program import Line, Transcript  # noqa: E402

PATIENCE = 15.0
"""Seconds after which a message that Orca has not spoken counts as lost."""
SETTLING = 0.5
"""Seconds in which something that is spoken twice would come again."""
KEYS = {
    "enter": "Return",
    "space": "space",
    "tab": "Tab",
    "escape": "Escape",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "home": "Home",
    "end": "End",
    "f4": "F4",
    "D": "shift+d",
    "в": "d",
    ",": "comma",
    ".": "period",
}
TELLING = ("f5", "m", "a", "z", "s", "t", ",", "c", "l", "right", "left", "end", "f3", "f6", "b", "p")
MATCHES = {
    "hot seat": ("en", "domino", "--player", "Anna", "--player", "Boris", "--option", "target=10", "--seed", "3"),
    "against a computer": ("ru", "kozel", "--player", "Анна", "--player", "Борис:novice", "--option", "target=13"),
}


class Played(NamedTuple):
    """A match: what was said, key by key, and all that Orca spoke and showed."""

    keys: list[tuple[str, list[Line]]]
    heard: list[Heard]


class Match:
    """The game in a terminal to which Orca listens."""

    def __init__(self, folder: Path, log: Path) -> None:
        self._log, self._begins = log, log.stat().st_size
        self._transcript = Transcript(folder / "heard.jsonl")
        self.keys: list[tuple[str, list[Line]]] = []

    def heard(self) -> list[Heard]:
        """What Orca spoke and showed since the match began."""
        with self._log.open("rb") as log:
            log.seek(self._begins)
            return list(read_log(log.read().decode(errors="replace")))

    def press(self, *names: str) -> list[Line]:
        said: list[Line] = []
        for name in names:
            orca_hears.press(KEYS.get(name, name.upper() if name[0] == "f" and len(name) > 1 else name))
            self.keys.append((name, self.listen()))
            said += self.keys[-1][1]
        return said

    def listen(self) -> list[Line]:
        """What is said until Orca has nothing more to speak of it."""
        lines: list[Line] = []
        until = time.monotonic() + PATIENCE
        quiet_since = time.monotonic()
        while time.monotonic() < until:
            fresh = self._transcript.fresh()
            lines += fresh
            spoken = spoken_lines(self.heard(), self._transcript.all)
            if fresh or not lines or len(spoken) < len(self._transcript.all):
                quiet_since = time.monotonic()
            elif time.monotonic() - quiet_since > SETTLING:
                break
            time.sleep(0.05)
        return lines


def spoken_lines(heard: Sequence[Heard], said: Sequence[Line]) -> list[str]:
    """What Orca spoke, line by line, without its own words; a message that wraps is one line again."""
    pieces = [line.strip() for h in heard if h.kind == "speech" for line in h.text.split("\n")]
    texts = {line.text for line in said}
    found: list[str] = []
    part = ""
    for piece in pieces:
        part = f"{part} {piece}".strip()
        if part in texts:
            found.append(part)
            part = ""
        elif not any(text.startswith(part) for text in texts):
            part = piece if any(text.startswith(piece) for text in texts) and piece else ""
            if part in texts:
                found.append(part)
                part = ""
    return found


def play(words: Sequence[str], folder: Path, log: Path, chance: Random, options: argparse.Namespace) -> Played:
    lang, *rest = words
    command = [sys.executable, "-m", "kozel", "play", *rest, "--lang", lang, "--speech", "lines"]
    command = ["env", f"PYTHONPATH={HERE / 'src'}", *command]
    command += ["--data-dir", str(folder / "data"), "--transcript", str(folder / "heard.jsonl")]
    match = Match(folder, log)
    place = terminal(command, options.rows, folder, kind=options.terminal, columns=options.columns, tmux=options.tmux)
    with running(place, folder, "terminal"):
        match.keys.append(("start", match.listen()))
        person = Person(match.press, chance, lang, fancy=0.1)
        person.hear(match.keys[0][1])
        while person.step():
            if person.question is not None:
                match.press(chance.choice(TELLING))
        match.press("escape", "escape")
        return Played(match.keys, match.heard())


def faults(name: str, played: Played) -> list[str]:
    said = [line for _, lines in played.keys for line in lines]
    spoken = spoken_lines(played.heard, said)
    wrong = []
    if spoken != [line.text for line in said]:
        place = next((i for i, (a, b) in enumerate(zip(spoken, said, strict=False)) if a != b.text), len(spoken))
        wrong.append(
            f"spoken {len(spoken)} for {len(said)} said; after {spoken[max(0, place - 3) : place]} Orca spoke "
            f"{spoken[place : place + 3]}, said was {[line.text for line in said[place : place + 3]]}"
        )
    held = {h.text.strip() for h in played.heard if h.kind == "line"} - {""}
    last = [lines[-1].text for _, lines in played.keys if lines]
    wrong += [f"not in braille: {text}" for text in last if not shown_by(held, text)]
    above = sum(not shown_by(held, line.text) for line in said)
    shown = [h.text for h in played.heard if h.kind == "braille"]
    whole = sum(text in shown for text in last)
    blank = sum(h.text.strip() == "blank" for h in played.heard if h.kind == "speech")
    handovers = sum(line.text.endswith(", Enter.") and line.kind == "event" for line in said)
    print(
        f"{name}: {len(played.keys)} keys, {len(said)} messages, {len(spoken)} spoken, {handovers} handovers, "
        f'{blank} times "blank"; braille: '
        f"{len(said) - above} on a line, {above} above one; of {len(last)} newest lines {whole} whole in 32 cells"
    )
    return wrong


def shown_by(held: set[str], text: str) -> bool:
    """Whether a braille line held a message or its last row; in the first row Orca puts the window's name before it."""
    return any(line.endswith(text) or text.endswith(line) for line in held)


def inside(options: argparse.Namespace, folder: Path) -> int:
    wrong = []
    with orca(folder) as log:
        for name, words in MATCHES.items():
            if not name.startswith(options.match):
                continue
            place = folder / name.split()[0]
            place.mkdir()
            wrong += [f"{name}: {fault}" for fault in faults(name, play(words, place, log, Random(1), options))]
            if options.log:
                options.log.mkdir(parents=True, exist_ok=True)
                (options.log / "orca.log").write_text(log.read_text(errors="replace"))
                (options.log / f"{place.name}.jsonl").write_text((place / "heard.jsonl").read_text("utf-8"))
    print("\n".join(wrong))
    return 1 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--log", type=Path, help="a folder for Orca's debug logs and the transcripts")
    parser.add_argument("--match", default="", help="only the match whose name begins so")
    add_terminal(parser)
    options = parser.parse_args()
    if INSIDE in os.environ:
        return inside(options, Path(os.environ[INSIDE]))
    return on_own_display([sys.executable, __file__, *sys.argv[1:]])


if __name__ == "__main__":
    raise SystemExit(main())
