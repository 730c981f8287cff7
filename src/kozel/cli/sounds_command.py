"""`kozel sounds list` and `kozel sounds test`, and the sentences about sounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from kozel.cli.app import App
from kozel.cli.installation import install_line
from kozel.cli.mistakes import wrong
from kozel.locales import message
from kozel.sounds.bank import RATE, shipped_samples
from kozel.sounds.board import Board, Status
from kozel.sounds.plan import SOUNDS, Cue

_PATIENCE = 3.0
_GAP = 0.5
"""Seconds from the end of a sound to the next one's name."""


def sounds_command(app: App, action: str, sleep: Callable[[float], None] = time.sleep) -> int:
    """`kozel sounds list | test`. Raises `Mistake` where there is nothing to test with."""
    if action == "list":
        app.tell(*sound_rows(app.lang))
        return 0
    board = app.new_board(on=True)
    try:
        status = board.settled(_PATIENCE)
        if status == "absent":
            raise wrong(app.lang, "no_sound", line=install_line("sound"))
        app.tell(_status(status, board.output, app.lang))
        if status == "playing":
            _play_each(app, board, sleep)
    finally:
        board.close()
    return 0


def sounds_line(app: App) -> str:
    """How it stands with the sounds, once a device was looked for."""
    return _status(app.board.settled(_PATIENCE), app.board.output, app.lang)


def _play_each(app: App, board: Board, sleep: Callable[[float], None]) -> None:
    for name, row in zip(SOUNDS, sound_rows(app.lang), strict=True):
        app.tell(row)
        app.announcer.flush()
        board.play([Cue(name)])
        sleep(len(shipped_samples(name)) / RATE + _GAP)


def sound_rows(lang: str) -> Sequence[str]:
    """A line a sound: its name and what it means."""
    return [message(lang, "cli.sound_row", name=name, meaning=message(lang, f"sound.{name}")) for name in SOUNDS]


def _status(status: Status, output: str, lang: str) -> str:
    return message(lang, f"cli.sounds_{status}", output=output, line=install_line("sound"))
