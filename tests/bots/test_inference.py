"""What is inferred from the choices of others: the likelihood is that of the rule of thumb, and it leads to the true hands."""

from __future__ import annotations

from itertools import pairwise
from math import exp, log, prod
from random import Random
from statistics import mean

import pytest

from bots.playing import positions, table
from bots.watching import observe
from kozel.bots import amateur
from kozel.bots.inference import BY_THUMB, ROUGHLY, Inference, likely_worlds
from kozel.bots.knowledge import Knowledge
from kozel.bots.searching import candidates
from kozel.bots.view import View
from kozel.engine.events import Drew, Laid
from kozel.engine.match import Game, Match
from kozel.engine.moves import DRAW


def first_round(game: Game, seed: str) -> list[Match]:
    """Every decision of the first round between amateurs."""
    found = []
    for match in positions(game, seed, [amateur.choose] * game.seats):
        if match.ledger.rounds:
            break
        found.append(match)
    return found


def chances(match: Match, laid: Laid) -> tuple[float, float]:
    """How likely a seat would lay this, by the rule of thumb and by chance: from its own view, with all that it held."""
    view = observe(match, laid.seat)
    weights = {move: exp(amateur.worth(view, move) / ROUGHLY) for move in candidates(view) if len(move.lays) == 1}
    mine = exp(amateur.worth(view, laid.move) / ROUGHLY)
    return mine / sum(weights.values()), 1 / len(weights)


def by_hand(round_: list[Match], seat: int) -> float:
    """The likelihood of what the other seats laid since their last draws, from the recorded positions."""
    choices: dict[int, list[tuple[float, float]]] = {}
    for before, after in pairwise(round_):
        assert before.round
        for event in after.log[len(before.log) :]:
            if isinstance(event, Drew):
                choices.pop(event.seat, None)
            elif isinstance(event, Laid) and before.round.ends and len(event.move.lays) == 1 and event.seat != seat:
                choices.setdefault(event.seat, []).append(chances(before, event))
    return prod(
        BY_THUMB * prod(thumb for thumb, _ in each) + (1 - BY_THUMB) * prod(chance for _, chance in each)
        for each in choices.values()
    )


@pytest.mark.parametrize(("name", "seats"), [("kozel-2x2", 4), ("domino", 2), ("osel", 4), ("kozel-yard", 4)])
def test_the_likelihood_of_the_true_hands_is_that_of_the_choices_that_were_made(name: str, seats: int) -> None:
    inferred = 0
    for seed in range(6):
        played = first_round(table(name, seats), f"by hand {seed}")
        for number, match in enumerate(played):
            assert match.round
            if match.round.legal == (DRAW,):
                continue
            seat = match.round.turn
            inference = Inference(observe(match, seat))
            expected = by_hand(played[: number + 1], seat)
            assert inference.likelihood(list(match.round.hands)) == pytest.approx(expected)
            inferred += bool(inference)
    assert inferred > 20


def late_views(seeds: int) -> list[tuple[View, list[int]]]:
    """Positions in which every seat has laid about three tiles, with the true hands."""
    found = []
    for seed in range(seeds):
        match = first_round(table("kozel-2x2", 4), f"late {seed}")[11]
        assert match.round
        found.append((observe(match, match.round.turn), list(match.round.hands)))
    return found


def test_the_true_hands_are_likelier_than_hands_that_only_agree_with_passes() -> None:
    gains = []
    for view, hands in late_views(30):
        inference, knowledge, random = Inference(view), Knowledge(view), Random(1)
        even = [log(inference.likelihood(knowledge.world(random.random).hands)) for _ in range(50)]
        gains.append(log(inference.likelihood(hands)) - mean(even))
    assert mean(gains) > 1


def test_likely_worlds_are_as_many_as_asked_for_and_likelier_than_even_ones() -> None:
    for view, _ in late_views(10):
        inference, random = Inference(view), Random(1)
        likely = likely_worlds(view, 40, 160, random.random)
        knowledge = Knowledge(view)
        even = [knowledge.world(random.random) for _ in range(160)]
        assert len(likely) == 40
        assert mean(inference.likelihood(world.hands) for world in likely) > mean(
            inference.likelihood(world.hands) for world in even
        )
        for hands, bazaar in likely:
            assert [hand.bit_count() for hand in hands] == list(view.sizes)
            assert len(bazaar) == view.bazaar


def test_before_anything_was_laid_worlds_are_even() -> None:
    match = first_round(table("kozel-2x2", 4), "even")[0]
    assert match.round
    view = observe(match, match.round.turn)
    assert not Inference(view)
    assert len(likely_worlds(view, 5, 20, Random(1).random)) == 5
