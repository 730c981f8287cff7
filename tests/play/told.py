"""The decisions that a transcript has told, and whether a record holds them all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from oracle.reading import load
from play.hearing import ends_offered, tiles_named
from play.program import Line

_ROUND = re.compile(r"(?:Round|Раунд) (\d+)")
_WHO = re.compile(r"\w+(?: opens| заходит)?: ")
_OWN_DRAW = re.compile(r"(?:Drawn|Взято): ")


def missing(record: bytes, lines: Sequence[Line], lang: str) -> list[str]:
    """What these lines told of one match and its record does not hold. `lines` begin with the match."""
    rounds: list[dict[str, Any]] = load(record.decode())["rounds"] or []
    by_hand = b'\nruleset: "kozel-1x1"' not in record
    faults: list[str] = []
    number = laid = drawn = 0
    for line in lines:
        if line.kind != "event":
            continue
        began = _ROUND.match(line.text)
        if began:
            number, laid, drawn = int(began[1]), 0, 0
            if number > len(rounds):
                faults.append(f"round {number} was told: {line}")
        elif by_hand and _OWN_DRAW.match(line.text):
            drawn += 1
            if drawn > len(_moves(rounds, number, "draw")):
                faults.append(f"draw {drawn} of round {number} was told: {line}")
        elif line.to is None and _laid(line.text, lang):
            laid += 1
            if _moves(rounds, number, "-")[laid - 1 : laid] != [_laid(line.text, lang)]:
                faults.append(f"round {number}, move {laid} was told: {line}")
    return faults


def _laid(text: str, lang: str) -> str:
    """The move that a line tells, in a record's notation; '' for none. The own move of a lone person names nobody."""
    said = _WHO.sub("", text.split(";", maxsplit=1)[0].split(". ", maxsplit=1)[0], count=1)
    tiles, ends = tiles_named(said, lang), ends_offered(said, lang)
    if not tiles or tiles_named(said.split(",")[0].rstrip("."), lang) == [] or len(ends) not in (0, len(tiles)):
        return ""
    closed = [" closed" if re.search("closed|закрыт", part) else "" for part in said.split(",")][-len(tiles) :]
    return " + ".join(
        f"{tile} {end}{shut}".strip() for tile, end, shut in zip(tiles, ends or [""], closed, strict=False)
    )


def _moves(rounds: list[dict[str, Any]], number: int, holding: str) -> list[str]:
    moves = rounds[number - 1]["moves"] if number <= len(rounds) else []
    return [move for move in moves or [] if holding in move]
