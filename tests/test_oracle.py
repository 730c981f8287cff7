"""The independent model agrees with the conformance records, and its random records are what they should be."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from oracle.breaking import DAMAGES, Damage, damaged
from oracle.records import break_record, random_record, replay_text
from oracle.rules import SEATS

CONFORMANCE = Path(__file__).parent / "conformance"
RECORDS = sorted(CONFORMANCE.glob("*/*.yaml"))


def test_all_conformance_records_are_there() -> None:
    assert len(RECORDS) == 152


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_agrees_with_conformance(record: Path) -> None:
    expected = json.loads(record.with_suffix(".json").read_text(encoding="utf-8"))
    assert replay_text(record.read_text(encoding="utf-8")) == expected


@pytest.mark.parametrize("ruleset", SEATS)
def test_random_records_are_legal_and_repeatable(ruleset: str) -> None:
    for seed in range(12):
        text = random_record(Random(f"{ruleset} {seed}"), ruleset)
        assert text == random_record(Random(f"{ruleset} {seed}"), ruleset)
        assert replay_text(text)["ok"], text


def test_random_records_reach_what_is_rare() -> None:
    seen: Counter[str] = Counter()
    for seed in range(400):
        text = random_record(Random(f"rare {seed}"))
        result = replay_text(text)
        seen[f"title {result['title']}"] += 1
        seen["several doubles played"] += " + " in text
        seen["in mid-round"] += result["to_move"] is not None
        seen["asked about a new deal"] += result["legal"] == ["keep", "redeal"] or "keep" in text
        for entry in result["rounds"]:
            seen[entry["result"]] += 1
            seen["eggs"] += entry["eggs"] > 0
            seen["equal fish"] += entry["result"] == "fish" and not entry["winner"]
            seen["tie for lowest"] += 1 < len(entry["winner"]) < len(entry["totals"])
            seen["somebody sits"] += entry["sitting"] is not None
            seen["put by"] += any(entry["deferred"])
    expected = {
        *("out", "fish", "redeal", "eggs", "equal fish", "tie for lowest", "somebody sits", "put by", "in mid-round"),
        *("several doubles played", "asked about a new deal", "title None", "title winner", "title goat"),
        *("title donkey", "title officer_goat", "title general_goat"),
    }
    assert expected - {name for name, count in seen.items() if count} == set()


def test_damages_are_mostly_faults_of_every_place() -> None:
    places: Counter[str] = Counter()
    for seed in range(300):
        rng = Random(f"broken {seed}")
        result = replay_text(break_record(rng, random_record(rng)))
        if result["ok"]:
            places["none"] += 1
        elif result["round"] is None:
            places["head"] += 1
        else:
            places["deal" if result["move"] is None else "move"] += 1
    assert places["none"] < 100
    assert min(places["head"], places["deal"], places["move"]) > 20


@pytest.mark.parametrize("damage", list(dict.fromkeys(DAMAGES)))
def test_every_damage_can_make_a_fault(damage: Damage) -> None:
    for seed in range(300):
        rng = Random(f"damage {seed}")
        broken = damaged(rng, random_record(rng), damage)
        if broken is not None and not replay_text(broken)["ok"]:
            return
    pytest.fail("no fault in 300 records")
