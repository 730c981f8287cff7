"""A table of a club: deals that prove themselves, and seats that a computer player can take over and give back."""

from __future__ import annotations

from collections.abc import Iterable

from kozel.engine.match import Match, new_match
from kozel.engine.shuffle import Shuffle
from kozel.play.journal import Journal
from kozel.play.table import Table, TableSeat
from kozel.rules.seating import Seating


class ClubTable(Table):
    """A match whose deals come from a secret and additions. `persons`: the seats for which a person decides now."""

    def __init__(
        self, seating: Seating, match: Match, log: Journal, shuffle: Shuffle, decisions: int, persons: Iterable[int]
    ) -> None:
        super().__init__(seating, match, log, "", decisions)
        self._shuffle = self.shuffle = shuffle
        self.persons = set(persons)
        self._serial = decisions + match.deals  # not less than any that was told before the server was away
        self._notes: list[str] = []

    def watch(self) -> TableSeat:
        """A seat without a hand; all watchers have the same one."""
        if not self._watchers:
            super().watch()
        return self._watchers[0]

    @classmethod
    def begin(cls, seating: Seating, log: Journal, shuffle: Shuffle) -> ClubTable:
        """A new match, its log begun."""
        return cls(seating, new_match(seating.game()), log, shuffle, 0, seating.persons)

    async def ready(self, seat: int) -> None:
        """A seat is ready; dealt once all persons are who decide for a seat now."""
        if self.match.round is None:
            self._ready.add(seat)
        await self.deal_if_ready()

    async def deal_if_ready(self) -> None:
        """Deal, if all persons are ready and a deal is due."""
        if self.match.round is None and self.match.end is None and self._ready >= self.persons:
            await self.deal()

    def is_ready(self, seat: int) -> bool:
        """Has this seat said that it is ready for the next deal?"""
        return seat in self._ready

    async def computer(self, seat: int, level: str) -> None:
        """From here on a computer player decides for a seat. Raises `OSError`."""
        self.persons.discard(seat)
        await self._whole(self._note(f"computer {seat} {level}"))
        await self.deal_if_ready()

    async def person(self, seat: int) -> None:
        """From here on the person decides again. Raises `OSError`."""
        self.persons.add(seat)
        await self._whole(self._note(f"person {seat}"))

    async def _note(self, text: str) -> None:
        """Between rounds no line of moves is open: it stands at the beginning of the next one."""
        if self.match.round is None:
            self._notes.append(text)
        else:
            await self._journal.decide(text)

    async def _deal(self) -> None:
        await super()._deal()
        notes, self._notes = self._notes, []
        for text in notes:
            await self._journal.decide(text)
