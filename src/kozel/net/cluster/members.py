"""The servers of a club: each tells the others twice a second that it is there."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

from kozel.net.cluster.bus import Away, Bus
from kozel.net.wire import Message

BEAT, DEAD = 0.4, 1.8
"""Seconds from one word to the next, and after which a server that says nothing counts as gone."""
SPEAKS = 1
"""The version of what servers say to each other. One that speaks another carries its own tables only."""
_SUBJECT = "kozel.beat"
_PAUSED = 1.2


class Place(NamedTuple):
    """Where players reach a server, and the fingerprint of its key."""

    host: str
    port: int
    key: str


class Member(NamedTuple):
    """A server as it was heard of last, at the time `heard` of this one's clock. `losses`: how often it had lost NATS."""

    id: str
    heard: float
    losses: int
    leaving: bool
    speaks: int
    people: int
    places: tuple[Place, ...]


class Members:
    """Who is there. `own` gives what is told of this server; `changed` is called when one comes, goes, moves, or had lost NATS.

    `paused` is called after this process stood still: until then nobody can be said to be gone.
    """

    def __init__(
        self,
        bus: Bus,
        id: str,
        own: Callable[[], Message],
        changed: Callable[[str], None],
        paused: Callable[[], None],
    ) -> None:
        self._bus, self.id, self._own, self._changed, self._paused = bus, id, own, changed, paused
        self.leaving = False
        self._members: dict[str, Member] = {}
        self._gone: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._quiet_until = time.monotonic() + DEAD
        self._stops: list[Callable[[], object]] = []

    async def open(self) -> None:
        """Say hello, and listen. Raises `Away`."""
        await self._bus.subscribe(_SUBJECT, self._hear)
        self._stops.append(self._bus.listen(self._bus_changed))
        await self.beat()
        self._tasks = [asyncio.ensure_future(self._beat_on())]

    def close(self) -> None:
        """Say no more."""
        for stop in self._stops:
            stop()
        for task in self._tasks:
            task.cancel()

    @property
    def settled(self) -> bool:
        """Is it known who is there, and so who is gone?"""
        return self._bus.connected and time.monotonic() >= self._quiet_until

    def alive(self, id: str) -> bool:
        """Is this server there, as far as is known? This one always is."""
        member = self._members.get(id)
        return id == self.id or (member is not None and time.monotonic() - member.heard < DEAD)

    def reachable(self, id: str) -> bool:
        """Can requests be given to this server?"""
        return id == self.id or (self.alive(id) and self._members[id].speaks == SPEAKS)

    @property
    def others(self) -> Iterator[Member]:
        """The other servers that are there."""
        return (member for member in tuple(self._members.values()) if self.alive(member.id))

    def heir(self, table: str, without: Collection[str] = ()) -> str | None:
        """The server that is to carry a table which nobody carries: the same for all who know of the same servers."""
        ids = [member.id for member in self.others if not member.leaving]
        if not self.leaving:
            ids.append(self.id)
        ids = [id for id in ids if id not in without]
        return max(ids, key=lambda id: hashlib.sha256(f"{table} {id}".encode()).digest(), default=None)

    async def beat(self) -> None:
        """Tell the others now."""
        told = {"id": self.id, "losses": self._bus.losses, "leaving": self.leaving, "speaks": SPEAKS, **self._own()}
        with contextlib.suppress(Away):
            await self._bus.publish(_SUBJECT, json.dumps(told).encode())

    async def _beat_on(self) -> None:
        last = time.monotonic()
        while True:
            await asyncio.sleep(BEAT)
            now = time.monotonic()
            if now - last > _PAUSED:
                self._all_heard_now()
                self._paused()
            last = now
            await self.beat()
            if self.settled:
                for id in [id for id in self._members if id not in self._gone and not self.alive(id)]:
                    self._gone.add(id)
                    self._changed(id)

    def _all_heard_now(self) -> None:
        """Nobody can be blamed for what was not heard here."""
        now = time.monotonic()
        self._quiet_until = now + DEAD
        for id, member in self._members.items():
            if id not in self._gone:
                self._members[id] = member._replace(heard=now)

    def _bus_changed(self, there: bool) -> None:
        self._all_heard_now()

    async def _hear(self, data: bytes, reply: str) -> None:
        try:
            told: Any = json.loads(data)
            member = Member(
                str(told["id"]),
                time.monotonic(),
                int(told["losses"]),
                bool(told["leaving"]),
                int(told["speaks"]),
                int(told.get("people", 0)),
                tuple(Place(str(host), int(port), str(key)) for host, port, key in told.get("places", ())),
            )
        except (ValueError, KeyError, TypeError):
            return
        if member.id == self.id:
            return
        before = self._members.get(member.id)
        self._members[member.id] = member
        back = member.id in self._gone
        self._gone.discard(member.id)
        if before is None or back or before._replace(heard=member.heard, people=member.people) != member:
            self._changed(member.id)
