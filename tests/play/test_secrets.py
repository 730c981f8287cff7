"""Whatever keys are pressed, no line names a tile to somebody who may not know it at that time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from oracle.records import replay_text
from play.hearing import Asked, asked, match_over, tiles_named
from play.known import Heard, leaks
from play.program import Line, Piped
from play.test_matches import CASES, play
from play.test_telling_keys import OF_THE_ROUND_BEFORE, RECALL, TELLING, WALKING

ACTING = ("enter", "space", "tab", "right", "left", "f4", "x", "escape", "q")
TABLES = (
    ("en", ("kozel", "--player", "Anna", "--player", "Boris", "--player", "Vera")),
    ("ru", ("domino", "--player", "Анна", "--player", "Борис:novice", "--player", "Вера", "--player", "Гена:novice")),
    ("en", ("osel", "--player", "Anna", "--player", "Boris")),
    ("ru", ("kozel-yard", "--player", "Анна", "--player", "Борис", "--player", "Вера", "--player", "Гена")),
    ("en", ("kozel-1x1", "--player", "Anna", "--player", "Boris", "--seed", "r84")),
    ("ru", ("kozel", "--player", "Анна:novice", "--player", "Борис")),
)


def pressed_at_random(program: Piped, lang: str, chance: Random, count: int) -> tuple[bytes, list[Heard]]:
    """Press keys blindly, but never Enter where it would leave; all that was said, key by key."""
    lines = program.start()
    record = program.record
    heard = [Heard("", 0, record.stat().st_size, tuple(lines))]
    question = asked(lines, lang)
    while len(heard) < count:
        key = chance.choice(ACTING if chance.random() < 0.6 else (*TELLING, *WALKING))
        if (question is Asked.LEAVE and key == "enter") or key in ("f7", "o"):
            continue
        lines = program.press(key)
        heard.append(Heard(key, heard[-1].after, record.stat().st_size, tuple(lines)))
        if lines and (lines[-1].kind != "echo" or question is not Asked.LEAVE):
            question = asked(lines, lang)
        if match_over(lines):
            break
    return record.read_bytes(), heard


def leaks_heard_again(heard: Iterable[Heard], lang: str) -> list[str]:
    """Tiles in what is told again that were not told to the same ears before."""
    found = []
    before: list[Line] = []
    for each in heard:
        for line in each.lines:
            if each.key in RECALL:
                rest = line.text
                for told in sorted({old.text for old in before if old.to in (None, line.to)}, key=len, reverse=True):
                    rest = rest.replace(told, "")
                if tiles_named(rest, lang):
                    found.append(f"{each.key}: {line} was never said to them")
        before += each.lines
    return found


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_random_keys(number: int, tmp_path: Path) -> None:
    lang, words = TABLES[number]
    with Piped(tmp_path, "play", *words, lang=lang) as program:
        record, heard = pressed_at_random(program, lang, Random(number), 900)
        assert program.errors == ""
    judged = [each for each in heard if each.key not in (*RECALL, *OF_THE_ROUND_BEFORE)]
    assert leaks(record, judged, lang) == []
    assert leaks_heard_again(heard, lang) == []
    result = replay_text(record.decode())
    assert result["ok"]
    told = [each.lines[0].text for each in heard if each.key in OF_THE_ROUND_BEFORE]
    numbers = [int(number) for text in told for number in re.findall(r"^(?:Round|Раунд) (\d+)\. ", text)]
    assert all(number <= len(result["rounds"]) for number in numbers)
    assert sum(bool(each.lines) for each in heard) == len(heard)


def test_a_secret_told_is_found(tmp_path: Path) -> None:
    """The check itself: an own tile told to all, or to the wrong seat, is a leak."""
    played = play(tmp_path, CASES[0], "secrets")
    place, own = next(
        (place, each) for place, each in enumerate(played.heard) if each.key == "tab" and each.lines[0].to == 1
    )
    assert leaks(played.record, [own], "en") == []
    for ears in (None, 0):
        told = own._replace(lines=(own.lines[0]._replace(to=ears),))
        assert leaks(played.record, [*played.heard[:place], told], "en") != []
