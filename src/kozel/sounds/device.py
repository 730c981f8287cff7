"""The sound device, through miniaudio. Importing this loads miniaudio: only the process that plays does."""

from __future__ import annotations

import contextlib
import importlib
import sys
from array import array
from collections.abc import Callable, Generator
from typing import Any

from kozel.sounds.bank import RATE, Samples

miniaudio: Any = importlib.import_module("miniaudio")
_BACKENDS = {
    "win32": (miniaudio.Backend.WASAPI, miniaudio.Backend.DSOUND, miniaudio.Backend.WINMM),
    "darwin": (miniaudio.Backend.COREAUDIO,),
}
_ELSEWHERE = (miniaudio.Backend.PULSEAUDIO, miniaudio.Backend.ALSA)
"""PipeWire answers as PulseAudio. JACK wants a server of its own, and the null device plays to nobody."""
_PERIOD_MS = 10

Fill = Callable[[int], bytes]
"""Gives so many frames of two channels, 16 bit."""


class NoDevice(Exception):
    """No device can be opened now."""


class Device:
    """The system's chosen device, playing what `fill` gives. Raises `NoDevice`. Opening and closing may hang."""

    def __init__(self, fill: Fill) -> None:
        try:
            self._device = miniaudio.PlaybackDevice(
                output_format=miniaudio.SampleFormat.SIGNED16,
                nchannels=2,
                sample_rate=RATE,
                buffersize_msec=_PERIOD_MS,
                backends=list(_BACKENDS.get(sys.platform, _ELSEWHERE)),
                app_name="Kozel",
            )
        except miniaudio.MiniaudioError as error:
            raise NoDevice(str(error)) from error
        self.name = str(self._device.backend)
        stream = _stream(fill)
        next(stream)
        try:
            self._device.start(stream)
        except miniaudio.MiniaudioError as error:
            self.close()
            raise NoDevice(str(error)) from error

    def close(self) -> None:
        """Lets the device go."""
        with contextlib.suppress(miniaudio.MiniaudioError):
            self._device.close()


def decoded(data: bytes) -> Samples:
    """A WAV or OGG Vorbis file as samples of one channel at `RATE`. Raises `miniaudio.DecodeError`."""
    sound = miniaudio.decode(data, output_format=miniaudio.SampleFormat.SIGNED16, nchannels=1, sample_rate=RATE)
    return array("h", sound.samples)


def _stream(fill: Fill) -> Generator[bytes, int, None]:
    frames = yield b""
    while True:
        frames = yield fill(frames)
