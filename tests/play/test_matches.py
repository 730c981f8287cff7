"""Whole matches by key bytes through a pipe: record, replay, scores heard and secrets, against the independent model."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from oracle.records import replay_text
from play.hearing import match_over, totals_heard
from play.known import Heard, leaks
from play.person import Person
from play.program import Line, Piped, command, environment

NAMES = {"en": ("Anna", "Boris", "Vera", "Gena"), "ru": ("Анна", "Борис", "Вера", "Гена")}
_RESULT = {
    "en": {
        "winner": r"wins? the match",
        "goat": r"(is|are) the goats?\.",
        "officer_goat": "officer goat",
        "general_goat": "general goat",
        "donkey": "the donkey",
    },
    "ru": {
        "winner": r"[Пп]артию выигрыва",
        "goat": r"^Коз(ёл|лы): ",
        "officer_goat": "^Офицерск",
        "general_goat": "^Генеральск",
        "donkey": r"^Ос(ёл|лы): ",
    },
}


class Case(NamedTuple):
    """A match: ruleset, language, who plays ('p' a person, 'n' a novice), pairs, options."""

    ruleset: str
    lang: str
    seats: str
    pairs: bool = False
    options: tuple[str, ...] = ()
    verbosity: str = "normal"

    @property
    def words(self) -> list[str]:
        words = [self.ruleset]
        for kind, name in zip(self.seats, NAMES[self.lang], strict=False):
            words += ["--player", name + (":novice" if kind == "n" else "")]
        words += ["--pairs"] if self.pairs else []
        for option in self.options:
            words += ["--option", option]
        return ["play", *words, "--verbosity", self.verbosity]


CASES = [
    Case("domino", "en", "pp"),
    Case("domino", "ru", "pn", options=("target=60",)),
    Case("domino", "en", "ppp", options=("target=60",)),
    Case("domino", "ru", "pnpn", options=("target=60", "auto_draw=yes")),
    Case("domino", "en", "pnpn", True, ("target=60",), "full"),
    Case("kozel", "ru", "pp", options=("target=60",), verbosity="full"),
    Case("kozel", "en", "pn"),
    Case("kozel", "ru", "npp", options=("target=60", "double_play=no")),
    Case("kozel", "en", "pppp", options=("target=60",)),
    Case("kozel", "ru", "pppp", True, options=("target=60",)),
    Case("kozel", "en", "npnp", True, options=("target=60", "bonuses=no", "auto_draw=yes"), verbosity="brief"),
    Case("kozel-yard", "ru", "pp"),
    Case("kozel-yard", "en", "pnnp"),
    Case("kozel-101", "en", "pnp", options=("target=60", "stake=37")),
    Case("osel", "en", "pp", options=("target=60",), verbosity="full"),
    Case("osel", "ru", "pnp", options=("target=60",)),
    Case("kozel-1x1", "ru", "pp", options=("target=60", "draw=one")),
    Case("kozel-1x1", "en", "pn", options=("target=60", "auto_draw=no", "rule_13=no", "double_lead=yes")),
    Case("kozel-2x2", "en", "pppp", options=("target=60", "full_fish=yes", "double_play=yes")),
    Case("kozel-2x2", "ru", "npnn", options=("target=60",)),
    Case("kozel-deferred", "en", "ppn", options=("target=60",)),
]


class Played(NamedTuple):
    """A match played to its end."""

    record: bytes
    heard: list[Heard]
    lines: list[Line]


def play(folder: Path, case: Case, seed: str, fancy: float = 0.3) -> Played:
    with Piped(folder, *case.words, "--seed", seed, lang=case.lang) as program:
        start = program.start()
        record = program.record
        heard = [Heard("", 0, record.stat().st_size, tuple(start))]

        def press(*names: str) -> list[Line]:
            lines = program.press(*names)
            heard.append(Heard("+".join(names), heard[-1].after, record.stat().st_size, tuple(lines)))
            return lines

        person = Person(press, Random(seed), case.lang, fancy)
        person.hear(start)
        person.play()
        assert program.errors == ""
        return Played(record.read_bytes(), heard, [line for each in heard for line in each.lines])


def check_scores(case: Case, played: Played, result: dict[str, Any]) -> None:
    """The scores heard at each round's end, and the result heard last, are those of the model."""
    rounds = [entry for entry in result["rounds"] if entry["result"] != "redeal"]
    told = [] if case.ruleset == "kozel-yard" else [(entry["totals"], entry["eggs"]) for entry in rounds]
    assert totals_heard(played.lines, case.lang) == told
    assert match_over(played.lines)
    last = played.lines[-2]
    assert re.search(_RESULT[case.lang][result["title"]], last.text)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.ruleset}-{case.lang}-{case.seats}")
def test_a_whole_match(case: Case, tmp_path: Path) -> None:
    played = play(tmp_path, case, f"{case.ruleset} {case.seats}")
    expected = replay_text(played.record.decode())
    assert expected["ok"]
    assert expected["over"]
    check_scores(case, played, expected)
    assert leaks(played.record, played.heard, case.lang) == []
    path = tmp_path / "copy.yaml"
    path.write_bytes(played.record)
    replayed = subprocess.run(
        command("replay", "--json", str(path)), env=environment(), capture_output=True, check=True
    )
    found = json.loads(replayed.stdout)
    assert found.pop("file") == str(path)
    assert found.pop("shuffle") is None
    assert found == expected
