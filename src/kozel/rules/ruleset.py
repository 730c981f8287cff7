"""A ruleset: rules chosen for each slot, with options; and how it is made ready for a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

import yaml

from kozel.engine.match import Game
from kozel.engine.round import Deal, Opening, Refused, RoundRules
from kozel.locales import Phrase, name_in, phrase
from kozel.rules.openings import CHOICE
from kozel.rules.registry import Slot, declared, in_play, roles_of, settings_of
from kozel.rules.settings import OneOf, OptionRef, Whole, YesOrNo, fits, kind_of
from kozel.rules.table import Drawing, Placing, Redeal

Value = bool | int | str
Texts = Mapping[str, str]
"""A text by language; under '' one for all languages."""
PairsRule = Literal["never", "optional", "always"]


class BadSetup(Refused):
    """Seats, pairs or options that a ruleset cannot have."""


@dataclass(frozen=True)
class Entry:
    """A rule in a slot: its settings, and the options and seating under which it holds (`when`).

    `node` is where its name stands in the file, `places` where its settings and conditions do.
    """

    name: str
    function: Callable[..., Any]
    settings: Mapping[str, Any]
    when: Mapping[str, Value]
    node: yaml.Node = field(compare=False, repr=False)
    places: Mapping[str, yaml.Node] = field(default_factory=dict, compare=False, repr=False)

    def holds(self, choice: Mapping[str, Value]) -> bool:
        """Does the rule hold with these options and this seating?"""
        return all(choice.get(name) == value for name, value in self.when.items())

    def sits(self, seating: Mapping[str, Value]) -> bool:
        """Can the rule hold with this seating, if the options are right?"""
        return all(self.when.get(name, value) == value for name, value in seating.items())


@dataclass(frozen=True)
class Option:
    """A choice that players have: its default, and the values it can take (None: whatever its uses allow).

    `names` is what its ruleset calls it, `abouts` explains it, `value_names` is what its values, as written, are called.
    """

    name: str
    default: Value
    values: tuple[Value, ...] | None
    annotations: tuple[Any, ...]
    node: yaml.Node | None = field(default=None, compare=False, repr=False)
    names: Texts = field(default_factory=dict)
    abouts: Texts = field(default_factory=dict)
    value_names: Mapping[str, Texts] = field(default_factory=dict)

    def takes(self, value: object) -> bool:
        """Can the option have this value?"""
        if self.values is not None:
            if not any(value == known and type(value) is type(known) for known in self.values):
                return False
        elif type(self.default) is not type(value):
            return False
        return all(fits(value, annotation) for annotation in self.annotations)

    def range(self, annotation: Any) -> Iterable[Value]:
        """The values that the option can give a setting with this annotation."""
        kind = kind_of(annotation)
        if self.values is not None:
            return [value for value in self.values if fits(value, annotation)]
        if isinstance(kind, Whole):
            return range(kind.low, kind.high + 1)
        return (True, False) if isinstance(kind, YesOrNo) else ()

    @property
    def wanted(self) -> Phrase:
        """The values in words."""
        if self.values is not None:
            return OneOf(tuple(map(written, self.values))).wanted
        if isinstance(self.default, bool):
            return YesOrNo.wanted
        return kind_of(self.annotations[0]).wanted if self.annotations else phrase("mistake.any_text")


@dataclass(frozen=True)
class Ruleset:
    """A ruleset as read from its file. `hand`: tiles to each seat, by the number of seats; `slots`: rules in order."""

    id: str
    names: Mapping[str, str]
    path: Path
    seats: tuple[int, ...]
    pairs: PairsRule
    hand: Mapping[int, int]
    options: Mapping[str, Option]
    slots: Mapping[Slot, tuple[Entry, ...]]

    def name(self, lang: str) -> str:
        """The ruleset's name in a language, or else in English, or in whichever it has."""
        return name_in(lang, self.names, self.id)

    def seating(self, seats: int, pairs: bool | None) -> bool:
        """Whether pairs play; None asks for what the ruleset always has. Raises `BadSetup`."""
        if seats not in self.seats:
            raise BadSetup("bad_seats", found=seats, allowed=self.seats)
        always = self.pairs == "always" and seats == 4
        if pairs is None:
            return always
        if pairs and (seats != 4 or self.pairs == "never"):
            raise BadSetup("no_pairs", seats=seats, never=self.pairs == "never")
        if always and not pairs:
            raise BadSetup("always_pairs")
        return pairs

    def choices(self, options: Mapping[str, object]) -> dict[str, Value]:
        """All options with their values. Raises `BadSetup` for one that does not exist or a value that it cannot take."""
        chosen: dict[str, Value] = {name: option.default for name, option in self.options.items()}
        for name, value in options.items():
            if name not in self.options:
                raise BadSetup("unknown_option", option=name, known=tuple(self.options.values()))
            option = self.options[name]
            if not option.takes(value):
                raise BadSetup("bad_option", option=name, value=written(value), wanted=option.wanted)
            assert isinstance(value, (bool, int, str))
            chosen[name] = value
        return chosen

    def placings(self, seats: int, pairs: bool) -> tuple[Placing, ...]:
        """The chains there may be at a table, whatever its options."""
        placings: dict[Placing, None] = {}
        for entry in self.slots["placing"]:
            if entry.sits({"pairs": pairs, "seats": seats}):
                for settings in self.given(entry):
                    placings[entry.function(**settings)] = None
        return tuple(placings)

    def given(self, entry: Entry) -> Iterator[dict[str, Any]]:
        """The settings of a rule: with all options as they are by default, then with each one at each other value."""
        plain = {name: self._default(value) for name, value in entry.settings.items()}
        yield plain
        for name, value in entry.settings.items():
            if isinstance(value, OptionRef):
                annotation = settings_of(entry.function)[name][0]
                for other in self.options[value.name].range(annotation):
                    if other != plain[name]:
                        yield {**plain, name: other}

    def _default(self, value: Any) -> Any:
        return self.options[value.name].default if isinstance(value, OptionRef) else value

    def binder(self, seats: int, pairs: bool | None = None, options: Mapping[str, object] | None = None) -> Binder:
        """The rules that hold at a table. Raises `BadSetup`."""
        return Binder(self, seats, self.seating(seats, pairs), self.choices(options or {}))

    def game(self, seats: int, pairs: bool | None = None, options: Mapping[str, object] | None = None) -> Game:
        """The ruleset bound to a table. Raises `BadSetup`."""
        binder = self.binder(seats, pairs, options)
        together = binder.pairs
        sides = (0, 1, 0, 1) if together else tuple(range(seats))
        placing: Placing = binder.one("placing")
        drawing: Drawing = binder.one("drawing")
        redeal: Redeal = binder.one("redeal")
        steps = binder.holding("settlement")
        roles = frozenset().union(*(roles_of(entry.name) for entry in steps))
        rules = RoundRules(*placing, binder.opening(), binder.one("throwing"), drawing.draws, drawing.auto, sides)
        return Game(
            ruleset=self.id,
            options=binder.options,
            pairs=together,
            sides=sides,
            hand=self.hand[seats],
            taken=binder.one("deal"),
            lots=(binder.by_lot("first_opening"), binder.by_lot("later_opening")),
            same_number=redeal.same_number,
            many_doubles=redeal.many_doubles,
            round=rules,
            count=binder.one("counting"),
            fish_winners=binder.one("fish"),
            steps=tuple(binder.bound(entry) for entry in steps if "pay" not in roles_of(entry.name)),
            payments=tuple(binder.bound(entry) for entry in steps if "pay" in roles_of(entry.name)),
            accounts="account" in roles,
            keeps_points="record" in roles,
        )

    def seatings(self) -> Iterator[dict[str, Value]]:
        """Every number of seats, with pairs and without where both can be."""
        together = {"never": (False,), "optional": (False, True), "always": (True,)}[self.pairs]
        for seats in self.seats:
            for pairs in together if seats == 4 else (False,):
                yield {"pairs": pairs, "seats": seats}


def written(value: object) -> str:
    """A value as it stands in a file."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nothing" if value is None else str(value)


class Binder:
    """Chooses the rules that hold at a table, and gives them their settings."""

    def __init__(self, ruleset: Ruleset, seats: int, pairs: bool, options: Mapping[str, Value]) -> None:
        self._ruleset, self.pairs, self.options = ruleset, pairs, options
        self._table: Mapping[str, Value] = {**options, "pairs": pairs, "seats": seats}

    def holding(self, slot: Slot) -> list[Entry]:
        """The rules of a slot that hold, in order."""
        return [entry for entry in self._ruleset.slots[slot] if entry.holds(self._table)]

    def one(self, slot: Slot) -> Any:
        """The rule of a slot, with its settings."""
        return self.bound(self.holding(slot)[0])

    def by_lot(self, slot: Slot) -> bool:
        """Does a slot's rule draw the opener by lot?"""
        return declared(self.holding(slot)[0].name).by_lot

    def opening(self) -> Callable[[Deal], Opening]:
        """Who opens, and with what."""
        return partial(_opening, self.one("first_opening"), self.one("later_opening"), self.one("lead"))

    def bound(self, entry: Entry) -> Any:
        """A rule with its settings."""
        settings = {
            name: self.options[value.name] if isinstance(value, OptionRef) else value
            for name, value in entry.settings.items()
        }
        if in_play(entry.function):
            return partial(entry.function, **settings) if settings else entry.function
        return entry.function(**settings)


def _opening(
    first: Callable[[Deal], Opening], later: Callable[[Deal], Opening], lead: Callable[[int], int], deal: Deal
) -> Opening:
    opening = first(deal) if deal.fresh else later(deal)
    seat, tiles, draws, by_lot = opening
    return opening if tiles != CHOICE else Opening(seat, lead(deal.hands[seat]), draws, by_lot)
