"""The real program in a real pseudo-terminal: keys as a person types them, words from the transcript and on the screen."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import pyte

from play.hearing import asked
from play.program import KEYS, Line, Transcript, command, is_fence
from terminal.emulated import Emulated, Running

PATIENCE = 20.0
"""Seconds after which a program that says nothing hangs."""
ACTING = ("enter", "space", "escape", "q", "x", "left", "right", "up", "down")
UNHURRIED = 0.35
"""Seconds after which a key that acts counts (interface.md, 'Typing ahead')."""


class Typed:
    """The program in an emulated terminal. `press` waits before keys that act, as a person does who listens first."""

    def __init__(
        self, folder: Path, *words: str, lang: str = "en", kitty: bool = False, term: str = "xterm-256color"
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self._lang = folder, lang
        heard = folder / "heard.jsonl"
        self.transcript = Transcript(heard)
        common = ["--lang", lang, "--data-dir", str(folder), "--transcript", str(heard), "--speech", "lines"]
        self.terminal = Emulated(kitty=kitty)
        self.program = Running(self.terminal, command=command(*words, *common), term=term)
        self.process = self.program.process

    def __enter__(self) -> Typed:
        self.until(lambda lines: any(line.text.startswith(("Round 1", "Раунд 1")) for line in lines))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.terminal.__exit__(kind, value, trace)

    @property
    def record(self) -> Path:
        """The newest record of the data folder."""
        return max((self.folder / "matches").glob("*.yaml"), key=lambda path: path.stat().st_mtime_ns)

    def send(self, *names: str) -> None:
        """Keys at once, one after the other."""
        self.terminal.send("".join(KEYS.get(name, name) for name in names))

    def until(self, enough: Callable[[list[Line]], bool]) -> list[Line]:
        """The lines that come until they are enough, or the program ends."""
        until = time.monotonic() + PATIENCE
        lines: list[Line] = []
        while not enough(lines):
            assert time.monotonic() < until, f"only {lines} came; {self.terminal.text!r}"
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
            lines += self.settled()
            if lines and lines[-1].kind == "event" and asked(lines, self._lang) is None:
                lines += self.until(lambda said: asked(said, self._lang) is not None or is_last(said))
        return lines

    def listened(self) -> list[Line]:
        """What was said from the start to the first question."""
        lines = list(self.transcript.all)
        while asked(lines, self._lang) is None:
            lines += self.until(bool)
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

    def screen(self, lines: int = 24, columns: int = 80) -> str:
        """What the terminal shows, what it keeps above included."""
        screen = pyte.HistoryScreen(columns, lines, history=10_000, ratio=0.5)
        stream = pyte.ByteStream(screen)
        stream.feed(self.terminal.out)
        above = ["".join(row[place].data for place in range(columns)) for row in screen.history.top]
        return "\n".join([*above, *screen.display])


def is_last(lines: list[Line]) -> bool:
    """Whether the match's result was said: the last line, and a final one."""
    return bool(lines) and lines[-1].kind == "final"
