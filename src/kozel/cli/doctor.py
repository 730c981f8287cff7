"""`kozel doctor`: what is there, a line each, and what to do about it; made to be pasted into a report.

It must get through whatever else is broken: a file of settings that cannot be read, a package that is missing, an output that
hangs. So this module loads nothing but the standard library and the catalogue, and each check is made by itself.
"""

from __future__ import annotations

import getpass
import importlib
import os
import re
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from kozel.clean import clean
from kozel.locales import FALLBACK, languages, message

TOPICS = (
    "program",
    "packages",
    "extras",
    "language",
    "settings",
    "folder",
    "keymap",
    "terminal",
    "keys",
    "encoding",
    "reader",
    "speech",
    "sounds",
    "log",
)
"""What is looked at, in the order in which it is told. `doctor_checks` has a function of each name."""
_PATIENCE = 15.0
"""Seconds after which a check is given up."""
_AT_HOME = ("keys",)
"""Checks for the main thread: only there can a terminal be put back whatever signal comes."""


class Finding(NamedTuple):
    """What a check came to: a sentence, and what to do; '' where it is right as it is."""

    text: str
    advice: str = ""


class Case(NamedTuple):
    """What the checks look at: the command line's options by name, the environment, and the language to tell it in."""

    flags: Mapping[str, str | None]
    environ: Mapping[str, str]
    lang: str

    def given(self, name: str) -> tuple[str, str]:
        """Where an option is given, '--lang' or 'KOZEL_LANG', and its value; '' and '' where it is not."""
        flag, variable = self.flags.get(name), f"KOZEL_{name.upper()}"
        if flag is not None:
            return "--" + name.replace("_", "-"), flag
        return (variable, self.environ[variable]) if self.environ.get(variable) else ("", "")

    def say(self, key: str, /, **facts: object) -> str:
        """A text of the doctor's."""
        return message(self.lang, f"doctor.{key}", **facts)


def run_doctor(
    flags: Mapping[str, str | None], lang: str, write: Callable[[str], object], environ: Mapping[str, str] | None = None
) -> int:
    """Look at everything, and write a line for each; the exit status is 0 whatever there is."""
    environ = os.environ if environ is None else environ
    case = Case(flags, environ, lang if lang in languages() else FALLBACK)
    private = Private(environ)
    write(case.say("title"))
    to_do = []
    for topic in TOPICS:
        name = case.say(f"topic_{topic}")
        for finding in _checked(case, topic):
            if finding.advice:
                to_do.append(name)
            ending = case.say("advice", advice=finding.advice) if finding.advice else case.say("fine")
            write(clean(private.hidden(f"{name}: {finding.text} {ending}")) or name)
    topics = list(dict.fromkeys(to_do))
    write(case.say("to_do", topics=topics) if topics else case.say("nothing_to_do"))
    return 0


def flags_before(words: Sequence[str]) -> dict[str, str | None]:
    """The options of a command line by name, where it could not be parsed in the usual way."""
    flags: dict[str, str | None] = {}
    for index, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name.startswith("--"):
            after = words[index + 1] if index + 1 < len(words) else None
            flags[name[2:].replace("-", "_")] = value if equals else after
    return flags


class Private:
    """Takes out of a text what tells who or where the player is: the home folder, and folders of the account's name."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        homes = {environ.get(name, "") for name in ("HOME", "USERPROFILE")}
        names = {environ.get(name, "") for name in ("USER", "LOGNAME", "USERNAME")}
        try:
            homes.add(str(Path.home()))
            names.add(getpass.getuser())
        except (OSError, RuntimeError, KeyError, ImportError):
            pass  # an account without a name or a home has neither to hide
        self._homes = sorted((home.rstrip("/\\") for home in homes if len(home) > 1), key=len, reverse=True)
        names |= {re.split(r"[/\\]", home)[-1] for home in self._homes}
        any_name = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
        self._names = re.compile(rf"(?<=[/\\])(?:{any_name})(?=[/\\]|\W|$)", re.IGNORECASE) if any_name else None

    def hidden(self, text: str) -> str:
        """The text with '~' for the home folder and '…' for the account's name in any path."""
        for home in self._homes:
            text = re.sub(rf"{re.escape(home)}(?=[/\\]|\W|$)", "~", text, flags=re.IGNORECASE)
        return self._names.sub("…", text) if self._names else text


def _checked(case: Case, topic: str) -> list[Finding]:
    """What a check comes to, whatever happens in it, and though it may never come back."""
    result: list[Finding] = []
    failure: list[str] = []

    def look() -> None:
        try:
            checks = importlib.import_module("kozel.cli.doctor_checks")
            result.extend(getattr(checks, topic)(case))
        except BaseException as error:
            failure.append(type(error).__name__)

    if topic in _AT_HOME:
        look()
    else:
        thread = threading.Thread(target=look, name=f"doctor {topic}", daemon=True)
        thread.start()
        thread.join(_PATIENCE)
        if thread.is_alive():
            return [Finding(case.say("hangs"), case.say("report"))]
    if failure:
        result.append(Finding(case.say("failed", error=failure[0]), case.say("report")))
    return result


def without_packages(words: Sequence[str], error: ImportError) -> int:
    """What can be done where a package is missing without which the program cannot be loaded: the doctor, or a sentence
    that names it. The exit status: 0 of the doctor, else 1."""
    flags = flags_before(words)
    wished = [flags.get("lang"), *(os.environ.get(name) for name in ("KOZEL_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))]
    lang = re.split(r"[_.-]", next((text for text in wished if text), "").lower())[0]
    lang = lang if lang in languages() else FALLBACK
    if "doctor" in words:
        return run_doctor(flags, lang, lambda text: _write(sys.stdout, text))
    _write(sys.stderr, message(lang, "doctor.not_loaded", name=error.name or str(error)))
    return 1


def _write(stream: TextIO, text: str) -> None:
    stream.write(text.encode(stream.encoding or "ascii", "replace").decode(stream.encoding or "ascii") + "\n")
    stream.flush()
