"""Names of keys: how the program calls them, how they are written and how they are spoken.

A name is `c-`, `a-`, `s-` (Ctrl, Alt, Shift, in this order, each if held) before a base: a word of `BASES` such as
'left' or 'f3', or one printable character. Examples: 'up', 's-space', 'c-s-f3', 'x', '?'.
"""

from __future__ import annotations

import re

SHIFT, ALT, CTRL = 1, 2, 4

_PREFIXES = ((CTRL, "c-"), (ALT, "a-"), (SHIFT, "s-"))
_NAME = re.compile(r"(c-)?(a-)?(s-)?(.+)", re.DOTALL)

# base: how it is written on keyboards, how it is said in Russian, how it is said in English
_BASES: dict[str, tuple[str, str, str]] = {
    "up": ("Up", "стрелка вверх", "Up"),
    "down": ("Down", "стрелка вниз", "Down"),
    "left": ("Left", "стрелка влево", "Left"),
    "right": ("Right", "стрелка вправо", "Right"),
    "home": ("Home", "Home", "Home"),
    "end": ("End", "End", "End"),
    "pageup": ("PageUp", "Page Up", "Page Up"),
    "pagedown": ("PageDown", "Page Down", "Page Down"),
    "insert": ("Insert", "Insert", "Insert"),
    "delete": ("Delete", "Delete", "Delete"),
    "center": ("Center", "пятёрка цифрового блока", "numpad five"),
    "space": ("Space", "пробел", "Space"),
    "enter": ("Enter", "Enter", "Enter"),
    "tab": ("Tab", "Tab", "Tab"),
    "escape": ("Escape", "Escape", "Escape"),
    "backspace": ("Backspace", "Backspace", "Backspace"),
    **{f"f{n}": (f"F{n}", f"F{n}", f"F{n}") for n in range(1, 36)},
}
BASES = frozenset(_BASES)

_SIGNS: dict[str, tuple[str, str]] = {
    ",": ("запятая", "comma"),
    ".": ("точка", "period"),
    "[": ("левая квадратная скобка", "left bracket"),
    "]": ("правая квадратная скобка", "right bracket"),
    "{": ("левая фигурная скобка", "left brace"),
    "}": ("правая фигурная скобка", "right brace"),
    "(": ("левая скобка", "left parenthesis"),
    ")": ("правая скобка", "right parenthesis"),
    "<": ("меньше", "less than"),
    ">": ("больше", "greater than"),
    "?": ("вопросительный знак", "question mark"),
    "!": ("восклицательный знак", "exclamation mark"),
    "/": ("косая черта", "slash"),
    "\\": ("обратная косая черта", "backslash"),
    "|": ("вертикальная черта", "bar"),
    ";": ("точка с запятой", "semicolon"),
    ":": ("двоеточие", "colon"),
    "'": ("апостроф", "apostrophe"),
    '"': ("кавычка", "quote"),
    "-": ("минус", "minus"),
    "_": ("подчёркивание", "underscore"),
    "=": ("равно", "equals"),
    "+": ("плюс", "plus"),
    "*": ("звёздочка", "star"),
    "`": ("обратный апостроф", "grave"),
    "~": ("тильда", "tilde"),
    "@": ("собака", "at"),
    "#": ("решётка", "number sign"),
    "$": ("доллар", "dollar"),
    "%": ("процент", "percent"),
    "^": ("крышка", "caret"),
    "&": ("амперсанд", "ampersand"),
}
# In the order in which they are written and said, which is not that of the names.
_MODIFIER_WORDS = {SHIFT: ("Shift", "Shift"), CTRL: ("Ctrl", "Control"), ALT: ("Alt", "Alt")}

_RUSSIAN = "йцукенгшщзхъфывапролджэячсмитьбюё"
_SAME_PLACE = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
_SHIFTED = dict(zip('<>{}/:"~_+|', ",.[]?;'`-=\\", strict=True))
_PLACES = dict(zip(_RUSSIAN, _SAME_PLACE, strict=True)) | _SHIFTED


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


def fold(name: str) -> str:
    """The key that a character belongs to, whatever the case, Caps Lock, Shift or the Russian layout made of it.

    'X', 'Ч' and 'ч' are 'x'; '<' and 'б' are ','. All other names come back as they are.
    """
    if len(name) != 1:
        return name
    lower = name.lower()
    return _PLACES.get(lower, lower)


def text_key(char: str, mods: int = 0) -> str | None:
    """The name for one typed character; None where it is not a printable one.

    With Ctrl or Alt the key itself is meant, not what the layout writes with it: Ctrl+С on a Russian layout is 'c-c'.
    """
    if char == " ":
        return named("space", mods)
    if len(char) != 1 or not char.isprintable():
        return None
    if mods & (CTRL | ALT):
        return named(fold(char) if char.lower() in _RUSSIAN else char.lower(), mods)
    return char.upper() if mods & SHIFT and char.islower() and len(char.upper()) == 1 else char


def written(name: str) -> str:
    """A key as manuals write it: 'Shift+F3', 'X', 'Shift+Ctrl+F3'."""
    mods, base = split(name)
    words = [word for bit, (word, _) in _MODIFIER_WORDS.items() if mods & bit]
    return "+".join([*words, _BASES[base][0] if base in _BASES else base.upper()])


def spoken(name: str, lang: str) -> str:
    """A key in words for a synthesizer, without plus signs: 'Shift F3', «Shift пробел», 'comma'."""
    mods, base = split(name)
    column = 0 if lang == "ru" else 1
    said = [words[column] for bit, words in _MODIFIER_WORDS.items() if mods & bit]
    if base in _BASES:
        word = _BASES[base][1 + column]
    elif base in _SIGNS:
        word = _SIGNS[base][column]
    else:
        word = base.upper() if len(base.upper()) == 1 else base
    return " ".join([*said, word])
