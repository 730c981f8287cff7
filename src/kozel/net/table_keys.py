"""The keyboard at a table over a network: what happens there can end what is being asked, and one key opens the talk."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from kozel.session.commands import Command
from kozel.session.keys import AT_THE_TABLE, KeyNames, Keys, Place, Pressed, ShiftSpace


class TableKeys:
    """Keys that come from `inner`, until `interrupt` is called: then whoever waits for one gets that exception instead.

    `talk`, if any, is awaited when the key for talking comes at the table; it reads its own keys from here.
    """

    def __init__(self, inner: Keys) -> None:
        self._inner = inner
        self._raised: Exception | None = None
        self._flag: asyncio.Future[None] | None = None
        self._talking = False
        self.talk: Callable[[], Awaitable[None]] | None = None

    @property
    def is_terminal(self) -> bool:
        """Does a person type here?"""
        return self._inner.is_terminal

    @property
    def shift_space(self) -> ShiftSpace:
        """Whether Shift+Space is told from Space."""
        return self._inner.shift_space

    @property
    def names(self) -> KeyNames:
        """What the keys are called."""
        return self._inner.names

    @property
    def wait(self) -> float:
        """Seconds from a question to a key that may answer it."""
        return self._inner.wait

    async def settled(self) -> None:
        """Wait until it is known what the terminal can tell."""
        await self._inner.settled()

    def interrupt(self, reason: Exception) -> None:
        """End what is being asked."""
        self._raised = reason
        if self._flag is not None and not self._flag.done():
            self._flag.set_result(None)

    def clear(self, known: type[Exception] = Exception) -> None:
        """What has happened is known, if it is of this kind; ask on."""
        if isinstance(self._raised, known):
            self._raised = None
            self._flag = None

    async def get(self, place: Callable[[], Place], timeout: float | None = None) -> Pressed | None:
        """The next key; see `Keys.get`. Raises what `interrupt` was given."""
        while True:
            pressed = await self._next(place, timeout)
            talks = pressed is not None and pressed.command is Command.TALK and place() in AT_THE_TABLE
            if not talks or self.talk is None or self._talking:
                return pressed
            self._talking = True
            try:
                await self.talk()
            finally:
                self._talking = False

    async def _next(self, place: Callable[[], Place], timeout: float | None) -> Pressed | None:
        if self._raised is not None:
            raise self._raised
        reading = asyncio.ensure_future(self._inner.get(place, timeout))
        if self._flag is None:
            self._flag = asyncio.get_running_loop().create_future()
        try:
            await asyncio.wait((reading, self._flag), return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                return reading.result()
            raise self._raised or asyncio.CancelledError
        finally:
            if not reading.done():
                reading.cancel()
