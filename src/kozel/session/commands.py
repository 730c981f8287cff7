"""What a key can ask of the game. The keymap gives each command its keys; the session gives it its meaning."""

from __future__ import annotations

from enum import Enum


class Command(str, Enum):
    """The commands, in the order of use: lists of keys are told in this order. The value is the name in a keymap.

    The last ones have no keys of their own: they are what the arrows mean in the question for an end, and what erases in a
    line that is typed.
    """

    WALK_LEFT = "walk_left"
    WALK_RIGHT = "walk_right"
    WALK_HOME = "walk_home"
    WALK_END = "walk_end"
    ZONE_BEFORE = "zone_before"
    ZONE_AFTER = "zone_after"
    NEXT_FIT = "next_fit"
    PREVIOUS_FIT = "previous_fit"
    ACT = "act"
    CONFIRM = "confirm"
    MARK = "mark"
    DRAW = "draw"
    LEAVE = "leave"
    HELP = "help"
    WHOSE_TURN = "whose_turn"
    REPEAT = "repeat"
    LAST_MOVE = "last_move"
    MOVES_SINCE_TURN = "moves_since_turn"
    COUNTS = "counts"
    BAZAAR = "bazaar"
    END_LEFT = "end_left"
    END_RIGHT = "end_right"
    END_UP = "end_up"
    END_DOWN = "end_down"
    HAND = "hand"
    CHAIN = "chain"
    SCORES = "scores"
    LAST_ROUND = "last_round"
    EGGS = "eggs"
    TILE_1 = "tile_1"
    TILE_2 = "tile_2"
    TILE_3 = "tile_3"
    TILE_4 = "tile_4"
    TILE_5 = "tile_5"
    TILE_6 = "tile_6"
    TILE_7 = "tile_7"
    TILE_8 = "tile_8"
    TILE_9 = "tile_9"
    TILE_10 = "tile_10"
    OLDER = "older"
    NEWER = "newer"
    KIND_BEFORE = "kind_before"
    KIND_AFTER = "kind_after"
    HINT = "hint"
    UNDO = "undo"
    SPEECH_MODE = "speech_mode"
    VERBOSITY = "verbosity"
    STAND = "stand"
    SILENCE = "silence"
    TALK = "talk"
    LOUDER = "louder"
    QUIETER = "quieter"
    TOWARDS_LEFT = "towards_left"
    TOWARDS_RIGHT = "towards_right"
    TOWARDS_UP = "towards_up"
    TOWARDS_DOWN = "towards_down"
    ERASE = "erase"
    ERASE_NEXT = "erase_next"
    ERASE_ALL = "erase_all"

    @property
    def has_keys(self) -> bool:
        """Whether a keymap gives it keys."""
        return self not in _WITHOUT_KEYS

    def __str__(self) -> str:
        return self.value

    @property
    def tile(self) -> int | None:
        """The number from 1 to 10 of the own tile that the command names; None for all other commands."""
        return int(self.value[5:]) if self.value.startswith("tile_") else None


_WITHOUT_KEYS = frozenset(
    {
        Command.TOWARDS_LEFT,
        Command.TOWARDS_RIGHT,
        Command.TOWARDS_UP,
        Command.TOWARDS_DOWN,
        Command.ERASE,
        Command.ERASE_NEXT,
        Command.ERASE_ALL,
    }
)
