"""Whatever ruleset passes the check can be played: random rulesets from the whole vocabulary, random matches."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kozel.locales import languages
from kozel.rules.describing import describe
from kozel.rules.reading import find, parse_ruleset, shipped_ids
from kozel.rules.ruleset import Ruleset
from kozel.yamltree import BadFile
from rules.play import play_match
from rules.random_rulesets import random_ruleset

FILE = Path("random.yaml")


def read(text: str) -> Ruleset | None:
    try:
        return parse_ruleset(text.encode(), FILE)
    except BadFile as error:
        refused = error
    assert refused.problems
    assert all(problem.line >= 1 and problem.column >= 1 and problem.text for problem in refused.problems)
    return None


def play_everywhere(ruleset: Ruleset, seed: str, rounds: int) -> None:
    for table in ruleset.seatings():
        game = ruleset.game(int(table["seats"]), bool(table["pairs"]))
        play_match(game, seed, rounds)
        for lang in languages():
            assert all(line.strip() for line in describe(ruleset, lang, game))


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(seed=st.integers(0, 2**32))
def test_a_ruleset_that_passes_the_check_can_be_played(seed: int) -> None:
    ruleset = read(random_ruleset(f"sensible {seed}", sensible=True))
    if ruleset is not None:
        play_everywhere(ruleset, str(seed), rounds=6)


@settings(max_examples=250, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_steps_in_any_order_are_refused_or_played(seed: int) -> None:
    ruleset = read(random_ruleset(f"wild {seed}", sensible=False))
    if ruleset is not None:
        play_everywhere(ruleset, str(seed), rounds=4)


def test_the_random_rulesets_pass_the_check_often_enough_to_mean_something() -> None:
    passed = sum(read(random_ruleset(f"sensible {seed}", sensible=True)) is not None for seed in range(300))
    assert passed >= 40


@pytest.mark.parametrize("id", shipped_ids())
def test_shipped_rulesets_keep_the_invariants_with_any_options(id: str) -> None:
    ruleset = find(id)
    for number in range(12):
        random = Random(f"{id} {number}")
        options = {
            name: random.choice(option.values or (True, False))
            for name, option in ruleset.options.items()
            if option.values is not None or isinstance(option.default, bool)
        }
        table = random.choice(list(ruleset.seatings()))
        play_match(ruleset.game(int(table["seats"]), bool(table["pairs"]), options), f"{number}", 40)
