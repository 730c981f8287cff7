"""Source 000, «Козёл»: a test for each sentence that states a rule. Paragraphs are counted from the heading."""

from __future__ import annotations

from typing import Any

import pytest

from engine.scenes import Scene, first_deal, standing, table, tiles
from kozel.engine.events import DrewToOpen
from kozel.engine.match import Game

OPEN = (True, True)


def kozel(*hands: str, ends: tuple[int, ...], game: Game | None = None, **more: Any) -> Scene:
    return standing(game or table("kozel", len(hands)), *hands, ends=ends, **more)


def test_two_to_four_players_with_seven_tiles_each() -> None:
    """000, Козёл, 1: «В игре участвуют от 2 до 4 игроков. Каждый игрок получает по 7 костяшек.»"""
    assert [table("kozel", seats).hand for seats in (2, 3, 4)] == [7, 7, 7]


def test_the_holder_of_1_1_begins() -> None:
    """000, Козёл, 1: «Начинает игру игрок с дуплем 1-1…»"""
    scene = first_deal("kozel", "2-2 0-0", "1-1 3-3")
    assert (scene.round.turn, scene.legal) == (1, {"1-1"})


def test_without_1_1_the_lowest_double_begins() -> None:
    """000, Козёл, 1: «…или наименьшим дуплем, при отсутствии такового.»"""
    scene = first_deal("kozel", "3-3 5-5", "4-4", bazaar="1-1 2-2")
    assert (scene.round.turn, scene.legal) == (0, {"3-3"})


def test_0_0_and_6_6_cannot_begin() -> None:
    """000, Козёл, 1: «Нельзя начинать игру с дуплей 0-0 и 6-6.»"""
    scene = first_deal("kozel", "0-0 6-6", "5-5", bazaar="1-1 2-2 3-3 4-4")
    assert (scene.round.turn, scene.legal) == (1, {"5-5"})


def test_without_a_double_the_players_draw_until_one_appears() -> None:
    """000, Козёл, 1: «…ни у кого нет дуплей, игроки добирают костяшки из базара до тех пор, пока у кого-нибудь не
    появится подходящий дупль.»
    """
    scene = first_deal("kozel", "0-0 6-6", "0-1", bazaar="1-2 1-3 5-5 1-1 2-2 3-3 4-4")
    assert (scene.round.turn, scene.legal) == (0, {"5-5"})
    assert [hand.bit_count() for hand in scene.round.hands] == [9, 8]
    assert len(scene.round.bazaar) == 11


def test_those_draws_are_made_and_told_by_the_game() -> None:
    """000, Козёл, 1: «В игре это происходит автоматически.»"""
    scene = first_deal("kozel", "0-0", "0-1", bazaar="1-2 1-3 5-5 1-1 2-2 3-3 4-4 6-6")
    one, two, three = tiles("1-2 1-3 5-5")
    assert scene.told(DrewToOpen) == [DrewToOpen(((0, one), (1, two), (0, three)))]


def test_the_winner_begins_the_next_round() -> None:
    """000, Козёл, 2: «Следующий розыгрыш начинает игрок, выигравший предыдущий раунд…»"""
    scene = kozel("5-6", "1-2", ends=(1, 0), turn=1).play("1-2")
    assert scene.last.next_opener == 1
    assert scene.deal("1-1", "").round.turn == 1


def test_with_any_tile_even_0_0_and_6_6() -> None:
    """000, Козёл, 2, with rulebook 2.2: later rounds are opened with any tile, 0-0 and 6-6 included."""
    scene = first_deal("kozel", "1-1", "0-0 6-6 0-1 0-2 0-3 0-4 0-5", fresh=False, opener=1)
    assert scene.legal == {"0-0", "6-6", "0-1", "0-2", "0-3", "0-4", "0-5"}


def test_after_a_fish_who_has_the_fewest_points_begins() -> None:
    """000, Козёл, 2: «…или тот, кто набрал наименьшее количество очков при «рыбе».»"""
    assert kozel("0-6 4-4", "3-5", "1-2", ends=(0, 6)).play("0-6 left").last.next_opener == 2


def test_among_equals_the_first_in_turn_from_the_fisher_begins() -> None:
    """000, Козёл, 2, with rulebook 1: among equal seats the first in turn order counted from the fisher, the fisher
    included.
    """
    assert kozel("0-6 1-2", "1-1 0-1", "4-4", ends=(0, 6)).play("0-6 left").last.next_opener == 0
    assert (
        kozel("0-1", "4-4", "0-6 1-5", "1-2 2-4", ends=(0, 6), turn=2, bazaar="").play("0-6 left").last.next_opener == 0
    )
    tied = kozel("1-2", "4-4", "0-6 5-5", "1-1 0-1", ends=(0, 6), turn=2).play("0-6 left").last
    assert tied.winner == (0, 3)
    assert tied.next_opener == 3


def test_of_the_lowest_pair_the_seat_with_fewer_points_begins() -> None:
    """000, Козёл, 2, with rulebook 1: only seats of the lowest side count, though another seat may have fewer points."""
    scene = kozel("0-6 1-3", "4-4 4-5", "2-3", "0-1", ends=(0, 6), game=table("kozel", 4, True)).play("0-6 left")
    assert scene.last.hand_points == (4, 17, 5, 1)
    assert scene.last.winner == (0,)
    assert scene.last.next_opener == 0


def test_losers_record_what_they_are_left_with() -> None:
    """000, Козёл, 2: «Проигравшие в каждом розыгрыше записывают на свой счёт сумму очков на оставшихся у них
    костяшках.»
    """
    last = kozel("1-2", "5-6 3-4", "4-5 5-5", ends=(1, 0)).play("1-2").last
    assert last.scored == (0, 18, 19)


def test_at_a_fish_each_side_above_the_lowest_records() -> None:
    """000, Козёл, 2, with rulebook 2.2: sides tied for lowest record nothing."""
    last = kozel("0-6 1-2", "0-3", "5-5 4-4", ends=(0, 6), open=(True,) * 3).play("0-6 left").last
    assert last.winner == (0, 1)
    assert last.scored == (0, 0, 18)


@pytest.mark.parametrize(("left", "scored"), [("5-6 0-1", (0, 0)), ("5-6 0-2", (0, 13))])
def test_single_players_need_13_points_to_begin_the_account(left: str, scored: tuple[int, int]) -> None:
    """000, Козёл, 2: «Чтобы начать запись, нужно набрать хотя бы 25 очков (при игре пара-на-пару), или 13 при игре
    «каждый сам за себя».»
    """
    last = kozel("1-2", left, ends=(1, 3)).play("1-2").last
    assert last.scored == scored
    assert last.open == (False, scored[1] > 0)


@pytest.mark.parametrize(("left", "scored"), [("5-6 0-1", (0, 0)), ("5-6 0-2", (0, 25))])
def test_pairs_need_25_points_to_begin_the_account(left: str, scored: tuple[int, int]) -> None:
    """000, Козёл, 2: the same sentence, of pairs; 12 of these points are the partner's."""
    last = kozel("1-2", left, "0-3", "5-5 1-1", ends=(1, 3), game=table("kozel", 4, True)).play("1-2").last
    assert last.scored == scored
    assert last.open == (False, scored[1] > 0)


def test_once_open_an_account_takes_everything() -> None:
    """000, Козёл, 2, with rulebook 1: once open, everything is recorded."""
    assert kozel("1-2", "0-3", ends=(1, 5), open=OPEN, totals=(0, 20)).play("1-2").last.totals == (0, 23)


def test_points_before_the_account_are_lost() -> None:
    """000, Козёл, 2, with rulebook 1: what comes before the threshold is lost."""
    scene = kozel("1-2", "5-6", ends=(1, 0)).play("1-2")
    assert scene.last.totals == (0, 0)
    assert scene.last.deferred == (0, 0)


def test_equal_points_at_a_fish_are_eggs_here_too() -> None:
    """000, Козёл, 3: «При «рыбе» в случае равного количества очков, оставшегося у игроков также объявляются «яйца».»"""
    last = kozel("0-6 1-5", "2-4", ends=(0, 6), eggs=4).play("0-6 left").last
    assert (last.winner, last.scored, last.eggs) == ((), (0, 0), 10)


def test_eggs_are_added_to_the_loser_of_the_next_round() -> None:
    """000, Козёл, 3: «Приписываются проигравшему в следующем раунде…»; rulebook 2.2: before the threshold."""
    last = kozel("1-2", "5-6", ends=(1, 0), eggs=2).play("1-2").last
    assert (last.scored, last.eggs, last.open) == ((0, 13), 0, (False, True))


def test_eggs_are_added_to_who_has_more_points_at_a_fish() -> None:
    """000, Козёл, 3: «…или тому игроку, у которого осталось больше очков в случае «рыбы».»"""
    last = kozel("0-6 1-2", "4-5", "5-5", ends=(0, 6), eggs=7, open=(True,) * 3).play("0-6 left").last
    assert (last.scored, last.eggs) == ((0, 9, 17), 0)


def test_eggs_stay_where_several_losers_have_the_most() -> None:
    """000, Козёл, 3, with rulebook 2.2: if several have the most, the eggs stay on the line."""
    last = kozel("1-2", "5-5", "4-6", ends=(1, 3), eggs=7, open=(True,) * 3).play("1-2").last
    assert (last.scored, last.eggs) == ((0, 10, 10), 7)


@pytest.mark.parametrize(("tile", "bonus"), [("0-0", 25), ("6-6", 50), ("5-5", 0)])
def test_a_bonus_double_at_the_start_costs_the_loser_more(tile: str, bonus: int) -> None:
    """000, Козёл, 4: «Если игра была начата или закончена дуплем 0-0, проигравшему дополнительно плюсуется 25 очков.
    Если же дуплем 6-6, то — 50 очков.»
    """
    assert kozel("1-2", "0-3", ends=(1, 5), opened=tile, open=OPEN).play("1-2").last.scored == (0, 3 + bonus)


@pytest.mark.parametrize(("tile", "bonus"), [("0-0", 25), ("6-6", 50), ("5-5", 0)])
def test_a_bonus_double_at_the_end_costs_the_loser_more(tile: str, bonus: int) -> None:
    """000, Козёл, 4: the same sentences, of the last tile."""
    pip = int(tile[0])
    assert kozel(tile, "0-3", ends=(pip, 2), open=OPEN).play(f"{tile} left").last.scored == (0, 3 + bonus)


def test_bonuses_add_up_and_each_loser_gets_them() -> None:
    """000, Козёл, 4, with rulebook 2.2: all that apply add up; two doubles at once count each."""
    last = kozel("6-6", "1-2", "0-3", ends=(6, 0), opened="0-0", open=(True,) * 3).play("6-6").last
    assert last.scored == (0, 78, 78)
    both = kozel("6-6 5-5", "1-2", ends=(6, 5), opened="0-0", open=OPEN).play("6-6 left + 5-5 right").last
    assert both.scored == (0, 78)


def test_the_opening_bonus_counts_at_a_decisive_fish_and_is_lost_at_eggs() -> None:
    """000, Козёл, 4, with rulebook 2.2: a fish is no going out; at eggs the bonus is not put on the line."""
    decisive = kozel("0-6 1-2", "4-5", ends=(0, 6), opened="6-6", open=OPEN).play("0-6 left").last
    assert decisive.scored == (0, 59)
    fished_with = kozel("0-0 1-2", "4-5", ends=(0, 6), open=OPEN).play("0-0").last
    assert fished_with.scored == (0, 9)
    equal = kozel("0-6 1-5", "2-4", ends=(0, 6), opened="6-6", open=OPEN).play("0-6 left").last
    assert (equal.scored, equal.eggs) == ((0, 0), 6)


def test_a_bonus_helps_to_open_the_account() -> None:
    """000, Козёл, 4, with rulebook 1: what a side gets in one round, bonus included, must reach the threshold."""
    assert kozel("1-2", "0-3", ends=(1, 5), opened="0-0").play("1-2").last.scored == (0, 28)


def test_without_the_option_there_are_no_bonuses() -> None:
    """000, Козёл, 4, with rulebook 2.8: `bonuses: no`."""
    game = table("kozel", 2, bonuses=False)
    assert kozel("6-6", "0-3", ends=(6, 2), opened="0-0", open=OPEN, game=game).play("6-6").last.scored == (0, 3)


def test_who_gets_125_first_is_the_goat_and_loses() -> None:
    """000, Козёл, 5: «Игрок, первым набравший 125 очков, объявляется «козлом» — проигравшим.»"""
    assert kozel("1-2", "5-6", ends=(1, 0), open=OPEN, totals=(90, 113)).play("1-2").match.end is None
    end = kozel("1-2", "5-6", ends=(1, 0), open=OPEN, totals=(90, 114)).play("1-2").match.end
    assert end is not None
    assert (end.winners, end.losers, end.title, end.payout) == ((0,), (1,), "goat", None)


def test_several_may_become_goats_in_one_round() -> None:
    """000, Козёл, 5, with rulebook 2.2: several may become goats in the same round."""
    end = kozel("1-2", "5-6", "4-5", ends=(1, 0), open=(True,) * 3, totals=(0, 120, 120)).play("1-2").match.end
    assert end is not None
    assert (end.winners, end.losers) == ((0,), (1, 2))


@pytest.mark.parametrize("bonuses", [True, False])
def test_going_out_with_0_0_and_6_6_at_once_makes_general_goats(bonuses: bool) -> None:
    """000, Козёл, 5: «Когда же игрок заканчивает раунд сразу двумя дуплями 0-0 и 6-6, не зависимо от записанных очков,
    его противник объявляется «генеральским козлом»…»
    """
    game = table("kozel", 3, bonuses=bonuses)
    before: dict[str, Any] = {"open": (True, False, False), "totals": (120, 0, 0), "eggs": 9}
    scene = kozel("0-0 6-6", "5-6", "4-5", ends=(0, 6), game=game, **before).play("0-0 left + 6-6 right")
    end = scene.match.end
    assert end is not None
    assert (end.winners, end.losers, end.title) == ((0,), (1, 2), "general_goat")
    assert (scene.last.scored, scene.last.totals, scene.last.eggs) == ((0, 0, 0), (120, 0, 0), 9)
    assert (scene.last.open, scene.last.next_opener) == ((True, False, False), None)


def test_one_of_the_two_doubles_makes_no_general_goat() -> None:
    """000, Козёл, 5: the same sentence: both, and in one move."""
    assert kozel("6-6", "5-6", ends=(0, 6), opened="0-0", open=OPEN).play("6-6").match.end is None
    other = kozel("5-5 6-6", "4-5", ends=(5, 6), open=OPEN).play("5-5 left + 6-6 right")
    assert other.match.end is None
    assert other.last.scored == (0, 59)


@pytest.mark.parametrize("ruleset", ["domino", "kozel"])
def test_both_games_can_be_played_in_pairs(ruleset: str) -> None:
    """000, Козёл, 6: «Как в классическое домино, так и в козла можно играть парами. …игроки, сидящие друг напротив
    друга по диагонали, играют в одной команде.»
    """
    assert table(ruleset, 4, True).sides == (0, 1, 0, 1)
    assert table(ruleset, 4).sides == (0, 1, 2, 3)
