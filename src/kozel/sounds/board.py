"""Plays cues on whatever sound device there is. Nothing here raises, and nothing waits for a device.

A thread of its own loads miniaudio, reads the files, opens the device and opens it again when it has gone. The device's
thread asks for samples a hundred times a second; that it does is the only proof that a device plays, and when it stops
asking, the device has hung or gone.
"""

from __future__ import annotations

import atexit
import importlib.util
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

from kozel.sounds.bank import BadSound, Bank, Decode
from kozel.sounds.mixer import DEFAULT_VOLUME, Mixer
from kozel.sounds.plan import Cue, Kind

log = logging.getLogger(__name__)

Status = Literal["off", "absent", "opening", "playing", "no_device", "stopped"]
"""off: not wished; absent: miniaudio is not installed; opening: not known yet; stopped: the device hangs or has gone."""

STEP = 10
"""How much PageUp and PageDown change the volume."""
_BEAT = 0.5
"""Seconds without a question for samples after which a device does not play."""
_GONE = 1.5
"""Seconds after which it is opened again."""
_RETRY = 2.0
_LAST_SOUND = 0.25
"""Seconds that closing a device that plays may take; one that does not play is not waited for."""


class Sink(Protocol):
    """An open device."""

    name: str

    def close(self) -> None:
        """Lets it go."""


Opener = Callable[[Callable[[int], bytes]], Sink]
"""Opens a device that plays what its argument gives. Raises where there is none; may hang."""


class Board:
    """Where sounds are played. `volume` is from 0 to 100; `volumes` the same by kind, 100 unless given.

    `on`: False makes it a board that never plays. `own`: the folder of the player's own sounds. `tell` is called once,
    from another thread, with the files there that do not sound, if any. `tools` stand for the device and the decoder.
    """

    def __init__(
        self,
        volume: int = DEFAULT_VOLUME,
        *,
        on: bool = True,
        volumes: Mapping[Kind, int] | None = None,
        own: Path | None = None,
        tell: Callable[[Sequence[BadSound]], object] | None = None,
        tools: Callable[[], tuple[Opener, Decode]] | None = None,
    ) -> None:
        self._own, self._tell, self._tools = own, tell, tools or _miniaudio
        self._mixer = Mixer(self._samples, volume)
        self._mixer.volumes.update(volumes or {})
        self._bank: Bank | None = None
        self._status: Status = "off" if not on else "opening" if tools or installed() else "absent"
        self.output = ""
        self._beat = 0.0
        self._closing = threading.Event()
        self._known = threading.Event()
        self._thread: threading.Thread | None = None

    # what the game asks

    def start(self) -> None:
        """Look for a device, in another thread."""
        if self._thread is not None or self.silent or self._closing.is_set():
            return
        self._thread = threading.Thread(target=self._run, name="sounds", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:  # the interpreter is on its way out
            return
        atexit.register(self.close)

    def play(self, cues: Sequence[Cue]) -> None:
        """Play these one after another; without a device, nothing."""
        if cues and not self.silent:
            self.start()
            self._mixer.put(cues)

    @property
    def silent(self) -> bool:
        """Whether no device will ever play here: sounds are off, or miniaudio is not installed."""
        return self._status in ("off", "absent")

    @property
    def status(self) -> Status:
        """How it stands with the device now."""
        if self._status == "playing" and time.monotonic() - self._beat > _BEAT:
            return "stopped"
        return self._status

    @property
    def plays(self) -> bool:
        """Whether what is played now is heard."""
        return self.status == "playing"

    def settled(self, timeout: float) -> Status:
        """The status once a device was looked for, or after so many seconds."""
        self.start()
        if self._thread is not None:
            self._known.wait(timeout)
        return self.status

    @property
    def volume(self) -> int:
        """From 0 to 100; what plays follows at once."""
        return self._mixer.volume

    @volume.setter
    def volume(self, volume: int) -> None:
        self._mixer.volume = max(0, min(100, volume))

    def louder(self) -> int:
        """The volume a step up; the new one."""
        self.volume = self.volume + STEP
        return self.volume

    def quieter(self) -> int:
        """The volume a step down; the new one."""
        self.volume = self.volume - STEP
        return self.volume

    def volume_of(self, kind: Kind) -> int:
        """The volume of a kind of sounds, from 0 to 100."""
        return self._mixer.volumes[kind]

    def set_volume_of(self, kind: Kind, volume: int) -> None:
        """Turn one kind of sounds up or down."""
        self._mixer.volumes[kind] = max(0, min(100, volume))

    def close(self) -> None:
        """Let the device go. Waits a moment where one plays, for one that hangs not at all."""
        atexit.unregister(self.close)
        waits = self.plays
        self._closing.set()
        if waits and self._thread is not None:
            self._thread.join(_LAST_SOUND)

    # the board's thread

    def _run(self) -> None:
        try:
            opener, decode = self._tools()
        except Exception:
            log.exception("miniaudio does not load")
            self._know("absent")
            return
        self._bank = Bank(self._own, decode)
        if self._bank.problems and self._tell is not None:
            self._tell(self._bank.problems)
        while not self._closing.is_set():
            try:
                sink = opener(self._fill)
            except Exception as error:
                log.debug("no sound device: %s", error)
                self._know("no_device")
                self._closing.wait(_RETRY)
                continue
            self.output = sink.name
            self._attend()
            sink.close()

    def _attend(self) -> None:
        """Until the board closes, or the device asks for no more samples."""
        self._beat = time.monotonic()
        while not self._closing.wait(0.05 if self._status != "playing" else 0.25):
            if time.monotonic() - self._beat > _GONE:
                self._know("stopped")
                return

    def _know(self, status: Status) -> None:
        self._status = status
        self._known.set()

    # the device's thread

    def _fill(self, frames: int) -> bytes:
        self._beat = time.monotonic()
        if self._status != "playing":
            self._know("playing")
        return self._mixer.block(frames)

    def _samples(self, name: str, pitch: float) -> Sequence[int]:
        assert self._bank is not None
        return self._bank.samples(name, pitch)


def installed() -> bool:
    """Whether the extra `sound` is there; nothing is loaded."""
    return importlib.util.find_spec("miniaudio") is not None


def _miniaudio() -> tuple[Opener, Decode]:
    from kozel.sounds.device import Device, decoded

    return Device, decoded
