"""Answers to keys: counts, ends, the own hand, the chain, walking, marks, refusals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from kozel.engine.moves import DOWN, UP
from kozel.engine.tiles import NO_END
from kozel.narration.wording import Wording, ends_fitting, open_ends

Arm = Literal["line", "left", "spinner", "right", "up", "down", "snot"]
"""The chain's parts: a `line` where nothing branches off; else four arms and the spinner; the doubles thrown under 6-6."""
Mark = Literal["marked", "open", "shut"]
Zone = Literal["hand", "table", "bazaar"]


class Held(NamedTuple):
    """An own tile as it is said: the ends it fits, and its mark."""

    tile: int
    ends: tuple[int, ...]
    mark: Mark | None


class Answers(Wording):
    """Sentences that change nothing: what a key tells."""

    def counts(self, left: Sequence[int], you: int | None) -> str:
        """How many tiles each player has; `left` is by seat."""
        return self.say("counts", sums=[(self.seat(seat, you), count) for seat, count in enumerate(left)])

    def bazaar(self, count: int) -> str:
        """How many tiles the bazaar holds."""
        return self.say("bazaar.holds", n=count) if count else self.say("bazaar.empty")

    def end_shows(self, ends: Sequence[int], end: int) -> str:
        """What an end shows; that it is closed, or not there; that the table is empty."""
        if not ends:
            return self.say("table.empty")
        if end < len(ends) and ends[end] != NO_END:
            return self.say("end.shows", end=end, pips=ends[end])
        return self.say("end.none" if end in (UP, DOWN) else "end.closed", end=end)

    def ends(self, ends: Sequence[int]) -> str:
        """All open ends."""
        if not ends:
            return self.say("table.empty")
        shown = open_ends(ends)
        return self.say("ends.all", ends=shown) if shown else self.say("ends.none")

    def held(
        self, tile: int, ends: Sequence[int], mark: Mark | None = None, place: tuple[int, int] | None = None
    ) -> str:
        """An own tile when walked over: the ends it fits and its mark; at full its place, (number from 1, count)."""
        held = Held(tile, ends_fitting(tile, ends), mark)
        if place is None or self.verbosity != "full":
            return self.say("walk.tile", held=held)
        return self.say("walk.placed", held=held, place=place[0], n=place[1])

    def at_edge(self, said: str) -> str:
        """The same again where the walk cannot go on."""
        return self.say("walk.edge", said=said)

    def in_chain(self, tile: int, arm: Arm | None, place: tuple[int, int] | None = None) -> str:
        """A tile of the chain when walked over. `arm`: where a new arm begins, its name; None inside one."""
        said = self.held(tile, (), None, place)
        return said if arm is None else self.say("walk.in_arm", arm=self.say(f"walk.arm_{arm}"), said=said)

    def hand(self, tiles: Sequence[int], ends: Sequence[int], marks: Sequence[Mark | None] = ()) -> str:
        """All own tiles in one line, each with the ends it fits."""
        if not tiles:
            return self.say("hand.empty")
        marked = marks or (None,) * len(tiles)
        held = [Held(tile, ends_fitting(tile, ends), mark) for tile, mark in zip(tiles, marked, strict=True)]
        return self.say("hand.all", hand=held, n=len(held))

    def chain(self, arms: Sequence[tuple[Arm, Sequence[int]]]) -> str:
        """The whole chain in one line, arm by arm, in the order of `arms`; empty ones are left out."""
        said = [self.say(f"chain.{arm}", tiles=tiles, n=len(tiles)) for arm, tiles in arms if tiles]
        return " ".join(said) or self.say("table.empty")

    def zone(self, zone: Zone, count: int) -> str:
        """The zone that the cursor has come to, with how many tiles are there."""
        if count:
            return self.say(f"zone.{zone}", n=count)
        return self.say({"hand": "hand.empty", "table": "table.empty", "bazaar": "bazaar.empty"}[zone])

    def zone_edge(self, zone: Zone) -> str:
        """There is no zone before the own tiles, none after the bazaar."""
        return self.say("zone.first" if zone == "hand" else "zone.last")

    def mark(self, tile: int, mark: Mark | None) -> str:
        """A tile was marked, marked otherwise, or its mark taken off."""
        key = {None: "mark.off", "marked": "mark.on", "open": "mark.open", "shut": "mark.closed"}[mark]
        return self.say(key, tile=tile)

    def marked(self, tiles: Sequence[int]) -> str:
        """The marked tiles, in the order of marking."""
        return self.say("mark.all", hand=tiles, n=len(tiles))

    def which_end(self, ends: Sequence[tuple[int, int]], tile: int | None = None) -> str:
        """'Left six, right two?' for the ends (end, pips) that a tile fits; `tile` is named where several are laid."""
        if tile is None:
            return self.say("question.end", ends=ends)
        return self.say("question.tile_end", tile=tile, ends=ends)

    def redeal_question(self, doubles: int) -> str:
        """Asked of a player with so many doubles; only for that seat."""
        return self.say("question.redeal", n=doubles)

    def leave_question(self) -> str:
        """Asked before leaving."""
        return self.say("question.leave")

    def refusal(self, kind: str, /, **facts: object) -> str:
        """Why a key is not obeyed, the remedy first: a `refusal.` message of the catalogue."""
        return self.say(f"refusal.{kind}", **facts)

    def resume(self, game: str, round_number: int, ends: Sequence[int] | None, scores: Sequence[str]) -> list[str]:
        """Where a resumed match stands: seats, `scores` (from `Scores.scores`), round, ends; `ends` None between rounds."""
        lines = [self._seats(game), *scores]
        if ends is None:
            between = self.say("resume.between", number=round_number)
            return [*lines, between if round_number else self.say("resume.before")]
        said = [self.say("resume.round", number=round_number)]
        if ends:
            said.append(self.say("resume.ends", ends=open_ends(ends)))
        return [*lines, " ".join(said)]

    def _seats(self, game: str) -> str:
        """Who plays; in pairs who against whom."""
        if not self.table.pairs:
            return self.say("resume.seats", game=game, who=self.table.names)
        one, other = self.each_side(sorted(set(self.table.sides)), None)
        return self.say("resume.sides", game=game, one=one, other=other)
