"""The menus in a real pseudo-terminal: arrows as terminals send them, names typed with echo, the terminal as it was before."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

pytest.importorskip("pty", reason="there are no pseudo-terminals on this platform")

from kozel.play.store import Folder, read_kept
from play.kept_matches import play
from terminal.emulated import Emulated, Running

PATIENCE = 60.0
HEARD = 0.35
"""Seconds after which what was said may be answered."""


class Player:
    """The program in a terminal, heard through its transcript."""

    def __init__(self, terminal: Emulated, folder: Path, *words: str, environ: Mapping[str, str] | None = None) -> None:
        self._terminal, self._heard = terminal, folder / "heard.jsonl"
        self._told = 0
        common = ("--data-dir", str(folder), "--transcript", str(self._heard), "--lang", "en", "--speech", "lines")
        self.program = Running(terminal, command=(sys.executable, "-m", "kozel", *words, *common), environ=environ)

    def lines(self) -> list[str]:
        if not self._heard.exists():
            return []
        return [json.loads(line)["text"] for line in self._heard.read_text(encoding="utf-8").splitlines(keepends=False)]

    def press(self, keys: str, wanted: str) -> str:
        """Send keys, once what was said before has been heard, and wait until something with these words is said."""
        time.sleep(HEARD if self._told else 0.0)
        self._terminal.send(keys)
        return self.wait(lambda text: wanted in text, wanted)

    def at_once(self, keys: str) -> None:
        """Send keys without listening to anything."""
        self._terminal.send(keys)

    @property
    def last(self) -> str:
        """What was waited for last."""
        return self.lines()[self._told - 1]

    def wait(self, good: Callable[[str], bool], wanted: str) -> str:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            lines = self.lines()
            for number in range(self._told, len(lines)):
                if good(lines[number]):
                    self._told = number + 1
                    return lines[number]
            time.sleep(0.01)
        raise AssertionError(f"{wanted!r} was not said: {self.lines()[self._told :]}; {self._terminal.text[-300:]!r}")

    def end(self) -> int:
        return self.program.process.wait(PATIENCE)


def test_a_match_is_set_up_and_begun_with_a_typed_name(tmp_path: Path) -> None:
    with Emulated() as terminal:
        player = Player(terminal, tmp_path)
        try:
            player.press("", "New match")
            player.press("\r", "Start")
            for _ in range(3):
                player.press("\x1b[B", ";")
            player.press("\r", "Name of player 1")
            player.press("Анна\r", "Seat 1: Анна")
            terminal.expect("Анна")
            player.press("\x1bOP", "Who plays here")
            player.press("\x1b[H", "Start")
            player.press("\r", "Round 1")
            terminal.send("\x03")
            assert player.end() == 128 + signal.SIGINT
            assert player.lines()[-1].startswith("The match is kept. Go on with: kozel resume")
            terminal.wait_for(lambda: terminal.clean, "the modes are still set")
            assert terminal.restored
        finally:
            player.program.process.kill()
    kept = read_kept(next(Folder(tmp_path).records()))
    assert kept.record.head.players[0] == "Анна"


def test_looking_back_and_leaving_by_escape_alone(tmp_path: Path) -> None:
    play(tmp_path, target=30)
    with Emulated() as terminal:
        player = Player(terminal, tmp_path)
        try:
            player.press("", "New match")
            player.press("m", "Matches.")
            player.press("\r", "Look back")
            player.press("\r", "Looking back")
            player.press("", "Round 1")
            player.press("\x1b[C", "Anna: double")
            player.press("\x1b[F", "goes out" if "goes out" in _first_result(tmp_path) else "Fish")
            for _ in range(3):
                player.press("\x1b", ";")
            player.press("\x1b", "Goodbye")
            assert player.end() == 0
            assert terminal.restored
        finally:
            player.program.process.kill()


def _first_result(folder: Path) -> str:
    """How the first round of the match ended, in the words of the game."""
    past = read_kept(next(Folder(folder).records())).match.past
    return "goes out" if past[0].result == "out" else "Fish"


_TOO_EARLY = "Too early, press again."
_GAP = 0.2
"""Seconds between two taps: more than the gap of a key that is held down, less than a question takes to be heard."""


def _at_a_match(player: Player, item: str) -> None:
    """Walk to what can be done with the only match, up to an item."""
    player.press("", "New match")
    player.press("m", "Matches.")
    player.press("\r", "Look back; 1 of")
    while True:
        player.press("\x1b[B", ";")
        if player.last.startswith(item):
            return


def test_nothing_is_chosen_before_its_words_were_heard_and_each_try_is_answered(tmp_path: Path) -> None:
    with Emulated() as terminal:
        player = Player(terminal, tmp_path)
        try:
            player.press("", "New match")
            player.at_once("17k")
            for _ in range(3):
                player.wait(lambda text: text == _TOO_EARLY, "an answer to each")
            time.sleep(HEARD)
            player.at_once("\x1b[B\r")
            player.wait(lambda text: text == _TOO_EARLY, "an answer to Enter")
            time.sleep(_GAP)
            player.press("7", "Which game?")
        finally:
            player.program.process.kill()


@pytest.mark.parametrize("between", [0.0, _GAP])
def test_the_key_that_asks_whether_to_delete_does_not_answer(tmp_path: Path, between: float) -> None:
    record = play(tmp_path, target=30)
    with Emulated() as terminal:
        player = Player(terminal, tmp_path)
        try:
            _at_a_match(player, "Delete")
            time.sleep(HEARD)
            player.at_once("\r")
            time.sleep(between)
            player.at_once("\r")
            player.wait(lambda text: text.startswith("Delete?"), "the question")
            if between:
                player.wait(lambda text: text == _TOO_EARLY, "an answer")
            time.sleep(1.0)
            assert record.exists()
            player.press("\x1b", "Not deleted")
        finally:
            player.program.process.kill()


def test_delete_is_not_confirmed_by_a_held_key(tmp_path: Path) -> None:
    record = play(tmp_path, target=30)
    with Emulated() as terminal:
        player = Player(terminal, tmp_path)
        try:
            _at_a_match(player, "Delete")
            time.sleep(HEARD)
            player.at_once("\r")
            time.sleep(0.66)
            for _ in range(40):
                player.at_once("\r")
                time.sleep(0.03)
            time.sleep(0.3)
            assert record.exists()
            assert player.lines()[-1].startswith("Delete?")
        finally:
            player.program.process.kill()


def test_escape_out_of_a_menu_does_not_end_the_program_too(tmp_path: Path) -> None:
    with Emulated() as terminal:
        player = Player(terminal, tmp_path)
        try:
            player.press("", "New match")
            player.press("7", "Which game?")
            time.sleep(HEARD)
            player.at_once("\x1b")
            time.sleep(_GAP)
            player.at_once("\x1b")
            player.wait(lambda text: text == _TOO_EARLY, "an answer")
            assert player.program.process.poll() is None
            player.press("\x1b", "Goodbye")
            assert player.end() == 0
        finally:
            player.program.process.kill()


def test_a_list_that_is_only_read_stays_whatever_is_typed(tmp_path: Path) -> None:
    with Emulated() as terminal:
        player = Player(terminal, tmp_path)
        try:
            player.press("", "New match")
            player.press("8", "Keys.")
            player.press("3", "; 3 of")
            player.press("t", ";")
            player.press("z", "")
            player.press("\x1b[H", "; 1 of")
            player.press("\x1b", "Menu.")
        finally:
            player.program.process.kill()


def test_a_name_is_edited_in_letters_asked_about_and_cancelled(tmp_path: Path) -> None:
    with Emulated() as terminal:
        player = Player(terminal, tmp_path)
        try:
            player.press("", "New match")
            player.press("\r", "Start")
            while "Seat 1" not in player.press("\x1b[B", ";"):
                pass
            player.press("\r", "Name of player 1")
            player.press("Яна\x7f\x7f\x1bOP", "Escape goes back")
            player.press("\x1b[A", "Typed: Я")
            player.press("ша\r", "Seat 1: Яша")
            player.press("\r", "Name of player 1")
            player.press("Вера\x1b", "Seat 1: Яша")
        finally:
            player.program.process.kill()


def test_the_keys_that_a_terminal_keeps_to_itself_are_told_once(tmp_path: Path) -> None:
    told = []
    for _ in range(2):
        with Emulated() as terminal:
            player = Player(terminal, tmp_path, environ={"KONSOLE_VERSION": "221203"})
            try:
                player.press("", "New match")
                told.append([line for line in player.lines() if "keep some keys" in line])
            finally:
                player.program.process.kill()
    kept = "Shift Left, Shift Right, Shift Up and Shift Down"
    assert told[0] == [f"This terminal may keep some keys to itself: {kept}. Press instead: L, R, U and N."]
    assert told[0] == told[1]  # the second start has added none
