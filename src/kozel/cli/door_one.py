"""Door one: the game over plain ssh, by the server, in the visitor's language, on the visitor's terminal."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from kozel.cli.app import App
from kozel.cli.friends import Friends, Out, no_words
from kozel.cli.library_menu import LibraryMenu
from kozel.cli.menu import Item, Menus
from kozel.cli.serve_command import join_line, ssh_line
from kozel.cli.settings import Settings
from kozel.cli.setup import all_rulesets
from kozel.cli.statistics_menu import StatisticsMenu
from kozel.locales import FALLBACK, language_name, languages, message
from kozel.net.channel import ChannelAnnouncer, ChannelLines, ChannelTerminal, environ_of, hang_up
from kozel.net.club import Club
from kozel.net.presence import LocalPresence
from kozel.net.wire import Declined, Message
from kozel.play.library import Entry
from kozel.play.store import Folder
from kozel.rules.describing import describe
from kozel.terminal.key_lists import keymap_lines
from kozel.terminal.keymap import Keymap, load_keymap
from kozel.terminal.source import KeysClosed, KeySource, Signalled

if TYPE_CHECKING:
    from kozel.net.server import ChannelEnd

_KEYMAP = "classic"


@cache
def _keymap() -> Keymap:
    """The keymap of all visitors."""
    return load_keymap(_KEYMAP, None)


class VisitorApp(App):
    """What a visitor's menus have in place of a run of the program: an own voice, an own folder at the server."""

    def __init__(self, lang: str, folder: Folder, announcer: ChannelAnnouncer) -> None:
        self.settings = Settings(
            lang=lang,
            lang_known=True,
            speech="lines",
            verbosity="normal",
            keymap=_KEYMAP,
            transcript=None,
            log=None,
            folder=folder,
            pause=0.0,
            sounds=False,
        )
        self.use_sounds(self.settings, far=True)
        self.lang, self.speech, self.verbosity, self.pause = lang, "lines", "normal", 0.0
        self.day = date.today()
        self.keymap = _keymap()
        self.announcer = announcer
        self._logs = []


class VisitorLibrary(LibraryMenu):
    """A visitor's matches at the server: looked back at, and deleted; no file of the server's is written or named."""

    @staticmethod
    def _offered(entry: Entry) -> list[str]:
        return [*(["look"] if entry.found is not None and entry.found.rounds else []), "delete"]


class DoorOne:
    """Serves plain ssh. `places`: where the server can be reached, for invitations."""

    def __init__(self, club: Club, places: Callable[[], Sequence[tuple[str, int]]]) -> None:
        self._club, self._places = club, places

    async def serve(self, channel: ChannelEnd, id: str, user: str, address: str, guest: bool) -> None:
        """One visitor, from the first word to the last."""
        environ = environ_of(channel)
        lang = self._club.identities.lang(id) or _language_of(environ)
        lines = ChannelLines(channel, environ)
        announcer = ChannelAnnouncer(lang or FALLBACK, lines)
        folder = self._club.libraries.of(id)
        app = VisitorApp(lang or FALLBACK, folder, announcer)
        sources: list[KeySource] = []

        def waiting() -> int:
            return sources[0].waiting if sources else 0

        source = KeySource(
            app.keymap,
            environ=environ,
            recognised=lines.is_on,
            device=lambda *called: ChannelTerminal(channel, environ, waiting, called),
        )
        sources.append(source)
        try:
            async with source as keys:
                with contextlib.suppress(KeysClosed, Signalled):
                    await _Evening(self._club, self._invitation, app, keys, id, user, address).spend(
                        asked=lang is not None
                    )
                announcer.say("event", None, app.say("net.goodbye"))
        finally:
            announcer.close()
            await hang_up(lines)

    def _invitation(self, code: str) -> list[str]:
        lines = []
        for host, port in self._places():
            lines += [join_line(host, port, code), ssh_line(host, port)]
        return lines


class _Evening:
    """One visit by door one."""

    def __init__(
        self,
        club: Club,
        invitation: Callable[[str], list[str]],
        app: VisitorApp,
        keys: KeySource,
        id: str,
        user: str,
        address: str,
    ) -> None:
        self._club, self._invitation, self._app, self._keys = club, invitation, app, keys
        self._id, self._user, self._address = id, user, address
        self._menus = Menus(keys, app)

    async def spend(self, *, asked: bool) -> None:
        """From the language to the lobby, until the visitor leaves."""
        if not asked:
            await self._choose_language()
        presence = await self._come_in()
        if presence is None:
            return
        app = self._app
        try:
            app.tell(app.say("net.welcome", club=self._club.name, name=presence.name))
            if presence.guest:
                app.tell(app.say("net.welcome_guest"))
            friends = Friends(presence, app, self._keys, self._club.thinkers, self._over, self._invite, more=self._more)
            await friends.stay()
        except Out as out:
            app.tell(no_words(app, out.kind, out.facts))
        finally:
            presence.close()

    async def _choose_language(self) -> None:
        known = sorted(languages())
        title = " ".join(dict.fromkeys(message(lang, "menu.language") for lang in known))
        helps = [message(lang, "menu.help_language") for lang in known]
        at = known.index(self._app.lang) if self._app.lang in known else 0
        chosen = await self._menus.choose(title, [language_name(lang) for lang in known], at, helps)
        self._set_language(self._app.lang if chosen is None else known[chosen])

    def _set_language(self, lang: str) -> None:
        self._app.set_language(lang)
        with contextlib.suppress(OSError):
            self._club.identities.set_lang(self._id, lang)

    async def _come_in(self) -> LocalPresence | None:
        """Into the club, by a name that is free."""
        app, club = self._app, self._club
        wanted = self._user or app.say("friends.default_name")
        while True:
            try:
                return await LocalPresence.enter(club, self._id, wanted, lang=app.lang, address=self._address)
            except Declined as no:
                app.tell(no_words(app, no.kind, no.facts))
                if no.kind not in ("name_taken", "name_empty"):
                    return None
                other = str(no.facts.get("other") or club.identities.proposed(app.say("friends.default_name")))
                typed = await self._menus.line(app.say("friends.type_name", name=other))
                if typed is None:
                    return None
                wanted = typed.strip() or other

    async def _over(self, told: Message) -> list[str]:
        if self._id.startswith("guest:") or told.get("record") is None:
            return []
        return [self._app.say("net.record_kept")]

    def _invite(self, code: str) -> list[str]:
        return [self._app.say("friends.invite_code", code=code), *self._invitation(code)]

    # what a visitor finds besides tables

    def _more(self) -> list[tuple[Item, Callable[[], Awaitable[None]]]]:
        say = self._app.say
        doing: dict[str, Callable[[], Awaitable[None]]] = {"rules": self._rules, "keys": self._tell_keys}
        if not self._id.startswith("guest:"):
            doing.update(matches=self._matches, statistics=self._statistics)
        doing["language"] = self._choose_language
        return [(Item(id, say(f"friends.item_{id}"), say(f"friends.help_{id}")), do) for id, do in doing.items()]

    async def _rules(self) -> None:
        menus, lang = self._menus, self._app.lang
        rulesets = all_rulesets(menus, Folder(self._app.settings.folder.path / "none"))
        chosen = await menus.choose(menus.say("setup.ruleset"), [ruleset.name(lang) for ruleset in rulesets])
        if chosen is not None:
            await menus.read(menus.say("menu.rules_title"), describe(rulesets[chosen], lang))

    async def _tell_keys(self) -> None:
        await self._menus.read(self._menus.say("menu.keys_title"), keymap_lines(self._app.keymap, self._app.lang))

    async def _matches(self) -> None:
        from kozel.cli.visit import Visit

        if await self._opened_library():
            try:
                await VisitorLibrary(Visit(self._app), self._menus).browse()
            finally:
                await self._with_library(self._club.libraries.put_back(self._id))

    async def _statistics(self) -> None:
        if await self._opened_library():
            await StatisticsMenu(self._menus).ask()

    async def _opened_library(self) -> bool:
        return await self._with_library(self._club.libraries.open(self._id))

    async def _with_library(self, doing: Awaitable[object]) -> bool:
        """Do something with the visitor's library; False, and a sentence, where it cannot be reached."""
        try:
            await doing
        except OSError as error:
            self._app.tell(self._app.say("net.no_library", why=error.strerror or str(error)))
            return False
        return True


def _language_of(environ: dict[str, str]) -> str | None:
    """The language that the visitor's side sent along, if it is one of ours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        tag = environ.get(name, "").lower()
        if tag:
            return next((lang for lang in languages() if tag.startswith(lang)), None)
    return None
