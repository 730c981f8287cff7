"""Learning from the menu: the guided first match, and practice matches."""

from __future__ import annotations

import contextlib

from kozel.cli.app import App
from kozel.cli.menu import Item, Menus
from kozel.cli.mistakes import Mistake, why
from kozel.cli.settings import keep_setting, read_settings
from kozel.cli.setup import ask_for_seating
from kozel.cli.visit import Visit
from kozel.locales import default_names
from kozel.play.computers import ScriptMind
from kozel.play.host import LocalHost
from kozel.play.lesson_deal import LEARNER, LessonTable, first_tile, play_on
from kozel.play.practice import PracticeFolder
from kozel.play.store import newest_unfinished
from kozel.session.commands import Command
from kozel.session.game import GameSession
from kozel.session.lesson import Coach, LessonLeft
from kozel.terminal.keyboard import KeymapNames
from kozel.terminal.source import KeySource


def key_of(app: App, command: Command) -> str:
    """A command's first key, as it is said."""
    return KeymapNames(app.keymap).of(command, app.lang)


def offer_first_match(app: App) -> None:
    """One sentence where no match was ever kept and the lesson was never begun."""
    folder = app.settings.folder
    with contextlib.suppress(Mistake):
        if read_settings(folder.settings, app.lang).get("lesson") is not None:
            return
    played = any(next(kept.records(), None) for kept in (folder, PracticeFolder(folder.path)))
    if not played:
        app.tell(app.say("lesson.offer"))


def _decisions_before(app: App) -> int:
    """How far the learner had come when the lesson was left."""
    with contextlib.suppress(Mistake):
        kept = str(read_settings(app.settings.folder.settings, app.lang).get("lesson"))
        return int(kept) if kept.isdecimal() and 0 < int(kept) < len(LEARNER) else 0
    return 0


async def first_match(visit: Visit, keys: KeySource) -> None:
    """The guided first match."""
    app = visit.app
    opponent, learner = default_names(app.lang)[:2]
    app.tell(app.say("lesson.begins", who=(opponent,), key=key_of(app, Command.LEAVE)))
    from kozel.cli.sounding import table_sounds  # after the first words

    decisions = _decisions_before(app)
    table = LessonTable(learner, opponent)
    part = await play_on(table, decisions)
    coach = Coach(keys, app.lang, decisions, first_tile(LEARNER[decisions]))
    host = LocalHost(
        table,
        visit.thinkers,
        folder=app.settings.folder,
        day=app.day,
        minds={1: ScriptMind(part)},
    )
    session = GameSession(
        host,
        app.announcer,
        coach,
        app.lang,
        app.verbosity,
        thinkers=visit.thinkers,
        in_step=True,
        coached=True,
        sounds=table_sounds(app),
    )
    coach.sit_by(session)
    try:
        await session.run(resumed=decisions > 0)
    except LessonLeft:
        pass
    finally:
        app.verbosity = session.desk.narrator.verbosity
        await host.close()
        with contextlib.suppress(OSError, Mistake):
            kept = "met" if coach.finished or not coach.decisions else str(coach.decisions)
            keep_setting(app.settings.folder, "lesson", kept, app.lang)
    if not coach.finished:
        app.tell(app.say("lesson.left"))


async def practice(visit: Visit, menus: Menus) -> None:
    """A practice match: the one played last, or a new one."""
    app = visit.app
    found, damaged = newest_unfinished(PracticeFolder(app.settings.folder.path))
    for error in damaged:
        app.tell(app.say("cli.passed_over", file=error.path.name, why=why(app.lang, error)))
    if found is not None:
        ids = ("practice_on", "practice_new")
        items = [Item(id, app.say(f"menu.{id}"), app.say(f"menu.help_{id}")) for id in ids]
        chosen = await menus.pick(app.say("practice.title"), lambda: items)
        if chosen is None:
            return
        if chosen == "practice_on":
            table = visit.go_on(found)
            await visit.play_from_menu(table, menus.keys, resumed=True)
            return
    seating = await ask_for_seating(menus, app.settings.folder, title=app.say("menu.practice_new") + ".")
    if seating is not None:
        await visit.play_from_menu(visit.start(seating, practice=True), menus.keys, resumed=False)
