"""What a match remembers between rounds, and what one round came to."""

from typing import Literal, NamedTuple


class Ledger(NamedTuple):
    """The memory of a match. Lists are by side.

    `totals`: recorded points. `open`: is the account open. `deferred`: points put by. `eggs`: points on the line.
    `sitting`: the side that sits on the goat. `opener`: the seat that opens the next round, None where a tile or the
    lot decides. `fresh`: the next round is opened as a first one. `rounds`: rounds that counted so far.
    """

    totals: tuple[int, ...]
    open: tuple[bool, ...]
    deferred: tuple[int, ...]
    eggs: int
    sitting: int | None
    opener: int | None
    fresh: bool
    rounds: int


class Note(NamedTuple):
    """One reason in the account of a round, for the sentence that explains the score.

    `kind` names it (the settlement step that wrote it documents it); `side`, `points`, `other`, `tile` and the set `tiles`
    are what it is about, None where it is about nothing such.
    """

    kind: str
    side: int | None = None
    points: int | None = None
    other: int | None = None
    tile: int | None = None
    tiles: int | None = None


class RoundSummary(NamedTuple):
    """A finished round, as `kozel replay --json` tells it, with the hands left and the reasons for the score.

    `number` counts rounds that are played from 1. `seat`: who went out, the fisher, or who caused the new deal.
    `winner`: sides. `hand_points` and `hands` (the tiles left) are by seat; `scored`, `totals`, `open`, `deferred` by side.
    """

    number: int
    opener: int | None
    result: Literal["out", "fish", "redeal"]
    seat: int
    winner: tuple[int, ...]
    hand_points: tuple[int, ...]
    hands: tuple[int, ...]
    scored: tuple[int, ...]
    eggs: int
    totals: tuple[int, ...]
    open: tuple[bool, ...]
    deferred: tuple[int, ...]
    sitting: int | None
    next_opener: int | None
    notes: tuple[Note, ...]


class MatchEnd(NamedTuple):
    """How a match ended: sides that won and lost, the losers' title (`winner` in `domino`), the bank's shares by seat."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    title: str
    payout: tuple[int, ...] | None
