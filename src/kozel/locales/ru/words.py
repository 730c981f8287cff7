"""Russian vocabulary. Numbers of tiles are feminine (кость), so synthesizers must not guess: words, never figures."""

from __future__ import annotations

import re

NAME = "русский"
PLAYERS = ("Борис", "Вера", "Глеб", "Дина", "Егор", "Зоя", "Игорь", "Лида", "Марк", "Нина", "Павел", "Тамара")
PIPS = ("пусто", "один", "два", "три", "четыре", "пять", "шесть")
PIPS_MANY = ("пустых", "единиц", "двоек", "троек", "четвёрок", "пятёрок", "шестёрок")
DOUBLE = "дупль"
ENDS = ("слева", "справа", "сверху", "снизу")
END_NAMES = ("левый конец", "правый конец", "верхний конец", "нижний конец")
END_LETTERS = ("Л", "П", "В", "Н")
YOU = "вы"
AND = "и"
OR = "или"
MARKS = {
    "closed": "закрыт",
    "spinner": "центр",
    "marked": "отмечен",
    "open": "отмечен открытым",
    "shut": "отмечен закрытым",
}
CLOSED_LETTER = "з"

_UNITS = {
    "nominative": ["ноль", "одна", "две", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять"],
    "accusative": ["ноль", "одну", "две", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять"],
    "genitive": ["нуля", "одной", "двух", "трёх", "четырёх", "пяти", "шести", "семи", "восьми", "девяти"],
}
_TEENS = [
    "десят",
    "одиннадцат",
    "двенадцат",
    "тринадцат",
    "четырнадцат",
    "пятнадцат",
    "шестнадцат",
    "семнадцат",
    "восемнадцат",
    "девятнадцат",
]
_TENS = ["двадцать", "тридцать", "сорок", "пятьдесят", "шестьдесят", "семьдесят", "восемьдесят", "девяносто"]
_TENS_GENITIVE = [
    "двадцати",
    "тридцати",
    "сорока",
    "пятидесяти",
    "шестидесяти",
    "семидесяти",
    "восьмидесяти",
    "девяноста",
]
_HUNDREDS = ["сто", "двести", "триста", "четыреста", "пятьсот", "шестьсот", "семьсот", "восемьсот", "девятьсот"]
_HUNDREDS_GENITIVE = [
    "ста",
    "двухсот",
    "трёхсот",
    "четырёхсот",
    "пятисот",
    "шестисот",
    "семисот",
    "восьмисот",
    "девятисот",
]


def plural(n: int) -> str:
    """CLDR: one for 1, 21, 31 …; few for 2–4, 22–24 …; many for the rest, 11–14 among them."""
    if n % 100 in range(11, 15):
        return "many"
    if n % 10 == 1:
        return "one"
    return "few" if n % 10 in (2, 3, 4) else "many"


def number(n: int, case: str) -> str:
    """A number from 0 to 999 in words, in the case and gender of so many tiles."""
    genitive = case == "genitive"
    said = []
    if n >= 100:
        said.append((_HUNDREDS_GENITIVE if genitive else _HUNDREDS)[n // 100 - 1])
        n %= 100
        if not n:
            return said[0]
    if 10 <= n < 20:
        said.append(_TEENS[n - 10] + ("и" if genitive else "ь"))
        return " ".join(said)
    if n >= 20:
        said.append((_TENS_GENITIVE if genitive else _TENS)[n // 10 - 2])
        n %= 10
        if not n:
            return " ".join(said)
    said.append(_UNITS[case][n])
    return " ".join(said)


def drew(n: int) -> str:
    """That so many tiles were drawn, without a word of who did: «взята одна», «взято две», «взята двадцать одна»."""
    return f"{'взята' if plural(n) == 'one' else 'взято'} {number(n, 'nominative')}"


_PLACES = (
    *("первая", "вторая", "третья", "четвёртая", "пятая", "шестая", "седьмая", "восьмая", "девятая", "десятая"),
    *("одиннадцатая", "двенадцатая", "тринадцатая", "четырнадцатая", "пятнадцатая", "шестнадцатая", "семнадцатая"),
    *("восемнадцатая", "девятнадцатая", "двадцатая"),
)


def place(n: int) -> str:
    """Which one in its row, from 1 to 28: «первая», «двадцать восьмая»."""
    return _PLACES[n - 1] if n <= len(_PLACES) else f"двадцать {_PLACES[n - 21]}"


def doubles(n: int) -> str:
    """So many doubles: «один дупль», «два дупля», «пять дуплей»."""
    said = re.sub("одна$", "один", re.sub("две$", "два", number(n, "nominative")))
    return f"{said} {({'one': 'дупль', 'few': 'дупля', 'many': 'дуплей'})[plural(n)]}"


def percent(tenths: int) -> str:
    """«51 процент», «52,5 процента»."""
    whole, tenth = divmod(tenths, 10)
    if tenth:
        return f"{whole},{tenth} процента"
    return f"{whole} {({'one': 'процент', 'few': 'процента', 'many': 'процентов'})[plural(whole)]}"
