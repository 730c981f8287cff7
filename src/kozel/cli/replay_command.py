"""`kozel replay`: records, replayed by the rules, as JSON or in words."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from kozel.clean import clean
from kozel.engine.events import Event
from kozel.engine.match import Match
from kozel.engine.round import Refused
from kozel.engine.turns import WaitingDraws
from kozel.locales import message
from kozel.narration.faults import fault_sentence, placed_fault
from kozel.narration.narrator import Narrator, Table
from kozel.narration.wording import Verbosity
from kozel.records.reading import BadHead, Record, parse_record
from kozel.records.replay import Broken, replay, replay_text
from kozel.yamltree import BadFile, read_bytes

Say = Callable[[str], None]


def replay_json(files: Sequence[str], lang: str, rulesets: Path | None) -> int:
    """Print one JSON object a file, in the order given; 2 if any record is at fault."""
    explain = partial(_explain, lang)
    status = 0
    for name in files:
        try:
            told = replay_text(read_bytes(Path(name)), name, explain, rulesets, lang)
        except BadFile as error:
            told = {
                "file": name,
                "ok": False,
                "round": None,
                "move": None,
                "error": error.problems[0].placed(lang),
            }
        sys.stdout.write(json.dumps(told, ensure_ascii=True) + "\n")
        status = status if told["ok"] else 2
    sys.stdout.flush()
    return status


def _explain(lang: str, fault: Refused, players: tuple[str, ...]) -> str:
    return fault_sentence(lang, fault, players)


def replay_words(
    files: Sequence[str], lang: str, verbosity: Verbosity, rulesets: Path | None, say: Say, complain: Say
) -> int:
    """Tell each match in words; what breaks a rule goes to `complain`."""
    status = 0
    for name in files:
        try:
            record = parse_record(read_bytes(Path(name)), Path(name), rulesets)
        except BadFile as error:
            complain(error.problems[0].placed(lang))
            status = 2
            continue
        except BadHead as error:
            complain(error.problem.placed(lang))
            status = 2
            continue
        try:
            _tell(name, record, lang, verbosity, say)
        except Broken as error:
            complain(f"{name}: {placed_fault(lang, error.fault, record.head.players, error.round, error.move)}")
            status = 2
    return status


def table_of(record: Record) -> Table:
    """Who sits where in a record, as the narrator knows them."""
    game = record.head.game()
    names = tuple(clean(name) or str(number) for number, name in enumerate(record.head.players, 1))
    return Table(names, game.sides, game.pairs, game.keeps_points)


def _tell(name: str, record: Record, lang: str, verbosity: Verbosity, say: Say) -> None:
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
