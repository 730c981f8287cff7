"""The command line: what it asks for, and its exit status."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TextIO

from kozel.cli.arguments import parse
from kozel.cli.doctor import run_doctor, without_packages
from kozel.cli.mistakes import Mistake
from kozel.cli.settings import Settings, language_before, settings, system_language
from kozel.locales import FALLBACK, message
from kozel.voice.encoding import encode

_FLAGS = ("lang", "speech", "verbosity", "keymap", "transcript", "log", "data_dir")
_SIGINT, _FAULT = 130, 1


def run(words: Sequence[str]) -> int:
    """Carry out a command line; the exit status of `interface.md`."""
    logging.getLogger("kozel").addHandler(logging.NullHandler())
    found: Settings | None = None
    try:
        lang = language_before(words)
        parsed = parse(words, lang)
        if parsed.command == "doctor":
            return run_doctor({flag: getattr(parsed, flag, None) for flag in _FLAGS}, lang, print_line)
        found = settings({flag: getattr(parsed, flag, None) for flag in _FLAGS})
        return _command(parsed, found)
    except Mistake as mistake:
        _complain(*mistake.lines)
        return mistake.status
    except KeyboardInterrupt:
        return _SIGINT
    except BrokenPipeError:
        _forget_output()
        return 0
    except ImportError as error:
        ours = error.name is None or error.name.partition(".")[0] == __name__.partition(".")[0]
        return _fault(found) if ours else without_packages(words, error)
    except Exception:
        return _fault(found)


def _command(parsed: argparse.Namespace, chosen: Settings) -> int:
    if parsed.command == "replay":
        return _replay(parsed, chosen)
    if parsed.command == "rules":
        from kozel.cli.rules_command import rules_command

        return rules_command(parsed.action, parsed.names, chosen.lang, chosen.folder.rulesets, print_line, _complain)
    return _spoken(parsed, chosen)


def _replay(parsed: argparse.Namespace, chosen: Settings) -> int:
    from kozel.cli.replay_command import replay_json, replay_words

    rulesets = chosen.folder.rulesets
    if parsed.json:
        return replay_json(parsed.files, chosen.lang, rulesets)
    return replay_words(parsed.files, chosen.lang, chosen.verbosity, rulesets, print_line, _complain)


def _spoken(parsed: argparse.Namespace, chosen: Settings) -> int:
    from kozel.cli.app import App
    from kozel.cli.playing import menu_command, play_command, resume_command
    from kozel.cli.tools import keys_command, speech_command

    app = App(chosen)
    try:
        if parsed.command == "play":
            return play_command(
                app,
                parsed.ruleset,
                parsed.player,
                parsed.pairs,
                parsed.option,
                parsed.seed,
                parsed.record,
                parsed.practice,
            )
        if parsed.command == "resume":
            return resume_command(app, parsed.file)
        if parsed.command == "keys":
            return keys_command(app, parsed.action)
        if parsed.command == "speech":
            return speech_command(app, parsed.action)
        if parsed.command == "sounds":
            from kozel.cli.sounds_command import sounds_command

            return sounds_command(app, parsed.action)
        return menu_command(app)
    finally:
        app.close()


def print_line(text: str) -> None:
    """A line on standard output, in whatever encoding it has."""
    _write(sys.stdout, text)


def _complain(*lines: str) -> None:
    for line in lines:
        with contextlib.suppress(OSError, ValueError):
            _write(sys.stderr, line)


def _write(stream: TextIO, text: str) -> None:
    """A line, whatever the stream's encoding lacks (see `encode`)."""
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(text + "\n")
    else:
        stream.flush()
        buffer.write(encode(text + os.linesep, stream.encoding or "utf-8"))
    stream.flush()


def _forget_output() -> None:
    """Standard output is gone: nothing more may be written to it when Python ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fault(found: Settings | None, environ: Mapping[str, str] = os.environ) -> int:
    """A fault of our own: one sentence, and the details in a log file."""
    details = f"{datetime.now().isoformat(timespec='seconds')} {traceback.format_exc()}\n"
    lang = found.lang if found else system_language(environ) or FALLBACK
    try:
        from kozel.cli.settings import settings as read

        log = (found or read({})).folder.log
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8") as file:
            file.write(details)
    except Exception:
        _complain(message(lang, "cli.fault", file=message(lang, "cli.no_log")), details)
        return _FAULT
    _complain(message(lang, "cli.fault", file=str(log)))
    return _FAULT
