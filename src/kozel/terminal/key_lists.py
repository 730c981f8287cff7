"""The keys of a keymap in words, in the order of use: for F1, for `kozel keys list` and for the README."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kozel.locales import message
from kozel.locales.catalogue import words
from kozel.session.command_texts import command_text
from kozel.session.commands import Command
from kozel.terminal.keymap import Keymap
from kozel.terminal.names import spoken, written

_TILES = tuple(command for command in Command if command.tile is not None)
_DIGITS = tuple("1234567890")


def keymap_lines(keymap: Keymap, lang: str) -> list[str]:
    """One line a command for a synthesizer: 'Shift F3 or S: the scores'."""
    return [
        f"{keys}: {text}"
        for keys, text in _entries(keymap, lang, lambda key: spoken(key, lang), f" {words(lang).OR} ", in_words=True)
    ]


def keymap_markdown(keymap: Keymap, lang: str) -> list[str]:
    """The same as a Markdown list: '- `Shift+F3`, `S`: the scores'."""
    return [
        f"- {keys}: {text}"
        for keys, text in _entries(keymap, lang, lambda key: f"`{written(key)}`", ", ", in_words=False)
    ]


def _entries(
    keymap: Keymap, lang: str, name: Callable[[str], str], between: str, *, in_words: bool
) -> list[tuple[str, str]]:
    digits_are_tiles = _given(keymap, _TILES) == [(digit,) for digit in _DIGITS]
    entries: list[tuple[str, str]] = []
    for command, keys in keymap.commands.items():
        if digits_are_tiles and command in _TILES:
            if command is _TILES[0]:
                entries.append(_all_tiles(lang, name, in_words=in_words))
        else:
            entries.append((between.join(map(name, keys)), command_text(command, lang)))
    return entries


def _all_tiles(lang: str, name: Callable[[str], str], *, in_words: bool) -> tuple[str, str]:
    facts = {"first": name("1"), "ninth": name("9"), "tenth": name("0")}
    keys = message(lang, "keys.tiles_spoken" if in_words else "keys.tiles_written", **facts)
    return keys, message(lang, "keys.tiles", tenth=name("0"))


def _given(keymap: Keymap, commands: Sequence[Command]) -> list[tuple[str, ...]]:
    return [keymap.commands.get(command, ()) for command in commands]
