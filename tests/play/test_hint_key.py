"""H in the real program: the hint is for the own ears, and Space then lays what it named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from play.program import Piped

PLAY = ("play", "kozel", "--player", "Anna", "--player", "Boris:novice", "--seed", "5")


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_what_a_hint_names_can_be_laid_at_once(tmp_path: Path, lang: str) -> None:
    with Piped(tmp_path, *PLAY, lang=lang) as kozel:
        kozel.start()
        for _ in range(3):
            [said] = kozel.press("h")
            assert (said.kind, said.to) == ("echo", 0)
            tile, _, reason = said.text.rstrip(".").partition(": ")
            assert reason
            lines = kozel.press("space")
            if lines[0].text.endswith("?"):
                arrow = "left" if re.search("left$|слева$", tile) else "right"
                lines = kozel.press(arrow)
            assert lines[0].text.lower().endswith(f"{tile}.".lower())


def test_a_hint_for_a_draw_names_its_key(tmp_path: Path) -> None:
    with Piped(tmp_path, *PLAY[:-1], "draws") as kozel:
        lines = kozel.start()
        for _ in range(40):
            key = "f4" if "draw: F4" in lines[-1].text else "space"
            [said] = kozel.press("h")
            if key == "f4":
                assert said.text == "Draw: F4. Nothing fits."
                return
            lines = kozel.press("space")
            if lines[-1].text.endswith("?"):
                lines = kozel.press("left")
            if lines[-1].text == "Enter: next round.":
                lines = kozel.press("enter")
    pytest.fail("nothing had to be drawn")


def test_outside_the_own_turn_a_hint_says_what_would_help(tmp_path: Path) -> None:
    with Piped(tmp_path, "play", "kozel", "--player", "Anna", "--player", "Boris") as kozel:
        lines = kozel.start()
        name = lines[-1].text.rsplit(" ", 2)[-2].rstrip(",")
        [said] = kozel.press("h")
        assert (said.to, said.text) == (None, f"Press Enter first, {name}.")
