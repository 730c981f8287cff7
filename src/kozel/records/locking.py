"""One program at a time plays a match: the operating system's lock on the record, gone when its program is.

It is the system's own and not a library's, because it needs no file beside the record, and costs the start nothing.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_PLACE = 0x7FFF0000
"""The byte that is locked on Windows, where a lock keeps others from reading: far behind the end of any record."""
_TRIES = 20
"""How often a file that is replaced meanwhile is opened anew; a file system that cannot tell two files apart is believed then."""
_BUSY = (errno.EACCES, errno.EAGAIN, errno.EDEADLK, 0)
"""What a lock that somebody else has is told by: 0 by Wine."""


class InUse(OSError):
    """Another program plays this match."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EBUSY, "another program plays this match", str(path))


class Hold:
    """A record held for this program alone."""

    def __init__(self, path: Path, file: int) -> None:
        self.path, self._file = path, file

    def release(self) -> None:
        """Let others have it."""
        if self._file >= 0:
            file, self._file = self._file, -1
            os.close(file)


def hold(path: Path) -> Hold:
    """Hold a record. Raises `InUse`, or `OSError` where it cannot be opened."""
    tries = 0
    while True:
        tries += 1
        file = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        try:
            _lock(file, path)
            if sys.platform == "win32" or _is_still(file, path) or tries == _TRIES:
                return Hold(path, file)
        except BaseException:
            os.close(file)
            raise
        os.close(file)


def _lock(file: int, path: Path) -> None:
    try:
        if sys.platform == "win32":
            os.lseek(file, _PLACE, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _BUSY:
            raise InUse(path) from None
        # a file system without locks: better played unguarded than not at all


def _is_still(file: int, path: Path) -> bool:
    """Is this open file the one of that name? It may have been replaced before it was locked."""
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except FileNotFoundError:
        return False
