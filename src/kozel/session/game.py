"""A match at a keyboard: what the seats here are told, what the table waits for, and the keyboard handed on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from enum import Enum, auto
from typing import Any

from kozel.bots.thinkers import Thinkers
from kozel.engine.events import DealtAgain, Drew, Event, RoundBegan
from kozel.engine.moves import DRAW, KEEP, Move
from kozel.engine.round import Refused
from kozel.engine.seen import View, known
from kozel.engine.tiles import mask_of
from kozel.narration.narrator import Verbosity
from kozel.play.host import Host
from kozel.play.seat import Hearing, Seat, TakenBack, Update
from kozel.play.store import MatchLost
from kozel.session.commands import Command
from kozel.session.deciding import TOWARDS, Deciding
from kozel.session.desk import Desk
from kozel.session.helping import HelpList
from kozel.session.hinting import taken_back, tell_hint
from kozel.session.keys import Keys, Place, Pressed
from kozel.session.laying import allows_closing, allows_several
from kozel.session.patience import Patience
from kozel.session.sounding import NoSounds, Sounds
from kozel.session.telling import Teller
from kozel.voice import speech_texts
from kozel.voice.announcer import Announcer
from kozel.voice.log import station
from kozel.voice.message import Message

_events_log, _commands_log = station("events"), station("commands")
_AT_ONCE = 0.02
"""Seconds in which what a decision sets off, such as a computer player's reply, is told with it, in one write."""


_LONG = 0.25
"""Seconds after which it is said that a hint takes its time."""


class Phase(Enum):
    """What the table waits for."""

    HANDOVER = auto()
    """The next person's Enter."""
    TURN = auto()
    """A person's decision."""
    WAITING = auto()
    """Somebody who does not sit at this keyboard, or the disk."""
    BETWEEN = auto()
    """Enter for the next round."""
    OVER = auto()
    """Enter for a new match, Escape for the menu."""
    LEFT = auto()
    """Nothing: the table was left."""


_PLACES = {
    Phase.HANDOVER: Place.HANDOVER,
    Phase.WAITING: Place.WAITING,
    Phase.BETWEEN: Place.BETWEEN,
    Phase.OVER: Place.OVER,
    Phase.LEFT: Place.OVER,
}


class GameSession:
    """Plays one match after another with the same seats, until the table is left: `await run(…)` returns when it is.

    `keys` None: no person plays, and it returns when the match is over. `in_step`: a key is read only when nothing happens
    without a person any more, as where keys do not come from a terminal. `thinkers` think about hints. `sounds` are told
    what happens; nothing is heard without. `coached`: somebody else says what to press.
    """

    def __init__(
        self,
        host: Host,
        announcer: Announcer,
        keys: Keys | None,
        lang: str,
        verbosity: Verbosity,
        *,
        thinkers: Thinkers,
        in_step: bool = False,
        sounds: Sounds | None = None,
        coached: bool = False,
    ) -> None:
        self._announcer, self._keys, self._thinkers = announcer, keys, thinkers
        self._sounds: Sounds = sounds or NoSounds()
        self._coached = coached
        self._in_step = in_step or (keys is not None and not keys.is_terminal)
        self._patience = Patience(lambda: keys.wait if keys is not None and keys.is_terminal else 0.0)
        self._phase = Phase.BETWEEN
        self._leaving = False
        self._help: HelpList | None = None
        self._unsaved = ""
        self._failure: Exception | None = None
        self._sent: tuple[int, Move] | None = None
        self._errand: asyncio.Task[None] | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[Pressed | None] | None = None
        self._wake = asyncio.Event()
        self._gathering = False
        self._preparing: asyncio.Task[None] | None = None
        self._sit_down(host, lang, verbosity)

    def _sit_down(self, host: Host, lang: str, verbosity: Verbosity) -> None:
        """A match comes to the table."""
        self.host = host
        self._ears: dict[int | None, Seat] = {}
        self._ears.update(host.seats.items())
        if not self._ears:
            self._ears[None] = host.watch()
        self._parts: dict[int, dict[int | None, Update]] = {}
        self._updates: list[dict[int | None, Update]] = []
        views = {number: seat.view for number, seat in self._ears.items()}
        names = self._keys.names if self._keys is not None else None
        self.desk = Desk(host.seating, views, self._announcer, names, lang, verbosity, self._sounds)
        self._deciding = Deciding(self.desk, self._patience)
        self._teller = Teller(self.desk)
        self._mark_seen = False
        self._stops = [seat.listen(self._ear(number)) for number, seat in self._ears.items()]

    def _get_up(self) -> None:
        for stop in self._stops:
            stop()
        self._stops.clear()

    # running

    async def run(self, *, resumed: bool) -> None:
        """Play until the table is left; without keys until the match is over."""
        if resumed:
            self._tell_where_it_stands()
        try:
            if self._keys is not None and allows_several(self.desk.game):
                await self._keys.settled()
                self._name_mark_letter()
            self.host.open(self._trouble)
            if not _must_deal(self.desk.view):
                self._proceed([])
            elif self._keys is not None:
                self._phase = Phase.WAITING
                self._do(self._ready())
            while self._phase is not Phase.LEFT:
                await self._step()
                if self._keys is None and self._phase is Phase.OVER:
                    return
        finally:
            self._get_up()
            for task in (self._reading, self._errand, self._thinking, self._preparing):
                if task is not None:
                    task.cancel()

    async def _step(self) -> None:
        """Obey one key, or tell what has happened."""
        if self._in_step:
            await self._quiet()
        self._hear_updates()
        self._fail()
        if self._phase is Phase.LEFT or (self._keys is None and self._phase is Phase.OVER):
            return
        if self._keys is not None and self._reading is None:
            self._reading = asyncio.ensure_future(self._keys.get(lambda: self.place))
            self._reading.add_done_callback(lambda _: self._wake.set())
        self._wake.clear()
        if self._reading is None or not self._reading.done():
            await self._wake.wait()
        if self._reading is not None and self._reading.done():
            reading, self._reading = self._reading, None
            pressed = reading.result()
            if pressed is not None:
                self.press(pressed)

    async def _quiet(self) -> None:
        """Wait until nothing happens without a person any more, and tell it as it comes."""
        while True:
            for task in (self._errand, self._thinking):
                if task is not None and not task.done():
                    await asyncio.wait([task])
            await self.host.quiet()
            self._hear_updates()
            if not any(task is not None and not task.done() for task in (self._errand, self._thinking)):
                return

    def _fail(self) -> None:
        """Raise what went wrong where nobody waited for it."""
        if self._failure is not None:
            raise self._failure
        for task in (self._errand, self._thinking):
            if task is not None and task.done() and not task.cancelled():
                task.result()

    def _do(self, errand: Coroutine[Any, Any, None]) -> None:
        """Something that takes its time: keys are answered meanwhile."""
        self._errand = asyncio.ensure_future(errand)
        self._errand.add_done_callback(lambda _: self._wake.set())

    @property
    def _at_work(self) -> bool:
        """Is a decision on its way?"""
        return self._errand is not None and not self._errand.done()

    # updates

    def _ear(self, number: int | None) -> Hearing:
        def hear(update: Update) -> None:
            parts = self._parts.setdefault(update.serial, {})
            parts[number] = update
            if len(parts) == len(self._ears):
                self._updates.append(self._parts.pop(update.serial))
                self._wake.set()

        return hear

    def _hear_updates(self) -> None:
        """Tell what has happened; while a question about leaving or a list stands, only what calls for this keyboard."""
        if self._gathering:
            return
        called = any(update.view.own_turn for parts in self._updates for update in parts.values())
        if (self._leaving or self._help is not None) and not called:
            return
        while self._updates:
            self._told(self._updates.pop(0))
            if self._leaving and not self._updates:
                self._ask_again(Command.LEAVE)

    def _told(self, parts: dict[int | None, Update]) -> None:
        """One update, as each seat here knows it."""
        sent, self._sent = self._sent, None
        self.desk.views.update({number: update.view for number, update in parts.items()})
        first = next(iter(parts.values()))
        for number, update in parts.items():
            for event in update.events:
                _events_log.debug("to seat %s: %r", number, event)
        self._sounds.happened(first.events, self.desk.holder, self.desk.game.seats)
        if first.events and isinstance(first.events[0], RoundBegan):
            self._teller.forget()
        if first.taken_back is not None:
            self._gone_back(first.taken_back)
            return
        drawer = sent[0] if sent is not None and sent[1] == DRAW else None
        if drawer is not None and drawer in parts and self.desk.listener == drawer:
            self._drawn_by_hand(parts[drawer].events, drawer, parts)
            return
        for number, update in parts.items():
            if number is not None:
                self._teller.keep_own(number, update.events)
        self._proceed(first.events)

    def _drawn_by_hand(self, events: Sequence[Event], seat: int, parts: dict[int | None, Update]) -> None:
        """A person has drawn: the tile is told to nobody else."""
        desk = self.desk
        if desk.view.turn == seat:
            self._teller.keep(events)
            desk.heard |= {tile for event in events if isinstance(event, Drew) for tile in known(event.tiles)}
            again = desk.key(Command.DRAW) if DRAW in desk.legal else ""
            at = self._announcer.say_all([self._teller.own_draw(events, seat, again)])
            self._set_phase(Phase.TURN)
            if not again:
                self._stand_on_drawn(events)
                self._patience.asked(at)
            return
        first = [self._teller.own_draw(events[:1], seat)]
        for number, update in parts.items():
            if number is not None:
                self._teller.keep_own(number, update.events[1:])
        self._proceed(events, first)

    def _stand_on_drawn(self, events: Sequence[Event]) -> None:
        """After a draw that fits: the cursor stands on that tile, which has been said."""
        drawn = mask_of(tile for event in events if isinstance(event, Drew) for tile in known(event.tiles))
        fitting = drawn & self.desk.fitting_tiles()
        if fitting:
            self.desk.stand_on(fitting)

    def _gone_back(self, taken: TakenBack) -> None:
        self._teller.go_back()
        self._proceed([], [Message("event", None, taken_back(self.desk, taken), None, "moves")])

    def _trouble(self, error: Exception) -> None:
        """What a computer player decided could not be written: Enter tries again. Anything else ends the session."""
        if self._keys is None or not isinstance(error, OSError):
            self._failure = error
        else:
            self._not_saved(error)
            self._unsaved = self._unsaved_words(error)
        self._wake.set()

    # keys

    @property
    def place(self) -> Place:
        """Where the player is, for what a key means."""
        if self._help is not None:
            return Place.HELP
        if self._leaving:
            return Place.LEAVING
        if self._phase is not Phase.TURN:
            return _PLACES[self._phase]
        if self._deciding.asks_for_end:
            return Place.END
        if KEEP in self.desk.legal:
            return Place.REDEAL
        return Place.BAZAAR if self.desk.in_bazaar and not self.desk.marks else Place.TURN

    def press(self, pressed: Pressed) -> None:
        """Obey a key, or say why not."""
        command, early = pressed.command, self._patience.early(pressed.at)
        _commands_log.debug("%s%s in %s", command, ", too early" if early else "", self._phase)
        if command is None:
            if pressed.key != "resume":
                self._refuse_unknown(pressed.key)
        elif self._help is not None:
            self._in_help(self._help, command)
        elif command is Command.HELP:
            self._open_help()
        elif self._leaving:
            self._answer_leaving(command, early)
        elif command is Command.LEAVE:
            self._escape(early)
        elif self._phase is Phase.TURN and self._deciding.asks_for_end and command in _ANSWERS:
            self._carry_out(self._deciding.answer_end(command, early))
        elif command in (Command.ACT, Command.CONFIRM):
            self._act(command, early)
        elif command in (Command.DRAW, Command.MARK):
            self._draw_or_mark(command)
        elif command is Command.UNDO and self.host.can_take_back:
            self._take_back()
        else:
            self._tell_and_ask(command)

    def _refuse_unknown(self, key: str) -> None:
        desk = self.desk
        if key == "paste":
            desk.refuse("paste")
        else:
            desk.refuse("unknown_key", key=desk.pressed(key), help=desk.key(Command.HELP))

    def _tell_and_ask(self, command: Command) -> None:
        """Answer a key that tells something, then ask the open question again; a hint does so once it has come."""
        self._tell(command)
        if command is not Command.HINT or self._thinking is None or self._thinking.done():
            self._ask_again(command)

    def _tell(self, command: Command) -> None:
        desk = self.desk
        if command is Command.WHOSE_TURN:
            self._tell_whose_turn()
        elif command is Command.HINT:
            self._begin_hint()
        elif command is Command.UNDO:
            desk.refuse("practice_only")
        elif not desk.answer(command):
            desk.refuse("unknown_key", key=desk.key(command), help=desk.key(Command.HELP))

    def _tell_whose_turn(self) -> None:
        """In a question for yes or no, without naming another use of Enter."""
        desk = self.desk
        if not desk.playing and self._leaving:
            desk.echo(desk.say("resume.between", number=desk.view.ledger.rounds))
        elif not desk.playing:
            desk.refuse_outside()
        elif self._phase is Phase.HANDOVER and not self._leaving:
            desk.echo(desk.narrator.handover("", desk.turn))
        elif KEEP not in desk.legal:  # else the question, which is asked again, tells it
            desk.private(desk.whose_turn())

    # the hint

    def _begin_hint(self) -> None:
        """Think about a hint, while keys are answered; what has changed meanwhile makes it void."""
        desk = self.desk
        if self._phase is not Phase.TURN or desk.listener is None:
            self._refuse_now()
        elif self._thinking is None or self._thinking.done():
            self._thinking = asyncio.ensure_future(self._hint(desk.view, desk.listener))
            self._thinking.add_done_callback(lambda _: self._wake.set())

    async def _hint(self, view: View, seat: int) -> None:
        desk = self.desk
        asked = asyncio.ensure_future(self._thinkers.hint(self.host.seating, view))
        if not self._in_step:
            await asyncio.wait([asked], timeout=_LONG)
            if not asked.done():
                desk.private(desk.say("hint.wait"))
        hint = await asked
        if self._phase is Phase.TURN and desk.listener == seat and desk.view is view:
            self._patience.asked(tell_hint(desk, hint))
            self._ask_again(Command.HINT)

    # help

    def _open_help(self) -> None:
        self._help = HelpList(self.desk, self.place, practice=self.host.can_take_back, sounds=self._sounds.there)
        self.desk.echo(self._help.opening())

    def _in_help(self, list_: HelpList, command: Command) -> None:
        """Arrows walk, Escape and the key again go back, what tells something tells it."""
        words = list_.walk(command)
        if words is not None:
            self.desk.echo(words)
            if list_.sound:
                self._sounds.sample(list_.sound)
        elif command in (Command.LEAVE, Command.HELP):
            self._help = None
            self._hear_updates()
            self._say_what_stands()
        elif command in _ACTING or not self.desk.can_tell(command):
            self.desk.echo(list_.how_to_leave())
        else:
            self._tell(command)

    # questions

    @property
    def asks(self) -> str:
        """The question that is open, '' for none."""
        if self._leaving:
            return self.desk.narrator.leave_question()
        if self._unsaved:
            return self._unsaved
        return self._deciding.question if self._phase is Phase.TURN else ""

    def _ask_again(self, answered: Command) -> None:
        """After a key that told something, a question is asked again; the last announcement was that very question."""
        question = self.asks
        if question and answered is not Command.REPEAT:
            to = None if self._leaving or self._unsaved else self.desk.listener
            self._patience.asked(self._announcer.say("event", to, question, remember=False))

    def _escape(self, early: bool) -> None:
        desk = self.desk
        if self._phase is Phase.OVER:
            if not self._deciding.too_early(early):
                self._phase = Phase.LEFT
        elif self._phase is Phase.TURN and (self._deciding.asks_for_end or KEEP in desk.legal):
            self._carry_out(self._deciding.no(early))
        else:
            self._leaving = True
            self.host.hold(True)
            self._patience.asked(desk.tell("event", [self.asks]))

    def _answer_leaving(self, command: Command, early: bool) -> None:
        """Enter leaves, Escape stays; Space never confirms."""
        if command is Command.CONFIRM:
            if not self._deciding.too_early(early):
                self._phase = Phase.LEFT
        elif command is Command.LEAVE:
            if not self._deciding.too_early(early):
                self._leaving = False
                self.host.hold(False)
                self._hear_updates()
                self._say_what_stands()
        elif command in _ACTING or not self.desk.can_tell(command):
            self.desk.refuse("answer_first", question=self.asks)
        else:
            self._tell_and_ask(command)

    def _say_what_stands(self) -> None:
        """After a question or a list: what the table waits for."""
        desk = self.desk
        if self._leaving or self._unsaved:
            line, to = self.asks, None
        elif self._phase is Phase.BETWEEN:
            line, to = desk.say("next.round"), None
        elif self._phase is Phase.OVER:
            line, to = desk.narrator.after_match(), None
        elif self._phase is Phase.HANDOVER:
            line, to = desk.narrator.handover("", desk.turn), None
        elif not desk.playing:
            return
        else:
            line, to = self.asks or desk.whose_turn(), desk.listener
        self._patience.asked(desk.tell("event", [line], to))

    # what acts

    def _act(self, command: Command, early: bool) -> None:
        """Space or Enter: what it does depends on what the table waits for."""
        if self._phase is Phase.TURN:
            if self._at_work:
                self.desk.refuse("too_early")
            else:
                self._carry_out(self._deciding.act(command, early))
        elif self._unsaved and self._phase is Phase.WAITING:
            if not self._deciding.too_early(early):
                self._unsaved = ""
                self._do(self._retry())
        elif self._phase is Phase.WAITING:
            self._refuse_now()
        elif self._at_work:
            self.desk.refuse("too_early")
        elif command is Command.ACT:
            self._refuse_now()
        elif not self._deciding.too_early(early):
            if self._phase is Phase.HANDOVER:
                self._do(self._hand_over())
            elif self._phase is Phase.BETWEEN:
                self._do(self._ready())
            else:
                self._do(self._new_match())

    def _draw_or_mark(self, command: Command) -> None:
        if self._phase is not Phase.TURN:
            self._refuse_now()
        elif self._at_work:
            self.desk.refuse("too_early")
        elif command is Command.DRAW:
            self._carry_out(self._deciding.draw())
        else:
            self._mark_seen = True
            self._deciding.unsure_of_marks = False
            self._deciding.mark()

    def _take_back(self) -> None:
        """Backspace in practice: a tile from the question for its end, else a person's last decision."""
        if self._phase is Phase.TURN and self._deciding.asks_for_end:
            self._deciding.no(early=False)
        elif self._at_work:
            self.desk.refuse("too_early")
        else:
            self._do(self._undo())

    def _refuse_now(self) -> None:
        """A key that acts has no meaning in what the table waits for."""
        desk = self.desk
        if self._unsaved:
            desk.echo(self._unsaved)
        elif not desk.playing:
            desk.refuse_outside()
        elif self._phase is Phase.HANDOVER:
            desk.refuse("enter_first", name=desk.name(desk.turn))
        else:
            desk.refuse("not_your_turn", name=desk.name(desk.turn))

    def _carry_out(self, move: Move | None) -> None:
        if move is not None:
            self._do(self._decide(move, self.desk.turn))

    # errands

    async def _decide(self, move: Move, seat: int) -> None:
        """Have a decision carried out; what comes of it is told as an update."""
        self._sent = seat, move
        try:
            async with self._gathered():
                await self._ears[seat].decide(move)
        except OSError as error:
            if self._sent is not None:
                self._deciding.not_carried_out()
            self._not_saved(error)
            self._ask_again(Command.ACT)
        except Refused as refused:
            self.desk.refuse(refused.kind, **refused.facts)
        finally:
            self._sent = None

    @asynccontextmanager
    async def _gathered(self) -> AsyncIterator[None]:
        """What is done inside and what it sets off at once are told together."""
        self._gathering = True
        try:
            yield
            await asyncio.wait([asyncio.ensure_future(self.host.quiet())], timeout=_AT_ONCE)
        finally:
            self._gathering = False
            with self._announcer.together():
                self._hear_updates()

    async def _ready(self) -> None:
        try:
            async with self._gathered():
                for seat in self.host.seats.values():
                    await seat.ready()
        except OSError as error:
            if self.desk.view.turn is None:
                self._set_phase(Phase.BETWEEN)
            self._not_saved(error)

    async def _retry(self) -> None:
        try:
            await self.host.retry()
        except OSError as error:
            self._trouble(error)

    async def _undo(self) -> None:
        seat = next(iter(self.host.seats.values()))
        try:
            done = await seat.take_back()
        except OSError as error:
            self._not_saved(error)
            return
        if not done:
            self.desk.refuse("nothing_to_take_back")
            self._ask_again(Command.UNDO)

    async def _new_match(self) -> None:
        narrator = self.desk.narrator
        try:
            host = await self.host.again()
        except OSError as error:
            self._not_saved(error)
            return
        self._get_up()
        self._sit_down(host, narrator.lang, narrator.verbosity)
        game, who = host.seating.ruleset.name(narrator.lang), self.desk.narrator.table.names
        self.desk.tell("event", [self.desk.say("match.new", game=game, who=who)])
        self._name_mark_letter()
        self._set_phase(Phase.WAITING)
        host.open(self._trouble)
        await self._ready()

    def _not_saved(self, error: OSError) -> None:
        self.desk.echo(self._unsaved_words(error))

    def _unsaved_words(self, error: OSError) -> str:
        file = error.filename or ""
        if isinstance(error, MatchLost):
            return self.desk.narrator.refusal(f"record_{error.kind}", file=str(file), elsewhere=str(error.elsewhere))
        return self.desk.narrator.refusal("not_saved", file=str(file), why=error.strerror or str(error))

    # what happens

    def _proceed(self, events: Sequence[Event], first: Sequence[Message] = ()) -> None:
        """Tell events and see what the table waits for next. `first`: what one person hears before."""
        desk = self.desk
        view = desk.view
        messages = [*first, *self._teller.public(events)]
        if view.end is not None:
            if self._keys is not None and not self._coached:
                messages.append(Message("event", None, desk.narrator.after_match()))
            self._end(Phase.OVER, messages)
        elif _must_deal(view) and any(isinstance(event, DealtAgain) for event in events):
            self._announcer.say_all(messages)
            self._set_phase(Phase.WAITING)
        elif view.turn is None:
            self._between(messages)
        elif view.turn not in self._ears:
            self._announcer.say_all(messages)
            self._set_phase(Phase.WAITING)
        elif desk.holder == view.turn and not desk.public:
            self._begin_turn(messages, taken_over=False)
        else:
            self._ask_for_handover(messages)

    def _set_phase(self, phase: Phase) -> None:
        self._phase = phase
        self._unsaved = ""

    def _between(self, messages: list[Message]) -> None:
        if self.host.seats:
            self._end(Phase.BETWEEN, [*messages, Message("event", None, self.desk.say("next.round"))])
        else:
            self._announcer.say_all(messages)
            self._set_phase(Phase.WAITING)

    def _end(self, phase: Phase, messages: Sequence[Message]) -> None:
        """A round or the match is over; in a hot seat nobody has the keyboard until the next Enter."""
        self._patience.asked(self._announcer.say_all(messages))
        self._set_phase(phase)
        self._deciding.begin()
        self.desk.public = self.desk.solo is None

    def _ask_for_handover(self, messages: list[Message]) -> None:
        desk = self.desk
        last = messages.pop() if messages and messages[-1].to is None else None
        text = desk.narrator.handover(last.text if last else "", desk.turn)
        messages.append(Message("event", None, text, None, last.group if last else "other"))
        desk.sound("handover", desk.turn)
        desk.public = True
        desk.marks.clear()
        self._set_phase(Phase.HANDOVER)
        self._patience.asked(self._announcer.say_all(messages))

    async def _hand_over(self) -> None:
        """The person whose turn it is has the keyboard now, and nothing of another's hand is left on the terminal.

        What that person hears is handed over once the terminal is erased: from there on a key may answer it.
        """
        desk = self.desk
        desk.holder, desk.public = desk.turn, False
        messages = []
        if not self._announcer.forget(desk.holder):
            messages.append(Message("event", None, speech_texts.cannot_forget(desk.narrator.lang)))
        if self._keys is not None and self._keys.is_terminal:
            await asyncio.to_thread(self._announcer.erased)
        self._begin_turn(messages, taken_over=True)

    def _begin_turn(self, messages: list[Message], *, taken_over: bool) -> None:
        """A person's decision begins: what only that person may hear comes last."""
        self._set_phase(Phase.TURN)
        seat = self.desk.turn
        self._deciding.begin()
        self._deciding.unsure_of_marks = self._unsure_of_marks()
        messages += self._teller.drawn_for(seat)
        messages.append(Message("event", seat, self._turn_line(taken_over)))
        self.desk.sound("turn", seat, to=seat)
        self._patience.asked(self._announcer.say_all(messages))
        if self._preparing is None and not self._in_step:
            self._preparing = asyncio.ensure_future(self._thinkers.prepare(self.host.seating))

    def _name_mark_letter(self) -> None:
        """Once a match, where Shift+Space may not do."""
        if self._unsure_of_marks() and not self._coached:
            key = "question.x_closes" if allows_closing(self.desk.game) else "question.x_marks"
            self.desk.tell("event", [self.desk.say(key, key=self.desk.key(Command.MARK))])

    def _unsure_of_marks(self) -> bool:
        """Whether Shift+Space may arrive as Space here, where several doubles can be laid at once."""
        keys = self._keys
        if keys is None or keys.shift_space == "yes" or self._mark_seen:
            return False
        return bool(self.desk.key(Command.MARK)) and allows_several(self.desk.game)

    def _turn_line(self, taken_over: bool) -> str:
        return self._deciding.question or self.desk.own_turn(after_handover=taken_over)

    def _tell_where_it_stands(self) -> None:
        """A match gone on with: seats, score, round and ends; never a hand."""
        desk = self.desk
        view, narrator = desk.view, desk.narrator
        game = self.host.seating.ruleset.name(narrator.lang)
        ends = view.ends if view.playing else None
        desk.tell("event", narrator.resume(game, view.number, ends, desk.score_lines()))


def _must_deal(view: View) -> bool:
    """Is the next thing to happen a deal that nobody has to be asked for?"""
    return view.turn is None and view.end is None and (not view.past or view.past[-1].result == "redeal")


_ANSWERS = (*TOWARDS, Command.ACT, Command.CONFIRM)
"""What a question for an end takes for an answer, right or wrong."""
_ACTING = (
    *TOWARDS,
    Command.ACT,
    Command.CONFIRM,
    Command.DRAW,
    Command.MARK,
    Command.UNDO,
    Command.LEAVE,
)
"""What does something at the table."""
