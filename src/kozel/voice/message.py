"""What is said: one message, the groups in which it can be found again, and a sound."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["echo", "event", "final", "talk"]
"""echo: the answer to a key, stale as soon as there is a newer one; event: something happened; final: a result; talk: what
a person at the table typed."""

Group = Literal["moves", "scores", "answers", "talk", "other"]


class Message(NamedTuple):
    """One thing said. `to` is the seat that alone may hear it, None is everybody; `braille` the short form of the text.

    `event` is what happened, as that listener may know it, or what else the text tells; outputs and listeners get it
    with the text, and this package never looks into it.
    """

    kind: Kind
    to: int | None
    text: str
    braille: str | None = None
    group: Group = "other"
    event: object | None = None


class Sound(NamedTuple):
    """A sound that was played, for the transcript. `pan` is its place, -1 (left) to 1; `to` as in `Message`."""

    to: int | None
    name: str
    pan: float
