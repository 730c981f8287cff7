"""`kozel rules`: the rulesets there are, one in words, and what is wrong in a player's own file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from kozel.rules.describing import describe, sentences
from kozel.rules.reading import UnknownRuleset, find, own_files, read_ruleset, shipped_ids
from kozel.yamltree import BadFile, shown

Say = Callable[[str], object]


def rules_command(action: str, names: Sequence[str], lang: str, folder: Path | None, say: Say, complain: Say) -> int:
    """Carry out `list`, `show ID` or `check FILE…`; the exit status. `folder`: the player's own rulesets.

    `say` gets what was asked for, `complain` each line about a mistake.
    """
    if action == "show":
        statuses = [show(name, lang, folder, say, complain) for name in names]
    elif action == "check":
        statuses = [check(name, lang, folder, say, complain) for name in names]
    else:
        statuses = [list_rulesets(lang, folder, say)]
    return max(statuses, default=0)


def list_rulesets(lang: str, folder: Path | None, say: Say) -> int:
    """Every ruleset's id and name, the player's own last, and where those go."""
    texts = sentences(lang).TEXTS
    for id in shipped_ids():
        say(texts["listed"].format(id=id, name=find(id).name(lang)))
    for id, file in own_files(folder).items():
        say(_own_line(id, file, lang))
    if folder is not None:
        say(texts["own_folder"].format(folder=folder))
    return 0


def _own_line(id: str, file: Path, lang: str) -> str:
    texts = sentences(lang).TEXTS
    try:
        return texts["listed_own"].format(id=id, name=read_ruleset(file).name(lang))
    except BadFile:
        return texts["listed_broken"].format(id=shown(id), file=file)


def show(name: str, lang: str, folder: Path | None, say: Say, complain: Say) -> int:
    """A ruleset in words: a shipped one or the player's own by id, or a file."""
    try:
        ruleset = find(name, folder)
    except UnknownRuleset as error:
        hint = error.hint.text(lang)
        complain(sentences(lang).TEXTS["unknown"].format(name=shown(name), hint=hint))
        return 2
    except BadFile as error:
        return _tell(error, lang, complain)
    _, *lines = describe(ruleset, lang)
    say(sentences(lang).TEXTS["shown"].format(name=ruleset.name(lang), id=ruleset.id))
    for line in lines:
        say(line)
    return 0


def check(name: str, lang: str, folder: Path | None, say: Say, complain: Say) -> int:
    """Everything that is wrong in a ruleset file, or that it is fine. An id will do as well."""
    path = Path(name)
    own = own_files(folder)
    if not _exists(path):
        path = find(name).path if name in shipped_ids() else own.get(name, path)
    try:
        ruleset = read_ruleset(path, tried=True)
    except BadFile as error:
        return _tell(error, lang, complain)
    say(sentences(lang).TEXTS["fine"].format(file=path, name=ruleset.name(lang), id=ruleset.id))
    return 0


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _tell(error: BadFile, lang: str, complain: Say) -> int:
    for problem in error.problems:
        complain(problem.placed(lang))
    return 2
