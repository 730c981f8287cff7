"""A table for friends: the new match's menu, with what a host settles besides."""

from __future__ import annotations

from collections.abc import Callable

from kozel.cli.menu import Item, Menus
from kozel.cli.recent_tables import Tables
from kozel.cli.setup import NewMatch
from kozel.net.wire import Message
from kozel.net.wish import LONGEST_MOVE_TIME, TALKS
from kozel.play.store import Folder
from kozel.rules.reading import find, shipped_ids

_TIMES = (0, 15, 30, 60, 120, 300)


class NetworkMatch(NewMatch):
    """What is being set up. Seats are for people unless they are given to computer players; names are everybody's own."""

    def __init__(self, menus: Menus, folder: Folder) -> None:
        self._yes = {"by_code": False, "guests": True, "watching": True}
        self._talk, self._time, self._only = TALKS[0], 0, ""
        super().__init__(
            menus, Tables(folder, menus.lang, menus.tell), [find(id) for id in shipped_ids()], None, {}, None
        )
        self._levels = [None] * len(self._levels)

    async def ask_for_wish(self) -> Message | None:
        """The menu, until the table is opened or the player goes back."""
        seating = await self.ask(self._menus.say("friends.new_table"))
        if seating is None:
            return None
        return {
            "ruleset": seating.ruleset.id,
            "options": dict(seating.options),
            "pairs": seating.pairs,
            "levels": list(seating.levels),
            **self._yes,
            "talk": self._talk,
            "move_time": self._time,
            "only": [name.strip() for name in self._only.split(",") if name.strip()],
        }

    def _items(self) -> list[Item]:
        *items, rules = super()._items()
        say = self._menus.say
        for name in self._yes:
            items.append(self._host_item(name, self._yes_words(name), lambda by, name=name: self._turn_yes(name)))  # type: ignore[misc]
        items.append(self._host_item("talk", lambda: say(f"friends.talk_{self._talk}"), self._turn_talk))
        items.append(self._host_item("move_time", self._time_words, self._turn_time))
        items.append(self._host_item("only", lambda: self._only or say("friends.everybody"), None))
        return [*items, rules]

    def _seat_item(self, place: int) -> Item:
        item, say = super()._seat_item(place), self._menus.say

        def value() -> str:
            level = self._levels[place]
            if place == 0 and level is None:
                return say("friends.yourself")
            return say(f"setup.level_{level}") if level else say("friends.free")

        return Item(item.id, item.label, say("friends.help_new_seat"), value, item.turn)

    def _host_item(self, name: str, value: Callable[[], str], turn: Callable[[int], None] | None) -> Item:
        say = self._menus.say
        return Item(f"host {name}", say(f"friends.set_{name}"), say(f"friends.help_set_{name}"), value, turn)

    async def _entered(self, chosen: str) -> None:
        kind, _, name = chosen.partition(" ")
        if kind == "seat":
            self._turn_kind(int(name), 1)
        elif chosen == "host only":
            typed = await self._menus.line(self._menus.say("friends.type_only"))
            if typed is not None:
                self._only = typed.strip()
        elif chosen == "host talk":
            self._turn_talk(1)
        elif chosen == "host move_time":
            self._turn_time(1)
        elif kind == "host":
            self._turn_yes(name)
        else:
            await super()._entered(chosen)

    def _turn_kind(self, place: int, by: int) -> None:
        if place > 0:  # whoever opens a table sits at it
            super()._turn_kind(place, by)

    def _yes_words(self, name: str) -> Callable[[], str]:
        return lambda: self._menus.say("menu.yes" if self._yes[name] else "menu.no")

    def _turn_yes(self, name: str) -> None:
        self._yes[name] = not self._yes[name]

    def _turn_talk(self, by: int) -> None:
        self._talk = TALKS[(TALKS.index(self._talk) + by) % len(TALKS)]

    def _turn_time(self, by: int) -> None:
        place = _TIMES.index(self._time) if self._time in _TIMES else 0
        self._time = min(_TIMES[(place + by) % len(_TIMES)], LONGEST_MOVE_TIME)

    def _time_words(self) -> str:
        say = self._menus.say
        return say("friends.seconds", n=self._time) if self._time else say("friends.no_limit")
