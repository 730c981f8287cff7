"""The events of a round, turn by turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kozel.engine.events import Drew, Event, Laid, Passed, Threw


class Turn(NamedTuple):
    """What one seat did in a turn, draws first; `before`: the ends before it. `open`: it has only drawn so far."""

    seat: int
    events: tuple[Event, ...]
    before: tuple[int, ...]
    open: bool


def turns_of(events: Iterable[Event]) -> list[Turn]:
    """The turns in a run of a round's events."""
    turns: list[Turn] = []
    ends: tuple[int, ...] = ()
    for event in events:
        if isinstance(event, Threw):
            turns[-1] = turns[-1]._replace(events=(*turns[-1].events, event))
        elif isinstance(event, (Drew, Laid, Passed)):
            if turns and turns[-1].open:
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
