"""What an end of a round is worth to each side: settled by the game's own steps, then judged by the match's outlook."""

from __future__ import annotations

from collections.abc import Callable

from kozel.bots.kernel import FISH, Finish
from kozel.bots.outlook import Outlook, outlook
from kozel.bots.settling import settled
from kozel.engine.ledger import Ledger
from kozel.engine.match import Game
from kozel.engine.tiles import TILES

_MOST_KEPT = 100_000
_ROUND = 2.0
"""What winning the round weighs, next to what it does for the match (in mean differences of the match's outlook)."""


class _Counts(dict[int, int]):
    """Hand points by hand, counted once."""

    def __init__(self, count: Callable[[int], int]) -> None:
        super().__init__()
        self._count = count

    def __missing__(self, hand: int) -> int:
        points = self[hand] = self._count(hand)
        return points


class Aim:
    """Values of round ends for a ledger, by side, about 0 to 1; of two sides they add up to the same sum always."""

    def __init__(self, game: Game, ledger: Ledger) -> None:
        self.game, self.ledger = game, ledger
        self.sides = max(game.sides) + 1
        self._outlook: Outlook = outlook(game)
        self._counts = _Counts(game.count)
        self._special = self._outlook.special
        self._values: dict[tuple[int, ...], tuple[float, ...]] = {}
        self.swing = self._outlook.swing(ledger)

    @property
    def most(self) -> float:
        """The highest value: the match won, and the round with it. Of two sides it is the sum of their values at every end."""
        return 1 + _ROUND * self.swing

    def values(self, finish: Finish, hands: list[int], opened: int) -> tuple[float, ...]:
        """What a round that ended so is worth to each side. Cached by all that a settlement step can tell apart."""
        counts = self._counts
        seat, tiles = finish
        kind = FISH if tiles == FISH else tiles & self._special | tiles.bit_count() << len(TILES)
        key = (seat, kind, opened, *[counts[hand] for hand in hands])
        found = self._values.get(key)
        if found is None:
            if len(self._values) > _MOST_KEPT:
                self._values.clear()
                counts.clear()
            found = self._values[key] = self._judged(finish, tuple(hands), opened)
        return found

    def _judged(self, finish: Finish, hands: tuple[int, ...], opened: int) -> tuple[float, ...]:
        after, winners, end = settled(self.game, self.ledger, finish, hands, opened)
        shares = self._outlook.shares(after, end)
        round_share = 1 / len(winners) if winners else 1 / self.sides
        won = [(round_share if side in winners or not winners else 0.0) for side in range(self.sides)]
        return tuple(share + _ROUND * self.swing * each for share, each in zip(shares, won, strict=True))


_kept: list[Aim] = []


def aim_for(game: Game, ledger: Ledger) -> Aim:
    """The aim of a game at a ledger; the last few are kept, as every decision of a round asks for the same one."""
    for aim in _kept:
        if aim.game.steps == game.steps and aim.game.sides == game.sides and aim.ledger == ledger:
            return aim
    aim = Aim(game, ledger)
    _kept.append(aim)
    del _kept[:-4]
    return aim
