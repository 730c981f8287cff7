"""Results as sentences: a round's end, the reasons for its score, a match's end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kozel.engine.events import MatchOver
from kozel.engine.ledger import Note, RoundSummary
from kozel.engine.tiles import tiles_in
from kozel.narration.wording import Wording

_EXPECTED = frozenset({"difference", "goat", "officer_goat", "general_goat", "round_won", "round_lost"})
"""Reasons that a round's two lines leave out: the rule as usual, or told by the match's last line."""
_WHEN_MORE = {"eggs_laid": "note.eggs_laid_more", "put_by": "note.put_by_more"}
"""Reasons with a sum of their own where something was there before."""
_TOLD_WHO_SITS = frozenset({"sits", "sits_at_once", "goat"})
_TITLES = ("goat", "officer_goat", "general_goat", "donkey")


class Scores(Wording):
    """Sentences about points."""

    def round_end(self, summary: RoundSummary, you: int | None, closed: bool = False) -> list[str]:
        """Who went out or made the fish, with reasons out of the ordinary; then what was recorded, and the totals.

        `closed`: it was a fish because the last end was closed (rulebook 2.5). Brief: the result and the totals only.
        """
        result = self._result(summary, you, closed)
        reasons = self._notes([note for note in summary.notes if note.kind not in _EXPECTED], you)
        if not self.table.points:
            return [result, " ".join(reasons)] if reasons else [result]
        if self.verbosity == "brief":
            return [result, self._totals(summary, you)]
        return [" ".join([result, *reasons]), " ".join([*self._recorded(summary, you), self._totals(summary, you)])]

    def explain(self, summary: RoundSummary, you: int | None = None) -> list[str]:
        """The whole account of a round: result, hands left with their points, what was recorded and why, totals, eggs."""
        lines = [" ".join([self.say("round.number", number=summary.number), self._result(summary, you)])]
        if summary.result == "redeal":
            return lines
        lines += self._hands(summary, you)
        lines += self._notes(summary.notes, you)
        if self.table.points:
            lines += self._recorded(summary, you)
            lines += self.scores(summary.totals, summary.open, summary.deferred, summary.eggs, you)
        elif not _TOLD_WHO_SITS & {note.kind for note in summary.notes}:
            lines.append(self.sitting(summary.sitting, you))
        if summary.next_opener is not None:
            lines.append(self.say("round.opens_next", who=self.seat(summary.next_opener, you)))
        return lines

    def _result(self, summary: RoundSummary, you: int | None, closed: bool = False) -> str:
        who = self.seat(summary.seat, you)
        if summary.result == "redeal":
            return self.say("round.again", who=who)
        if summary.result == "out":
            return self.say("round.out", who=who)
        return " ".join(
            [self.say("round.fish_closed" if closed else "round.fish", who=who), self._fish_winner(summary, you)]
        )

    def _fish_winner(self, summary: RoundSummary, you: int | None) -> str:
        winners = summary.winner
        sides = set(self.table.sides)
        if not winners or set(winners) == sides:
            return self.say("round.equal")
        key = "round.winner" if len(winners) == 1 else "round.lowest"
        return self.say(key, who=self.sides(winners, you))

    def _recorded(self, summary: RoundSummary, you: int | None) -> list[str]:
        """What each side records; what a winner gains is called so; nothing where the reasons said it."""
        scored = [(side, points) for side, points in enumerate(summary.scored) if points]
        if not scored:
            told = any(note.kind == "under_threshold" for note in summary.notes)
            return [] if told else [self.say("round.nothing")]
        if all(self._gains(summary, side) for side, _ in scored):
            return [self.say("round.gained", who=self.sides([side], you), points=points) for side, points in scored]
        return [self.say("round.recorded", sums=self.sums(scored, you))]

    def _gains(self, summary: RoundSummary, side: int) -> bool:
        """Whether what a side records is a winner's gain: it went out, or its points are not those of its own hands."""
        own = sum(summary.hand_points[seat] for seat in self.table.seats_of(side))
        return side in summary.winner and (summary.result == "out" or summary.scored[side] != own)

    def _totals(self, summary: RoundSummary, you: int | None) -> str:
        sums = self.sums(enumerate(summary.totals), you)
        if summary.eggs:
            return self.say("round.totals_eggs", sums=sums, eggs=summary.eggs)
        return self.say("round.totals", sums=sums)

    def _hands(self, summary: RoundSummary, you: int | None) -> list[str]:
        lines = []
        for seat, hand in enumerate(summary.hands):
            who = self.seat(seat, you)
            if hand:
                points = summary.hand_points[seat]
                lines.append(self.say("round.hand", who=who, tiles=tiles_in(hand), points=points, n=points))
            else:
                lines.append(self.say("round.hand_empty", who=who))
        if self.table.pairs:
            for side in sorted(set(self.table.sides)):
                points = sum(summary.hand_points[seat] for seat in self.table.seats_of(side))
                lines.append(self.say("round.side_points", who=self.sides([side], you), points=points, n=points))
        return lines

    def _notes(self, notes: Sequence[Note], you: int | None) -> list[str]:
        """The sentences of reasons; accounts that open in the same round are one."""
        opened = [note.side for note in notes if note.kind == "account_opened" and note.side is not None]
        lines = []
        for note in notes if self.table.points else (note for note in notes if note.kind != "title_takes"):
            if note.kind != "account_opened":
                lines.append(self._note(note, you))
            elif note.side == opened[0]:
                lines.append(self.say("note.account_opened", sides=self.each_side(opened, you)))
        return lines

    def _note(self, note: Note, you: int | None) -> str:
        """The sentence of a reason. Its `side` is a seat in 'lone_tile' alone."""
        key = f"note.{note.kind}"
        if note.kind in _WHEN_MORE and note.other != note.points:
            key = _WHEN_MORE[note.kind]
        if note.kind == "goat" and not self.table.points:
            key = "note.goat_yard"
        facts: dict[str, object] = {"points": note.points, "other": note.other, "tile": note.tile}
        if note.tiles is not None:
            facts["tiles"] = tiles_in(note.tiles)
            key = key if note.tiles.bit_count() == 2 else f"{key}_tiles"
        if note.side is not None:
            facts["who"] = self.seat(note.side, you) if note.kind == "lone_tile" else self.sides([note.side], you)
        return self.say(key, **facts)

    def match_end(self, event: MatchOver, you: int | None) -> list[str]:
        """How the match ended: the bank's shares where there is one; the result is the last line."""
        end = event.end
        lines = []
        if end.payout is not None:
            shares = [(self.seat(seat, you), share) for seat, share in enumerate(end.payout)]
            lines.append(self.say("match.bank", bank=sum(end.payout), sums=shares))
        if end.title not in _TITLES:
            return [*lines, self.say("match.winner", who=self.sides(end.winners, you))]
        if set(end.winners) | set(end.losers) != set(self.table.sides) or not end.losers:
            lines.append(self._fewest(event, you))
        if end.losers:
            lines.append(self.say(f"match.{end.title}", who=self.sides(end.losers, you)))
        return lines

    def _fewest(self, event: MatchOver, you: int | None) -> str:
        """The winners where having lost is not all that counts: fewest points, then fewest put by (rulebook 2.7)."""
        side = event.end.winners[0]
        facts: Mapping[str, object] = {
            "who": self.sides(event.end.winners, you),
            "points": event.totals[side],
            "put_by": event.deferred[side],
        }
        tied = sum(total == event.totals[side] for total in event.totals) > 1
        return self.say("match.fewest_put_by" if tied else "match.fewest", **facts)

    def scores(
        self, totals: Sequence[int], opened: Sequence[bool], deferred: Sequence[int], eggs: int, you: int | None
    ) -> list[str]:
        """Where the match stands: totals, who has no account yet, points put by, eggs on the line."""
        if not self.table.points:
            return [self.say("score.no_points")]
        lines = [self.say("score.totals", sums=self.sums(enumerate(totals), you))]
        closed = [side for side, is_open in enumerate(opened) if not is_open]
        if closed:
            lines.append(self.say("score.closed", sides=self.each_side(closed, you)))
        put_by = [(side, points) for side, points in enumerate(deferred) if points]
        if put_by:
            lines.append(self.say("score.put_by", sums=self.sums(put_by, you)))
        if eggs:
            lines.append(self.say("score.eggs", eggs=eggs))
        return lines

    def sitting(self, side: int | None, you: int | None) -> str:
        """Who sits on the goat (rulebook 2.3)."""
        if side is None:
            return self.say("score.nobody_sits")
        return self.say("score.sits", who=self.sides([side], you))

    def eggs(self, eggs: int) -> str:
        """The points on the line."""
        return self.say("score.eggs", eggs=eggs) if eggs else self.say("score.no_eggs")
