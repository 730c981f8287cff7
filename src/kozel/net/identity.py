"""Who comes: a name belongs to the key that took it first; guests come back by a code, which is kept hashed."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from kozel.clean import alike, clean
from kozel.net.wire import Declined

LONGEST_NAME = 30
_GUEST = "guest:"
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_GROUPS, _PAIRS = 4, 3
"""Twelve syllables of 70: 73 bits, and a digit behind each group: 86 in all."""


class Person(NamedTuple):
    """Somebody who came in. `id`: the key's fingerprint, or `guest:` and a number; `guest`: without a key."""

    id: str
    name: str
    guest: bool


Kind = Literal["who", "name", "code"]
"""What a book holds: of an id its name and language; of a name, as it is alike, its owner; of a code's hash its guest."""


class Book(Protocol):
    """Where names are kept. What is noted counts at once for whoever asks here."""

    def get(self, kind: Kind, key: str) -> Any:
        """What is noted, None where nothing is."""

    def keep(self, kind: Kind, key: str, value: Any) -> None:
        """Note something; None for nothing any more."""

    async def take(self, kind: Kind, key: str, value: str) -> bool:
        """Note something that nobody else has noted; False where somebody has. Raises `OSError`."""

    def keys(self, kind: Kind, value: str) -> list[str]:
        """The keys of a kind for which this is noted."""


class FileBook:
    """The names on one server, in a file that grows by a line a change; guests and codes are kept with their match."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._noted: dict[Kind, dict[str, Any]] = {"who": {}, "name": {}, "code": {}}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._read(line)

    def get(self, kind: Kind, key: str) -> Any:
        """What is noted; see `Book`."""
        return self._noted[kind].get(key)

    def keep(self, kind: Kind, key: str, value: Any) -> None:
        """Note something; see `Book`."""
        before = self._noted[kind].get(key) or {}
        if value is None:
            self._noted[kind].pop(key, None)
            return
        self._noted[kind][key] = value
        if kind == "who" and not is_guest(key):
            for field, told in value.items():
                if before.get(field) != told:
                    self._write({"key": key, field: told})

    async def take(self, kind: Kind, key: str, value: str) -> bool:
        """Note something that nobody has noted; see `Book`."""
        owner: str = self._noted[kind].setdefault(key, value)
        return owner == value

    def keys(self, kind: Kind, value: str) -> list[str]:
        """The keys for which this is noted."""
        return [key for key, noted in self._noted[kind].items() if noted == value]

    def _read(self, line: str) -> None:
        try:
            entry = json.loads(line)
            key = entry.pop("key")
        except (ValueError, KeyError, TypeError, AttributeError):
            return  # a torn last line
        before = self._noted["who"].get(key, {})
        if "name" in entry:
            if "name" in before:
                self._noted["name"].pop(alike(before["name"]), None)
            self._noted["name"][alike(entry["name"])] = key
        self._noted["who"][key] = {**before, **entry}

    def _write(self, entry: dict[str, str]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(file, "a", encoding="utf-8") as stream:
            stream.write(json.dumps(entry, ensure_ascii=False) + "\n")


class Identities:
    """The names in a club, by key."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def name(self, id: str) -> str | None:
        """The name that a key or a guest has, None for one that has none yet."""
        return self._who(id).get("name")

    def lang(self, id: str) -> str | None:
        """The language that a key has chosen."""
        return self._who(id).get("lang")

    def set_lang(self, id: str, lang: str) -> None:
        """Keep a key's language."""
        if self.lang(id) != lang and not is_guest(id):
            self._book.keep("who", id, {**self._who(id), "lang": lang})

    def proposed(self, wanted: str) -> str:
        """A free name that is nearest to the wanted one."""
        base = checked_name(wanted)[: LONGEST_NAME - 4].rstrip()
        return next(name for name in (base, *(f"{base} {n}" for n in range(2, 10_000))) if self.free(name, ""))

    def free(self, name: str, id: str) -> bool:
        """May this key or guest have the name?"""
        owner = self._book.get("name", alike(name))
        return owner is None or owner == id

    async def claim(self, id: str, wanted: str) -> str:
        """Give a key or a guest a name. Raises `Declined` where it is another's, or no name; `OSError`."""
        name = checked_name(wanted)
        if not self.free(name, id) or not await self._book.take("name", alike(name), id):
            raise Declined("name_taken", name=name, other=self.proposed(name))
        before = self.name(id)
        if before is not None and alike(before) != alike(name):
            self._book.keep("name", alike(before), None)
        if before != name:
            self._book.keep("who", id, {**self._who(id), "name": name})
        return name

    def new_guest(self) -> str:
        """An id for somebody without a key."""
        return f"{_GUEST}{secrets.token_hex(8)}"

    def code_for(self, guest: str) -> str:
        """A guest's code for the way back; only its hash is kept."""
        code = _new_code()
        self._book.keep("code", _code_hash(code), guest)
        return code

    def code_hashes(self, guest: str) -> list[str]:
        """The hashes of a guest's codes, to be kept with the match."""
        return self._book.keys("code", guest)

    def know_guest(self, guest: str, name: str, code_hashes: list[str]) -> None:
        """A guest of a match that is gone on with after the server was away."""
        self._book.keep("who", guest, {"name": name})
        if self._book.get("name", alike(name)) is None:
            self._book.keep("name", alike(name), guest)
        for code in code_hashes:
            self._book.keep("code", code, guest)

    def by_code(self, code: str) -> str | None:
        """The guest whose code this is, however it is written."""
        guest: str | None = self._book.get("code", _code_hash(code))
        return guest

    def forget(self, guest: str) -> None:
        """A guest's match is over: the code is void, the name free."""
        name = self.name(guest)
        self._book.keep("who", guest, None)
        if name is not None and self._book.get("name", alike(name)) == guest:
            self._book.keep("name", alike(name), None)
        for code in self.code_hashes(guest):
            self._book.keep("code", code, None)

    def _who(self, id: str) -> dict[str, str]:
        who: dict[str, str] = self._book.get("who", id) or {}
        return who


def is_guest(id: str) -> bool:
    """Is this the id of somebody without a key?"""
    return id.startswith(_GUEST)


def checked_name(wanted: str) -> str:
    """A name without what no name may hold. Raises `Declined` where nothing is left."""
    name = clean(wanted, LONGEST_NAME)
    if name is None or not any(map(str.isalnum, name)):
        raise Declined("name_empty")
    return name.replace(":", " ").strip() or "?"


def _new_code() -> str:
    groups = []
    for _ in range(_GROUPS):
        group = "".join(secrets.choice(_CONSONANTS) + secrets.choice(_VOWELS) for _ in range(_PAIRS))
        groups.append(group + secrets.choice("23456789"))
    return "-".join(groups)


def _code_hash(code: str) -> str:
    letters = "".join(filter(str.isalnum, code.casefold()))
    return hashlib.sha256(letters.encode()).hexdigest()
