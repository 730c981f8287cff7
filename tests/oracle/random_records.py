"""Random match records, steered so that what is rare in play is frequent in the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from oracle.model import Match
from oracle.relabelling import Deal, relabelled_deals
from oracle.rules import OPTIONS, SEATS, Rules, pairs_allowed, settle_rules
from oracle.table import Illegal, Part, Round, parse_move
from oracle.tiles import Tile, name
from oracle.wishes import ATTEMPTS, choose, granted, make_deal, make_plan, pressing_wish, wishes_for
from oracle.writing import Record, quoted, random_style, write_record

NAMES = ("Anna", "Boris", "Vera", "Gleb", "Zoë", "Юрий", "Yes", "007", "null", "a: b", "#1", "1.5", "No", "2026-11-29")
PLAIN_NAMES = ("Anna", "Boris", "Vera", "Gleb", "Zoë", "Юрий", "Yes", "007", "No", "1.5", "2026-11-29")
LEVELS = ("null", "novice", "amateur", "strong", "master")
MOST_ROUNDS = 40


def random_record(rng: Random, ruleset: str | None = None) -> str:
    """A legal record of `ruleset`, or of any; it may stop anywhere."""
    head, rules = random_head(rng, ruleset)
    rounds = random_rounds(rng, rules)
    head["rounds"] = [write_round(rng, rules, deal) for deal in rounds]
    return write_record(head, random_style(rng))


def random_head(rng: Random, ruleset: str | None) -> tuple[Record, Rules]:
    ruleset = ruleset or rng.choice(list(SEATS))
    seats = rng.choice(SEATS[ruleset])
    pairs = rng.choice(sorted(pairs_allowed(ruleset, seats)))
    often = rng.choice((0, 0.4, 0.8))
    options = {option: random_value(rng, option) for option in OPTIONS[ruleset] if rng.random() < often}
    rules = settle_rules(ruleset, seats, "yes" if pairs else "no", options)
    head: Record = {"kozel-record": "1", "ruleset": ruleset}
    if options or rng.random() < 0.1:
        head["options"] = options
    head["players"] = [random_name(rng) for _ in range(seats)]
    pairs_by_default = pairs_allowed(ruleset, seats) == {True}
    if pairs != pairs_by_default or rng.random() < 0.6:
        head["pairs"] = rng.choice(("yes", "true") if pairs else ("no", "false"))
    if rng.random() < 0.3:
        head["levels"] = [rng.choice(LEVELS) for _ in range(seats)]
    if rng.random() < 0.3:
        head["seed"] = rng.choice(("12", '"spring"', "yes", "0x10"))
    if rng.random() < 0.3:
        head["date"] = rng.choice(("2026-11-29", '"2026-11-29"'))
    return head, rules


def random_name(rng: Random) -> str:
    return rng.choice(PLAIN_NAMES) if rng.random() < 0.5 else quoted(rng.choice(NAMES))


def random_value(rng: Random, option: str) -> str:
    if option == "target":
        return str(rng.choice((1, 13, rng.randint(1, 60), rng.randint(1, 60), rng.randint(1, 1000))))
    if option == "stake":
        return str(rng.choice((1, 37, rng.randint(1, 1000), 1_000_000)))
    if option == "draw":
        return rng.choice(("one", "one", "until_playable"))
    return rng.choice(("yes", "no", "yes", "no", "true", "false"))


def random_rounds(rng: Random, rules: Rules) -> list[Deal]:
    """The deals and decisions of a match, up to its end, or to a random stop between rounds or within one."""
    match = Match(rules)
    if rules.double_lead and rng.random() < 0.3:
        return [opening_only(rng, match)]
    rounds: list[Deal] = []
    most = rng.choice((0, 1, 1, 2, 3, 4, 6, 8, MOST_ROUNDS, MOST_ROUNDS))
    while not match.over and len(rounds) < most:
        match, deal = random_round(rng, match, random_wish(rng, match))
        rounds.append(deal)
    moves = rounds[-1].moves if rounds else []
    if moves and rng.random() < 0.4:
        kept = 0 if rng.random() < 0.25 else rng.randrange(len(moves))
        del moves[kept:]
    return rounds


def opening_only(rng: Random, match: Match) -> Deal:
    """A first round that stops where the first tile is due: its legal leads are what it shows."""
    _, deal = random_round(rng, match, "lead")
    deal.moves = [move for move in deal.moves if move == "keep"]
    return deal


def random_wish(rng: Random, match: Match) -> str:
    pressing = pressing_wish(match)
    if pressing and rng.random() < 0.6:
        return pressing
    return rng.choice(wishes_for(match.rules)) if rng.random() < 0.6 else "free"


def random_round(rng: Random, match: Match, wish: str) -> tuple[Match, Deal]:
    """Plays a round on a copy of `match`, several times if need be to get what is wished for."""
    for _ in range(ATTEMPTS.get(wish, 1)):
        plan = make_plan(rng, match, wish)
        hands, bazaar = make_deal(rng, match.rules, plan)
        deal = Deal(hands, bazaar, rng.randrange(match.rules.seats) if match.lot_due else None)
        after, table = play(match, deal, partial(choose, rng, plan))
        if table is None or granted(plan, table, after.entries[-1], deal.last_move):
            break
        for relabelled in relabelled_deals(rng, match, plan, deal, table):
            twin = Deal(relabelled.hands, relabelled.bazaar, relabelled.opener)
            try:
                twin_after, twin_table = play(match, twin, partial(next_of, iter(relabelled.moves)))
            except (Illegal, StopIteration):
                continue
            if twin_table is not None and granted(plan, twin_table, twin_after.entries[-1], twin.last_move):
                return twin_after, twin
    return after, deal


def next_of(moves: Iterator[str], _: Round) -> str:
    return next(moves)


def play(match: Match, deal: Deal, decider: Callable[[Round], str]) -> tuple[Match, Round | None]:
    """Plays `deal` on a copy of `match` to the round's end, and notes the decisions in it. None: dealt again."""
    after = match.copy()
    after.deal(deal.hands, deal.bazaar, deal.opener)
    table = after.table
    while after.table is not None:
        deal.ends.append(dict(after.table.ends))
        deal.moves.append(decider(after.table))
        after.decide(deal.moves[-1])
    return after, table


# Writing it down


def write_round(rng: Random, rules: Rules, deal: Deal) -> Record:
    written: Record = {"hands": [write_tiles(rng, hand, shuffle=True) for hand in deal.hands]}
    if deal.bazaar or rng.random() < 0.3:
        written["bazaar"] = write_tiles(rng, deal.bazaar, shuffle=False)
    if deal.opener is not None:
        written["opener"] = str(deal.opener)
    terse = rng.random() < 0.3
    written["moves"] = [
        write_move(rng, rules, move, ends) if terse else move for move, ends in zip(deal.moves, deal.ends, strict=False)
    ]
    return written


def write_tiles(rng: Random, tiles: list[Tile], shuffle: bool) -> list[str]:
    tiles = rng.sample(tiles, len(tiles)) if shuffle else tiles
    return [write_tile(rng, tile, 0.01) for tile in tiles]


def write_tile(rng: Random, tile: Tile, turned: float) -> str:
    return name(tile)[::-1] if rng.random() < turned else name(tile)


def write_move(rng: Random, rules: Rules, move: str, ends: dict[str, int]) -> str:
    """The same move in a less regular way: ends left out where they may be, parts and halves in another order."""
    try:
        parts = list(parse_move(move))
    except Illegal:
        return move
    if len(parts) > 1 and rules.ruleset != "osel":
        rng.shuffle(parts)
    return " + ".join(write_part(rng, part, ends) for part in parts)


def write_part(rng: Random, part: Part, ends: dict[str, int]) -> str:
    words = [write_tile(rng, part.tile, 0.3)]
    fitting = [end for end in ("left", "right", "up", "down") if ends.get(end) in part.tile]
    same_pips = len({ends[end] for end in fitting}) == 1
    may_be_left_out = same_pips and fitting[0] == part.end
    if part.end and not (may_be_left_out and rng.random() < 0.7):
        words.append(part.end)
    if part.closed:
        words.append("closed")
    return " ".join(words)
