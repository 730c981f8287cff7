"""In a real pseudo-terminal: whole matches, typing ahead, hands that are gone from the screen, endings of all kinds."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("pty", reason="there are no pseudo-terminals on this platform")

from oracle.records import replay_text
from play.hearing import Asked, asked, tiles_named, totals_heard
from play.known import Heard, leaks
from play.listening import UNHURRIED
from play.person import Person
from play.program import Line, Piped
from play.test_saved import decisions_in
from play.told import missing
from play.typed import Typed

SOLO = ("kozel", "--player", "Anna", "--player", "Boris:novice", "--option", "target=1000")
HOT_SEAT = ("kozel", "--player", "Anna", "--player", "Boris", "--option", "target=1000")


def reach(person: Person, wanted: Asked) -> None:
    for _ in range(200):
        if person.question is wanted:
            return
        assert person.step()
    raise AssertionError(f"{wanted} is never asked")


def sat_down(program: Typed, seed: int = 1, lang: str = "en") -> Person:
    person = Person(program.press, Random(seed), lang, fancy=0)
    person.hear(program.listened())
    return person


@pytest.mark.parametrize(
    ("lang", "kitty", "words"),
    [
        ("en", True, ("domino", "--player", "Anna", "--player", "Boris", "--option", "target=5")),
        ("ru", False, ("kozel", "--player", "Анна", "--player", "Борис:novice", "--option", "target=13")),
    ],
)
def test_a_whole_match_in_a_terminal(lang: str, kitty: bool, words: tuple[str, ...], tmp_path: Path) -> None:
    with Typed(tmp_path, "play", *words, "--seed", "3", lang=lang, kitty=kitty) as program:
        heard: list[Heard] = []

        def press(*names: str) -> list[Line]:
            before = program.record.stat().st_size
            lines = program.press(*names)
            heard.append(Heard("+".join(names), before, program.record.stat().st_size, tuple(lines)))
            return lines

        person = Person(press, Random(3), lang, fancy=0.1)
        person.hear(program.listened())
        person.play()
        record = program.record.read_bytes()
        result = replay_text(record.decode())
        assert result["over"]
        assert totals_heard(program.transcript.all, lang) == [(e["totals"], e["eggs"]) for e in result["rounds"]]
        assert leaks(record, heard, lang) == []
        assert person.lines[-1].text in program.screen().replace("\n", "")
        time.sleep(UNHURRIED)
        program.send("escape")
        program.until(lambda lines: any("Menu. " in line.text or "Меню. " in line.text for line in lines))
        time.sleep(UNHURRIED)
        program.send("escape")
        assert program.program.wait() == 0
        assert program.transcript.fresh()[-1].text in ("Goodbye.", "До свидания.")
        assert program.terminal.restored
        assert program.terminal.clean


def test_held_space_lays_one_tile(tmp_path: Path) -> None:
    with Typed(tmp_path, "play", *SOLO, "--seed", "7") as program:
        person = sat_down(program)
        reach(person, Asked.TURN)
        program.press("tab")
        time.sleep(UNHURRIED)
        before = decisions_in(program.record.read_bytes())
        lines = program.held("space", 40)
        own = [line for line in lines if line.kind == "event" and line.text.endswith("?")]
        if own:  # it fits both ends: held Space must not answer that
            assert decisions_in(program.record.read_bytes()) == before
            program.press("left")
            lines += program.held("left", 30)
        laid = [line for line in lines if line.to is None and line.text.startswith("Boris")]
        assert len(laid) <= 1
        assert decisions_in(program.record.read_bytes()) - before <= 2 + sum("drew" in line.text for line in laid) * 14
        assert sum(line.text == "Too early, press again." for line in lines) <= 2


def test_a_key_before_its_question_was_heard_says_so_once(tmp_path: Path) -> None:
    with Typed(tmp_path, "play", *HOT_SEAT, "--seed", "7") as program:
        program.settled()
        time.sleep(UNHURRIED)
        before = program.record.read_bytes()
        program.send("enter")
        program.until(lambda lines: any(line.to is not None for line in lines))
        lines = program.held("space", 3, every=0.01)
        assert [line.text for line in lines] == ["Too early, press again."]
        assert program.record.read_bytes() == before
        time.sleep(UNHURRIED)
        lines = program.press("space")
        assert lines[0].to is None
        assert decisions_in(program.record.read_bytes()) == decisions_in(before) + 1
        lines = program.held("enter", 1)
        assert [line.text for line in lines] == ["Too early, press again."]


def test_held_f4_draws_until_a_tile_fits_and_lays_nothing(tmp_path: Path) -> None:
    with Typed(tmp_path, "play", *SOLO, "--seed", "7") as program:
        person = sat_down(program)
        reach(person, Asked.DRAW)
        before = program.record.read_bytes()
        lines = program.held("f4", 30)
        new = program.record.read_bytes()[len(before) :].decode().split("\n")[:-1]
        drawn = [line for line in lines if line.text.startswith("Drawn: ")]
        assert len(drawn) >= 1
        assert new[: len(drawn)] == ["      - draw"] * len(drawn)
        rest = [line.text for line in lines if line not in drawn]
        fits = ", " in drawn[-1].text
        assert fits == (len(new) == len(drawn))
        assert all(text.startswith("Lay a tile: ") for text in rest) or not fits


def test_nothing_of_the_other_hand_is_left_on_the_terminal(tmp_path: Path) -> None:
    with Typed(tmp_path, "play", *HOT_SEAT, "--seed", "7") as program:
        person = sat_down(program)
        for _ in range(4):
            reach(person, Asked.HANDOVER)
            for key in ("f2", "c", "z", "f6"):
                program.press(key)
            person.press("enter")
            private = [line for line in program.transcript.all if line.to is not None]
            mine = person.lines[-1].to
            time.sleep(0.15)
            screen = " ".join(program.screen().split())
            assert person.lines[-1].text in screen
            assert mine is not None
            question = person.lines
            program.press("a")
            others = {line.text for line in private if line.to != mine}
            screen = " ".join(program.screen().split())
            told = {line.text for line in program.transcript.all if line.to in (None, mine)}
            assert not [text for text in others - told if text in screen]
            person.hear(question)
            person.step()


def test_a_terminal_that_cannot_forget_says_so(tmp_path: Path) -> None:
    with Typed(tmp_path, "play", *HOT_SEAT, "--seed", "7", term="dumb") as program:
        person = sat_down(program)
        lines = program.press("enter")
        assert lines[0].text == "This terminal can't erase old lines: don't scroll back."
        assert b"\x1b[" not in program.terminal.out
        assert program.terminal.out.count(b"\n") > 24
        assert person.question is Asked.HANDOVER


def test_keys_while_a_computer_is_to_play(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text("pause: 4\n", encoding="utf-8")
    with Typed(tmp_path, "play", *SOLO, "--seed", "7") as program:
        before = program.record.read_bytes()
        assert [line.text for line in program.press("f5")] == ["Boris is to play."]
        assert [line.text for line in program.press("space")] == ["Wait: Boris is to play."]
        assert [line.text for line in program.press("f4")] == ["Wait: Boris is to play."]
        assert program.press("a")[0].to == 0
        assert [line.text for line in program.press("c")] == ["Tiles: you 7, Boris 7."]
        assert program.record.read_bytes() == before


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[Typed]:
    with Typed(tmp_path, "play", *SOLO, "--seed", "7", lang="en") as program:
        person = sat_down(program)
        reach(person, Asked.TURN)
        yield program


def check_ended(program: Typed, status: int) -> None:
    assert program.program.wait() == status
    assert program.transcript.fresh()[-1].text.startswith("The match is kept. Go on with: kozel resume --data-dir ")
    assert program.terminal.restored
    assert program.terminal.clean
    assert replay_text(program.record.read_text(encoding="utf-8"))["ok"]


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
    ids=["INT", "TERM", "HUP"],
)
def test_a_signal_puts_the_terminal_back_and_says_how_to_go_on(playing: Typed, number: int, status: int) -> None:
    playing.process.send_signal(number)
    check_ended(playing, status)
    written = re.sub(r"\x1b\[[^a-zA-Z]*[a-zA-Z]", "", playing.terminal.text)
    assert " ".join(written.split()).endswith(f"Go on with: kozel resume --data-dir {playing.folder}")
    assert written.endswith("\n")


def test_ctrl_c(playing: Typed) -> None:
    playing.send("\x03")
    check_ended(playing, 130)


def test_leaving_by_keys(playing: Typed) -> None:
    assert playing.press("escape")[-1].text.startswith("Leave?")
    assert playing.press("space")[-1].text.startswith("Answer first: Leave?")
    time.sleep(UNHURRIED)
    playing.send("enter")
    check_ended(playing, 0)


def test_a_window_that_is_closed(playing: Typed) -> None:
    playing.terminal.hang_up()
    assert playing.process.wait(20) in (0, 129)
    assert playing.transcript.fresh()[-1].text.startswith("The match is kept. Go on with: kozel resume --data-dir ")
    assert replay_text(playing.record.read_text(encoding="utf-8"))["ok"]


@pytest.mark.parametrize("seed", range(3))
def test_killed_in_a_terminal(seed: int, tmp_path: Path) -> None:
    chance = Random(seed)
    with Typed(tmp_path, "play", *HOT_SEAT, "--seed", str(seed)) as program:
        person = sat_down(program, seed)
        for _ in range(chance.randint(2, 8)):
            person.step()
        time.sleep(UNHURRIED)
        program.send("enter", "space", "tab", "f4")
        time.sleep(chance.random() * 0.02)
        os.kill(program.process.pid, signal.SIGKILL)
        program.process.wait()
        program.transcript.fresh()
        record = program.record.read_bytes()
        assert missing(record, program.transcript.all, "en") == []
    with Piped(tmp_path, "resume") as again:
        start = again.start()
        assert asked(start, "en") in (Asked.HANDOVER, Asked.NEXT_ROUND)
        assert not any(tiles_named(line.text, "en") for line in start)


def test_without_standard_input_it_ends_and_keeps_the_match(tmp_path: Path) -> None:
    with Piped(tmp_path, "play", *SOLO) as program:
        assert program.finish() == 0
        assert program.transcript.all[-1].text.startswith("The match is kept. Go on with: kozel resume --data-dir ")
