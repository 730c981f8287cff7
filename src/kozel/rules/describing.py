"""A ruleset told by a person to a person, made from its data: so the words cannot drift from the rules.

The sentences stand in `kozel.locales`, one or a few for each rule function, keyed by the function's name. They are told in the
order of a listener: the aim first, then the deal, the turn, the end of a round, the count, and what can be chosen.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any, Literal, NamedTuple, Protocol, cast, get_args

from kozel.engine.match import Game
from kozel.engine.tiles import TILES
from kozel.locales.catalogue import tile_words, words
from kozel.rules.naming import option_label, text_in, value_label
from kozel.rules.registry import Role, Slot, declared, roles_of, settings_of
from kozel.rules.ruleset import Entry, Option, Ruleset, Value, written
from kozel.rules.settings import OneTile, OptionRef, SomeTiles, TilePoints, Whole, in_pairs, kind_of

Section = Literal["aim", "deal", "turn", "end", "count", "choice"]
SECTIONS: tuple[Section, ...] = get_args(Section)
ASIDE = ("opener", "end", "shared")
"""Keys of a rule's sentences that are told elsewhere: who opens the next round; what it means at a round's end; where the
points of a fish go that several share."""
LONGEST_LINE = 25
"""How many words a line has at most, if its sentences allow."""
_SEATING = ("pairs", "seats")
_AIMS: tuple[Role, ...] = ("end", "pay")
_COUNTS: tuple[Role, ...] = ("count", "change", "add", "eggs", "record")
_Options = Mapping[str, Value]


class Sentences(Protocol):
    """What a language's module `rules` holds.

    `SECTIONS`: the headings. `RULES`: by rule, its sentence under '' and what a setting adds to it. `FORMS`: how a number of
    something is said: the case of the number in words ('': in figures) and the noun by plural category. `PLAYERS`, `TOGETHER`:
    so many people, as who plays, and as those at the table. `TEXTS`: all else.
    """

    SECTIONS: Mapping[str, str]
    RULES: Mapping[str, Mapping[str, str]]
    FORMS: Mapping[str, tuple[str, Mapping[str, str]]]
    PLAYERS: Mapping[int, str]
    TOGETHER: Mapping[int, str]
    TEXTS: Mapping[str, str]


def sentences(lang: str) -> Sentences:
    """The sentences about rules in a language."""
    words(lang)
    return cast(Sentences, import_module(f"kozel.locales.{lang}.rules"))


def in_lines(text: str, most: int = LONGEST_LINE) -> Iterator[str]:
    """A text in lines of whole sentences, as many to a line as can well be heard at once."""
    line: list[str] = []
    for sentence in re.split(r"(?<=[.?]) ", text):
        if line and len(" ".join([*line, sentence]).split()) > most:
            yield " ".join(line)
            line = []
        line.append(sentence)
    if line:
        yield " ".join(line)


def describe(ruleset: Ruleset, lang: str, game: Game | None = None) -> list[str]:
    """The ruleset in sentences, a line each: with its options as they are by default, or as it is played in a game."""
    return list(_Describer(ruleset, lang, game).lines())


class _Part(NamedTuple):
    """A sentence of a rule, and the options that it depends on, each with the value under which it is said."""

    text: str
    options: _Options


class _Number:
    """A number that comes with the noun that it counts: `{single:points}`."""

    def __init__(self, describer: _Describer, value: int) -> None:
        self._describer, self._value = describer, value

    def __format__(self, spec: str) -> str:
        return self._describer.counted(self._value, spec) if spec else str(self._value)


class _Describer:
    def __init__(self, ruleset: Ruleset, lang: str, game: Game | None) -> None:
        self._ruleset, self._game, self._lang = ruleset, game, lang
        self._said, self._words = sentences(lang), words(lang)
        self._defaults: dict[str, Value] = {name: option.default for name, option in ruleset.options.items()}
        self._chosen: _Options = {**self._defaults, **(game.options if game else {})}

    def lines(self) -> Iterator[str]:
        """All sentences, each section with its heading before its first."""
        yield self._text("name", name=self._ruleset.name(self._lang))
        tellers = {
            "aim": self._aim,
            "deal": self._deal,
            "turn": self._turn,
            "end": self._end,
            "count": self._count,
            "choice": self._choice,
        }
        for section in SECTIONS:
            heading = self._said.SECTIONS[section]
            for line in filter(None, tellers[section]()):
                yield from in_lines(self._text("headed", heading=heading, text=line) if heading else line)
                heading = ""

    # the sections

    def _aim(self) -> Iterator[str]:
        for entry in self._steps(*_AIMS):
            yield self._sentence(entry)

    def _deal(self) -> Iterator[str]:
        ruleset, game = self._ruleset, self._game
        yield self._text("set")
        if game:
            if game.pairs:
                yield self._text("pairs_at_table")
            yield self._text("hand", hand=_Number(self, game.hand))
        else:
            players = [self._said.PLAYERS[number] for number in ruleset.seats]
            yield self._text("players", players=self._listed(players, self._words.OR))
            if ruleset.pairs != "never":
                yield self._text(f"pairs_{ruleset.pairs}")
            yield self._hands(ruleset.hand)
        if self._bazaar_left():
            yield self._text("bazaar")
        for slot in ("deal", "redeal"):
            yield from self._slot(slot)

    def _turn(self) -> Iterator[str]:
        yield self._text("laying")
        first, later = self._held("first_opening"), self._held("later_opening")
        if [(each.name, each.settings) for each in first] == [(each.name, each.settings) for each in later]:
            yield from self._openings(first, "every_round")
        else:
            yield from self._openings(first, "first_round")
            yield from self._openings(later, "later_rounds")
        if any(declared(entry.name).leaves_choice for entry in (*first, *later)):
            yield from self._slot("lead", silent_too=True)
        for slot in ("throwing", "placing"):
            yield from self._slot(slot)
        if self._all_dealt():
            yield self._text("no_bazaar")
        else:
            yield from self._slot("drawing", silent_too=True)

    def _openings(self, entries: Sequence[Entry], frame: str) -> Iterator[str]:
        """Who opens; where a step of the settlement says so, that step's words."""
        for entry in entries:
            steps = self._steps("opener") if "opener" in declared(entry.name).needs else []
            for step in steps:
                key = "opener" if "opener" in self._said.RULES[step.name] else ""
                yield self._seated(step, self._text(frame, text=self._words_of(step, key)))
            text = self._sentence(entry, bare=bool(steps))
            if text:
                yield text if steps else self._text(frame, text=text)

    def _end(self) -> Iterator[str]:
        yield self._text("out")
        yield self._text("blocked")
        drawing = [] if self._all_dealt() else self._held("drawing")
        for entry in (*self._held("placing"), *drawing):
            yield self._seated(entry, self._words_of(entry, "end"))
        yield from self._slot("fish")
        for entry in self._steps("title"):
            yield self._sentence(entry)

    def _count(self) -> Iterator[str]:
        if self._game.pairs if self._game else self._ruleset.pairs != "never":
            yield self._text("pair_points")
        yield from self._slot("counting")
        for entry in self._steps(*_COUNTS):
            yield self._sentence(entry)
            if self._may_be_shared():
                yield self._seated(entry, self._words_of(entry, "shared"))

    def _choice(self) -> Iterator[str]:
        """The options, each with what its other values bring; at a table they are settled."""
        if self._game:
            return
        for option in self._ruleset.options.values():
            yield self._option(option)
        for conditions, texts in self._otherwise().items():
            conditions_named = self._conditions(dict(conditions))
            news = [text for text in texts if text.rstrip(".") not in conditions_named]
            if news:
                yield self._text("otherwise", conditions=conditions_named, text=" ".join(news))

    # rules and steps

    def _steps(self, *roles: Role) -> list[Entry]:
        return [entry for entry in self._held("settlement") if roles_of(entry.name) & {*roles}]

    def _held(self, slot: Slot) -> list[Entry]:
        """What holds with the options as they are; in a game, what holds there."""
        entries = [entry for entry in self._ruleset.slots[slot] if self._holds(entry)]
        return entries[:1] if self._game and slot != "settlement" else entries

    def _holds(self, entry: Entry) -> bool:
        for name, value in entry.when.items():
            if name not in _SEATING:
                holds = self._chosen.get(name) == value
            elif self._game:
                holds = value == (self._game.pairs if name == "pairs" else self._game.seats)
            else:
                holds = True
            if not holds:
                return False
        return True

    def _slot(self, slot: Slot, silent_too: bool = False) -> Iterator[str]:
        for entry in self._held(slot):
            if silent_too or entry.when or not declared(entry.name).silent:
                yield self._sentence(entry)

    def _sentence(self, entry: Entry, bare: bool = False) -> str:
        """All that is said of a rule; `bare`: without its main sentence."""
        parts = [part.text for part in self._parts(entry, self._chosen)]
        return self._seated(entry, " ".join(filter(None, parts[1:] if bare else parts)))

    def _words_of(self, entry: Entry, key: str) -> str:
        """One sentence of a rule; '' where it has none under that key."""
        return self._said.RULES[entry.name].get(key, "").format_map(self._facts(self._at_table(entry), self._chosen))

    def _seated(self, entry: Entry, text: str) -> str:
        if self._game or not text:
            return text
        if "pairs" in entry.when:
            text = self._text("if_pairs" if entry.when["pairs"] else "if_single", text=text)
        if "seats" in entry.when:
            text = self._text("if_seats", together=self._said.TOGETHER[int(entry.when["seats"])], text=text)
        return text

    def _parts(self, entry: Entry, chosen: _Options) -> Iterator[_Part]:
        """The sentences of a rule with options as chosen: the main one, then what its settings add."""
        known = self._said.RULES[entry.name]
        entry = self._at_table(entry)
        facts, values = self._facts(entry, chosen), self._values(entry, chosen)
        yield _Part(known[""].format_map(facts), {})
        for key, text in known.items():
            if key and key not in ASIDE:
                asked = [condition.split(":") for condition in key.split(",")]
                if all(self._applies(entry, name, value, values) for name, value in asked):
                    given = {name: entry.settings.get(name) for name, _ in asked}
                    options = {ref.name: chosen[ref.name] for ref in given.values() if isinstance(ref, OptionRef)}
                    yield _Part(text.format_map(facts), options)

    @staticmethod
    def _applies(entry: Entry, name: str, wanted: str, values: Mapping[str, Any]) -> bool:
        """Is a setting as a sentence's key wants it: of that value, or given and not what it is when left out?"""
        if wanted != "given":
            return written(values[name]) == wanted
        return values[name] is not None and values[name] != inspect.signature(entry.function).parameters[name].default

    def _values(self, entry: Entry, chosen: _Options) -> dict[str, Any]:
        """The settings of a rule, those that are left out at their defaults."""
        parameters = inspect.signature(entry.function).parameters
        given = {name: entry.settings.get(name, parameters[name].default) for name in settings_of(entry.function)}
        return {name: chosen[value.name] if isinstance(value, OptionRef) else value for name, value in given.items()}

    def _facts(self, entry: Entry, chosen: _Options) -> dict[str, object]:
        return {name: self._worded(entry, name, value) for name, value in self._values(entry, chosen).items()}

    def _worded(self, entry: Entry, name: str, value: Any) -> object:
        """A setting in words."""
        kind = kind_of(settings_of(entry.function)[name][0])
        if value is None:
            return ""
        if isinstance(kind, OneTile):
            return tile_words(self._words, value)
        if isinstance(kind, SomeTiles):
            return self._listed([tile_words(self._words, tile) for tile in value], self._words.AND)
        if isinstance(kind, TilePoints):
            points = [(tile_words(self._words, tile), number) for tile, number in value.items()]
            return ", ".join(self._text("points_for", tile=tile, points=number) for tile, number in points)
        return _Number(self, value) if isinstance(kind, Whole) else written(value)

    def _at_table(self, entry: Entry) -> Entry:
        """In a game the number for pairs stands in the place of the other one, or is not mentioned."""
        if not self._game:
            return entry
        settings = dict(entry.settings)
        for name, (annotation, _) in settings_of(entry.function).items():
            other = in_pairs(annotation)
            if other is not None:
                given = settings.get(name)
                if self._game.pairs and given is not None:
                    settings[other] = given
                settings[name] = None
        return replace(entry, settings=settings)

    # options

    def _option(self, option: Option) -> str:
        if option.values is not None or isinstance(option.default, bool):
            choices: tuple[Value, ...] = option.values or (True, False)
            values = self._listed([self._value(option, value) for value in choices], self._words.OR)
        else:
            kinds = [kind for kind in map(kind_of, option.annotations) if isinstance(kind, Whole)]
            low, high = max(kind.low for kind in kinds), min(kind.high for kind in kinds)
            values = self._text("range", low=low, high=high)
        default = self._value(option, option.default)
        label = option_label(option, self._lang)
        line = self._text("option", option=label, values=values, default=default)
        about = text_in(option.abouts, self._lang)
        return f"{line} {about}" if about else line

    def _otherwise(self) -> dict[tuple[tuple[str, Value], ...], list[str]]:
        """What holds only with other values of the options than the default ones, by those values."""
        texts: dict[tuple[tuple[str, Value], ...], list[str]] = {}
        for slot, entries in self._ruleset.slots.items():
            for entry in entries:
                asked = {name: value for name, value in entry.when.items() if name not in _SEATING}
                if any(self._defaults.get(name) != value for name, value in asked.items()):
                    parts = [part.text for part in self._parts(entry, self._defaults | asked)]
                    text = self._framed(slot, self._seated(entry, " ".join(filter(None, parts))))
                    texts.setdefault(tuple(asked.items()), []).append(text)
                else:
                    for options, text in self._other_parts(entry):
                        texts.setdefault(options, []).append(text)
        return texts

    def _framed(self, slot: Slot, text: str) -> str:
        """A sentence that is told out of its section."""
        frame = {"first_opening": "first_round", "later_opening": "later_rounds"}.get(slot)
        return self._text(frame, text=text) if frame else text

    def _other_parts(self, entry: Entry) -> Iterator[tuple[tuple[tuple[str, Value], ...], str]]:
        """The sentences of a rule that other values of its settings' options bring."""
        for value in entry.settings.values():
            if not isinstance(value, OptionRef):
                continue
            option = self._ruleset.options[value.name]
            choices = option.values or ((True, False) if isinstance(option.default, bool) else ())
            for other in (each for each in choices if each != option.default):
                for part in self._parts(entry, self._defaults | {option.name: other}):
                    if part.options.get(option.name) == other:
                        yield tuple(part.options.items()), part.text

    def _conditions(self, options: _Options) -> str:
        named: list[str] = []
        for name, value in options.items():
            option = self._ruleset.options[name]
            label = option_label(option, self._lang)
            label = label[:1].lower() + label[1:] if named else label
            named.append(self._text("condition", option=label, value=self._value(option, value)))
        return ", ".join(named)

    def _value(self, option: Option, value: Value) -> str:
        return value_label(option, value, self._lang)

    # words

    def _text(self, key: str, **facts: object) -> str:
        return self._said.TEXTS[key].format_map(facts)

    def counted(self, number: int, spec: str) -> str:
        """A number with the noun that it counts."""
        case, forms = self._said.FORMS[spec]
        figure = self._words.number(number, case) if case else str(number)
        return f"{figure} {forms[self._words.plural(number)]}".strip()

    def _hands(self, sizes: Mapping[int, int]) -> str:
        """How many tiles are dealt, by the number of players where that matters."""
        by_size: dict[int, list[int]] = {}
        for seats, size in sorted(sizes.items()):
            by_size.setdefault(size, []).append(seats)
        if len(by_size) == 1:
            return self._text("hand", hand=_Number(self, next(iter(by_size))))
        parts = [
            self._text(
                "hand_for",
                together=self._listed([self._said.TOGETHER[number] for number in seats], self._words.AND),
                hand=_Number(self, size),
            )
            for size, seats in by_size.items()
        ]
        return self._text("hands", parts=", ".join(parts))

    def _bazaar_left(self) -> bool:
        """Are tiles left after the deal that can be drawn, at some table?"""
        hands = {self._game.seats: self._game.hand} if self._game else self._ruleset.hand
        if self._game:
            draws = self._game.round.draws != 0
        else:
            drawing = self._held("drawing")
            draws = any(entry.function(**next(self._ruleset.given(entry))).draws != 0 for entry in drawing)
        return draws and any(seats * size < len(TILES) for seats, size in hands.items())

    def _all_dealt(self) -> bool:
        """At a table, are all tiles dealt, so that nothing can be drawn?"""
        return self._game is not None and self._game.seats * self._game.hand == len(TILES)

    def _may_be_shared(self) -> bool:
        """Can several sides, but not all, win a fish?"""
        sides = [len(set(self._game.sides))] if self._game else [
            2 if seating["pairs"] else int(seating["seats"]) for seating in self._ruleset.seatings()
        ]  # fmt: skip
        return any(number > 2 for number in sides)

    def _listed(self, parts: list[str], last: str) -> str:
        *before, final = parts or [""]
        return f"{', '.join(before)} {last} {final}" if before else final
