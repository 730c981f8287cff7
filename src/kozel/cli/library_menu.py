"""The matches kept: going on with one, looking back, exporting, renaming, deleting."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from kozel.clean import called, clean
from kozel.cli.menu import Item, Menus
from kozel.cli.mistakes import Mistake, why
from kozel.cli.replay_command import table_of
from kozel.cli.visit import Visit
from kozel.locales.catalogue import Names
from kozel.narration.narrator import Narrator
from kozel.play.browser import Browser, rounds_of
from kozel.play.digest import Digest
from kozel.play.library import BadName, Entry, Library
from kozel.play.store import Kept, Unusable, read_kept
from kozel.records.locking import InUse
from kozel.session.lookback import LookBack

_TITLES = ("goat", "officer_goat", "general_goat", "donkey")
_AT_TIMES = ("go_on",)
"""What is offered for some matches only: the digits of all else are the same for all of them."""


class LibraryMenu:
    """One visit to the matches kept."""

    def __init__(self, visit: Visit, menus: Menus) -> None:
        self._visit, self._menus = visit, menus
        self._library = Library(menus.app.settings.folder)
        self._at = ""

    def entries(self, unfinished: bool) -> list[Entry]:
        """The matches, or those that can be gone on with; damaged ones come last."""
        found = self._library.entries(lambda: self._menus.tell(self._menus.say("library.wait")))
        sound = [entry for entry in found if entry.found and not (unfinished and entry.found.over)]
        return sound + [entry for entry in found if entry.found is None]

    async def resume(self) -> None:
        """Choose an unfinished match and go on with it."""
        entries = self.entries(unfinished=True)
        if not any(entry.found for entry in entries):
            for entry in entries:
                self._menus.tell(self._damage(entry))
            self._menus.tell(self._menus.say("menu.nothing_to_resume"))
            return
        while True:
            chosen = await self._list("library.resume_title", entries)
            if chosen is None:
                return
            if chosen.found is None:
                self._menus.tell(self._damage(chosen))
            elif await self._go_on(chosen) is None:
                return

    async def browse(self) -> None:
        """Choose a match, then what to do with it."""
        while True:
            entries = self.entries(unfinished=False)
            if not entries:
                self._menus.tell(self._menus.say("library.none"))
                return
            chosen = await self._list("library.title", entries)
            if chosen is None:
                return
            await self._match(chosen)
            self._stay_near(entries)

    def _stay_near(self, before: list[Entry]) -> None:
        """Where the match that was chosen is gone, stand on the one after it, else on the one before."""
        names = [entry.path.name for entry in before]
        left = {path.name for path in self._library.folder.records()}
        if self._at not in left and self._at in names:
            place = names.index(self._at)
            self._at = next((name for name in (*names[place:], *reversed(names[:place])) if name in left), "")

    async def _list(self, title: str, entries: list[Entry]) -> Entry | None:
        help = self._menus.say("library.help_resume" if title == "library.resume_title" else "library.help")
        items = [Item(entry.path.name, self.words(entry), help) for entry in entries]
        chosen = await self._menus.pick(self._menus.say(title), lambda: items, self._at)
        self._at = chosen or ""
        return next((entry for entry in entries if entry.path.name == chosen), None)

    # a match in words

    def words(self, entry: Entry) -> str:
        """Which game, when, who, the score; a damaged one by its file."""
        say, found = self._menus.say, entry.found
        if found is None:
            return say("library.damaged", file=entry.path.name)
        facts = {"game": found.name(self._menus.lang), "when": self._when(entry)}
        if found.points:
            said = say("library.entry", sums=_sums(found), **facts)
        else:
            said = say("library.entry_names", who=_names(found), **facts)
        said = say("library.with_state", said=said, state=self._state(found))
        return say("library.titled", title=entry.title, said=said) if entry.title else said

    def _state(self, found: Digest) -> str:
        say = self._menus.say
        if found.end is None:
            return say("library.in_round", number=found.round or len(found.rounds) + 1)
        if found.end.title in _TITLES and found.end.losers:
            return say(f"library.{found.end.title}", who=_side_names(found, found.end.losers))
        return say("library.winner", who=_side_names(found, found.end.winners))

    def _when(self, entry: Entry) -> str:
        say, played, today = self._menus.say, entry.played, date.today()
        try:
            date_played = date.fromisoformat(played.day)
        except ValueError:  # as somebody wrote it
            return played.day
        if date_played == today:
            day = say("library.today")
        elif date_played == today - timedelta(days=1):
            day = say("library.yesterday")
        else:
            day = say(f"library.date_{date_played.month}", day=date_played.day, year=date_played.year)
        return say("library.when", day=day, time=played.time[:5].removeprefix("0")) if played.time else day

    def _damage(self, entry: Entry) -> str:
        damage = entry.damage
        assert damage is not None
        return self._menus.say("cli.passed_over", file=entry.path.name, why=why(self._menus.lang, damage))

    # one match

    async def _match(self, entry: Entry) -> None:
        """What can be done with a match; each gives the match as it is then, None to go back to the list."""
        doing: dict[str, Callable[[Entry], Coroutine[Any, Any, Entry | None]]] = {
            "why": self._tell_damage,
            "go_on": self._go_on,
            "look": self._look_back,
            "export": self._export,
            "rename": self._rename,
            "delete": self._delete,
        }
        say = self._menus.say
        offered = self._offered(entry)
        items = [Item(id, say(f"library.{id}"), say(f"library.help_{id}"), at_times=id in _AT_TIMES) for id in offered]
        title, at = self.words(entry) + ".", ""
        while True:
            chosen = await self._menus.pick(title, lambda: items, at)
            if chosen is None:
                return
            stays = await doing[chosen](entry)
            if stays is None:
                return
            entry, title, at = stays, "", chosen

    @staticmethod
    def _offered(entry: Entry) -> list[str]:
        found = entry.found
        if found is None:
            return ["why", "rename", "delete"]
        offered = [] if found.over else ["go_on"]
        return [*offered, "look", "export", "rename", "delete"]

    async def _tell_damage(self, entry: Entry) -> Entry | None:
        self._menus.tell(self._damage(entry))
        return entry

    def _kept(self, entry: Entry) -> Kept | None:
        """The match as it is on the disk now; None, and told, where it is damaged since."""
        try:
            return read_kept(entry.path, self._menus.app.settings.folder.rulesets)
        except Unusable as damage:
            self._menus.tell(self._damage(entry._replace(damage=damage)))
            return None

    async def _go_on(self, entry: Entry) -> Entry | None:
        kept = self._kept(entry)
        if kept is None:
            return entry
        try:
            table = self._visit.go_on(kept)
        except Mistake as mistake:
            for line in mistake.lines:
                self._menus.tell(line)
            return entry
        await self._visit.play_from_menu(table, self._menus.keys, resumed=True)
        return None

    async def _look_back(self, entry: Entry) -> Entry | None:
        kept = self._kept(entry)
        if kept is None:
            return entry
        if not kept.match.past:
            self._menus.tell(self._menus.say("answer.no_round"))
            return entry
        app = self._menus.app
        narrator = Narrator(app.lang, app.verbosity, table_of(kept.record))
        browser = Browser(rounds_of(kept.record))
        await LookBack(browser, narrator, app.announcer, self._menus.keys).run()
        return entry

    async def _export(self, entry: Entry) -> Entry | None:
        kept = self._kept(entry)
        if kept is None:
            return entry
        menus = self._menus
        typed = await self._export_name(entry)
        if typed is None:
            return entry
        try:
            target = self._library.export_path(typed, entry.path)
        except ValueError as bad:
            kind = bad.kind if isinstance(bad, BadName) else "letters"
            menus.tell(menus.say(f"library.name_{kind}", name=clean(typed) or ""))
            return entry
        try:
            self._library.export(kept, target)
        except FileExistsError:
            menus.tell(menus.say("cli.file_exists", file=target))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            menus.tell(menus.say("cli.cannot_write", file=clean(str(target)), why=reason))
        else:
            menus.tell(menus.say("library.exported", file=target))
        return entry

    async def _export_name(self, entry: Entry) -> str | None:
        """The file to export to as it was typed, '' for the folder of exports; None to go back."""
        say = self._menus.say
        ways = ("folder", "file")
        helps = [say(f"library.help_export_{way}", folder=self._library.exports) for way in ways]
        labels = [say(f"library.export_{way}") for way in ways]
        chosen = await self._menus.choose(say("library.export_where"), labels, helps=helps)
        if chosen is None:
            return None
        if chosen == 0:
            return ""
        return (await self._menus.line(say("library.export_to")) or "").strip() or None

    async def _rename(self, entry: Entry) -> Entry | None:
        menus = self._menus
        typed = await menus.line(menus.say("library.new_name"))
        if not typed or not typed.strip():
            return entry
        name = clean(typed) or ""
        try:
            path = self._library.rename(entry.path, name)
        except BadName as bad:
            menus.tell(menus.say(f"library.name_{bad.kind}", name=name))
            return entry
        except OSError as error:
            self._cannot(error, entry.path)
            return entry
        self._at = path.name
        menus.tell(menus.say("library.renamed", name=path.stem))
        return entry._replace(path=path)

    async def _delete(self, entry: Entry) -> Entry | None:
        menus = self._menus
        if not await menus.yes(menus.say("library.delete_sure", said=self.words(entry))):
            menus.tell(menus.say("library.not_deleted"))
            return entry
        try:
            self._library.delete(entry.path)
        except OSError as error:
            self._cannot(error, entry.path)
            return entry
        menus.tell(menus.say("library.deleted"))
        return None

    def _cannot(self, error: OSError, path: Path) -> None:
        """Say why a file cannot be changed."""
        if isinstance(error, InUse):
            self._menus.tell(self._menus.say("cli.in_use", file=path.name))
        else:
            reason = error.strerror or str(error)
            self._menus.tell(self._menus.say("cli.cannot_write", file=path.name, why=reason))


def _names(found: Digest) -> Names:
    return called(found.players)


def _side_names(found: Digest, sides: tuple[int, ...]) -> Names:
    return tuple(name for name, side in zip(_names(found), found.sides, strict=True) if side in sides)


def _sums(found: Digest) -> list[tuple[Names, int]]:
    return [(_side_names(found, (side,)), total) for side, total in enumerate(found.totals)]
