"""Thinking apart from the loop that answers keys: the same decisions, in order, and nothing waits for what was given up."""

from __future__ import annotations

import asyncio
import time
from random import Random

import pytest

from bots.playing import positions
from kozel.bots import novice
from kozel.bots.hints import hint
from kozel.bots.levels import player
from kozel.bots.thinkers import Thinkers
from kozel.bots.view import observe
from kozel.engine.seen import View, view
from kozel.rules.reading import find
from kozel.rules.seating import Seating


def seating(name: str, seats: int) -> Seating:
    ruleset = find(name)
    names = tuple("ABCD"[:seats])
    return Seating(ruleset, names, ("strong",) * seats, ruleset.seating(seats, None), ruleset.choices({}))


def views(table: Seating, number: int) -> list[View]:
    """Views of seats that have a choice."""
    chosen = []
    for match in positions(table.game(), "thinkers", [novice.choose] * len(table.players)):
        if match.round is not None and len(match.round.legal) > 1:
            chosen.append(view(match, match.round.turn))
        if len(chosen) == number:
            break
    return chosen


@pytest.mark.parametrize("level", ["novice", "amateur", "strong"])
def test_decisions_are_those_that_the_level_makes_here(level: str) -> None:
    table = seating("osel", 2)

    async def think() -> None:
        thinkers = Thinkers()
        for each in views(table, 4):
            decision = await thinkers.choose(table, level, each, Random(7))
            assert decision is player(level)(observe(table.game(), each), Random(7))
        thinkers.close()

    asyncio.run(think())


def test_a_hint_is_the_one_that_is_given_here() -> None:
    table = seating("domino", 2)

    async def think() -> None:
        thinkers = Thinkers()
        for each in views(table, 3):
            assert await thinkers.hint(table, each) == hint(observe(table.game(), each))
        thinkers.close()

    asyncio.run(think())


def test_the_loop_goes_on_while_masters_think_and_closing_does_not_wait() -> None:
    table = seating("domino", 4)

    async def think() -> float:
        thinkers = Thinkers()
        tasks = [
            asyncio.ensure_future(thinkers.choose(table, "master", each, Random(1))) for each in views(table, 3) * 4
        ]
        ticks = 0
        begun = time.monotonic()
        while not any(task.done() for task in tasks) and time.monotonic() - begun < 60:
            await asyncio.sleep(0.005)
            ticks += 1
        assert ticks > 3
        closing = time.monotonic()
        for task in tasks:
            task.cancel()
        thinkers.close()
        await asyncio.gather(*tasks, return_exceptions=True)
        return time.monotonic() - closing

    begun = time.monotonic()
    waited = asyncio.run(think())
    assert waited < 10
    assert time.monotonic() - begun < 120


def test_what_is_wrong_in_a_task_is_raised_where_it_was_asked() -> None:
    table = seating("kozel", 2)
    between = view(next(positions(table.game(), "x", [novice.choose] * 2)), None)

    async def think() -> None:
        thinkers = Thinkers()
        with pytest.raises(ValueError, match="watcher"):
            await thinkers.hint(table, between)
        thinkers.close()

    asyncio.run(think())


def test_a_process_that_dies_costs_nothing_but_that() -> None:
    table = seating("kozel", 2)

    async def think() -> None:
        thinkers = Thinkers()
        first, second, *_ = views(table, 2)
        await thinkers.hint(table, first)
        process = thinkers._adviser._process
        assert process is not None
        process.kill()
        process.wait()
        assert await thinkers.hint(table, second) == hint(observe(table.game(), second))
        thinkers.close()

    asyncio.run(think())
