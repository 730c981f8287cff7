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
from contextlib import nullcontext
from typing import TYPE_CHECKING

from kozel.session.keys import ACTS_ONCE, Place, Pressed, ShiftSpace
from kozel.terminal.decode import KeyEvent
from kozel.terminal.device import Terminal
from kozel.terminal.held import REPEAT_GAP, Arrival, HeldKeys
from kozel.terminal.keyboard import KeymapNames, Loss, lost_keys
from kozel.terminal.keymap import Keymap
from kozel.terminal.names import writes_belarusian
from kozel.terminal.pipe import Pipe
from kozel.terminal.signals import SignalWatch
from kozel.voice.log import station
from kozel.voice.page import TerminalKind

if TYPE_CHECKING:
    from kozel.terminal.pt import Bindings, Press

WAIT = 0.3
"""Seconds from a question to a key that may answer it."""
_log = station("keys")
_LOOK_AGAIN = 0.005
_SIGNAL_KEYS = {"c-c": 2, "c-\\": 3}
_REMOTE = ("SSH_CONNECTION", "SSH_TTY", "MOSH_CONNECTION")


Device = Callable[
    [
        "Callable[[list[Press]], None]",
        "Callable[[KeyEvent], None]",
        "Callable[[], None]",
        "Callable[[], None]",
        "Callable[[], None]",
    ],
    Terminal,
]
"""Makes a terminal that calls back with key presses, with every event, at its end, once it is settled, and when it resumes."""


class KeysClosed(Exception):
    """Standard input is at its end, or the terminal is gone."""


class Signalled(Exception):
    """SIGINT, SIGQUIT (both also as the keys Ctrl+C and Ctrl+\\), SIGTERM or SIGHUP came; `signum` is its number."""

    def __init__(self, signum: int) -> None:
        super().__init__(f"signal {signum}")
        self.signum = signum


class KeySource:
    """`async with KeySource(keymap) as keys: pressed = await keys.get(lambda: Place.TURN)`: what `session.keys.Keys` asks for.

    One source serves a whole run: what it has read ahead from a pipe is its own.
    While entered, the terminal is raw and reports every key; leaving it in any way puts it back. `shift_space` says
    whether Shift+Space is told from Space ('unknown' until the terminal has answered). `watch` is called with
    everything that arrives, keys or not, `focus` with whether a Windows console's window is in front, `recognised` with
    what the terminal says that it is. `device`: another terminal than standard input, such as a visitor's; the program's
    signals are not watched then.
    """

    def __init__(
        self,
        keymap: Keymap,
        *,
        watch: Callable[[KeyEvent], None] | None = None,
        environ: Mapping[str, str] | None = None,
        focus: Callable[[bool], None] = lambda front: None,
        recognised: Callable[[TerminalKind], None] = lambda kind: None,
        device: Device | None = None,
    ) -> None:
        self._keymap, self._device = keymap, device
        self._watch, self._focus, self._recognised = watch, focus, recognised
        self._environ = os.environ if environ is None else environ
        self.is_terminal = device is not None or stdin_is_terminal()
        self.shift_space: ShiftSpace = "unknown" if self.is_terminal else "yes"
        self.names = KeymapNames(keymap, self._lost())
        self._belarusian = writes_belarusian(self._environ)
        self._settled = not self.is_terminal
        self._arrived: deque[Press] = deque()
        self._signals: deque[int] = deque()
        self._held = HeldKeys()
        self._doubtful: Press | None = None
        self._last_place: Place | None = None
        self._over = False
        self._terminal: Terminal | None = None
        self._pipe: Pipe | None = None

    async def __aenter__(self) -> KeySource:
        self._wake = asyncio.Event()
        self._signal_watch = SignalWatch(self._signalled) if self._device is None else nullcontext()
        self._signal_watch.__enter__()
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
            self._signal_watch.__exit__(None, None, None)

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

    @property
    def wait(self) -> float:
        """Seconds from a question to a key that may answer it; over a network half a round trip more."""
        return WAIT + self._one_way

    @property
    def waiting(self) -> int:
        """How many keys have arrived and were not taken yet."""
        return len(self._arrived)

    def losses(self) -> Loss:
        """The keys of the keymap in force that do not arrive here, and what to press instead."""
        return self.names.losses()

    def use(self, keymap: Keymap) -> None:
        """Give keys the commands of another keymap from now on."""
        from kozel.terminal.pt import bindings_of

        self._keymap = self.names.keymap = keymap
        self._bindings: Bindings = bindings_of(keymap)

    async def settled(self) -> None:
        """Wait for the terminal's answer on how it reports keys, at most as long as an answer may take."""
        while not self._settled and not self._over:
            self._wake.clear()
            await self._woken(None)

    async def get(self, place: Callable[[], Place], timeout: float | None = None) -> Pressed | None:
        """The next key, with its meaning in the place where the player is by then; None if none came within `timeout`.

        A key that acts is given once while it is held down. Raises `Signalled` when a signal came, and `KeysClosed` at
        the end of the input. From a pipe or file nothing is decoded before it is asked for. May be cancelled: no key is
        lost.
        """
        await asyncio.sleep(0)  # an input that never runs dry must not keep signals from being seen
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            self._wake.clear()
            if self._signals:
                raise Signalled(self._signals.popleft())
            given = self._first(place)
            if isinstance(given, Pressed):
                _log.debug("%s is %s", given.key, given.command)
                return given
            if self._over and given is None:
                raise KeysClosed
            if self._pipe is not None:
                self._pipe.want()
            if until is not None and time.monotonic() >= until:
                return None
            await self._woken(min((each for each in (given, until) if each is not None), default=None))

    @property
    def _one_way(self) -> float:
        """Half of the time that a key's way to the player's terminal and back takes, as it was measured."""
        if self._terminal is None or not any(name in self._environ for name in _REMOTE):
            return 0.0
        return self._terminal.round_trip / 2

    def _open(self) -> None:
        self.use(self._keymap)
        if self._device is None and not self.is_terminal:
            fd, encoding = _stdin()
            self._pipe = Pipe(fd, encoding, self._take, self._end)
            return
        called = (self._take_presses, self._seen, self._end, self._now_settled, self._resumed)
        if self._device is not None:
            self._terminal = self._device(*called)
            self._terminal.start()
            return
        if sys.platform == "win32":
            from kozel.terminal.win32 import WindowsConsole

            self._terminal = WindowsConsole(*called, self._environ, self._focus)
        else:
            from kozel.terminal.posix import PosixTerminal

            self._terminal = PosixTerminal(*called, self._environ)
        self._terminal.start()

    async def _woken(self, until: float | None) -> None:
        """Wait until something has arrived, at most until a time."""
        timer = None
        if until is not None:
            loop = asyncio.get_running_loop()
            timer = loop.call_later(max(0.0, until - time.monotonic()), self._wake.set)
        try:
            await self._wake.wait()
        finally:
            if timer is not None:
                timer.cancel()

    def _first(self, place: Callable[[], Place]) -> Pressed | float | None:
        """The first key that counts; else when it will be known whether it does, None where none has come."""
        while self._arrived:
            press = self._arrived[0]
            if press.event.kind == "release":
                self._held.released(press.place_name)
            elif press.event.kind == "focus":
                if press.event.name == "out":
                    self._held.let_go()
            else:
                where = place()
                pressed = self._bindings.meaning(press, where)
                acts = self._acts(press, pressed, where)
                if acts is None:
                    return max(press.at + self._gap, time.monotonic() + _LOOK_AGAIN)
                self._arrived.popleft()
                if acts:
                    self._last_place = where
                    return pressed
                continue
            self._arrived.popleft()
        return None

    def _acts(self, press: Press, pressed: Pressed, place: Place) -> bool | None:
        """Whether a key counts; None where that is not known yet."""
        arrival = _arrival(press)
        if not self.is_terminal or not self._acts_once(pressed, place):
            self._held.taken(arrival)
            return True
        following = next((each for each in list(self._arrived)[1:] if each.event.kind in ("key", "paste")), None)
        after = _arrival(following) if following is not None else None
        now, gap = time.monotonic(), self._gap
        if following is None and now - press.at >= gap and self._terminal is not None and self._terminal.unread():
            self._doubtful = press  # this process was kept waiting: what lies there may have come long ago
            return None
        if press is self._doubtful and after is not None and after.key == arrival.key:
            gap = float("inf")
        return self._held.acts(arrival, after, now, gap)

    def _acts_once(self, pressed: Pressed, place: Place) -> bool:
        """Whether a key does something that is done once while it is held down; in a line, the key that opened it."""
        if place is Place.LINE and pressed.command is None:
            return self._last_place is not Place.LINE
        chooses = place is Place.MENU and len(pressed.text) == 1 and pressed.text.isalnum()
        return chooses or pressed.command in ACTS_ONCE

    @property
    def _gap(self) -> float:
        return REPEAT_GAP + self._one_way

    def _lost(self) -> frozenset[str]:
        return lost_keys(self._environ, self.shift_space) if self.is_terminal else frozenset()

    def _seen(self, event: KeyEvent) -> None:
        if self._watch is not None:
            self._watch(event)

    def _take(self, event: KeyEvent) -> None:
        from kozel.terminal.pt import Press

        self._seen(event)
        if event.kind in ("key", "paste"):
            self._press(Press(event, time.monotonic(), belarusian=self._belarusian))
        self._wake.set()

    def _take_presses(self, presses: list[Press]) -> None:
        for press in presses:
            self._press(press)
        self._wake.set()

    def _press(self, press: Press) -> None:
        name = press.event.name
        _log.debug("%s %s arrives", press.event.kind, name)
        if press.event.kind == "key" and name in _SIGNAL_KEYS:
            self._signalled(_SIGNAL_KEYS[name])
        elif press.event.kind == "key" and name == "c-z" and self._terminal is not None:
            self._terminal.suspend()
        elif name == "space" and not self._settled:
            return  # it may be Shift+Space, which the terminal was only just asked to tell apart
        else:
            if name == "s-space" and self.shift_space != "yes":
                self.shift_space = "yes"
                self.names.lost = self._lost()
            self._arrived.append(press)

    def _signalled(self, signum: int) -> None:
        self._signals.append(signum)
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
        self.names.lost = self._lost()
        self._wake.set()

    def _resumed(self) -> None:
        from kozel.terminal.pt import Press

        self._take_presses([Press(KeyEvent("key", "resume", ""), time.monotonic())])


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


def _arrival(press: Press) -> Arrival:
    return Arrival(press.place_name, press.at, press.event.repeat)
