"""Python in a process of its own, for what must not hold up the game: thinking, sounds."""

from __future__ import annotations

import sys
from typing import Any

APART: dict[str, Any] = (
    {"creationflags": 0x08000000 | 0x00000200}  # no window, and a process group of its own
    if sys.platform == "win32"
    else {"start_new_session": True}
)
"""What `Popen` needs so that Ctrl+C at the game's terminal, and its window, are none of the other process's business."""


def python(module: str) -> list[str]:
    """The command that runs `main()` of a module of this very installation, wherever it was imported from."""
    return [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; from {module} import main; main()"]
