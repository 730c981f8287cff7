"""The 28 tiles as pairs (lower half, higher half)."""

from __future__ import annotations

from collections.abc import Iterable

Tile = tuple[int, int]

ALL_TILES: tuple[Tile, ...] = tuple((low, high) for low in range(7) for high in range(low, 7))
DOUBLE_BLANK: Tile = (0, 0)
DOUBLE_SIX: Tile = (6, 6)


def name(tile: Tile) -> str:
    return f"{tile[0]}-{tile[1]}"


def tile_named(text: str) -> Tile | None:
    """The tile that `text` names, in either order of its halves; None if it names none."""
    if len(text) != 3 or text[1] != "-" or text[0] not in "0123456" or text[2] not in "0123456":
        return None
    first, second = int(text[0]), int(text[2])
    return min(first, second), max(first, second)


def is_double(tile: Tile) -> bool:
    return tile[0] == tile[1]


def pips(tiles: Iterable[Tile]) -> int:
    return sum(low + high for low, high in tiles)


def smallest(tiles: Iterable[Tile]) -> Tile:
    """By pip sum, then by the higher half (rulebook 1, "Tile order")."""
    return min(tiles, key=lambda tile: (tile[0] + tile[1], tile[1]))


def doubles(tiles: Iterable[Tile]) -> list[Tile]:
    return sorted(tile for tile in tiles if is_double(tile))


def ordinary_doubles(tiles: Iterable[Tile]) -> list[Tile]:
    """1-1 to 5-5, lowest first."""
    return [tile for tile in doubles(tiles) if tile not in (DOUBLE_BLANK, DOUBLE_SIX)]


def other_half(tile: Tile, half: int) -> int:
    return tile[1] if tile[0] == half else tile[0]
