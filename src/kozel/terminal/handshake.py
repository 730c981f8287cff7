"""Asking the terminal to report every key, and taking that back again.

The order was measured in sixteen terminals. `ESC 7` and `ESC 8` stand around the kitty query because st takes it for
"restore cursor"; the pop of kitty's flags is only sent where kitty answered, because qterminal prints it. Flags 27 are
1 (disambiguate), 2 (repeats and releases), 8 (all keys: without it kitty sends Shift+Space as a space) and 16 (their text).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from kozel.session.keys import ShiftSpace
from kozel.terminal.sequences import KeyEvent
from kozel.voice.page import TerminalKind

Level = Literal["legacy", "modifyOtherKeys", "kitty"]

ANSWER_WAIT = 0.3
"""Seconds that an answer may take; until then it is open whether a space was Shift+Space."""
LEAVE_WAIT = 0.25
"""Seconds to wait for an open answer before leaving, so that the shell does not get it as typed text."""

_SILENT_TERMS = ("", "dumb", "linux")
_MODIFY_OTHER_KEYS_TERMS = ("xterm", "tmux", "screen", "foot", "mintty")
_CLEAN = "\x1b[>4m"
_QUERIES = "\x1b7\x1b[?u\x1b8\x1b[>c\x1b[c"
_KINDS: tuple[tuple[re.Pattern[str], TerminalKind], ...] = (
    (re.compile(r"6[15];[0-9]{4,5};[01]|1;[2-9][0-9]{3};0"), "vte"),
    (re.compile(r"0;10;1"), "windows"),
)
"""What terminals answer to the question for their kind and version (`CSI > c`), where it matters: VTE, which is behind
gnome-terminal, xfce4-terminal and others, and the Windows console and Windows Terminal."""
_READERS = ("yasr", "tdsr", "fenrir")
"""Screen readers that sit between the terminal and the program, and speak what they don't know of a question."""
_OLDEST_ANCESTOR = 16


class Mode(NamedTuple):
    """A terminal mode: how it is switched on, on again where it may still be on, and off."""

    on: str
    again: str
    off: str


_PASTE = Mode("\x1b[?2004h", "\x1b[?2004h", "\x1b[?2004l")
_KITTY = Mode("\x1b[>27u", "\x1b[=27u", "\x1b[<u")
_OTHER_KEYS = Mode("\x1b[>4;2m", "\x1b[>4;2m", "\x1b[>4m")


class Handshake:
    """The modes of one terminal. `write` sends text to it at once.

    `settled` says whether the level is known for the time being: an answer after `ANSWER_WAIT` still counts.
    """

    def __init__(self, write: Callable[[str], None], term: str, environ: Mapping[str, str]) -> None:
        self._write = write
        self._term = term
        self._environ = environ
        self._modes: list[Mode] = []
        self._active = False
        self._closing = False
        self.level: Level = "legacy"
        self.kind: TerminalKind = "other"
        self.awaiting = False
        self.settled = True
        self.answers: list[str] = []

    def ask(self) -> None:
        """Clean what a killed program may have left, turn bracketed paste on, ask. The terminal must be raw by now."""
        if self._term in _SILENT_TERMS:
            return
        self._active = True
        self._modes.append(_PASTE)
        self.awaiting = True
        self.settled = False
        self._write(_CLEAN + _PASTE.on + _QUERIES)

    def answer(self, event: KeyEvent) -> None:
        """Take an answer; without an open question it is nobody's."""
        if not self.awaiting:
            return
        self.answers.append(event.raw)
        if event.name == "kitty":
            self._kitty(event.text)
        elif event.name == "da2":
            self.kind = next((kind for pattern, kind in _KINDS if pattern.fullmatch(event.text)), "other")
        elif event.name == "da1":
            self.awaiting = False
            self.settled = True
            if self.level == "legacy" and self._term.startswith(_MODIFY_OTHER_KEYS_TERMS):
                self._push("modifyOtherKeys", _OTHER_KEYS)

    def give_up(self) -> None:
        """No answer came in time: go on with what every terminal does."""
        self.settled = True

    def leave(self) -> None:
        """Switch the modes off, for a while or for good."""
        if self._active:
            self._active = False
            self._write("".join(mode.off for mode in reversed(self._modes)))

    def enter(self) -> None:
        """Switch the modes on that `leave` switched off."""
        if self._modes and not self._active:
            self._active = True
            self._write("".join(mode.on for mode in self._modes))

    def assure(self) -> None:
        """The modes should be on; after the program was stopped from outside, others may have changed them."""
        if self._active:
            self._write("".join(mode.again for mode in self._modes))

    def close(self) -> None:
        """Nothing is switched on any more, whatever answers come."""
        self._closing = True

    def shift_space(self) -> ShiftSpace:
        """Whether this terminal tells Shift+Space from Space."""
        return shift_space_support(self.level, self._environ) if self.settled else "unknown"

    def _kitty(self, flags: str) -> None:
        if self.level == "kitty" or self._closing:
            return
        if flags not in ("", "0"):
            self._write("\x1b[=0u")
        self._push("kitty", _KITTY)

    def _push(self, level: Level, mode: Mode) -> None:
        if self._closing:
            return
        self.level = level
        self._modes.append(mode)
        if self._active:
            self._write(mode.on)


def shift_space_support(level: Level, environ: Mapping[str, str]) -> ShiftSpace:
    """Whether Shift+Space can be told from Space, as measured: by the level reached and the environment.

    Where it is not 'yes', an unreported Shift+Space arrives as a space, which lays a tile.
    """
    if level == "kitty":
        return "yes"
    if level == "legacy":
        return "no"
    if any(name in environ for name in ("VTE_VERSION", "KONSOLE_VERSION", "STY")):
        return "no"
    program = environ.get("TERM_PROGRAM", "")
    if program == "Apple_Terminal":
        return "no"
    if program == "tmux" or "TMUX" in environ:
        return _tmux_support(environ.get("TERM_PROGRAM_VERSION", ""))
    return "yes" if "XTERM_VERSION" in environ else "unknown"


def reader_between(processes: Path = Path("/proc"), process: int | None = None) -> bool:
    """Whether a screen reader that reads a pseudo-terminal of its own is between the terminal and this process.

    Found by the names of the processes above this one, as Linux tells them; False where it doesn't.
    """
    for _ in range(_OLDEST_ANCESTOR):
        try:
            fields = (processes / str(process or os.getpid()) / "stat").read_text("utf-8", "replace")
        except OSError:
            return False
        name, _, rest = fields.partition("(")[2].rpartition(")")
        if name.startswith(_READERS):
            return True
        process = int(rest.split()[1])
        if process <= 1:
            return False
    return False


def _tmux_support(version: str) -> ShiftSpace:
    """tmux passes Shift+Space on from 3.5, and only with `set -s extended-keys on`, which it does not tell."""
    numbers = ["".join(filter(str.isdigit, part)) for part in version.removeprefix("next-").split(".")[:2]]
    if len(numbers) != 2 or not all(numbers):
        return "unknown"
    return "unknown" if (int(numbers[0]), int(numbers[1])) >= (3, 5) else "no"
