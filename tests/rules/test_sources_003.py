"""Source 003, «Дворовый козёл» by conventions: a test for each sentence that states a rule, cited by the number of its
convention.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.scenes import Scene, first_deal, standing, table, tiles
from kozel.engine.events import DealKept, DealtAgain, Drew, Fish, NewDealOffered, OpenerFound, Passed, TookBazaar
from kozel.engine.match import BadDeal
from kozel.engine.round import IllegalMove
from kozel.rules.reading import find
from kozel.rules.ruleset import BadSetup

OPEN = (True, True)
BOTH = pytest.mark.parametrize("ruleset", ["kozel-1x1", "kozel-2x2"])
DOUBLES = "0-0 1-1 2-2 3-3 4-4 5-5 6-6"


def one(*hands: str, ends: tuple[int, ...], options: dict[str, Any] | None = None, **more: Any) -> Scene:
    return standing(table("kozel-1x1", 2, **(options or {})), *hands, ends=ends, **more)


def two(*hands: str, ends: tuple[int, ...], options: dict[str, Any] | None = None, **more: Any) -> Scene:
    return standing(table("kozel-2x2", 4, **(options or {})), *hands, ends=ends, **more)


def test_the_preset_of_the_single_game() -> None:
    """003, head: «Одиночный Козел Домино 1х1. Бонусы - нет, правило 13 - да, выход в дубль - нет, автодобор - да,
    дубль с двух сторон - нет.»
    """
    game = table("kozel-1x1")
    preset = {"bonuses": False, "rule_13": True, "double_lead": False, "auto_draw": True, "double_play": False}
    assert preset.items() <= game.options.items()
    assert game.sides == (0, 1)


def test_the_preset_of_the_game_in_pairs() -> None:
    """003, head: «Дворовый Козел Домино 2х2. Бонусы - нет, правило 13 - да, выход в дубль - нет, автодобор - да, дубль
    с двух сторон - нет.» There is no bazaar to draw from.
    """
    game = table("kozel-2x2", 4)
    preset = {"bonuses": False, "rule_13": True, "double_lead": False, "double_play": False}
    assert preset.items() <= game.options.items()
    assert game.sides == (0, 1, 0, 1)
    assert len(first_deal(game, "", "", "", "", lot=0).round.bazaar) == 0


def test_full_fish_yes_all_points_go_to_the_losers() -> None:
    """003, 1: «<да> - все очки записывают проигравшим»"""
    won = one("0-6 1-2", "4-5", ends=(0, 6), options={"full_fish": True}, open=OPEN).play("0-6 left").last
    lost = one("0-6 4-5", "1-2", ends=(0, 6), options={"full_fish": True}, open=OPEN).play("0-6 left").last
    assert (won.scored, lost.scored) == ((0, 12), (12, 0))


def test_full_fish_no_if_the_fishers_win_the_others_record_their_own() -> None:
    """003, 1: «<нет> - если «рыбаки» выиграли - оппоненты записывают только свои очки…»"""
    assert one("0-6 1-2", "4-5", ends=(0, 6), open=OPEN).play("0-6 left").last.scored == (0, 9)


def test_full_fish_no_if_the_fishers_lose_they_record_all() -> None:
    """003, 1: «…если проиграли - все очки записываются «рыбакам».»"""
    assert one("0-6 4-5", "1-2", ends=(0, 6), open=OPEN).play("0-6 left").last.scored == (12, 0)
    pairs = two("0-6 4-5", "1-2", "3-3", "4-4", ends=(0, 6), open=OPEN).play("0-6 left").last
    assert pairs.scored == (26, 0)


def test_full_fish_is_about_fishes_only() -> None:
    """003, 1: the convention is about the fish; going out costs the losers their own points."""
    for full_fish in (True, False):
        last = one("1-2", "4-5", ends=(1, 3), options={"full_fish": full_fish}, open=OPEN).play("1-2").last
        assert last.scored == (0, 9)
        options: dict[str, Any] = {"full_fish": full_fish}
        pairs = two("1-2", "4-5", "3-3", "0-1", ends=(1, 6), options=options, open=OPEN).play("1-2").last
        assert pairs.scored == (0, 10)


def test_drawing_one_by_one_the_turn_passes_after_one_tile() -> None:
    """003, 2: «Добор по одному / до нужного (только для 1х1) - добор камней с базара при отсутствии хода.» By one."""
    options: dict[str, Any] = {"draw": "one"}
    scene = one("0-1 2-3", "5-6 0-0", ends=(0, 2), options=options, bazaar="3-3 4-4 0-5").play("0-1 left")
    assert scene.told(Drew) == [Drew(1, tiles("3-3"), 2, 3)]
    assert scene.told(Passed) == [Passed(1)]
    assert scene.round.turn == 0


def test_drawing_until_one_fits() -> None:
    """003, 2: the same sentence: «до нужного»."""
    scene = one("0-1 0-3", "5-6 0-0", ends=(0, 2), bazaar="3-3 4-4 1-5").play("0-1 left")
    assert scene.told(Drew) == [Drew(1, tiles("3-3 4-4 1-5"), 0, 5)]
    assert (scene.round.turn, scene.legal) == (1, {"1-5 left"})


def test_by_one_the_bazaar_stays_at_a_fish() -> None:
    """003, 2, with rulebook 1: with `draw: one` the bazaar stays where it is and counts for nobody."""
    options: dict[str, Any] = {"draw": "one"}
    scene = one("0-6 1-2", "4-5", ends=(0, 6), options=options, bazaar="3-3", open=OPEN).play("0-6 left")
    assert (scene.told(TookBazaar), scene.last.scored) == ([], (0, 9))


def test_drawing_is_a_convention_of_the_single_game() -> None:
    """003, 2: «(только для 1х1)»"""
    for option in ("draw", "auto_draw"):
        with pytest.raises(BadSetup, match="unknown_option"):
            table("kozel-2x2", 4, **{option: True})


def test_drawn_by_the_game() -> None:
    """003, 3: «<да> - выдаются камни до нужного»"""
    scene = one("0-1 0-3", "5-6", ends=(0, 2), bazaar="3-3 1-5").play("0-1 left")
    assert len(scene.told(Drew)) == 1


def test_drawn_by_hand() -> None:
    """003, 3: «<нет> - камни берутся по одному до нужного.»"""
    options: dict[str, Any] = {"auto_draw": False}
    scene = one("0-1 0-3", "5-6", ends=(0, 2), options=options, bazaar="3-3 1-5").play("0-1 left")
    assert (scene.told(Drew), scene.legal) == ([], {"draw"})
    scene.play("draw", "draw")
    assert scene.told(Drew) == [Drew(1, tiles("3-3"), 1, 2), Drew(1, tiles("1-5"), 0, 3)]


def lead(hand: str, *, bonuses: bool, double_lead: bool) -> set[str]:
    """What a later round may be opened with in the game of pairs, from this whole hand."""
    game = table("kozel-2x2", 4, bonuses=bonuses, double_lead=double_lead)
    return first_deal(game, hand, "", "", "", lot=0).legal


MIXED, LOW, NONE = "0-1 0-2 1-4 2-3 0-0 1-1 6-6", "0-1 0-2 1-4 2-3 0-0 6-6 3-4", "0-1 0-2 1-4 2-3 0-5 1-6 3-4"


@BOTH
def test_double_lead_without_bonuses_any_double(ruleset: str) -> None:
    """003, 4, 2х2: «<Бонусы = нет>, <Дубль = да> - в любой доступный дубль, при отсутствии - в любой камень.» 1х1:
    «…далее - в любой доступный дубль, при отсутствии, в любой камень.»
    """
    assert later_lead(ruleset, MIXED, bonuses=False, double_lead=True) == {"0-0", "1-1", "6-6"}
    assert later_lead(ruleset, NONE, bonuses=False, double_lead=True) == set(NONE.split())


@BOTH
@pytest.mark.parametrize("bonuses", [False, True])
def test_without_double_lead_any_tile(ruleset: str, bonuses: bool) -> None:
    """003, 4, 2х2: «<Бонусы = нет>, <Дубль = нет> - в любой камень.» «<Бонусы = да>, <Дубль = нет> - в любой камень.»
    1х1: «…далее - в любой камень.»
    """
    assert later_lead(ruleset, MIXED, bonuses=bonuses, double_lead=False) == set(MIXED.split())


@BOTH
def test_double_lead_with_bonuses_0_0_and_6_6_at_will(ruleset: str) -> None:
    """003, 4, 2х2: «<Бонусы = да>, <Дубль = да> - в любой доступный дубль, за исключением 0-0 и 6-6 (в них по
    желанию)…»
    """
    assert later_lead(ruleset, MIXED, bonuses=True, double_lead=True) == {"0-0", "1-1", "6-6"}


@BOTH
def test_double_lead_with_bonuses_and_no_other_double_any_tile(ruleset: str) -> None:
    """003, 4, 2х2: «…при отсутствии дублей - в любой камень (даже при наличии 0-0 или 6-6).» 1х1: «При первом ходе в
    раскладе при наличии дублей только 0-0 и/или 6-6 можно выйти в любой другой камень, при наличии дублей - в
    другой дубль.»
    """
    assert later_lead(ruleset, LOW, bonuses=True, double_lead=True) == set(LOW.split())
    assert later_lead(ruleset, NONE, bonuses=True, double_lead=True) == set(NONE.split())


def later_lead(ruleset: str, hand: str, *, bonuses: bool, double_lead: bool) -> set[str]:
    seats = 2 if ruleset == "kozel-1x1" else 4
    game = table(ruleset, seats, bonuses=bonuses, double_lead=double_lead)
    return first_deal(game, hand, *[""] * (seats - 1), fresh=False, opener=0).legal


@pytest.mark.parametrize(("double_lead", "bonuses"), [(True, False), (True, True), (False, True), (False, False)])
def test_the_pairs_lead_the_same_way_in_the_first_round(double_lead: bool, bonuses: bool) -> None:
    """003, 4, 2х2, with rulebook 2.6: every round."""
    for hand in (MIXED, LOW, NONE):
        later = later_lead("kozel-2x2", hand, bonuses=bonuses, double_lead=double_lead)
        assert lead(hand, bonuses=bonuses, double_lead=double_lead) == later


def first_lead(*hands: str, bazaar: str = "", **options: Any) -> tuple[int, set[str]]:
    scene = first_deal(table("kozel-1x1", 2, **options), *hands, bazaar=bazaar)
    return scene.round.turn, scene.legal


def test_first_lead_the_lowest_double() -> None:
    """003, 4, 1х1: «<Бонусы = нет>, <Дубль = да> - начинает тот, у кого на руке дубль с наименьшим значением, при
    отсутствии - в наименьший камень…»
    """
    assert first_lead("1-1 0-1", "0-0 6-6", double_lead=True) == (1, {"0-0"})
    assert first_lead("0-2 1-6", "0-1 3-4", bazaar=DOUBLES, double_lead=True) == (1, {"0-1"})


@pytest.mark.parametrize("bonuses", [False, True])
def test_first_lead_the_smallest_tile(bonuses: bool) -> None:
    """003, 4, 1х1: «<Бонусы = нет>, <Дубль = нет> - начинает тот, у кого на руке наименьший камень (0-0 наименьший,
    2-0 старше 1-1), в который обязан выйти» and «<Бонусы = да>, <Дубль = нет>».
    """
    assert first_lead("1-1", "0-0 6-6", bonuses=bonuses) == (1, {"0-0"})
    assert first_lead("1-1", "0-2", bazaar="0-0 0-1", bonuses=bonuses) == (0, {"1-1"})
    assert first_lead("0-3", "1-2", bazaar="0-0 0-1 0-2 1-1", bonuses=bonuses) == (1, {"1-2"})


def special(*hands: str, bazaar: str = "") -> tuple[int, set[str]]:
    return first_lead(*hands, bazaar=bazaar, bonuses=True, double_lead=True)


def test_special_case_the_lowest_double_begins() -> None:
    """003, 4, особый случай: «<Бонусы = да>, <Дубль = да> - начинает тот, у кого на руке дубль с наименьшим значением
    при отсутствии - в наименьший камень…»
    """
    assert special("2-2 3-3", "4-4 6-6", bazaar="0-0 1-1") == (0, {"2-2"})
    assert special("0-2 1-6", "0-1 3-4", bazaar=DOUBLES) == (1, {"0-1"})


def test_special_case_0_0_may_give_way_to_the_lowest_other_double() -> None:
    """003, 4, исключение: «0-0 и 6-6 не являются обязательными для первого хода… можно зайти и в них. Но есть
    альтернатива - обязан зайти в другой наименьший дубль…»
    """
    assert special("1-1 3-3", "0-0 2-2 4-4") == (1, {"0-0", "2-2"})


def test_special_case_without_another_double_the_smallest_tile() -> None:
    """003, 4, исключение: «…или при отсутствии оных в наименьший камень (при первом ходе в партии).»"""
    rest = "2-2 3-3 4-4 5-5"
    assert special("1-1", "0-0 6-6 0-5 2-3 0-6 1-6 4-6", bazaar=rest) == (1, {"0-0", "6-6", "2-3"})
    assert special("0-1", "6-6 0-5 2-3 0-6 1-6 4-6 3-5", bazaar="0-0 1-1 " + rest) == (1, {"6-6", "2-3"})


def test_six_tiles_of_one_number_are_dealt_again_by_the_game() -> None:
    """003, 4, пересдача: «Пересдача 6-7 камней с одинаковым полем - автоматическая пересдача.»"""
    for hand in ("0-5 1-5 2-5 3-5 4-5 5-5 0-0", "0-5 1-5 2-5 3-5 4-5 5-5 5-6"):
        scene = first_deal("kozel-1x1", "0-1 0-2", hand)
        assert scene.match.round is None
        assert (scene.last.result, scene.last.opener, scene.last.winner) == ("redeal", None, ())
        assert scene.told(DealtAgain) == [DealtAgain(1, 5)]
    assert first_deal("kozel-1x1", "0-0 0-3", "0-5 1-5 2-5 3-5 4-5 0-2 1-1").match.round


FIVE = "0-0 1-1 2-2 3-3 4-4"


def test_five_doubles_are_dealt_again_if_the_player_likes() -> None:
    """003, 4, пересдача: «5 и более дублей - пересдача на выбор.»"""
    scene = first_deal("kozel-1x1", "0-1", FIVE)
    assert (scene.round.turn, scene.legal) == (1, {"keep", "redeal"})
    assert scene.told(NewDealOffered) == [NewDealOffered(1, 5)]
    scene.play("redeal")
    assert (scene.last.result, scene.match.round) == ("redeal", None)
    assert scene.told(DealtAgain) == [DealtAgain(1, None)]


def test_the_player_may_keep_five_doubles() -> None:
    """003, 4, пересдача: «…на выбор.»"""
    scene = first_deal("kozel-1x1", "0-1", FIVE).play("keep")
    assert (scene.told(DealKept), scene.legal) == ([DealKept(1)], {"0-0"})
    assert len(scene.told(OpenerFound)) == 1


def test_only_the_players_who_hold_them_are_asked() -> None:
    """003, 4, пересдача, with rulebook 2.6: before the first move, nobody else."""
    with pytest.raises(IllegalMove, match="not_asked"):
        first_deal("kozel-1x1", "0-0 1-1 2-2 3-3", "4-4 5-5 6-6").play("keep")
    with pytest.raises(IllegalMove, match="answer_redeal"):
        first_deal("kozel-1x1", "0-1", FIVE).play("0-0")


@BOTH
def test_a_deal_that_does_not_count_leaves_everything_as_it_was(ruleset: str) -> None:
    """003, 4, пересдача, with rulebook 2.6: what held for it holds for the next deal."""
    seats = 2 if ruleset == "kozel-1x1" else 4
    hands = ["0-1", FIVE, "", ""][:seats]
    before: dict[str, Any] = {"fresh": False, "opener": 1, "eggs": 5, "totals": (20, 0), "open": (True, False)}
    scene = first_deal(table(ruleset, seats), *hands, **before).play("redeal")
    last = scene.last
    assert (last.scored, last.eggs, last.totals, last.open, last.next_opener) == ((0, 0), 5, (20, 0), (True, False), 1)
    assert scene.match.ledger.rounds == 0
    scene.deal(*["0-0 1-1 0-2 0-3", "0-1 2-2 1-3 1-4", "1-2 3-3 2-4", "3-4 4-4"][:seats])
    assert scene.round.turn == 1


def test_the_lot_says_who_opens_the_first_round_of_pairs() -> None:
    """003, 4, 2х2, with rulebook 2.6: drawn by lot in each deal until a round has been played, and in none after that."""
    scene = first_deal(table("kozel-2x2", 4), "", "", "", "", lot=2)
    assert (scene.round.turn, scene.told(OpenerFound)) == (2, [OpenerFound(2, 0, True)])
    with pytest.raises(BadDeal, match="lot_missing"):
        first_deal(table("kozel-2x2", 4), "", "", "", "")
    with pytest.raises(BadDeal, match="lot_unwanted"):
        first_deal(table("kozel-2x2", 4), "", "", "", "", lot=2, fresh=False, opener=0)
    with pytest.raises(BadDeal, match="lot_range"):
        first_deal(table("kozel-2x2", 4), "", "", "", "", lot=4)


def test_two_doubles_at_once_where_the_convention_says_so() -> None:
    """003, 4.1: «<Дуплиться двумя = да> - Возможность отхода двумя дублями одновременно…»"""
    options: dict[str, Any] = {"double_play": True}
    scene = one("1-1 2-2 0-1", "1-5", ends=(1, 2), options=options).play("1-1 left + 2-2 right")
    assert scene.round.hands[0].bit_count() == 1
    assert "1-1 left + 2-2 right" in two("1-1 2-2 0-1", "1-5", "0-0", "0-2", ends=(1, 2), options=options).legal


def test_no_two_doubles_at_once_where_it_does_not() -> None:
    """003, 4.1: «<Дуплиться двумя = нет> - Запрет дуплиться двумя дублями одновременно.»"""
    with pytest.raises(IllegalMove, match="no_double_play"):
        one("1-1 2-2 0-1", "1-5", ends=(1, 2)).play("1-1 left + 2-2 right")


def test_rule_13_no_all_points_are_recorded() -> None:
    """003, 5: «"Нет" - все набранные очки записываются.»"""
    last = one("1-2", "0-3", ends=(1, 5), options={"rule_13": False}).play("1-2").last
    assert (last.scored, last.open) == ((0, 3), (True, True))


@pytest.mark.parametrize(("left", "scored"), [("5-6 0-1", 0), ("5-6 0-2", 13)])
def test_rule_13_yes_the_account_opens_with_13_and_more(left: str, scored: int) -> None:
    """003, 5: «"Да" - запись в партии открывается только после набора 13 и выше очков.»"""
    last = one("1-2", left, ends=(1, 3)).play("1-2").last
    assert (last.scored, last.open) == ((0, scored), (False, scored > 0))


def test_rule_13_once_open_everything_is_recorded_for_pairs_too() -> None:
    """003, 5: «Как только игрок (пара) получили запись, данное правило снимается, и записываются все набранные очки.»"""
    assert one("1-2", "0-3", ends=(1, 5), open=OPEN).play("1-2").last.scored == (0, 3)
    pairs = two("1-2", "3-4", "0-1", "0-6", ends=(1, 5)).play("1-2")
    assert (pairs.last.scored, pairs.last.open) == ((0, 13), (False, True))


def test_eggs_are_equal_points_at_a_fish() -> None:
    """003, 5: «"Яйца" - равенство очков при рыбе.»"""
    scene = one("0-6 1-5", "2-4", ends=(0, 6), open=OPEN, eggs=20).play("0-6 left")
    assert (scene.last.winner, scene.last.scored, scene.last.eggs) == ((), (0, 0), 26)
    assert len(scene.told(Fish)) == 1


TWELVE, THIRTEEN = ("3-3 1-5", "4-4 2-2"), ("3-3 2-5", "4-4 1-4")
"""Hands without a six that are equal at a fish."""


def equal_fish(hands: tuple[str, str], **ledger: Any) -> Scene:
    return one(f"0-6 {hands[0]}", hands[1], ends=(0, 6), **ledger).play("0-6 left")


def test_rule_13_eggs_under_13_are_written_off_while_no_account_is_open() -> None:
    """003, 5, да, 1: «Если на линии менее 13 и запись не открыта - списываются.» At once (rulebook 2.6)."""
    scene = equal_fish(TWELVE)
    assert scene.last.eggs == 0
    assert scene.notes() == ["eggs_laid", "eggs_written_off"]
    assert equal_fish(THIRTEEN).last.eggs == 13
    assert equal_fish(TWELVE, eggs=1).last.eggs == 13
    assert equal_fish(TWELVE, open=(True, False)).last.eggs == 12


def test_rule_13_eggs_under_13_are_recorded_to_a_loser_with_an_account() -> None:
    """003, 5, да, 2: «Если на линии менее 13 и запись открыта на А: при последующем проигрыше А - "яйца" записываются
    ему.»
    """
    last = one("1-2", "0-3", ends=(1, 5), eggs=12, open=(False, True)).play("1-2").last
    assert (last.scored, last.eggs) == ((0, 15), 0)


def test_rule_13_eggs_under_13_are_written_off_if_a_loser_has_none() -> None:
    """003, 5, да, 2: «при последующем проигрыше В (запись не открыта) - "яйца" списываются.»"""
    last = one("1-2", "0-3", ends=(1, 5), eggs=12, open=(True, False)).play("1-2").last
    assert (last.scored, last.eggs, last.open) == ((0, 0), 0, (True, False))


def test_rule_13_an_account_opened_by_this_round_is_too_late_for_the_eggs() -> None:
    """003, 5, да, 2, with rulebook 2.6: had an open account before that round."""
    last = one("1-2", "5-6 1-3", ends=(1, 0), eggs=12, open=(True, False)).play("1-2").last
    assert (last.scored, last.eggs, last.open) == ((0, 15), 0, (True, True))


@pytest.mark.parametrize("open_before", [(False, False), (True, False), (False, True)])
def test_rule_13_13_eggs_are_recorded_whatever_the_loser_scored(open_before: tuple[bool, bool]) -> None:
    """003, 5, да, 3: «Если на линии 13 и более - "яйца" записываются проигравшим в следующем раунде независимо от
    набранных очков.» That opens the account.
    """
    last = one("1-2", "0-3", ends=(1, 5), eggs=13, open=open_before).play("1-2").last
    assert (last.scored, last.eggs, last.open) == ((0, 16), 0, (open_before[0], True))


def test_without_rule_13_eggs_fall_on_the_next_loser() -> None:
    """003, 5, with rulebook 2.6: `rule_13: no`: added to the next losing side."""
    options: dict[str, Any] = {"rule_13": False}
    last = one("1-2", "0-3", ends=(1, 5), options=options, eggs=4, open=OPEN).play("1-2").last
    assert (last.scored, last.eggs) == ((0, 7), 0)
    fish = one("0-6 3-3 1-5", "4-4 2-2", ends=(0, 6), options=options, open=OPEN).play("0-6 left").last
    assert (fish.scored, fish.eggs) == ((0, 0), 12)


@pytest.mark.parametrize("bonuses", [True, False])
def test_bonuses_apply_where_the_convention_says_so(bonuses: bool) -> None:
    """003, head: «Бонусы - нет»; rulebook 2.6: the bonuses of `kozel` apply where `bonuses: yes`."""
    options: dict[str, Any] = {"bonuses": bonuses}
    out = one("6-6", "0-3", ends=(6, 5), options=options, opened="0-0", open=OPEN).play("6-6").last
    assert out.scored == (0, 78 if bonuses else 3)


def test_bonuses_are_added_after_the_full_fish() -> None:
    """003, 1, with rulebook 2.6: bonuses are added after `full_fish`; the other side's points are no bonus."""
    options: dict[str, Any] = {"bonuses": True, "full_fish": True}
    last = one("0-6 1-2", "4-5", ends=(0, 6), options=options, opened="0-0", open=OPEN).play("0-6 left").last
    assert last.scored == (0, 37)


def test_no_title_but_goat() -> None:
    """003, head, with rulebook 2.6: no titles but goat, at 125."""
    options: dict[str, Any] = {"double_play": True, "bonuses": True}
    scene = one("0-0 6-6", "1-2", ends=(0, 6), options=options, open=OPEN, totals=(0, 46)).play("0-0 left + 6-6 right")
    assert scene.last.totals == (0, 124)
    assert scene.match.end is None
    end = one("1-2", "0-3", ends=(1, 5), open=OPEN, totals=(0, 122)).play("1-2").match.end
    assert end is not None
    assert (end.losers, end.title) == ((1,), "goat")


def test_later_rounds_are_opened_by_the_winner_or_the_lowest_seat() -> None:
    """003, 4, with rulebook 2.6: later, as in `kozel`."""
    assert one("5-6", "1-2", ends=(1, 0), turn=1).play("1-2").last.next_opener == 1
    assert two("0-6 4-5", "1-3", "3-3", "0-1", ends=(0, 6)).play("0-6 left").last.next_opener == 3


def test_both_presets_are_among_the_shipped_rulesets() -> None:
    """003, head: «Выставляется выбором следующих конвенций»: all of them are options."""
    conventions = {"full_fish", "double_lead", "double_play", "rule_13", "bonuses"}
    assert conventions < set(find("kozel-1x1").options)
    assert conventions < set(find("kozel-2x2").options)
