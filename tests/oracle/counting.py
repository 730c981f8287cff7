"""What a finished round gives: one function a ruleset, each after its section of the rulebook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction

from oracle.rules import Rules
from oracle.table import Round
from oracle.tiles import DOUBLE_BLANK, DOUBLE_SIX, Tile, pips

LONE_TILES: dict[str, dict[Tile, int]] = {
    "domino": {DOUBLE_BLANK: 25, DOUBLE_SIX: 50},
    "kozel-deferred": {DOUBLE_BLANK: 10},
}


@dataclass
class Ledger:
    """The match's accounts. `taker` is the seat that takes 6-6 before the deal (`kozel-yard`)."""

    totals: list[int]
    open: list[bool]
    deferred: list[int]
    eggs: int = 0
    sitting: int | None = None
    taker: int | None = None
    next_opener: int | None = None
    winners: list[int] = field(default_factory=list)
    losers: list[int] = field(default_factory=list)
    title: str | None = None
    payout: list[int] | None = None

    def copy(self) -> Ledger:
        return replace(self, totals=list(self.totals), open=list(self.open), deferred=list(self.deferred))


@dataclass
class Outcome:
    """A round that ended by out or fish, counted. `seat` laid the last tile; points are by seat, by side."""

    rules: Rules
    is_fish: bool
    seat: int
    opening_tile: Tile
    last_tiles: list[Tile]
    hand_points: list[int]
    side_points: list[int]
    lowest_sides: list[int]
    lowest_seat: int

    @property
    def all_equal(self) -> bool:
        return self.is_fish and len(self.lowest_sides) == self.rules.sides

    @property
    def losing_sides(self) -> list[int]:
        return [side for side in range(self.rules.sides) if side not in self.lowest_sides]

    def went_out_on(self, tile: Tile) -> bool:
        return not self.is_fish and tile in self.last_tiles

    @property
    def bonus(self) -> int:
        """25 for 0-0 and 50 for 6-6, as opening tile or gone out on (rulebook 2.2)."""
        total = 0
        for tile, value in ((DOUBLE_BLANK, 25), (DOUBLE_SIX, 50)):
            if self.opening_tile == tile or self.went_out_on(tile):
                total += value
        return total

    @property
    def opener_without_tie(self) -> int:
        """Who opens next where it is the winner of an out, and the lowest seat after a fish."""
        return self.lowest_seat if self.is_fish else self.seat


def outcome_of(table: Round) -> Outcome:
    rules = table.rules
    assert table.opening_tile is not None
    lone = LONE_TILES.get(rules.ruleset, {})
    hand_points = [lone[hand[0]] if len(hand) == 1 and hand[0] in lone else pips(hand) for hand in table.hands]
    side_points = [sum(hand_points[seat] for seat in rules.seats_of(side)) for side in range(rules.sides)]
    is_fish = table.ended == "fish"
    if is_fish:
        lowest_sides = [side for side in range(rules.sides) if side_points[side] == min(side_points)]
    else:
        lowest_sides = [rules.side_of(table.last_seat)]
    return Outcome(
        rules,
        is_fish,
        table.last_seat,
        table.opening_tile,
        table.last_tiles,
        hand_points,
        side_points,
        lowest_sides,
        lowest_seat(rules, hand_points, lowest_sides, table.last_seat),
    )


def lowest_seat(rules: Rules, hand_points: list[int], lowest_sides: list[int], fisher: int) -> int:
    """Rulebook 1, "Lowest at fish"."""
    in_turn = [(fisher + step) % rules.seats for step in range(rules.seats)]
    candidates = [seat for seat in in_turn if rules.side_of(seat) in lowest_sides]
    return min(candidates, key=lambda seat: hand_points[seat])


def count_round(outcome: Outcome, ledger: Ledger) -> tuple[Ledger, list[int]]:
    """The ledger after the round, and what each side had added to its total."""
    after = ledger.copy()
    COUNTERS[outcome.rules.ruleset](outcome, after)
    scored = [new - old for new, old in zip(after.totals, ledger.totals, strict=True)]
    if after.title is not None:
        after.next_opener = None
    return after, scored


def end_match(rules: Rules, ledger: Ledger, losers: list[int], title: str) -> None:
    ledger.losers = losers
    ledger.winners = [side for side in range(rules.sides) if side not in losers]
    ledger.title = title


def goats(outcome: Outcome, ledger: Ledger) -> list[int]:
    return [side for side in range(outcome.rules.sides) if ledger.totals[side] >= outcome.rules.target]


def record(ledger: Ledger, side: int, points: int, threshold: int | None) -> None:
    """Adds to a total, if the account is open or these points open it; else they are lost."""
    if threshold is not None and points >= threshold:
        ledger.open[side] = True
    if ledger.open[side]:
        ledger.totals[side] += points


# domino


def count_domino(outcome: Outcome, ledger: Ledger) -> None:
    ledger.next_opener = None
    points = outcome.side_points
    lowest = min(points)
    others = sum(points[side] for side in outcome.losing_sides)
    if outcome.all_equal:
        ledger.eggs += lowest
        return
    if outcome.is_fish and len(outcome.lowest_sides) > 1:
        ledger.eggs += others - lowest
        return
    winner = outcome.lowest_sides[0]
    ledger.totals[winner] += others + ledger.eggs
    if outcome.is_fish:
        ledger.totals[winner] -= points[winner]
    ledger.eggs = 0
    if ledger.totals[winner] >= outcome.rules.target:
        losers = [side for side in range(outcome.rules.sides) if side != winner]
        end_match(outcome.rules, ledger, losers, "winner")


# kozel


def count_kozel(outcome: Outcome, ledger: Ledger) -> None:
    rules = outcome.rules
    if outcome.went_out_on(DOUBLE_BLANK) and outcome.went_out_on(DOUBLE_SIX):
        end_match(rules, ledger, outcome.losing_sides, "general_goat")
        return
    ledger.next_opener = outcome.opener_without_tie
    if outcome.all_equal:
        ledger.eggs += outcome.side_points[0]
        return
    gets = {side: outcome.side_points[side] for side in outcome.losing_sides}
    most = max(gets.values())
    bearers = [side for side in gets if gets[side] == most]
    if rules.bonuses:
        gets = {side: points + outcome.bonus for side, points in gets.items()}
    if len(bearers) == 1:
        gets[bearers[0]] += ledger.eggs
        ledger.eggs = 0
    for side, points in gets.items():
        record(ledger, side, points, rules.account_threshold)
    if goats(outcome, ledger):
        end_match(rules, ledger, goats(outcome, ledger), "goat")


# kozel-yard


def count_yard(outcome: Outcome, ledger: Ledger) -> None:
    rules = outcome.rules
    if outcome.went_out_on(DOUBLE_BLANK):
        title = "general_goat" if outcome.went_out_on(DOUBLE_SIX) else "officer_goat"
        end_match(rules, ledger, outcome.losing_sides, title)
        return
    if outcome.all_equal:
        if ledger.sitting is None:
            ledger.next_opener = outcome.lowest_seat
        return
    winner = outcome.lowest_sides[0]
    loser = outcome.losing_sides[0]
    best_seat = outcome.opener_without_tie
    points = outcome.side_points[loser]
    if ledger.sitting is None:
        if points >= (25 if rules.pairs else 13):
            ledger.sitting = loser
    elif ledger.sitting == loser:
        if points >= 1:
            end_match(rules, ledger, [loser], "goat")
            return
    elif outcome.is_fish:
        ledger.sitting = loser
    else:
        begin_anew(ledger)
        return
    assert rules.side_of(best_seat) == winner
    ledger.next_opener = best_seat
    ledger.taker = best_seat if ledger.sitting is not None else None


def begin_anew(ledger: Ledger) -> None:
    ledger.sitting = None
    ledger.taker = None
    ledger.next_opener = None


# kozel-101 and osel


def count_portal(outcome: Outcome, ledger: Ledger) -> None:
    rules = outcome.rules
    ledger.next_opener = outcome.seat
    for side in outcome.losing_sides:
        record(ledger, side, outcome.side_points[side], rules.account_threshold)
    losers = goats(outcome, ledger)
    if losers:
        end_match(rules, ledger, losers, "donkey" if rules.ruleset == "osel" else "goat")
        ledger.payout = payout(rules.stake * rules.seats, ledger.totals, losers)


def payout(bank: int, points: list[int], losers: list[int]) -> list[int]:
    """Rulebook 2.4: the bank split inversely to the points, whole units by largest remainder, then seat order."""
    paid = [seat for seat in range(len(points)) if seat not in losers]
    weights = {seat: Fraction(1, max(points[seat], 1)) for seat in paid}
    exact = {seat: bank * weights[seat] / sum(weights.values()) for seat in paid}
    shares = [0] * len(points)
    for seat in paid:
        shares[seat] = int(exact[seat])
    left_over = bank - sum(shares)
    by_remainder = sorted(paid, key=lambda seat: (shares[seat] - exact[seat], seat))
    for seat in by_remainder[:left_over]:
        shares[seat] += 1
    return shares


# kozel-1x1 and kozel-2x2


def count_conventions(outcome: Outcome, ledger: Ledger) -> None:
    rules = outcome.rules
    ledger.next_opener = outcome.opener_without_tie
    if outcome.all_equal:
        ledger.eggs += outcome.side_points[0]
        if rules.rule_13 and ledger.eggs < 13 and not any(ledger.open):
            ledger.eggs = 0
        return
    loser = outcome.losing_sides[0]
    fisher_lost = rules.side_of(outcome.seat) == loser
    points_of_all = outcome.is_fish and (rules.full_fish or fisher_lost)
    points = sum(outcome.side_points) if points_of_all else outcome.side_points[loser]
    if rules.bonuses:
        points += outcome.bonus
    eggs, ledger.eggs = ledger.eggs, 0
    if not rules.rule_13:
        ledger.totals[loser] += points + eggs
    elif eggs >= 13:
        ledger.open[loser] = True
        ledger.totals[loser] += points + eggs
    elif ledger.open[loser]:
        ledger.totals[loser] += points + eggs
    else:
        record(ledger, loser, points, 13)
    if goats(outcome, ledger):
        end_match(rules, ledger, goats(outcome, ledger), "goat")


# kozel-deferred


def count_deferred(outcome: Outcome, ledger: Ledger) -> None:
    ledger.next_opener = outcome.seat
    for seat, points in enumerate(outcome.hand_points):
        if ledger.open[seat]:
            ledger.totals[seat] += points
        elif points > 12:
            ledger.open[seat] = True
            ledger.totals[seat] += points + ledger.deferred[seat]
            ledger.deferred[seat] = 0
        elif not outcome.is_fish and seat == outcome.seat:
            ledger.deferred[seat] = 0
        else:
            ledger.deferred[seat] += points
    reached = goats(outcome, ledger)
    if reached:
        standing = list(zip(ledger.totals, ledger.deferred, strict=True))
        ledger.winners = [seat for seat, place in enumerate(standing) if place == min(standing)]
        ledger.losers = [seat for seat in reached if seat not in ledger.winners]
        ledger.title = "goat"


COUNTERS: dict[str, Callable[[Outcome, Ledger], None]] = {
    "domino": count_domino,
    "kozel": count_kozel,
    "kozel-yard": count_yard,
    "kozel-101": count_portal,
    "osel": count_portal,
    "kozel-1x1": count_conventions,
    "kozel-2x2": count_conventions,
    "kozel-deferred": count_deferred,
}
