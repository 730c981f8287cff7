"""The guided first match: a deal that shows everything once, and a computer player that keeps to its part. No record is kept."""

from __future__ import annotations

from collections.abc import Iterator

from kozel.engine.match import Dealt, new_match
from kozel.engine.tiles import parse_tile
from kozel.play.table import Table
from kozel.rules.reading import find
from kozel.rules.seating import Seating

_RULESET, _TARGET = "kozel", 50
_HANDS = ("1-1 2-2 2-4 3-6 4-6 5-6 6-6", "0-6 4-5 2-6 2-3 3-3 0-5 0-4")
_BAZAAR = "5-5 0-1 2-5 1-6 0-0 0-2 0-3 1-2 1-3 1-4 1-5 3-4 3-5 4-4"
PART = ("draw", "draw", "0-1 right", "0-6 right", "4-5 left", "2-6 right", "2-3 right")
"""What the computer player decides, in order."""
LEARNER = (
    "1-1",
    "draw",
    "draw",
    "1-6 left",
    "4-6 left",
    "5-6 left",
    "6-6 left + 2-2 right",
    "3-6 right",
)
"""What the learner decides, in order."""


class NoRecord:
    """Stands where a record would: nothing is kept of a lesson."""

    async def deal(self, dealt: Dealt) -> None:
        """Keep nothing."""

    async def decide(self, move: str) -> None:
        """Keep nothing."""

    async def secure(self) -> None:
        """There is nothing to be kept."""

    def close(self) -> None:
        """Nothing is open."""


class LessonTable(Table):
    """One round between a learner in seat 0 and a computer player, both with a part to play. It ends the match."""

    def __init__(self, learner: str, opponent: str) -> None:
        ruleset = find(_RULESET)
        options = ruleset.choices({"target": _TARGET})
        seating = Seating(ruleset, (learner, opponent), (None, "novice"), False, options)
        super().__init__(seating, new_match(seating.game()), NoRecord(), "", 0)

    def next_deal(self) -> Dealt:
        """The deal of the lesson."""
        return Dealt(tuple(map(_tiles, _HANDS)), _tiles(_BAZAAR), None)


async def play_on(table: LessonTable, decisions: int) -> Iterator[str]:
    """Play the round on to the learner's turn after so many of the learner's decisions; what is left of `PART`."""
    parts = {0: iter(LEARNER[:decisions]), 1: iter(PART)}
    if decisions:
        await table.deal()
    made = 0
    while decisions and (state := table.match.round) is not None and not (state.turn == 0 and made == decisions):
        made += state.turn == 0
        text = next(parts[state.turn])
        await table.decide(state.turn, next(move for move in state.legal if move.text == text))
    return parts[1]


def _tiles(names: str) -> tuple[int, ...]:
    return tuple(map(parse_tile, names.split()))


def first_tile(decision: str) -> int | None:
    """The first tile of a decision by its notation; None for a draw."""
    return None if decision == "draw" else parse_tile(decision.split(maxsplit=1)[0])
