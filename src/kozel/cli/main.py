"""The command line: what it asks for, and its exit status."""

from __future__ import annotations

import argparse
import contextlib
import errno
import logging
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TextIO

from kozel.cli.arguments import parse
from kozel.cli.doctor import run_doctor, without_packages
from kozel.cli.mistakes import Failure, Mistake, cannot_read
from kozel.cli.settings import Settings, language_before, settings, system_language
from kozel.locales import FALLBACK, message
from kozel.voice.encoding import encode

_FLAGS = ("lang", "speech", "verbosity", "keymap", "transcript", "log", "data_dir")
_SIGINT, _FAULT, _NO_READER = 130, 1, 141
_UNSPOKEN = ("replay", "rules")
"""Commands that print and do not speak."""


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
        if found.notice and parsed.command in _UNSPOKEN:
            _complain(found.notice)
        return _command(parsed, found)
    except Mistake as mistake:
        _complain(*mistake.lines)
        return mistake.status
    except KeyboardInterrupt:
        return _SIGINT
    except PermissionError as error:
        if error.filename is None:
            return _fault(found)
        _complain(*cannot_read(found.lang if found else FALLBACK, error, error.filename).lines)
        return Mistake.status
    except OutputFailed as failed:
        return _output_failed(failed.error, found.lang if found else FALLBACK)
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

        with contextlib.suppress(FileNotFoundError, NotADirectoryError):  # what may not be looked into is told
            os.listdir(chosen.folder.rulesets)

        return rules_command(parsed.action, parsed.names, chosen.lang, chosen.folder.rulesets, print_line, _complain)
    return _spoken(parsed, chosen)


def _replay(parsed: argparse.Namespace, chosen: Settings) -> int:
    from kozel.cli.replay_command import Replaying

    replaying = Replaying(chosen.lang, chosen.folder.rulesets, parsed.promise)
    if parsed.json:
        return replaying.as_json(parsed.files, print_line)
    return replaying.in_words(parsed.files, chosen.verbosity, print_line, _complain)


def _spoken(parsed: argparse.Namespace, chosen: Settings) -> int:
    from kozel.cli.app import App
    from kozel.cli.playing import menu_command, play_command, resume_command
    from kozel.cli.tools import keys_command, speech_command

    app = App(chosen)
    try:
        if chosen.notice:
            app.tell(chosen.notice)
        if parsed.command == "play":
            status = play_command(
                app,
                parsed.ruleset,
                parsed.player,
                parsed.pairs,
                parsed.option,
                parsed.seed,
                parsed.record,
                parsed.practice,
            )
        elif parsed.command == "resume":
            status = resume_command(app, parsed.file)
        elif parsed.command == "keys":
            status = keys_command(app, parsed.action)
        elif parsed.command == "speech":
            status = speech_command(app, parsed.action)
        elif parsed.command == "sounds":
            from kozel.cli.sounds_command import sounds_command

            status = sounds_command(app, parsed.action)
        elif parsed.command == "serve":
            from kozel.cli.serve_command import serve_command

            status = serve_command(app, parsed)
        elif parsed.command == "join":
            from kozel.cli.join_command import join_command

            status = join_command(app, parsed.host, parsed.code, parsed.name)
        else:
            status = menu_command(app)
    finally:
        app.close()
    problem = app.announcer.output_problem if app.announcer.mode == "lines" else None
    return _output_failed(problem, app.lang) if problem and not status else status


class OutputFailed(Exception):
    """Standard output takes no more lines. `error`: why."""

    def __init__(self, error: OSError) -> None:
        self.error = error
        super().__init__(str(error))


def _output_failed(error: OSError, lang: str) -> int:
    """The exit status where standard output is gone: nobody reads it any more, or it cannot be written, which is told."""
    with contextlib.suppress(OSError, ValueError, AttributeError):  # nothing more may be written to it when Python ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return _NO_READER
    _complain(message(lang, "cli.no_output", why=error.strerror or str(error)))
    return Failure.status


def print_line(text: str) -> None:
    """A line on standard output, in whatever encoding it has. Raises `OutputFailed`."""
    if sys.stdout is None:  # it was closed when Python began
        raise OutputFailed(OSError(errno.EBADF, os.strerror(errno.EBADF)))
    try:
        _write(sys.stdout, text)
    except OSError as error:
        raise OutputFailed(error) from None


def _complain(*lines: str) -> None:
    for line in lines:
        with contextlib.suppress(OSError, ValueError):
            if sys.stderr is not None:
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


def _fault(found: Settings | None, environ: Mapping[str, str] = os.environ) -> int:
    """A fault of our own: one sentence, and the details in a log file."""
    details = f"{datetime.now().isoformat(timespec='seconds')} {traceback.format_exc()}\n"
    lang = found.lang if found else system_language(environ) or FALLBACK
    try:
        log = (found or settings({}, mend=False)).folder.log
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8") as file:
            file.write(details)
    except Exception:
        _complain(message(lang, "cli.fault", file=message(lang, "cli.no_log")), details)
        return _FAULT
    _complain(message(lang, "cli.fault", file=str(log)))
    return _FAULT
