"""A record replayed by the rules: the match that it holds, or where and why it breaks them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from kozel.engine.events import Event
from kozel.engine.ledger import RoundSummary
from kozel.engine.match import BadDeal, Dealt, Match, deal, decide, new_match
from kozel.engine.moves import END_NAMES
from kozel.engine.round import IllegalMove, Refused
from kozel.engine.tiles import NO_END
from kozel.records.notation import hand_names, resolve, shortened
from kozel.records.promised import Unlike
from kozel.records.reading import LEVELS, BadHead, Record, SeatChange, WrittenRound, parse_record

if TYPE_CHECKING:
    from kozel.engine.shuffle import Shuffle
    from kozel.records.shuffling import Promise

Proof = Literal["consistent", "proven"]

Watch = Callable[[Match, list[Event]], None]
"""Is told each state of a match being replayed, with the events that led to it."""


class Broken(Exception):
    """A record breaks a rule: in which round, at which decision (counted from 1; None: the deal), and why."""

    def __init__(self, round: int, move: int | None, fault: Refused) -> None:
        self.round, self.move, self.fault = round, move, fault
        super().__init__(f"round {round}, move {move}: {fault}")


def replay(record: Record, watch: Watch | None = None) -> Match:
    """The match that a record holds. Raises `Broken`."""
    match = new_match(record.head.game())
    for number, written in enumerate(record.rounds, 1):
        match = _replay_round(match, number, written, record.head.shuffle, watch)
    return match


def _replay_round(
    match: Match, number: int, written: WrittenRound, shuffle: Shuffle | None, watch: Watch | None
) -> Match:
    if match.end or match.round:
        raise Broken(number, None, BadDeal("match_over" if match.end else "round_unfinished"))
    if written.fault:
        raise Broken(number, None, written.fault)
    dealt = Dealt(written.hands, written.bazaar, written.lot)
    try:
        before = match
        match, events = deal(match, dealt)
        if shuffle:
            _check_promised(shuffle.deal(before), dealt)
    except BadDeal as fault:
        raise Broken(number, None, fault) from None
    for change in written.changes:
        if not _seats_somebody(change, match.game.seats):
            unclear = IllegalMove("seat_change", text=shortened(change.text), last=match.game.seats - 1)
            raise Broken(number, change.before + 1, unclear)
    if watch:
        watch(match, events)
    for count, text in enumerate(written.moves, 1):
        try:
            if match.round is None:
                raise IllegalMove("match_over" if match.end else "round_over")
            match, events = decide(match, resolve(match.round, text))
        except IllegalMove as fault:
            raise Broken(number, count, fault) from None
        if watch:
            watch(match, events)
    return match


def _check_promised(promised: Dealt, dealt: Dealt) -> None:
    """Is this the deal that secret and additions give? Raises `BadDeal`."""
    for seat, (wanted, hand) in enumerate(zip(promised.hands, dealt.hands, strict=True)):
        if set(wanted) != set(hand):
            raise BadDeal("not_promised_hand", seat=seat)
    if promised.bazaar != dealt.bazaar:
        raise BadDeal("not_promised_bazaar")
    if promised.lot != dealt.lot:
        raise BadDeal("not_promised_lot", wanted=promised.lot)


def _seats_somebody(change: SeatChange, seats: int) -> bool:
    who, *rest = change.text.split()
    if not rest or rest[0] not in map(str, range(seats)):
        return False
    return len(rest) == 1 if who == "person" else len(rest) == 2 and rest[1] in LEVELS


Explain = Callable[[Refused, tuple[str, ...]], str]
"""Makes the sentence of a fault, for players with these names."""


def replay_text(
    content: bytes | str,
    name: str,
    explain: Explain | None = None,
    rulesets: Path | None = None,
    lang: str = "en",
    promise: Promise | None = None,
) -> dict[str, Any]:
    """What `kozel replay --json` prints of one file: `name` stands for it. `explain` makes the sentence of a fault.

    `lang`: the language of a mistake in the file itself. `promise`: what the match's deals are compared with.
    """

    def explained(fault: Refused, players: tuple[str, ...]) -> str:
        return explain(fault, players) if explain else str(fault)

    try:
        record = parse_record(content, Path(name), rulesets)
        proof = proof_of(record, promise)
        match = replay(record)
    except BadHead as error:
        return {"file": name, "ok": False, "round": None, "move": None, "error": error.problem.placed(lang)}
    except Unlike as fault:
        words = explained(fault, record.head.players)
        return {"file": name, "ok": False, "round": None, "move": None, "error": words}
    except Broken as broken:
        words = explained(broken.fault, record.head.players)
        return {"file": name, "ok": False, "round": broken.round, "move": broken.move, "error": words}
    return {"file": name, "ok": True, **result(match, proof)}


def proof_of(record: Record, promise: Promise | None) -> Proof | None:
    """What a record that replays proves of its deals: they are as its own head says, or as was promised. Raises `Unlike`."""
    if promise is not None:
        from kozel.records.shuffling import compare

        compare(record.head.shuffle, promise)
        return "proven"
    return "consistent" if record.head.shuffle else None


class Standing(NamedTuple):
    """Where an unfinished round stands."""

    to_move: int | None
    ends: dict[str, int]
    legal: list[str]
    hands: list[list[str]]
    bazaar: int


def result(match: Match, proof: Proof | None = None) -> dict[str, Any]:
    """A match in the fields of `record-format.md`."""
    end, where = match.end, standing(match)
    return {
        "rounds": [_summary(summary, match.game.seats) for summary in match.past],
        "over": end is not None,
        "winners": list(end.winners) if end else [],
        "losers": list(end.losers) if end else [],
        "title": end.title if end else None,
        "payout": list(end.payout) if end and end.payout else None,
        "to_move": where.to_move,
        "shuffle": proof,
        "ends": where.ends,
        "legal": where.legal,
        "hands": where.hands,
        "bazaar": where.bazaar,
    }


def standing(match: Match) -> Standing:
    """Where the round in progress stands; empty where there is none."""
    state = match.round
    if state is None:
        return Standing(None, {}, [], [], 0)
    return Standing(
        to_move=state.turn,
        ends={END_NAMES[end]: pip for end, pip in enumerate(state.ends) if pip != NO_END},
        legal=sorted(move.text for move in state.legal),
        hands=[hand_names(hand) for hand in state.hands],
        bazaar=len(state.bazaar),
    )


def _summary(summary: RoundSummary, seats: int) -> dict[str, Any]:
    return {
        "opener": summary.opener,
        "result": summary.result,
        "winner": list(summary.winner),
        "fisher": summary.seat if summary.result == "fish" else None,
        "hand_points": list(summary.hand_points),
        "scored": list(summary.scored),
        "eggs": summary.eggs,
        "totals": list(summary.totals),
        "open": list(summary.open),
        "deferred": list(summary.deferred),
        "sitting": summary.sitting,
        "next_opener": summary.next_opener,
    }
