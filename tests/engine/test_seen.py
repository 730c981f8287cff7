"""What a seat gets of a match: the same bytes whatever the tiles that it has not seen, and data that read back equal."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.playing import TABLES, positions, table
from bots.test_view import relabelled
from kozel.bots import novice
from kozel.engine.events import Drew, DrewToOpen, Laid, OpenerFound, TookBazaar
from kozel.engine.match import Match, deal, decide, new_match, shuffled
from kozel.engine.moves import DRAW, KEEP, REDEAL
from kozel.engine.plain import NotPlain, plain, read_move, read_plain
from kozel.engine.seen import known, seen, view


def as_bytes(value: object) -> bytes:
    return json.dumps(plain(value), sort_keys=True).encode()


@pytest.mark.parametrize(("name", "seats", "pairs"), TABLES)
def test_hidden_tiles_change_no_byte_of_what_a_seat_gets(name: str, seats: int, pairs: bool | None) -> None:
    """More than 2,000 positions of all rulesets together, each with its unseen tiles permuted, for every seat."""
    game, random, checked = table(name, seats, pairs), Random(name), 0
    for number in range(20):
        for match in positions(game, f"bytes {number}", [novice.choose] * seats):
            if match.round is None:
                continue
            for seat in range(seats):
                other = relabelled(match, seat, random)
                assert as_bytes(view(other, seat)) == as_bytes(view(match, seat))
            unseen_by_all = relabelled(match, match.round.turn, random)
            assert as_bytes(view(unseen_by_all, None)) == as_bytes(view(match, None))
            checked += 1
        if checked >= 150:
            return
    raise AssertionError("too few positions")


@pytest.mark.parametrize(("name", "seats", "pairs"), TABLES)
def test_events_and_views_read_back_equal(name: str, seats: int, pairs: bool | None) -> None:
    game, random = table(name, seats, pairs), Random(name)
    match = new_match(game)
    for _ in range(400):
        if match.end is not None:
            match = new_match(game)
        if match.round is None:
            match, events = deal(match, shuffled(match, f"plain {random.random()}"))
        else:
            match, events = decide(match, random.choice(match.round.legal))
        for seat in (None, *range(seats)):
            for value in (tuple(seen(event, seat) for event in events), view(match, seat, 7)):
                sent = json.loads(json.dumps(plain(value)))
                back = read_plain(sent)
                assert back == value
                assert plain(back) == sent
                assert all(move is read_move(move.text) for move in view(match, seat).legal)


def test_what_is_hidden_is_none_and_what_is_own_or_open_stays() -> None:
    drew = Drew(1, (3, 4), 5, 6)
    assert seen(drew, 1) == drew
    assert seen(drew, 0) == seen(drew, None) == Drew(1, (None, None), 5, 6)
    assert seen(TookBazaar(0, (1, 2, 3)), 1) == TookBazaar(0, (None, None, None))
    assert seen(OpenerFound(0, 7, False), 1) == OpenerFound(0, None, False)
    assert seen(OpenerFound(0, 7, False), 0).forced == 7  # type: ignore[union-attr]
    opening = DrewToOpen(((0, 3), (1, 4), (0, 7)))
    assert seen(opening, 1) == DrewToOpen(((0, None), (1, 4), (0, 7)))
    assert seen(opening, None) == DrewToOpen(((0, None), (1, None), (0, 7)))
    assert known((None, 3, None, 0)) == (3, 0)


def test_there_is_no_view_of_a_seat_that_is_not_there() -> None:
    with pytest.raises(IndexError, match="no seat 2"):
        view(new_match(table("domino", 2)), 2)


@pytest.mark.parametrize(("name", "seats", "pairs"), TABLES[:6])
def test_a_watcher_has_no_hand_and_no_decision(name: str, seats: int, pairs: bool | None) -> None:
    for match in positions(table(name, seats, pairs), "watch", [novice.choose] * seats):
        watched = view(match, None)
        assert (watched.hand, watched.legal, watched.own_turn) == ((), (), False)
        assert all(None in event.tiles for event in watched.log if isinstance(event, Drew))


@pytest.mark.parametrize("text", ["draw", "keep", "redeal", "1-2", "6-6 up closed", "1-1 left + 2-2 right closed"])
def test_a_decision_reads_back_as_the_one_that_there_is(text: str) -> None:
    assert read_move(text).text == text
    assert read_move(text) is read_move(text)
    assert {read_move("draw"), read_move("keep"), read_move("redeal")} == {DRAW, KEEP, REDEAL}


WORDS = st.one_of(
    st.text(max_size=12),
    st.from_regex(r"[0-7]-[0-7]( (left|right|up|down|over))?( closed)?( \+ [0-6]-[0-6] (left|up))?", fullmatch=True),
)


@given(WORDS)
def test_any_text_is_a_decision_or_refused(text: str) -> None:
    try:
        move = read_move(text)
    except NotPlain:
        return
    assert read_move(move.text) is move


DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["is", "seat", "tiles", "text", "move"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(DATA)
def test_any_data_reads_back_or_is_refused(data: object) -> None:
    try:
        value = read_plain(data)
    except NotPlain:
        return
    assert read_plain(json.loads(json.dumps(plain(value)))) == value


def test_data_with_a_field_too_many_or_too_few_are_refused() -> None:
    sent = plain(Laid(0, read_move("1-1"), (1, 1), 6, True))
    assert isinstance(sent, dict)
    for wrong in ({**sent, "hand": 5}, {key: sent[key] for key in sent if key != "left"}, {**sent, "is": "Round"}):
        with pytest.raises(NotPlain):
            read_plain(wrong)
    with pytest.raises(NotPlain):
        plain(new_match(table("domino", 2)))


def test_a_match_is_no_plain_data() -> None:
    match: Match = new_match(table("kozel", 2))
    with pytest.raises(NotPlain):
        plain((match,))
