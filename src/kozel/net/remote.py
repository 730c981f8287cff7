"""A match at a table far away, as a session plays it: a seat whose view is kept up by what the server tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from kozel.engine.events import Event
from kozel.engine.moves import Move
from kozel.engine.plain import read_plain
from kozel.engine.round import Refused
from kozel.engine.seen import View
from kozel.net.wire import BadLine, Declined, Message
from kozel.play.hearers import Hearers
from kozel.play.host import Host, Trouble
from kozel.play.seat import Hearing, Seat, Update
from kozel.rules.reading import find
from kozel.rules.seating import Seating

_ENDED = ("no_match", "at_no_table")
"""What is answered where the match ended while the connection was lost."""
_FEW = 6
"""So many missed events are heard as they happened; more are summed up."""


class Lost(Exception):
    """The connection was lost while something was asked for: whether it was done is not known."""


class Asking(Protocol):
    """Asks the server, again where the connection was lost meanwhile."""

    async def ask(self, do: str, **facts: object) -> Message:
        """One request. Raises `Declined`, `Refused`, `Lost`."""

    async def back(self) -> None:
        """Wait until the connection is there again. Raises `Declined` where it will not be."""

    async def again(self, before: Host) -> Host:
        """The match after that one, with the same seats."""


class RemoteSeat:
    """A `Seat` at a table far away. `view` and `serial` are what the server has told last."""

    def __init__(self, asking: Asking, number: int | None, serial: int, view: View) -> None:
        self._asking, self._number = asking, number
        self._serial, self._view = serial, view
        self._hearers: Hearers[Update] = Hearers()
        self._ready_after: int | None = None

    @property
    def number(self) -> int | None:
        """Which seat it is; None for a watcher."""
        return self._number

    @property
    def view(self) -> View:
        """What it may know now."""
        return self._view

    @property
    def serial(self) -> int:
        """The number of the table's last update."""
        return self._serial

    def listen(self, hear: Hearing) -> Callable[[], None]:
        """Give `hear` each update from now on."""
        return self._hearers.listen(hear)

    async def decide(self, move: Move, serial: int | None = None) -> None:
        """Carry out a decision; see `Seat`. Over a lost connection it is sent again, if it was not carried out."""
        lost = False
        at, decisions = (self._serial if serial is None else serial), self._view.decisions
        while True:
            try:
                await self._asking.ask("decide", move=move.text, serial=at)
                return
            except Lost:
                lost = True
                await self._asking.back()
            except Declined as no:
                if not lost or no.kind not in _ENDED:
                    raise
                return
            except Refused as refused:
                if refused.kind != "stale" or (self._view.decisions == decisions and self._serial == at):
                    raise
            if self._view.decisions > decisions:
                return  # it was this seat's turn: nobody else can have decided
            at = self._serial

    async def ready(self) -> None:
        """This seat is ready for the next deal; see `Seat`."""
        lost, deals = False, self._view.deals
        while self._view.deals == deals:
            try:
                await self._asking.ask("ready")
                self._ready_after = deals
                return
            except Lost:
                lost = True
                await self._asking.back()
            except Declined as no:
                if not lost or no.kind not in _ENDED:
                    raise
                return

    @property
    def waits_for_deal(self) -> bool:
        """Has it said that it is ready, and no deal came yet? Whoever keeps the table now may not know it."""
        return self._ready_after == self._view.deals and self._view.turn is None and self._view.end is None

    async def take_back(self) -> bool:
        """Nothing is taken back over a network."""
        raise Refused("practice_only")

    def tell(self, message: Message) -> None:
        """An update came. Raises `BadLine` for one that is none."""
        try:
            serial = int(message["serial"])
            events: tuple[Event, ...] = read_plain(message["events"])
            view = changed(self._view, message["view"], events)
        except (KeyError, TypeError, ValueError) as error:
            raise BadLine(f"update: {error}") from None
        self._set(serial, events, view)

    def renew(self, serial: int, view: View) -> int:
        """The whole view came again, after a lost connection. The number of decisions missed that are not told as updates."""
        before = self._view
        if view == before:
            self._serial = serial
            return 0
        missed = view.log[len(before.log) :] if view.log[: len(before.log)] == before.log else None
        same_round = view.number == before.number and len(view.past) == len(before.past)  # its end stands in no log
        if missed is not None and same_round and len(missed) <= _FEW:
            self._set(serial, missed, view)
            return 0
        self._set(serial, (), view)
        return max(1, view.decisions - before.decisions)

    def _set(self, serial: int, events: tuple[Event, ...], view: View) -> None:
        self._serial, self._view = serial, view
        update = Update(serial, events, view)
        self._hearers.tell(update)


class RemoteHost:
    """A `Host` for a table far away."""

    can_take_back = False

    def __init__(self, asking: Asking, seating: Seating, seat: RemoteSeat, commitment: str) -> None:
        self._asking, self._seating, self.seat = asking, seating, seat
        self.commitment = commitment

    @property
    def seating(self) -> Seating:
        """Who plays what."""
        return self._seating

    @property
    def seats(self) -> Mapping[int, Seat]:
        """The own seat; none for a watcher."""
        return {} if self.seat.number is None else {self.seat.number: self.seat}

    def watch(self) -> Seat:
        """The seat without a hand, for a watcher."""
        return self.seat

    def open(self, trouble: Trouble) -> None:
        """The server seats the computer players."""

    async def quiet(self) -> None:
        """Others play when they like."""

    def hold(self, held: bool) -> None:
        """Nobody waits because one asks whether to leave."""

    async def retry(self) -> None:
        """The server tries again by itself."""

    async def again(self) -> Host:
        """Another match with the same seats. Raises `Declined`."""
        return await self._asking.again(self)


def remote_host(asking: Asking, message: Message) -> RemoteHost:
    """The match that a server tells of. Raises `BadLine` for one that cannot be."""
    try:
        ruleset = find(message["ruleset"])
        seating = Seating(
            ruleset,
            tuple(map(str, message["players"])),
            tuple(message["levels"]),
            bool(message["pairs"]),
            ruleset.choices(message["options"]),
        )
        seating.game()
        seat = RemoteSeat(asking, message["seat"], int(message["serial"]), whole_view(message["view"]))
        return RemoteHost(asking, seating, seat, str(message["commitment"]))
    except (KeyError, TypeError, ValueError, LookupError, Refused) as error:
        raise BadLine(f"match: {error}") from None


def goes_on(host: Host | None, renewed: RemoteHost) -> int | None:
    """The same match at the same seat was told anew: it is kept up, and this is what `RemoteSeat.renew` says. Else None."""
    if not isinstance(host, RemoteHost) or host.commitment != renewed.commitment:
        return None
    if host.seat.number != renewed.seat.number:
        return None
    return host.seat.renew(renewed.seat.serial, renewed.seat.view)


def whole_view(fields: Mapping[str, Any]) -> View:
    """A view from all its fields. Raises `ValueError`, `TypeError`."""
    return View(**{name: read_plain(value) for name, value in fields.items()})


def changed(view: View, changes: Mapping[str, Any], events: tuple[Event, ...]) -> View:
    """A view after an update. Events are added to `log` where that is not told anew, `past+` to `past`. Raises `ValueError`."""
    fields: dict[str, Any] = {"log": (*view.log, *events)}
    for name, value in changes.items():
        told = read_plain(value)
        if name == "past+":
            fields["past"] = (*view.past, *told)
        else:
            fields[name] = told
    return view._replace(**fields)
