"""What a terminal is to the key source, on every platform."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from kozel.terminal.handshake import ShiftSpace
from kozel.voice.page import TerminalKind


class Terminal(Protocol):
    """An interactive terminal or console. `level` says how it reports keys, `answers` what it said at the start."""

    @property
    def level(self) -> str: ...

    @property
    def kind(self) -> TerminalKind:
        """What the terminal says that it is."""

    @property
    def answers(self) -> Sequence[str]: ...

    def start(self) -> None:
        """Take the keys. Whatever happens after this, `finish` must be awaited."""

    async def finish(self) -> None:
        """Put the terminal back as it was."""

    def shift_space(self) -> ShiftSpace:
        """Whether Shift+Space is told from Space."""

    def pause(self) -> None:
        """Make it an ordinary terminal with echo and line editing; what was typed before is delivered first."""

    def want_line(self, take: Callable[[str | None], None]) -> None:
        """Call `take` with the next line that is typed while paused; None at the end of the input."""

    def unpause(self) -> None:
        """Take the keys again."""

    def suspend(self) -> None:
        """Do what Ctrl+Z does on the platform."""
