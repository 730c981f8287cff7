"""Matches of random players over any ruleset, with the engine's invariants held at every step."""

from __future__ import annotations

from random import Random

from kozel.engine.match import Game, Match, deal, decide, new_match, shuffled
from kozel.engine.tiles import FULL_SET, mask_of

MAX_DECISIONS = 400
"""More than one round can have: 28 tiles laid, 28 drawn, and the questions about a new deal."""


def play_match(game: Game, seed: str, most_rounds: int) -> Match:
    """Play until the match ends or so many rounds have been dealt."""
    random = Random(seed)
    match = new_match(game)
    for _ in range(most_rounds):
        if match.end:
            break
        match, _ = deal(match, shuffled(match, seed))
        match = _play_round(match, random)
    return match


def _play_round(match: Match, random: Random) -> Match:
    on_table = 0
    for _ in range(MAX_DECISIONS):
        if match.round is None:
            _check_ledger(match)
            return match
        state = match.round
        assert state.legal, "a round that is not over needs a decision"
        move = random.choice(state.legal)
        before = sum(hand.bit_count() for hand in state.hands) + len(state.bazaar)
        in_hands = mask_of(state.bazaar)
        for hand in state.hands:
            assert not in_hands & hand, "a tile in two places"
            in_hands |= hand
        assert before == in_hands.bit_count()
        assert not in_hands & on_table, "a tile in hand that was laid"
        if state.ends == ():
            assert in_hands == FULL_SET, "a tile lost before the opening"
        on_table = FULL_SET & ~in_hands
        match, _ = decide(match, move)
    raise AssertionError("a round that never ends")


def _check_ledger(match: Match) -> None:
    sides = max(match.game.sides) + 1
    ledger = match.ledger
    assert len(ledger.totals) == len(ledger.open) == len(ledger.deferred) == sides
    assert all(points >= 0 for points in (*ledger.totals, *ledger.deferred, ledger.eggs))
    last = match.past[-1]
    assert ledger.opener is None or 0 <= ledger.opener < match.game.seats
    if match.end:
        assert not set(match.end.winners) & set(match.end.losers)
        assert match.end.winners or match.end.losers
        if match.end.payout is not None:
            stake_sum = sum(match.end.payout)
            assert all(share >= 0 for share in match.end.payout)
            assert stake_sum % match.game.seats == 0, "the bank is all the stakes"
    assert sum(last.scored) == sum(ledger.totals) - _totals_before(match)


def _totals_before(match: Match) -> int:
    return sum(match.past[-2].totals) if len(match.past) > 1 else 0
