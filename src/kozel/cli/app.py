"""What every spoken command has: the settings in force, the voice, the keymap."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from kozel.cli.installation import command_name, shell_word
from kozel.cli.mistakes import bad_file, hint, wrong
from kozel.cli.settings import Settings
from kozel.locales import message
from kozel.narration.wording import VERBOSITIES, Verbosity
from kozel.terminal.keymap import Keymap, NoSuchKeymap, load_keymap
from kozel.voice.announcer import Announcer
from kozel.voice.log import close_log, keep_faults, open_log
from kozel.yamltree import BadFile


class App:
    """One run of the program. Opening it raises `Mistake` for a keymap, transcript or log that cannot be had.

    `settings`: as found at the start; `lang`, `speech`, `verbosity`, `pause` and `keymap`: as they are in force now.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.lang = settings.lang
        self.speech = settings.speech
        self.verbosity: Verbosity = settings.verbosity
        self.pause = settings.pause
        self.day = date.today()
        self.keymap = _keymap(settings)
        try:
            self.announcer = Announcer(self.lang, settings.speech, transcript=settings.transcript)
        except OSError as error:
            why = error.strerror or str(error)
            raise wrong(self.lang, "transcript_bad", file=settings.transcript, why=why) from None

        self._logs = [keep_faults(settings.folder.log, self.announcer.tell_fault)]
        if settings.log is not None:
            try:
                self._logs.append(open_log(settings.log))
            except OSError as error:
                self.close()
                raise wrong(self.lang, "log_bad", file=settings.log, why=error.strerror or str(error)) from None

    def close(self) -> None:
        """Say what waits and end the outputs and the logs."""
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
        self.verbosity = VERBOSITIES[(VERBOSITIES.index(self.verbosity) + 1) % len(VERBOSITIES)]
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
