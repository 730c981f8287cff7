"""The command line's words."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from kozel import __version__
from kozel.cli.mistakes import Mistake, suggest

COMMANDS = ("play", "resume", "replay", "rules", "keys", "speech")
_RULES = ("list", "show", "check")
_TOOLS = ("list", "test")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Mistake([f"{self.prog}: {message}", f"{self.prog} --help"])


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The parsed command line: `command` is None for the menu. Raises `Mistake`."""
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
    _refuse_unknown_command(words, first)
    parsed = parser.parse_args(list(words))
    _check_action(parsed)
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


def _refuse_unknown_command(words: Sequence[str], first: str | None) -> None:
    """argparse would list its choices in Python's words; and a value of a flag before the command is no command."""
    if first is not None and words[0] == first and first not in COMMANDS:
        raise Mistake([f"kozel: there is no command '{first}'; {suggest(first, COMMANDS)}"])


def _check_action(parsed: argparse.Namespace) -> None:
    allowed = {"rules": _RULES, "keys": _TOOLS, "speech": _TOOLS}.get(parsed.command or "")
    if allowed and parsed.action not in allowed:
        raise Mistake([f"kozel {parsed.command}: there is no '{parsed.action}'; {suggest(parsed.action, allowed)}"])
    if parsed.command == "rules":
        if parsed.action == "show" and len(parsed.names) != 1:
            raise Mistake(["kozel rules show: name one ruleset, such as: kozel rules show kozel"])
        if parsed.action == "check" and not parsed.names:
            raise Mistake(["kozel rules check: name a file, such as: kozel rules check club.yaml"])
        if parsed.action == "list" and parsed.names:
            raise Mistake(["kozel rules list takes no names; one ruleset in words: kozel rules show ID"])
