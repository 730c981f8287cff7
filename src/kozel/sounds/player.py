"""The process that plays: `main` reads what to play from standard input and writes how the device is to standard output.

It is a process of its own because a device asks for samples a hundred times a second: beside a computer player that
thinks, Python would answer it too late, and the sounds would crackle. It also means that an audio library that hangs,
crashes or writes on the terminal does so elsewhere. A line is one JSON object: in come `Order`s, out go `Report`s.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Literal, Protocol, TypedDict

from kozel.sounds.bank import Bank, Decode
from kozel.sounds.mixer import Mixer
from kozel.sounds.plan import Cue, Kind

State = Literal["playing", "no_device", "stopped", "absent"]
"""stopped: the device hangs or has gone; absent: miniaudio does not load."""

_BEAT = 0.4
"""Seconds without a question for samples after which a device does not play."""
_GONE = 1.5
"""Seconds after which it is opened again."""
_FILLING = 0.05
_SLOWEST_START = 4.0
"""Seconds that a sink that was asleep may take to wake up."""
_LOOK = 0.1
_RETRY = 2.0
_LAST_SOUND = 0.7
"""Seconds that a sound may go on after the game has ended."""


class Order(TypedDict, total=False):
    """What the game asks. `play`: cues, as lists, that were asked for at `at` of the monotonic clock; `number`: of the order."""

    own: str | None
    volume: int
    volumes: dict[Kind, int]
    play: list[list[Any]]
    at: float
    number: int


class Report(TypedDict, total=False):
    """What the game is told. `taken`: the number of the last order read; `bad`: file, reason, nearest name of own files."""

    state: State
    output: str
    bad: list[tuple[str, str, str]]
    taken: int


class Sink(Protocol):
    """An open device."""

    name: str

    def close(self) -> None:
        """Lets it go."""


Opener = Callable[[Callable[[int], bytes]], Sink]
"""Opens a device that plays what its argument gives. Raises where there is none; may hang."""


class Player:
    """Opens a device, and opens it again when it has gone; `report` is called with each change, from any thread.

    That a device asks for samples is the only proof that it plays. `tools`: what opens devices and decodes files.
    """

    def __init__(self, own: Path | None, tools: Callable[[], tuple[Opener, Decode]], report: Callable[[Report], None]):
        self._own, self._tools, self._report = own, tools, report
        self.mixer = Mixer(self._samples)
        self._bank: Bank | None = None
        self._state: State | None = None
        self._beat = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sounds", daemon=True)

    def start(self) -> None:
        """Look for a device, in another thread."""
        self._thread.start()

    def stop(self) -> None:
        """Let the device go. Waits for what still sounds, and not for a device that hangs."""
        end = time.monotonic() + _LAST_SOUND
        while self._state == "playing" and self.mixer.sounds and time.monotonic() < end:
            time.sleep(0.02)
        self._over.set()
        if self._state == "playing":
            self._thread.join(_LAST_SOUND)

    def _run(self) -> None:
        try:
            opener, decode = self._tools()
        except Exception:
            self._know("absent")
            return
        self._bank = Bank(self._own, decode)
        if self._bank.problems:
            self._report({"bad": [(bad.file.name, bad.reason, bad.near) for bad in self._bank.problems]})
        while not self._over.is_set():
            try:
                sink = opener(self._fill)
            except Exception:
                self._know("no_device")
                self._over.wait(_RETRY)
                continue
            self._attend(sink.name)
            sink.close()

    def _attend(self, output: str) -> None:
        """Until the player stops, or the device asks for no more samples. The first blocks only fill its buffer."""
        filled = time.monotonic() + _FILLING
        while not self._over.wait(_LOOK if self._state == "playing" else _LOOK / 5):
            beat = self._beat
            silent = time.monotonic() - max(filled, beat)
            if beat > filled and silent < _BEAT:
                self._know("playing", output)
            elif self._state == "playing":
                self._know("stopped")
            if silent > (_GONE if beat > filled else _SLOWEST_START):
                self._know("stopped")
                return

    def _know(self, state: State, output: str = "") -> None:
        if state != self._state:
            self._state = state
            self._report({"state": state, "output": output})

    def _fill(self, frames: int) -> bytes:
        """The device's thread asks for samples."""
        self._beat = time.monotonic()
        try:
            return self.mixer.block(frames)
        except Exception:  # a device that gets no answer falls silent for good
            return bytes(4 * frames)

    def _samples(self, name: str, pitch: float) -> Any:
        assert self._bank is not None
        return self._bank.samples(name, pitch)


def obey(player: Player, order: Order) -> None:
    """Carry out an order."""
    if "volume" in order:
        player.mixer.volume = order["volume"]
    player.mixer.volumes.update(order.get("volumes", {}))
    if "play" in order:
        player.mixer.put([Cue(*cue) for cue in order["play"]], order["at"])


def miniaudio_tools() -> tuple[Opener, Decode]:
    """The device and the decoder of miniaudio. Raises `ImportError`."""
    from kozel.sounds.device import Device, decoded

    return Device, decoded


def main() -> None:
    """Play what standard input says until it ends; the first order names the folder of the player's own sounds."""
    orders = _orders(sys.stdin)
    first = next(orders, None)
    if first is not None:
        own = first.get("own")
        player = Player(Path(own) if own else None, miniaudio_tools, _tell)
        obey(player, first)
        player.start()
        for order in orders:
            obey(player, order)
            _tell({"taken": order.get("number", 0)})
        player.stop()
    os._exit(0)  # a device that hangs would hold the interpreter's end up


def _orders(lines: IO[str]) -> Iterator[Order]:
    while line := lines.readline():
        yield json.loads(line)


_telling = threading.Lock()


def _tell(report: Report) -> None:
    with _telling, contextlib.suppress(OSError):
        os.write(1, (json.dumps(report) + "\n").encode())
