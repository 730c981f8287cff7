"""The 28 tiles of a double-six set, as numbers 0…27 in the order of their names, and sets of them as 28-bit masks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

Pips = int
"""What a half shows, 0 to 6; `NO_END` on an end that takes nothing."""
Tile = int
"""A tile's number, 0 to 27."""
TileSet = int
"""A set of tiles: bit n stands for tile n."""
Seat = int
"""A player's place at the table, counted from 0 to the left."""
Side = int
"""A player, or a pair: seat 0's side is 0, seat 1's is 1."""

PIPS = range(7)
HALVES: tuple[tuple[int, int], ...] = tuple((low, high) for low in PIPS for high in range(low, 7))
"""The two halves of each tile, the lower first."""
TILES = range(len(HALVES))
NAMES: tuple[str, ...] = tuple(f"{low}-{high}" for low, high in HALVES)
TOTAL: tuple[int, ...] = tuple(low + high for low, high in HALVES)
FULL_SET = (1 << len(HALVES)) - 1
NO_END = 7
"""Stands for the pips of an end that is closed or absent: no tile fits it."""

_BY_NAME = {
    f"{one}-{other}": tile for tile, (low, high) in enumerate(HALVES) for one, other in ((low, high), (high, low))
}
DOUBLE: tuple[int, ...] = tuple(HALVES.index((pip, pip)) for pip in PIPS)
"""The double of each number of pips."""
DOUBLES = sum(1 << tile for tile in DOUBLE)
SUIT: tuple[int, ...] = (
    *(sum(1 << tile for tile, halves in enumerate(HALVES) if pip in halves) for pip in PIPS),
    0,
)
"""The tiles that show each number of pips; none for `NO_END`."""
SMALLEST_FIRST: tuple[int, ...] = tuple(sorted(TILES, key=lambda tile: (TOTAL[tile], HALVES[tile][1])))
"""Tile order, rulebook 1: by pip sum, then by the higher half."""


def parse_tile(text: str) -> int:
    """The tile written as `2-5` or `5-2`; raises `ValueError` for anything else.

    >>> NAMES[parse_tile("5-2")]
    '2-5'
    >>> [NAMES[parse_tile(name)] for name in NAMES] == list(NAMES)
    True
    >>> parse_tile("2-7")
    Traceback (most recent call last):
    ValueError: '2-7' is no tile: write two numbers from 0 to 6, such as 2-5
    """
    tile = _BY_NAME.get(text)
    if tile is None:
        raise ValueError(f"'{text}' is no tile: write two numbers from 0 to 6, such as 2-5")
    return tile


def is_double(tile: int) -> bool:
    """Are both halves equal?"""
    return bool(DOUBLES >> tile & 1)


_SEVENS = tuple(range(first, first + 7) for first in range(0, len(HALVES), 7))
_BIT = tuple(1 << tile for tile in TILES)
T = TypeVar("T")


def by_sevens(each: Sequence[T]) -> tuple[list[tuple[T, ...]], ...]:
    """For each seven tiles, what stands for the tiles (`each`, one a tile) of every subset of them, by its mask of 7 bits."""
    tables = []
    for seven in _SEVENS:
        table: list[tuple[T, ...]] = [()]
        for tile in seven:
            table += [(*subset, each[tile]) for subset in table]
        tables.append(table)
    return tuple(tables)


_IN_0, _IN_1, _IN_2, _IN_3 = by_sevens(TILES)
_PIPS_0, _PIPS_1, _PIPS_2, _PIPS_3 = ([sum(pips) for pips in table] for table in by_sevens(TOTAL))


def tiles_in(mask: int) -> tuple[int, ...]:
    """The tiles of a set, in the order of their names."""
    return _IN_0[mask & 127] + _IN_1[mask >> 7 & 127] + _IN_2[mask >> 14 & 127] + _IN_3[mask >> 21]


def mask_of(tiles: Iterable[int]) -> int:
    """The set of these tiles.

    >>> [NAMES[tile] for tile in tiles_in(mask_of(map(parse_tile, ["6-6", "0-0", "4-1"])))]
    ['0-0', '1-4', '6-6']
    """
    mask = 0
    for tile in tiles:
        mask |= _BIT[tile]
    return mask


def pips_in(mask: int) -> int:
    """The pips of all tiles of a set together."""
    return _PIPS_0[mask & 127] + _PIPS_1[mask >> 7 & 127] + _PIPS_2[mask >> 14 & 127] + _PIPS_3[mask >> 21]


def smallest(mask: int) -> int | None:
    """The smallest tile of a set by the tile order of rulebook 1, or None for an empty set."""
    return next((tile for tile in SMALLEST_FIRST if mask >> tile & 1), None)


def lowest_double(mask: int, among: int = DOUBLES) -> int | None:
    """The lowest double in a set that is also in `among`, or None."""
    found = mask & among & DOUBLES
    return (found & -found).bit_length() - 1 if found else None
