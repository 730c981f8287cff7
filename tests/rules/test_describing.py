"""The rules in words: every rule has its sentences in both languages, and they say what the ruleset's data says."""

from __future__ import annotations

import re
import string
from typing import Literal, get_args, get_origin

import pytest

from kozel.locales import languages
from kozel.rules.describing import ASIDE, LONGEST_LINE, SECTIONS, describe, in_lines, sentences
from kozel.rules.reading import find, parse_ruleset, shipped_ids
from kozel.rules.vocabulary import RULES, SLOTS, settings_of
from rules.test_reading import FILE, KOZEL

ALL_RULES = {name: function for rules in RULES.values() for name, function in rules.items()}


def used(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def everywhere(id: str, lang: str) -> list[str]:
    """A shipped ruleset in words: by itself, and at each of its tables."""
    ruleset = find(id)
    lines = describe(ruleset, lang)
    for table in ruleset.seatings():
        lines += describe(ruleset, lang, ruleset.game(int(table["seats"]), bool(table["pairs"])))
    return lines


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("name", ALL_RULES)
def test_every_rule_has_its_sentences_with_all_its_settings(lang: str, name: str) -> None:
    known = sentences(lang).RULES[name]
    assert known[""]
    settings = settings_of(ALL_RULES[name])
    placeholders = set().union(*(used(text) for text in known.values()))
    conditions = {condition for key in known if key and key not in ASIDE for condition in key.split(",")}
    told = placeholders | {condition.split(":")[0] for condition in conditions}
    assert told == set(settings)
    for setting, (annotation, _) in settings.items():
        if annotation is bool:
            assert {f"{setting}:yes", f"{setting}:no"} <= conditions
        elif get_origin(annotation) is Literal:
            assert {f"{setting}:{value}" for value in get_args(annotation)} <= conditions
        else:
            assert setting in placeholders


@pytest.mark.parametrize("lang", languages())
def test_there_are_no_sentences_about_rules_that_do_not_exist(lang: str) -> None:
    said = sentences(lang)
    assert set(said.RULES) == set(ALL_RULES)
    assert tuple(said.SECTIONS) == SECTIONS
    assert set(said.PLAYERS) == set(said.TOGETHER) == {2, 3, 4}


def test_both_languages_say_the_same_things() -> None:
    en, ru = sentences("en"), sentences("ru")
    assert {name: set(keys) for name, keys in en.RULES.items()} == {name: set(keys) for name, keys in ru.RULES.items()}
    assert {key: used(text) for key, text in en.TEXTS.items()} == {key: used(text) for key, text in ru.TEXTS.items()}
    assert set(en.FORMS) == set(ru.FORMS)


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("id", shipped_ids())
def test_shipped_rulesets_are_told_by_a_person(lang: str, id: str) -> None:
    """No holes, no identifier, no line that is too long to be heard at once."""
    ruleset = find(id)
    names = {*ruleset.options, *ALL_RULES, *SLOTS} - {
        "pips",
        "fish",
        "deal",
        "lead",
        "snot",
        "stake",
        "target",
        "bonuses",
        "draw",
        "placing",
    }
    for line in everywhere(id, lang):
        assert line == line.strip()
        assert not re.search(r"[{}$_<>]|None", line), line
        assert not names & set(re.findall(r"\w+", line)), line
        assert len(line.split()) <= LONGEST_LINE, line
        assert not line[0].islower(), line
        assert line[-1] == ".", line
        if lang == "ru":
            assert not re.search("[A-Za-z]", line), line


@pytest.mark.parametrize(("lang", "headings"), [
    ("en", ["The aim", "The deal", "The turn", "The end of a round", "The count", "What you can choose"]),
    ("ru", ["Цель", "Сдача", "Ход", "Конец раунда", "Подсчёт", "Что можно выбрать"]),
])  # fmt: skip
@pytest.mark.parametrize("id", shipped_ids())
def test_the_aim_comes_first_then_deal_turn_end_and_count(id: str, lang: str, headings: list[str]) -> None:
    lines = describe(find(id), lang)
    found = [heading for line in lines for heading in headings if line.startswith(f"{heading}. ")]
    assert found == headings
    assert lines[1].startswith(headings[0])


def test_a_changed_setting_changes_the_words() -> None:
    before = describe(parse_ruleset(KOZEL.encode(), FILE), "en")
    after = describe(parse_ruleset(KOZEL.replace("single: 13", "single: 20").encode(), FILE), "en")
    assert [line for line in after if line not in before] == [
        "At first nobody has an account. It opens when one round gives at least 20 points. Anything less before that is lost."
    ]


def test_options_are_told_by_their_names_with_what_else_they_bring() -> None:
    lines = describe(find("kozel-1x1"), "en")
    assert "Draw: until one fits or one tile; usually until one fits." in lines
    assert "What you can choose. Target: from 1 to 1000; usually 125." in lines
    assert "Two doubles at once: yes. If two doubles fit two different ends, both may be laid in one move." in lines
    assert "Bonuses: yes. The losers get more for special tiles: double blank 25, double six 50." in lines


def test_the_rules_at_a_table_tell_what_was_chosen_there_and_no_options() -> None:
    ruleset = find("kozel")
    lines = describe(ruleset, "en", ruleset.game(4, True, {"target": 50, "bonuses": False}))
    assert lines[1].startswith("The aim. Stay below 50 points.")
    assert "At first nobody has an account. It opens when one round gives at least 25 points." in "\n".join(lines)
    assert not any("choose" in line or "double blank 25" in line or "13" in line for line in lines)
    assert any("double blank 25" in line for line in describe(ruleset, "en", ruleset.game(4, True)))


def test_a_condition_on_the_double_blank_and_a_number_of_nothing_are_told() -> None:
    text = """\
kozel-ruleset: 1
id: own
extends: kozel-yard
steps:
  sitting_on_the_goat: {single: 13, pairs: 0}
  officer_goat: {tile: 6-6, unless: 0-0}
"""
    told = "\n".join(describe(parse_ruleset(text.encode(), FILE), "en"))
    assert "Not if double blank went with it in that move." in told
    assert "In pairs it takes 0 points." in told
    assert "Но не тогда, когда тем же ходом положили дупль пусто." in "\n".join(
        describe(parse_ruleset(text.encode(), FILE), "ru")
    )


@pytest.mark.parametrize(
    ("id", "seats", "told"),
    [
        ("domino", 3, "the others' points less the lowest stay on the line as eggs"),
        ("domino", 2, None),
        ("kozel", 3, "they write nothing, and all others write their own points"),
        ("kozel-101", 4, "they write nothing, and all others write their own points"),
    ],
)
def test_where_the_points_of_a_shared_fish_go_is_told_where_one_can_be(id: str, seats: int, told: str | None) -> None:
    ruleset = find(id)
    lines = "\n".join(describe(ruleset, "en", ruleset.game(seats, False)))
    assert ("share a fish" in lines) == (told is not None)
    assert told is None or (told in lines and told in "\n".join(describe(ruleset, "en")))


def test_who_opens_is_told_once_where_all_rounds_are_alike() -> None:
    assert any(line.startswith("In every round whoever holds") for line in describe(find("domino"), "en"))
    later = [line for line in describe(find("kozel-101"), "en") if line.startswith("In later rounds")]
    assert later == ["In later rounds whoever laid the last tile of the one before opens."]


def test_a_players_own_words_for_options_are_told() -> None:
    text = KOZEL.replace(
        "  bonuses: yes\n",
        "  bonuses: {default: yes, name: {ru: Доплата, en: Extra}, about: {en: More for double blank.}}\n",
    ).replace("values: [all, one]}", "values: {all: {en: till one fits}, one: {en: just one}}, name: {en: Drawing}}")
    ruleset = parse_ruleset(text.encode(), FILE)
    lines = describe(ruleset, "en")
    assert "Extra: yes or no; usually yes. More for double blank." in lines
    assert "Drawing: till one fits or just one; usually till one fits." in lines
    assert any(line.startswith("Drawing: just one. If nothing fits, you draw one tile") for line in lines)
    assert "Доплата: да или нет; обычно да. More for double blank." in describe(ruleset, "ru")


def test_russian_names_tiles_in_words_and_counts_points() -> None:
    lines = describe(find("kozel"), "ru")
    assert any("дупль пусто 25, дупль шесть 50" in line for line in lines)
    assert any("хотя бы 13 очков" in line for line in lines)
    assert any("Не набрать 101 очко." in line for line in describe(find("osel"), "ru"))


def test_long_texts_break_between_sentences() -> None:
    text = "One two three. Four five? Six seven eight nine. Ten."
    assert list(in_lines(text, 5)) == ["One two three. Four five?", "Six seven eight nine. Ten."]
    assert list(in_lines("One two three four.", 2)) == ["One two three four."]


MISPRONOUNCED = (
    "костей",
    "козлы",
    "отложенн",
    "раундах",
    "раунды",
    "выигравших",
    "дупле ",
    "дуплями",
    "пересдач",
    "добор",
)
"""Russian words that espeak-ng stresses wrong."""


def test_russian_rules_use_words_that_a_synthesizer_says_rightly() -> None:
    said = sentences("ru")
    texts = [*said.TEXTS.values(), *(text for known in said.RULES.values() for text in known.values())]
    nouns = [noun for _, forms in said.FORMS.values() for noun in forms.values()]
    for text in (*texts, *nouns):
        assert not any(word in text.lower() for word in MISPRONOUNCED), text


def test_where_all_tiles_are_dealt_no_bazaar_is_spoken_of() -> None:
    ruleset = find("kozel")
    with_four = "\n".join(describe(ruleset, "en", ruleset.game(4, True))[12:])
    assert "There is no bazaar, for all tiles are dealt: if nothing fits, you pass." in with_four
    assert "you draw" not in with_four
    assert "takes what is left" not in with_four
    with_three = "\n".join(describe(ruleset, "en", ruleset.game(3, False)))
    assert "you draw from the bazaar" in with_three
    assert "takes what is left" in with_three
