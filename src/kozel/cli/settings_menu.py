"""The settings as a menu: each with its value, changed in place and kept at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from kozel.cli.app import App
from kozel.cli.menu import Item, Menus
from kozel.cli.settings import MAX_PAUSE, MAX_VOLUME, MOVES, VOLUME_STEP, VOLUMES, keep_setting
from kozel.locales import language_name, languages
from kozel.narration.wording import VERBOSITIES
from kozel.session.commands import Command
from kozel.sounds.plan import KINDS, SOUNDS, Cue
from kozel.terminal.keyboard import KeymapNames
from kozel.terminal.keymap import load_keymap, shipped_ids
from kozel.voice.modes import MODES
from kozel.voice.page import PLACES
from kozel.yamltree import BadFile

_T = TypeVar("_T")
_SAMPLES = {"volume": "laid", **{f"volume_{kind}": next(s for s in SOUNDS if SOUNDS[s] == kind) for kind in KINDS}}
"""A sound for each volume."""
_HELPS = {f"volume_{kind}": "volume_kind" for kind in KINDS}
_PAUSES = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, float(MAX_PAUSE))


class SettingsMenu:
    """One visit to the settings."""

    def __init__(self, menus: Menus) -> None:
        self._menus = menus
        self._app: App = menus.app

    async def ask(self) -> None:
        """The menu, until it is left."""
        title, at = self._menus.say("setting.title"), ""
        while True:
            chosen = await self._menus.pick(title, self._items, at)
            if chosen is None:
                return
            title, at = "", chosen
            item = next(item for item in self._items() if item.id == chosen)
            if item.turn is not None:
                item.turn(1)

    def _items(self) -> list[Item]:
        say, app = self._menus.say, self._app
        items: Sequence[tuple[str, Callable[[], str], Callable[[int], None]]] = (
            ("lang", lambda: language_name(app.lang), self._turn_language),
            ("verbosity", lambda: say(f"setting.verbosity_{app.verbosity}"), self._turn_verbosity),
            ("speech", lambda: say(f"setting.speech_{app.speech}"), self._turn_speech),
            ("keymap", lambda: app.keymap.name(app.lang), self._turn_keymap),
            ("pause", self._pause_words, self._turn_pause),
            *self._of_sounds(),
            ("braille_cursor", lambda: say(f"setting.braille_cursor_{app.braille_cursor}"), self._turn_braille_cursor),
            ("joined", lambda: say(f"setting.joined_{_on_off(app.joined)}"), self._turn_joined),
        )
        keys = KeymapNames(app.keymap)
        facts = {
            name: keys.of(command, app.lang)
            for name, command in (("louder", Command.LOUDER), ("quieter", Command.QUIETER))
        }
        return [
            Item(name, say(f"setting.{name}"), say(f"setting.help_{_HELPS.get(name, name)}", **facts), value, turn)
            for name, value, turn in items
        ]

    def _of_sounds(self) -> Iterator[tuple[str, Callable[[], str], Callable[[int], None]]]:
        """Volumes and clicks only where sounds can be heard."""
        say, app = self._menus.say, self._app
        yield "sounds", lambda: say(f"setting.sounds_{_on_off(app.sounds)}"), self._turn_sounds
        if not app.board.silent:
            for name in VOLUMES:
                yield name, partial(self._volume_words, name), partial(self._turn_volume, name)
            yield "moves", lambda: say(f"setting.moves_{app.moves}"), self._turn_moves
        yield "bell", lambda: say(f"setting.bell_{_on_off(app.bell)}"), self._turn_bell

    def _volume_words(self, name: str) -> str:
        return self._menus.say("setting.volume_of", volume=self._app.volume_of(name))

    def _turn_sounds(self, by: int) -> None:
        self._app.set_sounds(not self._app.sounds)
        self._keep("sounds", _on_off(self._app.sounds))

    def _turn_volume(self, name: str, by: int) -> None:
        """A step up or down, and a sound of that kind to hear it by."""
        app = self._app
        volume = max(0, min(MAX_VOLUME, app.volume_of(name) + VOLUME_STEP * by))
        app.set_volume(name, volume)
        app.board.play([Cue(_SAMPLES[name])])
        self._keep(name, volume)

    def _turn_moves(self, by: int) -> None:
        self._app.moves = _next(MOVES, self._app.moves, by)
        self._keep("moves", self._app.moves)

    def _turn_braille_cursor(self, by: int) -> None:
        self._app.braille_cursor = _next(PLACES, self._app.braille_cursor, by)
        self._app.set_lines()
        self._keep("braille_cursor", self._app.braille_cursor)

    def _turn_joined(self, by: int) -> None:
        self._app.joined = not self._app.joined
        self._app.set_lines()
        self._keep("joined", _on_off(self._app.joined))

    def _turn_bell(self, by: int) -> None:
        self._app.bell = not self._app.bell
        self._keep("bell", _on_off(self._app.bell))

    def _keep(self, name: str, value: str | float) -> None:
        try:
            keep_setting(self._app.settings.folder, name, value, self._app.lang)
        except OSError as error:
            file = self._app.settings.folder.settings
            self._menus.tell(self._menus.say("setting.not_kept", file=file, why=error.strerror or str(error)))

    def _turn_language(self, by: int) -> None:
        lang = _next(languages(), self._app.lang, by)
        self._app.set_language(lang)
        self._keep("lang", lang)

    def _turn_verbosity(self, by: int) -> None:
        self._app.verbosity = _next(VERBOSITIES, self._app.verbosity, by)
        self._keep("verbosity", self._app.verbosity)

    def _turn_speech(self, by: int) -> None:
        """Off is said while there is still a voice; the others in the new one."""
        app, mode = self._app, _next(MODES, self._app.speech, by)
        app.speech = mode
        if mode == "off":
            self._menus.echo(self._menus.say("setting.speech_off"))
        app.announcer.ask_for(mode)
        self._keep("speech", mode)

    def _turn_keymap(self, by: int) -> None:
        """The next keymap that can be used; what is wrong with one that cannot is told."""
        app = self._app
        folder = app.settings.folder.keymaps
        own = sorted(path.stem for path in folder.glob("*.yaml")) if folder.is_dir() else []
        names = [*shipped_ids(), *(name for name in own if name not in shipped_ids())]
        place = names.index(app.keymap.id) if app.keymap.id in names else 0
        for step in range(1, len(names) + 1):
            name = names[(place + by * step) % len(names)]
            try:
                keymap = load_keymap(name, folder)
            except BadFile as error:
                self._menus.tell(error.problems[0].placed(app.lang))
                continue
            app.keymap = keymap
            self._menus.keys.use(keymap)
            self._keep("keymap", name)
            return

    def _turn_pause(self, by: int) -> None:
        pauses = sorted({*_PAUSES, self._app.pause})
        self._app.pause = _next(pauses, self._app.pause, by)
        self._keep("pause", self._app.pause)

    def _pause_words(self) -> str:
        whole, tenth = divmod(round(self._app.pause * 10), 10)
        if not whole and not tenth:
            return self._menus.say("setting.pause_none")
        if not tenth:
            return self._menus.say("setting.pause_of", n=whole)
        return self._menus.say("setting.pause_part", number=self._menus.say("word.decimal", whole=whole, tenth=tenth))


def _on_off(on: bool) -> str:
    return "on" if on else "off"


def _next(values: Sequence[_T], now: _T, by: int) -> _T:
    return values[(list(values).index(now) + by) % len(values)]
