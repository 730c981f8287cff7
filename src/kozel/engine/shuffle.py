"""A deal that proves itself: a pure function of a secret that was promised first and of what the players added to it.

The dealer tells every seat the secret's `commitment`; every seat tells the hash of its addition; only then are the
additions opened. So nobody could choose anything knowing what it would give. (Game record, version 2.)
"""

from __future__ import annotations

import hashlib
import hmac
import json
from random import Random
from typing import NamedTuple

from kozel.engine.match import Dealt, Match, hand_out, needs_lot
from kozel.engine.tiles import NAMES, TILES

SECRET_BYTES = 32


def commitment_to(secret: bytes) -> str:
    """What is told of a secret before anything else: its SHA-256 in hex.

    >>> commitment_to(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(secret).hexdigest()


def addition_hash(addition: str) -> str:
    """What is told of an addition before any is opened: the SHA-256 in hex of its UTF-8 text.

    >>> addition_hash("spring")[:16]
    '622a494d3ea8c7ba'
    """
    return hashlib.sha256(addition.encode()).hexdigest()


class Shuffle(NamedTuple):
    """Where a match's deals, lots and computers' random numbers come from.

    `secret`: 32 bytes, the dealer's until the match is over. `additions`: a text by seat, None for a seat that adds nothing.
    """

    secret: bytes
    additions: tuple[str | None, ...]

    @property
    def commitment(self) -> str:
        """The promise of the secret."""
        return commitment_to(self.secret)

    @property
    def hashes(self) -> tuple[str | None, ...]:
        """The promises of the additions, by seat."""
        return tuple(None if addition is None else addition_hash(addition) for addition in self.additions)

    def number(self, text: str) -> int:
        """The number that belongs to a text: HMAC-SHA256, keyed by the secret, of the text with the additions before it."""
        message = f"{_joined(self.additions)}/{text}"
        return int.from_bytes(hmac.digest(self.secret, message.encode(), "sha256"), "big")

    def order(self, deal: int) -> list[int]:
        """The 28 tiles of a deal in ascending order of rank; deals count from 0, those that did not count included."""
        return sorted(TILES, key=lambda tile: self.number(f"{deal}/{NAMES[tile]}"))

    def lot(self, deal: int, seats: int) -> int:
        """The seat that a lot names in a deal."""
        return self.number(f"{deal}/lot") % seats

    def deal(self, match: Match) -> Dealt:
        """The deal that comes next in a match."""
        lot = self.lot(match.deals, match.game.seats) if needs_lot(match) else None
        return hand_out(match, self.order(match.deals), lot)

    def stream(self, seat: int, decision: int) -> Random:
        """The random numbers of a computer player's decision, counted from 0: a stream apart from the deals."""
        return Random(self.number(f"bot/{seat}/{decision}"))


def _joined(additions: tuple[str | None, ...]) -> str:
    """All additions as one text of hex digits: none of them can pass for a part of another."""
    return hashlib.sha256(json.dumps(additions, separators=(",", ":")).encode()).hexdigest()
