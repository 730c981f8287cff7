"""Logs of tables on a JetStream: what is appended names the last entry that it knows, so that two never carry one table.

The log of a table is the subject `kozel.table.ID.log`. An entry is one of these kinds, told by its header `Kozel-Kind`:
`carry` (from here on a server carries the table; the entry's number is the *term*), `free` (it is handed over), `room`
(what the room must know to go on), `begin` (a match begins: the record's head), `record` (what a record's file would get:
a deal, a decision), `talk`, `cancelled`, `over` (the match is over), `closed`. The bodies of `begin` and of each `record`
after it are the game record, to the byte.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import statistics
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from nats.nuid import NUID

from kozel.engine.match import Dealt
from kozel.net.cluster.bus import FINISHED, TABLES, Away, Bus, Full, WrongLast, away
from kozel.net.logs import TakenUp
from kozel.net.wire import Message
from kozel.play.journal import Journal
from kozel.play.store import kept_text
from kozel.records.writing import deal_text, move_text

log = logging.getLogger(__name__)

FORMAT = 1
"""The format of entries. A log with an entry of a newer one is left as it is."""
STALL = 1.5
"""Seconds after which what waits to be appended is told."""
_TRY, _PAUSE = 1.0, 0.15
_PURGE_PATIENCE = 3
_PART = 500_000
"""Bytes of talk in one message: with a record it is still well below the 1 MB that NATS takes unless told otherwise."""

Reason = Literal["away", "full"]
Kind = Literal["carry", "free", "room", "begin", "record", "talk", "cancelled", "over", "closed"]


class TableLost(OSError):
    """Another server carries the table, or nobody any more."""

    def __init__(self, table: str) -> None:
        super().__init__(116, "another server carries the table", table)


class NewerLog(ValueError):
    """A log with entries that only a newer version knows."""


class Entry(NamedTuple):
    """An entry of a log. `sequence`: its number in the stream; `id`: its writer's own mark."""

    sequence: int
    kind: str
    format: int
    by: str
    id: str
    data: bytes


class Counts(NamedTuple):
    """What the status page tells of a server's appends; `median` and `p95` in milliseconds, of the last 1,000."""

    appended: int
    refused: int
    waiting: int
    median: float
    p95: float


class _Log:
    """What a server knows of a log that it writes. `last`: the number of its last entry."""

    def __init__(self, table: str, last: int, term: int) -> None:
        self.table, self.last, self.term = table, last, term
        self.lock = asyncio.Lock()
        self.lost = False
        self.room: Message = {}
        self.record: list[bytes] = []
        self.talk: list[bytes] = []
        self.errands: set[asyncio.Future[None]] = set()

    @property
    def subject(self) -> str:
        """Where it is."""
        return _subject(self.table)

    def note(self, kind: str, data: bytes) -> None:
        """What an entry of the log means for the match's record and its talk."""
        if kind == "begin":
            self.record, self.talk = [data], []
        elif kind == "record":
            self.record.append(data)
        elif kind == "talk":
            self.talk.append(data)
        elif kind == "over":
            self.record, self.talk = [], []


class StreamLogs:
    """The logs that one server writes. `lost` hears of a table that another server carries now, once.

    `stalled` hears the reason when what is to be appended waits, and None when it goes on.
    """

    def __init__(
        self, bus: Bus, server: str, *, lost: Callable[[str], None], stalled: Callable[[str, Reason | None], None]
    ) -> None:
        self._bus, self._server = bus, server
        self._on_lost, self._on_stalled = lost, stalled
        self._logs: dict[str, _Log] = {}
        self._names = NUID()
        self._abandoned = False
        self._appended = self._refused = self._waiting = 0
        self._latencies: deque[float] = deque(maxlen=1000)

    @property
    def counts(self) -> Counts:
        """How it went so far."""
        ordered = sorted(self._latencies)
        median = statistics.median(ordered) * 1000 if ordered else 0.0
        p95 = ordered[int(len(ordered) * 0.95)] * 1000 if ordered else 0.0
        return Counts(self._appended, self._refused, self._waiting, round(median, 2), round(p95, 2))

    def term(self, table: str) -> int:
        """Since which entry this server carries a table."""
        return self._logs[table].term

    def carries(self, table: str) -> bool:
        """Does this server believe that it carries the table?"""
        return table in self._logs

    # whose it is

    async def create(self, table: str) -> None:
        """A table that is new. Raises `TableLost` where there is one with that id, `Away`."""
        fresh = _Log(table, 0, 0)
        await self._carry(fresh)
        self._logs[table] = fresh

    async def take_up(self, table: str) -> TakenUp:
        """Carry a table from now on; see `Logs`. Raises `TableLost` where another server was faster or it is closed, too."""
        entries = await self.read(table)
        if not entries or entries[-1].kind == "closed":
            raise TableLost(table)
        if any(entry.format > FORMAT for entry in entries):
            raise NewerLog(table)
        taken = _Log(table, entries[-1].sequence, 0)
        playing = False
        for entry in entries:
            if entry.kind == "room":
                room = json.loads(entry.data)
                if not isinstance(room, dict):
                    raise ValueError(table)
                taken.room = room
            elif entry.kind in ("begin", "over"):
                playing = entry.kind == "begin"
            taken.note(entry.kind, entry.data)
        kept = kept_text(b"".join(taken.record), Path(taken.subject)) if playing else None
        await self._carry(taken)
        self._logs[table] = taken
        return TakenUp(taken.room, None if kept is None else (kept, StreamJournal(self, taken)))

    async def release(self, table: str) -> None:
        """Hand a table over, once all that waits is appended. Raises `OSError`."""
        held = self._held(table)
        await self._settled(held)
        await self._append(held, "free", b"")
        self._logs.pop(table, None)

    async def verify(self, table: str) -> bool:
        """Is a table still ours? Asked after this process stood still. Raises `Away`."""
        held = self._logs.get(table)
        if held is None:
            return False
        if held.lock.locked():
            return True  # what is being appended finds out by itself
        last = await self._bus.last(TABLES, held.subject)
        if not held.lock.locked() and (last is None or last.sequence != held.last):
            self._lose(held)
            return False
        return True

    def abandon(self) -> None:
        """The server stops: what still waits is given up, and was told to nobody."""
        self._abandoned = True

    # what `Logs` asks for

    async def begin(self, table: str, head: str) -> Journal:
        """A new match at a table; see `Logs`."""
        held = self._held(table)
        await self._settled(held)
        await self._append(held, "begin", head.encode())
        return StreamJournal(self, held)

    def carried(self) -> list[str]:
        """None: what a server is to carry the club finds by itself."""
        return []

    def keep_room(self, table: str, room: Message) -> None:
        """Keep what the room must know to go on, in order with all else; see `Logs`."""
        held = self._held(table)
        if room != held.room:
            held.room = room
            self._errand(held, self._append(held, "room", _json(room)))

    def talk(self, table: str, line: Message) -> None:
        """Keep a line of talk; see `Logs`."""
        held = self._held(table)
        self._errand(held, self._append(held, "talk", _json(line)))

    def cancelled(self, table: str, facts: Message) -> None:
        """A match was cancelled before its first deal; see `Logs`."""
        held = self._held(table)
        self._errand(held, self._append(held, "cancelled", _json(facts)))

    async def text(self, table: str) -> str:
        """The record as it stands; see `Logs`."""
        return b"".join(self._held(table).record).decode()

    async def over(self, table: str, name: str) -> None:
        """The match is over: the record is put away, and the log begins again; see `Logs`."""
        held = self._held(table)
        await self._settled(held)
        await self._put_away(held, name)
        await self._append(held, "over", _json({"name": name}))
        await self._append(held, "room", _json(held.room))
        await self._purge(held, held.last)

    async def closed(self, table: str) -> None:
        """Nobody comes to the table any more; see `Logs`."""
        held = self._logs.get(table)
        if held is None:
            return
        with contextlib.suppress(TableLost):
            await self._settled(held)
            await self._append(held, "closed", b"")
            self._logs.pop(table, None)
            await self._purge(held, None)

    # inside

    async def write(self, held: _Log, text: str) -> None:
        """What a record's file would get."""
        await self._append(held, "record", text.encode())

    async def read(self, table: str) -> list[Entry]:
        """All entries of a table's log. Raises `Away`."""
        stored = await self._bus.entries(TABLES, _subject(table))
        return [_entry(each.sequence, each.headers, each.data) for each in stored]

    def _held(self, table: str) -> _Log:
        held = self._logs.get(table)
        if held is None:
            raise TableLost(table)
        return held

    async def _carry(self, held: _Log) -> None:
        await self._append(held, "carry", _json({"server": self._server}), quietly=True)
        held.term = held.last

    def _append(self, held: _Log, kind: Kind, data: bytes, *, quietly: bool = False) -> asyncio.Future[None]:
        """Append an entry, in the order of the calls, whatever it takes, even if whoever asked is gone by then.

        It counts when what is returned is done, and not when that raises `TableLost`.
        """
        task = asyncio.ensure_future(self._appending(held, kind, data, quietly))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return asyncio.shield(task)

    async def _appending(self, held: _Log, kind: Kind, data: bytes, quietly: bool) -> None:
        async with held.lock:
            if held.lost:
                raise TableLost(held.table)
            mark = self._names.next().decode()
            headers = {"Kozel-Kind": kind, "Kozel-Format": str(FORMAT), "Kozel-By": self._server}
            begun = time.monotonic()
            self._waiting += 1
            try:
                await self._insist(held, lambda: self._try(held, data, mark, headers), quietly)
                held.note(kind, data)
                self._appended += 1
                self._latencies.append(time.monotonic() - begun)
            except TableLost:
                self._refused += 1
                self._lose(held)
                raise
            finally:
                self._waiting -= 1

    async def _insist(self, held: _Log, doing: Callable[[], Awaitable[Reason | None]], quietly: bool = False) -> None:
        """Again and again until it is done, and a word where that takes long. Raises `Away` where the server stops."""
        begun, told = time.monotonic(), False
        try:
            while (reason := await doing()) is not None:
                if self._abandoned:
                    raise Away(held.subject)
                if not told and not quietly and time.monotonic() - begun > STALL:
                    told = True
                    self._on_stalled(held.table, reason)
                await asyncio.sleep(_PAUSE)
        finally:
            if told:
                self._on_stalled(held.table, None)

    async def _try(self, held: _Log, data: bytes, mark: str, headers: dict[str, str]) -> Reason | None:
        """None where the entry is appended, else why it is not known to be. Raises `TableLost`."""
        try:
            held.last = await self._bus.append(
                TABLES, held.subject, data, mark, expected=held.last, headers=headers, seconds=_TRY
            )
        except WrongLast:
            raise TableLost(held.table) from None
        except Full:
            return "full"
        except Away:
            return "away"
        return None

    def _lose(self, held: _Log) -> None:
        if not held.lost:
            held.lost = True
            if self._logs.get(held.table) is held:
                del self._logs[held.table]
                log.warning("table %s is carried by another server", held.table)
                self._on_lost(held.table)

    @staticmethod
    def _errand(held: _Log, doing: asyncio.Future[None]) -> None:
        held.errands.add(doing)
        doing.add_done_callback(held.errands.discard)
        doing.add_done_callback(lambda done: done.cancelled() or done.exception())

    @staticmethod
    async def _settled(held: _Log) -> None:
        while held.errands:
            await asyncio.wait(tuple(held.errands))

    async def _put_away(self, held: _Log, name: str) -> None:
        """The record and the talk of a match that is over. A server that dies after it does it again, to the same end."""
        subject, talk = f"kozel.finished.{name}", list(_parts(held.talk))
        record = b"".join(held.record).decode()
        parts = [{"record": record, "talk": talk[0] if talk else []}, *({"talk": part} for part in talk[1:])]

        async def put() -> Reason | None:
            try:
                there = await self._bus.entries(FINISHED, subject)
                last = there[-1].sequence if there else 0
                for n, part in enumerate(parts[len(there) :], len(there)):
                    mark = f"{name} {n}" if n else name
                    last = await self._bus.append(FINISHED, subject, _json(part), mark, expected=last, seconds=_TRY)
            except Full:
                return "full"
            except (Away, WrongLast):
                return "away"
            return None

        await self._insist(held, put)

    async def _purge(self, held: _Log, before: int | None) -> None:
        """Entries that nobody needs any more; where it cannot be done, they only take room."""
        for _ in range(_PURGE_PATIENCE):
            with contextlib.suppress(Away), away(held.subject):
                await self._bus.js.purge_stream(TABLES, seq=before, subject=held.subject)
                return


class StreamJournal:
    """A match's journal in its table's log."""

    def __init__(self, logs: StreamLogs, held: _Log) -> None:
        self._logs, self._held = logs, held

    async def deal(self, dealt: Dealt) -> None:
        """A deal; see `Journal`."""
        await self._logs.write(self._held, deal_text(dealt))

    async def decide(self, move: str) -> None:
        """A decision; see `Journal`."""
        await self._logs.write(self._held, move_text(move))

    async def secure(self) -> None:
        """All that was told is on the stream."""

    def close(self) -> None:
        """The log stays the table's."""


def _subject(table: str) -> str:
    return f"kozel.table.{table}.log"


def _parts(lines: list[bytes]) -> Iterator[list[Any]]:
    """Lines of talk in parts that NATS takes as one message each."""
    part: list[Any] = []
    size = 0
    for line in lines:
        if part and size + len(line) > _PART:
            yield part
            part, size = [], 0
        part.append(json.loads(line))
        size += len(line)
    if part:
        yield part


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _entry(sequence: int, headers: Any, data: bytes) -> Entry:
    format = str(headers.get("Kozel-Format", "0"))
    return Entry(
        sequence,
        str(headers.get("Kozel-Kind", "")),
        int(format) if format.isdecimal() else FORMAT + 1,
        str(headers.get("Kozel-By", "")),
        str(headers.get("Nats-Msg-Id", "")),
        data,
    )
