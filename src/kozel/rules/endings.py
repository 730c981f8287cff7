"""Settlement steps that end a match, share its bank, and say who opens the next round."""

from __future__ import annotations

from math import lcm
from typing import Literal

from kozel.engine.settlement import Draft
from kozel.rules.registry import step
from kozel.rules.settings import Rounds, Stake, Target, TargetInPairs


@step("end")
def first_to_reach_wins(draft: Draft, *, target: Target, pairs: TargetInPairs | None = None) -> None:
    """До победы: the first side with `target` points wins the match. (000, Домино.)

    `pairs`: the number where pairs play, if it differs.
    """
    target = pairs if pairs is not None and draft.facts.pairs else target
    winners = [side for side, total in enumerate(draft.totals) if total >= target]
    if winners:
        draft.finish([side for side in range(len(draft.totals)) if side not in winners], "winner", winners)


@step("end")
def who_reaches_loses(
    draft: Draft, *, target: Target, pairs: TargetInPairs | None = None, title: Literal["goat", "donkey"] = "goat"
) -> None:
    """Козёл: every side with `target` points or more loses the match; the others win. (000, Козёл; 001; 003.)

    `pairs`: the number where pairs play, if it differs. `title`: what the losers are called.
    """
    target = pairs if pairs is not None and draft.facts.pairs else target
    losers = [side for side, total in enumerate(draft.totals) if total >= target]
    if losers:
        draft.finish(losers, title)


@step("end")
def fewest_win_when_one_reaches(draft: Draft, *, target: Target) -> None:
    """Побеждает меньшее.

    When a side has `target` points, the fewest points win, then the fewest put by; equals share. (004.)

    The other sides with that many points are the goats.
    """
    totals = draft.totals
    if max(totals) < target:
        return
    standing = list(zip(totals, draft.deferred, strict=True))
    best = min(standing)
    winners = [side for side, each in enumerate(standing) if each == best]
    losers = [side for side, total in enumerate(totals) if total >= target and side not in winners]
    draft.finish(losers, "goat", winners)


@step("end")
def match_of_rounds(draft: Draft, *, rounds: Rounds, best: Literal["fewest", "most"] = "fewest") -> None:
    """Партия на число раундов.

    The match ends after a number of `rounds`; equals share the win. (A convention of many tables.)

    `best: fewest`: the fewest points win, and the sides with the most are the goats unless all are equal. `best: most`:
    the most points win, and the others lose.
    """
    if draft.before.rounds + 1 < rounds:
        return
    totals = draft.totals
    first, last = (min(totals), max(totals)) if best == "fewest" else (max(totals), min(totals))
    winners = [side for side, total in enumerate(totals) if total == first]
    if best == "most":
        draft.finish([side for side in range(len(totals)) if side not in winners], "winner", winners)
    else:
        draft.finish([side for side, total in enumerate(totals) if total == last != first], "goat", winners)


@step("pay")
def bank_by_points(draft: Draft, *, stake: Stake) -> None:
    """Банк: when the match is over the stakes go to the players who did not lose, inversely to their points. (001.)

    `stake`: what each player puts in. 0 points count as 1. Whole units by largest remainder, then seat order (rulebook 2.4).
    Where everybody lost, each gets the own stake back.
    """
    if draft.end is None:
        return
    sides = draft.facts.sides
    if len(draft.end.losers) == len(draft.totals):
        draft.end = draft.end._replace(payout=(stake,) * len(sides))
        return
    bank = stake * len(sides)
    points = [max(1, draft.totals[side]) if side not in draft.end.losers else 0 for side in sides]
    whole = lcm(*(number for number in points if number))
    weights = [whole // number if number else 0 for number in points]
    shares = [bank * weight // sum(weights) for weight in weights]
    by_remainder = sorted(range(len(sides)), key=lambda seat: (-(bank * weights[seat] % sum(weights)), seat))
    for seat in by_remainder[: bank - sum(shares)]:
        shares[seat] += 1
    draft.end = draft.end._replace(payout=tuple(shares))


@step("opener")
def winner_opens_next(draft: Draft) -> None:
    """Заходит вышедший: who went out opens the next round; after a fish, the lowest seat. (000, Козёл; 003.)"""
    draft.opener = draft.facts.seat if draft.facts.out else draft.facts.lowest_seat


@step("opener")
def loser_opens_next(draft: Draft) -> None:
    """Заходит проигравший: the seat with the most points in hand opens the next round. (A convention of many tables.)

    Among equals, the first in turn after the one who ended this round.
    """
    facts = draft.facts
    seats = len(facts.points)
    in_turn = [(facts.seat + step) % seats for step in range(1, seats + 1)]
    draft.opener = max(in_turn, key=lambda seat: facts.points[seat])


@step("opener")
def next_in_turn_opens_next(draft: Draft) -> None:
    """Заходят по кругу.

    The seat after the one that opened this round opens the next one. (A convention of many tables.)
    """
    draft.opener = (draft.facts.opener + 1) % len(draft.facts.sides)


@step("opener")
def last_to_lay_opens_next(draft: Draft) -> None:
    """Заходит положивший последнюю.

    Who laid the last tile opens the next round: the one who went out, or the fisher. (001, 004.)
    """
    draft.opener = draft.facts.seat
