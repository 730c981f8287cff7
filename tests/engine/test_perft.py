"""Perft tables: how many sequences of so many decisions a fixed deal has. The independent model counts the same."""

from __future__ import annotations

from copy import deepcopy
from typing import NamedTuple

import pytest

from kozel.engine.match import Dealt, Match, deal, decide, new_match, shuffled
from kozel.engine.tiles import HALVES
from kozel.rules.reading import find, shipped_ids
from oracle.model import Match as OracleMatch
from oracle.rules import settle_rules

SEED = "perft"
ORACLE_COUNTS = 1500
"""The independent model is slow: it counts up to the first number above this."""


class Case(NamedTuple):
    """A table, and the number of sequences of 1, 2, 3 … decisions."""

    ruleset: str
    seats: int
    pairs: bool
    options: dict[str, bool | str]
    counts: list[int]

    def __str__(self) -> str:
        return "-".join([self.ruleset, str(self.seats), *("pairs" for _ in range(self.pairs)), *self.options])


CASES = [
    Case("domino", 2, False, {}, [1, 8, 18, 78, 204, 466, 918, 1472, 2456, 3946, 5940]),
    Case("domino", 3, False, {"auto_draw": True}, [1, 4, 16, 40, 82, 178, 374, 662, 1262, 2516, 4338, 7838]),
    Case("kozel", 2, False, {"auto_draw": True}, [1, 2, 8, 34, 88, 246, 468, 836, 1288, 2236, 3216, 5560]),
    Case("kozel-yard", 4, True, {}, [1, 2, 4, 8, 24, 76, 198, 510, 1276, 3144, 7916]),
    Case("kozel-101", 3, False, {}, [1, 8, 18, 40, 126, 342, 858, 1902, 3976, 7300]),
    Case("osel", 2, False, {"auto_draw": True}, [1, 16, 40, 412, 1408, 8884]),
    Case("osel", 4, False, {}, [1, 16, 72, 348, 1136, 9000]),
    Case("kozel-1x1", 2, False, {"double_play": True, "draw": "one"}, [1, 8, 18, 78, 218, 582, 1168, 2292, 4246, 7076]),
    Case("kozel-2x2", 4, True, {"double_lead": True}, [2, 10, 28, 80, 232, 572, 1638, 4410, 11102]),
    Case("kozel-deferred", 3, False, {}, [1, 2, 4, 12, 38, 128, 292, 690, 1556, 2968, 5852, 10580]),
]


def dealt(case: Case) -> tuple[Match, Dealt]:
    match = new_match(find(case.ruleset).game(case.seats, case.pairs, case.options))
    tiles = shuffled(match, SEED)
    return deal(match, tiles)[0], tiles


def sequences(match: Match, depth: int) -> int:
    """How many sequences of `depth` decisions this round still has."""
    if match.round is None:
        return 0
    legal = match.round.legal
    return len(legal) if depth == 1 else sum(sequences(decide(match, move)[0], depth - 1) for move in legal)


def oracle_sequences(match: OracleMatch, depth: int) -> int:
    legal = match.legal()
    if depth == 1 or not legal:
        return len(legal)
    total = 0
    for text in legal:
        after = deepcopy(match)
        after.decide(text)
        total += oracle_sequences(after, depth - 1)
    return total


@pytest.mark.parametrize("case", CASES, ids=str)
def test_counts(case: Case) -> None:
    match, _ = dealt(case)
    assert [sequences(match, depth) for depth in range(1, len(case.counts) + 1)] == case.counts


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_independent_model_counts_the_same(case: Case) -> None:
    words = {True: "yes", False: "no"}
    options = {name: words[value] if isinstance(value, bool) else value for name, value in case.options.items()}
    model = OracleMatch(settle_rules(case.ruleset, case.seats, words[case.pairs], options))
    _, tiles = dealt(case)
    model.deal(
        [[HALVES[tile] for tile in hand] for hand in tiles.hands], [HALVES[tile] for tile in tiles.bazaar], tiles.lot
    )
    depths = sum(count <= ORACLE_COUNTS for count in case.counts)
    assert [oracle_sequences(model, depth) for depth in range(1, depths + 1)] == case.counts[:depths]


def test_every_shipped_ruleset_has_a_table() -> None:
    assert {case.ruleset for case in CASES} == set(shipped_ids())
