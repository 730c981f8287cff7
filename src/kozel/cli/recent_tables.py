"""The tables that were played at, remembered: who sat there, in pairs or not, and the options, a table a ruleset."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from kozel.bots.levels import LEVELS
from kozel.clean import clean
from kozel.cli.settings import aside
from kozel.files import write_durably
from kozel.locales import phrase
from kozel.play.store import Folder
from kozel.rules.reading import UnknownRuleset, find
from kozel.rules.ruleset import BadSetup, Ruleset
from kozel.rules.seating import Seating
from kozel.yamltree import BadFile, Problem, at, load, mapping, scalar

_KEYS = ("last", "tables")


@dataclass(frozen=True)
class Remembered:
    """A table as it was. What no longer fits its ruleset is passed over by whoever uses it."""

    players: tuple[str, ...] = ()
    levels: tuple[str | None, ...] = ()
    pairs: bool | None = None
    options: Mapping[str, object] | None = None


class Tables:
    """The file `last.yaml`. Where it is damaged it is set aside, told, and as if there were none."""

    def __init__(self, folder: Folder, lang: str, tell: Callable[[str], object]) -> None:
        self._folder = folder
        self._path = folder.path / "last.yaml"
        self.last = ""
        self._tables: dict[str, Remembered] = {}
        if os.path.lexists(self._path):
            try:
                self._read()
            except BadFile as error:
                tell(aside(self._path, error.problems[0], lang))

    def at(self, ruleset: str) -> Remembered:
        """The table of a ruleset, an empty one where there was none."""
        return self._tables.get(ruleset, Remembered())

    def again(self) -> Seating | None:
        """The last table as it can be set up again; None where there was none, or its ruleset has changed too far."""
        known = self._tables.get(self.last)
        if known is None:
            return None
        try:
            ruleset = find(self.last, self._folder.rulesets)
            pairs = ruleset.seating(len(known.players), known.pairs)
            options = ruleset.choices(known.options or {})
        except (UnknownRuleset, BadFile, BadSetup):
            return None
        return Seating(ruleset, known.players, known.levels, pairs, options)

    def remember(self, seating: Seating, but: Collection[str] = ()) -> None:
        """Keep a table, if its ruleset can be found again by name; the options `but` as they were. Raises `OSError`."""
        if not self._can_be_found(seating.ruleset):
            return
        self.last = seating.ruleset.id
        options: dict[str, object] = {name: value for name, value in seating.options.items() if name not in but}
        options |= {name: value for name, value in (self.at(self.last).options or {}).items() if name in but}
        self._tables[self.last] = Remembered(seating.players, seating.levels, seating.pairs, options)
        lines = [f"last: {json.dumps(self.last, ensure_ascii=False)}", "tables:"]
        for id, table in self._tables.items():
            text = json.dumps(vars(table), ensure_ascii=False, default=dict)
            lines.append(f"  {json.dumps(id, ensure_ascii=False)}: {text}")
        write_durably(self._path, "\n".join(lines) + "\n")

    def _can_be_found(self, ruleset: Ruleset) -> bool:
        try:
            return find(ruleset.id, self._folder.rulesets).path == ruleset.path
        except (UnknownRuleset, BadFile):
            return False

    def _read(self) -> None:
        problems: list[Problem] = []
        root = load(self._path)
        entries = mapping(root, phrase("mistake.the_last_tables"), problems)
        problems += [at(root, "mistake.line_missing", line=f"{key}: …") for key in _KEYS if key not in entries]
        if not problems:
            for id, (_, node) in mapping(entries["tables"][1], "tables", problems).items():
                table = _table(_plain(node))
                if table is None:
                    problems.append(at(node, "mistake.no_table", id=id))
                else:
                    self._tables[id] = table
            self.last = str(_plain(entries["last"][1]))
        if problems:
            self._tables.clear()
            raise BadFile(problems)


def _plain(node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return {key.value: _plain(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item) for item in node.value]
    return scalar(node)


def _table(data: Any) -> Remembered | None:
    """A table from a file's plain data; None where it is none."""
    if not isinstance(data, dict) or not set(data) <= {"players", "levels", "pairs", "options"}:
        return None
    players, levels = data.get("players"), data.get("levels")
    if not isinstance(players, list) or not isinstance(levels, list) or len(players) != len(levels):
        return None
    names = [clean(name) if isinstance(name, str) else None for name in players]
    if None in names or any(level is not None and level not in LEVELS for level in levels):
        return None
    pairs, options = data.get("pairs"), data.get("options")
    if not isinstance(pairs, (bool, type(None))) or not isinstance(options, (dict, type(None))):
        return None
    return Remembered(tuple(name for name in names if name), tuple(levels), pairs, options)
