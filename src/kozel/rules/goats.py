"""Settlement steps for the goats of the yard: titles that end a match at once, and who sits on the goat."""

from __future__ import annotations

from kozel.engine.settlement import Draft
from kozel.engine.tiles import mask_of
from kozel.rules.registry import step
from kozel.rules.settings import Points, Tile, Tiles


@step("title")
def general_goat(draft: Draft, *, tiles: Tiles) -> None:
    """Who goes out with these tiles in one move makes all other sides general goats; the round scores nothing. (000, Козёл.)

    `tiles`: all of them must have been laid in that move, and no other.
    Note `general_goat` (side).
    """
    if draft.facts.out_on and draft.facts.out_on == mask_of(tiles):
        for side in draft.facts.losers:
            draft.note("general_goat", side)
        draft.finish(draft.facts.losers, "general_goat")
        draft.stop = True


@step("title")
def officer_goat(draft: Draft, *, tile: Tile, unless: Tile | None = None) -> None:
    """Who goes out on a certain tile makes the other sides officer goats; the round scores nothing. (000, yard game.)

    `tile`: that tile. `unless`: it does not count where this one went with it.
    Note `officer_goat` (side, tile).
    """
    out_on = draft.facts.out_on
    if out_on >> tile & 1 and (unless is None or not out_on >> unless & 1):
        for side in draft.facts.losers:
            draft.note("officer_goat", side, tile=tile)
        draft.finish(draft.facts.losers, "officer_goat")
        draft.stop = True


@step("end", "opener", "sit")
def sitting_on_the_goat(draft: Draft, *, single: Points, pairs: Points) -> None:
    """No points are kept: a side that loses enough sits down on the goat, and is the goat if it loses again. (000, yard game.)

    `single`, `pairs`: how many points are enough for single players and for pairs. A side that sits and wins gets up: by going
    out everything begins anew, by a fish the other side sits down at once. The winner of a round opens the next one; after a
    fish, the lowest seat; a fish with equal points changes nothing.
    Notes `sits`, `too_few_to_sit` (side, points, threshold), `goat` (side, points), `nothing_changes` (side),
    `written_off` (side), `sits_at_once` (side).
    """
    facts, sitting = draft.facts, draft.sitting
    draft.opener = facts.seat if facts.out else facts.lowest_seat
    if not facts.losers:
        draft.opener = draft.opener if sitting is None else draft.before.opener
        return
    loser = facts.losers[0]
    points = facts.side_points[loser]
    if sitting is None:
        _sit_down(draft, loser, points, pairs if facts.pairs else single)
    elif sitting != loser:
        _write_off(draft, sitting, loser)
    elif points:
        draft.note("goat", loser, points)
        draft.finish([loser], "goat")
    else:
        draft.note("nothing_changes", loser)


def _sit_down(draft: Draft, loser: int, points: int, threshold: int) -> None:
    if points >= threshold:
        draft.sitting = loser
        draft.note("sits", loser, points)
    else:
        draft.note("too_few_to_sit", loser, points, threshold)


def _write_off(draft: Draft, sitting: int, loser: int) -> None:
    """The side on the goat has won: it gets up; a fish puts the other side on it, going out begins everything anew."""
    draft.note("written_off", sitting)
    if draft.facts.out:
        draft.sitting, draft.opener, draft.fresh = None, None, True
    else:
        draft.sitting = loser
        draft.note("sits_at_once", loser)
