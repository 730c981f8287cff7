"""The one place through which everything is said: transcript, history, modes."""

from __future__ import annotations

import gc
import io
import json
import re
import subprocess
import sys
import time
import weakref
from pathlib import Path
from typing import get_args

import pytest

from kozel.voice.announcer import Again, Announcer
from kozel.voice.history import VIEWS
from kozel.voice.log import close_log, keep_faults, open_log, station
from kozel.voice.message import Message, Sound
from kozel.voice.modes import MODES, ModeFacts, first_mode, next_mode
from kozel.voice.speakers import Reason, SpeechFailed
from kozel.voice.speech_command import speech_test
from kozel.voice.speech_texts import cannot_forget, failure_sentence, mode_sentence, start_sentence


def lines(stream: io.StringIO) -> list[str]:
    return stream.getvalue().splitlines()


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().decode("utf-8").splitlines()]


def test_the_transcript_has_a_line_for_each_thing_said(tmp_path: Path) -> None:
    path, screen = tmp_path / "transcript", io.StringIO()
    announcer = Announcer("ru", "lines", transcript=path, stream=screen)
    announcer.say("event", None, "Анна: шесть пять.")
    announcer.say_all([Message("event", 1, "Взята \x1b[2J«два два»."), Message("final", None, "Рыба.")])
    announcer.again("repeat", 0)
    assert rows(path) == [
        {"kind": "event", "to": None, "text": "Анна: шесть пять."},
        {"kind": "event", "to": 1, "text": "Взята «два два»."},
        {"kind": "final", "to": None, "text": "Рыба."},
        {"kind": "echo", "to": None, "text": "Рыба."},
    ]
    announcer.close()
    assert lines(screen) == ["Анна: шесть пять.", "Взята «два два».", "Рыба.", "Рыба."]
    assert "«два два»" in path.read_text("utf-8")


def test_the_transcript_is_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "transcript"
    for text in ("Раз.", "Два."):
        announcer = Announcer("ru", "off", transcript=path, stream=io.StringIO())
        announcer.say("event", None, text)
        announcer.close()
    assert [row["text"] for row in rows(path)] == ["Раз.", "Два."]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_ends_the_transcript_and_not_the_game() -> None:
    screen = io.StringIO()
    announcer = Announcer("ru", "lines", transcript="/dev/full", stream=screen)
    announcer.say("event", None, "Анна: шесть пять.")
    announcer.say("event", None, "Ваш ход.")
    announcer.close()
    assert isinstance(announcer.transcript_problem, OSError)
    broke = "Запись речи /dev/full больше не ведётся: No space left on device."
    assert lines(screen) == ["Анна: шесть пять.", broke, "Ваш ход."]


def test_off_says_nothing_but_keeps_history_and_transcript(tmp_path: Path) -> None:
    screen = io.StringIO()
    announcer = Announcer("en", "off", transcript=tmp_path / "transcript", stream=screen)
    announcer.say("event", None, "Anna: six five.")
    assert announcer.flush()
    assert screen.getvalue() == ""
    assert [entry.text for entry in announcer.history.heard(None)] == ["Anna: six five."]
    assert len(rows(tmp_path / "transcript")) == 1


def test_what_was_heard_again_is_not_history_and_goes_to_whom_it_may(tmp_path: Path) -> None:
    announcer = Announcer("en", "lines", transcript=tmp_path / "transcript", stream=io.StringIO())
    announcer.say("event", 0, "Drawn: double two.", group="moves")
    for which in get_args(Again):
        announcer.again(which, 0)
        announcer.again(which, 1)
    assert len(announcer.history) == 1
    assert {row["to"] for row in rows(tmp_path / "transcript") if "double two" in str(row["text"])} == {0}
    announcer.close()


def test_nothing_left_of_a_text_is_nothing_said(tmp_path: Path) -> None:
    screen = io.StringIO()
    announcer = Announcer("en", "lines", transcript=tmp_path / "transcript", stream=screen)
    assert announcer.say("event", None, "\x1b[2J\u200b") > 0
    announcer.close()
    assert screen.getvalue() == ""
    assert rows(tmp_path / "transcript") == []


def test_saying_after_the_end_does_nothing() -> None:
    screen = io.StringIO()
    announcer = Announcer("en", "lines", stream=screen)
    announcer.close()
    announcer.close()
    announcer.say("event", None, "Too late.")
    assert screen.getvalue() == ""


def test_modes_go_round_and_the_sentence_comes_in_time() -> None:
    screen = io.StringIO()
    announcer = Announcer("en", "off", stream=screen)
    announcer.announce_next_mode()
    announcer.flush()
    assert (announcer.mode, lines(screen)) == ("lines", ["Speech: lines, read by your screen reader."])
    assert [next_mode(mode) for mode in ("lines", "direct", "off")] == ["direct", "off", "lines"]


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("reader_runs", [False, True])
def test_auto_is_direct_only_for_a_windows_reader_that_runs(platform: str, reader_runs: bool) -> None:
    assert first_mode("auto", reader_runs, platform) == ("direct" if platform == "win32" and reader_runs else "lines")
    for mode in MODES[1:]:
        assert first_mode(mode, reader_runs, platform) == mode


@pytest.mark.parametrize("lang", ["ru", "en"])
def test_every_mode_and_failure_has_its_sentence(lang: str) -> None:
    sentences = [mode_sentence(ModeFacts(mode, True), lang) for mode in ("lines", "direct", "off")]
    sentences.append(mode_sentence(ModeFacts("direct", True, "NVDA"), lang))
    sentences += [failure_sentence(SpeechFailed(reason), lang) for reason in get_args(Reason)]
    assert len(set(sentences)) == len(sentences)
    assert all(sentence.endswith(".") and len(sentence) < 100 for sentence in sentences)
    assert cannot_forget(lang).endswith(".")
    assert "F7" in start_sentence(ModeFacts("direct", False, failure=SpeechFailed("no_server")), lang)


def test_the_speech_test_says_the_mode_and_a_sentence_of_the_game() -> None:
    said: list[str] = []
    speech_test(said.append, "ru", ModeFacts("direct", True, "NVDA"))
    assert said == ["Речь напрямую, через NVDA.", "Проверка речи. Анна: шесть пять, справа. Ваш ход, подходят две."]
    said.clear()
    speech_test(said.append, "en", ModeFacts("off", True))
    assert said == ["Speech is off: the test will not be heard."]


def test_lines_mode_loads_no_speech_library() -> None:
    program = (
        "import sys; from kozel.voice.announcer import Announcer\n"
        "a = Announcer('ru', 'lines'); a.say('event', None, 'Анна: шесть пять.'); a.again('older', 0); a.close()\n"
        "heavy = {'accessible_output2', 'speechd', 'prompt_toolkit', 'pythoncom', 'kozel.voice.reader'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_what_was_said_is_written_though_the_program_forgot_to_close() -> None:
    program = (
        "from kozel.voice.announcer import Announcer; Announcer('en', 'lines').say('event', None, 'Anna: six five.')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, b"Anna: six five.".split(), b"")


def test_views_have_names_in_both_languages() -> None:
    announcer = Announcer("ru", "lines", stream=(screen := io.StringIO()))
    for _ in range(4):
        announcer.again("kind_after", None)
    announcer.say("talk", None, "Анна говорит: привет.", group="talk")
    announcer.again("kind_after", None)
    announcer.close()
    assert lines(screen) == [
        "Ходы: пока нет.",
        "Счёт: пока нет.",
        "Ответы: пока нет.",
        "Это последний вид. Ответы: пока нет.",
        "Анна говорит: привет.",
        "Разговор. Анна говорит: привет. 1 из 1.",
    ]
    assert VIEWS[-1] == "talk"


def test_a_listener_gets_each_hand_over_with_its_events_and_a_failing_one_stops_nobody(tmp_path: Path) -> None:
    announcer = Announcer("ru", "lines", stream=(screen := io.StringIO()))
    keep_faults_in = tmp_path / "log.txt"
    faults = keep_faults(keep_faults_in)
    heard: list[tuple[object | None, str]] = []
    announcer.listeners.append(lambda messages: 1 / 0)
    announcer.listeners.append(lambda messages: heard.extend((m.event, m.text) for m in messages))
    happened = object()
    announcer.say_all([Message("event", None, "Анна: шесть пять.", event=happened), Message("event", 0, "Ваш ход.")])
    announcer.say("echo", 0, "Кости: семь.", event="counts")
    announcer.close()
    close_log(faults)
    assert heard == [(happened, "Анна: шесть пять."), (None, "Ваш ход."), ("counts", "Кости: семь.")]
    assert lines(screen) == ["Анна: шесть пять.", "Ваш ход.", "Кости: семь."]
    assert keep_faults_in.read_text("utf-8").count("ZeroDivisionError") == 2


def test_what_is_said_together_is_one_hand_over_in_its_order() -> None:
    announcer = Announcer("ru", "lines", stream=(screen := io.StringIO()))
    bursts: list[list[str]] = []
    announcer.listeners.append(lambda messages: bursts.append([m.text for m in messages]))
    with announcer.together():
        announcer.say("event", None, "Вы: шесть пять.")
        with announcer.together():
            announcer.say("echo", None, "Отметка снята.", remember=False)
        announcer.say_all([Message("event", None, "Борис: пять два."), Message("event", 0, "Ваш ход.")])
        assert bursts == []
    announcer.say("event", None, "Дальше.")
    announcer.close()
    assert bursts == [["Вы: шесть пять.", "Отметка снята.", "Борис: пять два.", "Ваш ход."], ["Дальше."]]
    assert lines(screen) == [text for burst in bursts for text in burst]
    assert [entry.text for entry in announcer.history.heard(0)] == [
        "Вы: шесть пять.",
        "Борис: пять два.",
        "Ваш ход.",
        "Дальше.",
    ]


def test_announcers_live_side_by_side_each_in_its_language_and_mode(tmp_path: Path) -> None:
    screens = [io.StringIO() for _ in range(40)]
    announcers = [
        Announcer(("ru", "en")[n % 2], ("lines", "off")[n // 2 % 2], stream=screen, transcript=tmp_path / f"t{n}")
        for n, screen in enumerate(screens)
    ]
    for announcer in announcers:
        announcer.again("repeat", None)
        announcer.close()
    texts = ["Пока ничего не сказано.\n", "Nothing has been said yet.\n", "", ""]
    assert [screen.getvalue().replace("\r", "") for screen in screens] == texts * 10
    assert [f"{rows(tmp_path / f't{n}')[0]['text']}\n" for n in (2, 3)] == texts[:2]


def test_a_dropped_announcer_leaves_nothing_behind() -> None:
    announcer = Announcer("en", "lines", stream=io.StringIO())
    announcer.say("event", None, "Anna: six five.")
    announcer.close()
    gone = weakref.ref(announcer)
    del announcer
    gc.collect()
    assert gone() is None


def test_the_silencing_key_says_once_that_a_reader_has_its_own() -> None:
    announcer = Announcer("en", "lines", stream=(screen := io.StringIO()))
    assert [announcer.hush(), announcer.hush()] == [False, False]
    announcer.close()
    assert lines(screen) == ["Your screen reader reads these lines itself: its own key makes it silent."]


def test_a_sound_and_talk_have_their_lines_in_the_transcript(tmp_path: Path) -> None:
    announcer = Announcer("en", "off", transcript=tmp_path / "t", stream=io.StringIO())
    announcer.sounded(Sound(2, "draw", -0.5))
    announcer.say("talk", None, "Anna says: well played.", group="talk")
    announcer.close()
    assert rows(tmp_path / "t") == [
        {"kind": "sound", "to": 2, "name": "draw", "pan": -0.5},
        {"kind": "talk", "to": None, "text": "Anna says: well played."},
    ]


def test_the_debug_log_follows_a_message_and_stops_when_it_is_closed(tmp_path: Path) -> None:
    handler = open_log(tmp_path / "debug")
    announcer = Announcer("en", "lines", stream=io.StringIO())
    station("keys").debug("f5")
    announcer.say("echo", 1, "Your turn.", group="answers", event=3)
    announcer.close()
    close_log(handler)
    station("keys").debug("never")
    found = (tmp_path / "debug").read_text("utf-8").splitlines()
    pattern = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} kozel\.(\w+) \[.*\] (.*)"
    told = [match.groups() for line in found if (match := re.fullmatch(pattern, line))]
    assert len(told) == len(found)
    assert told[0] == ("keys", "f5")
    assert ("messages", "echo to 1, answers, int: 'Your turn.'") in told
    assert any(place == "outputs" and "Your turn." in text for place, text in told)
    assert not any("never" in text for _, text in told)


def test_the_first_fault_is_told_with_the_file_and_later_ones_only_written(tmp_path: Path) -> None:
    announcer = Announcer("en", "lines", stream=(screen := io.StringIO()))
    handler = keep_faults(tmp_path / "new" / "log.txt", announcer.tell_fault)
    announcer.say_all(map(len, [3]))  # type: ignore[arg-type]
    until = time.monotonic() + 10
    while not screen.getvalue() and time.monotonic() < until:
        time.sleep(0.01)
    announcer.say_all([3])  # type: ignore[list-item]
    announcer.say("event", None, "Next.")
    announcer.close()
    close_log(handler)
    file = tmp_path / "new" / "log.txt"
    assert lines(screen) == [f"Something went wrong, but the game goes on. Details: {file}", "Next."]
    assert file.read_text("utf-8").count("a message was lost") == 2
