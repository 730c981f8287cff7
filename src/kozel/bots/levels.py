"""The levels of computer players, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from kozel.bots import amateur, master, novice, strong
from kozel.bots.view import View
from kozel.engine.moves import Move
from kozel.engine.round import Refused

Chooser = Callable[[View, Random], Move]
"""Chooses one of the view's legal decisions; the random numbers are the seat's own stream, so that a seed replays."""

LEVELS: Mapping[str, Chooser] = {
    "novice": novice.choose,
    "amateur": amateur.choose,
    "strong": strong.choose,
    "master": master.choose,
}
"""What each level plays by, the weakest first."""


class UnknownLevel(Refused):
    """There is no computer player of this level."""


def player(level: str) -> Chooser:
    """The chooser of a level. Raises `UnknownLevel`, whose facts are `level` and `known`."""
    if level not in LEVELS:
        raise UnknownLevel("unknown_level", level=level, known=tuple(LEVELS))
    return LEVELS[level]


def stream(seed: str, seat: int, decision: int) -> Random:
    """The random numbers of a seat's decision number `decision` in a match: a stream apart from the deals."""
    return Random(f"{seed}/bot/{seat}/{decision}")
