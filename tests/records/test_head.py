"""The head of a record: each mistake is told, in its own words and at its place; what stands at a limit is no mistake."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kozel.records.reading import MAX_NAME, BadHead, parse_record
from kozel.records.writing import head_text, quoted, record_text

SOUND = {
    "kozel-record": "1",
    "ruleset": "kozel",
    "options": "{target: 50}",
    "players": "[Anna, Boris]",
    "pairs": "no",
    "levels": "[null, novice]",
    "seed": "spring",
    "date": "2026-11-30",
}
LONG = "x" * (MAX_NAME + 1)
MISTAKES = [
    ("kozel-record", "0", "1:15: 'kozel-record' must be 1 or 2, the formats that this program reads"),
    ("kozel-record", "[1]", "1:15: 'kozel-record' must be 1 or 2, the formats that this program reads"),
    ("kozel-record", "", "the line 'kozel-record: 1' is missing"),
    ("ruleset", "", "the line 'ruleset: kozel' is missing"),
    ("ruleset", "[kozel]", "2:10: 'ruleset' must be the name of a ruleset"),
    ("ruleset", "kozl", "2:10: there is no ruleset 'kozl'; did you mean 'kozel'?"),
    ("ruleset", "nowhere.yaml", "2:10: the ruleset 'nowhere.yaml' cannot be used: nowhere.yaml: cannot be read: "),
    ("options", "[target]", "3:10: 'options' must be written as 'name: value' lines"),
    ("options", "{target: [50]}", "3:19: the value of option 'target' must be one word or number"),
    ("options", "{targt: 50}", "3:10: this ruleset has no option 'targt'; did you mean 'target'?"),
    ("options", "{target: 0}", "3:10: option 'target' cannot be 0: it must be a whole number from 1 to 1000"),
    ("players", "", 'the line \'players: ["Anna", "Boris"]\' is missing'),
    ("players", "Anna", "4:10: 'players' must be a list of names"),
    ("players", "[Anna, [Boris]]", "4:17: a player's name must be a text of at most 200 characters"),
    ("players", f"[Anna, {LONG}]", "4:17: a player's name must be a text of at most 200 characters"),
    ("pairs", "maybe", "5:8: 'pairs' must be yes or no"),
    ("pairs", "[no]", "5:8: 'pairs' must be yes or no"),
    ("pairs", "yes", "5:8: pairs need 4 players, not 2"),
    ("levels", "novice", "6:9: 'levels' must be a list with an entry for each of the 2 players"),
    ("levels", "[novice]", "6:9: 'levels' must be a list with an entry for each of the 2 players"),
    ("levels", "[null, noviec]", "6:16: there is no level 'noviec'; did you mean 'novice'?; null for a person"),
    ("seed", "[x]", "7:7: 'seed' must be a text"),
    ("date", "{x: y}", "8:7: 'date' must be a text"),
    ("frob", "1", "9:1: a record has no 'frob'; known: "),
]


def text_of(head: dict[str, str]) -> str:
    return "".join(f"{key}: {value}\n" for key, value in head.items() if value)


@pytest.mark.parametrize(("key", "value", "told"), MISTAKES)
def test_a_mistake_in_the_head(
    key: str, value: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    parse_record(text_of(SOUND), Path("m.yaml"))
    with pytest.raises(BadHead) as refused:
        parse_record(text_of({**SOUND, key: value}), Path("m.yaml"))
    assert told in str(refused.value)


def test_a_number_of_players_that_the_game_does_not_have() -> None:
    for players in ("[Anna]", "[A, B, C, D, E]"):
        with pytest.raises(BadHead, match=r"4:10: . players: this ruleset is for 2, 3 or 4"):
            parse_record(text_of({**SOUND, "players": players, "levels": ""}), Path("m.yaml"))


def test_what_stands_at_the_limit_is_right() -> None:
    name = "x" * MAX_NAME
    head = parse_record(text_of({**SOUND, "players": f"[{name}, B]"}), Path("m.yaml")).head
    assert head.players == (name, "B")


def test_the_head_as_read() -> None:
    head = parse_record(text_of(SOUND), Path("m.yaml")).head
    assert (head.reference, head.ruleset.id, dict(head.options)) == ("kozel", "kozel", {"target": 50})
    assert (head.players, head.pairs, head.levels) == (("Anna", "Boris"), False, (None, "novice"))
    assert (head.seed, head.date, head.shuffle, head.format) == ("spring", "2026-11-30", None, 1)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@settings(max_examples=300, deadline=None)
@given(st.lists(texts, min_size=2, max_size=4), texts, texts)
def test_names_seed_and_date_are_text_as_written(names: list[str], seed: str, date: str) -> None:
    """Whatever they look like, and whatever characters are in them."""
    head = head_text("kozel", names, False, seed=seed, date=date)
    record = parse_record(head.encode(), Path("m.yaml"))
    assert (list(record.head.players), record.head.seed, record.head.date) == (names, seed, date)
    assert record_text(record) == head


ODD = ("\x7f", "\x85", "\u2028", "\ufeff", "\uffff", "null", "~", "yes", "007", "- x", "a: b", "#", "\\", '"')


@pytest.mark.parametrize("text", ODD)
def test_what_yaml_would_take_otherwise(text: str) -> None:
    record = parse_record(head_text("kozel", [text, "B"], False, seed=text).encode(), Path("m.yaml"))
    assert (record.head.players[0], record.head.seed) == (text, text)
    assert quoted(text).isprintable()
