"""Playing with friends: the lobby, a table's menu, the match, the same behind both doors."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from typing import cast

from kozel.bots.levels import LEVELS
from kozel.bots.thinkers import Thinkers
from kozel.clean import clean
from kozel.cli.app import App
from kozel.cli.menu import Item, Menus
from kozel.cli.mistakes import Mistake
from kozel.cli.network_match import NetworkMatch
from kozel.cli.sounding import table_sounds
from kozel.engine.round import Refused
from kozel.net.errands import Errands
from kozel.net.presence import Presence
from kozel.net.remote import Lost
from kozel.net.table_keys import TableKeys
from kozel.net.wire import Declined, Message
from kozel.net.wish import PHRASES
from kozel.play.host import Host
from kozel.rules.reading import find
from kozel.session.commands import Command
from kozel.session.game import GameSession
from kozel.session.keys import Keys
from kozel.session.sounding import Notice, Sounds
from kozel.terminal.source import KeySource

log = logging.getLogger(__name__)

_SILENT_OWN = (
    "sat_down",
    "watches",
    "back",
    "back_for_computer",
    "again",
    "voted",
    "took_over",
    "lost",
    "other_connection",
)
"""What somebody who did it need not be told."""


_NOTICED: dict[str, Notice] = {
    "sat_down": "came",
    "watches": "came",
    "back": "came",
    "back_for_computer": "came",
    "took_over": "came",
    "left": "went",
    "left_match": "went",
    "watches_no_more": "went",
    "removed": "went",
    "lost": "went",
}
"""What is heard as somebody who comes or goes."""


class Begins(Exception):
    """A match begins, or the one that was played is gone: the table is to be looked at again."""


class Out(Exception):
    """The table is gone for this person, or all of the club. `kind`: why; `club`: the latter."""

    def __init__(self, kind: str, *, club: bool, **facts: object) -> None:
        self.kind, self.club, self.facts = kind, club, facts
        super().__init__(kind)


Over = Callable[[Message], Awaitable[list[str]]]
"""Takes the news that a match is over, with its record, and gives what is to be said of it."""
Invitation = Callable[[str], Sequence[str]]
"""The lines to be sent to a friend, for a table's code."""


More = Callable[[], Sequence[tuple[Item, Callable[[], Awaitable[None]]]]]
"""What else there is in the lobby, and what choosing it does."""


class Friends:
    """One person's evening at a club. `over`: what is done with a finished match; `more`: what else the lobby offers."""

    def __init__(
        self,
        presence: Presence,
        app: App,
        keys: Keys,
        thinkers: Thinkers,
        over: Over,
        invitation: Invitation,
        *,
        more: More = lambda: (),
    ) -> None:
        self._presence, self._app, self._thinkers = presence, app, thinkers
        self._over, self._invitation, self._more = over, invitation, more
        self._keys = TableKeys(keys)
        self._keys.talk = self._talk
        self._menus = Menus(cast(KeySource, self._keys), app)  # what it uses of a source, `TableKeys` has
        self._muted: set[str] = set()
        self._in_match = False
        self._session: GameSession | None = None
        self._left = False
        self._errands = Errands("a visit")

    async def stay(self, code: str | None = None) -> None:
        """The lobby, until it is left. `code`: a table to go to at once. Raises `Out` where the club is gone."""
        stop = self._presence.listen(self._hear)
        try:
            if code is not None:
                await self._try(self._sit(code=code))
            await self._lobby()
        finally:
            stop()

    # the lobby

    async def _lobby(self) -> None:
        at, title = "", self._words("lobby")
        arrived = False
        while True:
            if self._presence.table is not None:
                await self._at_table()
                at, title, arrived = "return", self._words("lobby"), True
            try:
                known = await self._presence.ask("lobby")
            except Declined as no:
                raise Out(no.kind, club=True, **no.facts) from None
            except Lost:
                continue
            if known.get("kept") and not arrived:
                arrived = True
                await self._try(self._sit(table=known["kept"]))
                continue
            arrived = True
            if at == "again":
                title = self._words("found", n=len(known["tables"]))
            chosen = await self._pick(title, self._lobby_items(known), at)
            if chosen is None or chosen == "quit":
                return
            at, title = chosen, ""
            await self._in_lobby(chosen, known)

    def _lobby_items(self, known: Message) -> list[Item]:
        kept = known.get("kept")
        items = [self._item("return")] if kept else []
        items += [self._item("open"), self._item("code")]
        items += [
            Item(f"table {card['id']}", self._card_words(card), self._words("help_table"))
            for card in known["tables"]
            if card["phase"] != "over" and card["id"] != kept
        ]
        items += [self._item("again"), self._item("name", self._presence.name)]
        items += [item for item, _ in self._more()]
        if self._presence.guest:
            items.append(self._item("back"))
        return [*items, self._item("quit")]

    async def _in_lobby(self, chosen: str, known: Message) -> None:
        kind, _, id = chosen.partition(" ")
        if kind == "return":
            await self._try(self._sit(table=known["kept"]))
        elif kind == "open":
            await self._try(self._open())
        elif kind == "code":
            code = await self._menus.line(self._words("type_code"))
            if code and code.strip():
                await self._try(self._sit(code=code))
        elif kind == "name":
            await self._try(self._rename())
        elif kind == "back":
            code = await self._menus.line(self._words("type_back"))
            if code and code.strip():
                await self._try(self._ask("back", code=code[:100]))
        elif kind == "table":
            card = next((card for card in known["tables"] if card["id"] == id), None)
            if card is not None:
                await self._try(self._choose_table(card))
        else:
            doing = next((doing for item, doing in self._more() if item.id == kind), None)
            if doing is not None:
                await doing()

    async def _choose_table(self, card: Message) -> None:
        free = sum(1 for seat in card["seats"] if not seat["name"])
        ways = ["join"] if free or any(seat["computer"] for seat in card["seats"]) else []
        ways += ["watch"] if card["watching"] else []
        items = [self._item(way) for way in (*ways, "stay_out")]
        way = await self._menus.pick(self._card_words(card) + ".", lambda: items)
        if way == "join":
            await self._sit(table=card["id"])
        elif way == "watch":
            await self._presence.ask("watch", table=card["id"])

    async def _open(self) -> None:
        wish = await NetworkMatch(self._menus, self._app.settings.folder).ask_for_wish()
        if wish is not None:
            await self._presence.ask("open", **wish)

    async def _sit(self, **where: object) -> None:
        answer = await self._presence.ask("sit", **where)
        way_back = answer.get("way_back")
        if isinstance(way_back, str):
            self._tell("way_back", code=way_back)

    async def _rename(self) -> None:
        typed = await self._menus.line(self._words("type_name", name=self._presence.name))
        if typed and typed.strip():
            answer = await self._presence.ask("name", name=typed[:200])
            self._tell("name_is", name=answer["name"])

    # at a table

    async def _at_table(self) -> None:
        """The table's menu and its matches, until the table is left."""
        self._left = False
        if self._host() is None or self._presence.seat is None:  # else the match says by itself who plays what
            self._tell_table()
        while self._presence.table is not None and not self._left:
            try:
                if self._host() is not None:
                    self._keys.clear(Begins)
                    await self._match()
                else:
                    await self._wait_at_table()
            except Begins:
                self._keys.clear()
            except Out as out:
                self._keys.clear()
                if out.club:
                    raise
                self._tell_no(out.kind, **out.facts)
                return
            except Declined as no:
                self._tell_no(no.kind, **no.facts)
                if self._host() is not None and self._presence.seat is None:
                    await self._leave()

    async def _wait_at_table(self) -> None:
        at, title = "", self._words("table")
        while self._presence.table is not None:
            if self._host() is not None:
                return
            chosen = await self._menus.pick(title, self._table_items, at)
            at, title = chosen or "", ""
            if chosen is None or chosen == "leave":
                if await self._menus.yes(self._words("leave_question")):
                    await self._leave()
                    return
            else:
                await self._try(self._in_table(chosen))

    def _table_items(self) -> list[Item]:
        card = self._presence.table
        if card is None:
            return [self._item("leave")]
        host = self._is_host(card)
        items = (
            [self._item("start", self._state_words(card))] if host else [self._item("waiting", self._state_words(card))]
        )
        for number, seat in enumerate(card["seats"]):
            items.append(
                Item(
                    f"seat {number}",
                    self._words("seat", number=number + 1),
                    self._words("help_seat"),
                    self._value(self._seat_words(seat)),
                )
            )
        if card.get("code"):
            items.append(self._item("invite", _in_twos(str(card["code"]))))
        items.append(self._item("say"))
        if host:
            items.append(self._item("door", self._words("by_code" if card["by_code"] else "in_lobby")))
        return [*items, self._item("leave")]

    async def _in_table(self, chosen: str) -> None:
        card = self._presence.table
        kind, _, number = chosen.partition(" ")
        if card is None:
            return
        if kind == "start":
            await self._presence.ask("start")
        elif kind == "waiting":
            self._tell_table()
        elif kind == "seat":
            await self._seat(card, int(number))
        elif kind == "invite":
            await self._menus.read(self._words("invite_title"), self._invitation(str(card["code"])))
        elif kind == "say":
            await self._talk()
        elif kind == "door":
            await self._presence.ask("door", by_code=not card["by_code"])

    async def _seat(self, card: Message, number: int) -> None:
        """What the host can do with a seat; everybody else hears who sits there."""
        seat = card["seats"][number]
        own = self._presence.seat is None and seat["name"] == self._presence.name
        if not self._is_host(card) or own or (seat["name"] == self._presence.name and not seat["level"]):
            self._menus.echo(self._seat_words(seat))
            return
        if seat["name"] and not seat["level"]:
            if await self._menus.yes(self._words("remove_question", name=seat["name"])):
                await self._presence.ask("remove", seat=number)
            return
        kinds = (None, *LEVELS)
        labels = [self._words("free"), *(self._app.say(f"setup.level_{level}") for level in LEVELS)]
        chosen = await self._menus.choose(
            self._words("seat", number=number + 1) + ".", labels, kinds.index(seat["level"])
        )
        if chosen is not None:
            await self._presence.ask("computer", seat=number, level=kinds[chosen])

    async def _match(self) -> None:
        host = self._host()
        assert host is not None
        app = self._app
        resumed = any(seat.view.deals for seat in (*host.seats.values(), host.watch()))
        if self._presence.seat is None:
            self._tell("match_watched")
        elif not resumed:
            self._tell("match_begins")
        session = GameSession(
            host, app.announcer, self._keys, app.lang, app.verbosity, thinkers=self._thinkers, sounds=self._sounds
        )
        self._in_match, self._session = True, session
        self._call_seats()
        try:
            await session.run(resumed=resumed)
        except Refused as refused:
            raise Declined("fault") from refused
        finally:
            self._in_match, self._session = False, None
            app.verbosity = session.desk.narrator.verbosity
        await self._leave()

    def _call_seats(self) -> None:
        """Who plays at which seat is heard by the name of whoever sits there now."""
        card, session = self._presence.table, self._session
        if card is None or session is None or len(card["seats"]) != len(session.desk.seating.players):
            return
        names = []
        for seat, player in zip(card["seats"], session.desk.seating.players, strict=True):
            name = seat["name"] or player
            names.append(self._words("computer_for", name=name) if seat["computer"] else name)
        session.desk.call(names)

    def _host(self) -> Host | None:
        """The match that is in progress; one that is over is played no more."""
        host = self._presence.host
        if host is None:
            return None
        seat = next(iter(host.seats.values()), None) or host.watch()
        return host if seat.view.end is None else None

    async def _leave(self) -> None:
        self._left = True
        card = self._presence.table
        kept = card is not None and card["phase"] == "playing" and self._presence.seat is not None
        with contextlib.suppress(Declined, Lost):
            await self._presence.ask("leave")
        if kept:
            self._tell("seat_is_kept")

    # talk, and what else can be done in a match

    async def _talk(self) -> None:
        """A typed line to the table; an empty one opens the list of what else can be done."""
        typed = await self._menus.line(self._words("type_talk"))
        if typed is None:
            return
        if typed.strip():
            await self._try(self._ask("say", text=typed))
        else:
            await self._try(self._choose_doing())

    async def _choose_doing(self) -> None:
        card = self._presence.table
        if card is None:
            return
        items = self._doings(card)
        chosen = await self._menus.pick(self._words("doings"), lambda: items)
        kind, _, rest = (chosen or "").partition(" ")
        if kind == "who":
            self._tell_table()
        elif kind == "vote":
            await self._presence.ask("vote", seat=int(rest))
        elif kind == "remove":
            name = card["seats"][int(rest)]["name"]
            if await self._menus.yes(self._words("remove_question", name=name)):
                await self._presence.ask("remove", seat=int(rest))
        elif kind == "mute":
            self._mute(rest)
        elif kind == "phrase":
            await self._presence.ask("phrase", phrase=rest)
        elif kind == "door":
            await self._presence.ask("door", by_code=not card["by_code"])

    def _doings(self, card: Message) -> list[Item]:
        others = [
            (number, seat)
            for number, seat in enumerate(card["seats"])
            if seat["name"] and not seat["level"] and seat["name"] != self._presence.name
        ]
        items = [
            Item(f"vote {number}", self._words("vote", name=seat["name"]), self._words("help_vote"))
            for number, seat in others
            if seat["asked"] and self._presence.seat is not None
        ]
        items.append(self._item("who"))
        if card["talk"] != "off":
            items += [
                Item(f"phrase {phrase}", self._words(f"phrase_{phrase}"), self._words("help_phrase"))
                for phrase in PHRASES
            ]
        items += [
            Item(
                f"mute {name}",
                self._words("unmute" if name in self._muted else "mute", name=name),
                self._words("help_mute"),
            )
            for name in (seat["name"] for _, seat in others)
        ]
        items.append(
            Item("mute ", self._words("unmute_all" if "" in self._muted else "mute_all"), self._words("help_mute"))
        )
        if self._is_host(card):
            items += [
                Item(f"remove {number}", self._words("remove", name=seat["name"]), self._words("help_remove"))
                for number, seat in others
            ]
            items.append(self._item("door", self._words("by_code" if card["by_code"] else "in_lobby")))
        return items

    def _mute(self, name: str) -> None:
        self._muted ^= {name}
        if name:
            self._tell("muted" if name in self._muted else "heard_again", name=name)
        else:
            self._tell("all_muted" if "" in self._muted else "all_heard_again")

    # what the club tells

    def _hear(self, message: Message) -> None:
        now = message["now"]
        if now == "notice":
            self._notice(message["kind"], message["facts"])
        elif now == "table":
            self._call_seats()
        elif now == "talk":
            self._hear_talk(message)
        elif now == "talked":
            pass  # it stands in the history of whoever was there
        elif now == "cancelled":
            if message["seat"] is None:
                self._tell(f"cancelled_{message['why']}")
            else:
                self._tell("cancelled", name=_name(message), why=self._words(f"broke_{message['why']}"))
        elif now == "match":
            if not self._in_match:
                self._keys.interrupt(Begins())
        elif now == "ended":
            self._keys.interrupt(Begins())
        elif now == "over":
            self._errands.start(self._match_over(message))
        elif now == "link":
            self._tell("link_lost" if message["lost"] else "link_back")
        elif now == "out":
            self._keys.interrupt(Out(message["why"], club=False))
        elif now == "end":
            self._keys.interrupt(Out(message["why"], club=True, **message.get("facts", {})))

    def _notice(self, kind: str, facts: Message) -> None:
        if kind in _SILENT_OWN and facts.get("name") == self._presence.name:
            return
        told = {name: clean(value, 200) or "?" if isinstance(value, str) else value for name, value in facts.items()}
        if kind in _NOTICED:
            self._sound(_NOTICED[kind], facts.get("name"))
        try:
            self._tell(kind, **told, key=self._keys.names.of(Command.TALK, self._app.lang))
        except KeyError:
            log.warning("the server told %r, which this game does not know", kind)

    def _hear_talk(self, message: Message) -> None:
        who = _name(message, "who")
        if (who in self._muted or "" in self._muted) and who != self._presence.name:
            return
        phrase = message.get("phrase")
        text = self._words(f"phrase_{phrase}") if phrase in PHRASES else clean(str(message.get("text", "")), 200)
        if text:
            self._sound("talk", who)
            self._app.announcer.say("talk", None, self._say("says", name=who, text=text), group="talk")

    async def _match_over(self, message: Message) -> None:
        for line in await self._over(message):
            self._app.announcer.say("event", None, line)

    @cached_property
    def _sounds(self) -> Sounds:
        return table_sounds(self._app)

    def _sound(self, notice: Notice, name: object) -> None:
        """A sound from the seat of the player of this name; from the middle where nobody of that name sits."""
        card = self._presence.table
        seats = [seat["name"] for seat in card["seats"]] if card is not None else []
        seat = seats.index(name) if name in seats else None
        self._sounds.noticed(notice, seat, self._presence.seat, len(seats), None)

    # words

    def _say(self, key: str, /, **facts: object) -> str:
        return self._app.say(f"net.{key}", **facts)

    def _words(self, key: str, /, **facts: object) -> str:
        """An item's, a value's or a question's words."""
        return self._app.say(f"friends.{key}", **facts)

    def _tell(self, key: str, /, **facts: object) -> None:
        self._app.announcer.say("event", None, self._say(key, **facts))

    def _tell_no(self, kind: str, /, **facts: object) -> None:
        self._app.announcer.say("event", None, no_words(self._app, kind, facts))

    def _tell_table(self) -> None:
        card = self._presence.table
        if card is not None:
            self._app.announcer.say("event", None, self._card_words(card) + ".")

    def _item(self, id: str, value: str | None = None) -> Item:
        return Item(
            id, self._words(f"item_{id}"), self._words(f"help_{id}"), None if value is None else self._value(value)
        )

    @staticmethod
    def _value(value: str) -> Callable[[], str]:
        return lambda: value

    def _card_words(self, card: Message) -> str:
        game = find(card["ruleset"]).name(self._app.lang)
        who = [clean(str(seat["name"])) or "?" for seat in card["seats"] if seat["name"]]
        return self._words("card", game=game, who=who, state=self._state_words(card))

    def _state_words(self, card: Message) -> str:
        free = sum(1 for seat in card["seats"] if not seat["name"])
        if card["phase"] == "playing":
            return self._words("state_playing")
        return self._words("state_free", n=free) if free else self._words("state_full")

    def _seat_words(self, seat: Message) -> str:
        if not seat["name"]:
            return self._words("free")
        name = clean(str(seat["name"])) or "?"
        if seat["level"]:
            return self._words("seat_level", name=name, level=self._app.say(f"setup.level_{seat['level']}"))
        if seat["computer"]:
            return self._words("seat_computer", name=name)
        return name if seat["here"] else self._words("seat_away", name=name)

    def _is_host(self, card: Message) -> bool:
        host = card["host"]
        return isinstance(host, int) and card["seats"][host]["name"] == self._presence.name

    # doing

    async def _ask(self, do: str, **facts: object) -> None:
        await self._presence.ask(do, **facts)

    async def _pick(self, title: str, items: list[Item], at: str) -> str | None:
        try:
            return await self._menus.pick(title, lambda: items, at)
        except Out as out:
            self._keys.clear()
            if out.club:
                raise
            return "again"
        except Begins:
            self._keys.clear()
            return "again"

    async def _try(self, doing: Awaitable[None]) -> None:
        """Do something; what keeps it from being done is said."""
        try:
            await doing
        except Declined as no:
            self._tell_no(no.kind, **no.facts)
        except Lost:
            self._tell_no("lost")
        except Mistake as mistake:
            self._app.tell(*mistake.lines)


def no_words(app: App, kind: str, facts: Message) -> str:
    """Why something was not done, in words; a reason that this program does not know is named."""
    try:
        return app.say(f"net.no_{kind}", **facts)
    except KeyError:
        return app.say("net.no_other", kind=clean(kind, 40) or "?")


def _name(message: Message, field: str = "name") -> str:
    return clean(str(message.get(field, "")), 40) or "?"


def _in_twos(code: str) -> str:
    return " ".join(code[place : place + 2] for place in range(0, len(code), 2))
