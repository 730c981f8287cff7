"""The game in a pseudo-terminal under floods of keys: all that tell something are answered in order, none does harm."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("pty", reason="there are no pseudo-terminals on this platform")

from kozel.cli.settings import MAX_PAUSE
from oracle.records import replay_text
from play.hearing import Asked, asked, tiles_named
from play.listening import UNHURRIED
from play.person import Person
from play.program import PATIENCE, Line
from play.test_saved import decisions_in
from play.typed import Typed

RECORD = Path(__file__).parents[1] / "play" / "two_doubles.yaml"
RATE = 60
SECONDS = float(os.environ.get("KOZEL_TEST_FLOOD_SECONDS", "5"))
"""How long a flood lasts; a minute where it is asked for."""
ANSWERS = {
    "f3": r"Tiles: ",
    "s-f3": r"Score: ",
    "s-f4": r"(Bazaar: |The bazaar is empty|No tiles in the bazaar)",
    "c-s-f3": r"(No eggs|Eggs: )",
    "s-f9": r"(Chain|The table is empty|No tiles on the table)",
    "s-left": r"(Left \w+\.|There is no left end|The table is empty)",
    "s-right": r"(Right \w+\.|There is no right end|The table is empty)",
    "f9": r"(\w+ tiles?: |.* first, |.*round is over)",
}
"""Keys that tell something, and how the answer to each begins, in whatever phase."""
ONE_FITS = re.compile(r"\bfits\b")


def flooded(program: Typed, names: Iterable[str], every: Callable[[], None] = lambda: None) -> list[str]:
    """Send keys at `RATE`, in time whatever the machine does, and call `every` between them; the keys sent."""
    began = time.monotonic()
    sent: list[str] = []
    for name in names:
        while (rest := began + len(sent) / RATE - time.monotonic()) > 0:
            every()
            time.sleep(min(rest, 0.005))
        program.send(name)
        sent.append(name)
    return sent


def keys() -> Iterator[str]:
    return islice(cycle(ANSWERS), int(RATE * SECONDS))


def check_all_answered(lines: Iterable[Line], sent: list[str]) -> None:
    """Each key sent was answered, once and in order; other lines may stand between."""
    answers = [line.text for line in lines if line.kind == "echo"]
    answers = [text for text in answers if any(re.match(begins, text) for begins in ANSWERS.values())]
    for number, (text, key) in enumerate(zip(answers, sent, strict=False)):
        assert re.match(ANSWERS[key], text), f"answer {number}, to {key}: {text}"
    assert len(answers) == len(sent)


def test_keys_in_the_own_turn(tmp_path: Path) -> None:
    record = Path(shutil.copy(RECORD, tmp_path / "match.yaml"))
    with Typed(tmp_path, "resume", str(record)) as program:
        program.listened()
        before = record.read_bytes()
        sent = flooded(program, keys())
        lines = program.settled()
        check_all_answered(lines, sent)
        assert len(lines) == len(sent)
        assert record.read_bytes() == before


def test_keys_while_computers_are_to_play(tmp_path: Path) -> None:
    """Two computers' turns with a rest before each, then the own turn."""
    (tmp_path / "settings.yaml").write_text(f"pause: {min(SECONDS / 3, MAX_PAUSE)}\n", encoding="utf-8")
    record = Path(shutil.copy(RECORD, tmp_path / "match.yaml"))
    with Typed(tmp_path, "resume", str(record), kitty=True) as program:
        program.listened()
        program.press("4")
        time.sleep(UNHURRIED)
        program.send("space")
        sent = flooded(program, keys())
        lines = program.settled()
        check_all_answered(lines, sent)
        turns = [line.text for line in program.transcript.all if line.kind == "event"]
        assert [text.split(":")[0] for text in turns if text.startswith(("Boris", "Vera"))] == ["Boris", "Vera"]
        assert turns[-1].startswith("Your turn")


def test_keys_while_masters_think_and_a_person_plays(tmp_path: Path) -> None:
    """A person decides in between; the flood stops for that question alone which each key would ask again."""
    masters = [word for name in ("Boris", "Vera", "Gleb") for word in ("--player", f"{name}:master")]
    words = ("play", "kozel", "--player", "Anna", *masters, "--seed", "7", "--option", "target=1000")
    with Typed(tmp_path, *words, kitty=True) as program:
        person = InAHurry(program)
        sent = flooded(program, keys(), person.plays)
        until = time.monotonic() + PATIENCE
        while person.turns < 3 and time.monotonic() < until:
            sent += flooded(program, ANSWERS, person.plays)
        program.settled()
        check_all_answered(program.transcript.all, sent)
        assert person.turns >= 3
        assert replay_text(program.record.read_text(encoding="utf-8"))["ok"]


class InAHurry:
    """Answers what is asked between other keys, each after it was listened to. `turns`: how often it was to play."""

    def __init__(self, program: Typed) -> None:
        self._program = program
        self._heard = 0
        self._due: list[tuple[float, str]] = []
        self.turns = 0

    def plays(self) -> None:
        """Press what is due."""
        self._program.transcript.fresh()
        lines = self._program.transcript.all[self._heard :]
        self._heard += len(lines)
        for line in lines:
            question = asked([line], "en")
            if question is Asked.END and line.kind == "event":
                self._name_end(line)
            elif question is not None and (line.kind == "event" or question is Asked.DRAWN):
                self.turns += question is not Asked.DRAWN
                now = time.monotonic()
                self._due = [(now + number * UNHURRIED, key) for number, key in enumerate(_DOES[question], start=1)]
        while self._due and self._due[0][0] <= time.monotonic():
            self._program.send(self._due.pop(0)[1])

    def _name_end(self, line: Line) -> None:
        self._due.clear()
        time.sleep(UNHURRIED)
        self._program.send("left" if "left" in line.text.lower() else "right")


_DOES = {
    Asked.TURN: ("tab", "space"),
    Asked.DRAW: ("f4",),
    Asked.DRAWN: ("tab", "space", "f4"),
    Asked.OPEN: ("space",),
    Asked.OPEN_ANY: ("tab", "space"),
    Asked.NEXT_ROUND: ("enter",),
}


@pytest.mark.parametrize("key", ["space", "enter", "left", "right", "up", "down", "x"])
def test_held_through_a_whole_round_nothing_unheard_is_laid(key: str, tmp_path: Path) -> None:
    """A key held from the start: at most the one tile on which the cursor stood is laid, and that was said before."""
    record = Path(shutil.copy(RECORD, tmp_path / "match.yaml"))
    with Typed(tmp_path, "resume", str(record), kitty=True) as program:
        program.listened()
        before = record.read_bytes()
        lines = program.held(key, 60)
        assert record.read_bytes() == before  # the cursor has not been anywhere yet: the tile is only said
        assert len(lines) <= 60
        if key in ("space", "enter"):
            assert len(lines) <= 3
        program.press("6")
        time.sleep(UNHURRIED)
        program.held(key, 60)
        new = record.read_bytes()[len(before) :].decode()
        own = [line for line in new.splitlines() if line == "      - 5-5 right"]
        assert own == (["      - 5-5 right"] if key in ("space", "enter") else [])
        assert len(new.splitlines()) <= 3


def test_typed_ahead_nothing_unheard_is_laid(tmp_path: Path) -> None:
    """All keys at once, as somebody types who expects what comes: none that acts counts before it was heard; each is told."""
    words = ("play", "kozel", "--player", "Anna", "--player", "Boris", "--seed", "7", "--option", "target=1000")
    with Typed(tmp_path, *words, kitty=True) as program:
        program.listened()
        time.sleep(UNHURRIED)
        before = decisions_in(program.record.read_bytes())
        program.send(*("enter", "tab", "space", "left", "enter", "tab", "space", "right") * 20)
        lines = program.settled()
        assert decisions_in(program.record.read_bytes()) == before
        assert [line.text for line in lines].count("Too early, press again.") >= 20


def test_a_paste_is_no_move(tmp_path: Path) -> None:
    record = Path(shutil.copy(RECORD, tmp_path / "match.yaml"))
    with Typed(tmp_path, "resume", str(record)) as program:
        program.listened()
        before = record.read_bytes()
        program.press("6")
        time.sleep(UNHURRIED)
        program.terminal.send("\x1b[200~ \r4 \r\x1b[201~")
        assert [line.text for line in program.settled()] == ["Pasted text does nothing here."]
        assert record.read_bytes() == before


def test_space_first_says_the_tile(tmp_path: Path) -> None:
    """At the beginning of a turn nothing but a single tile that fits has been said: Space lays no other."""
    words = ("play", "kozel", "--player", "Anna", "--player", "Boris:novice", "--seed", "7", "--option", "target=1000")
    with Typed(tmp_path, *words, kitty=True) as program:
        person = Person(program.press, Random(2), "en", fancy=0)
        person.hear(program.listened())
        tried = 0
        for _ in range(25):
            if person.question is Asked.TURN and not ONE_FITS.search(person.lines[-1].text):
                before, question = program.record.read_bytes(), person.lines
                (said,) = program.press("space")
                assert tiles_named(said.text, "en")
                assert program.record.read_bytes() == before
                person.hear(question)
                tried += 1
            person.step()
        assert tried >= 3
