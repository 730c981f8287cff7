"""The sound device, through miniaudio. Importing this loads miniaudio: only the board's own thread does."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import logging
import sys
from array import array
from collections.abc import Callable, Generator
from typing import Any

from kozel.sounds.bank import RATE, Samples

miniaudio: Any = importlib.import_module("miniaudio")
log = logging.getLogger(__name__)

_BACKENDS = {
    "win32": (miniaudio.Backend.WASAPI, miniaudio.Backend.DSOUND, miniaudio.Backend.WINMM),
    "darwin": (miniaudio.Backend.COREAUDIO,),
}
_ELSEWHERE = (miniaudio.Backend.PULSEAUDIO, miniaudio.Backend.ALSA)
"""PipeWire answers as PulseAudio. JACK's library would write on the terminal, and the null device plays to nobody."""
_PERIOD_MS = 10

Fill = Callable[[int], bytes]
"""Gives so many frames of two channels, 16 bit."""


class NoDevice(Exception):
    """No device can be opened now."""


class Device:
    """The system's chosen device, playing what `fill` gives. Raises `NoDevice`. Opening and closing may hang."""

    def __init__(self, fill: Fill) -> None:
        _quieten_alsa()
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
        try:
            samples = fill(frames)
        except Exception:  # miniaudio would print it on the player's terminal and fall silent for good
            log.exception("a block of sound was lost")
            samples = bytes(4 * frames)
        frames = yield samples


_ERROR_HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p)
_say_nothing: Any = _ERROR_HANDLER(lambda *_: None)


def _quieten_alsa() -> None:
    """ALSA's library writes its troubles on standard error, which a screen reader reads out."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL("libasound.so.2").snd_lib_error_set_handler(_say_nothing)
