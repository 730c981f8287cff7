"""What a view says about the unseen tiles, and worlds that agree with it.

Who passes or draws has no tile of the ends of that moment; what is drawn before the last tile does not fit; who was
not the one to open has nothing that would have opened.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from kozel.bots.view import View
from kozel.engine.events import Drew, DrewToOpen, Laid, OpenerFound, Passed, Threw
from kozel.engine.moves import fitting
from kozel.engine.round import Deal
from kozel.engine.tiles import FULL_SET, tiles_in


class World(NamedTuple):
    """Hands by seat, and the bazaar with the next tile last, as they may be."""

    hands: list[int]
    bazaar: list[int]


@dataclass
class _Group:
    """Some tiles of one hand: how many, and what none of them can be."""

    seat: int
    number: int
    never: int


class Knowledge:
    """The unseen tiles of a view, and which of them can be where.

    Worlds are drawn evenly from all that agree: where anything is excluded, by exchanging pairs of tiles again and
    again, each world starting from the one before.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._groups = _groups(view)
        self._slots: list[int] = []
        self._shares: list[tuple[int, int, int]] = []
        for group in self._groups:
            start = len(self._slots)
            self._slots += [FULL_SET & ~group.never] * group.number
            self._shares.append((group.seat, start, len(self._slots)))
        self._bazaar_from = len(self._slots)
        self._slots += [FULL_SET] * view.bazaar
        self._tiles = list(tiles_in(view.unseen))
        self._free = not any(group.never & view.unseen for group in self._groups)
        if not self._free:
            self._settle()
        self._mixed = False

    def can_hold(self, seat: int) -> int:
        """The tiles that may be in a seat's hand."""
        mask = 0
        for group in self._groups:
            if group.seat == seat and group.number:
                mask |= self._view.unseen & ~group.never
        return mask

    def world(self, random: Callable[[], float]) -> World:
        """A world that agrees with all that was seen."""
        if self._free:
            self._tiles.sort(key=lambda _: random())
        else:
            self._exchange((2 if self._mixed else 10) * len(self._tiles), random)
            self._mixed = True
        tiles, hands = self._tiles, [0] * len(self._view.sizes)
        hands[self._view.seat] = self._view.hand
        for seat, start, end in self._shares:
            for tile in tiles[start:end]:
                hands[seat] |= 1 << tile
        return World(hands, tiles[self._bazaar_from :])

    def _exchange(self, times: int, random: Callable[[], float]) -> None:
        tiles, slots, number = self._tiles, self._slots, len(self._tiles)
        for _ in range(times):
            a, b = int(random() * number), int(random() * number)
            one, other = tiles[a], tiles[b]
            if slots[a] >> other & 1 and slots[b] >> one & 1:
                tiles[a], tiles[b] = other, one

    def _settle(self) -> None:
        """Give each slot a tile that it can hold, by augmenting paths; where nothing fits, the exclusions are dropped."""
        held: dict[int, int] = {}
        for slot in sorted(range(len(self._slots)), key=lambda slot: self._slots[slot].bit_count()):
            if not self._place(slot, held, set()):
                self._slots = [FULL_SET] * len(self._slots)
                self._free = True
                return
        by_slot = {slot: tile for tile, slot in held.items()}
        self._tiles = [by_slot[slot] for slot in range(len(self._slots))]

    def _place(self, slot: int, held: dict[int, int], tried: set[int]) -> bool:
        for tile in tiles_in(self._view.unseen & self._slots[slot]):
            if tile in tried:
                continue
            tried.add(tile)
            if tile not in held or self._place(held[tile], held, tried):
                held[tile] = slot
                return True
        return False


def _groups(view: View) -> list[_Group]:
    """The hands of the others, in parts that are known differently."""
    groups = _dealt(view)
    fresh: _Group | None = None
    for event, ends in view.history:
        if isinstance(event, Laid):
            if event.seat != view.seat:
                for tile in tiles_in(event.move.tiles):
                    _take(groups, event.seat, tile, fresh, view.unseen)
        elif isinstance(event, Threw):
            for seat, tile in event.thrown:
                if seat != view.seat:
                    _take(groups, seat, tile, None, view.unseen)
        elif isinstance(event, Passed):
            _exclude(groups, event.seat, fitting(ends))
        fresh = None
        if isinstance(event, Drew) and event.seat != view.seat:
            fits = fitting(ends)
            _exclude(groups, event.seat, fits)
            fresh = _Group(event.seat, 1, 0)
            groups += [_Group(event.seat, len(event.tiles) - 1, fits), fresh]
    thrown = _would_be_thrown(view)
    for group in groups:
        group.never |= thrown[group.seat]
    return [group for group in groups if group.number]


def _dealt(view: View) -> list[_Group]:
    """The hands at the opening, with what would have opened excluded."""
    opener = next((event.seat for event, _ in view.history if isinstance(event, OpenerFound)), None)
    drawn = next((event for event, _ in view.history if isinstance(event, DrewToOpen)), None)
    groups = []
    for seat in range(view.game.seats):
        if seat == view.seat:
            continue
        never = _would_open(view, seat, opener, drawn)
        number = view.game.hand + (sum(drawer == seat for drawer, _ in drawn.draws) if drawn else 0)
        if drawn and seat == opener:
            groups.append(_Group(seat, 1, FULL_SET & ~(1 << _opening_tile(drawn))))
            number -= 1
        elif view.taken and view.taken[0] == seat:
            groups.append(_Group(seat, 1, FULL_SET & ~(1 << view.taken[1])))
            number -= 1
        groups.append(_Group(seat, number, never))
    return groups


def _opening_tile(drawn: DrewToOpen) -> int:
    """The tile that ended the draws: all have seen it."""
    tile = drawn.draws[-1][1]
    assert tile is not None
    return tile


def _opened(view: View) -> int | None:
    """The opening tile, or the only one that can open."""
    chain = view.chain
    if chain:
        return chain[0].move.lays[0].tile
    if len(view.legal) == 1 and view.legal[0].tiles:
        return view.legal[0].lays[0].tile
    return None


def _would_open(view: View, seat: int, opener: int | None, drawn: DrewToOpen | None) -> int:
    """The unseen tiles with which, in this seat's hand, the opening rule would not have allowed the opening that was seen."""
    tile = _opened(view)
    if tile is None or opener is None:
        return 0
    ledger, never = view.ledger, 0
    for other in tiles_in(view.unseen):
        hands = [0] * view.game.seats
        if not drawn:
            hands[opener] = 1 << tile
        hands[seat] |= 1 << other
        bazaar = (tile,) if drawn else ()
        deal = Deal(tuple(hands), bazaar, ledger.fresh, ledger.opener, ledger.sitting, opener)
        if not view.game.round.opening(deal).tiles >> tile & 1:
            never |= 1 << other
    return never


def _would_be_thrown(view: View) -> list[int]:
    """By seat, the unseen tiles that would have been thrown under the opening tile, had the seat held them."""
    never = [0] * view.game.seats
    chain, rules = view.chain, view.game.round
    if not chain:
        return never
    lying = [0] * view.game.seats
    for event, _ in view.history:
        if isinstance(event, Threw):
            for seat, tile in event.thrown:
                lying[seat] |= 1 << tile
    opener, opened = chain[0].seat, chain[0].move.lays[0].tile
    for seat in range(view.game.seats):
        for tile in tiles_in(view.unseen):
            hands = [*lying[:seat], lying[seat] | 1 << tile, *lying[seat + 1 :]]
            if (seat, tile) in rules.thrown(tuple(hands), rules.sides, opener, opened):
                never[seat] |= 1 << tile
    return never


def _exclude(groups: list[_Group], seat: int, tiles: int) -> None:
    for group in groups:
        if group.seat == seat:
            group.never |= tiles


def _take(groups: list[_Group], seat: int, tile: int, fresh: _Group | None, unseen: int) -> None:
    """A tile has left a hand: from the group that it most likely belonged to; right after a draw, from what was drawn."""
    if fresh and fresh.seat == seat:
        fresh.number = 0
        return
    possible = [group for group in groups if group.seat == seat and group.number]
    able = [group for group in possible if not group.never >> tile & 1] or possible
    likely = max(able, key=lambda group: group.number / (1 + (unseen & ~group.never).bit_count()))
    likely.number -= 1
