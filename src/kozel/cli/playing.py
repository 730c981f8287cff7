"""`kozel`, `kozel play` and `kozel resume`: from the first word to the last."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path

from kozel.cli.app import App
from kozel.cli.learning import key_of
from kozel.cli.main_menu import MainMenu
from kozel.cli.menu import Menus
from kozel.cli.mistakes import bad_file, why, wrong
from kozel.cli.recent_tables import Tables
from kozel.cli.seating import options, player, ruleset_named, seat
from kozel.cli.settings import keep_setting
from kozel.cli.setup import ask_for_seating
from kozel.locales import FALLBACK, language_name, languages, message
from kozel.play.practice import PracticeRunner, runner_for
from kozel.play.runner import Runner, Seating
from kozel.play.store import Kept, Unusable, newest_unfinished, read_kept
from kozel.records.locking import InUse
from kozel.session.commands import Command
from kozel.session.game import GameTable
from kozel.terminal.signals import SignalWatch
from kozel.terminal.source import KeysClosed, KeySource, Signalled, stdin_is_terminal
from kozel.yamltree import BadFile, read_bytes


class Session:
    """One run at the keyboard. `runner`: the match at the table, if any."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.runner: Runner | None = None

    def run(self, doing: Callable[[KeySource], Awaitable[None]]) -> int:
        """Do something with the keys, and say how to go on with what was begun, whatever ends it."""
        return asyncio.run(self._run(doing))

    async def _run(self, doing: Callable[[KeySource], Awaitable[None]]) -> int:
        status = 0
        try:
            async with KeySource(self.app.keymap, focus=self.app.announcer.set_focused) as keys:
                await doing(keys)
        except KeysClosed:
            pass
        except Signalled as signal:
            status = 128 + signal.signum
        self.farewell()
        return status

    def farewell(self) -> None:
        """The last line: how to go on with an unfinished match; after one that is over its result; goodbye from the menu."""
        app, runner = self.app, self.runner
        if runner is None:
            app.tell(app.say("cli.bye"))
            return
        if runner.match.end is None:
            app.tell(app.kept(runner.path, runner.path.parent == app.settings.folder.matches))
        runner.close()

    async def play(self, runner: Runner, keys: KeySource | None, *, resumed: bool) -> GameTable:
        """Play at a table until it is left."""
        app = self.app
        self.runner = runner
        table = GameTable(
            runner,
            app.announcer,
            app.keymap,
            app.lang,
            app.verbosity,
            folder=app.settings.folder,
            day=app.day,
            pause=app.pause,
        )
        try:
            await table.run(keys, resumed=resumed)
        finally:
            self.runner = table.runner
            app.verbosity = table.desk.narrator.verbosity
        return table

    async def play_from_menu(self, runner: Runner, keys: KeySource, *, resumed: bool) -> None:
        """Play at a table, and go back to the menu with the match kept."""
        await self.play(runner, keys, resumed=resumed)
        if self.runner is not None:
            self.runner.close()
            self.runner = None

    def start(
        self, seating: Seating, record: str | None = None, *, practice: bool = False, given: Collection[str] = ()
    ) -> Runner:
        """A new match; its first words. Raises `Mistake` where it cannot be recorded.

        `given`: options of the command line, which hold for this match only.
        """
        app = self.app
        try:
            kind = PracticeRunner if practice else Runner
            runner = kind.start(seating, app.settings.folder, app.day, Path(record) if record else None)
        except FileExistsError:
            raise wrong(app.lang, "file_exists", file=record) from None
        except OSError as error:
            where = record or error.filename or app.settings.folder.matches
            raise wrong(app.lang, "cannot_write", file=where, why=error.strerror or str(error)) from None
        if seating.persons:
            self._remember(seating, given)
        game, players = seating.ruleset.name(app.lang), seating.players
        if seating.pairs:
            app.tell(app.say("setup.begins_pairs", game=game, one=players[::2], other=players[1::2]))
        else:
            app.tell(app.say("setup.begins", game=game, who=players))
        if practice:
            app.tell(app.say("practice.begins", key=key_of(app, Command.UNDO)))
        return runner

    def _remember(self, seating: Seating, given: Collection[str]) -> None:
        """Keep the table for the next match; where that cannot be, the match can be played all the same."""
        with contextlib.suppress(OSError):
            Tables(self.app.settings.folder).remember(seating, given)

    def go_on(self, kept: Kept) -> Runner:
        """A kept match. Raises `Mistake` where it cannot be gone on with, as when another program plays it."""
        app = self.app
        try:
            runner = runner_for(kept.path, app.settings.folder).go_on(kept)
            if kept.torn:
                app.tell(app.say("cli.torn", file=kept.path.name))
            if runner.path != kept.path:
                app.tell(app.say("cli.copied", file=kept.path.name, copy=runner.path.name))
            return runner
        except InUse:
            raise wrong(app.lang, "in_use", file=kept.path.name) from None
        except Unusable as error:
            raise wrong(app.lang, "unusable", file=kept.path, why=why(app.lang, error)) from None
        except OSError as error:
            raise wrong(app.lang, "cannot_write", file=kept.path, why=error.strerror or str(error)) from None


def play_command(
    app: App,
    ruleset: str | None,
    players: list[str] | None,
    pairs: bool,
    given: list[str] | None,
    seed: str | None,
    record: str | None,
    practice: bool,
) -> int:
    """`kozel play`."""
    session = Session(app)
    if practice and record is not None:
        raise wrong(app.lang, "practice_record")
    chosen = ruleset_named(ruleset, app.settings.folder, app.lang) if ruleset else None
    opts = options(given or [], app.lang)
    if players is None:
        if not stdin_is_terminal():
            raise wrong(app.lang, "no_terminal")
        greet(app)

        async def ask(keys: KeySource) -> None:
            await choose_language(app, keys)
            seating = await ask_for_seating(Menus(keys, app), app.settings.folder, chosen, opts, seed)
            if seating is not None:
                given = [name for name, value in opts.items() if seating.options[name] == value]
                runner = session.start(seating, record, practice=practice, given=given)
                await _at_the_table(session, runner, keys, resumed=False)

        return session.run(ask)
    if chosen is None:
        chosen = ruleset_named("kozel", app.settings.folder, app.lang)
    seating = seat(chosen, [player(text, app.lang) for text in players], pairs or None, opts, seed, app.lang)
    runner = session.start(seating, record, practice=practice, given=seating.options)
    if not seating.persons:
        return _computers_alone(session, runner, resumed=False)
    greet(app)

    async def play(keys: KeySource) -> None:
        await _at_the_table(session, runner, keys, resumed=False)

    return session.run(play)


def resume_command(app: App, file: str | None) -> int:
    """`kozel resume`."""
    session = Session(app)
    folder = app.settings.folder
    if file is not None:
        try:
            read_bytes(Path(file))
            kept = read_kept(Path(file), folder.rulesets)
        except BadFile as error:
            raise bad_file(error, app.lang) from None
        except Unusable as error:
            raise wrong(app.lang, "unusable", file=file, why=why(app.lang, error)) from None
        if kept.match.end is not None:
            raise wrong(app.lang, "match_is_over", file=file)
    else:
        found, damaged = newest_unfinished(folder)
        tell_damaged(app, damaged)
        if found is None:
            raise wrong(app.lang, "nothing_to_resume", folder=folder.matches)
        kept = found
    runner = session.go_on(kept)
    if not runner.seating.persons:
        return _computers_alone(session, runner, resumed=True)
    greet(app)

    async def play(keys: KeySource) -> None:
        await _at_the_table(session, runner, keys, resumed=True)

    return session.run(play)


def tell_damaged(app: App, damaged: list[Unusable]) -> None:
    """Records that cannot be read are said to be so, and stay as they are."""
    for error in damaged:
        app.tell(app.say("cli.passed_over", file=error.path.name, why=why(app.lang, error)))


def greet(app: App) -> None:
    """The first words, said before the keyboard is ready: which speech mode is in force."""
    app.tell(app.announcer.start_sentence())


async def choose_language(app: App, keys: KeySource) -> None:
    """At a first start on a system whose language is not there, ask, each language in its own words; keep the answer."""
    if app.settings.lang_known:
        return
    known = languages()
    title = " ".join(dict.fromkeys(message(lang, "menu.language") for lang in known))
    helps = [message(lang, "menu.help_language") for lang in known]
    chosen = await Menus(keys, app).choose(title, [language_name(lang) for lang in known], helps=helps)
    app.set_language(FALLBACK if chosen is None else known[chosen])
    if chosen is not None:
        keep_setting(app.settings.folder, "lang", app.lang, app.lang)


async def _at_the_table(session: Session, runner: Runner, keys: KeySource, *, resumed: bool) -> None:
    """Play; after a match that is over, Escape leads to the menu."""
    table = await session.play(runner, keys, resumed=resumed)
    if table.runner.match.end is not None:
        table.runner.close()
        session.runner = None
        await MainMenu(session, keys).ask()


def _computers_alone(session: Session, runner: Runner, *, resumed: bool) -> int:
    """A match in which no person plays runs to its end without a key."""

    async def watch() -> int:
        task = asyncio.current_task()
        assert task is not None
        came: list[int] = []

        def stop(signum: int) -> None:
            came.append(signum)
            task.cancel()

        try:
            with SignalWatch(stop):
                await session.play(runner, None, resumed=resumed)
        except asyncio.CancelledError:
            if not came:
                raise
        except OSError as error:
            app = session.app
            raise wrong(app.lang, "cannot_write", file=runner.path, why=error.strerror or str(error)) from None
        session.farewell()
        return 128 + came[0] if came else 0

    return asyncio.run(watch())


def menu_command(app: App) -> int:
    """`kozel`: the spoken menu."""
    session = Session(app)
    greet(app)

    async def ask(keys: KeySource) -> None:
        await choose_language(app, keys)
        await MainMenu(session, keys).ask()

    return session.run(ask)
