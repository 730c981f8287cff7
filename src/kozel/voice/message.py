"""What is said: one message, and the groups in which it can be found again."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["echo", "event", "final"]
"""echo: the answer to a key, stale as soon as there is a newer one; event: something happened; final: a result."""

Group = Literal["moves", "scores", "answers", "other"]


class Message(NamedTuple):
    """One thing said. `to` is the seat that alone may hear it, None is everybody; `braille` the short form of the text."""

    kind: Kind
    to: int | None
    text: str
    braille: str | None = None
    group: Group = "other"
