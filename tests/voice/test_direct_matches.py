"""The real game speaking directly to a real speech-dispatcher: matches played by keys, and servers that fail meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("pty", reason="there are no pseudo-terminals on this platform")

from play.hearing import Asked
from play.listening import UNHURRIED
from play.person import Person
from play.program import Line, Transcript, is_fence
from play.test_telling_keys import TELLING
from play.typed import Typed
from play.written import HANDOVER, between_handshakes, only_lines
from voice.dispatcher import Dispatcher, wait_for
from voice.heard_in import Account

pytestmark = pytest.mark.slow

ASKED = tuple(key for key in TELLING if key not in ("f8", "v"))
HOT_SEAT = ("domino", "--player", "Анна", "--player", "Борис", "--option", "target=5", "--seed", "3")
AGAINST_NOVICE = ("kozel", "--player", "Anna", "--player", "Boris:novice", "--option", "target=13", "--seed", "3")
LONG = ("kozel", "--player", "Анна", "--player", "Борис:novice", "--option", "target=1000", "--seed", "3")


FAILURE = "Речь напрямую не работает: "


def in_one_row(out: bytes) -> str:
    """What was written on a terminal, rows of one message with a blank between."""
    return " ".join(only_lines(out).split())


class Game(Transcript):
    """What the game says, without what it says of its speech in between."""

    def fresh(self) -> list[Line]:
        return [line for line in super().fresh() if not line.text.startswith(FAILURE)]


class Spoken(Typed):
    """The game in direct mode. After each key everything said is awaited where `patience` says: that all of it was
    "spoken", or that all events were spoken or written ("reached"); None is haste."""

    def __init__(
        self, folder: Path, server: Dispatcher, *words: str, lang: str = "ru", patience: str | None = "spoken"
    ) -> None:
        super().__init__(folder, "play", *words, lang=lang, speech="direct")
        self.transcript = Game(folder / "heard.jsonl")
        self._server, self._patience = server, patience

    def press(self, *names: str) -> list[Line]:
        lines: list[Line] = []
        for name in names:
            lines += super().press(name)
            self.heard_out()
        return lines

    def settled(self) -> list[Line]:
        """With patience no key is pressed to see that all were obeyed: its answer would cut events that come late."""
        if self._patience is None:
            lines = super().settled()
            time.sleep(0.5)  # a decision is told when it is on the disk; other keys don't wait for that
            return lines + [line for line in self.transcript.fresh() if not is_fence(line)]
        lines = fresh = self.until(bool)
        while fresh:
            self.heard_out()
            time.sleep(0.1)
            fresh = self.transcript.fresh()
            lines += fresh
        return lines

    def account(self) -> Account:
        return Account(self.transcript.all, self._server.spoken())

    def heard_out(self) -> None:
        """Wait as long as the person does."""
        if self._patience == "spoken":
            assert wait_for(lambda: self.account().unheard == [], 30), self.account().unheard
        elif self._patience == "reached":
            assert wait_for(lambda: self.lost == [], 30), self.lost

    @property
    def lost(self) -> list[str]:
        """Events that were neither spoken nor written."""
        reached = "\n".join((*self._server.spoken(), self.written))
        return [line.text for line in self.transcript.all if line.kind != "echo" and line.text not in reached]

    def answers(self, key: str) -> list[Line]:
        """What a key that tells something is answered with."""
        self.send(key)
        return self.settled()

    def leave(self) -> int:
        """Leave the table in mid-match."""
        self.press("escape")
        time.sleep(UNHURRIED)
        self.send("enter")
        status = self.program.wait()
        self.transcript.fresh()
        return status

    @property
    def written(self) -> str:
        """What is on the terminal, its rows in one."""
        return in_one_row(self.terminal.out)


@pytest.mark.parametrize(("words", "lang"), [(HOT_SEAT, "ru"), (AGAINST_NOVICE, "en")], ids=["hot seat", "novice"])
def test_a_match_is_heard_line_by_line_and_nothing_is_written(
    words: tuple[str, ...], lang: str, dispatcher: Dispatcher, tmp_path: Path
) -> None:
    dispatcher.start()
    chance = Random(1)
    with Spoken(tmp_path, dispatcher, *words, lang=lang) as program:
        person = Person(program.press, chance, lang, fancy=0)
        person.hear(program.listened())
        while person.step():
            if person.question is not None:
                program.press(chance.choice(ASKED))
        time.sleep(UNHURRIED)
        program.send("escape")
        program.until(lambda lines: any("Menu. " in line.text or "Меню. " in line.text for line in lines))
        program.heard_out()
        time.sleep(UNHURRIED)
        program.send("escape")
        assert program.program.wait() == 0
        program.transcript.fresh()
        program.heard_out()
        account = program.account()
        assert account.foreign == []
        assert account.in_order
        assert {row.language for row in dispatcher.rows() if row.event == "speak"} == {lang}
        written = between_handshakes(program.terminal.out)
        assert written == HANDOVER * (len(written) // len(HANDOVER))
        assert bool(written) == (words is HOT_SEAT)
        assert program.terminal.restored
        assert program.terminal.clean


def test_keys_pressed_in_haste_cut_echoes_alone(dispatcher: Dispatcher, tmp_path: Path) -> None:
    dispatcher.start()
    chance = Random(2)
    with Spoken(tmp_path, dispatcher, *LONG, patience=None) as program:
        person = Person(program.press, chance, "ru", fancy=0.2)
        person.hear(program.listened())
        for _ in range(25):
            assert person.step()
            program.send(*chance.choices(ASKED, k=3))
        program.settled()
        newest = program.transcript.all[-1].text
        assert wait_for(lambda: dispatcher.spoken()[-1].endswith(newest))
        account = program.account()
        assert account.foreign == []
        assert account.in_order
        assert account.unheard != []
        assert account.lost == []
        assert between_handshakes(program.terminal.out) == b""
        assert program.leave() == 0


def test_servers_that_die_and_hang_in_mid_match(dispatcher: Dispatcher, tmp_path: Path) -> None:
    """What a server had taken dies with it, so everything is let through before one is killed."""
    dispatcher.start()
    with Spoken(tmp_path, dispatcher, *LONG, patience="reached") as program:
        person = Person(program.press, Random(3), "ru", fancy=0)
        person.hear(program.listened())
        for fate in ("kill", "start", "freeze", "thaw", "restart", "kill", "restart"):
            for _ in range(3):
                assert person.step()
            if fate in ("kill", "restart"):
                dispatcher.kill()
            if fate in ("start", "restart"):
                dispatcher.start()
            elif fate == "freeze":
                dispatcher.freeze()
            elif fate == "thaw":
                dispatcher.thaw()
            assert program.answers("f5")
        assert wait_for(lambda: dispatcher.hears(program.answers("f5")[-1].text, 0.5), 30)
        failures = [line.text for line in program.transcript.all if line.text.startswith(FAILURE)]
        assert len(failures) >= 2
        assert all(text in program.written for text in failures)
        assert program.leave() == 0
        program.heard_out()
        assert program.terminal.restored
        assert program.terminal.clean


def test_leaving_while_the_server_is_mute(dispatcher: Dispatcher, tmp_path: Path) -> None:
    dispatcher.start()
    with Spoken(tmp_path, dispatcher, *LONG, patience="reached") as program:
        person = Person(program.press, Random(4), "ru", fancy=0)
        person.hear(program.listened())
        assert person.step()
        dispatcher.freeze()
        assert program.leave() == 0
        assert program.transcript.all[-1].text in program.written
        assert program.terminal.restored
        dispatcher.thaw()


@pytest.fixture
def playing(dispatcher: Dispatcher, tmp_path: Path) -> Iterator[Typed]:
    dispatcher.start()
    with Typed(tmp_path, "play", *LONG, lang="ru") as program:
        person = Person(program.press, Random(5), "ru", fancy=0)
        person.hear(program.listened())
        while person.question is not Asked.TURN:
            assert person.step()
        yield program


def test_f7_goes_from_lines_to_direct_to_off_and_back(playing: Typed, dispatcher: Dispatcher) -> None:
    start = next(line.text for line in playing.transcript.all if line.text.startswith("Речь: "))
    assert start == "Речь: строки, их читает программа экранного доступа. Если не слышно, нажимайте F7."
    assert start in in_one_row(playing.terminal.out)
    assert dispatcher.spoken() == []

    def told(key: str) -> str:
        playing.send(key)
        return playing.until(bool)[0].text

    assert told("f7") == "Речь напрямую, через speech-dispatcher."
    assert dispatcher.hears("Речь напрямую, через speech-dispatcher.")
    written = playing.terminal.out
    turn = told("f5")
    assert dispatcher.hears(turn)
    assert told("o") == "Речь выключена."
    assert dispatcher.hears("Речь выключена.")
    told("f5")
    assert playing.terminal.out == written
    assert told("щ") == "Речь: строки, их читает программа экранного доступа."
    playing.terminal.expect("Речь: строки, их читает программа экранного доступа.", len(written.decode()))
    assert told("f5") == turn
    playing.terminal.expect(turn, len(written.decode()))
    assert dispatcher.spoken() == ["Речь напрямую, через speech-dispatcher.", turn, "Речь выключена."]


@pytest.mark.parametrize(
    ("speech", "sentence"),
    [
        ("direct", "Speech: direct, through speech-dispatcher. If you hear things twice, press F7."),
        ("off", "Speech is off. F7 turns it on."),
        ("auto", "Speech: lines, read by your screen reader. If you hear nothing, press F7."),
    ],
)
def test_the_start_says_the_mode_in_that_mode(
    speech: str, sentence: str, dispatcher: Dispatcher, tmp_path: Path
) -> None:
    dispatcher.start()
    with Typed(tmp_path, "play", *AGAINST_NOVICE, speech=speech) as program:
        program.listened()
        assert sentence in [line.text for line in program.transcript.all]
        assert dispatcher.hears(sentence) == (speech == "direct") if speech == "direct" else True
        program.settled()
        assert (sentence in in_one_row(program.terminal.out)) == (speech == "auto")
        assert any(sentence in spoken for spoken in dispatcher.spoken()) == (speech == "direct")
