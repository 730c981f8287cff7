"""One round at the table: the chain, the decisions, drawing, and how the round ends (rulebook 1 and 2.5)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from oracle.rules import Rules
from oracle.tiles import DOUBLE_SIX, Tile, is_double, name, other_half, tile_named

END_ORDER = ("left", "right", "up", "down")


class Illegal(Exception):
    """A decision or a deal that the rules do not allow."""


@dataclass(frozen=True)
class Part:
    """One tile of a move. `end` is empty for the opening tile, or where a record leaves it out."""

    tile: Tile
    end: str = ""
    closed: bool = False

    def text(self) -> str:
        words = [name(self.tile), self.end, "closed" if self.closed else ""]
        return " ".join(word for word in words if word)


Move = tuple[Part, ...]


def move_text(move: Move) -> str:
    return " + ".join(part.text() for part in move)


def parse_move(text: str) -> Move:
    return tuple(parse_part(part) for part in text.split(" + "))


def parse_part(text: str) -> Part:
    words = text.split(" ")
    tile = tile_named(words.pop(0))
    if tile is None:
        raise Illegal(f"{text!r} names no tile")
    end = words.pop(0) if words and words[0] in END_ORDER else ""
    closed = bool(words) and words[0] == "closed"
    if closed:
        words.pop(0)
    if words:
        raise Illegal(f"{text!r} is no move")
    return Part(tile, end, closed)


@dataclass
class Round:
    """A dealt round in play.

    `opening` are the tiles that the opener may lead. `asked` are the seats still to be asked about a new deal, in
    order. `ended` is empty, `out`, `fish` or `redeal`; `last_seat` is who laid the last tile.
    """

    rules: Rules
    hands: list[list[Tile]]
    bazaar: list[Tile]
    opener: int
    opening: list[Tile]
    asked: list[int]
    ends: dict[str, int] = field(default_factory=dict)
    to_move: int = 0
    ended: str = ""
    double_laid: bool = False
    drew_one: bool = False
    opening_tile: Tile | None = None
    last_seat: int = 0
    last_tiles: list[Tile] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.to_move = self.asked[0] if self.asked else self.opener

    def copy(self) -> Round:
        return Round(
            self.rules,
            [list(hand) for hand in self.hands],
            list(self.bazaar),
            self.opener,
            list(self.opening),
            list(self.asked),
            dict(self.ends),
            self.to_move,
            self.ended,
            self.double_laid,
            self.drew_one,
            self.opening_tile,
            self.last_seat,
            list(self.last_tiles),
        )

    # What may be decided

    def legal(self) -> list[str]:
        """Every decision of the player to move, in a record's notation, sorted; empty once the round has ended."""
        if self.ended:
            return []
        if self.asked:
            return ["keep", "redeal"]
        if self.opening_tile is None:
            return sorted(name(tile) for tile in self.opening)
        hand = self.hands[self.to_move]
        if not self.fits_somewhere(hand):
            return ["draw"]
        return sorted(move_text(move) for move in self.legal_moves(hand))

    def fits_somewhere(self, tiles: list[Tile]) -> bool:
        return any(end_pips in tile for tile in tiles for end_pips in self.ends.values())

    def legal_moves(self, hand: list[Tile]) -> Iterator[Move]:
        parts_by_end: dict[str, list[Part]] = {}
        for end in END_ORDER:
            if end in self.ends:
                parts_by_end[end] = list(self.parts_for_end(hand, end))
        for parts in parts_by_end.values():
            for part in parts:
                yield (part,)
        if not self.rules.double_play:
            return
        most = 4 if self.rules.ruleset == "osel" else 2
        for count in range(2, most + 1):
            for ends in itertools.combinations(parts_by_end, count):
                for move in itertools.product(*(parts_by_end[end] for end in ends)):
                    if not all(is_double(part.tile) for part in move):
                        continue
                    if len({part.tile for part in move}) < count:
                        continue
                    yield from itertools.permutations(move) if self.order_matters(move) else [move]

    def parts_for_end(self, hand: list[Tile], end: str) -> Iterator[Part]:
        for tile in hand:
            if self.ends[end] in tile:
                yield Part(tile, end)
                if is_double(tile) and self.rules.ruleset == "osel":
                    yield Part(tile, end, closed=True)

    def order_matters(self, move: Move) -> bool:
        """Only in osel, before any double: the first one named open becomes the spinner."""
        opened = [part for part in move if not part.closed]
        return self.rules.ruleset == "osel" and not self.double_laid and len(opened) >= 2

    # Deciding

    def decide(self, text: str) -> None:
        """Plays one decision of the player to move, and all that follows by itself. Raises Illegal."""
        if self.ended:
            raise Illegal("the round is over")
        if text in ("draw", "keep", "redeal"):
            if text not in self.legal():
                raise Illegal(f"{text} is not open to seat {self.to_move}")
            self.decide_word(text)
            return
        move = self.canonical(parse_move(text))
        if move_text(move) not in self.legal():
            raise Illegal(f"{text} is not open to seat {self.to_move}")
        self.lay(move)

    def decide_word(self, word: str) -> None:
        if word == "draw":
            self.draw_one_tile(self.to_move)
            self.go_on(self.to_move)
        elif word == "redeal":
            self.asked = []
            self.ended = "redeal"
        else:
            self.asked.pop(0)
            self.to_move = self.asked[0] if self.asked else self.opener

    def canonical(self, move: Move) -> Move:
        if self.opening_tile is None:
            return move
        with_ends = tuple(part if part.end else Part(part.tile, self.end_meant(part), part.closed) for part in move)
        if self.order_matters(with_ends):
            return with_ends
        return tuple(sorted(with_ends, key=lambda part: END_ORDER.index(part.end)))

    def end_meant(self, part: Part) -> str:
        fitting = [end for end in END_ORDER if end in self.ends and self.ends[end] in part.tile]
        if not fitting:
            raise Illegal(f"{name(part.tile)} fits no end")
        if len({self.ends[end] for end in fitting}) > 1:
            raise Illegal(f"{name(part.tile)} fits ends that differ")
        return fitting[0]

    def lay(self, move: Move) -> None:
        seat = self.to_move
        self.last_seat = seat
        self.last_tiles = [part.tile for part in move]
        for part in move:
            self.hands[seat].remove(part.tile)
        if self.opening_tile is None:
            self.open_chain(move[0].tile)
        else:
            self.extend_chain(move)
        if self.end_by_out(seat) or self.end_by_fish(seat):
            return
        self.drew_one = False
        self.go_on((seat + 1) % self.rules.seats)

    def open_chain(self, tile: Tile) -> None:
        self.opening_tile = tile
        self.ends = {"left": tile[0], "right": tile[1]}
        if is_double(tile):
            self.double_laid = True
            if self.rules.ruleset == "osel":
                self.ends.update(up=tile[0], down=tile[0])
        if self.rules.ruleset == "kozel-yard" and tile == DOUBLE_SIX:
            self.throw_snot()

    def throw_snot(self) -> None:
        """The opener's side throws 0-0, 1-1 and so on under 6-6, as long as it holds the next one."""
        side = self.rules.seats_of(self.rules.side_of(self.opener))
        for half in range(6):
            holders = [seat for seat in side if (half, half) in self.hands[seat]]
            if not holders:
                return
            self.hands[holders[0]].remove((half, half))

    def extend_chain(self, move: Move) -> None:
        spinner_possible = self.rules.ruleset == "osel" and not self.double_laid
        for part in move:
            if part.closed:
                del self.ends[part.end]
            else:
                self.ends[part.end] = other_half(part.tile, self.ends[part.end])
        open_doubles = [part.tile for part in move if is_double(part.tile) and not part.closed]
        if spinner_possible and open_doubles:
            spinner = open_doubles[0]
            self.ends.update(up=spinner[0], down=spinner[0])
        if any(is_double(part.tile) for part in move):
            self.double_laid = True

    # What follows by itself

    def end_by_out(self, mover: int) -> bool:
        emptied = [seat for seat in range(self.rules.seats) if not self.hands[seat]]
        if not emptied:
            return False
        self.ended = "out"
        self.last_seat = mover if mover in emptied else emptied[0]
        return True

    def end_by_fish(self, mover: int) -> bool:
        if self.fits_somewhere(self.bazaar) or any(self.fits_somewhere(hand) for hand in self.hands):
            return False
        self.ended = "fish"
        if self.ends and self.rules.draw == "until_playable":
            self.hands[(mover + 1) % self.rules.seats].extend(self.bazaar)
            self.bazaar = []
        return True

    def go_on(self, seat: int) -> None:
        """Gives the turn to `seat`, or to the first after it who can lay or must draw by hand."""
        while True:
            self.to_move = seat
            if self.fits_somewhere(self.hands[seat]):
                return
            if self.bazaar and not self.drew_one:
                if not self.rules.auto_draw:
                    return
                self.draw_one_tile(seat)
                continue
            self.drew_one = False
            seat = (seat + 1) % self.rules.seats

    def draw_one_tile(self, seat: int) -> None:
        self.hands[seat].append(self.bazaar.pop(0))
        self.drew_one = self.rules.draw == "one"
