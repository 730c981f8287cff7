"""F1: the keys in the order of use; pressed again, the rules of the game at hand in words."""

from __future__ import annotations

from kozel.play.runner import Runner
from kozel.rules.describing import describe
from kozel.terminal.keymap import Keymap
from kozel.terminal.keys_command import keymap_lines


class Help:
    """Keeps which page was told last; any other key closes it."""

    def __init__(self, keymap: Keymap) -> None:
        self._keymap = keymap
        self._keys_told = False

    def closed(self) -> None:
        """Another key was pressed: help begins with the keys again."""
        self._keys_told = False

    def lines(self, lang: str, runner: Runner) -> list[str]:
        """The next page."""
        if self._keys_told:
            self._keys_told = False
            return describe(runner.seating.ruleset, lang, runner.match.game)
        self._keys_told = True
        return keymap_lines(self._keymap, lang)
