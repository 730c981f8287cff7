"""A room: one table of a club with the people at it, from its opening to the last match."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from datetime import date

from kozel.clean import alike
from kozel.engine.round import Refused
from kozel.net.chairs import Chair, Keeper, Visitor
from kozel.net.company import TALK_KEPT, Company
from kozel.net.dealing import Broke, Dealing
from kozel.net.diary import log_event
from kozel.net.errands import Errands
from kozel.net.identity import Person
from kozel.net.wire import Declined, Message
from kozel.net.wish import Wish, wish_of
from kozel.play.club_table import ClubTable
from kozel.play.computers import Computer, LevelMind
from kozel.play.seat import Update
from kozel.records.writing import head_text
from kozel.rules.seating import Seating

log = logging.getLogger(__name__)

STAND_IN = "amateur"
"""The level of a computer player that sits down for somebody who is away."""
PROMISE_WAIT = 30.0
"""Seconds for a hash, or an addition, to come."""
FREED_AFTER = 600.0
"""Seconds after which a table at which nobody is there any more is closed, if no match is in progress."""
MOST_WATCHERS = 50


class Room(Company):
    """One table with its people. What is said of the match itself goes from the table to the seats, not through here."""

    def __init__(self, club: Keeper, id: str, code: str, wish: Wish, host: Person) -> None:
        super().__init__(club, id, code, wish, host)
        self.table: ClubTable | None = None
        self._dealing: Dealing | None = None
        self._until: float | None = None
        self._warned = self._finishing = False
        self._empty_since: float | None = time.monotonic()
        self._errands = Errands(f"table {id}")
        self._deciding: asyncio.Task[None] | None = None

    # coming and going

    def sit(self, visitor: Visitor, *, invited: bool) -> int:
        """Sit down: on the own seat, a free one, or one that a computer player keeps warm. Raises `Declined`."""
        own = self.seat_of(visitor.person.id)
        if own is not None:
            self._come_back(visitor, own)
            return own
        self._check_welcome(visitor)
        if self.phase in ("open", "over"):
            seat = next((n for n, chair in enumerate(self.chairs) if chair.free), None)
        else:
            open_to_all = invited or not self.wish.by_code
            seat = next(
                (n for n, c in enumerate(self.chairs) if c.stand_in and c.visitor is None and open_to_all), None
            )
        if seat is None:
            raise Declined("table_full")
        chair = self.chairs[seat]
        before = chair.name
        chair.person, chair.name = visitor.person, visitor.person.name
        if any(each.level is not None and alike(each.name) == alike(chair.name) for each in self.chairs):
            self.computer_names(visitor.lang)
        self._take_seat(visitor, chair)
        if chair.stand_in:
            self.notice("took_over", name=chair.name, before=before)
            self._errands.start(self._person_again(seat))
        else:
            self.notice("sat_down", name=chair.name)
        self.changed()
        if self.phase == "playing":
            self.keep()
            self._give_seat(visitor, seat)
        return seat

    def watch(self, visitor: Visitor, *, quietly: bool = False) -> None:
        """Watch the public part. Raises `Declined`."""
        if not self.wish.watching or self.seat_of(visitor.person.id) is not None:
            raise Declined("no_watching")
        self._check_welcome(visitor)
        if len(self.watchers) >= MOST_WATCHERS:
            raise Declined("table_full")
        visitor.room = self.id
        self.watchers.append(visitor)
        if not quietly:
            self.notice("watches", name=visitor.person.name)
        self.changed()
        if self.table is not None and self.phase == "playing":
            self._give_seat(visitor, None)

    def leave(self, visitor: Visitor) -> None:
        """Somebody goes by their own will."""
        self._gone(visitor, left=True)

    def drop(self, visitor: Visitor) -> None:
        """Somebody's connection is gone; the seat is kept."""
        self._gone(visitor, left=False)

    def remove(self, visitor: Visitor, seat: int) -> None:
        """The host sends somebody away for good. Raises `Declined`."""
        self._check_host(visitor)
        chair = self._chair(seat)
        person = chair.person
        if person is None or person.id == self.host:
            raise Declined("nobody_there")
        self._banned.add(person.id)
        gone, chair.visitor = chair.visitor, None
        self.notice("removed", name=chair.name)
        if gone is not None:
            gone.room = None
            gone.front.push({"now": "out", "why": "removed"})
        if self.phase == "promising":
            self._cancel(Broke(seat, "left"))
        if self.phase == "playing":
            chair.person = None
            chair.away, chair.left = time.monotonic(), True
            self._errands.start(self._stand_in(seat))
        else:
            self._free(chair)
        self.changed()

    # matches

    def start(self, visitor: Visitor) -> None:
        """The host begins the match. Raises `Declined`."""
        self._check_host(visitor)
        if self.phase != "open":
            raise Declined("not_now")
        self._promise()

    def again(self, visitor: Visitor) -> None:
        """Somebody at the table begins another match with the same seats; one that has begun already is joined."""
        if self.phase == "over" and self.seat_of(visitor.person.id) is not None:
            self._promise()
            self.notice("again", name=visitor.person.name)
        elif self.phase not in ("promising", "playing"):
            raise Declined("not_now")

    def hash(self, visitor: Visitor, text: str) -> None:
        """A seat's hash for the shuffle. Raises `Declined`."""
        dealing, seat = self._promising(visitor)
        dealing.hash(seat, text)
        self._promise_goes_on()

    def addition(self, visitor: Visitor, text: str) -> None:
        """A seat's addition for the shuffle; one that does not fit its hash cancels the match. Raises `Declined`."""
        dealing, seat = self._promising(visitor)
        try:
            dealing.addition(seat, text)
        except Broke as broke:
            self._cancel(broke)
            raise Declined("other_addition") from None
        self._promise_goes_on()

    def show(self, visitor: Visitor) -> None:
        """Give somebody who sits or watches here the match anew. Raises `Declined`."""
        if self.table is None or self.phase != "playing":
            raise Declined("no_match")
        self._give_seat(visitor, self.seat_of(visitor.person.id))

    def vote(self, visitor: Visitor, seat: int) -> None:
        """Agree that a computer player sits down for somebody who is away. Raises `Declined`."""
        chair = self._chair(seat)
        if self.seat_of(visitor.person.id) is None or not self._may_vote(chair):
            raise Declined("no_vote")
        if visitor.person.id not in chair.votes:
            chair.votes.add(visitor.person.id)
            if not self._agreed(chair):
                self.notice("voted", name=visitor.person.name, other=chair.name)
        self._count_votes(seat)

    # time

    def tick(self, now: float) -> bool:
        """Twice a second: what time brings. False where the room can be closed."""
        if self.phase == "promising" and self._until is not None and now > self._until and self._dealing is not None:
            seat = self._dealing.missing
            if seat is not None:
                self._cancel(Broke(seat, "no_hash" if self._dealing.stage == "hashes" else "not_opened"))
        if self.phase == "playing":
            self._time_for_a_move(now)
            for seat, chair in enumerate(self.chairs):
                self._time_away(now, seat, chair)
        elif self.phase in ("open", "over"):
            for chair in self.chairs:
                if chair.away is not None and now - chair.away > self._club.away:
                    name = chair.name
                    self._free(chair)
                    self.notice("seat_freed", name=name)
                    self.changed()
        for chair in self.chairs:
            if chair.expected and chair.away is not None and now - chair.away > self._club.returning:
                chair.expected = False
                self.notice("lost", name=chair.name)
        if any(True for _ in self.here()):
            self._empty_since = None
            return True
        if self._empty_since is None:
            self._empty_since = now
        return self.phase == "playing" or now - self._empty_since < FREED_AFTER

    def part(self, visitor: Visitor) -> None:
        """Somebody is not here any more, and comes again at once by another way: nothing is said of it."""
        visitor.room = None
        if visitor in self.watchers:
            self.watchers.remove(visitor)
        for chair in self.chairs:
            if chair.visitor is visitor:
                chair.visitor, chair.away, chair.left, chair.expected = None, time.monotonic(), False, True
        self._hold_computers()

    async def close(self) -> None:
        """The server stops, or nobody is left: what is being written is written; the log is let go."""
        self._errands.cancel()
        for chair in self.chairs:
            if chair.computer is not None:
                chair.computer.leave()
                chair.computer = None
        if self.table is not None:
            await self.table.close()
            self.table = None

    def restore(self, kept: Message) -> None:
        """Sit everybody down as kept; they are away until they come back. Raises `KeyError`, `TypeError`, `ValueError`."""
        now = time.monotonic()
        for chair, entry in zip(self.chairs, kept["chairs"], strict=True):
            chair.name = entry["name"]
            if entry["person"] is not None:
                chair.person = Person(entry["person"], entry["name"], entry["guest"])
                chair.away = now
                chair.expected = self._club.returning > 0
                if entry["guest"]:
                    self._club.identities.know_guest(entry["person"], entry["name"], entry["codes"])
            chair.stand_in = entry["stand_in"]
        self._banned = set(kept["banned"])
        self._talk = kept["talk"]

    # inside: people

    def _take_seat(self, visitor: Visitor, chair: Chair) -> None:
        visitor.room = self.id
        chair.visitor = visitor
        chair.away, chair.left, chair.offered, chair.expected = None, False, False, False
        chair.votes.clear()
        self._hold_computers()

    def _come_back(self, visitor: Visitor, seat: int) -> None:
        chair = self.chairs[seat]
        stood_in, quietly = chair.stand_in, chair.expected
        self._take_seat(visitor, chair)
        if stood_in or not quietly:
            self.notice("back_for_computer" if stood_in else "back", name=chair.name)
        if stood_in:
            self._errands.start(self._person_again(seat))
        self.changed()
        if self._talk and not quietly:
            visitor.front.push({"now": "talked", "lines": self._talk[-TALK_KEPT:]})
        if self.phase == "playing":
            self._give_seat(visitor, seat)

    def _gone(self, visitor: Visitor, *, left: bool) -> None:
        visitor.room = None
        if visitor in self.watchers:
            self.watchers.remove(visitor)
            self.notice("watches_no_more", name=visitor.person.name)
            self.changed()
            return
        seat = next((n for n, chair in enumerate(self.chairs) if chair.visitor is visitor), None)
        if seat is None:
            return
        chair = self.chairs[seat]
        chair.visitor = None
        if self.phase == "promising":
            self._cancel(Broke(seat, "left"))
        if self.phase == "playing" or not left:
            chair.away, chair.left, chair.offered = time.monotonic(), left, False
            chair.votes.clear()
            self.notice("left_match" if left else "lost", name=chair.name)
            self._hold_computers()
        else:
            name = chair.name
            self._free(chair)
            self.notice("left", name=name)
        self.changed()

    # inside: the shuffle

    def _promise(self) -> None:
        if any(chair.free for chair in self.chairs):
            self.phase = "open"
            self.changed()
            raise Declined("free_seats", n=sum(chair.free for chair in self.chairs))
        absent = next((chair for chair in self.chairs if chair.person is not None and chair.visitor is None), None)
        if absent is not None:
            raise Declined("absent", name=absent.name)
        adding = [n for n, chair in enumerate(self.chairs) if chair.visitor is not None and chair.visitor.adds]
        self._dealing = dealing = Dealing(len(self.chairs), adding)
        self.phase = "promising"
        self._until = time.monotonic() + PROMISE_WAIT
        self.changed()
        adds = [n in dealing.adding for n in range(dealing.seats)]
        names = [chair.name for chair in self.chairs]
        promise: Message = {"now": "promise", "commitment": dealing.commitment, "players": names, "adds": adds}
        for visitor in tuple(self.here()):
            visitor.front.push({**promise, "seat": self.seat_of(visitor.person.id)})
        if not adding:
            self._promise_goes_on()

    def _promising(self, visitor: Visitor) -> tuple[Dealing, int]:
        seat = self.seat_of(visitor.person.id)
        if self._dealing is None or seat is None or self.phase != "promising":
            raise Declined("not_now")
        return self._dealing, seat

    def _promise_goes_on(self) -> None:
        dealing = self._dealing
        assert dealing is not None
        if dealing.stage == "additions" and not any(dealing.additions):
            self._until = time.monotonic() + PROMISE_WAIT
            self.push({"now": "hashes", "hashes": dealing.hashes})
        elif dealing.stage == "done":
            if not dealing.adding:
                self.push({"now": "hashes", "hashes": dealing.hashes})
            self.push({"now": "additions", "additions": dealing.additions})
            self._errands.start(self._begin())

    def _cancel(self, broke: Broke) -> None:
        dealing, self._dealing = self._dealing, None
        self.phase, self._until = "open", None
        name = self.chairs[broke.seat].name
        facts = {"seat": broke.seat, "name": name, "why": broke.kind}
        if dealing is not None:
            told = {"commitment": dealing.commitment, "hashes": dealing.hashes, "additions": dealing.additions}
            with contextlib.suppress(OSError):
                self._club.logs.cancelled(self.id, {"date": date.today().isoformat(), **facts, **told})
        self.push({"now": "cancelled", **facts})
        self.changed()

    # inside: the match

    async def _begin(self) -> None:
        dealing, self._dealing = self._dealing, None
        assert dealing is not None
        wish, players = self.wish, tuple(chair.name for chair in self.chairs)
        levels = tuple(chair.level for chair in self.chairs)
        seating = Seating(wish.ruleset, players, levels, wish.pairs, wish.options)
        shuffle = dealing.shuffle()
        defaults = {name: option.default for name, option in wish.ruleset.options.items()}
        head = head_text(
            wish.ruleset.id,
            players,
            wish.pairs,
            options={name: value for name, value in wish.options.items() if value != defaults[name]},
            levels=levels,
            shuffle=shuffle,
            date=date.today().isoformat(),
        )
        try:
            self.keep()
            begun = await self._club.logs.begin(self.id, head)
        except OSError as error:
            self.phase = "open"
            self.notice("not_kept", why=error.strerror or str(error))
            self.changed()
            return
        log_event("match_began", table=self.id, ruleset=wish.ruleset.id, seats=len(players))
        self._talk.clear()
        self.play(ClubTable.begin(seating, begun, shuffle))

    def play(self, table: ClubTable) -> None:
        """A match is in progress; everybody who is here gets a seat."""
        self.table, self.phase, self._until = table, "playing", None
        table.persons = {n for n, chair in enumerate(self.chairs) if chair.level is None and chair.stand_in is None}
        table.watch().listen(self._hear)
        for seat, chair in enumerate(self.chairs):
            level = chair.level or chair.stand_in
            if level is not None:
                self._seat_computer(seat, level)
        self.changed()
        for seat, chair in enumerate(self.chairs):
            if chair.visitor is not None:
                self._give_seat(chair.visitor, seat)
        for watcher in self.watchers:
            self._give_seat(watcher, None)
        self._hold_computers()
        for chair in self.chairs:
            if chair.computer is not None:
                chair.computer.go_on()
        if table.must_deal:
            self._errands.start(self._deal())

    async def _deal(self) -> None:
        table = self.table
        try:
            if table is not None and table.must_deal:
                await table.deal()
        except OSError as error:
            self._trouble(error)

    def _give_seat(self, visitor: Visitor, seat: int | None) -> None:
        table = self.table
        assert table is not None
        visitor.front.begin(self.id, table, table.watch() if seat is None else table.seats[seat])

    def _seat_computer(self, seat: int, level: str) -> None:
        table, chair = self.table, self.chairs[seat]
        assert table is not None
        mind = LevelMind(self._club.thinkers, table.seating, level, table.randoms(seat))
        chair.computer = Computer(table.seats[seat], mind, self._trouble, self._club.pause)

    def _hold_computers(self) -> None:
        """Nobody is there to hear it: then nothing happens."""
        nobody = all(chair.visitor is None for chair in self.chairs)
        for chair in self.chairs:
            if chair.computer is not None:
                chair.computer.hold(nobody)

    def _trouble(self, error: Exception) -> None:
        """Something could not be written: it is told, and tried again with the next tick."""
        log.warning("table %s: %s", self.id, error)
        self.notice("not_kept", why=getattr(error, "strerror", None) or type(error).__name__)
        asyncio.get_running_loop().call_later(5.0, self._retry)

    def _retry(self) -> None:
        self._errands.start(self._deal())
        for chair in self.chairs:
            if chair.computer is not None:
                chair.computer.go_on()

    def _hear(self, update: Update) -> None:
        view = update.view
        self._warned = False
        self._until = None
        if view.end is not None:
            self._errands.start(self.finish())
        elif self.wish.move_time:
            self._until = time.monotonic() + self.wish.move_time

    async def finish(self) -> None:
        """The match is over: everybody who sat gets the record."""
        table = self.table
        if table is None or self.phase != "playing" or self._finishing:
            return
        self._finishing, self._until = True, None
        log_event("match_over", table=self.id, rounds=len(table.match.past))
        for chair in self.chairs:
            if chair.computer is not None:
                chair.computer.leave()
                chair.computer = None
        await table.close()
        ruleset, day = self.wish.ruleset.id, date.today()
        text = await self._club.logs.text(self.id)
        names: dict[int, str | None] = {}
        for seat, chair in enumerate(self.chairs):
            if chair.person is not None and not chair.person.guest:
                names[seat] = await self._club.library(chair.person.id, ruleset, day, text)
        self.phase, self._finishing = "over", False
        for seat, chair in enumerate(self.chairs):
            if chair.visitor is not None:
                chair.visitor.front.push({"now": "over", "record": text, "name": names.get(seat)})
            elif chair.person is not None and not chair.expected:
                self._free(chair)
            chair.stand_in = None
        for watcher in self.watchers:
            watcher.front.push({"now": "over", "record": None, "name": None})
        await self._club.logs.over(self.id, f"{day.isoformat()}-{self.id}-{secrets.token_hex(3)}")
        self.table = None
        self._talk.clear()
        self.changed()

    # inside: away, votes, time

    def _agreed(self, chair: Chair) -> bool:
        present = {each.person.id for each in self.chairs if each.person is not None and each.visitor is not None}
        return bool(present) and present <= chair.votes

    def _count_votes(self, seat: int) -> None:
        chair = self.chairs[seat]
        if self._may_vote(chair) and self._agreed(chair):
            self._errands.start(self._stand_in(seat))

    def _time_away(self, now: float, seat: int, chair: Chair) -> None:
        if self._may_vote(chair):
            if not chair.offered:
                chair.offered = True
                self.notice("may_stand_in", name=chair.name)
                self.changed()
            self._count_votes(seat)

    async def _stand_in(self, seat: int) -> None:
        table, chair = self.table, self.chairs[seat]
        if table is None or chair.stand_in is not None or chair.visitor is not None:
            return
        chair.stand_in = STAND_IN
        chair.votes.clear()
        self.keep()
        try:
            await table.computer(seat, STAND_IN)
        except OSError as error:
            chair.stand_in = None
            self._trouble(error)
            return
        self.notice("computer_in", name=chair.name)
        self._seat_computer(seat, STAND_IN)
        self.changed()
        self._hold_computers()
        if chair.computer is not None:
            chair.computer.go_on()

    async def _person_again(self, seat: int) -> None:
        table, chair = self.table, self.chairs[seat]
        chair.stand_in = None
        if chair.computer is not None:
            chair.computer.leave()
            chair.computer = None
        self.keep()
        self.changed()
        if table is not None:
            try:
                await table.person(seat)
            except OSError as error:
                self._trouble(error)

    def _time_for_a_move(self, now: float) -> None:
        table = self.table
        if self._until is None or table is None:
            return
        left = self._until - now
        turn = table.match.round.turn if table.match.round is not None else None
        chair = self.chairs[turn] if turn is not None else None
        if chair is not None and (chair.level or chair.stand_in):
            return
        if not self._warned and left <= min(10.0, self.wish.move_time / 2):
            self._warned = True
            seconds = max(1, round(left))
            if chair is not None:
                self.notice("time_short", name=chair.name, seconds=seconds)
        if left <= 0:
            self._until = None
            if turn is not None and (self._deciding is None or self._deciding.done()):
                self._deciding = self._errands.start(self._decide_for(turn))
            elif turn is None:
                for seat in tuple(table.persons):
                    self._errands.start(self._ready_for(seat))

    async def _ready_for(self, seat: int) -> None:
        if self.table is not None:
            with contextlib.suppress(OSError):
                await self.table.ready(seat)

    async def _decide_for(self, seat: int) -> None:
        """The time for a move is over: a computer player decides it."""
        table = self.table
        assert table is not None
        mind = LevelMind(self._club.thinkers, table.seating, STAND_IN, table.randoms(seat))
        place = table.seats[seat]
        self.notice("time_over", name=self.chairs[seat].name)
        try:
            await table.computer(seat, STAND_IN)
            while place.view.own_turn and self.chairs[seat].stand_in is None:
                with contextlib.suppress(Refused):
                    await place.decide(await mind.choose(place.view), place.serial)
            if self.chairs[seat].stand_in is None:
                await table.person(seat)
        except OSError as error:
            self._trouble(error)

    def keep(self) -> None:
        """Keep what a later run of the server needs to go on."""
        identities = self._club.identities
        chairs = [
            {
                "name": chair.name,
                "person": chair.person.id if chair.person else None,
                "guest": bool(chair.person and chair.person.guest),
                "codes": identities.code_hashes(chair.person.id) if chair.person and chair.person.guest else [],
                "stand_in": chair.stand_in,
            }
            for chair in self.chairs
        ]
        room: Message = {"code": self.code, "wish": self.wish.data(), "host": self.host, "chairs": chairs}
        room["levels"] = [chair.level for chair in self.chairs]
        self._club.logs.keep_room(self.id, {**room, "banned": sorted(self._banned), "talk": self._talk})


def restored_room(club: Keeper, id: str, kept: Message) -> Room:
    """The room that another run of the server, or another server, kept; everybody is away.

    Raises `Declined`, `KeyError`, `TypeError`, `ValueError` for a damaged one.
    """
    wish = wish_of({**kept["wish"], "levels": kept["levels"]})
    room = Room(club, id, kept["code"], wish, Person(kept["host"], "", False))
    room.restore(kept)
    return room
