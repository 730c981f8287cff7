"""Settlement steps for the goats of the yard: titles that end a match at once, and who sits on the goat."""

from __future__ import annotations

from collections.abc import Iterator

from kozel.engine.settlement import Draft
from kozel.engine.tiles import Side, Tile, mask_of
from kozel.locales import phrase
from kozel.rules.registry import Circumstances, Flaw, step
from kozel.rules.settings import ChosenTile, ChosenTiles, Points, PointsInPairs


def _general_flaws(at: Circumstances, *, tiles: tuple[Tile, ...]) -> Iterator[Flaw]:
    if tiles and not at.one_move(mask_of(tiles)):
        yield Flaw("tiles", phrase("mistake.not_in_one_move"), never=True)


def _officer_flaws(at: Circumstances, *, tile: Tile, unless: Tile | None = None) -> Iterator[Flaw]:
    if tile == unless:
        yield Flaw("unless", phrase("mistake.unless_itself"), never=True)


@step("title", flaws=_general_flaws)
def general_goat(draft: Draft, *, tiles: ChosenTiles) -> None:
    """Генеральский козёл.

    Who goes out with these tiles in one move makes all other sides general goats; the round scores nothing. (000,
    Козёл.)

    `tiles`: all of them must have been laid in that move, and no other.
    Notes `general_goat` (side, tiles), `title_takes` (points in the losers' hands that are not recorded).
    """
    laid = mask_of(tiles)
    if laid and draft.facts.out_on == laid:
        for side in draft.facts.losers:
            draft.note("general_goat", side, tiles=laid)
        _end_by_title(draft, "general_goat")


@step("title", flaws=_officer_flaws)
def officer_goat(draft: Draft, *, tile: ChosenTile, unless: ChosenTile | None = None) -> None:
    """Офицерский козёл.

    Who goes out on a certain tile makes the other sides officer goats; the round scores nothing. (000, yard game.)

    `tile`: that tile. `unless`: it does not count where this one went with it.
    Notes `officer_goat` (side, tile), `title_takes` (points in the losers' hands that are not recorded).
    """
    out_on = draft.facts.out_on
    if out_on >> tile & 1 and (unless is None or not out_on >> unless & 1):
        for side in draft.facts.losers:
            draft.note("officer_goat", side, tile=tile)
        _end_by_title(draft, "officer_goat")


def _end_by_title(draft: Draft, title: str) -> None:
    points = sum(draft.facts.side_points[side] for side in draft.facts.losers)
    if points:
        draft.note("title_takes", None, points)
    draft.finish(draft.facts.losers, title)
    draft.stop = True


@step("end", "opener", "sit")
def sitting_on_the_goat(draft: Draft, *, single: Points, pairs: PointsInPairs) -> None:
    """Сидеть на козле.

    No points are kept; a side that loses enough sits down on the goat, and is the goat if it loses again. (000,
    yard game.)

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


def _sit_down(draft: Draft, loser: Side, points: int, threshold: int) -> None:
    if points >= threshold:
        draft.sitting = loser
        draft.note("sits", loser, points)
    else:
        draft.note("too_few_to_sit", loser, points, threshold)


def _write_off(draft: Draft, sitting: Side, loser: Side) -> None:
    """The side on the goat has won: it gets up; a fish puts the other side on it, going out begins everything anew."""
    draft.note("written_off", sitting)
    if draft.facts.out:
        draft.sitting, draft.opener, draft.fresh = None, None, True
    else:
        draft.sitting = loser
        draft.note("sits_at_once", loser)
