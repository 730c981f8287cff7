"""Help in the real program: a list that is walked over the table, and left again."""

from __future__ import annotations

from pathlib import Path

import pytest

from kozel.locales import message
from kozel.rules.describing import describe
from kozel.rules.reading import find
from play.program import Line, Piped

PLAY = ("--player", "Anna", "--player", "Boris:novice", "--seed", "1")


def echoes(lines: list[Line]) -> list[str]:
    """What was said in answer to a key; a question that is asked again is left out."""
    return [line.text for line in lines if line.kind == "echo"]


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("ruleset", ["domino", "kozel", "osel", "kozel-1x1"])
def test_help_is_walked_line_by_line_through_the_keys_to_the_last_rule(tmp_path: Path, ruleset: str, lang: str) -> None:
    game = find(ruleset).game(2, None, {})
    rules = describe(find(ruleset), lang, game)
    with Piped(tmp_path, "play", ruleset, *PLAY, lang=lang) as kozel:
        kozel.start()
        [opening] = echoes(kozel.press("f1"))
        lines = [opening]
        while True:
            [line] = echoes(kozel.press("down"))
            if line == message(lang, "walk.edge", said=lines[-1]):
                break
            lines.append(line)
        assert lines[-len(rules) :] == rules
        assert echoes(kozel.press("home"))[0] in opening
        assert echoes(kozel.press("end")) == [rules[-1]]


def test_keys_that_act_say_how_to_leave_and_the_turn_is_told_again(tmp_path: Path) -> None:
    with Piped(tmp_path, "play", "kozel", *PLAY) as kozel:
        turn = kozel.start()[-1].text
        kozel.press("f1")
        leave = message("en", "list.leave_first", back="Escape")
        for key in ("space", "enter", "f4", "x"):
            assert echoes(kozel.press(key)) == [leave]
        [counts] = echoes(kozel.press("f3"))
        assert "Boris 6" in counts
        assert kozel.press("escape")[-1].text == turn


def test_only_keys_that_this_game_has_a_use_for_are_in_the_list(tmp_path: Path) -> None:
    def whole(*args: str) -> list[str]:
        with Piped(tmp_path / "-".join(args).replace(":", ""), "play", *args) as kozel:
            kozel.start()
            lines = echoes(kozel.press("f1"))
            while len(lines) < 3 or lines[-1] != message("en", "walk.edge", said=lines[-2]):
                lines += echoes(kozel.press("down"))
            return lines

    two = [part for name in "ABCD" for part in ("--player", name if name == "A" else f"{name}:novice")]
    without_bazaar = whole("kozel-2x2", *two)
    assert not any("draw" in line.lower() and "F4" in line for line in without_bazaar)
    with_all = whole("osel", "--player", "A", "--player", "B:novice")
    assert any("F4" in line for line in with_all)
    assert any("upper end" in line for line in with_all)
    assert not any("upper end" in line for line in without_bazaar)
    assert not any("take" in line and "back" in line and "practice" in line for line in with_all)
