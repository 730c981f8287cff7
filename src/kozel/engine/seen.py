"""What one seat, or a watcher, may know of a match: its events with what is hidden left out, and a view of the state.

Nothing here depends on a tile that the seat has not seen: permuting the unseen tiles gives an equal view, byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kozel.engine.events import (
    Drew,
    DrewToOpen,
    Event,
    Laid,
    NewDealOffered,
    OpenerFound,
    RoundBegan,
    Threw,
    TookBazaar,
)
from kozel.engine.ledger import Ledger, MatchEnd, RoundSummary
from kozel.engine.match import Match
from kozel.engine.moves import Move
from kozel.engine.tiles import FULL_SET, mask_of, tiles_in


class View(NamedTuple):
    """What the seat `seat` may know of a match as it stands; `seat` None: a watcher, who has no hand.

    `number`: the round, counted from 1. `deals` and `decisions`: how many there were, new deals included. `turn`: who
    decides, None between rounds. `legal`: the own decisions, empty where it is another's turn. `hand`: the own tiles as
    their player finds them: as dealt, in the order of their names, then those drawn. `sizes`: tiles in each hand, or
    those counted after the round. `bazaar`: tiles there. `log`: the events of the last round dealt. `past`: rounds over.
    """

    seat: int | None
    ledger: Ledger
    past: tuple[RoundSummary, ...]
    number: int
    deals: int
    decisions: int
    turn: int | None
    legal: tuple[Move, ...]
    hand: tuple[int, ...]
    sizes: tuple[int, ...]
    bazaar: int
    ends: tuple[int, ...]
    log: tuple[Event, ...]
    end: MatchEnd | None

    @property
    def own_turn(self) -> bool:
        """Is it this seat that is to decide?"""
        return self.turn is not None and self.turn == self.seat

    @property
    def asked(self) -> bool:
        """Is the seat whose turn it is asked about a new deal?"""
        return self.turn is not None and bool(self.log) and isinstance(self.log[-1], NewDealOffered)

    @property
    def playing(self) -> bool:
        """Is a round in progress?"""
        return self.turn is not None

    @property
    def tiles(self) -> int:
        """The own tiles as a set."""
        return mask_of(self.hand)

    @property
    def taken(self) -> tuple[int, int] | None:
        """The seat that took a tile before the deal, and the tile."""
        return next((event.taken for event in self.log if isinstance(event, RoundBegan)), None)

    @property
    def chain(self) -> tuple[Laid, ...]:
        """What was laid in the round, in order."""
        return tuple(event for event in self.log if isinstance(event, Laid))

    @property
    def played(self) -> int:
        """The tiles on the table, thrown ones included."""
        mask = 0
        for event in self.log:
            if isinstance(event, Laid):
                mask |= event.move.tiles
            elif isinstance(event, Threw):
                mask |= mask_of(tile for _, tile in event.thrown)
        return mask

    @property
    def unseen(self) -> int:
        """The tiles that are in other hands or in the bazaar."""
        return FULL_SET & ~self.tiles & ~self.played


def seen(event: Event, seat: int | None) -> Event:
    """An event as a seat may know it: tiles that it may not know are None. A watcher (None) knows what is public."""
    if isinstance(event, Drew):
        return event if event.seat == seat else event._replace(tiles=(None,) * len(event.tiles))
    if isinstance(event, TookBazaar):
        return event if event.seat == seat else event._replace(tiles=(None,) * len(event.tiles))
    if isinstance(event, OpenerFound):
        return event if event.seat == seat else event._replace(forced=None)
    if isinstance(event, DrewToOpen):
        *hidden, opening = event.draws
        return DrewToOpen((*((who, tile if who == seat else None) for who, tile in hidden), opening))
    return event


def view(match: Match, seat: int | None, decisions: int = 0) -> View:
    """A match as a seat may know it, `decisions` taken so far. Raises `IndexError` for no such seat."""
    if seat is not None and not 0 <= seat < match.game.seats:
        raise IndexError(f"there is no seat {seat} at a table of {match.game.seats}")
    state = match.round
    log = tuple([seen(event, seat) for event in match.log])
    if state is not None:
        number, turn, ends, bazaar = match.ledger.rounds + 1, state.turn, state.ends, len(state.bazaar)
        legal = state.legal if state.turn == seat else ()
        sizes = tuple([hand.bit_count() for hand in state.hands])
        hand = () if seat is None else hand_in_order(match, seat)
    else:
        number, turn, legal, hand = match.ledger.rounds, None, (), ()
        ends = next((event.ends for event in reversed(log) if isinstance(event, Laid)), ())
        hands = match.past[-1].hands if match.past else (0,) * match.game.seats
        sizes = tuple([each.bit_count() for each in hands])
        bazaar = _left_in_bazaar(log, sizes)
        if seat is not None:
            hand = tiles_in(hands[seat])
    return View(
        seat,
        match.ledger,
        match.past,
        number,
        match.deals,
        decisions,
        turn,
        legal,
        hand,
        sizes,
        bazaar,
        ends,
        log,
        match.end,
    )


def hand_in_order(match: Match, seat: int) -> tuple[int, ...]:
    """A seat's tiles as its player finds them: as dealt, in tile-name order, then those drawn, in the order of drawing."""
    state = match.round
    if state is None:
        return ()
    order = list(tiles_in(state.start.deal.hands[seat]))
    for event in match.log:
        if isinstance(event, Drew) and event.seat == seat:
            order += known(event.tiles)
        elif isinstance(event, DrewToOpen):
            order += [tile for drawer, tile in event.draws if drawer == seat and tile is not None]
    return tuple([tile for tile in order if state.hands[seat] >> tile & 1])


def known(tiles: Sequence[int | None]) -> tuple[int, ...]:
    """The tiles among these that are not hidden."""
    return tuple([tile for tile in tiles if tile is not None])


def _left_in_bazaar(log: Sequence[Event], sizes: Sequence[int]) -> int:
    """How many tiles lie in the bazaar after a round."""
    if not log:
        return 0
    table = sum(event.move.tiles.bit_count() for event in log if isinstance(event, Laid))
    table += sum(len(event.thrown) for event in log if isinstance(event, Threw))
    return FULL_SET.bit_count() - table - sum(sizes) if table else 0
