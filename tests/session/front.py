"""A front end without a terminal: commands go in, messages come out, nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random

from kozel.session.commands import Command
from kozel.session.keys import KeyNames, Place, Pressed, ShiftSpace
from kozel.voice.announcer import Announcer
from kozel.voice.message import Message


class Names:
    """Keys are called by their commands."""

    def of(self, command: Command, lang: str) -> str:
        return f"<{command.value}>"

    def all_of(self, command: Command, lang: str) -> tuple[str, ...]:
        return (self.of(command, lang),)

    def pressed(self, key: str, lang: str) -> str:
        return key


class Over(Exception):
    """The front end has no more commands."""


class Commands:
    """Gives a session one command after another: `choose` sees the place and says which; None ends the session."""

    is_terminal = False
    shift_space: ShiftSpace = "yes"
    wait = 0.3

    def __init__(self, choose: Callable[[Place], Command | None]) -> None:
        self._choose = choose
        self.places: list[Place] = []

    @property
    def names(self) -> KeyNames:
        return Names()

    async def settled(self) -> None:
        return

    async def get(self, place: Callable[[], Place], timeout: float | None = None) -> Pressed | None:
        await asyncio.sleep(0)
        where = place()
        self.places.append(where)
        command = self._choose(where)
        if command is None:
            raise Over
        return Pressed(command.value, command, "", 0.0)


class Ears(Announcer):
    """An announcer whose messages are read and go nowhere else."""

    def __init__(self, lang: str) -> None:
        super().__init__(lang, "off")
        self.messages: list[Message] = []
        self.listeners.append(self.hear)

    def hear(self, messages: Sequence[Message]) -> None:
        self.messages += messages

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.messages]


def simple_player(random: Random, until: Callable[[], bool] = lambda: False) -> Callable[[Place], Command | None]:
    """Plays on by the simplest keys until it is told to stop."""
    at: dict[str, int] = {"step": 0}

    def choose(place: Place) -> Command | None:
        if until():
            return None
        at["step"] += 1
        if place is Place.TURN:
            cycle = (Command.NEXT_FIT, Command.ACT, Command.ACT, Command.DRAW, Command.WALK_RIGHT, Command.HAND)
            return cycle[at["step"] % len(cycle)]
        return {
            Place.END: random.choice(
                (Command.TOWARDS_LEFT, Command.TOWARDS_RIGHT, Command.TOWARDS_UP, Command.TOWARDS_DOWN)
            ),
            Place.BAZAAR: Command.DRAW,
            Place.HELP: Command.LEAVE,
            Place.LEAVING: Command.LEAVE,
        }.get(place, Command.CONFIRM)

    return choose
