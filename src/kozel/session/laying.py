"""From tiles that a player means to lay, with their marks, to the one decision meant, asking for ends where needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kozel.engine.match import Game
from kozel.engine.moves import Move
from kozel.engine.tiles import DOUBLE, mask_of, tiles_in


class Wanted(NamedTuple):
    """A tile to be laid, and whether it is to be closed."""

    tile: int
    closed: bool


class Ask(NamedTuple):
    """A question for the end of a tile: the ends that it can go to, with their pips."""

    tile: int
    ends: tuple[tuple[int, int], ...]


def playable(legal: Sequence[Move]) -> int:
    """The tiles that can be laid now, in whatever move."""
    mask = 0
    for move in legal:
        mask |= move.tiles
    return mask


def allows_several(game: Game) -> bool:
    """Can several doubles be laid at once in this game?"""
    hand = mask_of((DOUBLE[0], DOUBLE[1]))
    return any(len(move.lays) > 1 for move in game.round.moves(hand, (0, 1)))


def allows_closing(game: Game) -> bool:
    """Can a double be laid closed in this game?"""
    return any(move.lays[0].closed for move in game.round.moves(1 << DOUBLE[0], (0, 1)))


def can_be_marked(legal: Sequence[Move], tile: int) -> bool:
    """Can this double be laid together with another one, or closed?"""
    bit = 1 << tile
    return any(move.tiles & bit and (len(move.lays) > 1 or any(lay.closed for lay in move.lays)) for move in legal)


def together_with_another(legal: Sequence[Move], tile: int) -> bool:
    """Can this tile be laid in one move with another one?"""
    return any(len(move.lays) > 1 and move.tiles >> tile & 1 for move in legal)


class Laying:
    """Tiles on their way to the table. `candidates` are the legal moves that still could be meant."""

    def __init__(self, legal: Sequence[Move], wanted: Sequence[Wanted], ends: tuple[int, ...], ask_equal: bool) -> None:
        """`ask_equal`: ask for the end even where all that fit show the same pips (an arm chosen matters)."""
        self._wanted, self._ends, self._ask_equal = tuple(wanted), ends, ask_equal
        parts = set(wanted)
        self.candidates = [move for move in legal if {Wanted(lay.tile, lay.closed) for lay in move.lays} == parts]

    def question(self) -> Ask | None:
        """The next end that the player must name; None where the move is settled."""
        for tile, _ in self._wanted:
            ends = sorted({lay.end for move in self.candidates for lay in move.lays if lay.tile == tile})
            shown = tuple((end, self._ends[end]) for end in ends if end >= 0)
            if len(shown) > 1 and (self._ask_equal or len({pip for _, pip in shown}) > 1):
                return Ask(tile, shown)
        return None

    def answer(self, tile: int, end: int) -> None:
        """The player named an end for a tile."""
        self.candidates = [
            move for move in self.candidates if any(lay.tile == tile and lay.end == end for lay in move.lays)
        ]

    def move(self) -> Move:
        """The move meant: the tiles in the order of marking where that is a move of its own, else the first."""
        order = tuple(tile for tile, _ in self._wanted)
        named = (move for move in self.candidates if tuple(lay.tile for lay in move.lays) == order)
        return next(named, self.candidates[0])


def fitting_count(legal: Sequence[Move]) -> int:
    """How many tiles can be laid."""
    return len(tiles_in(playable(legal)))
