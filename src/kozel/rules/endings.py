"""Settlement steps that end a match, share its bank, and say who opens the next round."""

from __future__ import annotations

from math import lcm
from typing import Literal

from kozel.engine.settlement import Draft
from kozel.rules.registry import rule
from kozel.rules.settings import Stake, Target

NAMES_OPENER = "winner_opens_next", "last_to_lay_opens_next", "sitting_on_the_goat"
"""The steps that settle which seat opens the next round."""


@rule("settlement")
def first_to_reach_wins(draft: Draft, *, target: Target) -> None:
    """The first side with that many points wins the match. (000, Домино.)"""
    winners = [side for side, total in enumerate(draft.totals) if total >= target]
    if winners:
        draft.finish([side for side in range(len(draft.totals)) if side not in winners], "winner", winners)


@rule("settlement")
def who_reaches_loses(draft: Draft, *, target: Target, title: Literal["goat", "donkey"] = "goat") -> None:
    """Every side with that many points or more loses the match, under this title; the others win. (000, Козёл; 001; 003.)"""
    losers = [side for side, total in enumerate(draft.totals) if total >= target]
    if losers:
        draft.finish(losers, title)


@rule("settlement")
def fewest_win_when_one_reaches(draft: Draft, *, target: Target) -> None:
    """When a side has that many points, the fewest points win, then the fewest put by; equals share. Others over it are goats. (004.)"""
    totals = draft.totals
    if max(totals) < target:
        return
    standing = list(zip(totals, draft.deferred, strict=True))
    best = min(standing)
    winners = [side for side, each in enumerate(standing) if each == best]
    losers = [side for side, total in enumerate(totals) if total >= target and side not in winners]
    draft.finish(losers, "goat", winners)


@rule("settlement")
def bank_by_points(draft: Draft, *, stake: Stake) -> None:
    """When the match is over the stakes go to the players who did not lose, inversely to their points, 0 counting as 1. (001.)

    Whole units by largest remainder, then seat order (rulebook 2.4).
    """
    if draft.end is None:
        return
    sides = draft.facts.sides
    bank = stake * len(sides)
    points = [max(1, draft.totals[side]) if side not in draft.end.losers else 0 for side in sides]
    whole = lcm(*(number for number in points if number))
    weights = [whole // number if number else 0 for number in points]
    shares = [bank * weight // sum(weights) for weight in weights]
    by_remainder = sorted(range(len(sides)), key=lambda seat: (-(bank * weights[seat] % sum(weights)), seat))
    for seat in by_remainder[: bank - sum(shares)]:
        shares[seat] += 1
    draft.end = draft.end._replace(payout=tuple(shares))


@rule("settlement")
def winner_opens_next(draft: Draft) -> None:
    """Who went out opens the next round; after a fish, the lowest seat. (000, Козёл; 003.)"""
    draft.opener = draft.facts.seat if draft.facts.out else draft.facts.lowest_seat


@rule("settlement")
def last_to_lay_opens_next(draft: Draft) -> None:
    """Who laid the last tile opens the next round: the one who went out, or the fisher. (001, 004.)"""
    draft.opener = draft.facts.seat
