"""What must hold between the parts of a ruleset; each fault is a problem at the place of the rule that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import NamedTuple

import yaml

from kozel.engine.moves import OPENINGS
from kozel.engine.tiles import HALVES, TileSet, tiles_in
from kozel.locales import Phrase
from kozel.rules.head import Unsure, used_options
from kozel.rules.naming import suggest_option
from kozel.rules.registry import RULES, Circumstances, Flaw, Slot, declared, roles_of, settings_of
from kozel.rules.ruleset import Entry, Ruleset, Value, written
from kozel.rules.settings import OptionRef, YesOrNo, kind_of
from kozel.rules.steps import Fault, faults_of_steps
from kozel.rules.table import Placing
from kozel.rules.trial import Failing, try_out
from kozel.yamltree import Problem, at, listed, quoting, shown, suggest

MAX_TABLES = 2000
"""How many combinations of seating and options the rules of one ruleset may ask for in their `when`."""
_SEATING = ("pairs", "seats")
_Table = Mapping[str, Value]


def check(
    ruleset: Ruleset, root: yaml.Node, extends: yaml.Node | None, unsure: Unsure, tried: bool = False
) -> list[Problem]:
    """All faults in how the parts of a ruleset fit together, as far as they could be read.

    `root` is where one without a place of its own is said to be, `extends` where one in an inherited part is. `tried`: where
    nothing else is wrong the ruleset is tried out as well.
    """
    checker = _Checker(ruleset, root, extends, unsure)
    checker.references()
    checker.options()
    checker.tables()
    checker.flaws(never=tried)
    if tried and checker.sound:
        checker.trial()
    return list(dict.fromkeys(checker.problems))


class _Fault(NamedTuple):
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
        self._faults: dict[str, _Fault] = {}
        self._step_faults: dict[tuple[int, ...], list[Fault]] = {}
        self.problems: list[Problem] = []

    @property
    def sound(self) -> bool:
        """Could all be read, and was nothing wrong?"""
        return self._sure and not self._broken and not self.problems

    def _wrong(self, node: yaml.Node | None, key: str | Phrase, /, **facts: object) -> None:
        wrong = quoting(key, **facts)
        if node is None:
            node = self._root
        elif self._inherited(node):
            wrong = quoting("mistake.inherited", text=wrong)
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
            before = len(self.problems)
            for entry in entries:
                self._option_references(entry)
                for name, value in entry.when.items():
                    self._condition(entry, name, value)
            if len(self.problems) > before:
                self._broken.add(slot)

    def _option_references(self, entry: Entry) -> None:
        options = self._ruleset.options
        for name, value in entry.settings.items():
            if isinstance(value, OptionRef) and value.name not in options and not self._unsure.options:
                facts = {"rule": entry.name, "option": value.name, "hint": suggest_option(value.name, options)}
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
            hint = suggest_option(name, options)
            hint = hint if hint.key == "mistake.write_instead" else suggest(name, known)
            self._wrong(node, "mistake.when_no_option", option=name, hint=hint)
            self._unknown_option = True
        elif options[name].values is None and not isinstance(options[name].default, bool):
            self._wrong(node, "mistake.when_number", option=name)
        elif not options[name].takes(value) and not self._inherited(node):
            self._wrong(node, "mistake.when_never", when=asked, name=name, wanted=options[name].wanted)

    def tables(self) -> None:
        """At every table that can be set up each slot needs a rule, and the match must go on and come to an end.

        Tables at which the same rules hold are judged once.
        """
        tables = self._all_tables()
        slots = self._ruleset.slots
        conditional = [(slot, [entry for entry in entries if entry.when]) for slot, entries in slots.items()]
        asking = [(slot, entries) for slot, entries in conditional if entries]
        alike: dict[tuple[object, ...], list[_Table]] = {}
        for table in tables:
            holding = [tuple(entry.holds(table) for entry in entries) for _, entries in asking]
            alike.setdefault((table["seats"], table["pairs"], *holding), []).append(table)
        live: set[int] = set()
        for group in alike.values():
            rules = {slot: [entry for entry in entries if entry.holds(group[0])] for slot, entries in slots.items()}
            for slot, entries in rules.items():
                live |= {id(entry) for entry in (entries if slot == "settlement" else entries[:1])}
            self._table(group, rules)
        for fault in self._faults.values():
            where = () if len(fault.tables) == len(tables) else self._where(fault.slot, fault.tables[0])
            self._wrong(fault.node, quoting("mistake.where", text=fault.phrase, given=where) if where else fault.phrase)
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

    def _table(self, tables: list[_Table], rules: Mapping[Slot, list[Entry]]) -> None:
        """What is wrong at these tables, at which the same rules hold."""
        sides = 2 if tables[0]["pairs"] else int(tables[0]["seats"])
        complete = "settlement" not in self._broken
        for fault in self._faults_of_steps(tuple(rules["settlement"]), sides == 2, complete and self._sure):
            self._at_table(fault.kind, "settlement", tables, fault.entry.node, fault.phrase)
        if self._sure:
            self._slots_together(tables, rules)

    def _faults_of_steps(self, steps: tuple[Entry, ...], two_sides: bool, complete: bool) -> list[Fault]:
        """`faults_of_steps`, once for the same steps."""
        key = (*map(id, steps), two_sides)
        if key not in self._step_faults:
            self._step_faults[key] = list(faults_of_steps(steps, two_sides, complete))
        return self._step_faults[key]

    def _slots_together(self, tables: list[_Table], rules: Mapping[Slot, list[Entry]]) -> None:
        for slot, entries in rules.items():
            if not entries and slot not in self._broken and self._ruleset.slots[slot]:
                node = self._ruleset.slots[slot][0].node
                self._at_table(slot, slot, tables, node, quoting("mistake.no_rule_holds", slot=slot))
        self._needs(tables, rules)
        self._taken(tables, rules)

    def _at_table(self, kind: str, slot: Slot, tables: list[_Table], node: yaml.Node, wrong: Phrase) -> None:
        """The same fault at several tables is told once."""
        self._faults.setdefault(kind, _Fault(node, wrong, slot, [])).tables.extend(tables)

    def _needs(self, tables: list[_Table], rules: Mapping[Slot, list[Entry]]) -> None:
        """What a rule needs some step of the settlement to do."""
        steps = rules["settlement"]
        if "settlement" in self._broken or not steps:
            return
        for slot in (slot for slot in rules if slot not in self._broken and slot != "settlement"):
            for entry in rules[slot][:1]:
                for role in declared(entry.name).needs:
                    if not any(role in roles_of(step.name) for step in steps):
                        words = tuple(name for name in RULES["settlement"] if role in roles_of(name))
                        text = quoting(f"mistake.needs_{role}", rule=entry.name, words=words)
                        self._at_table(f"needs {slot} {role}", "settlement", tables, entry.node, text)

    def _taken(self, tables: list[_Table], rules: Mapping[Slot, list[Entry]]) -> None:
        """The tile that the opener must lead has to be the one that the opener has taken."""
        deal, later = rules["deal"][:1], rules["later_opening"][:1]
        if not deal or not later or self._broken & {"deal", "later_opening"}:
            return
        led = declared(later[0].name).leads
        if led is None or led not in later[0].settings:
            return
        takes = deal[0].settings.get(declared(deal[0].name).takes or "")
        node = later[0].places.get(led, later[0].node)
        if takes is None:
            self._at_table("taken", "deal", tables, node, quoting("mistake.taken_by_nobody"))
        elif takes != later[0].settings[led]:
            self._at_table("taken", "deal", tables, node, quoting("mistake.taken_another"))

    def flaws(self, never: bool) -> None:
        """What the rules themselves find wrong with their settings, wherever they hold.

        `never`: what can never hold as well. It does no harm, so that what was played with it can still be replayed.
        """
        if not self._sure or self._broken:
            return
        for entries in self._ruleset.slots.values():
            for entry in entries:
                find = declared(entry.name).flaws
                if find is not None:
                    self._flaws_of(entry, find, never)
        if never:
            self._idle()

    def _idle(self) -> None:
        """Rules that change nothing: of nothing, or where nothing is left to them."""
        for entry in (entry for entries in self._ruleset.slots.values() for entry in entries):
            for name, (annotation, needed) in settings_of(entry.function).items():
                if needed and entry.settings.get(name) in ((), {}):
                    facts = {"rule": entry.name, "name": name, "wanted": kind_of(annotation).wanted}
                    self._wrong(entry.places.get(name, entry.node), "mistake.list_empty", **facts)
        openings = (*self._ruleset.slots["first_opening"], *self._ruleset.slots["later_opening"])
        if not any(declared(entry.name).leaves_choice for entry in openings):
            for entry in self._ruleset.slots["lead"]:
                if not declared(entry.name).silent and not self._inherited(entry.node):
                    self._wrong(entry.node, "mistake.lead_unused", rule=entry.name)

    def trial(self) -> None:
        """What comes out only when rounds are settled: points that nobody gets, a match that never ends."""
        failings: dict[str, tuple[Failing, list[_Table]]] = {}
        for table, failing in try_out(self._ruleset):
            for each in failing:
                failings.setdefault(each.phrase.key, (each, []))[1].append(table)
        for each, tables in failings.values():
            seatings = len(list(self._ruleset.seatings()))
            changed = {name: value for name, value in tables[0].items() if name not in _SEATING}
            given = changed if changed or len(tables) == seatings else tables[0]
            where = listed([f"{name}: {written(value)}" for name, value in given.items()])
            self._wrong(
                each.entry.node, quoting("mistake.where", text=each.phrase, given=where) if where else each.phrase
            )

    def _flaws_of(self, entry: Entry, find: Callable[..., Iterator[Flaw]], never: bool) -> None:
        ruleset = self._ruleset
        tables = [seating for seating in ruleset.seatings() if entry.sits(seating)]
        every: list[set[Flaw]] = []
        for seating in tables:
            seats, pairs = int(seating["seats"]), bool(seating["pairs"])
            at = Circumstances(seats, ruleset.hand[seats], one_move(ruleset.placings(seats, pairs)))
            for settings in ruleset.given(entry):
                flaws = list(find(at, **settings))
                every.append({flaw for flaw in flaws if flaw.never})
                for flaw in (flaw for flaw in flaws if not flaw.never):
                    self._flaw(entry, flaw)
                    return
        for flaw in set.intersection(*every) if every and never else ():
            self._flaw(entry, flaw)

    def _flaw(self, entry: Entry, flaw: Flaw) -> None:
        wrong = quoting("mistake.flaw_never", rule=entry.name, why=flaw.phrase) if flaw.never else flaw.phrase
        self._wrong(entry.places.get(flaw.setting, entry.node), wrong)

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


def one_move(placings: Sequence[Placing]) -> Callable[[TileSet], bool]:
    """Whether a set of tiles can be laid in one move on some chain of these kinds."""

    def can(tiles: TileSet) -> bool:
        return any(_can_be_laid(placing, tiles) for placing in placings)

    return can


@lru_cache(maxsize=256)
def _can_be_laid(placing: Placing, tiles: TileSet) -> bool:
    if tiles.bit_count() == 1:
        return True
    shown = sorted({pips for tile in tiles_in(tiles) for pips in HALVES[tile]})
    for count in {len(placing.place((), opening)) for opening in OPENINGS}:
        for ends in product(shown[: count + 1], repeat=count):
            if any(move.tiles == tiles for move in placing.moves(tiles, ends)):
                return True
    return False
