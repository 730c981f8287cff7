"""The door's side of a visit to a table: it finds the server that carries the table, and follows it to another one."""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol

from kozel.engine.round import Refused
from kozel.net.chairs import Visitor
from kozel.net.cluster.carrier import Moved
from kozel.net.identity import Person
from kozel.net.wire import Declined, Message, result_of

log = logging.getLogger(__name__)

_ANSWER = 6.0
"""Seconds for a server to let somebody sit down."""
_LOOK_AGAIN = 0.25
STANDS_STILL = 1.5
"""Seconds for which a table that changes its server does so without a word."""
_AGAIN = ("ready", "vote", "door", "computer", "start", "again", "state", "leave", "remove")
"""What may be asked for once more where it is not known whether it was done."""


class Roads(Protocol):
    """What a visit needs of the club at its server."""

    id: str

    def carrier_of(self, table: str) -> str | None:
        """The server that carries a table and can be reached, None while there is none. Raises `Declined` for no table."""

    def send(self, server: str, message: Message) -> None:
        """Send a server a message."""

    async def record_of(self, person: Person, commitment: str) -> tuple[str | None, str | None]:
        """The name and the record of a match that ended while its table changed its server; None for a guest."""

    def new_number(self, visit: Visit) -> int:
        """A number by which the visit's messages find it."""

    def forget(self, visit: Visit) -> None:
        """The visit is at its end."""


class Visit:
    """Somebody at a table, by a door of this server."""

    def __init__(self, roads: Roads, visitor: Visitor, table: str, *, watching: bool, invited: bool) -> None:
        self._roads, self.visitor, self.table = roads, visitor, table
        self._watching, self._invited = watching, invited
        self.server = ""
        self.number = 0
        self._count = 0
        self._asked = 0
        self._answers: dict[int, asyncio.Future[Message]] = {}
        self._settled = asyncio.Event()
        self._look = asyncio.Event()
        self._settling: asyncio.Task[None] | None = None
        self._ended: Declined | None = None
        self._promising = False
        self._told_match = False
        self._match: str | None = None
        self._still = False
        self._serial = self._decisions = -1

    async def come(self) -> Message:
        """Sit down, or watch, for the first time; what is answered. Raises `Declined`."""
        until = asyncio.get_running_loop().time() + _ANSWER
        again = False
        while True:
            server = self._roads.carrier_of(self.table)
            if server is not None:
                try:
                    answer = await self._sit(server, again=again)
                except Moved:
                    again = True
                else:
                    self._settled.set()
                    return answer
            if asyncio.get_running_loop().time() > until:
                raise Declined("table_moves")
            await asyncio.sleep(_LOOK_AGAIN)

    async def ask(self, request: Message) -> Message:
        """Ask the table for something, wherever it is carried. Raises `Declined`, `Refused`."""
        do = request["do"]
        while True:
            await self._there()
            serial, decisions, match = self._serial, self._decisions, self._match
            if do == "decide" and request.get("serial") != serial and isinstance(request.get("serial"), int):
                raise Refused("stale")
            try:
                answer = await self._request(self.server, request)
            except Moved:
                if do == "decide":
                    await self._there()
                    if self._decisions > decisions or self._match != match:
                        return {}  # it was this seat's turn: nobody else can have decided
                    request = {**request, "serial": self._serial}
                elif do not in _AGAIN:
                    raise Declined("table_moved") from None
                continue
            if do == "leave":
                self.end()
            return answer

    def leave(self, why: str = "") -> None:
        """The connection at the door is gone."""
        if self.server:
            self._tell(self.server, {"request": {"do": "exit", "why": why}})
        self.end()

    def end(self, no: Declined | None = None) -> None:
        """The visit is over; `no` is what is told, where it was not the visitor's will."""
        if self._ended is not None:
            return
        self._ended = no or Declined("at_no_table")
        self._roads.forget(self)
        if self.visitor.room == self.table:
            self.visitor.room = None
        self._fail()
        self._settled.set()
        if self._settling is not None:
            self._settling.cancel()
        if no is not None:
            self.visitor.front.push({"now": "out", "why": no.kind})

    def settle(self) -> None:
        """The table is carried elsewhere, or something that was told is lost: sit down again."""
        self._fail()
        if self._ended is not None or not self._settled.is_set():
            self._look.set()
            return
        self._settled.clear()
        self._settling = asyncio.ensure_future(self._settle())

    def take(self, message: Message) -> None:
        """Something that the table's server tells."""
        if "re" in message and "count" not in message:
            if not message.get("moved"):
                raise ValueError("an answer without a count")
            self.settle()
            return
        self._count += 1
        if message["count"] != self._count:
            log.info("something told at table %s is lost", self.table)
            self.settle()
            return
        if "re" in message:
            future = self._answers.pop(message["re"], None)
            if future is not None and not future.done():
                if message.get("moved"):
                    future.set_exception(Moved())
                else:
                    future.set_result(message["answer"])
        if message.get("moved"):
            self.settle()
        elif "push" in message:
            self._pushed(message["push"])

    def stands_still(self, still: bool) -> None:
        """Tell that the table stands still, or goes on, once."""
        if still != self._still and self._ended is None:
            self._still = still
            kind = "stands_still" if still else "goes_on"
            self.visitor.front.push({"now": "notice", "kind": kind, "facts": {}})

    # inside

    def _pushed(self, message: Message) -> None:
        now = message["now"]
        if now == "match":
            self._told_match, self._promising, self._match = True, False, message["commitment"]
            self._serial, self._decisions = message["serial"], message["view"]["decisions"]
        elif now == "update":
            self._serial = message["serial"]
            self._decisions = message["view"].get("decisions", self._decisions)
        elif now == "promise":
            self._promising = True
        elif now in ("additions", "cancelled"):
            self._promising = False
        elif now == "over":
            self._match = None
        self.visitor.front.push(message)
        if now == "out":
            self.end()

    async def _there(self) -> None:
        while not self._settled.is_set():
            await self._settled.wait()
        if self._ended is not None:
            raise self._ended

    async def _sit(self, server: str, *, again: bool) -> Message:
        """Raises `Moved` where that server does not carry the table, or says nothing; `Declined`."""
        visitor = self.visitor
        self.server, self._count = server, 0
        self.number = self._roads.new_number(self)
        visitor.room = self.table
        do = "watch" if self._watching else "sit"
        request = {"do": do, "table": self.table, "again": again, "invited": self._invited}
        who = {
            "person": list(visitor.person),
            "lang": visitor.lang,
            "address": visitor.address,
            "adds": visitor.adds,
        }
        return await self._request(server, request, _ANSWER, who=who)

    async def _request(self, server: str, request: Message, seconds: float | None = None, **more: object) -> Message:
        self._asked += 1
        number = self._asked
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._answers[number] = future
        self._tell(server, {"n": number, "request": request, **more})
        try:
            return result_of(await asyncio.wait_for(future, seconds))
        except asyncio.TimeoutError:
            raise Moved from None
        finally:
            self._answers.pop(number, None)

    def _tell(self, server: str, message: Message) -> None:
        self._roads.send(server, {"to": "carrier", "from": self._roads.id, "visit": self.number, **message})

    def _fail(self) -> None:
        for future in self._answers.values():
            if not future.done():
                future.set_exception(Moved())
                future.exception()
        self._answers.clear()

    async def _settle(self) -> None:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while True:
            self._look.clear()
            self._told_match = False
            try:
                server = self._roads.carrier_of(self.table)
                if server is not None:
                    await self._sit(server, again=True)
                    break
            except Moved:
                pass
            except (Declined, Refused) as no:
                self.end(Declined("table_gone") if isinstance(no, Refused) or no.kind == "no_table" else no)
                return
            if loop.time() - begun > STANDS_STILL:
                self.stands_still(True)
            try:
                await asyncio.wait_for(self._look.wait(), _LOOK_AGAIN)
            except asyncio.TimeoutError:
                continue
        if self._promising and not self._told_match:
            self._promising = False
            self.visitor.front.push({"now": "cancelled", "seat": None, "name": None, "why": "table_moved"})
        if self._match is not None and not self._told_match:
            name, record = await self._roads.record_of(self.visitor.person, self._match)
            self._match = None
            self.visitor.front.push({"now": "over", "record": record, "name": name})
        self._settled.set()
        self.stands_still(False)
