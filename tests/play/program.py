"""The real program, driven by key bytes; what it says is read from its transcript and nowhere else."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, TypeVar

PATIENCE = 60.0
"""Seconds after which a program that says nothing hangs."""
KEYS = {
    "enter": "\r",
    "space": " ",
    "tab": "\t",
    "s-tab": "\x1b[Z",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "s-up": "\x1b[1;2A",
    "s-down": "\x1b[1;2B",
    "s-right": "\x1b[1;2C",
    "s-left": "\x1b[1;2D",
    "s-space": "\x1b[32;2u",
    "f1": "\x1bOP",
    "f2": "\x1bOQ",
    "f3": "\x1bOR",
    "f4": "\x1bOS",
    "s-f2": "\x1b[1;2Q",
    "s-f3": "\x1b[1;2R",
    "c-f3": "\x1b[1;5R",
    "c-s-f3": "\x1b[1;6R",
    "s-f4": "\x1b[1;2S",
    "f5": "\x1b[15~",
    "f6": "\x1b[17~",
    "f7": "\x1b[18~",
    "f8": "\x1b[19~",
    "f9": "\x1b[20~",
    "s-f9": "\x1b[20;2~",
    "f12": "\x1b[24~",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "escape": "\x1b[27u",
    "backspace": "\x7f",
}
"""What terminals send. Escape as kitty sends it, so that no silence is needed after it."""
_FENCE = "f12"
"""A key that nothing is bound to: its refusal shows that all keys before it were obeyed."""


class Line(NamedTuple):
    """A line of the transcript."""

    kind: str
    to: int | None
    text: str


class Sounded(NamedTuple):
    """A sound of the transcript."""

    to: int | None
    name: str
    pan: float


class Ended(Exception):
    """The program ended; `lines` are the last that it said."""

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        super().__init__(f"the program ended, saying {lines}")


def environment(**more: str) -> dict[str, str]:
    """This one's environment without what steers the program, in a locale with UTF-8 and no language."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KOZEL_", "LC_", "LANG"))}
    return {**kept, "LANG": "C.UTF-8", "PYTHONUTF8": "1", "KOZEL_SOUNDS": "off", **more}


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "kozel", *words]


class Transcript:
    """A transcript as it grows."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = path.stat().st_size if path.exists() else 0
        self._rest = b""
        self.all: list[Line] = []
        self.sounds: list[Sounded] = []

    def fresh(self) -> list[Line]:
        """The whole lines that came since it was asked last."""
        if not self._path.exists():
            return []
        with self._path.open("rb") as file:
            file.seek(self._read)
            data = file.read()
        self._read += len(data)
        *whole, self._rest = (self._rest + data).split(b"\n")
        rows = [json.loads(line) for line in whole]
        self.sounds += [Sounded(row["to"], row["name"], row["pan"]) for row in rows if row["kind"] == "sound"]
        lines = [Line(**row) for row in rows if row["kind"] != "sound"]
        self.all += lines
        return lines


_Piped = TypeVar("_Piped", bound="Piped")


class Piped:
    """The program behind a pipe: `press` gives back what was said until all keys were obeyed.

    Without `lang` no language is chosen. With `screen`, the file descriptor of a terminal, it says lines there.
    """

    def __init__(
        self,
        folder: Path,
        *words: str,
        lang: str = "en",
        env: dict[str, str] | None = None,
        screen: int | None = None,
    ) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        heard = folder / "heard.jsonl"
        self.transcript = Transcript(heard)
        common = ["--lang", lang] if lang else []
        common += [
            "--data-dir",
            str(folder),
            "--transcript",
            str(heard),
            "--speech",
            "off" if screen is None else "lines",
        ]
        self._errors = (folder / "errors.txt").open("wb")
        self.process = subprocess.Popen(
            command(*words, *common),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL if screen is None else screen,
            stderr=self._errors,
            env=env or environment(),
        )

    def __enter__(self: _Piped) -> _Piped:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.close()
        self._errors.close()

    @property
    def errors(self) -> str:
        """What came on standard error."""
        return (self.folder / "errors.txt").read_text(encoding="utf-8")

    @property
    def record(self) -> Path:
        """The newest record of the data folder."""
        return max((self.folder / "matches").glob("*.yaml"), key=lambda path: path.stat().st_mtime_ns)

    def send(self, text: str) -> None:
        """Write bytes as they are."""
        stdin = self.process.stdin
        assert stdin is not None
        with contextlib.suppress(BrokenPipeError):
            stdin.write(text.encode())
            stdin.flush()

    def press(self, *names: str) -> list[Line]:
        """Press keys; the lines said until the last was obeyed. Raises `Ended` where that ended the program."""
        self.send("".join(KEYS.get(name, name) for name in (*names, _FENCE)))
        return self._until_fence()

    def start(self) -> list[Line]:
        """What is said before the first key."""
        return self.press()

    def finish(self) -> int:
        """Close its input; its exit status."""
        stdin = self.process.stdin
        assert stdin is not None
        stdin.close()
        status = self.process.wait(PATIENCE)
        self.transcript.fresh()
        return status

    def _until_fence(self) -> list[Line]:
        until = time.monotonic() + PATIENCE
        lines: list[Line] = []
        while True:
            ended = self.process.poll() is not None
            fresh = self.transcript.fresh()
            lines += fresh
            if any(map(is_fence, fresh)):
                return [line for line in lines if not is_fence(line)]
            if ended:
                raise Ended(lines)
            if time.monotonic() > until:
                raise AssertionError(f"nothing came after {lines}; {self.errors}")
            if not fresh:
                time.sleep(0.0005)


def is_fence(line: Line) -> bool:
    """Whether a line refuses F12; it may also be heard again in the history, with its place there."""
    return line.text.startswith("F12 ") and not re.search(r" \d+ (of|из) \d+\.$", line.text)
