"""The playout kernel plays the game of `apply`: the same decisions lead to the same hands and the same end."""

from __future__ import annotations

from random import Random

import pytest

from bots.playing import TABLES, dealt, table
from kozel.bots.kernel import FISH, Finish, Position, pick
from kozel.engine.match import Game
from kozel.engine.moves import DRAW, KEEP, RIGHT, Move
from kozel.engine.round import Round, apply

GAMES = [
    *((name, seats, pairs, {}) for name, seats, pairs in TABLES),
    ("kozel-1x1", 2, None, {"draw": "one", "auto_draw": True}),
    ("kozel-1x1", 2, None, {"draw": "one", "auto_draw": False, "double_play": True}),
    ("kozel-2x2", 4, None, {"double_lead": True, "bonuses": True}),
]


def opened_round(game: Game, seed: str) -> Round:
    state = dealt(game, seed).round
    assert state is not None
    while state.legal[0] == KEEP:
        state, _ = apply(game.round, state, KEEP)
    return state


def position_of(game: Game, state: Round) -> Position:
    opened = -1 if state.start.tile is None else state.start.tile
    bazaar = list(reversed(state.bazaar))
    return Position(game.round, list(state.hands), bazaar, state.ends, state.turn, state.legal, opened)


def drawn(game: Game, state: Round) -> Round:
    while state.legal == (DRAW,):
        state, _ = apply(game.round, state, DRAW)
    return state


def finish_of(state: Round) -> Finish:
    outcome = state.outcome
    assert outcome is not None
    if outcome.result == "fish":
        return Finish(outcome.seat, FISH)
    return Finish(outcome.seat, outcome.move.tiles if outcome.move else 0)


@pytest.mark.parametrize(("name", "seats", "pairs", "options"), GAMES)
def test_every_position_has_the_same_legal_moves_and_hands(
    name: str, seats: int, pairs: bool | None, options: dict[str, object]
) -> None:
    game, random = table(name, seats, pairs, **options), Random(name)
    for number in range(60):
        state = opened_round(game, f"step {number}")
        position = position_of(game, state)
        while state.outcome is None:
            assert (position.turn, position.legal, position.ends) == (state.turn, state.legal, state.ends)
            assert tuple(position.hands) == state.hands
            assert position.bazaar == list(reversed(state.bazaar))
            move = random.choice(state.legal)
            position.play(move)
            state, _ = apply(game.round, state, move)
            state = drawn(game, state)
        assert position.finish == finish_of(state)
        assert tuple(position.hands) == state.hands
        assert position.legal == ()


def choices(state: Round) -> tuple[Move, ...]:
    """What a rollout chooses among: on equal ends of an ordinary chain the left one only."""
    if len(state.ends) == 2 and state.ends[0] == state.ends[1]:
        return tuple(move for move in state.legal if move.end != RIGHT)
    return state.legal


@pytest.mark.parametrize(("name", "seats", "pairs", "options"), GAMES)
def test_a_rollout_is_a_game_of_apply_with_the_same_random_numbers(
    name: str, seats: int, pairs: bool | None, options: dict[str, object]
) -> None:
    game = table(name, seats, pairs, **options)
    kinds = set()
    for number in range(150):
        state = opened_round(game, f"rollout {number}")
        position = position_of(game, state)
        finish = position.rollout(Random(number).random)
        random = Random(number).random
        while state.outcome is None:
            among = state.legal if game.ruleset == "osel" else choices(state)
            state, _ = apply(game.round, state, pick(among, random))
            state = drawn(game, state)
        assert finish == position.finish == finish_of(state)
        assert tuple(position.hands) == state.hands
        kinds.add(finish.tiles == FISH)
    assert kinds == {True, False}


def test_a_copy_is_played_apart() -> None:
    game = table("domino", 2)
    position = position_of(game, opened_round(game, "copy"))
    twin = position.copy()
    twin.rollout(Random(1).random)
    assert position.finish is None
    assert position.ends == ()
    assert sum(hand.bit_count() for hand in position.hands) == 14
    assert len(position.bazaar) == 14
