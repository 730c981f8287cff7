"""Spoken menus: walked with arrows, chosen by digits, first letters or Enter; values are changed in place; Escape goes back."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kozel.cli.app import App
from kozel.session.commands import Command
from kozel.terminal.names import fold, spoken
from kozel.terminal.source import KeySource, Pressed
from kozel.voice.announcer import Again

_WALKS = {
    Command.ZONE_BEFORE: -1,
    Command.PREVIOUS_FIT: -1,
    Command.ZONE_AFTER: 1,
    Command.NEXT_FIT: 1,
}
_ALWAYS = {
    "up": Command.ZONE_BEFORE,
    "down": Command.ZONE_AFTER,
    "left": Command.WALK_LEFT,
    "right": Command.WALK_RIGHT,
    "home": Command.WALK_HOME,
    "end": Command.WALK_END,
    "enter": Command.CONFIRM,
    "escape": Command.LEAVE,
    "f1": Command.HELP,
    "f6": Command.REPEAT,
}
"""Keys that mean the same in every menu, whatever the keymap: so one without them can be put away again."""
_VOLUMES = {Command.LOUDER: 1, Command.QUIETER: -1}
_TURNS = {Command.WALK_LEFT: -1, Command.WALK_RIGHT: 1}
_AGAIN: dict[Command, Again] = {
    Command.REPEAT: "repeat",
    Command.OLDER: "older",
    Command.NEWER: "newer",
    Command.KIND_BEFORE: "kind_before",
    Command.KIND_AFTER: "kind_after",
}


@dataclass(frozen=True)
class Item:
    """An item of a menu. `id` stays the same while its words change.

    `value()` is said after the label. `turn(by)` changes it in place, by one step back or on. `help` says what it means.
    """

    id: str
    label: str
    help: str = ""
    value: Callable[[], str] | None = None
    turn: Callable[[int], None] | None = None


Items = Callable[[], Sequence[Item]]
"""The items as they are now: values that are changed may bring and take others."""


def command_of(pressed: Pressed) -> Command | None:
    """What a key means outside a match."""
    return _ALWAYS.get(pressed.name) or (Command(pressed.command) if pressed.command else None)


class Menus:
    """Asks by menus and lines of text, with one keyboard and one voice."""

    def __init__(self, keys: KeySource, app: App) -> None:
        self.keys, self.app, self.announcer = keys, app, app.announcer
        self._helped: str | None = None

    def say(self, key: str, /, **facts: object) -> str:
        """A message of the catalogue."""
        return self.app.say(key, **facts)

    @property
    def lang(self) -> str:
        """The language in force."""
        return self.app.lang

    def echo(self, text: str) -> None:
        """Answer a key."""
        self.announcer.say("echo", None, text, group="answers")

    def tell(self, text: str) -> None:
        """Say something that happened."""
        self.announcer.say("event", None, text)

    async def choose(self, title: str, labels: Sequence[str], at: int = 0, helps: Sequence[str] = ()) -> int | None:
        """The number, from 0, of the label chosen; None for Escape."""
        items = [Item(str(number), label, helps[number] if helps else "", None) for number, label in enumerate(labels)]
        chosen = await self.pick(title, lambda: items, str(at))
        return None if chosen is None else int(chosen)

    async def pick(self, title: str, items: Items, at: str = "") -> str | None:
        """The id of the item chosen; None for Escape. The first words are the title and one item, that of the id `at`."""
        walk = _Walk(self, items, at)
        self.tell(" ".join(filter(None, (title, walk.words()))))
        while True:
            pressed = await self.keys.get()
            if pressed is None:
                continue
            command = command_of(pressed)
            if command is not Command.HELP:
                self._helped = None
            if walk.letter(pressed) or walk.digit(pressed):
                if walk.chosen:
                    return walk.item.id
            elif command in (Command.CONFIRM, Command.ACT):
                return walk.item.id
            elif command is Command.LEAVE:
                return None
            elif command in _WALKS:
                walk.by(_WALKS[command])
            elif command in (Command.WALK_HOME, Command.WALK_END):
                walk.to_edge(command is Command.WALK_END)
            elif command in _TURNS:
                walk.turn(_TURNS[command])
            elif command is Command.WHOSE_TURN:
                self.echo(" ".join(filter(None, (title, walk.words()))))
            elif command is Command.HELP:
                self._help(walk.item)
                self.tell(walk.words())
            elif not self._tell(command):
                self._refuse(pressed)

    async def read(self, title: str, lines: Sequence[str]) -> None:
        """Lines to be walked one by one, until Enter or Escape."""
        await self.choose(title, lines, helps=[self.say("menu.reading")] * len(lines))

    async def yes(self, question: str) -> bool:
        """Enter says yes, Escape no."""
        self.tell(question)
        while True:
            pressed = await self.keys.get()
            if pressed is None:
                continue
            command = command_of(pressed)
            if command in (Command.CONFIRM, Command.LEAVE):
                return command is Command.CONFIRM
            if command is Command.HELP:
                self.echo(self.say("menu.yes_no"))
            elif not self._tell(command):
                self._refuse(pressed, "menu.yes_no_key")
            self.tell(question)

    async def line(self, question: str) -> str | None:
        """A line of text; None at the end of the input."""
        return await self.keys.read_line(lambda: self._ask_line(question))

    def _ask_line(self, question: str) -> None:
        """Say the question; what is typed is echoed after it, so it must be out by then."""
        self.tell(question)
        self.announcer.flush(0.5)
        if self.keys.is_terminal and self.announcer.mode == "lines":
            sys.stdout.write(" ")
            sys.stdout.flush()

    def _help(self, item: Item) -> None:
        """What the item means; asked again, or where it has no meaning of its own, how menus work."""
        first = item.help and self._helped != item.id
        self.echo(item.help if first else self.say("menu.how_value" if item.turn else "menu.how"))
        self._helped = item.id if first else None

    def _tell(self, command: Command | None) -> bool:
        """Answer a key that only tells something, or changes how things are told; False for others."""
        if command in _AGAIN:
            self.announcer.again(_AGAIN[command], None)
        elif command is Command.SPEECH_MODE:
            self.announcer.announce_next_mode()
        elif command is Command.VERBOSITY:
            self.echo(self.say(f"verbosity.{self.app.next_verbosity()}"))
        elif command in _VOLUMES and not self.app.board.silent:
            self.echo(self.say("sounds.volume", volume=self.app.turn_volume(_VOLUMES[command])))
        else:
            return False
        return True

    def _refuse(self, pressed: Pressed, key: str = "menu.no_such_key") -> None:
        if pressed.name not in ("paste", "resume"):
            self.echo(self.say(key, key=spoken(pressed.name, self.lang)))


class _Walk:
    """A place in a menu. `chosen`: the last letter or digit named an item that can be chosen by it."""

    def __init__(self, menus: Menus, items: Items, at: str) -> None:
        self._menus, self._items = menus, items
        self.chosen = False
        ids = [item.id for item in items()]
        self._at = ids.index(at) if at in ids else 0

    @property
    def item(self) -> Item:
        """The item that it stands on."""
        items = self._items()
        self._at = min(self._at, len(items) - 1)
        return items[self._at]

    def words(self) -> str:
        """The item with its value and place."""
        item, say = self.item, self._menus.say
        said = say("menu.value", item=item.label, value=item.value()) if item.value else item.label
        return say("menu.place", item=said.removesuffix("."), place=self._at + 1, n=len(self._items()))

    def by(self, step: int) -> None:
        """Walk one on or back."""
        self._go(self._at + step)

    def to_edge(self, last: bool) -> None:
        """Walk to the first or last item."""
        self._go(len(self._items()) - 1 if last else 0)

    def _go(self, wanted: int) -> None:
        now, self._at = self._at, min(max(wanted, 0), len(self._items()) - 1)
        said = self.words()
        inside = self._at == wanted and self._at != now
        self._menus.echo(said if inside else self._menus.say("menu.edge", said=said))

    def turn(self, step: int) -> None:
        """Change the value of the item, if it has one."""
        item, menus = self.item, self._menus
        if item.turn is None or item.value is None:
            menus.echo(menus.say("menu.no_value"))
            return
        item.turn(step)
        ids = [each.id for each in self._items()]
        self._at = ids.index(item.id) if item.id in ids else self._at
        value = self.item.value
        menus.echo(menus.say("menu.only_value", value=value() if value else ""))

    def letter(self, pressed: Pressed) -> bool:
        """Go to the next item that begins with a letter; False for other keys. One alone is chosen, if it has no value."""
        letter = pressed.text.casefold()
        if len(letter) != 1 or not letter.isalpha():
            return False
        items = self._items()
        places = [place for place, item in enumerate(items) if item.label.casefold().startswith(letter)]
        if not places:
            places = [place for place, item in enumerate(items) if fold(item.label[:1]) == fold(letter)]
        if not places:
            return False
        self._at = next((place for place in places if place > self._at), places[0])
        self._land(alone=len(places) == 1)
        return True

    def digit(self, pressed: Pressed) -> bool:
        """Go to the item of a number, 0 for the tenth; False for other keys. It is chosen, if it has no value."""
        if len(pressed.text) != 1 or pressed.text not in "0123456789":
            return False
        self.chosen = False
        items, menus = self._items(), self._menus
        number = int(pressed.text) or 10
        if number > len(items):
            menus.echo(menus.say("menu.no_item", number=number, n=len(items)))
        else:
            self._at = number - 1
            self._land(alone=True)
        return True

    def _land(self, alone: bool) -> None:
        self.chosen = alone and self.item.turn is None
        if not self.chosen:
            self._menus.echo(self.words())
