"""The matches kept in the data folder: listed, renamed, deleted, exported.

Reading a record takes some milliseconds, so what was found in each is kept in a file of its own: a thousand matches are listed in
a quarter of a second instead of nine. It is only a cache: where it is missing, damaged or older than a record, the record counts.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from kozel import __version__
from kozel.files import sync_folder, write_durably
from kozel.play.digest import Digest, digest, packed, unpacked
from kozel.play.played import Played, note_played
from kozel.play.store import RULESET_SUFFIX, Folder, Kept, Stamp, Unusable, copies_of, own_copy, read_kept, stamp
from kozel.records.locking import hold
from kozel.records.writing import record_text
from kozel.rules.reading import shipped_ids
from kozel.yamltree import BadFile

_FORMAT = 2
_MANY = 50
"""So many records are read in about half a second."""
_LONGEST_NAME = 80
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
_GIVEN = re.compile(r"\d{4}-\d\d-\d\d-\d+-.*")


class Entry(NamedTuple):
    """A record in the data folder: what was found in it, or why it is damaged. `played`: when last."""

    path: Path
    found: Digest | None
    damage: Unusable | None
    played: Played

    @property
    def title(self) -> str:
        """The name that the player gave the match, '' where it has none but its file's."""
        return "" if _GIVEN.fullmatch(self.path.stem) else self.path.stem


class BadName(ValueError):
    """A match cannot have this name. `kind`: 'empty', 'long', 'letters', 'taken', or 'ours' for a place of the program's own."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__(kind)


class Library:
    """The records of a data folder. `exports`: where they are exported to if nothing else is said."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._cache = folder.path / "matches.json"

    @property
    def exports(self) -> Path:
        """The folder for exported records."""
        return self.folder.path / "exports"

    def entries(self, wait: Callable[[], None] | None = None) -> list[Entry]:
        """All records, the one played last first; damaged ones among them, as they are.

        `wait` is called once where so many must be read that it takes a while.
        """
        known, shipped = self._read_cache(), frozenset(shipped_ids())
        fresh: dict[str, Any] = {}
        entries, read = [], 0
        for path, played in self.folder.played():
            written = stamp(path)
            kept = known.get(path.name)
            entry = _from_cache(path, played, written, kept, shipped)
            if entry is None:
                read += 1
                if read == _MANY and wait is not None:
                    wait()
                entry = self._read(path, played)
                kept = _to_cache(entry, written, shipped)
            if kept is not None:
                fresh[path.name] = kept
            entries.append(entry)
        if read or len(fresh) != len(known):
            self._write_cache(fresh)
        return entries

    def unfinished(self, wait: Callable[[], None] | None = None) -> list[Entry]:
        """The matches that can be gone on with; `wait` as in `entries`."""
        return [entry for entry in self.entries(wait) if entry.found and not entry.found.over]

    def _read(self, path: Path, played: Played) -> Entry:
        try:
            found = digest(read_kept(path, self.folder.rulesets))
        except Unusable as damage:
            return Entry(path, None, damage, played)
        return Entry(path, found, None, played)

    def _read_cache(self) -> dict[str, Any]:
        try:
            data = json.loads(self._cache.read_bytes())
            if data["format"] == [_FORMAT, __version__] and isinstance(data["matches"], dict):
                return data["matches"]
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            pass
        return {}

    def _write_cache(self, known: dict[str, Any]) -> None:
        """Keep what was found; where that cannot be, it is found again the next time."""
        text = json.dumps({"format": [_FORMAT, __version__], "matches": known})
        with contextlib.suppress(OSError):
            write_durably(self._cache, text)

    # changes

    def rename(self, path: Path, name: str) -> Path:
        """Give a match another name; where it is then. Raises `BadName`, `InUse`, `OSError`."""
        wanted = path.with_name(checked_name(name) + ".yaml")
        if wanted == path:
            return path
        if wanted.exists() and not _same_file(wanted, path):
            raise BadName("taken")
        hold(path).release()
        played = next((played for record, played in self.folder.played() if record == path), None)
        os.rename(path, wanted)
        sync_folder(wanted.parent)
        note_played(wanted, played)
        return wanted

    def delete(self, path: Path) -> None:
        """Delete a match, with its own copy of a ruleset where no other uses it. Raises `InUse`, `OSError`."""
        hold(path).release()
        copies: set[Path] = set()
        with contextlib.suppress(BadFile):
            copies |= set(copies_of(path))
        path.unlink()
        try:
            for other in self.folder.records() if copies else ():
                copies -= set(copies_of(other))
        except BadFile:
            return  # one that may need them cannot be read: they stay
        for copy in copies:
            with contextlib.suppress(OSError):
                copy.unlink()

    def export(self, kept: Kept, target: Path) -> Path:
        """Write a match to a file of its own. Raises `FileExistsError` rather than write over one, `OSError`."""
        target.parent.mkdir(parents=True, exist_ok=True)
        head = kept.record.head
        with target.open("xb") as file:
            try:
                head = head._replace(reference=own_copy(head.ruleset, target))
                file.write(record_text(kept.record._replace(head=head)).encode())
            except OSError:
                file.close()
                target.unlink()
                raise
        return target

    def export_path(self, typed: str, path: Path) -> Path:
        """Where a match is exported to: the path typed, a bare name in `exports`; '' for the record's own name.

        Raises `BadName` for a name that a file cannot have on every system, and for a place of the program's own files.
        """
        name = typed.strip() or path.name
        home = ("~/", "~\\") if sys.platform == "win32" else "~/"
        target = Path(name).expanduser() if name.startswith(home) else Path(name)
        if name.endswith(("/", os.sep)):
            target /= path.name
        suffix = target.suffix if target.suffix in (".yaml", ".yml") else ".yaml"
        if not re.search(r"[/\\:]" if sys.platform == "win32" else "/", name):
            return self.exports / (checked_name(target.name.removesuffix(suffix)) + suffix)
        if not target.name or target.name == "..":
            raise BadName("empty")
        target = target.with_name(checked_name(target.name.removesuffix(suffix)) + suffix)
        if self.folder.keeps(target, matches=True):
            raise BadName("ours")
        return target


def checked_name(name: str) -> str:
    """A name that a record's file can have on every system. Raises `BadName`."""
    name = name.strip().rstrip(".")
    if not name:
        raise BadName("empty")
    if len(name) > _LONGEST_NAME or len(name.encode()) > 200:
        raise BadName("long")
    if _FORBIDDEN.search(name) or _DEVICES.fullmatch(name) or name.startswith("."):
        raise BadName("letters")
    if f"{name}.yaml".endswith(RULESET_SUFFIX):
        raise BadName("letters")
    return name


def _same_file(one: Path, other: Path) -> bool:
    """Only the case of letters may differ between two names of one file."""
    try:
        return one.samefile(other)
    except OSError:
        return False


def _ruleset_stamp(path: Path, reference: str, shipped: frozenset[str]) -> Stamp:
    return (0, 0) if reference in shipped else stamp(path.parent / reference)


def _from_cache(path: Path, played: Played, written: Stamp, kept: Any, shipped: frozenset[str]) -> Entry | None:
    try:
        if tuple(kept[0]) != written:
            return None
        found = unpacked(kept[2])
        if tuple(kept[1]) != _ruleset_stamp(path, found.reference, shipped):
            return None
    except (ValueError, TypeError, KeyError, IndexError):
        return None
    return Entry(path, found, None, played)


def _to_cache(entry: Entry, written: Stamp, shipped: frozenset[str]) -> Any:
    """What the cache holds of a sound record; a damaged one is read each time, as it may be mended."""
    if entry.found is None:
        return None
    plain = json.loads(json.dumps(packed(entry.found)))
    return [list(written), list(_ruleset_stamp(entry.path, entry.found.reference, shipped)), plain]
