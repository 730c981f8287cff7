"""The chain on the table: which tile lies where, arm by arm."""

from __future__ import annotations

from kozel.engine.chain import Chain, chain_of
from kozel.engine.events import Event, Laid, Threw
from kozel.engine.plain import read_move
from kozel.engine.tiles import parse_tile as tile


def laid(text: str, *ends: int, opening: bool = False) -> Laid:
    return Laid(0, read_move(text), ends, 3, opening)


def test_each_arm_takes_its_own_tiles_from_the_spinner_outward() -> None:
    events = [
        laid("3-3", 3, 3, 3, 3, opening=True),
        laid("3-5 up", 3, 3, 5, 3),
        laid("3-6 down", 3, 3, 5, 6),
        laid("5-5 up", 3, 3, 5, 6),
        laid("1-3 left", 1, 3, 5, 6),
        laid("2-3 right", 1, 2, 5, 6),
        laid("1-4 left", 4, 2, 5, 6),
    ]
    chain = chain_of(events)
    assert chain == Chain(
        left=(tile("1-4"), tile("1-3")),
        spinner=tile("3-3"),
        right=(tile("2-3"),),
        up=(tile("3-5"), tile("5-5")),
        down=(tile("3-6"),),
        thrown=(),
    )
    walked = ["1-4", "1-3", "3-3", "2-3", "3-5", "5-5", "3-6"]
    assert chain.tiles == tuple(map(tile, walked))


def test_a_spinner_laid_later_splits_the_line_where_it_lies() -> None:
    events = [
        laid("2-5", 2, 5, opening=True),
        laid("5-6 right", 2, 6),
        laid("6-6 right", 2, 6, 6, 6),
        laid("4-6 down", 2, 6, 6, 4),
    ]
    chain = chain_of(events)
    assert (chain.left, chain.spinner) == ((tile("2-5"), tile("5-6")), tile("6-6"))
    assert (chain.right, chain.up, chain.down) == ((), (), (tile("4-6"),))


def test_without_a_spinner_all_is_one_line_and_the_snot_lies_apart() -> None:
    events: list[Event] = [
        laid("6-6", 6, 6, opening=True),
        Threw(((0, tile("0-0")), (2, tile("1-1"))), (5, 7, 6, 7)),
        laid("1-6 left", 1, 6),
        laid("6-2 right", 1, 2),
    ]
    chain = chain_of(events)
    assert chain.left == (tile("1-6"), tile("6-6"), tile("2-6"))
    assert (chain.spinner, chain.thrown) == (None, (tile("0-0"), tile("1-1")))
