"""What each seat may know at every moment of a recorded match, worked out by the independent model of the rules."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from oracle.model import Match
from oracle.reading import load, read_head, replay_round
from oracle.table import Round
from oracle.tiles import ALL_TILES, name
from play.hearing import tiles_named
from play.program import Line

EVERYTHING = frozenset(map(name, ALL_TILES))


class Moment(NamedTuple):
    """Where a match stands once its record has `size` bytes: the seats' tiles, and those that everybody knows."""

    size: int
    round: int
    hands: tuple[frozenset[str], ...]
    public: frozenset[str]
    to_move: int | None


def moments(record: bytes) -> list[Moment]:
    """All moments of a match, in order, from a record as the program writes it."""
    data = load(record.decode())
    match, sizes = read_head(data), _sizes(record)
    found = [Moment(next(sizes), 0, ((frozenset(),) * match.rules.seats), frozenset(), None)]
    for number, deal in enumerate(data["rounds"] or [], start=1):
        replay_round(match, {**deal, "moves": []}, number)
        table, opened = match.table, _known_before_the_opening(match, deal)
        found.append(_moment(next(sizes), number, match, table, opened))
        for text in deal["moves"] or []:
            match.decide(text)
            found.append(_moment(next(sizes), number, match, table, opened))
    return found


def _sizes(record: bytes) -> Iterator[int]:
    """The record's size after its head, after each deal and after each decision."""
    size = 0
    for line in record.splitlines(keepends=True):
        size += len(line)
        decision = line.startswith(b"      - ") and not line.startswith(b"      - [")
        if decision or line in (b"rounds:\n", b"    moves:\n"):
            yield size


def _known_before_the_opening(match: Match, deal: dict[str, Any]) -> frozenset[str]:
    """The tile drawn openly that opens (rulebook 2.2), and 6-6 taken before the deal (2.3)."""
    table = match.table
    if table is None:
        return frozenset()
    drawn = len(deal.get("bazaar") or []) - len(table.bazaar)
    opener = {deal["bazaar"][drawn - 1]} if drawn else set()
    return frozenset(opener | ({"6-6"} if match.ledger.taker is not None else set()))


def _moment(size: int, number: int, match: Match, table: Round | None, opened: frozenset[str]) -> Moment:
    if table is None or match.table is None:
        return Moment(size, number, ((EVERYTHING,) * match.rules.seats), EVERYTHING, None)
    hands = tuple(frozenset(map(name, hand)) for hand in table.hands)
    hidden = frozenset().union(*hands, map(name, table.bazaar))
    return Moment(size, number, hands, (EVERYTHING - hidden) | opened, table.to_move)


class Heard(NamedTuple):
    """What one key led to: the record's sizes before and after it, and the lines said."""

    key: str
    before: int
    after: int
    lines: tuple[Line, ...]


def leaks(record: bytes, heard: Sequence[Heard], lang: str) -> list[str]:
    """The lines that name a tile to somebody who may not know it at that time."""
    known = moments(record)
    sizes = [moment.size for moment in known]
    found = []
    for each in heard:
        first, last = (known[max(0, bisect_right(sizes, size) - 1)] for size in (each.before, each.after))
        for line in each.lines:
            allowed = first.public | last.public
            if line.to is not None:
                allowed |= last.hands[line.to] | (first.hands[line.to] if first.round == last.round else frozenset())
            secret = set(tiles_named(line.text, lang)) - allowed
            if secret:
                found.append(f"round {last.round}, key {each.key}: {line} names {sorted(secret)}")
    return found
