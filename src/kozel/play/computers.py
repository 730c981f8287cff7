"""Computer players: users of a seat, as people are."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from random import Random
from typing import Protocol

from kozel.bots.thinkers import Thinkers
from kozel.engine.moves import Move
from kozel.engine.round import Refused
from kozel.engine.seen import View
from kozel.play.seat import Seat, Update
from kozel.rules.seating import Seating


class Mind(Protocol):
    """What decides for a seat."""

    async def choose(self, view: View) -> Move:
        """The decision in a view in which it is this seat's turn."""


class LevelMind:
    """A computer player of a level."""

    def __init__(self, thinkers: Thinkers, seating: Seating, level: str, randoms: Callable[[View], Random]) -> None:
        self._thinkers, self._seating, self._level, self._randoms = thinkers, seating, level, randoms

    async def choose(self, view: View) -> Move:
        """The decision in a view in which it is this seat's turn."""
        return await self._thinkers.choose(self._seating, self._level, view, self._randoms(view))


class ScriptMind:
    """Plays a part that was written before: decisions by their notation."""

    def __init__(self, part: Iterable[str]) -> None:
        self._part = iter(part)

    async def choose(self, view: View) -> Move:
        """The next decision of the part."""
        text = next(self._part)
        return next(move for move in view.legal if move.text == text)


class Computer:
    """Sits on a seat and decides whenever it is its turn, `pause` seconds after it is asked at the earliest.

    `trouble` is called with the `OSError` of a decision that could not be written (`go_on` tries again), or with a fault.
    While `hold` says
    so, a decision waits.
    """

    def __init__(self, seat: Seat, mind: Mind, trouble: Callable[[Exception], None], pause: float = 0.0) -> None:
        self._seat, self._mind, self._trouble, self._pause = seat, mind, trouble, pause
        self._task: asyncio.Task[None] | None = None
        self._may = asyncio.Event()
        self._may.set()
        self._stop = seat.listen(self._hear)

    @property
    def busy(self) -> asyncio.Task[None] | None:
        """What it is doing, None where it waits for others or is held."""
        return self._task if self._task is not None and not self._task.done() and self._may.is_set() else None

    def go_on(self) -> None:
        """Decide, if it is its turn and it does not do so already."""
        if self._seat.view.own_turn and (self._task is None or self._task.done()):
            self._think()

    def hold(self, held: bool) -> None:
        """Keep what is decided back, or let it out again."""
        if held:
            self._may.clear()
        else:
            self._may.set()

    def leave(self) -> None:
        """Get up from the seat."""
        self._stop()
        if self._task is not None:
            self._task.cancel()

    def _hear(self, update: Update) -> None:
        if update.view.own_turn:
            if self._task is not None and self._task is not asyncio.current_task():
                self._task.cancel()
            self._think()

    def _think(self) -> None:
        self._task = asyncio.ensure_future(self._turn(self._seat.view, self._seat.serial))

    async def _turn(self, view: View, serial: int) -> None:
        rest = asyncio.ensure_future(asyncio.sleep(self._pause))
        try:
            move = await self._mind.choose(view)
            await rest
            await self._may.wait()
            with contextlib.suppress(Refused):  # a decision was taken back meanwhile
                await self._seat.decide(move, serial)
        except Exception as error:
            self._trouble(error)
        finally:
            rest.cancel()
