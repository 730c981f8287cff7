"""One table as it is heard: who has the keyboard, and the answers to keys that only tell something."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from kozel.clean import clean
from kozel.engine.chain import Chain, chain_of
from kozel.engine.events import Laid
from kozel.engine.match import Match
from kozel.engine.moves import DOWN, KEEP, LEFT, RIGHT, UP, Move
from kozel.engine.round import Round
from kozel.engine.tiles import HALVES, NO_END, tiles_in
from kozel.engine.turns import Turn, last_move, since_turn_of, turns_of
from kozel.narration.answers import Arm, Mark
from kozel.narration.narrator import VERBOSITIES, Narrator, Table, Verbosity
from kozel.play.runner import Runner, hand_in_order
from kozel.session.arms import arms_of
from kozel.session.commands import Command
from kozel.session.cursor import Cursor, Step, Zone
from kozel.session.laying import Wanted, fitting_count, playable
from kozel.terminal.keymap import Keymap
from kozel.terminal.names import spoken
from kozel.voice.announcer import Again, Announcer
from kozel.voice.message import Group, Kind, Message

_STEPS: dict[Command, Step] = {
    Command.WALK_LEFT: "left",
    Command.WALK_RIGHT: "right",
    Command.WALK_HOME: "home",
    Command.WALK_END: "end",
}
_OF_OWN_TILES = (Command.HAND, Command.ZONE_BEFORE, Command.ZONE_AFTER, Command.NEXT_FIT, Command.PREVIOUS_FIT)
_ENDS = {Command.END_LEFT: LEFT, Command.END_RIGHT: RIGHT, Command.END_UP: UP, Command.END_DOWN: DOWN}


class Desk:
    """A match, its narrator, and the person at the keyboard.

    `holder`: the seat whose person has the keyboard, None before the first handover. `public`: only what everybody may
    hear is told, whatever key. `heard`: the own tiles said since the turn began. `marks`: tiles marked, in order.
    """

    def __init__(self, runner: Runner, announcer: Announcer, keymap: Keymap, lang: str, verbosity: Verbosity) -> None:
        self.runner, self.announcer, self.keymap = runner, announcer, keymap
        seating = runner.seating
        persons = seating.persons
        self.solo = persons[0] if len(persons) == 1 else None
        self.holder = self.solo
        self.public = self.solo is None
        self.heard: set[int] = set()
        self.marks: list[Wanted] = []
        self._held, self._refused = False, ""
        self.narrator = Narrator(lang, verbosity, self._table())
        self._cursors = {seat: Cursor() for seat in persons}
        self._answers: dict[Command, Callable[[], None]] = {
            Command.LAST_MOVE: self._tell_last_move,
            Command.MOVES_SINCE_TURN: self._tell_since_turn,
            Command.COUNTS: self._tell_counts,
            Command.SCORES: self._tell_scores,
            Command.LAST_ROUND: self._tell_last_round,
            Command.EGGS: self._tell_eggs,
            Command.BAZAAR: self._tell_bazaar,
            Command.HAND: self._tell_hand,
            Command.CHAIN: self._tell_chain,
            Command.REPEAT: lambda: self._again("repeat"),
            Command.OLDER: lambda: self._again("older"),
            Command.NEWER: lambda: self._again("newer"),
            Command.KIND_BEFORE: lambda: self._again("kind_before"),
            Command.KIND_AFTER: lambda: self._again("kind_after"),
            Command.VERBOSITY: self._change_verbosity,
            Command.SPEECH_MODE: self._change_speech,
            Command.ZONE_BEFORE: lambda: self._change_zone(-1),
            Command.ZONE_AFTER: lambda: self._change_zone(1),
            Command.NEXT_FIT: lambda: self._to_fitting(1),
            Command.PREVIOUS_FIT: lambda: self._to_fitting(-1),
        }

    def _table(self) -> Table:
        game = self.match.game
        names = []
        for number, name in enumerate(self.runner.seating.players, 1):
            names.append(clean(name) or str(number))
        return Table(tuple(names), game.sides, game.pairs, game.keeps_points)

    # what stands

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self.runner.match

    @property
    def round(self) -> Round | None:
        """The round in progress."""
        return self.runner.match.round

    @property
    def ends(self) -> tuple[int, ...]:
        """The chain's ends, `()` on an empty table."""
        return self.round.ends if self.round else ()

    @property
    def legal(self) -> tuple[Move, ...]:
        """What the person at the keyboard can decide now; nothing where it is another's turn."""
        state = self.round
        return state.legal if state and self.listener is not None and state.turn == self.listener else ()

    @property
    def you(self) -> int | None:
        """The seat that is addressed as 'you': that of the only person."""
        return self.solo

    @property
    def listener(self) -> int | None:
        """The seat whose own tiles may be told now."""
        return None if self.public else self.holder

    @property
    def cursor(self) -> Cursor:
        """The cursor of the person at the keyboard."""
        assert self.holder is not None
        return self._cursors[self.holder]

    def own(self) -> tuple[int, ...]:
        """The tiles of the person at the keyboard, in their order."""
        return hand_in_order(self.match, self.listener) if self.listener is not None else ()

    def chain(self) -> Chain:
        """The chain on the table; after a round it lies there until the next one is dealt."""
        return chain_of(self.match.log)

    def left(self) -> tuple[tuple[int, ...], int]:
        """How many tiles each seat and the bazaar hold, or held when the round ended; nothing before the first."""
        if self.round is not None:
            return tuple(hand.bit_count() for hand in self.round.hands), len(self.round.bazaar)
        if not self.match.past:
            return (), 0
        hands = tuple(hand.bit_count() for hand in self.match.past[-1].hands)
        chain = self.chain()
        return hands, len(HALVES) - sum(hands) - len(chain.tiles) - len(chain.thrown)

    def name(self, seat: int) -> str:
        """A player's name."""
        return self.narrator.table.names[seat]

    # saying

    def say(self, key: str, /, **facts: object) -> str:
        """A message of the catalogue, in the language in force."""
        return self.narrator.say(key, **facts)

    def tell(self, kind: Kind, lines: Iterable[str], to: int | None = None, group: Group = "other") -> float:
        """Say lines in one go; when they were handed to the output."""
        return self.announcer.say_all(Message(kind, to, line, None, group) for line in lines if line)

    def echo(self, text: str, to: int | None = None, group: Group = "answers") -> None:
        """Answer a key."""
        self.tell("echo", [text], to, group)

    def private(self, text: str) -> None:
        """Answer a key with what only the person at the keyboard may hear."""
        self.echo(text, self.listener)

    def obeys(self, *, held: bool) -> None:
        """A key comes. While one that acts is `held` down, a refusal is not repeated."""
        self._held = held
        if not held:
            self._refused = ""

    def refuse(self, kind: str, /, **facts: object) -> None:
        """Say why a key is not obeyed."""
        text = self.narrator.refusal(kind, **facts)
        if not self._held or text != self._refused:
            self.echo(text, self.listener)
        self._refused = text

    def key(self, command: Command) -> str:
        """The key of a command, as it is said."""
        keys = self.keymap.commands.get(command)
        return spoken(keys[0], self.narrator.lang) if keys else ""

    @property
    def mark_letter(self) -> str:
        """A key that marks in every terminal, as it is said."""
        keys = self.keymap.commands.get(Command.MARK, ())
        sure = next((key for key in keys if key != "s-space"), None)
        return spoken(sure, self.narrator.lang) if sure else ""

    # answers

    def answer(self, command: Command) -> bool:
        """Carry out a command that changes nothing but the cursor; False if it is none."""
        if command in _ENDS:
            self.echo(self.narrator.end_shows(self._ends_left(), _ENDS[command]))
        elif command in _STEPS:
            self._walk(_STEPS[command])
        elif command.tile is not None:
            self._to_number(command.tile)
        elif command in self._answers:
            self._answers[command]()
        else:
            return False
        return True

    def can_tell(self, command: Command) -> bool:
        """Whether there is something to tell: own tiles only in a round, and to whoever has the keyboard."""
        own = command in _STEPS or command in _OF_OWN_TILES or command.tile is not None
        return not own or (self.round is not None and self.listener is not None)

    def _again(self, which: Again) -> None:
        self.announcer.again(which, self.listener)

    def _turn_sentences(self, turns: Sequence[Turn]) -> str:
        return " ".join(self.narrator.turn(turn.events, self.you, turn.before) for turn in turns)

    def _tell_last_move(self) -> None:
        turns = turns_of(self.match.log)
        self.echo(self._turn_sentences(last_move(turns)) or self.say("answer.no_move"))

    def _tell_since_turn(self) -> None:
        turns = turns_of(self.match.log)
        seat = self.holder
        told = since_turn_of(turns, seat) if seat is not None else turns
        self.echo(self._turn_sentences(told or last_move(turns)) or self.say("answer.no_move"))

    def _ends_left(self) -> tuple[int, ...]:
        if self.round is not None:
            return self.round.ends
        return next((event.ends for event in reversed(self.match.log) if isinstance(event, Laid)), ())

    def _tell_counts(self) -> None:
        hands, _ = self.left()
        self.echo(self.narrator.counts(hands, self.you) if hands else self.say("answer.no_round"))

    def refuse_outside(self) -> None:
        """Say that no round is in progress."""
        self.refuse("match_over" if self.match.end else "round_over")

    def _tell_scores(self) -> None:
        ledger, narrator = self.match.ledger, self.narrator
        if not narrator.table.points:
            self.echo(narrator.sitting(ledger.sitting, self.you))
            return
        lines = narrator.scores(ledger.totals, ledger.open, ledger.deferred, ledger.eggs, self.you)
        self.echo(" ".join(lines))

    def _tell_last_round(self) -> None:
        past = self.match.past
        self.echo(" ".join(self.narrator.explain(past[-1], self.you)) if past else self.say("answer.no_round"))

    def _tell_eggs(self) -> None:
        ledger, narrator = self.match.ledger, self.narrator
        points = narrator.table.points
        self.echo(narrator.eggs(ledger.eggs) if points else narrator.sitting(ledger.sitting, self.you))

    def _tell_bazaar(self) -> None:
        hands, bazaar = self.left()
        self.echo(self.narrator.bazaar(bazaar) if hands else self.say("answer.no_round"))

    def _tell_hand(self) -> None:
        if self._no_own_tiles():
            return
        own = self.own()
        self.heard |= set(own)
        self.private(self.narrator.hand(own, self.ends, [self.mark_of(tile) for tile in own]))

    def _tell_chain(self) -> None:
        self.echo(self.narrator.chain(arms_of(self.chain())))

    def _change_verbosity(self) -> None:
        place = VERBOSITIES.index(self.narrator.verbosity)
        self.narrator.verbosity = VERBOSITIES[(place + 1) % len(VERBOSITIES)]
        self.echo(self.say(f"verbosity.{self.narrator.verbosity}"))

    def _change_speech(self) -> None:
        self.announcer.announce_next_mode()

    # walking

    def _no_own_tiles(self) -> bool:
        """Whether there are no own tiles to be told now; says so."""
        if self.round is None:
            self.refuse_outside()
        elif self.listener is None:
            self.refuse("enter_first", name=self.name(self.round.turn))
        else:
            return False
        return True

    def mark_of(self, tile: int) -> Mark | None:
        """The mark of an own tile."""
        found = next((wanted for wanted in self.marks if wanted.tile == tile), None)
        if found is None:
            return None
        if not self.can_close(tile):
            return "marked"
        return "shut" if found.closed else "open"

    def can_close(self, tile: int) -> bool:
        """Can this tile be laid closed now?"""
        return any(lay.closed and lay.tile == tile for move in self.legal for lay in move.lays)

    def say_tile(self, tile: int) -> str:
        """An own tile as it is said; it counts as heard."""
        own = self.own()
        self.heard.add(tile)
        place = (own.index(tile) + 1, len(own))
        return self.narrator.held(tile, self.ends, self.mark_of(tile), place)

    def _zone_tiles(self, zone: Zone) -> tuple[int, ...]:
        if zone == "hand":
            return self.own()
        if zone == "table":
            chain = self.chain()
            return chain.tiles + chain.thrown
        return ()

    def _say_place(self, zone: Zone, tiles: Sequence[int]) -> str:
        """What lies under the cursor; '' where nothing does."""
        place = self.cursor.place(tiles)
        if place < 0:
            return ""
        if zone == "hand":
            return self.say_tile(tiles[place])
        return self.narrator.in_chain(tiles[place], self._arm_at(place), (place + 1, len(tiles)))

    def _arm_at(self, place: int) -> Arm | None:
        """The arm whose first tile, in the order of walking, is at this place; a plain line has no arms to name."""
        arms = arms_of(self.chain())
        if arms[0][0] == "line" and not arms[-1][1]:
            return None
        start = 0
        for arm, tiles in arms:
            if tiles and place == start:
                return arm
            start += len(tiles)
        return None

    def _walk(self, step: Step) -> None:
        if self._no_own_tiles():
            return
        zone = self.cursor.zone
        if zone == "bazaar":
            self._tell_bazaar()
            return
        tiles = self._zone_tiles(zone)
        if not tiles:
            self.private(self.narrator.zone(zone, 0))
            return
        inside = self.cursor.walk(tiles, step)
        said = self._say_place(zone, tiles)
        self.private(said if inside else self.narrator.at_edge(said))

    def _change_zone(self, step: int) -> None:
        if self._no_own_tiles():
            return
        if not self.cursor.change_zone(step):
            self.private(self.narrator.zone_edge(self.cursor.zone))
            return
        self.say_zone()

    def say_zone(self) -> None:
        """Say the zone that the cursor is in and what it stands on."""
        zone = self.cursor.zone
        state = self.round
        assert state is not None
        tiles = self._zone_tiles(zone)
        count = len(state.bazaar) if zone == "bazaar" else len(tiles)
        self.private(" ".join(filter(None, (self.narrator.zone(zone, count), self._say_place(zone, tiles)))))

    def _to_number(self, number: int) -> None:
        if self._no_own_tiles():
            return
        own = self.own()
        if number > len(own):
            self.refuse("no_such_tile", number=number, n=len(own))
            return
        self.cursor.zone = "hand"
        self.cursor.stand(own, number - 1)
        self.private(self.say_tile(own[number - 1]))

    def _to_fitting(self, step: int) -> None:
        if self._no_own_tiles():
            return
        own = self.own()
        fitting = self.fitting_tiles()
        places = [place for place, tile in enumerate(own) if fitting >> tile & 1]
        if not places:
            self.refuse("nothing_fits", key=self.key(Command.DRAW))
            return
        now = self.cursor.place(own, "hand") if self.cursor.zone == "hand" else -1 if step > 0 else len(own)
        ahead = [place for place in places if (place - now) * step > 0]
        target = (ahead or places)[0 if step > 0 else -1]
        self.cursor.zone = "hand"
        self.cursor.stand(own, target)
        self.private(self.say_tile(own[target]))

    def fitting_tiles(self) -> int:
        """The own tiles that can be laid now; on another's turn, those that fit the ends."""
        if self.legal:
            return playable(self.legal)
        own = self.own()
        state = self.round
        assert state is not None
        shown = {pip for pip in state.ends if pip != NO_END}
        return sum(1 << tile for tile in own if shown & set(HALVES[tile]))

    def current_tile(self) -> int | None:
        """The own tile under the cursor, if it is among the own tiles."""
        own = self.own()
        place = self.cursor.place(own, "hand")
        return own[place] if place >= 0 else None

    def whose_turn(self) -> str:
        """Whose turn it is, and how many tiles can be laid."""
        state = self.round
        assert state is not None
        asked = KEEP in state.legal
        fitting = fitting_count(self.legal)
        if state.turn == self.listener and not asked and not state.ends:
            forced = playable(self.legal)
            return self.narrator.your_opening(0 if len(tiles_in(forced)) == len(self.own()) else forced)
        return self.narrator.whose_turn(state.turn, self.listener, fitting, self.key(Command.DRAW), asked)
