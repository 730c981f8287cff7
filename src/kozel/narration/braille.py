"""A turn in the cells of a braille display, where a tile is worth two digits, not two words."""

from __future__ import annotations

from collections.abc import Sequence

from kozel.engine.events import Drew, Event, Laid, Passed, Threw
from kozel.engine.moves import Lay
from kozel.locales.catalogue import tile_digits, words
from kozel.narration.wording import Wording

CELLS = 40
"""The common width of a display."""


def turn_in_cells(w: Wording, events: Sequence[Event], you: int | None) -> str:
    """'Boris 6:5 R +2': who, tiles with their ends, tiles drawn, pass, one tile left. A long name is cut, the rest never."""
    acts: list[str] = []
    drawn = sum(len(event.tiles) for event in events if isinstance(event, Drew))
    for event in events:
        if isinstance(event, Laid):
            acts += [_lay(w.lang, lay, event.ends) for lay in event.move.lays]
        elif isinstance(event, Threw):
            acts += [w.say("braille.snot"), *(tile_digits(tile) for _, tile in event.thrown)]
        elif isinstance(event, Passed):
            acts.append(w.say("braille.pass"))
    if drawn:
        acts.append(w.say("braille.drew", n=drawn))
    if any(isinstance(event, Laid) and event.left == 1 for event in events):
        acts.append(w.say("braille.one_left"))
    if not acts:
        return ""
    rest = " ".join(acts)
    seat = next(event.seat for event in events if isinstance(event, (Drew, Laid, Passed)))
    if seat == you:
        return rest
    return f"{w.table.names[seat][: CELLS - 1 - len(rest)].rstrip()} {rest}"


def _lay(lang: str, lay: Lay, ends: Sequence[int]) -> str:
    w = words(lang)
    last = None if lay.end < 0 or lay.closed else ends[lay.end]
    end = "" if lay.end < 0 else f" {w.END_LETTERS[lay.end]}"
    return f"{tile_digits(lay.tile, last)}{end}{w.CLOSED_LETTER if lay.closed else ''}"
