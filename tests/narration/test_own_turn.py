"""The own turn: both ends and what fits, word for word, at each verbosity and in both languages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kozel.engine.events import Drew, Laid
from kozel.engine.moves import LEFT, RIGHT, UP, Lay, laying
from kozel.engine.tiles import NO_END, parse_tile
from kozel.narration.narrator import Narrator, Table, Verbosity
from kozel.narration.wording import fits_of


def t(name: str) -> int:
    return parse_tile(name)


def narrator(lang: str, verbosity: Verbosity = "normal") -> Narrator:
    names = ("Anna", "Boris") if lang == "en" else ("Анна", "Борис")
    return Narrator(lang, verbosity, Table(names, (0, 1), False))


SEVERAL = ((2, 3), ("2-6", "0-3", "4-4"))
FIVE = ((2, 3), ("2-6", "0-3", "1-3", "3-4", "2-2"))
ONE = ((2, 3), ("2-6", "4-4"))
BOTH = ((2, 3), ("2-3", "4-4"))
NONE = ((2, 3), ("4-4", "5-6"))
EQUAL = ((2, 2), ("2-6", "2-3", "4-4"))
EQUAL_ONE = ((2, 2), ("2-6", "4-4"))
ARMS = ((4, 2, 3, 3), ("2-6", "1-3"))
CLOSED_ARM = ((NO_END, 2, 3, 3), ("1-3", "4-4"))

NORMAL = [
    (SEVERAL, "Your turn: left two, right three; two fit.", "Ваш ход: слева два, справа три; подходят две."),
    (FIVE, "Your turn: left two, right three; five fit.", "Ваш ход: слева два, справа три; подходит пять."),
    (
        ONE,
        "Your turn: left two, right three; six two fits, left.",
        "Ваш ход: слева два, справа три; подходит шесть два, слева.",
    ),
    (
        BOTH,
        "Your turn: left two, right three; three two fits both ends.",
        "Ваш ход: слева два, справа три; подходит три два, с обеих сторон.",
    ),
    (
        NONE,
        "Your turn: left two, right three; nothing fits, draw: F4.",
        "Ваш ход: слева два, справа три; ничего не подходит, берите: F4.",
    ),
    (EQUAL, "Your turn: two on both ends; two fit.", "Ваш ход: с обеих сторон два; подходят две."),
    (
        EQUAL_ONE,
        "Your turn: two on both ends; six two fits both ends.",
        "Ваш ход: с обеих сторон два; подходит шесть два, с обеих сторон.",
    ),
    (
        ARMS,
        "Your turn: left four, right two, up three, down three; two fit.",
        "Ваш ход: слева четыре, справа два, сверху три, снизу три; подходят две.",
    ),
    (
        CLOSED_ARM,
        "Your turn: right two, up three, down three; three one fits, up and down.",
        "Ваш ход: справа два, сверху три, снизу три; подходит три один, сверху и снизу.",
    ),
]
BRIEF = [
    (SEVERAL, "Two, three; two fit.", "Два, три; две."),
    (ONE, "Two, three; six two, left.", "Два, три; шесть два, слева."),
    (BOTH, "Two, three; three two, both ends.", "Два, три; три два, с обеих сторон."),
    (NONE, "Two, three; draw: F4.", "Два, три; берите: F4."),
    (EQUAL, "Two, two; two fit.", "Два, два; две."),
    (ARMS, "Four, two, three, three; two fit.", "Четыре, два, три, три; две."),
    (
        CLOSED_ARM,
        "Right two, up three, down three; three one, up and down.",
        "Справа два, сверху три, снизу три; три один, сверху и снизу.",
    ),
]
Position = tuple[tuple[int, ...], Sequence[str]]


def own_turn(teller: Narrator, position: Position, *, after_handover: bool = False) -> str:
    ends, hand = position
    return teller.own_turn(ends, fits_of(map(t, hand), ends), "F4", after_handover=after_handover)


@pytest.mark.parametrize(("position", "english", "russian"), NORMAL)
def test_at_normal_it_tells_the_ends_and_what_fits(position: Position, english: str, russian: str) -> None:
    assert own_turn(narrator("en"), position) == english
    assert own_turn(narrator("ru"), position) == russian


@pytest.mark.parametrize(("position", "english", "russian"), BRIEF)
def test_in_brief_it_tells_the_same_in_half_the_words(position: Position, english: str, russian: str) -> None:
    assert own_turn(narrator("en", "brief"), position) == english
    assert own_turn(narrator("ru", "brief"), position) == russian


@pytest.mark.parametrize(("position", "english", "russian"), NORMAL)
def test_after_a_handover_it_is_the_same_without_the_first_words(
    position: Position, english: str, russian: str
) -> None:
    def rest(said: str) -> str:
        after = said.partition(": ")[2]
        return after[:1].upper() + after[1:]

    assert own_turn(narrator("en"), position, after_handover=True) == rest(english)
    assert own_turn(narrator("ru"), position, after_handover=True) == rest(russian)


def test_full_names_what_fits() -> None:
    assert own_turn(narrator("en", "full"), SEVERAL) == (
        "Your turn: left two, right three; two fit: six two, left; blank three, right."
    )
    assert own_turn(narrator("ru", "full"), ONE).endswith("подходит шесть два, слева.")


def test_where_nothing_can_be_drawn_no_key_is_named() -> None:
    ends, hand = NONE
    assert narrator("ru").own_turn(ends, fits_of(map(t, hand), ends)).endswith("; ничего не подходит.")


def test_anothers_turn_is_told_with_the_ends() -> None:
    assert narrator("ru").others_turn(1, (2, 3)) == "Ходит Борис. Слева два, справа три."
    assert narrator("en").others_turn(1, ()) == "Boris is to play."
    assert narrator("ru").others_turn(1, (), asked=True) == "Борис решает, сдавать ли заново."


def test_where_we_stand_is_all_of_it_in_one_line() -> None:
    teller = narrator("ru")
    ends = (2, 3)
    fits = fits_of(map(t, SEVERAL[1]), ends)
    scores = teller.scores((20, 0), (True, True), (0, 0), 0, 0)
    said = teller.where_we_stand(teller.own_turn(ends, fits, "F4"), (5, 1), 4, scores, 0, fits)
    assert said == (
        "Ваш ход: слева два, справа три; подходят две. Подходят: шесть два, слева; пусто три, справа. "
        "Кости: вы пять, Борис одна. На базаре четыре кости. Счёт: вы 20, Борис 0."
    )
    between = narrator("en").where_we_stand("", (), 0, ["Score: Anna 20, Boris 0."], None)
    assert between == "Score: Anna 20, Boris 0."


OWN = Laid(0, laying(Lay(t("2-6"), LEFT, False)), (6, 3), 3, False)


def test_a_laid_tile_is_named_outwards() -> None:
    assert narrator("ru").turn([OWN], 1, (2, 3)) == "Анна: два шесть, слева."
    right = Laid(1, laying(Lay(t("0-3"), RIGHT, False)), (6, 0), 3, False)
    assert narrator("en").turn([right], 0, (6, 3)) == "Boris: three blank, right."
    assert narrator("en").braille_turn([right], 0) == "Boris 3:0 R"
    closed = Laid(1, laying(Lay(t("4-4"), UP, True)), (1, 2, NO_END, 3), 2, False)
    assert narrator("en").turn([closed], 0, (1, 2, 4, 3)) == "Boris: double four, up, closed."


def test_in_brief_the_own_move_is_only_confirmed_when_it_happens() -> None:
    for lang, said, last in (("ru", "Слева.", "Слева; осталась одна."), ("en", "Left.", "Left; last tile.")):
        brief = narrator(lang, "brief")
        assert brief.tell([OWN], 0, (2, 3)) == [said]
        assert brief.tell([OWN._replace(left=1)], 0, (2, 3)) == [last]
        assert brief.tell([Drew(0, (1,), 4, 5), OWN], 0, (2, 3)) == [said]
        assert brief.tell([OWN], 1, (2, 3)) == narrator(lang).tell([OWN], 1, (2, 3))
        assert brief.turn([OWN], 0, (2, 3)) == narrator(lang).turn([OWN], 0, (2, 3))
