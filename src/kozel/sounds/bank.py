"""The sounds in memory: those that come with the game, and the player's own in their place."""

from __future__ import annotations

import wave
from array import array
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from kozel.sounds.plan import PITCHES, SOUNDS

RATE = 24_000
"""Samples a second, in files and on the way to the device."""
SHIPPED = Path(__file__).resolve().parent / "files"
LONGEST = 3.0
"""Seconds that a player's own sound may last."""
_MOST_BYTES = 4_000_000
_FORMATS = (".wav", ".ogg")
_OTHER_FORMATS = (".mp3", ".flac", ".m4a", ".aac", ".opus", ".wma", ".aif", ".aiff", ".oga")

Samples = Sequence[int]
Decode = Callable[[bytes], Samples]
"""Makes a file's bytes samples of one channel at `RATE`. Raises whatever it likes where it cannot."""


class BadSound(NamedTuple):
    """Why a player's own file does not sound. `limit`: seconds that it may last, `near`: the name that was meant."""

    file: Path
    reason: Literal["unreadable", "too_long", "unknown", "format"]
    limit: float = LONGEST
    near: str = ""


class Bank:
    """Samples by name and pitch. `problems`: own files that do not sound; the game's own sounds stand in for them."""

    def __init__(self, own: Path | None, decode: Decode) -> None:
        self.problems: list[BadSound] = []
        files = {} if own is None else own_files(own, self.problems)
        self._samples: dict[tuple[str, float], Samples] = {}
        for name in SOUNDS:
            samples = self._own(files[name], decode) if name in files else None
            if samples is None:
                samples = shipped_samples(name)
            for pitch in PITCHES if SOUNDS[name] == "moves" else (1.0,):
                self._samples[name, pitch] = resampled(samples, pitch)

    def samples(self, name: str, pitch: float) -> Samples:
        """The samples of a sound; a pitch in which it is never played is as good as its own."""
        return self._samples.get((name, pitch)) or self._samples[name, 1.0]

    def _own(self, file: Path, decode: Decode) -> Samples | None:
        try:
            with file.open("rb") as stream:
                data = stream.read(_MOST_BYTES + 1)
            samples = decode(data) if len(data) <= _MOST_BYTES else None
        except Exception:
            self.problems.append(BadSound(file, "unreadable"))
            return None
        if samples is None or len(samples) > LONGEST * RATE:
            self.problems.append(BadSound(file, "too_long"))
            return None
        if not len(samples):
            self.problems.append(BadSound(file, "unreadable"))
            return None
        return samples


def own_files(folder: Path, problems: list[BadSound]) -> Mapping[str, Path]:
    """The player's file for each sound that has one; files of other names and formats go to `problems`."""
    files: dict[str, Path] = {}
    try:
        paths = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    except OSError:
        return files
    for path in paths:
        suffix, name = path.suffix.lower(), path.stem.lower()
        if suffix in _OTHER_FORMATS:
            problems.append(BadSound(path, "format"))
        elif suffix in _FORMATS and name in SOUNDS:
            files.setdefault(name, path)
        elif suffix in _FORMATS:
            problems.append(BadSound(path, "unknown", near=_nearest(name)))
    return files


def _nearest(name: str) -> str:
    from difflib import get_close_matches  # seldom needed

    return next(iter(get_close_matches(name, SOUNDS, 1, 0.6)), "")


def shipped_samples(name: str) -> Samples:
    """A sound that comes with the game."""
    with wave.open(str(SHIPPED / f"{name}.wav"), "rb") as file:
        samples = array("h")
        samples.frombytes(file.readframes(file.getnframes()))
    return samples


def resampled(samples: Samples, pitch: float) -> Samples:
    """The same sound higher (over 1) or lower, and so much shorter or longer."""
    if pitch == 1.0:
        return samples
    last, count = len(samples) - 1, int(len(samples) / pitch)
    raised = array("h", bytes(2 * count))
    for at in range(count):
        whole = int(at * pitch)
        part = at * pitch - whole
        raised[at] = int(samples[whole] * (1 - part) + samples[min(whole + 1, last)] * part)
    return raised
