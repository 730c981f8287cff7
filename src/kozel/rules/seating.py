"""Who plays what: a ruleset with its options settled, and the seats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from kozel.engine.match import Game
from kozel.rules.ruleset import Ruleset, Value


@dataclass(frozen=True)
class Seating:
    """What is played by whom. `levels`: a computer player's level by seat, None for a person. `seed`: of the deals, if given."""

    ruleset: Ruleset
    players: tuple[str, ...]
    levels: tuple[str | None, ...]
    pairs: bool
    options: Mapping[str, Value]
    seed: str | None = None

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat, level in enumerate(self.levels) if level is None)

    def game(self) -> Game:
        """The game made ready for these seats."""
        return self.ruleset.game(len(self.players), self.pairs, self.options)

    def afresh(self) -> Seating:
        """The same seats for another match, whose deals are not settled yet."""
        return replace(self, seed=None)
