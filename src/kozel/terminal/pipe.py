"""Keys from a pipe or a file: the same bytes as from a terminal, read only when somebody asks for the next key."""

from __future__ import annotations

import asyncio
import codecs
import os
import threading
import time
from collections import deque
from collections.abc import Callable

from kozel.terminal.decode import KeyDecoder, KeyEvent

_CHUNK = 4096


class Pipe:
    """Decodes one event whenever `want` was called; `deliver` gets it, or `end` is called at the end of the input.

    Reading blocks in a thread of its own: that works for pipes, files and sockets on every platform.
    """

    def __init__(
        self, fd: int | None, encoding: str, deliver: Callable[[KeyEvent], None], end: Callable[[], None]
    ) -> None:
        self._fd = fd
        self._deliver = deliver
        self._end = end
        self._loop = asyncio.get_running_loop()
        self._decoder = KeyDecoder(meta=False)
        self._bytes = codecs.getincrementaldecoder(encoding)(errors="surrogateescape")
        self._text: deque[str] = deque()
        self._events: deque[KeyEvent] = deque()
        self._after_return = False
        self._over = fd is None
        self._reading = False
        self._wanted: Callable[[], bool] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def want(self) -> None:
        """Deliver the next event, now or when it has come."""
        self._wanted = self._next_event
        self._advance()

    def close(self) -> None:
        """Deliver nothing more."""
        self._wanted = None
        self._disarm()

    def _advance(self) -> None:
        while self._wanted is not None:
            done = self._wanted()
            if done:
                self._wanted = None
            elif not self._over:
                self._read()
                return

    def _next_event(self) -> bool:
        self._disarm()
        while not self._events:
            if self._text:
                self._events.extend(self._decoder.feed(self._next_character(), time.monotonic()))
            elif self._over:
                self._events.extend(self._decoder.finish())
                if not self._events:
                    self._end()
                    return True
            else:
                self._arm()
                return False
        self._deliver(self._events.popleft())
        return True

    def _next_character(self) -> str:
        char = self._text.popleft()
        self._after_return = char == "\r"
        if self._after_return and self._text and self._text[0] == "\n":
            self._text.popleft()
            self._after_return = False
        return char

    def _read(self) -> None:
        if not self._reading:
            self._reading = True
            threading.Thread(target=self._read_in_thread, name="kozel-input", daemon=True).start()

    def _read_in_thread(self) -> None:
        try:
            data = os.read(self._fd, _CHUNK) if self._fd is not None else b""
        except OSError:
            data = b""
        try:
            self._loop.call_soon_threadsafe(self._arrived, data)
        except RuntimeError:
            return  # the loop is closed: nobody asks any more

    def _arrived(self, data: bytes) -> None:
        self._reading = False
        self._over = not data
        text = self._bytes.decode(data, final=self._over)
        if self._after_return and text.startswith("\n"):
            text = text[1:]
        if text:
            self._after_return = False
        self._text.extend(text)
        self._advance()

    def _arm(self) -> None:
        if self._decoder.deadline is not None:
            delay = max(0.0, self._decoder.deadline - time.monotonic())
            self._timer = self._loop.call_later(delay, self._silence)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _silence(self) -> None:
        self._events.extend(self._decoder.flush(time.monotonic()))
        self._advance()
