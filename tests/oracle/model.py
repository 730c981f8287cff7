"""A match: deals and decisions in, legal decisions and the replay's object out."""

from __future__ import annotations

from typing import Any

from oracle.counting import Ledger, count_round, outcome_of
from oracle.deals import Hands, deal_is_whole, first_opening, free_lead, must_deal_again, seats_to_ask
from oracle.rules import Rules
from oracle.table import Illegal, Round
from oracle.tiles import DOUBLE_SIX, Tile, name

Json = dict[str, Any]


class Match:
    """A match by `rules`. `table` is the round in progress; `entries` are the rounds behind, as replay tells them."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        no_threshold = rules.ruleset in ("domino", "kozel-yard") or rules.account_threshold is None
        self.ledger = Ledger([0] * rules.sides, [no_threshold] * rules.sides, [0] * rules.sides)
        self.entries: list[Json] = []
        self.table: Round | None = None

    def copy(self) -> Match:
        twin = Match(self.rules)
        twin.ledger = self.ledger.copy()
        twin.entries = list(self.entries)
        twin.table = self.table.copy() if self.table else None
        return twin

    @property
    def over(self) -> bool:
        return self.ledger.title is not None

    @property
    def lot_due(self) -> bool:
        """Whether the next deal's opener is drawn by lot."""
        return self.rules.ruleset == "kozel-2x2" and self.ledger.next_opener is None

    def deal(self, hands: Hands, bazaar: list[Tile], opener: int | None = None) -> None:
        """Deals a round; `opener` is the seat drawn by lot. Raises Illegal for a deal that is at fault."""
        if self.over or self.table is not None:
            raise Illegal("no round is due")
        if not deal_is_whole(self.rules, hands, bazaar):
            raise Illegal("not the 28 tiles, or hands of the wrong size")
        if (opener is not None) != self.lot_due:
            raise Illegal("an opener is written where none is drawn by lot, or missing where one is")
        if opener is not None and not 0 <= opener < self.rules.seats:
            raise Illegal(f"there is no seat {opener}")
        taker = self.ledger.taker
        if taker is not None and DOUBLE_SIX not in hands[taker]:
            raise Illegal(f"6-6 is not with seat {taker}")
        if must_deal_again(self.rules, hands):
            self.entries.append(self.redeal_entry())
            return
        hands = [list(hand) for hand in hands]
        bazaar = list(bazaar)
        if opener is None:
            opener = self.ledger.next_opener
        asked = seats_to_ask(self.rules, hands)
        if taker is not None:
            opener, opening = taker, [DOUBLE_SIX]
        elif opener is None:
            opener, opening = first_opening(self.rules, hands, bazaar)
        else:
            opening = free_lead(self.rules, hands[opener])
        self.table = Round(self.rules, hands, bazaar, opener, opening, asked)

    def legal(self) -> list[str]:
        return self.table.legal() if self.table else []

    def decide(self, text: str) -> None:
        """Plays one decision. Raises Illegal where it is not open to the player to move."""
        if self.table is None:
            raise Illegal("no round is in progress")
        self.table.decide(text)
        if self.table.ended == "redeal":
            self.entries.append(self.redeal_entry())
            self.table = None
        elif self.table.ended:
            self.close_round(self.table)
            self.table = None

    def close_round(self, table: Round) -> None:
        outcome = outcome_of(table)
        self.ledger, scored = count_round(outcome, self.ledger)
        everybody_wins = self.rules.ruleset in ("kozel-101", "osel")
        winner = [] if outcome.all_equal and not everybody_wins else outcome.lowest_sides
        self.entries.append(
            {
                "opener": table.opener,
                "result": table.ended,
                "winner": winner,
                "fisher": outcome.seat if outcome.is_fish else None,
                "hand_points": outcome.hand_points,
                "scored": scored,
                **self.accounts(),
            }
        )

    def redeal_entry(self) -> Json:
        return {
            "opener": None,
            "result": "redeal",
            "winner": [],
            "fisher": None,
            "hand_points": [0] * self.rules.seats,
            "scored": [0] * self.rules.sides,
            **self.accounts(),
        }

    def accounts(self) -> Json:
        ledger = self.ledger
        return {
            "eggs": ledger.eggs,
            "totals": list(ledger.totals),
            "open": list(ledger.open),
            "deferred": list(ledger.deferred),
            "sitting": ledger.sitting,
            "next_opener": ledger.next_opener,
        }

    def result(self) -> Json:
        """The object that replaying this match's record gives, without `file`."""
        table = self.table
        return {
            "ok": True,
            "rounds": list(self.entries),
            "over": self.over,
            "winners": self.ledger.winners,
            "losers": self.ledger.losers,
            "title": self.ledger.title,
            "payout": self.ledger.payout,
            "to_move": table.to_move if table else None,
            "ends": dict(table.ends) if table else {},
            "legal": self.legal(),
            "hands": [sorted(name(tile) for tile in hand) for hand in table.hands] if table else [],
            "bazaar": len(table.bazaar) if table else 0,
        }
