"""Who sits where: a seat of a room, the people who are here, and what a room needs of them and of its club."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from kozel.bots.thinkers import Thinkers
from kozel.net.identity import Identities, Person
from kozel.net.limits import Bucket
from kozel.net.logs import Logs
from kozel.net.wire import Message
from kozel.play.club_table import ClubTable
from kozel.play.computers import Computer
from kozel.play.table import TableSeat

TALK_EVERY = 2.0
"""Seconds from one line of talk to the next."""


class Keeper(Protocol):
    """What a room needs of the club that it is in.

    `away`: seconds until a computer player may stand in. `returning`: seconds for which nothing is said of those who come back
    to a table that another server has carried.
    """

    away: float
    returning: float
    pause: float
    logs: Logs
    identities: Identities
    thinkers: Thinkers

    def changed(self, room: str) -> None:
        """What may be known of a room is another than before."""

    async def library(self, person: str, ruleset: str, day: date, text: str) -> str | None:
        """Put a finished match into somebody's library; its name there, None where that cannot be."""


class Front(Protocol):
    """Whatever stands between a person and the room: door one or door two."""

    def push(self, message: Message) -> None:
        """Something that this person may know. Must neither wait nor raise."""

    def begin(self, room: str, table: ClubTable, seat: TableSeat) -> None:
        """A match is in progress in the room of this id, and this is the person's seat, or a watcher's."""

    def end(self, why: str) -> None:
        """The person is shown out: 'replaced', 'barred' or 'stopping'."""


class Visitor:
    """Somebody who is here, by one connection. `room`: the id of that where they are; `adds`: adds to the shuffle."""

    def __init__(self, person: Person, front: Front, lang: str, address: str, adds: bool) -> None:
        self.person, self.front, self.lang, self.address, self.adds = person, front, lang, address, adds
        self.room: str | None = None
        self.talk = Bucket(1 / TALK_EVERY, 1)


@dataclass
class Chair:
    """A seat of the room. `level`: a computer player's for the whole match; `stand_in`: of the one that plays for a person.

    `away`: since when the person is away, by `time.monotonic`; `left`: by the person's own will;
    `expected`: only the server was another one, and nothing is said of it.
    """

    level: str | None = None
    person: Person | None = None
    visitor: Visitor | None = None
    name: str = ""
    away: float | None = None
    left: bool = False
    offered: bool = False
    expected: bool = False
    stand_in: str | None = None
    votes: set[str] = field(default_factory=set)
    computer: Computer | None = None

    @property
    def free(self) -> bool:
        """May somebody sit down here?"""
        return self.level is None and self.person is None
