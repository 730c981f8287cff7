"""How a match's shuffle comes about: promise, hashes, additions, in an order in which nobody can choose knowingly.

1. The table tells all seats what it promises: the SHA-256 of 32 random bytes. 2. Each seat that adds something tells the
SHA-256 of its addition. 3. Once all have, all hashes go to all seats; only then are the additions told. One that does not
fit its hash, or does not come, ends the matter by name.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Literal

from kozel.engine.shuffle import SECRET_BYTES, Shuffle, addition_hash, commitment_to
from kozel.net.wire import Declined

LONGEST_ADDITION = 200
_HEX = frozenset("0123456789abcdef")


class Broke(Exception):
    """The matter is ended by a seat. `kind`: 'no_hash', 'not_opened', 'other_addition' or 'left'."""

    def __init__(self, seat: int, kind: str) -> None:
        self.seat, self.kind = seat, kind
        super().__init__(f"seat {seat}: {kind}")


class Dealing:
    """The promises for one match. `adding`: the seats that add something."""

    def __init__(self, seats: int, adding: Iterable[int], secret: bytes | None = None) -> None:
        self._secret = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
        self.seats, self.adding = seats, frozenset(adding)
        self._hashes: dict[int, str] = {}
        self._additions: dict[int, str] = {}

    @property
    def commitment(self) -> str:
        """The promise of the secret."""
        return commitment_to(self._secret)

    @property
    def stage(self) -> Literal["hashes", "additions", "done"]:
        """What is waited for."""
        if len(self._hashes) < len(self.adding):
            return "hashes"
        return "additions" if len(self._additions) < len(self.adding) else "done"

    @property
    def hashes(self) -> list[str | None]:
        """The hashes by seat, None for one that adds nothing."""
        return [self._hashes.get(seat) for seat in range(self.seats)]

    @property
    def additions(self) -> list[str | None]:
        """The additions by seat."""
        return [self._additions.get(seat) for seat in range(self.seats)]

    @property
    def missing(self) -> int | None:
        """The first seat that is waited for."""
        there = self._hashes if self.stage == "hashes" else self._additions
        return next((seat for seat in sorted(self.adding) if seat not in there), None)

    def hash(self, seat: int, text: str) -> None:
        """A seat's hash. Raises `Declined` where it is none, or not awaited."""
        if self.stage != "hashes" or seat not in self.adding or seat in self._hashes:
            raise Declined("not_now")
        if len(text) != 64 or not set(text) <= _HEX:
            raise Declined("bad_request", field="hash")
        if text in self._hashes.values():
            raise Declined("hash_taken")
        self._hashes[seat] = text

    def addition(self, seat: int, text: str) -> None:
        """A seat opens its addition. Raises `Declined` where it is not awaited, `Broke` where it is not what was promised."""
        if self.stage != "additions" or seat not in self.adding or seat in self._additions:
            raise Declined("not_now")
        try:
            told = addition_hash(text)
        except UnicodeEncodeError:
            told = ""
        if told != self._hashes[seat] or len(text) > LONGEST_ADDITION:
            raise Broke(seat, "other_addition")
        self._additions[seat] = text

    def shuffle(self) -> Shuffle:
        """What the deals come from, once all is opened."""
        if self.stage != "done":
            raise ValueError("not all additions are opened")
        return Shuffle(self._secret, tuple(self.additions))
