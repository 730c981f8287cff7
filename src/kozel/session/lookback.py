"""Looking back at a match by keys: step by step, its hands and scores, and what the master would have laid."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from kozel.bots.advice import Advice
from kozel.engine.chain import chain_of
from kozel.engine.events import MatchOver
from kozel.engine.moves import DOWN, DRAW, KEEP, LEFT, REDEAL, RIGHT, UP, Move
from kozel.narration.narrator import Narrator
from kozel.narration.wording import laid, next_verbosity
from kozel.play.browser import Browser, Step
from kozel.session.arms import arms_of
from kozel.session.commands import Command
from kozel.session.keys import Keys, Place, Pressed
from kozel.session.recalling import AGAIN
from kozel.voice.announcer import Announcer

_ENDS = {Command.END_LEFT: LEFT, Command.END_RIGHT: RIGHT, Command.END_UP: UP, Command.END_DOWN: DOWN}
_HELP: tuple[tuple[str, tuple[Command, ...]], ...] = (
    ("look.help_walk", (Command.WALK_LEFT, Command.WALK_RIGHT)),
    ("look.help_round", (Command.ZONE_BEFORE, Command.ZONE_AFTER)),
    ("look.help_edge", (Command.WALK_HOME, Command.WALK_END)),
    ("look.help_view", (Command.NEXT_FIT,)),
    ("look.help_advice", (Command.ACT,)),
    ("look.help_hands", (Command.HAND, Command.TILE_1)),
    ("look.help_score", (Command.LAST_ROUND, Command.SCORES)),
    ("look.help_leave", (Command.LEAVE,)),
)
"""What F1 says, each where its keys are in the keymap."""


class LookBack:
    """One look back at a match. `await run(keys)` returns when it is left."""

    def __init__(self, browser: Browser, narrator: Narrator, announcer: Announcer, keys: Keys) -> None:
        self.browser, self.narrator, self.announcer, self._keys = browser, narrator, announcer, keys
        self._answers: dict[Command, Callable[[], None]] = {
            Command.WALK_LEFT: lambda: self._walk(-1),
            Command.WALK_RIGHT: lambda: self._walk(1),
            Command.WALK_HOME: lambda: self._to_edge(False),
            Command.WALK_END: lambda: self._to_edge(True),
            Command.ZONE_BEFORE: lambda: self._change_round(-1),
            Command.ZONE_AFTER: lambda: self._change_round(1),
            Command.NEXT_FIT: lambda: self._turn_view(1),
            Command.PREVIOUS_FIT: lambda: self._turn_view(-1),
            Command.LAST_MOVE: self._tell_step,
            Command.WHOSE_TURN: self._tell_place,
            Command.HAND: self._tell_hands,
            Command.CHAIN: self._tell_chain,
            Command.COUNTS: self._tell_counts,
            Command.BAZAAR: self._tell_bazaar,
            Command.SCORES: self._tell_scores,
            Command.EGGS: self._tell_eggs,
            Command.LAST_ROUND: self._tell_account,
            Command.VERBOSITY: self._change_verbosity,
            Command.SPEECH_MODE: self._change_speech,
            Command.HELP: self._tell_help,
        }

    async def run(self) -> None:
        """Look back until Escape."""
        self._event(self.narrator.say("look.begin", n=len(self.browser.rounds)))
        self._event(*self._lines())
        while True:
            pressed = await self._keys.get(lambda: Place.LOOKBACK)
            if pressed is None:
                continue
            if pressed.command is Command.LEAVE:
                return
            if pressed.command in (Command.ACT, Command.CONFIRM, Command.HINT):
                await self._tell_advice()
            else:
                self._press(pressed.command, pressed)

    def _press(self, command: Command | None, pressed: Pressed) -> None:
        if command is not None and command in AGAIN:
            self.announcer.again(AGAIN[command], None)
        elif command in _ENDS:
            self._echo(self.narrator.end_shows(self._ends(), _ENDS[command]))
        elif command is not None and command.tile is not None:
            self._tell_hand_of(command.tile)
        elif command in self._answers:
            self._answers[command]()
        elif pressed.key not in ("paste", "resume"):
            names, lang = self._keys.names, self.narrator.lang
            self._echo(
                self.narrator.refusal(
                    "unknown_key", key=names.pressed(pressed.key, lang), help=names.of(Command.HELP, lang)
                )
            )

    # saying

    def _event(self, *lines: str) -> None:
        for line in lines:
            self.announcer.say("event", None, line)

    def _echo(self, *lines: str) -> None:
        said = " ".join(line for line in lines if line)
        self.announcer.say("echo", None, said, group="answers")

    def _ends(self) -> tuple[int, ...]:
        """The chain's ends after the step, while the round was played."""
        public = self.browser.step.after.public
        return public.ends if public.playing else ()

    def _lines(self) -> Iterator[str]:
        """What is said of the step."""
        step, narrator = self.browser.step, self.narrator
        if step.kind == "result":
            yield from narrator.explain(step.summary)
            yield from narrator.tell([event for event in step.events if isinstance(event, MatchOver)], None)
            return
        yield from narrator.tell(step.events, None, step.ends_before)
        for event in self.browser.drawn():
            yield narrator.say("look.drawn", who=narrator.seat(event.seat, None), tiles=event.tiles)

    def _tell_step(self) -> None:
        self._echo(*self._lines())

    # walking

    def _walk(self, by: int) -> None:
        round_before = self.browser.round
        inside = self.browser.walk(by)
        said = " ".join(self._lines())
        if self.browser.round != round_before and self.browser.step.kind == "result":
            said = self.narrator.say("look.round_before", said=said)
        self._echo(said if inside else self.narrator.at_edge(said))

    def _to_edge(self, last: bool) -> None:
        self.browser.to_edge(last)
        self._tell_step()

    def _change_round(self, by: int) -> None:
        inside = self.browser.change_round(by)
        said = " ".join(self._lines())
        self._echo(said if inside else self.narrator.at_edge(said))

    def _turn_view(self, by: int) -> None:
        self.browser.turn_view(by)
        view = self.browser.view
        if view is None:
            self._echo(self.narrator.say("look.view_all"))
        else:
            self._echo(self.narrator.say("look.view", name=self.narrator.table.names[view]))

    # answers

    def _tell_place(self) -> None:
        browser, step = self.browser, self.browser.step
        last = len(browser.rounds[browser.round]) - 2
        facts = {"round": browser.round + 1, "rounds": len(browser.rounds)}
        said = [self.narrator.say("look.place_round", **facts)]
        if step.kind == "move":
            said.append(self.narrator.say("look.place_move", number=step.number, last=last))
        else:
            said.append(self.narrator.say(f"look.place_{step.kind}"))
        turn = step.after.public.turn
        if turn is not None:
            said.append(self.narrator.say("turn.theirs", name=self.narrator.table.names[turn]))
        self._echo(*said)

    def _tell_hands(self) -> None:
        self._echo(*(self._hand_line(seat) for seat in range(self.browser.seats) if self.browser.sees(seat)))

    def _tell_hand_of(self, number: int) -> None:
        if number > self.browser.seats:
            self._echo(self.narrator.say("look.no_seat", n=self.browser.seats))
        elif not self.browser.sees(number - 1):
            self._echo(self.narrator.say("look.hidden", name=self.narrator.table.names[number - 1]))
        else:
            self._echo(self._hand_line(number - 1))

    def _hand_line(self, seat: int) -> str:
        said = self.narrator.hand(self.browser.hand(seat), self._ends())
        return self.narrator.say("look.hand", name=self.narrator.table.names[seat], said=said)

    def _tell_chain(self) -> None:
        self._echo(self.narrator.chain(arms_of(chain_of(self.browser.step.after.public.log))))

    def _tell_counts(self) -> None:
        browser = self.browser
        self._echo(self.narrator.counts([len(browser.hand(seat)) for seat in range(browser.seats)], None))

    def _tell_bazaar(self) -> None:
        tiles = self.browser.bazaar()
        said = [self.narrator.bazaar(len(tiles))]
        if tiles and self.browser.view is None:
            said.append(self.narrator.tiles(tiles) + ".")
        self._echo(*said)

    def _tell_scores(self) -> None:
        ledger, narrator = self.browser.step.after.public.ledger, self.narrator
        if narrator.table.points:
            self._echo(*narrator.scores(ledger.totals, ledger.open, ledger.deferred, ledger.eggs, None))
        else:
            self._echo(narrator.sitting(ledger.sitting, None))

    def _tell_eggs(self) -> None:
        self._echo(self.narrator.eggs(self.browser.step.after.public.ledger.eggs))

    def _tell_account(self) -> None:
        self._echo(*self.narrator.explain(self.browser.rounds[self.browser.round][-1].summary))

    def _tell_help(self) -> None:
        names, lang = self._keys.names, self.narrator.lang
        lines = []
        for key, commands in _HELP:
            spoken = {command.value: names.of(command, lang) for command in commands}
            if all(spoken.values()):
                lines.append(capital(self.narrator.say(key, **spoken)))
        self._echo(*lines)

    def _change_verbosity(self) -> None:
        self.narrator.verbosity = next_verbosity(self.narrator.verbosity)
        self._echo(self.narrator.say(f"verbosity.{self.narrator.verbosity}"))

    def _change_speech(self) -> None:
        self.announcer.announce_next_mode()

    # advice

    async def _tell_advice(self) -> None:
        step, say = self.browser.step, self.narrator.say
        if step.seat is None or step.move is None:
            self._echo(say("look.no_decision"))
        elif not self.browser.sees(step.seat):
            self._echo(say("look.hidden", name=self.narrator.table.names[step.seat]))
        else:
            advice = await asyncio.to_thread(self.browser.advice)
            assert advice is not None
            self._echo(self._advice(advice, step, step.move))

    def _advice(self, advice: Advice, step: Step, move: Move) -> str:
        say = self.narrator.say
        if move in (KEEP, REDEAL):
            return say(f"look.advice_{advice.best.text}")
        if not advice.worth:
            return say("look.forced_draw" if move == DRAW else "look.forced")
        best, own = advice.worth_of(advice.best), advice.worth_of(move)
        assert best is not None
        ends = step.ends_before
        after = self.browser.game.round.place(ends, advice.best)
        said = [
            say(
                "look.advice_same" if advice.agrees(move) else "look.advice_other",
                laid=laid(advice.best, ends, after, outward=False),
                worth=round(best * 1000),
            )
        ]
        if not advice.agrees(move):
            said.append(say("look.worth_less") if own is None else say("look.worth", worth=round(own * 1000)))
        if advice.exact:
            said.append(say("look.exact"))
        return " ".join(said)


def capital(sentence: str) -> str:
    """A sentence that may begin with the name of a key."""
    return sentence[:1].upper() + sentence[1:]
