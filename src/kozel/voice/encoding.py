"""Readable text for a terminal whose encoding lacks some of the characters."""

from __future__ import annotations

import codecs
import unicodedata

_RUSSIAN = {
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "yo", "ж": "zh", "з": "z", "и": "i", "й": "y",
    "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f",
    "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "yu", "я": "ya",
}  # fmt: skip
_PUNCTUATION = {
    "«": '"', "»": '"', "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": "'", "–": "-", "—": "-", "−": "-",
    "‑": "-", "…": "...", "№": "No.", "×": "x", "·": "-", "•": "-", "\u00a0": " ", "\u2009": " ", "\u202f": " ",
}  # fmt: skip


def encode(text: str, encoding: str) -> bytes:
    """The text in that encoding; what it lacks is written with the characters it has, Russian by its sound.

    Never raises and never puts question marks: «Ход Бориса» becomes "Khod Borisa" in ASCII, "—" becomes "-".
    An unknown encoding counts as ASCII.
    """
    try:
        codecs.lookup(encoding)
    except LookupError:
        encoding = "ascii"
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(_spelled(text, index, encoding) for index in range(len(text))).encode(encoding, "ignore")


def _spelled(text: str, index: int, encoding: str) -> str:
    character = text[index]
    if _fits(character, encoding):
        return character
    lower = character.lower()
    if lower in _RUSSIAN:
        sound = _RUSSIAN[lower]
        if character == lower:
            return sound
        alone = index + 1 >= len(text) or not text[index + 1].isupper()
        return sound.capitalize() if alone else sound.upper()
    if character in _PUNCTUATION:
        return _PUNCTUATION[character]
    parts = "".join(part for part in unicodedata.normalize("NFKD", character) if _fits(part, encoding))
    return parts or _named(character)


def _named(character: str) -> str:
    if unicodedata.category(character) in ("Mn", "Me", "Cf", "Cs"):
        return ""
    name = unicodedata.name(character, f"U {ord(character):04X}").lower()
    return name.rpartition(" letter ")[2].partition(" with ")[0] + " "


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
