"""Which presses of a key are one press that goes on.

No time tells the first repeat of a key that is held down (it comes after 0.25 to 2 s) from a second press, but the next
repeat does, within 0.12 s. So a key that comes again is not believed before it is clear whether it goes on coming.
"""

from __future__ import annotations

from typing import NamedTuple

from kozel.terminal.names import split

REPEAT_GAP = 0.15
"""Seconds within which a key that is held down comes again."""


class Arrival(NamedTuple):
    """A key, when it came, and whether the terminal itself says that it is held down."""

    key: str
    at: float
    repeat: bool = False


class HeldKeys:
    """Judges keys in the order in which they came. All times are arrivals, on one clock."""

    def __init__(self) -> None:
        self._last: Arrival | None = None
        self._held = False

    def released(self, key: str) -> None:
        """A key was let go: its next arrival is a press. Shift may have been let go before it, so it does not count."""
        if self._last is not None and split(self._last.key)[1] == split(key)[1]:
            self.let_go()

    def let_go(self) -> None:
        """Whatever was held is so no more, as when the window went out of focus."""
        self._last, self._held = None, False

    def taken(self, arrival: Arrival) -> None:
        """Note a key that may come as often as it likes."""
        self._held = self._held and self._again(arrival)
        self._last = arrival

    def acts(self, arrival: Arrival, following: Arrival | None, now: float, gap: float = REPEAT_GAP) -> bool | None:
        """Whether a key that may act only once does; None where only `gap` seconds from its arrival will tell.

        `following`: the key that came after it, if one did. With an answer the arrival is noted.
        """
        if arrival.repeat or (self._held and self._again(arrival) and self._since_last(arrival) <= gap):
            held = True
        elif not self._again(arrival):
            held = False
        elif following is not None:
            held = following.key == arrival.key and following.at - arrival.at <= gap
        elif now - arrival.at < gap:
            return None
        else:
            held = False
        self._last, self._held = arrival, held
        return not held

    def _again(self, arrival: Arrival) -> bool:
        return self._last is not None and self._last.key == arrival.key

    def _since_last(self, arrival: Arrival) -> float:
        return arrival.at - self._last.at if self._last is not None else float("inf")
