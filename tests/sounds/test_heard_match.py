"""The real program on a real PulseAudio: what it played is what happened, and nothing else is different with sounds."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from kozel.engine.events import Event
from kozel.records.reading import parse_record
from kozel.records.replay import replay
from kozel.rules.reading import shipped_ids
from kozel.sounds.plan import cues
from play.person import Person
from play.program import PATIENCE, Line, Piped, Sounded, command, environment
from sounds.null_sink import NullSink, missing

pytestmark = [pytest.mark.slow, pytest.mark.skipif(missing() is not None, reason=str(missing()))]
NOTICES = {"turn", "handover", "marked", "unmarked", "refused", "came", "went", "talk"}


@pytest.fixture
def sink() -> Iterator[NullSink]:
    """A null sink that somebody listens to, so that it is awake."""
    with tempfile.TemporaryDirectory(prefix="kz") as folder, NullSink(Path(folder)) as sink:
        recorder = sink.record()
        yield sink
        recorder.stop()


def with_sounds(sink: NullSink) -> dict[str, str]:
    return environment(KOZEL_SOUNDS="on", **sink.environ)


def until(true: Callable[[], bool], timeout: float = 15.0) -> bool:
    end = time.monotonic() + timeout
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def loud(program: Piped) -> None:
    """Wait until sounds are played."""

    def sounds() -> bool:
        program.press("pageup", "pagedown")
        return bool(program.transcript.sounds)

    assert until(sounds), "no device ever played"


def settle(folder: Path, **settings: str | int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.yaml").write_text("".join(f"{name}: {value}\n" for name, value in settings.items()))


def table(*levels: str) -> list[str]:
    names = ("Anna", "Boris", "Vera", "Gena")
    return [word for name, level in zip(names, levels, strict=False) for word in ("--player", name + level)]


def happened(record: Path) -> list[Event]:
    """All events of a recorded match."""
    events: list[Event] = []
    replay(parse_record(record.read_bytes(), record), lambda match, new: events.extend(new))
    return events


@pytest.mark.parametrize("ruleset", ["kozel", "osel"])
def test_what_was_played_is_what_happened(sink: NullSink, tmp_path: Path, ruleset: str) -> None:
    """Each sound of an event is in the transcript, in order, with the seat's place; the turn is for its seat alone."""
    words = ["play", ruleset, *table("", ":novice", ":novice"), "--seed", "loud"]
    with Piped(tmp_path, *words, env=with_sounds(sink)) as program:
        person = Person(program.press, Random(5), "en", fancy=0.0)
        person.hear(program.start())
        loud(program)
        for _ in range(60):
            time.sleep(0.08)
            if not person.step():
                break
        program.press("f5")
        events = happened(program.record)
        played = program.transcript.sounds
        assert not program.errors
    expected = [(cue.name, cue.pan) for cue in cues(events, 0, 3)]
    of_events = [(sound.name, sound.pan) for sound in played if sound.name not in NOTICES]
    first = next(at for at in range(len(expected)) if expected[at:] == of_events[len(of_events) - len(expected) + at :])
    assert len(expected) - first > 40, "too few are alike"
    turns = {sound for sound in played if sound.name == "turn"}
    assert turns == {Sounded(0, "turn", 0.0)}


@pytest.mark.parametrize("ruleset", shipped_ids())
def test_a_match_is_the_same_with_sounds(sink: NullSink, tmp_path: Path, ruleset: str) -> None:
    def transcript(name: str, env: dict[str, str]) -> list[dict[str, object]]:
        folder = tmp_path / name
        seats = (
            table(":novice", ":novice", ":novice", ":novice") if ruleset != "kozel-1x1" else table(":novice", ":novice")
        )
        words = ["play", ruleset, *seats, "--seed", "same", "--lang", "ru", "--speech", "off"]
        heard = tmp_path / f"{name}.jsonl"
        done = subprocess.run(
            command(*words, "--data-dir", str(folder), "--transcript", str(heard)),
            env=env,
            capture_output=True,
            timeout=PATIENCE,
            check=True,
        )
        assert done.stderr == b""
        return [json.loads(line) for line in heard.read_text(encoding="utf-8").splitlines()]

    silent = transcript("off", environment(KOZEL_SOUNDS="off"))
    sounding = transcript("on", with_sounds(sink))
    without = [row for row in sounding if row["kind"] != "sound"]
    assert [_folderless(row) for row in without] == [_folderless(row) for row in silent]
    assert all(row["kind"] != "sound" for row in silent)


def _folderless(row: dict[str, object]) -> dict[str, object]:
    return {**row, "text": re.sub(r"\S*/(on|off)\b\S*", "FOLDER", str(row["text"]))}


def test_without_a_device_nothing_is_played_and_all_is_told(tmp_path: Path) -> None:
    settle(tmp_path, moves="clicks", lang="en")
    env = environment(KOZEL_SOUNDS="on", PULSE_SERVER="unix:/nowhere/native")
    with Piped(tmp_path, "play", "kozel", *table("", ":novice", ":novice", ":novice"), env=env) as program:
        lines = program.start()
        person = Person(program.press, Random(3), "en", fancy=0.0)
        person.hear(lines)
        for _ in range(8):
            time.sleep(0.3)
            person.step()
            lines += person.lines
        lines += program.press("f5")
        assert program.transcript.sounds == []
        fallbacks = [line for line in lines if "No sound device plays" in line.text]
        assert len(fallbacks) == 1, "it is said once"
        assert moves_of_others(lines)


def moves_of_others(lines: list[Line]) -> list[str]:
    return [line.text for line in lines if re.match(r"(Boris|Vera|Gena)(: .*(left|right)| draws| passes)", line.text)]


def test_clicks_stand_for_others_moves_which_are_told_when_asked(sink: NullSink, tmp_path: Path) -> None:
    settle(tmp_path, moves="clicks", lang="en")
    words = ["play", "kozel", *table("", ":novice", ":novice", ":novice"), "--seed", "clicks"]
    with Piped(tmp_path, *words, env=with_sounds(sink)) as program:
        person = Person(program.press, Random(3), "en", fancy=0.0)
        person.hear(program.start())
        loud(program)
        program.transcript.sounds.clear()
        lines: list[Line] = []
        for _ in range(12):
            time.sleep(0.1)
            person.step()
            lines += person.lines
        clicks = [sound for sound in program.transcript.sounds if sound.name in ("laid", "double") and sound.pan]
        assert len(clicks) >= 6
        assert {sound.pan < -0.5 for sound in clicks} == {True, False}, "from more than one side"
        assert not moves_of_others(lines)
        assert re.search(r"Boris|Vera|Gena", program.press("s-f2")[-1].text), "asked, they are told"


def test_the_volume_is_turned_told_and_kept(sink: NullSink, tmp_path: Path) -> None:
    words = ["play", "kozel", *table("", ":novice")]
    with Piped(tmp_path, *words, env=with_sounds(sink)) as program:
        program.start()
        loud(program)
        assert program.press("pageup")[0].text == "Volume 60."
        assert [line.text for line in program.press("pagedown", "pagedown")][:1] == ["Volume 50."]
        assert program.press("pagedown")[0].text == "Volume 30."
        program.finish()
    assert "volume: 30" in (tmp_path / "settings.yaml").read_text()


def test_where_sounds_are_off_the_volume_keys_say_so(tmp_path: Path) -> None:
    with Piped(tmp_path, "play", "kozel", *table("", ":novice")) as program:
        program.start()
        assert "sounds" in program.press("pageup")[0].text


def test_a_refused_key_and_a_mark_are_heard_by_who_pressed_them(sink: NullSink, tmp_path: Path) -> None:
    with Piped(tmp_path, "play", "kozel", *table("", ":novice"), env=with_sounds(sink)) as program:
        program.start()
        loud(program)
        program.transcript.sounds.clear()
        program.press("!")
        program.press("f5")
        assert Sounded(0, "refused", 0.0) in program.transcript.sounds


def test_at_a_shared_keyboard_the_handover_is_for_all_and_the_turn_for_its_seat(sink: NullSink, tmp_path: Path) -> None:
    with Piped(tmp_path, "play", "kozel", *table("", ""), env=with_sounds(sink)) as program:
        program.start()
        loud(program)
        program.transcript.sounds.clear()
        program.press("enter")
        program.press("f5")
        (first,) = [sound for sound in program.transcript.sounds if sound.name == "turn"]
        assert first.to in (0, 1)
        assert first.pan == 0
        program.transcript.sounds.clear()
        person = Person(program.press, Random(1), "en", fancy=0.0)
        person.hear(program.press("f5"))
        while not any(sound.name == "handover" for sound in program.transcript.sounds):
            person.step()
        (handover,) = [sound for sound in program.transcript.sounds if sound.name == "handover"]
        assert handover.to is None
        assert handover.pan == 0.35, "it comes from the other seat"


def test_the_help_names_the_sounds_and_plays_them(sink: NullSink, tmp_path: Path) -> None:
    with Piped(tmp_path, "play", "kozel", *table("", ":novice"), env=with_sounds(sink)) as program:
        program.start()
        loud(program)
        program.press("f1")
        program.transcript.sounds.clear()
        assert program.press("end")[0].text == "Sound: somebody at the table says something."
        assert program.press("up")[0].text == "Sound: a player leaves the table."
        assert [sound.name for sound in program.transcript.sounds if sound.name != "refused"][:2] == ["talk", "went"]
        program.press("escape")


def test_sounds_are_listed_and_each_is_named_and_played(sink: NullSink, tmp_path: Path) -> None:
    heard = tmp_path / "heard.jsonl"
    common = ["--data-dir", str(tmp_path), "--lang", "en", "--transcript", str(heard)]
    listed = subprocess.run(
        command("sounds", "list", *common),
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    ).stdout.splitlines()
    assert listed[0] == "turn: your turn"
    assert len(listed) == len({line.split(":")[0] for line in listed}) == 20
    tried = subprocess.run(
        command("sounds", "test", *common),
        env=with_sounds(sink),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    ).stdout.splitlines()
    assert tried == ["Sounds: play through PulseAudio.", *listed]
    played = [json.loads(line)["name"] for line in heard.read_text().splitlines() if '"sound"' in line]
    assert played == [line.split(":")[0] for line in listed]


def test_bad_files_of_ones_own_are_told_in_a_sentence_each(sink: NullSink, tmp_path: Path) -> None:
    (tmp_path / "sounds").mkdir()
    (tmp_path / "sounds" / "laid.wav").write_bytes(b"RIFF, but no more")
    (tmp_path / "sounds" / "doubel.ogg").write_bytes(b"")
    with Piped(tmp_path, "play", "kozel", *table("", ":novice"), env=with_sounds(sink)) as program:
        program.start()
        loud(program)
        texts = [line.text for line in program.transcript.all]
        assert sum("laid.wav is no WAV or OGG Vorbis" in text for text in texts) == 1
        assert sum("no sound 'doubel', did you mean 'double'?" in text for text in texts) == 1


@pytest.mark.parametrize(("wished", "far"), [("on", True), ("on", False), ("off", True)])
def test_the_bell_rings_at_the_own_turn_over_ssh_if_that_is_wished(tmp_path: Path, wished: str, far: bool) -> None:
    settle(tmp_path, bell=wished)
    near, screen = os.openpty()
    env = environment(TERM="xterm", **({"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"} if far else {}))
    words = ["play", "kozel", *table("", ""), "--seed", "bell"]
    with Piped(tmp_path, *words, env=env, screen=screen) as program:
        os.close(screen)
        program.start()
        assert b"\a" not in _shown(near), "before the handover nobody's turn has begun"
        program.press("enter")
        assert (b"\a" in _shown(near)) == (wished == "on" and far)
        os.close(near)


@pytest.mark.parametrize("key", ["pageup", "pagedown"])
def test_over_ssh_the_volume_keys_turn_the_bell_on_and_off(tmp_path: Path, key: str) -> None:
    settle(tmp_path, bell="off" if key == "pageup" else "on")
    env = environment(SSH_CONNECTION="192.0.2.1 50000 192.0.2.2 22")
    with Piped(tmp_path, "play", "kozel", *table("", ":novice"), env=env) as program:
        program.start()
        said = "The bell rings at your turn." if key == "pageup" else "The bell is off."
        assert program.press(key)[0].text == said
        program.finish()
    assert f'bell: "{"on" if key == "pageup" else "off"}"' in (tmp_path / "settings.yaml").read_text()


def _shown(terminal: int) -> bytes:
    """What comes on a terminal until it is silent."""
    shown = b""
    while select.select([terminal], [], [], 0.5)[0]:
        shown += os.read(terminal, 1 << 16)
    return shown
