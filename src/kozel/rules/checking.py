"""What must hold between the parts of a ruleset; each fault is a problem at the place of the rule that shows it."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from kozel.rules import endings, goats
from kozel.rules.openings import last_round_decides
from kozel.rules.registry import Slot, settings_of
from kozel.rules.ruleset import Entry, Ruleset, Value, written
from kozel.rules.settings import OptionRef, kind_of
from kozel.yamltree import Problem, at, suggest

_ENDS_MATCH = (
    endings.first_to_reach_wins,
    endings.who_reaches_loses,
    endings.fewest_win_when_one_reaches,
    goats.sitting_on_the_goat,
)
_SEATING = ("pairs", "seats")


def check(ruleset: Ruleset, root: yaml.Node) -> list[Problem]:
    """All faults in how the parts of a ruleset fit together. `root` is where one without a place of its own is said to be."""
    problems = [*_options(ruleset, root), *_references(ruleset)]
    if not problems:
        problems += _tables(ruleset, root)
    if ruleset.pairs != "never" and 4 not in ruleset.seats:
        problems.append(at(root, f"'pairs: {ruleset.pairs}' needs a game for 4 seats"))
    return problems


def _entries(ruleset: Ruleset) -> Iterator[Entry]:
    for entries in ruleset.slots.values():
        yield from entries


def _options(ruleset: Ruleset, root: yaml.Node) -> Iterator[Problem]:
    used = {name for entry in _entries(ruleset) for name in entry.when}
    used |= {
        value.name for entry in _entries(ruleset) for value in entry.settings.values() if isinstance(value, OptionRef)
    }
    for name, option in ruleset.options.items():
        if name not in used:
            yield at(root, f"no rule uses the option '{name}'")
        for value in option.values or (option.default,):
            if not option.takes(value):
                yield at(
                    root,
                    f"option '{name}' cannot be {written(value)}: where it is used it must be {_wanted(ruleset, name)}",
                )


def _wanted(ruleset: Ruleset, name: str) -> str:
    return " and ".join(sorted({str(kind_of(annotation)) for annotation in ruleset.options[name].annotations}))


def _references(ruleset: Ruleset) -> Iterator[Problem]:
    for entry in _entries(ruleset):
        for value in entry.settings.values():
            if isinstance(value, OptionRef) and value.name not in ruleset.options:
                yield at(
                    entry.node,
                    f"'{entry.name}' uses an option '{value.name}' that is not among the options; "
                    f"{suggest(value.name, ruleset.options)}",
                )
        for name, value in entry.when.items():
            yield from _condition(ruleset, entry, name, value)
        yield from _settings_given(entry)


def _settings_given(entry: Entry) -> Iterator[Problem]:
    for name, (_, needed) in settings_of(entry.function).items():
        if needed and name not in entry.settings:
            yield at(entry.node, f"'{entry.name}' needs its setting '{name}'")


def _condition(ruleset: Ruleset, entry: Entry, name: str, value: Value) -> Iterator[Problem]:
    if name == "pairs":
        if not isinstance(value, bool):
            yield at(entry.node, "'when: {pairs: …}' is yes or no")
    elif name == "seats":
        if value not in ruleset.seats or isinstance(value, bool):
            yield at(
                entry.node,
                f"'when: {{seats: {written(value)}}}' never holds: the seats are {', '.join(map(str, ruleset.seats))}",
            )
    elif name not in ruleset.options:
        yield at(
            entry.node,
            f"'when' names an option '{name}' that is not among the options; {suggest(name, (*ruleset.options, *_SEATING))}",
        )
    elif not ruleset.options[name].takes(value):
        yield at(
            entry.node, f"'when: {{{name}: {written(value)}}}' never holds: '{name}' is {ruleset.options[name].wanted}"
        )
    elif ruleset.options[name].values is None and not isinstance(value, bool):
        yield at(entry.node, f"'when' can ask for yes, no or one of the listed values; '{name}' is a number")


def _tables(ruleset: Ruleset, root: yaml.Node) -> list[Problem]:
    """At every table that can be set up there must be a rule for each slot, and the match must go on and come to an end."""
    problems: dict[str, Problem] = {}
    for table in ruleset.tables():
        for slot, entries in ruleset.slots.items():
            if not any(entry.holds(table) for entry in entries):
                problems.setdefault(
                    slot, at(_place(entries, root), f"no rule of '{slot}' holds{_under(ruleset, slot, table)}")
                )
        steps = [entry for entry in ruleset.slots["settlement"] if entry.holds(table)]
        if steps and not any(step.function in _ENDS_MATCH for step in steps):
            ways = ", ".join(function.__name__ for function in _ENDS_MATCH)
            problems.setdefault("end", at(steps[0].node, f"the match never ends: 'settlement' needs one of {ways}"))
        later = next((entry for entry in ruleset.slots["later_opening"] if entry.holds(table)), None)
        if (
            later
            and later.function is last_round_decides
            and not any(step.name in endings.NAMES_OPENER for step in steps)
        ):
            ways = ", ".join(endings.NAMES_OPENER)
            problems.setdefault(
                "opener", at(later.node, f"'{later.name}' needs a step that names the opener: one of {ways}")
            )
    return list(problems.values())


def _place(entries: tuple[Entry, ...], root: yaml.Node) -> yaml.Node:
    return entries[0].node if entries else root


def _under(ruleset: Ruleset, slot: Slot, table: dict[str, Value]) -> str:
    asked = {name for entry in ruleset.slots[slot] for name in entry.when}
    given = ", ".join(f"{name}: {written(value)}" for name, value in table.items() if name in asked)
    return f" where {given}" if given else ""
