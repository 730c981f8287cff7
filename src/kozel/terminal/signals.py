"""The signals that end the program, as something that the one who waits for a key is told."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator
from types import FrameType
from typing import Any

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGBREAK")
LAST_WORDS = 1.5
"""Seconds in which a program that a signal has ended may say goodbye, whatever comes after the first one."""


class SignalWatch:
    """While entered, `told` is called in the event loop with the number of each SIGINT, SIGTERM, SIGHUP and SIGQUIT.

    A signal that was ignored before stays ignored: `nohup` and shells without job control want it so. Where one has come,
    others do nothing for `LAST_WORDS` from then on, also after leaving; then they are what they were before.
    """

    def __init__(self, told: Callable[[int], None]) -> None:
        self._told = told
        self._before: dict[int, Any] = {}
        self._came_at: float | None = None

    def __enter__(self) -> SignalWatch:
        loop = asyncio.get_running_loop()
        for number in filter(None, (getattr(signal, name, None) for name in _NAMES)):
            before = signal.getsignal(number)
            if before is signal.SIG_IGN:
                continue
            with contextlib.suppress(ValueError, RuntimeError):  # not in the main thread
                self._install(loop, number)
                self._before[number] = before
        return self

    def __exit__(self, *exc: object) -> None:
        with _held_back(self._before):
            for number, before in self._before.items():
                with contextlib.suppress(ValueError, RuntimeError, TypeError):
                    if sys.platform != "win32":
                        asyncio.get_running_loop().remove_signal_handler(number)
                    signal.signal(number, before if self._came_at is None else _patient(before, self._came_at))
        if self._came_at is not None:
            atexit.register(_ignore, tuple(self._before))
        self._before.clear()

    def _install(self, loop: asyncio.AbstractEventLoop, number: int) -> None:
        if sys.platform != "win32":
            loop.add_signal_handler(number, self._came, number)
            return

        def handler(signum: int, frame: FrameType | None) -> None:
            meant = signal.SIGINT if signum == signal.SIGINT else signal.SIGTERM
            loop.call_soon_threadsafe(self._came, int(meant))

        signal.signal(number, handler)

    def _came(self, number: int) -> None:
        if self._came_at is None:
            self._came_at = time.monotonic()
        self._told(number)


@contextlib.contextmanager
def _held_back(numbers: Collection[int]) -> Iterator[None]:
    """Signals that come meanwhile are delivered afterwards: between two handlers stands what ends the program."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ignore(numbers: Collection[int]) -> None:
    """Python takes its handlers away before it ends: what comes then must not be how it ended."""
    for number in numbers:
        with contextlib.suppress(ValueError, OSError):
            signal.signal(number, signal.SIG_IGN)


def _patient(before: Any, came_at: float) -> Callable[[int, FrameType | None], None]:
    """A handler that leaves time for the last words, and then does what was done before."""

    def handler(signum: int, frame: FrameType | None) -> None:
        if time.monotonic() - came_at < LAST_WORDS:
            return
        signal.signal(signum, before)
        signal.raise_signal(signum)

    return handler
