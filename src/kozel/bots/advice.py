"""What the master would decide, and what its search found each decision to be worth."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from kozel.bots.aim import Aim, aim_for
from kozel.bots.endgame import Endgame, TooLong
from kozel.bots.master import ITERATIONS, searched
from kozel.bots.redeals import answer
from kozel.bots.searching import candidates, opening_tile, position_in
from kozel.bots.view import View
from kozel.engine.moves import REDEAL, Move

_ENDGAME_TILES = 12
_ENDGAME_CAP = 12_000
_FEWEST_TRIES = 5
"""A decision that the search tried less often was found bad, but not how bad."""


class Advice(NamedTuple):
    """`best`: the decision. `worth`: what decisions are worth to the seat's side, from 0 to 1: the share of the match that it
    can expect, with some weight on the round; empty where there was nothing to search. `exact`: searched to the round's end
    with every tile known, not sampled.
    """

    best: Move
    worth: Mapping[Move, float]
    exact: bool

    def worth_of(self, move: Move) -> float | None:
        """What a decision is worth, on whichever of equal ends it was laid; None where that was not found out."""
        shapes = {_shape(known): value for known, value in self.worth.items()}
        return self.worth.get(move, shapes.get(_shape(move)))

    def agrees(self, move: Move) -> bool:
        """Is this the decision advised, or the same on another of equal ends?"""
        return move == self.best or (move not in self.worth and _shape(move) == _shape(self.best))


def advise(view: View, random: Random) -> Advice:
    """The master's advice to the seat whose decision it is; it sees only what that seat may know."""
    if REDEAL in view.legal:
        return Advice(answer(view, random), {}, False)
    moves = candidates(view)
    if len(moves) == 1:
        return Advice(moves[0], {}, False)
    aim = aim_for(view.game, view.ledger)
    exact = _solved(view, aim, moves)
    if exact is not None:
        return Advice(max(moves, key=lambda move: exact[move]), exact, True)
    found = searched(view, aim, moves, ITERATIONS, random.random)
    best = max(moves, key=lambda move: found[move][0])
    worth = {move: mean / aim.most for move, (tries, mean) in found.items() if tries >= _FEWEST_TRIES}
    return Advice(best, worth, False)


def _shape(move: Move) -> tuple[tuple[int, bool], ...]:
    """A move without its ends."""
    return tuple((lay.tile, lay.closed) for lay in move.lays)


def _solved(view: View, aim: Aim, moves: tuple[Move, ...]) -> dict[Move, float] | None:
    """What each move leads to with best play, where two seats are left with known tiles; None where that is too long."""
    if view.game.seats != 2 or view.bazaar or not view.ends or sum(view.sizes) > _ENDGAME_TILES:
        return None
    hands = [view.unseen, view.unseen]
    hands[view.seat] = view.hand
    opened = opening_tile(view)
    endgame = Endgame(view.game.round, aim, opened, _ENDGAME_CAP)
    worth = {}
    for move in moves:
        position = position_in(view, hands[:], [], opened)
        position.play(move)
        if position.finish:
            first = aim.values(position.finish, position.hands, opened)[0]
        else:
            try:
                value = endgame.best(position)[1]
            except TooLong:
                return None
            first = value if position.turn == 0 else -value
        worth[move] = (first if view.seat == 0 else aim.most - first) / aim.most
    return worth
