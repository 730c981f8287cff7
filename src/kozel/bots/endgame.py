"""The exact end of a round between two seats when every tile is known: best play by both, searched to the end."""

from __future__ import annotations

from kozel.bots.aim import Aim
from kozel.bots.kernel import FISH, Finish, Position
from kozel.engine.moves import Move, fitting
from kozel.engine.round import RoundRules

_WORST, _BEST = -1e9, 1e9


class TooLong(Exception):
    """The search came to its cap."""


class Endgame:
    """Alpha-beta search over the values of `Aim` for seat 0, which seat 1 keeps low; at most `cap` positions.

    Two sides' values add up to the same sum at every end, so what one gains the other loses. Nothing is left to draw.
    """

    def __init__(self, rules: RoundRules, aim: Aim, opened: int, cap: int) -> None:
        self._rules, self._aim, self._opened, self._left = rules, aim, opened, cap
        self._known: dict[tuple[int, int, tuple[int, ...], int], float] = {}

    def best(self, position: Position) -> tuple[Move, float]:
        """The best move of the seat to move, and what it is worth to it. Raises `TooLong`."""
        seat = position.turn
        sign = 1 if seat == 0 else -1
        best, found = position.legal[0], _WORST
        first, second = position.hands
        for move in _ordered(position.legal):
            low, high = (found, _BEST) if seat == 0 else (_WORST, -found)
            value = sign * self._after(first, second, position.ends, seat, move, low, high)
            if value > found:
                best, found = move, value
        return best, found

    def _after(
        self, first: int, second: int, ends: tuple[int, ...], seat: int, move: Move, low: float, high: float
    ) -> float:
        if seat == 0:
            first ^= move.tiles
        else:
            second ^= move.tiles
        if not (first and second):
            return self._end(seat, move.tiles, first, second)
        ends = self._rules.place(ends, move)
        fits = fitting(ends)
        if (second if seat == 0 else first) & fits:
            return self._value(first, second, ends, 1 - seat, low, high)
        if (first if seat == 0 else second) & fits:
            return self._value(first, second, ends, seat, low, high)
        return self._end(seat, FISH, first, second)

    def _value(self, first: int, second: int, ends: tuple[int, ...], seat: int, low: float, high: float) -> float:
        key = (first, second, ends, seat)
        known = self._known.get(key)
        if known is not None:
            return known
        self._left -= 1
        if self._left < 0:
            raise TooLong
        moves = _ordered(self._rules.moves(second if seat else first, ends))
        from_low, from_high = low, high
        best = _BEST if seat else _WORST
        for move in moves:
            value = self._after(first, second, ends, seat, move, low, high)
            if seat:
                best = min(best, value)
                high = min(high, value)
            else:
                best = max(best, value)
                low = max(low, value)
            if low >= high:
                break
        if from_low < best < from_high:
            self._known[key] = best
        return best

    def _end(self, seat: int, tiles: int, first: int, second: int) -> float:
        return self._aim.values(Finish(seat, tiles), [first, second], self._opened)[0]


def _ordered(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    return tuple(sorted(moves, key=_heaviest)) if len(moves) > 1 else moves


def _heaviest(move: Move) -> int:
    return -move.total
