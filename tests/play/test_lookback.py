"""Looking back: the steps of a match are all of it, its views hide what they must, its advice is the master's."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from kozel.engine.events import Drew
from kozel.engine.tiles import FULL_SET, mask_of, tiles_in
from kozel.play.browser import Browser, rounds_of
from kozel.play.store import read_kept
from kozel.records.replay import replay
from oracle.records import random_record
from play.kept_matches import play

TABLES = [
    ("domino", 2, None),
    ("kozel", 4, True),
    ("kozel-yard", 2, None),
    ("osel", 3, None),
    ("kozel-2x2", 4, None),
]


def browser_of(path: Path) -> Browser:
    return Browser(rounds_of(read_kept(path).record))


def steps_of(browser: Browser) -> list[tuple[int, int]]:
    """Every place from the first step to the last, as it is walked."""
    places = [(browser.round, browser.place)]
    while browser.walk(1):
        places.append((browser.round, browser.place))
    return places


@pytest.mark.parametrize(("ruleset", "seats", "pairs"), TABLES)
def test_the_steps_are_the_whole_match(tmp_path: Path, ruleset: str, seats: int, pairs: bool | None) -> None:
    path = play(tmp_path, ruleset, ("Anna", "Boris", "Vera", "Gena")[:seats], pairs=pairs)
    kept = read_kept(path)
    told: list[object] = []
    replay(kept.record, lambda _, events: told.extend(events))
    rounds = rounds_of(kept.record)
    assert [event for steps in rounds for step in steps for event in step.events] == told
    moves = [[step.move.text for step in steps if step.move] for steps in rounds]
    assert moves == [list(each.moves) for each in kept.record.rounds]
    assert [steps[-1].summary for steps in rounds] == list(kept.match.past)


def test_random_records_of_all_rulesets_can_be_walked(tmp_path: Path) -> None:
    rng = Random("walks")
    walked = 0
    for _ in range(60):
        (tmp_path / "match.yaml").write_text(random_record(rng), encoding="utf-8")
        kept = read_kept(tmp_path / "match.yaml")
        rounds = rounds_of(kept.record)
        assert len(rounds) == len(kept.match.past)
        if not rounds:
            with pytest.raises(ValueError, match="no round"):
                Browser(rounds)
            continue
        browser = Browser(rounds)
        places = steps_of(browser)
        assert places == [(number, place) for number, steps in enumerate(rounds) for place in range(len(steps))]
        walked += len(places)
        while browser.walk(-1):
            _check_tiles(browser)
    assert walked > 1000


def _check_tiles(browser: Browser) -> None:
    """All hands, the table and the bazaar are the 28 tiles, each once."""
    after = browser.step.match_after
    if after.round is None:
        return
    hands = [tile for seat in range(browser.seats) for tile in browser.hand(seat)]
    tiles = [*hands, *browser.bazaar()]
    assert len(set(tiles)) == len(tiles)
    laid = FULL_SET & ~mask_of(tiles)
    held = mask_of(tile for hand in after.round.hands for tile in tiles_in(hand)) | mask_of(after.round.bazaar)
    assert laid == FULL_SET & ~held


def test_the_round_in_progress_is_nobodys_business(tmp_path: Path) -> None:
    path = play(tmp_path, rounds=2)
    whole = path.read_bytes()
    second = whole.rindex(b"  - hands:")
    path.write_bytes(whole[: whole.index(b"moves:\n", second) + len(b"moves:\n")])
    kept = read_kept(path)
    assert kept.match.round is not None
    assert len(rounds_of(kept.record)) == 1


def test_a_view_sees_its_own_hand_and_all_hands_once_the_round_is_over(tmp_path: Path) -> None:
    browser = browser_of(play(tmp_path, "kozel", ("Anna", "Boris", "Vera"), rounds=2))
    browser.turn_view(1)
    assert browser.view == 0
    drawn = 0
    while browser.step.kind != "result":
        assert [browser.sees(seat) for seat in range(3)] == [True, False, False]
        assert {event.seat for event in browser.drawn()} <= {0}
        drawn += sum(isinstance(event, Drew) for event in browser.step.events)
        browser.walk(1)
    assert drawn
    assert all(browser.sees(seat) for seat in range(3))
    browser.turn_view(-1)
    assert browser.view is None
    browser.turn_view(-1)
    assert browser.view == 2


def test_walking_by_rounds_and_to_their_edges(tmp_path: Path) -> None:
    browser = browser_of(play(tmp_path, rounds=3))
    assert not browser.walk(-1)
    assert not browser.change_round(-1)
    browser.to_edge(True)
    assert browser.step.kind == "result"
    assert browser.walk(1)
    assert (browser.round, browser.step.kind) == (1, "deal")
    assert browser.walk(-1)
    assert (browser.round, browser.step.kind) == (0, "result")
    assert browser.change_round(1)
    assert (browser.round, browser.place) == (1, 0)
    assert browser.change_round(1)
    browser.to_edge(True)
    assert not browser.walk(1)
    assert not browser.change_round(1)
    assert browser.place == 0


def test_advice_is_given_where_somebody_decided_and_is_the_same_again(tmp_path: Path) -> None:
    browser = browser_of(play(tmp_path, rounds=1))
    advised = 0
    for _ in range(25):
        advice, step = browser.advice(), browser.step
        assert (advice is None) == (step.move is None)
        if advice is not None and step.move is not None:
            assert step.match_before.round is not None
            assert advice.best in step.match_before.round.legal
            assert advice == browser.advice()
            if advice.worth:
                advised += 1
                worth = advice.worth_of(advice.best)
                assert worth is not None
                assert 0 <= worth <= 1
                assert not advice.agrees(step.move) or advice.worth_of(step.move) == worth
        if not browser.walk(1):
            break
    assert advised
