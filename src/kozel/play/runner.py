"""A match in progress: the seats, who decides, the record that grows with every decision. It says nothing to anybody."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Protocol, TypeVar

from kozel.bots.levels import player, stream
from kozel.bots.view import observe
from kozel.engine.events import Drew, DrewToOpen, Event
from kozel.engine.match import Dealt, Match, deal, decide, new_match, shuffled
from kozel.engine.moves import Move
from kozel.engine.tiles import tiles_in
from kozel.play.store import Folder, Kept, new_record, take
from kozel.records.writing import head_text
from kozel.rules.ruleset import Ruleset, Value

_R = TypeVar("_R", bound="Runner")


@dataclass(frozen=True)
class Seating:
    """What is played by whom. `levels`: a computer player's level by seat, None for a person."""

    ruleset: Ruleset
    players: tuple[str, ...]
    levels: tuple[str | None, ...]
    pairs: bool
    options: dict[str, Value]
    seed: str | None = None

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat, level in enumerate(self.levels) if level is None)


class Journal(Protocol):
    """Where deals and decisions are written down, such as a `RecordFile`."""

    @property
    def path(self) -> Path:
        """The file."""

    def deal(self, dealt: Dealt) -> None:
        """A deal."""

    def decide(self, move: str) -> None:
        """A decision, in the notation of the record."""

    def close(self) -> None:
        """Nothing more comes."""


class Runner:
    """A match with its record. Every change is on the disk when a method returns; `OSError` leaves all as it was."""

    def __init__(self, seating: Seating, match: Match, record: Journal, seed: str, decisions: int) -> None:
        self.seating, self.match = seating, match
        self._record, self._seed, self._decisions = record, seed, decisions

    @classmethod
    def start(cls: type[_R], seating: Seating, folder: Folder, day: date, path: Path | None = None) -> _R:
        """A new match, recorded in the data folder or at `path`. Raises `FileExistsError` where a file is there."""
        seed = seating.seed if seating.seed is not None else secrets.token_hex(6)
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
        game = seating.ruleset.game(len(seating.players), seating.pairs, seating.options)
        return cls(seating, new_match(game), record, seed, 0)

    @classmethod
    def go_on(cls: type[_R], kept: Kept) -> _R:
        """A match from its record, where it stopped. Raises `InUse` where another program plays it, `OSError`, `Unusable`."""
        kept, record = take(kept)
        head = kept.record.head
        seating = Seating(
            head.ruleset, head.players, head.levels, head.pairs, head.ruleset.choices(head.options), head.seed
        )
        seed = head.seed if head.seed is not None else secrets.token_hex(6)
        decisions = sum(len(each.moves) for each in kept.record.rounds)
        return cls(seating, kept.match, record, seed, decisions)

    @property
    def path(self) -> Path:
        """The record's file."""
        return self._record.path

    @property
    def turn(self) -> int | None:
        """The seat that is to decide, None between rounds and after the match."""
        return self.match.round.turn if self.match.round else None

    def deal(self) -> list[Event]:
        """Deal the next round; a deal that does not count by itself is followed by the next one."""
        told: list[Event] = []
        while self.match.round is None and self.match.end is None:
            dealt = self.next_deal()
            match, events = deal(self.match, dealt)
            self._record.deal(dealt)
            self.match = match
            told += events
        return told

    def next_deal(self) -> Dealt:
        """The tiles of the next deal."""
        return shuffled(self.match, self._seed)

    def decide(self, move: Move) -> list[Event]:
        """Carry out the decision of the seat whose turn it is. Raises `IllegalMove`."""
        match, events = decide(self.match, move)
        self._record.decide(move.text)
        self.match = match
        self._decisions += 1
        return events

    def bot_move(self) -> Move:
        """What the computer player whose turn it is decides; it sees only what its seat may know."""
        state = self.match.round
        assert state is not None
        seat = state.turn
        level = self.seating.levels[seat]
        assert level is not None
        return player(level)(observe(self.match, seat), stream(self._seed, seat, self._decisions))

    def again(self, folder: Folder, day: date) -> Runner:
        """A new match with the same seats, from another seed."""
        seating = self.seating
        return type(self).start(
            Seating(seating.ruleset, seating.players, seating.levels, seating.pairs, seating.options), folder, day
        )

    def close(self) -> None:
        """Close the record."""
        self._record.close()


def hand_in_order(match: Match, seat: int) -> tuple[int, ...]:
    """A seat's tiles as its player finds them: as dealt, in tile-name order, then those drawn, in the order of drawing."""
    state = match.round
    if state is None:
        return ()
    order = list(tiles_in(state.start.deal.hands[seat]))
    for event in match.log:
        if isinstance(event, Drew) and event.seat == seat:
            order += event.tiles
        elif isinstance(event, DrewToOpen):
            order += [tile for drawer, tile in event.draws if drawer == seat]
    return tuple(tile for tile in order if state.hands[seat] >> tile & 1)
