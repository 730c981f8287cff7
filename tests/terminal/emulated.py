"""A terminal on the other end of a real pseudo-terminal: it keeps the modes a program sets, and answers its questions."""

from __future__ import annotations

import array
import contextlib
import fcntl
import os
import pty
import re
import select
import subprocess
import sys
import termios
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType

PRINTER = Path(__file__).with_name("press_printer.py")
PATIENCE = 10.0
_SET = re.compile(rb"\x1b\[(?:\?2004([hl])|>4(;2)?m|([>=])(\d+)u|(<)u|(\?)u|(c))")


class Emulated:
    """`kitty`: it speaks kitty's protocol; `answers`: it answers at all, after `delay` seconds.

    `kitty_flags`, `other_keys` and `paste` are the modes as a program left them, `out` is all that was written to it.
    """

    def __init__(self, *, kitty: bool = False, answers: bool = True, delay: float = 0.0) -> None:
        self._kitty, self._answers, self._delay = kitty, answers, delay
        self.kitty_stack = [0]
        self.other_keys = False
        self.paste = False
        self.out = b""
        self._parsed = 0
        self.deaf = False
        """Whether it reads nothing any more, as a window that hangs."""
        self._waiting: deque[str] = deque()
        self._changed = threading.Condition()
        self._master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Emulated:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hang_up()
        with contextlib.suppress(OSError):
            os.close(self.slave)

    @property
    def text(self) -> str:
        return self.out.decode("utf-8", "replace")

    @property
    def clean(self) -> bool:
        """Whether every mode is off, as a shell expects it."""
        return self.kitty_stack[-1] == 0 and not self.other_keys and not self.paste

    @property
    def restored(self) -> bool:
        """Whether the line discipline is as it was before the first program."""
        return termios.tcgetattr(self.slave)[:4] == self.before[:4]

    @property
    def unread(self) -> int:
        """How many bytes wait for the next program: what a shell would take for typed."""
        count = array.array("i", [0])
        fcntl.ioctl(self.slave, termios.FIONREAD, count)
        return count[0]

    def send(self, data: str) -> None:
        os.write(self._master, data.encode())

    def hang_up(self) -> None:
        """The window is closed. Nobody may read from it by then, or the kernel keeps it open."""
        master, self._master = self._master, -1
        if master >= 0:
            self._reader.join()
            os.close(master)

    def wait_for(self, what: Callable[[], bool], why: str) -> None:
        with self._changed:
            assert self._changed.wait_for(what, PATIENCE), f"{why}; on the terminal: {self.text!r}"

    def expect(self, text: str, after: int = 0) -> int:
        """Wait until the program has written `text`; where it ended."""
        self.wait_for(lambda: self.text.find(text, after) >= 0, f"{text!r} did not come")
        return self.text.find(text, after) + len(text)

    def key(self, data: str, line: str) -> None:
        """Send a key and wait for the line that names it."""
        start = len(self.text)
        self.send(data)
        self.expect(f"key {line}", start)

    def _read(self) -> None:
        master = self._master
        while self._master >= 0:
            if self.deaf:
                time.sleep(0.02)
                continue
            if not select.select([master], [], [], 0.05)[0]:
                continue
            try:
                data = os.read(master, 65536)
            except OSError:
                return
            with self._changed:
                self.out += data
                self._parse()
                self._changed.notify_all()

    def _parse(self) -> None:
        for match in _SET.finditer(self.out, self._parsed):
            self._parsed = match.end()
            paste, other, how, flags, pop, query, da1 = match.groups()
            if paste:
                self.paste = paste == b"h"
            elif how == b">":
                self.kitty_stack.append(int(flags))
            elif how == b"=":
                self.kitty_stack[-1] = int(flags)
            elif pop:
                self.kitty_stack = self.kitty_stack[:-1] or [0]
            elif query:
                if self._kitty:
                    self._answer(f"\x1b[?{self.kitty_stack[-1]}u")
            elif da1:
                self._answer("\x1b[?62;22c")
            else:
                self.other_keys = other is not None

    def _answer(self, text: str) -> None:
        if self._answers:
            self._waiting.append(text)  # timers of the same moment may fire in any order
            timer = threading.Timer(self._delay, lambda: os.write(self._master, self._waiting.popleft().encode()))
            timer.daemon = True
            timer.start() if self._delay else timer.function()


class Running:
    """The press printer in an emulated terminal, which is its controlling terminal."""

    def __init__(
        self,
        terminal: Emulated,
        *arguments: str,
        term: str | None = "xterm-256color",
        stdout: int | None = None,
        stderr: int | None = None,
        command: Sequence[str] = (),
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.terminal = terminal
        env = {name: value for name, value in os.environ.items() if name not in _TELLING}
        env |= {"PYTHONUTF8": "1", **(environ or {})}
        if term is not None:
            env["TERM"] = term
        self.process = subprocess.Popen(
            [sys.executable, "-c", _TAKE_TERMINAL, *(command or (sys.executable, str(PRINTER))), *arguments],
            stdin=terminal.slave,
            stdout=terminal.slave if stdout is None else stdout,
            stderr=terminal.slave if stderr is None else stderr,
            env=env,
            start_new_session=True,
        )

    def wait(self) -> int:
        status = self.process.wait(PATIENCE)
        time.sleep(0.05)  # what it wrote last is still on its way to the terminal
        return status


_TELLING = ("TERM", "TMUX", "STY", "VTE_VERSION", "KONSOLE_VERSION", "XTERM_VERSION", "TERM_PROGRAM")


_TAKE_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)


@contextlib.contextmanager
def running(terminal: Emulated, *arguments: str, term: str | None = "xterm-256color") -> Iterator[Running]:
    """The press printer, killed at the end if it still runs."""
    program = Running(terminal, *arguments, term=term)
    try:
        yield program
    finally:
        if program.process.poll() is None:
            program.process.kill()
            program.process.wait()
