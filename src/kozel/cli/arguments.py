"""The command line's words."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, NoReturn

from kozel import __version__
from kozel.clean import clean
from kozel.cli.mistakes import Mistake, hint, wrong
from kozel.locales import FALLBACK, languages, message

COMMANDS = ("play", "resume", "replay", "rules", "keys", "speech", "sounds", "serve", "join", "doctor")
_RULES = ("list", "show", "check")
_TOOLS = ("list", "test")


_MISTAKES = (
    (re.compile(r"argument (?P<flag>\S+): expected .*argument.*"), "flag_needs_value"),
    (re.compile(r"argument (?P<flag>\S+): ignored explicit argument .*"), "flag_takes_none"),
    (re.compile(r"unrecognized arguments: (?P<words>.*)"), "words_too_many"),
    (re.compile(r"the following arguments are required: (?P<words>.*)"), "words_missing"),
)
"""The mistakes that argparse finds in a command line as it is set up here, by its own words."""

_NO_COMMAND = re.compile(r"argument COMMAND: invalid choice: ['\"](.*)['\"] \(choose from .*")


class _Formatter(argparse.HelpFormatter):
    """argparse's help with the word for "usage" of a language."""

    def __init__(self, prog: str, lang: str) -> None:
        super().__init__(prog)
        self._lang = lang

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, f"{_help(self._lang, 'usage')} " if prefix is None else prefix)


class _Parser(argparse.ArgumentParser):
    """A parser whose help is in a language. `told`: its arguments, `flags`: its options, in groups with a heading each."""

    def __init__(self, lang: str, **settings: Any) -> None:
        formatter = partial(_Formatter, lang=lang)
        super().__init__(**settings, formatter_class=formatter, add_help=False, allow_abbrev=False)
        self.lang = lang
        self.told = self.add_argument_group(_help(lang, "arguments"))
        self.flags = self.add_argument_group(_help(lang, "options"))
        self.flags.add_argument("-h", "--help", action="help", help=_help(lang, "help"))

    def error(self, message: str) -> NoReturn:
        raise _Unparsed(self.prog, message)


def _help(lang: str, key: str) -> str:
    """A text of the help; argparse takes a percent sign for a placeholder."""
    return message(lang, f"help.{key}").replace("%", "%%")


class _Unparsed(Exception):
    def __init__(self, program: str, message: str) -> None:
        self.program, self.message = program, message
        super().__init__(message)

    def told(self, lang: str) -> Mistake:
        """The mistake in a sentence of the catalogue."""
        unknown = _NO_COMMAND.fullmatch(self.message)
        if unknown:
            return wrong(lang, "no_command", command=clean(unknown[1]) or "", hint=hint(lang, unknown[1], COMMANDS))
        for pattern, key in _MISTAKES:
            found = pattern.fullmatch(self.message)
            if found:
                facts = {name: clean(text) or "" for name, text in found.groupdict().items()}
                return wrong(lang, key, help=f"{self.program} --help", **facts)
        return Mistake([f"{self.program}: {self.message}", f"{self.program} --help"])


def parse(words: Sequence[str], lang: str = FALLBACK) -> argparse.Namespace:
    """The parsed command line: `command` is None for the menu. Raises `Mistake` with its words in `lang`."""
    first = next((word for word in words if not word.startswith("-")), None)
    _refuse_unknown_command(words, first, lang)
    try:
        parsed = command_parser(lang).parse_args(list(words))
    except _Unparsed as error:
        raise error.told(lang) from None
    _check_action(parsed, lang)
    return parsed


def command_parser(lang: str) -> argparse.ArgumentParser:
    """The parser of the whole command line, its help in a language: also what completion and the manual page are made from."""
    parser = _Parser(lang, prog="kozel", description=_help(lang, "about"))
    version = f"kozel {__version__}"
    parser.flags.add_argument("--version", action="version", version=version, help=_help(lang, "version"))
    _add_common(parser, None)
    commands = parser.add_subparsers(
        dest="command", title=_help(lang, "commands"), metavar="COMMAND", parser_class=_Parser
    )
    _add_play(commands, lang)
    resume = _command(commands, "resume", lang)
    resume.told.add_argument("file", nargs="?", metavar="FILE", help=_help(lang, "resume_file"))
    replay = _command(commands, "replay", lang)
    replay.told.add_argument("files", nargs="+", metavar="FILE", help=_help(lang, "replay_files"))
    replay.flags.add_argument("--json", action="store_true", help=_help(lang, "json"))
    replay.flags.add_argument("--promise", metavar="FILE", help=_help(lang, "promise"))
    rules = _command(commands, "rules", lang)
    _add_action(rules, _RULES, "rules_action")
    rules.told.add_argument("names", nargs="*", metavar="ID|FILE", help=_help(lang, "rules_names"))
    for name in ("keys", "speech", "sounds"):
        _add_action(_command(commands, name, lang), _TOOLS, "tool_action")
    _command(commands, "doctor", lang)
    _add_serve(commands, lang)
    join = _command(commands, "join", lang)
    join.told.add_argument("host", metavar="HOST[:PORT]", help=_help(lang, "join_host"))
    join.told.add_argument("code", nargs="?", metavar="CODE", help=_help(lang, "join_code"))
    join.flags.add_argument("--name", metavar="NAME", help=_help(lang, "join_name"))
    return parser


def _command(commands: argparse._SubParsersAction[_Parser], name: str, lang: str) -> _Parser:
    text = _help(lang, name)
    parser = commands.add_parser(name, lang=lang, help=text, description=f"{text[:1].upper()}{text[1:]}.")
    _add_common(parser, argparse.SUPPRESS)
    return parser


def _add_action(parser: _Parser, actions: Sequence[str], key: str) -> None:
    help = _help(parser.lang, key)
    parser.told.add_argument("action", nargs="?", default="list", metavar="|".join(actions), help=help)


def _add_serve(commands: argparse._SubParsersAction[_Parser], lang: str) -> None:
    flags = _command(commands, "serve", lang).flags
    flags.add_argument("--address", metavar="A", help=_help(lang, "serve_address"))
    flags.add_argument("--port", metavar="N", default="2222", help=_help(lang, "serve_port"))
    flags.add_argument("--name", metavar="NAME", help=_help(lang, "serve_name"))
    flags.add_argument("--guests", metavar="yes|no", default="yes", help=_help(lang, "serve_guests"))
    flags.add_argument("--allow", metavar="KEYFILE", help=_help(lang, "serve_allow"))
    flags.add_argument("--bar", metavar="FILE", help=_help(lang, "serve_bar"))
    flags.add_argument("--tables", metavar="N", default="250", help=_help(lang, "serve_tables"))
    flags.add_argument("--away", metavar="SECONDS", default="120", help=_help(lang, "serve_away"))
    flags.add_argument("--reach", metavar="HOST[:PORT]", help=_help(lang, "serve_reach"))
    flags.add_argument("--nats", metavar="URL[,URL…]", help=_help(lang, "serve_nats"))
    flags.add_argument("--nats-credentials", metavar="FILE", help=_help(lang, "serve_nats_credentials"))
    flags.add_argument("--nats-ca", metavar="FILE", help=_help(lang, "serve_nats_ca"))
    flags.add_argument("--status", metavar="URL[,URL…]", help=_help(lang, "serve_status"))
    flags.add_argument("--json", action="store_true", help=_help(lang, "serve_json"))


def _add_play(commands: argparse._SubParsersAction[_Parser], lang: str) -> None:
    play = _command(commands, "play", lang)
    play.told.add_argument("ruleset", nargs="?", metavar="RULESET", help=_help(lang, "ruleset"))
    flags = play.flags
    flags.add_argument("--player", action="append", metavar="NAME[:LEVEL]", help=_help(lang, "player"))
    flags.add_argument("--pairs", action="store_true", help=_help(lang, "pairs"))
    flags.add_argument("--option", action="append", metavar="NAME=VALUE", help=_help(lang, "option"))
    flags.add_argument("--seed", metavar="TEXT", help=_help(lang, "seed"))
    flags.add_argument("--record", metavar="FILE", help=_help(lang, "record"))
    flags.add_argument("--practice", action="store_true", help=_help(lang, "practice"))


def _add_common(parser: _Parser, default: str | None) -> None:
    for flag, metavar, key in (
        ("--lang", "|".join(languages()), "lang"),
        ("--speech", "auto|lines|direct|off", "speech_mode"),
        ("--verbosity", "brief|normal|full", "verbosity"),
        ("--keymap", "NAME|FILE", "keymap"),
        ("--transcript", "FILE", "transcript"),
        ("--log", "FILE", "log"),
        ("--data-dir", "DIR", "data_dir"),
    ):
        parser.flags.add_argument(flag, metavar=metavar, default=default, help=_help(parser.lang, key))


def _refuse_unknown_command(words: Sequence[str], first: str | None, lang: str) -> None:
    """argparse would list its choices in Python's words; and a value of a flag before the command is no command."""
    if first is not None and words[0] == first and first not in COMMANDS:
        raise wrong(lang, "no_command", command=clean(first) or "", hint=hint(lang, first, COMMANDS))


def _check_action(parsed: argparse.Namespace, lang: str) -> None:
    allowed = {"rules": _RULES, "keys": _TOOLS, "speech": _TOOLS, "sounds": _TOOLS}.get(parsed.command or "")
    action = parsed.action if allowed else ""
    if allowed and action not in allowed:
        facts = {"action": clean(action) or "", "hint": hint(lang, action, allowed)}
        raise wrong(lang, "no_action", command=f"kozel {parsed.command}", **facts)
    if parsed.command == "rules":
        if action == "show" and len(parsed.names) != 1:
            raise wrong(lang, "one_ruleset", example="kozel rules show kozel")
        if action == "check" and not parsed.names:
            raise wrong(lang, "needs_file", example="kozel rules check club.yaml")
        if action == "list" and parsed.names:
            raise wrong(lang, "list_alone", example="kozel rules show kozel")
