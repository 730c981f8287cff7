"""A program at a terminal and the person who listens to it: keys go in, words come out of the transcript."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

from play.hearing import asked, match_over
from play.program import PATIENCE, Line, Transcript, is_fence

ACTING = ("enter", "space", "escape", "q", "x", "left", "right", "up", "down")
SLOW = (*ACTING, "f4", "d", "D", "в")
"""Keys that may make a decision, which is told when it is on the disk."""
UNHURRIED = 0.35
"""Seconds after which a key that acts counts (interface.md, 'Typing ahead')."""


class Listening(ABC):
    """`press` waits before keys that act, as a person does who listens first."""

    folder: Path
    lang: str
    transcript: Transcript
    process: Popen[bytes]

    @abstractmethod
    def send(self, *names: str) -> None:
        """Keys at once, one after the other."""

    @property
    @abstractmethod
    def shown(self) -> str:
        """What the terminal got, to be told where something fails."""

    @property
    def record(self) -> Path:
        """The newest record of the data folder."""
        return max((self.folder / "matches").glob("*.yaml"), key=lambda path: path.stat().st_mtime_ns)

    def until(self, enough: Callable[[list[Line]], bool]) -> list[Line]:
        """The lines that come until they are enough, or the program ends."""
        until = time.monotonic() + PATIENCE
        lines: list[Line] = []
        while not enough(lines):
            assert time.monotonic() < until, f"only {lines} came; {self.shown!r}"
            ended = self.process.poll() is not None
            lines += self.transcript.fresh()
            if ended:
                break
            time.sleep(0.002)
        return lines

    def press(self, *names: str) -> list[Line]:
        """Press keys, each after it was listened; what was said until all were obeyed."""
        lines: list[Line] = []
        for name in names:
            if name in ACTING:
                time.sleep(UNHURRIED)
            self.send(name)
            fresh = self.settled()
            if name in SLOW and not fresh:  # other keys don't wait until its decision is on the disk
                fresh = self.until(bool)
            lines += fresh
            if lines and lines[-1].kind == "event" and asked(lines, self.lang) is None and not is_last(lines):
                lines += self.until(lambda said: asked(said, self.lang) is not None or is_last(said))
        return lines

    def listened(self) -> list[Line]:
        """What was said from the start to the first question."""
        lines = list(self.transcript.all)
        while asked(lines, self.lang) is None:
            more = self.until(bool)
            assert more, f"it ended after {lines}; {self.shown!r}"
            lines += more
        return lines

    def held(self, name: str, times: int, every: float = 0.03) -> list[Line]:
        """A key held down; what was said until all its repeats were obeyed."""
        for _ in range(times):
            self.send(name)
            time.sleep(every)
        return self.settled()

    def settled(self) -> list[Line]:
        """What is said until all keys so far were obeyed."""
        self.send("f12")
        return [line for line in self.until(lambda said: any(map(is_fence, said))) if not is_fence(line)]


def is_last(lines: list[Line]) -> bool:
    """Whether the match's result was said, with what can be pressed then."""
    return match_over(lines)
