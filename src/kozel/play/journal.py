"""Where a match's deals and decisions are written down before any seat hears of them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Protocol

from kozel.engine.match import Dealt
from kozel.play.store import MatchFile


class Journal(Protocol):
    """The log of one match. One thing at a time is asked of it; each is kept for good when it returns.

    All raise `OSError` where that cannot be: then it does not count.
    """

    async def deal(self, dealt: Dealt) -> None:
        """A deal."""

    async def decide(self, move: str) -> None:
        """A decision, in the notation of the record."""

    async def secure(self) -> None:
        """See to it that all of the match is kept, in another place if its own is lost."""

    def close(self) -> None:
        """Nothing more comes."""


class FileJournal:
    """A record on the disk, written in a thread."""

    def __init__(self, record: MatchFile) -> None:
        self.record = record

    @property
    def path(self) -> Path:
        """The file."""
        return self.record.path

    async def deal(self, dealt: Dealt) -> None:
        """A deal; see `Journal`."""
        await asyncio.to_thread(self.record.deal, dealt)

    async def decide(self, move: str) -> None:
        """A decision; see `Journal`."""
        await asyncio.to_thread(self.record.decide, move)

    async def secure(self) -> None:
        """All of the match; see `Journal`."""
        await asyncio.to_thread(self.record.secure)

    def close(self) -> None:
        """Close the file."""
        self.record.close()
