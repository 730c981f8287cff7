"""Door two, the server's side: requests and answers, views and events, as JSON lines over any channel."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from kozel import __version__
from kozel.engine.events import Event
from kozel.engine.plain import plain
from kozel.engine.seen import View
from kozel.locales import languages
from kozel.net.chairs import Visitor
from kozel.net.club import Club
from kozel.net.limits import Bucket
from kozel.net.wire import LONGEST_REQUEST, VERSION, BadLine, Declined, Message, answered, decode, encode
from kozel.play.club_table import ClubTable
from kozel.play.seat import Update
from kozel.play.table import TableSeat

log = logging.getLogger(__name__)

REQUESTS_A_SECOND, REQUESTS_AT_ONCE = 20.0, 60.0


class DoorTwo:
    """One connection of an installed game. `send` takes a line, `hang_up` ends the connection after what was sent."""

    def __init__(
        self, club: Club, id: str, address: str, send: Callable[[bytes], None], hang_up: Callable[[], None]
    ) -> None:
        self._club, self._id, self._address = club, id, address
        self._send, self._hang_up = send, hang_up
        self._visitor: Visitor | None = None
        self._bucket = Bucket(REQUESTS_A_SECOND, REQUESTS_AT_ONCE)
        self._teller = SeatTeller(self.push)
        self._over = False

    @property
    def greeted(self) -> bool:
        """Has the other side said who it is?"""
        return self._visitor is not None

    async def receive(self, line: bytes) -> None:
        """A line from the other side. Waits where there are too many; never raises."""
        wait = self._bucket.take()
        if wait > 0:
            await asyncio.sleep(wait)
        if self._over:
            return
        try:
            request = decode(line)
        except BadLine:
            self.refuse("bad_line")
            return
        number = request.get("id")
        if not isinstance(number, int) or isinstance(number, bool) or abs(number) > 2**53:
            self.refuse("bad_line")
            return
        self._answer(number, await self._done(request))

    def too_long(self) -> None:
        """A line was longer than any request is."""
        self.refuse("line_too_long", most=LONGEST_REQUEST)

    def refuse(self, kind: str, **facts: object) -> None:
        """End the connection for a reason."""
        if not self._over:
            self.push({"now": "end", "why": kind, "facts": facts})
            self._close()

    def lost(self) -> None:
        """The connection is gone."""
        self._over = True
        self._teller.stop()
        if self._visitor is not None:
            self._club.exit(self._visitor)
            self._visitor = None

    # what the club tells

    def push(self, message: Message) -> None:
        """Something that this person may know."""
        if not self._over:
            self._send(encode(message))

    def begin(self, room: str, table: ClubTable, seat: TableSeat) -> None:
        """A match is in progress: its whole view, and every update from now on."""
        self._teller.begin(room, table, seat)

    def end(self, why: str) -> None:
        """The person is shown out."""
        self.refuse(why)

    # inside

    async def _done(self, request: Message) -> Message:
        if request.get("do") == "hello":
            return self._checked_version(request) or await answered(self._hello(request))
        if self._visitor is None:
            return {"no": "hello_first", "facts": {}}
        return await answered(self._club.ask(self._visitor, request))

    @staticmethod
    def _checked_version(request: Message) -> Message | None:
        """The refusal of a client that speaks no version of ours."""
        versions = request.get("versions")
        if isinstance(versions, list) and VERSION in versions:
            return None
        known = [each for each in versions if isinstance(each, int)] if isinstance(versions, list) else []
        kind = "older" if known and max(known) < VERSION else "newer"
        return {"no": f"version_{kind}", "facts": {"server": __version__, "versions": [VERSION]}}

    async def _hello(self, request: Message) -> Message:
        if self._visitor is not None:
            raise Declined("not_now")
        lang = request.get("lang")
        lang = lang if isinstance(lang, str) and lang in languages() else "en"
        wanted = request.get("name")
        wanted = wanted if isinstance(wanted, str) and wanted else "Player"
        club = self._club
        if request.get("default_name") is True and club.identities.name(self._id) is None:
            wanted = club.identities.proposed(wanted)
        self._visitor = await club.enter(self._id, wanted, self, lang=lang, address=self._address, adds=True)
        club.identities.set_lang(self._id, lang)
        return {
            "version": VERSION,
            "server": club.name,
            "program": __version__,
            "you": self._visitor.person.name,
            "key": self._id,
            "kept": club.seat_kept(self._id),
            "servers": club.servers,
        }

    def _answer(self, number: int, answer: Message) -> None:
        self.push({"re": number, **answer})

    def _close(self) -> None:
        self._over = True
        self._teller.stop()
        self._hang_up()


class SeatTeller:
    """Tells a seat's match as messages: its whole view when it begins, then every update."""

    def __init__(self, push: Callable[[Message], None]) -> None:
        self._push = push
        self._stop: Callable[[], None] | None = None
        self._view: View | None = None

    def begin(self, room: str, table: ClubTable, seat: TableSeat) -> None:
        """A match is in progress."""
        self.stop()
        seating, view = table.seating, seat.view
        self._view = view
        self._stop = seat.listen(self._hear)
        self._push(
            {
                "now": "match",
                "table": room,
                "seat": seat.number,
                "ruleset": seating.ruleset.id,
                "options": dict(seating.options),
                "pairs": seating.pairs,
                "players": list(seating.players),
                "levels": list(seating.levels),
                "commitment": table.shuffle.commitment,
                "hashes": list(table.shuffle.hashes),
                "additions": list(table.shuffle.additions),
                "serial": table.serial,
                "view": _fields(view),
            }
        )

    def stop(self) -> None:
        """Nothing more is told."""
        if self._stop is not None:
            self._stop()
            self._stop = None

    def _hear(self, update: Update) -> None:
        before, self._view = self._view, update.view
        events = [plain(event) for event in update.events]
        told = changes(before, update.view, update.events)
        self._push({"now": "update", "serial": update.serial, "events": events, "view": told})


def changes(before: View | None, after: View, events: tuple[Event, ...]) -> Message:
    """The fields of a view that are not as they were, when these events have come.

    `log` is left out where the events were added to it; of `past` what was added stands under `past+`.
    """
    if before is None:
        return _fields(after)
    told: Message = {}
    for field in View._fields:
        old, new = getattr(before, field), getattr(after, field)
        if new is old or new == old or (field == "log" and new == (*old, *events)):
            continue
        if field == "past" and new[: len(old)] == old:
            told["past+"] = [plain(each) for each in new[len(old) :]]
        else:
            told[field] = plain(new)
    return told


def _fields(view: View) -> Message:
    return {field: plain(value) for field, value in zip(View._fields, view, strict=True)}
