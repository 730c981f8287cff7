"""The command line's words."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import NoReturn

from kozel import __version__
from kozel.clean import clean
from kozel.cli.mistakes import Mistake, hint, wrong

COMMANDS = ("play", "resume", "replay", "rules", "keys", "speech")
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


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _Unparsed(self.prog, message)


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


def parse(words: Sequence[str], lang: str = "en") -> argparse.Namespace:
    """The parsed command line: `command` is None for the menu. Raises `Mistake` with its words in `lang`."""
    first = next((word for word in words if not word.startswith("-")), None)
    parser = _Parser(prog="kozel", description="Russian dominoes for people who play by ear.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"kozel {__version__}")
    _add_common(parser, None)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    _add_play(commands)
    resume = _command(commands, "resume", "go on with the newest unfinished match, or with a record")
    resume.add_argument("file", nargs="?", metavar="FILE")
    replay = _command(commands, "replay", "replay records by the rules")
    replay.add_argument("files", nargs="+", metavar="FILE")
    replay.add_argument("--json", action="store_true", help="one JSON object a file")
    rules = _command(commands, "rules", "the rulesets: list, show ID, check FILE")
    rules.add_argument("action", nargs="?", default="list", metavar="list|show|check")
    rules.add_argument("names", nargs="*", metavar="ID|FILE")
    for name, text in (("keys", "the keymap in force"), ("speech", "the speech outputs")):
        tool = _command(commands, name, f"{text}: list, test")
        tool.add_argument("action", nargs="?", default="list", metavar="list|test")
    _refuse_unknown_command(words, first, lang)
    try:
        parsed = parser.parse_args(list(words))
    except _Unparsed as error:
        raise error.told(lang) from None
    _check_action(parsed, lang)
    return parsed


def _command(commands: argparse._SubParsersAction[_Parser], name: str, text: str) -> _Parser:
    parser = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
    _add_common(parser, argparse.SUPPRESS)
    return parser


def _add_play(commands: argparse._SubParsersAction[_Parser]) -> None:
    play = _command(commands, "play", "start a match")
    play.add_argument("ruleset", nargs="?", metavar="RULESET")
    play.add_argument("--player", action="append", metavar="NAME[:LEVEL]", help="once a seat; LEVEL: a computer player")
    play.add_argument("--pairs", action="store_true", help="0 and 2 against 1 and 3")
    play.add_argument("--option", action="append", metavar="NAME=VALUE", help="an option of the ruleset")
    play.add_argument("--seed", metavar="TEXT", help="the same deals again")
    play.add_argument("--record", metavar="FILE", help="where the match is recorded")
    play.add_argument("--practice", action="store_true", help="moves can be taken back; the match does not count")


def _add_common(parser: argparse.ArgumentParser, default: str | None) -> None:
    for flag, metavar in (
        ("--lang", "ru|en"),
        ("--speech", "auto|lines|direct|off"),
        ("--verbosity", "brief|normal|full"),
        ("--keymap", "NAME|FILE"),
        ("--transcript", "FILE"),
        ("--data-dir", "DIR"),
    ):
        parser.add_argument(flag, metavar=metavar, default=default)


def _refuse_unknown_command(words: Sequence[str], first: str | None, lang: str) -> None:
    """argparse would list its choices in Python's words; and a value of a flag before the command is no command."""
    if first is not None and words[0] == first and first not in COMMANDS:
        raise wrong(lang, "no_command", command=clean(first) or "", hint=hint(lang, first, COMMANDS))


def _check_action(parsed: argparse.Namespace, lang: str) -> None:
    allowed = {"rules": _RULES, "keys": _TOOLS, "speech": _TOOLS}.get(parsed.command or "")
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
