"""Learning from the menu: the guided first match, and practice matches."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from kozel.cli.app import App
from kozel.cli.menu import Item, Menus
from kozel.cli.mistakes import Mistake, why
from kozel.cli.settings import keep_setting, read_settings
from kozel.cli.setup import ask_for_seating
from kozel.play.lesson_deal import LessonRunner
from kozel.play.practice import PracticeFolder
from kozel.play.store import newest_unfinished
from kozel.session.commands import Command
from kozel.session.game import GameTable
from kozel.session.lesson import Coach, LessonLeft
from kozel.terminal.names import spoken
from kozel.terminal.source import KeySource

if TYPE_CHECKING:
    from kozel.cli.playing import Session


def key_of(app: App, command: Command) -> str:
    """A command's first key, as it is said."""
    return spoken(app.keymap.commands[command][0], app.lang) if app.keymap.commands.get(command) else ""


def offer_first_match(app: App) -> None:
    """One sentence where no match was ever kept and the lesson was never begun."""
    folder = app.settings.folder
    begun = read_settings(folder.settings, app.lang).get("lesson") is not None
    played = any(next(kept.records(), None) for kept in (folder, PracticeFolder(folder.path)))
    if not begun and not played:
        app.tell(app.say("lesson.offer"))


async def first_match(app: App, keys: KeySource) -> None:
    """The guided first match."""
    learner, opponent = app.say("setup.name_default", number=1), app.say("setup.opponent")
    app.tell(app.say("lesson.begins", who=(opponent,), key=key_of(app, Command.LEAVE)))
    table = GameTable(
        LessonRunner(learner, opponent),
        app.announcer,
        app.keymap,
        app.lang,
        app.verbosity,
        folder=app.settings.folder,
        day=app.day,
    )
    coach = Coach(keys, table)
    try:
        await table.run(coach, resumed=False)
    except LessonLeft:
        pass
    finally:
        app.verbosity = table.desk.narrator.verbosity
        with contextlib.suppress(OSError, Mistake):
            keep_setting(app.settings.folder, "lesson", "met", app.lang)
    if not coach.finished:
        app.tell(app.say("lesson.left"))


async def practice(session: Session, menus: Menus) -> None:
    """A practice match: the one played last, or a new one."""
    app = session.app
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
            runner = session.go_on(found)
            await session.play_from_menu(runner, menus.keys, resumed=True)
            return
    seating = await ask_for_seating(menus, app.settings.folder, title=app.say("menu.practice_new") + ".")
    if seating is not None:
        await session.play_from_menu(session.start(seating, practice=True), menus.keys, resumed=False)
