"""Rules that none of the four sources has, but tables play by: what each of them gives."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import pytest

from engine.scenes import standing
from kozel.engine.events import Laid
from kozel.engine.ledger import Ledger, MatchEnd, Note
from kozel.engine.match import deal, decide, new_match, shuffled
from kozel.engine.moves import fitting
from kozel.engine.round import Deal
from kozel.engine.settlement import Draft, Facts, settle
from kozel.engine.tiles import mask_of, parse_tile
from kozel.rules import accounts, endings, openings, scoring, table
from kozel.rules.describing import describe
from kozel.rules.reading import parse_ruleset
from rules.test_reading import EXTENDING, FILE

NO_HANDS = (0, 0, 0)


def facts(points: tuple[int, ...], /, **changes: Any) -> Facts:
    fewest = min(points)
    winners = tuple(side for side, number in enumerate(points) if number == fewest)
    found: dict[str, Any] = {
        "result": "fish",
        "seat": 0,
        "sides": tuple(range(len(points))),
        "points": points,
        "side_points": points,
        "winners": () if len(winners) == len(points) else winners,
        "lowest_seat": winners[0],
        "opened": parse_tile("1-2"),
        "out_on": 0,
        "opener": 2,
    }
    return Facts(**(found | changes))


def settled(found: Facts, *steps: Callable[[Draft], None], rounds: int = 0) -> tuple[Ledger, MatchEnd | None]:
    sides = len(found.side_points)
    before = Ledger((0,) * sides, (True,) * sides, (0,) * sides, 0, None, None, False, rounds)
    ledger, _, end = settle(found, (0,) * sides, (*steps, accounts.record_everything), before)
    return ledger, end


def tiles(*names: str) -> int:
    return mask_of(map(parse_tile, names))


def test_the_highest_double_opens_else_the_greatest_tile() -> None:
    def opener(*hands: int, never: tuple[int, ...] = ()) -> tuple[int, int]:
        return openings.highest_double_opens(Deal(hands, (), True, None, None, None), never=never)[:2]

    assert opener(tiles("1-1", "5-6"), tiles("3-3", "0-0")) == (1, tiles("3-3"))
    assert opener(tiles("1-2", "3-5"), tiles("2-6", "0-1")) == (1, tiles("2-6"))
    assert opener(tiles("1-1"), tiles("6-6"), never=(parse_tile("6-6"),)) == (0, tiles("1-1"))


@pytest.mark.parametrize("rule", [openings.lowest_double_opens, openings.highest_double_opens])
def test_somebody_opens_even_where_no_tile_held_counts(rule: Callable[..., Any]) -> None:
    never = tuple(map(parse_tile, ("1-1", "2-3")))
    assert rule(Deal((tiles("1-1"), tiles("2-3")), (), True, None, None, None), never=never).tiles


def test_certain_tiles_count_otherwise_in_any_hand_or_alone() -> None:
    count = partial(table.pips_or_values, values={parse_tile("0-0"): 10}, lone={parse_tile("0-0"): 25})
    assert count(tiles("0-0", "1-2")) == 13
    assert count(tiles("0-0")) == 25
    assert count(tiles("6-6")) == 12
    assert count(0) == 0


def test_a_round_gives_fixed_points() -> None:
    ledger, _ = settled(facts((3, 8, 9)), partial(scoring.round_gives, winner=1, loser=2))
    assert ledger.totals == (1, 2, 2)


def test_the_winner_of_a_fish_keeps_the_own_points() -> None:
    assert settled(facts((3, 8, 9)), partial(scoring.winner_gets_the_rest, less_own=False))[0].totals == (17, 0, 0)
    assert settled(facts((3, 8, 9)), scoring.winner_gets_the_rest)[0].totals == (14, 0, 0)


def test_sides_tied_at_a_fish_record_their_own() -> None:
    steps = scoring.losers_record_their_own, scoring.tied_record_at_a_fish
    assert settled(facts((3, 3, 9)), *steps)[0].totals == (3, 3, 9)
    assert settled(facts((4, 4, 4)), *steps)[0].totals == (4, 4, 4)
    assert settled(facts((3, 8, 9)), *steps)[0].totals == (0, 8, 9)


def test_a_fish_counts_double_and_going_out_does_not() -> None:
    steps = scoring.losers_record_their_own, partial(scoring.fish_counts_times, times=2)
    assert settled(facts((3, 8, 9)), *steps)[0].totals == (0, 16, 18)
    assert settled(facts((0, 8, 9), result="out", winners=(0,)), *steps)[0].totals == (0, 8, 9)


@pytest.mark.parametrize(("opened", "out", "total"), [(True, True, 83), (True, False, 33), (False, True, 58)])
def test_the_bonus_can_be_for_the_first_or_the_last_tile_only(opened: bool, out: bool, total: int) -> None:
    bonus = {parse_tile("0-0"): 25, parse_tile("6-6"): 50}
    found = facts((0, 8, 9), result="out", winners=(0,), opened=parse_tile("0-0"), out_on=tiles("6-6"))
    step = partial(scoring.bonus_for_first_and_last_tile, tiles=bonus, opened=opened, out=out)
    assert settled(found, scoring.losers_record_their_own, step)[0].totals[1] == total


def test_a_match_of_rounds_ends_with_its_last_round() -> None:
    def after(rounds: int, best: Literal["fewest", "most"], points: tuple[int, ...] = (0, 8, 9)) -> MatchEnd | None:
        before = Ledger((0, 0, 0), (True,) * 3, (0, 0, 0), 0, None, None, False, rounds - 1)
        steps = (
            scoring.all_record_their_own,
            accounts.record_everything,
            partial(endings.match_of_rounds, rounds=5, best=best),
        )
        return settle(facts(points), NO_HANDS, steps, before)[2]

    assert after(4, "fewest") is None
    assert after(5, "fewest") == MatchEnd((0,), (2,), "goat", None)
    assert after(5, "most") == MatchEnd((2,), (0, 1), "winner", None)
    assert after(5, "fewest", (7, 7, 7)) == MatchEnd((0, 1, 2), (), "goat", None)


def test_pairs_may_play_to_another_number() -> None:
    found = facts((3, 90), sides=(0, 1, 0, 1), points=(1, 40, 2, 50))
    before = Ledger((0, 0), (True, True), (0, 0), 0, None, None, False, 0)
    steps = scoring.losers_record_their_own, accounts.record_everything
    low = settle(found, (0,) * 4, (*steps, partial(endings.who_reaches_loses, target=80)), before)[2]
    high = settle(found, (0,) * 4, (*steps, partial(endings.who_reaches_loses, target=80, pairs=100)), before)[2]
    assert low is not None
    assert high is None


def test_the_loser_or_the_next_player_opens() -> None:
    assert settled(facts((3, 9, 9)), endings.loser_opens_next)[0].opener == 1
    assert settled(facts((3, 9, 9), seat=1), endings.loser_opens_next)[0].opener == 2
    assert settled(facts((3, 8, 9)), endings.next_in_turn_opens_next)[0].opener == 0


def test_everybody_gets_the_stake_back_where_all_lose() -> None:
    before = Ledger((0, 0, 0), (True,) * 3, (0, 0, 0), 0, None, None, False, 0)
    steps = (
        scoring.all_record_their_own,
        accounts.record_everything,
        partial(endings.who_reaches_loses, target=1),
        partial(endings.bank_by_points, stake=7),
    )
    end = settle(facts((5, 5, 5)), NO_HANDS, steps, before)[2]
    assert end is not None
    assert end.payout == (7, 7, 7)


def test_tiles_drawn_to_open_are_in_play_where_nobody_draws_otherwise() -> None:
    """Two hands of one tile rarely hold a double, so the seats draw; the fish is not found if those tiles are forgotten."""
    ruleset = parse_ruleset(f"{EXTENDING}seats: [2]\npairs: never\nhand: 1\ndrawing: never_drawn\n".encode(), FILE)
    game = ruleset.game(2)
    drew = 0
    for seed in range(60):
        match, _ = deal(new_match(game), shuffled(new_match(game), str(seed)))
        assert match.round
        drew += any(hand.bit_count() > 1 for hand in match.round.hands)
        while match.round:
            match, events = decide(match, match.round.legal[0])
            ends: tuple[int, ...] = next((event.ends for event in events if isinstance(event, Laid)), ())
        if match.past[-1].result == "fish":
            assert not any(hand & fitting(ends) for hand in match.past[-1].hands)
    assert drew > 10


def reasons(found: Facts, *steps: Callable[[Draft], None]) -> list[Note]:
    sides = len(found.side_points)
    before = Ledger((0,) * sides, (True,) * sides, (0,) * sides, 0, None, None, False, 0)
    return list(settle(found, (0,) * sides, (*steps, accounts.record_everything), before)[1].notes)


@pytest.mark.parametrize(
    ("found", "steps", "told"),
    [
        (
            facts((3, 9, 12)),
            [partial(scoring.round_gives, winner=2, loser=1)],
            [Note("round_won", 0, 2), Note("round_lost", 1, 1), Note("round_lost", 2, 1)],
        ),
        (
            facts((3, 3, 12)),
            [scoring.losers_record_their_own, scoring.tied_record_at_a_fish],
            [Note("tied_record", 0, 3), Note("tied_record", 1, 3)],
        ),
        (
            facts((3, 9, 12)),
            [scoring.losers_record_their_own, partial(scoring.fish_counts_times, times=2)],
            [Note("fish_times", 1, 18, 2), Note("fish_times", 2, 24, 2)],
        ),
        (facts((3, 3, 12)), [scoring.winner_gets_the_rest], [Note("shared_fish", None, 12)]),
        (facts((0, 0, 12)), [scoring.losers_record_their_own, scoring.tied_record_at_a_fish], []),
        (
            facts((3, 9, 12), result="out"),
            [scoring.losers_record_their_own, partial(scoring.fish_counts_times, times=2)],
            [],
        ),
    ],
)
def test_a_convention_says_why_it_gives_what_it_gives(
    found: Facts, steps: list[Callable[[Draft], None]], told: list[Note]
) -> None:
    assert reasons(found, *steps) == told


TITLES_AND_BANK = """\
kozel-ruleset: 1
id: own
extends: kozel-101
placing: {two_ends: {double_play: yes}}
options: {stake: 30}
steps:
  general_goat: {tiles: [0-0, 6-6], before: losers_record_their_own}
  officer_goat: {tile: 0-0, unless: 6-6, before: losers_record_their_own}
"""


@pytest.mark.parametrize(
    ("hand", "move", "title"),
    [("0-0", "0-0 left", "officer_goat"), ("0-0 6-6", "0-0 left + 6-6 right", "general_goat")],
)
def test_a_title_that_ends_a_match_does_not_keep_the_bank(hand: str, move: str, title: str) -> None:
    """Source 001: the bank is divided among the others; the round itself scores nothing."""
    game = parse_ruleset(TITLES_AND_BANK.encode(), FILE).game(3)
    scene = standing(game, hand, "1-2", "3-4", ends=(0, 6), open=(True,) * 3, totals=(50, 20, 10))
    scene.play(move)
    assert scene.match.end == MatchEnd((0,), (1, 2), title, (90, 0, 0))
    assert scene.last.totals == (50, 20, 10)
    assert any(note.kind == "title_takes" and note.points == 10 for note in scene.last.notes)


def test_a_number_for_pairs_takes_the_place_of_its_own_setting_only() -> None:
    """`pairs` says itself which setting it stands in for: here not the first one."""
    game = parse_ruleset(f"{EXTENDING}steps: {{account_from: {{pairs: 40, single: 9}}}}\n".encode(), FILE)
    told = "\n".join(describe(game, "en", game.game(4, True)))
    assert "40" in told
    assert " 9 " not in told
