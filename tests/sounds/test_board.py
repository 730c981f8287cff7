"""A device that is absent, fails, hangs or goes away holds nothing up; one that comes back is used again.

`FakeDevice` stands for a device only here, where none may exist; `test_null_sink.py` has a real one.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kozel.sounds import board as boards
from kozel.sounds.bank import BadSound, Decode
from kozel.sounds.board import Board, Opener
from kozel.sounds.plan import Cue

PROMPT = 0.05
"""Seconds within which a call returns that does not wait, on a machine that does other work."""


class FakeDevice:
    """Asks for 10 ms of sound every 10 ms while `asks` is set; closing waits for `lets_go`."""

    name = "fake"

    def __init__(self, fill: Callable[[int], bytes]) -> None:
        self._fill = fill
        self.asks, self.lets_go, self._over = threading.Event(), threading.Event(), threading.Event()
        self.asks.set()
        self.lets_go.set()
        self.loud = threading.Event()
        threading.Thread(target=self._play, daemon=True).start()

    def _play(self) -> None:
        while not self._over.wait(0.01):
            if self.asks.is_set() and any(self._fill(240)):
                self.loud.set()

    def close(self) -> None:
        self.lets_go.wait(20)
        self._over.set()


class Shop:
    """Opens fake devices: `fails` makes it raise, while `open` is not set it hangs."""

    def __init__(self) -> None:
        self.devices: list[FakeDevice] = []
        self.fails = False
        self.open = threading.Event()
        self.open.set()

    def __call__(self, fill: Callable[[int], bytes]) -> FakeDevice:
        self.open.wait(20)
        if self.fails:
            raise RuntimeError("busy")
        self.devices.append(FakeDevice(fill))
        return self.devices[-1]

    def tools(self) -> tuple[Opener, Decode]:
        return self, lambda data: array("h", data)


@pytest.fixture
def shop() -> Iterator[Shop]:
    """A shop whose hanging threads are let go after the test."""
    shop = Shop()
    yield shop
    shop.open.set()
    for device in shop.devices:
        device.lets_go.set()


def took(doing: Callable[[], object]) -> float:
    start = time.perf_counter()
    doing()
    return time.perf_counter() - start


def until(true: Callable[[], bool], timeout: float = 6.0) -> bool:
    end = time.monotonic() + timeout
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def test_a_device_plays(shop: Shop) -> None:
    board = Board(tools=shop.tools)
    assert board.settled(5) == "playing"
    assert board.output == "fake"
    board.play([Cue("laid")])
    assert shop.devices[0].loud.wait(2)
    board.close()
    assert shop.devices[0]._over.is_set()


def test_the_device_is_looked_for_when_the_first_sound_is_to_be_played(shop: Shop) -> None:
    board = Board(tools=shop.tools)
    assert not shop.devices
    board.play([Cue("laid")])
    assert until(lambda: board.plays)
    assert shop.devices[0].loud.wait(2), "the first sound is not lost"
    board.close()


def test_without_miniaudio_nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    board = Board()
    threads = threading.active_count()
    board.play([Cue("laid")])
    assert board.settled(5) == board.status == "absent"
    assert threading.active_count() == threads
    assert board.silent
    board.close()


def test_sounds_that_are_off_open_no_device_and_keep_their_volume(shop: Shop) -> None:
    board = Board(30, on=False, tools=shop.tools)
    board.play([Cue("laid")])
    assert board.settled(0.2) == "off"
    assert not shop.devices
    assert board.louder() == 40


def test_a_device_that_hangs_while_it_opens_holds_nothing_up(shop: Shop) -> None:
    shop.open.clear()
    board = Board(tools=shop.tools)
    assert max(took(lambda: board.play([Cue("laid"), Cue("turn")])) for _ in range(300)) < PROMPT
    assert not board.plays
    assert took(board.close) < PROMPT


def test_a_device_that_hangs_is_noticed_and_holds_nothing_up(shop: Shop) -> None:
    board = Board(tools=shop.tools)
    board.settled(5)
    shop.devices[0].lets_go.clear()
    shop.devices[0].asks.clear()
    assert until(lambda: board.status == "stopped", 2)
    assert max(took(lambda: board.play([Cue("laid")])) for _ in range(300)) < PROMPT
    assert took(board.close) < PROMPT


def test_a_device_that_went_and_came_back_plays_again(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "_RETRY", 0.1)
    board = Board(tools=shop.tools)
    board.settled(5)
    shop.fails = True
    shop.devices[0].asks.clear()
    assert until(lambda: board.status == "no_device", 4)
    assert shop.devices[0]._over.is_set(), "the dead device was let go"
    shop.fails = False
    assert until(lambda: board.plays, 4)
    board.play([Cue("laid")])
    assert shop.devices[1].loud.wait(2)
    board.close()


def test_a_board_that_was_closed_stays_closed(shop: Shop) -> None:
    board = Board(tools=shop.tools)
    board.close()
    board.play([Cue("laid")])
    assert not until(lambda: bool(shop.devices), 0.2)


def test_volumes_stay_between_nothing_and_all(shop: Shop) -> None:
    board = Board(95, volumes={"moves": 40}, tools=shop.tools)
    assert [board.louder(), board.louder()] == [100, 100]
    assert [board.quieter() for _ in range(11)][-2:] == [0, 0]
    assert (board.volume_of("moves"), board.volume_of("ends")) == (40, 100)
    board.set_volume_of("ends", 130)
    assert board.volume_of("ends") == 100


def test_bad_files_are_told_once(shop: Shop, tmp_path: Path) -> None:
    (tmp_path / "lay.wav").write_bytes(b"RIFF")
    told: list[BadSound] = []
    board = Board(own=tmp_path, tell=told.extend, tools=shop.tools)
    assert board.settled(5) == "playing"
    assert [(problem.file.name, problem.reason) for problem in told] == [("lay.wav", "unknown")]
    board.close()


def test_a_program_whose_device_hangs_ends_at_once() -> None:
    """The interpreter does not wait for the board's thread."""
    code = """if True:
        import time
        from kozel.sounds.board import Board
        from kozel.sounds.plan import Cue
        def hangs(fill):
            time.sleep(60)
        board = Board(tools=lambda: (hangs, len))
        board.play([Cue("laid")])
        time.sleep(0.2)
        print(board.status)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20, check=True)
    assert (done.stdout, done.stderr) == ("opening\n", "")


def test_loading_the_board_does_not_load_miniaudio() -> None:
    code = "import sys, kozel.sounds.board; print([n for n in ('miniaudio', 'difflib', 'yaml') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20, check=True)
    assert done.stdout.strip() == "[]"
