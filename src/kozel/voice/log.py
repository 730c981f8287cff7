"""The debug log and the log of faults: where a key and a message went, and when.

Whoever carries something on writes to the logger of its station: `logging.getLogger("kozel.keys")` and so on, at level
DEBUG. Nothing may be written there that the seat at this keyboard does not know: no seed, no whole event of a match, no
hand but its own. Faults of the program go to any logger under "kozel", at level ERROR.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Literal

Station = Literal["keys", "commands", "events", "messages", "outputs"]
STATIONS: tuple[Station, ...] = ("keys", "commands", "events", "messages", "outputs")

_ROOT = "kozel"
_LINE = "%(asctime)s.%(msecs)03d %(name)s [%(threadName)s] %(message)s"


def station(name: Station) -> logging.Logger:
    """The logger of a station."""
    return logging.getLogger(f"{_ROOT}.{name}")


def open_log(path: str | Path) -> logging.Handler:
    """Begins to append the debug log to a file, to be ended by `close_log`. Raises OSError if it can't be opened."""
    handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(logging.Formatter(_LINE, "%Y-%m-%d %H:%M:%S"))
    handler.setLevel(logging.DEBUG)
    return _add(handler, logging.DEBUG)


def keep_faults(path: Path, tell: Callable[[Path], object] = lambda path: None) -> logging.Handler:
    """Begins to append faults to a file, made with the first one; `tell` is called with its name, once.

    To be ended by `close_log`. A file that can't be written is not told.
    """
    return _add(_FaultLog(path, tell), logging.ERROR)


def close_log(handler: logging.Handler) -> None:
    """Ends a log."""
    root = logging.getLogger(_ROOT)
    root.removeHandler(handler)
    root.setLevel(min((kept.level for kept in root.handlers if kept.level), default=logging.WARNING))
    handler.close()


def _add(handler: logging.Handler, level: int) -> logging.Handler:
    root = logging.getLogger(_ROOT)
    root.setLevel(min(level, root.level or level))
    root.addHandler(handler)
    return handler


class _FaultLog(logging.Handler):
    def __init__(self, path: Path, tell: Callable[[Path], object]) -> None:
        super().__init__(logging.ERROR)
        self.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))
        self._path, self._tell, self._told = path, tell, False
        self._telling = threading.Lock()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(self.format(record) + "\n")
        except OSError:
            return
        with self._telling:
            first, self._told = not self._told, True
        if first:  # in a thread of its own: whoever has the fault may hold what saying it needs
            threading.Thread(target=self._tell, args=(self._path,), name="fault", daemon=True).start()
