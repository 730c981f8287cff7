"""Source 001, the portal's «Козёл» and «Осёл»: a test for each sentence that states a rule. Paragraphs are counted
from each heading.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.scenes import Scene, first_deal, standing, table
from kozel.engine.events import Fish, TookBazaar, WentOut
from kozel.engine.round import IllegalMove
from kozel.engine.tiles import HALVES, NO_END, PIPS
from kozel.rules.ruleset import BadSetup

BOTH = pytest.mark.parametrize("ruleset", ["kozel-101", "osel"])
TITLES = pytest.mark.parametrize(("ruleset", "title"), [("kozel-101", "goat"), ("osel", "donkey")])


def at(ruleset: str, *hands: str, ends: tuple[int, ...], **more: Any) -> Scene:
    return standing(table(ruleset, len(hands)), *hands, ends=ends, **more)


def test_the_set_has_28_tiles() -> None:
    """001, Домино, 1: «Домино состоит из 28 косточек.»"""
    assert len(HALVES) == len(set(HALVES)) == 28


def test_each_half_has_0_to_6_points() -> None:
    """001, Домино, 1: «Каждая из частей содержит от нуля до шести точек.»"""
    assert {half for tile in HALVES for half in tile} == set(PIPS) == set(range(7))


@BOTH
def test_two_to_four_players_with_seven_tiles_each(ruleset: str) -> None:
    """001, Козёл, 1 and Осёл, 1: «…2-4 игрока. Каждый игрок получает по 7 косточек.»"""
    assert [table(ruleset, seats).hand for seats in (2, 3, 4)] == [7, 7, 7]
    with pytest.raises(BadSetup):
        table(ruleset, 4, True)


@BOTH
def test_the_lowest_double_begins(ruleset: str) -> None:
    """001, Козёл, 1 and Осёл, 1: «Начинает игру игрок с наименьшим дублем.» 0-0 included (rulebook 2.4)."""
    scene = first_deal(ruleset, "1-1", "0-0 6-6")
    assert (scene.round.turn, scene.legal) == (1, {"0-0"})


@BOTH
def test_without_a_double_the_smallest_tile_begins(ruleset: str) -> None:
    """001, Козёл, 1, with rulebook 2.4: if no hand has a double, the smallest tile."""
    scene = first_deal(ruleset, "0-2", "0-1", bazaar="0-0 1-1 2-2 3-3 4-4 5-5 6-6")
    assert (scene.round.turn, scene.legal) == (1, {"0-1"})


@BOTH
@pytest.mark.parametrize(("left", "scored"), [("5-6 0-1", 0), ("5-6 0-2", 13)])
def test_the_account_opens_with_13_points(ruleset: str, left: str, scored: int) -> None:
    """001, Козёл, 1: «Счет в партии открывается у игрока в том случае если при раздаче он набрал 13 очков или более.»
    Осёл, 4: «Чтобы начать запись, нужно набрать хотя бы 13 очков.»
    """
    last = at(ruleset, "1-2", left, ends=(1, 3)).play("1-2").last
    assert (last.scored, last.open) == ((0, scored), (False, scored > 0))


@BOTH
def test_the_winner_begins_the_next_round(ruleset: str) -> None:
    """001, Козёл, 1 and Осёл, 1: «Следующий розыгрыш начинает игрок, выигравший предыдущий…» With any tile (rulebook
    2.4).
    """
    scene = at(ruleset, "5-6", "1-2", ends=(1, 0), turn=1).play("1-2")
    assert scene.last.next_opener == 1
    assert len(scene.deal("0-0", "").legal) == 7


@BOTH
def test_or_the_fisher(ruleset: str) -> None:
    """001, Козёл, 1 and Осёл, 1: «…или объявивший "рыбу".» Even if the fisher lost."""
    last = at(ruleset, "0-6 4-4", "2-3", ends=(0, 6)).play("0-6 left").last
    assert (last.winner, last.next_opener) == ((1,), 0)


@BOTH
def test_the_next_puts_the_same_number_on_either_side(ruleset: str) -> None:
    """001, Козёл, 1: «Другой игрок должен приставить с любой стороны косточку с той же цифрой и т. д.»"""
    scene = at(ruleset, "1-4 2-5 3-6", "0-0", ends=(1, 2))
    assert scene.legal == {"1-4 left", "2-5 right"}
    assert at(ruleset, "1-4 2-5", "4-4", ends=(1, 2)).play("1-4").round.ends[:2] == (4, 2)


@BOTH
def test_who_has_nothing_to_put_draws_until_one_is_found(ruleset: str) -> None:
    """001, Козёл, 1 and Осёл, 4: «Если игрокам нечего ставить, они идут на «базар» и вытягивают косточки, пока не
    находится необходимая.»
    """
    scene = at(ruleset, "0-0", "5-5", ends=(1, 2), bazaar="4-4 3-3 1-6")
    assert scene.play("draw", "draw").legal == {"draw"}
    assert scene.play("draw").legal == {"1-6 left"}


@BOTH
def test_who_has_laid_all_tiles_wins(ruleset: str) -> None:
    """001, Козёл, 1 and Осёл, 4: «Выигрывает тот, у кого выложены все косточки.»"""
    scene = at(ruleset, "1-2", "0-1", ends=(1, 3)).play("1-2")
    assert (scene.last.result, scene.last.winner, scene.told(WentOut)) == ("out", (0,), [WentOut(0)])


@BOTH
def test_losers_record_what_they_are_left_with(ruleset: str) -> None:
    """001, Козёл, 2 and Осёл, 4: «Проигравшие в каждом розыгрыше записывают на свой счет сумму очков на оставшихся у
    них костяшках.»
    """
    assert at(ruleset, "1-2", "5-6 3-3", "4-5 5-5", ends=(1, 0)).play("1-2").last.scored == (0, 17, 19)


@BOTH
def test_a_fish_is_when_nobody_can_lay(ruleset: str) -> None:
    """001, Козёл, 3 and Осёл, 5: «Ситуация, при которой ни один игрок не может выложить необходимую косточку,
    называется «рыба».»
    """
    scene = at(ruleset, "0-6 1-1", "2-3", ends=(0, 6)).play("0-6 left")
    assert scene.told(Fish) == [Fish(0, False)]


@BOTH
def test_at_a_fish_the_fewest_points_win(ruleset: str) -> None:
    """001, Козёл, 3 and Осёл, 5: «В таком случае побеждает тот, у кого на руках остаются косточки с наименьшим общим
    числом очков.»
    """
    last = at(ruleset, "0-6 4-4", "2-3", "5-5 1-2", ends=(0, 6)).play("0-6 left").last
    assert (last.winner, last.scored) == ((1,), (0, 0, 13))


@BOTH
def test_all_who_tie_for_the_fewest_win_and_there_are_no_eggs(ruleset: str) -> None:
    """001, Козёл, 3, with rulebook 2.4: all tied players record nothing; no eggs."""
    some = at(ruleset, "0-6 1-2", "0-3", "5-5 4-4", ends=(0, 6)).play("0-6 left").last
    assert (some.winner, some.scored) == ((0, 1), (0, 0, 18))
    everybody = at(ruleset, "0-6 1-5", "2-4", ends=(0, 6)).play("0-6 left").last
    assert (everybody.winner, everybody.scored, everybody.eggs) == ((0, 1), (0, 0), 0)


@TITLES
def test_who_gets_101_is_the_goat_or_the_donkey(ruleset: str, title: str) -> None:
    """001, Козёл, 4 and Осёл, 6: «Игрок первым набравший 101 очко объявляется «козлом» — проигравшим.» («ослом»)"""
    short = at(ruleset, "1-2", "5-6", ends=(1, 0), open=(True, True), totals=(0, 89)).play("1-2").match
    assert short.end is None
    end = at(ruleset, "1-2", "5-6", ends=(1, 0), open=(True, True), totals=(0, 90)).play("1-2").match.end
    assert end is not None
    assert (end.winners, end.losers, end.title) == ((0,), (1,), title)


@BOTH
def test_all_who_have_101_or_more_lose(ruleset: str) -> None:
    """001, Козёл, 6 and Осёл, 8: «По итогам партии, игроки, набравшие больше 101 очка, считаются проигравшими.»"""
    scene = at(ruleset, "1-2", "5-6", "4-5", ends=(1, 0), open=(True,) * 3, totals=(0, 95, 99)).play("1-2")
    assert scene.match.end is not None
    assert scene.match.end.losers == (1, 2)


@BOTH
def test_the_bank_is_shared_inversely_to_the_points(ruleset: str) -> None:
    """001, Козёл, 6 and Осёл, 8: «Банк игры, делится между остальными игроками обратно пропорционально набранным
    очкам.»
    """
    ledger: dict[str, Any] = {"open": (True,) * 4, "totals": (20, 39, 90, 60)}
    scene = at(ruleset, "1-2", "0-1", "5-6", "0-0", ends=(1, 3), **ledger).play("1-2")
    assert scene.last.totals == (20, 40, 101, 60)
    assert scene.match.end is not None
    assert scene.match.end.payout == (218, 109, 0, 73)  # 400 as 6 : 3 : 2, which is 218.18, 109.09 and 72.73


@BOTH
def test_no_points_count_as_one_and_a_tie_of_remainders_goes_by_seat(ruleset: str) -> None:
    """001, Козёл, 6, with rulebook 2.4: 0 points count as 1; whole units by largest remainder, then seat order."""
    game = table(ruleset, 4, stake=1)
    scene = standing(game, "1-2", "0-0", "5-6", "0-0", ends=(1, 3), open=(True,) * 4, totals=(0, 1, 90, 1)).play("1-2")
    assert scene.match.end is not None
    assert scene.match.end.payout == (2, 1, 0, 1)
    three = standing(table(ruleset, 3, stake=1), "1-2", "5-6", "0-0", ends=(1, 3), open=(True,) * 3, totals=(0, 90, 0))
    end = three.play("1-2").match.end
    assert end is not None
    assert end.payout == (2, 0, 1)


def osel(*hands: str, ends: tuple[int, ...], **more: Any) -> Scene:
    return at("osel", *hands, ends=ends, **more)


def test_the_first_double_takes_tiles_on_four_sides() -> None:
    """001, Осёл, 2: «К первому выставленному дублю можно приставлять косточки с четырех сторон.»"""
    scene = first_deal("osel", "1-1", "1-2 0-1", bazaar="0-0").play("1-1")
    assert scene.round.ends == (1, 1, 1, 1)
    assert {"1-2 left", "1-2 right", "1-2 up", "1-2 down"} <= scene.legal


def test_a_double_laid_later_is_the_spinner_too() -> None:
    """001, Осёл, 2, with rulebook 2.5: laid on a line, it goes on from its far side, and up and down open."""
    scene = osel("2-2 0-0", "2-4", ends=(1, 2)).play("2-2")
    assert scene.round.ends == (1, 2, 2, 2)


def test_there_is_one_spinner_only() -> None:
    """001, Осёл, 2, with rulebook 2.5: never more than four ends, and no second spinner."""
    assert osel("3-3 0-0", "3-4", ends=(3, 2, 5, 5)).play("3-3").round.ends == (3, 2, 5, 5)


def test_two_three_or_four_doubles_may_be_laid_at_once() -> None:
    """001, Осёл, 2: «Если игрок имеет возможность выставить дубль с каждой стороны (2, 3 или 4 дубля), то он может
    выставить их одновременно.»
    """
    scene = osel("1-1 2-2 3-3 4-4 0-0", "1-5", ends=(1, 2, 3, 4))
    assert "1-1 left + 4-4 down" in scene.legal
    assert "1-1 left + 2-2 right + 4-4 down" in scene.legal
    scene.play("1-1 left + 2-2 right + 3-3 up + 4-4 down")
    assert scene.round.ends == (1, 2, 3, 4)
    assert scene.round.hands[0].bit_count() == 1


def test_several_at_once_are_doubles_each_on_its_own_end() -> None:
    """001, Осёл, 2, with rulebook 1: different doubles, each on its own end."""
    for text in ("1-1 left + 1-1 right", "1-1 left + 2-2 left", "1-1 left + 2-3 right"):
        with pytest.raises(IllegalMove):
            osel("1-1 2-2 2-3", "1-5", ends=(1, 2, 1, 2)).play(text)


def test_whoever_lays_a_double_may_close_it() -> None:
    """001, Осёл, 3: «Игрок, выставляющий дубль имеет право его «закрыть».»"""
    scene = osel("1-1 0-0", "2-4", ends=(1, 2, 3, 4))
    assert {"1-1 left", "1-1 left closed"} <= scene.legal
    with pytest.raises(IllegalMove, match="closed_no_double"):
        osel("1-2 0-0", "2-4", ends=(1, 2, 3, 4)).play("1-2 left closed")


def test_nothing_more_is_laid_on_a_closed_side() -> None:
    """001, Осёл, 3: «При этом дальнейшее выставление косточек с этой стороны запрещено.»"""
    scene = osel("1-1 0-0", "1-5 2-4", ends=(1, 2, 3, 4)).play("1-1 left closed")
    assert scene.round.ends == (NO_END, 2, 3, 4)
    assert scene.legal == {"2-4 right", "2-4 down"}


def test_of_several_doubles_any_may_be_closed() -> None:
    """001, Осёл, 3: «При высталении нескольких дублей одновременно, игрок имеет право закрыть или открыть любое
    количество дублей.»
    """
    scene = osel("1-1 2-2 0-0", "1-5", ends=(1, 2, 3, 4))
    one, two = ("1-1 left", "1-1 left closed"), ("2-2 right", "2-2 right closed")
    assert {f"{first} + {second}" for first in one for second in two} <= scene.legal
    assert osel("1-1 2-2 0-0", "1-5", ends=(1, 2, 3, 4)).play("1-1 left + 2-2 right closed").round.ends[:2] == (
        1,
        NO_END,
    )


def test_the_opening_double_cannot_be_closed() -> None:
    """001, Осёл, 3, with rulebook 2.5."""
    with pytest.raises(IllegalMove, match="opening_not_closed"):
        first_deal("osel", "1-1", "1-2").play("1-1 closed")


def test_a_first_double_laid_closed_leaves_the_round_without_a_spinner() -> None:
    """001, Осёл, 3, with rulebook 2.5."""
    scene = osel("2-2 0-0", "1-4 4-4", ends=(1, 2)).play("2-2 closed").play("1-4")
    assert scene.round.ends == (4, NO_END, NO_END, NO_END)
    assert scene.legal == {"4-4 left", "4-4 left closed"}


def test_closing_two_doubles_on_a_line_without_doubles_ends_the_round() -> None:
    """001, Осёл, 3: «Если первым ходом был выставлен не дубль и до тех пор, пока не был выставлен хотя бы один дубль,
    очередной игрок имеет право закрыть два дубля одновременно. Розыгрыш на этом заканчивается и происходит обычный
    подсчет очков.»
    """
    scene = osel("1-1 2-2 0-5", "4-6 3-6", ends=(1, 2), bazaar="1-3").play("1-1 left closed + 2-2 right closed")
    assert scene.told(Fish) == [Fish(0, True)]
    assert scene.told(TookBazaar) == []
    assert (scene.last.result, scene.last.winner, scene.last.scored) == ("fish", (0,), (0, 19))


def test_any_last_end_closed_ends_the_round() -> None:
    """001, Осёл, 3, with rulebook 2.5: the fisher is who closed the last end; nobody draws."""
    scene = osel("2-2 0-5", "2-6", ends=(NO_END, 2, NO_END, NO_END), bazaar="1-3").play("2-2 closed")
    assert scene.told(Fish) == [Fish(0, True)]
    assert scene.last.hand_points == (5, 8)


def test_the_order_named_says_which_of_two_first_doubles_is_the_spinner() -> None:
    """001, Осёл, 2, with rulebook 2.5: the first as named in the move that is laid open; if all are closed there is
    none.
    """
    two, one = "2-2 right", "1-1 left"
    assert osel("1-1 2-2 0-0", "1-5", ends=(1, 2)).play(f"{one} + {two}").round.ends == (1, 2, 1, 1)
    assert osel("1-1 2-2 0-0", "1-5", ends=(1, 2)).play(f"{two} + {one}").round.ends == (1, 2, 2, 2)
    assert osel("1-1 2-2 0-0", "2-5", ends=(1, 2)).play(f"{one} closed + {two}").round.ends == (NO_END, 2, 2, 2)


def test_going_out_beats_the_last_end_closed() -> None:
    """001, Осёл, 3, with rulebook 1: being out beats everything else that the same move causes."""
    scene = osel("2-2", "2-6", ends=(NO_END, 2, NO_END, NO_END)).play("2-2 closed")
    assert scene.last.result == "out"


def test_no_two_doubles_at_once_in_the_portals_kozel() -> None:
    """001, Козёл, 1, with rulebook 2: it is `no` there."""
    with pytest.raises(IllegalMove):
        at("kozel-101", "1-1 2-2 0-0", "1-5", ends=(1, 2)).play("1-1 left + 2-2 right")
