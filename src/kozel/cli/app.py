"""What every spoken command has: the settings in force, the voice, the keymap."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from kozel.clean import clean
from kozel.cli.installation import command_name, shell_word
from kozel.cli.mistakes import Mistake, bad_file, hint, wrong
from kozel.cli.settings import DEFAULT_VOLUMES, MAX_VOLUME, VOLUME_STEP, Settings, keep_setting
from kozel.locales import message
from kozel.narration.wording import Verbosity, next_verbosity
from kozel.sounds.plan import KINDS, Cue
from kozel.terminal.keymap import Keymap, NoSuchKeymap, load_keymap
from kozel.voice.announcer import Announcer
from kozel.voice.log import close_log, keep_faults, open_log
from kozel.voice.message import Sound
from kozel.yamltree import BadFile

if TYPE_CHECKING:
    from kozel.sounds.bank import BadSound
    from kozel.sounds.board import Board


class App:
    """One run of the program. Opening it raises `Mistake` for a keymap, transcript or log that cannot be had.

    `settings`: as found at the start; `lang`, `speech`, `verbosity`, `pause`, `keymap`, `sounds`, `moves`, `bell`,
    `braille_cursor` and `joined`: as they are in force now.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.lang = settings.lang
        self.speech = settings.speech
        self.verbosity: Verbosity = settings.verbosity
        self.pause = settings.pause
        self.use_sounds(settings, far=bool(os.environ.get("SSH_CONNECTION") or os.environ.get("SSH_TTY")))
        self.braille_cursor, self.joined = settings.braille_cursor, settings.joined
        self.day = date.today()
        self.keymap = _keymap(settings)
        try:
            self.announcer = Announcer(self.lang, settings.speech, transcript=settings.transcript)
        except OSError as error:
            why = error.strerror or str(error)
            raise wrong(self.lang, "transcript_bad", file=settings.transcript, why=why) from None

        self.set_lines()
        self._logs = [keep_faults(settings.folder.log, self.announcer.tell_fault)]
        if settings.log is not None:
            try:
                self._logs.append(open_log(settings.log))
            except OSError as error:
                self.close()
                raise wrong(self.lang, "log_bad", file=settings.log, why=error.strerror or str(error)) from None

    def use_sounds(self, settings: Settings, *, far: bool) -> None:
        """Take the settings of sounds. `far`: the player's ears are not at this computer, but at a terminal over ssh."""
        self.sounds, self.moves, self.bell, self.far = settings.sounds, settings.moves, settings.bell, far
        self._volumes: dict[str, int] = {**DEFAULT_VOLUMES, **settings.volumes}

    @cached_property
    def board(self) -> Board:
        """Where sounds are played; it looks for a device with the first one."""
        return self.new_board(on=self.sounds)

    def new_board(self, *, on: bool) -> Board:
        """A board by the settings; what is wrong with the player's own sounds is told."""
        from kozel.sounds.board import Board  # after the first words

        return Board(
            self._volumes["volume"],
            on=on,
            volumes={kind: self._volumes[f"volume_{kind}"] for kind in KINDS},
            own=self.settings.folder.path / "sounds",
            tell=self._tell_bad_sounds,
            played=self._write_down,
        )

    def set_sounds(self, on: bool) -> None:
        """Turn sounds on or off."""
        self.sounds = on
        self.board.close()
        self.board = self.new_board(on=on)

    def turn_volume(self, by: int) -> str | None:
        """The volume of all sounds a step up or down, heard by a tile; where only a bell can be heard, that on or off.

        What is to be said of it, None where nothing can be heard.
        """
        if not self.board.silent:
            self.set_volume("volume", self._volumes["volume"] + VOLUME_STEP * by)
            self.board.play([Cue("laid")])
            return self.say("sounds.volume", volume=self._volumes["volume"])
        if not self.far:
            return None
        self.bell = by > 0
        return self.say("sounds.bell_on" if self.bell else "sounds.bell_off")

    def volume_of(self, name: str) -> int:
        """A volume by its name in the settings."""
        return self._volumes[name]

    def set_volume(self, name: str, volume: int) -> None:
        """Change a volume; what plays follows. It is written down when the program ends, or by the settings' menu."""
        self._volumes[name] = max(0, min(MAX_VOLUME, volume))
        if name == "volume":
            self.board.volume = self._volumes[name]
        for kind in KINDS:
            if name == f"volume_{kind}":
                self.board.set_volume_of(kind, self._volumes[name])

    def _write_down(self, cues: Sequence[Cue]) -> None:
        for cue in cues:
            self.announcer.sounded(Sound(cue.to, cue.name, cue.pan))

    def _tell_bad_sounds(self, problems: Sequence[BadSound]) -> None:
        for file, reason, limit, near in problems:
            key = f"cli.sound_bad_{'near' if near else reason}"
            self.tell(self.say(key, file=str(file), limit=int(limit), name=clean(file.stem) or "", near=near))

    def set_lines(self) -> None:
        """Lines are written from now on as `braille_cursor` and `joined` say."""
        self.announcer.set_up(cursor=self.braille_cursor, joined=self.joined)

    def close(self) -> None:
        """Say what waits and end the outputs and the logs."""
        if "board" in self.__dict__:
            self.board.close()
        with contextlib.suppress(OSError, Mistake):  # nobody is there to hear of it
            if self._volumes != {**DEFAULT_VOLUMES, **self.settings.volumes}:
                keep_setting(self.settings.folder, "volume", self._volumes["volume"], self.lang)
            if self.bell != self.settings.bell:
                keep_setting(self.settings.folder, "bell", "on" if self.bell else "off", self.lang)
        self.announcer.close()
        for log in self._logs:
            close_log(log)

    def say(self, key: str, /, **facts: object) -> str:
        """A message of the catalogue."""
        return message(self.lang, key, **facts)

    def tell(self, *lines: str) -> None:
        """Say lines to everybody."""
        for line in lines:
            self.announcer.say("event", None, line)

    def set_language(self, lang: str) -> None:
        """Speak another language from now on."""
        self.lang = self.announcer.lang = lang

    def next_verbosity(self) -> Verbosity:
        """Go to the next verbosity."""
        self.verbosity = next_verbosity(self.verbosity)
        return self.verbosity

    def kept(self, path: Path, in_folder: bool) -> str:
        """The line that says how to go on with a match."""
        command = f"{command_name()} resume"
        if not in_folder:
            command += f" {shell_word(path)}"
        if in_folder and self.settings.folder_by_flag:
            command += f" --data-dir {shell_word(self.settings.folder.path)}"
        return self.say("cli.kept", command=command)


def _keymap(settings: Settings) -> Keymap:
    try:
        return load_keymap(settings.keymap, settings.folder.keymaps)
    except NoSuchKeymap as error:
        raise wrong(
            settings.lang, "no_keymap", name=error.name, hint=hint(settings.lang, error.name, error.known)
        ) from None
    except BadFile as error:
        raise bad_file(error, settings.lang) from None
