"""How a table is set up by its host, and what everybody may know of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from kozel.bots.levels import LEVELS
from kozel.net.wire import Declined, Message, flag_of, number_of, text_of
from kozel.rules.reading import find, shipped_ids
from kozel.rules.ruleset import BadSetup, Ruleset, Value

Talk = Literal["free", "phrases", "off"]
TALKS: tuple[Talk, ...] = ("free", "phrases", "off")
PHRASES = ("well_played", "one_moment", "hello", "thanks", "sorry", "good_luck", "goodbye")
"""Ready phrases; each is heard in the listener's own language."""
LONGEST_MOVE_TIME = 3600
MOST_NAMED = 50


class Wish(NamedTuple):
    """A host's settings. `levels`: a computer player's level by seat, None for a person's seat. `by_code`: not in the lobby.

    `watching`: may others watch. `move_time`: seconds for a move, 0 for no limit. `only`: the names that may sit down, empty
    for all.
    """

    ruleset: Ruleset
    options: Mapping[str, Value]
    pairs: bool
    levels: tuple[str | None, ...]
    by_code: bool = False
    guests: bool = True
    watching: bool = True
    talk: Talk = "free"
    move_time: int = 0
    only: tuple[str, ...] = ()

    def data(self) -> Message:
        """The settings as plain data, as `wish_of` reads them."""
        return {
            "ruleset": self.ruleset.id,
            "options": dict(self.options),
            "pairs": self.pairs,
            "levels": list(self.levels),
            "by_code": self.by_code,
            "guests": self.guests,
            "watching": self.watching,
            "talk": self.talk,
            "move_time": self.move_time,
            "only": list(self.only),
        }


def wish_of(message: Message) -> Wish:
    """The settings in a request. Raises `Declined` where the ruleset cannot have them."""
    name = text_of(message, "ruleset")
    if name not in shipped_ids():
        raise Declined("no_ruleset", name=name)
    ruleset = find(name)
    levels = _levels(message.get("levels"))
    options = message.get("options", {})
    pairs = message.get("pairs")
    if not isinstance(options, dict) or not (pairs is None or isinstance(pairs, bool)):
        raise Declined("bad_request", field="options" if not isinstance(options, dict) else "pairs")
    try:
        together = ruleset.seating(len(levels), pairs)
        chosen = ruleset.choices(options)
    except BadSetup as error:
        raise Declined("bad_setup", reason=error.kind) from None
    talk = message.get("talk", "free")
    if talk not in TALKS:
        raise Declined("bad_request", field="talk")
    return Wish(
        ruleset,
        chosen,
        together,
        levels,
        flag_of(message, "by_code", False),
        flag_of(message, "guests", True),
        flag_of(message, "watching", True),
        talk,
        number_of({"move_time": message.get("move_time", 0)}, "move_time", 0, LONGEST_MOVE_TIME),
        _only(message.get("only", [])),
    )


def _levels(value: Any) -> tuple[str | None, ...]:
    if not isinstance(value, list) or not 2 <= len(value) <= 4:
        raise Declined("bad_request", field="levels")
    if not all(level is None or (isinstance(level, str) and level in LEVELS) for level in value):
        raise Declined("bad_request", field="levels")
    return tuple(value)


def _only(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_NAMED:
        raise Declined("bad_request", field="only")
    if not all(isinstance(name, str) and 0 < len(name) <= 100 for name in value):
        raise Declined("bad_request", field="only")
    return tuple(value)
