"""Matches played by computer players and kept in a data folder, for the tests of what is done with kept matches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from random import Random

from bots.watching import observe
from kozel.bots.levels import LEVELS
from kozel.play.store import Folder
from kozel.rules.reading import find
from kozel.rules.seating import Seating
from play.driven import Driven

DAY = date(2026, 11, 29)


def play(
    folder: Path,
    ruleset: str = "kozel",
    players: Sequence[str] = ("Anna", "Boris"),
    *,
    seed: str = "spring",
    pairs: bool | None = None,
    rounds: int | None = None,
    decisions: int | None = None,
    levels: Sequence[str | None] = (None, "novice", "novice", "novice"),
    **options: object,
) -> Path:
    """A match, to its end or to so many rounds or decisions; its record. Every seat decides as a novice would."""
    home = Folder(folder)
    rules = find(ruleset, home.rulesets)
    together = rules.seating(len(players), pairs)
    seating = Seating(rules, tuple(players), tuple(levels)[: len(players)], together, rules.choices(options), seed)
    runner = Driven.start(seating, home, DAY)
    chance, made = Random(seed), 0
    while runner.match.end is None and (rounds is None or len(runner.match.past) < rounds):
        runner.deal()
        while runner.match.round is not None and (decisions is None or made < decisions):
            view = observe(runner.match, runner.match.round.turn)
            runner.decide(LEVELS["novice"](view, chance))
            made += 1
        if decisions is not None and made >= decisions:
            break
    runner.close()
    return runner.path
