"""The ways a message can go: as lines on the terminal, directly to a screen reader, or nowhere."""

from __future__ import annotations

import sys
from typing import Literal, NamedTuple

from kozel.voice.speakers import SpeechFailed

Mode = Literal["auto", "lines", "direct", "off"]
ModeInForce = Literal["lines", "direct", "off"]
MODES: tuple[Mode, ...] = ("auto", "lines", "direct", "off")
_ROUND: tuple[ModeInForce, ...] = ("lines", "direct", "off")


class ModeFacts(NamedTuple):
    """What the sentence about the mode needs. `works` is None while that is still being found out.

    `output` names what speaks in direct mode; `failure` says why nothing does: then lines are written instead.
    """

    mode: ModeInForce
    works: bool | None
    output: str = ""
    failure: SpeechFailed | None = None


def first_mode(asked: Mode, reader_runs: bool, platform: str = sys.platform) -> ModeInForce:
    """The mode to begin with. `auto` speaks directly only to a Windows screen reader that runs now.

    On Linux and macOS the readers read the terminal themselves, and direct speech would be a second voice that they
    can't silence.
    """
    if asked == "auto":
        return "direct" if platform == "win32" and reader_runs else "lines"
    return asked


def next_mode(mode: ModeInForce) -> ModeInForce:
    """The mode after this one, round and round: lines, direct, off."""
    return _ROUND[(_ROUND.index(mode) + 1) % len(_ROUND)]
