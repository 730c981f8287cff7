"""The strong player: each move is played out at random in sampled worlds; endgames of two are searched to the end."""

from __future__ import annotations

from random import Random

from kozel.bots.aim import aim_for
from kozel.bots.redeals import answer
from kozel.bots.searching import candidates, sampled, solved
from kozel.bots.view import View
from kozel.engine.moves import REDEAL, Move, line_place

WORLDS = 80
"""Sampled worlds; where a chain has four arms, half of them."""
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
    values = sampled(view, aim, moves, worlds, random.random)
    return moves[values.index(max(values))]
