"""Keys that are held down, as a keyboard repeats them: in each place of the table in `interface.md`, and in the game."""

from __future__ import annotations

import re
import shutil
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("pty", reason="there are no pseudo-terminals on this platform")

from play.listening import UNHURRIED
from play.program import KEYS
from play.typed import Typed
from terminal.emulated import Emulated, Running, running

RECORDS = Path(__file__).with_name("records")
FIRST, EVERY = 0.66, 0.03
"""Seconds to the first repeat, and between the others, as X servers have it."""
_ONCE = (
    ("TURN", "space"),
    ("TURN", "enter"),
    ("TURN", "x"),
    ("TURN", "s-space"),
    ("TURN", "backspace"),
    ("TURN", "escape"),
    ("TURN", "q"),
    ("END", "left"),
    ("END", "escape"),
    ("REDEAL", "enter"),
    ("LEAVING", "escape"),
    ("HANDOVER", "enter"),
    ("BETWEEN", "enter"),
    ("OVER", "escape"),
    ("MENU", "enter"),
    ("MENU", "escape"),
    ("MENU", "3"),
    ("MENU", "n"),
    ("YES_NO", "enter"),
    ("YES_NO", "escape"),
    ("LINE", "enter"),
    ("LINE", "escape"),
)
_REPEATS = (
    ("TURN", "f4"),
    ("TURN", "d"),
    ("BAZAAR", "space"),
    ("TURN", "right"),
    ("TURN", "c"),
    ("TURN", ","),
    ("MENU", "left"),
    ("MENU", "down"),
    ("READING", "down"),
    ("READING", "3"),
    ("LINE", "backspace"),
    ("TURN", "\x1b[5~"),
)


def hold(terminal: Emulated, key: str, seconds: float = 1.2, first: float = FIRST) -> int:
    """Hold a key down; how often it came."""
    data = KEYS.get(key, key)
    terminal.send(data)
    began = time.monotonic()
    time.sleep(first)
    count = 1
    while time.monotonic() - began < seconds:
        terminal.send(data)
        count += 1
        time.sleep(EVERY)
    return count


def told(terminal: Emulated) -> int:
    """How many keys the program was given."""
    return len(re.findall(r"^key ", terminal.text, re.MULTILINE))


@pytest.mark.parametrize(("place", "key"), _ONCE)
def test_what_acts_acts_once(place: str, key: str) -> None:
    with Emulated() as terminal, running(terminal, "--place", place, "--quit-on", "$") as program:
        terminal.expect("\x1b[>4;2m")
        hold(terminal, key)
        time.sleep(0.3)
        assert told(terminal) == 1
        terminal.send("$")
        assert program.wait() == 0


@pytest.mark.parametrize(("place", "key"), _REPEATS)
def test_what_draws_walks_or_tells_repeats(place: str, key: str) -> None:
    with Emulated() as terminal, running(terminal, "--place", place, "--quit-on", "$") as program:
        terminal.expect("\x1b[>4;2m")
        count = hold(terminal, key)
        terminal.wait_for(lambda: told(terminal) == count, "repeats were lost")
        terminal.send("$")
        assert program.wait() == 0


@pytest.mark.parametrize("first", [0.25, 1.0, 2.0])
def test_whatever_the_delay_of_the_keyboard(first: float) -> None:
    with Emulated() as terminal, running(terminal, "--place", "BETWEEN", "--quit-on", "$") as program:
        terminal.expect("\x1b[>4;2m")
        hold(terminal, "enter", first + 0.6, first)
        time.sleep(0.3)
        assert told(terminal) == 1
        terminal.send("$")
        assert program.wait() == 0


@pytest.mark.parametrize("apart", [0.2, 0.3, 0.66])
@pytest.mark.parametrize(
    ("place", "key"), [("TURN", "space"), ("BETWEEN", "enter"), ("END", "left"), ("MENU", "escape")]
)
def test_two_taps_both_act(place: str, key: str, apart: float) -> None:
    with Emulated() as terminal, running(terminal, "--place", place, "--quit-on", "$") as program:
        terminal.expect("\x1b[>4;2m")
        for _ in range(2):
            terminal.send(KEYS[key])
            time.sleep(apart)
        terminal.wait_for(lambda: told(terminal) == 2, "a tap was lost")
        terminal.send("$")
        assert program.wait() == 0


def test_where_releases_are_reported_taps_act_at_once_and_repeats_never() -> None:
    with Emulated(kitty=True) as terminal, running(terminal, "--place", "TURN", "--quit-on", "$") as program:
        terminal.expect("\x1b[>27u")
        for number in range(1, 4):
            terminal.send("\x1b[32;1:1u\x1b[32;1:3u")
            terminal.wait_for(lambda: told(terminal) == number, "a tap was lost")  # noqa: B023
        terminal.send("\x1b[13u" + "\x1b[13;1:2u" * 20 + "\x1b[13;1:3u")
        terminal.send("\x1b[13u\x1b[13;1:3u")
        terminal.wait_for(lambda: told(terminal) == 5, "the press after a held key was lost")
        time.sleep(0.3)
        assert told(terminal) == 5
        terminal.send("$")
        assert program.wait() == 0


def test_on_a_slow_line_the_waits_are_longer() -> None:
    """Half of the round trip that was measured: repeats that come in bunches are still known for what they are."""
    environ = {"SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}
    with Emulated(delay=0.2) as terminal:
        program = Running(terminal, "--place", "BETWEEN", "--quit-on", "$", environ=environ)
        try:
            terminal.expect("\x1b[>4;2m")
            terminal.send("\r")
            time.sleep(0.6)
            for _ in range(3):  # 0.2 s apart: taps on a fast line
                terminal.send("\r")
                time.sleep(0.2)
            time.sleep(0.5)
            assert told(terminal) == 1
            terminal.send("$")
            assert program.wait() == 0
        finally:
            program.process.kill()


def test_a_key_that_opens_a_line_does_not_write_itself_into_it() -> None:
    with Emulated() as terminal, running(terminal, "--line-on", "n") as program:
        terminal.expect("\x1b[>4;2m")
        hold(terminal, "n")
        time.sleep(0.3)
        terminal.send("ab\r")
        terminal.expect("line 'ab'")
        terminal.send("q")
        assert program.wait() == 0


def _resumed(folder: Path, record: str) -> Typed:
    path = Path(shutil.copy(RECORDS / record, folder / "match.yaml"))
    return Typed(folder, "resume", str(path))


def test_enter_for_the_next_round_is_not_the_next_persons(tmp_path: Path) -> None:
    with _resumed(tmp_path, "between-rounds.yaml") as program:
        program.listened()
        time.sleep(UNHURRIED)
        hold(program.terminal, "enter", 2.0)
        lines = program.settled()
        assert [line.text for line in lines] == ["Round 2: Anna opens. Anna, Enter."]
        assert all(line.to is None for line in lines)


@pytest.mark.parametrize("key", ["escape", "q"])
def test_leaving_asks_once_and_does_not_answer_itself(key: str, tmp_path: Path) -> None:
    with _resumed(tmp_path, "between-rounds.yaml") as program:
        program.listened()
        time.sleep(UNHURRIED)
        hold(program.terminal, key, 2.0)
        lines = program.settled()
        assert [line.text for line in lines] == ["Leave? The match is kept. Enter yes, Escape no."]


def test_a_double_under_the_cursor_is_not_laid_by_the_key_that_asked(tmp_path: Path) -> None:
    with _resumed(tmp_path, "two-doubles-on-hand.yaml") as program:
        program.listened()
        program.press("enter", "tab")
        before = program.record.read_bytes() if (tmp_path / "matches").exists() else b""
        decided = (tmp_path / "match.yaml").read_bytes()
        time.sleep(UNHURRIED)
        hold(program.terminal, "space", 2.0)
        program.settled()
        assert (tmp_path / "match.yaml").read_bytes() == decided
        assert not before


def test_the_main_menu_starts_nothing_while_enter_is_held(tmp_path: Path) -> None:
    with Emulated() as terminal:
        command = (sys.executable, "-m", "kozel", "--data-dir", str(tmp_path), "--lang", "en", "--speech", "lines")
        program = Running(terminal, command=command)
        try:
            terminal.expect("Menu.")
            time.sleep(UNHURRIED)
            hold(terminal, "enter", 2.0)
            time.sleep(0.3)
            assert "Start" in terminal.text
            assert not (tmp_path / "matches").exists()
        finally:
            program.process.kill()
            program.process.wait()
