"""Random block games through the public `apply`, side by side with the PyPI package `dominoes` and with OpenSpiel.

Run `python -m benchmarks.peers [ROUNDS]` in an environment with `benchmarks/requirements.txt`. All engines play the same
game in one process, in turns, each its share of a round; a ratio is the median over the rounds of the ratios within a
round. Every game is dealt, played with legal moves chosen at random and counted: the points left in each hand, as the
peers do it.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import dominoes  # type: ignore[import-not-found]
import pyspiel  # type: ignore[import-not-found]
from open_spiel.python.games import block_dominoes as _registers_its_game  # type: ignore[import-not-found] # noqa: F401

from kozel.engine.events import Event
from kozel.engine.round import Deal, RoundRules, apply, begin
from kozel.engine.tiles import TILES, pips_in
from kozel.rules.reading import parse_ruleset

ROUNDS = 40
HAND = 7
BLOCK = b"""
kozel-ruleset: 1
id: block
extends: kozel
drawing: never_drawn
options: {auto_draw: none, double_play: none}
placing: two_ends
"""
"""Kozel as the peers play: nobody draws, and no two doubles are laid at once."""
SINGLE_TILES = [1 << tile for tile in TILES]
"""The set of each tile alone: a hand is their sum."""
Play = Callable[[], int]
"""Plays a game by the global generator, which is seeded before each share; gives the number of its moves."""


class Engine(NamedTuple):
    """What is measured: how it plays a game, and how many games are its share of a round."""

    play: Play
    games: int


def kozel(seats: int) -> Play:
    """This program: each decision checked by `apply`, all its events kept, the hands counted."""
    rules = parse_ruleset(BLOCK, Path("block.yaml")).game(seats).round
    return lambda: _kozel_game(rules, seats)


def _kozel_game(rules: RoundRules, seats: int) -> int:
    chance = random.random
    order = sorted(SINGLE_TILES, key=lambda _: chance())
    hands = tuple([sum(order[start : start + HAND]) for start in range(0, seats * HAND, HAND)])
    state, log = begin(rules, Deal(hands, (), False, 0, None, None), ())
    events: list[Event] = log
    moves = 0
    while legal := state.legal:
        state, told = apply(rules, state, legal[int(chance() * len(legal))])
        events += told
        moves += 1
    assert [pips_in(hand) for hand in state.hands]
    return moves


def pypi_dominoes() -> int:
    """`dominoes` 6.1.0 from PyPI; it counts the points when the game ends."""
    chance = random.random
    game = dominoes.Game.new(starting_player=0)
    moves = 0
    while game.result is None:
        legal = game.valid_moves
        game.make_move(*legal[int(chance() * len(legal))])
        moves += 1
    return moves


def open_spiel(game: Any) -> Play:
    """OpenSpiel's Python game; it deals by itself through its chance nodes."""

    def play() -> int:
        chance = random.random
        state = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(chance() * len(outcomes))][0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(chance() * len(legal))])
                moves += 1
        assert state.returns()
        return moves

    return play


def main(rounds: int) -> None:
    """Measure and print."""
    pairs = {
        "four hands, block": (Engine(kozel(4), 200), Engine(pypi_dominoes, 70), "dominoes 6.1.0"),
        "two hands, block": (
            Engine(kozel(2), 200),
            Engine(open_spiel(pyspiel.load_game("python_block_dominoes")), 20),
            "OpenSpiel python_block_dominoes",
        ),
    }
    print(f"Python {sys.version.split()[0]}, {rounds} rounds")
    measured: dict[str, list[tuple[float, float]]] = {name: [] for name in pairs}
    lengths: dict[str, list[float]] = {name: [0.0, 0.0] for name in pairs}
    for number in range(rounds):
        for name, (ours, theirs, _) in pairs.items():
            speeds = []
            for place, engine in enumerate((ours, theirs)):
                seconds, moves = _timed(engine, number)
                speeds.append(engine.games / seconds)
                lengths[name][place] += moves / engine.games / rounds
            measured[name].append((speeds[0], speeds[1]))
    for name, (_, _, peer) in pairs.items():
        ratios = [ours / theirs for ours, theirs in measured[name]]
        print(
            f"{name}: {median(ours for ours, _ in measured[name]):.0f} games/s of {lengths[name][0]:.1f} moves; "
            f"{peer} {median(theirs for _, theirs in measured[name]):.0f} of {lengths[name][1]:.1f}; "
            f"ratio {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        )


def _timed(engine: Engine, number: int) -> tuple[float, int]:
    gc.collect()
    random.seed(number)
    start = time.process_time()
    moves = sum(engine.play() for _ in range(engine.games))
    return time.process_time() - start, moves


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
