"""What helps to learn: a hint in words, and what a decision taken back was."""

from __future__ import annotations

from kozel.bots.hints import Hint
from kozel.engine.moves import DRAW, KEEP, Move
from kozel.engine.tiles import tiles_in
from kozel.narration.wording import laid
from kozel.play.seat import TakenBack
from kozel.session.commands import Command
from kozel.session.desk import Desk


def tell_hint(desk: Desk, hint: Hint) -> float:
    """Say the hint of the own turn and return when; the cursor goes to the tile that it names, which counts as heard."""
    tiles = tiles_in(hint.move.tiles)
    if tiles:
        desk.stand_on(1 << hint.move.lays[0].tile)
        desk.heard |= set(tiles)
    return desk.private(sentence(desk, hint))


def sentence(desk: Desk, hint: Hint) -> str:
    """A hint in words, in the language in force."""
    move, facts = hint.move, dict(hint.facts)
    seat = facts.pop("seat", None)
    words = desk.say(
        f"hint.{hint.kind}",
        laid=laid(move, desk.ends, desk.game.round.place(desk.ends, move)) if move.tiles else (),
        key=desk.key(Command.DRAW if move == DRAW else Command.LEAVE if move == KEEP else Command.CONFIRM),
        who=() if seat is None else (desk.name(seat),),
        **facts,
    )
    return " ".join([words, *_marking(desk, move)])


def _marking(desk: Desk, move: Move) -> list[str]:
    """The keys that mark what the move lays closed, or several at once."""
    closed = [lay.tile for lay in move.lays if lay.closed]
    opened = [lay.tile for lay in move.lays if not lay.closed] if len(move.lays) > 1 else []
    key = desk.key(Command.MARK)
    said = [desk.say("hint.mark_open", tiles=opened, key=key)] if opened else []
    if closed:
        said.append(desk.say("hint.mark_closed", tiles=closed, key=key))
    return said


def taken_back(desk: Desk, taken: TakenBack) -> str:
    """What was taken back, and the ends as they are again. It names no tile that was not laid."""
    move = taken.move
    kind = "lay" if move.tiles else "draw" if move == DRAW else "answer"
    words = desk.say(
        f"undo.{kind}_more" if taken.more else f"undo.{kind}",
        laid=laid(move, taken.before, desk.game.round.place(taken.before, move)) if move.tiles else (),
    )
    return f"{words} {desk.narrator.ends(taken.before)}"
