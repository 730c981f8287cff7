"""What takes text and says it: the protocol, and why it may fail."""

from __future__ import annotations

from typing import Literal, Protocol

Reason = Literal[
    "no_reader", "no_server", "no_client", "no_backend", "not_here", "sleep_mode", "gone", "hangs", "fault"
]
"""no_reader: no screen reader runs; no_server: no speech server runs; no_client: its client package is not installed;
no_backend: accessible_output2 can't be loaded; not_here: this output can't be made on this computer; sleep_mode: NVDA was
told to leave this window alone; gone: the reader ended; hangs: a call did not return; fault: what `detail` says."""


class SpeechFailed(Exception):
    """The text was not taken; another output, or a new connection, may take it."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason: Reason = reason
        self.detail = detail


def telling(failures: list[SpeechFailed]) -> SpeechFailed:
    """The failure that tells the player what to do; a reader that isn't installed tells nothing."""
    return next((failure for failure in failures if failure.reason != "not_here"), SpeechFailed("no_reader"))


class Speaker(Protocol):
    """An output, made, used and closed in one thread. Every method but `close` may raise SpeechFailed, and may hang."""

    @property
    def name(self) -> str:
        """What speaks, as its users call it."""
        ...

    @property
    def unfinished(self) -> int | None:
        """How many of the texts it took are not said to their end; None if it doesn't tell. Safe in any thread."""
        ...

    def speak(self, text: str, interrupt: bool) -> None:
        """Says the text after what it says now, or instead of it."""
        ...

    def braille(self, text: str) -> None:
        """Shows the text on a braille display, where the reader has one."""
        ...

    def stop(self) -> None:
        """Falls silent."""
        ...

    def close(self) -> None:
        """Lets go of everything. Never raises."""
        ...
