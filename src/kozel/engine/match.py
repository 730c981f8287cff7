"""A match: a pure function of its game, its deals and the players' decisions."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from kozel.engine.events import DealtAgain, Event, MatchOver, RoundBegan, RoundScored
from kozel.engine.ledger import Ledger, MatchEnd, RoundSummary
from kozel.engine.moves import Move
from kozel.engine.round import Deal, Refused, Round, RoundRules, apply, begin
from kozel.engine.settlement import Step, facts_of, settle
from kozel.engine.tiles import DOUBLES, FULL_SET, NAMES, PIPS, SUIT, TILES, mask_of


class Game(NamedTuple):
    """A ruleset made ready for a table: its options settled, its rules bound.

    `sides`: the side of each seat. `hand`: tiles dealt to each seat. `taken(ledger)`: the seat that takes a tile before
    the deal, and the tile. `lots`: is the opener of a first, of a later round drawn by lot. `same_number`,
    `many_doubles`: from how many tiles of one number a hand is dealt again, and from how many doubles its player may ask
    for it (0: never). `count(hand)`: a hand's points. `fish_winners(points by side)`. `steps` settle a round, `payments`
    share the bank of a match that is over. `accounts`: an account must be opened first. `keeps_points`: rounds are recorded
    in points.
    """

    ruleset: str
    options: Mapping[str, bool | int | str]
    pairs: bool
    sides: tuple[int, ...]
    hand: int
    taken: Callable[[Ledger], tuple[int, int] | None]
    lots: tuple[bool, bool]
    same_number: int
    many_doubles: int
    round: RoundRules
    count: Callable[[int], int]
    fish_winners: Callable[[tuple[int, ...]], tuple[int, ...]]
    steps: tuple[Step, ...]
    payments: tuple[Step, ...]
    accounts: bool
    keeps_points: bool

    @property
    def seats(self) -> int:
        """How many players there are."""
        return len(self.sides)


class Match(NamedTuple):
    """A match in progress. `log`: the events of the last round dealt. `past`: rounds settled, new deals included."""

    game: Game
    ledger: Ledger
    round: Round | None
    log: tuple[Event, ...]
    past: tuple[RoundSummary, ...]
    end: MatchEnd | None
    deals: int


class BadDeal(Refused):
    """Tiles that cannot be this round's deal."""


class Dealt(NamedTuple):
    """A deal to be played: the hands' tiles by seat, the bazaar in the order of drawing, the opener drawn by lot."""

    hands: tuple[tuple[int, ...], ...]
    bazaar: tuple[int, ...]
    lot: int | None


def new_match(game: Game) -> Match:
    """A match before its first deal."""
    sides = max(game.sides) + 1
    ledger = Ledger((0,) * sides, (not game.accounts,) * sides, (0,) * sides, 0, None, None, True, 0)
    return Match(game, ledger, None, (), (), None, 0)


def needs_lot(match: Match) -> bool:
    """Is the next deal's opener drawn by lot?"""
    first, later = match.game.lots
    return first if match.ledger.fresh else later


def shuffled(match: Match, seed: str) -> Dealt:
    """The deal that this seed gives next. Deals are counted, not rounds: a deal that did not count must not come again."""
    from random import Random  # not needed to replay, and a millisecond of every start

    random = Random(f"{seed}/{match.deals}").random
    order = sorted(TILES, key=lambda _: random())
    return hand_out(match, order, int(random() * match.game.seats) if needs_lot(match) else None)


def hand_out(match: Match, order: list[int], lot: int | None) -> Dealt:
    """The 28 tiles in this order handed out: a tile that the rules give lies first in its hand, the rest go seat by seat."""
    game = match.game
    taken = game.taken(match.ledger)
    if taken:
        order = [tile for tile in order if tile != taken[1]]
    hands, start = [], 0
    for seat in range(game.seats):
        first = [taken[1]] if taken and taken[0] == seat else []
        end = start + game.hand - len(first)
        hands.append((*first, *order[start:end]))
        start = end
    return Dealt(tuple(hands), tuple(order[start:]), lot)


def deal(match: Match, dealt: Dealt) -> tuple[Match, list[Event]]:
    """Deal a round. Raises `BadDeal` where the tiles are not 28 different ones, dealt as the ruleset says."""
    if match.end or match.round:
        raise BadDeal("match_over" if match.end else "round_unfinished")
    game, ledger = match.game, match.ledger
    taken = game.taken(ledger)
    _check_deal(match, dealt, taken)
    hands = tuple(mask_of(hand) for hand in dealt.hands)
    events: list[Event] = [RoundBegan(ledger.rounds + 1, tuple(map(len, dealt.hands)), len(dealt.bazaar), taken)]
    match = match._replace(deals=match.deals + 1)
    if game.same_number:
        for seat, hand in enumerate(hands):
            for pips in PIPS:
                if (hand & SUIT[pips]).bit_count() >= game.same_number:
                    events.append(DealtAgain(seat, pips))
                    return _dealt_again(match, seat, events), events
    asked: tuple[int, ...] = ()
    if game.many_doubles:
        asked = tuple(s for s, hand in enumerate(hands) if (hand & DOUBLES).bit_count() >= game.many_doubles)
    state, told = begin(
        game.round, Deal(hands, dealt.bazaar, ledger.fresh, ledger.opener, ledger.sitting, dealt.lot), asked
    )
    events += told
    return match._replace(round=state, log=tuple(events)), events


def decide(match: Match, move: Move) -> tuple[Match, list[Event]]:
    """Carry out a player's decision; a round that ends by it is settled. Raises `IllegalMove`."""
    if match.round is None:
        raise Refused("match_over" if match.end else "round_over")
    state, events = apply(match.game.round, match.round, move)
    outcome = state.outcome
    if outcome is None:
        game, ledger, _, log, past, end, deals = match
        return Match(game, ledger, state, (*log, *events), past, end, deals), events
    if outcome.result == "redeal":
        events.append(DealtAgain(outcome.seat, None))
        return _dealt_again(match, outcome.seat, events), events
    return _settled(match, state, events)


def _settled(match: Match, state: Round, events: list[Event]) -> tuple[Match, list[Event]]:
    game = match.game
    facts = facts_of(state, game.sides, game.count, game.fish_winners)
    ledger, summary, end = settle(facts, state.hands, game.steps, match.ledger, game.payments)
    events.append(RoundScored(summary))
    if end:
        events.append(MatchOver(end, ledger.totals, ledger.deferred))
    return (
        match._replace(ledger=ledger, round=None, log=match.log + tuple(events), past=(*match.past, summary), end=end),
        events,
    )


def _dealt_again(match: Match, seat: int, events: Sequence[Event]) -> Match:
    """A deal that does not count: everything stays as it was (rulebook 2.6)."""
    ledger, seats = match.ledger, match.game.seats
    none = (0,) * len(ledger.totals)
    summary = RoundSummary(
        number=ledger.rounds + 1,
        opener=None,
        result="redeal",
        seat=seat,
        winner=(),
        hand_points=(0,) * seats,
        hands=(0,) * seats,
        scored=none,
        eggs=ledger.eggs,
        totals=ledger.totals,
        open=ledger.open,
        deferred=ledger.deferred,
        sitting=ledger.sitting,
        next_opener=ledger.opener,
        notes=(),
    )
    return match._replace(round=None, log=match.log + tuple(events), past=(*match.past, summary))


def _check_deal(match: Match, dealt: Dealt, taken: tuple[int, int] | None) -> None:
    game = match.game
    if len(dealt.hands) != game.seats:
        raise BadDeal("hands_count", found=len(dealt.hands), wanted=game.seats)
    for seat, hand in enumerate(dealt.hands):
        if len(hand) != game.hand:
            raise BadDeal("hand_size", seat=seat, found=len(hand), wanted=game.hand)
    seen = 0
    for tile in (tile for hand in (*dealt.hands, dealt.bazaar) for tile in hand):
        if seen >> tile & 1:
            raise BadDeal("tile_twice", tile=NAMES[tile])
        seen |= 1 << tile
    if seen != FULL_SET:
        missing = next(tile for tile in TILES if not seen >> tile & 1)
        raise BadDeal("tile_missing", tile=NAMES[missing])
    if taken and taken[1] not in dealt.hands[taken[0]]:
        raise BadDeal("taken_missing", seat=taken[0], tile=NAMES[taken[1]])
    if needs_lot(match):
        if dealt.lot is None:
            raise BadDeal("lot_missing")
        if not 0 <= dealt.lot < game.seats:
            raise BadDeal("lot_range", found=dealt.lot, last=game.seats - 1)
    elif dealt.lot is not None:
        raise BadDeal("lot_unwanted")
