"""What matches come to: figures of a player, of a ruleset and of a company, from the matches' digests alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from kozel.play.digest import Digest, RoundDigest

_T = TypeVar("_T")
GOATS = ("goat", "officer_goat", "general_goat", "donkey")
"""What a loser can be, from the mildest; not in `domino`, where one has merely not won."""


class Player(NamedTuple):
    """Somebody who plays. A computer player of another level is somebody else; `level` is None for a person."""

    name: str
    level: str | None


Company = tuple[tuple[Player, ...], ...]
"""Who plays with whom, a tuple a side, whatever the seats."""


class Against(NamedTuple):
    """Matches against somebody, counted where they are over."""

    matches: int
    won: int
    lost: int


@dataclass
class Figures:
    """The figures of one player. Matches count once they are over; rounds as soon as they are, in any match.

    `titles`: how often the player became a goat of each kind; `made`: how often others did in a match that the player
    won. `eggs`: points taken from the line, `egg_takings` times. `fishes`: made by the player's own tile; `fishes_won`:
    those of them that the player's side won. `in_hand` and `recorded` are sums over `rounds` and `scored_rounds`.
    `streak`: the last matches won in a row, negative where they were lost; `longest_won`, `longest_lost`: the records.
    """

    matches: int = 0
    won: int = 0
    lost: int = 0
    unfinished: int = 0
    rounds: int = 0
    rounds_won: int = 0
    gone_out: int = 0
    fishes: int = 0
    fishes_won: int = 0
    eggs: int = 0
    egg_takings: int = 0
    in_hand: int = 0
    recorded: int = 0
    scored_rounds: int = 0
    streak: int = 0
    longest_won: int = 0
    longest_lost: int = 0
    titles: Counter[str] = field(default_factory=Counter)
    made: Counter[str] = field(default_factory=Counter)

    @property
    def mean_in_hand(self) -> float:
        """Points left in hand, a round."""
        return self.in_hand / self.rounds if self.rounds else 0.0

    @property
    def mean_recorded(self) -> float:
        """Points recorded for the player's side, a round of the games that keep a score."""
        return self.recorded / self.scored_rounds if self.scored_rounds else 0.0


def _finished(of: Iterable[tuple[_T, Digest]]) -> Counter[_T]:
    """How many of the matches are over for each; 0 where none is."""
    counted: Counter[_T] = Counter()
    for what, match in of:
        counted[what] += match.over
    return counted


def counting(matches: Iterable[Digest]) -> list[Digest]:
    """The matches that statistics are made of: not those in which a computer took a seat over."""
    return [match for match in matches if not match.stood_in]


def seats_of(match: Digest, player: Player) -> list[int]:
    """Where a player sits in a match."""
    return [seat for seat, other in enumerate(_players(match)) if other == player]


def _players(match: Digest) -> list[Player]:
    return [Player(*each) for each in zip(match.players, match.levels, strict=True)]


def players(matches: Iterable[Digest]) -> list[tuple[Player, int]]:
    """Everybody who has played, with the number of their finished matches, most first; people before computers."""
    counted = _finished((player, match) for match in matches for player in set(_players(match)))
    return sorted(counted.items(), key=lambda item: (item[0].level is not None, -item[1], _order(item[0])))


def rulesets(matches: Iterable[Digest]) -> list[tuple[str, Mapping[str, str], int]]:
    """The rulesets played: id, names by language, number of finished matches, most first."""
    played = list(matches)
    names = {match.ruleset: match.names for match in played}
    counted = _finished((match.ruleset, match) for match in played)
    return [(id, names[id], count) for id, count in counted.most_common()]


def company_of(match: Digest) -> Company:
    """Who plays with whom in a match."""
    by_side: dict[int, list[Player]] = {}
    for side, player in zip(match.sides, _players(match), strict=True):
        by_side.setdefault(side, []).append(player)
    sides = (tuple(sorted(side, key=_order)) for side in by_side.values())
    return tuple(sorted(sides, key=lambda side: tuple(map(_order, side))))


def _order(player: Player) -> tuple[str, str]:
    return player.name, player.level or ""


def companies(matches: Iterable[Digest]) -> list[tuple[Company, int]]:
    """The companies that have played, with the number of their finished matches, most first."""
    return _finished((company_of(match), match) for match in matches).most_common()


def of_ruleset(matches: Iterable[Digest], ruleset: str) -> list[Digest]:
    """The matches of one ruleset."""
    return [match for match in matches if match.ruleset == ruleset]


def of_company(matches: Iterable[Digest], company: Company) -> list[Digest]:
    """The matches of one company."""
    return [match for match in matches if company_of(match) == company]


def figures(matches: Sequence[Digest], player: Player) -> Figures:
    """A player's figures from matches in the order in which they were played."""
    found = Figures()
    for match in matches:
        for seat in seats_of(match, player):
            for each in match.rounds:
                _add_round(found, match, each, seat)
            _add_match(found, match, match.sides[seat])
    return found


def _add_round(found: Figures, match: Digest, each: RoundDigest, seat: int) -> None:
    side = match.sides[seat]
    won = side in each.winner
    found.rounds += 1
    found.rounds_won += won
    found.in_hand += each.hand_points[seat]
    if match.points:
        found.scored_rounds += 1
        found.recorded += each.scored[side]
    if each.result == "fish":
        made = each.seat == seat
        found.fishes += made
        found.fishes_won += made and won
    else:
        found.gone_out += each.seat == seat
    for taker, points in each.eggs:
        if taker == side:
            found.eggs += points
            found.egg_takings += 1


def _add_match(found: Figures, match: Digest, side: int) -> None:
    end = match.end
    if end is None:
        found.unfinished += 1
        return
    won, lost = side in end.winners, side in end.losers
    found.matches += 1
    found.won += won
    found.lost += lost
    if end.title in GOATS:
        found.titles[end.title] += lost
        found.made[end.title] += won and bool(end.losers)
    if won:
        found.streak = max(found.streak, 0) + 1
        found.longest_won = max(found.longest_won, found.streak)
    elif lost:
        found.streak = min(found.streak, 0) - 1
        found.longest_lost = max(found.longest_lost, -found.streak)
    else:
        found.streak = 0


def against(matches: Iterable[Digest], player: Player) -> list[tuple[Player, Against]]:
    """A player's matches against each opponent, partners left out; the most frequent first."""
    counted: dict[Player, list[int]] = {}
    for match in matches:
        if match.end is None:
            continue
        own = {match.sides[seat] for seat in seats_of(match, player)}
        if not own:
            continue
        won, lost = bool(own & set(match.end.winners)), bool(own & set(match.end.losers))
        others = {other for side, other in zip(match.sides, _players(match), strict=True) if side not in own}
        for other in others:
            counts = counted.setdefault(other, [0, 0, 0])
            for place, more in enumerate((True, won, lost)):
                counts[place] += more
    found = [(other, Against(*counts)) for other, counts in counted.items()]
    return sorted(found, key=lambda item: (-item[1].matches, _order(item[0])))
