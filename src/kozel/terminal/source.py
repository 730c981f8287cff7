"""Where keys come from: a terminal, a Windows console, a pipe or a file, all of them the same to the game.

prompt_toolkit is imported when a source is entered, not before: the first words can be said while it loads.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

from kozel.terminal.decode import KeyDecoder, KeyEvent
from kozel.terminal.device import Terminal
from kozel.terminal.handshake import ShiftSpace
from kozel.terminal.keymap import Keymap
from kozel.terminal.pipe import Pipe
from kozel.terminal.signals import SignalWatch
from kozel.voice.page import TerminalKind

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_processor import KeyPress

    from kozel.terminal.pt import Bindings

_SIGINT = 2
_REPEAT = "repeat"


class Pressed(NamedTuple):
    """A key: its name, the command it gives (None: none), the character it writes ('' for none), and when it was
    read, on `time.monotonic`'s clock. A paste is the name 'paste' without a command. After the program was
    suspended and goes on, 'resume' comes, with the command that says the last announcement again."""

    name: str
    command: str | None
    text: str
    at: float


class Keys(Protocol):
    """What a table reads keys from: a `KeySource`, or what stands before one. See there."""

    @property
    def is_terminal(self) -> bool:
        """Whether a person types on a terminal."""

    @property
    def shift_space(self) -> ShiftSpace:
        """Whether Shift+Space is told from Space."""

    async def settled(self) -> None:
        """Wait until it is known whether Shift+Space is told from Space, or that the terminal says nothing of it."""

    async def get(self, timeout: float | None = None) -> Pressed | None:
        """The next key."""


class KeysClosed(Exception):
    """Standard input is at its end, or the terminal is gone."""


class Signalled(Exception):
    """SIGINT (also as the key Ctrl+C), SIGTERM or SIGHUP came; `signum` is its number."""

    def __init__(self, signum: int) -> None:
        super().__init__(f"signal {signum}")
        self.signum = signum


class KeySource:
    """`async with KeySource(keymap) as keys: pressed = await keys.get()`.

    One source serves a whole run: what it has read ahead from a pipe is its own.
    While entered, the terminal is raw and reports every key; leaving it in any way puts it back. `shift_space` says
    whether Shift+Space is told from Space ('unknown' until the terminal has answered). `watch` is called with
    everything that arrives, keys or not, `focus` with whether a Windows console's window is in front, `recognised` with
    what the terminal says that it is.
    """

    def __init__(
        self,
        keymap: Keymap,
        *,
        watch: Callable[[KeyEvent], None] | None = None,
        environ: Mapping[str, str] | None = None,
        focus: Callable[[bool], None] = lambda front: None,
        recognised: Callable[[TerminalKind], None] = lambda kind: None,
    ) -> None:
        self._keymap = keymap
        self._watch, self._focus, self._recognised = watch, focus, recognised
        self._environ = os.environ if environ is None else environ
        self.is_terminal = stdin_is_terminal()
        self.shift_space: ShiftSpace = "unknown" if self.is_terminal else "yes"
        self._settled = not self.is_terminal
        self._items: deque[Pressed | Signalled] = deque()
        self._over = False
        self._line: list[str | None] = []
        self._terminal: Terminal | None = None
        self._pipe: Pipe | None = None

    async def __aenter__(self) -> KeySource:
        self._wake = asyncio.Event()
        self._signals = SignalWatch(self._signalled)
        self._signals.__enter__()
        try:
            self._open()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *exc: object) -> None:
        try:
            if self._terminal is not None:
                await self._terminal.finish()
            if self._pipe is not None:
                self._pipe.close()
        finally:
            self._signals.__exit__()

    @property
    def answers(self) -> tuple[str, ...]:
        """What the terminal answered to the questions at the start, as it came."""
        return tuple(self._terminal.answers) if self._terminal is not None else ()

    @property
    def level(self) -> str:
        """How keys are reported: 'kitty', 'modifyOtherKeys', 'legacy', 'console' (Windows) or 'pipe'."""
        if self._pipe is not None:
            return "pipe"
        return self._terminal.level if self._terminal is not None else "legacy"

    def use(self, keymap: Keymap) -> None:
        """Give keys the commands of another keymap from now on."""
        from kozel.terminal.pt import Bindings

        self._bindings: Bindings = Bindings(keymap)

    async def settled(self) -> None:
        """Wait for the terminal's answer on how it reports keys, at most as long as an answer may take."""
        while not self._settled and not self._over:
            self._wake.clear()
            await self._wake.wait()

    async def get(self, timeout: float | None = None) -> Pressed | None:
        """The next key; None if none came within `timeout` seconds.

        Raises `Signalled` when a signal came, and `KeysClosed` at the end of the input. From a pipe or file nothing is
        decoded before it is asked for.
        """
        await asyncio.sleep(0)  # an input that never runs dry must not keep signals from being seen
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            if self._items:
                item = self._items.popleft()
                if isinstance(item, Signalled):
                    raise item
                return item
            if self._over:
                raise KeysClosed
            self._wake.clear()
            if self._pipe is not None:
                self._pipe.want()
            if not await self._woken(until):
                return None

    async def read_line(self, prompt_writer: Callable[[], None]) -> str | None:
        """A line of text, typed in an ordinary terminal with echo and line editing; None at the end of the input.

        `prompt_writer` is called when the terminal is ready for it. What was typed before belongs to the line. Raises
        `Signalled`.
        """
        self._line.clear()
        if self._terminal is None:
            prompt_writer()
            typed, done = self._typed_ahead()
            return typed if done else await self._rest_of_line(typed, self._pipe)
        await self.settled()
        terminal = self._terminal
        terminal.pause()
        try:
            prompt_writer()
            typed, done = self._typed_ahead()
            if typed:
                sys.stdout.write(typed)
                sys.stdout.flush()
            return typed if done else await self._rest_of_line(typed, terminal)
        finally:
            terminal.unpause()

    def _open(self) -> None:
        self.use(self._keymap)
        if not self.is_terminal:
            fd, encoding = _stdin()
            self._pipe = Pipe(fd, encoding, self._take, self._end)
            return
        called = (self._take_presses, self._seen, self._end, self._now_settled, self._resumed)
        if sys.platform == "win32":
            from kozel.terminal.win32 import WindowsConsole

            self._terminal = WindowsConsole(*called, self._environ, self._focus)
        else:
            from kozel.terminal.posix import PosixTerminal

            self._terminal = PosixTerminal(*called, self._environ)
        self._terminal.start()

    async def _woken(self, until: float | None) -> bool:
        remaining = None if until is None else until - time.monotonic()
        try:
            await asyncio.wait_for(self._wake.wait(), remaining)
        except asyncio.TimeoutError:
            return bool(self._items)
        return True

    async def _rest_of_line(self, typed: str, reader: Terminal | Pipe | None) -> str | None:
        if reader is not None:
            reader.want_line(self._line_came)
        while not self._line:
            if self._items and isinstance(self._items[0], Signalled):
                signalled = self._items[0]
                self._items.popleft()
                raise signalled
            if self._over:
                return typed or None
            self._wake.clear()
            await self._wake.wait()
        line = self._line.pop()
        return _clean(typed + line) if line is not None else typed or None

    def _typed_ahead(self) -> tuple[str, bool]:
        """The text among the keys that came before the line was asked for, and whether Enter ended it."""
        typed = ""
        while self._items:
            pressed = self._items.popleft()
            if isinstance(pressed, Signalled):
                raise pressed
            if pressed.name == "enter":
                return typed, True
            if pressed.name == "backspace":
                typed = typed[:-1]
            elif len(pressed.text) == 1:
                typed += pressed.text
        return typed, False

    def _line_came(self, line: str | None) -> None:
        self._line.append(line)
        self._wake.set()

    def _seen(self, event: KeyEvent) -> None:
        if self._watch is not None:
            self._watch(event)

    def _take(self, event: KeyEvent) -> None:
        self._seen(event)
        if event.kind in ("key", "paste"):
            self._press(event.name, event.text)
        self._wake.set()

    def _take_presses(self, presses: list[KeyPress]) -> None:
        from kozel.terminal.pt import key_name

        for press in presses:
            name = key_name(press)
            self._press(name, press.data if name == "paste" else "")
        self._wake.set()

    def _press(self, name: str, pasted: str) -> None:
        if name == "c-c":
            self._signalled(_SIGINT)
        elif name == "c-z" and self._terminal is not None:
            self._terminal.suspend()
        elif name == "space" and not self._settled:
            return  # it may be Shift+Space, which the terminal was only just asked to tell apart
        else:
            if name == "s-space":
                self.shift_space = "yes"
            text = pasted or (" " if name == "space" else name if len(name) == 1 else "")
            command = self._bindings.command(name)
            self._items.append(Pressed(name, command.value if command else None, text, time.monotonic()))

    def _signalled(self, signum: int) -> None:
        self._items.appendleft(Signalled(signum))
        self._wake.set()

    def _end(self) -> None:
        self._over = True
        self._wake.set()

    def _now_settled(self) -> None:
        self._settled = True
        if self._terminal is not None:
            self._recognised(self._terminal.kind)
        if self._terminal is not None and self.shift_space != "yes":
            self.shift_space = self._terminal.shift_space()
        self._wake.set()

    def _resumed(self) -> None:
        self._items.append(Pressed("resume", _REPEAT, "", time.monotonic()))
        self._wake.set()


def stdin_is_terminal() -> bool:
    """Whether standard input is a terminal; False where there is none at all."""
    try:
        return sys.stdin.isatty()
    except (AttributeError, OSError, ValueError):
        return False


def _stdin() -> tuple[int | None, str]:
    try:
        return sys.stdin.fileno(), sys.stdin.encoding or "utf-8"
    except (AttributeError, OSError, ValueError):
        return None, "utf-8"


def _clean(line: str) -> str:
    """A typed line without its end, control characters and the escape sequences of keys that type nothing."""
    decoder = KeyDecoder(meta=False)
    events = [*decoder.feed(line.rstrip("\r\n"), 0.0), *decoder.finish()]
    names = [event.name for event in events if event.kind == "key"]
    return "".join(" " if name == "space" else name for name in names if len(name) == 1 or name == "space")
