"""Where a match's log is kept and who carries a table: all that has to change for tables that many servers carry.

The log of a table is the game record, appended to; beside it stands what the room must know to go on (who sits where, the
settings). Here both are files of one server, readable by it alone while the match runs.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from kozel.files import write_durably
from kozel.net.wire import Message
from kozel.play.store import Folder, Kept, MatchFile, read_kept, take
from kozel.play.table import Journal

_RECORD, _ROOM, _TALK = "record.yaml", "room.json", "talk.jsonl"
_TABLE = re.compile(r"[0-9a-f]{16}")


class Logs(Protocol):
    """Keeps the logs of tables. What is given here as a table is its id, 16 hex digits."""

    def begin(self, table: str, head: str) -> Journal:
        """A new match at a table: its log begins with the record's head. Raises `OSError`."""

    def go_on(self, table: str) -> tuple[Kept, Journal]:
        """The log of a match in progress, carried by this server from now on. Raises `OSError`, `Unusable`."""

    def carried(self) -> Iterator[str]:
        """The tables with a match in progress that this server is to carry."""

    def room(self, table: str) -> Message:
        """What was kept of a room; empty where nothing is."""

    def keep_room(self, table: str, room: Message) -> None:
        """Keep what the room must know to go on. Raises `OSError`."""

    def talk(self, table: str, line: Message) -> None:
        """Keep a line of talk with the match."""

    def text(self, table: str) -> str:
        """The record as it stands. Raises `OSError`."""

    def over(self, table: str, name: str) -> None:
        """The match is over: its log is put away under a name, and the table can begin another."""

    def cancelled(self, table: str, facts: Message) -> None:
        """A match was cancelled before its first deal: that is kept."""


class FileLogs:
    """Logs in a folder of this machine: `tables/ID/` while a match runs, `finished/` after it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for each in (folder, folder / "tables", folder / "finished"):
            each.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(OSError):
                each.chmod(0o700)

    def begin(self, table: str, head: str) -> Journal:
        """A new match at a table; see `Logs`."""
        where = self._folder / "tables" / table
        where.mkdir(exist_ok=True, mode=0o700)
        return MatchFile.create(where / _RECORD, head, private=True)

    def go_on(self, table: str) -> tuple[Kept, Journal]:
        """The log of a match in progress; see `Logs`."""
        return take(read_kept(self._folder / "tables" / table / _RECORD, ours=True))

    def carried(self) -> Iterator[str]:
        """The tables with a match in progress."""
        for path in sorted((self._folder / "tables").iterdir()):
            if _TABLE.fullmatch(path.name) and (path / _RECORD).exists() and (path / _ROOM).exists():
                yield path.name

    def room(self, table: str) -> Message:
        """What was kept of a room; see `Logs`."""
        try:
            kept: Any = json.loads((self._folder / "tables" / table / _ROOM).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}

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

    def text(self, table: str) -> str:
        """The record as it stands; see `Logs`."""
        return (self._folder / "tables" / table / _RECORD).read_text(encoding="utf-8")

    def over(self, table: str, name: str) -> None:
        """The match is over; see `Logs`."""
        where = self._folder / "tables" / table
        with contextlib.suppress(OSError):
            (where / _RECORD).replace(self._folder / "finished" / f"{name}.yaml")
        with contextlib.suppress(OSError):
            (where / _TALK).replace(self._folder / "finished" / f"{name}.talk.jsonl")
        shutil.rmtree(where, ignore_errors=True)

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

    def add(self, person: str, name: str, text: str) -> str:
        """Put a record into a key's library, once; its name there. Raises `OSError`."""
        content = text.encode()
        for path in self.of(person).records():
            if path.stat().st_size == len(content) and path.read_bytes() == content:
                return path.stem
        write_private(self.of(person).matches / f"{name}.yaml", text)
        self._note(person, [*self.waiting(person), name])
        return name

    def waiting(self, person: str) -> list[str]:
        """The names of the records that the key's own program has not fetched yet."""
        try:
            names: Any = json.loads(self._list(person).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []

    def text(self, person: str, name: str) -> str:
        """A record of a key's library. Raises `OSError`."""
        return (self.of(person).matches / f"{name}.yaml").read_text(encoding="utf-8")

    def fetched(self, person: str, name: str) -> None:
        """The key's own program has the record now."""
        names = self.waiting(person)
        if name in names:
            self._note(person, [each for each in names if each != name])

    def _list(self, person: str) -> Path:
        return self.of(person).path / "waiting.json"

    def _note(self, person: str, names: list[str]) -> None:
        write_private(self._list(person), json.dumps(names))


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read, whole or not at all. Raises `OSError`."""
    write_durably(path, text, private=True)
