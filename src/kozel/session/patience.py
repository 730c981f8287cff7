"""Typing ahead: a key that acts must come after what it answers was said, and not be one that is held down."""

from __future__ import annotations

WAIT = 0.3
"""Seconds from what is asked to a key that acts, and from that same key's last arrival."""


class Patience:
    """Times are those of one clock, in seconds. Where keys do not come from a terminal, `on` is False: all count."""

    def __init__(self, on: bool) -> None:
        self._on = on
        self._asked = float("-inf")
        self._last: dict[str, float] = {}
        self._told = False
        self.held = False
        """Whether the key that came last is one that is held down."""

    def asked(self, at: float) -> None:
        """Something was asked or announced at this time."""
        self._asked = at
        self._told = False

    def early(self, key: str, at: float) -> bool:
        """Note that a key came; is it too early for it to act?"""
        last = self._last.get(key)
        self._last[key] = at
        self.held = self._on and last is not None and at - last < WAIT
        return self.held or (self._on and at - self._asked < WAIT)

    def tells(self) -> bool:
        """Should it be said that a key came too early? Once until the next question."""
        told, self._told = self._told, True
        return not told
