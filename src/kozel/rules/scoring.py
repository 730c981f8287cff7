"""Settlement steps that say what a round gives: who records whose points, and what is added to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kozel.engine.settlement import Draft
from kozel.engine.tiles import Side, Tile, tiles_in
from kozel.locales import phrase
from kozel.rules.registry import Circumstances, Flaw, step
from kozel.rules.settings import Points, PointsOfTiles, Times


@step("count")
def winner_gets_the_rest(draft: Draft, *, less_own: bool = True) -> None:
    """Очки победителю: the winning side gets the points of all other sides; at a fish, less its own. (000, Домино.)

    Where several share a fish, nobody gets any. `less_own: no`: the own points are not taken off at a fish.
    Notes `difference` (side, points, own points taken off): a fish; `shared_fish` (points that nobody gets).
    """
    facts = draft.facts
    if len(facts.winners) != 1:
        if facts.losers:
            draft.note("shared_fish", None, sum(facts.side_points[side] for side in facts.losers))
        return
    side = facts.winners[0]
    own = facts.side_points[side]
    rest = sum(facts.side_points) - own
    less = own if less_own and not facts.out else 0
    draft.points[side] = rest - less
    if less:
        draft.note("difference", side, draft.points[side], own)


@step("count")
def losers_record_their_own(draft: Draft) -> None:
    """Очки проигравшим: each side that did not win records the points of its own hands. (000, Козёл; 001; 003.)"""
    for side in draft.facts.losers:
        draft.points[side] = draft.facts.side_points[side]


def _round_flaws(at: Circumstances, *, winner: int = 0, loser: int = 0) -> Iterator[Flaw]:
    if not winner and not loser:
        yield Flaw("", phrase("mistake.gives_nothing"), never=True)


@step("count", flaws=_round_flaws)
def round_gives(draft: Draft, *, winner: Points = 0, loser: Points = 0) -> None:
    """Очки за раунд.

    A round gives the same points whatever the hands hold. (A convention of many tables: rounds won are counted.)

    `winner`: to each winning side. `loser`: to each losing side.
    Notes `round_won`, `round_lost` (side, points).
    """
    for side in draft.facts.winners:
        _give(draft, side, winner, "round_won")
    for side in draft.facts.losers:
        _give(draft, side, loser, "round_lost")


def _give(draft: Draft, side: Side, points: int, note: str) -> None:
    draft.points[side] = points
    if points:
        draft.note(note, side, points)


@step("count")
def all_record_their_own(draft: Draft) -> None:
    """Очки всем: every side counts its own hands, the lowest at a fish too. (004.)"""
    draft.points = list(draft.facts.side_points)


@step("change")
def losers_record_all_at_a_fish(draft: Draft) -> None:
    """Полная рыба: at a fish the losing side records the points of all sides. (003, convention 1, yes.)

    Note `full_fish` (side, own points, the others').
    """
    _record_all(draft, draft.facts.losers, "full_fish")


@step("change")
def losing_fisher_records_all(draft: Draft) -> None:
    """Рыбак платит за всех.

    A side that made a fish and lost it records the points of all sides. (003, convention 1, no.)

    Note `fisher_pays` (side, own points, the others').
    """
    fisher = draft.facts.sides[draft.facts.seat]
    _record_all(draft, (fisher,) if fisher in draft.facts.losers else (), "fisher_pays")


def _record_all(draft: Draft, payers: tuple[Side, ...], note: str) -> None:
    facts = draft.facts
    if facts.out:
        return
    for side in payers:
        own = facts.side_points[side]
        draft.points[side] = sum(facts.side_points)
        draft.note(note, side, own, sum(facts.side_points) - own)


@step("change")
def tied_record_at_a_fish(draft: Draft) -> None:
    """Рыба поровну.

    At a fish that several sides share with the fewest points, those record their own too. (A convention of many
    tables.)

    Note `tied_record` (side, points).
    """
    facts = draft.facts
    fewest = [side for side, points in enumerate(facts.side_points) if points == min(facts.side_points)]
    if not facts.out and len(fewest) > 1:
        for side in fewest:
            draft.points[side] = facts.side_points[side]
            if draft.points[side]:
                draft.note("tied_record", side, draft.points[side])


@step("add")
def fish_counts_times(draft: Draft, *, times: Times) -> None:
    """Двойная рыба.

    At a fish what each side gets counts `times` over. (A convention of many tables: the fish counts double.)

    Note `fish_times` (side, points, times).
    """
    if draft.facts.out:
        return
    for side, points in enumerate(draft.points):
        if points:
            draft.points[side] = points * times
            draft.note("fish_times", side, draft.points[side], times)


def _bonus_flaws(
    at: Circumstances, *, tiles: Mapping[Tile, int], opened: bool = True, out: bool = True
) -> Iterator[Flaw]:
    if not opened and not out:
        yield Flaw("", phrase("mistake.bonus_never"), never=True)
    elif tiles and not any(tiles.values()):
        yield Flaw("tiles", phrase("mistake.gives_nothing"), never=True)


@step("add", flaws=_bonus_flaws)
def bonus_for_first_and_last_tile(draft: Draft, *, tiles: PointsOfTiles, opened: bool = True, out: bool = True) -> None:
    """Надбавка.

    Each losing side gets more where the round was opened with one of these tiles or went out on it. (000, Козёл.)

    `tiles`: the points for each; all that apply add up. `opened: no` leaves the opening tile out of it, `out: no` the last.
    Notes `bonus_opened`, `bonus_out` (side, points, tile).
    """
    facts = draft.facts
    for side in facts.losers:
        if opened and facts.opened in tiles:
            _add_bonus(draft, side, tiles[facts.opened], facts.opened, "bonus_opened")
        for tile in tiles_in(facts.out_on):
            if out and tile in tiles:
                _add_bonus(draft, side, tiles[tile], tile, "bonus_out")


def _add_bonus(draft: Draft, side: Side, points: int, tile: Tile, note: str) -> None:
    draft.points[side] += points
    draft.note(note, side, points, tile=tile)
