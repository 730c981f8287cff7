"""Rules of the table: the deal, new deals, ends, drawing, snot, counting a hand, winning a fish."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Annotated, NamedTuple

from kozel.engine.ledger import Ledger
from kozel.engine.moves import (
    Move,
    cross_moves,
    cross_place,
    cross_turn,
    line_moves,
    line_moves_with_pairs,
    line_place,
    line_turn,
    line_turn_with_pairs,
)
from kozel.engine.tiles import (
    DOUBLE,
    DOUBLES,
    PIPS,
    SUIT,
    TILES,
    TOTAL,
    Seat,
    Side,
    Tile,
    TileSet,
    mask_of,
    pips_in,
    tiles_in,
)
from kozel.locales import phrase
from kozel.rules.registry import Circumstances, Flaw, rule
from kozel.rules.settings import ChosenTile, PointsOfTiles, Whole

_SAMPLE = 100


class Placing(NamedTuple):
    """What can be laid, and the ends after it (see `RoundRules`)."""

    moves: Callable[[int, tuple[int, ...]], tuple[Move, ...]]
    place: Callable[[tuple[int, ...], Move], tuple[int, ...]]
    turn: Callable[[tuple[int, ...], Move, int], tuple[tuple[int, ...], tuple[Move, ...]]]


class Drawing(NamedTuple):
    """How many draws a turn has (see `RoundRules.draws`), and whether the game makes them by itself."""

    draws: int | None
    auto: bool


class Redeal(NamedTuple):
    """From how many tiles of one number, and from how many doubles (0: never)."""

    same_number: int
    many_doubles: int


@rule("deal", silent=True)
def nobody_takes_a_tile(ledger: Ledger) -> None:
    """Сдача: all tiles are dealt face down. (Rulebook 1.)"""


@rule("deal", needs=("sit",), takes="tile")
def winner_takes_a_tile(ledger: Ledger, *, tile: ChosenTile) -> tuple[Seat, Tile] | None:
    """Взять кость до сдачи.

    While a side sits on the goat, the seat that opens takes a `tile` before the deal, as one of its hand. (000,
    yard game.)
    """
    if ledger.sitting is None or ledger.opener is None:
        return None
    return ledger.opener, tile


@rule("redeal", silent=True)
def never_dealt_again() -> Redeal:
    """Без пересдачи: every deal counts. (Rulebook 1.)"""
    return Redeal(0, 0)


def _redeal_flaws(at: Circumstances, *, same_number: int = 0, doubles: int = 0) -> Iterator[Flaw]:
    if not 0 < same_number <= at.hand and not 0 < doubles <= at.hand:
        yield Flaw("", phrase("mistake.redeal_never"), never=True)
    facts = {"seats": at.seats, "hand": at.hand}
    if same_number and not _deals_count(at.seats, at.hand, same_number, 0):
        yield Flaw("same_number", phrase("mistake.deals_hardly_count", setting=f"same_number: {same_number}", **facts))
    elif doubles and not _deals_count(at.seats, at.hand, same_number, doubles):
        yield Flaw(
            "doubles", phrase("mistake.deals_hardly_count", setting=f"dealt_again: {{doubles: {doubles}}}", **facts)
        )


@lru_cache(maxsize=1024)
def _deals_count(seats: int, hand: int, same_number: int, doubles: int) -> bool:
    """Does at least one deal in ten hold no hand that is dealt again, or may be? Found by dealing."""
    from random import Random  # not needed where nothing is dealt again

    random = Random(0)
    counted = 0
    for _ in range(_SAMPLE):
        tiles = random.sample(TILES, seats * hand)
        hands = [mask_of(tiles[seat * hand : (seat + 1) * hand]) for seat in range(seats)]
        counted += not any(
            (same_number and any((mask & SUIT[pips]).bit_count() >= same_number for pips in PIPS))
            or (doubles and (mask & DOUBLES).bit_count() >= doubles)
            for mask in hands
        )
    return counted * 10 >= _SAMPLE


@rule("redeal", flaws=_redeal_flaws)
def dealt_again(*, same_number: Annotated[int, Whole(0, 7)] = 0, doubles: Annotated[int, Whole(0, 7)] = 0) -> Redeal:
    """Пересдача: certain hands are dealt again. (003.)

    `same_number`: a hand with so many tiles of one number is dealt again by itself. `doubles`: a player with so many doubles
    may ask for it. 0: never.
    """
    return Redeal(same_number, doubles)


@rule("placing")
def two_ends(*, double_play: bool = False) -> Placing:
    """Цепочка: it has a left and a right end. (Rulebook 1.)

    `double_play`: two doubles may be laid at once, one on each end, where the ends differ.
    """
    if double_play:
        return Placing(line_moves_with_pairs, line_place, line_turn_with_pairs)
    return Placing(line_moves, line_place, line_turn)


@rule("placing")
def four_ends() -> Placing:
    """Крест осла.

    The first double opens four sides; doubles may be laid closed, and two to four of them at once. (001, Осёл.)
    """
    return Placing(cross_moves, cross_place, cross_turn)


@rule("drawing")
def until_playable(*, auto: bool = False) -> Drawing:
    """Добор с базара: tiles are drawn until one fits or the bazaar is empty. (000, 001, 003, 004.)

    `auto`: the game draws by itself; else the player draws each tile.
    """
    return Drawing(None, auto)


@rule("drawing")
def one_tile(*, auto: bool = False) -> Drawing:
    """Одна с базара: one tile is drawn; if it does not fit, the turn passes. (003, convention 2.)

    `auto`: the game draws by itself; else the player does.
    """
    return Drawing(1, auto)


@rule("drawing", silent=True)
def never_drawn() -> Drawing:
    """Без базара.

    What is left after the deal stays face down and is not in play. (Rulebook 2, 2x2: there is no bazaar.)
    """
    return Drawing(0, False)


@rule("throwing", silent=True)
def nothing_thrown(
    hands: tuple[TileSet, ...], sides: tuple[Side, ...], seat: Seat, tile: Tile
) -> tuple[tuple[Seat, Tile], ...]:
    """Без сопли: nothing is thrown under the opening tile. (Rulebook 1.)"""
    return ()


def _snot_flaws(at: Circumstances, *, under: Tile) -> Iterator[Flaw]:
    if under == DOUBLE[0]:
        yield Flaw("under", phrase("mistake.throws_nothing"), never=True)


@rule("throwing", flaws=_snot_flaws)
def snot(
    hands: tuple[TileSet, ...], sides: tuple[Side, ...], seat: Seat, tile: Tile, *, under: ChosenTile
) -> tuple[tuple[Seat, Tile], ...]:
    """Сопля.

    Under a certain opening tile its side throws its doubles: 0-0, then 1-1 and so on while it has the next. (000.)

    `under`: that opening tile.
    """
    if tile != under:
        return ()
    seats = [s for s in range(len(sides)) if sides[s] == sides[seat]]
    thrown = []
    for double in DOUBLE:
        holder = next((s for s in seats if hands[s] >> double & 1), None)
        if holder is None:
            break
        thrown.append((holder, double))
    return tuple(thrown)


@rule("counting")
def pips(hand: TileSet) -> int:
    """Очки: a hand counts its pips. (Rulebook 1.)"""
    return pips_in(hand)


@rule("counting")
def pips_or_lone_tile(hand: TileSet, *, lone: PointsOfTiles) -> int:
    """Одна кость на руке.

    A hand counts its pips; one that is just a certain tile counts what is given for it. (000, 004.)

    `lone`: the points of such a hand, by tile.
    """
    if hand & (hand - 1) == 0 and hand:
        tile = hand.bit_length() - 1
        if tile in lone:
            return lone[tile]
    return pips_in(hand)


@rule("counting")
def pips_or_values(hand: TileSet, *, values: PointsOfTiles, lone: PointsOfTiles | None = None) -> int:
    """Своя цена костей.

    A hand counts its pips, but certain tiles count what is given for them. (A convention of many tables.)

    `values`: the points of a tile in any hand. `lone`: the points of a hand that is just that tile.
    """
    if lone and hand and hand & (hand - 1) == 0 and hand.bit_length() - 1 in lone:
        return lone[hand.bit_length() - 1]
    return sum(values.get(tile, TOTAL[tile]) for tile in tiles_in(hand))


@rule("fish")
def fewest_win(points: tuple[int, ...]) -> tuple[Side, ...]:
    """Рыба: the sides with the fewest points win; nobody where all are equal. (Rulebook 1.)"""
    winners = fewest_win_even_if_all(points)
    return () if len(winners) == len(points) else winners


@rule("fish")
def fewest_win_even_if_all(points: tuple[int, ...]) -> tuple[Side, ...]:
    """Рыба, и поровну тоже.

    The sides with the fewest points win, all of them where all are equal. (001; rulebook 2.4.)
    """
    fewest = min(points)
    return tuple(side for side, number in enumerate(points) if number == fewest)
