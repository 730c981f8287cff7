"""Help: a list that lies over the table. First the keys that do something now, then the others, then the rules in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kozel.rules.describing import describe
from kozel.session.command_texts import command_text
from kozel.session.commands import Command
from kozel.session.desk import Desk
from kozel.session.keys import Place
from kozel.session.laying import allows_closing, allows_several

_TILES = tuple(command for command in Command if command.tile is not None)
_OWN_TURN = (
    Command.NEXT_FIT,
    Command.ACT,
    Command.WALK_LEFT,
    Command.WALK_RIGHT,
    Command.MARK,
    Command.DRAW,
    Command.HINT,
)
_NOW: dict[Place, tuple[Command, ...]] = {
    Place.TURN: _OWN_TURN,
    Place.BAZAAR: (Command.DRAW, Command.ZONE_BEFORE),
    Place.END: (Command.WALK_LEFT, Command.WALK_RIGHT, Command.LEAVE),
    Place.REDEAL: (Command.CONFIRM, Command.LEAVE, Command.HAND),
    Place.LEAVING: (Command.CONFIRM, Command.LEAVE),
    Place.HANDOVER: (Command.CONFIRM,),
    Place.BETWEEN: (Command.CONFIRM, Command.LAST_ROUND, Command.SCORES),
    Place.OVER: (Command.CONFIRM, Command.LEAVE, Command.LAST_ROUND, Command.SCORES),
    Place.WAITING: (Command.LAST_MOVE, Command.COUNTS, Command.HAND),
}
"""The commands that do something at each place, the most useful first."""
_MOST = 5
"""Lines told at once by a step from one part of the list to the next."""


class HelpList:
    """One visit to the list. `line` is what it stands on."""

    def __init__(
        self, desk: Desk, place: Place, *, practice: bool, network: bool = False, sounds: bool = False
    ) -> None:
        absent = set(_absent(desk, practice=practice, network=network, sounds=sounds))
        self._desk = desk
        self._lines = [*_key_lines(desk, place, absent), *describe(desk.seating.ruleset, desk.narrator.lang, desk.game)]
        self._sounds = desk.sounds.names()
        self._lines += [desk.say("sounds.learn", meaning=desk.say(f"sound.{name}")) for name in self._sounds]
        self._at = 0

    @property
    def line(self) -> str:
        """The line that it stands on."""
        return self._lines[self._at]

    @property
    def sound(self) -> str:
        """The name of the sound that it stands on, '' where that is no sound."""
        place = self._at - len(self._lines) + len(self._sounds)
        return self._sounds[place] if place >= 0 and self._sounds else ""

    def opening(self) -> str:
        """What is said first: what this is, how it is walked and left, and the first line."""
        facts = {"n": len(self._lines), "back": self._desk.key(Command.LEAVE)}
        return " ".join([self._desk.say("list.help", **facts), self.line])

    def how_to_leave(self) -> str:
        """What is said to a key that would act."""
        return self._desk.say("list.leave_first", back=self._desk.key(Command.LEAVE))

    def walk(self, command: Command) -> str | None:
        """The words of a step; None where the command is none."""
        by = {Command.ZONE_BEFORE: -1, Command.ZONE_AFTER: 1, Command.PREVIOUS_FIT: -_MOST, Command.NEXT_FIT: _MOST}
        last = len(self._lines) - 1
        if command in (Command.WALK_HOME, Command.WALK_END):
            self._at = 0 if command is Command.WALK_HOME else last
            return self.line
        if command not in by:
            return None
        wanted = self._at + by[command]
        now, self._at = self._at, min(max(wanted, 0), last)
        return self.line if self._at != now else self._desk.narrator.at_edge(self.line)


def _absent(desk: Desk, *, practice: bool, network: bool, sounds: bool) -> Iterator[Command]:
    """The commands that this game, or this table, has no use for."""
    rules = desk.game.round
    if rules.draws == 0:
        yield from (Command.DRAW, Command.BAZAAR)
    if not allows_several(desk.game):
        yield Command.MARK
    if not allows_closing(desk.game):
        yield from (Command.END_UP, Command.END_DOWN)
    if not practice:
        yield Command.UNDO
    if not network:
        yield Command.TALK
    if not sounds:
        yield from (Command.LOUDER, Command.QUIETER)


def _key_lines(desk: Desk, place: Place, absent: Iterable[Command]) -> Iterator[str]:
    """A line a command: those that do something now, then the rest in the order of use."""
    gone = set(absent)
    for command in (*_NOW.get(place, ()), *Command):
        if command in gone:
            continue
        gone.add(command)
        line = _tiles_line(desk) if command is _TILES[0] else _line(desk, command, desk.keys(command))
        if command not in _TILES[1:] and line:
            yield line


def _line(desk: Desk, command: Command, keys: tuple[str, ...]) -> str:
    if not keys:
        return ""
    return desk.say("list.key", keys=keys, text=command_text(command, desk.narrator.lang))


def _tiles_line(desk: Desk) -> str:
    """All keys that name own tiles by number in one line."""
    first, last = desk.keys(_TILES[0]), desk.keys(_TILES[-1])
    return desk.say("list.tiles", first=first[0], last=last[0]) if first and last else ""
