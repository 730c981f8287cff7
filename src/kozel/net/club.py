"""A club: its lobby, its rooms, the people who are in it. It knows no connection, and no bytes."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from kozel.bots.levels import LEVELS
from kozel.bots.thinkers import Thinkers
from kozel.engine.plain import NotPlain, read_move
from kozel.net.chairs import Front, Visitor
from kozel.net.diary import log_event
from kozel.net.identity import FileBook, Identities, Person, is_guest
from kozel.net.limits import Bars, CodeTries
from kozel.net.logs import FileLogs, Libraries, Logs
from kozel.net.room import Room, restored_room
from kozel.net.wire import Declined, Message, flag_of, number_of, text_of
from kozel.net.wish import wish_of
from kozel.play.club_table import ClubTable
from kozel.play.store import Unusable
from kozel.rules.seating import Seating

log = logging.getLogger(__name__)

UNUSABLE = (KeyError, ValueError, TypeError, OSError, Unusable, Declined)
"""What is raised for a table that cannot be gone on with: its log stays as it is."""
_TICK = 0.5
_LISTED = 100


class Club:
    """The tables of a server. `tables`: how many at most; `away`: seconds until a computer player may stand in."""

    returning = 0.0

    def __init__(
        self,
        folder: Path,
        *,
        name: str,
        tables: int = 250,
        away: float = 120.0,
        guests: bool = True,
        bars: Bars | None = None,
        logs: Logs | None = None,
        identities: Identities | None = None,
        libraries: Libraries | None = None,
        thinkers: Thinkers | None = None,
        pause: float = 0.0,
    ) -> None:
        self.name, self.guests, self.tables, self.away, self.pause = name, guests, tables, away, pause
        self.logs: Logs = logs or FileLogs(folder)
        self.identities = identities or Identities(FileBook(folder / "names.jsonl"))
        self.libraries = libraries or Libraries(folder / "players")
        self.bars = bars or Bars(None)
        self.thinkers = thinkers or Thinkers(workers=2, waiting=tables * 4)
        self._rooms: dict[str, Room] = {}
        self._codes: dict[str, str] = {}
        self._visitors: dict[str, Visitor] = {}
        self._tries = CodeTries()
        self._ticking: asyncio.Task[None] | None = None

    # life

    async def open(self) -> list[str]:
        """Go on with what an earlier run began. The tables that could not be gone on with, which stay as they are."""
        damaged = []
        for id in self.logs.carried():
            try:
                await self.take_up(id)
            except UNUSABLE as error:
                log.warning("table %s cannot be gone on with: %s", id, error)
                damaged.append(id)
        self._ticking = asyncio.ensure_future(self._tick())
        return damaged

    async def take_up(self, id: str) -> Room | None:
        """Carry a table from its log on; None where all that was left to do was to end its match. Raises one of `UNUSABLE`."""
        kept, found = await self.logs.take_up(id)
        try:
            room = restored_room(self, id, kept)
            if found is not None:
                match, journal = found
                head = match.record.head
                if head.shuffle is None:
                    raise KeyError("shuffle")
                levels = tuple(chair.level for chair in room.chairs)
                seating = Seating(head.ruleset, head.players, levels, head.pairs, head.ruleset.choices(head.options))
                decisions = sum(len(each.moves) for each in match.record.rounds)
                room.play(ClubTable(seating, match.match, journal, head.shuffle, decisions, ()))
                if match.match.end is not None:
                    await room.finish()
                    if not self.returning:
                        return None
        except BaseException:
            if found is not None:
                found[1].close()
            raise
        self._add(room)
        return room

    async def close(self) -> None:
        """Everybody is shown out, every log closed."""
        if self._ticking is not None:
            self._ticking.cancel()
        for visitor in tuple(self._visitors.values()):
            visitor.front.end("stopping")
        for room in tuple(self._rooms.values()):
            await room.close()
        self.thinkers.close()

    def reached_at(self, places: Sequence[tuple[str, int, str]]) -> None:
        """Where players reach this server, host, port and the key's fingerprint; one alone tells nobody."""

    @property
    def servers(self) -> list[Message]:
        """Where else the club is reached: `host`, `port` and the `key`'s fingerprint of each server; empty for one alone."""
        return []

    def changed(self, room: str) -> None:
        """What may be known of a room is another than before; here it is asked for when somebody wants to know."""

    # people

    async def enter(self, id: str, wanted: str, front: Front, *, lang: str, address: str, adds: bool) -> Visitor:
        """Somebody comes in; an older connection of the same identity is shown out. Raises `Declined`.

        `id`: the key's fingerprint, or a guest's. `wanted`: the name asked for, used where the identity has none.
        """
        guest = is_guest(id)
        if guest and not self.guests:
            raise Declined("no_guests")
        name = self.identities.name(id) or await self.identities.claim(id, wanted)
        visitor = Visitor(Person(id, name, guest), front, lang, address, adds)
        older = self._visitors.pop(id, None)
        self._visitors[id] = visitor
        if older is not None:
            self._show_out(older)
        return visitor

    def exit(self, visitor: Visitor) -> None:
        """A connection is gone, however."""
        room = self._rooms.get(visitor.room or "")
        if room is not None:
            room.drop(visitor)
        if self._visitors.get(visitor.person.id) is visitor:
            del self._visitors[visitor.person.id]
            if visitor.person.guest and self.seat_kept(visitor.person.id) is None:
                self.identities.forget(visitor.person.id)

    def bar(self) -> None:
        """Show out whoever is barred by now."""
        for visitor in tuple(self._visitors.values()):
            if self.bars.key(visitor.person.id) or self.bars.address(visitor.address):
                visitor.front.end("barred")

    def seat_kept(self, person: str) -> str | None:
        """The table at which a seat is kept for somebody."""
        return next((room.id for room in self._rooms.values() if room.seat_of(person) is not None), None)

    @property
    def visitors(self) -> Iterator[Visitor]:
        """Everybody who is here."""
        yield from self._visitors.values()

    @property
    def rooms(self) -> Iterator[Room]:
        """All tables."""
        yield from self._rooms.values()

    async def library(self, person: str, ruleset: str, day: date, text: str) -> str | None:
        """Put a finished match into somebody's library; its name there, None where that cannot be."""
        try:
            return await self.libraries.add(person, ruleset, day, text)
        except OSError as error:
            log.warning("a record for %s: %s", person, error)
            return None

    # what a visitor asks

    async def ask(self, visitor: Visitor, request: Message) -> Message:
        """Do what somebody asks for; what is answered. Raises `Declined`, `Refused` of the game, `OSError`."""
        doing = getattr(self, f"_do_{request.get('do')}", None)
        if doing is None:
            raise Declined("unknown_request")
        answer: Message | None = await doing(visitor, request)
        return answer or {}

    async def _do_lobby(self, visitor: Visitor, request: Message) -> Message:
        cards = [room.card(inside=False) for room in self._rooms.values() if room.listed]
        kept = self.seat_kept(visitor.person.id)
        return {"tables": cards[:_LISTED], "people": len(self._visitors), "kept": kept}

    async def _do_open(self, visitor: Visitor, request: Message) -> Message:
        wish = wish_of(request)
        self._leave_for(visitor, None)
        if len(self._rooms) >= self.tables:
            raise Declined("club_full", n=self.tables)
        if not any(level is None for level in wish.levels):
            raise Declined("bad_request", field="levels")
        if wish.only:
            wish = wish._replace(only=(*wish.only, visitor.person.name))
        if visitor.person.guest and not wish.guests:
            raise Declined("no_guests_here")
        room = Room(self, secrets.token_hex(8), await self._new_code(), wish, visitor.person)
        room.computer_names(visitor.lang)
        log_event("table_opened", table=room.id, ruleset=wish.ruleset.id, seats=len(wish.levels))
        return await self._opened(visitor, room)

    async def _opened(self, visitor: Visitor, room: Room) -> Message:
        """The host sits down at a new table."""
        self._add(room)
        seat = room.sit(visitor, invited=True)
        return {"table": room.id, "code": room.code, "seat": seat}

    async def _do_sit(self, visitor: Visitor, request: Message) -> Message:
        room, invited = self._wanted(visitor, request)
        self._leave_for(visitor, room)
        seat = room.sit(visitor, invited=invited)
        return {"table": room.id, "code": room.code, "seat": seat, **self._way_back(visitor)}

    async def _do_watch(self, visitor: Visitor, request: Message) -> Message:
        room, _ = self._wanted(visitor, request)
        self._leave_for(visitor, room)
        room.watch(visitor)
        return {"table": room.id}

    async def _do_leave(self, visitor: Visitor, request: Message) -> None:
        self._room(visitor).leave(visitor)

    async def _do_start(self, visitor: Visitor, request: Message) -> None:
        self._room(visitor).start(visitor)

    async def _do_again(self, visitor: Visitor, request: Message) -> None:
        self._room(visitor).again(visitor)

    async def _do_computer(self, visitor: Visitor, request: Message) -> None:
        level = request.get("level")
        if level is not None and (not isinstance(level, str) or level not in LEVELS):
            raise Declined("bad_request", field="level")
        self._room(visitor).computer(visitor, number_of(request, "seat", 0, 3), level)

    async def _do_remove(self, visitor: Visitor, request: Message) -> None:
        self._room(visitor).remove(visitor, number_of(request, "seat", 0, 3))

    async def _do_vote(self, visitor: Visitor, request: Message) -> None:
        self._room(visitor).vote(visitor, number_of(request, "seat", 0, 3))

    async def _do_door(self, visitor: Visitor, request: Message) -> None:
        self._room(visitor).close_door(visitor, flag_of(request, "by_code", True))

    async def _do_say(self, visitor: Visitor, request: Message) -> None:
        self._room(visitor).say(visitor, text_of(request, "text", 1000))

    async def _do_phrase(self, visitor: Visitor, request: Message) -> None:
        self._room(visitor).phrase(visitor, text_of(request, "phrase"))

    async def _do_hash(self, visitor: Visitor, request: Message) -> None:
        self._room(visitor).hash(visitor, text_of(request, "hash"))

    async def _do_addition(self, visitor: Visitor, request: Message) -> None:
        self._room(visitor).addition(visitor, text_of(request, "addition"))

    async def _do_decide(self, visitor: Visitor, request: Message) -> None:
        seat, table = self._seat(visitor)
        serial = number_of(request, "serial", 0, 2**31)
        try:
            move = read_move(text_of(request, "move"))
        except NotPlain:
            raise Declined("bad_request", field="move") from None
        await table.seats[seat].decide(move, serial)

    async def _do_ready(self, visitor: Visitor, request: Message) -> None:
        seat, table = self._seat(visitor)
        await table.seats[seat].ready()

    async def _do_state(self, visitor: Visitor, request: Message) -> None:
        room = self._room(visitor)
        room.show(visitor)

    async def _do_name(self, visitor: Visitor, request: Message) -> Message:
        if visitor.room is not None:
            raise Declined("at_a_table")
        name = await self.identities.claim(visitor.person.id, text_of(request, "name"))
        visitor.person = visitor.person._replace(name=name)
        return {"name": name}

    async def _do_back(self, visitor: Visitor, request: Message) -> None:
        """A guest with the code of an earlier visit is that guest again."""
        if not visitor.person.guest or visitor.room is not None:
            raise Declined("not_now")
        self._tries.check(visitor.address)
        guest = self.identities.by_code(text_of(request, "code"))
        if guest is None:
            self._tries.wrong(visitor.address)
            raise Declined("wrong_code")
        before = visitor.person.id
        older = self._visitors.pop(guest, None)
        if older is not None:
            self._show_out(older)
        self._visitors.pop(before, None)
        self.identities.forget(before)
        visitor.person = Person(guest, self.identities.name(guest) or visitor.person.name, True)
        self._visitors[guest] = visitor

    async def _do_records(self, visitor: Visitor, request: Message) -> Message:
        return {"records": [] if visitor.person.guest else await self.libraries.waiting(visitor.person.id)}

    async def _do_record(self, visitor: Visitor, request: Message) -> Message:
        name = text_of(request, "name")
        if name not in await self.libraries.waiting(visitor.person.id):
            raise Declined("no_record")
        return {"record": await self.libraries.text(visitor.person.id, name)}

    async def _do_fetched(self, visitor: Visitor, request: Message) -> None:
        await self.libraries.fetched(visitor.person.id, text_of(request, "name"))

    # inside

    def _show_out(self, older: Visitor) -> None:
        """Somebody comes by another connection; this one ends."""
        room = self._rooms.get(older.room or "")
        if room is not None:
            room.notice("other_connection", name=older.person.name)
            room.drop(older)
        older.front.end("replaced")

    def _add(self, room: Room) -> None:
        self._rooms[room.id] = room
        self._codes[room.code] = room.id

    async def _new_code(self) -> str:
        while True:
            code = f"{secrets.randbelow(10**8):08}"
            if code not in self._codes:
                return code

    def _wanted(self, visitor: Visitor, request: Message) -> tuple[Room, bool]:
        """The table that is asked for, by its code or from the lobby, and whether by its code."""
        if "code" in request:
            self._tries.check(visitor.address)
            code = "".join(filter(str.isdigit, text_of(request, "code")))
            id = self._codes.get(code)
            if id is None:
                self._tries.wrong(visitor.address)
                raise Declined("wrong_code")
            return self._rooms[id], True
        room = self._rooms.get(text_of(request, "table"))
        own = room is not None and room.seat_of(visitor.person.id) is not None
        if room is None or (room.wish.by_code and not own):
            raise Declined("no_table")
        return room, own

    def _leave_for(self, visitor: Visitor, room: Room | None) -> None:
        """One table at a time: at another one nobody sits down before having left this one."""
        if visitor.room is not None and (room is None or visitor.room != room.id):
            raise Declined("at_a_table")
        kept = self.seat_kept(visitor.person.id)
        if kept is not None and (room is None or kept != room.id):
            if self._rooms[kept].phase in ("promising", "playing"):
                raise Declined("seat_kept", table=kept)
            self._rooms[kept].vacate(visitor.person.id)
        if room is not None and visitor.room == room.id:
            room.drop(visitor)

    def _room(self, visitor: Visitor) -> Room:
        room = self._rooms.get(visitor.room or "")
        if room is None:
            raise Declined("at_no_table")
        return room

    def _seat(self, visitor: Visitor) -> tuple[int, ClubTable]:
        room = self._room(visitor)
        seat = room.seat_of(visitor.person.id)
        if seat is None:
            raise Declined("only_watching")
        if room.table is None or room.phase != "playing":
            raise Declined("no_match")
        return seat, room.table

    def _way_back(self, visitor: Visitor) -> Message:
        if not visitor.person.guest or self.identities.code_hashes(visitor.person.id):
            return {}
        return {"way_back": self.identities.code_for(visitor.person.id)}

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(_TICK)
            now = time.monotonic()
            for room in tuple(self._rooms.values()):
                try:
                    stays = room.tick(now)
                except Exception:
                    log.exception("table %s", room.id)
                    continue
                if not stays:
                    await self._close(room)
            self.bar()

    async def _close(self, room: Room) -> None:
        self._rooms.pop(room.id, None)
        self._codes.pop(room.code, None)
        log_event("table_closed", table=room.id)
        await room.close()
        await self.logs.closed(room.id)
