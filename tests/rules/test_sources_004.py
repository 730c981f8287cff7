"""Source 004, «Домино (Козел)» with deferred points: a test for each sentence that states a rule, by paragraph."""

from __future__ import annotations

from typing import Any

import pytest

from engine.scenes import Scene, first_deal, standing, table, tiles
from kozel.engine.events import Passed, TookBazaar
from kozel.engine.round import IllegalMove
from kozel.engine.tiles import mask_of


def deferred(*hands: str, ends: tuple[int, ...], **more: Any) -> Scene:
    return standing(table("kozel-deferred", len(hands)), *hands, ends=ends, **more)


def test_two_to_four_play_with_28_tiles() -> None:
    """004, 2: «В эту игру могут играть от 2 до 4 человек, используя 28 костяшек.»"""
    for seats in (2, 3, 4):
        state = first_deal("kozel-deferred", *[""] * seats).round
        assert sum(hand.bit_count() for hand in state.hands) + len(state.bazaar) == 28


def test_each_takes_seven_and_the_rest_is_the_bazaar() -> None:
    """004, 3: «Каждый игрок набирает себе 7 костяшек, а оставшиеся служат резервом ("базаром").»"""
    assert [table("kozel-deferred", seats).hand for seats in (2, 3, 4)] == [7, 7, 7]
    assert len(first_deal("kozel-deferred", "", "", "").round.bazaar) == 7


def test_the_lowest_double_other_than_0_0_begins() -> None:
    """004, 3: «Первый ход принадлежит игроку, имеющему на руках наименьший дубль, отличный от 0-0 (например, 1-1, 2-2
    и т.д.), который кладется на стол…»
    """
    scene = first_deal("kozel-deferred", "0-0 3-3", "2-2 6-6", bazaar="1-1")
    assert (scene.round.turn, scene.legal) == (1, {"2-2"})
    assert first_deal("kozel-deferred", "0-0", "6-6", bazaar="1-1 2-2 3-3 4-4 5-5").legal == {"6-6"}


def test_without_one_the_smallest_tile_other_than_0_0_begins() -> None:
    """004, 3, with rulebook 2.7: if nobody has one, the smallest tile other than 0-0."""
    scene = first_deal("kozel-deferred", "0-0 0-3", "0-2 1-5", bazaar="0-1 1-1 2-2 3-3 4-4 5-5 6-6")
    assert (scene.round.turn, scene.legal) == (1, {"0-2"})


def test_the_others_follow_in_turn_to_the_left() -> None:
    """004, 3: «…после чего остальные игроки по очереди, начиная слева от походившего…»"""
    scene = first_deal("kozel-deferred", "1-6 6-6", "1-1 1-5", "1-2 2-2").play("1-1")
    assert scene.round.turn == 2
    assert scene.play("1-2").round.turn == 0
    assert scene.play("1-6").round.turn == 1


def test_a_tile_is_put_left_or_right_with_the_same_number() -> None:
    """004, 3: «…должны положить кость с тем же значением, что и выложенная, примкнув ее слева или справа от нее
    стороной с идентичным значением…»
    """
    scene = first_deal("kozel-deferred", "1-1", "1-2 2-3 3-4 4-5 5-6 0-6 0-5").play("1-1")
    assert scene.legal == {"1-2 left", "1-2 right"}


def test_the_next_tiles_fit_the_ends_of_the_chain() -> None:
    """004, 3: «…формируя таким образом цепочку, к значениям на краях которой должны пристраиваться следующие кости.»"""
    scene = deferred("2-4", "2-5 4-5 1-3", ends=(2, 1)).match
    assert scene.round is not None
    assert deferred("2-4 0-0", "2-5 4-5 1-3", ends=(2, 1)).play("2-4").legal == {"4-5 left", "1-3 right"}


def test_who_lacks_a_tile_draws_until_one_comes() -> None:
    """004, 4: «Если игрок не имеет нужной костяшки на руках для совершения хода, то он должен добирать костяшки из
    базара до тех пор, пока не попадется нужная…»
    """
    scene = deferred("0-0", "5-5", ends=(1, 2), bazaar="4-4 1-6").play("draw")
    assert scene.legal == {"draw"}
    assert scene.play("draw").legal == {"1-6 left"}


def test_with_an_empty_bazaar_the_turn_passes() -> None:
    """004, 4: «…в противном случае (при пустом базаре) пропустить ход, который переходит к следующему от него игроку.»"""
    scene = deferred("1-4 0-0", "5-5", "2-6", ends=(1, 2)).play("1-4")
    assert (scene.told(Passed), scene.round.turn) == ([Passed(1)], 2)
    after_drawing = deferred("0-0", "5-5", "1-6", ends=(1, 2), bazaar="4-4").play("draw")
    assert (after_drawing.told(Passed), after_drawing.round.turn) == ([Passed(0), Passed(1)], 2)


def test_the_round_goes_on_until_somebody_lays_the_last_tile() -> None:
    """004, 5: «Розыгрыш ведется до тех пор, пока кто-либо из игроков не выложит последнюю кость…»"""
    assert deferred("1-2", "1-1", ends=(1, 3)).play("1-2").last.result == "out"


def test_or_nobody_can_move() -> None:
    """004, 5: «…или никто из игроков не может больше сделать ход, имея кости на руках при пустом базаре (такая
    ситуация называется "рыбой")…» At once, and the bazaar is taken (rulebook 1).
    """
    scene = deferred("0-6 1-1", "2-3", ends=(0, 6), bazaar="4-4").play("0-6 left")
    assert (scene.last.result, scene.told(TookBazaar)) == ("fish", [TookBazaar(1, tiles("4-4"))])


def test_the_tiles_left_in_hand_are_counted() -> None:
    """004, 5: «…после чего происходит подсчет очков, суммируя значения оставшихся на руках костяшек…» Everybody's, the
    lowest at a fish too (rulebook 2.7).
    """
    last = deferred("0-6 1-1", "2-3 5-5", ends=(0, 6), open=(True, True)).play("0-6 left").last
    assert (last.winner, last.scored) == ((0,), (2, 15))


@pytest.mark.parametrize(("left", "put_by", "scored"), [("5-6 0-1", 12, 0), ("5-6 0-2", 0, 13)])
def test_12_points_and_fewer_are_put_by(left: str, put_by: int, scored: int) -> None:
    """004, 5, 1: «если игрок набрал 12 очков и менее, его счет не открывается, а очки накапливаются…»"""
    last = deferred("1-2", left, ends=(1, 3)).play("1-2").last
    assert (last.deferred, last.scored, last.open) == ((0, put_by), (0, scored), (False, scored > 0))


def test_what_is_put_by_adds_up() -> None:
    """004, 5, 1: «…суммируясь с ранее накопленными…»"""
    last = deferred("1-2", "5-6", ends=(1, 0), deferred=(0, 10)).play("1-2").last
    assert (last.deferred, last.totals, last.open) == ((0, 21), (0, 0), (False, False))


def test_more_than_12_points_open_the_account_with_what_was_put_by() -> None:
    """004, 5, 1 and 2: «…и записываются игроку только в том случае, если он откроет счет»; «если игрок набрал больше
    12 очков, то он открывает свой счет, добавляя к нему ранее накопленные очки»
    """
    last = deferred("1-2", "5-6 1-1", ends=(0, 2), deferred=(0, 10)).play("1-2").last
    assert (last.deferred, last.scored, last.open) == ((0, 0), (0, 23), (False, True))


def test_going_out_without_an_account_clears_what_was_put_by() -> None:
    """004, 5, 3: «если игрок выложил все свои кости первым, не открыв ранее свой счет, то все накопленных очки
    обнуляются»
    """
    last = deferred("1-2", "5-6", ends=(1, 0), deferred=(10, 0)).play("1-2").last
    assert (last.deferred, last.totals, last.open) == ((0, 11), (0, 0), (False, False))


def test_winning_a_fish_clears_nothing() -> None:
    """004, 5, 3: only who has laid all tiles."""
    last = deferred("0-6 1-1", "2-3", ends=(0, 6), deferred=(10, 0)).play("0-6 left").last
    assert last.deferred == (12, 5)


def test_with_an_open_account_everything_is_recorded() -> None:
    """004, 5, 4: «игрок, открывший счет, не может больше накапливать очки за розыгрыш и всегда должен их записывать»"""
    last = deferred("1-2", "0-3", ends=(1, 5), open=(False, True), totals=(0, 20)).play("1-2").last
    assert (last.scored, last.totals, last.deferred) == ((0, 3), (0, 23), (0, 0))


def test_a_lone_0_0_counts_10() -> None:
    """004, 5, 5: «если по завершению розыгрыша на руках у игрока осталась последняя кость 0-0 (пустышка), то игрок
    получает 10 очков»
    """
    scene = deferred("1-2", "0-0", ends=(1, 3)).play("1-2")
    assert (scene.last.hand_points, scene.last.deferred) == ((0, 10), (0, 10))
    assert "lone_tile" in scene.notes()
    assert deferred("1-2", "6-6", ends=(1, 3)).play("1-2").last.hand_points == (0, 12)
    assert deferred("1-2", "0-0 0-1", ends=(2, 3)).play("1-2").last.hand_points == (0, 1)


def test_who_laid_the_last_tile_begins_the_next_round() -> None:
    """004, 6: «Игрок, выложивший последнюю кость, ходит первым в новом розыгрыше.» The fisher too, though another won."""
    assert deferred("5-6", "1-2", ends=(1, 0), turn=1).play("1-2").last.next_opener == 1
    fish = deferred("0-6 4-4", "2-3", ends=(0, 6)).play("0-6 left")
    assert (fish.last.winner, fish.last.next_opener) == ((1,), 0)
    assert len(fish.deal("0-0", "").legal) == 7


def test_the_match_goes_to_125_and_the_fewest_points_win() -> None:
    """004, 6: «Игра ведется до того момента, пока кто-либо из игроков не наберет 125 очков, при этом побеждает игрок,
    набравший наименьшее количество очков за игру.»
    """
    ledger: dict[str, Any] = {"open": (True,) * 3, "totals": (50, 30, 110)}
    assert (
        deferred("1-2", "0-3", "5-6 0-0", ends=(1, 5), **{**ledger, "totals": (50, 30, 113)}).play("1-2").match.end
        is None
    )
    scene = deferred("1-2", "0-3", "5-6 0-4", ends=(1, 5), **ledger).play("1-2")
    assert scene.last.totals == (50, 33, 125)
    end = scene.match.end
    assert end is not None
    assert (end.winners, end.losers, end.title) == ((1,), (2,), "goat")


def test_among_equals_the_fewest_put_by_win_then_they_share() -> None:
    """004, 6, with rulebook 2.7: among equals the fewest put by; if still equal they share."""
    ledger: dict[str, Any] = {"open": (False, False, True), "totals": (0, 0, 115)}
    put_by = deferred("0-6 1-1", "0-2", "5-5", ends=(0, 6), deferred=(1, 3, 0), **ledger).play("0-6 left")
    assert put_by.last.deferred == (3, 5, 0)
    assert put_by.match.end is not None
    assert put_by.match.end.winners == (0,)
    shared = deferred("0-6 1-1", "0-2", "5-5", ends=(0, 6), deferred=(3, 3, 0), **ledger).play("0-6 left")
    assert shared.match.end is not None
    assert (shared.match.end.winners, shared.match.end.losers) == ((0, 1), (2,))


def test_a_shared_win_can_leave_no_loser() -> None:
    """004, 6, with rulebook 2.7: whoever has 125 or more *and has not won* is the goat."""
    scene = deferred("0-6 5-5", "4-4 0-2", ends=(0, 6), open=(True, True), totals=(120, 120)).play("0-6 left")
    end = scene.match.end
    assert end is not None
    assert (end.winners, end.losers, end.title) == ((0, 1), (), "goat")


def test_a_fitting_tile_must_be_laid() -> None:
    """004, 3: «…должны положить кость…»"""
    with pytest.raises(IllegalMove):
        deferred("1-2 0-0", "5-5", ends=(1, 3), bazaar="4-4").play("draw")


def test_no_two_doubles_at_once() -> None:
    """004 knows no move of two tiles (rulebook 2: `double_play` no)."""
    with pytest.raises(IllegalMove, match="no_double_play"):
        deferred("1-1 2-2 0-1", "1-5", ends=(1, 2)).play("1-1 left + 2-2 right")


def test_the_hand_that_takes_the_bazaar_counts_it() -> None:
    """004, 5, with rulebook 1."""
    last = deferred("0-6 1-1", "2-3", ends=(0, 6), bazaar="4-4").play("0-6 left").last
    assert last.hands[1] == mask_of(tiles("2-3 4-4"))
