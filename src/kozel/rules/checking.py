"""What must hold between the parts of a ruleset; each fault is a problem at the place of the rule that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from math import prod
from random import Random
from typing import NamedTuple

import yaml

from kozel.engine.tiles import PIPS, SUIT, TILES, mask_of
from kozel.locales import Phrase
from kozel.rules.head import Unsure, used_options
from kozel.rules.openings import last_round_decides
from kozel.rules.registry import RULES, Slot, roles_of, settings_of
from kozel.rules.ruleset import Entry, Ruleset, Value, written
from kozel.rules.settings import OptionRef, Whole, YesOrNo, fits, kind_of
from kozel.rules.steps import faults_of_steps
from kozel.rules.table import dealt_again, winner_takes_a_tile
from kozel.yamltree import Problem, at, listed, said, shown, suggest

MAX_TABLES = 2000
"""How many combinations of seating and options the rules of one ruleset may ask for in their `when`."""
_SEATING = ("pairs", "seats")
_SAMPLE = 100
_Table = Mapping[str, Value]


def check(ruleset: Ruleset, root: yaml.Node, extends: yaml.Node | None, unsure: Unsure) -> list[Problem]:
    """All faults in how the parts of a ruleset fit together, as far as they could be read.

    `root` is where one without a place of its own is said to be, `extends` where one in an inherited part is.
    """
    checker = _Checker(ruleset, root, extends, unsure)
    checker.references()
    checker.options()
    checker.tables()
    return list(dict.fromkeys(checker.problems))


class _Found(NamedTuple):
    """A fault at one or more tables; `slot` is whose conditions bring it about."""

    node: yaml.Node
    phrase: Phrase
    slot: Slot
    tables: list[_Table]


class _Checker:
    def __init__(self, ruleset: Ruleset, root: yaml.Node, extends: yaml.Node | None, unsure: Unsure) -> None:
        self._ruleset, self._root, self._extends, self._unsure = ruleset, root, extends, unsure
        self._broken = set(unsure.slots)
        self._sure = not unsure.seating and not unsure.options
        self._unknown_option = False
        self._found: dict[str, _Found] = {}
        self.problems: list[Problem] = []

    def _wrong(self, node: yaml.Node | None, key: str | Phrase, /, **facts: object) -> None:
        wrong = said(key, **facts)
        if node is None:
            node = self._root
        elif self._inherited(node):
            wrong = said("mistake.inherited", text=wrong)
            node = self._extends or self._root
        self.problems.append(at(node, wrong))

    def _inherited(self, node: yaml.Node) -> bool:
        return bool(node.start_mark.name != self._root.start_mark.name)

    def options(self) -> None:
        """Is every option used, with values that its uses allow?"""
        ruleset = self._ruleset
        used = used_options(ruleset.slots)
        for name, option in ruleset.options.items():
            if name not in used and not self._unsure.slots and not self._unknown_option:
                self._wrong(option.node, "mistake.option_unused", option=name)
            for value in option.values or (option.default,):
                if not option.takes(value):
                    wanted = tuple(dict.fromkeys(kind_of(annotation).wanted for annotation in option.annotations))
                    facts = {"option": name, "value": written(value), "wanted": wanted}
                    self._wrong(option.node, "mistake.option_cannot_be", **facts)
        if not self._unsure.seating and ruleset.pairs != "never" and 4 not in ruleset.seats:
            self._wrong(None, "mistake.pairs_need_four", pairs=ruleset.pairs)

    def references(self) -> None:
        """Does every `$option` and every `when` name something that there is?"""
        for slot, entries in self._ruleset.slots.items():
            found = len(self.problems)
            for entry in entries:
                self._option_references(entry)
                for name, value in entry.when.items():
                    self._condition(entry, name, value)
            if len(self.problems) > found:
                self._broken.add(slot)

    def _option_references(self, entry: Entry) -> None:
        options = self._ruleset.options
        for name, value in entry.settings.items():
            if isinstance(value, OptionRef) and value.name not in options and not self._unsure.options:
                facts = {"rule": entry.name, "option": value.name, "hint": suggest(value.name, options)}
                self._wrong(entry.places.get(name, entry.node), "mistake.rule_uses_no_option", **facts)
                self._unknown_option = True

    def _condition(self, entry: Entry, name: str, value: Value) -> None:
        node = entry.places.get(f"when {name}", entry.node)
        options = self._ruleset.options
        asked = f"when: {{{shown(name)}: {shown(written(value))}}}"
        if name == "pairs":
            if not isinstance(value, bool):
                self._wrong(node, "mistake.when_never", when=asked, name=name, wanted=YesOrNo.wanted)
        elif name == "seats":
            seats = self._ruleset.seats
            if (
                (value not in seats or isinstance(value, bool))
                and not self._inherited(node)
                and not self._unsure.seating
            ):
                self._wrong(node, "mistake.when_never_seats", when=asked, seats=seats)
        elif self._unsure.options:
            return
        elif name not in options:
            known = (*options, *_SEATING)
            self._wrong(node, "mistake.when_no_option", option=name, hint=suggest(name, known))
            self._unknown_option = True
        elif options[name].values is None and not isinstance(options[name].default, bool):
            self._wrong(node, "mistake.when_number", option=name)
        elif not options[name].takes(value) and not self._inherited(node):
            self._wrong(node, "mistake.when_never", when=asked, name=name, wanted=options[name].wanted)

    def tables(self) -> None:
        """At every table that can be set up each slot needs a rule, and the match must go on and come to an end."""
        tables = self._all_tables()
        live: set[int] = set()
        for table in tables:
            held = {
                slot: [entry for entry in entries if entry.holds(table)]
                for slot, entries in self._ruleset.slots.items()
            }
            for slot, entries in held.items():
                live |= {id(entry) for entry in (entries if slot == "settlement" else entries[:1])}
            self._table(table, held)
        for found in self._found.values():
            where = () if len(found.tables) == len(tables) else self._where(found.slot, found.tables[0])
            self._wrong(found.node, said("mistake.where", text=found.phrase, given=where) if where else found.phrase)
        if tables and self._sure:
            self._never_used(live, tables)

    def _all_tables(self) -> list[_Table]:
        """Every combination of the options and seatings that some rule depends on."""
        ruleset = self._ruleset
        asked = {name for entries in ruleset.slots.values() for entry in entries for name in entry.when}
        ranges: dict[str, tuple[Value, ...]] = {
            name: option.values or (True, False)
            for name, option in ruleset.options.items()
            if name in asked and (option.values is not None or isinstance(option.default, bool))
        }
        if prod(map(len, ranges.values())) > MAX_TABLES:
            self._wrong(None, "mistake.too_many_tables", n=len(ranges), most=MAX_TABLES)
            return []
        return [
            {**dict(zip(ranges, values, strict=True)), **seating}
            for seating in ruleset.seatings()
            for values in product(*ranges.values())
        ]

    def _table(self, table: _Table, held: Mapping[Slot, list[Entry]]) -> None:
        sides = 2 if table["pairs"] else int(table["seats"])
        complete = "settlement" not in self._broken
        for fault in faults_of_steps(held["settlement"], sides, complete and self._sure):
            self._at_table(fault.kind, "settlement", table, fault.entry.node, fault.phrase)
        if self._sure:
            self._slots_together(table, held)

    def _slots_together(self, table: _Table, held: Mapping[Slot, list[Entry]]) -> None:
        for slot, entries in held.items():
            if not entries and slot not in self._broken and self._ruleset.slots[slot]:
                node = self._ruleset.slots[slot][0].node
                self._at_table(slot, slot, table, node, said("mistake.no_rule_holds", slot=slot))
        self._opener(table, held)
        self._taken(table, held)
        self._dealt_again(table, held)

    def _at_table(self, kind: str, slot: Slot, table: _Table, node: yaml.Node, wrong: Phrase) -> None:
        """The same fault at several tables is told once."""
        self._found.setdefault(kind, _Found(node, wrong, slot, [])).tables.append(table)

    def _opener(self, table: _Table, held: Mapping[Slot, list[Entry]]) -> None:
        later, steps = held["later_opening"][:1], held["settlement"]
        if self._broken & {"later_opening", "settlement"} or not later or not steps:
            return
        if later[0].function is last_round_decides and not any("opener" in roles_of(step.name) for step in steps):
            ways = tuple(name for name in RULES["settlement"] if "opener" in roles_of(name))
            text = said("mistake.needs_opener", rule=later[0].name, words=ways)
            self._at_table("opener", "settlement", table, later[0].node, text)

    def _taken(self, table: _Table, held: Mapping[Slot, list[Entry]]) -> None:
        """The tile that the opener must lead has to be the one that the opener has taken."""
        deal, later, steps = held["deal"][:1], held["later_opening"][:1], held["settlement"]
        if not deal or not later:
            return
        takes = deal[0].settings.get("tile") if deal[0].function is winner_takes_a_tile else None
        if not self._broken & {"deal", "later_opening"} and "taken" in later[0].settings:
            node = later[0].places.get("taken", later[0].node)
            if takes is None:
                self._at_table("taken", "deal", table, node, said("mistake.taken_by_nobody"))
            elif takes != later[0].settings["taken"]:
                self._at_table("taken", "deal", table, node, said("mistake.taken_another"))
        if takes is None or self._broken & {"deal", "settlement"}:
            return
        if not any("sit" in roles_of(step.name) for step in steps):
            text = said("mistake.needs_sitting", rule=deal[0].name)
            self._at_table("sitting", "settlement", table, deal[0].node, text)

    def _dealt_again(self, table: _Table, held: Mapping[Slot, list[Entry]]) -> None:
        redeal = held["redeal"][:1]
        if "redeal" in self._broken or not redeal or redeal[0].function is not dealt_again:
            return
        seats, hand = int(table["seats"]), self._ruleset.hand[int(table["seats"])]
        for number in self._values(redeal[0], "same_number"):
            if number and not _deals_count(seats, hand, number):
                node = redeal[0].places.get("same_number", redeal[0].node)
                text = said("mistake.deals_hardly_count", setting=f"same_number: {number}", seats=seats, hand=hand)
                self._at_table("redeal", "redeal", table, node, text)

    def _values(self, entry: Entry, name: str) -> list[int]:
        """All whole numbers that a setting can be."""
        value = entry.settings.get(name, 0)
        if not isinstance(value, OptionRef):
            return [int(value)]
        annotation = settings_of(entry.function)[name][0]
        kind, option = kind_of(annotation), self._ruleset.options[value.name]
        assert isinstance(kind, Whole)
        values = option.values or range(kind.low, kind.high + 1)
        return [int(value) for value in values if fits(value, annotation)]

    def _never_used(self, live: set[int], tables: list[_Table]) -> None:
        for slot, entries in self._ruleset.slots.items():
            for entry in entries:
                if id(entry) in live or slot in self._broken or self._inherited(entry.node):
                    continue
                key = "mistake.unused_when" if entry.when else "mistake.unused_after"
                if entry.when and slot != "settlement" and any(entry.holds(table) for table in tables):
                    key = "mistake.unused_below"
                self._wrong(entry.node, key, rule=entry.name)

    def _where(self, slot: Slot, table: _Table) -> tuple[str, ...]:
        asked = {name for entry in self._ruleset.slots[slot] for name in entry.when}
        return listed([f"{name}: {written(value)}" for name, value in table.items() if name in asked])


@lru_cache(maxsize=128)
def _deals_count(seats: int, hand: int, same_number: int) -> bool:
    """Does at least one deal in ten have no hand with that many tiles of one number? Found by dealing."""
    random = Random(0)
    counted = 0
    for _ in range(_SAMPLE):
        tiles = random.sample(TILES, seats * hand)
        hands = [mask_of(tiles[seat * hand : (seat + 1) * hand]) for seat in range(seats)]
        counted += all((mask & SUIT[pips]).bit_count() < same_number for mask in hands for pips in PIPS)
    return counted * 10 >= _SAMPLE
