"""Keys, words and seconds from one own turn to the next, two at a table: `python benchmarks/cycles.py [TURNS]`.

The real program is played through a pipe by somebody who lays the first tile that fits. Words and keys are those between
two own turns, the second one's sentence included; seconds are those of espeak-ng at 300 words a minute.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tempfile
import wave
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

sys.path.insert(0, str(Path.cwd() / "tests"))

from play.program import Line, Piped

ARROWS = {"left": "left", "слева": "left", "right": "right", "справа": "right", "up": "up", "сверху": "up"}
ONE_FITS = re.compile(
    r"\b(\w+ \w+ fits\b|подходит \w+ (?!костей)\w+,|; \w+ \w+, (left|right|both|слева|справа|с обеих))"
)


class Cycle(NamedTuple):
    """From one own turn to the next. `told`: words of what happened, without the answers to keys that walk."""

    words: int
    told: int
    keys: int
    text: str


class Player:
    """Plays one seat by what it hears."""

    def __init__(self, program: Piped, ruleset: str) -> None:
        self._program = program
        self.heard: list[Line] = program.start()
        self.cycles: list[Cycle] = []
        self._since: list[Line] = []
        self._keys = 0
        self._drew = self._begun = False

    def press(self, *keys: str) -> None:
        self._keys += len(keys)
        self._drew = keys == ("f4",)
        self.heard = self._program.press(*keys)
        self._since += self.heard

    def step(self) -> bool:
        """Answer what was heard last; False at the match's end."""
        last = self.heard[-1]
        text = last.text
        if "next round" in text or "следующий раунд" in text:
            self._begun = False
            self.press("enter")
        elif text.endswith("?"):
            self.press(next(ARROWS[word] for word in re.findall(r"\w+", text.lower()) if word in ARROWS))
        elif last.kind == "final" or "Enter: new" in text or "Enter: нов" in text:
            return False
        elif re.search(r"(draw|берите): F4|F4 again|Ещё раз F4", text):
            if not self._drew:
                self._own_turn()
            self.press("f4")
        elif "open with any" in text or "любой костью" in text:
            self._own_turn()
            self.press("1", "space")
        elif "open with" in text or "заходите:" in text:
            self._own_turn()
            self.press("space")
        elif self._drew:
            self.press("space" if re.search(r", (\w+ and )?(left|right|up|слева|справа|сверху|снизу)", text) else "f4")
        elif last.kind == "echo":
            self.press("tab", "space")
        else:
            self._own_turn()
            if ONE_FITS.search(text):
                self.press("space")
            else:
                self.press("tab", "space")
        return True

    def _own_turn(self) -> None:
        if self._begun:
            text = "\n".join(line.text for line in self._since)
            told = sum(len(line.text.split()) for line in self._since if line.kind != "echo")
            self.cycles.append(Cycle(len(text.split()), told, self._keys, text))
        self._since, self._keys, self._begun = [], 0, True


def seconds(text: str, lang: str) -> float:
    """How long espeak-ng speaks."""
    spoken = subprocess.run(
        ["espeak-ng", "-v", lang, "-s", "300", "--stdout", text], capture_output=True, check=True, timeout=60
    ).stdout
    with wave.open(io.BytesIO(spoken)) as sound:
        return (len(spoken) - 44) / sound.getsampwidth() / sound.getframerate()


def measure(lang: str, verbosity: str, ruleset: str, turns: int) -> str:
    cycles: list[Cycle] = []
    for number in range(100):
        with tempfile.TemporaryDirectory() as folder:
            words = ["play", ruleset, "--player", "Anna", "--player", "Boris:novice", "--seed", f"cycle {number}"]
            with Piped(Path(folder), *words, "--verbosity", verbosity, "--speech", "off", lang=lang) as program:
                player = Player(program, ruleset)
                while len(cycles) + len(player.cycles) < turns and player.step():
                    pass
                cycles += player.cycles
        if len(cycles) >= turns:
            break
    lengths = [seconds(cycle.text, lang) for cycle in cycles[:60]]
    words_each, keys = [cycle.words for cycle in cycles], [cycle.keys for cycle in cycles]
    told = [cycle.told for cycle in cycles]
    return (
        f"{ruleset} {lang} {verbosity}: {len(cycles)} own turns, words {median(words_each):.0f} at the median, "
        f"{mean(words_each):.1f} on average, without walking {median(told):.0f} and {mean(told):.1f}; "
        f"keys {mean(keys):.2f} on average; "
        f"seconds {median(lengths):.1f} at the median, {mean(lengths):.1f} on average"
    )


def main() -> None:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 120
    for ruleset in ("kozel",):
        for lang in ("en", "ru"):
            for verbosity in ("brief", "normal", "full"):
                print(measure(lang, verbosity, ruleset, turns), flush=True)


if __name__ == "__main__":
    main()
