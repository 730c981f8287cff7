"""Source 000, «Домино»: a test for each sentence that states a rule. Paragraphs are counted from the heading, which is
none.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.scenes import Scene, first_deal, names, standing, table, tiles
from kozel.engine.events import Drew, Fish, TookBazaar, WentOut
from kozel.engine.round import IllegalMove
from kozel.engine.tiles import mask_of
from kozel.rules.ruleset import BadSetup


def domino(*hands: str, ends: tuple[int, ...], **more: Any) -> Scene:
    return standing(table("domino", len(hands)), *hands, ends=ends, **more)


def test_two_to_four_people_play() -> None:
    """000, Домино, 1: «Играют от двух до четырёх человек.»"""
    for seats in (2, 3, 4):
        assert table("domino", seats).seats == seats
    for seats in (1, 5):
        with pytest.raises(BadSetup):
            table("domino", seats)


@pytest.mark.parametrize(("seats", "hand"), [(2, 7), (3, 5), (4, 5)])
def test_two_get_seven_tiles_three_and_four_five(seats: int, hand: int) -> None:
    """000, Домино, 1: «Для двух сдают по семь доминошек, для трёх или четырёх — по пять.»"""
    assert table("domino", seats).hand == hand


@pytest.mark.parametrize(("seats", "left"), [(2, 14), (3, 13), (4, 8)])
def test_the_rest_is_the_bazaar(seats: int, left: int) -> None:
    """000, Домино, 1: «Остальные размещаются в закрытом резерве («базаре»).»"""
    assert len(first_deal("domino", *[""] * seats).round.bazaar) == left


def test_who_holds_0_0_begins_with_it() -> None:
    """000, Домино, 1: «Начинает игрок, у которого на руках находится «дупль пусто» (0-0).»"""
    scene = first_deal("domino", "1-1 2-2", "0-1", "0-0 3-3")
    assert scene.round.turn == 2
    assert scene.legal == {"0-0"}


def test_without_0_0_the_lowest_double_begins_in_every_round() -> None:
    """000, Домино, 1, with rulebook 2.1: the lowest double where nobody has 0-0, whoever won the last round."""
    scene = first_deal("domino", "3-3", "1-1 4-4", bazaar="0-0", opener=0, fresh=False)
    assert scene.round.turn == 1
    assert scene.legal == {"1-1"}


def test_the_next_lay_tiles_with_the_same_points() -> None:
    """000, Домино, 1: «Следующие игроки выставляют камни с соответствующими очками (0-1; 0-2; 0-3...).»"""
    scene = first_deal("domino", "0-0 1-2", "0-1 0-2 2-3 3-3 4-4 5-5 6-6").play("0-0")
    assert {text.split()[0] for text in scene.legal} == {"0-1", "0-2"}


def test_who_has_no_fitting_tile_draws() -> None:
    """000, Домино, 1: «Если подходящих камней нет, то приходится добирать из резерва.»"""
    scene = domino("1-2 3-3", "5-5", ends=(0, 0), bazaar="4-4 0-6 2-2")
    assert scene.legal == {"draw"}
    assert scene.play("draw").legal == {"draw"}
    assert scene.play("draw").legal == {"0-6 left", "0-6 right"}
    assert [event for event in scene.events if isinstance(event, Drew)] == [
        Drew(0, tiles("4-4"), 2, 3),
        Drew(0, tiles("0-6"), 1, 4),
    ]


def test_who_has_a_fitting_tile_may_not_draw() -> None:
    """000, Домино, 1, with rulebook 1: drawing is for who has no fitting tile."""
    with pytest.raises(IllegalMove, match="fits_so_no_draw"):
        domino("0-1 3-3", "5-5", ends=(0, 0), bazaar="4-4").play("draw")


def test_without_a_double_the_smallest_tile_begins() -> None:
    """000, Домино, 1: «Если же на руках нет ни одного дупля, начинают с камня, имеющего наименьшее количество
    (например, 0-1).»
    """
    doubles = "0-0 1-1 2-2 3-3 4-4 5-5 6-6"
    scene = first_deal("domino", "0-4 5-6", "0-1 3-6", bazaar=doubles)
    assert scene.round.turn == 1
    assert scene.legal == {"0-1"}


def test_two_doubles_may_be_laid_at_once() -> None:
    """000, Домино, 2: «В процессе игры разрешается ложить на стол два дупля одновременно (дуплиться).»"""
    scene = domino("1-1 2-2 3-4", "5-6", ends=(1, 2))  # which makes a fish
    assert "1-1 left + 2-2 right" in scene.legal
    scene.play("1-1 left + 2-2 right")
    assert names(scene.last.hands[0]) == {"3-4"}


def test_two_doubles_are_never_the_first_move() -> None:
    """000, Домино, 2, with rulebook 1: it is never possible on the opening move."""
    with pytest.raises(IllegalMove):
        first_deal("domino", "0-0 1-1", "").play("0-0 + 1-1")


def test_the_round_ends_with_the_last_tile() -> None:
    """000, Домино, 3: «Игра заканчивается, когда один из игроков выложит последний камень.»"""
    scene = domino("1-2", "2-5 6-6", ends=(1, 0)).play("1-2 left")
    assert scene.match.round is None
    assert scene.last.result == "out"
    assert scene.told(WentOut) == [WentOut(0)]


def test_a_fish_is_a_block_with_tiles_in_hand() -> None:
    """000, Домино, 4: «…«рыбой» — так называется блокировка выкладки, когда на руках ещё есть камни, но доложить
    нечего.»
    """
    scene = domino("0-6 1-1", "2-3 4-4", ends=(0, 6)).play("0-6 left")
    assert scene.last.result == "fish"
    assert scene.told(Fish) == [Fish(0, False)]


def test_the_player_after_the_fisher_takes_the_whole_bazaar() -> None:
    """000, Домино, 4: «Если есть базар, то игрок после игрока, который зарыбачил, должен взять его весь.»"""
    scene = domino("0-6 1-1", "2-3", "4-4", ends=(0, 6), bazaar="2-2 1-3").play("0-6 left")
    assert scene.told(TookBazaar) == [TookBazaar(1, tiles("2-2 1-3"))]
    assert scene.last.hands[1] == mask_of(tiles("2-3 2-2 1-3"))
    assert scene.last.hand_points == (2, 13, 8)


def test_a_lone_0_0_counts_25() -> None:
    """000, Домино, 5: «Если после окончания раунда у игрока остаётся одна кость в два нуля, ему начисляется 25 очков.»"""
    assert domino("1-2", "0-0", ends=(1, 3)).play("1-2").last.hand_points == (0, 25)
    assert domino("1-2", "0-0 0-1", ends=(2, 3)).play("1-2").last.hand_points == (0, 1)


def test_a_lone_6_6_counts_50() -> None:
    """000, Домино, 5: «А кость 6-6 — 50 очков.»"""
    assert domino("1-2", "6-6", ends=(1, 3)).play("1-2").last.hand_points == (0, 50)
    assert domino("1-2", "6-6 0-1", ends=(2, 3)).play("1-2").last.hand_points == (0, 13)


def test_the_winner_scores_the_tiles_of_the_losers() -> None:
    """000, Домино, 6: «Победителю в качестве выигрыша записывается сумма очков всех камней на руках проигравших.»"""
    assert domino("1-2", "5-6 3-3", "4-5", ends=(1, 0)).play("1-2").last.scored == (26, 0, 0)


def test_the_tiles_of_the_winners_partner_count_for_nobody() -> None:
    """000, Домино, 6, with rulebook 2.1: in pairs the partner's tiles count for nobody."""
    scene = standing(table("domino", 4, True), "1-2", "5-6", "4-4", "3-5", ends=(1, 0)).play("1-2")
    assert scene.last.scored == (19, 0)


def test_at_a_fish_who_has_the_fewest_points_wins() -> None:
    """000, Домино, 6: «При «рыбе» выигрыш принадлежит тому, у кого на руках меньше всех очков.»"""
    assert domino("0-6 4-4", "2-3", "1-5", ends=(0, 6)).play("0-6 left").last.winner == (1,)


def test_at_a_fish_the_difference_is_scored() -> None:
    """000, Домино, 6: «В выигрыш ему записывается разность очков.»"""
    assert domino("0-6 4-4", "2-3", ends=(0, 6)).play("0-6 left").last.scored == (0, 3)
    assert domino("0-6 4-4", "2-3", "1-5", ends=(0, 6)).play("0-6 left").last.scored == (0, 9, 0)


def test_equal_points_at_a_fish_are_eggs() -> None:
    """000, Домино, 7: «Если при «рыбе» у всех игроков равное количество очков, объявляются «яйца».»"""
    last = domino("0-6 1-5", "2-4", ends=(0, 6)).play("0-6 left").last
    assert (last.winner, last.scored, last.eggs) == ((), (0, 0), 6)


def test_eggs_go_to_who_ends_the_next_round() -> None:
    """000, Домино, 7: «Данные очки переносятся в следующий раунд и начисляются либо закончевшему этот раунд…»"""
    last = domino("1-2", "5-6", ends=(1, 0), eggs=6).play("1-2").last
    assert (last.scored, last.eggs) == ((17, 0), 0)


def test_eggs_go_to_who_has_the_fewest_points_at_the_next_fish() -> None:
    """000, Домино, 7: «…либо тому, у кого при «рыбе» будет меньше всех очков.»"""
    last = domino("0-6 4-4", "2-3", ends=(0, 6), eggs=6).play("0-6 left").last
    assert (last.scored, last.eggs) == ((0, 9), 0)


def test_eggs_of_ties_in_a_row_add_up() -> None:
    """000, Домино, 7, with rulebook 1: eggs of successive ties add up."""
    assert domino("0-6 1-5", "2-4", ends=(0, 6), eggs=6).play("0-6 left").last.eggs == 12


def test_a_fish_that_some_share_leaves_the_rest_as_eggs() -> None:
    """000, Домино, 7, with rulebook 2.1: nobody scores; the points above the lowest less the lowest go to the eggs."""
    last = domino("0-6 1-5", "2-4", "3-3 4-4", ends=(0, 6), eggs=3).play("0-6 left").last
    assert (last.winner, last.scored, last.eggs) == ((0, 1), (0, 0, 0), 11)


def test_the_game_goes_to_125_and_who_gets_there_first_wins() -> None:
    """000, Домино, 8: «Игра продолжается до 125 очков. Кто первый наберёт указанное количество очков, тот и будет
    считаться победителем.»
    """
    short = domino("1-2", "5-6", ends=(1, 0), totals=(113, 124)).play("1-2").match
    assert short.ledger.totals == (124, 124)
    assert short.end is None
    end = domino("1-2", "5-6", ends=(1, 0), totals=(114, 124)).play("1-2").match.end
    assert end is not None
    assert (end.winners, end.losers, end.title, end.payout) == ((0,), (1,), "winner", None)
