"""Whole matches in a terminal: an event writes exactly its message, and nothing that a reader would trip over."""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time
from pathlib import Path
from random import Random
from types import TracebackType

import pytest

pytest.importorskip("pty", reason="there are no pseudo-terminals on this platform")

from play.hearing import match_over
from play.listening import UNHURRIED
from play.person import Person
from play.program import PATIENCE, Piped, environment
from play.test_telling_keys import TELLING
from play.typed import Typed
from play.written import HANDOVER, between_handshakes, only_lines, unlike, unspeakable

NAMES = {"en": ("Anna", "Boris", "Vera", "Gena"), "ru": ("Анна", "Борис", "Вера", "Гена")}
MATCHES = (
    ("domino", "pp", "target=20"),
    ("kozel", "ppn", "target=20"),
    ("kozel-yard", "pn", ""),
    ("kozel-101", "pp", "target=30"),
    ("osel", "pp", "target=20"),
    ("kozel-1x1", "pp", "target=20"),
    ("kozel-2x2", "pnpn", "target=20"),
    ("kozel-deferred", "ppp", "target=20"),
)
"""Ruleset, persons and novices, an option that makes it short."""
ASKED = tuple(key for key in TELLING if key not in ("f8", "v"))


class Shown(Piped):
    """Keys through a pipe, so that they need not be waited for; what is said goes to a pseudo-terminal."""

    def __init__(self, folder: Path, *words: str, lang: str) -> None:
        self._master, self._slave = os.openpty()
        self.out = b""
        env = environment(TERM="xterm-256color")
        for name in ("VTE_VERSION", "TMUX", "STY"):
            env.pop(name, None)
        super().__init__(folder, *words, lang=lang, env=env, screen=self._slave)
        os.close(self._slave)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, value, trace)
        self._reader.join(PATIENCE)
        os.close(self._master)

    def finish(self) -> int:
        status = super().finish()
        self._reader.join(PATIENCE)
        return status

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # the program ended
            while data := os.read(self._master, 65536):
                self.out += data


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize(("ruleset", "seats", "option"), MATCHES)
def test_a_whole_match_writes_its_messages_and_nothing_else(
    ruleset: str, seats: str, option: str, lang: str, tmp_path: Path
) -> None:
    chance = Random(f"{ruleset} {lang}")
    words = [ruleset, "--seed", "bytes", *(["--option", option] if option else [])]
    for kind, name in zip(seats, NAMES[lang], strict=False):
        words += ["--player", name + (":novice" if kind == "n" else "")]
    with Shown(tmp_path, "play", *words, lang=lang) as program:
        person = Person(program.press, chance, lang, fancy=0.1)
        person.hear(program.start())
        while person.step():
            if person.question is not None:
                program.press(chance.choice(ASKED))
        assert program.finish() == 0
        lines = program.transcript.all
        assert match_over(person.lines)
        handovers = program.out.count(HANDOVER)
        assert bool(handovers) == (seats.count("p") > 1)
        assert "\x1b" not in only_lines(program.out)
        assert unlike(program.out, lines, ended=True) == ""
        assert unspeakable(lines) == []


@pytest.mark.parametrize("kitty", [True, False])
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_with_keys_of_a_terminal_only_the_handshake_is_added(lang: str, kitty: bool, tmp_path: Path) -> None:
    names = NAMES[lang]
    words = ("kozel", "--player", names[0], "--player", names[1], "--option", "target=1000", "--seed", "2")
    with Typed(tmp_path, "play", *words, lang=lang, kitty=kitty) as program:
        person = Person(program.press, Random(2), lang, fancy=0)
        person.hear(program.listened())
        for _ in range(6):
            before = len(program.terminal.out)
            person.step()
            program.press("f5", "a", "z", "f6", ",", "1")
            assert between_handshakes(program.terminal.out[before:]) == re.sub(
                rb"\r+\n", b"\r\n", program.terminal.out[before:]
            )
        program.press("escape")
        time.sleep(UNHURRIED)
        program.send("enter")
        assert program.program.wait() == 0
        program.transcript.fresh()
        assert unlike(program.terminal.out, program.transcript.all, ended=True) == ""
        assert program.terminal.out.count(HANDOVER) >= 1
        assert unspeakable(program.transcript.all) == []


def test_a_screen_of_one_answer_changes_with_each_key(tmp_path: Path) -> None:
    """Readers that compare screens would say nothing of a screen that stays the same (NVDA, Fenrir)."""
    words = ("kozel", "--player", "Anna", "--player", "Boris:novice", "--seed", "2")
    with Typed(tmp_path, "play", *words) as program:
        program.listened()
        begin = len(program.terminal.out)
        for _ in range(30):
            program.send("f5")
        lines = program.until(lambda said: len(said) >= 30)
        turn = lines[0].text
        assert [line.text for line in lines] == [turn] * 30
        program.terminal.wait_for(lambda: program.terminal.out[begin:].count(turn.encode()) == 30, "30 answers")
        program.settled()
        shown = between_handshakes(program.terminal.out[begin:]).decode().split("\r\n")[1:31]
        assert shown[:11] == [turn] * 11
        assert shown[11:29:2] == [f"{turn} Again."] * 9
        assert shown[12:30:2] == [turn] * 9
