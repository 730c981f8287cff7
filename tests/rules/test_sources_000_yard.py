"""Source 000, «Козёл (дворовый вариант)»: a test for each sentence that states a rule. Paragraphs are counted from the
heading.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.scenes import Scene, first_deal, names, standing, table, tiles
from kozel.engine.events import Threw, WentOut
from kozel.engine.match import BadDeal
from kozel.engine.round import IllegalMove
from kozel.rules.ruleset import BadSetup


def yard(*hands: str, ends: tuple[int, ...], **more: Any) -> Scene:
    return standing(table("kozel-yard", len(hands)), *hands, ends=ends, **more)


def test_only_four_in_pairs_or_two_play() -> None:
    """000, двор, 1: «Играют только четверо парами, либо двое.»"""
    assert table("kozel-yard", 2).sides == (0, 1)
    assert table("kozel-yard", 4).sides == (0, 1, 0, 1)
    with pytest.raises(BadSetup):
        table("kozel-yard", 3)
    with pytest.raises(BadSetup):
        table("kozel-yard", 4, False)


def test_no_points_are_written_down() -> None:
    """000, двор, 1: «В данной игре фактическая запись очков не ведётся.»"""
    last = yard("1-2", "5-6 4-4", ends=(1, 0)).play("1-2").last
    assert (last.hand_points, last.scored, last.totals, last.eggs) == ((0, 19), (0, 0), (0, 0), 0)


@pytest.mark.parametrize(("left", "sitting"), [("5-6 0-1", None), ("5-6 0-2", 1)])
def test_two_players_sit_down_with_13_points(left: str, sitting: int | None) -> None:
    """000, двор, 2: «Если в раунде пара набрала 25 и более очков (13 и более при игре вдвоём), им делается условная
    запись (садятся на козла).»
    """
    assert yard("1-2", left, ends=(1, 3)).play("1-2").last.sitting == sitting


@pytest.mark.parametrize(("left", "sitting"), [("5-6 0-1", None), ("5-6 0-2", 1)])
def test_a_pair_sits_down_with_25_points(left: str, sitting: int | None) -> None:
    """000, двор, 2: the same sentence, of pairs; 12 of these points are the partner's."""
    assert yard("1-2", left, "0-3", "5-5 1-1", ends=(1, 3)).play("1-2").last.sitting == sitting


def test_lone_doubles_and_bonuses_count_for_nothing() -> None:
    """000, двор, 2, with rulebook 2.3: the losing side's hand points, no lone tile, no bonus."""
    assert yard("1-2", "6-6", ends=(1, 3), opened="0-0").play("1-2").last.sitting is None


def test_the_winner_takes_6_6_for_the_next_deal() -> None:
    """000, двор, 2: «Далее выигравший участник забирает себе дупль 6-6, и после раздачи ходит им.»"""
    scene = yard("5-6 3-3", "1-2", ends=(1, 0), turn=1).play("1-2")
    assert scene.last.sitting == 0
    assert scene.match.game.taken(scene.match.ledger) == (1, tiles("6-6")[0])
    with pytest.raises(BadDeal):
        Scene(scene.match).deal("6-6", "")
    scene.deal("", "6-6 0-1")
    assert (scene.round.turn, scene.legal) == (1, {"6-6"})


def test_after_a_fish_the_lowest_seat_of_the_winners_takes_6_6() -> None:
    """000, двор, 2, with rulebook 2.3: after a fish, the lowest seat of the winning side."""
    last = yard("0-6 5-5 4-4", "2-3", "3-3 4-5", "0-2", ends=(0, 6)).play("0-6 left").last
    assert (last.sitting, last.next_opener) == (0, 3)


def test_nobody_takes_6_6_while_nobody_sits() -> None:
    """000, двор, 2: only when somebody sits on the goat."""
    scene = yard("0-1", "1-2", ends=(1, 3), turn=1).play("1-2")
    assert scene.match.game.taken(scene.match.ledger) is None
    scene.deal("6-6", "1-3 0-0 4-5 1-6")
    assert scene.round.turn == 1
    assert {"1-3", "0-0", "4-5", "1-6"} <= scene.legal


def test_who_sits_and_loses_again_is_the_goat_however_few_the_points() -> None:
    """000, двор, 2: «В случае когда игрокам удаётся снова записать на тех, кто сидит на козле, причём не обязательно
    25 (13) и более, то последние объявляются козлами…»
    """
    scene = yard("1-2", "0-1", ends=(2, 3), sitting=1).play("1-2")
    end = scene.match.end
    assert end is not None
    assert (end.winners, end.losers, end.title) == ((0,), (1,), "goat")
    assert scene.last.sitting == 1


def test_losing_again_with_nothing_in_hand_changes_nothing() -> None:
    """000, двор, 2, with rulebook 2.3: 0 points, a lone 0-0: nothing changes; the winner takes 6-6 for the next."""
    scene = yard("1-2", "0-0", ends=(1, 3), sitting=1, opener=0).play("1-2")
    assert scene.match.end is None
    assert (scene.last.sitting, scene.last.next_opener) == (1, 0)


def test_who_sits_and_goes_out_is_written_off_and_all_begins_anew() -> None:
    """000, двор, 2: «В противном случае, если только раунд не закончился «рыбой», у сидящих на козле производится
    условное списание и всё начинается с начала.»
    """
    scene = yard("1-2", "5-6 4-4", ends=(1, 0), sitting=0).play("1-2")
    assert scene.match.end is None
    assert (scene.last.sitting, scene.last.next_opener) == (None, None)
    scene.deal("0-0 6-6 3-3", "2-2")
    assert (scene.round.turn, scene.legal) == (1, {"2-2"})


def test_a_fish_won_by_those_who_sit_puts_the_others_on_the_goat() -> None:
    """000, двор, 2: «Когда же раунд заканчивается «рыбой» в пользу сидящих на козле, дополнительно их соперникам в
    наказание сразу производится запись.»
    """
    last = yard("0-6 1-1", "0-3", ends=(0, 6), sitting=0).play("0-6 left").last
    assert last.hand_points == (2, 3)
    assert (last.sitting, last.next_opener) == (1, 0)


def test_an_equal_fish_changes_nothing() -> None:
    """000, двор, 2, with rulebook 2.3: no eggs; if somebody sits, the same player takes 6-6 again."""
    free = yard("0-6 1-5", "2-4", ends=(0, 6), turn=0).play("0-6 left").last
    assert (free.eggs, free.sitting, free.next_opener) == (0, None, 0)
    scene = yard("0-6 1-5", "2-4", ends=(0, 6), sitting=0)
    match = scene.match._replace(ledger=scene.match.ledger._replace(opener=1))
    sat = Scene(match).play("0-6 left").last
    assert (sat.sitting, sat.next_opener, sat.scored) == (0, 1, (0, 0))


def snot(*hands: str) -> Scene:
    """6-6 is led by seat 0, which took it."""
    return first_deal(table("kozel-yard", len(hands)), *hands, sitting=1, opener=0, fresh=False).play("6-6")


def test_the_opener_of_6_6_and_the_partner_throw_their_doubles_under_it() -> None:
    """000, двор, 3: «Когда первый ход совершается дуплем 6-6, зашедший игрок и его партнёр, в случае парной игры,
    могут выбросить на стол дупли от 0-0 до 5-5…»
    """
    scene = snot("6-6 0-0 2-2", "3-3", "1-1", "4-4")
    zero, one, two = tiles("0-0 1-1 2-2")
    assert scene.told(Threw) == [Threw(((0, zero), (2, one), (0, two)), (4, 7, 6, 7))]


def test_of_two_players_the_opener_alone_throws() -> None:
    """000, двор, 3: the partner only where there is one."""
    scene = snot("6-6 0-0 1-1", "2-2 3-3")
    assert scene.told(Threw) == [Threw(((0, tiles("0-0")[0]), (0, tiles("1-1")[0])), (4, 7))]


def test_snot_leaves_both_ends_at_6() -> None:
    """000, двор, 3: «Кладутся выброшенные таким образом дупли под центральной костью 6-6 и называются «соплёй».»"""
    scene = snot("6-6 0-0 1-1", "2-6")
    assert scene.round.ends == (6, 6)
    assert names(scene.round.hands[0]).isdisjoint({"6-6", "0-0", "1-1"})


def test_snot_begins_with_0_0() -> None:
    """000, двор, 3: ««Сопля» пренепременно должна начинаться с дупля 0-0…»"""
    assert snot("6-6 1-1 2-2", "0-0").told(Threw) == []


def test_snot_goes_on_without_a_gap() -> None:
    """000, двор, 3: «…и далее подряд 1-1, 2-2 и т.д.»"""
    assert snot("6-6 0-0 2-2 3-3", "1-1").told(Threw) == [Threw(((0, tiles("0-0")[0]),), (5, 7))]


def test_snot_is_thrown_by_the_game_on_the_first_move_only() -> None:
    """000, двор, 3: ««Сопля» формируется только на самом первом ходу в раунде (в нашей игре это делается
    автоматически, с оповещением участников).»
    """
    later = yard("6-6 0-0 1-1", "2-6", ends=(6, 5)).play("6-6 left")
    assert later.told(Threw) == []
    other = first_deal("kozel-yard", "5-5 0-0 1-1", "6-6", fresh=False, opener=0).play("5-5")
    assert other.told(Threw) == []


def test_snot_is_thrown_under_6_6_led_of_free_will() -> None:
    """000, двор, 3, with rulebook 2.3: whenever the opening tile is 6-6, not only when it was taken."""
    scene = first_deal("kozel-yard", "6-6 0-0", "1-1", fresh=False, opener=0).play("6-6")
    assert len(scene.told(Threw)) == 1


def test_a_hand_emptied_by_snot_is_out_but_not_gone_out_on_0_0() -> None:
    """000, двор, 3 and 4, with rulebook 2.3: a double thrown is neither "gone out on" nor part of the opening move."""
    game = table("kozel-yard", 2)._replace(hand=2)
    scene = first_deal(game, "6-6 0-0", "2-3 4-5", fresh=False, opener=0).play("6-6")
    assert scene.told(WentOut) == [WentOut(0)]
    assert scene.match.end is None
    assert (scene.last.result, scene.last.sitting) == ("out", 1)


@pytest.mark.parametrize("sitting", [None, 0, 1])
def test_going_out_on_0_0_makes_officer_goats_whoever_sits(sitting: int | None) -> None:
    """000, двор, 4: «Когда игрок заканчивает розыгрыш дуплем 0-0, не зависимо от того, есть ли у кого-нибудь запись,
    его противник или противники получают это звание, и соответственно проигрывают.»
    """
    scene = yard("0-0", "1-2", ends=(0, 3), sitting=sitting).play("0-0")
    end = scene.match.end
    assert end is not None
    assert (end.winners, end.losers, end.title) == ((0,), (1,), "officer_goat")
    assert scene.last.sitting == sitting


def test_a_pair_gets_the_officers_title_together() -> None:
    """000, двор, 4: «…его противник или противники…»"""
    end = yard("1-2", "0-0", "1-3", "1-4", ends=(0, 3), turn=1).play("0-0").match.end
    assert end is not None
    assert (end.winners, end.losers) == ((1,), (0,))


def test_with_another_double_than_6_6_it_is_an_officer_goat_too() -> None:
    """000, двор, 4, with rulebook 2.3: on 0-0 alone, or with another double than 6-6."""
    end = yard("0-0 3-3", "1-2", ends=(0, 3)).play("0-0 left + 3-3 right").match.end
    assert end is not None
    assert end.title == "officer_goat"


def test_a_fish_made_with_0_0_gives_no_title() -> None:
    """000, двор, 4: who ends the round with 0-0 has gone out on it."""
    assert yard("0-0 1-1", "2-3", ends=(0, 0)).play("0-0 left").match.end is None


def test_there_is_a_general_goat_too() -> None:
    """000, двор, 5: ««Генеральский козёл» в данной разновидности игры тоже присутствует.»"""
    scene = yard("0-0 6-6", "1-2", ends=(0, 6), sitting=0).play("0-0 left + 6-6 right")
    end = scene.match.end
    assert end is not None
    assert (end.winners, end.losers, end.title) == ((0,), (1,), "general_goat")
    assert scene.last.sitting == 0


def test_6_6_must_be_led_while_somebody_sits() -> None:
    """000, двор, 2: «…и после раздачи ходит им.»"""
    scene = first_deal(table("kozel-yard"), "6-6 0-1", "", sitting=1, opener=0, fresh=False)
    with pytest.raises(IllegalMove, match="must_open_with"):
        scene.play("0-1")
