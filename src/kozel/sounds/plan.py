"""Which sound stands for what happens, and where it comes from. Pure: nothing here knows of a device.

A player sits in the middle. The seat that plays next is on the left, the one that played before on the right, the one
opposite a little to the right, so that no two seats sound from one place. Within a seat's place the left and the right
end lie a little to either side; the upper end sounds higher, the lower end lower.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from kozel.engine.events import (
    DealtAgain,
    Drew,
    DrewToOpen,
    Event,
    Fish,
    Laid,
    MatchOver,
    Passed,
    RoundBegan,
    RoundScored,
    Threw,
    TookBazaar,
    WentOut,
)
from kozel.engine.moves import DOWN, LEFT, RIGHT, START, UP
from kozel.engine.tiles import is_double

Kind = Literal["moves", "turns", "keys", "ends", "people"]
"""What a player may turn up or down on its own."""

SOUNDS: dict[str, Kind] = {
    "turn": "turns",
    "laid": "moves",
    "double": "moves",
    "drew": "moves",
    "passed": "moves",
    "last": "moves",
    "dealt": "moves",
    "handover": "turns",
    "marked": "keys",
    "unmarked": "keys",
    "refused": "keys",
    "out": "ends",
    "fish": "ends",
    "eggs": "ends",
    "won": "ends",
    "lost": "ends",
    "goat": "ends",
    "came": "people",
    "went": "people",
    "talk": "people",
}
"""Every sound and its kind, in the order in which they are learnt."""
KINDS: tuple[Kind, ...] = ("moves", "turns", "keys", "ends", "people")

OPPOSITE, ASIDE, END_SHIFT = 0.35, 0.7, 0.15
HIGHER, LOWER = 4 / 3, 3 / 4
PITCHES = (1.0, HIGHER, LOWER)
"""Every pitch in which a sound is played."""

_SHIFTS = {LEFT: -END_SHIFT, RIGHT: END_SHIFT}
_PITCHES = {UP: HIGHER, DOWN: LOWER}
_MIDDLE = 0.0


class Cue(NamedTuple):
    """One sound to be played. `pan` is from -1, left, to 1; `pitch` a ratio; `to` the seat that alone may hear it."""

    name: str
    pan: float = _MIDDLE
    pitch: float = 1.0
    gain: float = 1.0
    to: int | None = None


def place(seat: int, you: int | None, seats: int) -> float:
    """Where a seat of a table for two to four is heard by `you`; None watches, and has the seats from left to right."""
    if you is None:
        return round(ASIDE * (2 * seat / (seats - 1) - 1), 2)
    ahead = (seat - you) % seats
    if ahead == 0:
        return _MIDDLE
    if 2 * ahead == seats:
        return OPPOSITE
    return -ASIDE if 2 * ahead < seats else ASIDE


def notice(name: str, seat: int | None, you: int | None, seats: int, to: int | None = None) -> Cue:
    """What is no event of the engine: a turn that begins, a refused key, a player who comes. `seat` None: the middle."""
    return Cue(name, _MIDDLE if seat is None else place(seat, you, seats), to=to)


def cues(events: Iterable[Event], you: int | None, seats: int) -> list[Cue]:
    """The sounds of these events, in order, as the seat `you` hears them. Events may hide tiles, as a seat sees them."""
    return [cue for event in events for cue in _of(event, you, seats)]


def _of(event: Event, you: int | None, seats: int) -> list[Cue]:
    def at(name: str, seat: int) -> Cue:
        return Cue(name, place(seat, you, seats))

    if isinstance(event, Laid):
        return _laid(event, at("laid", event.seat))
    if isinstance(event, Drew):
        return [at("drew", event.seat)] * len(event.tiles)
    if isinstance(event, Passed):
        return [at("passed", event.seat)]
    if isinstance(event, Threw):
        throwers = [seat for seat, _ in event.thrown]
        down_to_one = [seat for seat in dict.fromkeys(throwers) if event.left[seat] == 1]
        return [*(at("double", seat) for seat in throwers), *(at("last", seat) for seat in down_to_one)]
    if isinstance(event, DrewToOpen):
        return [at("drew", seat) for seat, _ in event.draws]
    if isinstance(event, TookBazaar):
        return [at("drew", event.seat)]
    if isinstance(event, WentOut):
        return [at("out", event.seat)]
    if isinstance(event, Fish):
        return [at("fish", event.seat)]
    if isinstance(event, (RoundBegan, DealtAgain)):
        return [Cue("dealt")]
    if isinstance(event, RoundScored):
        return [Cue("eggs")] if any(note.kind == "eggs_laid" for note in event.summary.notes) else []
    if isinstance(event, MatchOver):
        return [_match_over(event, you, seats)]
    return []


def _laid(event: Laid, cue: Cue) -> list[Cue]:
    """A sound a tile, each at the end where it lies; the first tile of a round lies in the seat's middle."""
    laid = [
        cue._replace(
            name="double" if is_double(lay.tile) else "laid",
            pan=round(cue.pan + (0.0 if lay.end == START else _SHIFTS.get(lay.end, 0.0)), 2),
            pitch=_PITCHES.get(lay.end, 1.0),
        )
        for lay in event.move.lays
    ]
    return [*laid, cue._replace(name="last")] if event.left == 1 else laid


def _match_over(event: MatchOver, you: int | None, seats: int) -> Cue:
    """The end as the listener meets it; a watcher hears it from the first seat that it is about."""
    end, sides = event.end, len(event.totals)
    title = "lost" if end.title == "winner" else "goat"
    if you is not None:
        return Cue("won" if you % sides in end.winners else title)
    about, name = (end.winners, "won") if title == "lost" else (end.losers, title)
    return Cue(name, place(_first_seat(about), None, seats))


def _first_seat(sides: Sequence[int]) -> int:
    """Sides are numbered as their first seats are (rulebook 1: seats 0 and 2 against 1 and 3)."""
    return min(sides, default=0)
