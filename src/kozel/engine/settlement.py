"""How a finished round becomes points: the facts of the round, and the draft that the settlement steps fill in, in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from kozel.engine.ledger import Ledger, MatchEnd, Note, RoundSummary
from kozel.engine.round import Round
from kozel.engine.tiles import pips_in, tiles_in


class Facts(NamedTuple):
    """What a round came to, before anything is recorded.

    `seat`: who went out or made the fish. `points` are by seat, `side_points` by side, lone tile values applied.
    `winners`: the sides that won the round. `lowest_seat`: rulebook 1. `opener`: the seat that opened, `opened`: with
    which tile. `out_on`: the set of tiles the round went out on (0 at a fish, or where a hand was emptied by snot).
    """

    result: Literal["out", "fish"]
    seat: int
    sides: tuple[int, ...]
    points: tuple[int, ...]
    side_points: tuple[int, ...]
    winners: tuple[int, ...]
    lowest_seat: int
    opened: int
    out_on: int
    opener: int

    @property
    def out(self) -> bool:
        """Did somebody go out?"""
        return self.result == "out"

    @property
    def equal(self) -> bool:
        """Is it a fish in which all sides have the same points?"""
        return not self.out and len(set(self.side_points)) == 1

    @property
    def pairs(self) -> bool:
        """Is a side two seats?"""
        return len(self.side_points) < len(self.sides)

    @property
    def losers(self) -> tuple[int, ...]:
        """The sides that did not win; none where all sides are equal at a fish without a winner."""
        if not self.winners:
            return ()
        return tuple(side for side in range(len(self.side_points)) if side not in self.winners)


class Draft:
    """A round being settled. Lists are by side; what the ledger held `before` is where they start.

    `points`: what a side gets in this round; a recording step adds them to `totals` and writes `scored`. `end`: how the
    match ended, if it did. `stop`: nothing more of this round may count, so no later step runs; payments do.
    """

    def __init__(self, facts: Facts, before: Ledger) -> None:
        self.facts, self.before = facts, before
        self.points = [0] * len(before.totals)
        self.scored = [0] * len(before.totals)
        self.totals = list(before.totals)
        self.open = list(before.open)
        self.deferred = list(before.deferred)
        self.eggs = before.eggs
        self.sitting = before.sitting
        self.opener: int | None = None
        self.fresh = False
        self.end: MatchEnd | None = None
        self.stop = False
        self.notes: list[Note] = []

    def note(
        self,
        kind: str,
        side: int | None = None,
        points: int | None = None,
        other: int | None = None,
        tile: int | None = None,
        tiles: int | None = None,
    ) -> None:
        """Write down a reason for the score."""
        self.notes.append(Note(kind, side, points, other, tile, tiles))

    def record(self, side: int, points: int) -> None:
        """Add points to a side's total."""
        self.scored[side] += points
        self.totals[side] += points

    def finish(self, losers: Sequence[int], title: str, winners: Sequence[int] | None = None) -> None:
        """End the match; unless told, all who do not lose win."""
        if winners is None:
            winners = [side for side in range(len(self.totals)) if side not in losers]
        self.end = MatchEnd(tuple(winners), tuple(losers), title, None)


Step = Callable[[Draft], None]


def facts_of(
    state: Round,
    sides: tuple[int, ...],
    count: Callable[[int], int],
    fish_winners: Callable[[tuple[int, ...]], tuple[int, ...]],
) -> Facts:
    """The facts of a round that is over by going out or by fish. `count` values a hand."""
    outcome = state.outcome
    assert outcome is not None
    points = tuple(count(hand) for hand in state.hands)
    side_points = [0] * (max(sides) + 1)
    for seat, side in enumerate(sides):
        side_points[side] += points[seat]
    out = outcome.result == "out"
    assert state.start.tile is not None
    assert state.start.seat is not None
    return Facts(
        result="out" if out else "fish",
        seat=outcome.seat,
        sides=sides,
        points=points,
        side_points=tuple(side_points),
        winners=(sides[outcome.seat],) if out else fish_winners(tuple(side_points)),
        lowest_seat=_lowest_seat(outcome.seat, sides, points, side_points),
        opened=state.start.tile,
        out_on=outcome.move.tiles if out and outcome.move else 0,
        opener=state.start.seat,
    )


def _lowest_seat(fisher: int, sides: Sequence[int], points: Sequence[int], side_points: Sequence[int]) -> int:
    """Rulebook 1: fewest hand points among the seats of the lowest sides; equals in turn order from the fisher."""
    seats = len(sides)
    fewest = min(side_points)
    in_turn = [(fisher + step) % seats for step in range(seats)]
    return min((seat for seat in in_turn if side_points[sides[seat]] == fewest), key=lambda seat: points[seat])


def settle(
    facts: Facts, hands: tuple[int, ...], steps: Sequence[Step], ledger: Ledger, payments: Sequence[Step] = ()
) -> tuple[Ledger, RoundSummary, MatchEnd | None]:
    """Run the steps in order, then the payments, however the round ended; what is left after them is the new ledger."""
    draft = Draft(facts, ledger)
    for seat, hand in enumerate(hands):
        if hand.bit_count() == 1 and facts.points[seat] != pips_in(hand):
            draft.note("lone_tile", seat, facts.points[seat], tile=tiles_in(hand)[0])
    for step in steps:
        step(draft)
        if draft.stop:
            break
    for pay in payments:
        pay(draft)
    after = Ledger(
        totals=tuple(draft.totals),
        open=tuple(draft.open),
        deferred=tuple(draft.deferred),
        eggs=draft.eggs,
        sitting=draft.sitting,
        opener=None if draft.end else draft.opener,
        fresh=draft.fresh,
        rounds=ledger.rounds + 1,
    )
    summary = RoundSummary(
        number=after.rounds,
        opener=facts.opener,
        result=facts.result,
        seat=facts.seat,
        winner=facts.winners,
        hand_points=facts.points,
        hands=hands,
        scored=tuple(draft.scored),
        eggs=after.eggs,
        totals=after.totals,
        open=after.open,
        deferred=after.deferred,
        sitting=after.sitting,
        next_opener=after.opener,
        notes=tuple(draft.notes),
    )
    return after, summary, draft.end
