"""The keyboard of a session: the terminal's keys with what they mean in each place, and what they are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kozel.session.commands import Command
from kozel.session.keys import KeyNames, Place, Pressed, ShiftSpace
from kozel.terminal.keymap import Keymap
from kozel.terminal.names import spoken
from kozel.terminal.source import KeySource

_TOWARDS = {
    Command.WALK_LEFT: Command.TOWARDS_LEFT,
    Command.WALK_RIGHT: Command.TOWARDS_RIGHT,
    Command.ZONE_BEFORE: Command.TOWARDS_UP,
    Command.ZONE_AFTER: Command.TOWARDS_DOWN,
}
_ARROWS = {
    "up": Command.ZONE_BEFORE,
    "down": Command.ZONE_AFTER,
    "left": Command.WALK_LEFT,
    "right": Command.WALK_RIGHT,
    "home": Command.WALK_HOME,
    "end": Command.WALK_END,
}
_MEANINGS: Mapping[Place, Mapping[Command, Command]] = {
    Place.END: _TOWARDS,
    Place.BAZAAR: {Command.ACT: Command.DRAW, Command.CONFIRM: Command.DRAW},
}


class KeymapNames:
    """What the keys of a keymap are called."""

    def __init__(self, keymap: Keymap) -> None:
        self._keymap = keymap

    def of(self, command: Command, lang: str) -> str:
        """The key that gives a command in every terminal, as it is said; '' where there is none."""
        keys = self._keymap.commands.get(command, ())
        if command is Command.MARK:
            keys = tuple(key for key in keys if key != "s-space")
        return spoken(keys[0], lang) if keys else ""

    def all_of(self, command: Command, lang: str) -> tuple[str, ...]:
        """All keys that give a command, as they are said."""
        return tuple(spoken(key, lang) for key in self._keymap.commands.get(command, ()))

    def pressed(self, key: str, lang: str) -> str:
        """A key that was pressed, as it is said."""
        return spoken(key, lang)


class Keyboard:
    """A `KeySource` as a session reads it."""

    def __init__(self, source: KeySource, keymap: Keymap) -> None:
        self._source = source
        self._names = KeymapNames(keymap)

    @property
    def is_terminal(self) -> bool:
        """Whether a person types on a terminal."""
        return self._source.is_terminal

    @property
    def shift_space(self) -> ShiftSpace:
        """Whether Shift+Space is told from Space."""
        return self._source.shift_space

    @property
    def names(self) -> KeyNames:
        """What the keys are called."""
        return self._names

    @property
    def wait(self) -> float:
        """Seconds from a question to a key that may answer it."""
        return 0.3

    async def settled(self) -> None:
        """Wait until it is known how the terminal reports keys."""
        await self._source.settled()

    async def get(self, place: Callable[[], Place], timeout: float | None = None) -> Pressed | None:
        """The next key, given its meaning in the place where the player is when it is taken."""
        pressed = await self._source.get(timeout)
        if pressed is None:
            return None
        where = place()
        command = Command(pressed.command) if pressed.command else None
        if command is None and where is Place.LOOKBACK:
            command = _ARROWS.get(pressed.name)
        if command is not None:
            command = _MEANINGS.get(where, {}).get(command, command)
        return Pressed(pressed.name, command, pressed.text, pressed.at)
