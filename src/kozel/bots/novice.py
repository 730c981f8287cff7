"""The novice: knows the rules, and no more."""

from __future__ import annotations

from random import Random

from kozel.bots.view import View
from kozel.engine.moves import KEEP, REDEAL, Move
from kozel.engine.tiles import pips_in

_HEEDLESS = 0.75
"""How often a novice lays whatever fits; else it gets rid of the most pips."""


def choose(view: View, random: Random) -> Move:
    """A legal decision: mostly any, sometimes the heaviest tile; a new deal where one is offered, unless the hand is light."""
    legal = view.legal
    if REDEAL in legal:
        return KEEP if pips_in(view.hand) <= 30 else REDEAL
    if len(legal) == 1:
        return legal[0]
    if random.random() < _HEEDLESS:
        return legal[int(random.random() * len(legal))]
    return max(legal, key=lambda move: pips_in(move.tiles))
