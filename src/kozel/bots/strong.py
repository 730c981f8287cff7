"""The strong player: each move is played out at random in sampled worlds; endgames of two are searched to the end."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from kozel.bots.aim import Aim, aim_for
from kozel.bots.inference import likely_worlds
from kozel.bots.redeals import answer
from kozel.bots.searching import candidates, opening_tile, position_in, solved
from kozel.bots.view import View
from kozel.engine.moves import REDEAL, Move, line_place

WORLDS = 80
"""Sampled worlds; where a chain has four arms, half of them."""
_TRIED = 4
"""Worlds of which one is played, on average."""
_ENDGAME_TILES = 9
_ENDGAME_CAP = 2_000


def choose(view: View, random: Random) -> Move:
    """The move that does best on average over the sampled worlds."""
    if REDEAL in view.legal:
        return answer(view, random)
    moves = candidates(view)
    if len(moves) == 1:
        return moves[0]
    aim = aim_for(view.game, view.ledger)
    exact = solved(view, aim, _ENDGAME_TILES, _ENDGAME_CAP)
    if exact:
        return exact
    worlds = WORLDS if view.game.round.place is line_place else WORLDS // 2
    values = _sampled(view, aim, moves, worlds, random.random)
    return moves[values.index(max(values))]


def _sampled(view: View, aim: Aim, moves: tuple[Move, ...], number: int, random: Callable[[], float]) -> list[float]:
    """For each move what it comes to, in all, when worlds are played out at random after it."""
    side, opened = view.game.sides[view.seat], opening_tile(view)
    sums = [0.0] * len(moves)
    for hands, bazaar in likely_worlds(view, number, _TRIED * number, random):
        before = position_in(view, hands, bazaar, opened)
        for index, move in enumerate(moves):
            position = before.copy()
            position.play(move)
            finish = position.rollout(random)
            sums[index] += aim.values(finish, position.hands, position.opened)[side]
    return sums
