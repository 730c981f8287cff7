"""Where a match's log is kept and who carries a table: all that has to change for tables that many servers carry.

The log of a table is the game record, appended to; beside it stands what the room must know to go on (who sits where, the
settings). Here both are files of one server, readable by it alone while the match runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import shutil
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from kozel.files import write_durably
from kozel.net.wire import Message
from kozel.play.journal import FileJournal, Journal
from kozel.play.store import Folder, Kept, MatchFile, read_kept, take

_RECORD, _ROOM, _TALK = "record.yaml", "room.json", "talk.jsonl"
_TABLE = re.compile(r"[0-9a-f]{16}")


class TakenUp(NamedTuple):
    """A table that is carried from now on: what was kept of its room, and the match in progress there with its journal."""

    room: Message
    match: tuple[Kept, Journal] | None


class Logs(Protocol):
    """Keeps the logs of tables. What is given here as a table is its id, 16 hex digits."""

    async def begin(self, table: str, head: str) -> Journal:
        """A new match at a table: its log begins with the record's head. Raises `OSError`."""

    async def take_up(self, table: str) -> TakenUp:
        """Carry a table from now on. Raises `OSError`, `Unusable`, `ValueError` for a log that cannot be gone on with."""

    def carried(self) -> list[str]:
        """The tables that this server is to carry when it starts."""

    def keep_room(self, table: str, room: Message) -> None:
        """Keep what the room must know to go on. Raises `OSError`."""

    def talk(self, table: str, line: Message) -> None:
        """Keep a line of talk with the match."""

    async def text(self, table: str) -> str:
        """The record as it stands. Raises `OSError`."""

    async def over(self, table: str, name: str) -> None:
        """The match is over: its log is put away under a name, and the table can begin another."""

    async def closed(self, table: str) -> None:
        """Nobody comes to the table any more, and no match is in progress."""

    def cancelled(self, table: str, facts: Message) -> None:
        """A match was cancelled before its first deal: that is kept. Raises `OSError`."""


class FileLogs:
    """Logs in a folder of this machine: `tables/ID/` while a match runs, `finished/` after it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for each in (folder, folder / "tables", folder / "finished"):
            each.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(OSError):
                each.chmod(0o700)

    async def begin(self, table: str, head: str) -> Journal:
        """A new match at a table; see `Logs`."""
        where = self._folder / "tables" / table
        where.mkdir(exist_ok=True, mode=0o700)
        return FileJournal(await asyncio.to_thread(MatchFile.create, where / _RECORD, head, private=True))

    async def take_up(self, table: str) -> TakenUp:
        """Carry a table from now on; see `Logs`."""
        where = self._folder / "tables" / table
        room: Any = json.loads((where / _ROOM).read_text(encoding="utf-8"))
        if not isinstance(room, dict):
            raise ValueError(_ROOM)
        kept, record = await asyncio.to_thread(lambda: take(read_kept(where / _RECORD, ours=True)))
        return TakenUp(room, (kept, FileJournal(record)))

    def carried(self) -> list[str]:
        """The tables with a match in progress."""
        return [
            path.name
            for path in sorted((self._folder / "tables").iterdir())
            if _TABLE.fullmatch(path.name) and (path / _RECORD).exists() and (path / _ROOM).exists()
        ]

    def keep_room(self, table: str, room: Message) -> None:
        """Keep what the room must know to go on; see `Logs`."""
        where = self._folder / "tables" / table
        where.mkdir(exist_ok=True, mode=0o700)
        write_private(where / _ROOM, json.dumps(room, ensure_ascii=False))

    def talk(self, table: str, line: Message) -> None:
        """Keep a line of talk; where that cannot be, it was said all the same."""
        with contextlib.suppress(OSError):
            file = os.open(self._folder / "tables" / table / _TALK, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(file, "a", encoding="utf-8") as stream:
                stream.write(json.dumps(line, ensure_ascii=False) + "\n")

    async def text(self, table: str) -> str:
        """The record as it stands; see `Logs`."""
        return (self._folder / "tables" / table / _RECORD).read_text(encoding="utf-8")

    async def over(self, table: str, name: str) -> None:
        """The match is over; see `Logs`."""
        where = self._folder / "tables" / table
        with contextlib.suppress(OSError):
            (where / _RECORD).replace(self._folder / "finished" / f"{name}.yaml")
        with contextlib.suppress(OSError):
            (where / _TALK).replace(self._folder / "finished" / f"{name}.talk.jsonl")
        shutil.rmtree(where, ignore_errors=True)

    async def closed(self, table: str) -> None:
        """Nobody comes to the table any more; see `Logs`."""
        if table not in self.carried():
            shutil.rmtree(self._folder / "tables" / table, ignore_errors=True)

    def cancelled(self, table: str, facts: Message) -> None:
        """A match was cancelled before its first deal; see `Logs`."""
        file = os.open(self._folder / "cancelled.jsonl", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(file, "a", encoding="utf-8") as stream:
            stream.write(json.dumps({"table": table, **facts}, ensure_ascii=False) + "\n")


class Libraries:
    """The finished matches of people with a key, by key: what they have at the server, and what is still to be fetched."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of(self, person: str) -> Folder:
        """A key's own data folder on the server."""
        return Folder(self._folder / re.sub(r"[^A-Za-z0-9]", "_", person))

    async def add(self, person: str, ruleset: str, day: date, text: str) -> str:
        """Put a record into a key's library, once; its name there. Raises `OSError`."""
        content = text.encode()
        for path in self.of(person).records():
            if path.stat().st_size == len(content) and path.read_bytes() == content:
                return path.stem
        name = self.of(person).new_match(ruleset, day).stem
        write_private(self.of(person).matches / f"{name}.yaml", text)
        self._note(person, [*await self.waiting(person), name])
        return name

    async def waiting(self, person: str) -> list[str]:
        """The names of the records that the key's own program has not fetched yet."""
        try:
            names: Any = json.loads(self._list(person).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []

    async def text(self, person: str, name: str) -> str:
        """A record of a key's library. Raises `OSError`."""
        return (self.of(person).matches / f"{name}.yaml").read_text(encoding="utf-8")

    async def fetched(self, person: str, name: str) -> None:
        """The key's own program has the record now."""
        names = await self.waiting(person)
        if name in names:
            self._note(person, [each for each in names if each != name])

    async def open(self, person: str) -> Folder:
        """A key's data folder, with all that the library holds."""
        return self.of(person)

    async def put_back(self, person: str) -> None:
        """What was changed in an opened folder counts from now on."""

    def _list(self, person: str) -> Path:
        return self.of(person).path / "waiting.json"

    def _note(self, person: str, names: list[str]) -> None:
        write_private(self._list(person), json.dumps(names))


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read, whole or not at all. Raises `OSError`."""
    write_durably(path, text, private=True)
