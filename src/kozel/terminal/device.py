"""What a terminal is to the key source, on every platform."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kozel.session.keys import ShiftSpace
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

    @property
    def round_trip(self) -> float:
        """Seconds from a question to its answer; 0 where none was asked or answered."""

    def unread(self) -> bool:
        """Whether something lies there that was not read yet."""

    def start(self) -> None:
        """Take the keys. Whatever happens after this, `finish` must be awaited."""

    async def finish(self) -> None:
        """Put the terminal back as it was."""

    def shift_space(self) -> ShiftSpace:
        """Whether Shift+Space is told from Space."""

    def suspend(self) -> None:
        """Do what Ctrl+Z does on the platform."""
