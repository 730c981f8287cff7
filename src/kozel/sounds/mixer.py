"""Puts the sounds that play together into one stream of samples: two channels, 16 bit, `bank.RATE` a second.

`put` may be called from any thread and only appends to a queue; `block` belongs to the device's thread.
"""

from __future__ import annotations

import math
import time
from array import array
from collections import deque
from collections.abc import Callable, Sequence

from kozel.sounds.bank import RATE, Samples
from kozel.sounds.plan import KINDS, SOUNDS, Cue, Kind

DEFAULT_VOLUME = 50
"""Full scale is 100; at 50 the loudest sample is a quarter of it, 12 dB below."""
STALE = 0.7
"""Seconds after which what could not be played is not worth playing: the game is elsewhere."""
LONGEST_QUEUE = 0.9
"""Seconds of sounds that may wait; past that, moves that were not heard yet are left out."""
_NEXT_AFTER = 0.75
"""Of a sound's length; then the next one begins, so that a run of them is heard as a run and its order is kept."""
_LONGEST_STEP = int(0.45 * RATE)
_TOP = 32_767
_MOST_WAITING = 64  # while no device takes them


def gain_of(volume: int) -> float:
    """How much of full scale a volume from 0 to 100 is: even steps to the ear."""
    return (volume / 100) ** 2


class _Voice:
    """A sound that plays: `at` samples of it are gone; `delay` samples of silence come first."""

    __slots__ = ("at", "delay", "kind", "left", "right", "samples")

    def __init__(self, cue: Cue, samples: Samples, delay: int) -> None:
        angle = (max(-1.0, min(1.0, cue.pan)) + 1) * math.pi / 4
        self.samples, self.delay, self.at = samples, delay, 0
        self.left, self.right = cue.gain * math.cos(angle), cue.gain * math.sin(angle)
        self.kind: Kind = SOUNDS[cue.name]


class Mixer:
    """`samples(name, pitch)` gives a sound. `volume` and `volumes`, by kind, hold from the next block on."""

    def __init__(self, samples: Callable[[str, float], Samples], volume: int = DEFAULT_VOLUME) -> None:
        self._samples = samples
        self.volume = volume
        self.volumes: dict[Kind, int] = dict.fromkeys(KINDS, 100)
        self._new: deque[tuple[float, Sequence[Cue]]] = deque(maxlen=_MOST_WAITING)
        self._waiting: list[Cue] = []
        self._voices: list[_Voice] = []
        self._free_in = 0

    def put(self, cues: Sequence[Cue], at: float | None = None) -> None:
        """Play these one after another, the first at once, or after those that still wait.

        `at`: when they were asked for, by the monotonic clock, which all processes share; now unless given.
        """
        self._new.append((time.monotonic() if at is None else at, cues))

    @property
    def sounds(self) -> bool:
        """Whether anything plays or waits."""
        return bool(self._new or self._waiting or self._voices)

    def block(self, frames: int) -> bytes:
        """The next samples for the device."""
        while self._new:
            put_at, cues = self._new.popleft()
            if time.monotonic() - put_at < STALE:
                self._take(cues)
        while self._waiting and self._free_in < frames:
            self._begin(self._waiting.pop(0), max(0, self._free_in))
        self._free_in = max(0, self._free_in - frames)
        return self._mixed(frames) if self._voices else bytes(4 * frames)

    def _take(self, cues: Sequence[Cue]) -> None:
        """What answers a key is heard at once, whatever waits."""
        for cue in cues:
            if SOUNDS[cue.name] == "keys":
                self._voices.append(_Voice(cue, self._samples(cue.name, cue.pitch), 0))
            else:
                self._waiting.append(cue)
        if sum(map(self._step, self._waiting)) > LONGEST_QUEUE * RATE:
            self._waiting = [cue for cue in self._waiting if SOUNDS[cue.name] != "moves"][-3:]

    def _step(self, cue: Cue) -> int:
        return min(int(len(self._samples(cue.name, cue.pitch)) * _NEXT_AFTER), _LONGEST_STEP)

    def _begin(self, cue: Cue, delay: int) -> None:
        self._voices.append(_Voice(cue, self._samples(cue.name, cue.pitch), delay))
        self._free_in = delay + self._step(cue)

    def _mixed(self, frames: int) -> bytes:
        left, right = [0.0] * frames, [0.0] * frames
        volume = gain_of(self.volume)
        for voice in self._voices:
            start = min(voice.delay, frames)
            part = voice.samples[voice.at : voice.at + frames - start]
            voice.delay -= start
            voice.at += len(part)
            gain = volume * gain_of(self.volumes[voice.kind])
            to_left, to_right = voice.left * gain, voice.right * gain
            for at, sample in enumerate(part, start):
                left[at] += sample * to_left
                right[at] += sample * to_right
        self._voices = [voice for voice in self._voices if voice.delay or voice.at < len(voice.samples)]
        block = array("h", bytes(4 * frames))
        block[::2] = array("h", map(_limited, left))
        block[1::2] = array("h", map(_limited, right))
        return block.tobytes()


def _limited(sample: float) -> int:
    return max(-_TOP, min(_TOP, int(sample)))
