"""A table driven step by step: each call runs to its end, and gives what a seat that sees everything would hear."""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path

from kozel.bots.levels import player
from kozel.bots.view import observe
from kozel.engine.events import Event
from kozel.engine.match import Match
from kozel.engine.moves import Move
from kozel.play.practice import PracticeTable
from kozel.play.seat import TakenBack, Update
from kozel.play.store import Folder, Kept
from kozel.play.table import Table
from kozel.rules.seating import Seating


class Driven:
    """One table. Decisions are those of the seat whose turn it is."""

    def __init__(self, table: Table) -> None:
        self.table, self.seating = table, table.seating
        self._heard: list[Update] = []
        for seat in table.seats:
            seat.listen(self._heard.append)

    @classmethod
    def start(cls, seating: Seating, folder: Folder, day: date, kind: type[Table] = Table) -> Driven:
        return cls(kind.start(seating, folder, day))

    @classmethod
    def go_on(cls, kept: Kept, kind: type[Table] = Table) -> Driven:
        return cls(kind.go_on(kept))

    @property
    def match(self) -> Match:
        return self.table.match

    @property
    def path(self) -> Path:
        return self.table.path

    @property
    def turn(self) -> int | None:
        return self.match.round.turn if self.match.round else None

    def deal(self) -> None:
        asyncio.run(self.table.deal())

    def decide(self, move: Move) -> tuple[Event, ...]:
        """The events as the seat that decided hears them."""
        seat = self.turn
        assert seat is not None
        self._heard.clear()
        asyncio.run(self.table.decide(seat, move))
        return self._heard[seat].events

    def bot_move(self) -> Move:
        """What a computer player of the seat's level decides."""
        seat = self.turn
        assert seat is not None
        level = self.seating.levels[seat]
        assert level is not None
        view = self.table.view(seat)
        return player(level)(observe(self.match.game, view), self.table.randoms(seat)(view))

    def undo(self) -> TakenBack | None:
        """What was taken back."""
        assert isinstance(self.table, PracticeTable)
        self._heard.clear()
        return self._heard[0].taken_back if asyncio.run(self.table.take_back()) else None

    def close(self) -> None:
        asyncio.run(self.table.close())
