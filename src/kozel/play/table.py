"""The only place that holds a match: hands, bazaar, seed, record. It tells each seat what that seat may know, no more."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from kozel.bots.levels import stream
from kozel.engine import seen
from kozel.engine.events import Event
from kozel.engine.match import Dealt, Match, deal, decide, new_match, shuffled
from kozel.engine.moves import Move
from kozel.engine.round import Refused
from kozel.engine.seen import View
from kozel.play.hearers import Hearers
from kozel.play.journal import FileJournal, Journal
from kozel.play.seat import Hearing, TakenBack, Update
from kozel.play.store import Folder, Kept, new_record, take
from kozel.records.writing import head_text
from kozel.rules.seating import Seating

if TYPE_CHECKING:
    from kozel.engine.shuffle import Shuffle

_T = TypeVar("_T", bound="Table")
_R = TypeVar("_R")


class Table:
    """A match with its journal. Everything that changes is kept there before any seat hears of it.

    `seats` are its places, in order. `match` is for the table's own people: the seats give each player a view.
    """

    can_take_back = False

    def __init__(self, seating: Seating, match: Match, journal: Journal, seed: str, decisions: int) -> None:
        self.seating, self.match = seating, match
        self._journal, self._seed, self._decisions = journal, seed, decisions
        self._shuffle: Shuffle | None = None
        self._serial = 0
        self._ready: set[int] = set()
        self.seats = tuple(TableSeat(self, number) for number in range(len(seating.players)))
        self._watchers: list[TableSeat] = []

    @classmethod
    def start(cls: type[_T], seating: Seating, folder: Folder, day: date, path: Path | None = None) -> _T:
        """A new match, recorded in the data folder or at `path`. Raises `FileExistsError` where a file is there."""
        seed = seating.seed if seating.seed is not None else os.urandom(6).hex()
        defaults = {name: option.default for name, option in seating.ruleset.options.items()}

        def head(reference: str) -> str:
            return head_text(
                reference,
                seating.players,
                seating.pairs,
                options={name: value for name, value in seating.options.items() if value != defaults[name]},
                levels=seating.levels,
                seed=seed,
                date=day.isoformat(),
            )

        record = new_record(folder, seating.ruleset, day, head, path)
        return cls(seating, new_match(seating.game()), FileJournal(record), seed, 0)

    @classmethod
    def go_on(cls: type[_T], kept: Kept) -> _T:
        """A match from its record, where it stopped. Raises `InUse` where another program plays it, `OSError`, `Unusable`."""
        kept, record = take(kept)
        head = kept.record.head
        seating = Seating(
            head.ruleset, head.players, head.levels, head.pairs, head.ruleset.choices(head.options), head.seed
        )
        seed = head.seed if head.seed is not None else os.urandom(6).hex()
        decisions = sum(len(each.moves) for each in kept.record.rounds)
        table = cls(seating, kept.match, FileJournal(record), seed, decisions)
        table._shuffle = head.shuffle
        return table

    @property
    def path(self) -> Path:
        """The record's file, of a match that has one on this machine."""
        assert isinstance(self._journal, FileJournal)
        return self._journal.path

    @property
    def serial(self) -> int:
        """How many updates there were."""
        return self._serial

    @property
    def must_deal(self) -> bool:
        """Is the next thing to happen a deal that nobody has to be asked for: the first one, or one dealt again?"""
        past = self.match.past
        return self.match.round is None and self.match.end is None and (not past or past[-1].result == "redeal")

    def watch(self) -> TableSeat:
        """A seat without a hand."""
        watcher = TableSeat(self, None)
        self._watchers.append(watcher)
        return watcher

    def view(self, seat: int | None) -> View:
        """The match as a seat may know it."""
        return seen.view(self.match, seat, self._decisions)

    def randoms(self, seat: int) -> Callable[[View], Random]:
        """A computer player's random numbers for the decision that it is asked for in a view: the same for the same seed."""
        shuffle = self._shuffle
        if shuffle is not None:
            return lambda view: shuffle.stream(seat, view.decisions)
        return lambda view: stream(self._seed, seat, view.decisions)

    async def decide(self, seat: int, move: Move, serial: int | None = None) -> None:
        """A seat's decision; see `Seat.decide`."""
        await self._whole(self._decide(seat, move, serial))

    async def _decide(self, seat: int, move: Move, serial: int | None) -> None:
        if serial is not None and serial != self._serial:
            raise Refused("stale")
        state = self.match.round
        if state is None:
            raise Refused("match_over" if self.match.end else "round_over")
        if state.turn != seat:
            raise Refused("not_your_turn", name=self.seating.players[state.turn])
        match, events = decide(self.match, move)
        await self._journal.decide(move.text)
        self._decided(move)
        self._decisions += 1
        self._advance(match, events)
        if self.must_deal:
            await self._deal()

    async def ready(self, seat: int) -> None:
        """A seat is ready for the next deal; see `Seat.ready`."""
        self._ready.add(seat)
        if self._ready >= set(self.seating.persons):
            await self._whole(self._deal())

    async def deal(self) -> None:
        """Deal the next round, unless one is in progress or the match is over. Raises `OSError`."""
        await self._whole(self._deal())

    async def take_back(self) -> bool:
        """Take a decision back, where that is allowed."""
        raise Refused("practice_only")

    def next_deal(self) -> Dealt:
        """The tiles of the next deal."""
        return self._shuffle.deal(self.match) if self._shuffle else shuffled(self.match, self._seed)

    async def secure(self) -> None:
        """See to it that all of the match is kept, in another file if its own is lost. Raises `OSError`."""
        await self._whole(self._journal.secure())

    async def close(self) -> None:
        """Close the journal, once what is being written is kept."""
        async with self._lock:
            self._journal.close()

    @cached_property
    def _lock(self) -> asyncio.Lock:
        """One thing at a time, whoever asks."""
        return asyncio.Lock()

    async def _deal(self) -> None:
        """A deal that does not count by itself is followed by the next one, all told together."""
        events: list[Event] = []
        match = self.match
        try:
            while match.round is None and match.end is None:
                dealt = self.next_deal()
                after, dealt_events = deal(match, dealt)
                await self._journal.deal(dealt)
                self.match = match = after
                events += dealt_events
        finally:
            if events:
                self._ready.clear()
                self._dealt()
                self._advance(match, events)

    async def _whole(self, doing: Coroutine[Any, Any, _R]) -> _R:
        """One thing at a time, and each to its end, even if whoever asked for it is gone by then."""

        async def alone() -> _R:
            async with self._lock:
                return await doing

        return await asyncio.shield(asyncio.ensure_future(alone()))

    def _advance(self, match: Match, events: Sequence[Event], taken_back: TakenBack | None = None) -> None:
        """The match goes on, and every seat hears of it."""
        self.match = match
        self._serial += 1
        for seat in (*self.seats, *self._watchers):
            seat.tell(events, taken_back)

    def _decided(self, move: Move) -> None:
        """A decision is written, and about to be told."""

    def _dealt(self) -> None:
        """A round is dealt, and about to be told."""


class TableSeat:
    """A `Seat` of a table in this process."""

    def __init__(self, table: Table, number: int | None) -> None:
        self._table, self._number = table, number
        self._hearers: Hearers[Update] = Hearers()
        self._seen: tuple[Match, View] | None = None

    @property
    def number(self) -> int | None:
        """Which seat it is; None for a watcher."""
        return self._number

    @property
    def view(self) -> View:
        """What it may know now."""
        match = self._table.match
        if self._seen is None or self._seen[0] is not match:
            self._seen = match, self._table.view(self._number)
        return self._seen[1]

    @property
    def serial(self) -> int:
        """The number of the table's last update."""
        return self._table.serial

    def listen(self, hear: Hearing) -> Callable[[], None]:
        """Give `hear` each update from now on; call what is returned to stop."""
        return self._hearers.listen(hear)

    async def decide(self, move: Move, serial: int | None = None) -> None:
        """Carry out a decision; see `Seat`."""
        await self._table.decide(self._own(), move, serial)

    async def ready(self) -> None:
        """This seat is ready for the next deal; see `Seat`."""
        await self._table.ready(self._own())

    async def take_back(self) -> bool:
        """Take a decision back; see `Seat`."""
        self._own()
        return await self._table.take_back()

    def tell(self, events: Sequence[Event], taken_back: TakenBack | None) -> None:
        """The table has something to tell."""
        if self._hearers:
            own = tuple([seen.seen(event, self._number) for event in events])
            update = Update(self._table.serial, own, self.view, taken_back)
            self._hearers.tell(update)

    def _own(self) -> int:
        if self._number is None:
            raise Refused("only_watches")
        return self._number
