"""The searching players: decisions hold whatever the unseen tiles are, a seed replays, and the aim is the ruleset's own."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bots.playing import TABLES, positions, table
from bots.test_view import relabelled
from bots.watching import observe
from kozel.bots import master, novice, strong
from kozel.bots.aim import Aim, aim_for
from kozel.bots.endgame import Endgame, TooLong
from kozel.bots.kernel import Finish, Position
from kozel.bots.knowledge import Knowledge
from kozel.bots.levels import LEVELS
from kozel.bots.outlook import outlook
from kozel.bots.searching import candidates
from kozel.bots.view import View
from kozel.engine.events import Drew, Passed
from kozel.engine.match import Dealt, Game, Match, deal, new_match
from kozel.engine.moves import KEEP, REDEAL, fitting
from kozel.engine.tiles import FULL_SET, TILES, mask_of, parse_tile

game_at = lru_cache(table)


@lru_cache
def choosable(name: str, seats: int, pairs: bool | None, seed: str) -> tuple[Match, ...]:
    """Positions of a match in which there is a choice."""
    found = positions(game_at(name, seats, pairs), seed, [novice.choose] * seats)
    return tuple(match for match in found if match.round and len(match.round.legal) > 1)


def tiles(*names: str) -> int:
    return mask_of(map(parse_tile, names))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(TABLES), st.sampled_from(sorted(LEVELS)), st.integers(0, 10_000), st.randoms())
def test_permuting_unseen_tiles_changes_no_choice(
    seating: tuple[str, int, bool | None], level: str, number: int, random: Random
) -> None:
    matches = choosable(*seating, "hidden")
    match = matches[number % len(matches)]
    assert match.round
    seat = match.round.turn
    chosen = LEVELS[level](observe(match, seat), Random(number))
    assert LEVELS[level](observe(relabelled(match, seat, random), seat), Random(number)) == chosen
    assert chosen in match.round.legal


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_a_seed_replays_a_choice_whatever_was_thought_of_before(level: str) -> None:
    matches = choosable("kozel", 2, None, "replay")[:6]
    views = [observe(match, match.round.turn) for match in matches if match.round]
    first = [LEVELS[level](view, Random(7)) for view in views]
    assert [LEVELS[level](view, Random(7)) for view in reversed(views)] == first[::-1]


@pytest.mark.parametrize(("name", "seats", "pairs"), TABLES)
@pytest.mark.parametrize("level", sorted(LEVELS))
def test_every_level_plays_a_round_of_every_ruleset_by_its_rules(
    level: str, name: str, seats: int, pairs: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a small budget: the decisions are worse, not others."""
    monkeypatch.setattr(master, "ITERATIONS", 60)
    monkeypatch.setattr(strong, "WORLDS", 10)
    game = game_at(name, seats, pairs)
    for match in positions(game, "legal", [LEVELS[level]] * seats):
        if match.ledger.rounds:
            break
    assert match.ledger.rounds == 1


@pytest.mark.parametrize(("name", "seats", "pairs"), TABLES)
def test_a_world_has_the_hand_sizes_and_the_unseen_tiles_of_the_view(name: str, seats: int, pairs: bool | None) -> None:
    for match in choosable(name, seats, pairs, "worlds"):
        assert match.round
        view = observe(match, match.round.turn)
        if not view.ends:
            continue
        random = Random("worlds")
        hands, bazaar = Knowledge(view).world(random.random)
        assert [hand.bit_count() for hand in hands] == list(view.sizes)
        assert hands[view.seat] == view.hand
        assert len(bazaar) == view.bazaar
        assert mask_of(bazaar) | _union(hands) == FULL_SET & ~view.played


def _union(hands: list[int]) -> int:
    mask = 0
    for hand in hands:
        mask |= hand
    return mask


def test_who_has_just_passed_holds_no_tile_of_the_ends() -> None:
    checked = 0
    for match in choosable("kozel-2x2", 4, None, "passes"):
        assert match.round
        view = observe(match, match.round.turn)
        last, ends = view.history[-1]
        if isinstance(last, Passed) and last.seat != view.seat:
            knowledge, random = Knowledge(view), Random(1)
            assert not knowledge.can_hold(last.seat) & fitting(ends)
            for _ in range(20):
                assert not knowledge.world(random.random).hands[last.seat] & fitting(ends)
            checked += 1
    assert checked > 5


def test_the_true_hands_are_never_excluded() -> None:
    """Where a tile was attributed to one part of a hand or another is a guess only about numbers, not about tiles."""
    for name, seats, pairs in TABLES:
        for match in choosable(name, seats, pairs, "true"):
            assert match.round
            view = observe(match, match.round.turn)
            knowledge = Knowledge(view)
            drew = {event.seat for event, _ in view.history if isinstance(event, Drew)}
            for seat, hand in enumerate(match.round.hands):
                if seat != view.seat and seat not in drew:
                    assert not hand & ~knowledge.can_hold(seat), (name, seat)


def _worth(game: Game, **ledger: Any) -> tuple[float, ...]:
    return outlook(game).shares(new_match(game).ledger._replace(**ledger), None)


def test_points_are_good_in_domino_and_bad_in_kozel() -> None:
    assert _worth(game_at("domino", 2), totals=(80, 20))[0] > 0.6
    assert _worth(game_at("kozel", 2), totals=(80, 20), open=(True, True))[0] < 0.4
    assert _worth(game_at("kozel-deferred", 3), totals=(80, 20, 20), open=(True, True, True))[0] < 0.2


def test_sitting_on_the_goat_is_bad_in_the_yard_game() -> None:
    assert _worth(game_at("kozel-yard", 4, True), sitting=0)[0] < 0.4


def test_a_closed_account_is_worth_keeping() -> None:
    """Twelve points are lost under a threshold of 13, thirteen are recorded: the second hand is much the worse one."""
    game = game_at("kozel", 2)
    aim = aim_for(game, new_match(game).ledger)
    opened = parse_tile("1-1")
    out = Finish(0, tiles("2-3"))
    twelve = aim.values(out, [0, tiles("6-6")], opened)[1]
    thirteen = aim.values(out, [0, tiles("6-6", "0-1")], opened)[1]
    fourteen = aim.values(out, [0, tiles("6-6", "0-2")], opened)[1]
    assert twelve - thirteen > 5 * (thirteen - fourteen)


@pytest.mark.parametrize(
    ("name", "seats", "pairs", "out"),
    [("kozel", 2, None, ("0-0", "6-6")), ("kozel-yard", 4, True, ("0-0",)), ("kozel-yard", 2, None, ("0-0", "6-6"))],
)
def test_general_and_officer_goats_are_worth_the_match(
    name: str, seats: int, pairs: bool | None, out: tuple[str, ...]
) -> None:
    game = game_at(name, seats, pairs)
    aim = aim_for(game, new_match(game).ledger)
    hands = [0, *[tiles("1-2", "3-4")] * (seats - 1)]
    opened = parse_tile("1-1")
    plain = aim.values(Finish(0, tiles("2-3")), hands, opened)
    goat = aim.values(Finish(0, tiles(*out)), hands, opened)
    assert goat[0] > plain[0] + 0.2
    assert goat[0] - goat[1] > 0.99


def by_trying_all(position: Position, aim: Aim) -> float:
    """The value for seat 0 by plain minimax over the kernel."""
    if position.finish:
        return aim.values(position.finish, position.hands, position.opened)[0]
    values = []
    for move in position.legal:
        after = position.copy()
        after.play(move)
        values.append(by_trying_all(after, aim))
    return max(values) if position.turn == 0 else min(values)


@pytest.mark.parametrize("name", ["domino", "kozel", "osel", "kozel-yard"])
def test_the_exact_endgame_is_plain_minimax(name: str) -> None:
    game = game_at(name, 2)
    aim = aim_for(game, new_match(game).ledger)
    checked = 0
    for match in (match for seed in range(12) for match in choosable(name, 2, None, f"endgame {seed}")):
        state = match.round
        assert state
        if state.bazaar or not state.ends or sum(hand.bit_count() for hand in state.hands) > 7:
            continue
        assert state.start.tile is not None
        position = Position(game.round, list(state.hands), [], state.ends, state.turn, state.legal, state.start.tile)
        move, value = Endgame(game.round, aim, position.opened, 100_000).best(position)
        after = position.copy()
        after.play(move)
        assert by_trying_all(after, aim) == by_trying_all(position, aim)
        assert abs(value) == pytest.approx(abs(by_trying_all(position, aim)))
        checked += 1
    assert checked > 5


def test_an_endgame_that_is_too_long_says_so() -> None:
    match = next(match for match in choosable("domino", 2, None, "long") if match.round and not match.round.bazaar)
    state = match.round
    assert state
    assert state.start.tile is not None
    game = match.game
    position = Position(game.round, list(state.hands), [], state.ends, state.turn, state.legal, state.start.tile)
    with pytest.raises(TooLong):
        Endgame(game.round, aim_for(game, match.ledger), position.opened, 1).best(position)


def test_a_new_deal_is_asked_for_with_heavy_doubles_that_block_each_other() -> None:
    poor = _asked(game_at("kozel-1x1", 2), ("2-2", "3-3", "4-4", "5-5", "6-6", "5-6", "4-6"), opener=1)
    for level in LEVELS:
        assert LEVELS[level](poor, Random(1)) == REDEAL


def test_by_the_rule_of_thumb_a_light_hand_is_kept() -> None:
    light = _asked(game_at("kozel-1x1", 2), ("0-0", "1-1", "2-2", "3-3", "4-4", "0-1", "0-2"), opener=0)
    assert LEVELS["novice"](light, Random(1)) == LEVELS["amateur"](light, Random(1)) == KEEP


def _asked(game: Game, hand: tuple[str, ...], opener: int) -> View:
    """A later round, which that seat opens; seat 0 has this hand."""
    first = [parse_tile(name) for name in hand]
    rest = [tile for tile in TILES if tile not in first]
    match = new_match(game)
    match = match._replace(ledger=match.ledger._replace(fresh=False, opener=opener))
    match, _ = deal(match, Dealt((tuple(first), tuple(rest[::3][:7])), tuple(_left(rest)), None))
    return observe(match, 0)


def _left(rest: list[int]) -> list[int]:
    return [tile for tile in rest if tile not in rest[::3][:7]]


def test_equal_ends_are_searched_once() -> None:
    for match in choosable("domino", 2, None, "equal"):
        state = match.round
        assert state
        if len(state.ends) == 2 and state.ends[0] == state.ends[1]:
            view = observe(match, state.turn)
            assert 2 * len(candidates(view)) == len(view.legal)
            return
    pytest.fail("no position with equal ends in a whole match")
