"""One run at the keyboard: the match at the table, and how to go on with it, whatever ends the run."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path

from kozel.bots.thinkers import Thinkers
from kozel.cli.app import App
from kozel.cli.mistakes import Mistake, cannot_write, why, wrong
from kozel.cli.recent_tables import Tables
from kozel.cli.settings import keep_setting, read_settings
from kozel.play.host import LocalHost
from kozel.play.practice import PracticeTable, table_for
from kozel.play.store import Kept, Unusable
from kozel.play.table import Table
from kozel.records.locking import InUse
from kozel.rules.seating import Seating
from kozel.session.commands import Command
from kozel.session.game import GameSession
from kozel.session.keys import Place
from kozel.terminal.keyboard import KeymapNames
from kozel.terminal.names import spoken
from kozel.terminal.source import KeysClosed, KeySource, Signalled, stdin_is_terminal

_LISTENS = 0.05


class Visit:
    """One run at the keyboard. `table`: the match at hand, if any."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.table: Table | None = None
        self.thinkers = Thinkers()

    def run(self, doing: Callable[[KeySource], Awaitable[None]]) -> int:
        """Do something with the keys, and say how to go on with what was begun, whatever ends it."""
        return asyncio.run(self._run(doing))

    async def _run(self, doing: Callable[[KeySource], Awaitable[None]]) -> int:
        status, left = 0, True
        try:
            async with KeySource(
                self.app.keymap, focus=self.app.announcer.set_focused, recognised=self.app.announcer.is_on
            ) as keys:
                self._tell_losses(keys)
                await doing(keys)
        except KeysClosed:
            left = False
        except Signalled as signal:
            status = 128 + signal.signum
        except BaseException:
            self.thinkers.close()
            raise
        if left:
            self.app.announcer.fall_silent()
        await self.farewell()
        return status

    def _tell_losses(self, keys: KeySource) -> None:
        """Once for each terminal: the keys that it keeps to itself, and what does the same."""
        app, losses = self.app, keys.losses()
        told = " ".join(losses.keys)
        with contextlib.suppress(OSError, Mistake):
            if not losses.keys or read_settings(app.settings.folder.settings, app.lang).get("losses") == told:
                return
            names = [[spoken(key, app.lang) for key in each] for each in losses]
            app.tell(app.say("keys.losses", keys=names[0], instead=names[1]))
            keep_setting(app.settings.folder, "losses", told, app.lang)

    async def hear_out(self) -> int:
        """Wait until direct speech has said all, where the output tells or a slow voice would have; a key cuts it.

        The exit status: not 0 if a signal came.
        """
        announcer = self.app.announcer
        if announcer.mode != "direct":
            return 0
        if stdin_is_terminal():
            with contextlib.suppress(KeysClosed):
                async with KeySource(self.app.keymap) as keys:
                    try:
                        while announcer.speaking:
                            if await keys.get(lambda: Place.MENU, _LISTENS) is not None:
                                return 0
                    except Signalled as signal:
                        return 128 + signal.signum
        while announcer.speaking:
            await asyncio.sleep(_LISTENS)
        return 0

    async def farewell(self) -> None:
        """The last line: how to go on with an unfinished match; after one that is over its result; goodbye from the menu."""
        app, table = self.app, self.table
        self.thinkers.close()
        if table is None:
            app.tell(app.say("cli.bye"))
            return
        if await self._secure(table) and table.match.end is None:
            app.tell(app.kept(table.path, table.path.parent == app.settings.folder.matches))
        await table.close()

    async def _secure(self, table: Table) -> bool:
        """Is all of the match on the disk? Where its file is lost, it is saved in another one; what had to be done is told."""
        app, path = self.app, table.path
        try:
            await table.secure()
        except OSError as error:
            app.tell(app.say("cli.not_kept", file=error.filename or path, why=error.strerror or str(error)))
            return False
        if table.path != path:
            app.tell(app.say("cli.kept_elsewhere", file=path, elsewhere=table.path))
        return True

    async def play(self, table: Table, keys: KeySource | None, *, resumed: bool) -> None:
        """Play at a table until it is left. A match that is over is closed, and no longer at hand."""
        app = self.app
        self.table = table
        pause = app.pause if keys is not None and keys.is_terminal else 0.0
        host = LocalHost(table, self.thinkers, folder=app.settings.folder, day=app.day, pause=pause)
        from kozel.cli.sounding import table_sounds  # after the first words

        session = GameSession(
            host, app.announcer, keys, app.lang, app.verbosity, thinkers=self.thinkers, sounds=table_sounds(app)
        )
        try:
            await session.run(resumed=resumed)
        finally:
            assert isinstance(session.host, LocalHost)
            self.table = session.host.table
            app.verbosity = session.desk.narrator.verbosity
            session.host.rise()

    async def play_from_menu(self, table: Table, keys: KeySource, *, resumed: bool) -> None:
        """Play at a table, and go back to the menu with the match kept."""
        await self.play(table, keys, resumed=resumed)
        await self.put_away()

    async def put_away(self) -> None:
        """The match is kept, and no longer at hand."""
        if self.table is not None:
            await self._secure(self.table)
            await self.table.close()
            self.table = None

    def start(
        self, seating: Seating, record: str | None = None, *, practice: bool = False, given: Collection[str] = ()
    ) -> Table:
        """A new match; its first words. Raises `Mistake` where it cannot be recorded.

        `given`: options of the command line, which hold for this match only.
        """
        app = self.app
        if record is not None and app.settings.folder.keeps(Path(record)):
            raise wrong(app.lang, "place_of_ours", file=record)
        try:
            kind = PracticeTable if practice else Table
            table = kind.start(seating, app.settings.folder, app.day, Path(record) if record else None)
        except FileExistsError:
            raise wrong(app.lang, "file_exists", file=record) from None
        except OSError as error:
            raise cannot_write(app.lang, error, record or error.filename or app.settings.folder.matches) from None
        if seating.persons:
            self._remember(seating, given)
        game, players = seating.ruleset.name(app.lang), seating.players
        if seating.pairs:
            app.tell(app.say("setup.begins_pairs", game=game, one=players[::2], other=players[1::2]))
        else:
            app.tell(app.say("setup.begins", game=game, who=players))
        if practice:
            app.tell(app.say("practice.begins", key=KeymapNames(app.keymap).of(Command.UNDO, app.lang)))
        return table

    def _remember(self, seating: Seating, given: Collection[str]) -> None:
        """Keep the seats for the next match; where that cannot be, the match can be played all the same."""
        with contextlib.suppress(OSError):
            Tables(self.app.settings.folder, self.app.lang, self.app.tell).remember(seating, given)

    def go_on(self, kept: Kept) -> Table:
        """A kept match. Raises `Mistake` where it cannot be resumed, as when another program plays it."""
        app = self.app
        try:
            table = table_for(kept.path, app.settings.folder).go_on(kept)
            if kept.torn:
                app.tell(app.say("cli.torn", file=kept.path.name))
            if table.path != kept.path:
                app.tell(app.say("cli.copied", file=kept.path.name, copy=table.path.name))
            return table
        except InUse:
            raise wrong(app.lang, "in_use", file=kept.path.name) from None
        except Unusable as error:
            raise wrong(app.lang, "unusable", file=kept.path, why=why(app.lang, error)) from None
        except OSError as error:
            raise cannot_write(app.lang, error, error.filename or kept.path) from None
