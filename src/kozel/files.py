"""Files of the program's own: written so that a power cut leaves the old one or the new one, and set aside where damaged."""

from __future__ import annotations

import contextlib
import os
from datetime import date
from pathlib import Path

_MOST_SET_ASIDE = 1000


def write_durably(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a file, in place of one that is there: whoever reads it meanwhile has the old one or the new one, whole.

    Once this returns it is on the disk. Folders that are missing are made; a link stays a link. `private`: for nobody else
    to read. Raises `OSError`.
    """
    target = Path(os.path.realpath(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    renewed = target.with_name(f"{target.name}.new-{os.getpid()}-{os.urandom(4).hex()}")
    try:
        create_durably(renewed, content, private=private)
        os.replace(renewed, target)
    except BaseException:
        with contextlib.suppress(OSError):
            renewed.unlink()
        raise
    sync_folder(target.parent)


def create_durably(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a new file; it is on the disk once this returns. Raises `FileExistsError` rather than write over one, `OSError`.

    Nothing is left of one that cannot be written.
    """
    with open(path, "xb", opener=private_opener if private else None) as file:
        try:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            file.close()
            with contextlib.suppress(OSError):
                path.unlink()
            raise
    sync_folder(path.parent)


def private_opener(path: str, flags: int) -> int:
    """Opens a new file that only its owner may read."""
    return os.open(path, flags, 0o600)


def sync_folder(folder: Path) -> None:
    """See to it that names made or changed in a folder are on the disk, where the system can."""
    if os.name == "nt":  # folders cannot be opened there
        return
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def set_aside(path: Path, day: date) -> Path | None:
    """Give a damaged file another name, such as `settings.yaml.damaged-2026-11-30`, and tell it; None where that cannot be."""
    for number in range(1, _MOST_SET_ASIDE):
        aside = path.with_name(f"{path.name}.damaged-{day.isoformat()}" + (f"-{number}" if number > 1 else ""))
        try:
            if os.path.lexists(aside):
                continue
            os.rename(path, aside)
        except OSError:
            return None
        return aside
    return None
