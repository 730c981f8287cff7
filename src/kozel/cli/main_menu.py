"""The menu that the program begins with."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache

from kozel.cli.installation import STARTER, portable_folder
from kozel.cli.learning import first_match, offer_first_match, practice
from kozel.cli.library_menu import LibraryMenu
from kozel.cli.menu import Item, Menus
from kozel.cli.mistakes import Mistake
from kozel.cli.recent_tables import Tables
from kozel.cli.settings_menu import SettingsMenu
from kozel.cli.setup import all_rulesets, ask_for_seating
from kozel.cli.statistics_menu import StatisticsMenu
from kozel.cli.visit import Visit
from kozel.play.library import Library
from kozel.rules.describing import describe
from kozel.terminal.key_lists import keymap_lines
from kozel.terminal.source import KeySource

_ITEMS = ("new", "resume", "practice", "first", "matches", "statistics", "rules", "keys", "settings", "friends", "quit")


class MainMenu:
    """The menu, with one keyboard."""

    def __init__(self, visit: Visit, keys: KeySource) -> None:
        self._visit, self._app = visit, visit.app
        self._menus = Menus(keys, visit.app)

    async def ask(self) -> None:
        """The menu, until it is left."""
        at = ""
        offer_first_match(self._app)
        while True:
            items = self._items()
            chosen = await self._menus.pick(self._app.say("menu.title"), lambda: items, at, ends=True)  # noqa: B023
            if chosen is None or chosen == "quit":
                return
            at = chosen
            try:
                await self._chosen(chosen)
            except Mistake as mistake:
                self._app.tell(*mistake.lines)

    def _items(self) -> list[Item]:
        say = self._app.say
        values = self._values()
        ids = _ITEMS if portable_folder() is None else (*_ITEMS[:-1], "shortcut", _ITEMS[-1])
        items = [Item(id, say(f"menu.{id}"), say(f"menu.help_{id}"), values.get(id)) for id in ids]
        seating = Tables(self._app.settings.folder, self._app.lang, self._app.tell).again()
        if seating is None:
            return items
        game, who = seating.ruleset.name(self._app.lang), seating.players
        value = say("menu.again_value", game=game, who=who)
        return [Item("again", say("menu.again"), say("menu.help_again"), lambda: value, at_times=True), *items]

    def _values(self) -> dict[str, Callable[[], str]]:
        """How many matches there are behind an item; counted when the item is said, and once."""
        library = Library(self._app.settings.folder)

        def wait() -> None:
            self._app.tell(self._app.say("library.wait"))

        return {
            "resume": cache(lambda: str(len(library.unfinished(wait)))),
            "matches": cache(lambda: str(sum(1 for _ in self._app.settings.folder.records()))),
        }

    async def _chosen(self, item: str) -> None:
        menus, visit, folder = self._menus, self._visit, self._app.settings.folder
        if item == "again":
            seating = Tables(folder, self._app.lang, self._app.tell).again()
        elif item == "new":
            seating = await ask_for_seating(menus, folder)
        else:
            await self._other(item)
            return
        if seating is not None:
            await visit.play_from_menu(visit.start(seating), menus.keys, resumed=False)

    async def _other(self, item: str) -> None:
        menus = self._menus
        if item == "resume":
            await LibraryMenu(self._visit, menus).resume()
        elif item == "practice":
            await practice(self._visit, menus)
        elif item == "first":
            await first_match(self._visit, menus.keys)
        elif item == "matches":
            await LibraryMenu(self._visit, menus).browse()
        elif item == "statistics":
            await StatisticsMenu(menus).ask()
        elif item == "settings":
            await SettingsMenu(menus).ask()
        elif item == "shortcut":
            self._put_shortcut()
        elif item == "friends":
            from kozel.cli.join_command import join_from_menu

            await join_from_menu(self._visit, menus)
        elif item == "keys":
            await menus.read(menus.say("menu.keys_title"), keymap_lines(self._app.keymap, self._app.lang))
        else:
            await self._rules()

    def _put_shortcut(self) -> None:
        """The portable folder's program on the desktop of Windows."""
        folder = portable_folder()
        if sys.platform == "win32" and folder is not None:
            from kozel.cli.shortcut import put_on_desktop

            try:
                put_on_desktop(self._app.say("menu.shortcut_name"), folder / STARTER)
            except OSError as error:
                self._app.tell(self._app.say("menu.shortcut_failed", why=error.strerror or str(error)))
            else:
                self._app.tell(self._app.say("menu.shortcut_made", name=self._app.say("menu.shortcut_name")))

    async def _rules(self) -> None:
        """A ruleset's rules in words."""
        menus, folder = self._menus, self._app.settings.folder
        rulesets = all_rulesets(menus, folder)
        at = 0
        while True:
            names = [ruleset.name(self._app.lang) for ruleset in rulesets]
            chosen = await menus.choose(menus.say("setup.ruleset"), names, at)
            if chosen is None:
                return
            at = chosen
            await menus.read(menus.say("menu.rules_title"), describe(rulesets[at], self._app.lang))
