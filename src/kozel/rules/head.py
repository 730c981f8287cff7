"""A ruleset file on its way to a ruleset: who plays with what, its options, and the rules of its slots."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from kozel.locales import Phrase, phrase
from kozel.rules.entries import changed_steps, read_slot
from kozel.rules.naming import suggest_key
from kozel.rules.options import LONGEST_NAME, read_options, read_texts
from kozel.rules.registry import Slot
from kozel.rules.ruleset import Entry, Option, PairsRule, Ruleset, Texts, written
from kozel.rules.settings import OneOf, OptionRef
from kozel.rules.vocabulary import RULES, SLOTS, settings_of
from kozel.shipped import shipped
from kozel.yamltree import BadFile, Problem, at, is_none, mapping, meant_answer, quoting, says_no, scalar

FORMAT = 1
HEAD_KEYS = (
    "kozel-ruleset",
    "id",
    "extends",
    "name",
    "source",
    "seats",
    "pairs",
    "hand",
    "options",
    "steps",
)
"""Every key of a ruleset file that is no slot."""
DEFAULTS: Mapping[Slot, str] = {
    "deal": "nobody_takes_a_tile",
    "redeal": "never_dealt_again",
    "lead": "any_tile",
    "throwing": "nothing_thrown",
    "counting": "pips",
    "fish": "fewest_win",
}
"""The rule of a slot that a ruleset says nothing about."""
_PAIRS: tuple[PairsRule, ...] = ("never", "optional", "always")
_ID = re.compile(r"\w[\w.-]{0,39}")


class NoParent(LookupError):
    """There is no ruleset to extend, or it must not be; `phrase` says why."""

    def __init__(self, why: Phrase) -> None:
        self.phrase = why
        super().__init__(why.text("en"))


@dataclass
class Unsure:
    """The parts of a ruleset that could not be read: what hangs on them is not judged."""

    slots: set[Slot] = field(default_factory=set)
    options: bool = False
    seating: bool = False


class HeadReader:
    """One file; mistakes are collected, not raised. `extends` is where it names its parent, `unsure` what it could not read."""

    def __init__(
        self,
        path: Path,
        root: yaml.Node,
        problems: list[Problem],
        parent: Callable[[str], Ruleset],
        taken: tuple[str, ...],
    ) -> None:
        self._path, self._root, self._problems = path, root, problems
        self._find_parent, self._taken = parent, taken
        self._entries = mapping(root, phrase("mistake.a_ruleset"), problems)
        self._orphan = False
        self.extends: yaml.Node | None = None
        self.unsure = Unsure()

    def read(self) -> Ruleset:
        """The ruleset, as far as it can be read."""
        if isinstance(self._root, yaml.MappingNode):
            self._check_format()
        else:
            self._orphan = True
        parent = self._parent()
        self._check_keys(parent)
        slots = self._slots(parent)
        before = len(self._problems)
        seats = self._seats(parent)
        pairs = self._pairs(parent)
        hand = self._hand(parent, seats)
        self.unsure.seating = len(self._problems) > before or self._orphan
        id = self._id()
        self._text("source")
        before = len(self._problems)
        options = self._options(parent)
        self.unsure.options = len(self._problems) > before or self._orphan
        kept = self._without_unused(options, slots)
        ruleset = Ruleset(id, self._names(id), self._path, seats, pairs, hand, kept, slots)
        return _with_annotations(ruleset)

    def _check_keys(self, parent: Ruleset | None) -> None:
        known = (*HEAD_KEYS, *SLOTS)
        for key, (node, value) in self._entries.items():
            if key not in known:
                hint = suggest_key(key, says_no(value), known, parent.options if parent else {}, parent is not None)
                self._wrong(node, "mistake.ruleset_key", key=key, hint=hint)

    def _wrong(self, node: yaml.Node, key: str | Phrase, /, **facts: object) -> None:
        self._problems.append(at(node, key, **facts))

    def _missing(self, key: str, example: str) -> None:
        if not self._orphan:
            self._wrong(self._root, "mistake.line_missing", line=f"{key}: {example}")

    def _slot_missing(self, slot: Slot) -> None:
        if not self._orphan:
            purpose = phrase(f"mistake.slot_{slot}")
            self._wrong(self._root, "mistake.slot_missing", line=f"{slot}: RULE", purpose=purpose)

    def _value(self, key: str) -> yaml.Node | None:
        return self._entries[key][1] if key in self._entries else None

    def _check_format(self) -> None:
        node = self._value("kozel-ruleset")
        if node is None:
            self._wrong(self._root, "mistake.line_missing", line=f"kozel-ruleset: {FORMAT}")
        elif not isinstance(node, yaml.ScalarNode) or scalar(node) != FORMAT:
            self._wrong(node, "mistake.format", key="kozel-ruleset", format=FORMAT)

    def _text(self, key: str) -> str | None:
        node = self._value(key)
        if node is None:
            return None
        if isinstance(node, yaml.ScalarNode) and node.value:
            return str(node.value)
        self._wrong(node, "mistake.no_text", key=key)
        return None

    def _id(self) -> str:
        id = self._text("id")
        if id is None:
            if "id" not in self._entries:
                self._missing("id", "NAME")
            return self._path.stem
        if not _ID.fullmatch(id):
            self._wrong(self._entries["id"][1], "mistake.bad_id", id=id)
        elif id in self._taken and self._path.resolve().parent != shipped("rulesets").resolve():
            self._wrong(self._entries["id"][1], "mistake.shipped_id", id=id)
        return id

    def _parent(self) -> Ruleset | None:
        name = self._text("extends")
        self.extends = self._value("extends")
        if self.extends is None:
            return None
        try:
            if name is not None:
                return self._find_parent(name)
        except NoParent as error:
            self._wrong(self.extends, error.phrase)
        except BadFile as error:
            more = error.count - 1
            key = "mistake.bad_parent_more" if more else "mistake.bad_parent"
            self._wrong(
                self.extends, key, name=name, problem=error.problems[0].placed_phrase, **({"n": more} if more else {})
            )
        self._orphan = True
        return None

    def _names(self, id: str) -> Texts:
        node = self._value("name")
        return (read_texts(node, "name", LONGEST_NAME, self._problems) if node is not None else {}) or {"": id}

    def _seats(self, parent: Ruleset | None) -> tuple[int, ...]:
        node = self._value("seats")
        if node is None:
            if parent is None:
                self._missing("seats", "[2, 3, 4]")
            return parent.seats if parent else (2,)
        items = node.value if isinstance(node, yaml.SequenceNode) else [node]
        if not items:
            self._wrong(node, "mistake.seats")
        seats = []
        for item in items:
            value = scalar(item) if isinstance(item, yaml.ScalarNode) else None
            if type(value) is int and 2 <= value <= 4 and value not in seats:
                seats.append(value)
            else:
                self._wrong(item, "mistake.seats")
        return tuple(sorted(seats)) or (2,)

    def _pairs(self, parent: Ruleset | None) -> PairsRule:
        node = self._value("pairs")
        if node is None:
            return parent.pairs if parent else "never"
        given = node.value if isinstance(node, yaml.ScalarNode) else ""
        for word in _PAIRS:
            if given == word:
                return word
        wrong = quoting("mistake.must_be_not", name="pairs", wanted=OneOf(_PAIRS).wanted, given=given)
        if says_no(node):
            wrong = quoting("mistake.hinted", text=wrong, hint=quoting("mistake.write_instead", text="pairs: never"))
        elif given and (meant_answer(given) or written(scalar(node))) == "yes":
            wrong = quoting("mistake.hinted", text=wrong, hint=quoting("mistake.write_instead", text="pairs: always"))
        self._wrong(node, wrong)
        return "never"

    def _hand(self, parent: Ruleset | None, seats: tuple[int, ...]) -> Mapping[int, int]:
        node = self._value("hand")
        if node is None:
            if parent is None:
                self._missing("hand", "7")
                return dict.fromkeys(seats, 7)
            return self._inherited_hand(parent, seats)
        if not isinstance(node, yaml.MappingNode):
            return dict.fromkeys(seats, self._hand_size(node, max(seats)))
        hand = {}
        for key, (key_node, value) in mapping(node, "hand", self._problems).items():
            if key in map(str, seats):
                hand[int(key)] = self._hand_size(value, int(key))
            else:
                self._wrong(key_node, "mistake.hand_for_others", seats=seats, given=key)
        for number in seats:
            if number not in hand:
                self._wrong(node, "mistake.hand_lacks", n=number)
        return hand

    def _inherited_hand(self, parent: Ruleset, seats: tuple[int, ...]) -> Mapping[int, int]:
        hand = {number: parent.hand[number] for number in seats if number in parent.hand}
        common = set(parent.hand.values())
        for number in seats:
            if number in hand:
                continue
            if len(common) == 1 and max(common) * number <= 28:
                hand[number] = max(common)
            else:
                self._wrong(self._entries["seats"][0], "mistake.hand_missing", n=number)
        return hand

    def _hand_size(self, node: yaml.Node, seats: int) -> int:
        most = 28 // seats
        value = scalar(node) if isinstance(node, yaml.ScalarNode) else None
        if type(value) is int and 1 <= value <= most:
            return value
        self._wrong(node, "mistake.hand_size", most=most, n=seats)
        return 1

    def _options(self, parent: Ruleset | None) -> dict[str, Option]:
        inherited = parent.options if parent else {}
        node = self._value("options")
        if node is None or is_none(node):
            return dict(inherited)
        return read_options(node, inherited, self._problems)

    def _slots(self, parent: Ruleset | None) -> dict[Slot, tuple[Entry, ...]]:
        slots: dict[Slot, tuple[Entry, ...]] = {}
        for slot in SLOTS:
            before = len(self._problems)
            node = self._value(slot)
            if node is not None:
                slots[slot] = read_slot(slot, node, self._problems)
            elif parent:
                slots[slot] = parent.slots[slot]
            elif slot in DEFAULTS:
                slots[slot] = (Entry(DEFAULTS[slot], RULES[slot][DEFAULTS[slot]], {}, {}, self._root),)
            else:
                self._slot_missing(slot)
                slots[slot] = ()
            if len(self._problems) > before or (self._orphan and node is None):
                self.unsure.slots.add(slot)
        if "steps" in self._entries:
            slots["settlement"] = self._stepped(parent, slots["settlement"])
        return slots

    def _stepped(self, parent: Ruleset | None, steps: tuple[Entry, ...]) -> tuple[Entry, ...]:
        key, node = self._entries["steps"]
        before = len(self._problems)
        if "settlement" in self._entries or (parent is None and not self._orphan):
            self._wrong(key, "mistake.steps_need_extends")
        elif parent:
            steps = changed_steps(steps, node, self._problems)
        if len(self._problems) > before:
            self.unsure.slots.add("settlement")
        return steps

    def _without_unused(
        self, options: dict[str, Option], slots: Mapping[Slot, tuple[Entry, ...]]
    ) -> Mapping[str, Option]:
        """Inherited options that no rule uses any more are left out; the file's own stay, to be told of."""
        if self.unsure.slots or self.unsure.options:
            return options
        node = self._value("options")
        own = {key.value for key, _ in node.value} if isinstance(node, yaml.MappingNode) else set()
        used = used_options(slots)
        return {name: option for name, option in options.items() if name in own or name in used}


def used_options(slots: Mapping[Slot, tuple[Entry, ...]]) -> set[str]:
    """The options that some rule asks for or takes a setting from."""
    used: set[str] = set()
    for entries in slots.values():
        for entry in entries:
            used |= set(entry.when)
            used |= {value.name for value in entry.settings.values() if isinstance(value, OptionRef)}
    return used


def _with_annotations(ruleset: Ruleset) -> Ruleset:
    """Give each option what its uses demand of it."""
    uses: dict[str, list[Any]] = {name: [] for name in ruleset.options}
    for entries in ruleset.slots.values():
        for entry in entries:
            for name, value in entry.settings.items():
                if isinstance(value, OptionRef) and value.name in uses:
                    uses[value.name].append(settings_of(entry.function)[name][0])
    options = {name: replace(option, annotations=tuple(uses[name])) for name, option in ruleset.options.items()}
    return replace(ruleset, options=options)
