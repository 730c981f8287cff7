"""What happens in a match, in order, as facts. An event carries what its sentence needs, as of that moment.

The engine's own events are whole. A seat gets them through `engine.seen`: the same classes, in which a tile that the seat
may not know is None.
"""

from functools import cache
from typing import NamedTuple

from kozel.engine.ledger import MatchEnd, RoundSummary
from kozel.engine.moves import Move


class RoundBegan(NamedTuple):
    """A round was dealt. `number` counts rounds that are played from 1; `bazaar` counts its tiles.

    `taken`: the seat that took its tile before the deal, and that tile (6-6 in the yard game), else None.
    """

    number: int
    sizes: tuple[int, ...]
    bazaar: int
    taken: tuple[int, int] | None


class DealtAgain(NamedTuple):
    """The deal does not count. `seat` held six tiles of the number `pips`, or (`pips` None) asked for a new deal."""

    seat: int
    pips: int | None


class NewDealOffered(NamedTuple):
    """A seat with so many doubles is asked whether to deal again."""

    seat: int
    doubles: int


class DealKept(NamedTuple):
    """A seat that was asked keeps its hand."""

    seat: int


class DrewToOpen(NamedTuple):
    """Nobody could open, so the seats drew in turn: (seat, tile) in order; the last tile opens (rulebook 2.2), and all see it."""

    draws: tuple[tuple[int, int | None], ...]


class OpenerFound(NamedTuple):
    """Who opens. `forced`: the tiles of which one must open, 0 where any may, None for others. `by_lot`: the lot chose."""

    seat: int
    forced: int | None
    by_lot: bool


class Laid(NamedTuple):
    """A seat laid tiles. `ends` after it; `left`: tiles left in that hand; `opening`: it was the round's first."""

    seat: int
    move: Move
    ends: tuple[int, ...]
    left: int
    opening: bool


class Threw(NamedTuple):
    """Snot: (seat, double) thrown under the opening 6-6, in order (rulebook 2.3). `left`: hand sizes after it."""

    thrown: tuple[tuple[int, int], ...]
    left: tuple[int, ...]


class Drew(NamedTuple):
    """A seat drew these tiles; `bazaar`: how many are left there, `left`: how many the hand holds now."""

    seat: int
    tiles: tuple[int | None, ...]
    bazaar: int
    left: int


class Passed(NamedTuple):
    """A seat could neither lay nor draw."""

    seat: int


class TookBazaar(NamedTuple):
    """At a fish the next seat takes the whole bazaar before the count (rulebook 1)."""

    seat: int
    tiles: tuple[int | None, ...]


class WentOut(NamedTuple):
    """A seat laid its last tile."""

    seat: int


class Fish(NamedTuple):
    """The round is blocked; `seat` laid the last tile. `closed`: no end is left open (rulebook 2.5)."""

    seat: int
    closed: bool


class RoundScored(NamedTuple):
    """The round was settled."""

    summary: RoundSummary


class MatchOver(NamedTuple):
    """The match has ended."""

    end: MatchEnd
    totals: tuple[int, ...]
    deferred: tuple[int, ...]


Event = (
    RoundBegan
    | DealtAgain
    | NewDealOffered
    | DealKept
    | DrewToOpen
    | OpenerFound
    | Laid
    | Threw
    | Drew
    | Passed
    | TookBazaar
    | WentOut
    | Fish
    | RoundScored
    | MatchOver
)

passed = cache(Passed)
