"""Decisions as the game record writes them, and why one is refused."""

from __future__ import annotations

import re
from typing import NamedTuple

from kozel.engine.moves import DRAW, END_NAMES, KEEP, REDEAL, START, Lay, Move, laying
from kozel.engine.round import IllegalMove, Round
from kozel.engine.tiles import NAMES, SUIT, is_double, parse_tile, tiles_in

_PART = re.compile(r"([0-6]-[0-6])(?:\s+(left|right|up|down))?(?:\s+(closed))?")
_WORDS = {"draw": DRAW, "keep": KEEP, "redeal": REDEAL}


class Part(NamedTuple):
    """A tile of a decision as written: the end may be left out (None)."""

    tile: int
    end: int | None
    closed: bool


def resolve(state: Round, text: str) -> Move:
    """The legal decision that a text means where this round stands. Raises `IllegalMove` with the reason it means none.

    Every decision's own text means it, and so does a shorter one where that is enough.

    >>> from kozel.engine.match import deal, decide, new_match, shuffled
    >>> from kozel.rules.reading import find
    >>> match = new_match(find("domino").game(2, False, {}))
    >>> match, _ = deal(match, shuffled(match, "spring"))
    >>> all(resolve(match.round, move.text) is move for move in match.round.legal)
    True
    >>> match, _ = decide(match, match.round.legal[0])
    >>> move = next(move for move in match.round.legal if move.tiles)
    >>> resolve(match.round, f"  {move.text.replace(' ', '   ')} ") is move
    True
    >>> resolve(match.round, "0-7 left")
    Traceback (most recent call last):
    kozel.engine.round.IllegalMove: not_understood {'text': '0-7 left'}
    """
    words = " ".join(text.split())
    for move in state.legal:
        if move.text == words:
            return move
    if words in _WORDS:
        raise _why_no_word(state, _WORDS[words])
    parts = _parts(words)
    if parts is None:
        raise IllegalMove("not_understood", text=shortened(words))
    if not state.ends:
        return _opening(state, parts)
    lays = _with_ends(state, parts)
    for order in (lays, sorted(lays, key=lambda lay: lay.end)):
        move = laying(*order)
        if move in state.legal:
            return move
    raise _why_no_tile(state, parts)


def shortened(words: str) -> str:
    """Words of a record as a sentence quotes them."""
    return words if len(words) <= 60 else words[:57] + "..."


def _parts(words: str) -> list[Part] | None:
    parts = []
    for written in words.split("+"):
        found = _PART.fullmatch(written.strip())
        if not found:
            return None
        parts.append(Part(parse_tile(found[1]), END_NAMES.index(found[2]) if found[2] else None, found[3] is not None))
    return parts


def _opening(state: Round, parts: list[Part]) -> Move:
    if KEEP in state.legal:
        raise IllegalMove("answer_redeal")
    if len(parts) > 1:
        raise IllegalMove("no_double_play")
    tile, end, closed = parts[0]
    if end is not None:
        raise IllegalMove("opening_has_no_end")
    if closed:
        raise IllegalMove("opening_not_closed")
    move = laying(Lay(tile, START, False))
    if move in state.legal:
        return move
    if not state.hands[state.turn] >> tile & 1:
        raise IllegalMove("tile_not_in_hand", tile=NAMES[tile])
    raise IllegalMove("must_open_with", tiles=tuple(NAMES[m.lays[0].tile] for m in state.legal))


def _with_ends(state: Round, parts: list[Part]) -> list[Lay]:
    """The parts with each end written. Raises `IllegalMove`.

    Where their order means nothing, only the order of the ends is a legal move.
    """
    lays = [Lay(part.tile, _end_of(state, part), part.closed) for part in parts]
    if len(lays) > 1:
        _check_several(lays)
    return lays


def _check_several(lays: list[Lay]) -> None:
    for lay in lays:
        if not is_double(lay.tile):
            raise IllegalMove("several_not_doubles", tile=NAMES[lay.tile])
    if len({lay.tile for lay in lays}) < len(lays) or len({lay.end for lay in lays}) < len(lays):
        raise IllegalMove("one_end_twice")


def _end_of(state: Round, part: Part) -> int:
    if not state.hands[state.turn] >> part.tile & 1:
        raise IllegalMove("tile_not_in_hand", tile=NAMES[part.tile])
    fitting = [end for end, pip in enumerate(state.ends) if SUIT[pip] >> part.tile & 1]
    if not fitting:
        if DRAW in state.legal:
            raise IllegalMove("must_draw", tile=NAMES[part.tile])
        raise IllegalMove("tile_fits_no_end", tile=NAMES[part.tile])
    if part.end is None:
        if len({state.ends[end] for end in fitting}) > 1:
            raise IllegalMove("which_end", tile=NAMES[part.tile], ends=tuple(END_NAMES[end] for end in fitting))
        return fitting[0]
    if part.end not in fitting:
        raise IllegalMove("wrong_end", tile=NAMES[part.tile], end=END_NAMES[part.end])
    return part.end


def _why_no_word(state: Round, move: Move) -> IllegalMove:
    if move != DRAW:
        return IllegalMove("not_asked")
    if KEEP in state.legal:
        return IllegalMove("answer_redeal")
    if not state.ends:
        return IllegalMove("must_open_with", tiles=tuple(NAMES[m.lays[0].tile] for m in state.legal))
    return IllegalMove("fits_so_no_draw")


def _why_no_tile(state: Round, parts: list[Part]) -> IllegalMove:
    closed = next((part for part in parts if part.closed), None)
    if closed and not is_double(closed.tile):
        return IllegalMove("closed_no_double", tile=NAMES[closed.tile])
    if closed and not any(lay.closed for move in state.legal for lay in move.lays):
        return IllegalMove("no_closing")
    return IllegalMove("no_double_play")


def hand_names(hand: int) -> list[str]:
    """The tiles of a hand as the record writes them, in tile-name order."""
    return [NAMES[tile] for tile in tiles_in(hand)]
