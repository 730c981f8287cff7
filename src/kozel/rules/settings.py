"""What may stand in a rule's settings: the annotations that rule functions use, and how a file's text becomes their values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args, get_origin

import yaml

from kozel.engine.tiles import parse_tile
from kozel.yamltree import Problem, at, mapping, scalar, shown, suggest


@dataclass(frozen=True)
class Whole:
    """A whole number from `low` to `high`."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"a whole number from {self.low} to {self.high}"


@dataclass(frozen=True)
class OneTile:
    """A tile, written `6-6`."""

    def __str__(self) -> str:
        return "a tile such as 6-6"


@dataclass(frozen=True)
class SomeTiles:
    """A list of tiles, written `[0-0, 6-6]`."""

    def __str__(self) -> str:
        return "a list of tiles such as [0-0, 6-6]"


@dataclass(frozen=True)
class TilePoints:
    """Points for tiles, written `{0-0: 25, 6-6: 50}`."""

    def __str__(self) -> str:
        return "points for tiles such as {0-0: 25, 6-6: 50}"


Target = Annotated[int, Whole(1, 1000)]
Stake = Annotated[int, Whole(1, 1_000_000)]
Points = Annotated[int, Whole(0, 1000)]
Times = Annotated[int, Whole(2, 10)]
Rounds = Annotated[int, Whole(1, 1000)]
Tile = Annotated[int, OneTile()]
Tiles = Annotated[tuple[int, ...], SomeTiles()]
PointsOfTiles = Annotated[Mapping[int, int], TilePoints()]


@dataclass(frozen=True)
class OptionRef:
    """A setting that takes the value of one of the ruleset's options, written `$target`."""

    name: str


def kind_of(annotation: Any) -> object:
    """What an annotation demands, as something that `str` says in words."""
    if get_origin(annotation) is Annotated:
        return get_args(annotation)[1]
    if get_origin(annotation) is Literal:
        return f"one of {', '.join(map(str, get_args(annotation)))}"
    if annotation is bool:
        return "yes or no"
    raise TypeError(f"{annotation} is no kind of setting")


def fits(value: object, annotation: Any) -> bool:
    """Is a plain value (of an option) one that the annotation allows?"""
    if annotation is bool:
        return isinstance(value, bool)
    if get_origin(annotation) is Literal:
        return value in get_args(annotation)
    kind = kind_of(annotation)
    return isinstance(kind, Whole) and type(value) is int and kind.low <= value <= kind.high


def read_setting(node: yaml.Node, annotation: Any, name: str, problems: list[Problem]) -> Any:
    """The value of a setting, or an `OptionRef`; None, with a problem noted, where it is neither."""
    kind = kind_of(annotation)
    if isinstance(node, yaml.ScalarNode) and not node.style and node.value.startswith("$"):
        if isinstance(kind, (OneTile, SomeTiles, TilePoints)):
            problems.append(at(node, f"'{name}' cannot come from an option: write {kind}"))
            return None
        return OptionRef(node.value[1:])
    if isinstance(kind, SomeTiles):
        return _read_tiles(node, name, problems)
    if isinstance(kind, TilePoints):
        return _read_points(node, name, problems)
    if not isinstance(node, yaml.ScalarNode):
        problems.append(at(node, f"'{name}' must be {kind}"))
        return None
    if isinstance(kind, OneTile):
        return _read_tile(node, problems)
    value = scalar(node)
    if fits(value, annotation):
        return value
    hint = ""
    if get_origin(annotation) is Literal:
        hint = f"; {suggest(str(node.value), get_args(annotation))}"
    problems.append(at(node, f"'{name}' must be {kind}, not '{shown(node.value)}'{hint}"))
    return None


def _read_tile(node: yaml.Node, problems: list[Problem]) -> int | None:
    if not isinstance(node, yaml.ScalarNode):
        problems.append(at(node, "a tile such as 6-6 is expected"))
        return None
    try:
        return parse_tile(node.value)
    except ValueError:
        problems.append(at(node, f"'{shown(node.value)}' is no tile: write two numbers from 0 to 6, such as 2-5"))
        return None


def _read_tiles(node: yaml.Node, name: str, problems: list[Problem]) -> tuple[int, ...] | None:
    if not isinstance(node, yaml.SequenceNode):
        problems.append(at(node, f"'{name}' must be {SomeTiles()}"))
        return None
    tiles = [_read_tile(item, problems) for item in node.value]
    for item, tile in zip(node.value, tiles, strict=True):
        if tile is not None and tiles.count(tile) > 1:
            problems.append(at(item, f"tile {item.value} stands twice in '{name}'"))
    return tuple(tile for tile in tiles if tile is not None)


def _read_points(node: yaml.Node, name: str, problems: list[Problem]) -> Mapping[int, int] | None:
    if not isinstance(node, yaml.MappingNode):
        problems.append(at(node, f"'{name}' must be {TilePoints()}"))
        return None
    points: dict[int, int] = {}
    for key, value in mapping(node, f"'{name}'", problems).values():
        tile = _read_tile(key, problems)
        number = read_setting(value, Points, shown(key.value), problems)
        if isinstance(number, OptionRef):
            problems.append(at(value, f"points of a tile in '{name}' must be a number"))
        elif tile in points:
            problems.append(at(key, f"tile {key.value} stands twice in '{name}'"))
        elif tile is not None and number is not None:
            points[tile] = number
    return points
