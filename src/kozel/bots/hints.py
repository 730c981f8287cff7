"""What a computer player would do in a seat's place, and why: a reason that is a fact of what that seat may know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from kozel.bots.kernel import FISH, Finish
from kozel.bots.levels import player
from kozel.bots.settling import settled
from kozel.bots.view import View
from kozel.engine.events import Drew, Passed
from kozel.engine.moves import DRAW, KEEP, REDEAL, Move, fitting
from kozel.engine.tiles import DOUBLES, HALVES, NO_END, SUIT, is_double, pips_in

_LEVEL = "strong"


class Hint(NamedTuple):
    """A legal decision and one reason for it.

    `kind` and what its `facts` hold (`n` counts own tiles, unless said otherwise):
    draw: nothing fits. keep, redeal (n: doubles): what the player of this level finds better on average.
    open_only: no other tile may open. only: no other tile fits. out (n: tiles laid): it empties the hand.
    fish_won, fish_equal, fish_lost (mine, theirs: hand points), fish (mine): it blocks the round at once.
    blocks_draw, blocks_pass (seat): the next seat, an opponent, has nothing for the ends then.
    keeps_shut (n: points left): with these a lost round leaves the account shut, with the hand as it is it opens.
    both_ends (pips, n): all ends show the same, and n more are held. all_fit: all of the rest fits then.
    most_fit (n): more tiles fit than after any other move. several (n): doubles laid at once.
    closes, closes_useless (pips): an end is closed; in the second case nothing else in hand would have fitted it.
    double: a double is laid. heaviest (n: pips): nothing that can be laid counts more. fits (n): so many fit then.
    points (n: pips): so many are laid.
    """

    move: Move
    kind: str
    facts: Mapping[str, int]


class _After(NamedTuple):
    """A move and what is sure after it: the rest of the own hand, the ends, how many of the rest fit them."""

    move: Move
    rest: int
    ends: tuple[int, ...]
    fits: int


def hint(view: View) -> Hint:
    """The hint for the seat that is to decide; the same for the same view."""
    move = player(_LEVEL)(view, Random("hint"))
    kind, facts = next(_reasons(view, move))
    return Hint(move, kind, facts)


def _reasons(view: View, move: Move) -> Iterator[tuple[str, dict[str, int]]]:
    """The reasons for a move, the weightiest first."""
    if move == DRAW:
        yield "draw", {}
    elif move == KEEP:
        yield "keep", {}
    elif move == REDEAL:
        yield "redeal", {"n": (view.hand & DOUBLES).bit_count()}
    else:
        tiles = {each.tiles for each in view.legal}
        if len(tiles) == 1 and not view.ends:
            yield "open_only", {}
        if not _throws(view, move):
            yield from _ends_of_round(view, move)
            if len(tiles) == 1 and len({_after(view, each).ends for each in view.legal}) == 1:
                yield "only", {}
            yield from _positional(view, _after(view, move))
        yield from _plain(view, move)


def _after(view: View, move: Move) -> _After:
    rest = view.hand & ~move.tiles
    ends = view.game.round.place(view.ends, move)
    return _After(move, rest, ends, (rest & fitting(ends)).bit_count())


def _throws(view: View, move: Move) -> bool:
    """Whether doubles may be thrown under this opening, so that what stays in hand is not sure."""
    if view.ends:
        return False
    hands = [0] * view.game.seats
    hands[view.seat] = view.hand & ~move.tiles | DOUBLES & ~move.tiles
    return bool(view.game.round.thrown(tuple(hands), view.game.sides, view.seat, move.lays[0].tile))


# what ends the round, or the opponent's turn


def _ends_of_round(view: View, move: Move) -> Iterator[tuple[str, dict[str, int]]]:
    after = _after(view, move)
    if not after.rest:
        yield "out", {"n": len(move.lays)}
    elif not (after.rest | view.unseen) & fitting(after.ends):
        yield _fish(view, after)
    else:
        seat = (view.seat + 1) % view.game.seats
        if view.game.sides[seat] != view.game.sides[view.seat] and not can_hold(view, seat) & fitting(after.ends):
            draws = view.bazaar and view.game.round.draws != 0
            yield ("blocks_draw" if draws else "blocks_pass"), {"seat": seat}


def _fish(view: View, after: _After) -> tuple[str, dict[str, int]]:
    """A fish: where two play, who wins it is known if the unseen tiles all come to the other hand."""
    mine = view.game.count(after.rest)
    taken = not view.bazaar or (view.game.round.draws is None and any(pip != NO_END for pip in after.ends))
    if view.game.seats != 2 or not taken:
        return "fish", {"mine": mine}
    hands = [view.unseen, view.unseen]
    hands[view.seat] = after.rest
    chain = view.chain
    opened = chain[0].move.lays[0].tile if chain else after.move.lays[0].tile
    _, winners, _ = settled(view.game, view.ledger, Finish(view.seat, FISH), (hands[0], hands[1]), opened)
    facts = {"mine": mine, "theirs": view.game.count(view.unseen)}
    if len(winners) != 1:
        return "fish_equal", facts
    return ("fish_won" if view.game.sides[view.seat] in winners else "fish_lost"), facts


def can_hold(view: View, seat: int) -> int:
    """The unseen tiles that may be in another seat's hand, by its passes and draws; to be asked in the own turn.

    A seat that passes or draws has nothing for the ends of that moment. What it draws may show any other number; a tile
    drawn that fits is laid at once.
    """
    never: set[int] = set()
    for event, ends in view.history:
        if isinstance(event, (Passed, Drew)) and event.seat == seat:
            shown = set(ends)
            never = shown if isinstance(event, Drew) else never | shown
    mask = view.unseen
    for pip in never:
        mask &= ~SUIT[pip]
    return mask


# what makes one move better than another


def _positional(view: View, after: _After) -> Iterator[tuple[str, dict[str, int]]]:
    move, rest, ends, fits = after
    if _stays_shut(view, rest) and not _stays_shut(view, view.hand):
        yield "keeps_shut", {"n": view.game.count(rest)}
    shown = {pip for pip in ends if pip != NO_END}
    if len(shown) == 1 and len(ends) == 2 and fits and NO_END not in ends:
        yield "both_ends", {"pips": min(shown), "n": fits}
    others = [_after(view, each) for each in view.legal if each.tiles != move.tiles or _after(view, each).ends != ends]
    if fits and fits == rest.bit_count() and fits > 1:
        yield "all_fit", {}
    if fits and others and all(other.fits < fits for other in others):
        yield "most_fit", {"n": fits}
    if len(move.lays) > 1:
        yield "several", {"n": len(move.lays)}
    elif move.lays[0].closed:
        pip = HALVES[move.lays[0].tile][0]
        yield ("closes" if rest & SUIT[pip] else "closes_useless"), {"pips": pip}


def _stays_shut(view: View, hand: int) -> bool:
    """Whether the own account is shut after a round that another player wins by going out on an ordinary tile now.

    Only where that hangs on the own hand alone.
    """
    game, ledger, side = view.game, view.ledger, view.game.sides[view.seat]
    alone = len(set(game.sides)) == game.seats and (game.seats == 2 or not ledger.eggs)
    if not game.accounts or ledger.open[side] or not alone or not view.chain:
        return False
    hands = [view.unseen] * game.seats
    hands[view.seat] = hand
    winner = (view.seat + 1) % game.seats
    hands[winner] = 0
    after, _, _ = settled(game, ledger, Finish(winner, 0), tuple(hands), view.chain[0].move.lays[0].tile)
    return not after.open[side]


def _plain(view: View, move: Move) -> Iterator[tuple[str, dict[str, int]]]:
    """What can be said of any move."""
    points = pips_in(move.tiles)
    if len(move.lays) == 1 and is_double(move.lays[0].tile):
        yield "double", {}
    others = {each.tiles for each in view.legal} - {move.tiles}
    if others and points and all(pips_in(tiles) <= points for tiles in others):
        yield "heaviest", {"n": points}
    fits = _after(view, move).fits
    if fits and not _throws(view, move):
        yield "fits", {"n": fits}
    yield "points", {"n": points}
