"""A record written as the match goes on: a deal in one stroke, then a line a decision, each on the disk before it is told."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Mapping, Sequence
from io import FileIO
from pathlib import Path

from kozel.engine.match import Dealt
from kozel.engine.tiles import NAMES
from kozel.records.locking import Hold, hold
from kozel.records.reading import FORMAT, Record
from kozel.rules.ruleset import written


def head_text(
    reference: str,
    players: Sequence[str],
    pairs: bool,
    *,
    options: Mapping[str, object] | None = None,
    levels: Sequence[str | None] = (),
    seed: str | None = None,
    date: str | None = None,
) -> str:
    """The head of a record, up to and with the line `rounds:`."""
    lines = [f"kozel-record: {FORMAT}", f"ruleset: {_quoted(reference)}"]
    if options:
        lines.append("options: {" + ", ".join(f"{name}: {written(value)}" for name, value in options.items()) + "}")
    lines.append("players: [" + ", ".join(map(_quoted, players)) + "]")
    lines.append(f"pairs: {written(pairs)}")
    if any(levels):
        lines.append("levels: [" + ", ".join(level or "null" for level in levels) + "]")
    if seed is not None:
        lines.append(f"seed: {_quoted(seed)}")
    if date is not None:
        lines.append(f"date: {_quoted(date)}")
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
    )
    for each in record.rounds:
        text += deal_text(Dealt(each.hands, each.bazaar, each.lot))
        text += "".join(map(move_text, each.moves))
    return text


def whole_lines(content: bytes) -> bytes:
    """What counts of a record that may have been cut anywhere: whole lines, and of a deal all of it or nothing.

    A deal is told only once its last line, `moves:`, is on the disk.
    """
    content = content[: content.rfind(b"\n") + 1]
    deal = content.rfind(b"\n  - hands:")
    if deal >= 0 and b"\n    moves:" not in content[deal:]:
        content = content[: deal + 1]
    return content


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _tiles(tiles: Sequence[int]) -> str:
    return "[" + ", ".join(NAMES[tile] for tile in tiles) + "]"


class RecordFile:
    """A record on the disk that grows at its end, held for this program alone until it is closed.

    Every method returns once the text is on the disk; raises `OSError`, and then the text does not count.
    """

    def __init__(self, held: Hold, file: FileIO, length: int) -> None:
        self._held, self._file, self._length = held, file, length

    @property
    def path(self) -> Path:
        """The record's file."""
        return self._held.path

    @classmethod
    def create(cls, path: Path, head: str) -> RecordFile:
        """A new file; raises `FileExistsError` rather than write over one. Nothing is left of one that cannot be written."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path.parent)) from None
        file = path.open("xb", buffering=0)
        record = None
        try:
            record = cls(hold(path), file, 0)
            record._append(head)
        except OSError:
            record.close() if record else file.close()
            with contextlib.suppress(OSError):
                path.unlink()
            raise
        return record

    @classmethod
    def go_on(cls, held: Hold, length: int) -> RecordFile:
        """An existing file that is held, cut to the `length` bytes that count."""
        file = held.path.open("r+b", buffering=0)
        file.truncate(length)
        return cls(held, file, length)

    def deal(self, dealt: Dealt) -> None:
        """Append a deal."""
        self._append(deal_text(dealt))

    def decide(self, move: str) -> None:
        """Append a decision, in the notation of the record."""
        self._append(move_text(move))

    def take_back(self, moves: Sequence[str]) -> None:
        """Cut off the last decisions, these ones, in one stroke."""
        length = self._length - sum(len(move_text(move).encode()) for move in moves)
        self._file.truncate(length)
        self._length = length
        with contextlib.suppress(OSError):  # it is cut; where it cannot be synchronised now, the next line does it
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file and let others have it."""
        self._file.close()
        self._held.release()

    def _append(self, text: str) -> None:
        content = text.encode()
        self._file.seek(self._length)
        try:
            written = 0
            while written < len(content):
                written += self._file.write(content[written:])
            os.fsync(self._file.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                self._file.truncate(self._length)
            raise
        self._length += len(content)
