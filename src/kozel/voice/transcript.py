"""The transcript: everything said, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from kozel.voice.message import Message


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
        if self._file is None:
            return
        rows = (json.dumps({"kind": m.kind, "to": m.to, "text": m.text}, ensure_ascii=False) + "\n" for m in messages)
        try:
            self._file.write("".join(rows))
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
