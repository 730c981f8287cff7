"""Spoken menus: walked with arrows, chosen by digits, first letters or Enter; values are changed in place; Escape goes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kozel.cli.app import App
from kozel.session.commands import Command
from kozel.session.keys import Place, Pressed
from kozel.session.line import LONGEST, TypedLine
from kozel.session.patience import Patience
from kozel.session.recalling import AGAIN
from kozel.terminal.names import fold
from kozel.terminal.source import KeySource

_WALKS = {
    Command.ZONE_BEFORE: -1,
    Command.PREVIOUS_FIT: -1,
    Command.ZONE_AFTER: 1,
    Command.NEXT_FIT: 1,
}
_VOLUMES = {Command.LOUDER: 1, Command.QUIETER: -1}
_TURNS = {Command.WALK_LEFT: -1, Command.WALK_RIGHT: 1}


@dataclass(frozen=True)
class Item:
    """An item of a menu. `id` stays the same while its words change.

    `value()` is said after the label. `turn(by)` changes it in place, by one step back or on. `help` says what it means.
    `at_times`: it comes and goes; it is not numbered, so that the digits of all others keep their meaning.
    """

    id: str
    label: str
    help: str = ""
    value: Callable[[], str] | None = None
    turn: Callable[[int], None] | None = None
    at_times: bool = False


Items = Callable[[], Sequence[Item]]
"""The items as they are now: values that are changed may bring and take others."""


class Menus:
    """Asks by menus and lines of text, with one keyboard and one voice.

    What chooses, and what answers a question, counts only some time after the item or the question was handed to the
    output: see `Patience`.
    """

    def __init__(self, keys: KeySource, app: App) -> None:
        self.keys, self.app, self.announcer = keys, app, app.announcer
        self._helped: str | None = None
        self._told_of_silence = False

    def say(self, key: str, /, **facts: object) -> str:
        """A message of the catalogue."""
        return self.app.say(key, **facts)

    @property
    def lang(self) -> str:
        """The language in force."""
        return self.app.lang

    def echo(self, text: str) -> float:
        """Answer a key; when the answer was handed to the output."""
        return self.announcer.say("echo", None, text, group="answers")

    def tell(self, text: str) -> None:
        """Say something that happened."""
        self.announcer.say("event", None, text)

    def ask(self, text: str) -> float:
        """Say what is asked; when it was handed to the output."""
        return self.announcer.say("event", None, text)

    async def choose(self, title: str, labels: Sequence[str], at: int = 0, helps: Sequence[str] = ()) -> int | None:
        """The number, from 0, of the label chosen; None for Escape."""
        chosen = await self.pick(title, _labelled(labels, helps), str(at))
        return None if chosen is None else int(chosen)

    async def pick(self, title: str, items: Items, at: str = "", *, ends: bool = False) -> str | None:
        """The id of the item chosen; None for Escape. The first words are the title and one item, that of the id `at`.

        `ends`: Escape ends the program, so it may not come too early either.
        """
        walk = _Walk(self, title, items, at)
        walk.begin()
        while not walk.over:
            walk.press(await self.keys.get(lambda: Place.MENU), ends)
        return walk.item.id if walk.chosen else None

    async def read(self, title: str, lines: Sequence[str]) -> None:
        """Lines to be walked one by one, until Enter or Escape."""
        walk = _Walk(self, title, _labelled(lines, [self.say("menu.reading")] * len(lines)), "", only_read=True)
        walk.begin()
        while not walk.over:
            walk.press(await self.keys.get(lambda: Place.READING))

    async def yes(self, question: str) -> bool:
        """Enter says yes, Escape no."""
        patience = self.patience()
        patience.asked(self.ask(question))
        while True:
            pressed = await self.keys.get(lambda: Place.YES_NO)
            if pressed is None:
                continue
            if pressed.command in (Command.CONFIRM, Command.LEAVE):
                if not self.too_early(patience, pressed):
                    return pressed.command is Command.CONFIRM
                continue
            with self.announcer.together():
                if pressed.command is Command.HELP:
                    self.echo(self.say("menu.yes_no"))
                elif not self.tells(pressed.command):
                    self.refuse(pressed, "menu.yes_no_key")
                self.tell(question)
            patience.asked(self.announcer.say_all([]))

    async def line(self, question: str, longest: int = LONGEST) -> str | None:
        """A line of text; None where it was cancelled. Raises what ends the input."""
        line = TypedLine(self.announcer, self.keys.names, self.lang, question, longest=longest)
        patience = self.patience()
        patience.asked(line.ask())
        while not line.over:
            pressed = await self.keys.get(lambda: Place.LINE)
            if pressed is None or line.press(pressed, patience.early(pressed.at)):
                continue
            if not self.tells(pressed.command):
                self.refuse(pressed, "line.no_such_key")
            line.show()
        return line.line

    def patience(self) -> Patience:
        """What tells a key that came too early."""
        return Patience(lambda: self.keys.wait if self.keys.is_terminal else 0.0)

    def too_early(self, patience: Patience, pressed: Pressed) -> bool:
        """Whether a key came too early to act; says so."""
        early = patience.early(pressed.at)
        if early:
            self.echo(self.say("refusal.too_early"))
        return early

    def help(self, item: Item) -> None:
        """What the item means; asked again, or where it has no meaning of its own, how menus work."""
        first = item.help and self._helped != item.id
        self.echo(item.help if first else self.say("menu.how_value" if item.turn else "menu.how"))
        self._helped = item.id if first else None

    def forget_help(self) -> None:
        """The next question for help is the first one again."""
        self._helped = None

    def tells(self, command: Command | None) -> bool:
        """Answer a key that only tells something, or changes how things are told; False for others."""
        if command is not None and command in AGAIN:
            self.announcer.again(AGAIN[command], None)
        elif command is Command.SPEECH_MODE:
            self.announcer.announce_next_mode()
        elif command is Command.VERBOSITY:
            self.echo(self.say(f"verbosity.{self.app.next_verbosity()}"))
        elif command in _VOLUMES and (said := self.app.turn_volume(_VOLUMES[command])):
            self.echo(said)
        else:
            return command is Command.SILENCE and self._silences()
        return True

    def _silences(self) -> bool:
        """Fall silent; where a reader reads the lines, say once that it does that itself. False where neither was done."""
        if self.announcer.mode == "lines" and not self._told_of_silence:
            self._told_of_silence = True
            self.announcer.hush()
            return True
        return self.announcer.mode == "direct" and self.announcer.hush()

    def refuse(self, pressed: Pressed, key: str = "menu.no_such_key") -> None:
        """Say that a key does nothing, and what does."""
        self.echo(self.say(key, key=self.keys.names.pressed(pressed.key, self.lang)))


def _labelled(labels: Sequence[str], helps: Sequence[str]) -> Items:
    items = [Item(str(number), label, helps[number] if helps else "") for number, label in enumerate(labels)]
    return lambda: items


class _Walk:
    """A visit to a menu, and a place in it. It is `over` when an item was chosen, or the player went back.

    `only_read`: nothing can be chosen, so digits and letters only walk.
    """

    def __init__(self, menus: Menus, title: str, items: Items, at: str, *, only_read: bool = False) -> None:
        self._menus, self._title, self._items, self._only_read = menus, title, items, only_read
        self.over = self.chosen = False
        self._opened, self._told = menus.patience(), menus.patience()
        ids = [item.id for item in items()]
        self._at = ids.index(at) if at in ids else 0

    @property
    def item(self) -> Item:
        """The item that it stands on."""
        items = self._items()
        self._at = min(self._at, len(items) - 1)
        return items[self._at]

    def begin(self) -> None:
        """The first words."""
        at = self._menus.ask(self._titled())
        self._opened.asked(at)
        self._told.asked(at)

    def press(self, pressed: Pressed | None, ends: bool = False) -> None:
        """Obey a key."""
        if pressed is None:
            return
        menus, command = self._menus, pressed.command
        if command is not Command.HELP:
            menus.forget_help()
        if self._by_text(pressed):
            return
        if command in (Command.CONFIRM, Command.ACT):
            if not menus.too_early(self._told, pressed):
                self.over = self.chosen = True
        elif command is Command.LEAVE:
            self.over = not (ends and menus.too_early(self._opened, pressed))
        elif command in _WALKS:
            self._go(self._at + _WALKS[command])
        elif command in (Command.WALK_HOME, Command.WALK_END):
            self._go(len(self._items()) - 1 if command is Command.WALK_END else 0)
        elif command in _TURNS:
            self._turn(_TURNS[command])
        elif command is Command.WHOSE_TURN:
            self._told.asked(menus.echo(self._titled()))
        elif command is Command.HELP:
            with menus.announcer.together():
                menus.help(self.item)
                menus.tell(self._words())
            self._told.asked(menus.announcer.say_all([]))
        elif not menus.tells(command):
            menus.refuse(pressed)

    # words

    def _titled(self) -> str:
        return " ".join(filter(None, (self._title, self._words())))

    def _words(self) -> str:
        """The item with its value and place."""
        item, say = self.item, self._menus.say
        said = say("menu.value", item=item.label, value=item.value()) if item.value else item.label
        said = said.removesuffix(".")
        if item.at_times:
            return say("menu.no_place", item=said)
        numbered = self._numbered()
        return say("menu.place", item=said, place=numbered.index(self._at) + 1, n=len(numbered))

    def _numbered(self) -> list[int]:
        """The places of the items that have a number, in order."""
        return [place for place, item in enumerate(self._items()) if not item.at_times]

    def _say(self, *, inside: bool = True) -> None:
        words = self._words()
        self._told.asked(self._menus.echo(words if inside else self._menus.say("menu.edge", said=words)))

    # keys

    def _go(self, wanted: int) -> None:
        now, self._at = self._at, min(max(wanted, 0), len(self._items()) - 1)
        self._say(inside=self._at == wanted and self._at != now)

    def _turn(self, step: int) -> None:
        """Change the value of the item, if it has one."""
        item, menus = self.item, self._menus
        if item.turn is None or item.value is None:
            menus.echo(menus.say("menu.reading" if self._only_read else "menu.no_value"))
            return
        item.turn(step)
        ids = [each.id for each in self._items()]
        self._at = ids.index(item.id) if item.id in ids else self._at
        value = self.item.value
        self._told.asked(menus.echo(menus.say("menu.only_value", value=value() if value else "")))

    def _by_text(self, pressed: Pressed) -> bool:
        """A digit or a first letter: go to its item, and choose it if it is the only one; False for other keys."""
        text = pressed.text.casefold()
        if len(text) != 1 or not text.isalnum():
            return False
        places = self._of_digit(text) if text in "0123456789" else self._of_letter(text)
        if not places:
            return text in "0123456789"
        item = self._items()[places[0]]
        alone = len(places) == 1 and item.turn is None and not self._only_read
        if alone and self._menus.too_early(self._opened, pressed):
            return True
        self._at = next((place for place in places if place > self._at), places[0])
        if alone:
            self.over = self.chosen = True
        else:
            self._say()
        return True

    def _of_digit(self, digit: str) -> list[int]:
        """The place of the item of a number, 0 for the tenth; where there is none, it is said."""
        number, numbered, menus = int(digit) or 10, self._numbered(), self._menus
        if number > len(numbered):
            menus.echo(menus.say("menu.no_item", number=number, n=len(numbered)))
            return []
        return [numbered[number - 1]]

    def _of_letter(self, letter: str) -> list[int]:
        """The places of the items that begin with a letter; else with what its key writes in another layout."""
        labels = [item.label for item in self._items()]
        places = [place for place, label in enumerate(labels) if label.casefold().startswith(letter)]
        return places or [place for place, label in enumerate(labels) if fold(label[:1]) == fold(letter)]
