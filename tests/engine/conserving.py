"""What of the points a round keeps: each ruleset's balance, written down from the rulebook and not from the steps.

Whatever the hands left give must be found again in `scored`, on the line, put by, or among what the rules let go.
"""

from __future__ import annotations

from kozel.engine.ledger import Ledger, RoundSummary
from kozel.engine.match import Game, Match
from kozel.engine.tiles import NAMES, mask_of, parse_tile, pips_in

LONE = {"domino": {"0-0": 25, "6-6": 50}, "kozel-deferred": {"0-0": 10}}
BONUS = {parse_tile("0-0"): 25, parse_tile("6-6"): 50}
NO_POINTS, NO_EGGS, NO_THRESHOLD = ("kozel-yard",), ("kozel-yard", "kozel-101", "osel", "kozel-deferred"), ("domino",)


def check_round(before: Match, after: Match, opened: int, out_on: int) -> None:
    """Hold the balance of the round that led from one match to the other. `out_on`: the tiles it was gone out with."""
    game, last = after.game, after.past[-1]
    ruleset = game.ruleset
    assert last.hand_points == tuple(_points(ruleset, hand) for hand in last.hands)
    _check_ledger(before.ledger, after.ledger, last)
    if after.end and after.end.title in ("general_goat", "officer_goat"):
        assert not any(last.scored)
        assert last.eggs == before.ledger.eggs
        return
    if ruleset in NO_POINTS:
        assert not any((*last.scored, *last.totals, last.eggs))
        return
    if ruleset in NO_EGGS:
        assert last.eggs == 0
    let_go = sum(note.points or 0 for note in last.notes if note.kind in ("under_threshold", "put_by_cleared"))
    let_go += sum(note.points or 0 for note in last.notes if note.kind == "eggs_written_off")
    came = _given(game, last, opened, out_on) + before.ledger.eggs + sum(before.ledger.deferred)
    assert came == sum(last.scored) + last.eggs + sum(last.deferred) + let_go, f"{ruleset}: {last}"
    _check_payout(after)


def _points(ruleset: str, hand: int) -> int:
    alone = LONE.get(ruleset, {}).get(NAMES[hand.bit_length() - 1]) if hand.bit_count() == 1 else None
    return pips_in(hand) if alone is None else alone


def _check_ledger(before: Ledger, after: Ledger, last: RoundSummary) -> None:
    assert after.totals == tuple(old + new for old, new in zip(before.totals, last.scored, strict=True))
    assert min(last.scored) >= 0
    assert all(now or not was for was, now in zip(before.open, after.open, strict=True)), "an account has closed"
    assert not any(total for total, is_open in zip(after.totals, after.open, strict=True) if not is_open)
    assert not any(put_by for put_by, is_open in zip(after.deferred, after.open, strict=True) if is_open)
    assert after.rounds == before.rounds + 1


def _given(game: Game, last: RoundSummary, opened: int, out_on: int) -> int:
    """All that the hands left and the tiles laid give in a round, to whomever and whether recorded or not."""
    sides = [0] * (max(game.sides) + 1)
    for seat, points in enumerate(last.hand_points):
        sides[game.sides[seat]] += points
    lowest, out = min(sides), last.result == "out"
    equal = not out and len(set(sides)) == 1
    winners = [game.sides[last.seat]] if out else [side for side, points in enumerate(sides) if points == lowest]
    losing = [points for side, points in enumerate(sides) if side not in winners]
    if game.ruleset == "domino":
        return lowest if equal else sum(losing) - (0 if out else lowest)
    if game.ruleset == "kozel-deferred":
        return sum(sides)
    if game.ruleset in NO_EGGS:
        return sum(losing)
    if equal:
        return lowest
    bonus = sum(BONUS.get(opened, 0) + _bonus_of(out_on) for _ in losing) if game.options["bonuses"] else 0
    fisher_lost = not out and game.sides[last.seat] not in winners
    pays_all = not out and (game.options.get("full_fish") or ("full_fish" in game.options and fisher_lost))
    return sum(sides if pays_all else losing) + bonus


def _bonus_of(out_on: int) -> int:
    return sum(points for tile, points in BONUS.items() if out_on & mask_of((tile,)))


def _check_payout(after: Match) -> None:
    end = after.end
    if end is None:
        return
    stake = after.game.options.get("stake")
    assert (end.payout is None) == (stake is None)
    if end.payout is not None:
        assert isinstance(stake, int)
        assert sum(end.payout) == stake * after.game.seats
        assert not any(end.payout[side] for side in end.losers)
