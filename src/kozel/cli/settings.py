"""What the player has chosen: flag over environment variable over settings file over default."""

from __future__ import annotations

import locale
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Literal, TypeVar

import yaml

from kozel.clean import clean
from kozel.cli.installation import data_folder
from kozel.cli.mistakes import Mistake, bad_file, cannot_read, hint, wrong
from kozel.files import set_aside, write_durably
from kozel.locales import FALLBACK, languages, message, phrase
from kozel.narration.wording import VERBOSITIES, Verbosity
from kozel.play.store import Folder
from kozel.records.writing import quoted
from kozel.sounds.plan import KINDS
from kozel.voice.modes import MODES, Mode
from kozel.voice.page import PLACES, Place
from kozel.yamltree import BadFile, Problem, at, load, mapping, suggest

_T = TypeVar("_T")
ON_OFF = ("on", "off")
Moves = Literal["told", "clicks"]
MOVES: tuple[Moves, ...] = ("told", "clicks")
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "lang": languages(),
    "speech": MODES,
    "verbosity": VERBOSITIES,
    "lesson": ("met", *map(str, range(1, 8))),
    "sounds": ON_OFF,
    "moves": MOVES,
    "bell": ON_OFF,
    "braille_cursor": PLACES,
    "joined": ON_OFF,
}
_TEXTS = ("lang", "speech", "verbosity", "keymap", "transcript", "log", "data_dir", "sounds")
VOLUMES = ("volume", *(f"volume_{kind}" for kind in KINDS))
DEFAULT_VOLUMES = {**dict.fromkeys(VOLUMES, 100), "volume": 50}
_IN_FILE = (
    "lang",
    "speech",
    "verbosity",
    "keymap",
    "pause",
    "lesson",
    "sounds",
    *VOLUMES,
    "moves",
    "bell",
    "names",
    "braille_cursor",
    "joined",
    "losses",
)
MAX_PAUSE = 10
MAX_VOLUME, VOLUME_STEP = 100, 10


@dataclass(frozen=True)
class Settings:
    """The settings in force.

    `lang_known`: the language was chosen or is the system's. `pause`: seconds before a computer's move. `volumes`: of the
    sounds, 0 to 100, by their names in the file. `moves`: others' moves are told, or click. `bell`: rings at the own turn.
    `names`: for seats that nobody has named, in the file one text with commas. `braille_cursor`: where the cursor stays for
    braille displays. `joined`: what is told together is one line. `notice`: what is to be told before anything else, '' for
    nothing.
    """

    lang: str
    lang_known: bool
    speech: Mode
    verbosity: Verbosity
    keymap: str
    transcript: str | None
    log: str | None
    folder: Folder
    pause: float
    folder_by_flag: bool = False
    sounds: bool = True
    volumes: Mapping[str, int] = field(default_factory=dict)
    moves: Moves = "told"
    bell: bool = False
    names: tuple[str, ...] = ()
    braille_cursor: Place = "auto"
    joined: bool = False
    notice: str = ""


def settings(
    flags: Mapping[str, str | None], environ: Mapping[str, str] | None = None, *, mend: bool = True
) -> Settings:
    """The settings under these flags. Raises `Mistake`.

    A damaged settings file is set aside, and `notice` says so; without `mend` it is a mistake as any other.
    """
    environ = os.environ if environ is None else environ
    given: dict[str, tuple[str, str]] = {}
    for name in _TEXTS:
        flag, variable = flags.get(name), f"KOZEL_{name.upper()}"
        if flag is not None:
            given[name] = ("--" + name.replace("_", "-"), flag)
        elif environ.get(variable):
            given[name] = (variable, environ[variable])
    system = system_language(environ)
    chosen = given["lang"][1] if given.get("lang", ("", ""))[1] in languages() else None
    folder = Folder(Path(given["data_dir"][1]) if "data_dir" in given else _home(chosen or system or FALLBACK))
    notice, kept = "", {}
    try:
        kept = read_settings(folder.settings, chosen or system or FALLBACK)
    except DamagedSettings as damaged:
        if not mend:
            raise
        notice = aside(folder.settings, damaged.problem, chosen or system or FALLBACK)
    guess = str(chosen or kept.get("lang") or system or FALLBACK)
    for name, choices in _CHOICES.items():
        if name in given and given[name][1] not in choices:
            where, value = given[name]
            raise wrong(guess, "bad_value", name=where, value=value, hint=hint(guess, value, choices))
    values = {**kept, **{name: value for name, (_, value) in given.items()}}
    lang = values.get("lang") or system
    return Settings(
        lang=str(lang or FALLBACK),
        lang_known=lang is not None,
        speech=_one(MODES, values.get("speech"), "auto"),
        verbosity=_one(VERBOSITIES, values.get("verbosity"), "normal"),
        keymap=str(values.get("keymap") or "classic"),
        transcript=given["transcript"][1] if "transcript" in given else None,
        log=given["log"][1] if "log" in given else None,
        folder=folder,
        pause=float(values.get("pause") or 0),
        folder_by_flag=given.get("data_dir", ("", ""))[0] == "--data-dir",
        sounds=values.get("sounds") != "off",
        volumes={name: int(values[name]) for name in VOLUMES if name in values},
        moves=_one(MOVES, values.get("moves"), "told"),
        bell=values.get("bell") == "on",
        names=tuple(filter(None, map(clean, str(values.get("names") or "").split(",")))),
        braille_cursor=_one(PLACES, values.get("braille_cursor"), "auto"),
        joined=values.get("joined") == "on",
        notice=notice,
    )


def _home(lang: str) -> Path:
    """The data folder where none is named. Raises `Mistake` where there is no home to put it in."""
    try:
        folder = data_folder()
    except RuntimeError:
        raise wrong(lang, "no_home") from None
    if str(folder).startswith("~"):
        raise wrong(lang, "no_home")
    return folder


def language_before(words: Sequence[str], environ: Mapping[str, str] | None = None) -> str:
    """The language for mistakes in a command line that cannot be parsed."""
    environ = os.environ if environ is None else environ
    flags = {}
    for name in ("lang", "data-dir"):
        given = [after for word, after in pairwise(words) if word == f"--{name}"]
        given += [word.partition("=")[2] for word in words if word.startswith(f"--{name}=")]
        flags[name.replace("-", "_")] = given[-1] if given else None
    try:
        return settings(
            {**flags, "lang": flags["lang"] if flags["lang"] in languages() else None}, environ, mend=False
        ).lang
    except (
        Mistake,
        OSError,
        RuntimeError,
        ImportError,
    ):  # a home or a package that is not there is told where it is needed
        return system_language(environ) or FALLBACK


def _one(choices: tuple[_T, ...], value: object, default: _T) -> _T:
    return next((choice for choice in choices if choice == value), default)


class DamagedSettings(Mistake):
    """The settings file holds no settings at all. `problem`: why."""

    def __init__(self, problem: Problem, lang: str) -> None:
        self.problem = problem
        super().__init__([problem.placed(lang)])


def read_settings(path: Path, lang: str) -> dict[str, str | float]:
    """The settings file's values; nothing where there is no file.

    Raises `Mistake` with all that is wrong in it, `DamagedSettings` where it is no file of settings.
    """
    try:
        os.lstat(path)
        root = load(path)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        raise cannot_read(lang, error, path.parent) from None
    except BadFile as error:
        raise DamagedSettings(error.problems[0], lang) from None
    problems: list[Problem] = []
    entries = mapping(root, phrase("mistake.the_settings"), problems)
    if problems and not entries:
        raise DamagedSettings(problems[0], lang)
    values: dict[str, str | float] = {}
    for name, (key, node) in entries.items():
        if name not in _IN_FILE:
            problems.append(at(key, "mistake.no_program_setting", name=name, hint=suggest(name, _IN_FILE)))
        elif not isinstance(node, yaml.ScalarNode):
            problems.append(at(node, "mistake.one_word", name=name))
        elif name == "pause":
            pause = _seconds(node)
            if pause is None:
                problems.append(at(node, "mistake.pause", most=MAX_PAUSE))
            else:
                values[name] = pause
        elif name in VOLUMES:
            if node.value.isdecimal() and int(node.value) <= MAX_VOLUME:
                values[name] = int(node.value)
            else:
                problems.append(at(node, "mistake.volume", name=name, most=MAX_VOLUME))
        elif name in _CHOICES and node.value not in _CHOICES[name]:
            problems.append(
                at(node, "mistake.bad_value", name=name, value=node.value, hint=suggest(node.value, _CHOICES[name]))
            )
        else:
            values[name] = str(node.value)
    if problems:
        raise bad_file(BadFile(problems), lang)
    return values


def _seconds(node: yaml.ScalarNode) -> float | None:
    try:
        seconds = float(node.value)
    except ValueError:
        return None
    return seconds if 0 <= seconds <= MAX_PAUSE else None


def aside(path: Path, problem: Problem, lang: str) -> str:
    """Set a damaged file of the program's own aside; the sentence that says so."""
    kept = set_aside(path, date.today())
    why = problem.text(lang)
    if kept is None:
        return message(lang, "cli.passed_over_file", file=path, why=why)
    return message(lang, "cli.set_aside", file=path, aside=kept.name, why=why)


def keep_setting(folder: Folder, name: str, value: str | float, lang: str) -> None:
    """Write one setting into the settings file; it is on the disk once this returns.

    Raises `OSError`, `Mistake` where something is wrong in the file. A damaged one is set aside.
    """
    try:
        kept = read_settings(folder.settings, lang)
    except DamagedSettings:
        set_aside(folder.settings, date.today())
        kept = {}
    text = "".join(
        f"{key}: {quoted(value) if isinstance(value, str) else value}\n" for key, value in {**kept, name: value}.items()
    )
    write_durably(folder.settings, text)


def system_language(environ: Mapping[str, str]) -> str | None:
    """The system's language if the program speaks it."""
    tags = [environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)][:1]
    if not tags and sys.platform == "win32":
        import ctypes

        tags = [locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")]
    return next((lang for lang in languages() for tag in tags if re.split("[_.@-]", tag.lower())[0] == lang), None)
