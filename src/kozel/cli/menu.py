"""Spoken menus: walked with arrows, chosen by digits, first letters or Enter; Escape goes back."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from kozel.locales import message
from kozel.play.commands import Command
from kozel.terminal.keymap import Keymap
from kozel.terminal.keys_command import keymap_lines
from kozel.terminal.names import spoken
from kozel.terminal.source import KeySource, Pressed
from kozel.voice.announcer import Again, Announcer

_STEPS = {
    Command.ZONE_BEFORE: -1,
    Command.WALK_LEFT: -1,
    Command.PREVIOUS_FIT: -1,
    Command.ZONE_AFTER: 1,
    Command.WALK_RIGHT: 1,
    Command.NEXT_FIT: 1,
}
_AGAIN: dict[Command, Again] = {
    Command.REPEAT: "repeat",
    Command.OLDER: "older",
    Command.NEWER: "newer",
    Command.KIND_BEFORE: "kind_before",
    Command.KIND_AFTER: "kind_after",
}


class Menus:
    """Asks by menus and lines of text, with one keyboard and one voice."""

    def __init__(self, keys: KeySource, announcer: Announcer, keymap: Keymap, lang: str) -> None:
        self.keys, self.announcer, self.keymap, self.lang = keys, announcer, keymap, lang

    def say(self, key: str, /, **facts: object) -> str:
        """A message of the catalogue."""
        return message(self.lang, key, **facts)

    def echo(self, text: str) -> None:
        """Answer a key."""
        self.announcer.say("echo", None, text, group="answers")

    async def choose(self, title: str, items: Sequence[str], at: int = 0) -> int | None:
        """The number, from 0, of the item chosen; None for Escape. The first words are the title and one item."""
        self.announcer.say("event", None, f"{title} {self._item(items, at)}")
        while True:
            pressed = await self.keys.get()
            if pressed is None:
                continue
            command = Command(pressed.command) if pressed.command else None
            letters = self._by_letter(items, pressed, at)
            if letters is not None:
                at, chosen = letters
                if chosen:
                    return at
                self.echo(self._item(items, at))
            elif command in (Command.CONFIRM, Command.ACT):
                return at
            elif command is Command.LEAVE:
                return None
            elif command in _STEPS:
                at = self._walk(items, at, at + _STEPS[command])
            elif command in (Command.WALK_HOME, Command.WALK_END):
                at = self._walk(items, at, 0 if command is Command.WALK_HOME else len(items) - 1)
            elif command is not None and command.tile is not None:
                if command.tile <= len(items):
                    return command.tile - 1
                self.echo(self.say("menu.no_item", number=command.tile, n=len(items)))
            else:
                self._tell(command, pressed, f"{title} {self._item(items, at)}")

    def _item(self, items: Sequence[str], at: int) -> str:
        return self.say("menu.place", item=items[at], place=at + 1, n=len(items))

    def _walk(self, items: Sequence[str], now: int, wanted: int) -> int:
        at = min(max(wanted, 0), len(items) - 1)
        said = self._item(items, at)
        self.echo(said if at == wanted and at != now else self.say("menu.edge", said=said))
        return at

    def _by_letter(self, items: Sequence[str], pressed: Pressed, at: int) -> tuple[int, bool] | None:
        """The next item that begins with a letter, and whether it is the only one; None for other keys."""
        letter = pressed.text.casefold()
        if len(letter) != 1 or not letter.isalpha():
            return None
        places = [place for place, item in enumerate(items) if item.casefold().startswith(letter)]
        if not places:
            return None
        return next((place for place in places if place > at), places[0]), len(places) == 1

    def _tell(self, command: Command | None, pressed: Pressed, question: str) -> None:
        if command is Command.HELP:
            self.announcer.say("echo", None, self.say("menu.how"), group="answers")
        elif command in _AGAIN:
            self.announcer.again(_AGAIN[command], None)
            return
        elif command is Command.SPEECH_MODE:
            self.announcer.announce_next_mode()
        elif pressed.name not in ("paste", "resume"):
            self.echo(self.say("menu.no_such_key", key=spoken(pressed.name, self.lang)))
            return
        self.announcer.say("event", None, question)

    async def yes(self, question: str) -> bool:
        """Enter says yes, Escape no."""
        self.announcer.say("event", None, question)
        while True:
            pressed = await self.keys.get()
            if pressed is None:
                continue
            command = Command(pressed.command) if pressed.command else None
            if command in (Command.CONFIRM, Command.LEAVE):
                return command is Command.CONFIRM
            self._tell(command, pressed, question)

    async def line(self, question: str) -> str | None:
        """A line of text; None at the end of the input."""
        return await self.keys.read_line(lambda: self._ask_line(question))

    def _ask_line(self, question: str) -> None:
        """Say the question; what is typed is echoed after it, so it must be out by then."""
        self.announcer.say("event", None, question)
        self.announcer.flush(0.5)
        if self.keys.is_terminal and self.announcer.mode == "lines":
            sys.stdout.write(" ")
            sys.stdout.flush()

    def tell_keys(self) -> None:
        """All keys of the keymap in force."""
        for line in keymap_lines(self.keymap, self.lang):
            self.announcer.say("event", None, line)
