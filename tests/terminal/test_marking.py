"""Shift+Space that may arrive as Space: the game in emulated terminals that tell it, do not tell it, and say nothing."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("pty", reason="there are no pseudo-terminals on this platform")

from play.listening import UNHURRIED
from play.program import Line
from play.test_saved import decisions_in
from play.typed import Typed

RECORD = Path(__file__).parents[1] / "play" / "two_doubles.yaml"
NAMED = "To lay two doubles at once, mark them with {}."
ASKED = "Only double four? Space again; {} marks it."


class Of(NamedTuple):
    """A terminal: what it answers and what tells of it."""

    kitty: bool = False
    answers: bool = True
    environ: Mapping[str, str] | None = None
    term: str = "xterm-256color"


TELLING = {"kitty": Of(kitty=True), "xterm": Of(environ={"XTERM_VERSION": "XTerm(379)"})}
NOT_TELLING = {
    "no: VTE": Of(environ={"VTE_VERSION": "7006"}),
    "no: tmux": Of(environ={"TMUX": "/tmp/tmux", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a"}),
    "no: no answer": Of(answers=False),
    "no: Linux console": Of(term="linux"),
    "unknown: nothing names it": Of(),
}


def resumed(folder: Path, terminal: Of, *words: str) -> Typed:
    record = shutil.copy(RECORD, folder / "match.yaml")
    kitty, answers, environ, term = terminal
    return Typed(folder, "resume", str(record), *words, kitty=kitty, answers=answers, environ=environ, term=term)


def texts(lines: list[Line]) -> list[str]:
    return [line.text for line in lines]


def decisions(folder: Path) -> int:
    return decisions_in((folder / "match.yaml").read_bytes())


@pytest.mark.parametrize("terminal", TELLING.values(), ids=TELLING)
def test_where_it_is_told_nothing_is_asked(terminal: Of, tmp_path: Path) -> None:
    with resumed(tmp_path, terminal) as program:
        assert NAMED.format("X") not in texts(program.listened())
        before = decisions(tmp_path)
        assert texts(program.press("4")) == ["Double four, left."]
        program.press("space")
        assert decisions(tmp_path) > before
        assert b"- 4-4 left\n" in (tmp_path / "match.yaml").read_bytes()


@pytest.mark.parametrize("terminal", NOT_TELLING.values(), ids=NOT_TELLING)
def test_where_it_is_not_told_space_asks_until_a_mark_was_seen(terminal: Of, tmp_path: Path) -> None:
    with resumed(tmp_path, terminal) as program:
        assert texts(program.listened()).count(NAMED.format("X")) == 1
        before = (tmp_path / "match.yaml").read_bytes()
        program.press("4")
        assert texts(program.press("space")) == [ASKED.format("X")]
        assert texts(program.press("6", "space"))[-1] == ASKED.format("X").replace("four", "five")
        assert texts(program.press("4", "space"))[-1] == ASKED.format("X")
        assert (tmp_path / "match.yaml").read_bytes() == before
        assert texts(program.press("x")) == ["Double four, marked."]
        assert texts(program.press("x")) == ["Double four, mark off."]
        program.press("space")
        assert (tmp_path / "match.yaml").read_bytes().startswith(before + b"      - 4-4 left\n")
        assert texts(program.transcript.all).count(NAMED.format("X")) == 1


def test_space_again_lays_it_alone(tmp_path: Path) -> None:
    with resumed(tmp_path, Of(answers=False)) as program:
        program.listened()
        before = (tmp_path / "match.yaml").read_bytes()
        assert texts(program.press("4", "space"))[-1] == ASKED.format("X")
        assert texts(program.press("c")) == ["Tiles: you 6, Boris 6, Vera 5."]
        program.press("space")
        assert (tmp_path / "match.yaml").read_bytes().startswith(before + b"      - 4-4 left\n")


def test_held_space_does_not_answer_itself(tmp_path: Path) -> None:
    with resumed(tmp_path, Of(answers=False)) as program:
        program.listened()
        before = (tmp_path / "match.yaml").read_bytes()
        program.press("4")
        said = texts(program.press("space")) + texts(program.held("space", 40))
        assert said[0] == ASKED.format("X")
        assert len(said) <= 2
        assert (tmp_path / "match.yaml").read_bytes() == before


def test_enter_at_once_is_too_early_for_that_question(tmp_path: Path) -> None:
    with resumed(tmp_path, Of(answers=False)) as program:
        program.listened()
        before = (tmp_path / "match.yaml").read_bytes()
        program.press("4")
        time.sleep(UNHURRIED)
        program.send("space", "enter")
        assert texts(program.settled()) == [ASKED.format("X"), "Too early, press again."]
        assert (tmp_path / "match.yaml").read_bytes() == before
        program.press("enter")
        assert (tmp_path / "match.yaml").read_bytes().startswith(before + b"      - 4-4 left\n")


def test_what_could_not_be_marked_is_not_asked_for(tmp_path: Path) -> None:
    """A tile that is no double is laid at once; the question for its end is another matter."""
    with resumed(tmp_path, Of(answers=False)) as program:
        program.listened()
        assert texts(program.press("5", "space"))[-1] == "Left four, right five?"


def test_the_letter_is_that_of_the_keymap(tmp_path: Path) -> None:
    keymap = tmp_path / "mine.yaml"
    keymap.write_text("extends: classic\nkeys:\n  mark: [Shift+Space, J]\n", encoding="utf-8")
    with resumed(tmp_path, Of(answers=False), "--keymap", str(keymap)) as program:
        assert NAMED.format("J") in texts(program.listened())
        assert texts(program.press("4", "space"))[-1] == ASKED.format("J")
        assert texts(program.press("j")) == ["Double four, marked."]


def test_a_match_that_lays_one_tile_at_a_time_names_no_letter(tmp_path: Path) -> None:
    words = ("play", "kozel-1x1", "--player", "Anna", "--player", "Boris", "--seed", "7")
    with Typed(tmp_path, *words, answers=False) as program:
        assert NAMED.format("X") not in texts(program.listened())


def test_where_doubles_can_be_closed_the_letter_is_said_to_go_round(tmp_path: Path) -> None:
    words = ("play", "osel", "--player", "Anna", "--player", "Boris", "--seed", "7")
    with Typed(tmp_path, *words, answers=False) as program:
        start = texts(program.listened())
        assert (
            start.count("X marks a double open; again, closed; again, not at all. Marked doubles are laid together.")
            == 1
        )
        assert NAMED.format("X") not in start


def test_a_new_match_names_the_letter_once(tmp_path: Path) -> None:
    """Before anything of the first round, in a hot seat too."""
    words = ("play", "kozel", "--player", "Anna", "--player", "Boris", "--seed", "7")
    with Typed(tmp_path, *words, answers=False) as program:
        start = texts(program.listened())
        assert start.index(NAMED.format("X")) < next(n for n, text in enumerate(start) if text.startswith("Round 1"))
        program.press("enter")
        assert texts(program.transcript.all).count(NAMED.format("X")) == 1
