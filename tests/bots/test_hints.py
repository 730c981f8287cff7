"""Hints: legal moves with reasons that are true of the real match, the same whatever the unseen tiles are."""

from __future__ import annotations

from random import Random

import pytest

from bots.playing import TABLES, dealt, positions, table
from bots.test_view import relabelled
from bots.watching import observe
from kozel.bots import amateur, novice
from kozel.bots.hints import Hint, can_hold, hint
from kozel.engine.match import Match, decide
from kozel.engine.moves import DRAW, KEEP, REDEAL, Move
from kozel.engine.tiles import DOUBLES, HALVES, NO_END, pips_in, tiles_in


def fitting_tiles(hand: int, ends: tuple[int, ...]) -> int:
    """How many tiles of a hand show the pips of an open end; written apart from the engine's masks."""
    return sum(any(pip in HALVES[tile] for pip in ends if pip != NO_END) for tile in tiles_in(hand))


def left_after(match: Match, move: Move) -> tuple[int, tuple[int, ...], Match]:
    """The own hand and the ends after a move, by the engine."""
    assert match.round is not None
    seat = match.round.turn
    after, _ = decide(match, move)
    hand = match.round.hands[seat] & ~move.tiles
    return hand, match.game.round.place(match.round.ends, move), after


def check(match: Match, found: Hint) -> None:
    """The reason of a hint against the match with all hands open."""
    state = match.round
    assert state is not None
    seat, move, facts = state.turn, found.move, found.facts
    if found.kind == "draw":
        assert move == DRAW
        assert not fitting_tiles(state.hands[seat], state.ends)
    elif found.kind == "keep":
        assert move == KEEP
        assert REDEAL in state.legal
    elif found.kind == "redeal":
        assert move == REDEAL
        assert facts["n"] == (state.hands[seat] & DOUBLES).bit_count()
    elif found.kind == "open_only":
        assert not state.ends
        assert state.legal == (move,)
    else:
        check_laying(match, found)


def check_laying(match: Match, found: Hint) -> None:
    state = match.round
    assert state is not None
    seat, move, facts, kind = state.turn, found.move, found.facts, found.kind
    hand, ends, after = left_after(match, move)
    if kind == "out":
        assert after.round is None
        assert after.past[-1].result == "out"
        assert after.past[-1].seat == seat
        assert facts["n"] == state.hands[seat].bit_count() == len(move.lays)
    elif kind.startswith("fish"):
        assert after.round is None
        assert after.past[-1].result == "fish"
        assert after.past[-1].hand_points[seat] == facts["mine"]
        if kind != "fish":
            assert after.past[-1].hand_points[1 - seat] == facts["theirs"]
            side = match.game.sides[seat]
            winner = after.past[-1].winner
            assert kind == ("fish_equal" if len(winner) != 1 else "fish_won" if side in winner else "fish_lost")
    elif kind.startswith("blocks"):
        assert facts["seat"] == (seat + 1) % match.game.seats
        assert not fitting_tiles(state.hands[facts["seat"]], ends)
        assert (kind == "blocks_draw") == (bool(state.bazaar) and match.game.round.draws != 0)
    elif kind == "only":
        assert {each.tiles for each in state.legal} == {move.tiles}
    else:
        check_position(match, found, hand, ends)


def check_position(match: Match, found: Hint, hand: int, ends: tuple[int, ...]) -> None:
    state, move, facts, kind = match.round, found.move, found.facts, found.kind
    assert state is not None
    if kind == "keeps_shut":
        assert (
            facts["n"]
            == match.game.count(hand)
            < 13
            <= match.game.count(state.hands[state.turn]) + match.ledger.eggs + 50
        )
    elif kind == "both_ends":
        assert ends == (facts["pips"],) * 2
        assert fitting_tiles(hand, ends) == facts["n"] > 0
    elif kind == "all_fit":
        assert fitting_tiles(hand, ends) == hand.bit_count()
    elif kind == "most_fit":
        assert fitting_tiles(hand, ends) == facts["n"]
        for other in state.legal:
            rest, shown, _ = left_after(match, other)
            assert (rest, sorted(shown)) == (hand, sorted(ends)) or fitting_tiles(rest, shown) < facts["n"]
    elif kind == "several":
        assert len(move.lays) == facts["n"] > 1
        assert not move.tiles & ~DOUBLES
    elif kind.startswith("closes"):
        assert move.lays[0].closed
        assert ends[move.lays[0].end] == NO_END
        assert (kind == "closes_useless") == (not fitting_tiles(hand, (facts["pips"],)))
    elif kind == "double":
        assert len(set(HALVES[move.lays[0].tile])) == 1
    elif kind == "heaviest":
        assert facts["n"] == pips_in(move.tiles) == max(pips_in(each.tiles) for each in state.legal)
    elif kind == "fits":
        assert fitting_tiles(hand, ends) == facts["n"] > 0
    else:
        assert kind == "points"
        assert facts["n"] == pips_in(move.tiles)


@pytest.mark.parametrize(("name", "seats", "pairs"), TABLES)
def test_a_hint_is_a_legal_decision_with_a_true_reason_that_hangs_on_nothing_unseen(
    name: str, seats: int, pairs: bool | None
) -> None:
    random = Random(name)
    players = [amateur.choose, *[novice.choose] * (seats - 1)]
    for number, match in enumerate(positions(table(name, seats, pairs), "hints", players)):
        if match.round is None or number > 60:
            break
        seat = match.round.turn
        found = hint(observe(match, seat))
        assert found.move in match.round.legal
        check(match, found)
        assert hint(observe(relabelled(match, seat, random), seat)) == found


@pytest.mark.parametrize(("name", "seats", "pairs"), TABLES)
def test_what_passes_and_draws_exclude_is_never_held(name: str, seats: int, pairs: bool | None) -> None:
    excluded = 0
    for match in positions(table(name, seats, pairs), "held", [novice.choose] * seats):
        if match.round is None:
            continue
        seat = match.round.turn
        view = observe(match, seat)
        for other in range(seats):
            if other != seat:
                able = can_hold(view, other)
                assert not match.round.hands[other] & ~able
                excluded += able != view.unseen
    assert excluded


def test_the_question_about_a_new_deal_has_its_hint_too() -> None:
    game = table("kozel-1x1", 2)
    asked = 0
    for seed in range(400):
        match = dealt(game, f"doubles{seed}")
        if match.round is not None and REDEAL in match.round.legal:
            found = hint(observe(match, match.round.turn))
            assert found.kind in ("keep", "redeal")
            check(match, found)
            asked += 1
    assert asked
