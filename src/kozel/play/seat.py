"""A seat at a table: all that a person at this keyboard, a computer player or a player over a network ever gets of a match."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from kozel.engine.events import Event
from kozel.engine.moves import Move
from kozel.engine.seen import View


class TakenBack(NamedTuple):
    """A decision that was taken back: whose, which, the ends before it; `more`: what others decided after it, too."""

    seat: int
    move: Move
    before: tuple[int, ...]
    more: bool


class Update(NamedTuple):
    """What happened at the table, as one seat may know it, and how the match stands after it.

    `serial` counts the table's updates from 1 and is the same for all its seats. `taken_back`: no event, but a decision of
    practice that no longer holds.
    """

    serial: int
    events: tuple[Event, ...]
    view: View
    taken_back: TakenBack | None = None


Hearing = Callable[[Update], None]
"""Takes updates, one by one and in order, in the event loop. Must not raise."""


class Seat(Protocol):
    """One place at a table, or a watcher's. What it gives and takes is plain data (`engine.plain`)."""

    @property
    def number(self) -> int | None:
        """Which seat it is; None for a watcher."""

    @property
    def view(self) -> View:
        """What it may know now."""

    @property
    def serial(self) -> int:
        """The number of the table's last update."""

    def listen(self, hear: Hearing) -> Callable[[], None]:
        """Give `hear` each update from now on; call what is returned to stop."""

    async def decide(self, move: Move, serial: int | None = None) -> None:
        """Carry out a decision. When this returns, it is on the disk and all seats have got their update.

        `serial`: the update that it was decided after; where there is a newer one it is refused as `stale`. Raises
        `Refused` with the reason, `OSError` where it could not be written: then everything is as it was.
        """

    async def ready(self) -> None:
        """This seat is ready for the next deal. Dealt once all persons are. Raises `OSError`."""

    async def take_back(self) -> bool:
        """In practice: take back a person's last decision; False where there is none. Raises `Refused`, `OSError`."""
