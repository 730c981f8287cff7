"""Whether the settlement steps that hold at one table make sense together, and in their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kozel.locales import Phrase
from kozel.rules.registry import RULES, Role, roles_of
from kozel.rules.ruleset import Entry
from kozel.yamltree import quoting

_ORDER: tuple[tuple[Role, ...], ...] = (
    ("title",),
    ("count",),
    ("change",),
    ("add", "eggs"),
    ("record",),
    ("end",),
    ("pay",),
)
_RANK: dict[Role, int] = {role: rank for rank, roles in enumerate(_ORDER) for role in roles}
_REASON: dict[int, str] = {
    0: "mistake.order_title",
    1: "mistake.order_undone",
    2: "mistake.order_undone",
    3: "mistake.order_lost",
    4: "mistake.order_end",
    5: "mistake.order_pay",
}
_ONE_OF: tuple[Role, ...] = ("count", "eggs", "record", "end", "pay", "opener")
_GIVES: tuple[Role, ...] = ("count", "add", "change")


class Fault(NamedTuple):
    """A fault of a settlement: `kind` is the same for the same fault at another table."""

    kind: str
    entry: Entry
    phrase: Phrase


def faults_of_steps(steps: Sequence[Entry], two_sides: bool, complete: bool) -> Iterator[Fault]:
    """The faults of the steps that hold at a table, with two sides or more, in their order.

    `complete`: all of the file could be read; else what seems to be missing may be in the rest.
    """
    yield from _order(steps)
    yield from _twice(steps)
    if not complete or not steps:
        return
    yield from _end(steps)
    yield from _recording(steps)
    for step in steps:
        if "sit" in roles_of(step.name) and not two_sides:
            yield Fault("sides", step, quoting("mistake.needs_two_sides", rule=step.name))


def _order(steps: Sequence[Entry]) -> Iterator[Fault]:
    ranks = [rank for rank in map(_rank, steps) if rank is not None]
    if ranks == sorted(ranks):
        return
    for place, step in enumerate(steps):
        for other in steps[:place]:
            rank, late = _rank(step), _rank(other)
            if rank is None or late is None or rank >= late:
                continue
            lost = rank < _RANK["record"] == late and rank
            why = quoting("mistake.order_lost" if lost else _REASON[rank], other=other.name)
            text = quoting("mistake.order", rule=step.name, other=other.name, why=why)
            yield Fault(f"order {step.name}", step, text)
            break


def _rank(step: Entry) -> int | None:
    return next((_RANK[role] for role in roles_of(step.name) if role in _RANK), None)


def _twice(steps: Sequence[Entry]) -> Iterator[Fault]:
    """Two steps that do the same would count twice, or the later one would undo the earlier."""
    names = [step.name for step in steps]
    if len(set(names)) == len(names) and not any(_having(steps, role)[1:] for role in _ONE_OF):
        return
    faulty = set()
    for role in _ONE_OF:
        same = [step for step in steps if role in roles_of(step.name)]
        for step in same[1:]:
            faulty.add(id(step))
            facts = {"rule": step.name, "other": same[0].name, "why": quoting(f"mistake.both_{role}")}
            yield Fault(f"twice {role}", step, quoting("mistake.not_both", **facts))
    for place, step in enumerate(steps):
        if step.name in names[:place] and id(step) not in faulty:
            yield Fault(f"twice {step.name}", step, quoting("mistake.step_twice", step=step.name))


def _end(steps: Sequence[Entry]) -> Iterator[Fault]:
    if not _having(steps, "end"):
        yield Fault("end", steps[0], quoting("mistake.needs_end", words=_ways("end")))


def _recording(steps: Sequence[Entry]) -> Iterator[Fault]:
    """Points that are given must be recorded, and an end by points needs both."""
    giving = [step for step in steps if roles_of(step.name) & {*_GIVES, "eggs"}]
    counting, recording = _having(steps, "count"), _having(steps, "record")
    by_points = [step for step in _having(steps, "end") if "sit" not in roles_of(step.name)]
    if giving and not recording:
        text = quoting("mistake.needs_record", rule=giving[0].name, words=_ways("record"))
        yield Fault("record", giving[0], text)
    needing = (giving or recording or by_points)[:1]
    if needing and not counting and (recording or by_points):
        yield Fault("count", needing[0], quoting("mistake.needs_count", words=_ways("count")))
    if by_points and not recording and not giving:
        text = quoting("mistake.needs_points", rule=by_points[0].name, words=_ways("record"))
        yield Fault("record", by_points[0], text)
    if _having(steps, "pay") and not by_points:
        pay = _having(steps, "pay")[0]
        yield Fault("pay", pay, quoting("mistake.pay_needs_points", rule=pay.name))


def _having(steps: Sequence[Entry], role: Role) -> list[Entry]:
    return [step for step in steps if role in roles_of(step.name)]


def _ways(role: Role) -> tuple[str, ...]:
    return tuple(name for name in RULES["settlement"] if role in roles_of(name))
