"""The game's keys in prompt_toolkit: key presses, a parser that loses none of them, and the bindings.

On its way a key is one `Press`, a `KeyPress` of prompt_toolkit; the bindings make of it a `Pressed`, what it means in the
place where it is taken. prompt_toolkit's own parser takes Shift+F3, Ctrl+F3 and Shift+Ctrl+F3 for cursor reports and lets
unknown sequences leak their letters; `use_game_keys` replaces it through public attributes. Importing this module imports
prompt_toolkit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition, Filter
from prompt_toolkit.input import DummyInput
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPress, KeyPressEvent, KeyProcessor
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import DummyOutput

from kozel.locales import FALLBACK
from kozel.session.command_texts import command_text
from kozel.session.commands import Command
from kozel.session.keys import AT_THE_TABLE, Place, Pressed
from kozel.terminal.decode import KeyDecoder, KeyEvent
from kozel.terminal.keymap import Keymap
from kozel.terminal.names import fold

if TYPE_CHECKING:
    from prompt_toolkit.input.vt100 import Vt100Input  # cannot be imported on Windows

_ALIASES = {"enter": "c-m", "tab": "c-i", "backspace": "c-h", "c-space": "c-@", "space": " "}
# Most terminals report these with Shift as they do without; so it is the same everywhere.
_SAME_WITH_SHIFT = {"s-enter": "enter", "s-backspace": "backspace", "s-escape": "escape"}
_FIRST_PRIVATE = 0xF0000
_private: dict[str, str] = {}

_ARROWS = {
    "up": Command.ZONE_BEFORE,
    "down": Command.ZONE_AFTER,
    "left": Command.WALK_LEFT,
    "right": Command.WALK_RIGHT,
    "home": Command.WALK_HOME,
    "end": Command.WALK_END,
}
_IN_LISTS = {
    **_ARROWS,
    "enter": Command.CONFIRM,
    "escape": Command.LEAVE,
    "f1": Command.HELP,
    "f6": Command.REPEAT,
}
"""Keys that mean the same in every list and question outside the table, so that a keymap without them can be put away."""
_IN_LINES = {
    **_IN_LISTS,
    "backspace": Command.ERASE,
    "delete": Command.ERASE_NEXT,
    "c-d": Command.ERASE_NEXT,
    "c-u": Command.ERASE_ALL,
    "c-a": Command.WALK_HOME,
    "c-e": Command.WALK_END,
}
_TOWARDS = {
    Command.WALK_LEFT: Command.TOWARDS_LEFT,
    Command.WALK_RIGHT: Command.TOWARDS_RIGHT,
    Command.ZONE_BEFORE: Command.TOWARDS_UP,
    Command.ZONE_AFTER: Command.TOWARDS_DOWN,
}


def pt_key(name: str) -> Keys | str:
    """A key's name as `KeyPress` and `KeyBindings.add` accept it.

    prompt_toolkit's list of keys is closed and lacks Shift+F3, Shift+Space and others; one character is always legal,
    so those get characters of a private use area that no keyboard sends.
    """
    if name == "paste":
        return Keys.BracketedPaste
    alias = _ALIASES.get(name, name)
    if len(alias) == 1:
        return alias
    try:
        return Keys(alias)
    except ValueError:
        return _private.setdefault(name, chr(_FIRST_PRIVATE + len(_private)))


class Press(KeyPress):
    """What the decoder told of a key, as prompt_toolkit's key press. `at`: when it arrived, `time.monotonic`.

    `key` is where the key lies, whatever the layout and Shift made of it; `event` keeps its name as it arrived. The end
    of a press and a change of focus are presses of that kind too, so that they keep their place among the others.
    """

    def __init__(self, event: KeyEvent, at: float, *, belarusian: bool = False) -> None:
        name = _SAME_WITH_SHIFT.get(event.name) or fold(event.name, belarusian=belarusian)
        self.event, self.at, self.place_name = event, at, name
        super().__init__(pt_key(name), _text(event))


def _text(event: KeyEvent) -> str:
    """The text that a key writes, or that was pasted."""
    if event.kind == "paste":
        return event.text
    return " " if event.name == "space" else event.name if len(event.name) == 1 else ""


class GameParser:
    """What `Vt100Parser` is to an input, over the game's decoder. Every event also goes to `on_event`.

    `arrived` is when the text that is fed arrived, where that was before it is fed.
    """

    def __init__(
        self,
        feed_key_callback: Callable[[KeyPress], None],
        on_event: Callable[[KeyEvent], None],
        *,
        belarusian: bool = False,
    ) -> None:
        self.feed_key_callback = feed_key_callback
        self.arrived: float | None = None
        self._on_event = on_event
        self._belarusian = belarusian
        self._decoder = KeyDecoder()

    @property
    def deadline(self) -> float | None:
        """When `flush` is due, on `time.monotonic`'s clock."""
        return self._decoder.deadline

    def feed(self, data: str) -> None:
        at = time.monotonic() if self.arrived is None else self.arrived
        self._emit(self._decoder.feed(data, at), at)

    def flush(self) -> None:
        began = self._decoder.last_at
        self._emit(self._decoder.flush(time.monotonic()), began)

    def feed_and_flush(self, data: str) -> None:
        self.feed(data)
        self._emit(self._decoder.finish(), self._decoder.last_at)

    def reset(self, request: bool = False) -> None:
        self._decoder = KeyDecoder()

    def _emit(self, events: Iterable[KeyEvent], at: float) -> None:
        for event in events:
            self._on_event(event)
            if event.kind in ("key", "paste", "release", "focus"):
                self.feed_key_callback(Press(event, at, belarusian=self._belarusian))


def use_game_keys(
    terminal: Vt100Input, on_event: Callable[[KeyEvent], None], *, belarusian: bool = False
) -> GameParser:
    """Put the game's parser in the place of the input's own."""
    parser = GameParser(terminal.vt100_parser.feed_key_callback, on_event, belarusian=belarusian)
    terminal.vt100_parser = parser  # type: ignore[assignment]
    return parser


class Where:
    """Where the player is, and prompt_toolkit's filters for it, each named after what it tells."""

    def __init__(self) -> None:
        self.place = Place.MENU
        self.own_turn = self._at(Place.TURN, Place.BAZAAR)
        self.in_bazaar = self._at(Place.BAZAAR)
        self.end_question = self._at(Place.END)
        self.redeal_question = self._at(Place.REDEAL)
        self.leaving_question = self._at(Place.LEAVING)
        self.handover = self._at(Place.HANDOVER)
        self.waiting = self._at(Place.WAITING)
        self.between_rounds = self._at(Place.BETWEEN)
        self.match_over = self._at(Place.OVER)
        self.help = self._at(Place.HELP)
        self.at_the_table = self._at(*AT_THE_TABLE)
        self.looking_back = self._at(Place.LOOKBACK)
        self.in_menu = self._at(Place.MENU)
        self.reading = self._at(Place.READING)
        self.yes_no = self._at(Place.YES_NO)
        self.typed_line = self._at(Place.LINE)
        self.walked_list = self.in_menu | self.reading | self.yes_no | self.help

    def _at(self, *places: Place) -> Condition:
        return Condition(lambda: self.place in places)


class _Unseen(Application[Any]):
    """An application without a layout. Its one buffer stays empty; prompt_toolkit would make two new ones for each key."""

    @cached_property
    def current_buffer(self) -> Buffer:
        """The buffer that is said to be focused."""
        return Buffer()


@cache
def _application() -> Application[Any]:
    """What prompt_toolkit asks after a key: it draws nothing, reads nothing, and waits for no second key."""
    application: Application[Any] = _Unseen(input=DummyInput(), output=DummyOutput())
    application.timeoutlen = None  # type: ignore[assignment]  # prompt_toolkit documents None
    return application


_SHARED_MOST = 8
_shared: list[tuple[Keymap, Bindings]] = []


def bindings_of(keymap: Keymap) -> Bindings:
    """The bindings of a keymap; all who use the same one at a time share them, as visitors of one server do."""
    for known, bindings in _shared:
        if known is keymap:
            return bindings
    _shared.append((keymap, Bindings(keymap)))
    del _shared[:-_SHARED_MOST]
    return _shared[-1][1]


class Bindings:
    """The bindings of a keymap: a real `KeyBindings`, and the `KeyProcessor` that asks it.

    One handler a command, named after it, its docstring what the command does.
    """

    def __init__(self, keymap: Keymap) -> None:
        self.registry = KeyBindings()
        self.where = Where()
        self._processor = KeyProcessor(self.registry)
        self._given: Pressed | None = None
        self._bind(keymap)

    def meaning(self, press: Press, place: Place) -> Pressed:
        """What a key means in a place."""
        self.where.place = place
        self._given = None
        with set_app(_application()):
            self._processor.feed(press)
            self._processor.process_keys()
        if self._given is None:
            raise RuntimeError(f"no handler took the key {press.event.name!r}")
        return self._given

    def _bind(self, keymap: Keymap) -> None:
        """Among bindings of one key whose filters hold, the last one wins."""
        bindings, where = self.registry, self.where

        @bindings.add(Keys.Any)
        def no_command(event: KeyPressEvent) -> None:
            """A key without a meaning here, or a character of a typed line."""
            self._give(event, None)

        self._add({"resume": Command.REPEAT})
        self._add(_ARROWS, where.looking_back)
        characters = {key: command for key, command in keymap.keys.items() if len(key) == 1 or key == "space"}
        others = {key: command for key, command in keymap.keys.items() if key not in characters}
        self._add(characters, ~where.typed_line)
        self._add(others)
        self._add(
            {key: Command.DRAW for key, given in keymap.keys.items() if given in (Command.ACT, Command.CONFIRM)},
            where.in_bazaar,
        )
        towards = {key: _TOWARDS[given] for key, given in {**_ARROWS, **keymap.keys}.items() if given in _TOWARDS}
        self._add(towards, where.end_question)
        self._add(_IN_LISTS, where.walked_list)
        self._add(_IN_LINES, where.typed_line)

    def _add(self, keys: dict[str, Command], filter: Filter | bool = True) -> None:
        for key, command in keys.items():
            self.registry.add(pt_key(key), filter=filter)(self._handler(command))

    def _handler(self, command: Command) -> Callable[[KeyPressEvent], None]:
        def handler(event: KeyPressEvent) -> None:
            self._give(event, command)

        handler.__name__ = command.value
        handler.__doc__ = command_text(command, FALLBACK)
        return handler

    def _give(self, event: KeyPressEvent, command: Command | None) -> None:
        press = event.key_sequence[-1]
        assert isinstance(press, Press)
        self._given = Pressed(press.event.name, command, press.data, press.at)
