"""What goes over the wire of door two: one JSON object a line, in UTF-8; `docs/protocol.md` says which there are."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable
from typing import Any

from kozel.engine.round import Refused

log = logging.getLogger(__name__)

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


async def answered(doing: Awaitable[Message], passing: tuple[type[Exception], ...] = ()) -> Message:
    """What is answered to a request that is carried out: `ok` with what comes of it, `no` or `refused` with the reason.

    Exceptions that are `passing` are no answers.
    """
    try:
        return {"ok": await doing}
    except passing:
        raise
    except Declined as no:
        return {"no": no.kind, "facts": plain_facts(no.facts)}
    except Refused as no:
        return {"refused": no.kind, "facts": plain_facts(no.facts)}
    except OSError as error:
        log.warning("not written: %s", error)
        return {"no": "not_kept", "facts": {"why": error.strerror or "?"}}
    except Exception:
        log.exception("a request")
        return {"no": "fault", "facts": {}}


def result_of(answer: Message) -> Message:
    """What came of a request. Raises `Declined`, `Refused` as they are in the answer."""
    if isinstance(answer.get("ok"), dict):
        ok: Message = answer["ok"]
        return ok
    facts = answer.get("facts")
    facts = {str(name): value for name, value in facts.items()} if isinstance(facts, dict) else {}
    if "refused" in answer:
        raise Refused(str(answer["refused"]), **facts)
    raise Declined(str(answer.get("no")), **facts)


def plain_facts(facts: Any) -> Message:
    """The facts of a refusal as JSON has them."""

    def one(value: object) -> object:
        if isinstance(value, (list, tuple)):
            return [one(each) for each in value]
        if value is None or isinstance(value, (bool, int, str)):
            return value
        return str(value)

    return {str(name): one(value) for name, value in dict(facts).items()}


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
