"""Lines on the terminal, written so that screen readers and braille displays follow them.

Measured with Orca 43.1 and modelled for NVDA: on a terminal the line break comes first, so that the cursor stays at the
end of the newest message, where a braille display shows it and where Orca looks for what was inserted. Nothing is
drawn again, coloured or moved. Only under VTE, where Orca repeats the line before as soon as the screen scrolls, a full
page is cleared and begun again at the top, after a pause without which Orca misses the next message. Elsewhere nothing
is cleared but at a handover: NVDA speaks fragments after a clear screen. NVDA and Fenrir compare what the screen showed
with what it shows; a screen full of one answer, asked for again, would be the same screen, and nothing would be said. So
once one and the same answer fills half of it, every second one ends with a word more.
"""

from __future__ import annotations

import os
import select
import sys
import threading
import time
import unicodedata
from collections import deque
from collections.abc import Mapping, Sequence
from typing import IO, Any, Literal

from kozel.voice.encoding import encode
from kozel.voice.log import station
from kozel.voice.message import Message
from kozel.voice.wincon import enable_escape_sequences

SHORTEST = 3
"""NVDA passes over a changed line with fewer characters."""
PAUSE = 0.1
"""Seconds between writing and clearing, and between clearing and writing: Orca must get two events, not one."""
_LAST_PAUSE = 0.3
"""Seconds before the last line break: Orca says nothing of a line that the cursor has left when it looks."""

log = station("outputs")

_CLEAR_PAGE = b"\x1b[H\x1b[2J"
_FORGET = b"\x1b[H\x1b[2J\x1b[3J"

_Job = tuple[Literal["say", "forget"], tuple[str, ...]]


class LinesOutput:
    """Writes messages to a stream from a thread of its own, so that a terminal that stands still holds nobody up.

    On a pipe or in a file each message is a line ended by a line break, and nothing is ever erased. `again` is the
    sentence that tells one of many identical lines from the next; without it they stay as they are.
    """

    def __init__(self, stream: IO[str] | None = None, environ: Mapping[str, str] | None = None) -> None:
        environ = os.environ if environ is None else environ
        self._writer = _Writer(sys.stdout if stream is None else stream)
        self._tty = self._writer.tty
        self._paging = self._tty and "VTE_VERSION" in environ and not {"TMUX", "STY"} & environ.keys()
        self._newline = b"\r\n" if self._tty or sys.platform == "win32" else b"\n"
        self._obeys = self._tty and _obeys_escapes(environ)
        self._can_forget = self._obeys and "STY" not in environ
        self.again = ""
        self._rows = 0
        self._last: tuple[str, ...] = ()
        self._alike = 0
        self._fresh = False
        self._wrote = False
        self._wrote_at = float("-inf")
        self._jobs: deque[_Job] = deque()
        self._change = threading.Condition()
        self._busy = self._closing = False
        self._thread: threading.Thread | None = None

    @property
    def broken(self) -> bool:
        """Whether the stream was closed at the other end; what is said is dropped since then."""
        return self._writer.broken

    def say(self, messages: Sequence[Message]) -> None:
        """Hands messages over to be written at once, together. Never raises and never waits."""
        if messages:
            self._put(("say", tuple(m.text for m in messages)))

    def forget(self) -> bool:
        """Erases the screen and what was scrolled away, before anything handed over later is written.

        False if the terminal can't: it gets a screenful of empty lines. Where the output is no terminal there is
        nothing to forget.
        """
        if not self._tty:
            return True
        self._put(("forget", ()))
        return self._can_forget

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
                self._do(*self._jobs.popleft())
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
                kind, texts = self._jobs.popleft()
                self._busy = True
            self._do(kind, texts)
        if self._wrote and self._tty:
            if self._paging:
                time.sleep(_LAST_PAUSE)
            self._writer.write(self._newline)

    def _do(self, kind: Literal["say", "forget"], texts: Sequence[str]) -> None:
        if kind == "say":
            self._write(texts)
        else:
            self._erase()

    def _write(self, texts: Sequence[str]) -> None:
        if self._tty and not self._paging:
            texts = self._told_apart(texts)
        log.debug("lines: %r", list(texts))
        lines = [line for text in texts for line in _lines(text)]
        data = [encode(line, self._writer.encoding) for line in lines]
        if not self._tty:
            self._writer.write(b"".join(line + self._newline for line in data))
            return
        at_top = self._turn_page(lines) if self._paging else False
        joined = self._newline.join(data)
        self._writer.write(joined if at_top else self._newline + joined)
        self._wrote, self._wrote_at = True, time.monotonic()

    def _told_apart(self, texts: Sequence[str]) -> Sequence[str]:
        """The texts, or with a word more where a screen of nothing else would be followed by the same screen."""
        columns, rows = self._writer.size()
        alike, self._last = tuple(texts) == self._last, tuple(texts)
        self._alike = self._alike + 1 if alike else 0
        height = sum(_rows(line, columns) for text in texts for line in _lines(text))
        if not self.again or self._alike % 2 == 0 or (self._alike + 1) * height < rows // 2:
            return texts
        return [*texts[:-1], f"{texts[-1]} {self.again}"]

    def _turn_page(self, lines: Sequence[str]) -> bool:
        """Makes room for the lines on this page or begins the next; says whether the cursor is at the top."""
        columns, rows = self._writer.size()
        needed = sum(_rows(line, columns) for line in lines)
        if self._fresh:
            self._fresh = False
            self._rows = needed
            return True
        if self._rows > 0 and self._rows + needed <= rows:
            self._rows += needed
            return False
        self._pause(self._wrote_at + PAUSE - time.monotonic())
        self._writer.write(_CLEAR_PAGE)
        self._pause()
        self._rows = needed
        return True

    def _erase(self) -> None:
        self._pause(self._wrote_at + PAUSE - time.monotonic())
        if self._obeys and self._writer.accepts_escapes():
            self._writer.write(_FORGET)
            self._rows, self._fresh = 0, True
        else:
            self._writer.write(self._newline * self._writer.size()[1])
        self._pause()

    def _pause(self, seconds: float = PAUSE) -> None:
        """Not at the end, when all that waits is to be written in the time that is left."""
        if seconds > 0:
            with self._change:
                self._change.wait_for(lambda: self._closing, seconds)


class _Writer:
    """Bytes to a stream, past its buffers and its encoder; after the first failure it swallows everything."""

    def __init__(self, stream: IO[str]) -> None:
        self.encoding = getattr(stream, "encoding", None) or "utf-8"  # a StringIO has none, and takes any character
        self.broken = False
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
        except (OSError, ValueError, LookupError):
            self.broken = True

    def _write_raw(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            written = self._raw.write(rest)
            if written is None:  # standard input made the terminal non-blocking for both
                select.select([], [self._raw], [], 1.0)
                continue
            rest = rest[written:]


def _obeys_escapes(environ: Mapping[str, str]) -> bool:
    if sys.platform == "win32":
        return True
    return environ.get("TERM", "") not in ("", "dumb", "unknown")


def _lines(text: str) -> list[str]:
    return [line if len(line.strip()) >= SHORTEST else line.strip().ljust(SHORTEST, ".") for line in text.split("\n")]


def _rows(line: str, columns: int) -> int:
    return max(1, -(-_width(line) // columns))


def _width(line: str) -> int:
    if line.isascii():
        return len(line)
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in line
    )
