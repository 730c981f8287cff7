"""Every hotkey pressed in real terminals; after leaving, the same terminal sends what it did before."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from terminal import press_printer
from terminal.e2e.display import Display, Window
from terminal.e2e.terminals import KINDS, installed

pytestmark = [pytest.mark.slow, pytest.mark.display]

HOTKEYS = {
    "Up": "up zone_before",
    "Down": "down zone_after",
    "Left": "left walk_left",
    "Right": "right walk_right",
    "Home": "home walk_home",
    "End": "end walk_end",
    "Tab": "tab next_fit",
    "shift+Tab": "s-tab previous_fit",
    "space": "space act",
    "Return": "enter confirm",
    "shift+space": "s-space mark",
    "F2": "f2 last_move",
    "shift+F2": "s-f2 moves_since_turn",
    "F3": "f3 counts",
    "shift+F3": "s-f3 scores",
    "ctrl+F3": "c-f3 last_round",
    "ctrl+shift+F3": "c-s-f3 eggs",
    "F4": "f4 draw",
    "shift+F4": "s-f4 bazaar",
    "shift+Left": "s-left end_left",
    "shift+Right": "s-right end_right",
    "shift+Up": "s-up end_up",
    "shift+Down": "s-down end_down",
    "F1": "f1 help",
    "F5": "f5 whose_turn",
    "F6": "f6 repeat",
    "F7": "f7 speech_mode",
    "F8": "f8 verbosity",
    "F9": "f9 hand",
    "shift+F9": "s-f9 chain",
    "Escape": "escape leave",
    "BackSpace": "backspace undo",
    "x": "x mark",
    "X": "X mark",
    "Cyrillic_che": "ч mark",
    "1": "1 tile_1",
    "0": "0 tile_10",
    "comma": ", older",
    "bracketright": "] kind_after",
    "question": "? help",
}
_AFTER = {"shift+space": b" ", "space": b" ", "s": b"s", "S": b"S", "ctrl+c": b"\x03", "Escape": b"\x1b"}


@pytest.mark.parametrize("name", KINDS)
def test_every_hotkey(name: str, display: Display, tmp_path: Path) -> None:
    kind = installed(name)
    window = Window(display, tmp_path, kind.command, [sys.executable, press_printer.__file__])
    try:
        told = {key: window.press(key) for key in HOTKEYS if key not in kind.own}
        locked = _with_num_lock(display, window)
        window.leave()
        after = {key: window.probe(key) for key in _AFTER}
    finally:
        window.close()
    ending = f" level {kind.level} {kind.shift_space}"
    wanted = HOTKEYS if kind.shift_space == "yes" else HOTKEYS | {"shift+space": HOTKEYS["space"]}
    assert told == {key: [f"key {line}{ending}"] for key, line in wanted.items() if key not in kind.own}
    assert locked == [f"key f3 counts{ending}", f"key s-f3 scores{ending}"]
    assert after == _AFTER


def _with_num_lock(display: Display, window: Window) -> list[str]:
    """Num Lock and Caps Lock are often on, and some terminals report them with each key."""
    display.press("Num_Lock")
    try:
        return [*window.press("F3"), *window.press("shift+F3")]
    finally:
        display.press("Num_Lock")


@pytest.mark.parametrize(
    ("place", "key", "once"),
    [
        ("BETWEEN", "Return", True),
        ("MENU", "Return", True),
        ("MENU", "3", True),
        ("LEAVING", "Escape", True),
        ("END", "Left", True),
        ("TURN", "x", True),
        ("TURN", "space", True),
        ("BAZAAR", "space", False),
        ("TURN", "F4", False),
        ("TURN", "Right", False),
    ],
)
def test_a_key_that_acts_acts_once_while_it_is_held(
    place: str, key: str, once: bool, repeating: Display, tmp_path: Path
) -> None:
    program = [sys.executable, press_printer.__file__, "--place", place, "--quit-on", "$"]
    window = Window(repeating, tmp_path, installed("xterm").command, program)
    try:
        repeating.do("keydown", key)
        time.sleep(1.5)
        repeating.do("keyup", key)
        time.sleep(0.5)
        count = sum(line.startswith("key ") for line in window.lines())
        assert (count == 1) if once else (count > 5)
    finally:
        window.close()
