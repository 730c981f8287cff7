"""A person's decision: from Space, marks and arrows to the one move that is meant, or a word why there is none."""

from __future__ import annotations

from collections.abc import Sequence

from kozel.engine.moves import DOWN, DRAW, KEEP, LEFT, REDEAL, RIGHT, UP, Move
from kozel.engine.tiles import is_double, tiles_in
from kozel.session.commands import Command
from kozel.session.desk import Desk
from kozel.session.laying import (
    Ask,
    Laying,
    Wanted,
    allows_closing,
    allows_several,
    can_be_marked,
    playable,
    together_with_another,
)
from kozel.session.patience import Patience
from kozel.session.sounding import Notice

TOWARDS = {
    Command.TOWARDS_LEFT: LEFT,
    Command.TOWARDS_RIGHT: RIGHT,
    Command.TOWARDS_UP: UP,
    Command.TOWARDS_DOWN: DOWN,
}
"""What answers the question for an end."""


class Deciding:
    """The decision of the person whose turn it is. Methods that take a key give the move once it is settled, else None.

    `unsure_of_marks`: the terminal may report Shift+Space as Space, and no mark has come in this match yet.
    """

    def __init__(self, desk: Desk, patience: Patience) -> None:
        self._desk, self._patience = desk, patience
        self._laying: Laying | None = None
        self._settled: Laying | None = None
        self._marks_named = False
        self._single_asked: int | None = None
        self._was_asked = False
        self.unsure_of_marks = False

    def begin(self) -> None:
        """A new turn: nothing is marked, asked or heard."""
        self._laying = self._settled = None
        self._marks_named = False
        self._single_asked = None
        self._desk.heard.clear()
        self._desk.marks.clear()

    @property
    def asks_for_end(self) -> bool:
        """Is the question for an end open?"""
        return self._laying is not None

    @property
    def question(self) -> str:
        """The open question, '' for none."""
        desk = self._desk
        if self._laying is not None:
            return self._end_question(self._ask())
        if KEEP in desk.legal:
            return desk.narrator.redeal_question(sum(is_double(tile) for tile in desk.own()))
        return ""

    def too_early(self, early: bool) -> bool:
        """Whether a key that acts came too early; says so."""
        if early:
            self._desk.refuse("too_early")
        return early

    def not_carried_out(self) -> None:
        """The decision could not be written: what led to it stands again, the question for an end included."""
        self._laying = self._settled

    # Space and Enter

    def act(self, command: Command, early: bool) -> Move | None:
        """Space or Enter in the own turn."""
        desk = self._desk
        if KEEP in desk.legal:
            if command is Command.ACT:
                desk.refuse("answer_first", question=self.question)
                return None
            return None if self.too_early(early) else REDEAL
        if desk.marks:
            return self._lay_marked(early)
        if desk.cursor.zone == "bazaar":
            return self.draw()
        if desk.cursor.zone == "table":
            desk.refuse("not_in_zone", key=desk.key(Command.ZONE_BEFORE))
            return None
        return self._lay_current(early)

    def no(self, early: bool) -> Move | None:
        """Escape: no new deal, or the tile taken back from the question for its end."""
        if self.too_early(early):
            return None
        if self._laying is None:
            return KEEP
        self._laying = None
        self._desk.private(self._desk.say("question.taken_back"))
        return None

    def _lay_marked(self, early: bool) -> Move | None:
        desk = self._desk
        tiles = [wanted.tile for wanted in desk.marks]
        on_mark = desk.cursor.zone == "hand" and desk.current_tile() in tiles
        if not on_mark and not self._marks_named:
            self._marks_named = True
            desk.private(desk.narrator.marked(tiles))
            return None
        return None if self.too_early(early) else self._lay(desk.marks)

    def _lay_current(self, early: bool) -> Move | None:
        desk = self._desk
        tile = desk.current_tile()
        if tile is None:
            desk.refuse("empty_zone")
        elif tile not in desk.heard:
            desk.private(desk.say_tile(tile))
        elif not playable(desk.legal) >> tile & 1:
            self._refuse_tile(tile)
        elif self.too_early(early):
            pass
        elif self._asks_whether_single(tile):
            self._single_asked = tile
            question = desk.say("question.single", tile=tile, key=desk.key(Command.MARK))
            self._patience.asked(desk.tell("echo", [question], desk.listener, "answers"))
        else:
            return self._lay([Wanted(tile, False)])
        return None

    def _asks_whether_single(self, tile: int) -> bool:
        """Whether Space may have been a Shift+Space that this terminal cannot report."""
        if not self.unsure_of_marks or self._single_asked == tile:
            return False
        return together_with_another(self._desk.legal, tile)

    def _refuse_tile(self, tile: int) -> None:
        """Why a tile cannot be laid, the remedy first."""
        desk = self._desk
        if DRAW in desk.legal:
            desk.refuse("draw_first", key=desk.key(Command.DRAW), tile=tile)
        elif not desk.ends:
            desk.refuse("must_open_with", tiles=tiles_in(playable(desk.legal)))
        else:
            desk.refuse("fits_no_end", tile=tile)

    def _lay(self, wanted: Sequence[Wanted]) -> Move | None:
        desk = self._desk
        laying = Laying(desk.legal, wanted, desk.ends, allows_closing(desk.game))
        if not laying.candidates:
            desk.refuse("not_together")
            return None
        self._laying, self._was_asked = laying, False
        return self._settled_or_ask()

    # the question for an end

    def answer_end(self, command: Command, early: bool) -> Move | None:
        """An arrow towards an end; Space and Enter are told to wait for it."""
        desk, ask = self._desk, self._ask()
        assert self._laying is not None
        if command not in TOWARDS:
            desk.refuse("which_end", ends=ask.ends)
        elif TOWARDS[command] not in (end for end, _ in ask.ends):
            desk.refuse("which_end_not", ends=ask.ends, tile=ask.tile, end=TOWARDS[command])
        elif not self.too_early(early):
            self._laying.answer(ask.tile, TOWARDS[command])
            return self._settled_or_ask()
        return None

    def _settled_or_ask(self) -> Move | None:
        laying = self._laying
        assert laying is not None
        if laying.question() is None:
            self._settled, self._laying = laying if self._was_asked else None, None
            return laying.move()
        self._was_asked = True
        self._patience.asked(self._desk.tell("event", [self.question], self._desk.listener))
        return None

    def _ask(self) -> Ask:
        assert self._laying is not None
        ask = self._laying.question()
        assert ask is not None
        return ask

    def _end_question(self, ask: Ask) -> str:
        several = len(self._desk.marks) > 1
        return self._desk.narrator.which_end(ask.ends, ask.tile if several else None)

    # drawing and marking

    def draw(self) -> Move | None:
        """F4 from anywhere in the own turn. It is forced, so it is never too early."""
        desk = self._desk
        if self.question:
            desk.refuse("answer_first", question=self.question)
        elif DRAW in desk.legal:
            return DRAW
        else:
            tiles = tiles_in(playable(desk.legal))
            if desk.ends:
                desk.heard.add(tiles[0])
                desk.refuse("fits_so_no_draw", tile=tiles[0])
            else:
                desk.refuse("must_open_with", tiles=tiles)
        return None

    def mark(self) -> None:
        """Put a mark on the double under the cursor, change it, or take it off."""
        desk = self._desk
        tile = desk.current_tile()
        if self.question:
            desk.refuse("answer_first", question=self.question)
        elif desk.cursor.zone != "hand":
            desk.refuse("not_in_zone", key=desk.key(Command.ZONE_BEFORE))
        elif tile is None:
            desk.refuse("empty_zone")
        elif not allows_several(desk.game):
            desk.refuse("no_double_play")
        elif not is_double(tile):
            desk.heard.add(tile)
            desk.refuse("not_a_double", tile=tile)
        elif not can_be_marked(desk.legal, tile):
            desk.heard.add(tile)
            desk.refuse("cannot_be_marked", tile=tile)
        else:
            self._turn_mark(tile)

    def _turn_mark(self, tile: int) -> None:
        desk = self._desk
        marks = desk.marks
        sound: Notice = "marked"
        place = next((number for number, wanted in enumerate(marks) if wanted.tile == tile), None)
        if place is None:
            marks.append(Wanted(tile, False))
        elif desk.can_close(tile) and not marks[place].closed:
            marks[place] = Wanted(tile, True)
        else:
            del marks[place]
            sound = "unmarked"
        self._marks_named = False
        desk.heard.add(tile)
        desk.sound(sound, to=desk.listener)
        desk.private(desk.narrator.mark(tile, desk.mark_of(tile)))
