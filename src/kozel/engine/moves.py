"""What a player can decide: a tile laid on an end, several doubles at once, a draw, the answer about a new deal.

Moves are interned: each exists once, so that comparing them costs nothing. Each carries its notation of the game record.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from kozel.engine.tiles import DOUBLE, DOUBLES, HALVES, NAMES, NO_END, PIPS, SUIT, TILES, TOTAL, by_sevens, tiles_in

LEFT, RIGHT, UP, DOWN = range(4)
START = -1
"""In place of an end: the first tile of a round, which makes the ends."""
END_NAMES = ("left", "right", "up", "down")


class Lay(NamedTuple):
    """One tile on one end; `closed`: a double that ends the chain there (rulebook 2.5)."""

    tile: int
    end: int
    closed: bool

    def __str__(self) -> str:
        name = NAMES[self.tile] if self.end == START else f"{NAMES[self.tile]} {END_NAMES[self.end]}"
        return f"{name} closed" if self.closed else name


class Move:
    """A decision. `text` is its notation, `tiles` the set it lays (0 for a draw or an answer).

    `end` serves the ordinary chain: the one end that changes. `total`: the pips laid. Moves are compared by identity:
    `laying` and the words below give the one that there is. A named tuple would cost the engine a tenth of its speed.
    """

    __slots__ = ("end", "lays", "text", "tiles", "total")

    def __init__(self, text: str, tiles: int, lays: tuple[Lay, ...], end: int, total: int) -> None:
        self.text, self.tiles, self.lays, self.end, self.total = text, tiles, lays, end, total

    def __repr__(self) -> str:
        return f"Move({self.text!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return _once_more, (self.text, self.lays)


def _once_more(text: str, lays: tuple[Lay, ...]) -> Move:
    """The move that there is of a copied or pickled one."""
    return laying(*lays) if lays else next(move for move in (DRAW, KEEP, REDEAL) if move.text == text)


DRAW = Move("draw", 0, (), START, 0)
KEEP = Move("keep", 0, (), START, 0)
REDEAL = Move("redeal", 0, (), START, 0)


@cache
def laying(*lays: Lay) -> Move:
    """The move that lays these tiles, in this order.

    >>> laying(Lay(5, LEFT, False))
    Move('0-5 left')
    >>> laying(Lay(27, UP, True), Lay(0, DOWN, False)).text
    '6-6 up closed + 0-0 down'
    >>> laying(Lay(5, LEFT, False)) is laying(Lay(5, LEFT, False))
    True
    """
    text = " + ".join(map(str, lays))
    tiles = sum(1 << lay.tile for lay in lays)
    if len(lays) == 1:
        return Move(text, tiles, lays, lays[0].end, TOTAL[lays[0].tile])
    return Move(text, tiles, lays, START, sum(TOTAL[lay.tile] for lay in lays))


OPENINGS: tuple[Move, ...] = tuple(laying(Lay(tile, START, False)) for tile in TILES)
"""The move that opens a round, for each tile."""
_OPEN_0, _OPEN_1, _OPEN_2, _OPEN_3 = by_sevens(OPENINGS)


def openings(tiles: int) -> tuple[Move, ...]:
    """The opening moves of a set of tiles."""
    return _OPEN_0[tiles & 127] + _OPEN_1[tiles >> 7 & 127] + _OPEN_2[tiles >> 14 & 127] + _OPEN_3[tiles >> 21]


def _on_end(end: int) -> tuple[dict[int, tuple[Move, ...]], ...]:
    """For each number of pips, the moves of every subset of its tiles: without the highest tile, then with it, and so on down."""
    table: list[dict[int, tuple[Move, ...]]] = []
    for pip in PIPS:
        subsets: dict[int, tuple[Move, ...]] = {0: ()}
        for tile in reversed(tiles_in(SUIT[pip])):
            bit, single = 1 << tile, (laying(Lay(tile, end, False)),)
            subsets.update([(bit | rest, single + moves) for rest, moves in subsets.items()])
        table.append(subsets)
    return (*table, {0: ()})


ON_END = tuple(_on_end(end) for end in (LEFT, RIGHT, UP, DOWN))
"""`ON_END[end][pips][hand & SUIT[pips]]`: the single tiles that can be laid there, open."""
_CLOSED = tuple(tuple(laying(Lay(DOUBLE[pip], end, True)) for pip in PIPS) for end in range(4))
_BOTH: dict[tuple[int, int], tuple[Move, ...]] = {
    (left, right): (laying(Lay(DOUBLE[left], LEFT, False), Lay(DOUBLE[right], RIGHT, False)),)
    for left in PIPS
    for right in PIPS
    if left != right
}
_PAIR = tuple(tuple(1 << DOUBLE[a] | 1 << DOUBLE[b] for b in PIPS) for a in PIPS)
_ON_LEFT, _ON_RIGHT = ON_END[LEFT], ON_END[RIGHT]


def line_moves(hand: int, ends: tuple[int, ...]) -> tuple[Move, ...]:
    """The tiles of a hand that fit an ordinary chain, each on each end that it fits."""
    left, right = ends
    return _ON_LEFT[left][hand & SUIT[left]] + _ON_RIGHT[right][hand & SUIT[right]]


def line_moves_with_pairs(hand: int, ends: tuple[int, ...]) -> tuple[Move, ...]:
    """`line_moves`, and both doubles at once where the ends differ and the hand holds them (rulebook 1)."""
    left, right = ends
    moves = _ON_LEFT[left][hand & SUIT[left]] + _ON_RIGHT[right][hand & SUIT[right]]
    if left != right and len(moves) > 1:
        pair = _PAIR[left][right]
        if hand & pair == pair:
            return moves + _BOTH[left, right]
    return moves


def cross_moves(hand: int, ends: tuple[int, ...]) -> tuple[Move, ...]:
    """What a hand can lay on up to four ends: single tiles, doubles open or closed, several doubles (rulebook 2.5)."""
    moves: tuple[Move, ...] = ()
    doubles = 0
    for end, pip in enumerate(ends):
        if pip == NO_END:
            continue
        fitting = hand & SUIT[pip]
        moves += ON_END[end][pip][fitting]
        if fitting & DOUBLES:
            moves += (_CLOSED[end][pip],)
            doubles |= fitting & DOUBLES
    if doubles.bit_count() > 1:
        moves += _several_doubles(doubles, ends)
    return moves


@lru_cache(maxsize=4096)
def _several_doubles(doubles: int, ends: tuple[int, ...]) -> tuple[Move, ...]:
    choices: list[list[Lay | None]] = []
    for end, pip in enumerate(ends):
        here: list[Lay | None] = [None]
        if pip != NO_END and doubles >> DOUBLE[pip] & 1:
            here += [Lay(DOUBLE[pip], end, False), Lay(DOUBLE[pip], end, True)]
        choices.append(here)
    moves = []
    for choice in product(*choices):
        lays = [lay for lay in choice if lay is not None]
        if len(lays) < 2 or len({lay.tile for lay in lays}) < len(lays):
            continue
        moves.append(laying(*lays))
        if order_matters(ends, lays):
            moves.append(laying(*reversed(lays)))
    return tuple(moves)


def order_matters(ends: tuple[int, ...], lays: list[Lay]) -> bool:
    """Does the order of several doubles choose the spinner? Only where none was laid before and two are open (2.5)."""
    return len(ends) == 2 and sum(not lay.closed for lay in lays) > 1


def line_place(ends: tuple[int, ...], move: Move) -> tuple[int, ...]:
    """The ends of an ordinary chain after a move; `()` stands for the empty table."""
    end = move.end
    if end == LEFT:
        return (move.total - ends[0], ends[1])
    if end == RIGHT:
        return (ends[0], move.total - ends[1])
    return ends or HALVES[move.lays[0].tile]


def line_turn(ends: tuple[int, ...], move: Move, hand: int) -> tuple[tuple[int, ...], tuple[Move, ...]]:
    """`line_place`, and `line_moves` of the next hand: one call where `apply` would make two."""
    left, right = ends
    end = move.end
    if end == LEFT:
        left = move.total - left
    elif end == RIGHT:
        right = move.total - right
    return (left, right), _ON_LEFT[left][hand & SUIT[left]] + _ON_RIGHT[right][hand & SUIT[right]]


def line_turn_with_pairs(ends: tuple[int, ...], move: Move, hand: int) -> tuple[tuple[int, ...], tuple[Move, ...]]:
    """`line_place`, and `line_moves_with_pairs` of the next hand."""
    after = line_place(ends, move)
    return after, line_moves_with_pairs(hand, after)


def cross_place(ends: tuple[int, ...], move: Move) -> tuple[int, ...]:
    """The ends of a chain with a spinner after a move: two until the first double, then four (rulebook 2.5)."""
    if not ends:
        low, high = HALVES[move.lays[0].tile]
        return (low, low, low, low) if low == high else (low, high)
    after = list(ends)
    for lay in move.lays:
        pip = after[lay.end]
        after[lay.end] = NO_END if lay.closed else TOTAL[lay.tile] - pip
    if len(ends) == 2 and move.tiles & DOUBLES:
        spinner = next((HALVES[lay.tile][0] for lay in move.lays if not lay.closed), NO_END)
        after += [spinner, spinner]
    return tuple(after)


def cross_turn(ends: tuple[int, ...], move: Move, hand: int) -> tuple[tuple[int, ...], tuple[Move, ...]]:
    """`cross_place`, and `cross_moves` of the next hand."""
    after = cross_place(ends, move)
    return after, cross_moves(hand, after)


@cache
def fitting(ends: tuple[int, ...]) -> int:
    """The tiles that fit any of the ends."""
    mask = 0
    for pip in ends:
        mask |= SUIT[pip]
    return mask
