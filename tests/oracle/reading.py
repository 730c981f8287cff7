"""Reads a record's text and replays it: every check of the record format, by hand."""

from __future__ import annotations

from typing import Any

import yaml

from oracle.model import Json, Match
from oracle.rules import HeadError, settle_rules
from oracle.table import Illegal
from oracle.tiles import Tile, tile_named

HEAD_KEYS = {"kozel-record", "ruleset", "options", "players", "pairs", "levels", "seed", "date", "rounds"}
ROUND_KEYS = {"hands", "bazaar", "opener", "moves"}
LEVELS = {"null", "novice", "amateur", "strong", "master"}


class RecordError(Exception):
    """A fault in a record, where it is: round and move counted from 1, or None."""

    def __init__(self, text: str, round_number: int | None = None, move_number: int | None = None) -> None:
        super().__init__(text)
        self.round_number = round_number
        self.move_number = move_number


def replay_text(text: str) -> Json:
    """What replaying the record gives, without `file` and `error`."""
    try:
        return replay(text).result()
    except RecordError as fault:
        return {"ok": False, "round": fault.round_number, "move": fault.move_number}


def replay(text: str) -> Match:
    """Raises RecordError."""
    record = load(text)
    match = read_head(record)
    rounds = listed(record.get("rounds", ""), None)
    for number, deal in enumerate(rounds, start=1):
        replay_round(match, deal, number)
    return match


def load(text: str) -> dict[str, Any]:
    try:
        record = yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        raise RecordError("not YAML") from error
    if not isinstance(record, dict):
        raise RecordError("not a mapping")
    return record


def read_head(record: dict[str, Any]) -> Match:
    if set(record) - HEAD_KEYS:
        raise RecordError("unknown keys")
    if record.get("kozel-record") != "1":
        raise RecordError("not a record of version 1")
    ruleset, players, pairs = record.get("ruleset"), record.get("players"), record.get("pairs")
    options = record.get("options", {})
    if not isinstance(ruleset, str) or not isinstance(options, dict) or not is_texts(players):
        raise RecordError("ruleset, players or options missing or of the wrong kind")
    if not is_texts(list(options.values())) or not isinstance(pairs, str | None):
        raise RecordError("an option or pairs is not a plain value")
    assert isinstance(players, list)
    try:
        rules = settle_rules(ruleset, len(players), pairs, options)
    except HeadError as error:
        raise RecordError(str(error)) from error
    check_levels(record, rules.seats)
    return Match(rules)


def check_levels(record: dict[str, Any], seats: int) -> None:
    if "levels" not in record:
        return
    levels = record["levels"]
    if not isinstance(levels, list) or len(levels) != seats or not is_texts(levels):
        raise RecordError("levels are not one a seat")
    if not set(levels) <= LEVELS:
        raise RecordError("unknown level")


def is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def listed(value: object, round_number: int | None) -> list[Any]:
    """A list as it stands; nothing written after the key is an empty list."""
    if value == "":
        return []
    if not isinstance(value, list):
        raise RecordError("not a list", round_number)
    return value


def replay_round(match: Match, deal: object, number: int) -> None:
    if match.table is not None:
        raise RecordError("the round before is unfinished", number)
    if match.over:
        raise RecordError("the match is over", number)
    if not isinstance(deal, dict) or set(deal) - ROUND_KEYS or "hands" not in deal:
        raise RecordError("not a round", number)
    hands = [tiles(hand, number) for hand in listed(deal["hands"], number)]
    bazaar = tiles(deal.get("bazaar", ""), number)
    moves = listed(deal.get("moves", ""), number)
    opener = read_opener(deal, number)
    try:
        match.deal(hands, bazaar, opener)
    except Illegal as fault:
        raise RecordError(str(fault), number) from fault
    for move_number, move in enumerate(moves, start=1):
        replay_move(match, str(move), number, move_number)


def replay_move(match: Match, move: str, number: int, move_number: int) -> None:
    try:
        match.decide(move)
    except Illegal as fault:
        raise RecordError(str(fault), number, move_number) from fault


def read_opener(deal: dict[str, Any], number: int) -> int | None:
    if "opener" not in deal:
        return None
    text = deal["opener"]
    if not isinstance(text, str) or not (text.isascii() and text.isdigit()):
        raise RecordError("opener is no seat", number)
    return int(text)


def tiles(value: object, number: int) -> list[Tile]:
    named = [tile_named(str(text)) for text in listed(value, number)]
    if None in named:
        raise RecordError("not a tile", number)
    return [tile for tile in named if tile is not None]
