"""A club on many servers: players come in at any of them, a table is carried by one at a time.

What may be known of the tables stands in the bucket `kozel_tables`: `table.ID` says who carries it, since which entry of its
log (the term), and what the lobby shows; `code.12345678` says whose code that is. It is only a sign-post: whose turn it is to
write the log decides the log itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import secrets
import time
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from kozel import __version__
from kozel.net.chairs import Front, Visitor
from kozel.net.club import UNUSABLE, Club
from kozel.net.cluster.bus import Away, Bus
from kozel.net.cluster.carrier import Carrier
from kozel.net.cluster.members import Members, Place
from kozel.net.cluster.post import Post
from kozel.net.cluster.replica import Replica, Stale, Taken
from kozel.net.cluster.shared import SharedBars, SharedBook, SharedLibraries, hashed
from kozel.net.cluster.stream_logs import Reason, StreamLogs, TableLost
from kozel.net.cluster.visit import STANDS_STILL, Visit
from kozel.net.diary import log_event
from kozel.net.errands import Errands
from kozel.net.identity import Identities, Person
from kozel.net.room import Room
from kozel.net.wire import Declined, Message, encode, text_of

log = logging.getLogger(__name__)

RETURNING = 5.0
"""Seconds in which those who sat at a table that changed its server come back without a word."""
STATUS = "kozel.status"
"""The subject on which every server tells how it is."""
_AT_A_TABLE = (
    *("start", "again", "computer", "remove", "vote", "door", "say", "phrase"),
    *("hash", "addition", "decide", "ready", "state", "leave"),
)
_LOOK = 0.3
_ID = re.compile(r"[0-9a-f]{16}")
_TOGETHER = 0.03
"""Changes of a table within this time are told the other servers as one."""


class ClusterClub(Club):
    """One server's part of a club. `places` tells where players reach this server."""

    returning = RETURNING

    def __init__(
        self,
        folder: Path,
        bus: Bus,
        replicas: tuple[Replica, Replica, Replica, Replica],
        bars: Path | None,
        **settings: Any,
    ) -> None:
        """`settings`: those of `Club` that are for one server."""
        self.id = secrets.token_hex(6)
        self._bus = bus
        self._index, names, self._people, barred = replicas
        self._logs = StreamLogs(bus, self.id, lost=self._lost, stalled=self._stalled)
        super().__init__(
            folder,
            bars=SharedBars(bars, barred, _lasting_id(folder)),
            logs=self._logs,
            identities=Identities(SharedBook(names)),
            libraries=SharedLibraries(folder / "players", bus),
            **settings,
        )
        self._replicas = replicas
        self.places: Sequence[Place] = ()
        self.members = Members(bus, self.id, self._own, self._member_changed, self._was_paused)
        self._post = Post(bus, self.id, self._take)
        self._carrier = Carrier(self._rooms.get, super().ask, self._post.send)
        self._visits: dict[Visitor, Visit] = {}
        self._numbers: dict[int, Visit] = {}
        self._came_in: dict[str, tuple[str, float]] = {}
        self._number = 0
        self._dirty: set[str] = set()
        self._publish_soon = asyncio.Event()
        self._look_soon = asyncio.Event()
        self._taking: set[str] = set()
        self._standing = False
        self._still_timer: asyncio.TimerHandle | None = None
        self._jobs = Errands("the club")
        self._taken, self._begun_at = 0, 0.0

    @classmethod
    async def build(cls, folder: Path, bus: Bus, bars: Path | None = None, **settings: Any) -> ClusterClub:
        """The club at this server, not open yet. `bars`: the operator's file. Raises `OSError`."""
        index, names, people, barred = [
            await Replica.open(bus, f"kozel_{bucket}") for bucket in ("tables", "names", "people", "bars")
        ]
        return cls(folder, bus, (index, names, people, barred), bars, **settings)

    # life

    async def open(self) -> list[str]:
        """Join the others. What nobody carries is taken up from then on. Raises `OSError`."""
        damaged = await super().open()
        self._begun_at = time.time()
        await self._post.open()
        self._index.listen(self._index_changed)
        self._people.listen(self._person_elsewhere)
        self._bus.listen(self._bus_changed)
        await self._bus.subscribe(STATUS, self._tell_status)
        await self.members.open()
        self._jobs.start(self._publish_on())
        self._jobs.start(self._look_on())
        return damaged

    async def close(self) -> None:
        """Hand the tables over, show everybody out."""
        self.members.leaving = True
        await self.members.beat()
        if not self._bus.connected:
            self._logs.abandon()
        for visitor in tuple(self._visitors.values()):
            visitor.front.end("stopping")
        self._visitors.clear()
        self._jobs.cancel()
        await asyncio.gather(*(self._hand_over(room) for room in tuple(self._rooms.values())), return_exceptions=True)
        self._logs.abandon()
        self._carrier.close()
        await super().close()
        self._post.close()
        self.members.close()
        for replica in self._replicas:
            await replica.close()
        await self._bus.close()

    async def _hand_over(self, room: Room) -> None:
        self._forget(room)
        self._carrier.part_from(room)
        with contextlib.suppress(OSError, asyncio.TimeoutError):
            await asyncio.wait_for(room.close(), 3)
            term = self._logs.term(room.id)
            await asyncio.wait_for(self._logs.release(room.id), 3)
            log_event("table_handed_over", table=room.id)
            entry = self._entry(room.id)
            if entry is not None and entry["term"] == term:
                with contextlib.suppress(Stale):
                    await self._index.update(
                        _key(room.id), {**entry, "server": ""}, self._index.revision(_key(room.id))
                    )

    def reached_at(self, places: Sequence[tuple[str, int, str]]) -> None:
        """Where players reach this server: the others tell it theirs."""
        self.places = [Place(*place) for place in places]

    @property
    def servers(self) -> list[Message]:
        """Where the club is reached, this server first."""
        places = [*self.places, *(place for each in self.members.others if not each.leaving for place in each.places)]
        return [place._asdict() for place in places]

    async def library(self, person: str, ruleset: str, day: date, text: str) -> str | None:
        """Put a finished match into somebody's library, however long NATS is away."""
        while True:
            name = await super().library(person, ruleset, day, text)
            if name is not None:
                return name
            if self.members.leaving:
                raise Away(person)  # whoever takes the table up does it again
            await asyncio.sleep(_LOOK)

    # people

    async def enter(self, id: str, wanted: str, front: Front, *, lang: str, address: str, adds: bool) -> Visitor:
        """Somebody comes in at this server; a connection of the same identity anywhere is shown out. Raises `Declined`."""
        visitor = await super().enter(id, wanted, front, lang=lang, address=address, adds=adds)
        key, now = hashed(id), time.time()
        self._came_in[key] = id, now
        self._people.later(key, {"server": self.id, "at": now})
        return visitor

    def exit(self, visitor: Visitor) -> None:
        """A connection is gone, however."""
        visit = self._visits.get(visitor)
        if visit is not None:
            visit.leave()
        here = self._visitors.get(visitor.person.id) is visitor
        super().exit(visitor)
        if here:
            key = hashed(visitor.person.id)
            self._came_in.pop(key, None)
            noted = self._people.get(key)
            if isinstance(noted, dict) and noted["server"] == self.id:
                self._people.later(key, None)

    def seat_kept(self, person: str) -> str | None:
        """The table at which a seat is kept for somebody, whichever server carries it."""
        kept = next((id for id, entry in self._entries() if person in entry["persons"] and not entry["closed"]), None)
        return kept or super().seat_kept(person)

    async def ask(self, visitor: Visitor, request: Message) -> Message:
        """Do what somebody at a door of this server asks for."""
        do = request.get("do")
        if do == "lobby":
            return self._lobby(visitor)
        if do in ("sit", "watch"):
            return await self._come(visitor, request, watching=do == "watch")
        if do in _AT_A_TABLE:
            visit = self._visits.get(visitor)
            if visit is None:
                raise Declined("at_no_table")
            return await visit.ask(request)
        return await super().ask(visitor, request)

    def _lobby(self, visitor: Visitor) -> Message:
        cards = [entry["card"] for _, entry in self._entries() if entry["listed"] and not entry["closed"]]
        people = len(self._visitors) + sum(member.people for member in self.members.others)
        return {"tables": cards[:100], "people": people, "kept": self.seat_kept(visitor.person.id)}

    async def _come(self, visitor: Visitor, request: Message, *, watching: bool) -> Message:
        id, invited = await self._found(visitor, request)
        visit = self._visits.get(visitor)
        if visit is not None and visit.table != id:
            raise Declined("at_a_table")
        await self._leave_kept(visitor, id)
        if visit is not None:
            visit.leave()
        answer = await self._visit(visitor, id, watching=watching, invited=invited)
        return answer if watching else {**answer, **self._way_back(visitor)}

    async def _visit(self, visitor: Visitor, id: str, *, watching: bool, invited: bool) -> Message:
        visit = self._visits[visitor] = Visit(self, visitor, id, watching=watching, invited=invited)
        try:
            return await visit.come()
        except BaseException:
            visit.leave()
            raise

    async def _found(self, visitor: Visitor, request: Message) -> tuple[str, bool]:
        """The table that is asked for, and whether by its code."""
        person = visitor.person.id
        if "code" in request:
            self._tries.check(visitor.address)
            code = "".join(filter(str.isdigit, text_of(request, "code")))
            id = await self._looked_up(f"code.{code}") if code else None
            if not isinstance(id, str) or not id or await self._looked_up(_key(id)) is None:
                self._tries.wrong(visitor.address)
                raise Declined("wrong_code")
            return id, True
        id = text_of(request, "table")
        if not _ID.fullmatch(id):
            raise Declined("no_table")
        entry = await self._looked_up(_key(id))
        own = entry is not None and person in entry["persons"]
        if entry is None or (entry["by_code"] and not own):
            raise Declined("no_table")
        return id, own

    async def _looked_up(self, key: str) -> Any:
        """A sign-post, which another server may have put up just now. Raises `Declined` where that cannot be seen."""
        try:
            return self._index.get(key) or await self._index.fetch(key)
        except Away:
            raise Declined("table_moves") from None

    async def _leave_kept(self, visitor: Visitor, id: str | None) -> None:
        """A seat kept at another table is given up, unless a match is in progress there. Raises `Declined`."""
        kept = self.seat_kept(visitor.person.id)
        if kept is None or kept == id:
            return
        entry = self._entry(kept)
        if entry is None or entry["phase"] in ("promising", "playing"):
            raise Declined("seat_kept", table=kept)
        if entry["server"]:
            self._post.send(entry["server"], {"to": "room", "do": "vacate", "table": kept, "person": visitor.person.id})

    async def _do_open(self, visitor: Visitor, request: Message) -> Message:
        if visitor in self._visits:
            raise Declined("at_a_table")
        await self._leave_kept(visitor, None)
        return await super()._do_open(visitor, request)

    def _leave_for(self, visitor: Visitor, room: Room | None) -> None:
        """Seen to before, by `_leave_kept`."""

    async def _opened(self, visitor: Visitor, room: Room) -> Message:
        await self._logs.create(room.id)
        self._add(room)
        self.changed(room.id)
        await self._publish(room)
        return await self._visit(visitor, room.id, watching=False, invited=True)

    async def _new_code(self) -> str:
        while True:
            code = await super()._new_code()
            with contextlib.suppress(Taken):
                await self._index.create(f"code.{code}", "")
                return code

    def _show_out(self, older: Visitor) -> None:
        visit = self._visits.get(older)
        if visit is not None:
            visit.leave("other_connection")
        older.front.end("replaced")

    def _person_elsewhere(self, key: str, noted: Any) -> None:
        """Somebody came in at another server: the connection here is the older one."""
        if not isinstance(noted, dict) or noted.get("server") == self.id:
            return
        id, came_in = self._came_in.get(key, ("", 0.0))
        here = self._visitors.get(id)
        if here is None:
            return
        if noted.get("at", 0.0) < came_in:  # that one was written late
            self._people.later(key, {"server": self.id, "at": came_in})
            return
        del self._visitors[id]
        self._show_out(here)

    # roads for visits

    def carrier_of(self, table: str) -> str | None:
        """The server that carries a table and can be reached; see `Roads`."""
        entry = self._entry(table)
        if entry is None:
            raise Declined("no_table")
        if entry["closed"]:
            raise Declined("table_damaged")
        server: str = entry["server"]
        if server == self.id:
            return server if table in self._rooms else None
        return server if server and self._bus.connected and self.members.reachable(server) else None

    def send(self, server: str, message: Message) -> None:
        """Send a server a message."""
        self._post.send(server, message)

    def new_number(self, visit: Visit) -> int:
        """A number by which the visit's messages find it."""
        self._numbers.pop(visit.number, None)
        self._number += 1
        self._numbers[self._number] = visit
        return self._number

    def forget(self, visit: Visit) -> None:
        """The visit is at its end."""
        self._numbers.pop(visit.number, None)
        if self._visits.get(visit.visitor) is visit:
            del self._visits[visit.visitor]

    async def record_of(self, person: Person, commitment: str) -> tuple[str | None, str | None]:
        """The name and the record of a match that ended meanwhile; see `Roads`."""
        if person.guest:
            return None, None
        with contextlib.suppress(OSError):
            for name in reversed(await self.libraries.waiting(person.id)):
                text = await self.libraries.text(person.id, name)
                if commitment in text:
                    return name, text
        return None, None

    def _take(self, message: Message) -> None:
        """Something that a server says, perhaps this one."""
        to = message.get("to")
        if to == "carrier":
            self._carrier.take(message)
        elif to == "room":
            room = self._rooms.get(str(message["table"]))
            if room is not None:
                room.vacate(str(message["person"]))
        else:
            visit = self._numbers.get(int(message["visit"]))
            if visit is not None:
                visit.take(message)

    # the sign-posts

    def _entry(self, id: str) -> Message | None:
        entry = self._index.get(_key(id))
        return entry if isinstance(entry, dict) else None

    def _entries(self) -> Iterator[tuple[str, Message]]:
        for key, entry in self._index.items():
            kind, _, id = key.partition(".")
            if kind == "table" and isinstance(entry, dict):
                yield id, entry

    def changed(self, room: str) -> None:
        """What may be known of a room is another than before: it is kept, and the other servers hear of it."""
        there = self._rooms.get(room)
        if there is not None:
            with contextlib.suppress(OSError):
                there.keep()
            self._dirty.add(room)
            self._publish_soon.set()

    async def _publish_on(self) -> None:
        while True:
            await self._publish_soon.wait()
            await asyncio.sleep(_TOGETHER)
            self._publish_soon.clear()
            dirty, self._dirty = self._dirty, set()
            for id in dirty:
                room = self._rooms.get(id)
                if room is None:
                    continue
                try:
                    await self._publish(room)
                except OSError:
                    self._dirty.add(id)
                    self._publish_soon.set()
                except Exception:
                    log.exception("table %s", id)

    async def _publish(self, room: Room) -> None:
        """Put up the sign-post of a table. One with a later term says that the table is another server's. Raises `OSError`."""
        key = _key(room.id)
        while self._rooms.get(room.id) is room:
            term, entry = self._logs.term(room.id), self._entry(room.id)
            if entry is not None and entry["term"] > term:
                await self._logs.verify(room.id)
                return
            told = {
                "server": self.id,
                "term": term,
                "code": room.code,
                "phase": room.phase,
                "listed": room.listed,
                "by_code": room.wish.by_code,
                "persons": [chair.person.id for chair in room.chairs if chair.person is not None],
                "card": room.card(inside=False),
                "refused": [],
                "closed": False,
            }
            if told == entry:
                return
            try:
                if self._index.get(f"code.{room.code}") != room.id:
                    await self._index.put(f"code.{room.code}", room.id)
                await self._index.update(key, told, self._index.revision(key))
            except Stale:
                continue
            return

    def _index_changed(self, key: str, entry: Any) -> None:
        kind, _, id = key.partition(".")
        if kind != "table":
            return
        self._look_soon.set()
        for visit in [each for each in self._visits.values() if each.table == id]:
            if not isinstance(entry, dict):
                visit.end(Declined("table_gone"))
            elif entry["server"] != visit.server or entry["closed"]:
                visit.settle()

    # tables that nobody carries

    async def _look_on(self) -> None:
        while True:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._look_soon.wait(), _LOOK)
            self._look_soon.clear()
            if not self.members.settled:
                continue
            for id, entry in tuple(self._entries()):
                if entry["closed"] or id in self._taking or id in self._rooms:
                    continue
                if entry["server"] == self.id:
                    self._taking.add(id)
                    self._jobs.start(self._disown(id, entry))
                    continue
                if self.members.alive(entry["server"]):
                    continue
                refused = [server for server in entry["refused"] if self.members.alive(server)]
                heir = self.members.heir(id, refused)
                if heir == self.id or (heir is None and refused and self.members.heir(id) == self.id):
                    self._taking.add(id)
                    self._jobs.start(self._take_over(id, close=heir is None))

    async def _disown(self, id: str, entry: Message) -> None:
        """The sign-post says that this server carries a table which it has lost: then another one is to try."""
        key = _key(id)
        try:
            with contextlib.suppress(Stale, OSError):
                if self._entry(id) == entry:
                    await self._index.update(key, {**entry, "server": ""}, self._index.revision(key))
        finally:
            self._taking.discard(id)

    async def _take_over(self, id: str, *, close: bool) -> None:
        key = _key(id)
        entry, revision = self._entry(id), self._index.revision(key)
        try:
            if entry is None or id in self._rooms:
                return
            if close:  # none of the servers that are here can read its log
                log_event("table_closed_unread", table=id)
                await self._index.update(key, {**entry, "server": "", "closed": True, "listed": False}, revision)
                return
            room = await self.take_up(id)
            self._taken += 1
            log_event("table_taken_over", table=id, before=entry["server"], term=self._logs.term(id))
            if room is not None:
                room.keep()
                await self._publish(room)
        except (TableLost, Stale):
            await self._clear_if_closed(id)
        except Away:
            log.info("table %s: NATS is away", id)
        except UNUSABLE as error:
            log_event("table_unreadable", table=id, why=type(error).__name__)
            log.warning("table %s cannot be gone on with here: %s", id, error)
            with contextlib.suppress(Stale, OSError):
                if entry is not None:
                    refused = [*entry["refused"], self.id]
                    await self._index.update(key, {**entry, "server": "", "refused": refused}, revision)
        finally:
            self._taking.discard(id)

    async def _clear_if_closed(self, id: str) -> None:
        """A sign-post to a table that was closed by a server which died over it."""
        with contextlib.suppress(OSError):
            entries = await self._logs.read(id)
            entry = self._entry(id)
            if entry is not None and (not entries or entries[-1].kind == "closed"):
                await self._remove(id, entry["code"])

    async def _close(self, room: Room) -> None:
        await super()._close(room)
        entry = self._entry(room.id)
        if entry is None or entry["server"] == self.id:
            with contextlib.suppress(OSError):
                await self._remove(room.id, room.code)

    async def _remove(self, id: str, code: str) -> None:
        await self._index.delete(_key(id))
        await self._index.delete(f"code.{code}")

    # what goes wrong

    def _forget(self, room: Room) -> None:
        self._rooms.pop(room.id, None)
        self._codes.pop(room.code, None)

    def _lost(self, id: str) -> None:
        """Another server carries the table."""
        log_event("table_lost", table=id)
        room = self._rooms.get(id)
        if room is not None:
            self._forget(room)
            self._carrier.part_from(room)
            self._jobs.start(room.close())

    def _stalled(self, id: str, reason: Reason | None) -> None:
        """What happened at a table cannot be kept now, or can be again."""
        room = self._rooms.get(id)
        if room is not None and self._bus.connected and not self._standing:
            log_event("table_goes_on" if reason is None else "table_stands_still", table=id, why=reason)
            room.notice("goes_on" if reason is None else "stands_still")

    def _bus_changed(self, there: bool) -> None:
        log_event("nats_back" if there else "nats_lost")
        loop = asyncio.get_running_loop()
        if self._still_timer is not None:
            self._still_timer.cancel()
            self._still_timer = None
        if not there:
            self._still_timer = loop.call_later(STANDS_STILL, self._stand_still)
            return
        self._standing = False
        self._jobs.start(self._verify_all())
        for visit in tuple(self._visits.values()):
            if visit.server != self.id:
                visit.settle()
            else:
                visit.stands_still(False)

    def _stand_still(self) -> None:
        self._standing = True
        for visit in tuple(self._visits.values()):
            visit.stands_still(True)

    def _was_paused(self) -> None:
        self._jobs.start(self._verify_all())

    async def _verify_all(self) -> None:
        for id in tuple(self._rooms):
            with contextlib.suppress(Away):
                await self._logs.verify(id)

    def _member_changed(self, id: str) -> None:
        """A server came, is gone, or had lost NATS: what was said meanwhile may be lost."""
        self._look_soon.set()
        log_event("server_here" if self.members.alive(id) else "server_gone", server=id)
        if not self.members.alive(id):
            self._carrier.server_gone(id)
        for visitor in tuple(self._visitors.values()):
            if visitor.adds:
                visitor.front.push({"now": "servers", "servers": self.servers})
        for visit in tuple(self._visits.values()):
            if visit.server == id:
                visit.settle()

    # how it is

    def _own(self) -> Message:
        return {"people": len(self._visitors), "places": [list(place) for place in self.places]}

    async def _tell_status(self, data: bytes, reply: str) -> None:
        if not reply:
            return
        counts = self._logs.counts
        playing = [room for room in self._rooms.values() if room.phase == "playing"]
        told = {
            "server": self.id,
            "club": self.name,
            "version": __version__,
            "since": round(self._begun_at),
            "leaving": self.members.leaving,
            "places": [f"{place.host}:{place.port}" for place in self.places],
            "people": len(self._visitors),
            "tables": len(self._rooms),
            "playing": len(playing),
            "seats": sum(chair.person is not None for room in self._rooms.values() for chair in room.chairs),
            "taken_over": self._taken,
            "appended": counts.appended,
            "refused": counts.refused,
            "waiting": counts.waiting,
            "lag_median_ms": counts.median,
            "lag_p95_ms": counts.p95,
        }
        with contextlib.suppress(Away):
            await self._bus.publish(reply, encode(told))


def _key(table: str) -> str:
    return f"table.{table}"


def _lasting_id(folder: Path) -> str:
    """A word for this server that stays the same when it starts again. Raises `OSError`."""
    path = folder / "server_id"
    with contextlib.suppress(FileNotFoundError):
        text = path.read_text(encoding="utf-8").strip()
        if text.isalnum():
            return text
    folder.mkdir(parents=True, exist_ok=True)
    text = secrets.token_hex(8)
    path.write_text(text + "\n", encoding="utf-8")
    return text
