"""Which arrivals of a key are one press that goes on: the rule of `interface.md`, by arrival times alone."""

from __future__ import annotations

import pytest

from kozel.terminal.held import REPEAT_GAP, Arrival, HeldKeys


def acted(*arrivals: tuple[float, str], released: tuple[float, ...] = (), repeats: bool = False) -> list[float]:
    """The times of the keys that acted, where all of them act once. `released`: when the last key was let go."""
    keys = HeldKeys()
    came = [Arrival(key, at, repeats and number > 0) for number, (at, key) in enumerate(arrivals)]
    times = []
    for number, arrival in enumerate(came):
        before = came[number - 1].at if number else 0.0
        if any(before < at <= arrival.at for at in released):
            keys.released(arrival.key)
        following = came[number + 1] if number + 1 < len(came) else None
        acts = keys.acts(arrival, None, arrival.at)
        if acts is None:  # what comes within the gap is there by then; what comes later is not
            soon = following if following is not None and following.at - arrival.at <= REPEAT_GAP else None
            acts = keys.acts(arrival, soon, arrival.at + REPEAT_GAP + 0.001)
        if acts:
            times.append(arrival.at)
    return times


def held(first: float, every: float, seconds: float = 2.0) -> list[tuple[float, str]]:
    """A key that is held down: its first repeat, then the others."""
    times, at = [0.0], first
    while at < seconds:
        times.append(at)
        at += every
    return [(at, "enter") for at in times]


@pytest.mark.parametrize("first", [0.25, 0.5, 0.66, 1.0, 1.9])
@pytest.mark.parametrize("every", [0.025, 0.04, 0.12])
def test_a_key_that_is_held_down_acts_once(first: float, every: float) -> None:
    assert acted(*held(first, every, seconds=4.0)) == [0.0]


@pytest.mark.parametrize("apart", [0.16, 0.2, 0.3, 0.5, 0.66, 1.0, 5.0])
def test_two_presses_both_act_however_slow_or_fast(apart: float) -> None:
    assert acted((0.0, "enter"), (apart, "enter")) == [0.0, apart]


def test_many_presses_all_act() -> None:
    assert acted(*((number * 0.2, "escape") for number in range(6))) == [number * 0.2 for number in range(6)]


def test_a_press_after_a_held_key_acts_after_some_silence() -> None:
    came = held(0.5, 0.04, seconds=1.0)
    last = came[-1][0]
    assert acted(*came, (last + 0.1, "enter"), (last + 0.5, "enter")) == [0.0, last + 0.5]


def test_another_key_between_makes_it_a_press() -> None:
    assert acted((0.0, "enter"), (0.05, "x"), (0.1, "enter")) == [0.0, 0.05, 0.1]


def test_where_releases_are_reported_a_press_after_one_acts_at_once() -> None:
    keys = HeldKeys()
    for at in (0.0, 0.05, 0.1):
        assert keys.acts(Arrival("space", at), None, at) is True
        keys.released("space")


def test_shift_may_be_let_go_before_its_key() -> None:
    keys = HeldKeys()
    assert keys.acts(Arrival("s-space", 0.0), None, 0.0) is True
    keys.released("space")
    assert keys.acts(Arrival("s-space", 0.1), None, 0.1) is True


def test_another_keys_release_says_nothing() -> None:
    keys = HeldKeys()
    assert keys.acts(Arrival("space", 0.0), None, 0.0) is True
    keys.released("enter")
    assert keys.acts(Arrival("space", 0.5), None, 0.5) is None


def test_what_the_terminal_calls_a_repeat_never_acts() -> None:
    assert acted((0.0, "enter"), (0.5, "enter"), (0.9, "enter"), repeats=True) == [0.0]


def test_a_key_that_was_held_to_walk_acts_only_when_it_is_pressed_anew() -> None:
    keys = HeldKeys()
    for at in (0.0, 0.5, 0.54):
        keys.taken(Arrival("left", at))
    assert keys.acts(Arrival("left", 0.58), Arrival("left", 0.62), 0.62) is False
    assert keys.acts(Arrival("left", 0.62), None, 0.62) is False
    assert keys.acts(Arrival("left", 1.2), None, 1.4) is True


def test_a_slow_line_makes_the_gap_wider() -> None:
    keys = HeldKeys()
    assert keys.acts(Arrival("enter", 0.0), None, 0.0, 0.4) is True
    assert keys.acts(Arrival("enter", 0.5), None, 0.7, 0.4) is None
    assert keys.acts(Arrival("enter", 0.5), Arrival("enter", 0.85), 0.85, 0.4) is False


def test_focus_that_is_lost_counts_as_a_release() -> None:
    keys = HeldKeys()
    assert keys.acts(Arrival("enter", 0.0), None, 0.0) is True
    keys.let_go()
    assert keys.acts(Arrival("enter", 0.02), None, 0.02) is True
