"""A terminal on Linux and macOS: raw mode, key reporting modes, suspending, and putting all of it back.

Importing this module imports prompt_toolkit; on Windows it cannot be imported.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import select
import signal
import sys
import termios
import threading
import time
from collections.abc import Callable, Mapping
from typing import cast

from prompt_toolkit.input import create_input
from prompt_toolkit.input.vt100 import Vt100Input, raw_mode

from kozel.session.keys import ShiftSpace
from kozel.terminal.handshake import ANSWER_WAIT, LEAVE_WAIT, Handshake, reader_between
from kozel.terminal.names import writes_belarusian
from kozel.terminal.pt import Press, use_game_keys
from kozel.terminal.sequences import KeyEvent
from kozel.voice.page import TerminalKind

_EMPTY_READS = 50
_HANGUP_WAIT = 0.05
_RAW_LOCAL = termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG
_RAW_INPUT = termios.ICRNL | termios.IXON
_WRITE_WAIT = 0.5
"""Seconds that a terminal may take to accept a few bytes: one that doesn't read must not hold the program up."""


class PosixTerminal:
    """Standard input as a raw terminal. Calls back with key presses, with every event, and when it is at its end.

    `resumed` is called after the program was stopped and goes on.
    """

    def __init__(
        self,
        keys: Callable[[list[Press]], None],
        event: Callable[[KeyEvent], None],
        end: Callable[[], None],
        settled: Callable[[], None],
        resumed: Callable[[], None],
        environ: Mapping[str, str],
    ) -> None:
        self._keys = keys
        self._event = event
        self._end = end
        self._settled = settled
        self._resumed = resumed
        self._loop = asyncio.get_running_loop()
        self._fd = sys.stdin.fileno()
        self._out = _fileno_of_terminal(sys.stdout)
        answers = self._out is not None and not reader_between()
        self.handshake = Handshake(self.write, environ.get("TERM", "") if answers else "", environ)
        terminal = create_input(sys.stdin)
        if not isinstance(terminal, Vt100Input):
            raise RuntimeError("standard input is no terminal")
        self._input = terminal
        self._parser = use_game_keys(terminal, self._on_event, belarusian=writes_belarusian(environ))
        self._watcher: Watcher | None = None
        self._raw: raw_mode | None = None
        self._timers: list[asyncio.TimerHandle] = []
        self._flush_timer: asyncio.TimerHandle | None = None
        self._empty_reads = 0
        self._closed = False
        self._suspendable = False
        self._asked_at = self._round_trip = 0.0

    @property
    def level(self) -> str:
        return self.handshake.level

    @property
    def answers(self) -> list[str]:
        return self.handshake.answers

    @property
    def kind(self) -> TerminalKind:
        return self.handshake.kind

    @property
    def round_trip(self) -> float:
        return self._round_trip

    def shift_space(self) -> ShiftSpace:
        return self.handshake.shift_space()

    def unread(self) -> bool:
        try:
            return not self._closed and bool(select.select([self._fd], [], [], 0)[0])
        except (OSError, ValueError):
            return False

    def start(self) -> None:
        """Raw mode, keys attached, the question asked. Whatever happens after this, `stop` must be called."""
        atexit.register(self.stop)
        self._watch_stops()
        _mend(self._fd)
        self._go_raw()
        self._watcher = Watcher(self._fd, self._loop, self._ready)
        self._asked_at = time.monotonic()
        self.handshake.ask()
        if self.handshake.settled:
            self._settled()
        else:
            self._timers.append(self._loop.call_later(ANSWER_WAIT, self._give_up))

    async def finish(self) -> None:
        """Wait for an answer that is still open, then `stop`."""
        self.handshake.close()
        until = time.monotonic() + LEAVE_WAIT
        try:
            while self.handshake.awaiting and not self._closed and time.monotonic() < until:
                await asyncio.sleep(0.01)
        finally:
            self.stop()

    def stop(self) -> None:
        """Put the terminal back as it was. Never raises, also where the terminal is gone."""
        atexit.unregister(self.stop)
        for timer in (*self._timers, *filter(None, [self._flush_timer])):
            timer.cancel()
        self._unwatch_stops()
        self._stop_watching()
        if self._in_foreground():
            self.handshake.leave()
            if self.handshake.awaiting:
                with contextlib.suppress(termios.error):
                    termios.tcflush(self._fd, termios.TCIFLUSH)
            self._go_cooked()

    def write(self, text: str) -> None:
        """Send text to the terminal at once, after what was printed; nothing happens where the terminal is gone."""
        if self._out is None:
            return
        data = text.encode("ascii", "replace")
        writing = threading.Thread(target=_write, args=(self._out, data), name="kozel-modes", daemon=True)
        try:
            writing.start()
        except RuntimeError:  # the interpreter is on its way out
            _write(self._out, data)
            return
        writing.join(_WRITE_WAIT)

    def suspend(self) -> None:
        """What Ctrl+Z does in any program: stop the whole job, if a shell is there to let it go on."""
        if self._suspendable:
            os.killpg(0, signal.SIGTSTP)

    def _on_event(self, event: KeyEvent) -> None:
        self._event(event)
        if event.kind == "reply":
            if self.handshake.awaiting and event.name == "da1":
                self._round_trip = time.monotonic() - self._asked_at
            self.handshake.answer(event)
            if self.handshake.settled:
                self._settled()

    def _give_up(self) -> None:
        self.handshake.give_up()
        self._settled()

    def _ready(self, at: float) -> None:
        """Something came, at this time."""
        if self._closed:
            return
        self._parser.arrived = at
        presses = cast("list[Press]", self._input.read_keys())
        self._parser.arrived = None
        if presses or self._parser.deadline is not None:
            self._empty_reads = 0
        else:
            # A read that fails looks like an empty one; a terminal that only ever gives those is gone.
            self._empty_reads += 1
        self._keys(presses)
        if self._input.closed or self._empty_reads > _EMPTY_READS:
            self._ended()
        self._arm()

    def _ended(self) -> None:
        if not self._closed:
            self._closed = True
            self._stop_watching()
            self._flush()
            # Where a terminal goes away, SIGHUP is on its way too, and says more than the end of the input.
            self._timers.append(self._loop.call_later(_HANGUP_WAIT, self._end))

    def _stop_watching(self) -> None:
        if self._watcher is not None:
            self._watcher.stop()
            self._watcher = None

    def _flush(self) -> None:
        self._keys(cast("list[Press]", self._input.flush_keys()))

    def _arm(self) -> None:
        if self._flush_timer is not None:
            self._flush_timer.cancel()
            self._flush_timer = None
        deadline = self._parser.deadline
        if deadline is not None:
            self._flush_timer = self._loop.call_later(max(0.0, deadline - time.monotonic()), self._silence)

    def _silence(self) -> None:
        self._flush()
        self._arm()

    def _go_raw(self) -> None:
        if self._raw is None:
            self._raw = raw_mode(self._fd)
            with contextlib.suppress(termios.error):
                self._raw.__enter__()

    def _go_cooked(self) -> None:
        if self._raw is not None:
            self._raw.__exit__()
            self._raw = None

    def _in_foreground(self) -> bool:
        """Whether the terminal may be touched: a job in the background would be stopped for it."""
        try:
            return os.tcgetpgrp(self._fd) == os.getpgrp()
        except OSError:
            return True

    def _watch_stops(self) -> None:
        if signal.getsignal(signal.SIGTSTP) is not signal.SIG_DFL:
            return
        try:
            self._loop.add_signal_handler(signal.SIGTSTP, self._on_stop)
            self._loop.add_signal_handler(signal.SIGCONT, self._on_continue)
        except (ValueError, RuntimeError):
            return  # not in the main thread: the program around it sees to the signals
        self._suspendable = True

    def _unwatch_stops(self) -> None:
        if self._suspendable:
            self._suspendable = False
            with contextlib.suppress(ValueError, RuntimeError):
                self._loop.remove_signal_handler(signal.SIGTSTP)
                self._loop.remove_signal_handler(signal.SIGCONT)

    def _on_stop(self) -> None:
        raw = self._raw is not None
        if raw:
            self.handshake.leave()
            self._go_cooked()
        self._loop.remove_signal_handler(signal.SIGTSTP)
        # To this very thread, so that nothing below runs before the process was stopped and went on.
        signal.pthread_kill(threading.get_ident(), signal.SIGTSTP)
        self._loop.add_signal_handler(signal.SIGTSTP, self._on_stop)
        if raw:
            self._go_raw()
            self.handshake.enter()
        self._resumed()

    def _on_continue(self) -> None:
        """Stopped from outside, without a warning: the shell has put the terminal into its own mode meanwhile."""
        if self._raw is not None and self._in_foreground():
            with contextlib.suppress(termios.error):
                self._raw.__enter__()
            self.handshake.assure()


class Watcher:
    """Notes when a terminal has something to read, also while the event loop is busy, and has it read there.

    A thread of its own waits; `ready` is called in the loop with the time at which the first byte was there.
    """

    def __init__(self, fd: int, loop: asyncio.AbstractEventLoop, ready: Callable[[float], None]) -> None:
        self._fd, self._loop, self._ready = fd, loop, ready
        self._stopped, self._stop_here = os.pipe()
        self._read = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="kozel-keys", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Watch no more; nothing more is read."""
        os.write(self._stop_here, b"x")
        self._read.set()
        if self._thread is not threading.current_thread():
            self._thread.join()
        os.close(self._stopped)
        os.close(self._stop_here)

    def _watch(self) -> None:
        while True:
            try:
                came, _, _ = select.select([self._fd, self._stopped], [], [])
            except (OSError, ValueError):
                return  # standard input was closed under it
            if self._stopped in came:
                return
            at = time.monotonic()
            self._read.clear()
            try:
                self._loop.call_soon_threadsafe(self._have_it_read, at)
            except RuntimeError:
                return  # the loop is closed: nobody asks any more
            self._read.wait()

    def _have_it_read(self, at: float) -> None:
        try:
            self._ready(at)
        finally:
            self._read.set()


def _write(fd: int, data: bytes) -> None:
    with contextlib.suppress(OSError):
        while data:
            data = data[os.write(fd, data) :]


def _fileno_of_terminal(stream: object) -> int | None:
    try:
        fd: int = stream.fileno()  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):
        return None
    return fd if os.isatty(fd) else None


def _mend(fd: int) -> None:
    """Undo the raw mode that a killed program left.

    It is told from a terminal that is raw on purpose by its output: prompt_toolkit leaves that cooked.
    """
    try:
        attributes = termios.tcgetattr(fd)
    except termios.error:
        return
    left_raw = not attributes[3] & _RAW_LOCAL and not attributes[0] & _RAW_INPUT and attributes[1] & termios.OPOST
    if left_raw:
        attributes[3] |= _RAW_LOCAL
        attributes[0] |= _RAW_INPUT
        with contextlib.suppress(termios.error):
            termios.tcsetattr(fd, termios.TCSANOW, attributes)
