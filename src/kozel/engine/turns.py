"""The events of a round, turn by turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kozel.engine.events import Drew, Event, Laid, Passed, Threw


class Turn(NamedTuple):
    """What one seat did in a turn, draws first; the snot belongs to the opening. `open`: it has only drawn so far.

    `before`: the ends before it, None where nobody said what they were.
    """

    seat: int
    events: tuple[Event, ...]
    before: Sequence[int] | None
    open: bool


def turns_of(events: Iterable[Event], before: Sequence[int] | None = ()) -> list[Turn]:
    """The turns in a run of a round's events. `before`: the ends before them, None where they are not known."""
    turns: list[Turn] = []
    ends = before
    for event in events:
        if isinstance(event, Threw):
            turns[-1] = turns[-1]._replace(events=(*turns[-1].events, event))
        elif isinstance(event, (Drew, Laid, Passed)):
            if turns and turns[-1].open and turns[-1].seat == event.seat:
                turns[-1] = turns[-1]._replace(events=(*turns[-1].events, event), open=isinstance(event, Drew))
            else:
                turns.append(Turn(event.seat, (event,), ends, isinstance(event, Drew)))
            if isinstance(event, Laid):
                ends = event.ends
    return turns


def last_move(turns: Sequence[Turn]) -> Sequence[Turn]:
    """The last turn in which tiles were laid, with the draws and passes after it; all turns where none was."""
    for place in range(len(turns) - 1, -1, -1):
        if any(isinstance(event, Laid) for event in turns[place].events):
            return turns[place:]
    return turns


def since_turn_of(turns: Sequence[Turn], seat: int) -> Sequence[Turn]:
    """What others did since this seat's last turn."""
    place = max((number for number, turn in enumerate(turns) if turn.seat == seat and not turn.open), default=-1)
    return turns[place + 1 :]


class WaitingDraws:
    """Draws wait for the move that they belong to, so that a turn is told as one."""

    def __init__(self) -> None:
        self._draws: list[Event] = []

    def __len__(self) -> int:
        return len(self._draws)

    def keep(self, draws: Sequence[Event]) -> None:
        """Draws of a turn that goes on."""
        self._draws += draws

    def clear(self) -> None:
        """The round is over: what waits was told otherwise."""
        self._draws.clear()

    def rest(self) -> list[Event]:
        """The draws that still wait."""
        return list(self._draws)

    def release(self, events: Sequence[Event]) -> list[Event]:
        """What can be told now: all that waited and these events, but for draws of a turn that goes on."""
        told = [*self._draws, *events]
        self._draws = []
        while told and isinstance(told[-1], Drew):
            self._draws.insert(0, told.pop())
        return told
