"""How the tiles of a chain lie: which half of each is nearer to the left, or to the spinner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kozel.engine.tiles import HALVES

Halves = tuple[int, int]


def line_as_it_lies(tiles: Sequence[int]) -> list[Halves]:
    """The tiles of a chain without arms, from left to right; a single tile has its lower half to the left (rulebook 1)."""
    if len(tiles) < 2:
        return [HALVES[tile] for tile in tiles]
    low, high = HALVES[tiles[0]]
    return outwards(tiles, high if low in HALVES[tiles[1]] else low)


def outwards(tiles: Iterable[int], start: int) -> list[Halves]:
    """The tiles of an arm, from the half that touches `start` pips outwards."""
    lying = []
    for tile in tiles:
        touching, start = start, sum(HALVES[tile]) - start
        lying.append((touching, start))
    return lying


def inwards(tiles: Sequence[int], start: int) -> list[Halves]:
    """The tiles of an arm that ends at `start` pips, from the outer end inwards."""
    return [(inner, outer) for outer, inner in reversed(outwards(reversed(tiles), start))]
