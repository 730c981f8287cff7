"""Matches for the tests of computer players: tables of every ruleset, and rounds played by any chooser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from bots.watching import observe
from kozel.bots.levels import Chooser
from kozel.engine.match import Game, Match, deal, decide, new_match, shuffled
from kozel.rules.reading import find

TABLES: tuple[tuple[str, int, bool | None], ...] = (
    ("domino", 2, None),
    ("domino", 3, None),
    ("domino", 4, True),
    ("kozel", 2, None),
    ("kozel", 3, None),
    ("kozel", 4, False),
    ("kozel", 4, True),
    ("kozel-yard", 2, None),
    ("kozel-yard", 4, True),
    ("kozel-101", 2, None),
    ("kozel-101", 4, None),
    ("osel", 2, None),
    ("osel", 4, None),
    ("kozel-1x1", 2, None),
    ("kozel-2x2", 4, None),
    ("kozel-deferred", 3, None),
)
"""Ruleset, seats, pairs."""


def table(name: str, seats: int, pairs: bool | None = None, **options: object) -> Game:
    """A shipped ruleset at a table."""
    return find(name).game(seats, pairs, options)


def dealt(game: Game, seed: str) -> Match:
    """A match with its first round dealt."""
    match = new_match(game)
    while match.round is None:
        match, _ = deal(match, shuffled(match, seed))
    return match


def positions(game: Game, seed: str, choosers: Sequence[Chooser]) -> Iterator[Match]:
    """Every state of a match in which somebody decides, then its end."""
    random = Random(seed)
    match = new_match(game)
    while not match.end:
        if match.round is None:
            match, _ = deal(match, shuffled(match, seed))
            continue
        yield match
        seat = match.round.turn
        match, _ = decide(match, choosers[seat](observe(match, seat), random))
    yield match
