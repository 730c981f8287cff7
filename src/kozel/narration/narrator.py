"""The narrator: what happens in a match as whole sentences, in the listener's language and at the wished length."""

from __future__ import annotations

from collections.abc import Sequence

from kozel.engine.events import (
    DealKept,
    DealtAgain,
    Drew,
    DrewToOpen,
    Event,
    Fish,
    Laid,
    MatchOver,
    NewDealOffered,
    OpenerFound,
    Passed,
    RoundBegan,
    RoundScored,
    Threw,
    TookBazaar,
)
from kozel.narration.own_turn import OwnTurn
from kozel.narration.scores import Scores
from kozel.narration.turns import Turns
from kozel.narration.wording import VERBOSITIES, Table, Verbosity

__all__ = ["VERBOSITIES", "Narrator", "Table", "Verbosity"]

_OPENING = (RoundBegan, DealtAgain, NewDealOffered, DealKept, DrewToOpen, OpenerFound)
_TURN = (Drew, Laid, Threw, Passed)


class Narrator(Turns, Scores, OwnTurn):
    """All sentences of a match. What is for one seat alone says so in its docstring; everything else is public."""

    def tell(self, events: Sequence[Event], you: int | None, before: Sequence[int] | None = None) -> list[str]:
        """All public lines for any run of events, in order. `before`: the chain's ends before them."""
        lines: list[str] = []
        at, closed = 0, False
        while at < len(events):
            event = events[at]
            for kinds in (_OPENING, _TURN):
                if isinstance(event, kinds):
                    end = next((i for i in range(at, len(events)) if not isinstance(events[i], kinds)), len(events))
                    part = events[at:end]
                    lines += self.opening(part, you) if kinds is _OPENING else self.turns(part, you, before)
                    break
            else:
                end = at + 1
                closed = (isinstance(event, Fish) and event.closed) or closed
                lines += self._at_the_end(event, you, closed)
            at = end
        return lines

    def _at_the_end(self, event: Event, you: int | None, closed: bool) -> list[str]:
        if isinstance(event, TookBazaar):
            return [self.bazaar_taken(event, you)]
        if isinstance(event, RoundScored):
            return self.round_end(event.summary, you, closed)
        return self.match_end(event, you) if isinstance(event, MatchOver) else []
