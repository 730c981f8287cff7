"""A match at the terminal: whose move it is, and the keyboard handed from one person to the next."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date
from enum import Enum, auto

from kozel.engine.events import DealtAgain, Drew, Event
from kozel.engine.moves import DRAW, KEEP, Move
from kozel.engine.tiles import tiles_in
from kozel.narration.narrator import Verbosity
from kozel.play.practice import PracticeRunner
from kozel.play.runner import Runner
from kozel.play.store import Folder
from kozel.session.commands import Command
from kozel.session.deciding import TOWARDS, Deciding
from kozel.session.desk import Desk
from kozel.session.helping import Help
from kozel.session.hinting import taken_back, tell_hint
from kozel.session.laying import allows_closing, allows_several, fitting_count, playable
from kozel.session.patience import Patience
from kozel.session.telling import Teller
from kozel.terminal.keymap import Keymap
from kozel.terminal.names import spoken
from kozel.terminal.source import Keys, Pressed
from kozel.voice import speech_texts
from kozel.voice.announcer import Announcer
from kozel.voice.message import Message


class Phase(Enum):
    """What the table waits for."""

    HANDOVER = auto()
    """The next person's Enter."""
    TURN = auto()
    """A person's decision."""
    BOT = auto()
    """A computer player."""
    BETWEEN = auto()
    """Enter for the next round."""
    OVER = auto()
    """Enter for a new match, Escape for the menu."""
    LEFT = auto()
    """Nothing: the table was left."""


class GameTable:
    """Plays one match after another with the same seats, until the table is left.

    `await run(keys)` returns when it is. Every decision is on the disk before it is told.
    """

    def __init__(
        self,
        runner: Runner,
        announcer: Announcer,
        keymap: Keymap,
        lang: str,
        verbosity: Verbosity,
        *,
        folder: Folder,
        day: date,
        pause: float = 0.0,
    ) -> None:
        self._announcer, self._keymap = announcer, keymap
        self._folder, self._day, self._pause = folder, day, pause
        self._help = Help(keymap)
        self._patience = Patience(False)
        self._keys: Keys | None = None
        self._phase = Phase.BETWEEN
        self._leaving = self._unsaved = False
        self._sit_down(runner, lang, verbosity)

    def _sit_down(self, runner: Runner, lang: str, verbosity: Verbosity) -> None:
        """A match comes to the table."""
        self.runner = runner
        self.desk = Desk(runner, self._announcer, self._keymap, lang, verbosity)
        self._deciding = Deciding(self.desk, self._patience)
        self._teller = Teller(self.desk)
        self._mark_seen = False

    # running

    async def run(self, keys: Keys | None, *, resumed: bool) -> None:
        """Play until the table is left. Without `keys` (no person plays) until the match is over."""
        self._keys = keys
        self._patience = Patience(keys is not None and keys.is_terminal)
        self._deciding = Deciding(self.desk, self._patience)
        past = self.runner.match.past
        if resumed:
            self._tell_where_it_stands()
        if keys is not None and allows_several(self.runner.match.game):
            await keys.settled()
            self._name_mark_letter()
        if self.runner.match.round is None and (not past or past[-1].result == "redeal"):
            self._deal()
        else:
            self._proceed([])
        while self._phase is not Phase.LEFT:
            if self._phase is Phase.BOT and not self._unsaved:
                await self._bot_turn()
            elif keys is None:
                return
            else:
                pressed = await keys.get()
                if pressed is not None:
                    self.press(pressed)

    async def _bot_turn(self) -> None:
        """A computer player decides in a thread of its own, so that keys are answered meanwhile."""
        keys = self._keys
        if keys is None or not keys.is_terminal:
            await asyncio.sleep(0)
            self._decide(self.runner.bot_move())
            return
        match = self.runner.match
        thinking = asyncio.ensure_future(asyncio.to_thread(self.runner.bot_move))
        rests = asyncio.ensure_future(asyncio.sleep(self._pause))
        try:
            while True:
                _, waiting = await asyncio.wait({thinking, rests}, timeout=0.02, return_when=asyncio.ALL_COMPLETED)
                while (pressed := await keys.get(timeout=0)) is not None:
                    self.press(pressed)
                if self._phase is not Phase.BOT or self.runner.match is not match:
                    return
                if not waiting and not self._leaving:
                    break
        finally:
            rests.cancel()
        self._decide(await thinking)

    # keys

    def press(self, pressed: Pressed) -> None:
        """Obey a key, or say why not."""
        early = self._patience.early(pressed.name, pressed.at)
        command = Command(pressed.command) if pressed.command else None
        self.desk.obeys(held=self._patience.held and command in _ACTS)
        if command is None:
            if pressed.name not in ("paste", "resume"):
                self._refuse_unknown(pressed.name)
            return
        self._help.pressed(command)
        if self._leaving:
            self._answer_leaving(command, early)
        elif command is Command.LEAVE:
            self._escape(early)
        elif self._phase is Phase.TURN and self._deciding.asks_for_end and command in _ANSWERS:
            self._carry_out(self._deciding.answer_end(command, early))
        elif command in (Command.ACT, Command.CONFIRM):
            self._act(command, early)
        elif command in (Command.DRAW, Command.MARK):
            self._draw_or_mark(command)
        elif command is Command.UNDO and isinstance(self.runner, PracticeRunner):
            self._take_back(self.runner, early)
        else:
            self._tell(command)
            self._ask_again(command)

    def _refuse_unknown(self, name: str) -> None:
        desk = self.desk
        desk.refuse("unknown_key", key=spoken(name, desk.narrator.lang), help=desk.key(Command.HELP))

    def _tell(self, command: Command) -> None:
        desk = self.desk
        if command is Command.HELP:
            desk.tell("echo", self._help.lines(desk.narrator.lang, self.runner), group="answers")
        elif command is Command.WHOSE_TURN:
            self._tell_whose_turn()
        elif command is Command.HINT and self._phase is Phase.TURN:
            tell_hint(desk)
        elif command is Command.HINT:
            self._refuse_now()
        elif command is Command.UNDO:
            desk.refuse("practice_only")
        else:
            desk.answer(command)

    def _tell_whose_turn(self) -> None:
        """In a question for yes or no, without naming another use of Enter."""
        desk = self.desk
        if desk.round is None and self._leaving:
            desk.echo(desk.say("resume.between", number=self.runner.match.ledger.rounds))
        elif desk.round is None:
            desk.refuse_outside()
        elif self._phase is Phase.HANDOVER and not self._leaving:
            desk.echo(desk.narrator.handover("", self._turn()))
        elif KEEP not in desk.legal:  # else the question, which is asked again, tells it
            desk.private(desk.whose_turn())

    @property
    def asks(self) -> str:
        """The question that is open, '' for none."""
        return self._question()

    def _question(self) -> str:
        if self._leaving:
            return self.desk.narrator.leave_question()
        return self._deciding.question if self._phase is Phase.TURN else ""

    def _ask_again(self, told: Command) -> None:
        """After a key that told something, a question is asked again; the last announcement was that very question."""
        question = self._question()
        if question and told is not Command.REPEAT:
            to = None if self._leaving else self.desk.listener
            self._patience.asked(self._announcer.say("event", to, question, remember=False))

    def _escape(self, early: bool) -> None:
        desk = self.desk
        if self._phase is Phase.OVER:
            self._phase = Phase.LEFT
        elif self._phase is Phase.TURN and (self._deciding.asks_for_end or KEEP in desk.legal):
            self._carry_out(self._deciding.no(early))
        else:
            self._leaving = True
            self._patience.asked(desk.tell("event", [self._question()]))

    def _answer_leaving(self, command: Command, early: bool) -> None:
        """Enter leaves, Escape stays; Space never confirms."""
        if command is Command.CONFIRM:
            if not self._deciding.too_early(early):
                self._phase = Phase.LEFT
        elif command is Command.LEAVE:
            if not self._deciding.too_early(early):
                self._leaving = False
                self._say_what_stands()
        elif command in (Command.ACT, Command.DRAW, Command.MARK) or not self.desk.can_tell(command):
            self.desk.refuse("answer_first", question=self._question())
        else:
            self._tell(command)
            self._ask_again(command)

    def _say_what_stands(self) -> None:
        """After a question that came to nothing: what the table waits for."""
        desk = self.desk
        if self._phase is Phase.BETWEEN:
            line, to = desk.say("next.round"), None
        elif self._phase is Phase.HANDOVER:
            line, to = desk.narrator.handover("", self._turn()), None
        else:
            line, to = self._question() or desk.whose_turn(), desk.listener
        self._patience.asked(desk.tell("event", [line], to))

    def _act(self, command: Command, early: bool) -> None:
        """Space or Enter: what it does depends on what the table waits for."""
        if self._phase is Phase.TURN:
            self._carry_out(self._deciding.act(command, early))
        elif self._phase is Phase.BOT and self._unsaved:
            self._unsaved = False
        elif self._phase is Phase.BOT or command is Command.ACT:
            self._refuse_now()
        elif not self._deciding.too_early(early):
            if self._phase is Phase.HANDOVER:
                self._hand_over()
            elif self._phase is Phase.BETWEEN:
                self._deal()
            else:
                self._new_match()

    def _draw_or_mark(self, command: Command) -> None:
        if self._phase is not Phase.TURN:
            self._refuse_now()
        elif command is Command.DRAW:
            self._carry_out(self._deciding.draw())
        else:
            self._mark_seen = True
            self._deciding.unsure_of_marks = False
            self._deciding.mark()

    def _take_back(self, runner: PracticeRunner, early: bool) -> None:
        """Backspace in practice: a tile from the question for its end, else a person's last decision."""
        if self._phase is Phase.TURN and self._deciding.asks_for_end:
            self._deciding.no(early)
        elif not self._deciding.too_early(early):
            try:
                taken = runner.undo()
            except OSError as error:
                self._not_saved(error)
                return
            if taken is None:
                self.desk.refuse("nothing_to_take_back")
                self._ask_again(Command.UNDO)
            else:
                self._teller.go_back()
                self._proceed([], [Message("event", None, taken_back(self.desk, taken), None, "moves")])

    def _refuse_now(self) -> None:
        """A key that acts has no meaning in what the table waits for."""
        desk = self.desk
        if desk.round is None:
            desk.refuse_outside()
        elif self._phase is Phase.HANDOVER:
            desk.refuse("enter_first", name=desk.name(self._turn()))
        else:
            desk.refuse("not_your_turn", name=desk.name(self._turn()))

    # what happens

    def _turn(self) -> int:
        turn = self.runner.turn
        assert turn is not None
        return turn

    def _carry_out(self, move: Move | None) -> None:
        if move is not None:
            self._decide(move)

    def _not_saved(self, error: OSError) -> None:
        """Say so; the next Enter tries again. Without a person to press it, raises the error."""
        if self._keys is None:
            raise error
        self._unsaved = True
        file = error.filename or self.runner.path
        self.desk.refuse("not_saved", file=str(file), why=error.strerror or str(error))

    def _decide(self, move: Move) -> None:
        """Carry a decision out, tell what came of it, go on."""
        seat = self._turn()
        by_hand = move == DRAW and seat == self.desk.listener
        try:
            events = self.runner.decide(move)
        except OSError as error:
            self._not_saved(error)
            return
        if by_hand and self.runner.turn == seat:
            self._go_on_drawing(events, seat)
            return
        first = [self._teller.own_draw(events[:1], seat)] if by_hand else []
        self._teller.keep_own(events[1:] if by_hand else events)
        if any(isinstance(event, DealtAgain) for event in events):
            self._announcer.say_all(self._teller.public(events))
            self._deal()
            return
        self._proceed(events, first)

    def _go_on_drawing(self, events: Sequence[Event], seat: int) -> None:
        """A person has drawn and is still to decide: the tile is told to nobody else."""
        desk = self.desk
        self._teller.keep(events)
        desk.heard |= {tile for event in events if isinstance(event, Drew) for tile in event.tiles}
        again = desk.key(Command.DRAW) if DRAW in desk.legal else ""
        at = self._announcer.say_all([self._teller.own_draw(events, seat, again)])
        if not again:
            self._patience.asked(at)

    def _deal(self) -> None:
        try:
            events = self.runner.deal()
        except OSError as error:
            self._set_phase(Phase.BETWEEN)
            self._not_saved(error)
            return
        self._teller.forget()
        self._proceed(events)

    def _new_match(self) -> None:
        narrator = self.desk.narrator
        try:
            runner = self.runner.again(self._folder, self._day)
        except OSError as error:
            self._not_saved(error)
            return
        self.runner.close()
        self._sit_down(runner, narrator.lang, narrator.verbosity)
        game, who = runner.seating.ruleset.name(narrator.lang), self.desk.narrator.table.names
        self.desk.tell("event", [self.desk.say("match.new", game=game, who=who)])
        self._name_mark_letter()
        self._deal()

    def _proceed(self, events: Sequence[Event], first: Sequence[Message] = ()) -> None:
        """Tell events and see what the table waits for next. `first`: what one person hears before."""
        match = self.runner.match
        messages = [*first, *self._teller.public(events)]
        if match.end is not None:
            self._end(Phase.OVER, messages)
        elif match.round is None:
            self._between(messages)
        elif self.runner.seating.levels[self._turn()] is not None:
            self._announcer.say_all(messages)
            self._set_phase(Phase.BOT)
        elif self.desk.holder == self._turn() and not self.desk.public:
            self._begin_turn(messages, taken_over=False)
        else:
            self._ask_for_handover(messages)

    def _set_phase(self, phase: Phase) -> None:
        self._phase = phase
        self._leaving = self._unsaved = False

    def _between(self, messages: list[Message]) -> None:
        if self.runner.seating.persons:
            self._end(Phase.BETWEEN, [*messages, Message("event", None, self.desk.say("next.round"))])
        else:
            self._announcer.say_all(messages)
            self._deal()

    def _end(self, phase: Phase, messages: Sequence[Message]) -> None:
        """A round or the match is over; in a hot seat nobody has the keyboard until the next Enter."""
        self._patience.asked(self._announcer.say_all(messages))
        self._set_phase(phase)
        self._deciding.begin()
        self.desk.public = self.desk.solo is None

    def _ask_for_handover(self, messages: list[Message]) -> None:
        desk = self.desk
        said = messages.pop() if messages and messages[-1].to is None else None
        text = desk.narrator.handover(said.text if said else "", self._turn())
        messages.append(Message("event", None, text, None, said.group if said else "other"))
        desk.public = True
        desk.marks.clear()
        self._set_phase(Phase.HANDOVER)
        self._patience.asked(self._announcer.say_all(messages))

    def _hand_over(self) -> None:
        """The person whose turn it is has the keyboard now, and nothing of another's hand is left on the terminal."""
        desk = self.desk
        desk.holder, desk.public = self._turn(), False
        messages = []
        if not self._announcer.forget(desk.holder):
            messages.append(Message("event", None, speech_texts.cannot_forget(desk.narrator.lang)))
        self._begin_turn(messages, taken_over=True)

    def _begin_turn(self, messages: list[Message], *, taken_over: bool) -> None:
        """A person's decision begins: what only that person may hear comes last."""
        self._set_phase(Phase.TURN)
        seat = self._turn()
        self._deciding.begin()
        self._deciding.unsure_of_marks = self._unsure_of_marks()
        messages += self._teller.drawn_for(seat)
        messages.append(Message("event", seat, self._turn_line(taken_over)))
        self._patience.asked(self._announcer.say_all(messages))

    def _name_mark_letter(self) -> None:
        """Once a match, where Shift+Space may not do."""
        if self._unsure_of_marks():
            key = "question.x_closes" if allows_closing(self.runner.match.game) else "question.x_marks"
            self.desk.tell("event", [self.desk.say(key, key=self.desk.mark_letter)])

    def _unsure_of_marks(self) -> bool:
        """Whether Shift+Space may arrive as Space here, where several doubles can be laid at once."""
        keys = self._keys
        if keys is None or keys.shift_space == "yes" or self._mark_seen:
            return False
        return bool(self.desk.mark_letter) and allows_several(self.runner.match.game)

    def _turn_line(self, taken_over: bool) -> str:
        desk = self.desk
        legal, narrator = desk.legal, desk.narrator
        if self._deciding.question:
            return self._deciding.question
        if not desk.ends:
            forced = playable(legal)
            if forced == self._hand():
                return narrator.your_opening(0)
            self._stand_on(forced)
            return narrator.your_opening(forced)
        key = desk.key(Command.DRAW)
        if taken_over:
            return narrator.taken_over(desk.ends, fitting_count(legal), key)
        return narrator.your_turn(fitting_count(legal), key)

    def _hand(self) -> int:
        state = self.desk.round
        assert state is not None
        return state.hands[state.turn]

    def _stand_on(self, tiles: int) -> None:
        """Put the cursor on the first of these own tiles; all of them are said."""
        desk = self.desk
        own = desk.own()
        desk.heard |= set(tiles_in(tiles))
        desk.cursor.zone = "hand"
        desk.cursor.stand(own, next(place for place, tile in enumerate(own) if tiles >> tile & 1), "hand")

    def _tell_where_it_stands(self) -> None:
        """A match gone on with: seats, score, round and ends; never a hand."""
        desk = self.desk
        match, ledger, narrator = self.runner.match, self.runner.match.ledger, desk.narrator
        if narrator.table.points:
            scores = narrator.scores(ledger.totals, ledger.open, ledger.deferred, ledger.eggs, desk.you)
        else:
            scores = [narrator.sitting(ledger.sitting, desk.you)]
        number = ledger.rounds + (1 if match.round else 0)
        game = self.runner.seating.ruleset.name(narrator.lang)
        desk.tell("event", narrator.resume(game, number, match.round.ends if match.round else None, scores))


_ACTS = (Command.ACT, Command.CONFIRM, Command.DRAW)
"""What lays, draws and goes on."""
_ANSWERS = (*TOWARDS, Command.ACT, Command.CONFIRM)
"""What a question for an end takes for an answer, right or wrong."""
