"""What all servers of a club have in common besides its tables: names, libraries, bars."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from nats.nuid import NUID

from kozel.net.cluster.bus import Away, Bus, Stored, WrongLast, bucket_place
from kozel.net.cluster.replica import Replica, Taken
from kozel.net.identity import Kind
from kozel.net.limits import Barred, Bars, barred_in
from kozel.net.logs import Libraries, write_private
from kozel.net.wire import Message
from kozel.play.store import Folder

_RECORDS = "kozel_records"
_LIST = "list"
_PATIENCE = 5.0


def hashed(text: str) -> str:
    """Text as a part of a key: 128 bits of its SHA-256, in hex digits."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class SharedBook:
    """The names of all servers: a `Book` on a bucket."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica

    def get(self, kind: Kind, key: str) -> Any:
        """What is noted; see `Book`."""
        noted = self._replica.get(_key(kind, key))
        return noted["value"] if isinstance(noted, dict) else None

    def keep(self, kind: Kind, key: str, value: Any) -> None:
        """Note something; see `Book`."""
        self._replica.later(_key(kind, key), None if value is None else {"key": key, "value": value})

    async def take(self, kind: Kind, key: str, value: str) -> bool:
        """Note something that nobody else has noted, here or at another server; see `Book`."""
        if self.get(kind, key) == value:
            return True
        try:
            await self._replica.create(_key(kind, key), {"key": key, "value": value})
        except Taken:
            return bool(self.get(kind, key) == value)
        return True

    def keys(self, kind: Kind, value: str) -> list[str]:
        """The keys for which this is noted."""
        return [
            noted["key"]
            for key, noted in self._replica.items()
            if key.startswith(f"{kind}.") and isinstance(noted, dict) and noted["value"] == value
        ]


def _key(kind: Kind, key: str) -> str:
    return f"{kind}.{hashed(key)}"


class SharedLibraries(Libraries):
    """Libraries on a bucket; a folder of this machine holds what a visitor of plain ssh opens.

    Of each key there is a list, `{name: {"hash": of the record, "waiting": not fetched yet}}`, and beside it the records.
    """

    def __init__(self, folder: Path, bus: Bus) -> None:
        super().__init__(folder)
        self._bus = bus
        self._opened: dict[str, set[str]] = {}
        self._marks = NUID()

    async def add(self, person: str, ruleset: str, day: date, text: str) -> str:
        """Put a record into a key's library, once; its name there. Raises `OSError`."""
        digest = hashlib.sha256(text.encode()).hexdigest()
        listed = await self._list_of(person)
        there = _name_of(listed, digest)
        if there is not None:
            return there
        await self._put(person, digest, text.encode())
        name = ""

        def put(listed: Message) -> None:
            nonlocal name
            name = _name_of(listed, digest) or next(
                free for n in range(1, 10_000) if (free := f"{day.isoformat()}-{n}-{ruleset}") not in listed
            )
            listed.setdefault(name, {"hash": digest, "waiting": True})

        await self._change(person, put)
        return name

    async def waiting(self, person: str) -> list[str]:
        """The names of the records that the key's own program has not fetched yet. Raises `OSError`."""
        return [name for name, entry in (await self._list_of(person)).items() if entry["waiting"]]

    async def text(self, person: str, name: str) -> str:
        """A record of a key's library. Raises `OSError`."""
        entry = (await self._list_of(person)).get(name)
        stored = await self._last(person, entry["hash"]) if entry else None
        if stored is None:
            raise FileNotFoundError(2, os.strerror(2), name)
        return stored.data.decode()

    async def fetched(self, person: str, name: str) -> None:
        """The key's own program has the record now. Raises `OSError`."""

        def as_fetched(listed: Message) -> None:
            if name in listed:
                listed[name]["waiting"] = False

        await self._change(person, as_fetched)

    async def open(self, person: str) -> Folder:
        """A key's data folder, with all that the library holds. Raises `OSError`."""
        folder, listed = self.of(person), await self._list_of(person)
        for path in folder.records():  # a name may have been freed and given anew at another server
            entry = listed.get(path.stem)
            if entry is None or hashlib.sha256(path.read_bytes()).hexdigest() != entry["hash"]:
                path.unlink()
        for name in listed:
            path = folder.matches / f"{name}.yaml"
            if _SAFE.fullmatch(name) and not path.exists():
                write_private(path, await self.text(person, name))
        self._opened[person] = set(listed)
        return folder

    async def put_back(self, person: str) -> None:
        """What was deleted in an opened folder is gone everywhere. Raises `OSError`."""
        left = {path.stem for path in self.of(person).records()}
        gone = self._opened.pop(person, set()) - left

        def delete(listed: Message) -> None:
            for name in gone:
                listed.pop(name, None)

        if gone:
            listed = await self._list_of(person)
            await self._change(person, delete)
            for name in gone & set(listed):
                await self._put(person, listed[name]["hash"], None)

    async def _list_of(self, person: str) -> Message:
        return _listed(await self._last(person, _LIST))

    async def _change(self, person: str, change: Callable[[Message], None]) -> None:
        """Change a key's list, whoever else changes it meanwhile; where nothing changes, nothing is written."""
        until = time.monotonic() + _PATIENCE
        while True:
            last = await self._last(person, _LIST)
            before, listed = _listed(last), _listed(last)
            change(listed)
            if listed == before:
                return
            try:
                await self._put(person, _LIST, json.dumps(listed).encode(), last.sequence if last else 0)
                return
            except WrongLast:
                if time.monotonic() > until:
                    raise Away(_RECORDS) from None

    async def _last(self, person: str, key: str) -> Stored | None:
        return await self._bus.last(*bucket_place(_RECORDS, f"{hashed(person)}.{key}"))

    async def _put(self, person: str, key: str, data: bytes | None, expected: int | None = None) -> None:
        mark = self._marks.next().decode()
        await self._bus.put(_RECORDS, f"{hashed(person)}.{key}", data, mark, expected=expected, seconds=_PATIENCE)


_SAFE = re.compile(r"[A-Za-z0-9-]+")


def _listed(stored: Stored | None) -> Message:
    listed: Any = None
    if stored is not None and stored.data:
        with contextlib.suppress(ValueError):
            listed = json.loads(stored.data)
    return listed if isinstance(listed, dict) else {}


def _name_of(listed: Message, digest: str) -> str | None:
    return next((name for name, entry in listed.items() if entry["hash"] == digest), None)


class SharedBars(Bars):
    """The bars of all servers. `server`: a word that stays the same when this one starts again; its own file is told to all."""

    def __init__(self, path: Path | None, replica: Replica, server: str) -> None:
        self._replica, self._server = replica, server
        self._elsewhere = Barred()
        super().__init__(path)
        if path is None and replica.get(server) is not None:
            replica.later(server, None)
        replica.listen(lambda server, words: self._look_elsewhere())
        self._look_elsewhere()

    def key(self, fingerprint: str) -> bool:
        """Is this key barred, here or at another server?"""
        return super().key(fingerprint) or self._elsewhere.key(fingerprint)

    def address(self, address: str) -> bool:
        """Is this address barred, here or at another server?"""
        return super().address(address) or self._elsewhere.address(address)

    def _look_elsewhere(self) -> None:
        self._elsewhere = barred_in(
            [
                str(word)
                for server, words in self._replica.items()
                if server != self._server and isinstance(words, list)
                for word in words
            ]
        )

    def _changed(self, words: tuple[str, ...]) -> None:
        super()._changed(words)
        if self._replica.get(self._server) != list(words):
            self._replica.later(self._server, list(words))
