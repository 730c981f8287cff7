"""Where computer players think: in workers with a bounded queue, so that keys are answered and many tables stay fair."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TypeVar

from kozel.bots.hints import Hint, hint
from kozel.bots.levels import player
from kozel.bots.view import observe
from kozel.engine.moves import Move
from kozel.engine.seen import View
from kozel.rules.seating import Seating

_R = TypeVar("_R")


class Thinkers:
    """A pool of workers. What waits is taken in the order of asking; more than `waiting` requests make the next ones wait."""

    def __init__(self, workers: int = 1, waiting: int = 64) -> None:
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="thinking")
        self._places = asyncio.Semaphore(waiting)

    async def choose(self, seating: Seating, level: str, view: View, random: Random) -> Move:
        """What a computer player of this level decides in a view in which it is its turn."""
        game = seating.game()
        return await self._run(lambda: player(level)(observe(game, view), random))

    async def hint(self, seating: Seating, view: View) -> Hint:
        """What a player would be advised in a view in which it is that player's turn."""
        game = seating.game()
        return await self._run(lambda: hint(observe(game, view)))

    def close(self) -> None:
        """No more is asked; what is being thought is not waited for."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _run(self, think: Callable[[], _R]) -> _R:
        async with self._places:
            return await asyncio.get_running_loop().run_in_executor(self._pool, think)
