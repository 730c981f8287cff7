"""A match at the terminal: whose move it is, questions and answers, the keyboard handed from one person to the next."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date
from enum import Enum, auto

from kozel.engine.events import DealtAgain, Drew, Event, Laid, MatchOver, Passed, RoundScored, Threw
from kozel.engine.moves import DOWN, DRAW, KEEP, LEFT, REDEAL, RIGHT, UP, Move
from kozel.engine.tiles import DOUBLES, is_double, tiles_in
from kozel.play.commands import Command
from kozel.play.laying import (
    Ask,
    Laying,
    Wanted,
    allows_closing,
    allows_several,
    can_be_marked,
    fitting_count,
    playable,
    together_with_another,
)
from kozel.play.patience import Patience
from kozel.play.runner import Runner
from kozel.play.store import Folder
from kozel.play.turns import WaitingDraws, turns_of
from kozel.terminal.desk import Desk
from kozel.terminal.helping import Help
from kozel.terminal.keymap import Keymap
from kozel.terminal.names import spoken
from kozel.terminal.source import KeySource, Pressed
from kozel.voice import speech_texts
from kozel.voice.announcer import Announcer
from kozel.voice.message import Message
from kozel.voice.narrator import Verbosity

_TOWARDS = {
    Command.WALK_LEFT: LEFT,
    Command.WALK_RIGHT: RIGHT,
    Command.ZONE_BEFORE: UP,
    Command.ZONE_AFTER: DOWN,
}
_TURN_EVENTS = (Drew, Laid, Threw, Passed)


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
        self.runner, self.announcer = runner, announcer
        self._keymap, self._folder, self._day, self._pause = keymap, folder, day, pause
        self.desk = Desk(runner, announcer, keymap, lang, verbosity)
        self._help = Help(keymap)
        self._phase = Phase.BETWEEN
        self._leaving = False
        self._laying: Laying | None = None
        self._marks_named = False
        self._single_asked: int | None = None
        self._seen_mark = False
        self._x_named = False
        self._waiting = WaitingDraws()
        self._own_draws: dict[int, list[Event]] = {}
        self._patience = Patience(False)
        self._keys: KeySource | None = None

    # running

    async def run(self, keys: KeySource | None, *, resumed: bool) -> None:
        """Play until the table is left. Without `keys` (no person plays) until the match is over."""
        self._keys = keys
        self._patience = Patience(keys is not None and keys.is_terminal)
        if resumed:
            self._tell_where_it_stands()
        past = self.runner.match.past
        self._proceed([], begins=not resumed or not past or past[-1].result == "redeal")
        while self._phase is not Phase.LEFT:
            if self._phase is Phase.BOT:
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
        thinking = asyncio.ensure_future(asyncio.to_thread(self.runner.bot_move))
        rests = asyncio.ensure_future(asyncio.sleep(self._pause))
        try:
            while True:
                _, running = await asyncio.wait({thinking, rests}, timeout=0.02, return_when=asyncio.ALL_COMPLETED)
                while (pressed := await keys.get(timeout=0)) is not None:
                    self.press(pressed)
                if self._phase is not Phase.BOT or not (running or self._leaving):
                    break
        finally:
            rests.cancel()
        if self._phase is Phase.BOT:
            self._decide(await thinking)

    # keys

    def press(self, pressed: Pressed) -> None:
        """Obey a key, or say why not."""
        early = self._patience.early(pressed.name, pressed.at)
        command = Command(pressed.command) if pressed.command else None
        if command is None:
            if pressed.name not in ("paste", "resume"):
                self._refuse_unknown(pressed.name)
            return
        self._seen_mark = self._seen_mark or command is Command.MARK
        if command is not Command.HELP:
            self._help.closed()
        if self._leaving:
            self._answer_leaving(command, early)
        elif self._laying is not None and command in (*_TOWARDS, Command.LEAVE, Command.ACT, Command.CONFIRM):
            self._answer_end(command, early)
        elif command is Command.LEAVE:
            self._escape(early)
        elif command in (Command.ACT, Command.CONFIRM):
            self._act(command, early)
        elif command is Command.DRAW:
            self._draw()
        elif command is Command.MARK:
            self._mark()
        else:
            self._tell(command)
            self._ask_again()

    def _refuse_unknown(self, name: str) -> None:
        desk = self.desk
        desk.refuse("unknown_key", key=spoken(name, desk.narrator.lang), help=desk.key(Command.HELP))

    def _tell(self, command: Command) -> None:
        desk = self.desk
        if command is Command.HELP:
            desk.tell("echo", self._help.lines(desk.narrator.lang, self.runner), group="answers")
        elif command is Command.WHOSE_TURN:
            self._tell_whose_turn()
        elif command in (Command.HINT, Command.UNDO):
            desk.refuse("not_yet", key=desk.key(command))
        else:
            desk.answer(command)

    def _tell_whose_turn(self) -> None:
        desk = self.desk
        if self._phase is Phase.HANDOVER:
            desk.echo(desk.narrator.handover("", self._turn()))
        elif desk.round is None:
            desk.refuse_outside()
        else:
            desk.private(desk.whose_turn())

    def _early(self, early: bool) -> bool:
        """Whether a key that acts came too early; says so once."""
        if early and self._patience.tells():
            self.desk.refuse("too_early")
        return early

    def _question(self) -> str:
        """The question that is open, '' for none."""
        desk = self.desk
        if self._leaving:
            return desk.narrator.leave_question()
        if self._phase is Phase.HANDOVER:
            return ""
        if self._laying is not None:
            ask = self._laying.question()
            assert ask is not None
            return self._end_question(ask)
        state = desk.round
        if self._phase is Phase.TURN and state is not None and KEEP in state.legal:
            return desk.narrator.redeal_question((state.hands[state.turn] & DOUBLES).bit_count())
        return ""

    def _ask_again(self) -> None:
        """After a key that told something, a question is asked again."""
        question = self._question()
        if question:
            self._asked(self.desk.tell("event", [question], self.desk.listener))

    def _asked(self, at: float) -> None:
        self._patience.asked(at)

    # leaving

    def _escape(self, early: bool) -> None:
        state = self.desk.round
        if self._phase is Phase.OVER:
            self._phase = Phase.LEFT
        elif self._phase is Phase.TURN and state is not None and KEEP in state.legal:
            if not self._early(early):
                self._decide(KEEP)
        else:
            self._leaving = True
            self._asked(self.desk.tell("event", [self._question()]))

    def _answer_leaving(self, command: Command, early: bool) -> None:
        if command is Command.CONFIRM:
            if not self._early(early):
                self._phase = Phase.LEFT
        elif command is Command.LEAVE:
            if not self._early(early):
                self._leaving = False
                self._back()
        else:
            if command in (Command.ACT, Command.DRAW, Command.MARK):
                self.desk.refuse("answer_first", question=self._question())
                return
            self._tell(command)
            self._ask_again()

    def _back(self) -> None:
        """After a question that came to nothing: what stands."""
        desk = self.desk
        if self._phase is Phase.BETWEEN:
            self._asked(desk.tell("event", [desk.say("next.round")]))
        elif self._question():
            self._ask_again()
        elif self._phase is Phase.HANDOVER:
            self._asked(desk.tell("event", [desk.narrator.handover("", self._turn())]))
        else:
            self._asked(desk.tell("event", [desk.whose_turn()], desk.listener))

    # acting

    def _act(self, command: Command, early: bool) -> None:
        """Space or Enter: what it does depends on what the table waits for."""
        desk = self.desk
        if self._phase is Phase.HANDOVER:
            if command is Command.ACT:
                desk.refuse("enter_first", name=desk.name(self._turn()))
            elif not self._early(early):
                self._hand_over()
        elif self._phase is Phase.BETWEEN:
            if command is Command.ACT:
                desk.refuse("round_over")
            elif not self._early(early):
                self._deal()
        elif self._phase is Phase.OVER:
            if command is Command.ACT:
                desk.refuse("match_over")
            elif not self._early(early):
                self._new_match()
        elif self._phase is Phase.BOT:
            desk.refuse("not_your_turn", name=desk.name(self._turn()))
        else:
            self._act_in_turn(command, early)

    def _act_in_turn(self, command: Command, early: bool) -> None:
        desk = self.desk
        if KEEP in desk.legal:
            if command is Command.ACT:
                desk.refuse("answer_first", question=self._question())
            elif not self._early(early):
                self._decide(REDEAL)
            return
        if desk.cursor.zone == "bazaar":
            self._draw()
        elif desk.cursor.zone == "table" and not desk.marks:
            desk.refuse("not_in_zone", key=desk.key(Command.ZONE_BEFORE))
        elif desk.marks:
            self._lay_marked(early)
        else:
            self._lay_current(early)

    def _lay_marked(self, early: bool) -> None:
        desk = self.desk
        tiles = [wanted.tile for wanted in desk.marks]
        on_mark = desk.cursor.zone == "hand" and desk.current_tile() in tiles
        if not on_mark and not self._marks_named:
            self._marks_named = True
            desk.private(desk.narrator.marked(tiles))
        elif not self._early(early):
            self._begin_laying(desk.marks)

    def _lay_current(self, early: bool) -> None:
        desk = self.desk
        tile = desk.current_tile()
        if tile is None:
            desk.refuse("empty_zone")
        elif tile not in desk.heard:
            desk.private(desk.say_tile(tile))
        elif not playable(desk.legal) >> tile & 1:
            self._refuse_tile(tile)
        elif not self._early(early):
            if self._asks_about_single(tile):
                self._single_asked = tile
                desk.private(desk.say("question.single", tile=tile, key=spoken("x", desk.narrator.lang)))
            else:
                self._begin_laying([Wanted(tile, False)])

    def _asks_about_single(self, tile: int) -> bool:
        """Whether Space may have been a Shift+Space that this terminal cannot report."""
        keys = self._keys
        unsure = keys is not None and keys.shift_space != "yes" and not self._seen_mark
        return unsure and self._single_asked != tile and together_with_another(self.desk.legal, tile)

    def _refuse_tile(self, tile: int) -> None:
        """Why a tile cannot be laid, the remedy first."""
        desk = self.desk
        if DRAW in desk.legal:
            desk.refuse("draw_first", key=desk.key(Command.DRAW), tile=tile)
        elif not desk.ends:
            desk.refuse("must_open_with", tiles=tiles_in(playable(desk.legal)))
        else:
            desk.refuse("fits_no_end", tile=tile)

    def _begin_laying(self, wanted: Sequence[Wanted]) -> None:
        desk = self.desk
        laying = Laying(desk.legal, wanted, desk.ends, allows_closing(desk.match.game))
        if not laying.candidates:
            desk.refuse("not_together")
            return
        self._laying = laying
        self._go_on_laying()

    def _go_on_laying(self) -> None:
        """Ask for the next end, or lay."""
        assert self._laying is not None
        ask = self._laying.question()
        if ask is None:
            move, self._laying = self._laying.move(), None
            self._decide(move)
        else:
            self._asked(self.desk.tell("event", [self._end_question(ask)], self.desk.listener))

    def _end_question(self, ask: Ask) -> str:
        several = len(self.desk.marks) > 1
        return self.desk.narrator.which_end(ask.ends, ask.tile if several else None)

    def _answer_end(self, command: Command, early: bool) -> None:
        desk, laying = self.desk, self._laying
        assert laying is not None
        ask = laying.question()
        assert ask is not None
        if command is Command.LEAVE:
            if self._early(early):
                return
            self._laying = None
            desk.private(desk.say("question.taken_back"))
        elif command in _TOWARDS and any(end == _TOWARDS[command] for end, _ in ask.ends):
            if not self._early(early):
                laying.answer(ask.tile, _TOWARDS[command])
                self._go_on_laying()
        elif command in _TOWARDS:
            desk.refuse("which_end_not", ends=ask.ends, tile=ask.tile, end=_TOWARDS[command])
        else:
            desk.refuse("which_end", ends=ask.ends)

    def _draw(self) -> None:
        """F4 from anywhere: forced, so it is never too early."""
        desk = self.desk
        state = desk.round
        if self._phase is Phase.HANDOVER:
            desk.refuse("enter_first", name=desk.name(self._turn()))
        elif state is None:
            desk.refuse_outside()
        elif not desk.legal:
            desk.refuse("not_your_turn", name=desk.name(self._turn()))
        elif self._question():
            desk.refuse("answer_first", question=self._question())
        elif DRAW in state.legal:
            self._decide(DRAW)
        else:
            tile = tiles_in(playable(state.legal))[0]
            desk.heard.add(tile)
            desk.refuse("must_open_with" if not state.ends else "fits_so_no_draw", tile=tile, tiles=self._openings())

    def _openings(self) -> tuple[int, ...]:
        return tiles_in(playable(self.desk.legal))

    def _mark(self) -> None:
        """Put a mark on the double under the cursor, change it, or take it off."""
        desk = self.desk
        tile = desk.current_tile()
        if self._phase is not Phase.TURN or self._question():
            self._refuse_now()
        elif desk.cursor.zone != "hand":
            desk.refuse("not_in_zone", key=desk.key(Command.ZONE_BEFORE))
        elif tile is None:
            desk.refuse("empty_zone")
        elif not is_double(tile):
            desk.heard.add(tile)
            desk.refuse("not_a_double", tile=tile)
        elif not allows_several(desk.match.game):
            desk.refuse("no_double_play")
        elif not can_be_marked(desk.legal, tile):
            desk.heard.add(tile)
            desk.refuse("cannot_be_marked", tile=tile)
        else:
            self._turn_mark(tile)

    def _turn_mark(self, tile: int) -> None:
        desk = self.desk
        marks, can_close = desk.marks, desk.can_close(tile)
        place = next((number for number, wanted in enumerate(marks) if wanted.tile == tile), None)
        if place is None:
            marks.append(Wanted(tile, False))
        elif can_close and not marks[place].closed:
            marks[place] = Wanted(tile, True)
        else:
            del marks[place]
        self._marks_named = False
        desk.heard.add(tile)
        desk.private(desk.narrator.mark(tile, desk.mark_of(tile)))

    def _refuse_now(self) -> None:
        """A key that acts has no meaning in what the table waits for."""
        desk = self.desk
        if self._phase is Phase.HANDOVER:
            desk.refuse("enter_first", name=desk.name(self._turn()))
        elif desk.round is None:
            desk.refuse_outside()
        elif self._question():
            desk.refuse("answer_first", question=self._question())
        else:
            desk.refuse("not_your_turn", name=desk.name(self._turn()))

    # what happens

    def _turn(self) -> int:
        turn = self.runner.turn
        assert turn is not None
        return turn

    def _decide(self, move: Move) -> None:
        """Carry a decision out, tell what came of it, go on."""
        seat = self._turn()
        drawing_on = move == DRAW and seat == self.desk.listener
        try:
            events = self.runner.decide(move)
        except OSError as error:
            self.desk.refuse("not_saved", file=str(self.runner.path), why=error.strerror or str(error))
            return
        if drawing_on and self.runner.turn == seat:
            self._waiting.keep(events)
            self._drew_on(events)
            return
        by_hand = int(drawing_on)
        messages = [self._own_draw_message(events[:by_hand], seat)] if drawing_on else []
        self._keep_own_draws(events[by_hand:])
        if any(isinstance(event, DealtAgain) for event in events):
            self._tell_and_deal(events)
            return
        self._proceed(events, messages)

    def _drew_on(self, events: Sequence[Event]) -> None:
        """A person has drawn and is still to decide: the tile is told to nobody else."""
        desk = self.desk
        seat = self._turn()
        message = self._own_draw_message(events, seat)
        desk.heard |= {tile for event in events if isinstance(event, Drew) for tile in event.tiles}
        at = self.announcer.say_all([message])
        if DRAW not in desk.legal:
            self._asked(at)

    def _own_draw_message(self, events: Sequence[Event], seat: int) -> Message:
        return Message("event", seat, self.desk.narrator.own_draw(events, self.desk.ends), None, "moves")

    def _keep_own_draws(self, events: Sequence[Event]) -> None:
        """Draws that the game makes for a person are told to that person alone, at the next own turn."""
        for event in events:
            if isinstance(event, Drew) and self.runner.seating.levels[event.seat] is None:
                self._own_draws.setdefault(event.seat, []).append(event)

    def _tell_and_deal(self, events: Sequence[Event]) -> None:
        desk = self.desk
        desk.tell("event", desk.narrator.tell(events, desk.you), group="moves")
        self._waiting.clear()
        self._own_draws.clear()
        self._deal()

    def _deal(self) -> None:
        try:
            events = self.runner.deal()
        except OSError as error:
            self.desk.refuse("not_saved", file=str(self.runner.path), why=error.strerror or str(error))
            return
        self._own_draws.clear()
        self._waiting.clear()
        self._proceed(events)

    def _new_match(self) -> None:
        desk = self.desk
        try:
            runner = self.runner.again(self._folder, self._day)
        except OSError as error:
            desk.refuse("not_saved", file=str(self._folder.matches), why=error.strerror or str(error))
            return
        self.runner.close()
        self.runner = runner
        self.desk = Desk(runner, self.announcer, self._keymap, desk.narrator.lang, desk.narrator.verbosity)
        self._seen_mark = self._x_named = False
        self._deal()

    def _proceed(self, events: Sequence[Event], first: Sequence[Message] = (), *, begins: bool = False) -> None:
        """Tell events and see what the table waits for next. `first`: what one person hears before."""
        match = self.runner.match
        if begins and match.round is None and match.end is None:
            self._deal()
            return
        messages = [*first, *self._public(events)]
        if match.end is not None:
            self._end(Phase.OVER, messages)
        elif match.round is None:
            self._between(messages)
        elif self.runner.seating.levels[self._turn()] is not None:
            self._say(messages)
            self._set_phase(Phase.BOT)
        elif self.desk.solo is not None or (self.desk.holder == self._turn() and not self.desk.public):
            self._begin_turn(messages, taken_over=False)
        else:
            self._ask_for_handover(messages)

    def _public(self, events: Sequence[Event]) -> list[Message]:
        """What everybody hears of these events. Draws wait for the move that they belong to."""
        desk = self.desk
        told = self._waiting.release(events)
        before = self._ends_before(told)
        lines = []
        for line in desk.narrator.tell(
            [e for e in told if not isinstance(e, (RoundScored, MatchOver))], desk.you, before
        ):
            lines.append(Message("event", None, line, self._braille(told), "moves"))
        for event in told:
            if isinstance(event, (RoundScored, MatchOver)):
                lines += [
                    Message("final", None, line, None, "scores") for line in desk.narrator.tell([event], desk.you)
                ]
        return lines

    def _braille(self, events: Sequence[Event]) -> str | None:
        """The compact form of a single turn for a braille display."""
        turn = [event for event in events if isinstance(event, _TURN_EVENTS)]
        if len(turns_of(turn)) != 1 or len(turn) < len(events):
            return None
        return self.desk.narrator.braille_turn(turn, self.desk.you)

    def _ends_before(self, events: Sequence[Event]) -> tuple[int, ...]:
        """The chain's ends before these events of the round."""
        log = self.runner.match.log
        earlier = log[: max(0, len(log) - len(events) - len(self._waiting))]
        return next((event.ends for event in reversed(earlier) if isinstance(event, Laid)), ())

    def _say(self, messages: Sequence[Message]) -> float:
        return self.announcer.say_all(messages)

    def _set_phase(self, phase: Phase) -> None:
        self._phase = phase
        self._laying = None
        self._leaving = False

    def _between(self, messages: list[Message]) -> None:
        desk = self.desk
        if not self.runner.seating.persons:
            self._say(messages)
            self._deal()
            return
        self._end(Phase.BETWEEN, [*messages, Message("event", None, desk.say("next.round"), None, "other")])

    def _end(self, phase: Phase, messages: Sequence[Message]) -> None:
        """A round or the match is over: nobody holds tiles that are nobody else's business."""
        self._asked(self._say(messages))
        self._set_phase(phase)
        self.desk.marks.clear()
        if self.desk.solo is None:
            self.desk.public = True

    def _ask_for_handover(self, messages: list[Message]) -> None:
        desk = self.desk
        said = messages.pop() if messages and messages[-1].to is None else None
        text = desk.narrator.handover(said.text if said else "", self._turn())
        messages.append(Message("event", None, text, None, said.group if said else "other"))
        desk.public = True
        desk.marks.clear()
        self._set_phase(Phase.HANDOVER)
        self._asked(self._say(messages))

    def _hand_over(self) -> None:
        """The person whose turn it is has the keyboard now, and nothing of another's hand is left on the terminal."""
        desk = self.desk
        desk.holder, desk.public = self._turn(), False
        messages = []
        if not self.announcer.forget(desk.holder):
            messages.append(Message("event", None, speech_texts.cannot_forget(desk.narrator.lang), None, "other"))
        self._begin_turn(messages, taken_over=True)

    def _begin_turn(self, messages: list[Message], *, taken_over: bool) -> None:
        """A person's decision begins: what only that person may hear comes last."""
        desk = self.desk
        self._set_phase(Phase.TURN)
        seat = self._turn()
        desk.heard.clear()
        desk.marks.clear()
        self._single_asked = None
        drawn = self._own_draws.pop(seat, [])
        if drawn:
            desk.heard |= {tile for event in drawn if isinstance(event, Drew) for tile in event.tiles}
            messages.append(self._own_draw_message(drawn, seat))
        messages.append(Message("event", seat, self._turn_line(taken_over), None, "other"))
        if self._names_x():
            messages.append(
                Message("event", None, desk.say("question.x_marks", key=spoken("x", desk.narrator.lang)), None, "other")
            )
        self._asked(self._say(messages))

    def _names_x(self) -> bool:
        """Whether the letter that marks is named now: once, where Shift+Space may not arrive and marks have a use."""
        keys = self._keys
        if self._x_named or keys is None or keys.shift_space == "yes" or not allows_several(self.runner.match.game):
            return False
        self._x_named = True
        return True

    def _turn_line(self, taken_over: bool) -> str:
        desk = self.desk
        question = self._question()
        if question:
            return question
        legal = desk.legal
        if not desk.ends:
            forced = playable(legal)
            if forced == self._hand():
                return desk.narrator.your_opening(0)
            self._stand_on(forced)
            return desk.narrator.your_opening(forced)
        key = desk.key(Command.DRAW)
        if taken_over:
            return desk.narrator.taken_over(desk.ends, fitting_count(legal), key)
        return desk.narrator.your_turn(fitting_count(legal), key)

    def _hand(self) -> int:
        state = self.desk.round
        assert state is not None
        return state.hands[state.turn]

    def _stand_on(self, tiles: int) -> None:
        """Put the cursor on the first of these own tiles; all of them have been said."""
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
        ends = match.round.ends if match.round else None
        desk.tell("event", narrator.resume(game, number, ends, scores))
