"""Ruleset files: found by name, read, and every mistake in them told at once."""

from __future__ import annotations

from pathlib import Path

from kozel.locales import Phrase
from kozel.rules.checking import check
from kozel.rules.head import HeadReader, NoParent
from kozel.rules.ruleset import Ruleset
from kozel.shipped import shipped
from kozel.yamltree import BadFile, Problem, compose, quoting, read_bytes, suggest

MAX_NODES = 2000
"""How many names and values a ruleset file may have; the largest shipped one has about 150."""
MAX_CHAIN = 10
"""How many rulesets may extend one another."""
_ORDER = ("domino", "kozel", "kozel-yard", "kozel-101", "osel", "kozel-1x1", "kozel-2x2", "kozel-deferred")

_Stamp = tuple[int, int]
_read: dict[tuple[Path, bool], tuple[dict[Path, _Stamp], Ruleset]] = {}


def shipped_ids() -> tuple[str, ...]:
    """The ids of the rulesets that come with the program, in the order of the rulebook."""
    ids = {path.stem for path in shipped("rulesets").glob("*.yaml")}
    return tuple(id for id in _ORDER if id in ids) + tuple(sorted(ids - set(_ORDER)))


def own_files(folder: Path | None) -> dict[str, Path]:
    """The player's own ruleset files by name: the id in the file, or the file's name where it cannot be read.

    Of two files with one id the second goes by its file's name. A name that a shipped ruleset has is left out.
    """
    if folder is None or not folder.is_dir():
        return {}
    files: dict[str, Path] = {}
    for path in _files(folder):
        try:
            name = read_ruleset(path).id
        except BadFile:
            name = path.stem
        if name in files:
            name = path.stem
        if name not in files and name not in shipped_ids():
            files[name] = path
    return files


def own_ids(folder: Path | None) -> tuple[str, ...]:
    """The names of the player's own ruleset files in a folder."""
    return tuple(own_files(folder))


def suggest_ruleset(name: str, known: tuple[str, ...]) -> Phrase:
    """How a message about an unknown ruleset goes on; what players call a shipped one is answered with its id."""
    folded = name.casefold().replace("ё", "е").removesuffix(".yaml").removesuffix(".yml")
    for id in shipped_ids():
        names = find(id).names.values()
        if folded in (id, *(each.casefold().replace("ё", "е") for each in names)):
            return quoting("mistake.write_instead", text=id)
    return suggest(name, known)


class UnknownRuleset(LookupError):
    """No ruleset of that name. `known`: the names there are; `hint`: which is meant; `phrase` says so."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        self.name, self.known = name, known
        self.hint = suggest_ruleset(name, known)
        self.phrase = quoting("mistake.no_ruleset", name=name, hint=self.hint)
        super().__init__(self.phrase.text("en"))


def find(name: str, folder: Path | None = None, base: Path | None = None) -> Ruleset:
    """A shipped ruleset by id, the player's own by name, or a ruleset file by its path (relative to `base`).

    Raises `UnknownRuleset`, or `BadFile` with all that is wrong in the file.
    """
    if name in shipped_ids():
        return read_ruleset(shipped("rulesets") / f"{name}.yaml")
    own = own_files(folder)
    if name in own:
        return read_ruleset(own[name])
    if name.endswith((".yaml", ".yml")) or "/" in name or "\\" in name:
        return read_ruleset((base or Path()) / name)
    raise UnknownRuleset(name, (*shipped_ids(), *own))


def read_ruleset(path: Path, tried: bool = False) -> Ruleset:
    """The ruleset in a file; raises `BadFile` with every mistake in it. Read once as long as its files do not change.

    `tried`: it is tried out as well, which takes a moment: rounds are played to see whether a match ever ends.
    """
    if (path, tried) in _read:
        stamps, ruleset = _read[path, tried]
        if all(_stamp(file) == stamp for file, stamp in stamps.items()):
            return ruleset
    files: list[Path] = []
    stamp = _stamp(path)
    ruleset = parse_ruleset(read_bytes(path), path, files=files, tried=tried)
    _read[path, tried] = ({path: stamp, **{file: _stamp(file) for file in files}}, ruleset)
    return ruleset


def parse_ruleset(
    content: bytes, path: Path, chain: tuple[Path, ...] = (), files: list[Path] | None = None, tried: bool = False
) -> Ruleset:
    """The ruleset in a file's content. `chain`: the files that extend it; `files` is filled with those that it extends.

    Raises `BadFile` with every mistake in it.
    """
    root = compose(content, str(path), MAX_NODES)
    problems: list[Problem] = []
    above = (*chain, path.resolve())

    def parent(name: str) -> Ruleset:
        file = extended_file(name, path, above)
        if files is not None:
            files.append(file)
        return parse_ruleset(read_bytes(file), file, above, files)

    reader = HeadReader(path, root, problems, parent, shipped_ids())
    ruleset = reader.read()
    problems += check(ruleset, root, reader.extends, reader.unsure, tried and not problems)
    if problems:
        raise BadFile(problems)
    return ruleset


def _files(folder: Path) -> list[Path]:
    files = sorted((*folder.glob("*.yaml"), *folder.glob("*.yml")))
    return [path for path in files if path.is_file()]


def _stamp(path: Path) -> _Stamp:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return 0, 0
    return status.st_mtime_ns, status.st_size


def extended_file(name: str, path: Path, chain: tuple[Path, ...] = ()) -> Path:
    """The file of the ruleset that one extends: a shipped one, or one beside it. Raises `NoParent`."""
    beside = path.parent
    places: tuple[Path, ...] = (beside / f"{name}.yaml", beside / f"{name}.yml", beside / name)
    if name in shipped_ids():
        places = (shipped("rulesets") / f"{name}.yaml",)
    try:
        file = next((place for place in places if place.is_file()), None)
    except (OSError, ValueError):
        file = None
    if file is None:
        near = sorted(own.stem for own in _files(beside) if own != path)
        known = (*shipped_ids(), *(stem for stem in near if stem not in shipped_ids()))
        raise NoParent(quoting("mistake.no_parent", name=name, hint=suggest_ruleset(name, known)))
    if file.resolve() in chain:
        raise NoParent(quoting("mistake.extends_itself", name=name))
    if len(chain) > MAX_CHAIN:
        raise NoParent(quoting("mistake.extends_too_far", most=MAX_CHAIN))
    return file
