"""A round settled outside a match, by the ruleset's own steps, and what a finished match gives to each side."""

from __future__ import annotations

from kozel.bots.kernel import FISH, Finish
from kozel.engine.ledger import Ledger, MatchEnd
from kozel.engine.match import Game
from kozel.engine.moves import Move
from kozel.engine.round import Deal, Outcome, Round, Start
from kozel.engine.settlement import facts_of, settle

_NO_DEAL = Deal((), (), False, None, None, None)


def settled(
    game: Game, ledger: Ledger, finish: Finish, hands: tuple[int, ...], opened: int
) -> tuple[Ledger, tuple[int, ...], MatchEnd | None]:
    """The ledger after a round that ended so, the sides that won it, and the match's end, by the ruleset's own steps."""
    seat, tiles = finish
    if tiles == FISH:
        outcome = Outcome("fish", seat, None)
    else:
        outcome = Outcome("out", seat, Move("", tiles, (), -1, 0) if tiles else None)
    state = Round(hands, (), (), seat, (), 0, Start(_NO_DEAL, (), seat, opened), outcome)
    facts = facts_of(state, game.sides, game.count, game.fish_winners)
    after, summary, end = settle(facts, hands, game.steps, ledger)
    return after, summary.winner, end


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
