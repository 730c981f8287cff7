"""A deal that proves itself, as a record's head holds it, and the promise of it that a player's own program kept."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import yaml

from kozel.engine.shuffle import SECRET_BYTES, Shuffle, addition_hash
from kozel.locales import phrase
from kozel.records.promised import Unlike
from kozel.records.writing import quoted
from kozel.yamltree import BadFile, Problem, at, compose, mapping, read_bytes, scalar, suggest

KEYS = ("secret", "commitment", "hashes", "additions")
_PROMISE_KEYS = ("commitment", "hashes", "addition", "seat")
_HEX = re.compile(r"[0-9a-fA-F]{64}")
_Entries = Mapping[str, tuple[yaml.ScalarNode, yaml.Node]]


def shuffle_lines(shuffle: Shuffle) -> list[str]:
    """The lines of a record's head that hold it."""
    lines = ["shuffle:", f'  secret: "{shuffle.secret.hex()}"', f'  commitment: "{shuffle.commitment}"']
    for key, texts in (("hashes", shuffle.hashes), ("additions", shuffle.additions)):
        lines.append(f"  {key}: [" + ", ".join("null" if text is None else quoted(text) for text in texts) + "]")
    return lines


def read_shuffle(node: yaml.Node, seats: int, problems: list[Problem]) -> Shuffle | None:
    """The `shuffle` of a head, what it promises checked; what is wrong goes to `problems`."""
    before = len(problems)
    entries = mapping(node, "shuffle", problems)
    for key, (key_node, _) in entries.items():
        if key not in KEYS:
            problems.append(at(key_node, "mistake.shuffle_key", key=key, hint=suggest(key, KEYS)))
    problems += [at(node, "mistake.line_missing", line=f"{key}: …") for key in KEYS if key not in entries]
    if len(problems) > before:
        return None
    secret = _hex(entries, "secret", problems)
    commitment = _hex(entries, "commitment", problems)
    hashes = _texts(entries, "hashes", seats, problems)
    additions = _texts(entries, "additions", seats, problems)
    for seat, text in enumerate(hashes):
        if text is not None and not _HEX.fullmatch(text):
            problems.append(at(_item(entries, "hashes", seat), "mistake.shuffle_hash_form", digits=2 * SECRET_BYTES))
    if len(problems) > before:
        return None
    shuffle = Shuffle(bytes.fromhex(secret), additions)
    if shuffle.commitment != commitment.lower():
        problems.append(at(entries["commitment"][1], "mistake.shuffle_commitment"))
    for seat, (written, computed) in enumerate(zip(hashes, shuffle.hashes, strict=True)):
        if (written and written.lower()) != computed:
            place = _item(entries, "hashes", seat)
            problems.append(at(place, "mistake.shuffle_hash", seat=seat))
    return shuffle if len(problems) == before else None


def _hex(entries: _Entries, key: str, problems: list[Problem]) -> str:
    node = entries[key][1]
    text = node.value if isinstance(node, yaml.ScalarNode) else ""
    if not _HEX.fullmatch(text):
        problems.append(at(node, "mistake.shuffle_hex", key=key, digits=2 * SECRET_BYTES))
    return str(text)


def _texts(entries: _Entries, key: str, seats: int | None, problems: list[Problem]) -> tuple[str | None, ...]:
    """A list with a text, or null, for each seat."""
    node = entries[key][1]
    if not isinstance(node, yaml.SequenceNode) or (seats is not None and len(node.value) != seats):
        problems.append(at(node, "mistake.shuffle_list", key=key))
        return ()
    texts: list[str | None] = []
    for item in node.value:
        if not isinstance(item, yaml.ScalarNode):
            problems.append(at(item, "mistake.shuffle_list", key=key))
            return ()
        texts.append(None if not item.style and scalar(item) is None else str(item.value))
    return tuple(texts)


def _item(entries: _Entries, key: str, place: int) -> yaml.Node:
    node: yaml.Node = entries[key][1].value[place]
    return node


# what a player's own program kept


class Promise(NamedTuple):
    """What a player was promised before the first deal: the dealer's commitment, all hashes, and the own `addition` at a `seat`.

    `addition`: None where the player added nothing; `seat`: None where the promise does not say it.
    """

    commitment: str
    hashes: tuple[str | None, ...]
    addition: str | None
    seat: int | None


def promise_text(promise: Promise) -> str:
    """A promise as its file holds it: a JSON object."""
    return json.dumps(promise._asdict(), indent=1) + "\n"


def read_promise(path: Path) -> Promise:
    """The promise in a file, JSON or YAML: `commitment`, `hashes`, `addition`, `seat`; other keys are passed over.

    Raises `BadFile`.
    """
    problems: list[Problem] = []
    root = compose(read_bytes(path), str(path))
    entries = mapping(root, phrase("mistake.a_promise"), problems)
    problems += [at(root, "mistake.line_missing", line=f"{key}: …") for key in _PROMISE_KEYS[:3] if key not in entries]
    if problems:
        raise BadFile(problems)
    commitment = _hex(entries, "commitment", problems)
    hashes = _texts(entries, "hashes", None, problems)
    addition = entries["addition"][1]
    own: str | None = None
    if not isinstance(addition, yaml.ScalarNode):
        problems.append(at(addition, "mistake.promise_addition_form"))
    elif addition.style or scalar(addition) is not None:
        own = str(addition.value)
    seat = _seat(entries, len(hashes), problems)
    if problems:
        raise BadFile(problems)
    return Promise(commitment.lower(), tuple(text and text.lower() for text in hashes), own, seat)


def _seat(entries: _Entries, seats: int, problems: list[Problem]) -> int | None:
    if "seat" not in entries:
        return None
    node = entries["seat"][1]
    seat = scalar(node) if isinstance(node, yaml.ScalarNode) else ""
    if seat is None or (type(seat) is int and 0 <= seat < seats):
        return seat
    problems.append(at(node, "mistake.promise_seat", last=seats - 1))
    return None


def compare(shuffle: Shuffle | None, promise: Promise) -> None:
    """Is this what was promised? Raises `Unlike`."""
    if shuffle is None:
        raise Unlike("promise_no_shuffle")
    if shuffle.commitment != promise.commitment:
        raise Unlike("promise_commitment")
    if len(promise.hashes) != len(shuffle.hashes):
        raise Unlike("promise_seats", found=len(shuffle.hashes), wanted=len(promise.hashes))
    for seat, (kept, written) in enumerate(zip(promise.hashes, shuffle.hashes, strict=True)):
        if kept != written:
            raise Unlike("promise_hash", seat=seat)
    if promise.seat is not None:
        if shuffle.additions[promise.seat] != promise.addition:
            raise Unlike("promise_addition")
    elif promise.addition is not None and addition_hash(promise.addition) not in shuffle.hashes:
        raise Unlike("promise_addition")
