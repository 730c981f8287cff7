"""Keymaps: which key gives which command, read from YAML. The format is described in `keymaps/README.md`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from kozel import yamltree
from kozel.locales import Phrase, languages, name_in, phrase
from kozel.session.commands import Command
from kozel.shipped import shipped
from kozel.terminal.keynames import KeyNameError, parse_key
from kozel.yamltree import BadFile, Problem, at, quoting, suggest

_FIELDS = ("name", "extends", "keys")
_INDISPENSABLE = (Command.WALK_LEFT, Command.WALK_RIGHT, Command.ACT, Command.CONFIRM, Command.LEAVE)
_NO_KEYS = "none"
# What the classic keymap did not have from the beginning: keymaps that extend it keep these keys where they use them.
_GIVES_WAY = {
    **dict.fromkeys(("i", "j", "`", "pageup", "pagedown")),
    "f": Command.WALK_LEFT,
    "g": Command.WALK_RIGHT,
    "y": Command.MOVES_SINCE_TURN,
}


@dataclass(frozen=True)
class Keymap:
    """A keymap in force.

    `commands` maps each command that has keys to them, in the order of use, the keys in the order of the file;
    `names` is what the keymap is called, by language; '' for one name in all of them.
    """

    id: str
    names: Mapping[str, str]
    commands: Mapping[Command, tuple[str, ...]]

    def name(self, lang: str) -> str:
        """What the keymap is called in a language, or else in English, or in whichever it has."""
        return name_in(lang, self.names, self.id)

    @property
    def keys(self) -> dict[str, Command]:
        """The command of each key."""
        return {key: command for command, keys in self.commands.items() for key in keys}


class NoSuchKeymap(BadFile):
    """There is no keymap of that `name`, only the `known`; the only problem is a sentence without a place."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        self.name, self.known = name, known
        super().__init__([Problem("", 0, 0, quoting("mistake.no_keymap", name=name, hint=suggest(name, known)))])


def shipped_ids() -> list[str]:
    """The ids of the keymaps that come with the program."""
    return sorted(path.stem for path in shipped("keymaps").glob("*.yaml"))


def load_keymap(name: str | os.PathLike[str], user_dir: Path | None = None) -> Keymap:
    """The keymap of an id (shipped, or NAME.yaml in the player's folder) or of a file.

    Raises `BadFile` with every mistake that was found, in this file and in those it extends.
    """
    loader = _Loader(user_dir)
    path = loader.find(os.fspath(name))
    raw = loader.read(path, [])
    if raw is not None:
        loader.check_indispensable(path, raw)
    if raw is None or loader.problems:
        raise BadFile(loader.problems)
    commands = {command: raw.keys[command] for command in Command if raw.keys.get(command)}
    return Keymap(path.stem, raw.names, commands)


@dataclass
class _Raw:
    """A keymap while it is read: what its names and keys are, and in which file each command got its keys."""

    names: dict[str, str]
    keys: dict[Command, tuple[str, ...]]
    root: yaml.Node


class _Loader:
    def __init__(self, user_dir: Path | None) -> None:
        self._user_dir = user_dir
        self.problems: list[Problem] = []

    def find(self, name: str) -> Path:
        """The file of a keymap that was named by the player."""
        path = Path(name)
        if path.suffix in (".yaml", ".yml") or path.name != name:
            self._refuse_shipped_id(path)
            return path
        found = self._by_id(name)
        if found is None:
            known = [*shipped_ids(), *self._user_ids()]
            raise NoSuchKeymap(name, known)
        return found

    def _user_ids(self) -> list[str]:
        if self._user_dir is None or not self._user_dir.is_dir():
            return []
        return sorted(path.stem for path in self._user_dir.glob("*.yaml"))

    def _by_id(self, name: str) -> Path | None:
        own = self._user_dir / f"{name}.yaml" if self._user_dir is not None else None
        if own is not None and own.is_file():
            self._refuse_shipped_id(own)
            return own
        path = shipped("keymaps") / f"{name}.yaml"
        return path if path.is_file() else None

    def _refuse_shipped_id(self, path: Path) -> None:
        original = shipped("keymaps") / f"{path.stem}.yaml"
        if original.is_file() and not (path.is_file() and path.samefile(original)):
            raise BadFile([Problem(str(path), 1, 1, quoting("mistake.shipped_keymap", name=path.stem))])

    def read(self, path: Path, below: list[str]) -> _Raw | None:
        """One file and all that it extends; None where it could not be read at all."""
        try:
            root = yamltree.load(path)
        except BadFile as bad:
            self.problems.extend(bad.problems)
            return None
        fields = yamltree.mapping(root, phrase("mistake.a_keymap"), self.problems)
        for field, (key, _) in fields.items():
            if field not in _FIELDS:
                self.problems.append(at(key, "mistake.keymap_key", key=field, hint=suggest(field, _FIELDS)))
        if isinstance(root, yaml.MappingNode) and not {"keys", "extends"} & fields.keys():
            self.problems.append(at(root, "mistake.keymap_needs_keys"))
        raw = _Raw({}, {}, root)
        if "extends" in fields:
            parent = self._parent(fields["extends"][1], [*below, path.stem])
            raw.keys = dict(parent.keys) if parent is not None else {}
        if "name" in fields:
            raw.names = self._names(fields["name"][1])
        if "keys" in fields:
            self._keys(fields["keys"][1], raw.keys)
        return raw

    def _parent(self, node: yaml.Node, below: list[str]) -> _Raw | None:
        if not isinstance(node, yaml.ScalarNode) or not node.value:
            self.problems.append(at(node, "mistake.keymap_parent"))
            return None
        name = str(node.value)
        if name in below:
            circle = " → ".join([*below[below.index(name) :], name])
            self.problems.append(at(node, "mistake.keymap_circle", circle=circle))
            return None
        try:
            path = self._by_id(name)
        except BadFile as bad:
            self.problems.extend(bad.problems)
            return None
        if path is None:
            known = [each for each in (*shipped_ids(), *self._user_ids()) if each not in below]
            self.problems.append(at(node, "mistake.no_keymap", name=name, hint=suggest(name, known)))
            return None
        return self.read(path, below)

    def _names(self, node: yaml.Node) -> dict[str, str]:
        if isinstance(node, yaml.ScalarNode):
            return {"": str(node.value)}
        names: dict[str, str] = {}
        for lang, (key, value) in yamltree.mapping(node, "name", self.problems).items():
            if lang not in languages():
                self.problems.append(at(key, "mistake.keymap_language", lang=lang, hint=suggest(lang, languages())))
            elif not isinstance(value, yaml.ScalarNode) or not value.value:
                self.problems.append(at(value, "mistake.keymap_name"))
            else:
                names[lang] = str(value.value)
        return names

    def _keys(self, node: yaml.Node, inherited: dict[Command, tuple[str, ...]]) -> None:
        """Put this file's keys over the inherited ones, in place."""
        given: dict[Command, list[tuple[str, yaml.Node]]] = {}
        for word, (key, value) in yamltree.mapping(node, "keys", self.problems).items():
            try:
                command = _command(word)
            except ValueError:
                known = [each.value for each in Command if each.has_keys]
                near = suggest(word, known)
                hint = near if near.key == "mistake.did_you_mean" else phrase("mistake.commands_listed")
                self.problems.append(at(key, "mistake.no_command", word=word, hint=hint))
                continue
            given[command] = list(self._key_list(value))
        for command in given:
            inherited.pop(command, None)
        owner = {key: command for command, keys in inherited.items() for key in keys}
        own: dict[str, yaml.Node] = {}
        for command, entries in given.items():
            names: list[str] = []
            for name, place in entries:
                if name not in own and _gives_way(name, owner.get(name)):
                    inherited[owner[name]] = tuple(key for key in inherited[owner[name]] if key != name)
                elif name in owner:
                    self.problems.append(at(place, _taken(place, owner[name], own.get(name))))
                    continue
                owner[name], own[name] = command, place
                names.append(name)
            inherited[command] = tuple(names)

    def _key_list(self, node: yaml.Node) -> Iterator[tuple[str, yaml.Node]]:
        if isinstance(node, yaml.MappingNode):
            self.problems.append(at(node, "mistake.keys_expected"))
            return
        entries = node.value if isinstance(node, yaml.SequenceNode) else [node]
        for entry in entries:
            if not isinstance(entry, yaml.ScalarNode):
                self.problems.append(at(entry, "mistake.key_expected"))
            elif not entry.value:
                self.problems.append(at(entry, "mistake.key_missing"))
            elif entry.value == _NO_KEYS:
                if node is not entry:
                    self.problems.append(at(entry, "mistake.none_stands_alone"))
            else:
                try:
                    yield parse_key(str(entry.value)), entry
                except KeyNameError as error:
                    self.problems.append(at(entry, error.phrase))

    def check_indispensable(self, path: Path, raw: _Raw) -> None:
        """Without these a match can be neither played nor left."""
        if self.problems:
            return
        for command in _INDISPENSABLE:
            if not raw.keys.get(command):
                self.problems.append(at(raw.root, "mistake.command_without_key", command=command))


def _command(word: str) -> Command:
    command = Command(word)
    if not command.has_keys:
        raise ValueError(word)
    return command


def _gives_way(key: str, command: Command | None) -> bool:
    """Whether an inherited command leaves a key to whatever wants it."""
    return command is not None and key in _GIVES_WAY and _GIVES_WAY[key] in (None, command)


def _taken(place: yaml.Node, command: Command, first: yaml.Node | None) -> Phrase:
    facts = {"key": place.value, "command": str(command)}
    if first is not None:
        mark = first.start_mark
        return quoting("mistake.key_taken", **facts, line=mark.line + 1, column=mark.column + 1)
    return quoting("mistake.key_taken_above", **facts)
