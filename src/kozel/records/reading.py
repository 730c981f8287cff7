"""A record file, read: its head, and its rounds as written. What the rules say of it is `replay`'s business."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import yaml

from kozel.engine.match import Game
from kozel.engine.round import Refused
from kozel.engine.tiles import TILES, parse_tile
from kozel.locales import Phrase, phrase
from kozel.rules.naming import suggest_option
from kozel.rules.reading import UnknownRuleset, find
from kozel.rules.ruleset import BadSetup, Option, Ruleset
from kozel.yamltree import BadFile, Parts, Problem, at, compose, mapping, quoting, read_bytes, scalar, suggest

if TYPE_CHECKING:
    from kozel.engine.shuffle import Shuffle

FORMATS = (1, 2)
"""The formats that are read; 2 has a deal that proves itself, and computers that take a seat over."""
HEAD_KEYS = ("kozel-record", "ruleset", "options", "players", "pairs", "levels", "seed", "shuffle", "date", "rounds")
ROUND_KEYS = ("hands", "bazaar", "opener", "moves")
LEVELS = ("novice", "amateur", "strong", "master")
MAX_NAME = 200
MAX_BYTES = 64_000_000
"""How large a record may be: some 50,000 rounds. What it may hold is limited by `MAX_NODES`."""
MAX_NODES = 2000
"""How many names and values the head, and each round, may have; a round of play has about 100."""
MAX_NODES_OF_ROUNDS = 300_000
"""How many all rounds may have together where they are not laid out as the program lays them out."""


class Head(NamedTuple):
    """Who plays what. `levels`: a computer player's level by seat, None for a person. `reference`: the ruleset as written.

    `shuffle`: where the deals come from, if they prove themselves. `format`: of the file, 1 or 2.
    """

    reference: str
    ruleset: Ruleset
    options: Mapping[str, object]
    players: tuple[str, ...]
    pairs: bool
    levels: tuple[str | None, ...]
    seed: str | None
    date: str | None
    shuffle: Shuffle | None = None
    format: int = 1

    def game(self) -> Game:
        """The ruleset bound to this table."""
        return self.ruleset.game(len(self.players), self.pairs, self.options)


class SeatChange(NamedTuple):
    """A line `computer SEAT LEVEL` or `person SEAT` in a round, as written; `before`: how many decisions stand before it."""

    before: int
    text: str


class WrittenRound(NamedTuple):
    """A round as written. `fault`: what keeps its deal from being read, else None; `lot`: the opener.

    `changes`: from where on a computer, or the person again, decides for a seat; no decisions, and not among the `moves`.
    """

    hands: tuple[tuple[int, ...], ...]
    bazaar: tuple[int, ...]
    lot: int | None
    moves: tuple[str, ...]
    fault: Refused | None
    changes: tuple[SeatChange, ...] = ()


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
    """The record in a file's content. `rulesets`: the player's own ruleset files. Raises `BadHead`.

    >>> from kozel.records.writing import head_text, record_text
    >>> text = head_text("kozel", ["Anna", "Yes"], False, options={"target": 50}, seed="007: #")
    >>> print(text, end="")
    kozel-record: 1
    ruleset: "kozel"
    options: {target: 50}
    players: ["Anna", "Yes"]
    pairs: no
    seed: "007: #"
    rounds:
    >>> record_text(parse_record(text, Path("match.yaml"))) == text
    True
    """
    own = parse_own_record(content, path, rulesets)
    if own is not None:
        return own
    try:
        root = compose(content, str(path), MAX_NODES, Parts("rounds", _may_be_a_round, MAX_NODES_OF_ROUNDS), MAX_BYTES)
        head = _sound_head(root, path, rulesets)
        rounds_node = _child(root, "rounds")
    except BadFile as error:
        raise BadHead(error.problems[0]) from None
    if rounds_node is None or _empty(rounds_node):
        return Record(head, ())
    if not isinstance(rounds_node, yaml.SequenceNode):
        raise BadHead(at(rounds_node, "mistake.rounds"))
    return Record(head, tuple(_round(node, head.format) for node in rounds_node.value))


_OWN_ROUND = re.compile(
    r"  - hands:\n((?:      - \[[0-6, -]+\]\n)+)"
    r"(?:    bazaar: \[([0-6, -]+)\]\n)?"
    r"(?:    opener: ([0-3])\n)?"
    r"    moves:\n((?:      - [a-z0-6](?:[a-z0-6 +-]*[a-z0-6])?\n)*)"
)
"""A round as the program writes it. What it matches means the same to a reader of YAML, and takes a twentieth of the time."""


def parse_own_record(content: bytes | str, path: Path, rulesets: Path | None = None) -> Record | None:
    """The record in a content laid out as the program lays it out, however long; None for any other, and for a bad head.

    Whatever ends its lines, and with or without a byte order mark.
    """
    try:
        text = content if isinstance(content, str) else content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    head_text, mark, rest = text.partition("\nrounds:\n")
    if not mark:
        return None
    try:
        head = _sound_head(compose(head_text + mark, str(path), MAX_NODES), path, rulesets)
    except BadFile:
        return None
    rounds, place = [], 0
    while place < len(rest):
        lines = _OWN_ROUND.match(rest, place)
        round = _own_round(lines, head.format) if lines else None
        if lines is None or round is None:
            return None
        rounds.append(round)
        place = lines.end()
    return Record(head, tuple(rounds))


def _own_round(lines: re.Match[str], format: int) -> WrittenRound | None:
    hands, bazaar, opener, moves = lines.groups()
    try:
        dealt = tuple(tuple(map(parse_tile, line[9:-1].split(", "))) for line in hands.splitlines())
        left = tuple(map(parse_tile, bazaar.split(", "))) if bazaar else ()
    except ValueError:
        return None
    decisions, changes = _split_moves([line[8:] for line in moves.splitlines()], format)
    return WrittenRound(dealt, left, int(opener) if opener else None, decisions, None, changes)


def read_record_bytes(path: Path) -> bytes:
    """The content of a record's file. Raises `BadFile`."""
    return read_bytes(path, MAX_BYTES)


def _may_be_a_round(node: yaml.Node) -> bool:
    """Are there 28 tiles? Where not, the record is at fault here at the latest, and what comes after need not be built."""
    if not isinstance(node, yaml.MappingNode):
        return False
    tiles = 0
    for key, value in node.value:
        if key.value == "hands" and isinstance(value, yaml.SequenceNode):
            tiles += sum(len(hand.value) for hand in value.value if isinstance(hand, yaml.SequenceNode))
        elif key.value == "bazaar" and isinstance(value, yaml.SequenceNode):
            tiles += len(value.value)
    return tiles == len(TILES)


def _empty(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and not node.style and node.value in ("", "~", "null")


def _child(root: yaml.Node, key: str) -> yaml.Node | None:
    assert isinstance(root, yaml.MappingNode)
    return next((value for name, value in root.value if name.value == key), None)


def _sound_head(root: yaml.Node, path: Path, rulesets: Path | None) -> Head:
    """The head of a record. Raises `BadFile`."""
    problems: list[Problem] = []
    head = _head(root, path, rulesets, problems)
    if problems or head is None:
        raise BadFile(problems)
    return head


def _head(root: yaml.Node, path: Path, rulesets: Path | None, problems: list[Problem]) -> Head | None:
    entries = mapping(root, phrase("mistake.a_record"), problems)
    for key, (node, _) in entries.items():
        if key not in HEAD_KEYS:
            problems.append(at(node, "mistake.record_key", key=key, hint=suggest(key, HEAD_KEYS)))
    for key, example in (("kozel-record", "1"), ("ruleset", "kozel"), ("players", '["Anna", "Boris"]')):
        if key not in entries:
            problems.append(at(root, "mistake.line_missing", line=f"{key}: {example}"))
    if problems:
        return None
    format = _format(entries["kozel-record"][1], problems)
    players = _players(entries["players"][1], problems)
    pairs = _pairs(entries.get("pairs"), problems)
    options = _options(entries.get("options"), problems)
    levels = _levels(entries.get("levels"), len(players), problems)
    texts = {key: _text(entries.get(key), problems) for key in ("seed", "date")}
    shuffle = _shuffle(entries, format, len(players), problems)
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
    return Head(reference, ruleset, options, players, together, levels, texts["seed"], texts["date"], shuffle, format)


def setup_fault(error: BadSetup) -> Phrase:
    """What is wrong with seats, pairs or options, without a place."""
    facts = error.facts
    if error.kind == "bad_seats":
        return quoting("mistake.setup_seats", n=facts["found"], allowed=facts["allowed"])
    if error.kind == "no_pairs":
        return (
            quoting("mistake.setup_no_pairs")
            if facts["never"]
            else quoting("mistake.setup_pairs_need", n=facts["seats"])
        )
    if error.kind == "always_pairs":
        return quoting("mistake.setup_always_pairs")
    if error.kind == "unknown_option":
        known = {option.name: option for option in cast(tuple[Option, ...], facts["known"])}
        return quoting("mistake.setup_option", option=facts["option"], hint=suggest_option(str(facts["option"]), known))
    return quoting("mistake.setup_value", **facts)


def _format(node: yaml.Node, problems: list[Problem]) -> int:
    known = [format for format in FORMATS if isinstance(node, yaml.ScalarNode) and node.value == str(format)]
    if not known:
        problems.append(at(node, "mistake.record_format", formats=FORMATS))
    return known[0] if known else FORMATS[0]


def _shuffle(
    entries: Mapping[str, tuple[yaml.ScalarNode, yaml.Node]], format: int, seats: int, problems: list[Problem]
) -> Shuffle | None:
    """Where the deals come from, its promises checked."""
    if "shuffle" not in entries:
        return None
    key, node = entries["shuffle"]
    if format < 2:
        problems.append(at(key, "mistake.shuffle_format"))
        return None
    if "seed" in entries:
        problems.append(at(key, "mistake.seed_and_shuffle"))
        return None
    from kozel.records.shuffling import read_shuffle  # few records need what computes it

    return read_shuffle(node, seats, problems)


def _players(node: yaml.Node, problems: list[Problem]) -> tuple[str, ...]:
    if not isinstance(node, yaml.SequenceNode):
        problems.append(at(node, "mistake.players"))
        return ()
    names = []
    for item in node.value:
        if isinstance(item, yaml.ScalarNode) and len(item.value) <= MAX_NAME:
            names.append(item.value)
        else:
            problems.append(at(item, "mistake.player_name", most=MAX_NAME))
    return tuple(names)


def _pairs(entry: tuple[yaml.ScalarNode, yaml.Node] | None, problems: list[Problem]) -> bool | None:
    if entry is None:
        return None
    node = entry[1]
    value = scalar(node) if isinstance(node, yaml.ScalarNode) else None
    if isinstance(value, bool):
        return value
    problems.append(at(node, "mistake.must_be", name="pairs", wanted=phrase("mistake.yes_or_no")))
    return None


def _options(entry: tuple[yaml.ScalarNode, yaml.Node] | None, problems: list[Problem]) -> dict[str, object]:
    options: dict[str, object] = {}
    if entry is None or _empty(entry[1]):
        return options
    for name, (_, node) in mapping(entry[1], "options", problems).items():
        if isinstance(node, yaml.ScalarNode):
            options[name] = scalar(node)
        else:
            problems.append(at(node, "mistake.option_one_word", option=name))
    return options


def _levels(
    entry: tuple[yaml.ScalarNode, yaml.Node] | None, seats: int, problems: list[Problem]
) -> tuple[str | None, ...]:
    if entry is None:
        return (None,) * seats
    node = entry[1]
    if not isinstance(node, yaml.SequenceNode) or len(node.value) != seats:
        problems.append(at(node, "mistake.levels", n=seats))
        return (None,) * seats
    levels: list[str | None] = []
    for item in node.value:
        if _empty(item):
            levels.append(None)
        elif isinstance(item, yaml.ScalarNode) and item.value in LEVELS:
            levels.append(item.value)
        else:
            given = item.value if isinstance(item, yaml.ScalarNode) else ""
            problems.append(at(item, "mistake.no_level", level=given, hint=suggest(given, LEVELS)))
            levels.append(None)
    return tuple(levels)


def _text(entry: tuple[yaml.ScalarNode, yaml.Node] | None, problems: list[Problem]) -> str | None:
    if entry is None or _empty(entry[1]):
        return None
    key, node = entry
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    problems.append(at(node, "mistake.no_text", key=key.value))
    return None


def _ruleset(node: yaml.Node, path: Path, rulesets: Path | None, problems: list[Problem]) -> tuple[str, Ruleset | None]:
    if not isinstance(node, yaml.ScalarNode) or not node.value:
        problems.append(at(node, "mistake.ruleset_name"))
        return "", None
    try:
        return node.value, find(node.value, rulesets, path.parent)
    except UnknownRuleset as error:
        problems.append(at(node, error.phrase))
    except BadFile as error:
        problem = error.problems[0].placed_phrase
        problems.append(at(node, "mistake.ruleset_unusable", name=node.value, problem=problem))
    return node.value, None


def _round(node: yaml.Node, format: int) -> WrittenRound:
    problems: list[Problem] = []
    entries = mapping(node, phrase("mistake.a_round"), problems)
    for key, (key_node, _) in entries.items():
        if key not in ROUND_KEYS:
            problems.append(at(key_node, "mistake.round_key", key=key, hint=suggest(key, ROUND_KEYS)))
    hands = tuple(_tiles(item, problems) for item in _list(entries, "hands", node, problems))
    bazaar = _tiles(entries["bazaar"][1], problems) if "bazaar" in entries and not _empty(entries["bazaar"][1]) else ()
    lot = None
    if "opener" in entries:
        opener = entries["opener"][1]
        value = scalar(opener) if isinstance(opener, yaml.ScalarNode) else None
        if type(value) is int:
            lot = value
        else:
            problems.append(at(opener, "mistake.opener"))
    moves, changes = _moves(entries, format, problems)
    fault = Refused("unreadable", problem=_without_file(problems[0])) if problems else None
    return WrittenRound(hands, bazaar, lot, moves, fault, changes)


def _without_file(problem: Problem) -> Phrase:
    return phrase("mistake.at_line_and_column", line=problem.line, column=problem.column, text=problem.phrase)


def _list(
    entries: Mapping[str, tuple[yaml.ScalarNode, yaml.Node]], key: str, node: yaml.Node, problems: list[Problem]
) -> list[yaml.Node]:
    if key not in entries:
        problems.append(at(node, "mistake.line_missing", line=f"{key}: …"))
        return []
    value = entries[key][1]
    if not isinstance(value, yaml.SequenceNode):
        problems.append(at(value, "mistake.no_list", key=key))
        return []
    return list(value.value)


def _tiles(node: yaml.Node, problems: list[Problem]) -> tuple[int, ...]:
    if not isinstance(node, yaml.SequenceNode):
        problems.append(at(node, "mistake.tiles_expected"))
        return ()
    tiles = []
    for item in node.value:
        word = item.value if isinstance(item, yaml.ScalarNode) else ""
        try:
            tiles.append(parse_tile(word))
        except ValueError:
            problems.append(at(item, "mistake.no_tile", word=word))
    return tuple(tiles)


def _moves(
    entries: Mapping[str, tuple[yaml.ScalarNode, yaml.Node]], format: int, problems: list[Problem]
) -> tuple[tuple[str, ...], tuple[SeatChange, ...]]:
    """The decisions as texts, and who decides from where on.

    A decision that is no text is kept as something that no rule understands, at its place.
    """
    if "moves" not in entries or _empty(entries["moves"][1]):
        return (), ()
    node = entries["moves"][1]
    if not isinstance(node, yaml.SequenceNode):
        problems.append(at(node, "mistake.no_list", key="moves"))
        return (), ()
    return _split_moves(
        [str(item.value) if isinstance(item, yaml.ScalarNode) else "[…]" for item in node.value], format
    )


def _split_moves(lines: Sequence[str], format: int) -> tuple[tuple[str, ...], tuple[SeatChange, ...]]:
    """The decisions among the lines under `moves`, and from version 2 on who decides from where on."""
    moves: list[str] = []
    changes: list[SeatChange] = []
    for text in lines:
        if format >= 2 and text.split(maxsplit=1)[:1] in (["computer"], ["person"]):
            changes.append(SeatChange(len(moves), text))
        else:
            moves.append(text)
    return tuple(moves), tuple(changes)
