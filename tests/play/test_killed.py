"""A program killed at any moment has told nothing that its record does not hold, and goes on from there."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from random import Random

import pytest

from oracle.records import replay_text
from play.hearing import Asked, tiles_named
from play.person import Person
from play.program import KEYS, PATIENCE, Line, Piped
from play.told import missing

MASHED = "".join(KEYS[name] for name in ("enter", "tab", "space", "right", "f4", "tab", "enter", "left", "f4")) * 2000
"""Keys without ears: now and then they lay a tile, name an end, draw, take the keyboard, begin the next round."""
GAMES = (
    ("kozel", "--player", "Anna", "--player", "Boris"),
    ("domino", "--player", "Anna:novice", "--player", "Boris"),
    ("osel", "--player", "Anna", "--player", "Boris", "--player", "Vera"),
    ("kozel-1x1", "--player", "Anna", "--player", "Boris"),
)


def killed(folder: Path, words: tuple[str, ...], seed: int, lang: str = "en") -> list[Line]:
    """Mash keys and kill the program some time after its first words; all that it said."""
    chance = Random(seed)
    with Piped(folder, "play", *words, "--option", "target=1000", "--seed", str(seed), lang=lang) as program:
        program.send(MASHED)
        _wait_for_words(program)
        time.sleep(chance.random() ** 2 * 0.6)
        program.process.kill()
        program.process.wait()
        program.transcript.fresh()
        return program.transcript.all


def _wait_for_words(program: Piped) -> None:
    until = time.monotonic() + PATIENCE
    while not program.transcript.fresh() and program.process.poll() is None and time.monotonic() < until:
        time.sleep(0.001)


def check_hand(program: Piped, person: Person, seat_names: list[str]) -> None:
    """The hand told after the handover is that of the model for the seat to move."""
    standing = replay_text(program.record.read_text(encoding="utf-8"))
    if person.question is Asked.HANDOVER:
        assert person.lines[-1].text.endswith(f"{seat_names[standing['to_move']]}, Enter.")
        person.press("enter")
    question = person.lines[-1]
    hand = program.press("a")[0]
    assert hand.to == standing["to_move"]
    assert sorted(tiles_named(hand.text, "en")) == standing["hands"][standing["to_move"]]
    person.hear([question])


@pytest.mark.parametrize("seed", range(10))
def test_nothing_told_is_lost_and_the_match_goes_on(seed: int, tmp_path: Path) -> None:
    words = GAMES[seed % len(GAMES)]
    lines = killed(tmp_path, words, seed)
    record = next((tmp_path / "matches").glob("*.yaml"))
    kept = record.read_bytes()
    assert missing(kept, lines, "en") == []
    with Piped(tmp_path, "resume") as program:
        person = Person(program.press, Random(seed), "en")
        person.hear(program.start())
        assert all(line.to is None or "novice" in words[2] for line in program.transcript.all)
        if person.question is Asked.NEXT_ROUND:
            person.press("enter")
        check_hand(program, person, ["Anna", "Boris", "Vera"])
        for _ in range(25):
            assert person.step()
    now = record.read_bytes()
    whole = kept[: kept.rfind(b"\n") + 1]
    assert now.startswith(whole)
    assert len(now) > len(whole)
    assert replay_text(now.decode())["ok"]


def test_told_lines_are_looked_for(tmp_path: Path) -> None:
    """The comparison itself: of a record that lacks what was laid last, it is found out."""
    with Piped(tmp_path, "play", *GAMES[0], "--seed", "1") as program:
        person = Person(program.press, Random(1), "en")
        person.hear(program.start())
        for _ in range(60):
            person.step()
        record, lines = program.record.read_bytes(), program.transcript.all
    assert missing(record, lines, "en") == []
    for last in (b" left\n", b" right\n", b" draw\n"):
        assert missing(record[: record.rfind(b"\n", 0, record.rfind(last)) + 1], lines, "en")


def test_the_same_seed_gives_the_same_record_and_stopping_changes_nothing(tmp_path: Path) -> None:
    """A person who plays the same way through leaving, kill -9 and resuming meets the same deals and the same opponent."""
    words = ("kozel", "--player", "Anna", "--player", "Boris:novice", "--option", "target=150", "--seed", "x")
    records = []
    for name, stops in (("a", 0), ("b", 0), ("c", 9)):
        chance = Random(1)
        folder = tmp_path / name
        program = Piped(folder, "play", *words)
        person = Person(program.press, chance, "en", fancy=0)
        person.hear(program.start())
        steps = 0
        while person.step():
            steps += 1
            if stops and steps % stops == 0 and person.question not in (Asked.END, Asked.DRAWN, None):
                _stop(program, steps)
                program = Piped(folder, "resume")
                person = Person(program.press, chance, "en", fancy=0)
                person.hear(program.start())
        program.__exit__(None, None, None)
        records.append(program.record.read_bytes())
    assert replay_text(records[0].decode())["over"]
    assert records[0] == records[1]
    assert records[0] == records[2]


def _stop(program: Piped, number: int) -> None:
    if number % 2:
        program.send("q\r")
        assert program.process.wait(PATIENCE) == 0
    else:
        program.process.send_signal(signal.SIGKILL)
    program.__exit__(None, None, None)


def test_computers_alone_stopped_and_gone_on_with_play_the_same(tmp_path: Path) -> None:
    words = ("domino", "--player", "A:novice", "--player", "B:novice", "--option", "target=1000", "--seed", "x")
    with Piped(tmp_path / "a", "play", *words) as program:
        assert program.finish() == 0
        whole = program.record.read_bytes()
    assert replay_text(whole.decode())["over"]
    for again in range(4):
        with Piped(tmp_path / "b", *(("play", *words) if again == 0 else ("resume",))) as program:
            _wait_for_words(program)
            time.sleep(0.02)
            program.process.kill()
    with Piped(tmp_path / "b", "resume") as program:
        status = program.finish()
        assert program.record.read_bytes() == whole
        assert status == 0 or "There is no unfinished match" in program.errors
