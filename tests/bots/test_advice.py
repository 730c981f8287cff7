"""Advice is the master's own decision, and its figures are those of its search."""

from __future__ import annotations

from random import Random

import pytest

from bots.playing import TABLES, positions, table
from bots.watching import observe
from kozel.bots import amateur, master
from kozel.bots.advice import advise

FEW = [TABLES[0], TABLES[6], TABLES[11], TABLES[13]]


@pytest.mark.parametrize(("name", "seats", "pairs"), FEW)
def test_advice_is_what_the_master_decides(name: str, seats: int, pairs: bool | None) -> None:
    game = table(name, seats, pairs)
    compared = 0
    for number, match in enumerate(positions(game, "advice", [amateur.choose] * seats)):
        if match.round is None or number > 400:
            break
        if number % 12:
            continue
        view = observe(match, match.round.turn)
        advice = advise(view, Random(number))
        chosen = master.choose(view, Random(number))
        assert advice.best in view.legal
        if advice.exact:
            assert advice.worth_of(chosen) == pytest.approx(advice.worth_of(advice.best))
        else:
            assert advice.best == chosen
        assert all(-1e-9 <= worth <= 1 + 1e-9 for worth in advice.worth.values())
        compared += 1
    assert compared > 3


def test_an_endgame_of_two_is_counted_to_its_end() -> None:
    game = table("domino", 2)
    exact = 0
    for number, match in enumerate(positions(game, "exact", [amateur.choose] * 2)):
        if match.round is None or number > 600:
            break
        view = observe(match, match.round.turn)
        if view.bazaar == 0 and len(view.legal) > 1 and sum(view.sizes) <= 8:
            advice = advise(view, Random(1))
            exact += advice.exact
            assert advice.worth_of(advice.best) == max(advice.worth.values())
    assert exact
