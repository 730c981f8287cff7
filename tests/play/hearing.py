"""What a player makes of the words heard: which question is open, and what is named in a line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto

from play.program import Line


class Asked(Enum):
    """What the table waits for, as far as it was heard."""

    TURN = auto()
    DRAW = auto()
    DRAWN = auto()
    """Nothing, after a draw: the tile drawn fits, or another must be drawn."""
    OPEN = auto()
    """A tile of which one must open; the cursor stands on it."""
    OPEN_ANY = auto()
    END = auto()
    REDEAL = auto()
    SINGLE = auto()
    HANDOVER = auto()
    NEXT_ROUND = auto()
    LEAVE = auto()


_QUESTIONS = {
    "en": {
        Asked.LEAVE: r"Leave\? ",
        Asked.REDEAL: r"\w+ doubles\. New deal\?",
        Asked.SINGLE: r"Only .*\? Space again",
        Asked.NEXT_ROUND: r"Enter: next round\.",
        Asked.HANDOVER: r".*\w, Enter\.$",
        Asked.DRAW: r".*\bdraw: F4\.$",
        Asked.DRAWN: r"Drawn: ",
        Asked.OPEN_ANY: r"Your turn, open with any tile\.",
        Asked.OPEN: r"Your turn, open with ",
        Asked.TURN: r".*\b\w+ fits?\b.*\.$|\w+(, \w+)+; \w+ \w+, .*\.$",
        Asked.END: r".*\b(left|right|up|down) \w+, (left|right|up|down) \w+\?$",
    },
    "ru": {
        Asked.LEAVE: r"Выйти\? ",
        Asked.REDEAL: r"Дупли: \w+\. Сдать заново\?",
        Asked.SINGLE: r"Только .*\? Ещё раз пробел",
        Asked.NEXT_ROUND: r"Enter: следующий раунд\.",
        Asked.HANDOVER: r".*\w, Enter\.$",
        Asked.DRAW: r".*\bберите: F4\.$",
        Asked.DRAWN: r"Взято: ",
        Asked.OPEN_ANY: r"Ваш ход, заходите любой костью\.",
        Asked.OPEN: r"Ваш ход, заходите: ",
        Asked.TURN: r".*\bподход(ит|ят) \w+.*\.$|\w+(, \w+)+; .*\.$",
        Asked.END: r".*\b(слева|справа|сверху|снизу) \w+, (слева|справа|сверху|снизу) \w+\?$",
    },
}
_PIPS = {
    "en": ("blank", "one", "two", "three", "four", "five", "six"),
    "ru": ("пусто", "один", "два", "три", "четыре", "пять", "шесть"),
}
_DOUBLE = {"en": "double", "ru": "дупль"}
ENDS = {
    "en": {"left": "left", "right": "right", "up": "up", "down": "down"},
    "ru": {"слева": "left", "справа": "right", "сверху": "up", "снизу": "down"},
}
_TOTALS = {"en": r"Totals: (.*?)(?:; eggs (\d+))?\.$", "ru": r"Счёт: (.*?)(?:; яйца (\d+))?\.$"}


def asked(lines: Sequence[Line], lang: str) -> Asked | None:
    """The question that the last line asks."""
    if not lines:
        return None
    text = lines[-1].text
    return next((what for what, pattern in _QUESTIONS[lang].items() if re.match(pattern, text, re.IGNORECASE)), None)


def match_over(lines: Sequence[Line]) -> bool:
    """Was the match's result told, and then what can be pressed?"""
    return (
        len(lines) > 1
        and lines[-2].kind == "final"
        and bool(re.match(r"Enter: ((a )?new match|новая партия)", lines[-1].text))
    )


def tiles_named(text: str, lang: str) -> list[str]:
    """The tiles that a line names, as a record writes them, in order."""
    pips = _PIPS[lang]
    pip = "|".join(pips)
    found = []
    for double, first, second in re.findall(rf"\b(?:{_DOUBLE[lang]} ({pip})|({pip}) ({pip}))\b", text, re.IGNORECASE):
        one, other = (pips.index(word.lower()) for word in ((double, double) if double else (first, second)))
        if double or one != other:
            found.append(f"{min(one, other)}-{max(one, other)}")
    return found


def ends_offered(text: str, lang: str) -> list[str]:
    """The ends that a question offers, as a record writes them."""
    return [ENDS[lang][word.lower()] for word in re.findall(r"\w+", text) if word.lower() in ENDS[lang]]


def totals_heard(lines: Sequence[Line], lang: str) -> list[tuple[list[int], int]]:
    """The totals told at each round's end, in the order of sides, with the eggs."""
    found = []
    for line in lines:
        match = re.search(_TOTALS[lang], line.text)
        if line.kind == "final" and match:
            found.append(([int(points) for points in re.findall(r" (\d+)(?:,|$)", match[1])], int(match[2] or 0)))
    return found
