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
from kozel.play.practice import PracticeFolder, PracticeTable, table_for
from kozel.play.store import Folder, newest_unfinished, read_kept
from kozel.play.table import Table
from kozel.rules.reading import find
from kozel.rules.seating import Seating
from play.driven import Driven

DAY = date(2024, 5, 1)


def seating(name: str, seats: int, pairs: bool | None, persons: int) -> Seating:
    ruleset = find(name)
    levels = (None,) * persons + ("novice",) * (seats - persons)
    names = tuple(f"P{seat}" for seat in range(seats))
    return Seating(ruleset, names, levels, ruleset.seating(seats, pairs), ruleset.choices({}), "practice")


def person_decides(driven: Driven, move: Move) -> None:
    """A person's decision and the answers of the computer players."""
    driven.decide(move)
    answer(driven)


def answer(driven: Driven) -> None:
    while driven.turn is not None and driven.seating.levels[driven.turn] is not None:
        driven.decide(driven.bot_move())


def on_disk(driven: Driven) -> Match:
    return read_kept(driven.path).match


def same(one: Match, other: Match) -> bool:
    """The same but for functions, which two readings of a ruleset make anew."""
    return one._replace(game=other.game) == other


@pytest.mark.parametrize("persons", [1, 2])
@pytest.mark.parametrize(("name", "seats", "pairs"), TABLES)
def test_taking_back_leads_to_the_states_before_and_on_to_the_same(
    tmp_path: Path, name: str, seats: int, pairs: bool | None, persons: int
) -> None:
    random = Random(f"{name}{seats}{persons}")
    driven = Driven.start(seating(name, seats, pairs, persons), Folder(tmp_path), DAY, PracticeTable)
    rounds = 0
    while driven.match.end is None and rounds < 3:
        if driven.match.round is None:
            driven.deal()
            rounds += 1
            answer(driven)
            history: list[tuple[Match, Move]] = []
        while driven.match.round is not None:
            move = random.choice(driven.match.round.legal)
            history.append((driven.match, move))
            person_decides(driven, move)
            if random.random() < 0.3:
                back_and_forth(driven, history, random.randint(1, len(history)))
    assert same(on_disk(driven), driven.match)


def back_and_forth(driven: Driven, history: list[tuple[Match, Move]], steps: int) -> None:
    """Take decisions back, check each state, then decide the same again."""
    now = driven.match
    for before, move in reversed(history[-steps:]):
        taken = driven.undo()
        assert taken is not None
        assert before.round is not None
        assert (taken.move, taken.seat, taken.before) == (move, before.round.turn, before.round.ends)
        assert driven.match == before
        assert same(on_disk(driven), before)
    for _, move in history[-steps:]:
        person_decides(driven, move)
    assert driven.match == now
    assert same(on_disk(driven), now)


def test_a_round_without_a_decision_has_nothing_to_take_back(tmp_path: Path) -> None:
    driven = Driven.start(seating("kozel", 2, None, 1), Folder(tmp_path), DAY, PracticeTable)
    driven.deal()
    answer(driven)
    before = driven.match, driven.path.read_bytes()
    assert driven.undo() is None
    assert (driven.match, driven.path.read_bytes()) == before


def test_after_going_on_with_a_record_its_decisions_can_still_be_taken_back(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    driven = Driven.start(seating("domino", 3, None, 1), folder, DAY, PracticeTable)
    driven.deal()
    answer(driven)
    states = []
    for _ in range(3):
        assert driven.match.round is not None
        states.append(driven.match)
        person_decides(driven, driven.match.round.legal[0])
    driven.close()
    found, damaged = newest_unfinished(PracticeFolder(tmp_path))
    assert found is not None
    assert not damaged
    assert newest_unfinished(folder) == (None, [])
    assert table_for(found.path, folder) is PracticeTable
    assert table_for(folder.matches / "x.yaml", folder) is Table
    resumed = Driven.go_on(found, PracticeTable)
    for state in reversed(states):
        assert resumed.undo() is not None
        assert same(resumed.match, state)
        assert same(on_disk(resumed), state)
    assert resumed.undo() is None


def test_a_record_that_cannot_be_cut_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failing disk is made up: no disk here fails on demand."""
    driven = Driven.start(seating("kozel", 2, None, 1), Folder(tmp_path), DAY, PracticeTable)
    driven.deal()
    answer(driven)
    assert driven.match.round is not None
    person_decides(driven, driven.match.round.legal[0])
    before = driven.match, driven.path.read_bytes()

    def full(moves: object) -> None:
        raise OSError(28, "No space left on device")

    assert isinstance(driven.table, PracticeTable)
    monkeypatch.setattr(driven.table._cuttable, "take_back", full)
    with pytest.raises(OSError, match="No space"):
        driven.undo()
    assert (driven.match, driven.path.read_bytes()) == before
    monkeypatch.undo()
    assert driven.undo() is not None


def test_a_draw_that_is_taken_back_lies_in_the_bazaar_again(tmp_path: Path) -> None:
    driven = Driven.start(seating("kozel", 2, None, 2), Folder(tmp_path), DAY, PracticeTable)
    for _ in range(200):
        if driven.match.round is None:
            driven.deal()
            continue
        if DRAW in driven.match.round.legal:
            break
        driven.decide(driven.match.round.legal[0])
    assert driven.match.round is not None
    bazaar = driven.match.round.bazaar
    [drew, *_] = driven.decide(DRAW)
    assert isinstance(drew, Drew)
    driven.undo()
    assert driven.match.round.bazaar == bazaar
    [again, *_] = driven.decide(DRAW)
    assert again == drew
