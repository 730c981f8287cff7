"""What computer players reckon with: what their seat may know (`engine.seen`), each event with the ends of its moment."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from kozel.engine import seen
from kozel.engine.events import Event, Laid
from kozel.engine.ledger import Ledger
from kozel.engine.match import Game
from kozel.engine.moves import Move


class Moment(NamedTuple):
    """An event of the round, as the seat may know it, and the chain's ends before it."""

    event: Event
    ends: tuple[int, ...]


class View:
    """What the seat `seat` may know. `hand`, `played` and `unseen` are sets of tiles. Equal where the seat's views are."""

    def __init__(self, game: Game, view: seen.View) -> None:
        """Raises `ValueError` for a watcher's view."""
        if view.seat is None:
            raise ValueError("a watcher has no hand to play")
        self.game, self.seen = game, view
        self.seat: int = view.seat
        self.ledger: Ledger = view.ledger
        self.turn = view.turn
        self.legal: tuple[Move, ...] = view.legal
        self.hand: int = view.tiles
        self.sizes: tuple[int, ...] = view.sizes
        self.bazaar: int = view.bazaar
        self.ends: tuple[int, ...] = view.ends
        self.taken = view.taken
        self.played: int = view.played
        self.unseen: int = view.unseen

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and other.game is self.game and other.seen == self.seen

    def __hash__(self) -> int:
        return hash(self.seen)

    @cached_property
    def history(self) -> tuple[Moment, ...]:
        """What was seen in the round, in order."""
        moments: list[Moment] = []
        ends: tuple[int, ...] = ()
        for event in self.seen.log:
            moments.append(Moment(event, ends))
            if isinstance(event, Laid):
                ends = event.ends
        return tuple(moments)

    @property
    def chain(self) -> tuple[Laid, ...]:
        """What was laid in the round, in order."""
        return self.seen.chain


def observe(game: Game, view: seen.View) -> View:
    """What computer players reckon with in a view. Raises `ValueError` for a watcher's."""
    return View(game, view)
