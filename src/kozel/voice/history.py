"""Everything said, to be heard again: per listener, by kind, oldest to newest."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from typing import Literal, NamedTuple

from kozel.voice.message import Group, Kind, Message

View = Literal["all", "moves", "scores", "answers", "talk"]
VIEWS: tuple[View, ...] = ("all", "moves", "scores", "answers", "talk")
Edge = Literal["oldest", "newest", "first_view", "last_view"]


class Entry(NamedTuple):
    """A message as it was kept: `serial` counts all messages ever kept, `burst` the hand-overs they came in."""

    serial: int
    burst: int
    kind: Kind
    to: int | None
    text: str
    braille: str
    group: Group


class Recalled(NamedTuple):
    """A message found again.

    `position` counts from 1, the oldest that is still kept, among the `total` that this listener may hear in `view`;
    both are 0 if there is none, and the text is empty then. `edge` says that there was nothing further that way.
    `same_before` counts the identical messages just before this one in the view. `to` is the seat that alone may
    hear the text.
    """

    text: str
    braille: str
    to: int | None
    view: View
    position: int
    total: int
    edge: Edge | None = None
    same_before: int = 0


class History:
    """Keeps the last `limit` messages. A listener is a seat, or None for somebody who may hear only what is public."""

    def __init__(self, limit: int = 4000) -> None:
        self._entries: deque[Entry] = deque(maxlen=limit)
        self._serial = self._burst = 0
        self._views: dict[int | None, View] = {}
        self._places: dict[tuple[int | None, View], int] = {}
        self._unheard: list[Entry] = []

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, messages: Sequence[Message]) -> None:
        """Keeps messages that were handed over together; the answer to a key ends its listener's reading."""
        self._burst += 1
        for m in messages:
            self._serial += 1
            self._entries.append(Entry(self._serial, self._burst, m.kind, m.to, m.text, m.braille or m.text, m.group))
            if m.kind == "echo":
                self._leave(m.to)

    def silenced(self, messages: Sequence[Message]) -> None:
        """Events and results that were kept here, and that nobody could hear: `repeat` gives them all."""
        wanted = Counter((m.to, m.text) for m in messages if m.kind != "echo")
        for entry in reversed(self._entries):
            if not wanted.total():
                break
            if entry.kind != "echo" and wanted[entry.to, entry.text]:
                wanted[entry.to, entry.text] -= 1
                self._unheard.append(entry)

    def heard(self, listener: int | None, view: View = "all") -> list[Entry]:
        """What this listener may hear in a view, oldest first."""
        return [
            entry
            for entry in self._entries
            if (entry.to is None or entry.to == listener) and view in ("all", entry.group)
        ]

    def repeat(self, listener: int | None) -> Recalled | None:
        """The last announcement: the newest event or result with what was told together with it, else the newest echo.

        What was silenced before it could be heard comes first, once.
        """
        entries = self.heard(listener)
        told = [entry for entry in entries if entry.kind != "echo"]
        if not told:
            return _recalled(entries, len(entries) - 1, "all") if entries else None
        unheard = {entry.serial for entry in self._unheard}
        self._unheard = [entry for entry in self._unheard if entry.to not in (None, listener)]
        last = [entry for entry in told if entry.burst == told[-1].burst or entry.serial in unheard]
        return Recalled(
            " ".join(entry.text for entry in last),
            " ".join(entry.braille for entry in last),
            next((entry.to for entry in last if entry.to is not None), None),
            "all",
            len(entries),
            len(entries),
        )

    def older(self, listener: int | None) -> Recalled:
        """The next older message; the newest one if the listener was not reading."""
        return self._move(listener, -1)

    def newer(self, listener: int | None) -> Recalled:
        """The next newer message."""
        return self._move(listener, 1)

    def kind_before(self, listener: int | None) -> Recalled:
        """The newest message of the kind before, in the order of `VIEWS`."""
        return self._change_view(listener, -1)

    def kind_after(self, listener: int | None) -> Recalled:
        """The newest message of the kind after, in the order of `VIEWS`."""
        return self._change_view(listener, 1)

    def _move(self, listener: int | None, step: int) -> Recalled:
        view = self._views.get(listener, "all")
        entries = self.heard(listener, view)
        if not entries:
            return Recalled("", "", None, view, 0, 0)
        last = len(entries) - 1
        place = self._places.get((listener, view))
        if place is None:
            wanted = last if step < 0 else last + 1
        else:
            at = next((index for index, entry in enumerate(entries) if entry.serial >= place), last)
            wanted = at + step
        index = min(max(wanted, 0), last)
        self._places[listener, view] = entries[index].serial
        edge: Edge | None = None if index == wanted else ("oldest" if step < 0 else "newest")
        return _recalled(entries, index, view, edge)

    def _change_view(self, listener: int | None, step: int) -> Recalled:
        now = VIEWS.index(self._views.get(listener, "all"))
        views = VIEWS if any(entry.group == "talk" for entry in self._entries) else VIEWS[: VIEWS.index("talk")]
        index = min(max(now + step, 0), len(views) - 1)
        edge: Edge | None = None if index != now else ("first_view" if step < 0 else "last_view")
        view = self._views[listener] = views[index]
        entries = self.heard(listener, view)
        if not entries:
            return Recalled("", "", None, view, 0, 0, edge)
        self._places[listener, view] = entries[-1].serial
        return _recalled(entries, len(entries) - 1, view, edge)

    def _leave(self, seat: int | None) -> None:
        for listener, view in list(self._places):
            if seat is None or listener == seat:
                del self._places[listener, view]


def _recalled(entries: list[Entry], index: int, view: View, edge: Edge | None = None) -> Recalled:
    entry = entries[index]
    same = 0
    while same < index and entries[index - same - 1].text == entry.text:
        same += 1
    return Recalled(entry.text, entry.braille, entry.to, view, index + 1, len(entries), edge, same)
