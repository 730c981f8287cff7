"""Answers to keys, questions and refusals, word for word."""

from __future__ import annotations

import pytest

from kozel.engine.moves import DOWN, LEFT, RIGHT, UP
from kozel.engine.tiles import NO_END, parse_tile
from kozel.locales.catalogue import catalogue, words
from kozel.narration.narrator import Narrator, Table, Verbosity
from voice.played import NAMES


def t(name: str) -> int:
    return parse_tile(name)


def narrator(lang: str, verbosity: Verbosity = "normal") -> Narrator:
    return Narrator(lang, verbosity, Table(NAMES[lang][:2], (0, 1), False))


def test_words_of_their_own() -> None:
    english, russian = narrator("en"), narrator("ru")
    assert (english.tiles([t("5-6")]), russian.tiles([t("0-0")])) == (
        "Six five",
        "Дупль пусто",
    )
    assert english.tiles([t("0-3"), t("3-3")]) == "Blank three, double three"
    assert [words("ru").ENDS[end] for end in (LEFT, RIGHT, UP, DOWN)] == [
        "слева",
        "справа",
        "сверху",
        "снизу",
    ]
    assert [words("en").PIPS[pips] for pips in (0, 6)] == ["blank", "six"]


def test_counts() -> None:
    assert narrator("en").counts((7, 5), None) == "Tiles: Anna 7, Boris 5."
    assert narrator("ru").counts((7, 5), 1) == "Кости: Анна семь, вы пять."


def test_the_bazaar() -> None:
    assert narrator("en").bazaar(14) == "Bazaar: 14 tiles."
    assert narrator("ru").bazaar(2) == "На базаре две кости."
    assert narrator("ru").bazaar(0) == "Базар пуст."


def test_ends() -> None:
    ends = (6, 2, NO_END, 0)
    english, russian = narrator("en"), narrator("ru")
    assert [english.end_shows(ends, end) for end in range(4)] == [
        "Left six.",
        "Right two.",
        "The upper end is closed.",
        "Down blank.",
    ]
    assert russian.end_shows((NO_END, 2), LEFT) == "Закрыт левый конец."
    assert russian.end_shows((6, 2), UP) == "Не открыт верхний конец."
    assert russian.end_shows((), LEFT) == "Стол пуст."
    assert english.ends(ends) == "Left six, right two, down blank."
    assert english.ends((NO_END, NO_END)) == "All ends are closed."
    assert english.ends(()) == "The table is empty."


def test_walking_says_the_tile_the_ends_it_fits_and_its_mark() -> None:
    english = narrator("en")
    assert english.held(t("5-6"), (1, 5)) == "Six five, right."
    assert english.held(t("5-6"), (1, 2)) == "Six five."
    assert english.held(t("5-6"), (5, 6)) == "Six five, left and right."
    assert english.held(t("5-6"), ()) == "Six five."
    assert english.held(t("5-5"), (5, 1, NO_END, 5), "shut") == "Double five, left and down, marked closed."
    assert narrator("ru").held(t("5-5"), (5, 1), "marked") == "Дупль пять, слева, отмечен."


def test_the_place_is_told_at_full_alone() -> None:
    assert narrator("en").held(t("5-6"), (1, 5), None, (3, 7)) == "Six five, right."
    assert narrator("en", "full").held(t("5-6"), (1, 5), None, (3, 7)) == "Six five, right; 3 of 7."
    assert narrator("ru", "full").held(t("5-6"), (1, 5), None, (3, 7)) == "Шесть пять, справа; третья из семи."


def test_the_edge_is_told() -> None:
    english = narrator("en")
    assert english.at_edge(english.held(t("5-6"), ())) == "Edge. Six five."
    assert narrator("ru").zone_edge("hand") == "Это первая область: свои кости."
    assert english.zone_edge("bazaar") == "This is the last zone: bazaar."


def test_the_whole_hand_in_one_line() -> None:
    hand = (t("5-6"), t("0-3"), t("3-3"))
    assert narrator("en").hand(hand, (6, 3)) == "Three tiles: six five, left; blank three, right; double three, right."
    assert narrator("ru").hand(hand[1:], (6, 3), (None, "marked")) == (
        "У вас две: пусто три, справа; дупль три, справа, отмечен."
    )
    assert narrator("en").hand((), (6, 3)) == "No tiles in hand."


def test_the_whole_chain_in_one_line() -> None:
    tiles = (t("5-6"), t("5-5"))
    assert narrator("en").chain([("line", tiles)]) == "Chain: two tiles. Left to right: six five, double five."
    assert narrator("en").chain([("line", ())]) == "The table is empty."
    arms = [("left", tiles[:1]), ("spinner", tiles[1:]), ("right", ()), ("up", (t("1-5"),)), ("down", ())]
    assert narrator("ru").chain(arms) == (  # type: ignore[arg-type]
        "Цепочка: три кости. Левая ветвь: шесть пять. Центр: дупль пять. Верхняя ветвь: пять один."
    )


def test_zones() -> None:
    english, russian = narrator("en"), narrator("ru")
    assert [english.zone("hand", 7), english.zone("table", 1), english.zone("bazaar", 0)] == [
        "Own tiles: seven.",
        "Table: one tile.",
        "The bazaar is empty.",
    ]
    assert [russian.zone("hand", 1), russian.zone("table", 0), russian.zone("bazaar", 14)] == [
        "Свои кости: одна.",
        "Стол пуст.",
        "Базар: четырнадцать костей.",
    ]


def test_marks() -> None:
    english, russian = narrator("en"), narrator("ru")
    assert english.mark(t("5-5"), "marked") == "Double five, marked."
    assert english.mark(t("5-5"), "open") == "Double five, marked open."
    assert russian.mark(t("5-5"), "shut") == "Дупль пять, отмечен закрытым."
    assert russian.mark(t("5-5"), None) == "Дупль пять, отметка снята."
    assert english.marked([t("5-5"), t("1-1")]) == "Marked: double five, double one."
    assert russian.marked([t("5-5")]) == "Отмечен дупль пять."


def test_questions() -> None:
    english, russian = narrator("en"), narrator("ru")
    assert english.which_end([(LEFT, 6), (RIGHT, 2)]) == "Left six, right two?"
    assert russian.which_end([(LEFT, 6), (UP, 2)], t("5-5")) == "Дупль пять: слева шесть, сверху два?"
    assert english.redeal_question(5) == "Five doubles. New deal? Enter yes, Escape no."
    assert russian.leave_question() == "Выйти? Партия сохранится. Enter да, Escape нет."


def test_resuming_tells_seats_score_round_and_ends() -> None:
    english = narrator("en")
    scores = english.scores((20, 0), (True, False), (0, 0), 0, None)
    assert english.resume("Козёл", 3, (6, 2), scores) == [
        "Козёл: Anna and Boris.",
        "Score: Anna 20, Boris 0.",
        "No account yet: Boris.",
        "Round 3. Ends: left six, right two.",
    ]
    assert english.resume("Домино", 3, None, [])[-1] == "Round 3 is over."
    assert narrator("ru").resume("Домино", 0, None, [])[-1] == "Ещё ни одного раунда."
    assert narrator("ru").resume("Домино", 1, (), [])[-1] == "Раунд 1."


def test_resuming_in_pairs_tells_who_plays_with_whom() -> None:
    pairs = Table(NAMES["en"][:4], (0, 1, 0, 1), True)
    one, other = (f"{NAMES['en'][seat]} and {NAMES['en'][seat + 2]}" for seat in (0, 1))
    english = Narrator("en", "normal", pairs)
    assert english.resume("Kozel", 1, (), []) == [f"Kozel: {one} against {other}.", "Round 1."]
    assert english.scores((0, 0), (False, False), (0, 0), 0, None)[1] == f"No account yet: {one}; {other}."
    russian = Narrator("ru", "normal", pairs)
    assert (
        russian.resume("Козёл", 1, (), [])[0]
        == f"Козёл, парами: {one.replace(' and ', ' и ')}; {other.replace(' and ', ' и ')}."
    )


REFUSALS: list[tuple[str, dict[str, object], str, str]] = [
    ("not_your_turn", {"name": "Boris"}, "Wait: Boris is to play.", "Подождите: ходит Boris."),
    (
        "draw_first",
        {"key": "F4", "tile": 20},
        "Draw: F4. Five three fits nothing.",
        "Берите: F4. Пять три не подходит.",
    ),
    ("fits_no_end", {"tile": 20}, "Choose another: five three fits nothing.", "Выберите другую: пять три не подходит."),
    ("fits_so_no_draw", {"tile": 20}, "Lay a tile: five three fits.", "Ставьте кость: подходит пять три."),
    ("bazaar_empty", {}, "No draw: the bazaar is empty.", "Брать нечего: базар пуст."),
    (
        "must_open_with",
        {"tiles": (7, 13)},
        "Open with double one or double two.",
        "Заходите: дупль один или дупль два.",
    ),
    (
        "which_end",
        {"ends": ((0, 6), (1, 2))},
        "Press an arrow: left six, right two.",
        "Нажмите стрелку: слева шесть, справа два.",
    ),
    (
        "not_a_double",
        {"tile": 20},
        "Mark doubles only: five three is no double.",
        "Отмечайте дупли: пять три не дупль.",
    ),
    ("no_such_tile", {"number": 9, "n": 7}, "There is no tile 9: you have seven.", "Кости номер 9 нет, у вас семь."),
    (
        "answer_first",
        {"question": "Left six, right two?"},
        "Answer first: Left six, right two?",
        "Сначала ответьте: Left six, right two?",
    ),
    ("not_here", {"key": "пробел"}, "Пробел does nothing here.", "Пробел здесь не действует."),
    ("unknown_key", {"key": "F12", "help": "F1"}, "F12 does nothing. Keys: F1.", "F12 ничего не делает. Клавиши: F1."),
    ("too_early", {}, "Too early, press again.", "Слишком рано, нажмите ещё раз."),
]


@pytest.mark.parametrize(("kind", "facts", "english", "russian"), REFUSALS, ids=[case[0] for case in REFUSALS])
def test_a_refusal_says_the_remedy_first(kind: str, facts: dict[str, object], english: str, russian: str) -> None:
    assert narrator("en").refusal(kind, **facts) == english
    assert narrator("ru").refusal(kind, **facts) == russian


def test_refusals_are_short() -> None:
    for lang in ("en", "ru"):
        for key, text in catalogue(lang).items():
            if key.startswith("refusal.") and isinstance(text, str):
                assert len(text.split()) <= 12, key
