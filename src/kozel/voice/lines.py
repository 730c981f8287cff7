"""Lines on a terminal, on a pipe or in a file, from a thread of their own."""

from __future__ import annotations

import errno
import logging
import os
import select
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import IO, Any, NamedTuple

from kozel.voice.encoding import encode
from kozel.voice.log import station
from kozel.voice.message import Message
from kozel.voice.page import Page, Place, Steps, TerminalKind, wrapped
from kozel.voice.wincon import enable_escape_sequences

log = station("outputs")

_UNWRAPPED = 1_000_000


class _Job(NamedTuple):
    """What is to be written: messages, a typed line and its caret, the bell, or nothing: then everything is erased."""

    messages: tuple[Message, ...] = ()
    typed: str | None = None
    caret: int = 0
    rings: bool = False


class LinesOutput:
    """Writes messages to a stream from a thread of its own, so that a terminal that stands still holds nobody up.

    `Page` says how a terminal is written on. On a pipe or in a file each message is a line ended by a line break, and
    nothing is ever erased. `again` is the sentence that tells one of many identical lines from the next; `cursor` and
    `joined` are the settings `braille_cursor` and `joined`.
    """

    def __init__(
        self,
        stream: IO[str] | None = None,
        environ: Mapping[str, str] | None = None,
        *,
        cursor: Place = "auto",
        joined: bool = False,
    ) -> None:
        environ = os.environ if environ is None else environ
        self._writer = writer = _Writer(sys.stdout if stream is None else stream)
        self._page = Page(writer.size, environ, encoding=writer.encoding, obeys=writer.accepts_escapes)
        self._page.cursor, self._page.joined = cursor, joined
        self._tty = writer.tty
        self._newline = b"\r\n" if sys.platform == "win32" else b"\n"
        self._jobs: deque[_Job] = deque()
        self._change = threading.Condition()
        self._busy = self._closing = False
        self._latest = float("inf")
        self._thread: threading.Thread | None = None

    @property
    def again(self) -> str:
        return self._page.again

    @again.setter
    def again(self, text: str) -> None:
        self._page.again = text

    @property
    def broken(self) -> bool:
        """Whether the stream was closed at the other end; what is said is dropped since then."""
        return self._writer.broken

    @property
    def problem(self) -> OSError | None:
        """Why nothing can be written any more, where writing failed."""
        return self._writer.problem

    def set_up(self, *, cursor: Place, joined: bool) -> None:
        """Changes the settings."""
        self._page.cursor, self._page.joined = cursor, joined

    def is_on(self, kind: TerminalKind) -> None:
        """The terminal said what it is."""
        self._page.is_on(kind)

    def say(self, messages: Sequence[Message]) -> None:
        """Hands messages over to be written at once, together. Never raises and never waits."""
        if messages:
            self._put(_Job(messages=tuple(messages)))

    def typed(self, text: str, caret: int | None = None) -> None:
        """Shows a line that is being typed, on a terminal; `caret` is the place in it, its end if nothing is said."""
        if self._tty:
            self._put(_Job(typed=text, caret=len(text) if caret is None else caret))

    def ring(self) -> None:
        """Rings the bell, on a terminal."""
        if self._tty:
            self._put(_Job(rings=True))

    def forget(self) -> bool:
        """Erases the screen and what was scrolled away, before anything handed over later is written.

        False if the terminal can't: it gets a screenful of empty lines. Where the output is no terminal there is
        nothing to forget.
        """
        if not self._tty:
            return True
        self._put(_Job())
        return self._page.can_forget

    def flush(self, timeout: float = 1.0) -> bool:
        """Waits until all that was handed over is written; False if that took longer than `timeout` seconds."""
        with self._change:
            return self._change.wait_for(lambda: not self._jobs and not self._busy, timeout)

    def close(self, grace: float = 1.0) -> None:
        """Writes what waits and, on a terminal, the last line break. Waits `grace` seconds at most."""
        with self._change:
            if self._closing:
                return
            self._closing = True
            self._latest = time.monotonic() + grace / 2
            self._change.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(grace)

    def _put(self, job: _Job) -> None:
        with self._change:
            if self._closing:
                return
            self._jobs.append(job)
            if self._thread is None and not self._start_thread():
                self._do(self._jobs.popleft())
            self._change.notify_all()

    def _start_thread(self) -> bool:
        thread = threading.Thread(target=self._run, name="lines", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # the interpreter is on its way out
            return False
        self._thread = thread
        return True

    def _run(self) -> None:
        while True:
            with self._change:
                self._busy = False
                self._change.notify_all()
                self._change.wait_for(lambda: self._jobs or self._closing)
                if not self._jobs:
                    break
                job = self._jobs.popleft()
                self._busy = True
            self._do(job)
        if self._tty:
            for step in self._page.end():
                if isinstance(step, bytes):
                    self._write(step)
                else:
                    time.sleep(step)

    def _do(self, job: _Job) -> None:
        if job.rings:
            self._write(b"\a")
        elif job.typed is not None:
            self._carry_out(self._page.type(job.typed, job.caret))
        elif not job.messages:
            self._carry_out(self._page.forget())
        elif self._tty:
            self._carry_out(self._page.say(job.messages))
        else:
            lines = [line for m in job.messages for line in wrapped(m.text, _UNWRAPPED)]
            self._write(b"".join(encode(line, self._writer.encoding) + self._newline for line in lines))

    def _carry_out(self, steps: Steps) -> None:
        for step in steps:
            if isinstance(step, bytes):
                self._write(step)
            else:
                self._pause(step)

    def _pause(self, seconds: float) -> None:
        """At the end only as long as it leaves time for the last words."""
        until = time.monotonic() + seconds
        with self._change:
            self._change.wait_for(lambda: self._closing, seconds)
        rest = min(until, self._latest) - time.monotonic()
        if rest > 0:
            time.sleep(rest)

    def _write(self, data: bytes) -> None:
        self._writer.write(data)
        if log.isEnabledFor(logging.DEBUG):
            log.debug("lines: %r", data.decode(self._writer.encoding, "replace"))


class _Writer:
    """Bytes to a stream, past its buffers and its encoder; after the first failure it swallows everything."""

    def __init__(self, stream: IO[str]) -> None:
        self.encoding = getattr(stream, "encoding", None) or "utf-8"  # a StringIO has none, and takes any character
        self.broken = False
        self.problem: OSError | None = None
        self._stream = stream
        self._raw: Any = None
        self._fileno: int | None = None
        self.tty = False
        try:
            stream.flush()
            self._fileno = stream.fileno()
            buffer: Any = getattr(stream, "buffer")  # noqa: B009  IO[str] doesn't promise it
            self._raw = getattr(buffer, "raw", buffer)  # PYTHONUNBUFFERED leaves the buffer out
            self.tty = stream.isatty()
        except (OSError, ValueError, AttributeError):
            self.broken = bool(getattr(stream, "closed", True))
            self.problem = OSError(errno.EBADF, os.strerror(errno.EBADF)) if self.broken else None

    def size(self) -> tuple[int, int]:
        try:
            columns, rows = os.get_terminal_size(1 if self._fileno is None else self._fileno)
        except OSError:
            columns = rows = 0
        return columns or 80, rows or 24

    def accepts_escapes(self) -> bool:
        return self._fileno is not None and enable_escape_sequences(self._fileno)

    def write(self, data: bytes) -> None:
        if self.broken:
            return
        try:
            if self._raw is None:
                self._stream.write(data.decode(self.encoding, "ignore"))
                self._stream.flush()
            else:
                self._write_raw(data)
        except (OSError, ValueError, LookupError) as error:
            self.broken = True
            self.problem = error if isinstance(error, OSError) else None

    def _write_raw(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            written = self._raw.write(rest)
            if written is None:  # standard input made the terminal non-blocking for both
                select.select([], [self._raw], [], 1.0)
                continue
            rest = rest[written:]
