"""A terminal on Linux and macOS: raw mode, key reporting modes, suspending, and putting all of it back.

Importing this module imports prompt_toolkit; on Windows it cannot be imported.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import signal
import sys
import termios
import threading
import time
from collections.abc import Callable, Mapping

from prompt_toolkit.input import create_input
from prompt_toolkit.input.vt100 import Vt100Input, raw_mode
from prompt_toolkit.key_binding.key_processor import KeyPress

from kozel.terminal.handshake import ANSWER_WAIT, LEAVE_WAIT, Handshake, ShiftSpace, reader_between
from kozel.terminal.pt import use_game_keys
from kozel.terminal.sequences import KeyEvent
from kozel.voice.page import TerminalKind

_EMPTY_READS = 50
_LINE = 4096
_HANGUP_WAIT = 0.05
_RAW_LOCAL = termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG
_RAW_INPUT = termios.ICRNL | termios.IXON


class PosixTerminal:
    """Standard input as a raw terminal. Calls back with key presses, with every event, and when it is at its end.

    `resumed` is called after the program was stopped and goes on.
    """

    def __init__(
        self,
        keys: Callable[[list[KeyPress]], None],
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
        self._parser = use_game_keys(terminal, self._on_event)
        self._raw: raw_mode | None = None
        self._attached = contextlib.ExitStack()
        self._timers: list[asyncio.TimerHandle] = []
        self._flush_timer: asyncio.TimerHandle | None = None
        self._empty_reads = 0
        self._closed = False
        self._suspendable = False

    @property
    def level(self) -> str:
        return self.handshake.level

    @property
    def answers(self) -> list[str]:
        return self.handshake.answers

    @property
    def kind(self) -> TerminalKind:
        return self.handshake.kind

    def shift_space(self) -> ShiftSpace:
        return self.handshake.shift_space()

    def start(self) -> None:
        """Raw mode, keys attached, the question asked. Whatever happens after this, `stop` must be called."""
        atexit.register(self.stop)
        self._watch_stops()
        _mend(self._fd)
        self._go_raw()
        try:
            self._attached.enter_context(self._input.attach(self._ready))
        except EOFError:
            self._ended()
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
        with contextlib.suppress(OSError, ValueError, RuntimeError, KeyError):
            self._attached.close()
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
        try:
            sys.stdout.flush()
            while data:
                data = data[os.write(self._out, data) :]
        except (OSError, ValueError):
            return

    def pause(self) -> None:
        """An ordinary terminal for a while, with echo and line editing; what was typed before is delivered first."""
        self._ready_now()
        self._attached.close()
        self.handshake.leave()
        self._go_cooked()

    def want_line(self, take: Callable[[str | None], None]) -> None:
        """Call `take` with the next line that is typed while paused; None at the end of the input."""

        def readable() -> None:
            self._loop.remove_reader(self._fd)
            try:
                data = os.read(self._fd, _LINE)
            except OSError:
                data = b""
            take(data.decode(sys.stdin.encoding or "utf-8", "replace") if data else None)

        self._loop.add_reader(self._fd, readable)

    def unpause(self) -> None:
        """Back to raw mode and the modes that `pause` took off."""
        self._loop.remove_reader(self._fd)
        self._go_raw()
        self._attached = contextlib.ExitStack()
        with contextlib.suppress(EOFError):
            self._attached.enter_context(self._input.attach(self._ready))
        self.handshake.enter()

    def suspend(self) -> None:
        """What Ctrl+Z does in any program: stop the whole job, if a shell is there to let it go on."""
        if self._suspendable:
            os.killpg(0, signal.SIGTSTP)

    def _on_event(self, event: KeyEvent) -> None:
        self._event(event)
        if event.kind == "reply":
            self.handshake.answer(event)
            if self.handshake.settled:
                self._settled()

    def _give_up(self) -> None:
        self.handshake.give_up()
        self._settled()

    def _ready(self) -> None:
        presses = self._input.read_keys()
        if presses or self._parser.deadline is not None:
            self._empty_reads = 0
        else:
            # A read that fails looks like an empty one; a terminal that only ever gives those is gone.
            self._empty_reads += 1
        self._keys(presses)
        if self._input.closed or self._empty_reads > _EMPTY_READS:
            self._ended()
        self._arm()

    def _ready_now(self) -> None:
        if not self._closed:
            self._keys(self._input.read_keys())

    def _ended(self) -> None:
        if not self._closed:
            self._closed = True
            self._attached.close()
            self._keys(self._input.flush_keys())
            # Where a terminal goes away, SIGHUP is on its way too, and says more than the end of the input.
            self._timers.append(self._loop.call_later(_HANGUP_WAIT, self._end))

    def _arm(self) -> None:
        if self._flush_timer is not None:
            self._flush_timer.cancel()
            self._flush_timer = None
        deadline = self._parser.deadline
        if deadline is not None:
            self._flush_timer = self._loop.call_later(max(0.0, deadline - time.monotonic()), self._silence)

    def _silence(self) -> None:
        self._keys(self._input.flush_keys())
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
