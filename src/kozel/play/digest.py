"""What a list of matches and the statistics need of a record, small enough to be kept for a thousand matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kozel.engine.ledger import MatchEnd, RoundSummary
from kozel.locales import name_in
from kozel.play.store import Kept


class RoundDigest(NamedTuple):
    """A round that was played to its end. `result`: 'out' or 'fish'; `seat`: who went out, or made the fish.

    `winner`: sides; `hand_points` is by seat, `scored` by side; `eggs`: (side, points) that were taken from the line.
    """

    result: str
    seat: int
    winner: tuple[int, ...]
    hand_points: tuple[int, ...]
    scored: tuple[int, ...]
    eggs: tuple[tuple[int, int], ...]


class Digest(NamedTuple):
    """A match. `reference`: its ruleset as the record names it; `names`: the ruleset's by language.

    `sides` is by seat, `totals` by side; `points`: False where no score is kept, and then `sitting` is the side on the
    goat. `round`: the round in progress, 0 between rounds. `end`: None while unfinished. `stood_in`: a computer took a
    person's seat over in it, so that it is nobody's to be measured by.
    """

    reference: str
    ruleset: str
    names: Mapping[str, str]
    players: tuple[str, ...]
    levels: tuple[str | None, ...]
    sides: tuple[int, ...]
    pairs: bool
    points: bool
    date: str | None
    rounds: tuple[RoundDigest, ...]
    totals: tuple[int, ...]
    sitting: int | None
    round: int
    end: MatchEnd | None
    stood_in: bool = False

    @property
    def over(self) -> bool:
        """Has it been played to its end?"""
        return self.end is not None

    def name(self, lang: str) -> str:
        """The ruleset's name in a language, or in whichever it has."""
        return name_in(lang, self.names, self.ruleset)


def digest(kept: Kept) -> Digest:
    """The digest of a match."""
    head, match = kept.record.head, kept.match
    game, ledger = match.game, match.ledger
    return Digest(
        reference=head.reference,
        ruleset=head.ruleset.id,
        names=dict(head.ruleset.names),
        players=head.players,
        levels=head.levels,
        sides=game.sides,
        pairs=head.pairs,
        points=game.keeps_points,
        date=head.date,
        rounds=tuple(_round(summary) for summary in match.past if summary.result != "redeal"),
        totals=ledger.totals,
        sitting=ledger.sitting,
        round=ledger.rounds + 1 if match.round else 0,
        end=match.end,
        stood_in=any(each.changes for each in kept.record.rounds),
    )


def _round(summary: RoundSummary) -> RoundDigest:
    eggs = tuple((note.side, note.points) for note in summary.notes if note.kind == "eggs_to")
    return RoundDigest(
        summary.result,
        summary.seat,
        summary.winner,
        summary.hand_points,
        summary.scored,
        tuple((side, points) for side, points in eggs if side is not None and points is not None),
    )


def packed(found: Digest) -> list[Any]:
    """A digest as plain lists, for JSON."""
    return list(found)


def unpacked(data: Any) -> Digest:
    """The digest that `packed` made lists of. Raises `ValueError`, `TypeError` or `KeyError` for anything else."""
    values = dict(zip(Digest._fields, data, strict=True))
    if not isinstance(values["names"], dict):
        raise ValueError("names")
    values["rounds"] = tuple(RoundDigest(*map(_tupled, each)) for each in values["rounds"])
    end = values["end"]
    values["end"] = MatchEnd(*map(_tupled, end)) if end is not None else None
    for name in ("players", "levels", "sides", "totals"):
        values[name] = _tupled(values[name])
    return Digest(**values)


def _tupled(value: Any) -> Any:
    """Lists, also within lists, as tuples."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(map(_tupled, value))
    return value
