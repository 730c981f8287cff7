"""The reasons that a round's account gives for its score, and the edges of the steps that no sentence of a source names."""

from __future__ import annotations

from typing import Any

import pytest

from engine.scenes import Scene, standing, table, tiles
from kozel.engine.ledger import Ledger, Note
from kozel.engine.match import new_match
from kozel.engine.settlement import Draft, Facts
from kozel.rules import accounts, eggs, endings, goats, scoring

ZERO, SIX = tiles("0-0 6-6")
BOTH = 1 << ZERO | 1 << SIX
OPEN = (True, True)


def notes(ruleset: str, *hands: str, play: str, options: dict[str, Any] | None = None, **more: Any) -> list[Note]:
    scene = standing(table(ruleset, len(hands), **(options or {})), *hands, **more).play(play)
    return list(scene.last.notes)


OUT: dict[str, Any] = {"play": "1-2", "ends": (1, 3)}
FISH: dict[str, Any] = {"play": "0-6 left", "ends": (0, 6)}


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (notes("domino", "1-2", "6-6", **OUT), [Note("lone_tile", 1, 50, tile=SIX)]),
        (notes("domino", "0-6 4-4", "2-3", **FISH), [Note("difference", 1, 3, 5)]),
        (notes("domino", "0-6 1-5", "2-4", **FISH, eggs=6), [Note("eggs_laid", None, 6, 12)]),
        (notes("domino", "1-2", "5-6", **OUT, eggs=6), [Note("eggs_to", 0, 6)]),
        (notes("kozel", "1-2", "5-6", **OUT), [Note("under_threshold", 1, 11, 13)]),
        (notes("kozel", "1-2", "0-0", **OUT), []),
        (notes("kozel", "1-2", "5-6 1-1", **OUT), [Note("account_opened", 1, 13)]),
        (notes("kozel", "1-2", "5-5", "4-6", **OUT, eggs=7, open=(True,) * 3), [Note("eggs_stay", None, 7)]),
        (
            notes("kozel", "0-0", "1-2", play="0-0", ends=(0, 3), opened="6-6", open=OPEN),
            [Note("bonus_opened", 1, 50, tile=SIX), Note("bonus_out", 1, 25, tile=ZERO)],
        ),
        (
            notes("kozel", "0-0 6-6", "1-2", "1-3", play="0-0 left + 6-6 right", ends=(0, 6)),
            [
                Note("general_goat", 1, tiles=BOTH),
                Note("general_goat", 2, tiles=BOTH),
                Note("title_takes", None, 7),
            ],
        ),
        (
            notes("kozel-yard", "0-0", "1-2", play="0-0", ends=(0, 3)),
            [Note("officer_goat", 1, tile=ZERO), Note("title_takes", None, 3)],
        ),
        (notes("kozel-yard", "1-2", "5-6 0-2", **OUT), [Note("sits", 1, 13)]),
        (notes("kozel-yard", "1-2", "5-6", **OUT), [Note("too_few_to_sit", 1, 11, 13)]),
        (notes("kozel-yard", "1-2", "0-1", **OUT, sitting=1), [Note("goat", 1, 1)]),
        (notes("kozel-yard", "1-2", "0-0", **OUT, sitting=1), [Note("nothing_changes", 1)]),
        (notes("kozel-yard", "1-2", "5-6", **OUT, sitting=0), [Note("written_off", 0)]),
        (
            notes("kozel-yard", "0-6 1-1", "2-3", **FISH, sitting=0),
            [Note("written_off", 0), Note("sits_at_once", 1)],
        ),
        (notes("kozel-1x1", "0-6 4-5", "1-2", **FISH, open=OPEN), [Note("fisher_pays", 0, 9, 3)]),
        (
            notes("kozel-1x1", "0-6 4-5", "1-2", **FISH, open=OPEN, options={"full_fish": True}),
            [Note("full_fish", 0, 9, 3)],
        ),
        (
            notes("kozel-1x1", "0-6 1-5", "2-4", **FISH),
            [Note("eggs_laid", None, 6, 6), Note("eggs_written_off", None, 6)],
        ),
        (
            notes("kozel-1x1", "1-2", "0-3", **OUT, eggs=13),
            [Note("account_opened", 1, 16), Note("eggs_to", 1, 13)],
        ),
        (notes("kozel-1x1", "1-2", "0-3", **OUT, eggs=13, open=OPEN), [Note("eggs_to", 1, 13)]),
        (
            notes("kozel-1x1", "1-2", "0-3", **OUT, eggs=3),
            [Note("eggs_written_off", None, 3), Note("under_threshold", 1, 3, 13)],
        ),
        (
            notes("kozel-deferred", "1-2", "5-6", **OUT, deferred=(9, 10)),
            [
                Note("put_by_cleared", 0, 9),
                Note("put_by", 1, 11, 21),
            ],
        ),
        (notes("kozel-deferred", "1-2", "5-6 1-1", **OUT), [Note("account_opened", 1, 13)]),
        (
            notes("kozel-deferred", "1-2", "5-6 1-1", **OUT, deferred=(0, 10)),
            [
                Note("account_opened", 1, 13),
                Note("brought_in", 1, 10),
            ],
        ),
    ],
)
def test_the_reasons_for_a_score(found: list[Note], told: list[Note]) -> None:
    """Each note as the docstring of its step documents it, and no other."""
    assert found == told


def test_putting_nothing_by_needs_no_word() -> None:
    """A hand that counts nothing: going out with an account still closed, and nothing put by."""
    assert notes("kozel-deferred", "1-2", "3-3", **OUT, open=(False, True)) == []


def draft(
    points: tuple[int, ...], winners: tuple[int, ...], *, fish: bool = True, seat: int = 0, **ledger: Any
) -> Draft:
    """A round of single players to be settled, opened and gone out on nothing of note."""
    sides = tuple(range(len(points)))
    facts = Facts(
        "fish" if fish else "out", seat, sides, points, points, winners, winners[0] if winners else 0, 1, 0, 0
    )
    before: Ledger = new_match(table("kozel", len(points))).ledger
    return Draft(facts, before._replace(**ledger))


def test_three_of_four_who_tie_for_the_lowest_leave_the_fourths_points_less_theirs() -> None:
    """Rulebook 2.1: (the sum of the points of the sides above the lowest) − (the lowest points) goes to the eggs."""
    settled = draft((3, 3, 20, 3), (0, 1, 3), eggs=2)
    scoring.winner_gets_the_rest(settled)
    eggs.eggs_to_the_winner(settled)
    assert (settled.points, settled.eggs) == ([0, 0, 0, 0], 19)


def test_eggs_under_their_number_wait_while_several_losers_have_the_most() -> None:
    """Rulebook 2.2, for the eggs of rule 13: several have the most, so they stay on the line."""
    settled = draft((0, 5, 5), (0,), eggs=20)
    eggs.eggs_by_their_number(settled)
    assert (settled.points, settled.eggs) == ([0, 0, 0], 20)


def test_a_shared_fish_without_a_loser_leaves_the_eggs() -> None:
    """All equal, all winning: nobody bears the eggs."""
    settled = draft((5, 5), (0, 1), eggs=20, open=OPEN)
    eggs.eggs_to_the_loser(settled)
    assert settled.points == [0, 0]


@pytest.mark.parametrize(("totals", "payout"), [((1, 1, 101), (150, 150, 0)), ((0, 3, 101), (225, 75, 0))])
def test_the_bank_waits_for_the_end(totals: tuple[int, ...], payout: tuple[int, ...]) -> None:
    """Rulebook 2.4: only the end of the match shares the bank, and goats get nothing."""
    settled = draft((0, 1, 20), (0,), totals=totals)
    endings.bank_by_points(settled, stake=100)
    assert settled.end is None
    endings.who_reaches_loses(settled, target=101)
    endings.bank_by_points(settled, stake=100)
    assert settled.end is not None
    assert settled.end.payout == payout


def test_nothing_after_a_title_counts() -> None:
    """Rulebook 2.2: that round scores nothing; the steps after it do not run."""
    scene = Scene(standing("kozel-yard", "0-0 6-6", "1-2", ends=(0, 6), sitting=1).match).play("0-0 left + 6-6 right")
    assert [note.kind for note in scene.last.notes] == ["general_goat", "title_takes"]


def test_6_6_alone_makes_no_officer_goat() -> None:
    """Rulebook 2.3: on 0-0, alone or with another double than 6-6."""
    settled = draft((0, 5), (0,), fish=False)
    settled.facts = settled.facts._replace(out_on=1 << SIX)
    goats.officer_goat(settled, tile=ZERO, unless=SIX)
    assert settled.end is None
    settled.facts = settled.facts._replace(out_on=1 << SIX | 1 << ZERO)
    goats.officer_goat(settled, tile=ZERO, unless=SIX)
    assert settled.end is None


def test_general_goats_need_both_and_no_other_tile() -> None:
    """Rulebook 2.2: 0-0 and 6-6 in one move."""
    settled = draft((0, 5), (0,), fish=False)
    for out_on in (0, 1 << ZERO, 1 << SIX, 1 << ZERO | 2):
        settled.facts = settled.facts._replace(out_on=out_on)
        goats.general_goat(settled, tiles=(ZERO, SIX))
        assert not settled.stop


def test_no_points_put_by_need_no_word() -> None:
    """A closed account whose side counts nothing at a fish: nothing to tell."""
    settled = draft((0, 5), (0,), open=(False, True))
    scoring.all_record_their_own(settled)
    accounts.account_with_points_put_by(settled, over=12)
    assert (settled.notes, settled.deferred) == ([], [0, 0])


def test_no_eggs_are_neither_written_off_nor_left() -> None:
    """Without points on the line there is nothing to tell of eggs."""
    nothing = draft((0, 0), ())
    eggs.eggs_by_their_number(nothing)
    assert [note.kind for note in nothing.notes] == ["eggs_laid"]
    several = draft((0, 5, 5), (0,))
    eggs.eggs_to_the_loser(several)
    assert several.notes == []


@pytest.mark.parametrize(("line", "borne"), [(12, 0), (13, 13)])
def test_thirteen_eggs_are_enough_unless_a_ruleset_says_otherwise(line: int, borne: int) -> None:
    """Rulebook 2.6: the number is 13."""
    settled = draft((0, 5), (0,), eggs=line)
    eggs.eggs_by_their_number(settled)
    assert settled.points == [0, borne]


def test_pairs_can_have_a_target_of_their_own() -> None:
    """A setting of the endings: `pairs`, the number where pairs play."""
    scene = standing(table("domino", 4, True), "1-2", "5-6", "4-4", "3-5", ends=(1, 0))
    settled = draft((0, 20), (0,), totals=(60, 0))
    endings.first_to_reach_wins(settled, target=50, pairs=70)
    assert settled.end is not None
    facts = settled.facts._replace(sides=scene.match.game.sides)
    paired = Draft(facts, settled.before)
    endings.first_to_reach_wins(paired, target=50, pairs=70)
    assert paired.end is None


def test_a_match_of_rounds_is_won_by_the_fewest_points_unless_said_otherwise() -> None:
    settled = draft((0, 20), (0,), totals=(5, 9))
    endings.match_of_rounds(settled, rounds=1)
    assert settled.end is not None
    assert settled.end.winners == (0,)


def test_of_losers_with_equal_points_the_next_in_turn_opens() -> None:
    settled = draft((9, 9, 0, 9), (2,), seat=1)
    endings.loser_opens_next(settled)
    assert settled.opener == 3
    settled = draft((9, 9, 0, 0), (2, 3), seat=3)
    endings.loser_opens_next(settled)
    assert settled.opener == 0


def test_an_officers_tile_may_be_any() -> None:
    """The tile is a setting: 0-0 in the yard game of source 000."""
    one, two = tiles("1-1 2-2")
    settled = draft((0, 5), (0,), fish=False)
    settled.facts = settled.facts._replace(out_on=1 << one | 1 << two)
    goats.officer_goat(settled, tile=one, unless=two)
    assert settled.end is None
    goats.officer_goat(settled, tile=one, unless=SIX)
    assert settled.end is not None


def test_what_a_round_gives_is_nothing_unless_said_otherwise() -> None:
    for given, points in (({"winner": 2}, [2, 0]), ({"loser": 3}, [0, 3])):
        settled = draft((0, 5), (0,))
        scoring.round_gives(settled, **given)
        assert settled.points == points


def test_rounds_are_numbered_from_1() -> None:
    scene = standing("kozel", "5-6", "1-2", ends=(1, 0), turn=1).play("1-2")
    assert (scene.last.number, scene.match.ledger.rounds) == (1, 1)
    assert standing("kozel", "1-2", "5-6", ends=(1, 0), rounds=4).play("1-2").last.number == 5
