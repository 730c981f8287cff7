"""Where matches are kept: one record a match in the data folder, with its own copy of a ruleset that the player wrote."""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import yaml

from kozel.clean import clean
from kozel.engine.match import Dealt, Match
from kozel.engine.round import Refused
from kozel.files import create_durably
from kozel.locales import Phrase, phrase
from kozel.play.played import Played, by_time, note_played
from kozel.records.locking import hold
from kozel.records.reading import BadHead, Record, parse_own_record, parse_record, read_record_bytes
from kozel.records.replay import Broken, replay
from kozel.records.writing import LONGEST_APPEND, RecordFile, RecordLost, may_be_appended, quoted, record_text
from kozel.rules.reading import extended_file, shipped_ids
from kozel.rules.ruleset import Ruleset
from kozel.yamltree import BadFile, compose, load, read_bytes

MATCHES = "matches"
"""The name of the folder of records in a data folder."""
PRACTICE = "practice"
"""The name of the folder of practice matches there."""
OWN_FILES = ("settings.yaml", "last.yaml")
"""What else stands there; not what it does not matter to lose."""
OWN_FOLDERS = ("rulesets", "keymaps", "promises")
RULESET_SUFFIX = ".ruleset.yaml"
MOST_NAMES = 10_000
"""How many names are tried for a new file."""
_T = TypeVar("_T")


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

    def keeps(self, path: Path, *, matches: bool = False) -> bool:
        """Is this a name that a file of the program's own has or may get: settings, a ruleset or a keymap, or a match?"""
        own, place = Path(os.path.realpath(self.path)), Path(os.path.realpath(path))
        if own not in place.parents:
            return False
        first, *rest = (part.casefold() for part in place.relative_to(own).parts)
        if not rest:
            return first in OWN_FILES
        return first in OWN_FOLDERS or (matches and first in (MATCHES, PRACTICE))

    def new_match(self, ruleset: str, day: date) -> Path:
        """A file name for a new match that is not taken."""
        number = 1
        while True:
            path = self.matches / f"{day.isoformat()}-{number}-{ruleset}.yaml"
            copy = path.with_name(path.stem + RULESET_SUFFIX)  # a match that was renamed may still refer to it
            if not os.path.lexists(path) and not os.path.lexists(copy):
                return path
            number += 1

    def records(self) -> Iterator[Path]:
        """The records of matches, the one played last first: by the matches' own time, whatever their files say."""
        yield from (path for path, _ in self.played())

    def played(self) -> list[tuple[Path, Played]]:
        """The records of matches, and when each was played, the last one first. Raises `OSError`."""
        return by_time(self.matches, [path for path in _yaml_files(self.matches) if not is_ruleset_copy(path)])


Stamp = tuple[int, int]


def is_ruleset_copy(path: Path) -> bool:
    """Is this a record's own copy of a ruleset?"""
    return path.name.endswith(RULESET_SUFFIX)


def _yaml_files(folder: Path) -> list[Path]:
    try:
        return [folder / name for name in os.listdir(folder) if name.endswith(".yaml")]
    except (FileNotFoundError, NotADirectoryError):
        return []


def stamp(path: Path) -> Stamp:
    """When a file was last written, in nanoseconds, and its size; zeros for one that is gone."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return 0, 0
    return status.st_mtime_ns, status.st_size


class Kept(NamedTuple):
    """A match read from its record, ready to go on.

    `length`: the bytes of the record that count. `torn`: how many bytes after them an interrupted write of our own left.
    `own`: written as the program writes; else the match goes on in a copy, and the file itself stays as it is. `rulesets`:
    the folder of the player's own rulesets that it was read with. `ours`: nobody but the program writes there.
    """

    path: Path
    record: Record
    match: Match
    length: int
    torn: int
    own: bool
    rulesets: Path | None
    ours: bool


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


def read_kept(path: Path, rulesets: Path | None = None, *, ours: bool = False) -> Kept:
    """The match in a record, as `replay` reads it. Raises `Unusable`.

    Only what an interrupted write of our own can have left at the end does not count: in a data folder, and wherever nobody
    but the program writes (`ours`), always; elsewhere where the record could not be read otherwise.
    """
    ours = ours or path.parent.name in (MATCHES, PRACTICE)
    try:
        content = read_record_bytes(path)
    except BadFile as error:
        raise _unreadable(path, error) from None
    kept = _own(content, path, rulesets)
    if kept is None and ours:
        kept = _before_interrupted_write(content, path, rulesets)
    if kept is not None:
        return kept._replace(ours=ours)
    try:
        return _replayed(parse_record(content, path, rulesets), content, path, rulesets)._replace(ours=ours)
    except BadHead as error:
        place = error.problem
        fault = Unusable(path, phrase("mistake.at_line", line=place.line, text=place.phrase))
    except Unusable as unusable:
        fault = unusable
    kept = _before_interrupted_write(content, path, rulesets)
    if kept is None:
        raise fault
    return kept


def kept_text(content: bytes, name: Path) -> Kept:
    """The match in a record of ours that is kept elsewhere than in a file; `name`: what it is called there. Raises `Unusable`."""
    kept = _own(content, name, None)
    if kept is None:
        raise Unusable(name, phrase("mistake.record_changed"))
    return kept._replace(ours=True)


def _own(content: bytes, path: Path, rulesets: Path | None) -> Kept | None:
    """The match in a record that is to the byte as the program writes it; None for any other. Raises `Unusable`."""
    record = parse_own_record(content, path, rulesets)
    if record is None or record_text(record).encode() != content[len(_origin(content)) :]:
        return None
    return _replayed(record, content, path, rulesets)._replace(own=True)


def _replayed(record: Record, content: bytes, path: Path, rulesets: Path | None) -> Kept:
    try:
        match = replay(record)
    except Broken as error:
        where = {"round": error.round, **({"move": error.move} if error.move else {})}
        why = phrase("mistake.at_move" if error.move else "mistake.at_round", **where)
        raise Unusable(path, why, error.fault, record.head.players, (error.round, error.move)) from None
    return Kept(path, record, match, len(content), 0, False, rulesets, False)


def _unreadable(path: Path, error: BadFile) -> Unusable:
    return Unusable(path, error.problems[0].phrase)


def _before_interrupted_write(content: bytes, path: Path, rulesets: Path | None) -> Kept | None:
    """The match without the part of a line or of a deal at the record's end that we had begun to write; None if there is none.

    After a power cut, zeros may stand where that part would.
    """
    written = content.rstrip(b"\0")
    if len(content) - len(written) > LONGEST_APPEND:
        return None
    for start in sorted({written.rfind(b"\n") + 1, written.rfind(b"\n  - hands:") + 1}, reverse=True):
        if start == 0 or start == len(content):
            continue
        try:
            kept = _own(content[:start], path, rulesets)
        except Unusable:
            continue
        if kept is not None and may_be_appended(kept.match, kept.record.head.format, written[start:]):
            return kept._replace(torn=len(content) - start)
    return None


def take(kept: Kept) -> tuple[Kept, MatchFile]:
    """A kept match held for this program alone, as it stands on the disk now, with its record to append to.

    A record in another form than ours stays as it is: the match goes on in a copy beside it, and the match that is given
    back has that one's path. Raises `InUse` where another program plays it, `OSError`, `Unusable`.
    """
    held = hold(kept.path)
    try:
        kept = read_kept(kept.path, kept.rulesets, ours=kept.ours)
        if kept.own:
            record = MatchFile.go_on(held, kept.length)
            record.remember_copies()
            note_played(record.path)
            return kept, record
        record = _copy_of(kept)
    except BaseException:
        held.release()
        raise
    held.release()
    return kept._replace(path=record.path), record


def _copy_of(kept: Kept) -> MatchFile:
    """A match in our form, in a new file beside its record; the record's comments stand first."""
    lines = read_record_bytes(kept.path).decode("utf-8-sig").splitlines()
    comments = "".join(f"{line.strip()}\n" for line in lines if line.lstrip().startswith("#"))
    name = kept.path.name.encode("utf-8", "replace").decode()
    text = f"{_CONTINUES}{clean(name) or '?'}\n{comments}" + record_text(kept.record)
    private = kept.record.head.shuffle is not None
    return create_beside(kept.path, lambda path: MatchFile.create(path, text, private=private))


_CONTINUES = "# continues "
"""How a copy begins that goes on with a record in another form."""


def _origin(content: bytes) -> bytes:
    """The comments that a copy of ours begins with, nothing for any other record."""
    if not content.startswith(_CONTINUES.encode()):
        return b""
    end = 0
    while content.startswith(b"#", end):
        end = content.find(b"\n", end) + 1 or len(content)
    return content[:end]


def create_beside(path: Path, create: Callable[[Path], _T]) -> _T:
    """Make a new file beside another one, named after it with the first number that is free. Raises `OSError`."""
    stem = _NUMBERED.sub("", path.stem)
    for number in range(2, MOST_NAMES):
        with contextlib.suppress(FileExistsError):
            return create(path.with_name(f"{stem}-{number}{path.suffix or '.yaml'}"))
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))


def keep_record(folder: Folder, ruleset: str, day: date, text: str) -> Path:
    """Put the record of a match that was played elsewhere among the data folder's; where it is then. Raises `OSError`."""
    folder.matches.mkdir(parents=True, exist_ok=True)
    for _ in range(MOST_NAMES):
        path = folder.new_match(ruleset, day)
        with contextlib.suppress(FileExistsError):
            create_durably(path, text)
            note_played(path)
            return path
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder.matches))


def _head(head: Callable[[str], str], ruleset: Ruleset, path: Path) -> str:
    return head(own_copy(ruleset, path))


_NUMBERED = re.compile(r"(?<=\D)-\d{1,4}$")


def new_record(folder: Folder, ruleset: Ruleset, day: date, head: Callable[[str], str], path: Path | None) -> MatchFile:
    """A new match's record, in the data folder or at `path`; `head`: its text, by how it refers to its ruleset.

    The file's name is taken before anything is written, so that programs started together each get one. Raises
    `FileExistsError` where a file is at `path`, `OSError`.
    """
    for _ in range(MOST_NAMES):
        where = path or folder.new_match(ruleset.id, day)
        try:
            record = MatchFile.create(where, partial(_head, head, ruleset, where))
            note_played(where)
            record.remember_copies()
            return record
        except FileExistsError:
            if path is not None:
                raise
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder.matches))


class MatchLost(OSError):
    """The record is no longer what was written. `kind` as of `RecordLost`; what is tried next is written `elsewhere`."""

    def __init__(self, lost: RecordLost, elsewhere: Path) -> None:
        self.kind, self.elsewhere = lost.kind, elsewhere
        super().__init__(lost.errno, lost.strerror, lost.filename)


class MatchFile(RecordFile):
    """A match's record; in a data folder it is noted beside it when the match was played.

    Where the file is lost while it is played, `MatchLost` is raised once, and nothing happens; whatever is to be written
    next goes with all that was before into a new file beside it.
    """

    _lost = False
    _copies: Mapping[Path, bytes] = {}

    def remember_copies(self) -> None:
        """Keep in mind the copies of rulesets beside the record, which may be lost with it."""
        with contextlib.suppress(BadFile, OSError):
            self._copies = {copy: copy.read_bytes() for copy in copies_of(self.path)}

    def deal(self, dealt: Dealt) -> None:
        """Append a deal."""
        super().deal(dealt)
        note_played(self.path)

    def close(self) -> None:
        """Close the file and let others have it."""
        if not self._lost:
            note_played(self.path)
        super().close()

    def check(self) -> None:
        """Is all that was written still there? Raises `MatchLost` where it is not, `OSError`."""
        if self._lost:
            self._save_elsewhere()
        try:
            super().check()
        except RecordLost as lost:
            self._lost = True
            raise MatchLost(lost, create_beside(self.path, _free)) from None

    def secure(self) -> None:
        """See to it that all of the match is on the disk, in another file if its own is lost. Raises `OSError`."""
        with contextlib.suppress(MatchLost):
            self.check()
            return
        self._save_elsewhere()

    def _save_elsewhere(self) -> None:
        create_beside(self.path, self.save_elsewhere)
        self._lost = False
        for copy, content in self._copies.items():
            with contextlib.suppress(FileExistsError):
                create_durably(copy, content)
        note_played(self.path)


def _free(path: Path) -> Path:
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    return path


def own_copy(ruleset: Ruleset, record: Path) -> str:
    """How a record refers to its ruleset: a shipped one by id, any other by a copy that is made beside the record.

    What a player's ruleset extends is copied along, so that later changes to it cannot change the match.
    """
    if ruleset.id in shipped_ids():
        return ruleset.id
    record.parent.mkdir(parents=True, exist_ok=True)
    return _copy(ruleset.path, record.stem.encode("utf-8", "replace").decode().replace("\\", "_"), record.parent)


def _copy(path: Path, stem: str, folder: Path) -> str:
    """Copy a ruleset. Raises `FileExistsError` rather than write over another one."""
    content = read_bytes(path).decode("utf-8-sig")
    parent = _extended(path)
    if parent is not None:
        file, node = parent
        name = quoted(_copy(file, stem + ".base", folder))
        content = content[: node.start_mark.index] + name + content[node.end_mark.index :]
    copy = folder / (stem + RULESET_SUFFIX)
    if not copy.exists() or copy.read_bytes() != content.encode():
        create_durably(copy, content)
    return copy.name


def _extended(path: Path) -> tuple[Path, yaml.ScalarNode] | None:
    """The player's own ruleset that one extends, and where its name stands; None if it extends none or a shipped one."""
    root = load(path)
    assert isinstance(root, yaml.MappingNode)
    node = next((value for key, value in root.value if key.value == "extends"), None)
    if not isinstance(node, yaml.ScalarNode) or node.value in shipped_ids():
        return None
    return extended_file(node.value, path), node


def copies_of(record: Path) -> Iterator[Path]:
    """The copies of rulesets that a record refers to, beside it, with those that they extend.

    Raises `BadFile` where a file does not say what it refers to.
    """
    reference, key = _value_of(record, "ruleset"), "extends"
    while reference and reference.endswith(RULESET_SUFFIX) and Path(reference).name == reference:
        copy = record.with_name(reference)
        yield copy
        if not copy.exists():
            return
        reference = _value_of(copy, key)


def _value_of(path: Path, key: str) -> str:
    """What a file's key says; '' where the key is not there. Raises `BadFile`."""
    content = read_record_bytes(path)
    line = re.search(rb"^" + key.encode() + rb":[^\r\n]*", content, re.MULTILINE)
    root = compose(line[0] if line else content, str(path))
    if not isinstance(root, yaml.MappingNode):
        return ""
    values = (value for name, value in root.value if isinstance(name, yaml.ScalarNode) and name.value == key)
    value = next(values, None)
    return str(value.value) if isinstance(value, yaml.ScalarNode) else ""


def newest_unfinished(folder: Folder) -> tuple[Kept | None, list[Unusable]]:
    """The match that was played last and is not over, and the records that cannot be used. Raises `OSError`."""
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
