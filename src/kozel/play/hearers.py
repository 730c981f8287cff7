"""Whoever listens to a seat, a table or a club."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Generic, TypeVar

_M = TypeVar("_M")


class Hearers(Generic[_M]):
    """Those who are told something, in the order in which they came. False where there is nobody."""

    def __init__(self) -> None:
        self._hearers: list[Callable[[_M], None]] = []

    def __bool__(self) -> bool:
        return bool(self._hearers)

    def listen(self, hear: Callable[[_M], None]) -> Callable[[], None]:
        """Tell `hear` each thing from now on; call what is returned to stop."""
        self._hearers.append(hear)

        def stop() -> None:
            with contextlib.suppress(ValueError):
                self._hearers.remove(hear)

        return stop

    def tell(self, message: _M) -> None:
        """Tell all who listen now, those who come or go meanwhile left aside."""
        for hear in tuple(self._hearers):
            hear(message)
