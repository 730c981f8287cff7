"""A hypothesis state machine over every ruleset, seating and option: what holds after each step of any match.

KOZEL_EXAMPLES sets how many matches each ruleset plays (default 8), for long runs.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.conserving import check_round
from engine.following import Follower
from engine.universe import ALL
from kozel.engine.events import Event, Laid, Threw
from kozel.engine.match import Dealt, Match, deal, decide, needs_lot, new_match
from kozel.engine.moves import DRAW, OPENINGS, Lay, Move
from kozel.engine.round import IllegalMove, Refused, Round, apply
from kozel.engine.tiles import DOUBLES, TILES
from kozel.records.notation import resolve
from kozel.records.reading import parse_record
from kozel.records.replay import Broken, replay
from kozel.records.writing import deal_text, head_text, move_text
from kozel.rules.reading import find, shipped_ids
from kozel.rules.ruleset import Option

EXAMPLES = int(os.environ.get("KOZEL_EXAMPLES", "8"))
STEPS = 14
MOST_STEPS = 200
"""More decisions than a round can have."""
NAMES = ("Anna", "Boris", "Vera", "Gleb")


def values_of(option: Option) -> st.SearchStrategy[Any]:
    if option.values is not None:
        return st.sampled_from(option.values)
    if isinstance(option.default, bool):
        return st.booleans()
    return st.integers(1, 130)


class Table(RuleBasedStateMachine):
    """One match, played by hypothesis, and written down as a record beside it."""

    ruleset_id = ""

    @initialize(data=st.data())
    def sit_down(self, data: st.DataObject) -> None:
        ruleset = find(self.ruleset_id)
        seats = data.draw(st.sampled_from(ruleset.seats))
        seatings = {"never": [False], "optional": [False, True], "always": [True]}[ruleset.pairs]
        pairs = data.draw(st.sampled_from(seatings if seats == 4 else [False]))
        options = {name: data.draw(values_of(option), label=name) for name, option in ruleset.options.items()}
        self.match: Match = new_match(ruleset.game(seats, pairs, options))
        self.text = self.head = head_text(self.ruleset_id, NAMES[:seats], pairs, options=options)
        self.follower: Follower | None = None
        self.opened, self.out_on = -1, 0

    @precondition(lambda self: self.match.round is None and self.match.end is None)
    @rule(seed=st.integers(0, 2**32), taste=st.sampled_from(["any", "doubles", "one number"]))
    def deal_tiles(self, seed: int, taste: str) -> None:
        """Deal any tiles, or so that one hand is rich in doubles or in one number: new deals and generals are rare."""
        random = Random(seed)
        order = random.sample(TILES, len(TILES))
        if taste == "doubles":
            order.sort(key=lambda tile: not DOUBLES >> tile & 1 and random.random() < 0.8)
        elif taste == "one number":
            order.sort(key=lambda tile: tile > 6 and random.random() < 0.8)
        dealt = self._dealt(order, random)
        before = self.match
        self.match, events = deal(before, dealt)
        self.text += deal_text(dealt)
        self.follower = Follower(self.match.game.round, dealt)
        self.follower.hear(events)
        if self.match.round is None:
            assert self.match.ledger == before.ledger, "a deal that does not count leaves everything as it was"
            self._reads_back()

    def _dealt(self, order: list[int], random: Random) -> Dealt:
        game = self.match.game
        taken = game.taken(self.match.ledger)
        hands: list[list[int]] = [[] for _ in range(game.seats)]
        if taken:
            order.remove(taken[1])
            hands[taken[0]].append(taken[1])
        for hand in hands:
            while len(hand) < game.hand:
                hand.append(order.pop(0))
        lot = random.randrange(game.seats) if needs_lot(self.match) else None
        return Dealt(tuple(map(tuple, hands)), tuple(order), lot)

    @precondition(lambda self: self.match.round is not None)
    @rule(data=st.data())
    def decide_once(self, data: st.DataObject) -> None:
        """Before the decision all that can be written is tried; after it the record is read back."""
        assert self.match.round is not None
        self._tries_everything()
        self._decide(data.draw(st.sampled_from(self.match.round.legal), label="move"))
        self._reads_back()

    @precondition(lambda self: self.match.round is not None)
    @rule(seed=st.integers(0, 2**32), greedy=st.booleans())
    def play_on(self, seed: int, greedy: bool) -> None:
        """Play the round to its end; greedy players lay as many tiles at once as they can."""
        random = Random(seed)
        for _ in range(MOST_STEPS):
            if self.match.round is None:
                break
            legal = self.match.round.legal
            most = max(len(move.lays) for move in legal) if greedy else 0
            self._decide(random.choice([move for move in legal if len(move.lays) >= most]))
        assert self.match.round is None
        self._reads_back()

    @precondition(lambda self: self.match.end is not None)
    @rule()
    def play_again(self) -> None:
        """After the match's end nothing more can be dealt or decided; the same table begins another match."""
        for more in (deal_text(Dealt(((),), (), None)), deal_text(Dealt(((),), (), 0)) + move_text("keep")):
            with pytest.raises(Broken) as broken:
                replay(parse_record((self.text + more).encode(), Path("match.yaml")))
            assert broken.value.fault.kind == "match_over"
        with pytest.raises(Refused):
            decide(self.match, DRAW)
        self.match = new_match(self.match.game)
        self.text = self.head

    def _decide(self, move: Move) -> None:
        before = self.match
        assert before.round is not None
        assert self.follower is not None
        self.match, events = decide(before, move)
        self.text += move_text(move.text)
        self.follower.hear(events)
        self._note_ends(before, events)
        if self.match.round is not None:
            assert self.match.ledger == before.ledger
            self.follower.stands_like(self.match.round)
        elif self.match.past[-1].result != "redeal":
            assert self.follower.over
            assert self.match.past[-1].hands == tuple(self.follower.hands)
            check_round(before, self.match, self.opened, self.out_on)
            assert before.ledger.rounds + 1 == self.match.past[-1].number

    def _note_ends(self, before: Match, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, Laid):
                if event.opening:
                    self.opened = event.move.lays[0].tile
                self.out_on = 0 if event.left else event.move.tiles
            elif isinstance(event, Threw):
                self.out_on = 0

    def _tries_everything(self) -> None:
        """Each offered decision is accepted, on a copy and by its notation; each other one is refused with a reason."""
        rules, state = self.match.game.round, self.match.round
        assert state is not None
        before = tuple(state)
        for move in state.legal:
            after, events = apply(rules, state, move)
            assert after is not state
            assert events or after.outcome
            assert resolve(state, move.text) is move
        offered = {frozenset(move.lays) for move in state.legal}
        for move in ALL:
            if move in state.legal:
                continue
            with pytest.raises(IllegalMove) as refused:
                apply(rules, state, move)
            assert refused.value.kind
            self._refuses(state, move, offered)
        assert tuple(state) == before, "trying changes nothing"

    def _refuses(self, state: Round, move: Move, offered: set[frozenset[Lay]]) -> None:
        """What is not offered cannot be written either, but for the parts in another order and an end left out."""
        another_order = len(move.lays) > 1 and frozenset(move.lays) in offered
        no_end = move in OPENINGS and state.ends and any(move.tiles == other.tiles for other in state.legal)
        if another_order or no_end:
            with suppress(IllegalMove):
                meant = resolve(state, move.text)
                assert meant in state.legal
                assert meant.tiles == move.tiles
            return
        with pytest.raises(IllegalMove) as refused:
            resolve(state, move.text)
        assert refused.value.kind not in ("illegal", "not_understood")

    def _reads_back(self) -> None:
        """Replay is play: the record as far as it is written gives this very match."""
        read = replay(parse_record(self.text.encode(), Path("match.yaml")))
        assert read[1:] == self.match[1:]

    @invariant()
    def the_turn_has_a_decision(self) -> None:
        """A round in progress waits for somebody; there is none when the match is over."""
        match = getattr(self, "match", None)
        if match is None:
            return
        if match.round is not None:
            assert match.end is None
            assert match.round.legal
            assert len(set(match.round.legal)) == len(match.round.legal)
            assert match.round.outcome is None
        if match.end is not None:
            assert not set(match.end.winners) & set(match.end.losers)
            assert match.ledger.opener is None


@pytest.mark.parametrize("ruleset", shipped_ids())
def test_any_match(ruleset: str) -> None:
    machine = type(f"Table_{ruleset.replace('-', '_')}", (Table,), {"ruleset_id": ruleset})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            phases=(Phase.explicit, Phase.reuse, Phase.generate),  # a match hardly shrinks, and only slowly
            suppress_health_check=list(HealthCheck),
        ),
    )
