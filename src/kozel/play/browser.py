"""Looking back at a match: its rounds walked step by step, with all hands open or as one seat saw them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Literal, NamedTuple

from kozel.bots.advice import Advice, advise
from kozel.bots.view import observe
from kozel.engine.events import Drew, Event, MatchOver, RoundScored
from kozel.engine.ledger import RoundSummary
from kozel.engine.match import Game, Match
from kozel.engine.moves import Move
from kozel.engine.seen import View, view
from kozel.records.notation import resolve
from kozel.records.reading import Record
from kozel.records.replay import replay

_SCORE = (RoundScored, MatchOver)
StepKind = Literal["deal", "move", "result"]


class OpenView(NamedTuple):
    """A match as it stood after a step of a round that is over, all hands open.

    `seats`: what each seat knew then; `hands` by seat, in its player's order; `bazaar`: the tile to be drawn next first.
    """

    seats: tuple[View, ...]
    hands: tuple[tuple[int, ...], ...]
    bazaar: tuple[int, ...]

    @property
    def public(self) -> View:
        """Any seat's view, for what everybody knew."""
        return self.seats[0]


@dataclass(frozen=True)
class Step:
    """A deal, a decision, or a round's result.

    `number`: 0 for the deal, the decision counted from 1, and one more than the last for the result. `seat` and `move`: the
    decision, else None. `events`: what happened; of a result, its score. `dealt`: the hands as they were dealt.
    """

    kind: StepKind
    number: int
    seat: int | None
    move: Move | None
    match_before: Match
    match_after: Match
    events: tuple[Event, ...]
    dealt: tuple[tuple[int, ...], ...]

    @cached_property
    def before(self) -> OpenView:
        """How the match stood before it."""
        return _open(self.match_before, self.dealt)

    @cached_property
    def after(self) -> OpenView:
        """How the match stood after it."""
        return _open(self.match_after, self.dealt)

    @property
    def ends_before(self) -> tuple[int, ...]:
        """The chain's ends before it."""
        public = self.before.public
        return public.ends if public.playing else ()

    @property
    def summary(self) -> RoundSummary:
        """The round's account, once it is over."""
        return self.after.public.past[-1]


def _open(match: Match, dealt: tuple[tuple[int, ...], ...]) -> OpenView:
    """All that lies open once a round is over; of a deal that did not count, the hands as dealt."""
    seats = tuple(view(match, seat) for seat in range(match.game.seats))
    again = match.round is None and bool(match.past) and match.past[-1].result == "redeal"
    hands = tuple(tuple(sorted(hand)) for hand in dealt) if again else tuple(each.hand for each in seats)
    return OpenView(seats, hands, match.round.bazaar if match.round is not None else ())


Round = tuple[Step, ...]


def rounds_of(record: Record) -> tuple[Round, ...]:
    """The rounds of a match that are over, redealt ones among them. Raises `Broken`.

    The round in progress is not among them: its hands are nobody's business yet.
    """
    rounds: list[list[Step]] = []
    last: list[Match] = []

    def watch(match: Match, events: list[Event]) -> None:
        if not last or last[-1].deals != match.deals:
            before = last[-1] if last else match
            hands = record.rounds[len(rounds)].hands
            rounds.append([Step("deal", 0, None, None, before, match, tuple(events), hands)])
        else:
            before = last[-1]
            assert before.round is not None
            hands, number = rounds[-1][0].dealt, len(rounds[-1])
            move = resolve(before.round, record.rounds[len(rounds) - 1].moves[number - 1])
            told = tuple(event for event in events if not isinstance(event, _SCORE))
            rounds[-1].append(Step("move", number, before.round.turn, move, before, match, told, hands))
        if match.round is None:
            score = tuple(event for event in events if isinstance(event, _SCORE))
            rounds[-1].append(Step("result", len(rounds[-1]), None, None, before, match, score, hands))
        last[:] = [match]

    replay(record, watch)
    return tuple(tuple(steps) for steps in rounds if steps[-1].kind == "result")


class Browser:
    """A place in the rounds of a match. `view`: the seat whose eyes are used, None for all hands open."""

    def __init__(self, rounds: tuple[Round, ...]) -> None:
        if not rounds:
            raise ValueError("no round is over")
        self.rounds = rounds
        self.round = 0
        self.place = 0
        self.view: int | None = None

    @property
    def step(self) -> Step:
        """Where it stands."""
        return self.rounds[self.round][self.place]

    @property
    def game(self) -> Game:
        """What is played."""
        return self.step.match_after.game

    @property
    def seats(self) -> int:
        """How many players there are."""
        return self.game.seats

    def walk(self, by: int) -> bool:
        """To the next step or the one before, over the borders of rounds; False where there is none."""
        place = self.place + by
        if 0 <= place < len(self.rounds[self.round]):
            self.place = place
            return True
        if not 0 <= self.round + by < len(self.rounds):
            return False
        self.round += by
        self.place = 0 if by > 0 else len(self.rounds[self.round]) - 1
        return True

    def change_round(self, by: int) -> bool:
        """To the deal of the next round or of the one before; False, and to this round's own, where there is none."""
        inside = 0 <= self.round + by < len(self.rounds)
        self.round += by if inside else 0
        self.place = 0
        return inside

    def to_edge(self, last: bool) -> None:
        """To the round's deal or to its result."""
        self.place = len(self.rounds[self.round]) - 1 if last else 0

    def turn_view(self, by: int) -> None:
        """The next or the last view: all hands open, then each seat's."""
        views = (None, *range(self.seats))
        self.view = views[(views.index(self.view) + by) % len(views)]

    def sees(self, seat: int) -> bool:
        """Is this seat's hand open in the view? After the round every hand is."""
        return self.view in (None, seat) or self.step.kind == "result"

    def hand(self, seat: int) -> tuple[int, ...]:
        """A seat's tiles after the step, in its player's order; once the round is over, those that were counted."""
        return self.step.after.hands[seat]

    def bazaar(self) -> tuple[int, ...]:
        """The bazaar after the step, the tile to be drawn next first."""
        return self.step.after.bazaar

    def drawn(self) -> list[Drew]:
        """The draws of the step whose tiles are open in the view."""
        return [event for event in self.step.events if isinstance(event, Drew) and self.sees(event.seat)]

    def advice(self) -> Advice | None:
        """What the master would have decided here, knowing what the player knew; None where nothing was decided."""
        step = self.step
        if step.seat is None:
            return None
        own = observe(self.game, step.before.seats[step.seat])
        return advise(own, Random(f"look back/{self.round}/{step.number}"))
