"""Steering of random play: deals and ways of choosing that make rare endings frequent.

A wish names what a round should come to. It shapes the deal, the choice among legal moves, and which of several
attempts at a round is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from oracle.model import Json, Match
from oracle.rules import Rules
from oracle.table import Move, Round, parse_move
from oracle.tiles import ALL_TILES, DOUBLE_BLANK, DOUBLE_SIX, Tile, is_double, other_half

COUNTED = ("eggs", "tie", "worst-tie")
KEEPING = ("blank-last", "six-last", "lone")
ASKING = ("suit", "asked")
FREE = ("free", "suit", "asked", "lead", "snot", "drawn-for")
LAST_HALVES = {"blank-last": (0,), "six-last": (6,), "both-last": (0, 6)}
ATTEMPTS = {
    "eggs": 6,
    "worst-tie": 6,
    "lone-blank": 12,
    "tie": 6,
    "both-last": 25,
    "blank-last": 4,
    "six-last": 4,
    "lone": 6,
    "closed": 4,
    "fish": 3,
}


@dataclass
class Plan:
    """How one attempt at a round is played: some tiles dealt to seats or left to the bazaar, then the wish decides."""

    wish: str
    fixed: dict[int, list[Tile]] = field(default_factory=dict)
    to_bazaar: list[Tile] = field(default_factory=list)


def wishes_for(rules: Rules) -> list[str]:
    wishes = ["fish", "doubles", "free", "eggs", "tie", *KEEPING]
    if rules.ruleset in ("kozel-1x1", "kozel-2x2"):
        wishes.extend(ASKING)
    if rules.ruleset == "osel":
        wishes.extend(("closed", "doubles"))
    if rules.ruleset == "kozel-yard":
        wishes.append("snot")
    if rules.ruleset == "kozel" and rules.sides > 2:
        wishes.extend(("eggs", "eggs"))
    if rules.double_play:
        wishes.append("both-last")
    if rules.double_lead:
        wishes.extend(("lead", "lead"))
    if rules.seats < 4:
        wishes.append("drawn-for")
    return wishes


def pressing_wish(match: Match) -> str | None:
    """What is worth wishing for only as the match stands now."""
    rules, ledger = match.rules, match.ledger
    if rules.double_lead and not match.entries:
        return "lead"
    if rules.ruleset == "kozel" and rules.sides > 2 and ledger.eggs:
        return "worst-tie"
    if rules.ruleset == "kozel-yard" and rules.sides == rules.seats and ledger.sitting is not None:
        return "lone-blank"
    return None


def make_plan(rng: Random, match: Match, wish: str) -> Plan:
    """The plan for one attempt; 6-6 goes where `kozel-yard` gives it to a seat."""
    plan = Plan(wish)
    seat = rng.randrange(match.rules.seats)
    if wish == "suit":
        number = rng.randrange(7)
        suit = [tile for tile in ALL_TILES if number in tile]
        plan.fixed[seat] = rng.sample(suit, rng.choice((5, 6, 6, 7)))
    elif wish == "asked":
        plan.fixed[seat] = rng.sample([tile for tile in ALL_TILES if is_double(tile)], rng.choice((4, 5, 5, 6)))
    elif wish == "lead":
        ordinary = [(half, half) for half in range(1, 6)]
        extremes = rng.choice(([DOUBLE_BLANK], [DOUBLE_BLANK, DOUBLE_SIX], [DOUBLE_SIX]))
        plan.fixed[seat] = extremes + rng.sample(ordinary, rng.choice((0, 1, 2, 3)))
        plan.to_bazaar = [(half, half) for half in range(7) if rng.random() < 0.5]
    elif wish == "snot":
        plan.fixed[seat] = [(half, half) for half in range(rng.choice((1, 2, 3, 6, 7)))]
        plan.fixed[seat] += [DOUBLE_SIX] if DOUBLE_SIX not in plan.fixed[seat] else []
    elif wish == "drawn-for":
        plan.to_bazaar = [(half, half) for half in range(7)]
        if rng.random() < 0.3:
            plan.fixed[seat] = [plan.to_bazaar.pop(rng.choice((0, -1)))]
    give_to_taker(match, plan)
    return plan


def give_to_taker(match: Match, plan: Plan) -> None:
    taker = match.ledger.taker
    if taker is None:
        return
    for tiles in (*plan.fixed.values(), plan.to_bazaar):
        if DOUBLE_SIX in tiles:
            tiles.remove(DOUBLE_SIX)
    plan.fixed.setdefault(taker, []).insert(0, DOUBLE_SIX)
    del plan.fixed[taker][match.rules.hand_size :]


def make_deal(rng: Random, rules: Rules, plan: Plan) -> tuple[list[list[Tile]], list[Tile]]:
    hands = [list(plan.fixed.get(seat, [])[: rules.hand_size]) for seat in range(rules.seats)]
    rest = [tile for tile in ALL_TILES if not any(tile in hand for hand in hands)]
    rng.shuffle(rest)
    rest.sort(key=lambda tile: tile in plan.to_bazaar)
    for hand in hands:
        missing = rules.hand_size - len(hand)
        hand.extend(rest[:missing])
        del rest[:missing]
    rng.shuffle(rest)
    return hands, rest


def choose(rng: Random, plan: Plan, table: Round) -> str:
    """A legal decision, by the plan."""
    legal = table.legal()
    if len(legal) == 1 or "keep" in legal or plan.wish in FREE:
        return rng.choice(legal)
    if rng.random() < 0.05:
        return rng.choice(legal)
    return max(legal, key=lambda text: (merit(table, plan, parse_move(text)), rng.random()))


def merit(table: Round, plan: Plan, move: Move) -> float:
    laid = [part.tile for part in move]
    if plan.wish in ("fish", *COUNTED):
        return -len(fitting_after(table, move))
    if plan.wish == "doubles":
        return 5 * len(move) - (is_double(laid[0]) and len(move) == 1)
    if plan.wish == "closed":
        return sum(5 if part.closed else -is_double(part.tile) for part in move)
    hand = [tile for tile in table.hands[table.to_move] if tile not in laid]
    if not hand:
        return 100
    kept = [tile for tile in hand if is_double(tile)]
    own_ends = set(ends_after(table, move).values()) & {tile[0] for tile in kept}
    return 5 * len(kept) + len(own_ends)


def ends_after(table: Round, move: Move) -> dict[str, int]:
    ends = dict(table.ends)
    for part in move:
        if not part.end:
            return {"left": part.tile[0], "right": part.tile[1]}
        if part.closed:
            del ends[part.end]
        else:
            ends[part.end] = other_half(part.tile, ends[part.end])
    return ends


def fitting_after(table: Round, move: Move) -> list[Tile]:
    """The tiles, in hands and bazaar, that would still fit once `move` is laid."""
    laid = {part.tile for part in move}
    ends = set(ends_after(table, move).values())
    unseen = [tile for hand in table.hands for tile in hand] + table.bazaar
    return [tile for tile in unseen if tile not in laid and not ends.isdisjoint(tile)]


def granted(plan: Plan, table: Round, entry: Json, last_move: str) -> bool:
    """Whether the ended `table`, which gave `entry`, came to what the plan wished for."""
    is_fish: bool = entry["result"] == "fish"
    winner: list[int] = entry["winner"]
    if plan.wish == "fish":
        return is_fish
    if plan.wish in ("eggs", "tie"):
        several_lowest = len(winner) != 1
        all_equal = not winner or len(winner) == table.rules.sides
        return is_fish and several_lowest and (all_equal or plan.wish == "tie")
    if plan.wish == "worst-tie":
        worst = max(entry["hand_points"])
        return entry["hand_points"].count(worst) > 1 and len(winner) == 1
    if plan.wish == "lone-blank":
        return [DOUBLE_BLANK] in table.hands and winner != [table.rules.side_of(table.hands.index([DOUBLE_BLANK]))]
    if plan.wish in LAST_HALVES:
        names = [f"{half}-{half} " for half in LAST_HALVES[plan.wish]]
        return not is_fish and all(name in last_move for name in names)
    if plan.wish == "lone":
        return any(hand in ([DOUBLE_BLANK], [DOUBLE_SIX]) for hand in table.hands)
    if plan.wish == "closed":
        return is_fish and last_move.endswith("closed")
    return True
