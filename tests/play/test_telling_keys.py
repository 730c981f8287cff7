"""Every key that tells something, in every phase: one line, nothing changed, an open question asked again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from oracle.records import replay_text
from play.hearing import Asked
from play.known import Heard, leaks
from play.person import Person
from play.program import Line, Piped

RECALL = ("f6", "t", ",", ".", "[", "]")
OF_THE_ROUND_BEFORE = ("c-f3", "p")
TELLING = (
    *RECALL,
    *OF_THE_ROUND_BEFORE,
    *("f2", "m", "s-f2", "f3", "c", "s-f3", "s", "c-s-f3", "e", "s-left", "l", "s-right", "r", "s-up", "u", "s-down"),
    *("n", "s-f4", "b", "f5", "w", "f8", "v", "f8", "f9", "a", "s-f9", "z", "h", "backspace"),
)
WALKING = ("tab", "s-tab", "home", "end", "1", "2", "9", "0", "down", "down", "up", "up", "right", "left")
CAPITALS = ("M", "C", "Ф", "ф", "Я")
_NEW_DEAL_SEED = "r84"
"""The first deal of `kozel-1x1` gives seat 0 five doubles."""


class Table:
    """A match in progress, and what is pressed at it."""

    def __init__(self, program: Piped, lang: str) -> None:
        self.program, self.lang = program, lang
        start = program.start()
        self.record = program.record
        self.heard = [Heard("", 0, self.size, tuple(start))]
        self.person = Person(self.press, Random(1), lang)
        self.person.hear(start)

    @property
    def size(self) -> int:
        return self.record.stat().st_size

    def press(self, *names: str) -> list[Line]:
        lines = self.program.press(*names)
        self.heard.append(Heard("+".join(names), self.heard[-1].after, self.size, tuple(lines)))
        return lines

    def reach(self, wanted: Asked) -> None:
        for _ in range(2000):
            if self.person.question is wanted:
                return
            assert self.person.step(), f"{wanted} is never asked"
        raise AssertionError(f"{wanted} is never asked")

    def tells(self, *keys: str) -> None:
        """Press telling keys; what was asked last is asked again where it was a question, and nothing changes."""
        question = self.person.lines[-1] if self.person.question in _QUESTIONS else None
        before = self.record.read_bytes()
        for key in keys:
            lines = self.press(key)
            assert all(len(line.text) >= 3 for line in lines), (key, lines)
            if question is None:
                assert len(lines) == 1, (key, lines)
            else:
                assert [line for line in lines if line.text.endswith(question.text)] == lines[-1:], (key, lines)
                assert len(lines) <= 2, (key, lines)
        assert self.record.read_bytes() == before

    @property
    def leaked(self) -> list[str]:
        """What was told to somebody who may not know it; what is told again was judged when it was told first."""
        judged = [each for each in self.heard if each.key not in (*RECALL, *OF_THE_ROUND_BEFORE)]
        return leaks(self.record.read_bytes(), judged, self.lang)


_QUESTIONS = (Asked.END, Asked.REDEAL, Asked.LEAVE)


@pytest.fixture(params=["en", "ru"])
def lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["hot seat", "alone"])
def table(request: pytest.FixtureRequest, lang: str, tmp_path: Path) -> Iterator[Table]:
    other = "Б:novice" if request.param == "alone" else "Б"
    words = ["--player", "А", "--player", other, "--option", "target=100", "--seed", "7"]
    with Piped(tmp_path, "play", "kozel", *words, lang=lang) as program:
        yield Table(program, lang)


def _ask_to_leave_and_stay(table: Table) -> None:
    person = table.person
    question = person.question
    person.press("q")
    assert person.question is Asked.LEAVE
    table.tells(*TELLING)
    assert table.press(" ")[-1].text.endswith(person.lines[-1].text)
    person.press("escape")
    assert person.question is question


def test_in_every_phase_of_a_match(table: Table) -> None:
    person = table.person
    if person.question is Asked.HANDOVER:
        table.tells(*TELLING, *WALKING)
        assert all(line.to is None for line in table.heard[-1].lines)
        _ask_to_leave_and_stay(table)
    table.reach(Asked.TURN)
    table.tells(*TELLING, *WALKING, *CAPITALS)
    _ask_to_leave_and_stay(table)
    table.reach(Asked.END)
    table.tells(*TELLING, "tab", "s-tab", "home", "end", "1", "9")
    table.reach(Asked.NEXT_ROUND)
    table.tells(*TELLING, *WALKING)
    _ask_to_leave_and_stay(table)
    table.reach(Asked.DRAW)
    table.tells(*TELLING, *WALKING)
    person.press("f5")
    person.play()
    assert table.leaked == []
    table.tells(*TELLING, *WALKING)
    result = replay_text(table.record.read_text(encoding="utf-8"))
    assert result["ok"]
    assert result["over"]


def test_while_a_new_deal_is_asked_for(lang: str, tmp_path: Path) -> None:
    words = ["--player", "А", "--player", "Б", "--seed", _NEW_DEAL_SEED]
    with Piped(tmp_path, "play", "kozel-1x1", *words, lang=lang) as program:
        table = Table(program, lang)
        table.reach(Asked.REDEAL)
        table.tells(*(key for key in TELLING if key not in ("f5", "w")), *WALKING)
        for key in ("f5", "w", "space", "f4", "x"):
            assert table.press(key)[-1].text.endswith(table.person.lines[-1].text)
            assert len(table.heard[-1].lines) == 1
        table.person.press("enter")
        assert b"- redeal" in table.record.read_bytes()
        assert table.leaked == []


def test_between_rounds_the_last_table_is_told(tmp_path: Path) -> None:
    words = ["--player", "A", "--player", "B:novice", "--seed", "7"]
    with Piped(tmp_path, "play", "kozel", *words) as program:
        table = Table(program, "en")
        table.reach(Asked.NEXT_ROUND)
        (entry,) = replay_text(table.record.read_text(encoding="utf-8"))["rounds"]
        counts = table.press("c")[0].text
        assert "0" in counts
        assert entry["result"] == "out"
        chain = table.press("z")[0].text
        assert chain.startswith("Chain: ")
        assert table.press("l")[0].text.startswith("Left ")
        assert table.press("s-f2")[0].text != "Nobody has played yet."


def test_the_speech_mode_changes_and_the_question_stays(tmp_path: Path) -> None:
    words = ["--player", "A", "--player", "B", "--seed", "7"]
    with Piped(tmp_path, "play", "kozel", *words) as program:
        table = Table(program, "en")
        table.reach(Asked.END)
        table.tells("f7", "o")


def test_a_key_that_does_nothing_says_so(tmp_path: Path) -> None:
    with Piped(tmp_path, "play", "kozel", "--player", "A", "--player", "B") as program:
        program.start()
        for key in ("\x1b[21~", "%", "\x01", "\x1b[3~"):
            (line,) = program.press(key)
            assert line.text.endswith("does nothing. Keys: K."), line
