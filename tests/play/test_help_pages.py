"""F1 in the real program: the keys, then the rules in parts that can be followed by ear."""

from __future__ import annotations

from pathlib import Path

import pytest

from kozel.locales import message
from kozel.rules.describing import describe
from kozel.rules.reading import find, shipped_ids
from kozel.session.helping import rule_pages
from play.program import Line, Piped

PLAY = ("--player", "Anna", "--player", "Boris:novice", "--seed", "1")


def texts(lines: list[Line]) -> list[str]:
    """What was said in answer to a key; the question that is asked again is left out."""
    return [line.text for line in lines if line.kind == "echo"]


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("ruleset", ["domino", "kozel", "osel", "kozel-1x1"])
def test_f1_again_and_again_tells_all_rules_and_then_the_keys(tmp_path: Path, ruleset: str, lang: str) -> None:
    rules = describe(find(ruleset), lang, find(ruleset).game(2, None, {}))
    with Piped(tmp_path, "play", ruleset, *PLAY, lang=lang) as kozel:
        kozel.start()
        keys = texts(kozel.press("f1"))
        told: list[str] = []
        pages = 0
        while (page := texts(kozel.press("f1"))) != keys:
            told += page[:-1]
            pages += 1
            assert "F1: " in page[-1]
        assert told == rules
        assert pages > 1


def test_another_key_closes_help_and_saying_it_again_does_not(tmp_path: Path) -> None:
    with Piped(tmp_path, "play", "kozel", *PLAY) as kozel:
        kozel.start()
        keys = texts(kozel.press("f1"))
        first = texts(kozel.press("f1"))
        kozel.press("f6", ",", ".")
        second = texts(kozel.press("f1"))
        assert second not in (keys, first)
        kozel.press("f5")
        assert texts(kozel.press("f1")) == keys


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_pages_are_short_and_lose_nothing(lang: str) -> None:
    for id in shipped_ids():
        lines = describe(find(id), lang)
        pages = rule_pages(lines)
        assert [line for page in pages for line in page] == lines
        for page in pages:
            assert len(page) == 1 or sum(len(line.split()) for line in page) <= 50
        assert message(lang, "help.end", key="F1", place=len(pages), n=len(pages))
