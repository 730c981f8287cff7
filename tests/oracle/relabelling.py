"""The same round with its pips renamed.

Whether a move fits does not change when the seven numbers are renamed throughout; the points do. So most equal
fishes, lone tiles and last doubles need not be waited for: a round of the right shape becomes one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from oracle.model import Match
from oracle.table import Illegal, Part, Round, move_text, parse_move
from oracle.tiles import Tile, is_double, pips
from oracle.wishes import COUNTED, LAST_HALVES, Plan

Naming = list[int]

NAMINGS_TRIED = 400
DEALS_OFFERED = 6
MIRROR = {"left": "right", "right": "left"}


@dataclass
class Deal:
    """A deal with the decisions made on it; `ends` are the chain's ends before each of them."""

    hands: list[list[Tile]]
    bazaar: list[Tile]
    opener: int | None
    moves: list[str] = field(default_factory=list)
    ends: list[dict[str, int]] = field(default_factory=list)

    @property
    def last_move(self) -> str:
        return self.moves[-1] if self.moves else ""


def relabelled_deals(rng: Random, match: Match, plan: Plan, deal: Deal, table: Round) -> Iterator[Deal]:
    """Renamings of `deal`, played out on `table`, that might grant the wish; the rules have yet to allow them."""
    found = 0
    for _ in range(NAMINGS_TRIED):
        naming = random_naming(rng, match, plan, table)
        if naming is None:
            return
        if plan.wish in COUNTED and not sums_meet(plan, table, naming):
            continue
        yield renamed_deal(deal, naming)
        found += 1
        if found == DEALS_OFFERED:
            return


def random_naming(rng: Random, match: Match, plan: Plan, table: Round) -> Naming | None:
    """New numbers for 0 to 6; None if this round has not the shape that the wish needs."""
    settled: dict[int, int] = {}
    if plan.wish in COUNTED:
        if table.ended != "fish" and plan.wish != "worst-tie":
            return None
    elif plan.wish in LAST_HALVES:
        halves = [tile[0] for tile in table.last_tiles if is_double(tile)]
        wanted = list(LAST_HALVES[plan.wish])
        if table.ended != "out" or len(halves) < len(wanted):
            return None
        settled = dict(zip(rng.sample(halves, len(wanted)), wanted, strict=True))
    elif plan.wish in ("lone", "lone-blank"):
        lone = [hand[0][0] for hand in table.hands if len(hand) == 1 and is_double(hand[0])]
        if not lone:
            return None
        settled = {lone[0]: 0 if plan.wish == "lone-blank" else rng.choice((0, 6))}
    else:
        return None
    if match.ledger.taker is not None:
        if 6 in settled.values() and settled.get(6) != 6:
            return None
        settled[6] = 6
    free = [number for number in range(7) if number not in settled.values()]
    rng.shuffle(free)
    while len(settled) < 7:
        settled[next(number for number in range(7) if number not in settled)] = free.pop()
    return [settled[number] for number in range(7)]


def sums_meet(plan: Plan, table: Round, naming: Naming) -> bool:
    rules = table.rules
    hand_points = [pips((naming[low], naming[high]) for low, high in hand) for hand in table.hands]
    points = [sum(hand_points[seat] for seat in rules.seats_of(side)) for side in range(rules.sides)]
    if plan.wish == "worst-tie":
        return max(points) > min(points) and points.count(max(points)) > 1
    lowest = points.count(min(points))
    return lowest == rules.sides or (plan.wish == "tie" and lowest > 1)


def renamed_tile(tile: Tile, naming: Naming) -> Tile:
    low, high = sorted((naming[tile[0]], naming[tile[1]]))
    return low, high


def renamed_deal(deal: Deal, naming: Naming) -> Deal:
    opening = next((move for move in deal.moves if "-" in move), "0-0")
    low, high = (naming[int(half)] for half in opening.split("-"))
    return Deal(
        [[renamed_tile(tile, naming) for tile in hand] for hand in deal.hands],
        [renamed_tile(tile, naming) for tile in deal.bazaar],
        deal.opener,
        [renamed_move(move, naming, mirrored=low > high) for move in deal.moves],
    )


def renamed_move(text: str, naming: Naming, mirrored: bool) -> str:
    """`mirrored`: the opening tile lies the other way round, since its lower half is always the left end."""
    try:
        move = parse_move(text)
    except Illegal:
        return text
    return move_text(
        tuple(
            Part(renamed_tile(part.tile, naming), MIRROR.get(part.end, part.end) if mirrored else part.end, part.closed)
            for part in move
        )
    )
