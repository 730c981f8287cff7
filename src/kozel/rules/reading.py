"""A ruleset file, read: every mistake at once, with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from kozel.rules.checking import check
from kozel.rules.registry import Slot
from kozel.rules.ruleset import Entry, Option, PairsRule, Ruleset, Value
from kozel.rules.settings import read_setting
from kozel.rules.vocabulary import RULES, SLOTS, settings_of
from kozel.shipped import shipped
from kozel.yamltree import BadFile, Problem, at, compose, mapping, read_bytes, scalar, suggest

FORMAT = 1
_PLAIN_KEYS = ("kozel-ruleset", "id", "extends", "name", "source", "seats", "pairs", "hand", "options", "steps")
_KEYS = (*_PLAIN_KEYS, *SLOTS)
_DEFAULTS: Mapping[Slot, str] = {
    "deal": "nobody_takes_a_tile",
    "redeal": "never_dealt_again",
    "lead": "any_tile",
    "throwing": "nothing_thrown",
    "counting": "pips",
    "fish": "fewest_win",
}
_PAIRS: tuple[PairsRule, ...] = ("never", "optional", "always")
_ID = re.compile(r"[\w][\w.-]{0,39}")
_MAX_CHAIN = 10


def shipped_ids() -> tuple[str, ...]:
    """The ids of the rulesets that come with the program, in the order of the rulebook."""
    order = ("domino", "kozel", "kozel-yard", "kozel-101", "osel", "kozel-1x1", "kozel-2x2", "kozel-deferred")
    found = {path.stem for path in shipped("rulesets").glob("*.yaml")}
    return tuple(id for id in order if id in found) + tuple(sorted(found - set(order)))


def own_ids(folder: Path | None) -> tuple[str, ...]:
    """The names of the player's own ruleset files in a folder."""
    if folder is None or not folder.is_dir():
        return ()
    return tuple(sorted(path.stem for path in folder.glob("*.yaml") if path.stem not in shipped_ids()))


class UnknownRuleset(LookupError):
    """No ruleset of that name. `known`: the names there are."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        self.name, self.known = name, known
        super().__init__(f"there is no ruleset '{name}'; {suggest(name, known)}")


def find(name: str, folder: Path | None = None, base: Path | None = None) -> Ruleset:
    """A shipped ruleset by id, the player's own by name, or a ruleset file by its path (relative to `base`).

    Raises `UnknownRuleset`, or `BadFile` with all that is wrong in the file.
    """
    if name in shipped_ids():
        return read_ruleset(shipped("rulesets") / f"{name}.yaml")
    if name in own_ids(folder):
        assert folder is not None
        return read_ruleset(folder / f"{name}.yaml")
    if name.endswith((".yaml", ".yml")) or "/" in name or "\\" in name:
        return read_ruleset((base or Path()) / name)
    raise UnknownRuleset(name, shipped_ids() + own_ids(folder))


def read_ruleset(path: Path) -> Ruleset:
    """The ruleset in a file; raises `BadFile` with every mistake in it."""
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        changed = 0
    return _read_cached(path, changed)


@lru_cache(maxsize=64)
def _read_cached(path: Path, changed: int) -> Ruleset:
    return parse_ruleset(read_bytes(path), path)


def parse_ruleset(content: bytes, path: Path, chain: tuple[Path, ...] = ()) -> Ruleset:
    """The ruleset in a file's content. `chain`: the files that extend it."""
    root = compose(content, str(path))
    problems: list[Problem] = []
    reader = _Reader(path, root, problems, (*chain, path.resolve()))
    ruleset = reader.read()
    if ruleset is not None:
        problems += check(ruleset, root)
    if problems or ruleset is None:
        raise BadFile(problems)
    return ruleset


class _Reader:
    """One file on its way to a ruleset; mistakes are collected, not raised."""

    def __init__(self, path: Path, root: yaml.Node, problems: list[Problem], chain: tuple[Path, ...]) -> None:
        self._path, self._root, self._problems, self._chain = path, root, problems, chain
        self._entries = mapping(root, "a ruleset", problems)

    def read(self) -> Ruleset | None:
        for key, (node, _) in self._entries.items():
            if key not in _KEYS:
                self._wrong(node, f"a ruleset has no '{key}'; {suggest(key, _KEYS)}")
        self._check_format()
        parent = self._parent()
        slots = self._slots(parent)
        seats = self._seats(parent)
        id = self._id()
        ruleset = Ruleset(
            id=id,
            names=self._names(parent, id),
            path=self._path,
            seats=seats,
            pairs=self._pairs(parent),
            hand=self._hand(parent, seats),
            options=self._options(parent),
            slots=slots,
        )
        return None if self._problems else _with_annotations(ruleset)

    def _wrong(self, node: yaml.Node, text: str) -> None:
        self._problems.append(at(node, text))

    def _check_format(self) -> None:
        if "kozel-ruleset" not in self._entries:
            self._wrong(self._root, f"the line 'kozel-ruleset: {FORMAT}' is missing")
            return
        node = self._entries["kozel-ruleset"][1]
        if not isinstance(node, yaml.ScalarNode) or scalar(node) != FORMAT:
            self._wrong(node, f"'kozel-ruleset' must be {FORMAT}, the format that this program reads")

    def _text(self, key: str) -> str | None:
        if key not in self._entries:
            return None
        node = self._entries[key][1]
        if isinstance(node, yaml.ScalarNode) and node.value:
            return str(node.value)
        self._wrong(node, f"'{key}' must be a text")
        return None

    def _id(self) -> str:
        id = self._text("id")
        if id is None:
            if "id" not in self._entries:
                self._wrong(self._root, "the line 'id: NAME' is missing")
            return self._path.stem
        if not _ID.fullmatch(id):
            self._wrong(self._entries["id"][1], f"'{id}' is no id: letters, digits, '-' and '.', at most 40")
        elif id in shipped_ids() and self._path.resolve().parent != shipped("rulesets").resolve():
            self._wrong(self._entries["id"][1], f"'{id}' is a shipped ruleset's id; choose another one")
        return id

    def _parent(self) -> Ruleset | None:
        name = self._text("extends")
        if name is None:
            return None
        node = self._entries["extends"][1]
        if name in shipped_ids():
            path = shipped("rulesets") / f"{name}.yaml"
        elif (self._path.parent / f"{name}.yaml").is_file():
            path = self._path.parent / f"{name}.yaml"
        elif (self._path.parent / name).is_file():
            path = self._path.parent / name
        else:
            near = suggest(name, (*shipped_ids(), *own_ids(self._path.parent)))
            self._wrong(node, f"there is no ruleset '{name}' to extend; {near}")
            return None
        if path.resolve() in self._chain or len(self._chain) > _MAX_CHAIN:
            self._wrong(node, f"'{name}' extends itself")
            return None
        try:
            return parse_ruleset(read_bytes(path), path, self._chain)
        except BadFile as error:
            self._wrong(node, f"'{name}' cannot be extended: {error.problems[0]}")
            return None

    def _names(self, parent: Ruleset | None, id: str) -> Mapping[str, str]:
        if "name" not in self._entries:
            return {"": id}
        node = self._entries["name"][1]
        if isinstance(node, yaml.ScalarNode):
            return {"": node.value or id}
        names = {}
        for lang, (key, value) in mapping(node, "'name'", self._problems).items():
            if lang not in ("ru", "en"):
                self._wrong(key, f"'name' has no language '{lang}'; {suggest(lang, ('ru', 'en'))}")
            elif not isinstance(value, yaml.ScalarNode) or not value.value:
                self._wrong(value, "a name must be a text")
            else:
                names[lang] = value.value
        return names or {"": id}

    def _seats(self, parent: Ruleset | None) -> tuple[int, ...]:
        if "seats" not in self._entries:
            if parent is None:
                self._missing("seats", "[2, 3, 4]")
            return parent.seats if parent else (2,)
        node = self._entries["seats"][1]
        items = node.value if isinstance(node, yaml.SequenceNode) else [node]
        seats = []
        for item in items:
            value = scalar(item) if isinstance(item, yaml.ScalarNode) else None
            if type(value) is int and 2 <= value <= 4 and value not in seats:
                seats.append(value)
            else:
                self._wrong(item, "'seats' lists numbers of players, each once, from 2 to 4")
        return tuple(sorted(seats)) or (2,)

    def _pairs(self, parent: Ruleset | None) -> PairsRule:
        if "pairs" not in self._entries:
            return parent.pairs if parent else "never"
        node = self._entries["pairs"][1]
        for word in _PAIRS:
            if isinstance(node, yaml.ScalarNode) and node.value == word:
                return word
        given = node.value if isinstance(node, yaml.ScalarNode) else ""
        self._wrong(node, f"'pairs' must be one of {', '.join(_PAIRS)}; {suggest(given, _PAIRS)}")
        return "never"

    def _hand(self, parent: Ruleset | None, seats: tuple[int, ...]) -> Mapping[int, int]:
        if "hand" not in self._entries:
            if parent is None:
                self._missing("hand", "7")
                return dict.fromkeys(seats, 7)
            return {n: parent.hand.get(n, max(parent.hand.values())) for n in seats}
        node = self._entries["hand"][1]
        if not isinstance(node, yaml.MappingNode):
            return dict.fromkeys(seats, self._hand_size(node, max(seats)))
        hand = {}
        for key, (key_node, value) in mapping(node, "'hand'", self._problems).items():
            if key not in map(str, seats):
                self._wrong(key_node, f"'hand' is by the number of seats; there is no game for {key}")
            else:
                hand[int(key)] = self._hand_size(value, int(key))
        for number in seats:
            if number not in hand:
                self._wrong(node, f"'hand' lacks the tiles for {number} seats")
        return hand

    def _hand_size(self, node: yaml.Node, seats: int) -> int:
        most = 28 // seats
        value = scalar(node) if isinstance(node, yaml.ScalarNode) else None
        if type(value) is int and 1 <= value <= most:
            return value
        self._wrong(node, f"the hand must be from 1 to {most} tiles, for {seats} seats have 28 together")
        return 1

    def _options(self, parent: Ruleset | None) -> Mapping[str, Option]:
        options = dict(parent.options) if parent else {}
        if "options" not in self._entries:
            return options
        for name, (key, node) in mapping(self._entries["options"][1], "'options'", self._problems).items():
            if _is_none(node) and parent and name in options:
                del options[name]
            elif not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name) or name in ("pairs", "seats"):
                self._wrong(
                    key,
                    f"'{name}' is no name for an option: small Latin letters, digits and '_', not 'pairs' or 'seats'",
                )
            else:
                option = self._option(name, node)
                if option is not None:
                    options[name] = option
        return options

    def _option(self, name: str, node: yaml.Node) -> Option | None:
        if isinstance(node, yaml.ScalarNode):
            default = scalar(node)
            if default is None or isinstance(default, str):
                self._wrong(
                    node, f"option '{name}' needs its default: yes, no, a number, or {{default: …, values: […]}}"
                )
                return None
            return Option(name, default, None, ())
        parts = mapping(node, f"option '{name}'", self._problems)
        for key, (key_node, _) in parts.items():
            if key not in ("default", "values"):
                self._wrong(key_node, f"an option has no '{key}'; {suggest(key, ('default', 'values'))}")
        if "default" not in parts or "values" not in parts:
            self._wrong(node, f"option '{name}' needs 'default' and 'values'")
            return None
        values_node, default_node = parts["values"][1], parts["default"][1]
        if not isinstance(values_node, yaml.SequenceNode) or not values_node.value:
            self._wrong(values_node, "'values' must be a list")
            return None
        values = tuple(
            value
            for value in (scalar(item) if isinstance(item, yaml.ScalarNode) else None for item in values_node.value)
            if value is not None
        )
        default = scalar(default_node) if isinstance(default_node, yaml.ScalarNode) else None
        if default is None or default not in values:
            self._wrong(default_node, f"the default of '{name}' must be one of its values")
            return None
        return Option(name, default, values, ())

    def _slots(self, parent: Ruleset | None) -> Mapping[Slot, tuple[Entry, ...]]:
        slots: dict[Slot, tuple[Entry, ...]] = {}
        for slot in SLOTS:
            if slot in self._entries:
                slots[slot] = self._rules(slot, self._entries[slot][1])
            elif parent:
                slots[slot] = parent.slots[slot]
            elif slot in _DEFAULTS:
                slots[slot] = (Entry(_DEFAULTS[slot], RULES[slot][_DEFAULTS[slot]], {}, {}, self._root),)
            else:
                self._missing(slot, f"RULE, {SLOTS[slot]}")
                slots[slot] = ()
        if "steps" in self._entries:
            key, node = self._entries["steps"]
            if parent is None or "settlement" in self._entries:
                self._wrong(
                    key,
                    "'steps' changes the settlement of the ruleset that is extended; it needs 'extends' and no 'settlement'",
                )
            else:
                slots["settlement"] = self._changed_steps(slots["settlement"], node)
        return slots

    def _missing(self, key: str, example: str) -> None:
        self._wrong(self._root, f"the line '{key}: {example}' is missing")

    def _rules(self, slot: Slot, node: yaml.Node) -> tuple[Entry, ...]:
        items = node.value if isinstance(node, yaml.SequenceNode) else [node]
        if not items:
            self._wrong(node, f"'{slot}' needs at least one rule")
        entries = [self._entry(slot, item) for item in items]
        return tuple(entry for entry in entries if entry is not None)

    def _entry(self, slot: Slot, node: yaml.Node) -> Entry | None:
        if isinstance(node, yaml.ScalarNode):
            return self._rule(slot, node, None)
        parts = mapping(node, f"a rule of '{slot}'", self._problems)
        if len(parts) != 1:
            if parts:
                self._wrong(node, f"a rule of '{slot}' is written as one name, or one name with its settings")
            return None
        (key, value) = next(iter(parts.values()))
        return self._rule(slot, key, value)

    def _rule(self, slot: Slot, key: yaml.ScalarNode, value: yaml.Node | None) -> Entry | None:
        function = RULES[slot].get(key.value)
        if function is None:
            self._wrong(key, f"'{slot}' has no rule '{key.value}'; {suggest(key.value, RULES[slot])}")
            return None
        settings, when = self._settings(function, key, value)
        for name, (_, needed) in settings_of(function).items():
            if needed and name not in settings:
                self._wrong(key, f"'{key.value}' needs its setting '{name}'")
        return Entry(key.value, function, settings, when, key)

    def _settings(
        self, function: Callable[..., Any], key: yaml.ScalarNode, value: yaml.Node | None
    ) -> tuple[dict[str, Any], dict[str, Value]]:
        settings: dict[str, Any] = {}
        when: dict[str, Value] = {}
        if value is None or _is_none(value):
            return settings, when
        known = settings_of(function)
        for name, (name_node, node) in mapping(value, f"'{key.value}'", self._problems).items():
            if name == "when":
                when = self._when(node)
            elif name in known:
                settings[name] = read_setting(node, known[name][0], name, self._problems)
            else:
                self._wrong(name_node, f"'{key.value}' has no setting '{name}'; {suggest(name, (*known, 'when'))}")
        return settings, when

    def _when(self, node: yaml.Node) -> dict[str, Value]:
        when: dict[str, Value] = {}
        for name, (_, value) in mapping(node, "'when'", self._problems).items():
            read = scalar(value) if isinstance(value, yaml.ScalarNode) else None
            if read is None:
                self._wrong(value, f"'when' gives the value of '{name}' under which the rule holds")
            else:
                when[name] = read
        return when

    def _changed_steps(self, steps: tuple[Entry, ...], node: yaml.Node) -> tuple[Entry, ...]:
        changed = list(steps)
        for name, (key, value) in mapping(node, "'steps'", self._problems).items():
            places = [index for index, entry in enumerate(changed) if entry.name == name]
            if _is_none(value):
                if not places:
                    self._wrong(
                        key, f"there is no step '{name}' to leave out; {suggest(name, {e.name for e in changed})}"
                    )
                changed = [entry for entry in changed if entry.name != name]
            elif places:
                for index in places:
                    settings, when = self._settings(changed[index].function, key, value)
                    old = changed[index]
                    changed[index] = replace(
                        old, settings={**old.settings, **settings}, when={**old.when, **when}, node=key
                    )
            else:
                self._insert_step(changed, key, value)
        return tuple(changed)

    def _insert_step(self, steps: list[Entry], key: yaml.ScalarNode, value: yaml.Node) -> None:
        """A new step says with `before` or `after` where it stands; the rest are its settings."""
        if not isinstance(value, yaml.MappingNode):
            self._wrong(key, f"the new step '{key.value}' needs 'before: STEP' or 'after: STEP'")
            return
        place = next(((k.value, v) for k, v in value.value if k.value in ("before", "after")), None)
        rest = yaml.MappingNode(
            value.tag, [pair for pair in value.value if pair[0].value not in ("before", "after")], value.start_mark
        )
        entry = self._rule("settlement", key, rest)
        if entry is None:
            return
        if place is None:
            self._wrong(key, f"the new step '{key.value}' needs 'before: STEP' or 'after: STEP'")
            return
        word, target = place
        index = next((i for i, step in enumerate(steps) if step.name == target.value), None)
        if index is None:
            self._wrong(
                target, f"there is no step '{target.value}'; {suggest(str(target.value), {s.name for s in steps})}"
            )
        else:
            steps.insert(index if word == "before" else index + 1, entry)


def _is_none(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and not node.style and node.value in ("none", "", "null", "~")


def _with_annotations(ruleset: Ruleset) -> Ruleset:
    """Give each option what its uses demand of it."""
    from kozel.rules.settings import OptionRef

    uses: dict[str, list[Any]] = {name: [] for name in ruleset.options}
    for entries in ruleset.slots.values():
        for entry in entries:
            for name, value in entry.settings.items():
                if isinstance(value, OptionRef) and value.name in uses:
                    uses[value.name].append(settings_of(entry.function)[name][0])
    options = {name: replace(option, annotations=tuple(uses[name])) for name, option in ruleset.options.items()}
    return replace(ruleset, options=options)
