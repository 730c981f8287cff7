"""Small scenes: a round that stands where a test wants it, played on by the notation of the record.

Tiles that no hand and no bazaar of a scene holds count as laid, so a scene needs only the tiles that it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kozel.engine.events import Event
from kozel.engine.ledger import RoundSummary
from kozel.engine.match import Dealt, Game, Match, deal, decide, new_match
from kozel.engine.moves import DRAW
from kozel.engine.round import Deal, Round, Start
from kozel.engine.tiles import NAMES, SMALLEST_FIRST, TILES, mask_of, parse_tile
from kozel.records.notation import resolve
from kozel.rules.reading import find


def tiles(text: str) -> tuple[int, ...]:
    """`1-1 2-5` as tiles."""
    return tuple(parse_tile(name) for name in text.split())


def table(ruleset: str, seats: int = 2, pairs: bool | None = None, **options: Any) -> Game:
    """A shipped ruleset at a table."""
    return find(ruleset).game(seats, pairs, options)


class Scene:
    """A match and what has happened in it since the scene began."""

    def __init__(self, match: Match, events: Sequence[Event] = ()) -> None:
        self.match, self.events = match, list(events)

    def play(self, *decisions: str) -> Scene:
        """Carry out decisions written as in a record. Raises `IllegalMove`."""
        for text in decisions:
            assert self.match.round is not None, f"nobody is to decide on '{text}'"
            self.match, events = decide(self.match, resolve(self.match.round, text))
            self.events += events
        return self

    def deal(self, *hands: str, bazaar: str = "", lot: int | None = None) -> Scene:
        """Deal these tiles. What a hand lacks is filled up with the largest tiles that no hand or bazaar of the scene
        names.
        """
        self.match, events = deal(self.match, filled(self.match.game, hands, bazaar, lot))
        self.events += events
        return self

    @property
    def round(self) -> Round:
        """The round in progress."""
        assert self.match.round is not None
        return self.match.round

    @property
    def last(self) -> RoundSummary:
        """The last round settled."""
        return self.match.past[-1]

    @property
    def legal(self) -> set[str]:
        """All that can be decided now."""
        return {move.text for move in self.round.legal}

    def told(self, kind: type) -> list[Event]:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def notes(self) -> list[str]:
        """The kinds of reasons for the last score."""
        return [note.kind for note in self.last.notes]


def first_deal(ruleset: str | Game, *hands: str, bazaar: str = "", lot: int | None = None, **ledger: Any) -> Scene:
    """A match with its first round dealt, `filled`."""
    game = table(ruleset, len(hands)) if isinstance(ruleset, str) else ruleset
    match = new_match(game)
    return Scene(match._replace(ledger=match.ledger._replace(**ledger))).deal(*hands, bazaar=bazaar, lot=lot)


def filled(game: Game, hands: Sequence[str], bazaar: str, lot: int | None) -> Dealt:
    """A whole deal around the tiles given; the bazaar begins with those given for it."""
    held, first = [list(tiles(hand)) for hand in hands], list(tiles(bazaar))
    free = [tile for tile in SMALLEST_FIRST if tile not in first and not any(tile in hand for hand in held)]
    for hand in held:
        while len(hand) < game.hand:
            hand.append(free.pop())
    return Dealt(tuple(map(tuple, held)), (*first, *free), lot)


def standing(
    game: str | Game,
    *hands: str,
    ends: tuple[int, ...],
    bazaar: str = "",
    turn: int = 0,
    opened: str = "3-4",
    opener: int = 0,
    **ledger: Any,
) -> Scene:
    """A round in which the chain stands so; the next to decide is `turn`. Further arguments set the match's ledger."""
    game = table(game, len(hands)) if isinstance(game, str) else game
    held, stock = tuple(mask_of(tiles(hand)) for hand in hands), tiles(bazaar)
    legal = game.round.moves(held[turn], ends) or (DRAW,)
    dealt = Deal(held, stock, False, None, None, None)
    state = Round(held, stock, ends, turn, legal, Start(dealt, (), opener, parse_tile(opened)), None)
    match = new_match(game)
    settled = {"fresh": False, "opener": None, **ledger}
    return Scene(match._replace(ledger=match.ledger._replace(**settled), round=state))


def names(mask: int) -> set[str]:
    """The tiles of a set by name."""
    return {NAMES[tile] for tile in TILES if mask >> tile & 1}
