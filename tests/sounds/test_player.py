"""A device that fails, hangs or goes away is told; one that comes back is used again.

`FakeDevice` stands for a device only here, where none may exist; `test_null_sink.py` has a real one.
"""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kozel.sounds import player as players
from kozel.sounds.bank import Decode
from kozel.sounds.plan import Cue
from kozel.sounds.player import Opener, Player, Report, obey


class FakeDevice:
    """Asks for 10 ms of sound every 10 ms while `asks` is set; closing waits for `lets_go`."""

    name = "fake"

    def __init__(self, fill: Callable[[int], bytes]) -> None:
        self._fill = fill
        self.asks, self.lets_go, self.over = threading.Event(), threading.Event(), threading.Event()
        self.asks.set()
        self.lets_go.set()
        self.loud = threading.Event()
        threading.Thread(target=self._play, daemon=True).start()

    def _play(self) -> None:
        while not self.over.wait(0.01):
            if self.asks.is_set() and any(self._fill(240)):
                self.loud.set()

    def close(self) -> None:
        self.lets_go.wait(20)
        self.over.set()


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


def until(true: Callable[[], bool], timeout: float = 6.0) -> bool:
    end = time.monotonic() + timeout
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


class Heard:
    """A player of a shop's devices, and what it reported."""

    def __init__(self, shop: Shop, own: Path | None = None) -> None:
        self.reports: list[Report] = []
        self.player = Player(own, shop.tools, self.reports.append)
        self.player.start()

    @property
    def states(self) -> list[str]:
        return [report["state"] for report in self.reports if "state" in report]

    def reaches(self, *states: str) -> bool:
        return until(lambda: self.states == list(states))


def test_a_device_plays_what_was_ordered_before_it_opened_and_after(shop: Shop) -> None:
    heard = Heard(shop)
    obey(heard.player, {"play": [["laid", 0.7, 1.0, 1.0]], "at": time.monotonic()})
    assert heard.reaches("playing")
    assert heard.reports[-1]["output"] == "fake"
    assert shop.devices[0].loud.wait(2)
    heard.player.stop()
    assert shop.devices[0].over.is_set()


def test_the_last_sound_ends_before_the_device_is_let_go(shop: Shop) -> None:
    heard = Heard(shop)
    assert heard.reaches("playing")
    heard.player.mixer.put([Cue("laid")])
    heard.player.stop()
    assert shop.devices[0].loud.is_set()
    assert not heard.player.mixer.sounds


def test_a_device_that_hangs_while_it_opens_is_not_waited_for(shop: Shop) -> None:
    shop.open.clear()
    heard = Heard(shop)
    heard.player.mixer.put([Cue("laid")])
    start = time.monotonic()
    heard.player.stop()
    assert time.monotonic() - start < 0.3
    assert heard.states == []


def test_a_device_that_hangs_is_told(shop: Shop) -> None:
    heard = Heard(shop)
    assert heard.reaches("playing")
    shop.devices[0].lets_go.clear()
    shop.devices[0].asks.clear()
    assert heard.reaches("playing", "stopped")
    start = time.monotonic()
    heard.player.stop()
    assert time.monotonic() - start < 0.3


def test_a_device_that_went_and_came_back_plays_again(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "_RETRY", 0.1)
    heard = Heard(shop)
    assert heard.reaches("playing")
    shop.fails = True
    shop.devices[0].asks.clear()
    assert heard.reaches("playing", "stopped", "no_device")
    assert shop.devices[0].over.is_set(), "the dead device was let go"
    shop.fails = False
    assert heard.reaches("playing", "stopped", "no_device", "playing")
    heard.player.mixer.put([Cue("laid")])
    assert shop.devices[1].loud.wait(2)
    heard.player.stop()


def test_volumes_are_obeyed(shop: Shop) -> None:
    heard = Heard(shop)
    obey(heard.player, {"volume": 70, "volumes": {"ends": 20}})
    assert heard.player.mixer.volume == 70
    assert heard.player.mixer.volumes["ends"] == 20
    assert heard.player.mixer.volumes["moves"] == 100
    heard.player.stop()


def test_bad_files_of_the_players_own_are_reported(shop: Shop, tmp_path: Path) -> None:
    (tmp_path / "lay.wav").write_bytes(b"RIFF")
    heard = Heard(shop, tmp_path)
    assert heard.reaches("playing")
    assert {"bad": [("lay.wav", "unknown", "")]} in heard.reports
    heard.player.stop()


def test_miniaudio_that_does_not_load_is_reported() -> None:
    def fails() -> tuple[Opener, Decode]:
        raise ImportError("no miniaudio")

    reports: list[Report] = []
    Player(None, fails, reports.append).start()
    assert until(lambda: reports == [{"state": "absent", "output": ""}])
