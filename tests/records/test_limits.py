"""What is absurd is refused at once; what the program itself writes is read by a shorter way, to the same."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest

from kozel.records import reading
from kozel.records.reading import parse_own_record, parse_record
from kozel.records.replay import replay_text
from kozel.records.writing import record_text
from oracle.records import random_record

HEAD = "kozel-record: 1\nruleset: kozel\nplayers: [A, B]\n"
HANDS = "[[0-1, 1-1, 1-5, 2-2, 3-6, 4-5, 5-6], [0-0, 0-3, 1-4, 2-4, 3-3, 3-5, 6-6]]"
BAZAAR = "[1-2, 2-6, 0-4, 2-3, 0-2, 1-6, 4-6, 0-5, 2-5, 5-5, 4-4, 0-6, 3-4, 1-3]"
MANY = 300_000
EMPTY = "[" + "[], " * MANY + "[]]"
ABSURD = {
    "rounds": f"{HEAD}rounds: {EMPTY}\n",
    "rounds line by line": f"{HEAD}rounds:\n" + "  - []\n" * MANY,
    "moves": f"{HEAD}rounds:\n  - {{hands: {HANDS}, bazaar: {BAZAAR}, moves: {EMPTY}}}\n",
    "hands": f"{HEAD}rounds:\n  - hands: {EMPTY}\n",
    "options": f"{HEAD}options: {EMPTY}\n",
    "players": f"kozel-record: 1\nruleset: kozel\nplayers: {EMPTY}\n",
    "an unknown key": f"{HEAD}frob: {EMPTY}\n",
    "nothing else": EMPTY,
    "empty rounds": f"{HEAD}rounds: [" + "{}, " * MANY + "{}]\n",
}


@pytest.mark.parametrize("name", ABSURD)
def test_many_empty_lists_are_refused_at_once(name: str) -> None:
    began = time.process_time()
    told = replay_text(ABSURD[name], "absurd.yaml")
    assert not told["ok"]
    assert len(told["error"]) <= 300
    assert time.process_time() - began < 1


def test_a_mistake_after_the_round_at_fault_is_still_the_heads() -> None:
    """The file is read on for its form, and for keys after the rounds."""
    for after in ("frob: 1\n", "rounds: []\n", "date: [\n"):
        told = replay_text(f"{HEAD}rounds:\n  - []\n  - []\n{after}", "x.yaml")
        assert (told["ok"], told["round"], told["move"]) == (False, None, None)
    told = replay_text(f"{HEAD}rounds:\n  - []\n  - [\n", "x.yaml")
    assert told["round"] is None
    assert replay_text(f"{HEAD}rounds:\n  - []\n  - []\ndate: x\n", "x.yaml")["round"] == 1


@pytest.mark.parametrize("seed", range(60))
def test_the_shorter_way_reads_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random records of all rulesets, laid out as the program would, and in whatever layout they came."""
    path = Path("match.yaml")
    random = random_record(Random(seed))
    text = record_text(parse_record(random, path))
    short = [parse_own_record(each, path) or parse_record(each, path) for each in (text, random)]
    assert parse_own_record(text, path) is not None
    for other in ("\r\n", "\r"):
        assert parse_own_record(b"\xef\xbb\xbf" + text.replace("\n", other).encode(), path) == short[0]
    monkeypatch.setattr(reading, "parse_own_record", lambda *_: None)
    assert short == [parse_record(each, path) for each in (text, random)]
    assert record_text(parse_record(text, path)) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("      - 1-1\n", "      - 1-1 # so\n"),
        ("      - 1-1\n", "      - '1-1'\n"),
        ("      - 1-1\n", "      - 1-1: x\n"),
        ("      - 1-1\n", "      - 1-1\n      - \n"),
        ("      - 1-1\n", "      - 1-1\n\n"),
        ("      - 1-1\n", "      - 1-1 \n"),
        ("      - 1-1\n", "      - 1-1\n        left\n"),
        ("    moves:\n", "    moves: []\n"),
        ("3-6, 4-5", "3-6,4-5"),
        ("3-6, 4-5", "3-7, 4-5"),
        ("rounds:\n", "rounds:\nrounds:\n"),
        ("    bazaar", "    opener: 9\n    bazaar"),
    ],
)
def test_what_is_only_like_ours_is_read_the_long_way(one: str, other: str) -> None:
    own = f"""\
{HEAD}rounds:
  - hands:
      - [0-1, 1-1, 1-5, 2-2, 3-6, 4-5, 5-6]
      - [0-0, 0-3, 1-4, 2-4, 3-3, 3-5, 6-6]
    bazaar: {BAZAAR}
    moves:
      - 1-1
"""
    assert parse_own_record(own, Path("x")) is not None
    changed = own.replace(one, other)
    assert changed != own
    assert parse_own_record(changed, Path("x")) is None
    assert replay_text(own, "x")["ok"]
