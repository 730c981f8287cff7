"""The company at a table: who is there, what they are told, what they say to each other, what the host settles."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Literal

from kozel.clean import alike, clean
from kozel.locales import default_names
from kozel.net.chairs import Chair, Keeper, Visitor
from kozel.net.identity import Person
from kozel.net.wire import Declined, Message
from kozel.net.wish import PHRASES, Wish

Phase = Literal["open", "promising", "playing", "over"]
LONGEST_TALK, TALK_KEPT = 200, 50


class Company:
    """The people at one table, and the computer players that the host has put there."""

    def __init__(self, club: Keeper, id: str, code: str, wish: Wish, host: Person) -> None:
        self._club, self.id, self.code, self.wish = club, id, code, wish
        self.host = host.id
        self.chairs = [Chair(level) for level in wish.levels]
        self.watchers: list[Visitor] = []
        self.phase: Phase = "open"
        self._banned: set[str] = set()
        self._talk: list[Message] = []

    def seat_of(self, person: str) -> int | None:
        """The seat of a person, whether here or away."""
        return next((n for n, chair in enumerate(self.chairs) if chair.person and chair.person.id == person), None)

    def here(self) -> Iterator[Visitor]:
        """Everybody who is connected: people at seats, and watchers."""
        for chair in self.chairs:
            if chair.visitor is not None:
                yield chair.visitor
        yield from self.watchers

    @property
    def listed(self) -> bool:
        """Does the lobby show it?"""
        return not self.wish.by_code and any(True for _ in self.here())

    def card(self, inside: bool) -> Message:
        """What may be known of the table; `inside`: by those who are in it, with the code."""
        wish, host = self.wish, self.seat_of(self.host)
        return {
            "id": self.id,
            **({"code": self.code} if inside else {}),
            **{key: value for key, value in wish.data().items() if key not in ("levels", "only")},
            "closed": bool(wish.only),
            "host": host,
            "phase": self.phase,
            "seats": [
                {
                    "name": chair.name or None,
                    "level": chair.level,
                    "here": chair.visitor is not None or chair.level is not None,
                    "computer": chair.stand_in,
                    "asked": self._may_vote(chair),
                }
                for chair in self.chairs
            ],
            "watchers": len(self.watchers),
        }

    def push(self, message: Message) -> None:
        """Tell everybody who is here."""
        for visitor in tuple(self.here()):
            visitor.front.push(message)

    def notice(self, kind: str, **facts: object) -> None:
        """Tell everybody that something happened; `net.KIND` is its sentence."""
        self.push({"now": "notice", "kind": kind, "facts": facts})

    def changed(self) -> None:
        """Everybody gets the table's card anew, and the club hears of it."""
        self.push({"now": "table", "table": self.card(inside=True)})
        self._club.changed(self.id)

    def close_door(self, visitor: Visitor, by_code: bool) -> None:
        """The host shows the table in the lobby, or no longer does. Raises `Declined`."""
        self._check_host(visitor)
        self.wish = self.wish._replace(by_code=by_code)
        self.notice("door_closed" if by_code else "door_open")
        self.changed()

    def computer(self, visitor: Visitor, seat: int, level: str | None) -> None:
        """The host gives a free seat to a computer player, or takes it back. Raises `Declined`."""
        self._check_host(visitor)
        chair = self._chair(seat)
        if self.phase not in ("open", "over") or chair.person is not None:
            raise Declined("seat_taken")
        chair.level = level
        self.computer_names(visitor.lang)
        self.changed()

    def say(self, visitor: Visitor, text: str) -> None:
        """A typed line to the table. Raises `Declined`."""
        if self.wish.talk == "off":
            raise Declined("no_talk")
        if self.wish.talk == "phrases":
            raise Declined("phrases_only")
        words = clean(text, LONGEST_TALK)
        if words is None:
            raise Declined("nothing_said")
        self._talked(visitor, {"text": words})

    def phrase(self, visitor: Visitor, phrase: str) -> None:
        """A ready phrase to the table. Raises `Declined`."""
        if self.wish.talk == "off":
            raise Declined("no_talk")
        if phrase not in PHRASES:
            raise Declined("bad_request", field="phrase")
        self._talked(visitor, {"phrase": phrase})

    def _check_welcome(self, visitor: Visitor) -> None:
        if visitor.person.id in self._banned:
            raise Declined("removed_before")
        if visitor.person.guest and not self.wish.guests:
            raise Declined("no_guests_here")
        only = self.wish.only
        if only and (visitor.person.guest or alike(visitor.person.name) not in map(alike, only)):
            raise Declined("named_only")

    def _check_host(self, visitor: Visitor) -> None:
        if visitor.person.id != self.host:
            raise Declined("host_only")

    def _chair(self, seat: int) -> Chair:
        if not 0 <= seat < len(self.chairs):
            raise Declined("bad_request", field="seat")
        return self.chairs[seat]

    def vacate(self, person: str) -> None:
        """Somebody who is away sits down elsewhere: where no match is in progress, the seat is free again."""
        for chair in self.chairs:
            if chair.person is not None and chair.person.id == person and chair.visitor is None:
                name = chair.name
                self._free(chair)
                self.notice("seat_freed", name=name)
        self.changed()

    def _free(self, chair: Chair) -> None:
        """Nobody has this seat any more; a host who goes hands the table to the next one."""
        person, chair.person = chair.person, None
        chair.name, chair.away, chair.stand_in = "", None, None
        if person is not None and person.guest:
            self._club.identities.forget(person.id)
        if person is not None and person.id == self.host:
            heir = next((each.person for each in self.chairs if each.person is not None), None)
            if heir is not None:
                self.host = heir.id
                self.notice("new_host", name=heir.name)

    def computer_names(self, lang: str) -> None:
        """Computer players' names, in the language of whoever put them there."""
        spare = iter(default_names(lang, [chair.name for chair in self.chairs if chair.person is not None]))
        for chair in self.chairs:
            if chair.level is not None:
                chair.name = next(spare)
            elif chair.person is None:
                chair.name = ""

    def _talked(self, visitor: Visitor, what: Message) -> None:
        if self.seat_of(visitor.person.id) is None:
            raise Declined("watchers_listen")
        if not visitor.talk.spare():
            raise Declined("talk_too_fast")
        line = {"who": visitor.person.name, **what}
        self._talk.append(line)
        del self._talk[:-TALK_KEPT]
        if self.phase == "playing":
            self._club.logs.talk(self.id, line)
        self.push({"now": "talk", **line})

    def _may_vote(self, chair: Chair) -> bool:
        if self.phase != "playing" or chair.level or chair.stand_in or chair.away is None:
            return False
        return chair.left or time.monotonic() - chair.away >= self._club.away
