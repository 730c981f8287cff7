"""The own turn as a sentence: both ends, and what fits them; and everything that stands, in one go."""

from __future__ import annotations

from collections.abc import Sequence

from kozel.narration.answers import Answers
from kozel.narration.wording import open_ends

Fits = Sequence[tuple[int, Sequence[int]]]
"""The own tiles that can be laid, in their order: each with the ends that it fits."""


class OwnTurn(Answers):
    """Sentences for whoever decides. They name own tiles: only for that seat."""

    def own_turn(self, ends: Sequence[int], fits: Fits, draw_key: str = "", *, after_handover: bool = False) -> str:
        """'Your turn: left two, right three; two fit.'

        `ends`: the chain's, not those of an empty table, where `your_opening` speaks. `draw_key`: the key that draws, ''
        where nothing can be drawn. `after_handover`: without the words "your turn".
        """
        facts = {"ends": self._ends(ends), "fits": self._fits(ends, fits, draw_key)}
        if self.verbosity == "brief":
            return self.say("yours.brief", **facts)
        return self.say("yours.taken_over" if after_handover else "yours.turn", **facts)

    def others_turn(self, seat: int, ends: Sequence[int], asked: bool = False) -> str:
        """Whose turn it is where it is another's, and the ends; `asked`: that seat decides about a new deal."""
        said = self.say("turn.asked" if asked else "turn.theirs", name=self.table.names[seat])
        return f"{said} {self.ends(ends)}" if ends else said

    def where_we_stand(
        self,
        turn: str,
        counts: Sequence[int],
        bazaar: int,
        scores: Sequence[str],
        you: int | None,
        fits: Fits = (),
    ) -> str:
        """All that stands, for whoever was called away.

        `turn`: from `own_turn`, `others_turn` or `your_opening`, '' between rounds; `fits`: the own tiles that fit, where
        they may be told; `counts` by seat; `scores`: from `Scores.scores` or `Scores.sitting`.
        """
        lines = [turn]
        if fits and self.verbosity != "full" and len(fits) > 1:
            lines.append(self.say("yours.which", hand=self._named(fits)))
        if counts:
            lines += [self.counts(counts, you), self.bazaar(bazaar)]
        return " ".join(line for line in (*lines, *scores) if line)

    def after_match(self) -> str:
        """What can be pressed when a match is over."""
        return self.say("next.match")

    def _ends(self, ends: Sequence[int]) -> str:
        shown = open_ends(ends)
        if self.verbosity == "brief" and len(shown) == len(ends):
            return self.say("yours.pips", pips=[pips for _, pips in shown])
        if len(ends) == 2 and len(shown) == 2 and ends[0] == ends[1]:
            return self.say("yours.equal_ends", pips=ends[0])
        return self.say("yours.ends", ends=shown)

    def _fits(self, ends: Sequence[int], fits: Fits, draw_key: str) -> str:
        brief = "_brief" if self.verbosity == "brief" else ""
        if not fits:
            return self.say(f"yours.draw{brief}", key=draw_key) if draw_key else self.say("yours.nothing")
        if len(fits) == 1:
            tile, its_ends = fits[0]
            both = len(its_ends) == len(open_ends(ends)) == 2 and set(its_ends) == {0, 1}
            return self.say(f"yours.one_both{brief}" if both else f"yours.one{brief}", tile=tile, ends=its_ends)
        if self.verbosity == "full":
            return self.say("yours.fit_named", n=len(fits), hand=self._named(fits))
        return self.say(f"yours.fit{brief}", n=len(fits))

    @staticmethod
    def _named(fits: Fits) -> list[tuple[int, Sequence[int], None]]:
        return [(tile, ends, None) for tile, ends in fits]
