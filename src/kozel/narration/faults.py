"""Why a deal or a move of a game record breaks the rules, as a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from kozel.engine.round import Refused
from kozel.locales import message


def fault_sentence(lang: str, fault: Refused, players: Sequence[str]) -> str:
    """The sentence of a fault; `players` are the names by seat."""
    facts = dict(fault.facts)
    seat = facts.pop("seat", None)
    if isinstance(seat, int):
        facts["player"] = players[seat]
    return message(lang, f"fault.{fault.kind}", **facts)


def placed_fault(lang: str, fault: Refused, players: Sequence[str], round_number: int, move: int | None) -> str:
    """The same with its place: round and move, counted from 1; `move` None where the deal is at fault."""
    text = fault_sentence(lang, fault, players)
    if move is None:
        return message(lang, "fault.at_round", round=round_number, text=text)
    return message(lang, "fault.at_move", round=round_number, move=move, text=text)
