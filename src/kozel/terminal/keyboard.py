"""What the keys of a keymap are called, and which of them a terminal keeps to itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kozel.locales import message
from kozel.session.commands import Command
from kozel.terminal.keymap import Keymap
from kozel.terminal.names import spoken

_LAST_CHOICE = "f1"
"""So many terminals keep F1 for their own help that no sentence names it where there is another key."""
_MARKS = "s-space"
_ARROWS = ("left", "right", "up", "down")
_SHIFTED_ARROWS = frozenset(f"s-{arrow}" for arrow in _ARROWS)
_DESKTOP_SWITCHES = frozenset(("c-f3",))


class Loss(NamedTuple):
    """Keys of the keymap that do not arrive, and in the same order the keys of the same commands that do."""

    keys: tuple[str, ...]
    instead: tuple[str, ...]


class KeymapNames:
    """What the keys of the keymap in force are called. `lost`: those that do not arrive here, which no sentence names."""

    def __init__(self, keymap: Keymap, lost: frozenset[str] = frozenset()) -> None:
        self.keymap, self.lost = keymap, lost

    def of(self, command: Command, lang: str) -> str:
        """The key that gives a command here, as it is said; '' where there is none."""
        keys = self._usable(command)
        return spoken(keys[0], lang) if keys else ""

    def all_of(self, command: Command, lang: str) -> tuple[str, ...]:
        """All keys that give a command here, as they are said."""
        return tuple(spoken(key, lang) for key in self._usable(command))

    def pressed(self, key: str, lang: str) -> str:
        """A key that was pressed, as it is said; 'paste' is the text that was pasted."""
        return message(lang, "key.paste") if key == "paste" else spoken(key, lang)

    def losses(self) -> Loss:
        """The keys of this keymap that do not arrive, by their names, and what to press instead; where nothing does the
        same it is no use to know. Shift+Space is left out: what marks is named where doubles can be marked."""
        pairs = list(self._pairs())
        return Loss(tuple(key for key, _ in pairs), tuple(instead for _, instead in pairs))

    def _usable(self, command: Command) -> list[str]:
        """The keys of a command that arrive, the best to be named first; all of them where none is known to."""
        keys = self.keymap.commands.get(command, ())
        arriving = [key for key in keys if key not in self.lost] or list(keys)
        return sorted(arriving, key=lambda key: key == _LAST_CHOICE)

    def _pairs(self) -> Iterator[tuple[str, str]]:
        for command, keys in self.keymap.commands.items():
            arriving = [key for key in self._usable(command) if key not in self.lost]
            for key in keys:
                if key in self.lost and key != _MARKS and arriving:
                    yield key, arriving[0]


def lost_keys(environ: Mapping[str, str], shift_space: str, platform: str = sys.platform) -> frozenset[str]:
    """The keys that a terminal and its desktop are known to keep to themselves, as measured: see `docs`.

    Where it is not known, nothing is lost.
    """
    lost: set[str] = set() if shift_space == "yes" else {"s-space"}
    term, desktop = environ.get("TERM", ""), environ.get("XDG_CURRENT_DESKTOP", "").upper()
    if "KONSOLE_VERSION" in environ or "qterminal" in environ.get("TERM_PROGRAM", "").lower():
        lost |= _SHIFTED_ARROWS
    if "VTE_VERSION" in environ and "GNOME_TERMINAL_SCREEN" not in environ:
        lost.add("f1")
    if platform == "darwin" or any(name in desktop for name in ("XFCE", "KDE")):
        lost |= _DESKTOP_SWITCHES
    if term == "linux":
        lost |= _SHIFTED_ARROWS | {"c-f3", "c-s-f3", "s-f9"}
    if term.startswith("st-") or term == "st":
        lost.add("c-s-f3")
    if term.startswith("mlterm"):
        lost.add("c-f3")
    if {"TDSR_ACTIVE", "TSDR_ACTIVE"} & environ.keys():  # the second is how it really spells it
        lost |= {"left", "right", "delete"}
    return frozenset(lost)
