"""Practice: decisions taken back one by one, the record always that of the match, and the same seed plays on the same."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from random import Random

import pytest

from bots.playing import TABLES
from kozel.engine.events import Drew
from kozel.engine.match import Match
from kozel.engine.moves import DRAW, Move
from kozel.play.practice import PracticeFolder, PracticeRunner, runner_for
from kozel.play.runner import Runner, Seating
from kozel.play.store import Folder, newest_unfinished, read_kept
from kozel.rules.reading import find

DAY = date(2024, 5, 1)


def seating(name: str, seats: int, pairs: bool | None, persons: int) -> Seating:
    ruleset = find(name)
    levels = (None,) * persons + ("novice",) * (seats - persons)
    names = tuple(f"P{seat}" for seat in range(seats))
    return Seating(ruleset, names, levels, ruleset.seating(seats, pairs), ruleset.choices({}), "practice")


def person_decides(runner: PracticeRunner, move: Move) -> None:
    """A person's decision and the answers of the computer players."""
    runner.decide(move)
    answer(runner)


def answer(runner: PracticeRunner) -> None:
    while runner.turn is not None and runner.seating.levels[runner.turn] is not None:
        runner.decide(runner.bot_move())


def on_disk(runner: PracticeRunner) -> Match:
    return read_kept(runner.path).match


def same(one: Match, other: Match) -> bool:
    """The same but for functions, which two readings of a ruleset make anew."""
    return one._replace(game=other.game) == other


@pytest.mark.parametrize("persons", [1, 2])
@pytest.mark.parametrize(("name", "seats", "pairs"), TABLES)
def test_taking_back_leads_to_the_states_before_and_on_to_the_same(
    tmp_path: Path, name: str, seats: int, pairs: bool | None, persons: int
) -> None:
    random = Random(f"{name}{seats}{persons}")
    runner = PracticeRunner.start(seating(name, seats, pairs, persons), Folder(tmp_path), DAY)
    rounds = 0
    while runner.match.end is None and rounds < 3:
        if runner.match.round is None:
            runner.deal()
            rounds += 1
            answer(runner)
            history: list[tuple[Match, Move]] = []
        while runner.match.round is not None:
            move = random.choice(runner.match.round.legal)
            history.append((runner.match, move))
            person_decides(runner, move)
            if random.random() < 0.3:
                back_and_forth(runner, history, random.randint(1, len(history)))
    assert same(on_disk(runner), runner.match)


def back_and_forth(runner: PracticeRunner, history: list[tuple[Match, Move]], steps: int) -> None:
    """Take decisions back, check each state, then decide the same again."""
    now = runner.match
    for before, move in reversed(history[-steps:]):
        taken = runner.undo()
        assert taken is not None
        assert before.round is not None
        assert (taken.move, taken.seat, taken.before) == (move, before.round.turn, before.round.ends)
        assert runner.match == before
        assert same(on_disk(runner), before)
    for _, move in history[-steps:]:
        person_decides(runner, move)
    assert runner.match == now
    assert same(on_disk(runner), now)


def test_a_round_without_a_decision_has_nothing_to_take_back(tmp_path: Path) -> None:
    runner = PracticeRunner.start(seating("kozel", 2, None, 1), Folder(tmp_path), DAY)
    runner.deal()
    answer(runner)
    before = runner.match, runner.path.read_bytes()
    assert runner.undo() is None
    assert (runner.match, runner.path.read_bytes()) == before


def test_after_going_on_with_a_record_its_decisions_can_still_be_taken_back(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    runner = PracticeRunner.start(seating("domino", 3, None, 1), folder, DAY)
    runner.deal()
    answer(runner)
    states = []
    for _ in range(3):
        assert runner.match.round is not None
        states.append(runner.match)
        person_decides(runner, runner.match.round.legal[0])
    runner.close()
    found, damaged = newest_unfinished(PracticeFolder(tmp_path))
    assert found is not None
    assert not damaged
    assert newest_unfinished(folder) == (None, [])
    assert runner_for(found.path, folder) is PracticeRunner
    assert runner_for(folder.matches / "x.yaml", folder) is Runner
    resumed = PracticeRunner.go_on(found)
    for state in reversed(states):
        assert resumed.undo() is not None
        assert same(resumed.match, state)
        assert same(on_disk(resumed), state)
    assert resumed.undo() is None


def test_a_record_that_cannot_be_cut_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failing disk is made up: no disk here fails on demand."""
    runner = PracticeRunner.start(seating("kozel", 2, None, 1), Folder(tmp_path), DAY)
    runner.deal()
    answer(runner)
    assert runner.match.round is not None
    person_decides(runner, runner.match.round.legal[0])
    before = runner.match, runner.path.read_bytes()

    def full(moves: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(runner._cuttable, "take_back", full)
    with pytest.raises(OSError, match="No space"):
        runner.undo()
    assert (runner.match, runner.path.read_bytes()) == before
    monkeypatch.undo()
    assert runner.undo() is not None


def test_a_draw_that_is_taken_back_lies_in_the_bazaar_again(tmp_path: Path) -> None:
    runner = PracticeRunner.start(seating("kozel", 2, None, 2), Folder(tmp_path), DAY)
    for _ in range(200):
        if runner.match.round is None:
            runner.deal()
            continue
        if DRAW in runner.match.round.legal:
            break
        runner.decide(runner.match.round.legal[0])
    assert runner.match.round is not None
    bazaar = runner.match.round.bazaar
    [drew, *_] = runner.decide(DRAW)
    assert isinstance(drew, Drew)
    runner.undo()
    assert runner.match.round.bazaar == bazaar
    [again, *_] = runner.decide(DRAW)
    assert again == drew
