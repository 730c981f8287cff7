"""A record written as the match goes on: a deal in one stroke, then a line a decision, each on the disk before it is told."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from kozel.engine.match import Dealt, Match, needs_lot
from kozel.engine.tiles import NAMES, TILES
from kozel.files import private_opener, sync_folder
from kozel.records.locking import Hold, hold
from kozel.records.reading import LEVELS, Record, WrittenRound
from kozel.rules.ruleset import written

if TYPE_CHECKING:
    from kozel.engine.shuffle import Shuffle

_NO_DECISION_YET = re.compile(r" {0,6}| {6}-| {6}- ([0-6]-?)?")
_ZERO_TO_SIX = re.compile("[0-6]")
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""What JSON leaves as it is and YAML does not read."""
_R = TypeVar("_R", bound="RecordFile")
LossKind = Literal["vanished", "replaced", "changed"]
_LOSSES: Mapping[LossKind, str] = {
    "vanished": "the file has vanished",
    "replaced": "another file has taken its place",
    "changed": "another program has changed the file",
}


def head_text(
    reference: str,
    players: Sequence[str],
    pairs: bool,
    *,
    options: Mapping[str, object] | None = None,
    levels: Sequence[str | None] = (),
    seed: str | None = None,
    date: str | None = None,
    shuffle: Shuffle | None = None,
    format: int | None = None,
) -> str:
    """The head of a record, up to and with the line `rounds:`. `format`: 2 where there is a `shuffle`, else 1, if not given."""
    lines = [f"kozel-record: {format or (2 if shuffle else 1)}", f"ruleset: {quoted(reference)}"]
    if options:
        lines.append("options: {" + ", ".join(f"{name}: {written(value)}" for name, value in options.items()) + "}")
    lines.append("players: [" + ", ".join(map(quoted, players)) + "]")
    lines.append(f"pairs: {written(pairs)}")
    if any(levels):
        lines.append("levels: [" + ", ".join(level or "null" for level in levels) + "]")
    if seed is not None:
        lines.append(f"seed: {quoted(seed)}")
    if shuffle is not None:
        from kozel.records.shuffling import shuffle_lines

        lines += shuffle_lines(shuffle)
    if date is not None:
        lines.append(f"date: {quoted(date)}")
    return "\n".join([*lines, "rounds:"]) + "\n"


def deal_text(dealt: Dealt) -> str:
    """A round's deal; its decisions follow line by line."""
    hands = "".join(f"      - {_tiles(sorted(hand))}\n" for hand in dealt.hands)
    bazaar = f"    bazaar: {_tiles(dealt.bazaar)}\n" if dealt.bazaar else ""
    opener = f"    opener: {dealt.lot}\n" if dealt.lot is not None else ""
    return f"  - hands:\n{hands}{bazaar}{opener}    moves:\n"


def move_text(text: str) -> str:
    """A decision's line."""
    return f"      - {text}\n"


def record_text(record: Record) -> str:
    """A whole record in the form in which it can be appended to."""
    head = record.head
    text = head_text(
        head.reference,
        head.players,
        head.pairs,
        options=head.options,
        levels=head.levels,
        seed=head.seed,
        date=head.date,
        shuffle=head.shuffle,
        format=head.format,
    )
    parts = [text]
    for each in record.rounds:
        parts.append(deal_text(Dealt(each.hands, each.bazaar, each.lot)))
        parts += map(move_text, _lines(each))
    return "".join(parts)


def _lines(round: WrittenRound) -> Iterator[str]:
    """What stands under `moves`: decisions, and between them who decides from there on."""
    changes = list(round.changes)
    for count, move in enumerate(round.moves):
        while changes and changes[0].before <= count:
            yield " ".join(changes.pop(0).text.split())
        yield " ".join(move.split())
    for change in changes:
        yield " ".join(change.text.split())


LONGEST_APPEND = 1024
"""More than this many bytes are never written in one stroke after the head."""


def may_be_appended(match: Match, format: int, tail: bytes) -> bool:
    """Are these bytes the beginning of what can be written next: of a decision's line, or of a deal?

    What is too short to be a decision is, whatever it says.
    """
    text = tail.decode("ascii", "replace")
    if match.round is not None and _NO_DECISION_YET.fullmatch(text):
        return True
    if match.round is None and match.end is None:
        game = match.game
        left = len(TILES) - game.seats * game.hand
        form = deal_text(Dealt(((0,) * game.hand,) * game.seats, (0,) * left, 0 if needs_lot(match) else None))
        if len(text) <= len(form) and _ZERO_TO_SIX.sub("0", text) == form[: len(text)]:
            return True
    if match.round is not None and any(move_text(move.text).startswith(text) for move in match.round.legal):
        return True
    if format < 2 or not match.deals:
        return False
    seats = range(match.game.seats)
    changes = [f"computer {seat} {level}" for seat in seats for level in LEVELS] + [f"person {seat}" for seat in seats]
    return any(move_text(change).startswith(text) for change in changes)


def quoted(text: str) -> str:
    r"""A text as YAML reads it back, whatever is in it but halves of surrogate pairs.

    >>> print(quoted('Анна "007": #\n\x7f'))
    "Анна \"007\": #\n\u007f"
    """
    return _UNPRINTABLE.sub(lambda character: f"\\u{ord(character[0]):04x}", json.dumps(text, ensure_ascii=False))


def _tiles(tiles: Sequence[int]) -> str:
    return "[" + ", ".join(NAMES[tile] for tile in tiles) + "]"


class RecordLost(OSError):
    """What was written is no longer there.

    `kind`: the file 'vanished', another one was put in its place ('replaced'), or another program 'changed' it.
    """

    def __init__(self, kind: LossKind, path: Path) -> None:
        self.kind = kind
        super().__init__(errno.ESTALE, _LOSSES[kind], str(path))


class RecordFile:
    """A record on the disk that grows at its end, held for this program alone until it is closed.

    Every method returns once the text is on the disk; raises `OSError`, and then the text does not count. What was
    written is looked after: `RecordLost` where it is not there any more, until `save_elsewhere` has written it anew.
    """

    def __init__(self, held: Hold, file: FileIO, content: bytes = b"") -> None:
        self._held, self._file, self._content = held, file, bytearray(content)
        self._last_written: tuple[int, int] | None = None
        self._torn = False
        self._lock = threading.RLock()
        self._told_apart = self._is_named()

    @property
    def path(self) -> Path:
        """The record's file."""
        return self._held.path

    @classmethod
    def create(cls: type[_R], path: Path, head: str | Callable[[], str], *, private: bool = False) -> _R:
        """A new file; raises `FileExistsError` rather than write over one. Nothing is left of one that cannot be written.

        `head` may be made once the file's name is taken. `private`: for nobody else to read.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path.parent)) from None
        file = FileIO(path, "x+b", opener=private_opener if private else None)
        record = None
        try:
            record = cls(hold(path), file)
            record._append(head if isinstance(head, str) else head())
        except BaseException:
            record.close() if record else file.close()
            with contextlib.suppress(OSError):
                path.unlink()
            raise
        sync_folder(path.parent)
        return record

    @classmethod
    def go_on(cls: type[_R], held: Hold, length: int) -> _R:
        """An existing file that is held, cut to the `length` bytes that count."""
        file = FileIO(held.path, "r+b")
        content = file.read(length)
        if content is None or len(content) < length:
            file.close()
            raise RecordLost("changed", held.path)
        if os.fstat(file.fileno()).st_size > length:
            file.truncate(length)
            os.fsync(file.fileno())
        return cls(held, file, content)

    def deal(self, dealt: Dealt) -> None:
        """Append a deal."""
        self._append(deal_text(dealt))

    def decide(self, move: str) -> None:
        """Append a decision, in the notation of the record."""
        self._append(move_text(move))

    def seat_computer(self, seat: int, level: str) -> None:
        """From here on a computer player decides for a seat. For a record of version 2, in a round."""
        self._append(move_text(f"computer {seat} {level}"))

    def seat_person(self, seat: int) -> None:
        """From here on the person decides for a seat again. For a record of version 2, in a round."""
        self._append(move_text(f"person {seat}"))

    def take_back(self, moves: Sequence[str]) -> None:
        """Cut off the last decisions, these ones, in one stroke."""
        with self._lock:
            self.check()
            length = len(self._content) - sum(len(move_text(move).encode()) for move in moves)
            self._file.truncate(length)
            del self._content[length:]
            with contextlib.suppress(OSError):  # it is cut; where it cannot be synchronised now, the next line does it
                os.fsync(self._file.fileno())
            self._last_written = self._stamp()

    def check(self) -> None:
        """Is all that was written still there? Raises `RecordLost` where it is not, `OSError` where that cannot be seen."""
        with self._lock:
            try:
                replaced = not self._is_named()
            except FileNotFoundError:
                raise RecordLost("vanished", self.path) from None
            if replaced and self._told_apart:
                raise RecordLost("replaced", self.path)
            if self._torn:
                self._file.truncate(len(self._content))
                self._torn = False
            if self._stamp() == self._last_written:
                return
            self._file.seek(0)
            if self._file.readall() != self._content:
                raise RecordLost("changed", self.path)
            self._last_written = self._stamp()

    def save_elsewhere(self, path: Path) -> None:
        """Write all of it into a new file, and go on there. Raises `FileExistsError` rather than write over one, `OSError`."""
        with self._lock:
            mode = os.fstat(self._file.fileno()).st_mode
            saved = RecordFile.create(path, self._content.decode(), private=not mode & 0o077)
            self._file.close()
            self._held.release()
            self._held, self._file, self._torn = saved._held, saved._file, False
            self._told_apart = saved._told_apart
            self._last_written = saved._last_written

    def close(self) -> None:
        """Close the file and let others have it."""
        with self._lock:
            self._file.close()
            self._held.release()

    def _append(self, text: str) -> None:
        content = text.encode()
        with self._lock:
            self.check()
            self._file.seek(len(self._content))
            try:
                written = 0
                while written < len(content):
                    written += self._file.write(content[written:])
                os.fsync(self._file.fileno())
            except OSError:
                self._torn = True
                with contextlib.suppress(OSError):
                    self._file.truncate(len(self._content))
                    self._torn = False
                self._last_written = None
                raise
            self._content += content
            self._last_written = self._stamp()

    def _is_named(self) -> bool:
        """Has this file its own name still? Some file systems cannot tell two files apart: there never."""
        return os.path.samestat(os.stat(self.path), os.fstat(self._file.fileno()))

    def _stamp(self) -> tuple[int, int]:
        status = os.fstat(self._file.fileno())
        return status.st_mtime_ns, status.st_size
