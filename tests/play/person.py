"""A person who plays by ear: hears the transcript's lines, presses keys, knows nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from play.hearing import Asked, asked, ends_offered
from play.program import Line

Press = Callable[..., list[Line]]
_FITS = re.compile(r", (?:.*\b)?(left|right|up|down|слева|справа|сверху|снизу)\b")


class Person:
    """Plays all seats that share a keyboard. `fancy`: how often doubles are marked, ends and deals refused at first."""

    def __init__(self, press: Press, chance: Random, lang: str, fancy: float = 0.3) -> None:
        self._press, self._chance, self._lang, self._fancy = press, chance, lang, fancy
        self.question: Asked | None = None
        self.lines: list[Line] = []

    def hear(self, lines: list[Line]) -> None:
        """Take in what was said; the question is that of its last line."""
        self.lines = lines
        self.question = asked(lines, self._lang)

    def press(self, *names: str) -> list[Line]:
        lines = self._press(*names)
        self.hear(lines)
        return lines

    def step(self) -> bool:
        """Answer the open question; False where none is open: the match is over."""
        steps: dict[Asked, Callable[[], object]] = {
            Asked.TURN: self._lay,
            Asked.DRAW: lambda: self.press(self._chance.choice(["f4", "d", "D", "в"])),
            Asked.DRAWN: self._after_drawing,
            Asked.OPEN: lambda: self.press("space"),
            Asked.OPEN_ANY: self._open_any,
            Asked.END: self._name_end,
            Asked.REDEAL: lambda: self.press(self._chance.choice(["enter", "escape"])),
            Asked.SINGLE: lambda: self.press("space"),
            Asked.HANDOVER: lambda: self.press("enter"),
            Asked.NEXT_ROUND: lambda: self.press("enter"),
            Asked.LEAVE: lambda: self.press("escape"),
        }
        if self.question is None:
            return False
        steps[self.question]()
        return True

    def play(self, most: int = 20_000) -> None:
        """Play to the match's end."""
        for _ in range(most):
            if not self.step():
                return
        raise AssertionError("the match does not end")

    def _lay(self) -> None:
        if self._chance.random() < self._fancy and self._lay_several():
            return
        for _ in range(self._chance.randint(1, 3)):
            self.press("tab")
        self.press(self._chance.choice(["space", "enter"]))

    def _after_drawing(self) -> None:
        if _FITS.search(self.lines[-1].text):
            self.press("tab")
            self.press("space")
        else:
            self.press("f4")

    def _lay_several(self) -> bool:
        """Mark what can be marked, on a walk through the hand, and lay it; False where nothing was."""
        self.press("up", "up", "home")
        marked = []
        for number in range(1, 11):
            said = self.press(str(number % 10))[-1].text
            if not re.match(r"double|дупль", said, re.IGNORECASE) or not _FITS.search(said):
                continue
            for _ in range(self._chance.randint(1, 2)):
                answer = self.press("x")[-1].text
                if re.search(r", (marked|отмечен)", answer):
                    marked.append(number)
        if not marked:
            return False
        self.press(str(marked[-1] % 10))
        self.press("space")
        if self.question is None:  # these cannot be laid together: all marks off again
            for number in dict.fromkeys(marked):
                self.press(str(number % 10))
                while re.search(r", (marked|отмечен)", self.press(str(number % 10))[-1].text):
                    self.press("x")
            self.press("f5")
        return True

    def _open_any(self) -> None:
        self.press(str(self._chance.randint(1, 7)))
        self.press("space")

    def _name_end(self) -> None:
        offered = ends_offered(self.lines[-1].text, self._lang)
        if self._chance.random() < self._fancy / 2:
            self.press("escape")
            self.press("f5")
            return
        self.press(self._chance.choice(offered))
