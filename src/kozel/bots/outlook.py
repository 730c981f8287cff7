"""What a ledger promises: each side's share of a match, learnt by playing matches out with the game's own settlement.

No rule is known here. Rounds are played at random, whole matches are settled from them, and the shares that sides came
to are fitted to what the ledgers showed: points, accounts, points put by, who sits, who opens. So a match that is lost
by points and one that is won by them need no two players.
"""

from __future__ import annotations

from math import exp
from random import Random
from typing import NamedTuple

from kozel.bots.kernel import Finish, start
from kozel.bots.settling import final_shares, settled, tiles_that_count
from kozel.engine.ledger import Ledger, MatchEnd
from kozel.engine.match import Game, new_match
from kozel.engine.tiles import TILES, mask_of

_ROUNDS = 300
_MATCHES = 300
_LONGEST = 80
_PASSES = 4
_RATE = 0.25
_FOR_SWING = 40
_LEAST_SWING = 1e-3


class _Played(NamedTuple):
    """A round of the stock, the seats counted from its opener."""

    finish: Finish
    hands: tuple[int, ...]
    opened: int


class Outlook:
    """The fitted judgement. The shares of all sides add up to 1. `special`: tiles that it matters to go out on."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.special = tiles_that_count(game)
        self._random = Random("outlook")
        self._sides = max(game.sides) + 1
        self._stock = [self._round() for _ in range(_ROUNDS)]
        self._most = 1
        self._weights = [0.0] * len(self._features(new_match(game).ledger, 0))
        matches = [self._match() for _ in range(_MATCHES)]
        self._most = max(1, *(max(ledger.totals) for ledgers, _ in matches for ledger in ledgers))
        self._fit(matches)

    def shares(self, ledger: Ledger, end: MatchEnd | None) -> tuple[float, ...]:
        """Each side's share of the match: as it ended, or as it is expected to."""
        if end:
            return final_shares(self._game, end)
        weights = self._weights
        grown = [
            exp(sum(w * x for w, x in zip(weights, self._features(ledger, side), strict=True)))
            for side in range(self._sides)
        ]
        total = sum(grown)
        return tuple(each / total for each in grown)

    def swing(self, ledger: Ledger) -> float:
        """How far a round moves a side's share from where the ledger has it, on average over the stock."""
        before = self.shares(ledger, None)
        moved = 0.0
        for number, played in enumerate(self._stock[:_FOR_SWING]):
            after = self.shares(*self._settle(ledger, played, number % self._game.seats))
            moved += max(abs(a - b) for a, b in zip(after, before, strict=True))
        return max(moved / _FOR_SWING, _LEAST_SWING)

    def _round(self) -> _Played:
        game, random = self._game, self._random.random
        order = sorted(TILES, key=lambda _: random())
        size = game.hand
        hands = [mask_of(order[seat * size : seat * size + size]) for seat in range(game.seats)]
        position = start(game.round, hands, order[game.seats * size :], 0, hands[0])
        finish = position.rollout(random)
        return _Played(finish, tuple(position.hands), position.opened)

    def _settle(self, ledger: Ledger, played: _Played, opener: int) -> tuple[Ledger, MatchEnd | None]:
        seats = self._game.seats
        hands = tuple(played.hands[(seat - opener) % seats] for seat in range(seats))
        finish = Finish((played.finish.seat + opener) % seats, played.finish.tiles)
        after, _, end = settled(self._game, ledger, finish, hands, played.opened)
        return after, end

    def _match(self) -> tuple[list[Ledger], tuple[float, ...]]:
        random, ledger, end = self._random.random, new_match(self._game).ledger, None
        ledgers = [ledger]
        while end is None and len(ledgers) < _LONGEST:
            opener = ledger.opener if ledger.opener is not None else int(random() * self._game.seats)
            ledger, end = self._settle(ledger, self._stock[int(random() * _ROUNDS)], opener)
            if end is None:
                ledgers.append(ledger)
        return ledgers, final_shares(self._game, end) if end else (1 / self._sides,) * self._sides

    def _features(self, ledger: Ledger, side: int) -> tuple[float, ...]:
        total = ledger.totals[side] / self._most
        opens = ledger.opener is not None and self._game.sides[ledger.opener] == side
        return (
            total,
            total * total,
            total**4,
            1.0 if ledger.open[side] else 0.0,
            ledger.deferred[side] / 50,
            1.0 if ledger.sitting == side else 0.0,
            1.0 if opens else 0.0,
        )

    def _fit(self, matches: list[tuple[list[Ledger], tuple[float, ...]]]) -> None:
        """Softmax regression of the shares on the features of each side, by stochastic gradient with a falling rate."""
        samples = [
            ([self._features(ledger, side) for side in range(self._sides)], shares)
            for ledgers, shares in matches
            for ledger in ledgers
        ]
        weights = self._weights
        for turn in range(_PASSES):
            samples.sort(key=lambda _: self._random.random())
            rate = _RATE / (1 + turn)
            for features, shares in samples:
                grown = [exp(sum([w * x for w, x in zip(weights, each, strict=True)])) for each in features]
                total = sum(grown)
                for each, share, size in zip(features, shares, grown, strict=True):
                    step = rate * (share - size / total)
                    for index, x in enumerate(each):
                        if x:
                            weights[index] += step * x


_kept: list[tuple[Game, Outlook]] = []


def outlook(game: Game) -> Outlook:
    """The outlook of a game; learning takes a moment, so the last few are kept."""
    for known, found in _kept:
        if known.steps == game.steps and known.sides == game.sides and known.hand == game.hand:
            return found
    found = Outlook(game)
    _kept.append((game, found))
    del _kept[:-4]
    return found
