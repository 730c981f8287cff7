"""Practice: a match whose decisions can be taken back, kept apart from those that count."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import NamedTuple, TypeVar

from kozel.engine.events import Event, RoundBegan
from kozel.engine.match import Match
from kozel.engine.moves import Move
from kozel.play.runner import Runner, Seating
from kozel.play.store import Folder, Kept, read_kept
from kozel.records.notation import resolve
from kozel.records.replay import replay
from kozel.records.writing import RecordFile

_P = TypeVar("_P", bound="PracticeRunner")


class PracticeFolder(Folder):
    """The data folder with the practice matches in place of those that count."""

    @property
    def matches(self) -> Path:
        """The records of practice matches."""
        return self.path / "practice"


def runner_for(path: Path, folder: Folder) -> type[Runner]:
    """What plays the record of that path: practice, if it lies among the practice matches of the data folder."""
    return PracticeRunner if path.resolve().parent == PracticeFolder(folder.path).matches.resolve() else Runner


class Decided(NamedTuple):
    """A decision of the round at hand: the match before it, the move, and its text as it stands in the record."""

    before: Match
    move: Move
    text: str


class TakenBack(NamedTuple):
    """A decision that was taken back: whose, which, the ends before it; `more`: what others decided after it, too."""

    seat: int
    move: Move
    before: tuple[int, ...]
    more: bool


class PracticeRunner(Runner):
    """A match in which people can take their decisions back, to the round's start."""

    def __init__(self, seating: Seating, match: Match, record: RecordFile, seed: str, decisions: int) -> None:
        super().__init__(seating, match, record, seed, decisions)
        self._cuttable = record
        self._decided: list[Decided] = []

    @classmethod
    def start(cls: type[_P], seating: Seating, folder: Folder, day: date, path: Path | None = None) -> _P:
        """A new practice match. Raises `FileExistsError` where a file is there."""
        return super().start(seating, PracticeFolder(folder.path), day, path)

    @classmethod
    def go_on(cls: type[_P], kept: Kept) -> _P:
        """A practice match from its record, with the decisions of its last round still to be taken back."""
        runner = super().go_on(kept)
        runner._decided = _last_round(read_kept(kept.path, kept.rulesets))
        return runner

    def deal(self) -> list[Event]:
        """Deal the next round; what was decided before it stands."""
        events = super().deal()
        self._decided.clear()
        return events

    def decide(self, move: Move) -> list[Event]:
        """Carry out the decision of the seat whose turn it is. Raises `IllegalMove`."""
        before = self.match
        events = super().decide(move)
        self._decided.append(Decided(before, move, move.text))
        return events

    def undo(self) -> TakenBack | None:
        """Take back a person's last decision and all that came after it; None where the round holds none.

        The record is cut in one stroke before anything else changes; `OSError` leaves all as it was.
        """
        persons = self.seating.persons
        place = max((number for number, each in enumerate(self._decided) if _seat(each) in persons), default=None)
        if place is None:
            return None
        gone = self._decided[place:]
        self._cuttable.take_back([each.text for each in gone])
        del self._decided[place:]
        self._decisions -= len(gone)
        first = gone[0]
        self.match = first.before
        assert first.before.round is not None
        return TakenBack(_seat(first), first.move, first.before.round.ends, len(gone) > 1)


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
