"""The rooms' side of a visit: people who sit at tables of this server, whichever server they came in by."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from kozel.net.chairs import Visitor
from kozel.net.cluster.stream_logs import TableLost
from kozel.net.door_two import SeatTeller
from kozel.net.identity import Person
from kozel.net.room import Room
from kozel.net.wire import Message, answered
from kozel.play.club_table import ClubTable
from kozel.play.table import TableSeat

Send = Callable[[str, Message], None]
Key = tuple[str, int]
"""A server, and the number of a visit there."""


class Moved(Exception):
    """This server does not carry the table, or the visit is not known here."""


class Seated:
    """Somebody at a table of this server: a `Front` that tells the server that they came in by."""

    def __init__(self, key: Key, visitor: Message, send: Send) -> None:
        self.key, self._send = key, send
        id, name, guest = visitor["person"]
        self.visitor = Visitor(Person(id, name, guest), self, visitor["lang"], visitor["address"], visitor["adds"])
        self._count = 0
        self._teller = SeatTeller(self.push)
        self.requests: asyncio.Queue[Message] = asyncio.Queue()
        self.task: asyncio.Task[None] | None = None

    def push(self, message: Message) -> None:
        """Something that this person may know."""
        self.tell({"push": message})

    def begin(self, room: str, table: ClubTable, seat: TableSeat) -> None:
        """A match is in progress."""
        self._teller.begin(room, table, seat)

    def end(self, why: str) -> None:
        """Only the server that they came in by shows people out."""

    def tell(self, message: Message) -> None:
        """Send something; whoever gets it sees by the count whether something was lost."""
        server, visit = self.key
        self._count += 1
        self._send(server, {"visit": visit, "count": self._count, **message})

    def stop(self) -> None:
        """Nothing more is told, and no more is asked."""
        self._teller.stop()
        if self.task is not None:
            self.task.cancel()


class Carrier:
    """All who sit at this server's tables. `ask` carries a request out, as a club without other servers does."""

    def __init__(
        self,
        rooms: Callable[[str], Room | None],
        ask: Callable[[Visitor, Message], Awaitable[Message]],
        send: Send,
    ) -> None:
        self._rooms, self._ask, self._send = rooms, ask, send
        self._seated: dict[Key, Seated] = {}

    def take(self, message: Message) -> None:
        """A request of a visit, or that it is at its end."""
        key = (str(message["from"]), int(message["visit"]))
        seated = self._seated.get(key)
        if seated is None:
            if "who" not in message:
                self._send(key[0], {"visit": key[1], "re": message.get("n"), "moved": True})
                return
            seated = self._seated[key] = Seated(key, message["who"], self._send)
            seated.task = asyncio.ensure_future(self._serve(seated))
        seated.requests.put_nowait(message)

    def server_gone(self, server: str) -> None:
        """A server is gone, and with it the connections of those who came in by it."""
        for seated in [each for each in self._seated.values() if each.key[0] == server]:
            self._part(seated)
            room = self._room(seated)
            if room is not None:
                room.drop(seated.visitor)

    def part_from(self, room: Room) -> None:
        """A room is carried by another server now: whoever sits there goes on there."""
        for seated in [each for each in self._seated.values() if each.visitor.room == room.id]:
            self._part(seated)
            room.part(seated.visitor)
            seated.tell({"moved": True})

    def close(self) -> None:
        """Nothing more is taken."""
        for seated in tuple(self._seated.values()):
            self._part(seated)

    async def _serve(self, seated: Seated) -> None:
        while True:
            request = await seated.requests.get()
            number = request.get("n")
            try:
                answer = await answered(self._carry_out(seated, request), (Moved, TableLost))
            except (Moved, TableLost):
                seated.tell({"re": number, "moved": True})
                continue
            if number is not None:
                seated.tell({"re": number, "answer": answer})
            if seated.visitor.room is None:
                self._seated.pop(seated.key, None)
                return

    async def _carry_out(self, seated: Seated, message: Message) -> Message:
        request: Message = message["request"]
        visitor, do = seated.visitor, request["do"]
        if do == "exit":
            self._exit(seated, str(request.get("why")))
            return {}
        if do not in ("sit", "watch"):
            if self._room(seated) is None:
                raise Moved
            return await self._ask(visitor, request)
        room = self._rooms(str(request["table"]))
        if room is None:
            raise Moved
        if request["again"]:
            self._replace(room, seated)
        if do == "watch":
            room.watch(visitor, quietly=request["again"])
            return {"table": room.id}
        seat = room.sit(visitor, invited=request["invited"])
        return {"table": room.id, "code": room.code, "seat": seat}

    def _replace(self, room: Room, seated: Seated) -> None:
        """The same person comes again by the same door: the visit before is forgotten."""
        for other in [each for each in self._seated.values() if each is not seated and each.visitor.room == room.id]:
            if other.visitor.person.id == seated.visitor.person.id and other.key[0] == seated.key[0]:
                self._part(other)
                room.part(other.visitor)

    def _exit(self, seated: Seated, why: str) -> None:
        room = self._room(seated)
        self._seated.pop(seated.key, None)
        if room is None:
            return
        if why == "other_connection":
            room.notice("other_connection", name=seated.visitor.person.name)
        room.drop(seated.visitor)

    def _room(self, seated: Seated) -> Room | None:
        return self._rooms(seated.visitor.room or "")

    def _part(self, seated: Seated) -> None:
        self._seated.pop(seated.key, None)
        seated.stop()
