"""The real game in a real terminal, its keys pressed with xdotool, its words read from the transcript."""

from __future__ import annotations

import shlex
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from play.listening import Listening
from play.program import Transcript, command
from terminal.e2e.display import PATIENCE, Display, Opened, wait_for

TWO_DOUBLES = Path(__file__).parents[2] / "play" / "two_doubles.yaml"
"""A match in its second round: Anna is to move, and can lay two doubles at once."""
_SYMBOLS = {
    "enter": "Return",
    "space": "space",
    "backspace": "BackSpace",
    ",": "comma",
    ".": "period",
    "[": "bracketleft",
    "]": "bracketright",
    "?": "question",
}
_HELD = {"s": "shift", "c": "ctrl"}


def symbol(name: str) -> str:
    """A key as xdotool names it: 'shift+F3' for 's-f3'."""
    *held, key = name.split("-")
    plain = _SYMBOLS.get(key) or (key if len(key) == 1 else key.capitalize())
    return "+".join([*map(_HELD.__getitem__, held), plain])


class Game(Listening):
    """The game in a window that has the keyboard; `command` starts the terminal, see `Opened`."""

    def __init__(self, display: Display, folder: Path, terminal: Sequence[str], *words: str, lang: str = "en") -> None:
        self.folder, self.lang = folder, lang
        heard = folder / "heard.jsonl"
        self.transcript = Transcript(heard)
        common = ["--lang", lang, "--data-dir", str(folder), "--transcript", str(heard), "--speech", "lines"]
        self.window = Opened(display, folder, terminal, f"exec {shlex.join(command(*words, *common))}")
        self.process = self.window.process
        wait_for(lambda: bool(self.transcript.fresh()), "the game did not start")
        self.window.wait_for_keyboard()

    @property
    def shown(self) -> str:
        """Nothing: what a real terminal shows is its own."""
        return ""

    def send(self, *names: str) -> None:
        """Keys pressed one after the other, quickly."""
        heard = self.folder / "heard.jsonl"
        before = heard.stat().st_size
        self.window.display.press(*map(symbol, names))
        if names[-1] == "escape":  # a key right after it would make it Alt
            wait_for(lambda: heard.stat().st_size > before, "Escape was not answered")
        elif names[-1].startswith("Cyrillic"):
            time.sleep(1.0)  # xdotool changes the keyboard for it and back, which terminals must follow

    def hold(self, name: str, seconds: float) -> None:
        """Hold a key down: the display repeats it."""
        self.window.display.do("keydown", symbol(name))
        try:
            time.sleep(seconds)
        finally:
            self.window.display.do("keyup", symbol(name))

    def ended(self) -> None:
        """Wait until the program has ended; the terminal closes with it."""
        self.process.wait(PATIENCE)
        self.transcript.fresh()


def two_doubles(folder: Path) -> Path:
    """That record, to be gone on with."""
    return Path(shutil.copy(TWO_DOUBLES, folder / "match.yaml"))
