"""What helps to learn: H, what the computer would do and why; and what a decision taken back was."""

from __future__ import annotations

from kozel.bots.hints import Hint, hint
from kozel.bots.view import observe
from kozel.engine.moves import DRAW, KEEP
from kozel.engine.tiles import tiles_in
from kozel.narration.wording import laid
from kozel.play.practice import TakenBack
from kozel.session.commands import Command
from kozel.session.desk import Desk


def tell_hint(desk: Desk) -> None:
    """Say the hint of the own turn; the cursor goes to the tile that it names, which counts as heard."""
    state = desk.round
    assert state is not None
    assert desk.listener == state.turn
    found = hint(observe(desk.match, state.turn))
    tiles = tiles_in(found.move.tiles)
    if tiles:
        desk.heard |= set(tiles)
        own = desk.own()
        desk.cursor.zone = "hand"
        desk.cursor.stand(own, own.index(found.move.lays[0].tile))
    desk.private(sentence(desk, found))


def sentence(desk: Desk, found: Hint) -> str:
    """A hint in words, in the language in force."""
    move, facts = found.move, dict(found.facts)
    seat = facts.pop("seat", None)
    said = desk.say(
        f"hint.{found.kind}",
        laid=laid(move, desk.ends, desk.match.game.round.place(desk.ends, move)) if move.tiles else (),
        key=desk.key(Command.DRAW if move == DRAW else Command.LEAVE if move == KEEP else Command.CONFIRM),
        who=() if seat is None else (desk.name(seat),),
        **facts,
    )
    if len(move.lays) > 1 or any(lay.closed for lay in move.lays):
        return desk.say("hint.marked", said=said, key=desk.mark_letter)
    return said


def taken_back(desk: Desk, taken: TakenBack) -> str:
    """What was taken back, and the ends as they are again. It names no tile that was not laid."""
    move = taken.move
    kind = "lay" if move.tiles else "draw" if move == DRAW else "answer"
    said = desk.say(
        f"undo.{kind}_more" if taken.more else f"undo.{kind}",
        laid=laid(move, taken.before, desk.match.game.round.place(taken.before, move)) if move.tiles else (),
    )
    return f"{said} {desk.narrator.ends(taken.before)}"
