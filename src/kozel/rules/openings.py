"""Rules that say who opens a round, and with what.

An opening rule returns an `Opening`; `tiles` 0 leaves the choice to the ruleset's lead rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kozel.engine.round import Deal, Opening
from kozel.engine.tiles import DOUBLES, SMALLEST_FIRST, Seat, Tile, TileSet, lowest_double, mask_of, smallest
from kozel.locales import phrase
from kozel.rules.registry import Circumstances, Flaw, opening, rule
from kozel.rules.settings import ChosenTile, ChosenTiles

CHOICE = 0
"""In place of the tiles of an opening: those that the lead rule allows."""


def _holder(hands: Sequence[TileSet], tile: Tile) -> Seat:
    return next(seat for seat, hand in enumerate(hands) if hand >> tile & 1)


def _all(hands: Sequence[TileSet]) -> TileSet:
    mask = 0
    for hand in hands:
        mask |= hand
    return mask


@opening()
def lowest_double_opens(deal: Deal, *, never: ChosenTiles = ()) -> Opening:
    """Младший дупль.

    The holder of the lowest double opens with it; if no hand has one, of the smallest tile. (000, 001, 004.)

    `never`: tiles that do not count.
    """
    everything = _all(deal.hands)
    counted = everything & ~mask_of(never) or everything
    tile = lowest_double(counted)
    if tile is None:
        tile = smallest(counted)
        assert tile is not None
    return Opening(_holder(deal.hands, tile), 1 << tile)


@opening()
def highest_double_opens(deal: Deal, *, never: ChosenTiles = ()) -> Opening:
    """Старший дупль.

    The holder of the highest double opens with it; if no hand has one, of the greatest tile. (A convention of many
    tables.)

    `never`: tiles that do not count.
    """
    everything = _all(deal.hands)
    counted = everything & ~mask_of(never) or everything
    doubles = counted & DOUBLES
    tile = doubles.bit_length() - 1 if doubles else next(t for t in reversed(SMALLEST_FIRST) if counted >> t & 1)
    return Opening(_holder(deal.hands, tile), 1 << tile)


@opening()
def smallest_tile_opens(deal: Deal) -> Opening:
    """Младшая кость: the holder of the smallest tile opens with it. (003, convention 4.)"""
    tile = smallest(_all(deal.hands))
    assert tile is not None
    return Opening(_holder(deal.hands, tile), 1 << tile)


@opening()
def lowest_double_unless_bonus_opens(deal: Deal, *, bonus: ChosenTiles) -> Opening:
    """Младший дупль, а бонусный по желанию.

    The holder of the lowest double opens; a `bonus` double need not be led. (003, convention 4, the special case.)

    If the lowest double in that hand is no bonus one, with that. Otherwise with it or with the lowest other double; if
    bonus doubles are the only ones, with any of them or the smallest other tile. Without a double in any hand: with the
    smallest tile.
    """
    lowest = lowest_double(_all(deal.hands))
    if lowest is None:
        return smallest_tile_opens(deal)
    seat = _holder(deal.hands, lowest)
    hand, special = deal.hands[seat], mask_of(bonus)
    ordinary = lowest_double(hand, ~special)
    if not special >> lowest & 1:
        return Opening(seat, 1 << lowest)
    if ordinary is not None:
        return Opening(seat, 1 << lowest | 1 << ordinary)
    other = smallest(hand & ~DOUBLES)
    return Opening(seat, hand & DOUBLES | (0 if other is None else 1 << other))


def _drawn_for_flaws(at: Circumstances, *, never: tuple[Tile, ...] = ()) -> Iterator[Flaw]:
    if not DOUBLES & ~mask_of(never):
        yield Flaw("never", phrase("mistake.no_double_left"), never=True)


@opening(flaws=_drawn_for_flaws)
def lowest_double_drawn_for_opens(deal: Deal, *, never: ChosenTiles = ()) -> Opening:
    """Младший дупль, хоть с базара.

    The holder of the lowest double opens with it; if no hand has one, the seats draw in turn until one appears.
    (000, Козёл.)

    `never`: doubles that do not count. Seat 0 draws first. If the bazaar ends without one, the smallest tile opens.
    """
    counted = DOUBLES & ~mask_of(never)
    tile = lowest_double(_all(deal.hands), counted)
    if tile is not None:
        return Opening(_holder(deal.hands, tile), 1 << tile)
    draws = []
    for number, drawn in enumerate(deal.bazaar):
        seat = number % len(deal.hands)
        draws.append((seat, drawn))
        if counted >> drawn & 1:
            return Opening(seat, 1 << drawn, tuple(draws))
    hands = list(deal.hands)
    for seat, drawn in draws:
        hands[seat] |= 1 << drawn
    tile = next(tile for tile in SMALLEST_FIRST if _all(hands) >> tile & 1)
    return Opening(_holder(hands, tile), 1 << tile, tuple(draws))


@opening(by_lot=True, leaves_choice=True)
def lot_opens(deal: Deal) -> Opening:
    """Жребий: the opener is drawn by lot. (Rulebook 2.6, 2x2.)"""
    assert deal.lot is not None
    return Opening(deal.lot, CHOICE, by_lot=True)


@rule("later_opening", needs=("opener",), leaves_choice=True, leads="taken")
def last_round_decides(deal: Deal, *, taken: ChosenTile | None = None) -> Opening:
    """Кого назвал прошлый раунд.

    The seat that a step of the settlement has named opens, with a tile that `lead` allows. (000, 001, 003, 004.)

    `taken`: the tile that it must open with while a side sits on the goat; `winner_takes_a_tile` sees to it that it has it.
    """
    assert deal.opener is not None
    if taken is not None and deal.sitting is not None:
        return Opening(deal.opener, 1 << taken)
    return Opening(deal.opener, CHOICE)


@rule("lead", silent=True)
def any_tile(hand: TileSet) -> TileSet:
    """Любая кость: any tile may be led. (Rulebook 2.2.)"""
    return hand


@rule("lead")
def any_double(hand: TileSet) -> TileSet:
    """Заход с дупля: any double must be led; without one, any tile. (003, convention 4.)"""
    return hand & DOUBLES or hand


@rule("lead")
def double_with_bonus_at_will(hand: TileSet, *, bonus: ChosenTiles) -> TileSet:
    """Заход с дупля, бонусный по желанию.

    A double must be led, but who has no other than the `bonus` ones may lead any tile. (003, convention 4.)
    """
    return hand & DOUBLES if hand & DOUBLES & ~mask_of(bonus) else hand
