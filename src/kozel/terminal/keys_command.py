"""`kozel keys list` and `kozel keys test`."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping

from kozel.locales import message
from kozel.session.command_texts import command_text
from kozel.session.keys import Place, Pressed
from kozel.terminal.key_lists import keymap_lines, keymap_markdown
from kozel.terminal.keymap import Keymap
from kozel.terminal.names import spoken, written
from kozel.terminal.sequences import KeyEvent
from kozel.terminal.source import KeysClosed, KeySource

__all__ = ["KeyTest", "keymap_lines", "keymap_markdown", "list_keys", "try_keys"]

Say = Callable[[str], None]

# The only variables that go into a report: they name terminals, never people, hosts or folders.
_TELLING = (
    "TERM",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "COLORTERM",
    "VTE_VERSION",
    "KONSOLE_VERSION",
    "XTERM_VERSION",
)
_PRESENT = ("TMUX", "STY", "WT_SESSION", "SSH_CONNECTION", "KITTY_WINDOW_ID", "ITERM_SESSION_ID", "WSL_DISTRO_NAME")
_LONGEST_VALUE = 60
_MOST_KEYS = 200


def list_keys(keymap: Keymap, lang: str, say: Say) -> None:
    """Say the keymap in force, a line a command."""
    say(message(lang, "keys.keymap", name=keymap.name(lang)))
    for line in keymap_lines(keymap, lang):
        say(line)


async def try_keys(keymap: Keymap, lang: str, say: Say, environ: Mapping[str, str] | None = None) -> None:
    """Say each key as it arrives and what it does, until Escape twice or the end of the input; then the summary.

    Raises `Signalled` as the key source does.
    """
    test = KeyTest(keymap, lang, say, os.environ if environ is None else environ)
    say(message(lang, "keys.start"))
    async with KeySource(keymap, watch=test.arrived, environ=environ) as keys:
        try:
            while not test.over:
                test.pressed(await keys.get(lambda: Place.WAITING))
        except KeysClosed:
            pass
        summary = test.summary(keys)
    for line in summary:
        say(line)


class KeyTest:
    """What was pressed, and what it is called. Of the bytes only which key sent them is kept, not the order."""

    def __init__(self, keymap: Keymap, lang: str, say: Say, environ: Mapping[str, str]) -> None:
        self._keymap = keymap
        self._lang = lang
        self._say = say
        self._environ = environ
        self._bytes: dict[str, str] = {}
        self._unknown: list[str] = []
        self._escapes = 0

    @property
    def over(self) -> bool:
        """Escape was pressed twice."""
        return self._escapes >= 2

    def arrived(self, event: KeyEvent) -> None:
        """Whatever the terminal sent: keep its bytes, and say it where it is no key at all."""
        if event.kind == "key" and len(self._bytes) < _MOST_KEYS:
            self._bytes[event.name] = _shown(event.raw)
        elif event.kind == "unknown" and len(self._unknown) < _MOST_KEYS:
            self._unknown.append(_shown(event.raw))
            self._say(f"{message(self._lang, 'keys.unknown')}: {_shown(event.raw)}")

    def pressed(self, pressed: Pressed | None) -> None:
        """Say a key and its command."""
        if pressed is None:
            return
        self._escapes = self._escapes + 1 if pressed.key == "escape" else 0
        if pressed.key in ("paste", "resume"):
            self._say(message(self._lang, f"keys.{pressed.key}"))
        else:
            nothing = message(self._lang, "keys.nothing")
            does = command_text(pressed.command, self._lang) if pressed.command else nothing
            self._say(f"{spoken(pressed.key, self._lang)}: {does}")

    def summary(self, keys: KeySource) -> list[str]:
        """Lines that a player can send with a report. Their words are English whatever the language, for whoever reads
        the report, and nothing in them tells who or where the player is."""
        told = terminal_facts(self._environ)
        answers = " ".join(map(_shown, keys.answers)) or "none"
        lines = [
            message(self._lang, "keys.report"),
            f"System: {platform.system()} {platform.release().split('-')[0]}, Python {platform.python_version()}",
            f"Terminal: {', '.join(told) or 'not named'}",
            f"Input: {'terminal' if keys.is_terminal else 'no terminal'}, keys by {keys.level}",
            f"Answers: {answers}",
            f"Shift+Space told from Space: {keys.shift_space}",
            f"Keymap: {self._keymap.id}",
        ]
        lines += [f"{written(name)}: {raw}" for name, raw in sorted(self._bytes.items())]
        lines += [f"unknown: {raw}" for raw in self._unknown]
        return lines


def terminal_facts(environ: Mapping[str, str]) -> list[str]:
    """What the environment tells of the terminal, and nothing of the person at it."""
    told = [f"{name}={_value(environ[name])}" for name in _TELLING if environ.get(name)]
    return told + [f"{name} is set" for name in _PRESENT if name in environ]


def _value(text: str) -> str:
    return "".join(char for char in text if char.isprintable())[:_LONGEST_VALUE]


def _shown(raw: str) -> str:
    """Bytes as a person writes them down: 'ESC [ 1 ; 2 R'."""
    names = {"\x1b": "ESC", " ": "SP", "\x7f": "DEL"}
    return " ".join(names.get(char) or (char if char.isprintable() else f"{ord(char):#04x}") for char in raw[:40])
