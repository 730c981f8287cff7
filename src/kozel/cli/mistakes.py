"""A mistake of the user's, or a disk's: lines for standard error, and the exit status."""

from __future__ import annotations

import errno
from collections.abc import Iterable

from kozel.clean import clean
from kozel.locales import message
from kozel.narration.faults import placed_fault
from kozel.play.store import Unusable
from kozel.yamltree import BadFile, suggest

__all__ = ["Failure", "Mistake", "bad_file", "cannot_read", "cannot_write", "hint", "why", "wrong"]


class Mistake(Exception):
    """What the user got wrong; `lines` say what, where, and what would be right."""

    status = 2

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        super().__init__("\n".join(self.lines))


class Failure(Mistake):
    """What nobody got wrong, such as a full disk."""

    status = 1


_DISKS_FAULTS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ESTALE)


def cannot_write(lang: str, error: OSError, file: object) -> Mistake:
    """A file that cannot be written: the user's mistake, unless it is the disk that is full, fails or has lost it."""
    kind = Failure if error.errno in _DISKS_FAULTS else Mistake
    return kind([message(lang, "cli.cannot_write", file=file, why=error.strerror or str(error))])


def cannot_read(lang: str, error: OSError | ValueError, file: object) -> Mistake:
    """A file or folder that cannot be looked into."""
    if isinstance(error, OSError):
        return wrong(lang, "cannot_read", file=error.filename or file, why=error.strerror or str(error))
    return wrong(lang, "cannot_read", file=clean(str(file)) or "", why=error)


def wrong(lang: str, key: str, /, **facts: object) -> Mistake:
    """A mistake with its sentence from the catalogue."""
    return Mistake([message(lang, f"cli.{key}", **facts)])


def why(lang: str, error: Unusable) -> str:
    """Why a record cannot be used, in the player's language."""
    if error.fault is None:
        return error.phrase.text(lang)
    return placed_fault(lang, error.fault, error.players, *error.at)


def hint(lang: str, word: str, known: Iterable[str]) -> str:
    """How a sentence about an unknown word goes on, in the player's language: the nearest known word, or all of them."""
    return suggest(word, known).text(lang)


def bad_file(error: BadFile, lang: str) -> Mistake:
    """All that is wrong in a file."""
    return Mistake(problem.placed(lang) for problem in error.problems)
