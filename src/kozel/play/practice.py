"""Practice: a match whose decisions can be taken back, kept apart from those that count."""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path
from typing import NamedTuple, TypeVar

from kozel.engine.events import Event, RoundBegan
from kozel.engine.match import Match
from kozel.engine.moves import Move
from kozel.play.journal import FileJournal, Journal
from kozel.play.seat import TakenBack
from kozel.play.store import Folder, Kept, read_kept
from kozel.play.table import Table
from kozel.records.notation import resolve
from kozel.records.replay import replay
from kozel.rules.seating import Seating

_P = TypeVar("_P", bound="PracticeTable")


class PracticeFolder(Folder):
    """The data folder with the practice matches in place of those that count."""

    @property
    def matches(self) -> Path:
        """The records of practice matches."""
        return self.path / "practice"


def table_for(path: Path, folder: Folder) -> type[Table]:
    """What plays the record of that path: practice, if it lies among the practice matches of the data folder."""
    return PracticeTable if path.resolve().parent == PracticeFolder(folder.path).matches.resolve() else Table


class Decided(NamedTuple):
    """A decision of the round at hand: the match before it, the move, and its text as it stands in the record."""

    before: Match
    move: Move
    text: str


class PracticeTable(Table):
    """A match in which people can take their decisions back, to the round's start."""

    can_take_back = True

    def __init__(self, seating: Seating, match: Match, journal: Journal, seed: str, decisions: int) -> None:
        super().__init__(seating, match, journal, seed, decisions)
        assert isinstance(journal, FileJournal)
        self._cuttable = journal.record
        self._taken: list[Decided] = []

    @classmethod
    def start(cls: type[_P], seating: Seating, folder: Folder, day: date, path: Path | None = None) -> _P:
        """A new practice match. Raises `FileExistsError` where a file is there."""
        return super().start(seating, PracticeFolder(folder.path), day, path)

    @classmethod
    def go_on(cls: type[_P], kept: Kept) -> _P:
        """A practice match from its record, with the decisions of its last round still to be taken back."""
        table = super().go_on(kept)
        table._taken = _last_round(read_kept(table.path, kept.rulesets))
        return table

    def _dealt(self) -> None:
        """What was decided before a deal stands."""
        self._taken.clear()

    def _decided(self, move: Move) -> None:
        self._taken.append(Decided(self.match, move, move.text))

    async def take_back(self) -> bool:
        """Take back a person's last decision and all that came after it; False where the round holds none.

        The record is cut in one stroke before anything else changes; `OSError` leaves all as it was.
        """
        return await self._whole(self._take_back())

    async def _take_back(self) -> bool:
        persons = self.seating.persons
        place = max((number for number, each in enumerate(self._taken) if _seat(each) in persons), default=None)
        if place is None:
            return False
        gone = self._taken[place:]
        await asyncio.to_thread(self._cuttable.take_back, [each.text for each in gone])
        del self._taken[place:]
        self._decisions -= len(gone)
        first = gone[0]
        assert first.before.round is not None
        back = TakenBack(_seat(first), first.move, first.before.round.ends, len(gone) > 1)
        self._advance(first.before, (), back)
        return True


def _seat(decided: Decided) -> int:
    assert decided.before.round is not None
    return decided.before.round.turn


def _last_round(kept: Kept) -> list[Decided]:
    """The decisions of a record's last round."""
    states: list[Match] = []

    def watch(match: Match, events: list[Event]) -> None:
        if isinstance(events[0], RoundBegan):
            states.clear()
        states.append(match)

    replay(kept.record, watch)
    texts = kept.record.rounds[-1].moves if kept.record.rounds else ()
    decided = []
    for before, text in zip(states, texts, strict=False):
        assert before.round is not None
        decided.append(Decided(before, resolve(before.round, text), text))
    return decided
