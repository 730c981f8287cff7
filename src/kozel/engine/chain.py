"""The chain on the table, tile by tile, from the events of a round."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kozel.engine.events import Event, Laid, Threw
from kozel.engine.moves import LEFT, RIGHT, UP
from kozel.engine.tiles import is_double


class Chain(NamedTuple):
    """The tiles in place. Where a spinner has arms, `line` is split by it into `left` and `right`; else `left` is all.

    `left` runs from its outer end inwards, `right`, `up` and `down` from the spinner outwards. `thrown`: the snot.
    """

    left: tuple[int, ...]
    spinner: int | None
    right: tuple[int, ...]
    up: tuple[int, ...]
    down: tuple[int, ...]
    thrown: tuple[int, ...]

    @property
    def tiles(self) -> tuple[int, ...]:
        """All tiles of the chain in the order of walking."""
        spinner = () if self.spinner is None else (self.spinner,)
        return self.left + spinner + self.right + self.up + self.down


def chain_of(events: Iterable[Event]) -> Chain:
    """The chain that these events of one round have built."""
    line: list[int] = []
    arms: tuple[list[int], list[int]] = ([], [])
    thrown: list[int] = []
    spinner: int | None = None
    for event in events:
        if isinstance(event, Threw):
            thrown += [tile for _, tile in event.thrown]
        elif isinstance(event, Laid):
            for lay in event.move.lays:
                if event.opening or lay.end == RIGHT:
                    line.append(lay.tile)
                elif lay.end == LEFT:
                    line.insert(0, lay.tile)
                else:
                    arms[lay.end - UP].append(lay.tile)
            if spinner is None and len(event.ends) == 4:
                spinner = _first_double(event)
    if spinner is None:
        return Chain(tuple(line), None, (), (), (), tuple(thrown))
    place = line.index(spinner)
    return Chain(tuple(line[:place]), spinner, tuple(line[place + 1 :]), tuple(arms[0]), tuple(arms[1]), tuple(thrown))


def _first_double(event: Laid) -> int | None:
    return next((lay.tile for lay in event.move.lays if is_double(lay.tile) and not lay.closed), None)
