"""Where matches are kept: one record a match in the data folder, with its own copy of a ruleset that the player wrote."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

import yaml

from kozel.engine.match import Match
from kozel.engine.round import Refused
from kozel.locales import Phrase, phrase
from kozel.records.locking import Hold, hold
from kozel.records.reading import BadHead, Record, parse_record
from kozel.records.replay import Broken, replay
from kozel.records.writing import RecordFile, record_text, whole_lines
from kozel.rules.reading import shipped_ids
from kozel.rules.ruleset import Ruleset
from kozel.yamltree import BadFile, load, read_bytes

MATCHES = "matches"
"""The name of the folder of records in a data folder."""


class Folder(NamedTuple):
    """The player's data folder."""

    path: Path

    @property
    def matches(self) -> Path:
        """The records of matches."""
        return self.path / MATCHES

    @property
    def rulesets(self) -> Path:
        """The player's own rulesets."""
        return self.path / "rulesets"

    @property
    def keymaps(self) -> Path:
        """The player's own keymaps."""
        return self.path / "keymaps"

    @property
    def settings(self) -> Path:
        """The player's settings."""
        return self.path / "settings.yaml"

    @property
    def log(self) -> Path:
        """Where faults of the program are written down."""
        return self.path / "log.txt"

    def new_match(self, ruleset: str, day: date) -> Path:
        """A file name for a new match that is not taken."""
        number = 1
        while True:
            path = self.matches / f"{day.isoformat()}-{number}-{ruleset}.yaml"
            copy = path.with_name(path.stem + RULESET_SUFFIX)  # a match that was renamed may still refer to it
            if not path.exists() and not copy.exists():
                return path
            number += 1

    def records(self) -> Iterator[Path]:
        """The records of matches, the newest first."""
        if not self.matches.is_dir():
            return
        files = [path for path in self.matches.glob("*.yaml") if not path.name.endswith(RULESET_SUFFIX)]
        yield from sorted(files, key=lambda path: (stamp(path), path.name), reverse=True)


RULESET_SUFFIX = ".ruleset.yaml"
Stamp = tuple[int, int]


def stamp(path: Path) -> Stamp:
    """When a file was last written, in nanoseconds, and its size; zeros for one that is gone."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return 0, 0
    return status.st_mtime_ns, status.st_size


class Kept(NamedTuple):
    """A match read from its record, ready to go on; `dropped`: bytes of a torn last line that did not count.

    `rulesets`: the folder of the player's own rulesets that it was read with.
    """

    path: Path
    record: Record
    match: Match
    length: int
    dropped: int
    rulesets: Path | None


class Unusable(Exception):
    """A record that cannot be gone on with: `phrase` says why.

    Where it breaks a rule: `fault` of these `players`, and `at`, its round and move (None: the deal), counted from 1.
    """

    def __init__(
        self,
        path: Path,
        phrase: Phrase,
        fault: Refused | None = None,
        players: tuple[str, ...] = (),
        at: tuple[int, int | None] = (0, None),
    ) -> None:
        self.path, self.phrase, self.fault, self.players, self.at = path, phrase, fault, players, at
        super().__init__(f"{path}: {phrase.text('en')}")


def read_kept(path: Path, rulesets: Path | None = None) -> Kept:
    """The match in a record, without what a torn end holds. Raises `Unusable`."""
    try:
        content = read_bytes(path)
        whole = whole_lines(content)
        if len(whole) < len(content) and not _is_ours(whole, path, rulesets):
            whole = content  # somebody's own text without a newline at its end: read as `replay` reads it
        record = parse_record(whole, path, rulesets)
        match = replay(record)
    except BadFile as error:
        raise Unusable(path, error.problems[0].phrase) from None
    except BadHead as error:
        place = error.problem
        raise Unusable(path, phrase("mistake.at_line", line=place.line, text=place.phrase)) from None
    except Broken as error:
        where = {"round": error.round, **({"move": error.move} if error.move else {})}
        why = phrase("mistake.at_move" if error.move else "mistake.at_round", **where)
        raise Unusable(path, why, error.fault, record.head.players, (error.round, error.move)) from None
    return Kept(path, record, match, len(whole), len(content) - len(whole), rulesets)


def _is_ours(whole: bytes, path: Path, rulesets: Path | None) -> bool:
    """Is this what the program itself has written, or a match in a data folder? Then a torn last line does not count."""
    if path.parent.name == MATCHES:
        return True
    try:
        return record_text(parse_record(whole, path, rulesets)).encode() == whole
    except (BadFile, BadHead, ValueError):
        return False


def take(kept: Kept) -> tuple[Kept, RecordFile]:
    """A kept match held for this program alone, as it stands on the disk now, with its record to append to.

    Raises `InUse` where another program plays it, `OSError`, `Unusable`.
    """
    held = hold(kept.path)
    try:
        kept = read_kept(kept.path, kept.rulesets)
        return kept, _go_on_writing(kept, held)
    except BaseException:
        held.release()
        raise


def _go_on_writing(kept: Kept, held: Hold) -> RecordFile:
    """A record to append to. One that is written in another form is first put into ours."""
    text = record_text(kept.record)
    whole = kept.path.read_bytes()[: kept.length]
    own = whole.decode("utf-8-sig").replace("\r\n", "\n")
    if own == text and whole == text.encode():
        return RecordFile.go_on(held, kept.length)
    comments = "".join(line + "\n" for line in own.split("\n") if line.lstrip().startswith("#"))
    renewed = kept.path.with_name(kept.path.name + ".new")
    content = (comments + text).encode()
    with renewed.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return RecordFile.go_on(held.replace(renewed), len(content))


def own_copy(ruleset: Ruleset, record: Path) -> str:
    """How a record refers to its ruleset: a shipped one by id, any other by a copy that is made beside the record.

    What a player's ruleset extends is copied along, so that later changes to it cannot change the match.
    """
    if ruleset.id in shipped_ids():
        return ruleset.id
    record.parent.mkdir(parents=True, exist_ok=True)
    return _copy(ruleset.path, record.stem, record.parent)


def _copy(path: Path, stem: str, folder: Path) -> str:
    """Copy a ruleset. Raises `FileExistsError` rather than write over another one."""
    content = read_bytes(path).decode("utf-8-sig")
    extended = _extended(path)
    if extended is not None:
        parent, node = extended
        name = _copy(parent, stem + ".base", folder)
        content = content[: node.start_mark.index] + name + content[node.end_mark.index :]
    copy = folder / (stem + RULESET_SUFFIX)
    if not copy.exists() or copy.read_bytes() != content.encode():
        with copy.open("xb") as file:
            file.write(content.encode())
    return copy.name


def _extended(path: Path) -> tuple[Path, yaml.ScalarNode] | None:
    """The player's own ruleset that one extends, and where its name stands; None if it extends none or a shipped one."""
    root = load(path)
    assert isinstance(root, yaml.MappingNode)
    node = next((value for key, value in root.value if key.value == "extends"), None)
    if not isinstance(node, yaml.ScalarNode) or node.value in shipped_ids():
        return None
    beside = path.parent / f"{node.value}.yaml"
    return (beside if beside.is_file() else path.parent / node.value), node


def newest_unfinished(folder: Folder) -> tuple[Kept | None, list[Unusable]]:
    """The match that was played last and is not over, and the records that cannot be used."""
    unusable = []
    for path in folder.records():
        try:
            kept = read_kept(path, folder.rulesets)
        except Unusable as error:
            unusable.append(error)
            continue
        if kept.match.end is None:
            return kept, unusable
    return None, unusable
