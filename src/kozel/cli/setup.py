"""A new match: one menu with the game, its options, the seats, each with its value, changed in place and remembered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from kozel.bots.levels import LEVELS
from kozel.clean import MAX_NAME, alike, clean
from kozel.cli.menu import Item, Menus
from kozel.cli.option_items import option_number, option_values, stepped
from kozel.cli.recent_tables import Tables
from kozel.cli.seating import checked_options, seat
from kozel.locales import default_names
from kozel.play.store import Folder
from kozel.rules.describing import describe
from kozel.rules.naming import option_about, option_label, value_label
from kozel.rules.reading import find, own_ids, shipped_ids
from kozel.rules.ruleset import Ruleset, Value
from kozel.rules.seating import Seating
from kozel.yamltree import BadFile

_KINDS = (None, *LEVELS)
_FEWEST_SEATS, _MOST_SEATS = 2, 4


async def ask_for_seating(
    menus: Menus,
    folder: Folder,
    ruleset: Ruleset | None = None,
    options: Mapping[str, object] = MappingProxyType({}),
    seed: str | None = None,
    title: str = "",
) -> Seating | None:
    """Asks for the game, its options, the seats; None where the player goes back. Raises `Mistake`.

    `ruleset`, `options` and `seed` are what the command line has settled; `title`: what the menu is called, if not a new match.
    """
    tables = Tables(folder, menus.app.lang, menus.tell)
    return await NewMatch(menus, tables, all_rulesets(menus, folder), ruleset, options, seed).ask(title)


def all_rulesets(menus: Menus, folder: Folder) -> list[Ruleset]:
    """All rulesets; one of the player's own that cannot be used is told."""
    found = [find(id) for id in shipped_ids()]
    for id in own_ids(folder.rulesets):
        try:
            found.append(find(id, folder.rulesets))
        except BadFile as error:
            menus.tell(error.problems[0].placed(menus.app.lang))
    return found


class NewMatch:
    """What is being set up. A seat's name is '' as long as nobody has given it one."""

    def __init__(
        self,
        menus: Menus,
        tables: Tables,
        rulesets: Sequence[Ruleset],
        fixed: Ruleset | None,
        options: Mapping[str, object],
        seed: str | None,
    ) -> None:
        self._menus, self._tables, self._rulesets = menus, tables, rulesets
        self._fixed, self._given, self._seed = fixed, options, seed
        self._names = [""] * _MOST_SEATS
        self._levels: list[str | None] = [None, *[next(iter(LEVELS))] * (_MOST_SEATS - 1)]
        last = next((each for each in rulesets if each.id == tables.last), rulesets[0])
        if fixed is not None:
            checked_options(fixed, options, menus.lang)
        self._take(fixed or last)

    def _take(self, ruleset: Ruleset) -> None:
        """Set another game: with the table at which it was played last, else with the seats as they are."""
        known = self._tables.at(ruleset.id)
        self.ruleset = ruleset
        self._seats = len(known.players) if len(known.players) in ruleset.seats else ruleset.seats[0]
        self._pairs = bool(known.pairs) and ruleset.pairs == "optional"
        for place, (name, level) in enumerate(zip(known.players, known.levels, strict=True)):
            self._names[place], self._levels[place] = name, level
        for place, name in enumerate(known.players):
            self._names[place] = ""
            if self._name(place) != name:
                self._names[place] = name
        self._options: dict[str, Value] = ruleset.choices({})
        for name, value in (*(known.options or {}).items(), *self._given.items()):
            option = ruleset.options.get(name)
            if option is not None and option.takes(value) and isinstance(value, (bool, int, str)):
                self._options[name] = value

    async def ask(self, title: str = "") -> Seating | None:
        """The menu, until the match begins or the player goes back."""
        title, at = title or self._menus.say("setup.title"), "start"
        while True:
            chosen = await self._menus.pick(title, self._items, at)
            if chosen is None:
                return None
            if chosen == "start":
                return self._seating()
            title, at = "", chosen
            await self._entered(chosen)

    def _seating(self) -> Seating:
        players = [(self._name(place), self._levels[place]) for place in range(self._seats)]
        pairs = self._pairs if self._may_pair() else None
        return seat(self.ruleset, players, pairs, {**self._given, **self._options}, self._seed, self._menus.lang)

    # the menu

    def _items(self) -> list[Item]:
        say, ruleset = self._menus.say, self.ruleset
        items = [Item("start", say("setup.start"), say("setup.help_start"), lambda: ruleset.name(self._menus.lang))]
        if self._fixed is None:
            name = partial(ruleset.name, self._menus.lang)
            items.append(Item("game", say("setup.game"), say("setup.help_game"), name, self._turn_game))
        if len(ruleset.seats) > 1:
            items.append(
                Item("seats", say("setup.seats"), say("setup.help_seats"), lambda: str(self._seats), self._turn_seats)
            )
        if self._may_pair():
            items.append(
                Item(
                    "pairs",
                    say("setup.pairs"),
                    say("setup.help_pairs"),
                    lambda: say("menu.yes" if self._pairs else "menu.no"),
                    lambda _: self._turn_pairs(),
                    at_times=True,
                )
            )
        items += [self._seat_item(place) for place in range(self._seats)]
        items += [self._option_item(name) for name in ruleset.options]
        items.append(Item("rules", say("setup.rules"), say("setup.help_rules")))
        return items

    def _may_pair(self) -> bool:
        return self._seats == 4 and self.ruleset.pairs == "optional"

    def _seat_item(self, place: int) -> Item:
        say = self._menus.say

        def value() -> str:
            level = self._levels[place]
            kind = say(f"setup.level_{level}") if level else say("setup.person")
            return say("setup.seat_value", name=self._name(place), kind=kind)

        return Item(
            f"seat {place}",
            say("setup.seat", number=place + 1),
            say("setup.help_seat"),
            value,
            partial(self._turn_kind, place),
            at_times=place >= _FEWEST_SEATS,
        )

    def _option_item(self, name: str) -> Item:
        menus, option = self._menus, self.ruleset.options[name]
        return Item(
            f"option {name}",
            option_label(option, menus.lang),
            option_about(option, menus.lang) or menus.say("setup.help_own"),
            lambda: value_label(option, self._options[name], menus.lang),
            lambda by: self._options.update({name: stepped(option_values(option), self._options[name], by)}),
        )

    # changes in place

    def _turn_game(self, by: int) -> None:
        place = next((place for place, each in enumerate(self._rulesets) if each.id == self.ruleset.id), 0)
        self._take(self._rulesets[(place + by) % len(self._rulesets)])

    def _turn_seats(self, by: int) -> None:
        seats = self.ruleset.seats
        self._seats = seats[(seats.index(self._seats) + by) % len(seats)]

    def _turn_pairs(self) -> None:
        self._pairs = not self._pairs

    def _turn_kind(self, place: int, by: int) -> None:
        kinds = _KINDS
        self._levels[place] = kinds[(kinds.index(self._levels[place]) + by) % len(kinds)]

    # Enter

    async def _entered(self, chosen: str) -> None:
        """Enter on an item: a list to choose from, a line to type, or the next value."""
        kind, _, name = chosen.partition(" ")
        doing: dict[str, Callable[[], None]] = {
            "seats": lambda: self._turn_seats(1),
            "pairs": self._turn_pairs,
        }
        if kind in doing:
            doing[kind]()
        elif kind == "game":
            await self._choose_game()
        elif kind == "rules":
            menus = self._menus
            game = self.ruleset.game(self._seats, self._pairs if self._may_pair() else None, self._options)
            await menus.read(menus.say("menu.rules_title"), describe(self.ruleset, menus.lang, game))
        elif kind == "seat":
            await self._name_seat(int(name))
        else:
            await self._enter_option(name)

    async def _choose_game(self) -> None:
        menus = self._menus
        at = next((place for place, each in enumerate(self._rulesets) if each.id == self.ruleset.id), 0)
        names = [ruleset.name(menus.lang) for ruleset in self._rulesets]
        chosen = await menus.choose(menus.say("setup.ruleset"), names, at)
        if chosen is not None:
            self._take(self._rulesets[chosen])

    async def _enter_option(self, name: str) -> None:
        """The next of a few values; a number is typed."""
        option = self.ruleset.options[name]
        number = option_number(option)
        if number is None:
            self._options[name] = stepped(option_values(option), self._options[name], 1)
            return
        menus = self._menus
        facts = {"label": option_label(option, menus.lang), "low": number.low, "high": number.high}
        typed = await menus.line(menus.say("setup.type_number", value=self._options[name], **facts))
        if typed is None or not typed.strip():
            return
        text = typed.strip()
        if text.isascii() and text.isdecimal() and len(text) < 10 and option.takes(int(text)):
            self._options[name] = int(text)
        else:
            menus.echo(menus.say("setup.no_number", text=clean(text) or "", low=number.low, high=number.high))

    # names

    def _name(self, place: int) -> str:
        """The name that was given to a seat, or a default one that no other seat has."""
        app = self._menus.app
        spare = default_names(app.lang, filter(None, self._names), app.settings.names)
        return self._names[place] or spare[self._names[:place].count("")]

    async def _name_seat(self, place: int) -> None:
        """Type a name; an empty line leaves it as it is."""
        menus = self._menus
        while True:
            typed = await menus.line(menus.say("setup.name", number=place + 1, name=self._name(place)))
            if typed is None:
                return
            name = clean(typed) or ""
            if not name:
                return
            if len(name) > MAX_NAME:
                menus.echo(menus.say("setup.name_long", most=MAX_NAME))
                continue
            others = (self._names[other] for other in range(self._seats) if other != place)
            if all(alike(name) != alike(other) for other in others):
                self._names[place] = name
                return
            menus.echo(menus.say("setup.name_taken", name=name))
