"""What one seat may know of a match: the only thing that computer players are shown.

Nothing here depends on a tile that the seat has not seen: permuting the unseen tiles gives an equal view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kozel.engine import seen
from kozel.engine.events import (
    DealKept,
    DealtAgain,
    Drew,
    DrewToOpen,
    Event,
    Laid,
    NewDealOffered,
    OpenerFound,
    Passed,
    RoundBegan,
    Threw,
)
from kozel.engine.ledger import Ledger, RoundSummary
from kozel.engine.match import Game
from kozel.engine.moves import Move
from kozel.engine.tiles import FULL_SET, mask_of


class Drawn(NamedTuple):
    """A seat drew `number` tiles while the ends were `ends`. `tiles`: which, where it is the observer; else 0."""

    seat: int
    number: int
    tiles: int
    ends: tuple[int, ...]


class DrawnToOpen(NamedTuple):
    """The seats drew in turn to find an opener: how many each, the opening tile, which all see, and the observer's own."""

    numbers: tuple[int, ...]
    shown: int
    tiles: int


class Stuck(NamedTuple):
    """A seat passed while the ends were `ends`."""

    seat: int
    ends: tuple[int, ...]


class Opener(NamedTuple):
    """Who opens. Which tiles may open is not told: under some rules that names tiles in the opener's hand."""

    seat: int
    by_lot: bool


class Asked(NamedTuple):
    """A seat with many doubles may ask for a new deal."""

    seat: int


Seen = Laid | Threw | Drawn | DrawnToOpen | Stuck | Asked | DealKept | DealtAgain | Opener


class View(NamedTuple):
    """What the seat `seat` may know. Hands and sets of tiles are masks.

    `number`: the round, counted from 1. `turn`: who decides, None between rounds. `legal`: the own decisions, empty
    where it is another's turn. `hand`: the own tiles; `sizes`: tiles in each hand; `bazaar`: tiles there. `taken`: the
    seat that took a tile before the deal, and the tile. `history`: what was seen in the round, in order.
    """

    game: Game
    seat: int
    ledger: Ledger
    past: tuple[RoundSummary, ...]
    number: int
    turn: int | None
    legal: tuple[Move, ...]
    hand: int
    sizes: tuple[int, ...]
    bazaar: int
    ends: tuple[int, ...]
    taken: tuple[int, int] | None
    history: tuple[Seen, ...]

    @property
    def chain(self) -> tuple[Laid, ...]:
        """What was laid in the round, in order."""
        return tuple(each for each in self.history if isinstance(each, Laid))

    @property
    def played(self) -> int:
        """The tiles on the table, thrown ones included."""
        mask = 0
        for each in self.history:
            if isinstance(each, Laid):
                mask |= each.move.tiles
            elif isinstance(each, Threw):
                mask |= mask_of(tile for _, tile in each.thrown)
        return mask

    @property
    def unseen(self) -> int:
        """The tiles that are in other hands or in the bazaar."""
        return FULL_SET & ~self.hand & ~self.played


def observe(game: Game, view: seen.View) -> View:
    """What computer players reckon with, from what their seat may know. Raises `ValueError` for a watcher's view."""
    if view.seat is None:
        raise ValueError("a watcher has no hand to play")
    taken, history = _history(view.log, view.seat, game.seats)
    return View(
        game=game,
        seat=view.seat,
        ledger=view.ledger,
        past=view.past,
        number=view.number,
        turn=view.turn,
        legal=view.legal,
        hand=view.tiles,
        sizes=view.sizes,
        bazaar=view.bazaar,
        ends=view.ends,
        taken=taken,
        history=history,
    )


def _history(log: Sequence[Event], seat: int, seats: int) -> tuple[tuple[int, int] | None, tuple[Seen, ...]]:
    """The events, each with the ends of its moment where they matter."""
    taken: tuple[int, int] | None = None
    ends: tuple[int, ...] = ()
    history: list[Seen] = []
    for event in log:
        if isinstance(event, RoundBegan):
            taken = event.taken
        elif isinstance(event, Laid):
            ends = event.ends
            history.append(event)
        elif isinstance(event, Drew):
            history.append(Drawn(event.seat, len(event.tiles), mask_of(seen.known(event.tiles)), ends))
        elif isinstance(event, Passed):
            history.append(Stuck(event.seat, ends))
        elif isinstance(event, DrewToOpen):
            history.append(_drawn_to_open(event, seat, seats))
        elif isinstance(event, NewDealOffered):
            history.append(Asked(event.seat))
        elif isinstance(event, (Threw, DealKept, DealtAgain)):
            history.append(event)
        elif isinstance(event, OpenerFound):
            history.append(Opener(event.seat, event.by_lot))
    return taken, tuple(history)


def _drawn_to_open(event: DrewToOpen, seat: int, seats: int) -> DrawnToOpen:
    numbers = tuple(sum(drawer == each for drawer, _ in event.draws) for each in range(seats))
    own = mask_of(tile for drawer, tile in event.draws if drawer == seat and tile is not None)
    opening = event.draws[-1][1]
    assert opening is not None
    return DrawnToOpen(numbers, opening, own)
