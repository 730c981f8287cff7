"""`kozel rules check` tries a ruleset out: what never ends, deals again for ever or can never hold is told with its rule."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from kozel.rules.reading import find, parse_ruleset, shipped_ids
from kozel.rules.trial import try_out
from kozel.yamltree import BadFile
from rules.play import play_match

FILE = Path("club.yaml")
CLUB = """\
kozel-ruleset: 1
id: club
seats: [2, 3, 4]
pairs: optional
hand: 7
first_opening: lowest_double_opens
later_opening: last_round_decides
placing: two_ends
drawing: {until_playable: {auto: yes}}
settlement:
  - losers_record_their_own
  - account_from: {single: 13, pairs: 25}
  - who_reaches_loses: {target: 101}
  - winner_opens_next
"""
YARD = "kozel-ruleset: 1\nid: club\nextends: kozel-yard\n"


def told(text: str) -> list[str]:
    try:
        parse_ruleset(text.encode(), FILE, tried=True)
    except BadFile as error:
        return [str(problem).removeprefix("club.yaml:") for problem in error.problems]
    return []


def changed(*changes: tuple[str, str]) -> str:
    text = CLUB
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("id", shipped_ids())
def test_a_shipped_ruleset_ends_at_every_table(id: str) -> None:
    tried = list(try_out(find(id)))
    assert len(tried) >= len(list(find(id).seatings()))
    assert not any(failing for _, failing in tried)


ALL_OF_NOTHING = ", ".join(f"{low}-{high}: 0" for low in range(7) for high in range(low, 7))
SMALL = (
    ("seats: [2, 3, 4]\npairs: optional\nhand: 7", "seats: 2\nhand: 3"),
    ("{until_playable: {auto: yes}}", "never_drawn"),
)
NEVER: dict[str, tuple[str, str]] = {
    "an account out of reach": (
        changed(("single: 13, pairs: 25", "single: 300")),
        "12:5: 'account_from' never opens an account: a round gives 153 points at most",
    ),
    "out of reach in pairs alone": (
        changed(("pairs: 25", "pairs: 400")),
        "12:5: 'account_from' never opens an account: a round gives 118 points at most where pairs: yes, seats: 4",
    ),
    "one point too many": (
        changed(*SMALL, ("single: 13, pairs: 25", "single: 34")),
        "11:5: 'account_from' never opens an account: a round gives 33 points at most",
    ),
    "as much as a round can give, and hardly ever does": (
        changed(*SMALL, ("single: 13, pairs: 25", "single: 33")),
        "11:5: 'account_from' opened no account in 1000 rounds that were tried out",
    ),
    "everything put by": (
        changed(
            ("  - account_from: {single: 13, pairs: 25}", "  - account_with_points_put_by: {over: 200}"),
            ("losers_record_their_own", "all_record_their_own"),
        ),
        "12:5: 'account_with_points_put_by' never opens an account: a round gives 153 points at most",
    ),
    "a round that gives less than an account takes": (
        changed(("losers_record_their_own", "round_gives: {loser: 5}")),
        "12:5: 'account_from' never opens an account: a round gives 5 points at most",
    ),
    "eggs are not enough either": (
        changed(
            ("losers_record_their_own", "losers_record_their_own\n  - eggs_to_the_loser"), ("single: 13", "single: 300")
        ),
        "13:5: 'account_from' never opens an account: a round gives 237 points at most where pairs: no, seats: 2",
    ),
    "a fish that counts double is not enough": (
        changed(
            ("losers_record_their_own", "round_gives: {loser: 5}\n  - fish_counts_times: {times: 2}"),
        ),
        "13:5: 'account_from' never opens an account: a round gives 10 points at most",
    ),
    "tiles that count nothing": (
        changed(("hand: 7", f"hand: 7\ncounting: {{pips_or_values: {{values: {{{ALL_OF_NOTHING}}}}}}}")),
        "6:12: 'pips_or_values' counts every hand 0: nobody would ever get a point",
    ),
    "a round that gives nothing": (
        changed(("losers_record_their_own", "round_gives")),
        "11:5: 'round_gives' can never hold: it gives no points",
    ),
    "a goat that nobody ever sits on": (
        f"{YARD}steps: {{sitting_on_the_goat: {{single: 200, pairs: 25}}}}\n",
        "4:9: 'sitting_on_the_goat' never puts anybody on the goat: a side is left with 153 points at most "
        "where pairs: no, seats: 2",
    ),
    "an account that only one option makes too dear": (
        changed(
            ("hand: 7", "hand: 7\noptions: {from: {default: 13, values: [13, 500]}}"),
            ("single: 13, pairs: 25", "single: $from"),
        ),
        "13:5: 'account_from' never opens an account: a round gives 153 points at most where from: 500",
    ),
}


@pytest.mark.parametrize(("text", "expected"), NEVER.values(), ids=NEVER)
def test_what_never_ends_is_told_with_its_rule(text: str, expected: str) -> None:
    assert told(text) == [expected]


CAN_NEVER_HOLD: dict[str, tuple[str, str]] = {
    "a title for no tiles": (
        changed(("settlement:", "settlement:\n  - general_goat: {tiles: []}")),
        "11:27: 'general_goat' can never hold: 'tiles' is empty, write a list of tiles such as [0-0, 6-6]",
    ),
    "a title for plain tiles": (
        changed(("settlement:", "settlement:\n  - general_goat: {tiles: [1-2, 3-4]}")),
        "11:27: 'general_goat' can never hold: these tiles cannot be laid in one move here",
    ),
    "a title for two doubles where one is laid": (
        "kozel-ruleset: 1\nid: club\nextends: kozel\nplacing: two_ends\n",
        "3:10: 'general_goat' can never hold: these tiles cannot be laid in one move here (inherited)",
    ),
    "a title for five doubles on four ends": (
        changed(
            ("placing: two_ends", "placing: four_ends"),
            ("settlement:", "settlement:\n  - general_goat: {tiles: [0-0, 1-1, 2-2, 3-3, 4-4]}"),
        ),
        "11:27: 'general_goat' can never hold: these tiles cannot be laid in one move here",
    ),
    "a tile that excludes itself": (
        changed(("settlement:", "settlement:\n  - officer_goat: {tile: 0-0, unless: 0-0}")),
        "11:39: 'officer_goat' can never hold: 'unless' is the tile itself",
    ),
    "a bonus for nothing": (
        changed(
            (
                "  - account_from",
                "  - bonus_for_first_and_last_tile: {tiles: {6-6: 50}, opened: no, out: no}\n  - account_from",
            )
        ),
        "12:5: 'bonus_for_first_and_last_tile' can never hold: 'opened: no' and 'out: no' leave nothing",
    ),
    "a new deal for a hand that cannot be": (
        changed(("hand: 7", "hand: 5\nredeal: {dealt_again: {same_number: 6}}")),
        "6:10: 'dealt_again' can never hold: no hand here has so many such tiles; give 'same_number' or 'doubles'",
    ),
    "snot under the tile that it begins with": (
        changed(("hand: 7", "hand: 7\nthrowing: {snot: {under: 0-0}}")),
        "6:26: 'snot' can never hold: the throwing begins with 0-0, and that lies there already",
    ),
    "a lead that nobody chooses": (
        changed(("later_opening: last_round_decides", "later_opening: smallest_tile_opens\nlead: any_double")),
        "8:7: 'any_double' is never used: no rule that opens a round leaves the tile to the player",
    ),
}


@pytest.mark.parametrize(("text", "expected"), CAN_NEVER_HOLD.values(), ids=CAN_NEVER_HOLD)
def test_what_can_never_hold_is_told_with_its_rule(text: str, expected: str) -> None:
    assert told(text) == [expected]


@pytest.mark.parametrize(
    ("redeal", "expected"),
    [
        ("doubles: 1", "6:33: with 'dealt_again: {doubles: 1}' hardly a deal of 2 hands of 7 tiles would ever count"),
        ("doubles: 2", "6:33: with 'dealt_again: {doubles: 2}' hardly a deal of 3 hands of 7 tiles would ever count"),
        ("same_number: 2", "6:37: with 'same_number: 2' hardly a deal of 2 hands of 7 tiles would ever count"),
        ("same_number: 6, doubles: 5", None),
        ("doubles: 4", None),
    ],
)
def test_what_deals_again_for_ever_is_told(redeal: str, expected: str | None) -> None:
    found = told(changed(("hand: 7", f"hand: 7\nredeal: {{dealt_again: {{{redeal}}}}}")))
    assert found == ([expected] if expected else [])


@pytest.mark.parametrize(
    "text",
    [
        CLUB,
        changed(("{target: 101}", "{target: 1000}")),
        changed(
            ("losers_record_their_own", "round_gives: {loser: 1}"),
            ("account_from: {single: 13, pairs: 25}", "record_everything"),
        ),
        changed(("who_reaches_loses: {target: 101}", "match_of_rounds: {rounds: 1000}")),
        changed(("single: 13, pairs: 25", "single: 30, pairs: 45")),
        changed(
            ("seats: [2, 3, 4]\npairs: optional", "seats: 2"),
            ("losers_record_their_own", "round_gives: {loser: 5}\n  - eggs_to_the_loser"),
        ),
        f"{YARD}steps: {{sitting_on_the_goat: {{single: 40, pairs: 60}}}}\n",
        YARD,
        "kozel-ruleset: 1\nid: club\nextends: kozel\noptions: {double_play: no}\n",
    ],
)
def test_what_takes_long_but_ends_is_fine(text: str) -> None:
    assert told(text) == []


def test_a_settlement_of_a_hundred_steps_is_refused_at_once() -> None:
    options = "".join(f"  o{n}: no\n" for n in range(10))
    lead = "".join(f"  - any_double: {{when: {{o{n}: yes}}}}\n" for n in range(10))
    text = changed(
        ("hand: 7", f"hand: 7\noptions:\n{options}lead:\n{lead}  - any_tile"),
        ("  - account_from: {single: 13, pairs: 25}\n", "  - record_everything\n" * 100),
    )
    begun = time.process_time()
    assert told(text) == ["34:3: 'settlement' has 103 rules, and 60 at most are allowed"]
    assert time.process_time() - begun < 1


def test_many_conditions_are_checked_within_a_second() -> None:
    """Ten options, each asked for by rules of two slots: 1024 combinations at four seatings."""
    options = "".join(f"  o{n}: no\n" for n in range(10))
    lead = "".join(f"  - any_double: {{when: {{o{n}: yes}}}}\n" for n in range(10))
    steps = "".join(f"  - record_everything: {{when: {{o{n % 10}: yes}}}}\n" for n in range(50))
    text = changed(
        ("hand: 7", f"hand: 7\noptions:\n{options}lead:\n{lead}  - any_tile"),
        ("  - account_from: {single: 13, pairs: 25}\n", steps),
    )
    begun = time.process_time()
    assert any("cannot both hold" in line for line in told(text))
    assert time.process_time() - begun < 3


@pytest.mark.parametrize(("text", "expected"), CAN_NEVER_HOLD.values(), ids=CAN_NEVER_HOLD)
def test_what_can_never_hold_can_still_be_played_and_replayed(text: str, expected: str) -> None:
    ruleset = parse_ruleset(text.encode(), FILE)
    for seating in ruleset.seatings():
        game = ruleset.game(int(seating["seats"]), bool(seating["pairs"]))
        assert play_match(game, "trial", 300).end is not None
