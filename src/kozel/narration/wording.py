"""What every narrator knows: who sits at the table, in which language and how much to say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from kozel.engine.moves import Lay, Move
from kozel.engine.tiles import HALVES, NO_END
from kozel.locales import message
from kozel.locales.catalogue import Names

Verbosity = Literal["brief", "normal", "full"]
VERBOSITIES: tuple[Verbosity, ...] = ("brief", "normal", "full")


def next_verbosity(verbosity: Verbosity) -> Verbosity:
    """The one after it; after the last the first."""
    return VERBOSITIES[(VERBOSITIES.index(verbosity) + 1) % len(VERBOSITIES)]


class Table(NamedTuple):
    """Who sits where. `names` and `sides` are by seat; `points`: False where a ruleset keeps no score (rulebook 2.3)."""

    names: tuple[str, ...]
    sides: tuple[int, ...]
    pairs: bool
    points: bool = True

    def seats_of(self, side: int) -> tuple[int, ...]:
        """The seats of a side."""
        return tuple(seat for seat, its_side in enumerate(self.sides) if its_side == side)


class Wording:
    """Words for tiles, ends, players and sides, in `lang`. `lang` and `verbosity` may be changed at any time.

    `you` is, here and in all narrators, the seat of the one person at the keyboard, who is addressed as such; None
    where several share it.
    """

    def __init__(self, lang: str, verbosity: Verbosity, table: Table) -> None:
        self.lang, self.verbosity, self.table = lang, verbosity, table

    def say(self, key: str, /, **facts: object) -> str:
        """A message of the catalogue."""
        return message(self.lang, key, **facts)

    def tiles(self, tiles: Iterable[int]) -> str:
        """'Six five, blank three'."""
        return self.say("word.tiles", tiles=tuple(tiles))

    def seat(self, seat: int, you: int | None) -> Names:
        """A seat's name, for the fact `who`."""
        return (None if seat == you else self.table.names[seat],)

    def seats(self, seats: Iterable[int], you: int | None) -> Names:
        """The names of several seats, the listener's first."""
        ordered = sorted(seats, key=lambda seat: seat != you)
        return tuple(name for seat in ordered for name in self.seat(seat, you))

    def sides(self, sides: Iterable[int], you: int | None) -> Names:
        """The names of all players of these sides."""
        return self.seats((seat for side in sides for seat in self.table.seats_of(side)), you)

    def each_side(self, sides: Iterable[int], you: int | None) -> tuple[Names, ...]:
        """The names of each side, the listener's side first, for the fact `sides`."""
        ordered = sorted(sides, key=lambda side: you is None or side != self.table.sides[you])
        return tuple(self.sides([side], you) for side in ordered)

    def sums(self, points: Iterable[tuple[int, int]], you: int | None) -> Sequence[tuple[Names, int]]:
        """(side, points) each, for the fact `sums`."""
        return tuple((self.sides([side], you), count) for side, count in points)


def open_ends(ends: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """(end, pips) of each end that is open."""
    return tuple((end, pips) for end, pips in enumerate(ends) if pips != NO_END)


def ends_fitting(tile: int, ends: Sequence[int]) -> tuple[int, ...]:
    """The ends that a tile fits."""
    return tuple(end for end, pips in open_ends(ends) if pips in HALVES[tile])


def fits_of(tiles: Iterable[int], ends: Sequence[int]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """(tile, the ends that it fits) of each tile that fits any, in their order."""
    return tuple((tile, fitting) for tile in tiles if (fitting := ends_fitting(tile, ends)))


def laid(
    move: Move, before: Sequence[int] | None, after: Sequence[int], *, outward: bool = True
) -> tuple[tuple[int, int | None, str | None] | tuple[int, int | None, str | None, int], ...]:
    """The tiles of a move for the fact `laid`: (tile, end or None for the opening, mark, and the half that is open then).

    `before` and `after`: the chain's ends; without `before` only an opening double is known for a spinner.
    `outward`: each tile is named from the chain outwards; without it as in a hand, where it still is.
    """
    spinner = _spinner(move, before, after)
    entries: list[tuple[int, int | None, str | None] | tuple[int, int | None, str | None, int]] = []
    for lay in move.lays:
        mark = "closed" if lay.closed else "spinner" if lay is spinner else None
        if lay.end < 0:
            entries.append((lay.tile, None, mark))
        elif outward and not lay.closed:
            entries.append((lay.tile, lay.end, mark, after[lay.end]))
        else:
            entries.append((lay.tile, lay.end, mark))
    return tuple(entries)


def _spinner(move: Move, before: Sequence[int] | None, after: Sequence[int]) -> Lay | None:
    """The double of a move that begins the upper and lower arm (rulebook 2.5)."""
    if len(after) != 4 or before is None or len(before) == 4:
        return None
    doubles = (lay for lay in move.lays if HALVES[lay.tile][0] == HALVES[lay.tile][1])
    return next((lay for lay in doubles if not lay.closed), None)
