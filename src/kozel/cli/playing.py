"""`kozel`, `kozel play` and `kozel resume`: from the first word to the last."""

from __future__ import annotations

import asyncio
from pathlib import Path

from kozel.cli.app import App
from kozel.cli.main_menu import MainMenu
from kozel.cli.menu import Menus
from kozel.cli.mistakes import bad_file, cannot_write, why, wrong
from kozel.cli.seating import options, player, ruleset_named, seat
from kozel.cli.settings import keep_setting
from kozel.cli.setup import ask_for_seating
from kozel.cli.visit import Visit
from kozel.locales import FALLBACK, language_name, languages, message
from kozel.play.store import Unusable, newest_unfinished, read_kept
from kozel.play.table import Table
from kozel.terminal.signals import SignalWatch
from kozel.terminal.source import KeySource, stdin_is_terminal
from kozel.yamltree import BadFile, read_bytes

_GLANCE = 0.1
"""Seconds between looks at whether the output still takes lines."""


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
    visit = Visit(app)
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
                table = visit.start(seating, record, practice=practice, given=given)
                await _at_the_table(visit, table, keys, resumed=False)

        return visit.run(ask)
    if chosen is None:
        chosen = ruleset_named("kozel", app.settings.folder, app.lang)
    seating = seat(chosen, [player(text, app.lang) for text in players], pairs or None, opts, seed, app.lang)
    table = visit.start(seating, record, practice=practice, given=seating.options)
    if not seating.persons:
        return _computers_alone(visit, table, resumed=False)
    greet(app)

    async def play(keys: KeySource) -> None:
        await _at_the_table(visit, table, keys, resumed=False)

    return visit.run(play)


def resume_command(app: App, file: str | None) -> int:
    """`kozel resume`."""
    visit = Visit(app)
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
    table = visit.go_on(kept)
    if not table.seating.persons:
        return _computers_alone(visit, table, resumed=True)
    greet(app)

    async def play(keys: KeySource) -> None:
        await _at_the_table(visit, table, keys, resumed=True)

    return visit.run(play)


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
    known = sorted(languages())
    title = " ".join(dict.fromkeys(message(lang, "menu.language") for lang in known))
    helps = [message(lang, "menu.help_language") for lang in known]
    chosen = await Menus(keys, app).choose(title, [language_name(lang).capitalize() for lang in known], helps=helps)
    app.set_language(FALLBACK if chosen is None else known[chosen])
    if chosen is not None:
        keep_setting(app.settings.folder, "lang", app.lang, app.lang)


async def _at_the_table(visit: Visit, table: Table, keys: KeySource, *, resumed: bool) -> None:
    """Play; after a match that is over, Escape leads to the menu."""
    await visit.play(table, keys, resumed=resumed)
    if visit.table is not None and visit.table.match.end is not None:
        await visit.put_away()
        await MainMenu(visit, keys).ask()


def _computers_alone(visit: Visit, table: Table, *, resumed: bool) -> int:
    """A match in which no person plays runs to its end without a key."""

    async def watch() -> int:
        task = asyncio.current_task()
        assert task is not None
        came: list[int] = []
        status = 0

        def stop(signum: int) -> None:
            came.append(signum)
            task.cancel()

        unread = asyncio.ensure_future(_until_unread(visit.app, task))
        try:
            with SignalWatch(stop):
                await visit.play(table, None, resumed=resumed)
                status = await visit.hear_out()
        except asyncio.CancelledError:
            if not came and not unread.done():
                raise
        except OSError as error:
            file = table.path
            await visit.farewell()
            raise cannot_write(visit.app.lang, error, file) from None
        finally:
            unread.cancel()
            visit.thinkers.close()
        visit.app.announcer.fall_silent()
        await visit.farewell()
        return 128 + came[0] if came else status

    return asyncio.run(watch())


async def _until_unread(app: App, playing: asyncio.Task[int]) -> None:
    """End what plays once nothing that it says can be written or heard."""
    while app.announcer.mode != "lines" or app.announcer.output_problem is None:
        await asyncio.sleep(_GLANCE)
    playing.cancel()


def menu_command(app: App) -> int:
    """`kozel`: the spoken menu."""
    visit = Visit(app)
    greet(app)

    async def ask(keys: KeySource) -> None:
        await choose_language(app, keys)
        await MainMenu(visit, keys).ask()

    return visit.run(ask)
