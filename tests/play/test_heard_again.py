"""What was said, heard again in whole matches at one keyboard: each person their own, nobody another's tiles."""

from __future__ import annotations

import re
import time
from pathlib import Path
from random import Random

import pytest

from play.hearing import Asked
from play.known import Heard
from play.person import Person
from play.program import KEYS, PATIENCE, Line, Piped
from play.test_secrets import leaks_heard_again

AGAIN = ("f6", "t", ",", ",", ",", ".", "[", "]")
TABLES = (
    ("en", ("domino", "--player", "Anna", "--player", "Boris", "--option", "target=20")),
    ("ru", ("kozel", "--player", "Анна", "--player", "Борис:novice", "--player", "Вера", "--option", "target=20")),
    ("en", ("osel", "--player", "Anna", "--player", "Boris", "--option", "target=20")),
)
_PLACE = re.compile(r"(?:(.*) )?(\d+) (?:of|из) (\d+)\.$")


def place(line: Line) -> tuple[str, int, int]:
    """A message heard again: its text, its place, and among how many."""
    found = _PLACE.search(line.text)
    assert found, line
    return found[1], int(found[2]), int(found[3])


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_whole_matches(number: int, tmp_path: Path) -> None:
    lang, words = TABLES[number]
    chance = Random(number)
    with Piped(tmp_path, "play", *words, "--seed", "again", lang=lang) as program:
        start = program.start()
        heard = [Heard("", 0, 0, tuple(start))]

        def press(*names: str) -> list[Line]:
            lines = program.press(*names)
            heard.append(Heard(names[0] if len(names) == 1 else "+".join(names), 0, 0, tuple(lines)))
            return lines

        person = Person(press, chance, lang, fancy=0.1)
        person.hear(start)
        while person.step():
            if person.question is not None:
                for _ in range(chance.randint(0, 2)):
                    press(chance.choice(AGAIN))
        told = {each.lines[0].to for each in heard if each.key in AGAIN}
        assert None in told
        assert len(told) > 2 or words.count("--player") == 3
        assert leaks_heard_again(heard, lang) == []


def again(program: Piped, key: str) -> Line:
    """The answer to a key of the history. No other key is pressed: any answer ends the walk."""
    program.send(KEYS.get(key, key))
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for line in program.transcript.fresh():
            return line
        time.sleep(0.002)
    raise AssertionError(f"{key} is not answered")


def test_each_person_walks_their_own_history_to_its_beginning(tmp_path: Path) -> None:
    words = ("kozel", "--player", "Anna", "--player", "Boris", "--seed", "7", "--option", "target=1000")
    with Piped(tmp_path, "play", *words) as program:
        person = Person(program.press, Random(7), "en", fancy=0)
        person.hear(program.start())
        for _ in range(14):
            assert person.step()
        if person.question is Asked.HANDOVER:
            person.step()
        holder = person.lines[-1].to
        assert holder is not None
        for listener in (holder, 1 - holder):
            mine = [line.text for line in program.transcript.all if line.to in (None, listener)]
            walked = [place(again(program, ","))]
            while walked[-1][1] > 1:
                walked.append(place(again(program, ",")))
            assert [at for _, at, _ in walked] == list(range(len(mine), 0, -1))
            assert [text.removesuffix(".") for text, _, _ in reversed(walked)] == [t.removesuffix(".") for t in mine]
            oldest = again(program, ",").text
            assert oldest.startswith("Nothing older. ")
            heard = len(program.transcript.all)
            while person.question is not Asked.HANDOVER:
                assert person.step()
            person.step()
            del program.transcript.all[heard - len(walked) - 1 : heard]


def test_identical_events_are_told_apart_by_their_place(tmp_path: Path) -> None:
    with Piped(tmp_path, "play", "kozel", "--player", "Anna", "--player", "Boris:novice", "--seed", "2") as program:
        program.start()
        answers = [program.press("f5")[0].text for _ in range(3)]
        assert len(set(answers)) == 1
        walked = [place(again(program, ",")) for _ in range(6)]
        same = [at for text, at, _ in walked if text == answers[0]]
        assert len(same) == len(set(same)) == 3
