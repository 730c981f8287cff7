"""What a real PulseAudio gets to play: each event in its place, the level, and a device that hangs, dies and comes back."""

from __future__ import annotations

import math
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from kozel.engine.events import Event, MatchOver
from kozel.engine.match import deal, decide, new_match, shuffled
from kozel.rules.reading import find
from kozel.sounds.bank import RATE, BadSound, shipped_samples
from kozel.sounds.board import Board
from kozel.sounds.plan import SOUNDS, Cue, cues
from sounds.null_sink import Heard, NullSink, missing

pytestmark = [pytest.mark.slow, pytest.mark.skipif(missing() is not None, reason=str(missing()))]
PROMPT = 0.05
WARM = 2.5
"""Seconds until a null sink that was idle asks for samples as often as a stream wishes."""


@pytest.fixture
def sink(monkeypatch: pytest.MonkeyPatch) -> Iterator[NullSink]:
    """A null sink that this process and its children play on."""
    with tempfile.TemporaryDirectory(prefix="kz") as folder:
        sink = NullSink(Path(folder))
        for name, value in sink.environ.items():
            monkeypatch.setenv(name, value)
        with sink:
            yield sink


def until(true: Callable[[], bool], timeout: float) -> bool:
    end = time.monotonic() + timeout
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def playing() -> Board:
    board = Board()
    assert board.settled(15) == "playing"
    assert board.output == "PulseAudio"
    time.sleep(WARM)
    return board


def some_events(ruleset: str) -> list[Event]:
    """The events of a match's beginning and end, with whatever draws, passes and doubles there are."""
    match = new_match(find(ruleset).game(4))
    events: list[Event] = []
    for _ in range(3000):
        if match.end is not None:
            break
        if match.round is None:
            match, new = deal(match, shuffled(match, "heard"))
        else:
            legal = match.round.legal
            match, new = decide(match, legal[len(events) % len(legal)])
        events += new
    assert isinstance(events[-1], MatchOver)
    return [*events[:30], *events[-4:]]


def heard(sink: NullSink, board: Board, planned: Sequence[Cue], rest: float = 0.3) -> list[tuple[Cue, Heard]]:
    """Play these one by one: what was heard of each. One in ten may be lost where the machine has other work."""
    recorder = sink.record()
    time.sleep(0.5)
    asked = []
    for cue in planned:
        asked.append(time.monotonic())
        board.play([cue])
        time.sleep(len(shipped_samples(cue.name)) / RATE / min(cue.pitch, 1) + rest)
    answers = zip(planned, recorder.heard(asked), strict=True)
    known = [(cue, answer) for cue, answer in answers if answer is not None]
    assert len(known) >= 0.9 * len(planned)
    return known


def test_every_event_is_heard_in_order_and_in_its_place(sink: NullSink) -> None:
    planned = cues(some_events("osel"), 0, 4)
    assert len({cue.name for cue in planned}) >= 5
    board = playing()
    for cue, answer in heard(sink, board, planned):
        assert answer.pan == pytest.approx(cue.pan, abs=0.05), cue
        assert answer.peak <= 0.2512, "over 12 dB under full scale"
    board.close()


def test_every_sound_is_heard(sink: NullSink) -> None:
    board = playing()
    assert heard(sink, board, [Cue(name) for name in SOUNDS])
    board.close()


def test_by_default_a_sound_is_twelve_decibels_under_full_scale_and_follows_the_volume(sink: NullSink) -> None:
    board = playing()
    for volume, level in ((50, -12.4), (100, -0.4), (25, -24.4)):
        board.volume = volume
        ((_, answer),) = heard(sink, board, [Cue("passed", -1.0)])
        assert 20 * math.log10(answer.peak) == pytest.approx(level, abs=0.7)
    board.close()


def test_a_sound_begins_within_thirty_milliseconds(sink: NullSink) -> None:
    """The median, on a machine that does other work; `benchmarks/sound.py` measures the rest."""
    board = playing()
    took = sorted(answer.after for _, answer in heard(sink, board, [Cue("marked")] * 30, 0.1))
    board.close()
    assert took[len(took) // 2] < 0.030


def test_a_sound_server_that_dies_and_comes_back_holds_nothing_up(sink: NullSink) -> None:
    board = playing()
    sink.kill()
    slowest = 0.0
    for _ in range(200):
        start = time.perf_counter()
        board.play([Cue("laid")])
        slowest = max(slowest, time.perf_counter() - start)
        time.sleep(0.005)
    assert slowest < PROMPT
    assert until(lambda: not board.plays, 3)
    sink.start()
    assert until(lambda: board.plays, 10)
    time.sleep(WARM)
    assert heard(sink, board, [Cue("turn", 0.7)])
    board.close()


def test_a_sound_server_that_hangs_holds_nothing_up(sink: NullSink) -> None:
    board = playing()
    sink.signal(signal.SIGSTOP)
    try:
        assert until(lambda: board.status == "stopped", 3)
        start = time.perf_counter()
        for _ in range(200):
            board.play([Cue("laid")])
        assert time.perf_counter() - start < 200 * PROMPT / 10
        another = Board()
        another.play([Cue("laid")])
        time.sleep(0.5)
        start = time.perf_counter()
        another.close()
        assert time.perf_counter() - start < PROMPT
    finally:
        sink.signal(signal.SIGCONT)
    assert until(lambda: board.plays, 10), "it came back, and nobody noticed"
    board.close()


def test_a_server_that_starts_later_is_noticed(sink: NullSink) -> None:
    sink.kill()
    board = Board()
    assert board.settled(10) == "no_device"
    sink.start()
    assert until(lambda: board.plays, 10)
    board.close()


def test_own_files_are_played_and_bad_ones_told(sink: NullSink, tmp_path: Path) -> None:
    import wave

    with wave.open(str(tmp_path / "laid.wav"), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(44_100)
        file.writeframes(b"\x00\x40\x00\x40" * 11_025)
    (tmp_path / "turn.ogg").write_bytes(b"OggS and nothing more")
    told: list[BadSound] = []
    board = Board(own=tmp_path, tell=told.extend)
    assert board.settled(15) == "playing"
    time.sleep(WARM)
    ((_, answer),) = heard(sink, board, [Cue("laid", -1.0)], 0.5)
    board.close()
    assert [problem.file.name for problem in told] == ["turn.ogg"]
    assert answer.seconds == pytest.approx(0.25, abs=0.1)
    assert answer.pan == pytest.approx(-1.0, abs=0.02)
