"""What is done meanwhile: tasks that nobody waits for, kept until they are done."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

log = logging.getLogger(__name__)

_R = TypeVar("_R")


class Errands:
    """Tasks of one owner. `owner`: what it is called in the log, where what fails is written; an `OSError` as a warning."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, doing: Coroutine[Any, Any, _R]) -> asyncio.Task[_R]:
        """Do something meanwhile."""
        task = asyncio.ensure_future(doing)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def cancel(self) -> None:
        """Give up what is not done yet."""
        for task in tuple(self._tasks):
            task.cancel()

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, OSError):
            log.warning("%s: %s", self._owner, error)
        elif error is not None:
            log.error("%s", self._owner, exc_info=error)
