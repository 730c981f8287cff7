"""What the other seats' choices say about their hands: worlds in which they would likely have laid what they laid.

A seat is taken to play roughly by the rule of thumb of `kozel.bots.amateur`, or else to lay anything that fits.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from typing import NamedTuple

from kozel.bots.amateur import FOLLOW, laid_worth
from kozel.bots.knowledge import Knowledge, World
from kozel.bots.searching import different
from kozel.bots.view import View
from kozel.engine.events import Drew, Laid
from kozel.engine.moves import Move, fitting
from kozel.engine.round import RoundRules
from kozel.engine.tiles import tiles_in

ROUGHLY = 4.0
"""By how many pips of worth a move must be better to be chosen e times as often."""
BY_THUMB = 0.7
"""How often a seat plays by the rule of thumb; else it lays anything."""
_FOLLOWED = tuple(exp(FOLLOW * tiles / ROUGHLY) for tiles in range(29))


class _Option(NamedTuple):
    """A move as the rule of thumb weighs it: by itself, and the tiles that would fit afterwards."""

    weight: float
    follow: int


class _Choice(NamedTuple):
    """What a seat laid.

    `later`: the tiles that it laid from then on. `fits`: the tiles that go on the ends. `options`: its moves by tile, each
    tile as a mask.
    """

    laid: _Option
    later: int
    fits: int
    options: dict[int, tuple[_Option, ...]]


class Inference:
    """The choices of other seats in a view, since their last draw: from there on their hands follow from a world."""

    def __init__(self, view: View) -> None:
        self._choices: dict[int, list[_Choice]] = {}
        later = [0] * view.game.seats
        for seen, ends in reversed(_laid(view)):
            seat, move = seen.seat, seen.move
            later[seat] |= move.tiles
            if ends and len(move.lays) == 1:
                choice = _choice(view.game.round, seen, ends, later[seat], view.unseen)
                self._choices.setdefault(seat, []).append(choice)

    def __bool__(self) -> bool:
        return bool(self._choices)

    def likelihood(self, hands: list[int]) -> float:
        """How likely the choices that were seen are, if these are the hands by seat."""
        product, followed = 1.0, _FOLLOWED
        for seat, choices in self._choices.items():
            held, by_thumb, by_chance = hands[seat], BY_THUMB, 1 - BY_THUMB
            for (weight, follow), later, fits, options in choices:
                hand = held | later
                able, number, total = hand & fits, 0, 0.0
                while able:
                    tile = able & -able
                    able ^= tile
                    for each, goes_on in options[tile]:
                        number += 1
                        total += each * followed[(hand & goes_on).bit_count()]
                by_thumb *= weight * followed[(hand & follow).bit_count()] / total
                by_chance /= number
            product *= by_thumb + by_chance
        return product


def likely_worlds(view: View, number: int, tried: int, random: Callable[[], float]) -> list[World]:
    """Worlds by how likely they make what was seen: `number` of them, chosen from `tried`, some more than once.

    They share lists of tiles: copy before playing.
    """
    knowledge, inference = Knowledge(view), Inference(view)
    if not inference:
        return [knowledge.world(random) for _ in range(number)]
    worlds = [knowledge.world(random) for _ in range(tried)]
    weights = [inference.likelihood(world.hands) for world in worlds]
    step = sum(weights) / number
    chosen: list[World] = []
    mark = (1 - random()) * step
    for world, weight in zip(worlds, weights, strict=True):
        mark -= weight
        while mark <= 0 and len(chosen) < number:
            chosen.append(world)
            mark += step
    chosen += worlds[-1:] * (number - len(chosen))
    chosen.sort(key=lambda _: random())
    return chosen


def _laid(view: View) -> list[tuple[Laid, tuple[int, ...]]]:
    """What others laid since they last drew, each with the ends before it."""
    laid: list[tuple[Laid, tuple[int, ...]]] = []
    for event, ends in view.history:
        if isinstance(event, Laid):
            if event.seat != view.seat:
                laid.append((event, ends))
        elif isinstance(event, Drew):
            laid = [each for each in laid if each[0].seat != event.seat]
    return laid


def _choice(rules: RoundRules, seen: Laid, ends: tuple[int, ...], later: int, unseen: int) -> _Choice:
    fits = fitting(ends)
    options = {}
    for tile in tiles_in((later | unseen) & fits):
        moves = different(ends, rules.moves(1 << tile, ends))
        options[1 << tile] = tuple([_option(move, rules.place(ends, move)) for move in moves])
    return _Choice(_option(seen.move, seen.ends), later, fits, options)


def _option(move: Move, after: tuple[int, ...]) -> _Option:
    return _Option(exp(laid_worth(move) / ROUGHLY), fitting(after) & ~move.tiles)
