"""The transcript: everything said and every sound played, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO

from kozel.voice.message import Message, Sound


class Transcript:
    """Appends to a file; once that fails (a full disk, a pulled stick) it stops and keeps the reason in `problem`.

    Raises OSError if the file can't be opened.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.problem: OSError | None = None
        self._file: IO[str] | None = self.path.open("a", encoding="utf-8", newline="\n")

    def write(self, messages: Sequence[Message]) -> None:
        """One line a message, flushed together. Never raises."""
        self._append({"kind": m.kind, "to": m.to, "text": m.text} for m in messages)

    def write_sound(self, sound: Sound) -> None:
        """One line for a sound. Never raises."""
        self._append([{"kind": "sound", "to": sound.to, "name": sound.name, "pan": sound.pan}])

    def _append(self, rows: Iterable[dict[str, object]]) -> None:
        if self._file is None:
            return
        try:
            self._file.write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
            self._file.flush()
        except OSError as error:
            self.problem = error
            self._drop()

    def close(self) -> None:
        self._drop()

    def _drop(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError as error:
                self.problem = self.problem or error
