"""Typing ahead: a key that acts must come some time after what it answers was said."""

from __future__ import annotations

from collections.abc import Callable


class Patience:
    """Times are those of one clock, in seconds. `wait()`: from what is asked to a key that acts; 0 where all keys count."""

    def __init__(self, wait: Callable[[], float]) -> None:
        self._wait = wait
        self._asked = float("-inf")

    def asked(self, at: float) -> None:
        """Something was asked or announced at this time."""
        self._asked = at

    def early(self, at: float) -> bool:
        """Is a key that came at this time too early to act?"""
        wait = self._wait()
        return wait > 0 and at - self._asked < wait
