"""Thinking, as a task that can be sent to another process; `main` is that process."""

from __future__ import annotations

import contextlib
import os
import pickle
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, BinaryIO, Literal, NamedTuple

from kozel.bots.hints import hint
from kozel.bots.levels import player
from kozel.bots.outlook import outlook
from kozel.bots.view import observe
from kozel.engine.match import Game
from kozel.engine.seen import View
from kozel.rules.reading import read_ruleset
from kozel.rules.seating import Seating

_SIZE = 8
"""Bytes that tell how long a message is."""


class Task(NamedTuple):
    """What is to be thought: a decision of a level, a hint, or nothing yet but what all hints of a game need.

    The game is told by its ruleset's file and what was chosen, so that it can be made again elsewhere.
    """

    kind: Literal["choose", "hint", "prepare"]
    ruleset: Path
    seats: int
    pairs: bool
    options: tuple[tuple[str, bool | int | str], ...]
    level: str = ""
    view: View | None = None
    random: Random | None = None

    @classmethod
    def of(cls, kind: Literal["choose", "hint", "prepare"], seating: Seating, **more: Any) -> Task:
        """A task at a table."""
        options = tuple(sorted(seating.options.items()))
        return cls(kind, seating.ruleset.path, len(seating.players), seating.pairs, options, **more)


def carried_out(task: Task, game: Game | None = None) -> object:
    """What comes of a task: a decision, a `Hint`, or None. `game`: if it is at hand already."""
    if game is None:
        game = _game(task.ruleset, task.seats, task.pairs, task.options)
    if task.kind == "prepare":
        outlook(game)
        return None
    assert task.view is not None
    view = observe(game, task.view)
    if task.kind == "hint":
        return hint(view)
    assert task.random is not None
    return player(task.level)(view, task.random)


@lru_cache(maxsize=32)
def _game(ruleset: Path, seats: int, pairs: bool, options: tuple[tuple[str, bool | int | str], ...]) -> Game:
    chosen: Mapping[str, bool | int | str] = dict(options)
    return read_ruleset(ruleset).game(seats, pairs, chosen)


def send(stream: BinaryIO, value: object) -> None:
    """Write a value as one message. Raises `OSError`."""
    data = pickle.dumps(value)
    stream.write(len(data).to_bytes(_SIZE, "big") + data)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """The next message's value. Raises `EOFError` where the other side is gone."""
    size = stream.read(_SIZE)
    data = stream.read(int.from_bytes(size, "big")) if len(size) == _SIZE else b""
    if not data:
        raise EOFError
    return pickle.loads(data)


def main() -> None:
    """Carry out tasks from standard input until it ends; each answer is (True, value) or (False, the fault)."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(5)  # whoever presses a key comes first
    source, answers = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            task = receive(source)
        except (EOFError, OSError):
            return
        try:
            answer: tuple[bool, object] = True, carried_out(task)
        except Exception as fault:
            answer = False, fault
        send(answers, answer)
