"""One table as it is heard: who has the keyboard, and the answers to keys that only tell something."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from kozel.clean import called
from kozel.engine.chain import Chain, chain_of
from kozel.engine.match import Game
from kozel.engine.moves import DOWN, DRAW, LEFT, RIGHT, UP, Move
from kozel.engine.seen import View
from kozel.engine.tiles import HALVES, NO_END, tiles_in
from kozel.engine.turns import Turn, last_move, since_turn_of, turns_of
from kozel.narration.answers import Mark
from kozel.narration.narrator import Narrator, Table, Verbosity
from kozel.narration.wording import ends_fitting, next_verbosity
from kozel.rules.seating import Seating
from kozel.session.arms import arms_of
from kozel.session.commands import Command
from kozel.session.cursor import Cursor, Step, Zone
from kozel.session.keys import KeyNames
from kozel.session.laying import Wanted, playable
from kozel.session.recalling import AGAIN
from kozel.session.sounding import Notice, Sounds
from kozel.voice.announcer import Announcer
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
    """What the seats at this keyboard see, the narrator, and the person who has the keyboard.

    `views`: by seat, as of the last update that was told; one watcher's under None where nobody here plays. `holder`: the
    seat whose person has the keyboard, None before the first handover. `public`: only what everybody may hear is told,
    whatever key. `heard`: the own tiles said since the turn began. `marks`: tiles marked, in order.
    """

    def __init__(
        self,
        seating: Seating,
        views: Mapping[int | None, View],
        announcer: Announcer,
        names: KeyNames | None,
        lang: str,
        verbosity: Verbosity,
        sounds: Sounds,
    ) -> None:
        self.seating, self.announcer, self._names, self.sounds = seating, announcer, names, sounds
        self.views = dict(views)
        self.game: Game = seating.game()
        persons = [seat for seat in views if seat is not None]
        self.solo = persons[0] if len(persons) == 1 else None
        self.holder = self.solo
        self.public = self.solo is None
        self.heard: set[int] = set()
        self.marks: list[Wanted] = []
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
            Command.VERBOSITY: self._change_verbosity,
            Command.SPEECH_MODE: self._change_speech,
            Command.STAND: self._tell_where_we_stand,
            Command.SILENCE: self._be_silent,
            Command.LOUDER: lambda: self._turn_volume(1),
            Command.QUIETER: lambda: self._turn_volume(-1),
            Command.ZONE_BEFORE: lambda: self._change_zone(-1),
            Command.ZONE_AFTER: lambda: self._change_zone(1),
            Command.NEXT_FIT: lambda: self._to_fitting(1),
            Command.PREVIOUS_FIT: lambda: self._to_fitting(-1),
        }

    def _table(self) -> Table:
        return Table(called(self.seating.players), self.game.sides, self.game.pairs, self.game.keeps_points)

    # what stands

    @property
    def view(self) -> View:
        """What the person at the keyboard may know; before the first handover what anybody may."""
        return self.views[self.holder] if self.holder in self.views else next(iter(self.views.values()))

    @property
    def playing(self) -> bool:
        """Is a round in progress?"""
        return self.view.playing

    @property
    def turn(self) -> int:
        """The seat that is to decide, in a round."""
        turn = self.view.turn
        assert turn is not None
        return turn

    @property
    def ends(self) -> tuple[int, ...]:
        """The chain's ends, `()` on an empty table."""
        return self.view.ends if self.playing else ()

    @property
    def legal(self) -> tuple[Move, ...]:
        """What the person at the keyboard can decide now; nothing where it is another's turn."""
        return self.views[self.listener].legal if self.listener is not None else ()

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

    @property
    def in_bazaar(self) -> bool:
        """Does the cursor of the person at the keyboard stand in the bazaar?"""
        return self.listener is not None and self.cursor.zone == "bazaar"

    def own(self) -> tuple[int, ...]:
        """The tiles of the person at the keyboard, in their order."""
        return self.views[self.listener].hand if self.listener is not None and self.playing else ()

    def chain(self) -> Chain:
        """The chain on the table; after a round it lies there until the next one is dealt."""
        return chain_of(self.view.log)

    @property
    def before_first(self) -> bool:
        """Is there nothing to count yet, because nothing was dealt?"""
        return not self.playing and not self.view.past

    def name(self, seat: int) -> str:
        """A player's name."""
        return self.narrator.table.names[seat]

    def call(self, names: Sequence[str]) -> None:
        """From now on the seats are called so: over a network others may sit there than at the match's beginning."""
        self.narrator.table = self.narrator.table._replace(names=called(names))

    # saying

    def say(self, key: str, /, **facts: object) -> str:
        """A message of the catalogue, in the language in force."""
        return self.narrator.say(key, **facts)

    def tell(self, kind: Kind, lines: Iterable[str], to: int | None = None, group: Group = "other") -> float:
        """Say lines in one go; when they were handed to the output."""
        return self.announcer.say_all(Message(kind, to, line, None, group) for line in lines if line)

    def echo(self, text: str, to: int | None = None, group: Group = "answers") -> float:
        """Answer a key."""
        return self.tell("echo", [text], to, group)

    def private(self, text: str) -> float:
        """Answer a key with what only the person at the keyboard may hear."""
        return self.echo(text, self.listener)

    def refuse(self, kind: str, /, **facts: object) -> None:
        """Say why a key is not obeyed."""
        self.sound("refused", to=self.listener)
        self.private(self.narrator.refusal(kind, **facts))

    def sound(self, notice: Notice, seat: int | None = None, to: int | None = None) -> None:
        """Let a sound be heard from a seat, or from the middle."""
        self.sounds.noticed(notice, seat, self.holder, self.game.seats, to)

    def key(self, command: Command) -> str:
        """The key of a command, as it is said; '' where there is none."""
        return self._names.of(command, self.narrator.lang) if self._names is not None else ""

    def keys(self, command: Command) -> tuple[str, ...]:
        """All keys of a command, as they are said."""
        return self._names.all_of(command, self.narrator.lang) if self._names is not None else ()

    def pressed(self, key: str) -> str:
        """A key that was pressed, as it is said."""
        return self._names.pressed(key, self.narrator.lang) if self._names is not None else key

    # answers

    def answer(self, command: Command) -> bool:
        """Carry out a command that changes nothing but the cursor; False if it is none."""
        if command in _ENDS:
            self.echo(self.narrator.end_shows(self.view.ends, _ENDS[command]))
        elif command in _STEPS:
            self._walk(_STEPS[command])
        elif command.tile is not None:
            self._to_number(command.tile)
        elif command in AGAIN:
            self.announcer.again(AGAIN[command], self.listener)
        elif command in self._answers:
            self._answers[command]()
        else:
            return False
        return True

    def can_tell(self, command: Command) -> bool:
        """Whether there is something to tell: own tiles only in a round, and to whoever has the keyboard."""
        own = command in _STEPS or command in _OF_OWN_TILES or command.tile is not None
        return not own or (self.playing and self.listener is not None)

    def _turn_sentences(self, turns: Sequence[Turn]) -> str:
        return " ".join(self.narrator.turn(turn.events, self.you, turn.before) for turn in turns)

    def _tell_last_move(self) -> None:
        turns = turns_of(self.view.log)
        self.echo(self._turn_sentences(last_move(turns)) or self.say("answer.no_move"))

    def _tell_since_turn(self) -> None:
        turns = turns_of(self.view.log)
        seat = self.holder
        since = since_turn_of(turns, seat) if seat is not None else turns
        self.echo(self._turn_sentences(since or last_move(turns)) or self.say("answer.no_move"))

    def _tell_counts(self) -> None:
        if self.before_first:
            self.echo(self.say("answer.no_round"))
        else:
            self.echo(self.narrator.counts(self.view.sizes, self.you))

    def refuse_outside(self) -> None:
        """Say that no round is in progress."""
        self.refuse("match_over" if self.view.end else "round_over")

    def score_lines(self) -> list[str]:
        """The score as it stands."""
        ledger, narrator = self.view.ledger, self.narrator
        if not narrator.table.points:
            return [narrator.sitting(ledger.sitting, self.you)]
        return list(narrator.scores(ledger.totals, ledger.open, ledger.deferred, ledger.eggs, self.you))

    def _tell_scores(self) -> None:
        self.echo(" ".join(self.score_lines()))

    def _tell_last_round(self) -> None:
        past = self.view.past
        self.echo(" ".join(self.narrator.explain(past[-1], self.you)) if past else self.say("answer.no_round"))

    def _tell_eggs(self) -> None:
        ledger, narrator = self.view.ledger, self.narrator
        points = narrator.table.points
        self.echo(narrator.eggs(ledger.eggs) if points else narrator.sitting(ledger.sitting, self.you))

    def _tell_bazaar(self) -> None:
        if self.before_first:
            self.echo(self.say("answer.no_round"))
        else:
            self.echo(self.narrator.bazaar(self.view.bazaar))

    def _tell_hand(self) -> None:
        if self._no_own_tiles():
            return
        own = self.own()
        self.heard |= set(own)
        self.private(self.narrator.hand(own, self.ends, [self.mark_of(tile) for tile in own]))

    def _tell_chain(self) -> None:
        self.echo(self.narrator.chain(arms_of(self.chain())))

    def _change_verbosity(self) -> None:
        self.narrator.verbosity = next_verbosity(self.narrator.verbosity)
        self.echo(self.say(f"verbosity.{self.narrator.verbosity}"))

    def _change_speech(self) -> None:
        self.announcer.announce_next_mode()

    def _turn_volume(self, by: int) -> None:
        said = self.sounds.turn_volume(by)
        if said:
            self.echo(said)
        else:
            self.refuse("no_sounds")

    # walking

    def _no_own_tiles(self) -> bool:
        """Whether there are no own tiles to be told now; says so."""
        if not self.playing:
            self.refuse_outside()
        elif self.listener is None:
            self.refuse("enter_first", name=self.name(self.turn))
        else:
            return False
        return True

    def mark_of(self, tile: int) -> Mark | None:
        """The mark of an own tile."""
        mark = next((wanted for wanted in self.marks if wanted.tile == tile), None)
        if mark is None:
            return None
        if not self.can_close(tile):
            return "marked"
        return "shut" if mark.closed else "open"

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
        return self.narrator.chain_tile(arms_of(self.chain()), place)

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
        words = self._say_place(zone, tiles)
        self.private(words if inside else self.narrator.at_edge(words))

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
        tiles = self._zone_tiles(zone)
        count = self.view.bazaar if zone == "bazaar" else len(tiles)
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
            if DRAW in self.legal:
                self.refuse("nothing_fits", key=self.key(Command.DRAW))
            else:
                self.refuse("nothing_fits_now")
            return
        now = self.cursor.place(own, "hand") if self.cursor.zone == "hand" else -1 if step > 0 else len(own)
        ahead = [place for place in places if (place - now) * step > 0]
        target = (ahead or places)[0 if step > 0 else -1]
        self.cursor.zone = "hand"
        self.cursor.stand(own, target)
        self.private(self.say_tile(own[target]))

    def stand_on(self, tiles: int) -> None:
        """Put the cursor on the first of these own tiles; all of them count as heard."""
        own = self.own()
        self.heard |= set(tiles_in(tiles))
        self.cursor.zone = "hand"
        self.cursor.stand(own, next(place for place, tile in enumerate(own) if tiles >> tile & 1), "hand")

    def fitting_tiles(self) -> int:
        """The own tiles that can be laid now; on another's turn, those that fit the ends."""
        if self.legal:
            return playable(self.legal)
        shown = {pip for pip in self.ends if pip != NO_END}
        return sum(1 << tile for tile in self.own() if shown & set(HALVES[tile]))

    def current_tile(self) -> int | None:
        """The own tile under the cursor, if it is among the own tiles."""
        own = self.own()
        place = self.cursor.place(own, "hand")
        return own[place] if place >= 0 else None

    def forced_opening(self) -> int:
        """The own tiles of which one must open the round, 0 where any may."""
        forced = playable(self.legal)
        return 0 if len(tiles_in(forced)) == len(self.own()) else forced

    def fits(self) -> list[tuple[int, tuple[int, ...]]]:
        """The own tiles that can be laid now, in their order, each with the ends that it fits."""
        fitting = playable(self.legal)
        return [(tile, ends_fitting(tile, self.ends)) for tile in self.own() if fitting >> tile & 1]

    def own_turn(self, *, after_handover: bool = False) -> str:
        """The own turn as it begins; where one tile fits, or must open, the cursor stands on it."""
        forced = playable(self.legal) if len(self.fits()) == 1 else 0 if self.ends else self.forced_opening()
        if forced:
            self.stand_on(forced)
        return self.own_turn_line(after_handover=after_handover)

    def own_turn_line(self, *, after_handover: bool = False) -> str:
        """The own turn: both ends and what fits. The tiles that it names count as heard."""
        if not self.ends:
            forced = self.forced_opening()
            self.heard |= set(tiles_in(forced))
            return self.narrator.your_opening(forced)
        fits = self.fits()
        if len(fits) == 1 or self.narrator.verbosity == "full":
            self.heard |= {tile for tile, _ in fits}
        key = self.key(Command.DRAW) if DRAW in self.legal else ""
        return self.narrator.own_turn(self.ends, fits, key, after_handover=after_handover)

    def whose_turn(self) -> str:
        """Whose turn it is, both ends, and which or how many tiles can be laid."""
        if self.turn == self.listener and not self.view.asked:
            return self.own_turn_line()
        return self.narrator.others_turn(self.turn, self.ends, self.view.asked)

    def _tell_where_we_stand(self) -> None:
        """Everything in one go, for whoever was called away."""
        own = self.playing and self.turn == self.listener and not self.view.asked and bool(self.ends)
        fits = self.fits() if own else []
        self.heard |= {tile for tile, _ in fits}
        line = self.narrator.where_we_stand(
            self.whose_turn() if self.playing else "",
            () if self.before_first else self.view.sizes,
            self.view.bazaar,
            self.score_lines(),
            self.you,
            fits,
        )
        self.private(line)

    def _be_silent(self) -> None:
        self.announcer.hush()
