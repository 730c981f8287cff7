"""What happens at a server, for its operator: a JSON object a line, without a tile, a hand or a word of talk in it."""

from __future__ import annotations

import json
import logging
import logging.handlers
import time
from pathlib import Path

FILE = "events.jsonl"
"""The file's name in the server's folder; ten more are kept of 10 MB each."""
_LARGEST, _KEPT = 10_000_000, 10
_diary = logging.getLogger("kozel.diary")


def log_event(event: str, **facts: object) -> None:
    """Note an event: a word for what happened, and whatever tells it apart."""
    if _diary.handlers:
        _diary.info(json.dumps({"time": round(time.time(), 3), "event": event, **facts}, ensure_ascii=False))


def open_diary(folder: Path) -> logging.Handler:
    """Keep events in a folder from now on, for its owner to read. Raises `OSError`."""
    path = folder / FILE
    path.touch(mode=0o600)
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=_LARGEST, backupCount=_KEPT, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(message)s"))
    _diary.addHandler(handler)
    _diary.setLevel(logging.INFO)
    _diary.propagate = False
    return handler


def close_diary(handler: logging.Handler) -> None:
    """Keep no more."""
    _diary.removeHandler(handler)
    handler.close()
