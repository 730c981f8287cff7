"""Answers to keys: counts, ends, the own hand, the chain, walking, marks, refusals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from kozel.engine.tiles import HALVES, NO_END
from kozel.narration.lying import Halves, inwards, line_as_it_lies, outwards
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
        return self.say("end.closed" if end < len(ends) else "end.none", end=end)

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

    def hand(self, tiles: Sequence[int], ends: Sequence[int], marks: Sequence[Mark | None] = ()) -> str:
        """All own tiles in one line, each with the ends it fits."""
        if not tiles:
            return self.say("hand.empty")
        marked = marks or (None,) * len(tiles)
        held = [Held(tile, ends_fitting(tile, ends), mark) for tile, mark in zip(tiles, marked, strict=True)]
        return self.say("hand.all", hand=held, n=len(held))

    def chain(self, arms: Sequence[tuple[Arm, Sequence[int]]]) -> str:
        """The whole chain in one line: how many tiles, then arm by arm in the order of `arms`, each tile as it lies."""
        lying = as_they_lie(arms)
        laid = sum(len(halves) for arm, halves in lying if arm != "snot")
        if not laid:
            return self.say("table.empty")
        return " ".join(
            [self.say("chain.count", n=laid), *(self.say(f"chain.{arm}", tiles=each) for arm, each in lying)]
        )

    def chain_tile(self, arms: Sequence[tuple[Arm, Sequence[int]]], number: int) -> str:
        """The tile of this number, from 0, in the order of walking, as it lies; with its arm's name where that begins."""
        start = 0
        lying = as_they_lie(arms)
        total = sum(len(halves) for _, halves in lying)
        for arm, halves in lying:
            if number < start + len(halves):
                facts = {"tiles": [halves[number - start]], "place": number + 1, "n": total}
                said = self.say("walk.lying_placed" if self.verbosity == "full" else "walk.lying", **facts)
                if number > start or (arm == "line" and len(lying) == 1):
                    return said
                return self.say("walk.in_arm", arm=self.say(f"walk.arm_{arm}"), said=said)
            start += len(halves)
        raise IndexError(number)

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


def as_they_lie(arms: Sequence[tuple[Arm, Sequence[int]]]) -> list[tuple[Arm, list[Halves]]]:
    """The arms that have tiles, each tile with its halves as it lies: from left to right, up and down from the spinner."""
    spinner = next((HALVES[tiles[0]][0] for arm, tiles in arms if arm == "spinner" and tiles), 0)
    lying: list[tuple[Arm, list[Halves]]] = []
    for arm, tiles in arms:
        if arm in ("line", "spinner"):
            halves = line_as_it_lies(tiles)
        elif arm == "left":
            halves = inwards(tiles, spinner)
        elif arm == "snot":
            halves = [HALVES[tile] for tile in tiles]
        else:
            halves = outwards(tiles, spinner)
        if halves:
            lying.append((arm, halves))
    return lying
