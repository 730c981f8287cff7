"""How tiles lie, against chains laid tile by tile."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from kozel.engine.chain import chain_of
from kozel.engine.events import Laid
from kozel.engine.moves import UP
from kozel.engine.tiles import HALVES, NO_END, parse_tile
from kozel.narration.answers import as_they_lie
from kozel.narration.lying import inwards, line_as_it_lies, outwards
from kozel.narration.narrator import Narrator, Table
from kozel.session.arms import arms_of
from voice.played import game_of, played


def tiles(*names: str) -> list[int]:
    return [parse_tile(name) for name in names]


def test_a_line_is_named_from_left_to_right() -> None:
    assert line_as_it_lies(tiles("5-6", "5-5", "0-5", "0-3")) == [(6, 5), (5, 5), (5, 0), (0, 3)]
    assert line_as_it_lies(tiles("6-6", "5-6")) == [(6, 6), (6, 5)]
    assert line_as_it_lies(tiles("5-6")) == [(5, 6)]
    assert line_as_it_lies([]) == []


def test_an_arm_runs_from_the_spinner_or_towards_it() -> None:
    assert outwards(tiles("1-5", "1-2"), 5) == [(5, 1), (1, 2)]
    assert inwards(tiles("1-2", "1-5"), 5) == [(2, 1), (1, 5)]


@pytest.mark.parametrize(("ruleset", "seats"), [("kozel", 2), ("osel", 3), ("kozel-yard", 4)])
def test_the_outer_halves_are_the_open_ends_and_neighbours_touch(ruleset: str, seats: int) -> None:
    log: list[object] = []
    seen = 0
    for step in played(game_of(ruleset, seats, seats == 4), "lying", rounds=6):
        if any(type(event).__name__ == "RoundBegan" for event in step.events):
            log = []
        log += step.events
        last = next((event for event in reversed(log) if isinstance(event, Laid)), None)
        if last is None:
            continue
        arms = dict(as_they_lie(arms_of(chain_of(log))))  # type: ignore[arg-type]
        arms.pop("snot", None)
        for halves in arms.values():
            assert all(one[1] == other[0] for one, other in pairwise(halves))
        line = [half for arm in ("line", "left", "spinner", "right") for half in arms.get(arm, [])]
        assert last.ends[0] in (line[0][0], NO_END)
        assert last.ends[1] in (line[-1][1], NO_END)
        for end, arm in ((UP, "up"), (UP + 1, "down")):
            if arm in arms:
                assert last.ends[end] in (arms[arm][-1][1], NO_END)
        seen += 1
    assert seen > 30


def test_walking_the_chain_names_each_tile_as_it_lies_and_each_arm_once() -> None:
    teller = Narrator("en", "normal", Table(("Anna", "Boris"), (0, 1), False))
    arms = [("left", tiles("5-6")), ("spinner", tiles("5-5")), ("right", ()), ("up", tiles("1-5", "1-2")), ("down", ())]
    said = [teller.chain_tile(arms, number) for number in range(4)]  # type: ignore[arg-type]
    assert said == ["Left arm. Six five.", "Spinner. Double five.", "Upper arm. Five one.", "One two."]
    line = [("line", tiles("5-6", "0-5"))]
    assert [teller.chain_tile(line, number) for number in range(2)] == ["Six five.", "Five blank."]  # type: ignore[arg-type]
    teller.verbosity = "full"
    assert teller.chain_tile(line, 1) == "Five blank; 2 of 2."  # type: ignore[arg-type]
    snot = [("line", tiles("6-6")), ("snot", tiles("0-0"))]
    assert teller.chain_tile(snot, 1) == "Snot. Double blank; 2 of 2."  # type: ignore[arg-type]


def test_every_order_of_a_hand_in_which_tiles_touch_is_a_line() -> None:
    """A random walk over the tiles, told back, has the halves of the walk."""
    random = Random("lines")
    for _ in range(200):
        free = list(range(28))
        first = random.choice(free)
        free.remove(first)
        walk = [HALVES[first] if random.random() < 0.5 else HALVES[first][::-1]]
        order = [first]
        while True:
            fits = [tile for tile in free if walk[-1][1] in HALVES[tile]]
            if not fits or len(walk) == 9:
                break
            tile = random.choice(fits)
            free.remove(tile)
            order.append(tile)
            walk.append((walk[-1][1], sum(HALVES[tile]) - walk[-1][1]))
        if len(walk) > 1:
            assert line_as_it_lies(order) == walk
