"""When matches were played: noted beside their records, for the times of files change when these are copied or touched."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from kozel.files import write_durably

NOTES = "played.txt"
"""The file beside the records: a line `TIME NAME` whenever a match was played, the last one of a name counts."""
_FOLDERS = ("matches", "practice")
_LARGE = 200_000
_HEAD = 65536
_DATE = re.compile(
    rb"(?:^|[{,])\s*[\"']?date[\"']?\s*:\s*[\"']?(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?", re.MULTILINE
)
_NAME = re.compile(r"(\d{4}-\d\d-\d\d)-(\d+)-")


class Played(NamedTuple):
    """When a match was played, so that later ones are greater. `day`: its date; `time`: the time of that day, '' if unknown.

    `number`: which match of that day it was, as far as its file's name says; `written`: the file's time, where nothing else
    tells two matches apart.
    """

    day: str
    time: str
    number: int
    written: float


def note_played(record: Path, played: Played | None = None) -> None:
    """Note that a match in a data folder is played now, or was when another record's note says; elsewhere nothing."""
    if record.parent.name not in _FOLDERS or "\n" in record.name:
        return
    when = (
        f"{played.day}T{played.time}" if played and played.time else datetime.now().isoformat(timespec="microseconds")
    )
    line = f"{when} {record.name}\n".encode("utf-8", "surrogateescape")
    with contextlib.suppress(OSError):  # the match goes on without it
        file = os.open(record.with_name(NOTES), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            os.write(file, line)  # in one stroke, whoever else writes
        finally:
            os.close(file)


def by_time(folder: Path, records: Sequence[Path]) -> list[tuple[Path, Played]]:
    """These records of a folder with when they were played, the last one first."""
    notes = _notes(folder / NOTES, {path.name for path in records})
    timed = [(path, _played(path, notes.get(path.name))) for path in records]
    return sorted(timed, key=lambda each: (each[1], each[0].name), reverse=True)


def _notes(path: Path, names: set[str]) -> dict[str, datetime]:
    """When each match was played last; lines that cannot be read are passed over."""
    try:
        content = path.read_bytes()
    except OSError:
        return {}
    notes: dict[str, datetime] = {}
    for line in content.decode("utf-8", "surrogateescape").split("\n"):
        when, _, name = line.partition(" ")
        if name in names:
            with contextlib.suppress(ValueError):
                notes[name] = datetime.fromisoformat(when).replace(tzinfo=None)
    if len(content) > _LARGE:
        lines = "".join(f"{when.isoformat(timespec='microseconds')} {name}\n" for name, when in notes.items())
        with contextlib.suppress(OSError):
            write_durably(path, lines.encode("utf-8", "surrogateescape"))
    return notes


def _played(path: Path, noted: datetime | None) -> Played:
    written, regular = 0.0, False
    with contextlib.suppress(OSError, ValueError):
        status = path.stat()
        written, regular = status.st_mtime, stat.S_ISREG(status.st_mode)
    name = _NAME.match(path.name)
    number = int(name[2][:9]) if name else 0
    if noted is not None:
        day, _, time = noted.isoformat(timespec="microseconds").partition("T")
        return Played(day, time, number, written)
    dated = _date_in(path) if regular else None
    if dated:
        return Played(*dated, number, written)
    if name:
        return Played(name[1], "", number, written)
    day, _, time = datetime.fromtimestamp(written).isoformat(timespec="microseconds").partition("T")
    return Played(day, time, number, written)


def _date_in(path: Path) -> tuple[str, str] | None:
    """The date that a record's head gives, and the time of day if it does."""
    try:
        with path.open("rb") as file:
            head = _DATE.search(file.read(_HEAD))
    except (OSError, ValueError):
        return None
    return (head[1].decode(), (head[2] or b"").decode()) if head else None
