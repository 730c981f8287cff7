"""Matches played by the real rules with random decisions, for narrators to tell."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from kozel.engine.events import Event
from kozel.engine.match import Game, Match, deal, decide, new_match, shuffled
from kozel.narration.narrator import Table
from kozel.rules.reading import find

NAMES = {"en": ("Anna", "Boris", "Vera", "Gena"), "ru": ("Анна", "Борис", "Вера", "Гена")}
TABLES: tuple[tuple[str, int, bool], ...] = (
    ("domino", 2, False),
    ("domino", 3, False),
    ("domino", 4, True),
    ("kozel", 2, False),
    ("kozel", 4, False),
    ("kozel", 4, True),
    ("kozel-yard", 2, False),
    ("kozel-yard", 4, True),
    ("kozel-101", 3, False),
    ("osel", 2, False),
    ("osel", 4, False),
    ("kozel-1x1", 2, False),
    ("kozel-2x2", 4, True),
    ("kozel-deferred", 3, False),
)
"""Ruleset, seats, pairs."""


class Step(NamedTuple):
    """What one decision or deal led to, the chain's ends before it, and the match before it."""

    events: tuple[Event, ...]
    before: tuple[int, ...]
    match: Match


def game_of(ruleset: str, seats: int, pairs: bool, options: Mapping[str, object] | None = None) -> Game:
    return find(ruleset).game(seats, pairs, options)


def table_of(game: Game, lang: str) -> Table:
    return Table(NAMES[lang][: game.seats], game.sides, game.pairs, game.ruleset != "kozel-yard")


def played(game: Game, seed: str, rounds: int = 1000) -> list[Step]:
    """A match, or its first rounds, played at random."""
    chance = Random(seed)
    match = new_match(game)
    steps: list[Step] = []
    while not match.end and len(match.past) < rounds:
        before = match
        if match.round is None:
            match, events = deal(match, shuffled(match, seed))
            steps.append(Step(tuple(events), (), before))
        else:
            ends = match.round.ends
            match, events = decide(match, chance.choice(match.round.legal))
            steps.append(Step(tuple(events), ends, before))
    return steps
