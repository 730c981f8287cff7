"""Settlement steps for eggs: points of a fish without a winner, which lie on the line for a later round."""

from __future__ import annotations

from kozel.engine.settlement import Draft
from kozel.engine.tiles import Side
from kozel.rules.registry import step
from kozel.rules.settings import Points


@step("eggs")
def eggs_to_the_winner(draft: Draft) -> None:
    """Яйца победителю: the eggs of an equal fish go to the next side that wins a round. (000, Домино.)

    A fish that several but not all share leaves the points of the others less the lowest (rulebook 2.1).
    Notes `eggs_laid` (points, all on the line), `eggs_to` (side, points).
    """
    facts = draft.facts
    if facts.equal:
        _lay(draft, facts.side_points[0])
    elif len(facts.winners) == 1:
        _give(draft, facts.winners[0])
    else:
        above = sum(facts.side_points[side] for side in facts.losers)
        _lay(draft, above - min(facts.side_points))


@step("eggs")
def eggs_to_the_loser(draft: Draft) -> None:
    """Яйца проигравшему: the eggs of an equal fish are added to the next losing side. (000, Козёл.)

    Of several, to the one with the most hand points; where several have the most, they stay on the line (rulebook 2.2).
    Notes `eggs_laid` (points, all on the line), `eggs_to` (side, points), `eggs_stay` (points).
    """
    if draft.facts.equal:
        _lay(draft, draft.facts.side_points[0])
        return
    loser = _highest_loser(draft)
    if loser is not None:
        _give(draft, loser)


@step("eggs")
def eggs_by_their_number(draft: Draft, *, threshold: Points = 13) -> None:
    """Яйца по числу.

    Few eggs are written off unless an account is open; many fall on the next loser in any case. (003, convention
    5.)

    Fewer than `threshold` fall on the next losing side only if its account was open before the round; else they are
    written off. As many or more also open that side's account (rulebook 2.6).
    Notes `eggs_laid` (points, all on the line), `eggs_to` (side, points), `eggs_stay`, `eggs_written_off` (points),
    `account_opened` (side, points).
    """
    if draft.facts.equal:
        _lay(draft, draft.facts.side_points[0])
        if draft.eggs < threshold and not any(draft.before.open):
            _write_off(draft)
        return
    loser = _highest_loser(draft)
    if loser is None:
        return
    if draft.eggs >= threshold:
        if not draft.open[loser]:
            draft.open[loser] = True
            draft.note("account_opened", loser, draft.points[loser] + draft.eggs)
        _give(draft, loser)
    elif draft.before.open[loser]:
        _give(draft, loser)
    else:
        _write_off(draft)


def _lay(draft: Draft, points: int) -> None:
    draft.eggs += points
    draft.note("eggs_laid", None, points, draft.eggs)


def _give(draft: Draft, side: Side) -> None:
    if draft.eggs:
        draft.points[side] += draft.eggs
        draft.note("eggs_to", side, draft.eggs)
        draft.eggs = 0


def _write_off(draft: Draft) -> None:
    if draft.eggs:
        draft.note("eggs_written_off", None, draft.eggs)
        draft.eggs = 0


def _highest_loser(draft: Draft) -> Side | None:
    """The losing side that bears the eggs; None, with a note, where several have the most hand points."""
    facts = draft.facts
    if not facts.losers or not draft.eggs:
        return None
    most = max(facts.side_points[side] for side in facts.losers)
    highest = [side for side in facts.losers if facts.side_points[side] == most]
    if len(highest) == 1:
        return highest[0]
    draft.note("eggs_stay", None, draft.eggs)
    return None
