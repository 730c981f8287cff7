"""What the searching players share: the moves that differ, the position that a world makes of a view, what it may cost."""

from __future__ import annotations

from kozel.bots.aim import Aim
from kozel.bots.endgame import Endgame, TooLong
from kozel.bots.kernel import Position
from kozel.bots.view import View
from kozel.engine.moves import LEFT, Move, line_place

_USUAL_TILES = 16
"""Tiles in hands up to which a position can have the whole of a search's budget."""


def candidates(view: View) -> tuple[Move, ...]:
    """The legal moves of a view that differ in effect."""
    return different(view.ends, view.legal)


def different(ends: tuple[int, ...], moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """Moves that differ in effect: on equal ends of an ordinary chain those on the left stand for those on the right."""
    if len(ends) == 2 and ends[0] == ends[1]:
        return tuple([move for move in moves if move.end == LEFT]) or moves
    return moves


def affordable(view: View, whole: int) -> int:
    """How much of a search's budget a position can have, so that a move takes about as long at every table.

    A chain with four arms costs twice as much to play out as an ordinary one, and more than two hands more.
    """
    tiles = sum(view.sizes)
    share = min(1.0, _USUAL_TILES / tiles)
    if view.game.round.place is not line_place:
        share /= 2
    return max(1, round(whole * share))


def opening_tile(view: View) -> int:
    """The tile that the round was opened with, -1 before that."""
    chain = view.chain
    return chain[0].move.lays[0].tile if chain else -1


def position_in(view: View, hands: list[int], bazaar: list[int], opened: int) -> Position:
    """The position of a view, if the tiles lie so."""
    return Position(view.game.round, hands, bazaar, view.ends, view.seat, view.legal, opened)


def solved(view: View, aim: Aim, most_tiles: int, cap: int) -> Move | None:
    """The best move where two seats are left with known tiles, few enough to search to the end; else None."""
    if view.game.seats != 2 or view.bazaar or not view.ends or sum(view.sizes) > most_tiles:
        return None
    hands = [view.unseen, view.unseen]
    hands[view.seat] = view.hand
    position = position_in(view, hands, [], opening_tile(view))
    try:
        return Endgame(view.game.round, aim, position.opened, cap).best(position)[0]
    except TooLong:
        return None
