"""What a seat may know, and that nothing else reaches it."""

from __future__ import annotations

from random import Random

import pytest

from bots.playing import TABLES, dealt, positions, table
from bots.watching import observe
from kozel.bots import novice
from kozel.bots.levels import LEVELS, UnknownLevel, player
from kozel.engine.events import Drew, DrewToOpen, Passed
from kozel.engine.match import Match
from kozel.engine.seen import known
from kozel.engine.tiles import FULL_SET, mask_of, tiles_in


def relabelled(match: Match, seat: int, random: Random) -> Match:
    """The same match, but that the tiles which the seat has not seen have changed places among hands and bazaar."""
    state = match.round
    assert state is not None
    unseen = list(tiles_in(observe(match, seat).unseen))
    shuffled = list(unseen)
    random.shuffle(shuffled)
    swap = dict(zip(unseen, shuffled, strict=True))
    hands = tuple(
        hand if each == seat else mask_of(swap[tile] for tile in tiles_in(hand))
        for each, hand in enumerate(state.hands)
    )
    log = tuple(
        event._replace(tiles=tuple(swap.get(tile, tile) for tile in known(event.tiles)))
        if isinstance(event, Drew) and event.seat != seat
        else event
        for event in match.log
    )
    bazaar = tuple(swap[tile] for tile in state.bazaar)
    return match._replace(round=state._replace(hands=hands, bazaar=bazaar), log=log)


@pytest.mark.parametrize(("name", "seats", "pairs"), TABLES)
def test_unseen_tiles_change_nothing_in_the_view(name: str, seats: int, pairs: bool | None) -> None:
    game = table(name, seats, pairs)
    random = Random(name)
    for match in positions(game, "hidden", [novice.choose] * seats):
        if match.round is None:
            continue
        for seat in range(seats):
            assert observe(relabelled(match, seat, random), seat) == observe(match, seat)


@pytest.mark.parametrize(("name", "seats", "pairs"), TABLES)
def test_hands_table_and_unseen_tiles_make_up_the_set(name: str, seats: int, pairs: bool | None) -> None:
    for match in positions(table(name, seats, pairs), "whole", [novice.choose] * seats):
        if match.round is None:
            continue
        for seat in range(seats):
            view = observe(match, seat)
            assert view.hand == match.round.hands[seat]
            assert view.hand | view.played | view.unseen == FULL_SET
            assert view.unseen.bit_count() == sum(view.sizes) - view.sizes[seat] + view.bazaar
            assert bool(view.legal) == (seat == match.round.turn)


def test_another_seats_draws_are_numbers_and_the_own_are_tiles() -> None:
    found = set()
    for match in positions(table("kozel", 2), "draws", [novice.choose] * 2):
        for seat in (0, 1):
            for event, _ in observe(match, seat).history:
                if isinstance(event, Drew):
                    assert (None in event.tiles) == (event.seat != seat)
                    found.add(event.seat == seat)
    assert found == {True, False}


def test_of_draws_to_open_only_the_opening_double_is_shown() -> None:
    game = table("kozel", 2)
    seed = next(
        str(seed)
        for seed in range(2000)
        if any(isinstance(event, DrewToOpen) for event, _ in observe(dealt(game, str(seed)), 0).history)
    )
    match = dealt(game, seed)
    for seat in (0, 1):
        *hidden, (_, opening) = next(e for e, _ in observe(match, seat).history if isinstance(e, DrewToOpen)).draws
        assert opening is not None
        for drawer, tile in hidden:
            assert (tile is None) == (drawer != seat)
            assert tile is None or observe(match, seat).hand >> tile & 1


def test_a_pass_is_seen_with_the_ends_of_that_moment() -> None:
    for match in positions(table("kozel-2x2", 4), "passes", [novice.choose] * 4):
        view = observe(match, 0)
        if match.round and isinstance(view.history[-1].event, Passed):
            assert view.history[-1].ends == match.round.ends
            return
    pytest.fail("nobody passed in a whole match of pairs")


def test_between_rounds_the_counted_hands_are_public() -> None:
    *_, over = positions(table("domino", 2), "over", [novice.choose] * 2)
    view = observe(over, 0)
    assert (view.turn, view.legal, view.hand) == (None, (), over.past[-1].hands[0])


def test_no_such_seat() -> None:
    with pytest.raises(IndexError, match="no seat 2 at a table of 2"):
        observe(dealt(table("domino", 2), "seat"), 2)


def test_levels_are_found_by_name_and_an_unknown_one_names_the_known() -> None:
    for name, chooser in LEVELS.items():
        assert player(name) is chooser
    with pytest.raises(UnknownLevel) as caught:
        player("grandmaster")
    assert caught.value.facts == {"level": "grandmaster", "known": tuple(LEVELS)}
