"""Direct speech that has to stop: for another listener, at a key, at the end; through a real speech-dispatcher that speaks
for as long as a voice would."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kozel.voice.announcer import Announcer
from kozel.voice.message import Message
from kozel.voice.queue import SpeechQueue
from kozel.voice.speakers import SpeechFailed
from voice.dispatcher import Dispatcher, wait_for

Open = Callable[[], Announcer]
HAND = "Ваши кости: шесть пять, четыре два, дупль три, пусто шесть, два один, три пусто, пять два."
MOVE = "Борис: пять два, слева; взято две; осталась одна."
TURN = "Анна, Enter."
MS = 4.0
"""Milliseconds a character, about as a fast voice speaks."""


@pytest.fixture
def direct(dispatcher: Dispatcher) -> Iterator[Open]:
    opened: list[Announcer] = []

    def open_announcer() -> Announcer:
        opened.append(Announcer("ru", "direct", stream=io.StringIO()))
        return opened[-1]

    yield open_announcer
    for announcer in opened:
        announcer.close()


def done(dispatcher: Dispatcher) -> list[str]:
    return [row.text for row in dispatcher.rows() if row.event == "done"]


def stopped(dispatcher: Dispatcher) -> list[str]:
    return [row.text for row in dispatcher.rows() if row.event == "stopped"]


def test_a_new_listener_silences_the_hand_that_is_being_told(dispatcher: Dispatcher, direct: Open) -> None:
    dispatcher.start(ms_per_character=MS * 10)
    announcer = direct()
    announcer.say("echo", 1, HAND)
    assert dispatcher.hears(HAND)
    announcer.forget(0)
    announcer.say("event", 0, "Слева два; подходят две.")
    assert dispatcher.hears("Слева два; подходят две.")
    assert wait_for(lambda: stopped(dispatcher) == [HAND])
    assert HAND not in done(dispatcher)


def test_events_and_results_that_the_new_listener_cuts_are_told_again(dispatcher: Dispatcher, direct: Open) -> None:
    dispatcher.start(ms_per_character=MS)
    announcer = direct()
    announcer.say("event", 1, "Взята пять два, подходит слева, базар пуст.")
    announcer.say("event", None, MOVE)
    announcer.say("final", None, "Рыба. Анна получает тринадцать очков.")
    assert wait_for(lambda: dispatcher.rows() != [])
    announcer.forget(0)
    announcer.say("event", 0, "Ваш ход.")
    assert wait_for(lambda: any("Ваш ход." in text for text in done(dispatcher)))
    heard = " ".join(done(dispatcher))
    assert MOVE in heard
    assert "Рыба. Анна получает" in heard
    assert "Взята" not in heard


def test_a_new_listener_cuts_nothing_that_all_may_hear(dispatcher: Dispatcher, direct: Open) -> None:
    dispatcher.start(ms_per_character=MS)
    announcer = direct()
    announcer.say("event", None, MOVE)
    assert dispatcher.hears(MOVE)
    announcer.forget(0)
    assert wait_for(lambda: MOVE in done(dispatcher))
    assert stopped(dispatcher) == []
    assert dispatcher.spoken() == [MOVE]


def test_nothing_of_the_other_hand_comes_after_the_handover_whatever_the_moment(
    dispatcher: Dispatcher, direct: Open
) -> None:
    dispatcher.start(ms_per_character=1)
    announcer = direct()
    for number in range(30):
        announcer.say("event", number % 2, f"Рука {number}: шесть пять, четыре два, дупль три.")
        time.sleep(number % 7 * 0.004)
        announcer.forget((number + 1) % 2)
        announcer.say("event", None, f"Ход {number}.")
        assert dispatcher.hears(f"Ход {number}.")
    rows = [row.text for row in dispatcher.rows() if row.event == "speak"]
    for number in range(30):
        first = next(place for place, text in enumerate(rows) if f"Ход {number}." in text)
        assert not any(f"Рука {number}:" in text for text in rows[first:])


def test_the_silencing_key_stops_speech_and_the_last_announcement_has_all_of_it(
    dispatcher: Dispatcher, direct: Open
) -> None:
    dispatcher.start(ms_per_character=MS * 10)
    announcer = direct()
    announcer.say("event", None, MOVE, group="moves")
    assert dispatcher.hears(MOVE)
    announcer.say("event", None, "Вера: пас.", group="moves")
    announcer.say("event", 0, "Ваш ход.")
    assert announcer.hush() is True
    assert wait_for(lambda: not announcer.speaking)
    time.sleep(0.2)
    assert done(dispatcher) == []
    assert [entry.text for entry in announcer.history.heard(0)] == [MOVE, "Вера: пас.", "Ваш ход."]
    announcer.say("event", 0, "Анна говорит: ваш ход.")
    assert wait_for(lambda: done(dispatcher) == ["Анна говорит: ваш ход."])
    announcer.again("repeat", 0)
    assert wait_for(lambda: f"{MOVE} Вера: пас. Ваш ход. Анна говорит: ваш ход." in done(dispatcher))
    announcer.again("repeat", 0)
    assert wait_for(lambda: done(dispatcher)[2:] == ["Анна говорит: ваш ход."])


def test_what_was_silenced_for_one_is_not_given_to_another(dispatcher: Dispatcher, direct: Open) -> None:
    dispatcher.start(ms_per_character=MS * 10)
    announcer = direct()
    announcer.say("event", 1, HAND)
    assert dispatcher.hears(HAND)
    announcer.hush()
    announcer.say("event", None, "Ход.")
    announcer.again("repeat", 0)
    assert announcer.history.heard(0)[-1].text == "Ход."
    repeated = announcer.history.repeat(1)
    assert repeated is not None
    assert repeated.text == f"{HAND} Ход."


def test_leaving_silences_what_waits_and_only_the_goodbye_is_heard(dispatcher: Dispatcher, direct: Open) -> None:
    dispatcher.start(ms_per_character=MS)
    announcer = direct()
    for number in range(20):
        announcer.say("event", None, f"Клавиша {number}: стрелка вправо, следующая кость.")
    assert wait_for(lambda: dispatcher.rows() != [])
    announcer.fall_silent()
    announcer.say("event", None, "До свидания.")
    announcer.close()
    before = len(dispatcher.spoken())
    assert wait_for(lambda: done(dispatcher)[-1:] == ["До свидания."])
    time.sleep(0.3)
    assert dispatcher.spoken()[-1] == "До свидания."
    assert len(dispatcher.spoken()) <= before + 1


def test_it_is_known_how_long_something_is_being_said(dispatcher: Dispatcher, direct: Open) -> None:
    dispatcher.start(ms_per_character=MS * 5)
    announcer = direct()
    announcer.say("event", None, MOVE)
    assert announcer.speaking
    assert wait_for(lambda: not announcer.speaking)
    assert done(dispatcher) == [MOVE]


class SlowReader:
    """A screen reader that takes texts and tells nothing of what became of them, as NVDA's."""

    name = "slow"
    unfinished = None

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def speak(self, text: str, interrupt: bool) -> None:
        self.calls.append(("speak", text, interrupt))

    def braille(self, text: str) -> None:
        pass

    def stop(self) -> None:
        self.calls.append(("stop",))

    def close(self) -> None:
        pass


def test_a_reader_that_tells_nothing_is_taken_to_speak_as_long_as_a_slow_voice_does() -> None:
    reader = SlowReader()
    queue = SpeechQueue(lambda: reader, lambda messages: None)
    queue.put([Message("event", 1, "Взята пять два."), Message("event", None, MOVE)])
    assert queue.flush(10)
    assert queue.speaking
    queue.keep_from_others(0)
    assert wait_for(lambda: reader.calls[1:] == [("stop",), ("speak", MOVE, False)])
    short = Message("event", None, "Да.")
    queue.silence()
    queue.put([short])
    assert queue.flush(10)
    assert wait_for(lambda: not queue.speaking, 5)
    assert queue.silence() == []
    queue.close()


def test_switching_to_a_reader_that_hangs_holds_no_key_up_and_is_told() -> None:
    released = threading.Event()

    def hangs() -> Any:
        released.wait(30)
        raise SpeechFailed("no_reader")

    screen = io.StringIO()
    announcer = Announcer("en", "lines", stream=screen, opener=hangs)
    begin = time.monotonic()
    announcer.announce_next_mode()
    for number in range(5):
        announcer.say("echo", None, f"Answer {number}.")
    assert time.monotonic() - begin < 0.5
    assert announcer.mode == "direct"
    assert wait_for(lambda: "Answer 4." in screen.getvalue(), 2)
    assert time.monotonic() - begin < 2.5
    failed = "Direct speech doesn't work: the screen reader doesn't answer. Writing lines."
    assert wait_for(lambda: failed in screen.getvalue(), 15)
    begin = time.monotonic()
    announcer.announce_next_mode()
    announcer.announce_next_mode()
    assert time.monotonic() - begin < 0.5
    released.set()
    announcer.close()
    assert screen.getvalue().splitlines()[:5] == [f"Answer {number}." for number in range(5)]
    assert screen.getvalue().count(failed) == 1


def test_switching_to_a_reader_that_comes_late_is_told_by_it() -> None:
    reader = SlowReader()

    def late() -> SlowReader:
        time.sleep(0.5)
        return reader

    screen = io.StringIO()
    announcer = Announcer("en", "lines", stream=screen, opener=late)
    announcer.announce_next_mode()
    announcer.say("echo", None, "Meanwhile.")
    assert wait_for(lambda: reader.calls != [])
    announcer.say("event", None, "Then.")
    assert wait_for(lambda: len(reader.calls) == 2)
    announcer.close()
    assert reader.calls == [("speak", "Speech: direct, through slow.", True), ("speak", "Then.", False)]
    assert screen.getvalue().splitlines() == ["Meanwhile."]
