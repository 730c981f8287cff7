"""The doctor's checks: a function each, named as in `doctor.TOPICS`. What one needs of the program it loads itself."""

from __future__ import annotations

import asyncio
import importlib
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import struct
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from kozel import __version__
from kozel.cli.doctor import Case, Finding

if TYPE_CHECKING:
    from kozel.terminal.keyboard import Loss
    from kozel.terminal.keymap import Keymap

_PACKAGES = {
    "prompt_toolkit": "prompt_toolkit",
    "accessible-output2": "accessible_output2",
    "PyYAML": "yaml",
    "platformdirs": "platformdirs",
}
"""What the program cannot do without, and how each is imported."""
_EXTRAS = {"sound": ("miniaudio",), "network": ("asyncssh",), "linux": ("speechd",)}
_READERS = ("orca", "brltty", "fenrir", "espeakup", "yasr", "tdsr", "tdsr2")
"""Screen readers of Linux, by what their processes are called."""
_ROOM = 10_000_000
"""Bytes on the disk under which matches are in danger."""
_SOUND_WAIT = 4.0


def program(case: Case) -> Iterator[Finding]:
    """Versions, and how the program was installed."""
    system = f"{platform.system()} {platform.release().split('-')[0]}"
    if sys.platform == "win32":
        windows = sys.getwindowsversion()
        system = f"Windows {windows.major}.{windows.minor}, {windows.build}"
    facts = {
        "version": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "bits": struct.calcsize("P") * 8,
        "system": system,
    }
    yield Finding(case.say("program", how=case.say(f"how_{_how()}"), **facts))


def packages(case: Case) -> Iterator[Finding]:
    """The packages that the program cannot do without."""
    versions, broken = [], []
    for name, module in _PACKAGES.items():
        try:
            importlib.import_module(module)
        except Exception as error:
            broken.append(f"{name} ({type(error).__name__})")
        else:
            versions.append(f"{name} {_version(name)}")
    if versions:
        yield Finding(case.say("packages", versions=versions))
    if broken:
        yield Finding(case.say("packages_broken", names=broken), case.say(f"again_{_how()}"))


def extras(case: Case) -> Iterator[Finding]:
    """The packages that it does more with."""
    from kozel.cli.installation import install_line

    here = {name: all(map(_is_there, modules)) for name, modules in _EXTRAS.items()}
    if sys.platform != "linux":
        del here["linux"]
    there = [name for name, installed in here.items() if installed]
    missing = [name for name, installed in here.items() if not installed]
    if there:
        yield Finding(case.say("extras", names=there))
    for name in missing if _how() in ("package", "source") else ():  # the others can't be added to
        yield Finding(
            case.say("extra_missing", name=name, what=case.say(f"extra_{name}"), line=install_line(name, "python3"))
        )


def language(case: Case) -> Iterator[Finding]:
    """The language, and where it comes from."""
    from kozel.cli.settings import system_language
    from kozel.locales import language_name, languages

    where, code = case.given("lang")
    if code and code not in languages():
        yield Finding(case.say("language_unknown", where=where, code=code), case.say("languages", codes=languages()))
        return
    system = system_language(case.environ)
    name = language_name(case.lang)
    if code:
        yield Finding(case.say("language_given", name=name, where=where))
    elif system is None:
        yield Finding(case.say("language_asked", name=name))
    else:
        yield Finding(case.say("language_system" if system == case.lang else "language_kept", name=name))


def settings(case: Case) -> Iterator[Finding]:
    """The file of settings and the options given."""
    from kozel.cli.mistakes import Mistake
    from kozel.cli.settings import settings as read

    try:
        chosen = read(case.flags, case.environ, mend=False)
    except Mistake as mistake:
        for line in mistake.lines:
            yield Finding(line, case.say("settings_mend"))
        return
    except OSError as error:
        yield Finding(case.say("settings_unreadable", why=error.strerror or type(error).__name__), case.say("rights"))
        return
    yield Finding(case.say("settings", speech=chosen.speech, verbosity=chosen.verbosity, keymap=chosen.keymap))


def folder(case: Case) -> Iterator[Finding]:
    """The data folder: where, whether it can be written, and how much is in it."""
    path, kind = _folder(case)
    where = case.say(f"folder_{kind}")
    if path.exists() and not path.is_dir():
        yield Finding(case.say("folder_no_folder", where=where), case.say("folder_other"))
        return
    nearest = next((place for place in (path, *path.parents) if place.exists()), path)
    try:
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as error:
        why = error.strerror or type(error).__name__
        yield Finding(case.say("folder_unwritable", where=where, why=why), case.say("folder_other"))
        return
    if not path.exists():
        yield Finding(case.say("folder_new", where=where))
        return
    matches = sum(not name.name.endswith(".ruleset.yaml") for name in path.glob("matches/*.yaml"))
    finding = case.say("folder", where=where, matches=matches)
    room = shutil.disk_usage(path).free
    yield Finding(finding, case.say("folder_room", megabytes=room // 1_000_000) if room < _ROOM else "")


def keymap(case: Case) -> Iterator[Finding]:
    """The keymap in force."""
    from kozel.cli.mistakes import bad_file, hint
    from kozel.terminal.keymap import NoSuchKeymap, load_keymap
    from kozel.yamltree import BadFile

    name = _keymap_name(case)
    try:
        loaded = load_keymap(name, _folder(case)[0] / "keymaps")
    except NoSuchKeymap as error:
        yield Finding(
            case.say("keymap_none", name=error.name), case.say("keymap_mend", hint=hint(case.lang, name, error.known))
        )
    except BadFile as error:
        for line in bad_file(error, case.lang).lines:
            yield Finding(line, case.say("keymap_file"))
    else:
        yield Finding(case.say("keymap", name=loaded.name(case.lang)))


def terminal(case: Case) -> Iterator[Finding]:
    """The terminal, and whether there is one on both sides."""
    from kozel.terminal.keys_command import terminal_facts

    told = terminal_facts(case.environ) or [case.say("terminal_unnamed")]
    missing = [case.say(f"terminal_{name}") for name in ("stdin", "stdout") if not _is_terminal(name)]
    text = case.say("terminal", facts=told)
    if missing:
        yield Finding(f"{text} {case.say('terminal_none', names=missing)}")
    elif case.environ.get("TERM") in ("dumb", "") and sys.platform != "win32":
        yield Finding(text, case.say("terminal_dumb"))
    else:
        yield Finding(text)


def keys(case: Case) -> Iterator[Finding]:
    """How keys are reported here, and which of the keymap's do not arrive."""
    from kozel.terminal.keymap import load_keymap
    from kozel.terminal.names import spoken

    if not (_is_terminal("stdin") and _is_terminal("stdout")):
        yield Finding(case.say("keys_untried"))
        return
    loaded = load_keymap(_keymap_name(case), _folder(case)[0] / "keymaps")
    level, shift_space, losses = asyncio.run(_keyboard(loaded))
    text = case.say("keys", level=level)
    if shift_space == "unknown":
        text = f"{text} {case.say('keys_shift_space_unknown')}"
    if losses.keys:
        names = [
            f"{spoken(key, case.lang)} ({spoken(instead, case.lang)})" if instead else spoken(key, case.lang)
            for key, instead in zip(*losses, strict=True)
        ]
        yield Finding(f"{text} {case.say('keys_lost', keys=names)}", case.say("keys_letters"))
    else:
        yield Finding(text)


def encoding(case: Case) -> Iterator[Finding]:
    """Whether what is written can be read."""
    name = getattr(sys.stdout, "encoding", None) or "ascii"
    text = case.say("encoding", name=name)
    if sys.platform == "win32":
        import ctypes

        text = case.say("encoding_windows", name=name, page=ctypes.windll.kernel32.GetConsoleOutputCP())
    try:
        "Козёл: 6:5 — «ход»".encode(name)
    except (UnicodeError, LookupError):
        yield Finding(text, case.say("encoding_poor"))
    else:
        yield Finding(text)


def reader(case: Case) -> Iterator[Finding]:
    """The screen readers that run."""
    if sys.platform == "win32":
        from kozel.voice.reader import reader_runs

        yield Finding(case.say("reader_windows" if reader_runs() else "reader_none"))
        return
    running = sorted(set(_processes()) & set(_READERS))
    yield Finding(case.say("reader", names=running) if running else case.say("reader_none"))


def speech(case: Case) -> Iterator[Finding]:
    """The outputs for direct speech, and the mode in force."""
    from kozel.voice.modes import MODES, Mode
    from kozel.voice.speakers import SpeechFailed
    from kozel.voice.speech_command import Found, facts_of, find_outputs
    from kozel.voice.speech_texts import mode_sentence, reason

    wished = case.given("speech")[1]
    mode: Mode = next((mode for mode in MODES if mode == wished), "auto")
    outputs: list[Found] = []
    advice = ""
    try:
        outputs = find_outputs(case.lang)
    except SpeechFailed as failure:
        advice = "" if failure.reason == "no_reader" else case.say("speech_mend")
        yield Finding(case.say("speech_none", reason=reason(failure, case.lang)), advice)
    for output in outputs:
        if output.failure is not None:
            yield Finding(case.say("speech_cant", output=output.name, reason=reason(output.failure, case.lang)))
        else:
            yield Finding(case.say("speech_runs" if output.active else "speech_idle", output=output.name))
    facts = facts_of(mode, outputs)
    yield Finding(mode_sentence(facts, case.lang), case.say("speech_mode_mend") if facts.works is False else "")


def sounds(case: Case) -> Iterator[Finding]:
    """Whether a device plays."""
    from kozel.sounds.board import Board

    board = Board()
    board.start()
    until = time.monotonic() + _SOUND_WAIT
    while board.status == "opening" and time.monotonic() < until:
        time.sleep(0.02)
    status = board.status
    output = board.output
    board.close()
    needs = status in ("stopped", "opening")
    yield Finding(case.say(f"sounds_{status}", output=output), case.say("sounds_mend") if needs else "")


def log(case: Case) -> Iterator[Finding]:
    """Whether the program has failed before."""
    path = _folder(case)[0] / "log.txt"
    if not path.is_file():
        yield Finding(case.say("log_none"))
        return
    day = datetime.fromtimestamp(path.stat().st_mtime).date().isoformat()
    yield Finding(case.say("log", day=day), case.say("log_send"))


def _how() -> str:
    """How the program was installed: 'portable', 'source', 'file' (a .pyz) or 'package'."""
    from kozel.cli.installation import portable_folder

    if portable_folder() is not None:
        return "portable"
    if sys.argv[0].endswith(".pyz"):
        return "file"
    package = Path(importlib.util.find_spec("kozel").origin or "").parent  # type: ignore[union-attr]
    return "package" if (package / "rulesets").is_dir() else "source"


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "?"


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _folder(case: Case) -> tuple[Path, str]:
    """The data folder, and what kind it is: 'given', 'portable' or 'own'."""
    from kozel.cli.installation import data_folder, portable_folder

    where, text = case.given("data_dir")
    if where:
        return Path(text), "given"
    path = data_folder()
    portable = portable_folder()
    return path, "portable" if portable is not None and path.is_relative_to(portable) else "own"


def _keymap_name(case: Case) -> str:
    """The keymap that is asked for, though the file of settings may be broken."""
    from kozel.cli.mistakes import Mistake
    from kozel.cli.settings import settings as read

    try:
        return read(case.flags, case.environ, mend=False).keymap
    except (Mistake, OSError, RuntimeError):
        return case.given("keymap")[1] or "classic"


async def _keyboard(keymap: Keymap) -> tuple[str, str, Loss]:
    """How keys are reported, whether Shift+Space is told from Space ('yes', 'no', 'unknown'), and what does not arrive."""
    from kozel.terminal.source import KeySource

    async with KeySource(keymap) as source:
        await source.settled()
        return source.level, source.shift_space, source.losses()


def _is_terminal(name: str) -> bool:
    try:
        return bool(getattr(sys, name).isatty())
    except (AttributeError, OSError, ValueError):
        return False


def _processes() -> Iterator[str]:
    """What the processes of this machine are called, as far as the system tells."""
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes().split(b"\0")[:2]
        except OSError:
            continue
        for word in words:
            yield os.path.basename(os.fsdecode(word)).removesuffix(".py")
