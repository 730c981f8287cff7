"""What goes over the wire of door two: one JSON object a line, in UTF-8; `docs/protocol.md` says which there are."""

from __future__ import annotations

import json
from typing import Any

VERSION = 1
"""The protocol's version. A side that speaks no common one is told so in a sentence."""
SUBSYSTEM = "kozel"
"""The SSH subsystem of door two."""
LONGEST_REQUEST = 4096
"""Bytes of a client's line; a longer one ends the connection."""
LONGEST_ANSWER = 4_000_000
"""Bytes of a server's line, which may hold a whole record."""

Message = dict[str, Any]


class Declined(Exception):
    """What was asked for is not done. `kind` names the sentence (`net.no_KIND`) and `facts` fill it."""

    def __init__(self, kind: str, **facts: object) -> None:
        self.kind, self.facts = kind, facts
        super().__init__(kind)


class BadLine(ValueError):
    """A line that is no message."""


def encode(message: Message) -> bytes:
    """A message as a line."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def decode(line: bytes) -> Message:
    """The message of a line. Raises `BadLine`.

    >>> decode(b'{"do":"lobby","id":1}')
    {'do': 'lobby', 'id': 1}
    """
    try:
        message = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise BadLine("no JSON") from None
    if not isinstance(message, dict):
        raise BadLine("no object")
    return message


def text_of(message: Message, name: str, longest: int = 200) -> str:
    """A text in a request. Raises `Declined`."""
    value = message.get(name)
    if not isinstance(value, str) or not value or len(value) > longest:
        raise Declined("bad_request", field=name)
    return value


def number_of(message: Message, name: str, least: int, most: int) -> int:
    """A whole number in a request. Raises `Declined`."""
    value = message.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Declined("bad_request", field=name)
    return value


def flag_of(message: Message, name: str, default: bool) -> bool:
    """A yes or no in a request. Raises `Declined`."""
    value = message.get(name, default)
    if not isinstance(value, bool):
        raise Declined("bad_request", field=name)
    return value


def _no_number(text: str) -> float:
    raise ValueError(text)
