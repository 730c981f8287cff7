"""What may stand in a rule's settings: the annotations that rule functions use, and how a file's text becomes their values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args, get_origin

import yaml

from kozel.engine.tiles import Tile, parse_tile
from kozel.locales import Phrase, phrase
from kozel.yamltree import Problem, at, listed, mapping, meant_answer, quoting, scalar, suggest


@dataclass(frozen=True)
class Whole:
    """A whole number from `low` to `high`."""

    low: int
    high: int

    @property
    def wanted(self) -> Phrase:
        """What is demanded, in words."""
        return phrase("mistake.whole_number", low=self.low, high=self.high)


@dataclass(frozen=True)
class OneTile:
    """A tile, written `6-6`."""

    wanted = phrase("mistake.one_tile")


@dataclass(frozen=True)
class SomeTiles:
    """A list of tiles, written `[0-0, 6-6]`."""

    wanted = phrase("mistake.some_tiles")


@dataclass(frozen=True)
class TilePoints:
    """Points for tiles, written `{0-0: 25, 6-6: 50}`."""

    wanted = phrase("mistake.tile_points")


@dataclass(frozen=True)
class InPairs:
    """Marks a setting that takes the place of another one where pairs play, and is that one where it is left out."""

    of: str


Target = Annotated[int, Whole(1, 1000)]
Stake = Annotated[int, Whole(1, 1_000_000)]
Points = Annotated[int, Whole(0, 1000)]
Times = Annotated[int, Whole(2, 10)]
Rounds = Annotated[int, Whole(1, 1000)]
ChosenTile = Annotated[Tile, OneTile()]
ChosenTiles = Annotated[tuple[Tile, ...], SomeTiles()]
PointsOfTiles = Annotated[Mapping[Tile, int], TilePoints()]
PointsInPairs = Annotated[int, Whole(0, 1000), InPairs("single")]
TargetInPairs = Annotated[int, Whole(1, 1000), InPairs("target")]


@dataclass(frozen=True)
class OneOf:
    """One of these words."""

    words: tuple[str, ...]

    @property
    def wanted(self) -> Phrase:
        """What is demanded, in words."""
        return quoting("mistake.one_of", words=listed(self.words))


@dataclass(frozen=True)
class YesOrNo:
    """Yes or no."""

    wanted = phrase("mistake.yes_or_no")


Kind = Whole | OneTile | SomeTiles | TilePoints | OneOf | YesOrNo
"""What an annotation demands; `wanted` says it in words."""


@dataclass(frozen=True)
class OptionRef:
    """A setting that takes the value of one of the ruleset's options, written `$target`."""

    name: str


_LIKE_DIGITS = str.maketrans("OОoоlIЗзб", "000011336")
"""Letters that are taken for digits."""


def kind_of(annotation: Any) -> Kind:
    """What an annotation demands."""
    if get_origin(annotation) is Annotated:
        kind = get_args(annotation)[1]
        assert isinstance(kind, (Whole, OneTile, SomeTiles, TilePoints))
        return kind
    if get_origin(annotation) is Literal:
        return OneOf(get_args(annotation))
    if annotation is bool:
        return YesOrNo()
    raise TypeError(f"{annotation} is no kind of setting")


def in_pairs(annotation: Any) -> str | None:
    """The setting whose place this one takes where pairs play; None for any other setting."""
    marks = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return next((mark.of for mark in marks if isinstance(mark, InPairs)), None)


def fits(value: object, annotation: Any) -> bool:
    """Is a plain value (of an option) one that the annotation allows?"""
    kind = kind_of(annotation)
    if isinstance(kind, YesOrNo):
        return isinstance(value, bool)
    if isinstance(kind, OneOf):
        return value in kind.words
    return isinstance(kind, Whole) and type(value) is int and kind.low <= value <= kind.high


def read_setting(node: yaml.Node, annotation: Any, name: str, problems: list[Problem]) -> Any:
    """The value of a setting, or an `OptionRef`; None, with a problem noted, where it is neither."""
    kind = kind_of(annotation)
    if isinstance(node, yaml.ScalarNode) and not node.style and node.value.startswith("$"):
        if isinstance(kind, (OneTile, SomeTiles, TilePoints)):
            problems.append(at(node, "mistake.not_from_option", name=name, wanted=kind.wanted))
            return None
        return OptionRef(node.value[1:])
    if isinstance(kind, SomeTiles):
        return _read_tiles(node, name, problems)
    if isinstance(kind, TilePoints):
        return _read_points(node, name, problems)
    if not isinstance(node, yaml.ScalarNode):
        problems.append(at(node, "mistake.must_be", name=name, wanted=kind.wanted))
        return None
    if isinstance(kind, OneTile):
        return _read_tile(node, problems)
    value = scalar(node)
    if fits(value, annotation):
        return value
    wrong = quoting("mistake.must_be_not", name=name, wanted=kind.wanted, given=node.value)
    answer = meant_answer(node.value) if isinstance(kind, YesOrNo) else None
    number = node.value.translate(_LIKE_DIGITS) if isinstance(kind, Whole) else ""
    if answer or number.isdecimal():
        wrong = quoting("mistake.hinted", text=wrong, hint=quoting("mistake.write_instead", text=answer or number))
    elif isinstance(kind, OneOf):
        wrong = quoting("mistake.hinted", text=wrong, hint=suggest(str(node.value), kind.words))
    problems.append(at(node, wrong))
    return None


def _read_tile(node: yaml.Node, problems: list[Problem]) -> Tile | None:
    if not isinstance(node, yaml.ScalarNode):
        problems.append(at(node, "mistake.tile_expected"))
        return None
    try:
        return parse_tile(node.value)
    except ValueError:
        problems.append(at(node, "mistake.no_tile", word=node.value))
        return None


def _read_tiles(node: yaml.Node, name: str, problems: list[Problem]) -> tuple[Tile, ...] | None:
    if not isinstance(node, yaml.SequenceNode):
        problems.append(at(node, "mistake.must_be", name=name, wanted=SomeTiles.wanted))
        return None
    tiles = [_read_tile(item, problems) for item in node.value]
    for item, tile in zip(node.value, tiles, strict=True):
        if tile is not None and tiles.count(tile) > 1:
            problems.append(at(item, "mistake.tile_twice", tile=item.value, name=name))
    return tuple(tile for tile in tiles if tile is not None)


def _read_points(node: yaml.Node, name: str, problems: list[Problem]) -> Mapping[Tile, int] | None:
    if not isinstance(node, yaml.MappingNode):
        problems.append(at(node, "mistake.must_be", name=name, wanted=TilePoints.wanted))
        return None
    points: dict[Tile, int] = {}
    for key, value in mapping(node, name, problems).values():
        tile = _read_tile(key, problems)
        number = read_setting(value, Points, key.value, problems)
        if isinstance(number, OptionRef):
            problems.append(at(value, "mistake.points_from_option", name=name))
        elif tile in points:
            problems.append(at(key, "mistake.tile_twice", tile=key.value, name=name))
        elif tile is not None and number is not None:
            points[tile] = number
    return points
