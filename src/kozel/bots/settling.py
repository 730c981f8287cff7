"""A round settled outside a match, by the ruleset's own steps, and what a finished match gives to each side."""

from __future__ import annotations

from itertools import combinations

from kozel.bots.kernel import FISH, Finish
from kozel.engine.ledger import Ledger, MatchEnd
from kozel.engine.match import Game, new_match
from kozel.engine.moves import Move
from kozel.engine.round import Deal, Outcome, Round, Start
from kozel.engine.settlement import facts_of, settle
from kozel.engine.tiles import DOUBLE, TILES, mask_of, parse_tile

_NO_DEAL = Deal((), (), False, None, None, None)
_OPENED = DOUBLE[1]
_HEAVY = mask_of(parse_tile(name) for name in ("4-5", "4-6", "5-6"))
"""A hand that opens an account under any threshold."""


def settled(
    game: Game, ledger: Ledger, finish: Finish, hands: tuple[int, ...], opened: int
) -> tuple[Ledger, tuple[int, ...], MatchEnd | None]:
    """The ledger after a round that ended so, the sides that won it, and the match's end, by the ruleset's own steps."""
    seat, tiles = finish
    if tiles == FISH:
        outcome = Outcome("fish", seat, None)
    else:
        outcome = Outcome("out", seat, Move("", tiles, (), -1, 0) if tiles else None)
    state = Round(hands, (), (), seat, (), Start(_NO_DEAL, (), seat, opened), outcome)
    facts = facts_of(state, game.sides, game.count, game.fish_winners)
    after, summary, end = settle(facts, hands, game.steps, ledger, game.payments)
    return after, summary.winner, end


def tiles_that_count(game: Game) -> int:
    """The tiles for which it matters that a round goes out on them: each tile and each two doubles are tried."""
    ledger = new_match(game).ledger
    hands = (0, *(_HEAVY,) * (game.seats - 1))
    moves = [1 << tile for tile in TILES]
    moves += [1 << one | 1 << other for one, other in combinations(DOUBLE, 2)]
    mask = 0
    for tiles in moves:
        with_all, with_known = (
            settled(game, ledger, Finish(0, laid), hands, _OPENED) for laid in (tiles, tiles & mask)
        )
        if with_all != with_known:
            mask |= tiles
    return mask


def final_shares(game: Game, end: MatchEnd) -> tuple[float, ...]:
    """What the sides get of a finished match: the bank where there is one, else equal shares of the winners."""
    sides = max(game.sides) + 1
    if end.payout and sum(end.payout):
        bank = sum(end.payout)
        return tuple(
            sum(share for seat, share in enumerate(end.payout) if game.sides[seat] == side) / bank
            for side in range(sides)
        )
    if not end.winners:
        return (1 / sides,) * sides
    return tuple(1 / len(end.winners) if side in end.winners else 0.0 for side in range(sides))
