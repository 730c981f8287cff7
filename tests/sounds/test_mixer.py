"""What the device is given: levels, sides, order, and what is left out when too much happens."""

from __future__ import annotations

import itertools
import math
from array import array
from pathlib import Path

import pytest

from kozel.sounds.bank import RATE, Bank
from kozel.sounds.mixer import Mixer
from kozel.sounds.plan import HIGHER, LOWER, Cue

BLOCK = RATE // 100


@pytest.fixture(scope="module")
def bank() -> Bank:
    """The shipped sounds."""
    return Bank(None, lambda data: array("h", data))


def heard(mixer: Mixer, seconds: float) -> tuple[list[int], list[int]]:
    """What comes out: the left channel and the right."""
    samples = array("h")
    for _ in range(int(seconds * 100)):
        block = mixer.block(BLOCK)
        assert len(block) == 4 * BLOCK
        samples.frombytes(block)
    return list(samples[::2]), list(samples[1::2])


def energy(samples: list[int]) -> float:
    return math.sqrt(sum(sample * sample for sample in samples))


def begins(samples: list[int]) -> int:
    return next(at for at, sample in enumerate(samples) if sample)


@pytest.mark.parametrize("pan", [-1.0, -0.7, -0.15, 0.0, 0.35, 0.7, 1.0])
def test_the_balance_is_that_of_the_place_and_the_power_the_same_everywhere(bank: Bank, pan: float) -> None:
    mixer = Mixer(bank.samples)
    mixer.put([Cue("laid", pan)])
    left, right = map(energy, heard(mixer, 0.2))
    assert math.atan2(right, left) == pytest.approx((pan + 1) * math.pi / 4, abs=0.01)
    middle = Mixer(bank.samples)
    middle.put([Cue("laid")])
    assert math.hypot(left, right) == pytest.approx(math.hypot(*map(energy, heard(middle, 0.2))), rel=0.01)


def test_a_sound_begins_in_the_first_block_and_silence_follows(bank: Bank) -> None:
    mixer = Mixer(bank.samples)
    mixer.put([Cue("laid", -1.0)])
    left, _ = heard(mixer, 0.3)
    assert begins(left) < 30
    assert not any(left[int(0.1 * RATE) :])


def test_the_volume_is_followed_by_a_sound_that_plays(bank: Bank) -> None:
    mixer = Mixer(bank.samples, 50)
    mixer.put([Cue("goat")])
    loud = energy(heard(mixer, 0.2)[0])
    mixer.volume = 10
    assert energy(heard(mixer, 0.1)[0]) < loud / 10
    mixer.volume = 0
    assert energy(heard(mixer, 0.1)[0]) == 0


def test_one_kind_is_turned_down_alone(bank: Bank) -> None:
    loud, soft = Mixer(bank.samples), Mixer(bank.samples)
    soft.volumes["moves"] = 50
    for mixer in (loud, soft):
        mixer.put([Cue("laid"), Cue("turn")])
    one, other = heard(loud, 0.6)[0], heard(soft, 0.6)[0]
    assert energy(other[:1000]) == pytest.approx(energy(one[:1000]) / 4, rel=0.02)
    assert other[2000:] == one[2000:]


def test_cues_put_together_are_heard_in_order_and_apart(bank: Bank) -> None:
    mixer = Mixer(bank.samples)
    mixer.put([Cue("laid", -1.0), Cue("laid", 1.0)])
    left, right = heard(mixer, 0.4)
    assert begins(left) < begins(right)
    assert begins(right) - begins(left) > 0.03 * RATE


def test_a_key_is_answered_at_once_while_others_wait(bank: Bank) -> None:
    mixer = Mixer(bank.samples)
    mixer.put([Cue("drew", -1.0)] * 4)
    mixer.put([Cue("refused", 1.0)])
    assert begins(heard(mixer, 0.4)[1]) < BLOCK


def test_when_more_happens_than_can_be_heard_the_moves_are_left_out_and_the_end_is_not(bank: Bank) -> None:
    mixer = Mixer(bank.samples)
    for _ in range(60):
        mixer.put([Cue("laid", -1.0), Cue("drew", -1.0)])
    mixer.put([Cue("won", 1.0)])
    left, right = heard(mixer, 3.0)
    assert any(right)
    assert begins(right) < 1.0 * RATE, "the end waits for moves long gone"
    assert not any(left[RATE:])


def test_what_no_device_took_in_time_is_not_played(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    mixer = Mixer(bank.samples)
    now = [100.0]
    monkeypatch.setattr("kozel.sounds.mixer.time.monotonic", lambda: now[0])
    mixer.put([Cue("laid")])
    now[0] += 1.0
    mixer.put([Cue("turn", 1.0)])
    left, right = heard(mixer, 0.5)
    assert begins(right) < 30
    assert energy(left) < energy(right) / 100


def test_many_at_once_stay_within_full_scale(bank: Bank) -> None:
    mixer = Mixer(bank.samples, 100)
    for _ in range(20):
        mixer.put([Cue("refused", 0.0)])
    left, right = heard(mixer, 0.3)
    assert max(map(abs, left + right)) == 32_767


def test_an_upper_end_sounds_higher_and_a_lower_one_lower(bank: Bank) -> None:
    def crossings(pitch: float) -> float:
        samples = bank.samples("laid", pitch)
        signs = [sample > 0 for sample in samples]
        return sum(a != b for a, b in itertools.pairwise(signs)) / len(samples)

    assert crossings(LOWER) < crossings(1.0) * 0.85
    assert crossings(HIGHER) > crossings(1.0) * 1.15


def test_own_files_stand_in_and_bad_ones_are_told(tmp_path: Path) -> None:
    import wave

    def write(name: str, seconds: float) -> None:
        with wave.open(str(tmp_path / name), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(b"\x10\x20" * int(seconds * RATE))

    def decode(data: bytes) -> array[int]:
        if data[:4] != b"RIFF":
            raise ValueError("no sound")
        return array("h", data[44:])

    write("Laid.WAV", 0.05)
    write("turn.wav", 5)
    write("passd.wav", 0.1)
    write("out.wav", 0)
    (tmp_path / "double.ogg").write_bytes(b"no sound at all")
    (tmp_path / "fish.mp3").write_bytes(b"ID3")
    (tmp_path / "README.txt").write_text("mine")
    own = Bank(tmp_path, decode)
    plain = Bank(None, decode)
    assert len(own.samples("laid", 1.0)) == int(0.05 * RATE)
    for name in ("turn", "double", "fish", "out", "passed"):
        assert list(own.samples(name, 1.0)) == list(plain.samples(name, 1.0))
    problems = {problem.file.name: (problem.reason, problem.near) for problem in own.problems}
    assert problems == {
        "turn.wav": ("too_long", ""),
        "double.ogg": ("unreadable", ""),
        "out.wav": ("unreadable", ""),
        "fish.mp3": ("format", ""),
        "passd.wav": ("unknown", "passed"),
    }


def test_a_folder_that_is_not_there_is_no_problem(tmp_path: Path) -> None:
    assert Bank(tmp_path / "sounds", lambda data: array("h", data)).problems == []
