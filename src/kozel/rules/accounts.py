"""Settlement steps that write a round's points down: at once, from a threshold on, or put by until it is reached."""

from __future__ import annotations

from kozel.engine.settlement import Draft
from kozel.rules.registry import step
from kozel.rules.settings import Points, PointsInPairs


@step("record")
def record_everything(draft: Draft) -> None:
    """Запись всего: all points are recorded. (000, Домино; 003, 5, no.)"""
    for side, points in enumerate(draft.points):
        draft.record(side, points)


@step("record", "account")
def account_from(draft: Draft, *, single: Points, pairs: PointsInPairs | None = None) -> None:
    """Открыть запись.

    A side's account opens with enough points in one round; what comes before that is lost. (000, Козёл; 001; 003,
    5.)

    `single`: how many points. `pairs`: the number where pairs play, if it differs.
    Notes `account_opened` (side, points), `under_threshold` (side, points lost, threshold).
    """
    threshold = pairs if pairs is not None and draft.facts.pairs else single
    for side, points in enumerate(draft.points):
        if not draft.open[side] and points and points >= threshold:
            draft.open[side] = True
            draft.note("account_opened", side, points)
        if draft.open[side]:
            draft.record(side, points)
        elif points:
            draft.note("under_threshold", side, points, threshold)


@step("record", "account")
def account_with_points_put_by(draft: Draft, *, over: Points) -> None:
    """Отложенная запись: few points are put by; more open the account with them and all that was put by. (004.)

    `over`: the greatest number that is put by. Going out with a closed account clears what was put by.
    Notes `put_by` (side, points, all put by), `account_opened` (side, points), `brought_in` (side, points put by),
    `put_by_cleared` (side, points).
    """
    facts = draft.facts
    for side, points in enumerate(draft.points):
        waiting = draft.deferred[side]
        if draft.open[side]:
            draft.record(side, points)
        elif facts.out and side in facts.winners:
            if waiting:
                draft.note("put_by_cleared", side, waiting)
            draft.deferred[side] = 0
        elif points > over:
            draft.open[side] = True
            draft.deferred[side] = 0
            draft.record(side, points + waiting)
            draft.note("account_opened", side, points)
            if waiting:
                draft.note("brought_in", side, waiting)
        else:
            draft.deferred[side] += points
            if points:
                draft.note("put_by", side, points, draft.deferred[side])
