"""Who comes: a name belongs to the key that took it first; guests come back by a code, which is kept hashed."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from pathlib import Path
from typing import NamedTuple

from kozel.clean import alike, clean
from kozel.net.wire import Declined

LONGEST_NAME = 30
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_GROUPS, _PAIRS = 4, 3
"""Twelve syllables of 70: 73 bits, and a digit behind each group: 86 in all."""


class Person(NamedTuple):
    """Somebody who came in. `id`: the key's fingerprint, or `guest:` and a number; `guest`: without a key."""

    id: str
    name: str
    guest: bool


class Identities:
    """The names on a server, by key, in a file that grows by a line a change."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._names: dict[str, str] = {}
        self._langs: dict[str, str] = {}
        self._owners: dict[str, str] = {}
        self._guests: dict[str, str] = {}
        self._codes: dict[str, str] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._read(line)

    def name(self, id: str) -> str | None:
        """The name that a key or a guest has, None for one that has none yet."""
        return self._names.get(id) or self._guests.get(id)

    def lang(self, id: str) -> str | None:
        """The language that a key has chosen."""
        return self._langs.get(id)

    def set_lang(self, id: str, lang: str) -> None:
        """Keep a key's language."""
        if self._langs.get(id) != lang and not id.startswith("guest:"):
            self._langs[id] = lang
            self._write({"key": id, "lang": lang})

    def proposed(self, wanted: str) -> str:
        """A free name that is nearest to the wanted one."""
        base = checked_name(wanted)[: LONGEST_NAME - 4].rstrip()
        return next(name for name in (base, *(f"{base} {n}" for n in range(2, 10_000))) if self.free(name, ""))

    def free(self, name: str, id: str) -> bool:
        """May this key or guest have the name?"""
        owner = self._owners.get(alike(name))
        return owner is None or owner == id

    async def claim(self, id: str, wanted: str) -> str:
        """Give a key or a guest a name. Raises `Declined` where it is another's, or no name."""
        name = checked_name(wanted)
        if not self.free(name, id):
            raise Declined("name_taken", name=name, other=self.proposed(name))
        before = self.name(id)
        if before is not None:
            self._owners.pop(alike(before), None)
        self._owners[alike(name)] = id
        if id.startswith("guest:"):
            self._guests[id] = name
        elif before != name:
            self._names[id] = name
            self._write({"key": id, "name": name})
        return name

    def new_guest(self) -> str:
        """An id for somebody without a key."""
        return f"guest:{secrets.token_hex(8)}"

    def code_for(self, guest: str) -> str:
        """A guest's code for the way back; only its hash is kept."""
        code = _new_code()
        self._codes[_code_hash(code)] = guest
        return code

    def code_hashes(self, guest: str) -> list[str]:
        """The hashes of a guest's codes, to be kept with the match."""
        return [code for code, owner in self._codes.items() if owner == guest]

    def know_guest(self, guest: str, name: str, code_hashes: list[str]) -> None:
        """A guest of a match that is gone on with after the server was away."""
        self._guests[guest] = name
        self._owners.setdefault(alike(name), guest)
        self._codes.update(dict.fromkeys(code_hashes, guest))

    def by_code(self, code: str) -> str | None:
        """The guest whose code this is, however it is written."""
        return self._codes.get(_code_hash(code))

    def forget(self, guest: str) -> None:
        """A guest's match is over: the code is void, the name free."""
        name = self._guests.pop(guest, None)
        if name is not None and self._owners.get(alike(name)) == guest:
            del self._owners[alike(name)]
        for code in self.code_hashes(guest):
            del self._codes[code]

    def _read(self, line: str) -> None:
        try:
            entry = json.loads(line)
            key = entry["key"]
        except (ValueError, KeyError, TypeError):
            return  # a torn last line
        if "name" in entry:
            if key in self._names:
                self._owners.pop(alike(self._names[key]), None)
            self._names[key] = entry["name"]
            self._owners[alike(entry["name"])] = key
        if "lang" in entry:
            self._langs[key] = entry["lang"]

    def _write(self, entry: dict[str, str]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(file, "a", encoding="utf-8") as stream:
            stream.write(json.dumps(entry, ensure_ascii=False) + "\n")


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
