"""Text that is safe to write on a terminal and to hand to a synthesizer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_ESCAPE_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # OSC, DCS, SOS, PM, APC
    r"|\x1b[ -/]*[0-~]"  # the short ones
)
_PLAIN = re.compile(r"[ -~\u0400-\u045f«»„“–—…№]*")
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(
    chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
)
_REMOVED = frozenset({"Cf", "Cs", "Co", "Cn"})
_AS_SPACE = frozenset({"Cc", "Zl", "Zp", "Zs"})
_MARKS = frozenset({"Mn", "Me"})
_MARKS_IN_A_ROW = 2


def clean(text: str, limit: int = 1000) -> str | None:
    """The text without anything that a terminal or a reader would take for a command; None if nothing is left.

    Escape sequences, control characters, direction overrides, zero-width and invisible characters, halves of
    surrogate pairs, private and unassigned characters go; white space becomes single spaces; a heap of combining
    marks is cut to two. `limit` is the greatest length in characters. Markup such as "<" stays: it is text, and each
    output escapes what its own interface would read as markup.
    """
    if len(text) <= limit and _PLAIN.fullmatch(text):
        return " ".join(text.split()) or None
    text = unicodedata.normalize("NFC", _ESCAPE_SEQUENCE.sub("", text))
    kept: list[str] = []
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        if category in _REMOVED or character in _INVISIBLE:
            continue
        marks = marks + 1 if category in _MARKS else 0
        if marks > _MARKS_IN_A_ROW:
            continue
        kept.append(" " if category in _AS_SPACE else character)
    words = " ".join("".join(kept).split())
    while words and unicodedata.category(words[0]) in _MARKS:
        words = words[1:].lstrip()
    return words[:limit].rstrip() or None


def called(names: Iterable[str]) -> tuple[str, ...]:
    """Players' names as they are said, by seat; the seat's number where nothing of a name can be.

    >>> called(["Anna", "\\x1b[2J"])
    ('Anna', '2')
    """
    return tuple(clean(name) or str(number) for number, name in enumerate(names, 1))


MAX_NAME = 40
"""How many characters a player's name has at most, where it is chosen."""


_TWINS = str.maketrans("авеёкмнорстух", "abeekmhopctyx")
"""Cyrillic letters, and the Latin ones that look like them."""


def alike(name: str) -> str:
    """What names have in common that pass for one another: case, blanks, forms of one letter, Latin and Cyrillic twins aside.

    >>> alike("Аnna ") == alike("an na")
    True
    """
    return "".join(unicodedata.normalize("NFKC", clean(name) or "").casefold().translate(_TWINS).split())
