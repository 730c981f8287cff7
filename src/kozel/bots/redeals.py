"""Whether to ask for a new deal: the hand at hand against hands in general, both played out at random."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from kozel.bots.aim import Aim, aim_for
from kozel.bots.kernel import start
from kozel.bots.view import View
from kozel.engine.moves import KEEP, REDEAL, Move
from kozel.engine.round import Deal
from kozel.engine.tiles import TILES, mask_of, tiles_in

_DEALS = 100


def answer(view: View, random: Random) -> Move:
    """Keep the hand if it does no worse than a new one, on average."""
    aim = aim_for(view.game, view.ledger)
    kept = _mean(view, aim, view.hand, random)
    anew = _mean(view, aim, 0, random)
    return KEEP if kept >= anew else REDEAL


def _mean(view: View, aim: Aim, hand: int, random: Random) -> float:
    """What the round is worth when everything but this hand (0: everything) is dealt at random."""
    others = tiles_in(view.unseen) if hand else tuple(TILES)
    total = 0.0
    for _ in range(_DEALS):
        order = sorted(others, key=lambda _: random.random())
        total += _value(view, aim, hand, order, random)
    return total / _DEALS


def _value(view: View, aim: Aim, hand: int, order: Sequence[int], random: Random) -> float:
    game, ledger = view.game, view.ledger
    hands, start_at = [], 0
    for seat in range(game.seats):
        if hand and seat == view.seat:
            hands.append(hand)
        else:
            hands.append(mask_of(order[start_at : start_at + game.hand]))
            start_at += game.hand
    bazaar = tuple(order[start_at:])
    lot = int(random.random() * game.seats)
    opening = game.round.opening(Deal(tuple(hands), bazaar, ledger.fresh, ledger.opener, ledger.sitting, lot))
    for seat, tile in opening.draws:
        hands[seat] |= 1 << tile
    left = list(reversed(bazaar[len(opening.draws) :]))
    position = start(game.round, hands, left, opening.seat, opening.tiles)
    finish = position.rollout(random.random)
    return aim.values(finish, position.hands, position.opened)[game.sides[view.seat]]
