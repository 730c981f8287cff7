"""A line that a player types: a name, a number, a file, a word to the others. Edited by commands, wherever keys come from."""

from __future__ import annotations

from kozel.locales import message
from kozel.session.commands import Command
from kozel.session.keys import KeyNames, Pressed
from kozel.voice.announcer import Announcer

LONGEST = 200
"""Characters of a line, where its asker sets no other limit."""
_STEPS = {Command.WALK_LEFT: -1, Command.WALK_RIGHT: 1}
_EDGES = {Command.WALK_HOME: 0, Command.WALK_END: LONGEST}
_ERASES = (Command.ERASE, Command.ERASE_NEXT, Command.ERASE_ALL)
_READS = (Command.ZONE_BEFORE, Command.ZONE_AFTER)
_ASKS_AGAIN = (Command.REPEAT, Command.WHOSE_TURN)


class TypedLine:
    """A line while it is typed, from `ask` until it is `over`.

    The terminal shows it in every mode, and readers echo what is typed themselves; nothing of it is spoken but where an
    arrow went while no reader follows the terminal, and the whole of it on demand. `to`: the seat that alone may hear it.
    """

    def __init__(
        self,
        announcer: Announcer,
        names: KeyNames,
        lang: str,
        question: str,
        *,
        to: int | None = None,
        longest: int = LONGEST,
    ) -> None:
        self._announcer, self._names, self._lang = announcer, names, lang
        self._question, self._to, self._longest = question, to, longest
        self._characters: list[str] = []
        self._cursor = 0
        self._shown = False
        self.over = False
        self.cancelled = False

    @property
    def text(self) -> str:
        """What is typed by now."""
        return "".join(self._characters)

    @property
    def line(self) -> str | None:
        """What was typed, once it is over; None where it was cancelled."""
        return None if self.cancelled else self.text

    def ask(self) -> float:
        """Say the question; when it was handed to the output."""
        return self._announcer.say("event", self._to, self._question)

    def press(self, pressed: Pressed, early: bool = False) -> bool:
        """Obey a key; False for one that has nothing to do with a line. `early`: it came too early to end an empty one."""
        with self._announcer.together():
            obeyed = self._obey(pressed.command, pressed.text, early)
        self.show()
        return obeyed

    def show(self) -> None:
        """Show what is typed, below all that was said meanwhile."""
        if self.over or not (self._characters or self._shown):
            return
        self._shown = True
        self._announcer.typed(self.text, self._cursor)

    def _obey(self, command: Command | None, text: str, early: bool) -> bool:
        if command is None and text:
            self._insert(text)
        elif command is Command.CONFIRM:
            if early and not self._characters:
                self._say("refusal.too_early")
            else:
                self.over = True
        elif command is Command.LEAVE:
            self.over = self.cancelled = True
        elif command in _ERASES:
            self._erase(command)
        elif command in _STEPS:
            self._go(self._cursor + _STEPS[command])
        elif command in _EDGES:
            self._go(min(_EDGES[command], len(self._characters)))
        elif command in _READS:
            self._read()
        elif command in _ASKS_AGAIN:
            self.ask()
            self._read()
        elif command is Command.HELP:
            self._say("line.how")
            self.ask()
        else:
            return False
        return True

    def _insert(self, text: str) -> None:
        """A character, or a pasted text: what is no text in it becomes a space, so that it ends no line."""
        typed = [char if char.isprintable() else " " for char in text]
        room = self._longest - len(self._characters)
        self._characters[self._cursor : self._cursor] = typed[: max(0, room)]
        self._cursor += min(len(typed), max(0, room))
        if len(typed) > room:
            self._say("line.full", n=self._longest)

    def _erase(self, command: Command) -> None:
        first = self._cursor - 1 if command is Command.ERASE else self._cursor
        if command is Command.ERASE_ALL:
            first, last = 0, len(self._characters)
        else:
            last = first + 1
        if first < 0 or last > len(self._characters) or first == last:
            self._say("line.nothing_to_erase")
            return
        self._speak(self._characters[first] if last - first == 1 else "")
        del self._characters[first:last]
        self._cursor = first

    def _go(self, place: int) -> None:
        if not 0 <= place <= len(self._characters):
            self._say("line.beginning" if place < 0 else "line.end")
            return
        self._cursor = place
        self._speak(self._characters[place] if place < len(self._characters) else "")

    def _speak(self, char: str) -> None:
        """Say a character where the terminal's own cursor tells it to nobody; '' is the end of the line."""
        if self._announcer.mode == "direct":
            said = self._names.pressed("space" if char == " " else char, self._lang) if char else ""
            self._announcer.say("echo", self._to, said or message(self._lang, "line.end"), remember=False)

    def _read(self) -> None:
        self._say("line.typed" if self._characters else "line.nothing", text=self.text)

    def _say(self, key: str, **facts: object) -> None:
        self._announcer.say("echo", self._to, message(self._lang, key, **facts), group="answers", remember=False)
