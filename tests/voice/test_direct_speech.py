"""Direct speech through a real speech-dispatcher: what arrives in its output module, and when it doesn't."""

from __future__ import annotations

import importlib.util
import io
import os
import random
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import kozel
from kozel.voice.announcer import Announcer
from kozel.voice.message import Message
from kozel.voice.queue import SpeechQueue
from kozel.voice.reader import Reader
from kozel.voice.speech_command import speech_list
from voice.dispatcher import Dispatcher, wait_for

Open = Callable[[], Announcer]


@pytest.fixture
def screen() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def direct(dispatcher: Dispatcher, screen: io.StringIO) -> Iterator[Open]:
    opened: list[Announcer] = []

    def open_announcer() -> Announcer:
        opened.append(Announcer("ru", "direct", stream=screen))
        return opened[-1]

    yield open_announcer
    for announcer in opened:
        announcer.close()


def test_russian_arrives_whole_and_is_spoken_as_russian(dispatcher: Dispatcher, direct: Open) -> None:
    dispatcher.start()
    direct().say("event", None, "Анна & <дупль> Ёж: шесть — пять, справа. 100% 'так' \"да\"")
    assert dispatcher.hears("Анна & <дупль> Ёж: шесть — пять, справа. 100% 'так' \"да\"")
    assert {row.language for row in dispatcher.rows() if row.event == "speak"} == {"ru"}


def test_markup_in_a_name_stays_text(dispatcher: Dispatcher, direct: Open) -> None:
    dispatcher.start()
    direct().say("event", None, '<speak><break time="9s"/>Анна</speak>')
    assert dispatcher.hears("Анна")
    assert "&lt;break" in dispatcher.rows()[0].raw


def test_events_are_spoken_in_order_and_none_is_lost(dispatcher: Dispatcher, direct: Open) -> None:
    dispatcher.start()
    announcer = direct()
    texts = [f"Сообщение {number}." for number in range(300)]
    for text in texts:
        announcer.say("event", None, text)
    assert dispatcher.hears(texts[-1])
    assert " ".join(dispatcher.spoken()) == " ".join(texts)


def test_a_burst_is_one_utterance(dispatcher: Dispatcher, direct: Open) -> None:
    dispatcher.start()
    direct().say_all([Message("event", None, "Анна: шесть пять."), Message("event", None, "Ваш ход, подходят две.")])
    assert dispatcher.hears("Ваш ход")
    assert dispatcher.spoken() == ["Анна: шесть пять. Ваш ход, подходят две."]


def test_an_echo_cuts_what_is_being_said(dispatcher: Dispatcher, direct: Open) -> None:
    dispatcher.start(ms_per_character=100)
    announcer = direct()
    announcer.say("event", None, "Очень длинное сообщение, которое никто не дослушает до конца.")
    assert dispatcher.hears("Очень длинное")
    announcer.say("echo", 0, "шесть пять")
    assert dispatcher.hears("шесть пять")
    assert "stopped" in [row.event for row in dispatcher.rows()]


def test_nothing_is_written_on_the_screen(dispatcher: Dispatcher, direct: Open, screen: io.StringIO) -> None:
    dispatcher.start()
    announcer = direct()
    for number in range(5):
        announcer.say("event", None, f"Сообщение {number}.")
    announcer.again("older", None)
    assert dispatcher.hears("5 из 5")
    assert screen.getvalue() == ""
    announcer.show(["Доска: шесть пять."])
    announcer.flush()
    assert screen.getvalue().strip() == "Доска: шесть пять."


def test_nothing_is_printed_by_the_library(
    dispatcher: Dispatcher, direct: Open, capfd: pytest.CaptureFixture[str]
) -> None:
    announcer = direct()
    announcer.say("event", None, "Сервера нет.")
    announcer.flush()
    dispatcher.start()
    assert wait_for(lambda: bool(announcer.say("event", None, "Есть.") and dispatcher.spoken()))
    announcer.close()
    assert capfd.readouterr() == ("", "")


def test_without_a_server_the_game_is_told_and_lines_are_written(direct: Open, screen: io.StringIO) -> None:
    announcer = direct()
    facts = announcer.mode_facts(timeout=10)
    assert facts.works is False
    assert facts.failure is not None
    assert facts.failure.reason == "no_server"
    assert announcer.start_sentence().startswith("Речь напрямую не работает: не запущен speech-dispatcher.")
    announcer.say("event", None, "Анна: шесть пять.")
    announcer.flush()
    assert screen.getvalue().split() == ["Анна:", "шесть", "пять."]


def test_no_server_is_started_unasked(dispatcher: Dispatcher, direct: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPEECHD_ADDRESS")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(dispatcher.folder))
    assert direct().mode_facts(timeout=10).works is False
    assert not list(dispatcher.folder.glob("speech-dispatcher/*.sock"))


def test_a_killed_server_loses_nothing_and_is_found_again(
    dispatcher: Dispatcher, direct: Open, screen: io.StringIO
) -> None:
    dispatcher.start()
    announcer = direct()
    announcer.say("event", None, "До.")
    assert dispatcher.hears("До.")
    dispatcher.kill()
    announcer.say("event", None, "Пока сервера нет.")
    assert wait_for(lambda: "Пока сервера нет." in screen.getvalue())
    assert wait_for(lambda: "Речь напрямую не работает" in screen.getvalue())
    dispatcher.start()
    assert wait_for(lambda: bool(announcer.say("event", None, "Снова.") and "Снова." in dispatcher.spoken()), 20)


def test_a_server_restarted_in_mid_match_is_not_even_noticed(
    dispatcher: Dispatcher, direct: Open, screen: io.StringIO
) -> None:
    dispatcher.start()
    announcer = direct()
    announcer.say("event", None, "До.")
    assert dispatcher.hears("До.")
    dispatcher.kill()
    dispatcher.start()
    announcer.say("event", None, "После.")
    assert dispatcher.hears("После.")
    assert screen.getvalue() == ""


def test_a_mute_server_is_given_up_and_its_text_written(dispatcher: Dispatcher, screen: io.StringIO) -> None:
    dispatcher.start()
    written: list[str] = []
    lost: list[str] = []
    queue = SpeechQueue(
        lambda: Reader("ru"),
        lambda messages: written.extend(m.text for m in messages),
        lost=lambda failure, worked: lost.append(failure.reason),
        patience=0.3,
        open_patience=0.3,
        retry=0.2,
    )
    queue.put([Message("event", None, "До.")])
    assert dispatcher.hears("До.")
    dispatcher.freeze()
    queue.put([Message("event", None, "В пустоту.")])
    assert wait_for(lambda: written == ["В пустоту."])
    assert lost == ["hangs"]
    dispatcher.thaw()

    def speaks_again() -> bool:
        queue.put([Message("event", None, "Снова.")])
        return dispatcher.hears("Снова.", 0.3)

    assert wait_for(speaks_again, 20)
    queue.close()


def test_saying_costs_next_to_nothing_while_the_server_is_mute(
    dispatcher: Dispatcher, direct: Open, record_property: Callable[[str, object], None]
) -> None:
    dispatcher.start()
    announcer = direct()
    assert announcer.mode_facts(10).works
    dispatcher.freeze()
    costs = []
    for number in range(1000):
        before = time.perf_counter()
        announcer.say("event", None, f"Сообщение {number}.")
        costs.append((time.perf_counter() - before) * 1e6)
    dispatcher.thaw()
    report(record_property, "say() with a mute server, microseconds", costs)


def test_latency_from_the_key_to_the_module(
    dispatcher: Dispatcher, direct: Open, record_property: Callable[[str, object], None]
) -> None:
    dispatcher.start()
    announcer = direct()
    announcer.say("event", None, "Разогрев.")
    assert dispatcher.hears("Разогрев.")
    latencies = []
    for number in range(200):
        text = f"шесть пять, {number}"
        before = time.monotonic_ns()
        announcer.say("echo", 0, text)
        assert dispatcher.hears(text)
        latencies.append(next((row.ns - before) / 1e6 for row in dispatcher.rows() if row.text == text))
    report(record_property, "say() to the output module, milliseconds", latencies)


def test_focus_holds_announcements_and_tells_them_in_one_go(dispatcher: Dispatcher, direct: Open) -> None:
    dispatcher.start()
    announcer = direct()
    announcer.set_focused(False)
    announcer.say("event", None, "Анна: шесть пять.")
    announcer.say("event", None, "Борис: пять четыре.")
    assert not announcer.flush(0.3)
    assert dispatcher.spoken() == []
    announcer.set_focused(True)
    assert dispatcher.hears("Борис")
    assert dispatcher.spoken() == ["Анна: шесть пять. Борис: пять четыре."]


def test_what_waits_for_one_seat_is_not_said_to_the_next(dispatcher: Dispatcher, direct: Open) -> None:
    dispatcher.start()
    announcer = direct()
    announcer.set_focused(False)
    announcer.say("event", 0, "Взята два два.")
    announcer.say("event", None, "Анна: шесть пять. Борис, Enter.")
    announcer.forget(listener=1)
    announcer.set_focused(True)
    assert dispatcher.hears("Борис, Enter.")
    assert dispatcher.spoken() == ["Анна: шесть пять. Борис, Enter."]


def test_switching_speaks_in_the_new_mode_and_says_off_before_it_is_off(
    dispatcher: Dispatcher, direct: Open, screen: io.StringIO
) -> None:
    dispatcher.start()
    announcer = direct()
    announcer.announce_next_mode()
    assert announcer.mode == "off"
    assert dispatcher.hears("Речь выключена.")
    announcer.say("event", None, "Этого никто не слышит.")
    announcer.announce_next_mode()
    announcer.flush()
    assert screen.getvalue().strip() == "Речь: строки, их читает программа экранного доступа."
    announcer.announce_next_mode()
    assert dispatcher.hears("Речь напрямую, через speech-dispatcher.")
    assert "Этого никто не слышит." in announcer.history.heard(None)[-3].text


def test_the_last_words_are_heard_after_the_end(dispatcher: Dispatcher, direct: Open) -> None:
    dispatcher.start(ms_per_character=5)
    announcer = direct()
    announcer.say("final", None, "Партия окончена. Победила Анна.")
    announcer.close()
    assert wait_for(lambda: [row.text for row in dispatcher.rows() if row.event == "done"] != [])


def test_what_a_hanging_reader_did_not_take_is_written_at_the_end(
    dispatcher: Dispatcher, direct: Open, screen: io.StringIO
) -> None:
    dispatcher.start()
    announcer = direct()
    assert announcer.mode_facts(10).works
    dispatcher.freeze()
    announcer.say("event", None, "Партия сохранена.")
    assert not announcer.flush(0.2)
    announcer.say("final", None, "До свидания.")
    announcer.close(grace=0.2)
    assert [line for line in screen.getvalue().splitlines() if line] == ["Партия сохранена.", "До свидания."]


def test_dying_and_hanging_servers_at_random_moments(dispatcher: Dispatcher, direct: Open) -> None:
    chance = random.Random(5)
    dispatcher.start()
    announcer = direct()
    texts = [f"Сообщение {number}." for number in range(400)]
    for text in texts:
        announcer.say(chance.choice(("echo", "event", "final")), None, text)
        fate = chance.random()
        if fate < 0.03:
            dispatcher.kill()
            dispatcher.start()
        elif fate < 0.05:
            dispatcher.freeze()
            time.sleep(0.02)
            dispatcher.thaw()
        time.sleep(0.001)
    heard = [entry.text for entry in announcer.history.heard(None)]
    assert [text for text in heard if text.startswith("Сообщение")] == texts

    def speaks_again() -> bool:
        announcer.say("event", None, "Конец.")
        return dispatcher.hears("Конец.", 0.3)

    assert wait_for(speaks_again, 30)


def test_the_list_names_the_output_and_what_is_missing(dispatcher: Dispatcher) -> None:
    said: list[str] = []
    speech_list(said.append, "en", "direct")
    assert said[1:3] == [
        "speech-dispatcher: can't be used, speech-dispatcher doesn't run.",
        "Direct speech doesn't work: speech-dispatcher doesn't run. Writing lines.",
    ]
    dispatcher.start()
    said.clear()
    speech_list(said.append, "ru", "direct")
    assert said[1:3] == ["speech-dispatcher: работает.", "Речь напрямую, через speech-dispatcher."]
    said.clear()
    speech_list(said.append, "ru")
    assert said[2] == "Речь: строки, их читает программа экранного доступа."


def test_another_language_reaches_the_synthesizer(dispatcher: Dispatcher, direct: Open) -> None:
    dispatcher.start()
    announcer = direct()
    announcer.say("event", None, "Ваш ход.")
    announcer.lang = "en"
    announcer.say("event", None, "Your turn.")
    assert dispatcher.hears("Your turn.")
    assert [row.language for row in dispatcher.rows() if row.event == "speak"] == ["ru", "en"]


PROGRAM = """
import sys, time
from kozel.voice.announcer import Announcer
announcer = Announcer("ru", "direct")
assert announcer.mode_facts(10).works, announcer.mode_facts()
if "say" in sys.argv:
    announcer.say("event", None, "Слышно.")
if "freeze" in sys.argv:
    print("ready", flush=True)
    sys.stdin.readline()
    announcer.say("event", None, "В пустоту.")
if "close" in sys.argv:
    announcer.close(0.5)
"""


def interpreters() -> list[str]:
    found = [sys.executable]
    for minor in range(10, 16):
        python = shutil.which(f"python3.{minor}")
        if (
            python
            and sys.version_info[1] != minor
            and subprocess.run([python, "-c", ""], check=False, capture_output=True).returncode == 0
        ):
            found.append(python)
    return found


@pytest.mark.parametrize("python", interpreters(), ids=lambda path: Path(path).name)
@pytest.mark.parametrize("arguments", ["", "close", "say", "say close", "freeze", "freeze close"])
def test_the_program_ends(dispatcher: Dispatcher, python: str, arguments: str) -> None:
    dispatcher.start()
    client = importlib.util.find_spec("speechd")
    assert client is not None
    assert client.origin is not None
    paths = [str(Path(kozel.__file__).parents[1]), str(Path(client.origin).parents[1])]
    process = subprocess.Popen(
        [python, "-c", PROGRAM, *arguments.split()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    if "freeze" in arguments:
        assert process.stdout.readline().strip() == b"ready"
        dispatcher.freeze()
        process.stdin.write(b"\n")
    timer = threading.Timer(20, process.kill)
    timer.start()
    _, errors = process.communicate()
    timer.cancel()
    assert (process.returncode, errors) == (0, b"")


def report(record_property: Callable[[str, object], None], what: str, values: list[float]) -> None:
    ordered = sorted(values)
    figures = f"median {statistics.median(ordered):.2f}, 95th of 100 {ordered[int(len(ordered) * 0.95) - 1]:.2f}"
    record_property(what, figures)
    print(f"{what}: {figures}, n={len(ordered)}")
