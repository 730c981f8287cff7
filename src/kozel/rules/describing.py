"""A ruleset in plain sentences, made from its data: so the words cannot drift from the rules.

The sentences stand in `kozel.locales`, one or a few for each rule function, keyed by the function's name.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any, NamedTuple, Protocol, cast

from kozel.engine.match import Game
from kozel.locales.catalogue import tile_words, words
from kozel.rules.registry import Slot, declared, settings_of
from kozel.rules.ruleset import Entry, Option, Ruleset, Value, written
from kozel.rules.settings import OneTile, OptionRef, SomeTiles, TilePoints, Whole, in_pairs, kind_of
from kozel.rules.vocabulary import SLOTS

_SEATING = ("pairs", "seats")
_COUNTS_TILES = ("same_number", "doubles")
_Options = Mapping[str, Value]


class Sentences(Protocol):
    """What a language's module `rules` holds."""

    COMMON: tuple[str, ...]
    SLOTS: dict[str, str]
    RULES: dict[str, dict[str, str]]
    TEXTS: dict[str, str]


class Part(NamedTuple):
    """A sentence of a rule, and the options that it depends on, each with the value under which it is said."""

    text: str
    options: _Options


def sentences(lang: str) -> Sentences:
    """The sentences about rules in a language."""
    words(lang)
    return cast(Sentences, import_module(f"kozel.locales.{lang}.rules"))


def describe(ruleset: Ruleset, lang: str, game: Game | None = None) -> list[str]:
    """The ruleset in sentences, a line each: with all its options, or as it is played in a game."""
    return list(_Describer(ruleset, lang, game).lines())


class _Describer:
    def __init__(self, ruleset: Ruleset, lang: str, game: Game | None) -> None:
        self._ruleset, self._game = ruleset, game
        self._said, self._words = sentences(lang), words(lang)
        self._defaults: dict[str, Value] = {name: option.default for name, option in ruleset.options.items()}
        self._chosen: _Options = {**self._defaults, **(game.options if game else {})}
        self._lang = lang

    def lines(self) -> Iterator[str]:
        yield self._text("name", name=self._ruleset.name(self._lang), id=self._ruleset.id)
        yield from self._table()
        yield from self._said.COMMON
        for slot in SLOTS:
            yield from self._slot(slot)
        if not self._game:
            for option in self._ruleset.options.values():
                yield self._option(option)
            yield from self._alternatives()

    def _text(self, key: str, **facts: object) -> str:
        return self._said.TEXTS[key].format_map(facts)

    def _table(self) -> Iterator[str]:
        ruleset, game = self._ruleset, self._game
        if game:
            if game.pairs:
                yield self._text("pairs_at_table")
            yield self._text("hand", hand=self._tiles(game.hand))
            return
        yield self._text("seats", seats=self._listed([str(number) for number in ruleset.seats], self._words.OR))
        if ruleset.pairs != "never":
            yield self._text(f"pairs_{ruleset.pairs}")
        if len(set(ruleset.hand.values())) == 1:
            hand = self._tiles(next(iter(ruleset.hand.values())))
        else:
            sizes = sorted(ruleset.hand.items())
            hand = ", ".join(self._text("hand_for", seats=seats, hand=self._tiles(size)) for seats, size in sizes)
        yield self._text("hand", hand=hand)

    def _slot(self, slot: Slot) -> Iterator[str]:
        """What holds with the options as they are; in a game, what holds there."""
        entries = self._ruleset.slots[slot]
        if len(entries) == 1 and declared(entries[0].name).silent and not entries[0].when:
            return
        held = [entry for entry in entries if self._holds(entry)]
        if self._game and slot != "settlement":
            held = held[:1]
        heading = self._said.SLOTS[slot]
        if slot == "settlement":
            yield f"{heading}:"
            for number, entry in enumerate(held, 1):
                yield self._text("step", number=number, text=self._sentence(entry))
        else:
            for entry in held:
                yield self._text("rule", slot=heading, text=self._sentence(entry))

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

    def _sentence(self, entry: Entry) -> str:
        asked = {name: value for name, value in entry.when.items() if name not in _SEATING}
        text = " ".join(self._under(part) for part in self._parts(entry, self._chosen))
        if asked and not self._game:
            text = self._text("holds", text=text, conditions=self._conditions(asked))
        return self._seated(entry, text)

    def _under(self, part: Part) -> str:
        if not part.options or self._game:
            return part.text
        return self._text("holds", text=part.text, conditions=self._conditions(part.options))

    def _seated(self, entry: Entry, text: str) -> str:
        if self._game:
            return text
        if "pairs" in entry.when:
            text = self._text("if_pairs" if entry.when["pairs"] else "if_single", text=text)
        if "seats" in entry.when:
            text = self._text("if_seats", value=entry.when["seats"], text=text)
        return text

    def _parts(self, entry: Entry, chosen: _Options) -> Iterator[Part]:
        """The sentences of a rule with options as chosen."""
        known = self._said.RULES[entry.name]
        given = _all_settings(self._at_table(entry))
        facts = {name: self._worded(entry.function, name, value, chosen) for name, value in given.items()}
        yield Part(known[""].format_map(facts), {})
        for name, value in given.items():
            worth = chosen[value.name] if isinstance(value, OptionRef) else value
            key = _key(known, name, worth)
            if key:
                yield Part(known[key].format_map(facts), {value.name: worth} if isinstance(value, OptionRef) else {})

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

    def _option(self, option: Option) -> str:
        if option.values is not None:
            values = self._listed([self._plain(value) for value in option.values], self._words.OR)
        elif isinstance(option.default, bool):
            values = self._listed([self._text("yes"), self._text("no")], self._words.OR)
        else:
            values = self._range(option)
        return self._text("option", option=option.name, values=values, default=self._plain(option.default))

    def _range(self, option: Option) -> str:
        kinds = [kind for kind in map(kind_of, option.annotations) if isinstance(kind, Whole)]
        return self._text("range", low=max(kind.low for kind in kinds), high=min(kind.high for kind in kinds))

    def _alternatives(self) -> Iterator[str]:
        """What holds only with other values of the options than the default ones."""
        for slot, entries in self._ruleset.slots.items():
            heading = self._said.SLOTS[slot]
            for entry in entries:
                asked = {name: value for name, value in entry.when.items() if name not in _SEATING}
                if any(self._defaults.get(name) != value for name, value in asked.items()):
                    text = self._seated(
                        entry, " ".join(part.text for part in self._parts(entry, self._defaults | asked))
                    )
                    conditions = self._conditions(asked)
                    if slot == "settlement":
                        yield self._text("otherwise", conditions=conditions, text=text)
                    else:
                        yield self._text("instead", conditions=conditions, slot=heading, text=text)
                else:
                    yield from self._other_parts(entry)

    def _other_parts(self, entry: Entry) -> Iterator[str]:
        """The sentences of a rule that other values of its settings' options bring."""
        for value in entry.settings.values():
            if not isinstance(value, OptionRef):
                continue
            option = self._ruleset.options[value.name]
            for other in _values(option):
                if other == option.default:
                    continue
                for part in self._parts(entry, self._defaults | {option.name: other}):
                    if part.options.get(option.name) == other:
                        yield self._text("otherwise", conditions=self._conditions(part.options), text=part.text)

    def _conditions(self, options: _Options) -> str:
        said = [self._text("condition", option=name, value=self._plain(value)) for name, value in options.items()]
        return ", ".join(said)

    def _worded(self, function: Callable[..., Any], name: str, value: Any, chosen: _Options) -> str:
        """A setting in words; one that an option gives names the option."""
        if isinstance(value, OptionRef):
            plain = self._worded(function, name, chosen[value.name], chosen)
            return plain if self._game else self._text("from_option", value=plain, option=value.name)
        kind = kind_of(settings_of(function)[name][0])
        if value is None:
            return ""
        if isinstance(kind, OneTile):
            return tile_words(self._words, value)
        if isinstance(kind, SomeTiles):
            return self._listed([tile_words(self._words, tile) for tile in value], self._words.AND)
        if isinstance(kind, TilePoints):
            points = [(tile_words(self._words, tile), number) for tile, number in value.items()]
            return ", ".join(self._text("points_for", tile=tile, points=number) for tile, number in points)
        return self._tiles(value) if name in _COUNTS_TILES else self._plain(value)

    def _plain(self, value: object) -> str:
        if isinstance(value, bool):
            return self._text("yes" if value else "no")
        return str(value)

    def _tiles(self, number: int) -> str:
        return self._words.number(number, "nominative")

    def _listed(self, parts: list[str], last: str) -> str:
        *before, final = parts or [""]
        return f"{', '.join(before)} {last} {final}" if before else final


def _all_settings(entry: Entry) -> dict[str, Any]:
    """The settings of a rule with those that are left at their defaults."""
    parameters = inspect.signature(entry.function).parameters
    return {name: entry.settings.get(name, parameters[name].default) for name in settings_of(entry.function)}


def _key(known: Mapping[str, str], name: str, value: object) -> str | None:
    """Under which key a sentence says what this value of a setting brings; None where nothing is to be said."""
    exact, given = f"{name}:{written(value)}", f"{name}:given"
    if exact in known:
        return exact
    return given if given in known and value else None


def _values(option: Option) -> tuple[Value, ...]:
    if option.values is not None:
        return option.values
    return (True, False) if isinstance(option.default, bool) else ()
