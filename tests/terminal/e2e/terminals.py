"""The terminals that are tried: how each starts, and what it can tell of keys."""

from __future__ import annotations

import shutil
from dataclasses import dataclass

import pytest


@dataclass(frozen=True)
class Kind:
    """A terminal: how it starts, the level reached, whether it tells Shift+Space, and the keys that it takes for itself."""

    command: tuple[str, ...]
    level: str
    shift_space: str
    own: frozenset[str] = frozenset()


# Debian 12's tmux cannot deliver Shift+Space; neither can VTE, and Xfce's terminal opens its help with F1.
KINDS = {
    "xterm": Kind(("xterm", "-e", "@"), "modifyOtherKeys", "yes"),
    "tmux": Kind(
        ("xterm", "-e", "tmux", "-S", "@tmux", "-f", "/dev/null", "new-session", "@"),
        "modifyOtherKeys",
        "no",
    ),
    "kitty": Kind(("kitty", "--config", "NONE", "@"), "kitty", "yes"),
    "xfce4-terminal": Kind(
        ("dbus-run-session", "xfce4-terminal", "--disable-server", "-x", "@"),
        "modifyOtherKeys",
        "no",
        frozenset(("F1",)),
    ),
}


def installed(name: str) -> Kind:
    """A terminal; the test is skipped where it is not installed."""
    kind = KINDS[name]
    absent = sorted(word for word in {kind.command[0], name} if shutil.which(word) is None)
    if absent:
        pytest.skip(f"not installed: {', '.join(absent)}")
    return kind
