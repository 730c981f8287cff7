"""The shipped keymaps without chords and F-keys: a match set up in the menu, whole turns and leaving by their keys alone.

In menus first letters choose, so the left hand walks them with Tab and chooses with Space and digits.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

pytest.importorskip("pty", reason="there are no pseudo-terminals on this platform")

from oracle.records import replay_text
from play.hearing import Asked, asked
from play.listening import UNHURRIED
from play.program import Line
from play.test_saved import decisions_in
from play.typed import Typed

KEYS = {
    "letters": {
        "walk": "j",
        "choose": "enter",
        "first": "1",
        "yes": "enter",
        "no": "q",
        "fit": ";",
        "lay": "space",
        "left": "f",
        "right": "g",
        "draw": "d",
        "counts": "c",
        "hand": "a",
        "chain": "z",
    },
    "left-hand": {
        "walk": "tab",
        "choose": "space",
        "first": "1",
        "yes": "g",
        "no": "escape",
        "fit": "tab",
        "lay": "space",
        "left": "a",
        "right": "d",
        "draw": "f",
        "counts": "c",
        "hand": "`",
        "chain": "5",
    },
}


class Player:
    """Presses the keys of one keymap; hears the transcript."""

    def __init__(self, program: Typed, keys: dict[str, str]) -> None:
        self._program, self._keys = program, keys
        self.lines: list[Line] = []

    def does(self, what: str, wanted: str) -> str:
        """Press a key after it was listened; the first line that matches what is wanted."""
        time.sleep(UNHURRIED)
        if what:
            self._program.send(self._keys[what])
        found: list[str] = []

        def heard(lines: list[Line]) -> bool:
            self.lines = lines
            found[:] = [line.text for line in lines if re.search(wanted, line.text)]
            return bool(found)

        self._program.until(heard)
        assert found, f"{wanted!r} was not said: {self.lines}"
        return found[0]

    def turn(self) -> None:
        """One decision: lays the next tile that fits, or draws."""
        last = self.lines[-1].text
        if re.search(r"\bdraw: |^Drawn: [^,]*$", last, re.IGNORECASE):
            self.does("draw", r"^Drawn: ")
            return
        if not re.search(r"open with \w+ \w+\.$", last) or "any tile" in last:
            self.does("fit", r"\w+ \w+")
        said = self.does("lay", r".")
        if asked(self.lines, "en") is Asked.END:
            arrow = "left" if re.search("left", said, re.IGNORECASE) else "right"
            self.does(arrow, rf", {arrow}[.;]")

    def waits(self) -> None:
        """Listen until something is asked."""
        if not _open(self.lines):
            heard = list(self.lines)
            self._program.until(lambda lines: _open(lines or heard))
            self.lines = self._program.transcript.all[-1:]


def _open(lines: list[Line]) -> bool:
    return bool(lines) and bool(re.search(r"\bfits?\b.*\.$|draw: |open with|next round|^Drawn", lines[-1].text))


@pytest.mark.parametrize("keymap", KEYS)
def test_from_the_menu_through_turns_and_out_again(keymap: str, tmp_path: Path) -> None:
    program = Typed(tmp_path, "--keymap", keymap, kitty=True)
    try:
        player = Player(program, KEYS[keymap])
        player.does("", r"New match; 1 of \d+\.$")
        player.does("walk", r"2 of \d+\.$")
        player.does("walk", r"3 of \d+\.$")
        player.does("first", r"Start")
        player.does("choose", r"^Round 1")
        player.waits()
        before = decisions_in(program.record.read_bytes())
        for _ in range(4):
            player.turn()
            player.waits()
        assert decisions_in(program.record.read_bytes()) >= before + 4
        player.does("counts", r"^Tiles: ")
        player.does("hand", r"tiles?: ")
        player.does("chain", r"^Chain")
        player.does("no", r"^Leave\?")
        player.does("no", r".")
        player.does("no", r"^Leave\?")
        player.does("yes", r"\d+ of \d+\.$")
        player.does("no", r"^Goodbye")
        assert program.program.wait() == 0
        assert replay_text(program.record.read_text(encoding="utf-8"))["ok"]
    finally:
        program.__exit__(None, None, None)
