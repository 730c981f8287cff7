"""Looks up a message and puts its facts into words.

A message is a whole sentence, or several forms of one: `you` where the fact `who` is the listener alone, and either
`they` for everybody else or a form for each CLDR plural category, chosen by the fact `n` (without it, by how many names
`who` holds). A placeholder `{fact:spec}` names how the fact is worded: see `SPECS`; a spec with a capital begins a sentence.
A language is a folder beside this module; its modules are the themes, each with its `MESSAGES`. What a language does not
say is said in English. To add a message, add its key to the module of the same theme in every language; the tests compare
them. To add a language, copy a folder under the new language's code and translate it: no code names a language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

FALLBACK = "en"
"""The language of what another one lacks."""
_FOLDER = Path(__file__).resolve().parent
_NO_THEMES = ("__init__", "words", "rules")
"""Modules of a language that hold no messages."""
_TILES = tuple((low, high) for low in range(7) for high in range(low, 7))
_END_NUMBERS = {"left": 0, "right": 1, "up": 2, "down": 3}

Names = Sequence[str | None]
"""Players' names; None stands for the listener."""
Message = str | Mapping[str, str]


class Words(Protocol):
    """What a language's module `words` holds. Ends are in the order left, right, up, down; `NAME` is the language's own;
    `PLAYERS` are names for seats that nobody has named, each sounding unlike the others and unlike a number."""

    NAME: str
    PLAYERS: tuple[str, ...]
    PIPS: tuple[str, ...]
    PIPS_MANY: tuple[str, ...]
    DOUBLE: str
    ENDS: tuple[str, ...]
    END_NAMES: tuple[str, ...]
    END_LETTERS: tuple[str, ...]
    YOU: str
    AND: str
    OR: str
    MARKS: Mapping[str, str]
    CLOSED_LETTER: str

    def plural(self, n: int) -> str:
        """The CLDR plural category of a whole number."""

    def number(self, n: int, case: str) -> str:
        """A number of tiles in words: case 'nominative', 'accusative' or 'genitive'."""

    def drew(self, n: int) -> str:
        """That so many tiles were drawn, as the end of a sentence about a turn."""

    def place(self, n: int) -> str:
        """The number of a tile in its row."""

    def doubles(self, n: int) -> str:
        """So many doubles, 1 to 7."""

    def percent(self, tenths: int) -> str:
        """Tenths of a percent, in percent."""


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages there are, the last in the alphabet first."""
    return tuple(sorted((path.parent.name for path in _FOLDER.glob("*/words.py")), reverse=True))


@cache
def themes(lang: str) -> tuple[str, ...]:
    """The names of a language's modules that hold messages."""
    return tuple(sorted(path.stem for path in (_FOLDER / lang).glob("*.py") if path.stem not in _NO_THEMES))


def language_name(lang: str) -> str:
    """What a language calls itself; with its code where another one has the same name."""
    name = words(lang).NAME
    alone = all(name != words(other).NAME for other in languages() if other != lang)
    return name if alone else f"{name} ({lang})"


def default_names(lang: str, taken: Iterable[str] = (), own: Iterable[str] = ()) -> tuple[str, ...]:
    """Names for seats that nobody has named, in order, without those `taken`; the player's `own` default names first.

    Names are the same if they differ in case only.
    """
    used = {name.casefold() for name in taken}
    names: list[str] = []
    for name in (*own, *words(lang).PLAYERS):
        if name.casefold() not in used:
            used.add(name.casefold())
            names.append(name)
    return tuple(names)


def name_in(lang: str, names: Mapping[str, str], otherwise: str) -> str:
    """A name given by language ('' for all of them): in `lang`, else in English, else in whichever there is, else `otherwise`."""
    return names.get(lang) or names.get(FALLBACK) or next(iter(names.values()), otherwise)


@cache
def words(lang: str) -> Words:
    """The vocabulary of a language; raises `ValueError` for one that is not among `languages()`."""
    if lang not in languages():
        raise ValueError(f"no language '{lang}': {', '.join(languages())} are known")
    return cast(Words, import_module(f"kozel.locales.{lang}.words"))


@cache
def catalogue(lang: str) -> Mapping[str, Message]:
    """All messages of a language."""
    words(lang)
    merged: dict[str, Message] = {}
    for theme in themes(lang):
        merged.update(import_module(f"kozel.locales.{lang}.{theme}").MESSAGES)
    return merged


class Phrase(NamedTuple):
    """A message and its facts, in no language yet. It may be a fact of another message."""

    key: str
    facts: tuple[tuple[str, object], ...] = ()

    def text(self, lang: str) -> str:
        """The message in a language."""
        return message(lang, self.key, **dict(self.facts))


def phrase(key: str, /, **facts: object) -> Phrase:
    """A message to be said later, in whichever language."""
    return Phrase(key, tuple(facts.items()))


def message(lang: str, key: str, /, **facts: object) -> str:
    """The message of a key, its facts in words. Raises `KeyError` for an unknown key or a missing fact."""
    forms = catalogue(lang).get(key)
    if forms is None:
        if lang == FALLBACK:
            raise KeyError(key)
        return message(FALLBACK, key, **facts)
    if not isinstance(forms, str):
        forms = forms[_form(lang, forms, facts)]
    return forms.format_map(_Facts(lang, facts))


def _form(lang: str, forms: Mapping[str, str], facts: Mapping[str, Any]) -> str:
    who = facts.get("who", ())
    if "you" in forms and tuple(who) == (None,):
        return "you"
    if "they" in forms:
        return "they"
    return words(lang).plural(facts["n"] if "n" in facts else len(who))


class _Facts(dict[str, Any]):
    """The facts of one message; each comes out as a value that knows how to be worded."""

    def __init__(self, lang: str, facts: Mapping[str, object]) -> None:
        super().__init__(facts)
        self.lang, self.words = lang, words(lang)

    def __getitem__(self, name: str) -> _Fact:
        return _Fact(self.lang, self.words, super().__getitem__(name))


class _Fact:
    def __init__(self, lang: str, vocabulary: Words, value: Any) -> None:
        self.lang, self.words, self.value = lang, vocabulary, value

    def __format__(self, spec: str) -> str:
        if not spec:
            return self._plain(self.value)
        small = spec[0].lower() + spec[1:]
        text = SPECS[small](self.words, self.value)
        if spec == small or (small in _NAMED_FIRST and not _listener_first(self.value)):
            return text
        return text[:1].upper() + text[1:]

    def _plain(self, value: object) -> str:
        if isinstance(value, Phrase):
            return value.text(self.lang)
        return ", ".join(map(self._plain, value)) if isinstance(value, (list, tuple)) else str(value)


def tile_words(w: Words, tile: int) -> str:
    """A tile, numbered in the order 0-0, 0-1 … 6-6: the higher half first, a blank first, a double as such."""
    low, high = _TILES[tile]
    if low == high:
        return f"{w.DOUBLE} {w.PIPS[low]}"
    first, second = (low, high) if low == 0 else (high, low)
    return f"{w.PIPS[first]} {w.PIPS[second]}"


def halves_words(w: Words, halves: tuple[int, int]) -> str:
    """A tile as it lies, its halves in this order; a double as such."""
    first, second = halves
    return f"{w.DOUBLE} {w.PIPS[first]}" if first == second else f"{w.PIPS[first]} {w.PIPS[second]}"


def tile_digits(tile: int, last: int | None = None) -> str:
    """A tile for a braille display: the half `last` last, or else the higher half first, a blank first."""
    low, high = _TILES[tile]
    if last is None:
        last = high if low == 0 else low
    return f"{low + high - last}:{last}"


def _listed(parts: Iterable[str], last: str) -> str:
    """'a', 'a and b', 'a, b and c', where `last` is 'and'."""
    *before, final = parts
    return f"{', '.join(before)} {last} {final}" if before else final


def _end(end: int | str) -> int:
    return end if isinstance(end, int) else _END_NUMBERS[end]


def _who(w: Words, names: Names) -> str:
    return _listed((w.YOU if name is None else name for name in names), w.AND)


def _sides(w: Words, sides: Sequence[Names]) -> str:
    """'Anna, Boris and Vera'; in pairs 'Anna and Vera; Boris and Gena'."""
    if all(len(names) == 1 for names in sides):
        return _who(w, [name for names in sides for name in names])
    return "; ".join(_who(w, names) for names in sides)


def _lays(
    w: Words, lays: Sequence[tuple[int, int | None, str | None] | tuple[int, int | None, str | None, int]]
) -> str:
    """'five four, left'; several: 'double five right, double one left closed'."""
    between = ", " if len(lays) == 1 else " "
    parts = []
    for tile, end, mark, *last in lays:
        said = [halves_words(w, (sum(_TILES[tile]) - last[0], last[0])) if last else tile_words(w, tile)]
        if end is not None:
            said.append(w.ENDS[end])
        if mark:
            said.append(w.MARKS[mark])
        parts.append(between.join(said))
    return ", ".join(parts)


def _held(w: Words, held: tuple[int, Sequence[int], str | None]) -> str:
    """'six five, left and right, marked'."""
    tile, ends, mark = held
    said = [tile_words(w, tile)]
    if ends:
        said.append(_listed((w.ENDS[end] for end in ends), w.AND))
    if mark:
        said.append(w.MARKS[mark])
    return ", ".join(said)


def _sums(w: Words, sums: Sequence[tuple[Names, int]]) -> str:
    return ", ".join(f"{_who(w, names)} {points}" for names, points in sums)


def _counts(w: Words, sums: Sequence[tuple[Names, int]]) -> str:
    return ", ".join(f"{_who(w, names)} {w.number(n, 'nominative')}" for names, n in sums)


def _taken(w: Words, sums: Sequence[tuple[Names, int]]) -> str:
    return ", ".join(f"{_who(w, names)} {w.number(n, 'accusative')}" for names, n in sums)


def _tiles(w: Words, tiles: Iterable[int]) -> str:
    return ", ".join(tile_words(w, tile) for tile in tiles)


def _thrown(w: Words, thrown: Sequence[tuple[Names, Sequence[int]]]) -> str:
    return "; ".join(f"{_who(w, names)} {_tiles(w, tiles)}" for names, tiles in thrown)


def _listener_first(value: Any) -> bool:
    first = value[0]
    return first is None or (not isinstance(first, str) and first[0][0] is None)


SPECS: Mapping[str, Callable[[Words, Any], str]] = {
    "tile": tile_words,
    "tiles": _tiles,
    "chain": lambda w, chain: ", ".join(halves_words(w, halves) for halves in chain),
    "all_tiles": lambda w, tiles: _listed((tile_words(w, tile) for tile in tiles), w.AND),
    "any_tile": lambda w, tiles: _listed((tile_words(w, tile) for tile in tiles), w.OR),
    "pips": lambda w, pips: w.PIPS[pips],
    "pips_many": lambda w, pips: w.PIPS_MANY[pips],
    "end": lambda w, end: w.ENDS[_end(end)],
    "end_name": lambda w, end: w.END_NAMES[_end(end)],
    "ends": lambda w, ends: _listed((w.ENDS[_end(end)] for end in ends), w.AND),
    "open_ends": lambda w, ends: ", ".join(f"{w.ENDS[end]} {w.PIPS[pips]}" for end, pips in ends),
    "count": lambda w, n: w.number(n, "nominative"),
    "taken": lambda w, n: w.number(n, "accusative"),
    "of": lambda w, n: w.number(n, "genitive"),
    "drew": lambda w, n: w.drew(n),
    "place": lambda w, n: w.place(n),
    "of_doubles": lambda w, n: w.doubles(n),
    "percent": lambda w, tenths: w.percent(tenths),
    "who": _who,
    "sides": _sides,
    "one_of": lambda w, values: _listed(map(str, values), w.OR),
    "text": lambda w, text: str(text),
    "lays": _lays,
    "where": lambda w, lays: ", ".join(w.ENDS[end] for _, end, *_ in lays if end is not None),
    "pips_each": lambda w, pips: ", ".join(w.PIPS[each] for each in pips),
    "held": _held,
    "hand": lambda w, hand: "; ".join(_held(w, held) for held in hand),
    "sums": _sums,
    "counts": _counts,
    "draws": _taken,
    "thrown": _thrown,
}
"""How a fact is worded. tile: a tile's number; tiles, all_tiles, any_tile: several; end: 0 to 3 or a name; open_ends:
(end, pips) each; count, taken, of: a number of tiles in words; drew: that so many were drawn; place: the
number of a tile in its row; of_doubles: so many doubles; percent: tenths of a percent; who: names, None for
the listener; sides: the names of several sides; one_of: anything to choose from; text: anything, for a capital;
chain: (half, half) each, as they lie; lays: (tile, end or None, mark) each, with its open half where it is known;
where: only the ends of these; pips_each: several numbers of pips; held: (tile, ends it fits, mark), hand: several; a
mark is a key of the language's MARKS or None; sums, counts, draws, thrown: (names, points), (names, number of tiles)
twice, (names, tiles) each."""
_NAMED_FIRST = {"who", "sums", "counts", "draws", "thrown"}
