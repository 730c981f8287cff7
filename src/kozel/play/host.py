"""Who keeps a table: its computer players, the seats of the people at this keyboard, the next match."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import date
from typing import Protocol

from kozel.bots.thinkers import Thinkers
from kozel.play.computers import Computer, LevelMind, Mind
from kozel.play.seat import Seat, Update
from kozel.play.store import Folder
from kozel.play.table import Table
from kozel.rules.seating import Seating

Trouble = Callable[[Exception], None]
"""Hears an `OSError` where a decision could not be written, or a fault of our own."""


class Host(Protocol):
    """What a session needs of whoever keeps its table, besides the seats themselves."""

    @property
    def seating(self) -> Seating:
        """Who plays what."""

    @property
    def seats(self) -> Mapping[int, Seat]:
        """The seats of the people at this keyboard, by number."""

    def watch(self) -> Seat:
        """A seat without a hand, for whoever only listens."""

    @property
    def can_take_back(self) -> bool:
        """Is it practice?"""

    def open(self, trouble: Trouble) -> None:
        """The session listens now: computer players may begin. `trouble` hears what could not be written for them."""

    async def quiet(self) -> None:
        """Wait until nothing happens without a person any more."""

    def hold(self, held: bool) -> None:
        """Let computer players wait, or go on, where the table is this keyboard's own."""

    async def retry(self) -> None:
        """Try again what could not be written. Raises `OSError`."""

    async def again(self) -> Host:
        """A new match with the same seats; this one is closed. Raises `OSError`."""


class LocalHost:
    """Keeps a table in this process."""

    def __init__(
        self,
        table: Table,
        thinkers: Thinkers,
        *,
        folder: Folder,
        day: date,
        pause: float = 0.0,
        minds: Mapping[int, Mind] | None = None,
    ) -> None:
        """`minds`: what decides for a seat, where it is not a computer player of the seat's level."""
        self.table, self._thinkers = table, thinkers
        self._folder, self._day, self._pause = folder, day, pause
        self._minds = dict(minds or {})
        self._computers: list[Computer] = []
        self._dealing: asyncio.Task[None] | None = None
        self._trouble: Trouble = _raise
        self._stop: Callable[[], None] = _nothing

    @property
    def seating(self) -> Seating:
        """Who plays what."""
        return self.table.seating

    @property
    def seats(self) -> Mapping[int, Seat]:
        """The seats of the people at this keyboard, by number; where nobody plays, none."""
        return {number: self.table.seats[number] for number in self.seating.persons}

    def watch(self) -> Seat:
        """A seat without a hand, for whoever only listens."""
        return self.table.watch()

    @property
    def can_take_back(self) -> bool:
        """Is it practice?"""
        return self.table.can_take_back

    def open(self, trouble: Trouble) -> None:
        """Seat the computer players and let them begin."""
        self._trouble = trouble
        for number, level in enumerate(self.seating.levels):
            if level is not None:
                mind = self._minds.get(number) or LevelMind(
                    self._thinkers, self.seating, level, self.table.randoms(number)
                )
                self._computers.append(Computer(self.table.seats[number], mind, trouble, self._pause))
        if not self.seating.persons:
            self._stop = self.table.watch().listen(self._hear)
        self._go_on()

    async def quiet(self) -> None:
        """Wait until nothing happens without a person any more."""
        while True:
            busy = [task for task in (*(each.busy for each in self._computers), self._dealing) if task is not None]
            busy = [task for task in busy if not task.done()]
            if not busy:
                return
            await asyncio.wait(busy)

    def hold(self, held: bool) -> None:
        """Let computer players wait, or go on."""
        for computer in self._computers:
            computer.hold(held)

    async def retry(self) -> None:
        """Try again what could not be written. Raises `OSError`."""
        if self.table.must_deal:
            await self.table.deal()
        else:
            self._go_on()

    async def again(self) -> LocalHost:
        """A new match with the same seats, from another seed; this one is closed. Raises `OSError`."""
        table = await asyncio.to_thread(type(self.table).start, self.seating.afresh(), self._folder, self._day)
        await self.close()
        return LocalHost(table, self._thinkers, folder=self._folder, day=self._day, pause=self._pause)

    def rise(self) -> None:
        """Everybody gets up from the table, whose record stays open."""
        self._stop()
        for computer in self._computers:
            computer.leave()
        self._computers.clear()
        if self._dealing is not None:
            self._dealing.cancel()

    async def close(self) -> None:
        """Everybody gets up; the record is closed."""
        self.rise()
        await self.table.close()

    def _hear(self, update: Update) -> None:
        if not update.view.playing:
            self._go_on()

    def _go_on(self) -> None:
        """Computers alone are dealt the next round; else those whose turn it is decide."""
        if not self.seating.persons and not self.table.match.round and self.table.match.end is None:
            self._dealing = asyncio.ensure_future(self._deal())
        for computer in self._computers:
            computer.go_on()

    async def _deal(self) -> None:
        try:
            await self.table.deal()
        except Exception as error:
            self._trouble(error)


def _raise(error: Exception) -> None:
    raise error


def _nothing() -> None:
    """Nobody listens."""
