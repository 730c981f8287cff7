"""F1: the keys in the order of use; pressed again and again, the rules of the game at hand, a few sentences at a time."""

from __future__ import annotations

from kozel.locales import message
from kozel.play.runner import Runner
from kozel.rules.describing import describe
from kozel.session.commands import Command
from kozel.terminal.keymap import Keymap
from kozel.terminal.keys_command import keymap_lines
from kozel.terminal.names import spoken

_WORDS = 50
"""How many words of the rules are told in one go: some twenty seconds. In all they take two to four minutes."""
_KEEP_OPEN = {Command.HELP, Command.REPEAT, Command.OLDER, Command.NEWER, Command.KIND_BEFORE, Command.KIND_AFTER}


class Help:
    """Keeps which page was told last; any key but those that say something again closes it."""

    def __init__(self, keymap: Keymap) -> None:
        self._keymap = keymap
        self._told = 0

    def pressed(self, command: Command) -> None:
        """Another key was pressed: help begins with the keys again."""
        if command not in _KEEP_OPEN:
            self._told = 0

    def lines(self, lang: str, runner: Runner) -> list[str]:
        """The next page: the keys, then the rules page by page, then the keys again."""
        pages = rule_pages(describe(runner.seating.ruleset, lang, runner.match.game))
        number, self._told = self._told, (self._told + 1) % (len(pages) + 1)
        if not number:
            return keymap_lines(self._keymap, lang)
        keys = self._keymap.commands.get(Command.HELP, ())
        key = spoken(keys[0], lang) if keys else ""
        more = "help.more" if number < len(pages) else "help.end"
        return [*pages[number - 1], message(lang, more, key=key, place=number, n=len(pages))]


def rule_pages(lines: list[str]) -> list[list[str]]:
    """Lines put together to pages of about the same length; a sentence is never cut."""
    pages: list[list[str]] = [[]]
    for line in lines:
        if pages[-1] and sum(len(each.split()) for each in (*pages[-1], line)) > _WORDS:
            pages.append([])
        pages[-1].append(line)
    return pages
