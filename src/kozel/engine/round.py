"""A round: an immutable state, and `apply`, which gives the next state and what happened.

The state always stands at a decision or at the round's end: forced passes, draws that the rules make by themselves,
the snot and the bazaar taken at a fish happen inside `apply` and are told as events.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from kozel.engine.events import (
    DealKept,
    Drew,
    DrewToOpen,
    Event,
    Fish,
    Laid,
    NewDealOffered,
    OpenerFound,
    Threw,
    TookBazaar,
    WentOut,
    passed,
)
from kozel.engine.moves import DRAW, KEEP, REDEAL, Move, fitting, openings
from kozel.engine.tiles import DOUBLES, mask_of


class Opening(NamedTuple):
    """Who opens a round, with one of which tiles, after which draws (seat, tile) from the bazaar."""

    seat: int
    tiles: int
    draws: tuple[tuple[int, int], ...] = ()
    by_lot: bool = False


class Deal(NamedTuple):
    """The tiles as dealt, and what the match says about the opening.

    `fresh`: opened as a first round. `opener`: the seat that opens, where settled. `sitting`: the side on the goat.
    `lot`: the seat drawn by lot.
    """

    hands: tuple[int, ...]
    bazaar: tuple[int, ...]
    fresh: bool
    opener: int | None
    sitting: int | None
    lot: int | None


class RoundRules:
    """The rules of one round, each a function or a fact.

    `moves(hand, ends)` lists what can be laid; `place(ends, move)` gives the ends after it; `turn(ends, move, hand)` is
    both, the ends after a move on a chain and what the next hand can lay there; `opening(deal)` says who opens;
    `thrown(hands, sides, seat, tile)` gives the doubles thrown under an opening tile; `draws`: how many draws a turn has
    at most (0: the bazaar is not in play, None: until a tile fits); `sides`: the side of each seat. `following`: the seat
    that follows each.
    """

    __slots__ = ("auto_draw", "draws", "following", "moves", "opening", "place", "sides", "thrown", "turn")

    def __init__(
        self,
        moves: Callable[[int, tuple[int, ...]], tuple[Move, ...]],
        place: Callable[[tuple[int, ...], Move], tuple[int, ...]],
        turn: Callable[[tuple[int, ...], Move, int], tuple[tuple[int, ...], tuple[Move, ...]]],
        opening: Callable[[Deal], Opening],
        thrown: Callable[[tuple[int, ...], tuple[int, ...], int, int], tuple[tuple[int, int], ...]],
        draws: int | None,
        auto_draw: bool,
        sides: tuple[int, ...],
    ) -> None:
        self.moves, self.place, self.turn, self.opening, self.thrown = moves, place, turn, opening, thrown
        self.draws, self.auto_draw, self.sides = draws, auto_draw, sides
        self.following = (*range(1, len(sides)), 0)


class Outcome(NamedTuple):
    """How a round ended: `seat` went out, made the fish or asked for a new deal; `move`: what it went out on, if laid."""

    result: str
    seat: int
    move: Move | None


class Start(NamedTuple):
    """How the round began: the deal, the seats still to be asked about a new one, who opens, and the opening tile."""

    deal: Deal
    asked: tuple[int, ...]
    seat: int | None
    tile: int | None


class Round(NamedTuple):
    """A round in progress. `hands` are sets, `bazaar` is in the order of drawing.

    `ends` is `()` before the opening. `legal`: every decision open to the seat `turn`; empty once there is an `outcome`.
    """

    hands: tuple[int, ...]
    bazaar: tuple[int, ...]
    ends: tuple[int, ...]
    turn: int
    legal: tuple[Move, ...]
    start: Start
    outcome: Outcome | None


class Refused(Exception):
    """Something the rules do not allow. `kind` names the reason and `facts` what it is about, for its sentence."""

    def __init__(self, kind: str, **facts: object) -> None:
        self.kind, self.facts = kind, facts
        super().__init__(f"{kind} {facts}" if facts else kind)


class IllegalMove(Refused):
    """A decision that is not open to the player."""


def begin(rules: RoundRules, deal: Deal, asked: tuple[int, ...]) -> tuple[Round, list[Event]]:
    """The first decision of a dealt round; `asked`: the seats that may ask for a new deal first, in order."""
    return _next_question(rules, deal, asked, [])


def apply(rules: RoundRules, state: Round, move: Move) -> tuple[Round, list[Event]]:
    """The state after a decision, and what happened, in order. Raises `IllegalMove`; never changes `state`."""
    hands, bazaar, ends, seat, legal, start, _ = state
    if move not in legal:
        raise IllegalMove("illegal", move=move.text)
    if not move.tiles:
        return _draw(rules, state) if move is DRAW else _answer(rules, state, move)
    if not ends:
        return _open(rules, state, move)
    after = list(hands)
    hand = after[seat] = after[seat] ^ move.tiles
    turn = rules.following[seat]
    play = rules.turn  # read before it is called, which Python does faster
    ends, legal = play(ends, move, after[turn])
    hands = tuple(after)
    events: list[Event] = [_new(Laid, (seat, move, ends, hand.bit_count(), False))]
    if not hand:
        events.append(_new(WentOut, (seat,)))
        outcome = _new(Outcome, ("out", seat, move))
        return _new(Round, (hands, bazaar, ends, seat, (), start, outcome)), events
    if legal:
        return _new(Round, (hands, bazaar, ends, turn, legal, start, None)), events
    if _blocked(rules, hands, bazaar, ends):
        return _fish(rules, hands, bazaar, ends, seat, start, move, events)
    return _next_turn(rules, hands, bazaar, ends, turn, legal, start, events)


_new: Any = tuple.__new__
"""Builds a named tuple in half the time that its own constructor takes; `apply` is hot in bots and replays."""


def _blocked(rules: RoundRules, hands: tuple[int, ...], bazaar: tuple[int, ...], ends: tuple[int, ...]) -> bool:
    """Does no tile that may still be laid fit any end? (Rulebook 1.)"""
    fits = fitting(ends)
    for hand in hands:
        if hand & fits:
            return False
    return rules.draws == 0 or not mask_of(bazaar) & fits


def _next_turn(
    rules: RoundRules,
    hands: tuple[int, ...],
    bazaar: tuple[int, ...],
    ends: tuple[int, ...],
    seat: int,
    legal: tuple[Move, ...],
    start: Start,
    events: list[Event],
) -> tuple[Round, list[Event]]:
    """Go round the table from `seat`, which can lay `legal`, to the first that has a decision: the round is no fish."""
    while True:
        if not legal and bazaar and rules.draws != 0:
            if not rules.auto_draw:
                legal = (DRAW,)
            else:
                hands, bazaar, legal = _drawn(rules, hands, bazaar, ends, seat, events)
        if legal:
            return _new(Round, (hands, bazaar, ends, seat, legal, start, None)), events
        events.append(passed(seat))
        seat = rules.following[seat]
        legal = rules.moves(hands[seat], ends)


def _drawn(
    rules: RoundRules,
    hands: tuple[int, ...],
    bazaar: tuple[int, ...],
    ends: tuple[int, ...],
    seat: int,
    events: list[Event],
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[Move, ...]]:
    """Draw for a seat: one tile, or by itself until one fits or the bazaar is empty."""
    hand, fits, taken = hands[seat], fitting(ends), 0
    while taken < len(bazaar):
        tile = bazaar[taken]
        hand |= 1 << tile
        taken += 1
        if fits >> tile & 1 or rules.draws == 1 or not rules.auto_draw:
            break
    drawn, bazaar = bazaar[:taken], bazaar[taken:]
    events.append(Drew(seat, drawn, len(bazaar), hand.bit_count()))
    return (*hands[:seat], hand, *hands[seat + 1 :]), bazaar, rules.moves(hand, ends)


def _draw(rules: RoundRules, state: Round) -> tuple[Round, list[Event]]:
    events: list[Event] = []
    seat, ends = state.turn, state.ends
    hands, bazaar, legal = _drawn(rules, state.hands, state.bazaar, ends, seat, events)
    if not legal and bazaar and rules.draws is None:
        legal = (DRAW,)
    if legal:
        return state._replace(hands=hands, bazaar=bazaar, legal=legal), events
    events.append(passed(seat))
    seat = rules.following[seat]
    return _next_turn(rules, hands, bazaar, ends, seat, rules.moves(hands[seat], ends), state.start, events)


def _fish(
    rules: RoundRules,
    hands: tuple[int, ...],
    bazaar: tuple[int, ...],
    ends: tuple[int, ...],
    seat: int,
    start: Start,
    move: Move | None,
    events: list[Event],
) -> tuple[Round, list[Event]]:
    """The end of a blocked round. Where one draws until a tile fits the next seat takes the bazaar, unless no end is open."""
    closed = not fitting(ends)
    events.append(_new(Fish, (seat, closed)))
    if bazaar and not closed and rules.draws is None:
        taker = rules.following[seat]
        hands = (*hands[:taker], hands[taker] | mask_of(bazaar), *hands[taker + 1 :])
        events.append(TookBazaar(taker, bazaar))
        bazaar = ()
    outcome = _new(Outcome, ("fish", seat, move))
    return _new(Round, (hands, bazaar, ends, seat, (), start, outcome)), events


def _open(rules: RoundRules, state: Round, move: Move) -> tuple[Round, list[Event]]:
    """The first tile, and the doubles thrown under it."""
    hands, bazaar, _, seat, _, (deal, asked, opener, _), _ = state
    tile = move.lays[0].tile
    ends = rules.place((), move)
    after = list(hands)
    after[seat] ^= move.tiles
    start = _new(Start, (deal, asked, opener, tile))
    hands = tuple(after)
    events: list[Event] = [_new(Laid, (seat, move, ends, after[seat].bit_count(), True))]
    thrown = rules.thrown(hands, rules.sides, seat, tile)
    if thrown:
        for thrower, double in thrown:
            after[thrower] ^= 1 << double
        hands = tuple(after)
        events.append(Threw(thrown, tuple([hand.bit_count() for hand in hands])))
    if 0 in hands:
        out = hands.index(0)
        events.append(WentOut(out))
        last = None if thrown else move
        return Round(hands, bazaar, ends, seat, (), start, Outcome("out", out, last)), events
    turn = rules.following[seat]
    legal = rules.moves(hands[turn], ends)
    if legal:
        return _new(Round, (hands, bazaar, ends, turn, legal, start, None)), events
    if _blocked(rules, hands, bazaar, ends):
        return _fish(rules, hands, bazaar, ends, seat, start, move, events)
    return _next_turn(rules, hands, bazaar, ends, turn, legal, start, events)


def _answer(rules: RoundRules, state: Round, move: Move) -> tuple[Round, list[Event]]:
    seat, start = state.turn, state.start
    if move is REDEAL:
        return state._replace(legal=(), outcome=Outcome("redeal", seat, None)), []
    return _next_question(rules, start.deal, start.asked[1:], [DealKept(seat)])


def _next_question(
    rules: RoundRules, deal: Deal, asked: tuple[int, ...], events: list[Event]
) -> tuple[Round, list[Event]]:
    """Ask the next of the seats that may ask for a new deal; when all are asked, find who opens."""
    hands, bazaar = deal.hands, deal.bazaar
    if asked:
        seat = asked[0]
        events.append(NewDealOffered(seat, (hands[seat] & DOUBLES).bit_count()))
        return Round(hands, bazaar, (), seat, (KEEP, REDEAL), Start(deal, asked, None, None), None), events
    seat, tiles, draws, by_lot = rules.opening(deal)
    if draws:
        drawn = list(hands)
        for drawer, tile in draws:
            drawn[drawer] |= 1 << tile
        hands, bazaar = tuple(drawn), bazaar[len(draws) :]
        events.append(DrewToOpen(draws))
    events.append(_new(OpenerFound, (seat, 0 if tiles == hands[seat] else tiles, by_lot)))
    start = _new(Start, (deal, asked, seat, None))
    return _new(Round, (hands, bazaar, (), seat, openings(tiles), start, None)), events
