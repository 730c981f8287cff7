"""What happens at the table, as sentences: the beginning of a round, turns, draws, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from kozel.engine.events import (
    DealKept,
    DealtAgain,
    Drew,
    DrewToOpen,
    Event,
    Laid,
    NewDealOffered,
    OpenerFound,
    Passed,
    RoundBegan,
    Threw,
    TookBazaar,
)
from kozel.engine.seen import known
from kozel.engine.tiles import tiles_in
from kozel.engine.turns import turns_of
from kozel.narration.braille import turn_in_cells
from kozel.narration.wording import Wording, ends_fitting, laid, open_ends


class Turns(Wording):
    """Sentences about the round in progress. A hidden tile is named only by `own_draw` and `your_opening`."""

    def opening(self, events: Sequence[Event], you: int | None) -> list[str]:
        """The lines from a deal to the first decision: deals that do not count, draws before the opening, who opens.

        Public: a tile of which one must open is not named, unless it was drawn openly (rulebook 2.2).
        """
        lines: list[str] = []
        number = None
        for event in events:
            if isinstance(event, RoundBegan):
                number = event
            elif isinstance(event, OpenerFound):
                lines.append(self._opener(event, number, you))
                number = None
            elif isinstance(event, (DealtAgain, NewDealOffered, DealKept, DrewToOpen)):
                lines += self._began(number, you)
                number = None
                lines.append(self._before_opening(event, you))
        return lines + self._began(number, you)

    def _began(self, event: RoundBegan | None, you: int | None) -> list[str]:
        if event is None:
            return []
        said = [self.say("opening.begins", number=event.number), *self._dealt(event)]
        if event.taken:
            said.append(self.say("opening.taken", who=self.seat(event.taken[0], you), tile=event.taken[1]))
        return [" ".join(said)]

    def _dealt(self, event: RoundBegan) -> list[str]:
        if self.verbosity != "full" or not event.bazaar:
            return []
        return [self.say("opening.dealt", each=event.sizes[0], n=event.bazaar)]

    def _opener(self, event: OpenerFound, began: RoundBegan | None, you: int | None) -> str:
        who = self.seat(event.seat, you)
        if began is None:
            return self.say("opening.lot" if event.by_lot else "opening.opens", who=who)
        if event.by_lot:
            return " ".join([*self._began(began, you), self.say("opening.lot", who=who)])
        if began.taken and began.taken[0] == event.seat:
            said = self.say("opening.round_taken", number=began.number, who=who, tile=began.taken[1])
        else:
            said = self.say("opening.round", number=began.number, who=who)
        return " ".join([said, *self._dealt(began)])

    def _before_opening(self, event: DealtAgain | NewDealOffered | DealKept | DrewToOpen, you: int | None) -> str:
        if isinstance(event, DrewToOpen):
            seats = [seat for seat, _ in event.draws]
            draws = [(self.seat(seat, you), seats.count(seat)) for seat in dict.fromkeys(seats)]
            return self.say("opening.draws", draws=draws, tile=event.draws[-1][1])
        who = self.seat(event.seat, you)
        if isinstance(event, NewDealOffered):
            return self.say("opening.asked", who=who)
        if isinstance(event, DealKept):
            return self.say("opening.kept", who=who)
        if event.pips is None:
            return self.say("opening.again_asked", who=who)
        return self.say("opening.again_number", who=who, pips=event.pips)

    def turn(
        self, events: Sequence[Event], you: int | None, before: Sequence[int] | None = None, *, echo: bool = False
    ) -> str:
        """One seat's turn: its draws, then the tiles laid (with the snot under them) or the pass.

        `before`: the chain's ends before the turn, by which a spinner is known; without it only the opening double is.
        `echo`: it is told as it happens, so that in brief the listener's own move is only confirmed.
        """
        drew = [event for event in events if isinstance(event, Drew)]
        move = next((event for event in events if isinstance(event, Laid)), None)
        if move is None:
            return self._no_move(events, drew, you)
        drawn = sum(len(event.tiles) for event in drew)
        key = "turn.draw_lay" if drawn else "turn.lay"
        if move.opening:
            key, before = "turn.open" if self.verbosity == "full" else "turn.lay", ()
        elif move.left == 1:
            key += "_one_left"
        if echo and self.verbosity == "brief" and move.seat == you:
            key = "turn.opened_brief" if move.opening else f"turn.laid_brief{'_one_left' if move.left == 1 else ''}"
        said = [self.say(key, who=self.seat(move.seat, you), laid=laid(move.move, before, move.ends), n=drawn)]
        said += [self._snot(event, you) for event in events if isinstance(event, Threw)]
        if self.verbosity == "full":
            said += self._after(move)
        return " ".join(said)

    def _no_move(self, events: Sequence[Event], drew: Sequence[Drew], you: int | None) -> str:
        passed = next((event for event in events if isinstance(event, Passed)), None)
        if not drew:
            return self.say("turn.pass", who=self.seat(passed.seat, you)) if passed else ""
        facts = {"who": self.seat(drew[0].seat, you), "n": sum(len(event.tiles) for event in drew)}
        key = "turn.draw_pass" if passed else "turn.draw_brief" if self.verbosity == "brief" else "turn.draw"
        said = self.say(key, **facts)
        return f"{said} {self._bazaar_left(drew[-1].bazaar)}" if self.verbosity == "full" else said

    def _bazaar_left(self, count: int) -> str:
        return self.say("bazaar.holds", n=count) if count else self.say("bazaar.empty")

    def _after(self, move: Laid) -> list[str]:
        """What a turn leaves on the table and in the hand."""
        ends = open_ends(move.ends)
        if not ends or not move.left:
            return []
        if move.left == 1 and not move.opening:
            return [self.say("turn.ends", ends=ends)]
        return [self.say("turn.ends_and_left", ends=ends, n=move.left)]

    def _snot(self, event: Threw, you: int | None) -> str:
        if self.table.pairs:
            runs = groupby(event.thrown, key=lambda throw: throw[0])
            thrown = [(self.seat(seat, you), [tile for _, tile in throws]) for seat, throws in runs]
            said = [self.say("turn.snot_pair", thrown=thrown)]
        else:
            said = [self.say("turn.snot", thrown=[tile for _, tile in event.thrown])]
        for seat in dict.fromkeys(seat for seat, _ in event.thrown):
            if event.left[seat] == 1:
                said.append(self.say("turn.one_left", who=self.seat(seat, you)))
        return " ".join(said)

    def turns(self, events: Sequence[Event], you: int | None, before: Sequence[int] | None = None) -> list[str]:
        """A sentence for each turn among these events; several seats' turns may follow each other."""
        return [self.turn(turn.events, you, turn.before, echo=True) for turn in turns_of(events, before)]

    def bazaar_taken(self, event: TookBazaar, you: int | None) -> str:
        """The bazaar taken at a fish, before the count."""
        return self.say("turn.takes_bazaar", who=self.seat(event.seat, you), n=len(event.tiles))

    def own_draw(self, events: Sequence[Event], ends: Sequence[int] = (), again: str = "") -> str:
        """What the one who draws hears: the tiles drawn and, given the chain's ends, where each fits. Only for that seat.

        `again`: the key that draws, where another tile must be drawn.
        """
        said = self._drawn(events, ends)
        return self.say("draw.again", said=said, key=again) if said and again and self.verbosity != "brief" else said

    def _drawn(self, events: Sequence[Event], ends: Sequence[int]) -> str:
        drew = [event for event in events if isinstance(event, Drew)]
        drawn = [(tile, ends_fitting(tile, ends), None) for event in drew for tile in known(event.tiles)]
        if not drawn:
            return ""
        if self.verbosity == "full" and drew[-1].bazaar:
            return self.say("draw.own_full", drawn=drawn, n=drew[-1].bazaar)
        return self.say("draw.own_brief" if self.verbosity == "brief" else "draw.own", drawn=drawn)

    def your_opening(self, forced: int) -> str:
        """The own opening: `forced` is the set of tiles of which one must open, 0 for any. Only for that seat."""
        if not forced:
            return self.say("yours.open_any")
        return self.say("yours.open_with", tiles=tiles_in(forced))

    def handover(self, said: str, next_seat: int) -> str:
        """'Anna: six five, right. Boris, Enter.': what happened, and who takes the keyboard."""
        name = self.table.names[next_seat]
        return self.say("handover.after", said=said, name=name) if said else self.say("handover.next", name=name)

    def braille_turn(self, events: Sequence[Event], you: int | None) -> str:
        """A turn for a braille display: 'Boris 6:5 R +2'. At most 40 cells; a long name is cut, the rest never."""
        return turn_in_cells(self, events, you)
