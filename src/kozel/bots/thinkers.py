"""Where computer players think: in workers with a bounded queue, so that keys are answered and many tables stay fair.

What takes long is thought in processes of their own: a thread of Python would hold up every key. A process that does not
start, or dies, costs nothing but that.
"""

from __future__ import annotations

import asyncio
import logging
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any, BinaryIO, cast

from kozel.apart import APART, python
from kozel.bots.hints import Hint
from kozel.bots.thinking import Task, carried_out, receive, send
from kozel.engine.moves import Move
from kozel.engine.seen import View
from kozel.rules.seating import Seating

log = logging.getLogger(__name__)
_QUICK = ("novice", "amateur")
"""Levels that decide in a moment."""


class Thinkers:
    """Workers for decisions, and one adviser for hints. What waits is taken in the order of asking.

    More than `waiting` requests make the next ones wait. Nothing is started before it is needed.
    """

    def __init__(self, workers: int = 1, waiting: int = 64) -> None:
        self._idle = [_Process() for _ in range(workers)]
        self._adviser = _Process()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="thinking")
        self._advice = ThreadPoolExecutor(1, thread_name_prefix="advice")
        self._quick = ThreadPoolExecutor(1, thread_name_prefix="quick")
        self._places = asyncio.Semaphore(waiting)

    async def choose(self, seating: Seating, level: str, view: View, random: Random) -> Move:
        """What a computer player of this level decides in a view in which it is its turn."""
        task = Task.of("choose", seating, level=level, view=view, random=random)
        pool = self._quick if level in _QUICK else self._pool
        async with self._places:
            think = self._at_once if level in _QUICK else self._by_a_worker
            return cast(Move, await asyncio.get_running_loop().run_in_executor(pool, think, task, seating))

    async def hint(self, seating: Seating, view: View) -> Hint:
        """What a player would be advised in a view in which it is that player's turn."""
        return cast(Hint, await self._advise(Task.of("hint", seating, view=view), seating))

    async def prepare(self, seating: Seating) -> None:
        """Think ahead about what every hint of this game needs."""
        await self._advise(Task.of("prepare", seating), seating)

    def close(self) -> None:
        """No more is asked; what is being thought is given up at once."""
        for pool in (self._pool, self._advice, self._quick):
            pool.shutdown(wait=False, cancel_futures=True)
        for process in (*self._idle, self._adviser):
            process.close()

    async def _advise(self, task: Task, seating: Seating) -> object:
        return await asyncio.get_running_loop().run_in_executor(self._advice, self._adviser.think, task, seating)

    @staticmethod
    def _at_once(task: Task, seating: Seating) -> object:
        return carried_out(task, seating.game())

    def _by_a_worker(self, task: Task, seating: Seating) -> object:
        process = self._idle.pop()
        try:
            return process.think(task, seating)
        finally:
            self._idle.append(process)


class _Process:
    """A process that thinks, started with its first task."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._broken = self._closed = False
        self._lock = threading.Lock()

    def think(self, task: Task, seating: Seating) -> object:
        """What comes of a task; thought here where the process cannot. Raises what the thinking raised."""
        if not self._broken:
            try:
                return self._asked(task)
            except (OSError, EOFError):
                if self._closed:
                    raise asyncio.CancelledError from None
                log.exception("a process that thinks could not be asked")
                self._broken = True
        return carried_out(task, seating.game())

    def close(self) -> None:
        """Give up whatever it does."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()
                self._process.wait()

    def _asked(self, task: Task) -> object:
        with self._lock:
            if self._closed:
                raise EOFError
            if self._process is None:
                self._process = subprocess.Popen(
                    python("kozel.bots.thinking"),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    **APART,
                )
            process = self._process
        send(cast(BinaryIO, process.stdin), task)
        done, value = cast("tuple[bool, Any]", receive(cast(BinaryIO, process.stdout)))
        if not done:
            raise value
        return value
