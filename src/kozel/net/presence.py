"""Being at a club, the same for somebody at the server's own door and for the installed game far away."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Protocol

from kozel.engine.round import Refused
from kozel.net.chairs import Visitor
from kozel.net.club import Club
from kozel.net.errands import Errands
from kozel.net.remote import RemoteHost, goes_on, remote_host
from kozel.net.wire import Declined, Message
from kozel.play.club_table import ClubTable
from kozel.play.hearers import Hearers
from kozel.play.host import Host, Trouble
from kozel.play.seat import Seat
from kozel.play.table import TableSeat
from kozel.rules.seating import Seating

Hear = Callable[[Message], None]


class Presence(Protocol):
    """What somebody who is at a club can do and hears. `ask` takes the requests of `docs/protocol.md`."""

    @property
    def name(self) -> str:
        """The name that is heard of this person."""

    @property
    def guest(self) -> bool:
        """Has this person no key?"""

    @property
    def table(self) -> Message | None:
        """The card of the table where this person is, None in the lobby."""

    @property
    def host(self) -> Host | None:
        """The match in progress at that table."""

    @property
    def seat(self) -> int | None:
        """The own seat in it, None for a watcher."""

    async def ask(self, do: str, **facts: object) -> Message:
        """Ask for something. Raises `Declined`."""

    def listen(self, hear: Hear) -> Callable[[], None]:
        """Give `hear` each thing that the club tells, from now on; call what is returned to stop."""


class ClubHearers(Hearers[Message]):
    """Whoever listens, and what the club tells of the table, kept."""

    def __init__(self) -> None:
        super().__init__()
        self.table: Message | None = None

    def tell(self, message: Message) -> None:
        """Something is told."""
        if message["now"] == "table":
            self.table = message["table"]
        elif message["now"] in ("out", "end"):
            self.table = None
        super().tell(message)


class RoomHost:
    """A `Host` for somebody at the server's own door: the seat itself."""

    can_take_back = False

    def __init__(self, presence: LocalPresence, table: ClubTable, seat: TableSeat) -> None:
        self._presence, self._table, self._seat = presence, table, seat

    @property
    def seating(self) -> Seating:
        """Who plays what."""
        return self._table.seating

    @property
    def seats(self) -> Mapping[int, Seat]:
        """The own seat; none for a watcher."""
        return {} if self._seat.number is None else {self._seat.number: self._seat}

    def watch(self) -> Seat:
        """A seat without a hand."""
        return self._table.watch()

    def open(self, trouble: Trouble) -> None:
        """The club seats the computer players."""

    async def quiet(self) -> None:
        """Others play when they like."""

    def hold(self, held: bool) -> None:
        """Nobody waits because one asks whether to leave."""

    async def retry(self) -> None:
        """The club tries again by itself."""

    async def again(self) -> Host:
        """Another match with the same seats. Raises `Declined`."""
        return await self._presence.again(self)


class LocalPresence:
    """A visit by door one: in the server's own process. Close it when the connection is gone."""

    def __init__(self, club: Club) -> None:
        self._club, self._hearers = club, ClubHearers()
        self._begun = asyncio.Event()
        self.host: Host | None = None
        self.seat: int | None = None
        self.ended = ""
        self._visitor: Visitor
        self._errands = Errands("a visitor")

    @classmethod
    async def enter(cls, club: Club, id: str, wanted: str, *, lang: str, address: str) -> LocalPresence:
        """Come in. Raises `Declined`."""
        presence = cls(club)
        presence._visitor = await club.enter(id, wanted, presence, lang=lang, address=address, adds=False)
        return presence

    @property
    def name(self) -> str:
        """The name that is heard of this person."""
        return self._visitor.person.name

    @property
    def guest(self) -> bool:
        """Has this person no key?"""
        return self._visitor.person.guest

    @property
    def table(self) -> Message | None:
        """The card of the table where this person is."""
        return self._hearers.table if self._visitor.room is not None else None

    async def ask(self, do: str, **facts: object) -> Message:
        """Ask for something. Raises `Declined`, `Refused`, `OSError`."""
        if self.ended:
            raise Declined(self.ended)
        answer = await self._club.ask(self._visitor, {"do": do, **facts})
        if do == "leave":
            self.host = None
        return answer

    def listen(self, hear: Hear) -> Callable[[], None]:
        """Give `hear` each thing that the club tells."""
        return self._hearers.listen(hear)

    async def again(self, before: Host) -> Host:
        """The match after `before`, with the same seats: begun now, or by somebody else already. Raises `Declined`."""
        if self.host is not None and self.host is not before:
            return self.host
        self._begun.clear()
        await self.ask("again")
        if self.host is before:
            with contextlib.suppress(Declined):
                await self.ask("state")
        await _until(lambda: self.host is not before and self.host is not None, self._begun, lambda: self.ended)
        assert self.host is not None
        return self.host

    def close(self) -> None:
        """The connection is gone."""
        self._club.exit(self._visitor)

    # what the club tells

    def push(self, message: Message) -> None:
        """Something that this person may know."""
        if message["now"] == "match":
            self._match(message)
            return
        if message["now"] == "update":
            if isinstance(self.host, RemoteHost):
                self.host.seat.tell(message)
            return
        if message["now"] in ("out", "cancelled"):
            self.host = None
            self._begun.set()
        self._hearers.tell(message)

    def _match(self, message: Message) -> None:
        """A match at a table that may be another server's: it begins, or is told anew."""
        renewed = remote_host(self, message)
        missed = goes_on(self.host, renewed)
        if missed is None:
            self.host, self.seat = renewed, renewed.seat.number
            self._begun.set()
            self._hearers.tell({"now": "match", "table": message["table"]})
            return
        if missed:
            self._hearers.tell({"now": "notice", "kind": "missed", "facts": {"n": missed}})
        if isinstance(self.host, RemoteHost) and self.host.seat.waits_for_deal:
            self._errands.start(self._ready())

    async def _ready(self) -> None:
        with contextlib.suppress(Declined, Refused, OSError):
            await self.ask("ready")

    async def back(self) -> None:
        """The table is reached again by the club itself."""

    def begin(self, room: str, table: ClubTable, seat: TableSeat) -> None:
        """A match is in progress."""
        self.host, self.seat = RoomHost(self, table, seat), seat.number
        self._begun.set()
        self._hearers.tell({"now": "match", "table": room})

    def end(self, why: str) -> None:
        """The person is shown out."""
        self.ended = why
        self._begun.set()
        self._hearers.tell({"now": "end", "why": why, "facts": {}})


async def _until(holds: Callable[[], bool], changed: asyncio.Event, ended: Callable[[], str]) -> None:
    while not holds():
        await changed.wait()
        changed.clear()
        if ended():
            raise Declined(ended())
        if not holds():
            raise Declined("cancelled")
