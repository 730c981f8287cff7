"""Write the shell completions and the manual pages from the parser's own data: `python tools/command_pages.py`.

To be run when a command, an option or the help's words have changed; a test compares. The files lie in `share/`, in the places
that a prefix such as /usr/local has for them, and go into the wheel from there.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

from kozel import __version__
from kozel.cli.arguments import command_parser
from kozel.locales import FALLBACK
from kozel.rules.reading import shipped_ids

SHARE = Path(__file__).resolve().parent.parent / "share"
MANUAL = Path(__file__).resolve().parent / "manual"
"""What the manual page says beside the help, a file a language."""
_RULESET = ("RULESET", "ID|FILE")


class Argument(NamedTuple):
    """An option, or a word that stands by its place: `flags` is empty for that. `value`: its metavar, '' for a switch."""

    flags: tuple[str, ...]
    value: str
    text: str
    many: bool

    @property
    def words(self) -> tuple[str, ...]:
        """The words that the value is chosen from, if the parser names them."""
        if self.value in _RULESET:
            return tuple(shipped_ids())
        return tuple(self.value.split("|")) if re.fullmatch(r"[a-z|]+", self.value) else ()

    @property
    def is_file(self) -> bool:
        """Whether a file may be named."""
        return "FILE" in self.value

    @property
    def is_folder(self) -> bool:
        """Whether a folder is named."""
        return self.value == "DIR"


class Command(NamedTuple):
    """A command of the program, or the program itself with the name ''."""

    name: str
    text: str
    arguments: tuple[Argument, ...]

    @property
    def options(self) -> list[Argument]:
        """What begins with a dash."""
        return [argument for argument in self.arguments if argument.flags]

    @property
    def places(self) -> list[Argument]:
        """What does not."""
        return [argument for argument in self.arguments if not argument.flags]


def commands(lang: str) -> list[Command]:
    """The program itself, then each of its commands, with their help in a language."""
    parser = command_parser(lang)
    listed = [Command("", parser.description or "", tuple(_arguments(parser)))]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            texts = {choice.dest: choice.help or "" for choice in action._choices_actions}
            listed += [Command(name, texts[name], tuple(_arguments(sub))) for name, sub in action.choices.items()]
    return listed


def _arguments(parser: argparse.ArgumentParser) -> Iterator[Argument]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            continue
        value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
        text = (action.help or "").replace("%%", "%")
        yield Argument(tuple(action.option_strings), value, text, action.nargs in ("*", "+"))


def bash(listed: list[Command]) -> str:
    """Completion for bash."""
    program, *subs = listed
    out = [
        "# bash completion for kozel; made by tools/command_pages.py",
        "_kozel() {",
        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= given",
        '  for given in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
        f"    case $given in {'|'.join(sub.name for sub in subs)}) command=$given; break ;; esac",
        "  done",
        "  COMPREPLY=()",
        '  case "$command $before" in',
    ]
    valued = {flag: option for command in listed for option in command.options if option.value for flag in option.flags}
    out += [f'    *" {flag}") {_bash_value([option])}; return ;;' for flag, option in valued.items()]
    out += ["  esac", '  case "$command" in']
    for command in subs:
        out.append(f'    "{command.name}") {_bash_value(command.places, command.options)} ;;')
    names = " ".join(sub.name for sub in subs)
    flags = " ".join(flag for option in program.options for flag in option.flags)
    out += [
        f'    *) COMPREPLY=($(compgen -W "{names} {flags}" -- "$word")) ;;',
        "  esac",
        "}",
        "complete -F _kozel kozel",
        "",
    ]
    return "\n".join(out)


def _bash_value(values: list[Argument], options: list[Argument] | None = None) -> str:
    words = [word for value in values for word in value.words]
    words += [flag for option in options or () for flag in option.flags]
    kinds = "".join(
        [" -f" if any(v.is_file for v in values) else "", " -d" if any(v.is_folder for v in values) else ""]
    )
    if not words and not kinds:
        return "COMPREPLY=()"
    listed = f' -W "{" ".join(words)}"' if words else ""
    return f'COMPREPLY=($(compgen{kinds}{listed} -- "$word"))'


def zsh(listed: list[Command]) -> str:
    """Completion for zsh."""
    program, *subs = listed
    out = [
        "#compdef kozel",
        "# made by tools/command_pages.py",
        "_kozel() {",
        "  local state line",
        "  typeset -A opt_args",
    ]
    out.append("  local -a commands=(")
    out += [f"    {_single(f'{sub.name}:{_colons(sub.text)}')}" for sub in subs]
    out += ["  )", "  _arguments -C \\"]
    out += [f"    {_zsh_option(option)} \\" for option in program.options]
    out += ["    '1: :->command' '*:: :->rest'", "  case $state in", "    command) _describe command commands ;;"]
    out += ["    rest)", "      case $words[1] in"]
    for sub in subs:
        specs = [_zsh_option(option) for option in sub.options]
        for number, place in enumerate(sub.places, 1):
            at = "*" if place.many else str(number)
            specs.append(_single(f"{at}:{_colons(place.value)}:{_zsh_value(place)}"))
        out += [f"        {sub.name}) _arguments \\"]
        out += [f"          {spec} \\" for spec in specs[:-1]] + [f"          {specs[-1]} ;;"]
    out += ["      esac ;;", "  esac", "}", '_kozel "$@"', ""]
    return "\n".join(out)


def _zsh_option(option: Argument) -> str:
    value = f":{_colons(option.value)}:{_zsh_value(option)}" if option.value else ""
    return " ".join(_single(f"{flag}[{_brackets(option.text)}]{value}") for flag in option.flags)


def _zsh_value(argument: Argument) -> str:
    words = f"({' '.join(argument.words)})" if argument.words else ""
    if argument.is_file:
        return f'_alternative "files:file:_files" "words:word:{words}"' if words else "_files"
    return "_files -/" if argument.is_folder else words or " "


def fish(listed: list[Command]) -> str:
    """Completion for fish."""
    subs = listed[1:]
    out = ["# fish completion for kozel; made by tools/command_pages.py", "complete -c kozel -f"]
    out += [f"complete -c kozel -n __fish_use_subcommand -a {sub.name} -d {_single(sub.text)}" for sub in subs]
    for command in listed:
        when = f"-n '__fish_seen_subcommand_from {command.name}'" if command.name else "-n __fish_use_subcommand"
        for option in command.options:
            flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
            out.append(f"complete -c kozel {when} {flags} -d {_single(option.text)}{_fish_value(option)}")
        for place in command.places:
            if place.words or place.is_file or place.is_folder:
                out.append(f"complete -c kozel {when} -d {_single(place.text)}{_fish_value(place)}".replace(" -x", ""))
    return "\n".join([*out, ""])


def _fish_value(argument: Argument) -> str:
    if not argument.value:
        return ""
    words = f" -a {_single(' '.join(argument.words))}" if argument.words else ""
    if argument.is_folder:
        return " -x -a '(__fish_complete_directories)'"
    return f" -r -F{words}" if argument.is_file else f" -x{words}"


def _single(text: str) -> str:
    """A word of the shell in single quotes."""
    return "'" + text.replace("'", "'\\''") + "'"


def _colons(text: str) -> str:
    return text.replace(":", "\\:")


def _brackets(text: str) -> str:
    return text.replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def manual(lang: str) -> str:
    """The manual page in a language."""
    program, *subs = commands(lang)
    texts = yaml.safe_load((MANUAL / f"{lang}.yaml").read_text(encoding="utf-8"))
    everywhere = set.intersection(*(set(sub.options) for sub in subs))
    common = [option for option in program.options if option in everywhere]

    def say(key: str, **facts: object) -> str:
        return _roff(texts[key].format_map(facts))

    def told(arguments: list[Argument]) -> Iterator[str]:
        for argument in arguments:
            names = ", ".join(f"\\fB{_roff(flag)}\\fR" for flag in argument.flags)
            value = f"\\fI{_roff(argument.value)}\\fR" if argument.value else ""
            yield from (".TP", " ".join(part for part in (names, value) if part), _roff(argument.text))

    out = [
        '.\\" -*- coding: utf-8 -*- made by tools/command_pages.py',
        f'.TH KOZEL 1 "" "kozel {__version__}"',
        f'.SH "{say("name")}"',
        f"kozel \\- {_roff(program.text.rstrip('.'))}",
        f'.SH "{say("synopsis")}"',
        "\\fBkozel\\fR [\\fIOPTION\\fR...]",
    ]
    for sub in subs:
        places = " ".join(f"[\\fI{_roff(place.value)}\\fR{'...' if place.many else ''}]" for place in sub.places)
        out += [".br", f"\\fBkozel {sub.name}\\fR [\\fIOPTION\\fR...] {places}".rstrip()]
    out += [f'.SH "{say("description")}"', say("about"), f'.SH "{say("commands")}"']
    for sub in subs:
        out += [f'.SS "kozel {sub.name}"', _roff(f"{sub.text[:1].upper()}{sub.text[1:]}.")]
        out += told([argument for argument in sub.arguments if argument not in common])
    out += [f'.SH "{say("options")}"', *told([option for option in program.options if option not in common])]
    out += [".PP", say("every"), *told(common)]
    variables = [option.flags[-1] for option in common if option.value]
    out += [f'.SH "{say("environment")}"', say("variables", flags=", ".join(variables)), say("first")]
    out += [f'.SH "{say("files")}"', ".TP", "\\fI~/.local/share/kozel\\fR", say("data"), f'.SH "{say("status")}"']
    for status, key in (("0", "0"), ("1", "1"), ("2", "2"), ("129, 130, 131, 143", "signal"), ("141", "141")):
        out += [".TP", f"\\fB{status}\\fR", say(f"status_{key}")]
    out += [f'.SH "{say("examples")}"']
    for words, key in (
        ("kozel", "menu"),
        ("kozel play kozel --player Anna --player Boris:novice", "play"),
        ("kozel resume", "resume"),
        ("kozel doctor", "doctor"),
    ):
        out += [".TP", f"\\fB{_roff(words)}\\fR", say(f"example_{key}")]
    return "\n".join([*out, ""])


def _roff(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def pages() -> dict[str, str]:
    """Each file's place under `share/`, and its text. Completions are in English, whose words every shell can show."""
    listed = commands(FALLBACK)
    made = {
        "bash-completion/completions/kozel": bash(listed),
        "zsh/site-functions/_kozel": zsh(listed),
        "fish/vendor_completions.d/kozel.fish": fish(listed),
    }
    for lang in sorted(path.stem for path in MANUAL.glob("*.yaml")):
        folder = "man" if lang == FALLBACK else f"man/{lang}"
        made[f"{folder}/man1/kozel.1"] = manual(lang)
    return made


def main() -> None:
    """Write them."""
    for name, text in pages().items():
        path = SHARE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        print(path.relative_to(SHARE.parent))


if __name__ == "__main__":
    main()
