"""Makes the sounds that come with the game: `python tools/make_sounds.py [FOLDER]`.

The same bytes come out on every machine: whole numbers, additions and multiplications alone, which IEEE 754 fixes to the
last bit; `math.sin` and `math.exp` are a little different from one C library to the next. A sound is a sum of things
struck (`mode`), blown (`tone`) and rubbed (`noise`), each with its attack and decay; nothing is recorded, so nobody else
has a right in them.
"""

from __future__ import annotations

import sys
import wave
from array import array
from collections.abc import Callable, Iterable
from pathlib import Path

RATE = 24_000
FOLDER = Path(__file__).resolve().parent.parent / "src" / "kozel" / "sounds" / "files"
_FULL = 32_767

Samples = list[float]


def sine(turns: float) -> float:
    """The sine of so many whole turns, by its power series: right to nine decimals."""
    part = turns - int(turns)
    if part > 0.5:
        return -sine(part - 0.5)
    x = (0.5 - part if part > 0.25 else part) * 6.283185307179586
    square = x * x
    return x * (
        1
        - square
        / 6
        * (1 - square / 20 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110 * (1 - square / 156)))))
    )


def length(ms: float) -> int:
    """How many samples these milliseconds are."""
    return int(RATE * ms / 1000)


def decaying(samples: Iterable[float], decay: float, attack: float = 0.5) -> Samples:
    """Rises in `attack` ms, then falls to a third in each `decay` ms."""
    rise, factor, level = max(1, length(attack)), 1 - 1 / length(decay), 1.0
    shaped = []
    for at, sample in enumerate(samples):
        if at < rise:
            shaped.append(sample * at / rise)
        else:
            shaped.append(sample * level)
            level *= factor
    return shaped


def mode(pitch: float, ms: float, decay: float) -> Samples:
    """One way in which a struck thing rings."""
    return decaying((sine(at * pitch / RATE) for at in range(length(ms))), decay)


def tone(pitch: float, to: float, ms: float, decay: float, attack: float = 4.0) -> Samples:
    """A soft tone, gliding from one pitch to another, with a weak octave."""
    turns, samples = 0.0, []
    count = length(ms)
    for at in range(count):
        samples.append(sine(turns) + 0.25 * sine(2 * turns))
        turns += (pitch + (to - pitch) * at / count) / RATE
    return faded(decaying(samples, decay, attack), 6)


def noise(ms: float, decay: float, attack: float, smooth: float) -> Samples:
    """A rub or a splash. `smooth` from 0, bright, to 1, dull."""
    state, low, samples = 20_261_130, 0.0, []
    for _ in range(length(ms)):
        state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
        low += (1 - smooth) * (state / 2_147_483_648 - 1 - low)
        samples.append(low)
    return faded(decaying(samples, decay, attack), 4)


def bleat(pitch: float, ms: float) -> Samples:
    """A goat: many harmonics that tremble."""
    turns, samples = 0.0, []
    for at in range(length(ms)):
        shake = sine(15 * at / RATE)
        voice = sum(
            sine(turns * n) * weight for n, weight in ((1, 0.5), (2, 0.8), (3, 1.0), (4, 0.7), (5, 0.4), (7, 0.2))
        )
        samples.append(voice * (0.6 + 0.4 * shake))
        turns += (pitch + 14 * shake - 70 * at / length(ms)) / RATE
    return faded(decaying(samples, 700, 30), 90)


def buzz(pitch: float, ms: float) -> Samples:
    """A low reed: odd harmonics, without a ring."""
    reed = [sum(sine(n * at * pitch / RATE) / n for n in (1, 3, 5, 7, 9)) for at in range(length(ms))]
    return faded(decaying(reed, 400, 3), 12)


def faded(samples: Samples, ms: float) -> Samples:
    """Ends in silence."""
    over = length(ms)
    return [
        sample * min(1.0, (len(samples) - 1 - at) / over) if len(samples) - at <= over else sample
        for at, sample in enumerate(samples)
    ]


def mixed(*parts: tuple[float, float, Samples]) -> Samples:
    """Parts put together: (ms from the start, loudness, samples) each."""
    whole = [0.0] * max(length(start) + len(samples) for start, _, samples in parts)
    for start, loud, samples in parts:
        for at, sample in enumerate(samples, length(start)):
            whole[at] += loud * sample
    return whole


def bone(pitch: float = 1.0) -> Samples:
    """A tile put down on a wooden table."""
    return faded(
        mixed(
            (0, 0.5, noise(6, 1.5, 0.1, 0.2)),
            (0, 0.9, mode(1900 * pitch, 60, 9)),
            (0, 0.7, mode(3270 * pitch, 40, 5)),
            (0, 0.5, mode(5130 * pitch, 30, 3)),
            (0, 0.8, mode(230, 65, 14)),
        ),
        8,
    )


def knock() -> Samples:
    """Knuckles on the table."""
    return faded(
        mixed((0, 0.3, noise(5, 1.5, 0.1, 0.7)), (0, 1.0, mode(165, 65, 16)), (0, 0.6, mode(390, 60, 11))),
        10,
    )


def notes(step: float, ms: float, decay: float, *pitches: float) -> Samples:
    """Tones one after another, `step` ms apart."""
    return mixed(*((number * step, 0.7, tone(pitch, pitch, ms, decay)) for number, pitch in enumerate(pitches)))


def shuffle() -> Samples:
    """Tiles stirred on the table."""
    starts = ((0, 0.5), (13, 0.8), (24, 0.4), (41, 1.0), (52, 0.5), (69, 0.7), (81, 0.4))
    return mixed(*((start, loud, bone(0.8 + 0.06 * number)) for number, (start, loud) in enumerate(starts)))


SOUNDS: dict[str, tuple[float, Callable[[], Samples]]] = {
    "turn": (0.6, lambda: mixed((0, 0.8, tone(659, 659, 75, 60)), (60, 1.0, tone(988, 988, 85, 60)))),
    "laid": (0.95, bone),
    "double": (0.95, lambda: mixed((0, 1.0, bone(1.0)), (58, 1.0, bone(1.25)))),
    "drew": (0.8, lambda: mixed((0, 1.0, noise(75, 60, 50, 0.35)), (62, 0.5, bone(0.85)))),
    "passed": (0.95, lambda: mixed((0, 1.0, knock()), (80, 0.8, knock()))),
    "last": (0.6, lambda: faded(mixed((0, 1.0, mode(2637, 145, 45)), (0, 0.5, mode(3951, 145, 30))), 20)),
    "dealt": (0.8, shuffle),
    "handover": (0.6, lambda: notes(48, 52, 60, 523, 784, 523)),
    "marked": (0.5, lambda: tone(2100, 3000, 50, 60)),
    "unmarked": (0.5, lambda: tone(3000, 2100, 50, 60)),
    "refused": (0.5, lambda: buzz(118, 110)),
    "out": (0.6, lambda: notes(85, 240, 130, 523, 659, 784, 1047)),
    "fish": (0.7, lambda: mixed((0, 1.0, tone(440, 215, 260, 200)), (240, 0.9, tone(360, 165, 300, 220)))),
    "eggs": (0.7, lambda: mixed(*((at, 1.0, tone(260, 640, 90, 60)) for at in (0, 160, 320)))),
    "won": (
        0.6,
        lambda: mixed((0, 1, notes(95, 130, 160, 392, 523, 659)), (285, 1, notes(0, 310, 200, 523, 659, 784))),
    ),
    "lost": (0.6, lambda: notes(150, 290, 200, 659, 523, 440)),
    "goat": (0.6, lambda: bleat(400, 590)),
    "came": (0.6, lambda: mixed((0, 0.4, knock()), (20, 0.8, tone(330, 494, 125, 120)))),
    "went": (0.6, lambda: mixed((0, 0.8, tone(494, 330, 125, 120)), (80, 0.4, knock()))),
    "talk": (0.5, lambda: notes(65, 60, 40, 1319, 1760)),
}
"""Each sound: how loud its loudest sample is, and what it is made of."""


def made(name: str) -> bytes:
    """The samples of a sound: 16 bit, one channel, little-endian."""
    loudest, recipe = SOUNDS[name]
    samples = recipe()
    top = max(map(abs, samples))
    whole = array("h", (int(sample / top * loudest * _FULL) for sample in samples))
    if sys.byteorder == "big":
        whole.byteswap()
    return whole.tobytes()


def main(folder: Path) -> None:
    """Write every sound as NAME.wav."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in SOUNDS:
        with wave.open(str(folder / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(made(name))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
