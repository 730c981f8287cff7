"""The real program in a real pseudo-terminal: keys as a person types them, words from the transcript and on the screen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import pyte

from play.listening import Listening
from play.program import KEYS, Transcript, command
from terminal.emulated import Emulated, Running

_BEGUN = {"en": ("Round ", "Your turn"), "ru": ("Раунд ", "Ваш ход")}

_Typed = TypeVar("_Typed", bound="Typed")


class Typed(Listening):
    """The program in an emulated terminal; `kitty`, `answers`: see `Emulated`. `environ`: what tells of the terminal."""

    def __init__(
        self,
        folder: Path,
        *words: str,
        lang: str = "en",
        speech: str = "lines",
        kitty: bool = False,
        answers: bool = True,
        term: str = "xterm-256color",
        environ: Mapping[str, str] | None = None,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.lang = folder, lang
        heard = folder / "heard.jsonl"
        self.transcript = Transcript(heard)
        common = ["--lang", lang, "--data-dir", str(folder), "--transcript", str(heard), "--speech", speech]
        self.terminal = Emulated(kitty=kitty, answers=answers)
        self.program = Running(self.terminal, command=command(*words, *common), term=term, environ=environ or {})
        self.process = self.program.process

    def __enter__(self: _Typed) -> _Typed:
        self.until(lambda lines: any(line.text.startswith(_BEGUN[self.lang]) for line in lines))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.terminal.__exit__(kind, value, trace)

    @property
    def shown(self) -> str:
        """What was written to the terminal."""
        return self.terminal.text

    def send(self, *names: str) -> None:
        """Keys at once, one after the other."""
        self.terminal.send("".join(KEYS.get(name, name) for name in names))

    def screen(self, lines: int = 24, columns: int = 80) -> str:
        """What the terminal shows, what it keeps above included."""
        screen = pyte.HistoryScreen(columns, lines, history=10_000, ratio=0.5)
        stream = pyte.ByteStream(screen)
        stream.feed(self.terminal.out)
        above = ["".join(row[place].data for place in range(columns)) for row in screen.history.top]
        return "\n".join([*above, *screen.display])
