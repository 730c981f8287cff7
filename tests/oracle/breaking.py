"""Damages to records, for the place that a replay gives to an error."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import yaml

from oracle.rules import OPTIONS, SEATS
from oracle.tiles import ALL_TILES, name
from oracle.writing import Record, quoted, random_style, write_record

Damage = Callable[[Random, Record], bool]

END_WORDS = ("left", "right", "up", "down")
NONSENSE = ("slide it over", "7-1", "1-2-3", "1-2 sideways", "2-2 closed closed", "left", "12", "pass", "0-0 + ", "F4")
BAD_VALUES = ("0", "1001", "-5", "many", "1.5", "maybe", "[1]", "two", "9999999")


def break_record(rng: Random, text: str) -> str:
    """The record with one thing changed. Mostly that is a fault; now and then the rules allow it all the same."""
    while True:
        broken = damaged(rng, text, rng.choice(DAMAGES))
        if broken is not None:
            return broken


def damaged(rng: Random, text: str, damage: Damage) -> str | None:
    """The record with this damage done; None where it finds nothing to damage."""
    record = yaml.load(text, Loader=yaml.BaseLoader)
    record["players"] = [quoted(player) for player in record["players"]]
    return write_record(record, random_style(rng)) if damage(rng, record) else None


def rounds_of(record: Record) -> list[dict[str, Any]]:
    rounds = record["rounds"]
    return rounds if isinstance(rounds, list) else []


def some_round(rng: Random, record: Record) -> dict[str, Any] | None:
    rounds = rounds_of(record)
    return rng.choice(rounds) if rounds else None


def some_moves(rng: Random, record: Record) -> list[str] | None:
    """The moves of one round that has any."""
    with_moves = [deal["moves"] for deal in rounds_of(record) if deal["moves"]]
    return rng.choice(with_moves) if with_moves else None


# Damages to moves; each says whether it could be done


def another_move(rng: Random, record: Record) -> bool:
    moves = some_moves(rng, record)
    if moves is None:
        return False
    tile = name(rng.choice(ALL_TILES))
    moves[rng.randrange(len(moves))] = rng.choice((tile, f"{tile} left", f"{tile} right", f"{tile} up", "draw"))
    return True


def nonsense_move(rng: Random, record: Record) -> bool:
    moves = some_moves(rng, record)
    if moves is None:
        return False
    moves[rng.randrange(len(moves))] = rng.choice(NONSENSE)
    return True


def another_end(rng: Random, record: Record) -> bool:
    return change_word(rng, record, lambda word: rng.choice([end for end in END_WORDS if end != word]))


def no_end(rng: Random, record: Record) -> bool:
    return change_word(rng, record, lambda _: "")


def change_word(rng: Random, record: Record, new_word: Callable[[str], str]) -> bool:
    moves = some_moves(rng, record)
    places = [place for place, move in enumerate(moves or []) if any(end in move.split() for end in END_WORDS)]
    if moves is None or not places:
        return False
    place = rng.choice(places)
    words = moves[place].split()
    at = rng.choice([at for at, word in enumerate(words) if word in END_WORDS])
    words[at] = new_word(words[at])
    moves[place] = " ".join(word for word in words if word)
    return True


def end_for_the_opening(rng: Random, record: Record) -> bool:
    moves = some_moves(rng, record)
    if moves is None:
        return False
    moves[0] += rng.choice((" left", " right", " closed"))
    return True


def closed_or_not(rng: Random, record: Record) -> bool:
    moves = some_moves(rng, record)
    if moves is None:
        return False
    place = rng.randrange(len(moves))
    moves[place] = moves[place][: -len(" closed")] if moves[place].endswith(" closed") else moves[place] + " closed"
    return True


def several_at_once(rng: Random, record: Record) -> bool:
    moves = some_moves(rng, record)
    if moves is None or len(moves) < 3:
        return False
    place = rng.randrange(1, len(moves) - 1)
    moves[place : place + 2] = [" + ".join(moves[place : place + 2])]
    return True


def parts_turned(rng: Random, record: Record) -> bool:
    places = [
        (deal["moves"], place) for deal in rounds_of(record) for place, move in enumerate(deal["moves"]) if "+" in move
    ]
    if not places:
        return False
    moves, place = rng.choice(places)
    moves[place] = " + ".join(reversed(moves[place].split(" + ")))
    return True


def part_twice(rng: Random, record: Record) -> bool:
    moves = some_moves(rng, record)
    if moves is None:
        return False
    place = rng.randrange(len(moves))
    moves[place] = f"{moves[place]} + {moves[place].split(' + ')[0]}"
    return True


def inserted_word(rng: Random, record: Record) -> bool:
    deal = some_round(rng, record)
    if deal is None:
        return False
    deal["moves"].insert(rng.randint(0, len(deal["moves"])), rng.choice(("draw", "draw", "keep", "redeal")))
    return True


def dropped_move(rng: Random, record: Record) -> bool:
    moves = some_moves(rng, record)
    if moves is None:
        return False
    del moves[rng.randrange(len(moves))]
    return True


def swapped_moves(rng: Random, record: Record) -> bool:
    moves = some_moves(rng, record)
    if moves is None or len(moves) < 2:
        return False
    place = rng.randrange(len(moves) - 1)
    moves[place], moves[place + 1] = moves[place + 1], moves[place]
    return True


def moves_after_the_end(rng: Random, record: Record) -> bool:
    deal = some_round(rng, record)
    if deal is None:
        return False
    deal["moves"].append(rng.choice(("draw", "keep", "1-2 left", *deal["moves"][-1:])))
    return True


def round_cut_short(rng: Random, record: Record) -> bool:
    moves = some_moves(rng, record)
    if moves is None:
        return False
    del moves[rng.randrange(len(moves)) :]
    return True


# Damages to deals


def some_tiles(rng: Random, record: Record) -> list[str] | None:
    deal = some_round(rng, record)
    if deal is None:
        return None
    not_empty: list[list[str]] = [tiles for tiles in (*deal["hands"], deal.get("bazaar")) if tiles]
    return rng.choice(not_empty)


def tile_missing(rng: Random, record: Record) -> bool:
    tiles = some_tiles(rng, record)
    if not tiles:
        return False
    del tiles[rng.randrange(len(tiles))]
    return True


def tile_replaced(rng: Random, record: Record) -> bool:
    tiles = some_tiles(rng, record)
    if not tiles:
        return False
    tiles[rng.randrange(len(tiles))] = rng.choice((name(rng.choice(ALL_TILES)), "7-7", "0-7", "tile", "1-", "3"))
    return True


def tile_added(rng: Random, record: Record) -> bool:
    tiles = some_tiles(rng, record)
    if not tiles:
        return False
    tiles.insert(rng.randint(0, len(tiles)), name(rng.choice(ALL_TILES)))
    return True


def tile_moved(rng: Random, record: Record) -> bool:
    """From one hand to the bazaar or another hand: the 28 tiles remain, the sizes do not."""
    deal = some_round(rng, record)
    if deal is None:
        return False
    source, target = rng.sample([*deal["hands"], deal.setdefault("bazaar", [])], 2)
    if not source:
        return False
    target.append(source.pop())
    return True


def hands_exchanged(rng: Random, record: Record) -> bool:
    deal = some_round(rng, record)
    if deal is None:
        return False
    rng.shuffle(deal["hands"])
    return True


def tiles_exchanged(rng: Random, record: Record) -> bool:
    """Two tiles of two hands change places: the deal is sound, the moves may not be."""
    deal = some_round(rng, record)
    if deal is None:
        return False
    one, other = rng.sample(deal["hands"], 2)
    here, there = rng.randrange(len(one)), rng.randrange(len(other))
    one[here], other[there] = other[there], one[here]
    return True


def hand_missing(rng: Random, record: Record) -> bool:
    deal = some_round(rng, record)
    if deal is None:
        return False
    if rng.random() < 0.5:
        deal["hands"].pop()
    else:
        deal["hands"].append([])
    return True


def opener_changed(rng: Random, record: Record) -> bool:
    deal = some_round(rng, record)
    if deal is None:
        return False
    if "opener" in deal and rng.random() < 0.5:
        del deal["opener"]
    else:
        deal["opener"] = rng.choice(("0", "1", "2", "3", "4", "-1", "Anna", "[0]"))
    return True


def unknown_round_key(rng: Random, record: Record) -> bool:
    deal = some_round(rng, record)
    if deal is None:
        return False
    deal[rng.choice(("move", "hand", "winner", "stock"))] = "1"
    return True


def malformed_round(rng: Random, record: Record) -> bool:
    deal = some_round(rng, record)
    if deal is None:
        return False
    if rng.random() < 0.5:
        del deal["hands"]
    else:
        deal[rng.choice(("hands", "moves", "bazaar"))] = "nothing"
    return True


def no_round_at_all(rng: Random, record: Record) -> bool:
    rounds = rounds_of(record)
    if not rounds:
        return False
    record["rounds"].insert(rng.randint(0, len(rounds)), rng.choice(({}, "a round", "[]")))
    return True


def extra_round(rng: Random, record: Record) -> bool:
    """Often after an unfinished round, or after the match's end."""
    deal = some_round(rng, record)
    if deal is None:
        return False
    record["rounds"].append({**deal, "moves": list(deal["moves"])})
    return True


def dropped_round(rng: Random, record: Record) -> bool:
    rounds = rounds_of(record)
    if len(rounds) < 2:
        return False
    del rounds[rng.randrange(len(rounds) - 1)]
    return True


# Damages to the head


def unknown_option(rng: Random, record: Record) -> bool:
    every = {option for options in OPTIONS.values() for option in options} | {"speed", "Target", "rule-13"}
    options = record.setdefault("options", {})
    options[rng.choice(sorted(every - set(OPTIONS[record["ruleset"]])))] = "yes"
    return True


def bad_option_value(rng: Random, record: Record) -> bool:
    options = record.setdefault("options", {})
    options[rng.choice(sorted(OPTIONS[record["ruleset"]]))] = rng.choice(BAD_VALUES)
    return True


def another_option_value(rng: Random, record: Record) -> bool:
    """A value that the option may have, under which the moves need not be legal."""
    option = rng.choice(sorted(OPTIONS[record["ruleset"]]))
    values = {"target": ("1", "20", "1000"), "stake": ("7",), "draw": ("one", "until_playable")}.get(option)
    record.setdefault("options", {})[option] = rng.choice(values or ("yes", "no"))
    return True


def another_ruleset(rng: Random, record: Record) -> bool:
    record["ruleset"] = rng.choice((*SEATS, "kozal", "Kozel"))
    return True


def another_pairs(rng: Random, record: Record) -> bool:
    was_yes = record.get("pairs") in ("yes", "true")
    record["pairs"] = rng.choice(("no" if was_yes else "yes", "perhaps", "2"))
    return True


def another_table(rng: Random, record: Record) -> bool:
    if rng.random() < 0.5:
        record["players"].pop()
    else:
        record["players"].append("Zara")
    return True


def bad_levels(rng: Random, record: Record) -> bool:
    seats = len(record["players"])
    levels = rng.choice((["null"] * (seats + 1), ["null"] * (seats - 1), ["genius"] + ["null"] * (seats - 1)))
    record["levels"] = levels
    return True


def bad_head(rng: Random, record: Record) -> bool:
    key = rng.choice(("kozel-record", "ruleset", "players", "kozel-record version", "unknown", "rounds", "yaml"))
    if key == "kozel-record version":
        record["kozel-record"] = "2"
    elif key == "unknown":
        record[rng.choice(("comment", "round", "player"))] = "1"
    elif key == "rounds":
        record["rounds"] = "none"
    elif key == "yaml":
        record["seed"] = '"never closed'
    else:
        del record[key]
    return True


DAMAGES: tuple[Damage, ...] = (
    *(another_move, another_move, nonsense_move, another_end, another_end, no_end, no_end, end_for_the_opening),
    *(closed_or_not, closed_or_not, several_at_once, parts_turned, parts_turned, part_twice, inserted_word),
    *(inserted_word, dropped_move, dropped_move, swapped_moves, moves_after_the_end, round_cut_short),
    *(tile_missing, tile_replaced, tile_added, tile_moved, hands_exchanged, tiles_exchanged, tiles_exchanged),
    *(hand_missing, opener_changed, unknown_round_key, malformed_round, no_round_at_all, extra_round, dropped_round),
    *(unknown_option, bad_option_value, another_option_value, another_option_value, another_ruleset, another_pairs),
    *(another_table, bad_levels, bad_head),
)
