"""Events, views and decisions as plain data: what another process can be sent, and what reads back equal.

Plain data are None, bools, ints, strings, lists, and dicts with string keys, as JSON has them. A named tuple of the engine
is a dict with its class under `is`; a decision is its notation; any other tuple is a list.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from kozel.engine import events
from kozel.engine.ledger import Ledger, MatchEnd, Note, RoundSummary
from kozel.engine.moves import DRAW, END_NAMES, KEEP, OPENINGS, REDEAL, START, Lay, Move, laying
from kozel.engine.seen import View
from kozel.engine.tiles import is_double, parse_tile

Plain = None | bool | int | str | list[Any] | dict[str, Any]
_KINDS: dict[str, Any] = {
    kind.__name__: kind for kind in (*events.Event.__args__, Ledger, MatchEnd, Note, RoundSummary, View)
}
_WORDS = {move.text: move for move in (DRAW, KEEP, REDEAL)}


class NotPlain(ValueError):
    """Data that nothing of the engine was made into; the message says what and where."""


def plain(value: object) -> Plain:
    """An event, a view, a ledger, a decision, or tuples of them, as plain data. Raises `NotPlain` for anything else."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Move):
        return {"is": "Move", "text": value.text}
    if isinstance(value, tuple):
        name = type(value).__name__
        if _KINDS.get(name) is type(value):
            fields: tuple[str, ...] = value._fields  # type: ignore[attr-defined]
            return {"is": name, **{field: plain(each) for field, each in zip(fields, value, strict=True)}}
        return [plain(each) for each in value]
    raise NotPlain(f"{type(value).__name__} cannot be made plain")


def read_plain(data: object) -> Any:
    """What `plain` made this data of. Raises `NotPlain` for anything that it cannot have made."""
    if data is None or isinstance(data, (bool, int, str)):
        return data
    if isinstance(data, list):
        return tuple([read_plain(each) for each in data])
    if isinstance(data, dict):
        return _read(data)
    raise NotPlain(f"{type(data).__name__} is no plain data")


def read_move(text: str) -> Move:
    """The decision of this notation, the end written where a chain is there. Raises `NotPlain`."""
    if text in _WORDS:
        return _WORDS[text]
    try:
        lays = tuple([_read_lay(part) for part in text.split(" + ")])
    except ValueError as error:
        raise NotPlain(f"'{text}' is no decision: {error}") from None
    if len(lays) == 1 and lays[0].end == START:
        return OPENINGS[lays[0].tile]
    if len({lay.tile for lay in lays}) < len(lays) or len({lay.end for lay in lays}) < len(lays):
        raise NotPlain(f"'{text}' is no decision: a tile or an end stands there twice")
    if len(lays) > 1 and not all(is_double(lay.tile) and lay.end != START for lay in lays):
        raise NotPlain(f"'{text}' is no decision: only doubles are laid together, each on its end")
    return laying(*lays)


def _read_lay(text: str) -> Lay:
    tile, *rest = text.split(" ")
    closed = rest[1:] == ["closed"]
    if len(rest) > 1 + closed or (rest and rest[0] not in END_NAMES):
        raise ValueError(f"'{text}' is no tile on an end")
    number = parse_tile(tile)
    if closed and not is_double(number):
        raise ValueError(f"'{text}': only a double can be closed")
    return Lay(number, END_NAMES.index(rest[0]) if rest else START, closed)


def _read(data: dict[str, Any]) -> Any:
    name = data.get("is")
    if name == "Move":
        text = data.get("text")
        if not isinstance(text, str) or len(data) != 2:
            raise NotPlain("a decision without its text")
        return read_move(text)
    kind: type[NamedTuple] | None = _KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise NotPlain(f"nothing is called '{name}'")
    fields = kind._fields
    if set(data) != {"is", *fields}:
        raise NotPlain(f"{name} has the fields {', '.join(fields)}")
    return kind(*(read_plain(data[field]) for field in fields))
