"""`kozel replay`: records, replayed by the rules, as JSON or in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kozel.clean import called
from kozel.cli.mistakes import bad_file
from kozel.engine.events import Event
from kozel.engine.match import Match
from kozel.engine.round import Refused
from kozel.engine.turns import WaitingDraws
from kozel.locales import message
from kozel.narration.faults import fault_sentence, placed_fault
from kozel.narration.wording import Verbosity
from kozel.records.promised import Unlike
from kozel.records.reading import BadHead, Record, parse_record, read_record_bytes
from kozel.records.replay import Broken, proof_of, replay, replay_text
from kozel.yamltree import BadFile

if TYPE_CHECKING:
    from kozel.narration.narrator import Table
    from kozel.records.shuffling import Promise

Say = Callable[[str], None]


class Replaying:
    """Records replayed for somebody: in a language, with the player's own rulesets, compared with what a `promise` file holds.

    Raises `Mistake` where the promise cannot be read.
    """

    def __init__(self, lang: str, rulesets: Path | None, promise: str | None = None) -> None:
        self._lang, self._rulesets = lang, rulesets
        self._promise: Promise | None = None
        if promise is not None:
            from kozel.records.shuffling import read_promise

            try:
                self._promise = read_promise(Path(promise))
            except BadFile as error:
                raise bad_file(error, lang) from None

    def as_json(self, files: Sequence[str], say: Say) -> int:
        """Print one JSON object a file, in the order given; 2 if any record is at fault."""
        status = 0
        for name in files:
            try:
                content = read_record_bytes(Path(name))
                told = replay_text(content, name, self._explain, self._rulesets, self._lang, self._promise)
            except BadFile as error:
                words = error.problems[0].placed(self._lang)
                told = {"file": name, "ok": False, "round": None, "move": None, "error": words}
            say(json.dumps(told))
            status = status if told["ok"] else 2
        return status

    def in_words(self, files: Sequence[str], verbosity: Verbosity, say: Say, complain: Say) -> int:
        """Tell each match in words; what breaks a rule goes to `complain`."""
        status = 0
        for name in files:
            try:
                record = parse_record(read_record_bytes(Path(name)), Path(name), self._rulesets)
                proof = proof_of(record, self._promise)
            except (BadFile, BadHead) as error:
                complain((error.problems[0] if isinstance(error, BadFile) else error.problem).placed(self._lang))
                status = 2
                continue
            except Unlike as fault:
                complain(f"{name}: {self._explain(fault, record.head.players)}")
                status = 2
                continue
            try:
                _tell(name, record, self._lang, verbosity, say)
            except Broken as broken:
                place = placed_fault(self._lang, broken.fault, record.head.players, broken.round, broken.move)
                complain(f"{name}: {place}")
                status = 2
            else:
                if proof is not None:
                    say(message(self._lang, f"cli.shuffle_{proof}"))
        return status

    def _explain(self, fault: Refused, players: tuple[str, ...]) -> str:
        return fault_sentence(self._lang, fault, players)


def table_of(record: Record) -> Table:
    """Who sits where in a record, as the narrator knows them."""
    from kozel.narration.narrator import Table  # for words only: a replay to JSON starts without it

    game = record.head.game()
    return Table(called(record.head.players), game.sides, game.pairs, game.keeps_points)


def _tell(name: str, record: Record, lang: str, verbosity: Verbosity, say: Say) -> None:
    from kozel.narration.narrator import Narrator

    narrator = Narrator(lang, verbosity, table_of(record))
    say(message(lang, "cli.replay_match", file=name, game=record.head.ruleset.name(lang), who=narrator.table.names))
    before: tuple[int, ...] = ()
    waiting = WaitingDraws()

    def watch(match: Match, events: list[Event]) -> None:
        nonlocal before
        for line in narrator.tell(waiting.release(events), None, before):
            say(line)
        before = match.round.ends if match.round else ()

    match = replay(record, watch)
    for line in narrator.turns(waiting.rest(), None):
        say(line)
    if match.end is None:
        say(message(lang, "cli.replay_unfinished"))
