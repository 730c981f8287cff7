"""The amateur: a rule of thumb, with no look ahead."""

from __future__ import annotations

from random import Random

from kozel.bots.view import View
from kozel.engine.moves import KEEP, REDEAL, Move, fitting
from kozel.engine.tiles import DOUBLES, pips_in

FOLLOW = 3
"""What a tile in hand that still fits afterwards counts, in pips."""
_DOUBLE = 2
"""What getting rid of a double counts, in pips."""


def choose(view: View, random: Random) -> Move:
    """Get rid of many pips and of doubles, and keep ends that the rest of the hand fits."""
    if REDEAL in view.legal:
        return KEEP if pips_in(view.hand) <= 30 else REDEAL
    if len(view.legal) == 1:
        return view.legal[0]
    return max(view.legal, key=lambda move: worth(view, move) + random.random() / 10)


def worth(view: View, move: Move) -> float:
    """How good a move looks, in pips."""
    if not move.tiles:
        return 0
    rest = view.hand & ~move.tiles
    ends = view.game.round.place(view.ends, move)
    fits = (rest & fitting(ends)).bit_count()
    return laid_worth(move) + FOLLOW * fits


def laid_worth(move: Move) -> int:
    """What getting rid of the tiles of a move counts by itself, in pips."""
    return pips_in(move.tiles) + _DOUBLE * (move.tiles & DOUBLES).bit_count()
