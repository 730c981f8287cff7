"""The game's keys in prompt_toolkit: key presses, a parser that loses none of them, and the bindings.

prompt_toolkit's own parser takes Shift+F3, Ctrl+F3 and Shift+Ctrl+F3 for cursor reports and lets unknown sequences leak
their letters; `use_game_keys` replaces it through public attributes. Importing this module imports prompt_toolkit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPress, KeyPressEvent
from prompt_toolkit.keys import Keys

from kozel.locales import FALLBACK
from kozel.session.command_texts import command_text
from kozel.session.commands import Command
from kozel.terminal.decode import KeyDecoder, KeyEvent
from kozel.terminal.keymap import Keymap

if TYPE_CHECKING:
    from prompt_toolkit.input.vt100 import Vt100Input  # cannot be imported on Windows

_ALIASES = {"enter": "c-m", "tab": "c-i", "backspace": "c-h", "c-space": "c-@", "space": " "}
_NAMES = {alias: name for name, alias in _ALIASES.items()}
_FIRST_PRIVATE = 0xF0000
_private: dict[str, str] = {}
_private_names: dict[str, str] = {}


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
        pass
    if name not in _private:
        char = chr(_FIRST_PRIVATE + len(_private))
        _private[name], _private_names[char] = char, name
    return _private[name]


def key_name(press: KeyPress) -> str:
    """The name of a key press: the way back from `pt_key`."""
    if press.key is Keys.BracketedPaste:
        return "paste"
    key = press.key.value if isinstance(press.key, Keys) else press.key
    return _private_names.get(key, _NAMES.get(key, key))


def key_press(event: KeyEvent) -> KeyPress:
    """A key or a paste as prompt_toolkit's key press; its data is the text that it stands for."""
    text = event.text if event.kind == "paste" else event.name
    return KeyPress(pt_key(event.name), text if event.kind == "paste" or len(text) == 1 else "")


class GameParser:
    """What `Vt100Parser` is to an input, over the game's decoder. Every event also goes to `on_event`."""

    def __init__(self, feed_key_callback: Callable[[KeyPress], None], on_event: Callable[[KeyEvent], None]) -> None:
        self.feed_key_callback = feed_key_callback
        self._on_event = on_event
        self._decoder = KeyDecoder()

    @property
    def deadline(self) -> float | None:
        """When `flush` is due, on `time.monotonic`'s clock."""
        return self._decoder.deadline

    def feed(self, data: str) -> None:
        self._emit(self._decoder.feed(data, time.monotonic()))

    def flush(self) -> None:
        self._emit(self._decoder.flush(time.monotonic()))

    def feed_and_flush(self, data: str) -> None:
        self.feed(data)
        self._emit(self._decoder.finish())

    def reset(self, request: bool = False) -> None:
        self._decoder = KeyDecoder()

    def _emit(self, events: Iterable[KeyEvent]) -> None:
        for event in events:
            self._on_event(event)
            if event.kind in ("key", "paste"):
                self.feed_key_callback(key_press(event))


def use_game_keys(terminal: Vt100Input, on_event: Callable[[KeyEvent], None]) -> GameParser:
    """Put the game's parser in the place of the input's own."""
    parser = GameParser(terminal.vt100_parser.feed_key_callback, on_event)
    terminal.vt100_parser = parser  # type: ignore[assignment]
    return parser


class Bindings:
    """A real `KeyBindings`, filled from a keymap: one handler a command, named after it, its docstring the help text."""

    def __init__(self, keymap: Keymap) -> None:
        self.registry = KeyBindings()
        self._given: Command | None = None
        for command, keys in keymap.commands.items():
            handler = self._handler(command)
            for key in keys:
                self.registry.add(pt_key(key))(handler)

    def command(self, name: str) -> Command | None:
        """The command that a key, named as it arrived, gives."""
        self._given = None
        for key in Keymap.alternatives(name):
            for binding in self.registry.get_bindings_for_keys((pt_key(key),))[-1:]:
                # Without an event, which the handlers don't need: making one costs a whole Application a key.
                binding.handler(None)  # type: ignore[arg-type]
                return self._given
        return None

    def _handler(self, command: Command) -> Callable[[KeyPressEvent | None], None]:
        def handler(event: KeyPressEvent | None) -> None:
            self._given = command

        handler.__name__ = command.value
        handler.__doc__ = command_text(command, FALLBACK)
        return handler
