"""The signals that end the program, as something that the one who waits for a key is told."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


class SignalWatch:
    """While entered, `told` is called in the event loop with the number of each SIGINT, SIGTERM and SIGHUP.

    A signal that was ignored before stays ignored: `nohup` and shells without job control want it so.
    """

    def __init__(self, told: Callable[[int], None]) -> None:
        self._told = told
        self._before: dict[int, Any] = {}

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
        for number, before in self._before.items():
            with contextlib.suppress(ValueError, RuntimeError, TypeError):
                if sys.platform != "win32":
                    asyncio.get_running_loop().remove_signal_handler(number)
                signal.signal(number, before)
        self._before.clear()

    def _install(self, loop: asyncio.AbstractEventLoop, number: int) -> None:
        if sys.platform != "win32":
            loop.add_signal_handler(number, self._told, number)
            return

        def handler(signum: int, frame: FrameType | None) -> None:
            meant = signal.SIGINT if signum == signal.SIGINT else signal.SIGTERM
            loop.call_soon_threadsafe(self._told, int(meant))

        signal.signal(number, handler)
