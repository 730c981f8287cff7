"""The shipped sounds come out of the generator byte for byte, are as short and as loud as they may be, and all differ."""

from __future__ import annotations

import math
import subprocess
import sys
import wave
from collections.abc import Sequence
from pathlib import Path

import pytest

from kozel.sounds.bank import RATE, SHIPPED, shipped_samples
from kozel.sounds.mixer import DEFAULT_VOLUME, gain_of
from kozel.sounds.plan import SOUNDS

TOOL = Path(__file__).resolve().parents[2] / "tools" / "make_sounds.py"


def test_made_again_they_are_the_same_bytes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(TOOL), str(tmp_path)], check=True, timeout=60)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_bytes() for path in SHIPPED.iterdir()}
    assert set(made) == {f"{name}.wav" for name in SOUNDS}
    assert sum(map(len, made.values())) < 300_000


@pytest.mark.parametrize("name", SOUNDS)
def test_a_sound_is_short_clean_and_within_full_scale(name: str) -> None:
    with wave.open(str(SHIPPED / f"{name}.wav")) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
    samples = shipped_samples(name)
    assert len(samples) / RATE <= (0.6 if SOUNDS[name] == "ends" else 0.15)
    assert 8_000 < max(map(abs, samples)) <= 32_767
    assert abs(samples[0]) < 700, "it would click at its beginning"
    assert abs(samples[-1]) < 700, "it would click at its end"


def test_by_default_the_loudest_is_twelve_decibels_under_full_scale() -> None:
    loudest = max(max(map(abs, shipped_samples(name))) for name in SOUNDS)
    assert 20 * math.log10(loudest / 32_768 * gain_of(DEFAULT_VOLUME)) == pytest.approx(-12.4, abs=0.2)


def test_no_two_sounds_are_alike() -> None:
    """By their energy in time and pitch: 1 is the same sound."""
    names = list(SOUNDS)
    shapes = {name: _bands(shipped_samples(name)) for name in names}
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            likeness = sum(a * b for a, b in zip(shapes[one], shapes[other], strict=True))
            assert likeness < 0.9, f"{one} and {other} are told apart by nothing: {likeness:.2f}"


def _bands(samples: Sequence[int]) -> list[float]:
    """A sound's energy in time and pitch, its length as it is: 20 ms steps, ten pitches, as one vector of length 1."""
    step = RATE // 50
    vector = []
    for start in range(0, 30 * step, step):
        part = list(samples[start : start + step])
        for pitch in (120, 180, 270, 400, 600, 900, 1350, 2000, 3000, 4500):
            turn = 2 * math.pi * pitch / RATE
            real = sum(sample * math.cos(turn * at) for at, sample in enumerate(part))
            imaginary = sum(sample * math.sin(turn * at) for at, sample in enumerate(part))
            vector.append(math.hypot(real, imaginary))
    size = math.sqrt(sum(each * each for each in vector))
    return [each / size for each in vector]
