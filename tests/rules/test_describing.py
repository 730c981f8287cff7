"""The rules in words: every rule has its sentences in both languages, and they say what the ruleset's data says."""

from __future__ import annotations

import re
import string
from typing import Literal, get_args, get_origin

import pytest

from kozel.locales import languages
from kozel.rules.describing import describe, sentences
from kozel.rules.reading import find, parse_ruleset, shipped_ids
from kozel.rules.vocabulary import RULES, SLOTS, settings_of
from rules.test_reading import FILE, KOZEL

ALL_RULES = {name: function for rules in RULES.values() for name, function in rules.items()}


def used(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("name", ALL_RULES)
def test_every_rule_has_its_sentences_with_all_its_settings(lang: str, name: str) -> None:
    known = sentences(lang).RULES[name]
    settings = settings_of(ALL_RULES[name])
    placeholders = set().union(*(used(text) for text in known.values()))
    told = placeholders | {key.split(":")[0] for key in known if key}
    assert told == set(settings)
    for setting, (annotation, _) in settings.items():
        if annotation is bool:
            assert {f"{setting}:yes", f"{setting}:no"} <= set(known)
        elif get_origin(annotation) is Literal:
            assert {f"{setting}:{value}" for value in get_args(annotation)} <= set(known)
        else:
            assert setting in placeholders


@pytest.mark.parametrize("lang", languages())
def test_there_are_no_sentences_about_rules_that_do_not_exist(lang: str) -> None:
    said = sentences(lang)
    assert set(said.RULES) == set(ALL_RULES)
    assert set(said.SLOTS) == set(SLOTS)


def test_both_languages_say_the_same_things() -> None:
    en, ru = sentences("en"), sentences("ru")
    assert {name: set(keys) for name, keys in en.RULES.items()} == {name: set(keys) for name, keys in ru.RULES.items()}
    assert {key: used(text) for key, text in en.TEXTS.items()} == {key: used(text) for key, text in ru.TEXTS.items()}
    assert len(en.COMMON) == len(ru.COMMON)


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("id", shipped_ids())
def test_shipped_rulesets_are_told_without_holes(lang: str, id: str) -> None:
    ruleset = find(id)
    lines = describe(ruleset, lang)
    for table in ruleset.seatings():
        lines += describe(ruleset, lang, ruleset.game(int(table["seats"]), bool(table["pairs"])))
    for line in lines:
        assert line == line.strip()
        assert (
            not re.search(r"[{}$_]", line.replace("double_play", "").replace("auto_draw", ""))
            or "(" in line
            or ":" in line
        )
        assert "None" not in line
    if lang == "ru":
        assert all(re.search("[а-яё]", line) for line in lines)


def test_a_changed_setting_changes_the_words() -> None:
    before = describe(parse_ruleset(KOZEL.encode(), FILE), "en")
    after = describe(parse_ruleset(KOZEL.replace("single: 13", "single: 20").encode(), FILE), "en")
    assert [line for line in after if line not in before] == [
        "3. An account opens with 20 points or more in one round; what comes before that is lost. In pairs it takes 25."
    ]


def test_options_are_told_with_their_defaults_and_what_else_they_bring() -> None:
    lines = describe(find("kozel-1x1"), "en")
    assert "Option draw: until_playable or one; default until_playable." in lines
    assert "Option target: from 1 to 1000; default 125." in lines
    assert "With double_play: yes. Two doubles that fit the two ends may be laid at once." in lines
    assert "With double_lead: yes, bonuses: no. Opening tile: a double; without one, any tile." in lines


def test_the_rules_at_a_table_tell_what_was_chosen_there_and_no_options() -> None:
    ruleset = find("kozel")
    lines = describe(ruleset, "en", ruleset.game(4, True, {"target": 50, "bonuses": False}))
    assert "6. Whoever has 50 points or more loses the match. The loser is the goat." not in lines
    assert "5. Whoever has 50 points or more loses the match. The loser is the goat." in lines
    assert "4. An account opens with 25 points or more in one round; what comes before that is lost." in lines
    assert not any("ption" in line or "double blank 25" in line for line in lines)


def test_russian_names_tiles_in_words() -> None:
    assert any("дупль пусто 25, дупль шесть 50" in line for line in describe(find("kozel"), "ru"))
