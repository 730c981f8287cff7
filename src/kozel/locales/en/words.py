"""English vocabulary."""

from __future__ import annotations

NAME = "English"
PLAYERS = ("Boris", "Vera", "Gleb", "Dina", "Igor", "Lida", "Mark", "Nina", "Oscar", "Polly", "Simon", "Tanya")
PIPS = ("blank", "one", "two", "three", "four", "five", "six")
PIPS_MANY = ("blanks", "ones", "twos", "threes", "fours", "fives", "sixes")
DOUBLE = "double"
ENDS = ("left", "right", "up", "down")
END_NAMES = ("left end", "right end", "upper end", "lower end")
END_LETTERS = ("L", "R", "U", "D")
YOU = "you"
AND = "and"
OR = "or"
MARKS = {"closed": "closed", "spinner": "spinner", "marked": "marked", "open": "marked open", "shut": "marked closed"}
CLOSED_LETTER = "x"
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def plural(n: int) -> str:
    """CLDR: one for 1, other for the rest."""
    return "one" if n == 1 else "other"


def number(n: int, case: str) -> str:
    """Words to twelve, figures above; English numbers have no case."""
    return _NUMBERS[n] if n < len(_NUMBERS) else str(n)


def drew(n: int) -> str:
    """That so many tiles were drawn."""
    return f"drew {number(n, 'nominative')}"


def place(n: int) -> str:
    """The number of a tile in its row."""
    return str(n)


def doubles(n: int) -> str:
    """So many doubles."""
    return "one double" if n == 1 else f"{number(n, 'nominative')} doubles"


def percent(tenths: int) -> str:
    """'51 percent', '52.5 percent'."""
    whole, tenth = divmod(tenths, 10)
    return f"{whole}.{tenth} percent" if tenth else f"{whole} percent"
