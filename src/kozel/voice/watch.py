"""Which screen reader is being asked, so that one that never answers can be passed over."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

_PASSED_OVER = 30.0
"""Seconds for which a reader that hung is asked last."""


class Watch:
    """Shared by the threads that ask readers, one of which may hang, and the one that waits for them."""

    def __init__(self) -> None:
        self._asked = ""
        self._passed_over: dict[str, float] = {}
        self._known: set[str] = set()
        self._others_only = False

    def knows(self, name: str) -> None:
        """There is such a reader here, running or not."""
        self._known.add(name)

    @contextlib.contextmanager
    def asking(self, name: str) -> Iterator[None]:
        """While a reader is asked something; where the answer never comes, `hung` knows of whom."""
        self._asked = name
        try:
            yield
        finally:
            if self._asked == name:
                self._asked = ""

    def hung(self) -> bool:
        """The answer didn't come: whoever was asked is passed over for a while. False if there is nobody else to ask."""
        name, self._asked = self._asked, ""
        if name:
            self._passed_over[name] = time.monotonic() + _PASSED_OVER
        self._others_only = any(not self.passes_over(other) for other in self._known)
        return self._others_only

    def others_only(self) -> bool:
        """Whether only the others are to be asked this time, since somebody has waited already. True once."""
        others, self._others_only = self._others_only, False
        return others

    def passes_over(self, name: str) -> bool:
        """Whether this reader hung a short time ago, so that the others are asked first."""
        return self._passed_over.get(name, 0.0) > time.monotonic()
