"""A Windows console: key records with their modifiers, so that Shift+Space and Ctrl+F3 are what they are.

Virtual terminal input stays off while keys are read, because its byte sequences lose the modifiers, and processed input
too, because the console would take Shift with arrows for selecting text. Importing this module imports prompt_toolkit.
"""

# ruff: noqa: E402 - type checkers skip what follows on other platforms
from __future__ import annotations

import sys

assert sys.platform == "win32"

import asyncio
import atexit
import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from ctypes import byref, pointer, windll
from ctypes.wintypes import DWORD, HANDLE
from typing import cast

from prompt_toolkit.input.win32 import Win32Input
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.win32_types import INPUT_RECORD, STD_INPUT_HANDLE

from kozel.session.keys import ShiftSpace
from kozel.terminal.console_keys import FocusRecord, KeyRecord, changes, in_front
from kozel.terminal.pt import Press
from kozel.terminal.sequences import KeyEvent, Kind
from kozel.voice.page import TerminalKind

_PROCESSED_INPUT, _LINE_INPUT, _ECHO_INPUT, _VIRTUAL_TERMINAL_INPUT = 0x0001, 0x0002, 0x0004, 0x0200
_NOT_RAW = _PROCESSED_INPUT | _LINE_INPUT | _ECHO_INPUT | _VIRTUAL_TERMINAL_INPUT
_COOKED = _PROCESSED_INPUT | _LINE_INPUT | _ECHO_INPUT
_KEY_EVENT, _FOCUS_EVENT = 0x01, 0x10
_RECORDS = 256


class RecordReader:
    """In the place of prompt_toolkit's console readers: `read`, `flush_keys`, `close`, `handle`."""

    def __init__(self, event: Callable[[KeyEvent], None], focus: Callable[[bool], None]) -> None:
        self._event, self._focus = event, focus
        self.handle = HANDLE(windll.kernel32.GetStdHandle(STD_INPUT_HANDLE))

    def read(self) -> list[KeyPress]:
        """The keys that wait in the console's buffer."""
        count, buffer = DWORD(0), (INPUT_RECORD * _RECORDS)()
        windll.kernel32.GetNumberOfConsoleInputEvents(self.handle, pointer(count))
        if not count.value:
            return []
        windll.kernel32.ReadConsoleInputW(self.handle, pointer(buffer), _RECORDS, pointer(count))
        came = [record for i in range(count.value) if (record := _record(buffer[i])) is not None]
        front = in_front(came)
        if front is not None:
            self._focus(front)
        records = [record for record in came if isinstance(record, KeyRecord)]
        raw = "; ".join(_as_text(record) for record in records if record.down)
        at = time.monotonic()
        presses: list[KeyPress] = []
        if front is False:
            presses.append(Press(KeyEvent("focus", "out", ""), at))
        for change in changes(records):
            kind: Kind = "release" if not change.down else "paste" if change.name == "paste" else "key"
            event = KeyEvent(kind, change.name, raw, change.text)
            self._event(event)
            presses.append(Press(event, at))
        return presses

    def flush_keys(self) -> list[KeyPress]:
        """Nothing: a key record is never half a key."""
        return []

    def close(self) -> None:
        """Nothing: the handle is the process's own."""


class ConsoleInput(Win32Input):
    """prompt_toolkit's console input with the game's reader and its raw mode."""

    def __init__(self, event: Callable[[KeyEvent], None], focus: Callable[[bool], None]) -> None:
        super().__init__(sys.stdin)
        self.console_input_reader.close()
        self.console_input_reader = RecordReader(event, focus)  # type: ignore[assignment]

    @contextlib.contextmanager
    def raw_mode(self) -> Iterator[None]:
        """Key records for every key, whatever the mode was before."""
        mode = console_mode(self.handle)
        windll.kernel32.SetConsoleMode(self.handle, mode & ~_NOT_RAW)
        try:
            yield
        finally:
            windll.kernel32.SetConsoleMode(self.handle, mode)


class WindowsConsole:
    """Standard input as a console that reports every key. The same face as `PosixTerminal`.

    `focus` is told whether the console's window is in front.
    """

    level = "console"
    kind: TerminalKind = "windows"
    answers: tuple[str, ...] = ()

    def __init__(
        self,
        keys: Callable[[list[Press]], None],
        event: Callable[[KeyEvent], None],
        end: Callable[[], None],
        settled: Callable[[], None],
        resumed: Callable[[], None],
        environ: Mapping[str, str],
        focus: Callable[[bool], None],
    ) -> None:
        self._keys = keys
        self._focus = focus
        self._settled = settled
        self._loop = asyncio.get_running_loop()
        self._input = ConsoleInput(event, focus)
        self._before = console_mode(self._input.handle)
        self._open = contextlib.ExitStack()

    def start(self) -> None:
        atexit.register(self.stop)
        if not self._before & _LINE_INPUT:  # what a killed program left
            self._before |= _COOKED
            windll.kernel32.SetConsoleMode(self._input.handle, self._before)
        self._enter()
        self._settled()

    async def finish(self) -> None:
        self.stop()

    def stop(self) -> None:
        """Put the console back as it was."""
        atexit.unregister(self.stop)
        with contextlib.suppress(OSError, ValueError, RuntimeError):
            self._open.close()
        windll.kernel32.SetConsoleMode(self._input.handle, self._before)

    @property
    def round_trip(self) -> float:
        return 0.0

    def shift_space(self) -> ShiftSpace:
        return "yes"

    def unread(self) -> bool:
        count = DWORD(0)
        windll.kernel32.GetNumberOfConsoleInputEvents(self._input.handle, pointer(count))
        return bool(count.value)

    def suspend(self) -> None:
        """Nothing: a console has no jobs."""

    def _enter(self) -> None:
        self._open = contextlib.ExitStack()
        self._open.enter_context(self._input.raw_mode())
        self._open.enter_context(self._input.attach(self._ready))

    def _ready(self) -> None:
        self._keys(cast("list[Press]", self._input.read_keys()))


def console_mode(handle: HANDLE) -> int:
    """The mode flags of a console's input."""
    mode = DWORD(0)
    windll.kernel32.GetConsoleMode(handle, byref(mode))
    return mode.value


def _record(record: INPUT_RECORD) -> KeyRecord | FocusRecord | None:
    if record.EventType == _FOCUS_EVENT:
        return FocusRecord(bool(record.Event.FocusEvent.SetFocus))
    if record.EventType != _KEY_EVENT:
        return None
    event = record.Event.KeyEvent
    char = event.uChar.UnicodeChar
    state, vk = event.ControlKeyState & 0xFFFFFFFF, event.VirtualKeyCode & 0xFFFF
    return KeyRecord(vk, "" if char == "\0" else char, bool(event.KeyDown), state, event.RepeatCount)


def _as_text(record: KeyRecord) -> str:
    return f"key {record.vk:#x} char {ord(record.char) if record.char else 0:#x} state {record.state:#x}"
