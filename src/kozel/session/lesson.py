"""The guided first match: between the keyboard and the table stands a coach, who asks for one key after another and says why."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kozel.locales import message
from kozel.locales.catalogue import words
from kozel.session.command_texts import command_text
from kozel.session.commands import Command
from kozel.session.cursor import Cursor
from kozel.session.deciding import TOWARDS
from kozel.session.game import GameSession
from kozel.session.keys import KeyNames, Keys, Place, Pressed, ShiftSpace
from kozel.voice.message import Kind

_LEARNER = 0


class Step(NamedTuple):
    """A key asked for, and the message that says why. `acts`: done only once it has changed something at the table.

    `decides`: it does so by a decision of the match, after which whoever left goes on when coming back. Where the keymap has
    no key for it, the commands `instead` lead to the same place.
    """

    text: str
    command: Command
    acts: bool = False
    instead: tuple[Command, ...] = ()
    decides: bool = False


STEPS = (
    # what tiles are, and the opening
    Step("lesson.walk", Command.WALK_RIGHT),
    Step("lesson.tiles", Command.HAND),
    Step("lesson.aim", Command.COUNTS),
    Step("lesson.walk_end", Command.WALK_END),
    Step("lesson.next_fit", Command.NEXT_FIT),
    Step("lesson.lay", Command.ACT, acts=True, decides=True),
    # nothing fits
    Step("lesson.draw", Command.DRAW, acts=True, decides=True),
    Step("lesson.draw_again", Command.DRAW, acts=True, decides=True),
    Step("lesson.lay_drawn", Command.ACT, acts=True, decides=True),
    # the chain; both ends show the same
    Step("lesson.chain", Command.CHAIN),
    Step("lesson.bazaar", Command.BAZAAR),
    Step("lesson.last_move", Command.LAST_MOVE),
    Step("lesson.ends", Command.WHOSE_TURN),
    Step("lesson.repeat", Command.REPEAT),
    Step("lesson.number", Command.TILE_4, instead=(Command.NEXT_FIT, Command.NEXT_FIT)),
    Step("lesson.lay_number", Command.ACT, acts=True, decides=True),
    # a tile that fits two different ends
    Step("lesson.moves", Command.MOVES_SINCE_TURN),
    Step("lesson.unheard", Command.ACT, acts=True),
    Step("lesson.heard", Command.ACT, acts=True),
    Step("lesson.which_end", Command.TOWARDS_LEFT, acts=True, decides=True),
    # two doubles at once
    Step("lesson.scores", Command.SCORES),
    Step("lesson.eggs", Command.EGGS),
    Step("lesson.mark", Command.MARK, acts=True),
    Step("lesson.home", Command.WALK_HOME, instead=(Command.NEXT_FIT, Command.NEXT_FIT)),
    Step("lesson.mark_second", Command.MARK, acts=True),
    Step("lesson.lay_both", Command.ACT, acts=True, decides=True),
    # leaving, a hint, and the fish
    Step("lesson.leave", Command.LEAVE, acts=True),
    Step("lesson.stay", Command.LEAVE, acts=True),
    Step("lesson.hint", Command.HINT, instead=(Command.NEXT_FIT,)),
    Step("lesson.lay_hint", Command.ACT, acts=True),
    Step("lesson.make_fish", Command.TOWARDS_RIGHT, acts=True, decides=True),
    # the end
    Step("lesson.last_round", Command.LAST_ROUND),
    Step("lesson.end", Command.CONFIRM),
)
"""The learner's part of the deal in `play/lesson.py`, key by key. The last one ends the lesson."""
_ACTS = {Command.ACT, Command.CONFIRM, Command.MARK, Command.DRAW, Command.UNDO, Command.HINT, Command.LEAVE}
"""What the table obeys only where it is asked for: it would change the match, or advise another move than the lesson's."""


def steps_for(names: KeyNames, lang: str) -> list[Step]:
    """The steps that there are keys for."""
    steps: list[Step] = []
    for step in STEPS:
        if names.of(step.command, lang) or step.acts:
            steps.append(step)
        else:
            steps += [Step("lesson.further", command) for command in step.instead]
    return steps


class LessonLeft(Exception):
    """The learner has left, or come to the end."""


class Coach:
    """Gives the table the key that is asked for and those that only tell; `get` raises `LessonLeft` when the lesson is over.

    Wherever the learner walks in between, the key that is asked for works from where it was asked for.
    """

    def __init__(self, keys: Keys, lang: str, decisions: int = 0, tile: int | None = None) -> None:
        """`decisions`: made before the learner left the last time; `tile`: the one to be laid next, on which to stand."""
        self._keys = keys
        self._steps = steps_for(keys.names, lang)
        self._number, self._stands_on = 0, tile
        while sum(step.decides for step in self._steps[: self._number]) < decisions:
            self._number += 1
        self._told = self._leaving = self._passed = False
        self._waits_for: object = None
        self._asked_at: tuple[Cursor, frozenset[int]] | None = None

    def sit_by(self, table: GameSession) -> None:
        """The match that is coached; before the first key is read."""
        self._table = table

    @property
    def decisions(self) -> int:
        """How many decisions the learner has made."""
        return sum(step.decides for step in self._steps[: self._number])

    @property
    def finished(self) -> bool:
        """Whether the learner came to the end."""
        return self._number == len(self._steps) - 1

    @property
    def is_terminal(self) -> bool:
        """Whether a person types on a terminal."""
        return self._keys.is_terminal

    @property
    def shift_space(self) -> ShiftSpace:
        """Whether Shift+Space is told from Space."""
        return self._keys.shift_space

    @property
    def names(self) -> KeyNames:
        """What the keys are called."""
        return self._keys.names

    @property
    def wait(self) -> float:
        """Seconds from a question to a key that may answer it."""
        return self._keys.wait

    async def settled(self) -> None:
        """Wait until that is known."""
        await self._keys.settled()

    async def get(self, place: Callable[[], Place], timeout: float | None = None) -> Pressed | None:
        """The next key for the table."""
        self._judge()
        while True:
            pressed = await self._keys.get(lambda: Place.LEAVING if self._leaving else place(), timeout)
            if pressed is None or self._may_pass(pressed):
                return pressed

    @property
    def _step(self) -> Step:
        return self._steps[self._number]

    @property
    def _stands(self) -> object:
        """All that a key that acts can change."""
        desk = self._table.desk
        return desk.view.log, self._table.asks, frozenset(desk.heard), tuple(desk.marks)

    def _judge(self) -> None:
        """See what the last key came to, and ask for the next one."""
        if self._waits_for is not None:
            if self._waits_for == self._stands:
                self._passed = True
            else:
                self._number, self._told = self._number + 1, False
        self._waits_for = None
        desk = self._table.desk
        if self._stands_on is not None and self._stands_on in desk.own():
            desk.cursor.zone = "hand"
            desk.cursor.stand(desk.own(), desk.own().index(self._stands_on))
        self._stands_on = None
        if not self._told:
            self._told = True
            self._say("event", self._text(self._step.text))
        elif self._passed:
            self._say("event", self._text("lesson.press"))
        self._passed = False

    def _may_pass(self, pressed: Pressed) -> bool:
        command = pressed.command
        if command is None and pressed.key in ("paste", "resume"):
            return False
        if self._leaving:
            self._answer_leaving(command, pressed.key)
            return False
        if self._is_asked_for(command):
            self._come_back()
            self._waits_for = self._stands if self._step.acts else ()
            return True
        if command is not None and self._only_tells(command):
            self._stray()
            return True
        if command is Command.LEAVE:
            self._leaving = True
            self._say("event", self._text("lesson.leave_question"))
        else:
            self._say("echo", self._text("lesson.not_now", pressed=self._keys.names.pressed(pressed.key, self._lang)))
        return False

    def _only_tells(self, command: Command) -> bool:
        """Whether a key changes nothing but the cursor and how things are told."""
        answers_for_end = self._step.acts and self._step.command in TOWARDS
        return command not in _ACTS and not (answers_for_end and command in TOWARDS)

    def _stray(self) -> None:
        """A key that was not asked for is answered, and then the one that was is asked for again."""
        desk = self._table.desk
        if self._asked_at is None:
            self._asked_at = desk.cursor.copy(), frozenset(desk.heard)
        self._passed = True

    def _come_back(self) -> None:
        desk = self._table.desk
        if self._asked_at is not None:
            cursor, heard = self._asked_at
            desk.cursor.come_to(cursor)
            desk.heard = set(heard)
        self._asked_at = None

    def _is_asked_for(self, command: Command | None) -> bool:
        wanted = self._step.command
        if self._step.text == "lesson.end" and command in (Command.CONFIRM, Command.ACT, Command.LEAVE):
            raise LessonLeft
        if self._step.text == "lesson.stay" and command is Command.CONFIRM:
            raise LessonLeft
        return command is wanted or (wanted is Command.ACT and command is Command.CONFIRM)

    def _answer_leaving(self, command: Command | None, key: str) -> None:
        if command is Command.CONFIRM:
            raise LessonLeft
        if command is Command.LEAVE:
            self._leaving = False
            self._say("event", self._text(self._step.text))
        else:
            self._say("echo", self._text("lesson.yes_or_no", pressed=self._keys.names.pressed(key, self._lang)))

    # words

    @property
    def _lang(self) -> str:
        return self._table.desk.narrator.lang

    def _say(self, kind: Kind, text: str) -> None:
        """The coach's words are no part of the match: they are not found again among its messages."""
        self._table.desk.announcer.say(kind, _LEARNER, text, remember=False)

    def _text(self, key: str, **facts: object) -> str:
        command = self._step.command
        facts |= {"key": self._key(command), "does": command_text(_WALKED.get(command, command), self._lang)}
        seating = self._table.host.seating
        facts |= {"target": seating.options["target"], "usual": seating.ruleset.options["target"].default}
        return message(self._lang, key, help=self._key(Command.HELP), **facts)

    def _key(self, command: Command) -> str:
        """A command's keys as they are said: the first, and one that every terminal has where there is one."""
        lang = self._lang
        if command in (Command.MARK, *TOWARDS):
            return self._keys.names.of(_WALKED.get(command, command), lang)
        return f" {words(lang).OR} ".join(self._keys.names.all_of(command, lang)[:2])


_WALKED = {Command.TOWARDS_LEFT: Command.WALK_LEFT, Command.TOWARDS_RIGHT: Command.WALK_RIGHT}
"""Whose keys these are in the question for an end."""
