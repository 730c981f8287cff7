"""Writes a record as YAML, in one of the ways a person or a program might write it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Any

Record = dict[str, Any]


@dataclass(frozen=True)
class Style:
    """How lists are written: hands always in one line; moves in one line or one a line; with comments or not."""

    moves_in_one_line: bool = True
    comments: bool = False
    final_newline: bool = True


def random_style(rng: Random) -> Style:
    return Style(rng.random() < 0.6, rng.random() < 0.2, rng.random() < 0.9)


def flow(values: list[str]) -> str:
    return "[" + ", ".join(values) + "]"


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def write_record(record: Record, style: Style) -> str:
    """`record` holds texts as written, lists of them, and `rounds`; whatever is no list or mapping stands as it is."""
    lines = []
    if style.comments:
        lines.append("# A match, written for a test.")
    for key, value in record.items():
        if key == "rounds" and isinstance(value, list) and value:
            lines.append("rounds:")
            for deal in value:
                lines.extend(round_lines(deal, style))
        elif isinstance(value, dict):
            lines.append(f"{key}: {{" + ", ".join(f"{name}: {item}" for name, item in value.items()) + "}")
        elif isinstance(value, list):
            lines.append(f"{key}: {flow(value)}")
        else:
            lines.append(f"{key}: {value}")
    return "\n".join(lines) + ("\n" if style.final_newline else "")


def round_lines(deal: Any, style: Style) -> list[str]:
    if not isinstance(deal, dict) or not deal:
        return [f"  - {deal or '{}'}"]
    lines = []
    for key, value in deal.items():
        if not isinstance(value, list):
            lines.append(f"{key}: {value}")
        elif key == "hands" and value:
            lines.append("hands:")
            lines.extend(f"  - {flow(hand)}" if isinstance(hand, list) else f"  - {hand}" for hand in value)
        elif key == "moves" and value and not style.moves_in_one_line:
            lines.append("moves:" + ("   # decision by decision" if style.comments else ""))
            lines.extend(f"  - {move}" for move in value)
        else:
            lines.append(f"{key}: {flow(value)}")
    return [f"  - {lines[0]}", *(f"    {line}" for line in lines[1:])]
