"""The round as a mutable position, for playing it out thousands of times: the rules of `kozel.engine.round`, without events.

What the game does by itself is done at once: drawing, passing, snot. The ordinary chain has a fast path; a chain with
four arms asks the ruleset's own functions. A test holds it to `apply`, game for game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kozel.engine.moves import (
    LEFT,
    ON_END,
    RIGHT,
    Move,
    fitting,
    laying,
    line_moves_with_pairs,
    line_place,
    openings,
)
from kozel.engine.moves import Lay as _Lay
from kozel.engine.round import RoundRules
from kozel.engine.tiles import DOUBLE, NO_END, PIPS, SUIT, mask_of

FISH = -1
"""In place of the tiles that a round went out on."""

_ON_LEFT, _ON_RIGHT = ON_END[LEFT], ON_END[RIGHT]
_PAIR = tuple(tuple(1 << DOUBLE[a] | 1 << DOUBLE[b] for b in PIPS) for a in PIPS)
_BOTH = tuple(
    tuple((laying(_Lay(DOUBLE[a], LEFT, False), _Lay(DOUBLE[b], RIGHT, False)),) if a != b else () for b in PIPS)
    for a in PIPS
)


class Finish(NamedTuple):
    """How a round ended: who laid last, and the tiles that it went out on (0: a hand emptied by snot; `FISH`)."""

    seat: int
    tiles: int


class Position:
    """A round in which every tile is known. `bazaar`: the next tile to be drawn is the last.

    `opened`: the opening tile, -1 before it. `legal`: what the seat `turn` can lay; empty once there is a `finish`.
    """

    __slots__ = ("bazaar", "ends", "finish", "hands", "legal", "opened", "rules", "turn", "unplayed")

    def __init__(
        self,
        rules: RoundRules,
        hands: list[int],
        bazaar: list[int],
        ends: tuple[int, ...],
        turn: int,
        legal: tuple[Move, ...],
        opened: int,
    ) -> None:
        self.rules, self.hands, self.bazaar, self.ends = rules, hands, bazaar, ends
        self.turn, self.legal, self.opened = turn, legal, opened
        self.finish: Finish | None = None
        unplayed = 0
        for hand in hands:
            unplayed |= hand
        self.unplayed = unplayed if rules.draws == 0 else unplayed | mask_of(bazaar)

    def copy(self) -> Position:
        """The same position, to be played on apart from this one."""
        twin = Position.__new__(Position)
        twin.rules, twin.hands, twin.bazaar, twin.ends = self.rules, self.hands[:], self.bazaar[:], self.ends
        twin.turn, twin.legal, twin.opened = self.turn, self.legal, self.opened
        twin.finish, twin.unplayed = self.finish, self.unplayed
        return twin

    def play(self, move: Move) -> None:
        """Lay a move of `legal`, and go on to the next seat that can lay, or to the round's end."""
        seat, hands, tiles = self.turn, self.hands, move.tiles
        if not self.ends:
            self._open(move)
            return
        hand = hands[seat] = hands[seat] ^ tiles
        self.unplayed ^= tiles
        self.ends = self.rules.place(self.ends, move)
        if hand:
            self._advance()
        else:
            self._end(seat, tiles)

    def rollout(self, random: Callable[[], float]) -> Finish:
        """Play the round out at random from the decision at hand; `hands` are what is left in the end.

        Where both ends of an ordinary chain are equal, only the left one is used.
        """
        if self.finish is None and not self.ends:
            self.play(pick(self.legal, random))
        if self.finish:
            return self.finish
        if self.rules.place is line_place:
            return _line_rollout(self, random)
        while not self.finish:
            self.play(pick(self.legal, random))
        return self.finish

    def _open(self, move: Move) -> None:
        seat, hands, rules = self.turn, self.hands, self.rules
        self.opened = move.lays[0].tile
        hands[seat] ^= move.tiles
        self.unplayed ^= move.tiles
        self.ends = rules.place((), move)
        thrown = rules.thrown(tuple(hands), rules.sides, seat, self.opened)
        for thrower, double in thrown:
            hands[thrower] ^= 1 << double
            self.unplayed ^= 1 << double
        if all(hands):
            self._advance()
        else:
            self._end(hands.index(0), 0 if thrown else move.tiles)

    def _end(self, seat: int, tiles: int) -> Finish:
        self.legal = ()
        self.finish = finish = Finish(seat, tiles)
        return finish

    def _advance(self) -> None:
        rules, hands, ends, bazaar, last = self.rules, self.hands, self.ends, self.bazaar, self.turn
        moves, seats, seat = rules.moves, len(hands), last
        while True:
            seat += 1
            if seat == seats:
                seat = 0
            legal = moves(hands[seat], ends)
            if not legal:
                fits = fitting(ends)
                if not self.unplayed & fits:
                    self._block(last)
                    return
                if bazaar and rules.draws != 0:
                    hands[seat] = _draw(hands[seat], bazaar, fits, rules.draws)
                    legal = moves(hands[seat], ends)
            if legal:
                self.turn, self.legal = seat, legal
                return

    def _block(self, fisher: int) -> Finish:
        """A fish: where one draws until a tile fits, the next seat takes the bazaar, but not if all ends are closed."""
        if self.bazaar and self.rules.draws is None and any(pip != NO_END for pip in self.ends):
            self.hands[(fisher + 1) % len(self.hands)] |= mask_of(self.bazaar)
            self.bazaar.clear()
        return self._end(fisher, FISH)


def pick(options: tuple[Move, ...], random: Callable[[], float]) -> Move:
    """One of the options at random, and a heavy one rather than a light one: of two the heavier.

    A single option costs no random number.
    """
    number = len(options)
    if number == 1:
        return options[0]
    one, other = options[int(random() * number)], options[int(random() * number)]
    return other if other.total > one.total else one


def start(rules: RoundRules, hands: list[int], bazaar: list[int], seat: int, tiles: int) -> Position:
    """The position before an opening by a seat with one of these tiles."""
    return Position(rules, hands, bazaar, (), seat, openings(tiles), -1)


def _draw(hand: int, bazaar: list[int], fits: int, draws: int | None) -> int:
    while bazaar:
        bit = 1 << bazaar.pop()
        hand |= bit
        if bit & fits or draws == 1:
            break
    return hand


def _line_rollout(position: Position, random: Callable[[], float]) -> Finish:
    """Play an ordinary chain out: the same as `play` with `pick`, in one loop.

    Where one draws until a tile fits, a fish needs no looking for: the next seat draws the bazaar, then all pass.
    """
    on_left, on_right, suit = _ON_LEFT, _ON_RIGHT, SUIT
    hands, bazaar, rules = position.hands, position.bazaar, position.rules
    draws, pairs = rules.draws, rules.moves is line_moves_with_pairs
    left, right = position.ends
    seats, seat = len(hands), position.turn
    last, passed, following = seat, 0, (*range(1, seats), 0)
    while True:
        hand = hands[seat]
        options = on_left[left][hand & suit[left]]
        if left != right:
            options += on_right[right][hand & suit[right]]
        if not options:
            if bazaar and draws != 0:
                fits = suit[left] | suit[right]
                if draws == 1 and not fits & _together(hands, bazaar):
                    break
                hand = hands[seat] = _draw(hand, bazaar, fits, draws)
                passed = -1
                options = on_left[left][hand & suit[left]]
                if left != right:
                    options += on_right[right][hand & suit[right]]
            if not options:
                passed += 1
                if passed == seats:
                    break
                seat = following[seat]
                continue
        number = len(options)
        if number == 1:
            move = options[0]
        else:
            if pairs and left != right:
                pair = _PAIR[left][right]
                if hand & pair == pair:
                    options += _BOTH[left][right]
                    number += 1
            move, other = options[int(random() * number)], options[int(random() * number)]
            if other.total > move.total:
                move = other
        tiles, end = move.tiles, move.end
        hand = hands[seat] = hand ^ tiles
        if not hand:
            return position._end(seat, tiles)
        last, passed = seat, 0
        if end == LEFT:
            left = move.total - left
        elif end == RIGHT:
            right = move.total - right
        seat = following[seat]
    position.ends = (left, right)
    return position._block(last)


def _together(hands: list[int], bazaar: list[int]) -> int:
    """All tiles that may still be laid."""
    mask = mask_of(bazaar)
    for hand in hands:
        mask |= hand
    return mask
