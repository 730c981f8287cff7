"""Sentences of turns, openings, draws and handovers, word for word."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kozel.engine.events import (
    DealKept,
    DealtAgain,
    Drew,
    DrewToOpen,
    Event,
    Laid,
    NewDealOffered,
    OpenerFound,
    Passed,
    RoundBegan,
    Threw,
    TookBazaar,
)
from kozel.engine.moves import LEFT, RIGHT, START, UP, Lay, Move, laying
from kozel.engine.tiles import NO_END, mask_of, parse_tile
from kozel.narration.narrator import Narrator, Table, Verbosity
from voice.played import NAMES


def t(name: str) -> int:
    return parse_tile(name)


def opening(tile: str) -> Move:
    return laying(Lay(t(tile), START, False))


def narrator(lang: str = "en", verbosity: Verbosity = "normal", pairs: bool = False) -> Narrator:
    return Narrator(lang, verbosity, Table(NAMES[lang], (0, 1, 0, 1) if pairs else (0, 1, 2, 3), pairs))


LAID = Laid(1, laying(Lay(t("4-5"), LEFT, False)), (4, 6), 3, False)
LAST_BUT_ONE = LAID._replace(left=1)
OPENED = Laid(0, opening("1-1"), (1, 1), 6, True)
DREW = Drew(1, (t("0-3"), t("4-5")), 5, 6)
DOUBLES = Laid(1, laying(Lay(t("5-5"), LEFT, False), Lay(t("1-1"), RIGHT, False)), (5, 1), 2, False)
CLOSED = Laid(1, laying(Lay(t("4-4"), UP, True)), (1, 2, NO_END, 3), 2, False)
SPINNER = Laid(1, laying(Lay(t("3-3"), RIGHT, False)), (1, 3, 3, 3), 2, False)
TWO_AT_ONCE = Laid(1, laying(Lay(t("3-3"), RIGHT, True), Lay(t("1-1"), LEFT, False)), (1, NO_END, 1, 1), 2, False)

TURNS: list[tuple[Sequence[Event], str, str]] = [
    ([LAID], "Boris: five four, left.", "Борис: пять четыре, слева."),
    ([LAST_BUT_ONE], "Boris: five four, left; last tile.", "Борис: пять четыре, слева; осталась одна."),
    ([DREW, LAID], "Boris: five four, left; drew two.", "Борис: пять четыре, слева; взято две."),
    (
        [DREW, LAST_BUT_ONE],
        "Boris: five four, left; drew two; last tile.",
        "Борис: пять четыре, слева; взято две; осталась одна.",
    ),
    ([OPENED], "Anna: double one.", "Анна: дупль один."),
    ([Passed(2)], "Vera passes.", "Вера пасует."),
    ([DREW, Passed(1)], "Boris draws two, passes.", "Борис берёт две, пас."),
    ([DREW], "Boris draws two tiles.", "Борис берёт две кости."),
    ([DREW._replace(tiles=(3,))], "Boris draws a tile.", "Борис берёт одну кость."),
    ([DOUBLES], "Boris: double five left, double one right.", "Борис: дупль пять слева, дупль один справа."),
    ([CLOSED], "Boris: double four, up, closed.", "Борис: дупль четыре, сверху, закрыт."),
]


@pytest.mark.parametrize(("events", "english", "russian"), TURNS)
def test_a_turn_is_one_sentence(events: Sequence[Event], english: str, russian: str) -> None:
    assert narrator("en").turn(events, None) == english
    assert narrator("ru").turn(events, None) == russian


def test_own_moves_are_told_apart_from_a_tile_that_is_only_said() -> None:
    english, russian = narrator("en"), narrator("ru")
    assert english.turn([LAID], 1) == "You: five four, left."
    assert russian.turn([LAID], 1) == "Вы: пять четыре, слева."
    assert english.turn([Passed(1)], 1) == "You pass."
    assert russian.turn([DREW, Passed(1)], 1) == "Вы берёте две, пас."
    assert english.turn([OPENED], 0) == "You: double one."


def test_the_first_double_laid_on_an_end_is_told_as_the_spinner() -> None:
    assert narrator("en").turn([SPINNER], None, (1, 2)) == "Boris: double three, right, spinner."
    assert narrator("ru").turn([SPINNER], None, (1, 2)) == "Борис: дупль три, справа, центр."
    assert narrator("en").turn([SPINNER], None, (1, 2, 3, 3)) == "Boris: double three, right."


def test_of_several_first_doubles_the_first_open_one_is_the_spinner() -> None:
    said = narrator("en").turn([TWO_AT_ONCE], None, (1, 3))
    assert said == "Boris: double three right closed, double one left spinner."


def test_an_opening_double_with_four_ends_is_the_spinner() -> None:
    opened = OPENED._replace(ends=(1, 1, 1, 1))
    assert narrator("en").turn([opened], None) == "Anna: double one, spinner."


def test_brief_leaves_out_what_can_be_inferred() -> None:
    brief = narrator("en", "brief")
    assert brief.turn([OPENED], None) == "Anna: double one."
    assert brief.turn([DREW], None) == "Boris draws two."
    assert brief.turn([DREW, LAST_BUT_ONE], None) == "Boris: five four, left; drew two; last tile."


def test_full_adds_the_ends_and_what_is_left() -> None:
    english, russian = narrator("en", "full"), narrator("ru", "full")
    assert english.turn([LAID], None) == "Boris: five four, left. Ends: left four, right six; three tiles in hand."
    assert (
        russian.turn([LAID], None)
        == "Борис: пять четыре, слева. Концы: слева четыре, справа шесть; осталось три кости."
    )
    assert english.turn([LAST_BUT_ONE], None).endswith("; last tile. Ends: left four, right six.")
    assert english.turn([DREW, Passed(1)], None) == "Boris draws two, passes. Bazaar: five tiles."
    assert english.turn([CLOSED], None).endswith("Ends: left one, right two, down three; two tiles in hand.")


def test_full_says_nothing_of_ends_when_the_round_is_over() -> None:
    assert narrator("en", "full").turn([LAID._replace(left=0)], None) == "Boris: five four, left."


def test_snot_is_one_announcement_with_whose_each_double_was() -> None:
    six = Laid(0, opening("6-6"), (6, 6), 6, True)
    alone = Threw(((0, t("0-0")), (0, t("1-1"))), (4, 7))
    said = Narrator("en", "normal", Table(("Anna", "Boris"), (0, 1), False)).turn([six, alone], None)
    assert said == "Anna: double six. Snot: double blank, double one."
    pair = Threw(((2, t("0-0")), (0, t("1-1")), (0, t("2-2")), (2, t("3-3"))), (4, 7, 5, 7))
    assert narrator("ru", pairs=True).turn([six, pair], 0) == (
        "Вы: дупль шесть. Сопля: Вера дупль пусто; вы дупль один, дупль два; Вера дупль три."
    )


def test_snot_that_leaves_one_tile_says_so() -> None:
    six = Laid(0, opening("6-6"), (6, 6), 6, True)
    thrown = Threw(tuple((0, t(f"{pips}-{pips}")) for pips in range(5)), (1, 7, 7, 7))
    assert narrator("en", pairs=True).turn([six, thrown], None).endswith("Anna: last tile.")


def test_several_turns_are_a_sentence_each() -> None:
    events: list[Event] = [
        LAID,
        Passed(2),
        Drew(3, (1,), 4, 5),
        Drew(3, (2,), 3, 6),
        Passed(3),
        OPENED._replace(opening=False),
    ]
    assert narrator("en").turns(events, None) == [
        "Boris: five four, left.",
        "Vera passes.",
        "Gena draws two, passes.",
        "Anna: double one.",
    ]


def test_the_bazaar_taken_at_a_fish_is_counted_and_not_named() -> None:
    assert narrator("en").bazaar_taken(TookBazaar(2, (1, 2, 3)), None) == "Vera takes the bazaar: three."
    assert narrator("ru").bazaar_taken(TookBazaar(2, (1,)), None) == "Вера берёт весь базар: одну."
    assert narrator("ru").bazaar_taken(TookBazaar(2, (1, 2)), 2) == "Вы берёте весь базар: две."


def test_whoever_draws_hears_the_tiles_and_where_they_fit() -> None:
    assert narrator("en").own_draw([DREW]) == "Drawn: blank three; five four."
    assert narrator("en").own_draw([DREW], (1, 1), "F4") == "Drawn: blank three; five four. F4 again."
    assert narrator("ru").own_draw([DREW], (1, 1), "F4") == "Взято: пусто три; пять четыре. Ещё раз F4."
    assert narrator("en", "brief").own_draw([DREW], (1, 1), "F4") == "Blank three; five four."
    assert narrator("en").own_draw([DREW], (5, 6)) == "Drawn: blank three; five four, left."
    assert narrator("ru").own_draw([DREW], (5, 4)) == "Взято: пусто три; пять четыре, слева и справа."
    assert narrator("en", "brief").own_draw([DREW]) == "Blank three; five four."
    assert narrator("ru", "full").own_draw([DREW]) == "Взято: пусто три; пять четыре. На базаре пять костей."
    assert narrator("en").own_draw([Passed(1)]) == ""


BEGAN = RoundBegan(2, (7, 7), 14, None)


def test_a_round_begins_with_its_number_and_opener() -> None:
    events: list[Event] = [BEGAN, OpenerFound(1, 0, False)]
    assert narrator("en").opening(events, None) == ["Round 2: Boris opens."]
    assert narrator("ru").opening(events, None) == ["Раунд 2: заходит Борис."]
    assert narrator("ru").opening(events, 1) == ["Раунд 2: заходите вы."]
    assert narrator("en", "full").opening(events, None) == ["Round 2: Boris opens. Seven tiles each, 14 in the bazaar."]


def test_a_forced_opening_tile_stays_hidden() -> None:
    forced: list[Event] = [BEGAN, OpenerFound(1, mask_of([t("1-1")]), False)]
    free: list[Event] = [BEGAN, OpenerFound(1, 0, False)]
    assert narrator("en").opening(forced, None) == narrator("en").opening(free, None)


def test_draws_before_the_opening_are_counted_and_the_double_named() -> None:
    draws = DrewToOpen(((0, t("0-3")), (1, t("1-2")), (0, t("4-4"))))
    events: list[Event] = [BEGAN, draws, OpenerFound(0, 1, False)]
    assert narrator("en").opening(events, None) == [
        "Round 2.",
        "Drawing to open: Anna two, Boris one; double four opens.",
        "Anna opens.",
    ]
    assert narrator("ru").opening(events, 1)[1] == "До захода берут: Анна две, вы одну; заход: дупль четыре."


def test_the_tile_taken_in_the_yard_is_told() -> None:
    events: list[Event] = [BEGAN._replace(taken=(1, t("6-6"))), OpenerFound(1, 1, False)]
    assert narrator("en").opening(events, None) == ["Round 2: Boris takes double six and opens."]
    assert narrator("ru").opening(events, 1) == ["Раунд 2: вы берёте дупль шесть и заходите."]
    again: list[Event] = [events[0], DealtAgain(0, 5)]
    assert narrator("en").opening(again, None)[0] == "Round 2. Boris takes double six."


def test_the_lot_is_told() -> None:
    assert narrator("en").opening([BEGAN, OpenerFound(3, 0, True)], None) == ["Round 2. Gena opens, drawn by lot."]
    assert narrator("ru").opening([BEGAN, OpenerFound(3, 0, True)], None) == ["Раунд 2. По жребию заходит Гена."]


def test_new_deals_are_told() -> None:
    assert narrator("en").opening([BEGAN, DealtAgain(1, 5)], None)[1] == "Dealt again: Boris has too many fives."
    assert narrator("ru").opening([BEGAN, DealtAgain(1, 5)], 1)[1] == "Сдаём заново: у вас слишком много пятёрок."
    asked: list[Event] = [BEGAN, NewDealOffered(0, 5), DealKept(0), NewDealOffered(1, 6), DealtAgain(1, None)]
    assert narrator("en").opening(asked, None) == [
        "Round 2.",
        "Anna may ask for a new deal.",
        "Anna keeps the deal.",
        "Boris may ask for a new deal.",
        "Dealt again: Boris asks for it.",
    ]


def test_the_own_opening() -> None:
    english, russian = narrator("en"), narrator("ru")
    assert english.your_opening(0) == "Your turn, open with any tile."
    assert english.your_opening(mask_of([t("0-0"), t("2-2")])) == "Your turn, open with double blank or double two."
    assert russian.your_opening(mask_of([t("1-1")])) == "Ваш ход, заходите: дупль один."


def test_the_handover_says_what_happened_and_who_is_next() -> None:
    english = narrator("en")
    assert english.handover(english.turn([LAID], None), 2) == "Boris: five four, left. Vera, Enter."
    assert english.handover("", 2) == "Vera, Enter."


def test_language_and_verbosity_can_be_changed_at_any_time() -> None:
    teller = narrator("en")
    teller.lang = "ru"
    assert teller.turn([Passed(1)], None) == "Boris пасует."
    teller.verbosity = "full"
    assert teller.turn([LAID], None).count(".") == 2


@pytest.mark.parametrize(
    ("events", "english", "russian"),
    [
        ([LAID], "Boris 5:4 L", "Борис 5:4 Л"),
        ([DREW, LAST_BUT_ONE], "Boris 5:4 L +2 last", "Борис 5:4 Л +2 ост. 1"),
        ([DREW, Passed(1)], "Boris pass +2", "Борис пас +2"),
        ([OPENED], "Anna 1:1", "Анна 1:1"),
        ([DOUBLES], "Boris 5:5 L 1:1 R", "Борис 5:5 Л 1:1 П"),
        ([CLOSED], "Boris 4:4 Ux", "Борис 4:4 Вз"),
    ],
)
def test_a_turn_in_braille_has_tiles_as_digits(events: Sequence[Event], english: str, russian: str) -> None:
    assert narrator("en").braille_turn(events, None) == english
    assert narrator("ru").braille_turn(events, None) == russian


def test_braille_names_a_blank_first_and_leaves_out_the_own_name() -> None:
    blank = Laid(1, laying(Lay(t("0-3"), RIGHT, False)), (1, 3), 4, False)
    assert narrator("en").braille_turn([blank], 1) == "0:3 R"
    assert narrator("en").braille_turn([], 1) == ""


def test_in_braille_a_long_name_is_cut_and_the_turn_is_not() -> None:
    names = ("Bartholomew of the long and winding name", "Boris")
    teller = Narrator("en", "normal", Table(names, (0, 1), False))
    cells = teller.braille_turn([DREW._replace(seat=0), LAST_BUT_ONE._replace(seat=0)], None)
    assert cells == "Bartholomew of the long an 5:4 L +2 last"
