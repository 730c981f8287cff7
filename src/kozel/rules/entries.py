"""The rules of a ruleset file: what stands in its slots and its `steps`, read with every mistake at its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import yaml

from kozel.rules.registry import Slot, declared
from kozel.rules.ruleset import Entry, Value
from kozel.rules.settings import read_setting
from kozel.rules.vocabulary import RULES, settings_of
from kozel.yamltree import Problem, at, is_none, listed, mapping, quoting, says_no, scalar, suggest

MOST_RULES = 60
"""How many rules a slot may have; the longest shipped settlement has ten."""
_PLACES = ("before", "after")


def read_slot(slot: Slot, node: yaml.Node, problems: list[Problem]) -> tuple[Entry, ...]:
    """The rules of a slot, in order; those that could be read."""
    items = node.value if isinstance(node, yaml.SequenceNode) else [node]
    if not items:
        problems.append(at(node, "mistake.slot_empty", slot=slot))
    if len(items) > MOST_RULES:
        problems.append(at(node, "mistake.slot_too_many", slot=slot, n=len(items), most=MOST_RULES))
        return ()
    entries = [_entry(slot, item, problems) for item in items]
    return tuple(entry for entry in entries if entry is not None)


def changed_steps(steps: tuple[Entry, ...], node: yaml.Node, problems: list[Problem]) -> tuple[Entry, ...]:
    """An inherited settlement with the changes that a `steps` key makes to it."""
    changed = list(steps)
    for name, (key, value) in mapping(node, "steps", problems).items():
        if says_no(value):
            if not any(entry.name == name for entry in changed):
                known = dict.fromkeys(entry.name for entry in changed)
                problems.append(at(key, "mistake.no_step_to_leave_out", step=name, hint=suggest(name, known)))
            changed = [entry for entry in changed if entry.name != name]
        elif any(entry.name == name for entry in changed):
            _change(changed, key, value, problems)
        else:
            _insert(changed, key, value, problems)
    return tuple(changed)


def _entry(slot: Slot, node: yaml.Node, problems: list[Problem]) -> Entry | None:
    if isinstance(node, yaml.ScalarNode):
        return _rule(slot, node, None, problems)
    parts = mapping(node, quoting("mistake.a_rule_of", slot=slot), problems)
    if len(parts) != 1:
        if parts or isinstance(node, yaml.MappingNode):
            problems.append(at(node, "mistake.rule_form", slot=slot))
        return None
    (key, value) = next(iter(parts.values()))
    return _rule(slot, key, value, problems)


def _rule(slot: Slot, key: yaml.ScalarNode, value: yaml.Node | None, problems: list[Problem]) -> Entry | None:
    function = RULES[slot].get(key.value)
    if function is None:
        nothing = next((name for name in RULES[slot] if declared(name).silent), None)
        hint = suggest(key.value, RULES[slot])
        if nothing is not None and says_no(key):
            hint = quoting("mistake.write_instead", text=f"{slot}: {nothing}")
        elsewhere = [other for other, rules in RULES.items() if key.value in rules]
        if elsewhere:
            hint = quoting("mistake.rule_elsewhere", slot=elsewhere[0], words=listed(list(RULES[slot])))
        problems.append(at(key, "mistake.no_rule", slot=slot, rule=key.value, hint=hint))
        return None
    settings, when, places = _settings(function, key, value, problems)
    for name, (_, needed) in settings_of(function).items():
        if needed and name not in settings:
            problems.append(at(key, "mistake.setting_missing", rule=key.value, setting=name))
    return Entry(key.value, function, settings, when or {}, key, places)


def _settings(
    function: Callable[..., Any], key: yaml.ScalarNode, value: yaml.Node | None, problems: list[Problem]
) -> tuple[dict[str, Any], dict[str, Value] | None, dict[str, yaml.Node]]:
    """The settings of a rule, its conditions (None: not mentioned), and where each stands."""
    settings: dict[str, Any] = {}
    when: dict[str, Value] | None = None
    places: dict[str, yaml.Node] = {}
    if value is None or is_none(value):
        return settings, when, places
    known = settings_of(function)
    for name, (name_node, node) in mapping(value, key.value, problems).items():
        if name == "when":
            when = _when(node, places, problems)
        elif name in known:
            settings[name] = read_setting(node, known[name][0], name, problems)
            places[name] = node
        else:
            hint = suggest(name, (*known, "when"))
            problems.append(at(name_node, "mistake.no_setting", rule=key.value, setting=name, hint=hint))
    return settings, when, places


def _when(node: yaml.Node, places: dict[str, yaml.Node], problems: list[Problem]) -> dict[str, Value]:
    when: dict[str, Value] = {}
    if is_none(node):
        return when
    for name, (key, value) in mapping(node, "when", problems).items():
        read = scalar(value) if isinstance(value, yaml.ScalarNode) else None
        if read is None:
            problems.append(at(value, "mistake.when_value", name=name))
        else:
            when[name] = read
            places[f"when {name}"] = key
    return when


def _change(steps: list[Entry], key: yaml.ScalarNode, value: yaml.Node, problems: list[Problem]) -> None:
    """New settings, another `when` or another place for a step that is there."""
    place, rest = _place(value, problems)
    function = next(step.function for step in steps if step.name == key.value)
    settings, when, places = _settings(function, key, rest, problems)
    for index, old in enumerate(steps):
        if old.name == key.value:
            steps[index] = replace(
                old,
                settings={**old.settings, **settings},
                when=old.when if when is None else when,
                node=key,
                places={**old.places, **places},
            )
    if place is not None:
        moved = [entry for entry in steps if entry.name == key.value]
        steps[:] = [entry for entry in steps if entry.name != key.value]
        _put(steps, moved, place, problems)


def _insert(steps: list[Entry], key: yaml.ScalarNode, value: yaml.Node, problems: list[Problem]) -> None:
    """A new step says with `before` or `after` where it stands; the rest are its settings."""
    place, rest = _place(value, problems)
    entry = _rule("settlement", key, rest if isinstance(rest, yaml.MappingNode) else None, problems)
    if place is None:
        if entry is not None:
            problems.append(at(key, "mistake.step_place_missing", step=key.value))
    elif entry is not None:
        _put(steps, [entry], place, problems)


def _place(value: yaml.Node, problems: list[Problem]) -> tuple[tuple[yaml.ScalarNode, yaml.Node] | None, yaml.Node]:
    """The `before` or `after` of a step, and its value without that."""
    if not isinstance(value, yaml.MappingNode):
        return None, value
    places = [(key, node) for key, node in value.value if isinstance(key, yaml.ScalarNode) and key.value in _PLACES]
    for key, _ in places[1:]:
        problems.append(at(key, "mistake.step_places"))
    rest = [pair for pair in value.value if not any(pair[0] is key for key, _ in places)]
    return (places[0] if places else None), yaml.MappingNode(value.tag, rest, value.start_mark, value.end_mark)


def _put(
    steps: list[Entry], entries: list[Entry], place: tuple[yaml.ScalarNode, yaml.Node], problems: list[Problem]
) -> None:
    word, target = place
    name = target.value if isinstance(target, yaml.ScalarNode) else None
    places = [index for index, step in enumerate(steps) if step.name == name]
    if not places:
        known: Mapping[str, None] = dict.fromkeys(step.name for step in steps)
        problems.append(at(target, "mistake.no_step_here", step=name or "", hint=suggest(name or "", known)))
        return
    index = places[0] if word.value == "before" else places[-1] + 1
    steps[index:index] = entries
