"""The vocabulary of rulesets: which rule functions fit which slot.

A rule is a function. What stands before its `*` is what the engine hands it in play; its keyword-only arguments are its
settings in a ruleset file, and their annotations say what may stand there. Its docstring is the rule in words.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import UnionType
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from kozel.engine.tiles import TileSet
from kozel.locales import Phrase

Slot = Literal[
    "deal",
    "redeal",
    "first_opening",
    "later_opening",
    "lead",
    "placing",
    "drawing",
    "throwing",
    "counting",
    "fish",
    "settlement",
]
SLOTS: tuple[Slot, ...] = get_args(Slot)
"""Every slot of a ruleset. What its rule settles is said by the message `mistake.slot_` and its name."""
_BOTH_OPENINGS: tuple[Slot, ...] = ("first_opening", "later_opening")
RULES: dict[Slot, dict[str, Callable[..., Any]]] = {slot: {} for slot in SLOTS}

Role = Literal["title", "count", "change", "add", "eggs", "record", "account", "end", "pay", "opener", "sit"]
ROLES: tuple[Role, ...] = get_args(Role)
"""What settlement steps do. A round is settled in the order of these roles; `opener` and `sit` may stand anywhere."""


class Circumstances(NamedTuple):
    """A table at which a rule may hold: so many seats, so many tiles to each; `one_move`: can these be laid in one move?"""

    seats: int
    hand: int
    one_move: Callable[[TileSet], bool]


class Flaw(NamedTuple):
    """What a rule finds wrong with its own settings: which `setting` ('': the rule itself), and why.

    `never`: the rule can do nothing there, which is a mistake only where it holds at every table.
    """

    setting: str
    phrase: Phrase
    never: bool = False


class Declared(NamedTuple):
    """What a rule says of itself, so that nobody has to ask which rule it is.

    `roles`: what a settlement step does. `needs`: what some step of the settlement must do for the rule to work.
    `by_lot`: the opener is drawn by lot. `leaves_choice`: an opening rule that leaves the tile to the rule of `lead`.
    `takes`: the setting of a deal rule that is the tile taken before the deal; `leads`: the setting of an opening rule that
    must be that tile. `silent`: the rule of its slot that has nothing happen.
    `flaws(circumstances, **settings)`: what is wrong with the settings.
    """

    roles: frozenset[Role] = frozenset()
    needs: tuple[Role, ...] = ()
    by_lot: bool = False
    leaves_choice: bool = False
    takes: str | None = None
    leads: str | None = None
    silent: bool = False
    flaws: Callable[..., Iterator[Flaw]] | None = None


_DECLARED: dict[str, Declared] = {}

F = TypeVar("F", bound=Callable[..., Any])


def rule(*slots: Slot, **declared: Any) -> Callable[[F], F]:
    """Make a function a rule of these slots, under its own name. `declared`: the fields of `Declared`."""

    def keep(function: F) -> F:
        for slot in slots:
            RULES[slot][function.__name__] = function
        _DECLARED[function.__name__] = Declared(**declared)
        return function

    return keep


def step(*roles: Role, **declared: Any) -> Callable[[F], F]:
    """Make a function a settlement step with these roles."""
    return rule("settlement", roles=frozenset(roles), **declared)


def opening(**declared: Any) -> Callable[[F], F]:
    """Make a function a rule that says who opens, in the first round or later."""
    return rule(*_BOTH_OPENINGS, **declared)


def declared(name: str) -> Declared:
    """What a rule says of itself."""
    return _DECLARED[name]


def roles_of(name: str) -> frozenset[Role]:
    """The roles of a settlement step."""
    return _DECLARED[name].roles


@cache
def settings_of(function: Callable[..., Any]) -> Mapping[str, tuple[Any, bool]]:
    """The settings of a rule: name → (annotation, must it be given)."""
    hints = get_type_hints(function, include_extras=True)
    return {
        name: (_without_none(hints[name]), parameter.default is inspect.Parameter.empty)
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }


def _without_none(annotation: Any) -> Any:
    parts = [part for part in get_args(annotation) if part is not type(None)]
    return parts[0] if get_origin(annotation) in (Union, UnionType) else annotation


@cache
def in_play(function: Callable[..., Any]) -> bool:
    """Is the rule called in play (True), or once when the game is made ready (False)?"""
    return any(
        parameter.kind is not inspect.Parameter.KEYWORD_ONLY
        for parameter in inspect.signature(function).parameters.values()
    )
