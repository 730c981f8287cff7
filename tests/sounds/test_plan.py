"""Every event of a match has its sound and its place, as each seat hears it."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kozel.engine.events import (
    DealtAgain,
    Drew,
    DrewToOpen,
    Event,
    Fish,
    Laid,
    MatchOver,
    Passed,
    RoundBegan,
    RoundScored,
    Threw,
    TookBazaar,
    WentOut,
)
from kozel.engine.ledger import MatchEnd
from kozel.engine.match import Match, deal, decide, new_match, shuffled
from kozel.engine.moves import DOWN, LEFT, RIGHT, START, UP, Lay, laying
from kozel.engine.seen import seen
from kozel.engine.tiles import is_double, parse_tile
from kozel.rules.reading import find, shipped_ids
from kozel.sounds.plan import KINDS, SOUNDS, Cue, cues, notice, place


def laid(seat: int, *lays: tuple[str, int], left: int = 4) -> Laid:
    """A seat laid these tiles on these ends."""
    move = laying(*(Lay(parse_tile(name), end, False) for name, end in lays))
    return Laid(seat, move, (0, 0), left, lays[0][1] == START)


def over(winners: tuple[int, ...], losers: tuple[int, ...], title: str, sides: int) -> MatchOver:
    """The match's end."""
    return MatchOver(MatchEnd(winners, losers, title, None), (0,) * sides, (0,) * sides)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_two_seats_are_heard_from_one_place(seats: int) -> None:
    for you in range(seats):
        places = [place(seat, you, seats) for seat in range(seats)]
        assert places[you] == 0
        assert len(set(places)) == seats
        assert all(-1 < each < 1 for each in places)
        ordered = sorted(places)
        ends = [(each - 0.15, each + 0.15) for each in ordered]
        assert all(one[1] < other[0] for one, other in itertools.pairwise(ends)), "places overlap"
    assert len({place(seat, None, seats) for seat in range(seats)}) == seats


def test_the_next_seat_is_on_the_left_and_the_one_before_on_the_right() -> None:
    for you in range(4):
        assert place((you + 1) % 4, you, 4) < 0 < place((you + 2) % 4, you, 4) < place((you + 3) % 4, you, 4)


def test_a_tile_sounds_at_its_end() -> None:
    (left,) = cues([laid(1, ("2-5", LEFT))], 0, 3)
    (right,) = cues([laid(1, ("2-5", RIGHT))], 0, 3)
    (up,) = cues([laid(1, ("2-5", UP))], 0, 3)
    (down,) = cues([laid(1, ("2-5", DOWN))], 0, 3)
    (first,) = cues([laid(1, ("2-5", START))], 0, 3)
    assert left.pan < first.pan < right.pan
    assert down.pan == up.pan == first.pan
    assert down.pitch < left.pitch == right.pitch == 1 < up.pitch
    assert {cue.name for cue in (left, right, up, down, first)} == {"laid"}


def test_doubles_sound_one_by_one_and_the_last_tile_is_heard() -> None:
    several = cues([laid(2, ("1-1", LEFT), ("4-4", RIGHT), left=1)], 2, 4)
    assert several == [Cue("double", -0.15), Cue("double", 0.15), Cue("last", 0.0)]


def test_an_end_is_heard_as_the_listener_meets_it() -> None:
    goat = over((0,), (1,), "goat", 2)
    assert [cues([goat], you, 4)[0].name for you in range(4)] == ["won", "goat", "won", "goat"]
    domino = over((2,), (0, 1), "winner", 3)
    assert [cues([domino], you, 3)[0].name for you in range(3)] == ["lost", "lost", "won"]
    assert cues([domino], None, 3) == [Cue("won", 0.7)]
    assert cues([goat], None, 4) == [Cue("goat", place(1, None, 4))]


def test_a_notice_comes_from_its_seat_and_to_whom_it_concerns() -> None:
    assert notice("turn", 2, 2, 4, to=2) == Cue("turn", 0.0, to=2)
    assert notice("talk", 3, 2, 4).pan == -0.7
    assert notice("refused", None, None, 2).pan == 0


def test_every_sound_has_a_kind() -> None:
    assert set(SOUNDS.values()) == set(KINDS)


def wanted(event: Event) -> int:
    """How many sounds an event has, written down anew."""
    if isinstance(event, Laid):
        return len(event.move.lays) + (event.left == 1)
    if isinstance(event, Drew):
        return len(event.tiles)
    if isinstance(event, Threw):
        return len(event.thrown) + len({seat for seat, _ in event.thrown if event.left[seat] == 1})
    if isinstance(event, DrewToOpen):
        return len(event.draws)
    if isinstance(event, RoundScored):
        return int(any(note.kind == "eggs_laid" for note in event.summary.notes))
    return int(isinstance(event, (Passed, TookBazaar, WentOut, Fish, RoundBegan, DealtAgain, MatchOver)))


def played(ruleset: str, seed: str, choices: list[int]) -> tuple[Match, list[Event]]:
    """A match played by these choices, over and over, to its end or for some rounds."""
    rules = find(ruleset)
    seats = max(rules.seats)
    match = new_match(rules.game(seats))
    told: list[Event] = []
    for step in range(600):
        if match.end is not None:
            break
        if match.round is None:
            match, events = deal(match, shuffled(match, seed))
        else:
            legal = match.round.legal
            match, events = decide(match, legal[choices[step % len(choices)] % len(legal)])
        told += events
    return match, told


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(shipped_ids()), st.text("abc", min_size=1, max_size=6), st.lists(st.integers(0, 60), min_size=1))
def test_every_event_of_a_match_has_its_place(ruleset: str, seed: str, choices: list[int]) -> None:
    match, events = played(ruleset, seed, choices)
    seats = match.game.seats
    for you in (*range(seats), None):
        for event in events:
            heard = cues([event], you, seats)
            assert heard == cues([seen(event, you)], you, seats), "a hidden tile would be heard"
            assert len(heard) == wanted(event), event
            assert heard == cues([event], you, seats), "the same event sounds the same"
            for cue in heard:
                assert cue.name in SOUNDS
                assert -1 <= cue.pan <= 1
                assert cue.to is None, "what everybody may know is for everybody"
            seat = getattr(event, "seat", None)
            if seat is not None and heard:
                assert all(abs(cue.pan - place(seat, you, seats)) <= 0.151 or cue.name == "dealt" for cue in heard)
            if isinstance(event, Laid):
                doubles = [is_double(lay.tile) for lay in event.move.lays]
                assert [cue.name == "double" for cue in heard if cue.name != "last"] == doubles
    assert cues(events, 0, seats) == [cue for event in events for cue in cues([event], 0, seats)]
