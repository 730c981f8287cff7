"""A real PulseAudio that plays into nothing, and a recorder on it: what a player would hear, with its times and sides."""

from __future__ import annotations

import importlib.util
import math
import os
import shutil
import signal
import subprocess
import threading
import time
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

RATE = 48_000
SILENCE = 8
"""Samples up to this are silence: the last bits of a sound that dies away."""
_PATIENCE = 15.0


def missing() -> str | None:
    """Why there can be no null sink here, if so."""
    absent = [name for name in ("pulseaudio", "parec", "pactl") if shutil.which(name) is None]
    if importlib.util.find_spec("miniaudio") is None:
        absent.append("miniaudio")
    return f"not installed: {', '.join(absent)}" if absent else None


_Sink = TypeVar("_Sink", bound="NullSink")


class NullSink:
    """Starts, kills and freezes a PulseAudio of its own. `folder` must be short: a socket's path has 107 bytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = f"unix:{folder}/native"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self: _Sink) -> _Sink:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.kill()

    @property
    def environ(self) -> dict[str, str]:
        """What makes a program use it."""
        return {"PULSE_SERVER": self.server, "XDG_RUNTIME_DIR": str(self.folder)}

    def start(self) -> None:
        """Start it; returns when it answers."""
        here = str(self.folder)
        socket = f"module-native-protocol-unix socket={here}/native auth-anonymous=1"
        sink = f"module-null-sink sink_name=null rate={RATE}"
        self._process = subprocess.Popen(
            [
                "pulseaudio",
                "-n",
                "--daemonize=no",
                "--exit-idle-time=-1",
                "--use-pid-file=no",
                "-L",
                socket,
                "-L",
                sink,
            ],
            env={**os.environ, **self.environ, "HOME": here, "PULSE_RUNTIME_PATH": f"{here}/pulse"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + _PATIENCE
        asks = ["pactl", "-s", self.server, "info"]
        while subprocess.run(asks, capture_output=True, timeout=_PATIENCE, check=False).returncode:
            assert time.monotonic() < until, "PulseAudio does not start"
            time.sleep(0.05)

    def signal(self, number: signal.Signals) -> None:
        """Freeze it with SIGSTOP, wake it with SIGCONT."""
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        """End it at once; its socket goes, too."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait(_PATIENCE)
            (self.folder / "native").unlink(missing_ok=True)

    def record(self) -> Recorder:
        """Begin to record what it plays."""
        return Recorder(self.server)


class PipeWireSink(NullSink):
    """The same with a PipeWire, which answers as PulseAudio does."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.server = f"unix:{folder}/pulse/native"
        self._parts: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Start it; returns when it answers."""
        here = str(self.folder)
        env = {**os.environ, "XDG_RUNTIME_DIR": here, "HOME": here}
        bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address=1"], env=env, stdout=subprocess.PIPE
        )
        assert bus.stdout is not None
        env["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
        self._parts.append(bus)
        for part in ("pipewire", "wireplumber", "pipewire-pulse"):
            self._parts.append(subprocess.Popen([part], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            time.sleep(1)
        for words in (
            ["load-module", "module-null-sink", "sink_name=null", f"rate={RATE}"],
            ["set-default-sink", "null"],
        ):
            subprocess.run(["pactl", "-s", self.server, *words], capture_output=True, timeout=_PATIENCE, check=True)
        time.sleep(1)

    def kill(self) -> None:
        """End all its parts."""
        while self._parts:
            part = self._parts.pop()
            part.kill()
            part.wait(_PATIENCE)


class Heard(NamedTuple):
    """What came between one request and the next. `after`: seconds from the request to the first sample that is no
    silence; `seconds`: from there to the last; `pan` from -1 to 1; `peak` and `loudness` (its root mean square, both sides
    together): of full scale."""

    after: float
    seconds: float
    pan: float
    peak: float
    loudness: float


class Recorder:
    """Records from a sink's monitor in small pieces, so that each is known to have come at its time."""

    def __init__(self, server: str) -> None:
        self._process = subprocess.Popen(
            [
                "parec",
                "-s",
                server,
                "-d",
                "null.monitor",
                "--raw",
                f"--rate={RATE}",
                "--format=s16le",
                "--latency-msec=2",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._pieces: list[tuple[float, bytes]] = []
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        while piece := os.read(self._process.stdout.fileno(), 1 << 16):
            self._pieces.append((time.monotonic(), piece))

    def stop(self) -> None:
        """Ends the recording."""
        self._process.terminate()
        self._process.wait(_PATIENCE)
        self._thread.join(_PATIENCE)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def heard(self, asked: Sequence[float]) -> list[Heard | None]:
        """Ends the recording: what was heard after each of these moments of the monotonic clock, None for nothing."""
        self.stop()
        spans = zip(asked, [*asked[1:], math.inf], strict=True)
        return [_heard(begin, [piece for piece in self._pieces if begin <= piece[0] < end]) for begin, end in spans]


def _heard(asked: float, pieces: list[tuple[float, bytes]]) -> Heard | None:
    """Of a piece, the first loud frame is told as having come with it."""
    first: float | None = None
    frames, last = 0, 0
    left_energy = right_energy = peak = 0
    for at, piece in pieces:
        samples = array("h")
        samples.frombytes(piece[: len(piece) // 4 * 4])
        loud = [place for place, sample in enumerate(samples) if abs(sample) > SILENCE]
        if loud:
            if first is None:
                first, frames = at, -(loud[0] // 2)
            last = frames + loud[-1] // 2
            left_energy += sum(sample * sample for sample in samples[::2])
            right_energy += sum(sample * sample for sample in samples[1::2])
            peak = max(peak, *map(abs, samples))
        frames += len(samples) // 2
    if first is None:
        return None
    pan = math.atan2(math.sqrt(right_energy), math.sqrt(left_energy)) * 4 / math.pi - 1
    loudness = math.sqrt((left_energy + right_energy) / max(1, last)) / 32_768
    return Heard(first - asked, last / RATE, pan, peak / 32_768, loudness)
