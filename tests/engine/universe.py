"""Every decision that can be written down at all, to hold the offered ones against."""

from __future__ import annotations

from itertools import combinations, permutations, product

from kozel.engine.moves import DRAW, KEEP, OPENINGS, REDEAL, Lay, Move, laying
from kozel.engine.tiles import DOUBLE, TILES

SINGLES: tuple[Move, ...] = tuple(
    laying(Lay(tile, end, closed)) for tile, end, closed in product(TILES, range(4), (False, True))
)
WORDS: tuple[Move, ...] = (DRAW, KEEP, REDEAL)


def _several(number: int) -> list[Move]:
    return [
        laying(*(Lay(tile, end, closed) for tile, end, closed in zip(tiles, ends, closing, strict=True)))
        for tiles in combinations(DOUBLE, number)
        for ends in permutations(range(4), number)
        for closing in product((False, True), repeat=number)
    ]


PAIRS: tuple[Move, ...] = tuple(_several(2))
ALL: tuple[Move, ...] = (*OPENINGS, *SINGLES, *PAIRS, *WORDS)
"""One tile on each end, open and closed, two doubles at once, and the words. Three or four are as legal as their pairs."""
