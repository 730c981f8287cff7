"""What happened, as messages: for everybody, or for the one person whose tiles are named."""

from __future__ import annotations

from collections.abc import Sequence

from kozel.engine.events import Drew, Event, Laid, MatchOver, Passed, RoundScored, Threw
from kozel.engine.seen import known, seen
from kozel.engine.turns import WaitingDraws, turns_of
from kozel.session.desk import Desk
from kozel.voice.message import Message

_TURN_EVENTS = (Drew, Laid, Threw, Passed)


class Teller:
    """Makes messages of a round's events. Draws wait for the move that they belong to."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._waiting = WaitingDraws()
        self._own_draws: dict[int, list[Drew]] = {}

    def forget(self) -> None:
        """Another round begins: nothing waits."""
        self._waiting.clear()
        self._own_draws.clear()

    def go_back(self) -> None:
        """A decision was taken back: what waits now are the draws of the turn at hand."""
        self.forget()
        turns = turns_of(self._desk.view.log)
        if turns and turns[-1].open:
            self._waiting.keep(turns[-1].events)

    def keep(self, events: Sequence[Event]) -> None:
        """Draws of a person who is still to decide: for the others they are part of the turn."""
        self._waiting.keep(events)

    def keep_own(self, seat: int, events: Sequence[Event]) -> None:
        """Draws that the game makes for a person, as that seat sees them: told to it alone, at its next turn."""
        draws = [event for event in events if isinstance(event, Drew) and event.seat == seat]
        if draws:
            self._own_draws.setdefault(seat, []).extend(draws)

    def drawn_for(self, seat: int) -> list[Message]:
        """What the game drew for a seat since its last turn; its tiles count as heard."""
        draws = self._own_draws.pop(seat, [])
        self._desk.heard |= {tile for event in draws for tile in known(event.tiles)}
        return [self.own_draw(draws, seat)] if draws else []

    def own_draw(self, events: Sequence[Event], seat: int, again: str = "") -> Message:
        """The tiles that a seat drew, for that seat alone. `again`: the key that draws, where another must be drawn."""
        text = self._desk.narrator.own_draw(events, self._desk.ends, again)
        return Message("event", seat, text, None, "moves", tuple(events))

    def public(self, events: Sequence[Event]) -> list[Message]:
        """What everybody hears of these events; the first line of those that belong together carries them all."""
        desk = self._desk
        released = self._waiting.release([seen(event, None) for event in events])
        results = [event for event in released if isinstance(event, (RoundScored, MatchOver))]
        moves = released[: len(released) - len(results)]
        before = self._ends_before(released)
        if desk.sounds.stand_for_moves():
            moves = self._without_clicks(moves, before)
        braille = self._braille(moves)
        lines = desk.narrator.tell(moves, desk.you, before)
        messages = [Message("event", None, line, None, "moves") for line in lines]
        if messages:
            messages[0] = messages[0]._replace(braille=braille, event=tuple(moves))
        finals = [Message("final", None, line, None, "scores") for line in desk.narrator.tell(results, desk.you)]
        if finals:
            finals[0] = finals[0]._replace(event=tuple(results))
        return messages + finals

    def _without_clicks(self, events: Sequence[Event], before: tuple[int, ...]) -> list[Event]:
        """What is to be told where others' moves click; those stay in the history. Snot lies in other hands: it is told."""
        if any(isinstance(event, Threw) for event in events):
            return list(events)
        clicked = [
            event for event in events if isinstance(event, (Drew, Laid, Passed)) and event.seat != self._desk.holder
        ]
        lines = self._desk.narrator.tell(clicked, self._desk.you, before)
        self._desk.announcer.history.add([Message("event", None, line, None, "moves") for line in lines])
        return [event for event in events if event not in clicked]

    def _braille(self, events: Sequence[Event]) -> str | None:
        """The compact form of a single turn for a braille display."""
        turn = [event for event in events if isinstance(event, _TURN_EVENTS)]
        if len(turn) < len(events) or len(turns_of(turn)) != 1:
            return None
        return self._desk.narrator.braille_turn(turn, self._desk.you)

    def _ends_before(self, events: Sequence[Event]) -> tuple[int, ...]:
        """The chain's ends before these events, the last of the round's log but for the draws that wait."""
        log = self._desk.view.log
        earlier = log[: max(0, len(log) - len(events) - len(self._waiting))]
        return next((event.ends for event in reversed(earlier) if isinstance(event, Laid)), ())
