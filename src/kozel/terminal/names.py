"""Names of keys: how the program calls them, how they are written and how they are spoken.

A name is `c-`, `a-`, `s-` (Ctrl, Alt, Shift, in this order, each if held) before a base: a word of `BASES` such as
'left' or 'f3', or one printable character. Examples: 'up', 's-space', 'c-s-f3', 'x', '?'.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kozel.locales import message

SHIFT, ALT, CTRL = 1, 2, 4

_PREFIXES = ((CTRL, "c-"), (ALT, "a-"), (SHIFT, "s-"))
_NAME = re.compile(r"(c-)?(a-)?(s-)?(.+)", re.DOTALL)

# how each base is written on keyboards
_BASES: dict[str, str] = {
    **{
        name.lower(): name
        for name in (
            *("Up", "Down", "Left", "Right", "Home", "End", "PageUp", "PageDown", "Insert", "Delete", "Center"),
            *("Space", "Enter", "Tab", "Escape", "Backspace"),
        )
    },
    **{f"f{n}": f"F{n}" for n in range(1, 36)},
}
BASES = frozenset(_BASES)
# In the order in which they are written and said, which is not that of the names.
_MODIFIERS = {SHIFT: "Shift", CTRL: "Ctrl", ALT: "Alt"}

_RUSSIAN = "йцукенгшщзхъфывапролджэячсмитьбюё"
_SAME_PLACE = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
_SHIFTED = dict(zip('<>{}/:"~_+|', ",.[]?;'`-=\\", strict=True))
# Letters of the Ukrainian and Belarusian layouts that the Russian one lacks. Both have «і», in different places: it is
# taken for the Ukrainian one, unless the player's own language is known to be Belarusian.
_NEIGHBOURS = dict(zip("їєґўі", "]'\\os", strict=True))
_BELARUSIAN_I = "b"
_CYRILLIC = frozenset((*_RUSSIAN, *_NEIGHBOURS))
_LOCALES = ("LC_ALL", "LC_CTYPE", "LANG")
_PLACES = dict(zip(_RUSSIAN, _SAME_PLACE, strict=True)) | _NEIGHBOURS | _SHIFTED


def named(base: str, mods: int) -> str:
    """The name of a key with the modifiers that are held (`SHIFT | ALT | CTRL`)."""
    return "".join(prefix for bit, prefix in _PREFIXES if mods & bit) + base


def split(name: str) -> tuple[int, str]:
    """The modifiers and the base of a name."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise ValueError(f"no key name: {name!r}")
    mods = sum(bit for (bit, _), prefix in zip(_PREFIXES, match.groups(), strict=False) if prefix)
    return mods, match[4]


def fold(name: str, *, belarusian: bool = False) -> str:
    """The key that a character belongs to, whatever the case, Caps Lock, Shift or a Cyrillic layout made of it.

    'X', 'Ч' and 'ч' are 'x'; '<' and 'б' are ','. All other names come back as they are.
    """
    if len(name) != 1:
        return name
    lower = name.lower()
    return _BELARUSIAN_I if belarusian and lower == "і" else _PLACES.get(lower, lower)


def writes_belarusian(environ: Mapping[str, str]) -> bool:
    """Whether the player's language is Belarusian, as far as the environment tells."""
    return next((environ[name] for name in _LOCALES if environ.get(name)), "").startswith("be")


def text_key(char: str, mods: int = 0) -> str | None:
    """The name for one typed character; None where it is not a printable one.

    With Ctrl or Alt the key itself is meant, not what the layout writes with it: Ctrl+С on a Russian layout is 'c-c'.
    """
    if char == " ":
        return named("space", mods)
    if len(char) != 1 or not char.isprintable():
        return None
    if mods & (CTRL | ALT):
        return named(fold(char) if char.lower() in _CYRILLIC else char.lower(), mods)
    return char.upper() if mods & SHIFT and char.islower() and len(char.upper()) == 1 else char


def written(name: str) -> str:
    """A key as manuals write it: 'Shift+F3', 'X', 'Shift+Ctrl+F3'."""
    mods, base = split(name)
    words = [word for bit, word in _MODIFIERS.items() if mods & bit]
    return "+".join([*words, _BASES.get(base) or base.upper()])


def spoken(name: str, lang: str) -> str:
    """A key in words for a synthesizer, without plus signs: 'Shift F3', «Shift пробел», 'comma'."""
    mods, base = split(name)
    words = [message(lang, f"key.{word.lower()}") for bit, word in _MODIFIERS.items() if mods & bit]
    return " ".join([*words, _base_spoken(base, lang)])


def _base_spoken(base: str, lang: str) -> str:
    try:
        return message(lang, f"key.{base}")
    except KeyError:
        return base.upper() if len(base.upper()) == 1 or base in BASES else base
