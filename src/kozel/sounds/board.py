"""Where the game plays its sounds. Nothing here raises, and nothing waits: a process of its own plays (see `player`)."""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import json
import logging
import os
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast

from kozel.apart import APART, python
from kozel.sounds.bank import BadSound
from kozel.sounds.mixer import DEFAULT_VOLUME, STALE
from kozel.sounds.plan import KINDS, Cue, Kind
from kozel.sounds.player import Order, Report, State

log = logging.getLogger(__name__)

Status = Literal["off", "opening"] | State
"""off: not wished; opening: not known yet; absent: miniaudio is not installed; stopped: the device hangs or has gone."""

_MOST_UNREAD = 30
"""Orders that the player may be behind with: a pipe takes many more, so writing one never waits."""
_UNREAD = 0.5
"""Seconds after which an order that was not read means that the player hangs."""
_RETRY = 2.0


class Board:
    """Plays cues. `volume` is from 0 to 100; `volumes` the same by kind, 100 unless given.

    `on`: False makes it a board that never plays. `own`: the folder of the player's own sounds. `tell` is called once,
    from another thread, with the files there that do not sound, if any. `played` is called with cues as a device gets
    them, from any thread; never without a device. `command` stands for the process that plays.
    """

    def __init__(
        self,
        volume: int = DEFAULT_VOLUME,
        *,
        on: bool = True,
        volumes: Mapping[Kind, int] | None = None,
        own: Path | None = None,
        tell: Callable[[Sequence[BadSound]], object] | None = None,
        played: Callable[[Sequence[Cue]], object] | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        self._volume = volume
        self._volumes: dict[Kind, int] = {**dict.fromkeys(KINDS, 100), **(volumes or {})}
        self._own, self._tell, self._played = own, tell, played
        self._command = command or python("kozel.sounds.player")
        self._status: Status = "off" if not on else "opening" if command or installed() else "absent"
        self.output = ""
        self._number = self._taken = 0
        self._unread_since = 0.0
        self._volume_missed = False
        self._early: list[tuple[float, Sequence[Cue]]] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._known = threading.Event()
        self._thread: threading.Thread | None = None

    # what the game asks

    def start(self) -> None:
        """Look for a device, in another thread."""
        if self._thread is not None or self.silent or self._closed.is_set():
            return
        self._thread = threading.Thread(target=self._run, name="sounds", daemon=True)
        with contextlib.suppress(RuntimeError):  # the interpreter is on its way out
            self._thread.start()
            atexit.register(self.close)

    def play(self, cues: Sequence[Cue]) -> None:
        """Play these one after another; without a device, nothing. What comes while one is opened waits a moment."""
        if not cues or self.silent:
            return
        self.start()
        with self._lock:
            if self._status == "opening":
                self._early = [*self._early, (time.monotonic(), cues)][-_MOST_UNREAD:]
                return
        if self.plays:
            self._play(time.monotonic(), cues)

    def _play(self, at: float, cues: Sequence[Cue]) -> None:
        if self._order({"play": [list(cue[:4]) for cue in cues], "at": at}) and self._played is not None:
            self._played(cues)

    @property
    def silent(self) -> bool:
        """Whether nothing will ever be heard here: sounds are off, or miniaudio is not installed."""
        return self._status in ("off", "absent")

    @property
    def status(self) -> Status:
        """How it stands with the device now."""
        behind = self._number > self._taken and time.monotonic() - self._unread_since > _UNREAD
        return "stopped" if self._status == "playing" and behind else self._status

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
        return self._volume

    @volume.setter
    def volume(self, volume: int) -> None:
        self._volume = max(0, min(100, volume))
        self._order({"volume": self._volume})

    def volume_of(self, kind: Kind) -> int:
        """The volume of a kind of sounds, from 0 to 100."""
        return self._volumes[kind]

    def set_volume_of(self, kind: Kind, volume: int) -> None:
        """Turn one kind of sounds up or down."""
        self._volumes[kind] = max(0, min(100, volume))
        self._order({"volumes": {kind: self._volumes[kind]}})

    def close(self) -> None:
        """Let the device go. The last sound ends by itself; nothing waits for it."""
        atexit.unregister(self.close)
        self._closed.set()
        with self._lock:
            self._hang_up()

    # the process that plays

    def _order(self, order: Order) -> bool:
        """Write an order, if there is a process; one that hangs gets no more. Was it written?"""
        with self._lock:
            if self._process is None or self._number - self._taken >= _MOST_UNREAD:
                self._volume_missed |= "play" not in order
                return False
            if self._number == self._taken:
                self._unread_since = time.monotonic()
            self._number += 1
            self._write({**order, "number": self._number})
            return True

    def _write(self, order: Order) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            os.write(self._process.stdin.fileno(), (json.dumps(order) + "\n").encode())

    def _run(self) -> None:
        """The board's thread: have a process that plays, until the board is closed or there can be none."""
        while not self._closed.is_set() and self._status != "absent":
            try:
                process = subprocess.Popen(
                    self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **APART
                )
            except OSError:
                log.exception("the process that plays sounds does not start")
                self._know("no_device")
            else:
                self._converse(process)
            self._closed.wait(_RETRY)

    def _converse(self, process: subprocess.Popen[bytes]) -> None:
        own = str(self._own) if self._own else None
        with self._lock:
            self._process, self._number, self._taken = process, 0, 0
            self._write({"own": own, "volume": self._volume, "volumes": self._volumes})
            self._volume_missed = False
            if self._closed.is_set():
                self._hang_up()
        assert process.stdout is not None
        for line in process.stdout:
            try:
                self._hear(json.loads(line))
            except Exception:
                log.exception("a report of the player was lost")
        with self._lock:
            self._hang_up()
        process.wait()
        if self._status != "absent":
            self._know("stopped")

    def _hear(self, report: Report) -> None:
        if "taken" in report:
            self._taken, self._unread_since = report["taken"], time.monotonic()
            if self._volume_missed and self._taken == self._number:
                self._volume_missed = False
                self._order({"volume": self._volume, "volumes": self._volumes})
        if "state" in report:
            self.output = report["output"]
            self._know(report["state"])
            self._play_early()
        if "bad" in report and self._tell is not None and self._own is not None:
            tell, self._tell = self._tell, None
            tell([BadSound(self._own / name, cast(Any, reason), near=near) for name, reason, near in report["bad"]])

    def _play_early(self) -> None:
        """What waited for the device, unless it waited too long or there is none."""
        with self._lock:
            early, self._early = self._early, []
        for at, cues in early:
            if self._status == "playing" and time.monotonic() - at < STALE:
                self._play(at, cues)

    def _know(self, status: Status) -> None:
        self._status = status
        self._known.set()

    def _hang_up(self) -> None:
        """End the process by the end of its input."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()


def installed() -> bool:
    """Whether the extra `sound` is there; nothing is loaded."""
    try:
        return importlib.util.find_spec("miniaudio") is not None
    except ValueError:  # a module without a spec stands in its place
        return False
