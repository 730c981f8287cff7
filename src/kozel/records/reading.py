"""A record file, read: its head, and its rounds as written. What the rules say of it is `replay`'s business."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import yaml

from kozel.engine.match import Game
from kozel.engine.round import Refused
from kozel.engine.tiles import parse_tile
from kozel.rules.reading import UnknownRuleset, find
from kozel.rules.ruleset import BadSetup, Ruleset
from kozel.yamltree import BadFile, Problem, at, compose, mapping, scalar, suggest

FORMAT = 1
HEAD_KEYS = ("kozel-record", "ruleset", "options", "players", "pairs", "levels", "seed", "date", "rounds")
ROUND_KEYS = ("hands", "bazaar", "opener", "moves")
LEVELS = ("novice", "amateur", "strong", "master")
MAX_NAME = 200


class Head(NamedTuple):
    """Who plays what. `levels`: a computer player's level by seat, None for a person. `reference`: the ruleset as written."""

    reference: str
    ruleset: Ruleset
    options: Mapping[str, object]
    players: tuple[str, ...]
    pairs: bool
    levels: tuple[str | None, ...]
    seed: str | None
    date: str | None

    def game(self) -> Game:
        """The ruleset bound to this table."""
        return self.ruleset.game(len(self.players), self.pairs, self.options)


class WrittenRound(NamedTuple):
    """A round as written. `fault`: what keeps its deal from being read, else None; `lot`: the opener."""

    hands: tuple[tuple[int, ...], ...]
    bazaar: tuple[int, ...]
    lot: int | None
    moves: tuple[str, ...]
    fault: Refused | None


class Record(NamedTuple):
    """A record file's content."""

    head: Head
    rounds: tuple[WrittenRound, ...]


class BadHead(Exception):
    """The file cannot be read, or its head is at fault. `problem` says where and what."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))


def parse_record(content: bytes | str, path: Path, rulesets: Path | None = None) -> Record:
    """The record in a file's content. `rulesets`: the player's own ruleset files. Raises `BadHead`."""
    try:
        root = compose(content, str(path))
        problems: list[Problem] = []
        head = _head(root, path, rulesets, problems)
        if problems or head is None:
            raise BadFile(problems)
        rounds_node = _child(root, "rounds")
    except BadFile as error:
        raise BadHead(error.problems[0]) from None
    if rounds_node is None or _empty(rounds_node):
        return Record(head, ())
    if not isinstance(rounds_node, yaml.SequenceNode):
        raise BadHead(at(rounds_node, "'rounds' must be a list of rounds"))
    return Record(head, tuple(_round(node) for node in rounds_node.value))


def _empty(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and not node.style and node.value in ("", "~", "null")


def _child(root: yaml.Node, key: str) -> yaml.Node | None:
    assert isinstance(root, yaml.MappingNode)
    return next((value for name, value in root.value if name.value == key), None)


def _head(root: yaml.Node, path: Path, rulesets: Path | None, problems: list[Problem]) -> Head | None:
    entries = mapping(root, "a game record", problems)
    for key, (node, _) in entries.items():
        if key not in HEAD_KEYS:
            problems.append(at(node, f"a record has no '{key}'; {suggest(key, HEAD_KEYS)}"))
    for key, example in (("kozel-record", "1"), ("ruleset", "kozel"), ("players", '["Anna", "Boris"]')):
        if key not in entries:
            problems.append(at(root, f"the line '{key}: {example}' is missing"))
    if problems:
        return None
    _check_format(entries["kozel-record"][1], problems)
    players = _players(entries["players"][1], problems)
    pairs = _pairs(entries.get("pairs"), problems)
    options = _options(entries.get("options"), problems)
    levels = _levels(entries.get("levels"), len(players), problems)
    texts = {key: _text(entries.get(key), problems) for key in ("seed", "date")}
    reference, ruleset = _ruleset(entries["ruleset"][1], path, rulesets, problems)
    if problems or ruleset is None:
        return None
    try:
        together = ruleset.seating(len(players), pairs)
        ruleset.choices(options)
    except BadSetup as error:
        key = {"bad_seats": "players", "no_pairs": "pairs", "always_pairs": "pairs"}.get(error.kind, "options")
        problems.append(at(entries[key][1], setup_fault(error)))
        return None
    return Head(reference, ruleset, options, players, together, levels, texts["seed"], texts["date"])


def setup_fault(error: BadSetup) -> str:
    """What is wrong with seats, pairs or options, in one sentence without a place."""
    facts = error.facts
    if error.kind == "bad_seats":
        allowed = facts["allowed"]
        assert isinstance(allowed, tuple)
        return f"{facts['found']} players: this ruleset is for {' or '.join(map(str, allowed))}"
    if error.kind == "no_pairs":
        return "this ruleset has no pairs" if facts["never"] else f"pairs need 4 players, not {facts['seats']}"
    if error.kind == "always_pairs":
        return "4 players always play in pairs in this ruleset"
    if error.kind == "unknown_option":
        known = facts["known"]
        assert isinstance(known, tuple)
        return f"this ruleset has no option '{facts['option']}'; {suggest(str(facts['option']), known)}"
    return f"option '{facts['option']}' cannot be {facts['value']}: it must be {facts['wanted']}"


def _check_format(node: yaml.Node, problems: list[Problem]) -> None:
    if not isinstance(node, yaml.ScalarNode) or node.value != str(FORMAT):
        problems.append(at(node, f"'kozel-record' must be {FORMAT}, the format that this program reads"))


def _players(node: yaml.Node, problems: list[Problem]) -> tuple[str, ...]:
    if not isinstance(node, yaml.SequenceNode):
        problems.append(at(node, "'players' must be a list of names"))
        return ()
    names = []
    for item in node.value:
        if isinstance(item, yaml.ScalarNode) and len(item.value) <= MAX_NAME:
            names.append(item.value)
        else:
            problems.append(at(item, f"a player's name must be a text of at most {MAX_NAME} characters"))
    return tuple(names)


def _pairs(entry: tuple[yaml.ScalarNode, yaml.Node] | None, problems: list[Problem]) -> bool | None:
    if entry is None:
        return None
    node = entry[1]
    value = scalar(node) if isinstance(node, yaml.ScalarNode) else None
    if isinstance(value, bool):
        return value
    problems.append(at(node, "'pairs' must be yes or no"))
    return None


def _options(entry: tuple[yaml.ScalarNode, yaml.Node] | None, problems: list[Problem]) -> dict[str, object]:
    options: dict[str, object] = {}
    if entry is None or _empty(entry[1]):
        return options
    for name, (_, node) in mapping(entry[1], "'options'", problems).items():
        if isinstance(node, yaml.ScalarNode):
            options[name] = scalar(node)
        else:
            problems.append(at(node, f"the value of option '{name}' must be one word or number"))
    return options


def _levels(
    entry: tuple[yaml.ScalarNode, yaml.Node] | None, seats: int, problems: list[Problem]
) -> tuple[str | None, ...]:
    if entry is None:
        return (None,) * seats
    node = entry[1]
    if not isinstance(node, yaml.SequenceNode) or len(node.value) != seats:
        problems.append(at(node, f"'levels' must be a list with an entry for each of the {seats} players"))
        return (None,) * seats
    levels: list[str | None] = []
    for item in node.value:
        if _empty(item):
            levels.append(None)
        elif isinstance(item, yaml.ScalarNode) and item.value in LEVELS:
            levels.append(item.value)
        else:
            given = item.value if isinstance(item, yaml.ScalarNode) else ""
            problems.append(at(item, f"there is no level '{given}'; {suggest(given, LEVELS)}; null for a person"))
            levels.append(None)
    return tuple(levels)


def _text(entry: tuple[yaml.ScalarNode, yaml.Node] | None, problems: list[Problem]) -> str | None:
    if entry is None or _empty(entry[1]):
        return None
    key, node = entry
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    problems.append(at(node, f"'{key.value}' must be a text"))
    return None


def _ruleset(node: yaml.Node, path: Path, rulesets: Path | None, problems: list[Problem]) -> tuple[str, Ruleset | None]:
    if not isinstance(node, yaml.ScalarNode) or not node.value:
        problems.append(at(node, "'ruleset' must be the name of a ruleset"))
        return "", None
    try:
        return node.value, find(node.value, rulesets, path.parent)
    except UnknownRuleset as error:
        problems.append(at(node, str(error)))
    except BadFile as error:
        problems.append(at(node, f"the ruleset '{node.value}' cannot be used: {error.problems[0]}"))
    return node.value, None


def _round(node: yaml.Node) -> WrittenRound:
    problems: list[Problem] = []
    entries = mapping(node, "a round", problems)
    for key, (key_node, _) in entries.items():
        if key not in ROUND_KEYS:
            problems.append(at(key_node, f"a round has no '{key}'; {suggest(key, ROUND_KEYS)}"))
    hands = tuple(_tiles(item, problems) for item in _list(entries, "hands", node, problems))
    bazaar = _tiles(entries["bazaar"][1], problems) if "bazaar" in entries and not _empty(entries["bazaar"][1]) else ()
    lot = None
    if "opener" in entries:
        opener = entries["opener"][1]
        value = scalar(opener) if isinstance(opener, yaml.ScalarNode) else None
        if type(value) is int:
            lot = value
        else:
            problems.append(at(opener, "'opener' must be the number of a seat, counted from 0"))
    moves = _moves(entries, problems)
    fault = Refused("unreadable", problem=_without_file(problems[0])) if problems else None
    return WrittenRound(hands, bazaar, lot, moves, fault)


def _without_file(problem: Problem) -> str:
    return f"line {problem.line}, column {problem.column}: {problem.text}"


def _list(
    entries: Mapping[str, tuple[yaml.ScalarNode, yaml.Node]], key: str, node: yaml.Node, problems: list[Problem]
) -> list[yaml.Node]:
    if key not in entries:
        problems.append(at(node, f"the line '{key}: …' is missing"))
        return []
    value = entries[key][1]
    if not isinstance(value, yaml.SequenceNode):
        problems.append(at(value, f"'{key}' must be a list"))
        return []
    return list(value.value)


def _tiles(node: yaml.Node, problems: list[Problem]) -> tuple[int, ...]:
    if not isinstance(node, yaml.SequenceNode):
        problems.append(at(node, "a list of tiles such as [0-0, 2-5] is expected"))
        return ()
    tiles = []
    for item in node.value:
        try:
            tiles.append(parse_tile(item.value if isinstance(item, yaml.ScalarNode) else ""))
        except ValueError as error:
            problems.append(at(item, str(error)))
    return tuple(tiles)


def _moves(entries: Mapping[str, tuple[yaml.ScalarNode, yaml.Node]], problems: list[Problem]) -> tuple[str, ...]:
    """The decisions as texts; one that is no text is kept as something that no rule understands, at its place."""
    if "moves" not in entries or _empty(entries["moves"][1]):
        return ()
    node = entries["moves"][1]
    if not isinstance(node, yaml.SequenceNode):
        problems.append(at(node, "'moves' must be a list"))
        return ()
    return tuple(item.value if isinstance(item, yaml.ScalarNode) else "[…]" for item in node.value)
