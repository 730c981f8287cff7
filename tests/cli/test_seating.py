"""Names and levels on the command line."""

from __future__ import annotations

import pytest

from kozel.clean import alike
from kozel.cli.mistakes import Mistake
from kozel.cli.seating import player, seat
from kozel.rules.reading import find


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Boris:novice", ("Boris", "novice")),
        ("Boris:Novice", ("Boris", "novice")),
        ("Boris: MASTER ", ("Boris", "master")),
        ("Борис:новичок", ("Борис", "novice")),
        ("Борис:Любитель", ("Борис", "amateur")),
        ("Boris:мастер", ("Boris", "master")),
        ("Anna:Maria", ("Anna:Maria", None)),
        ("Anna:Maria:strong", ("Anna:Maria", "strong")),
        ("Anna:", ("Anna:", None)),
        ("12:30", ("12:30", None)),
        ("novice", ("novice", None)),
        ("x" * 40, ("x" * 40, None)),
    ],
)
def test_a_player(text: str, wanted: tuple[str, str | None]) -> None:
    assert player(text, "en") == wanted


@pytest.mark.parametrize(
    "written", ["noviec", "Novise", "novce", "amatuer", "strnog", "masterr", "новичек", "мастр", " novic"]
)
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_near_miss_of_a_level_is_a_mistake(written: str, lang: str) -> None:
    with pytest.raises(Mistake) as told:
        player(f"Boris:{written}", lang)
    (line,) = told.value.lines
    assert written.strip() in line
    assert ("did you mean" if lang == "en" else "может быть") in line


def test_a_name_has_at_most_40_characters() -> None:
    for text in ("x" * 41, "x" * 41 + ":novice", "Ё" * 3000):
        with pytest.raises(Mistake, match="at most 40") as told:
            player(text, "en")
        assert len(told.value.lines[0]) < 300
    assert player("x" * 40 + ":novice", "en") == ("x" * 40, "novice")
    assert player("x" * 40 + "\u200b\u200b", "en")[0] == "x" * 40


SAME = ("Anna", "anna", "ANNA", " Anna ", "An na", "A\u200bnna", "Anna\u2060", "Ａnna", "Anna\u00a0", "\x1b[1mAnna")


@pytest.mark.parametrize("name", SAME)
def test_the_same_name_twice_is_refused(name: str) -> None:
    rules = find("kozel")
    players = [player("Anna", "en"), player("Boris", "en"), player(name, "en")]
    with pytest.raises(Mistake, match="is there twice"):
        seat(rules, players, None, {}, None, "en")
    with pytest.raises(Mistake, match="стоит дважды"):
        seat(rules, players, None, {}, None, "ru")


def test_names_that_differ_are_allowed() -> None:
    rules = find("kozel")
    players = [(name, None) for name in ("Anna", "Anna 2", "Hanna")]
    assert seat(rules, players, None, {}, None, "en").players == ("Anna", "Anna 2", "Hanna")
    assert len({alike(name) for name in ("Anna", "Anna 2", "Аня", "Яна")}) == 4


def test_a_seed_is_text_that_a_record_can_hold() -> None:
    seating = seat(find("kozel"), [("A", None), ("B", None)], None, {}, "spring\udcff", "en")
    assert seating.seed == "spring?"
