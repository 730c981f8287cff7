"""YAML files that people write, read as nodes that know their line and column.

The player's files are hostile until shown otherwise: a file that is too large, binary, not UTF-8,
deeply nested, or that uses anchors, aliases or tags is refused at once, before anything is built from it.
"""

from __future__ import annotations

import io
import re
import stat
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import yaml

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML built without libyaml
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]

MAX_BYTES = 1_000_000
MAX_DEPTH = 20
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff]")
_UNSPEAKABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]+")
_LONGEST_WORD = 60
_YES = frozenset(("yes", "true", "on"))
_NO = frozenset(("no", "false", "off"))


class Problem(NamedTuple):
    """One mistake in a file: where it is (line and column count from 1) and what would be right.

    A file that cannot be read at all has line 0, and `reason`: 'missing', 'folder', 'irregular', or the system's words.
    """

    file: str
    line: int
    column: int
    text: str
    reason: str = ""

    def __str__(self) -> str:
        file = _UNSPEAKABLE.sub(" ", self.file)
        return f"{file}:{self.line}:{self.column}: {self.text}" if self.line else f"{file}: {self.text}"


class BadFile(Exception):
    """A file that cannot be used. `problems` holds every mistake that was found, in the order of the file."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda p: (p.line, p.column)))
        super().__init__("\n".join(map(str, self.problems)))


def at(node: yaml.Node, text: str) -> Problem:
    """A problem at the place of a node."""
    mark = node.start_mark
    return Problem(mark.name, mark.line + 1, mark.column + 1, _UNSPEAKABLE.sub(" ", text))


def shown(word: object) -> str:
    """Words of a file as a message quotes them: on one line, without control characters, and not at endless length."""
    text = _UNSPEAKABLE.sub(" ", str(word))
    return text if len(text) <= _LONGEST_WORD else f"{text[: _LONGEST_WORD - 1]}…"


def suggest(word: str, known: Iterable[str]) -> str:
    """How a message about an unknown word goes on: the nearest known word, or all of them."""
    words = [str(k) for k in known]
    near = get_close_matches(word, words, 1) if len(word) <= _LONGEST_WORD else []
    if near:
        return f"did you mean '{near[0]}'?"
    return f"known: {', '.join(words)}" if words else "none is known here"


def read_bytes(path: Path) -> bytes:
    """The content of a file, or `BadFile` with a sentence why it cannot be read."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe or a device may wait for ever
            raise _unreadable(path, "folder" if path.is_dir() else "irregular")
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise _unreadable(path, "missing") from None
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise _unreadable(path, str(reason)) from None


_REASONS = {"missing": "there is no such file", "folder": "it is a folder", "irregular": "it is no regular file"}


def _unreadable(path: Path, reason: str) -> BadFile:
    return BadFile([Problem(str(path), 0, 0, f"cannot be read: {_REASONS.get(reason, reason)}", reason)])


def compose(content: bytes | str, name: str, most: int | None = None) -> yaml.Node:
    """The single document of a YAML text as a tree of nodes; `most`: how many nodes it may have.

    `name` stands for the file in messages. Raises `BadFile` where the text is no YAML or is more than plain data.
    """
    text = _decoded(content, name)
    try:
        node = _tree(text, name, most)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise BadFile([Problem(name, line, column, f"is no YAML: {shown(error.problem or error.context)}")]) from None
    except yaml.YAMLError as error:
        raise BadFile([Problem(name, 1, 1, f"is no YAML: {shown(error)}")]) from None
    if node is None:
        raise BadFile([Problem(name, 1, 1, "is empty")])
    return node


def load(path: Path) -> yaml.Node:
    """`compose` of a file on disk; the path as given stands in messages."""
    return compose(read_bytes(path), str(path))


def mapping(node: yaml.Node, what: str, problems: list[Problem]) -> dict[str, tuple[yaml.ScalarNode, yaml.Node]]:
    """The entries of a mapping node by key, each with its key's node; what is wrong goes to `problems`."""
    if not isinstance(node, yaml.MappingNode):
        problems.append(at(node, f"{what} must be written as 'name: value' lines"))
        return {}
    entries: dict[str, tuple[yaml.ScalarNode, yaml.Node]] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            problems.append(at(key, f"a name is expected in {what}"))
        elif key.value in entries:
            problems.append(at(key, f"'{shown(key.value)}' stands twice in {what}"))
        else:
            entries[key.value] = (key, value)
    return entries


def scalar(node: yaml.Node) -> bool | int | str | None:
    """What a plain scalar means: yes/no, a whole number, nothing, or text; quoted scalars are always text."""
    if not isinstance(node, yaml.ScalarNode):
        raise TypeError("not a scalar")
    word = str(node.value)
    if node.style in ("'", '"', "|", ">"):
        return word
    lower = word.lower()
    if lower in _YES:
        return True
    if lower in _NO:
        return False
    if lower in ("", "~", "null"):
        return None
    if re.fullmatch(r"[-+]?[0-9]{1,18}", word):
        return int(word)
    return word


def walk(node: yaml.Node) -> Iterator[yaml.Node]:
    """The node and all below it."""
    yield node
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from walk(key)
            yield from walk(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from walk(item)


def _decoded(content: bytes | str, name: str) -> str:
    if len(content) > MAX_BYTES:
        raise BadFile([Problem(name, 1, 1, "is larger than a megabyte")])
    if isinstance(content, str):
        text = content
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            lines = content[: error.start].split(b"\n")
            column = len(lines[-1].decode("utf-8-sig")) + 1
            raise BadFile([Problem(name, len(lines), column, "is not UTF-8 text")]) from None
    bad = _CONTROL.search(text)
    if bad:
        before = text[: bad.start()]
        column = bad.start() - (before.rfind("\n") + 1) + 1
        raise BadFile([Problem(name, before.count("\n") + 1, column, "has a control character: it is no text file")])
    return text


class _Named(io.StringIO):
    """A text that tells its loader, and so every mark, the name of its file."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text)
        self.name = name


def _as_written(tag: str) -> str:
    return tag.replace("tag:yaml.org,2002:", "!!")


def _tree(text: str, name: str, most: int | None) -> yaml.Node | None:
    """Build the nodes from the parser's events in one pass. What is more than data is refused before it is built."""
    loader = _Loader(_Named(text, name))
    root: yaml.Node | None = None
    inside: list[yaml.CollectionNode] = []
    nodes = 0
    try:
        while loader.check_event():
            event: Any = loader.get_event()
            is_node = isinstance(event, yaml.NodeEvent)
            if is_node:
                nodes += 1
                if event.anchor is not None or event.tag is not None:
                    _refuse_more_than_data(event, name)
                if most is not None and nodes > most:
                    raise BadFile([_at_event(event, name, f"has more than {most} names and values")])
                node = _node(event)
                if inside:
                    inside[-1].value.append(node)
                else:
                    root = node
                if isinstance(node, yaml.CollectionNode):
                    inside.append(node)
                    if len(inside) > MAX_DEPTH:
                        raise BadFile([_at_event(event, name, f"is nested deeper than {MAX_DEPTH} levels")])
            elif isinstance(event, yaml.CollectionEndEvent):
                ended = inside.pop()
                ended.end_mark = event.end_mark
                if isinstance(ended, yaml.MappingNode):
                    ended.value = list(zip(ended.value[::2], ended.value[1::2], strict=True))
            elif isinstance(event, yaml.DocumentStartEvent) and root is not None:
                raise BadFile([_at_event(event, name, "is no YAML: but found another document")])
    finally:
        loader.dispose()
    return root


def _node(event: Any) -> yaml.Node:
    tag, start, end = event.tag, event.start_mark, event.end_mark
    if isinstance(event, yaml.ScalarEvent):
        return yaml.ScalarNode(tag, event.value, start, end, event.style)
    kind = yaml.MappingNode if isinstance(event, yaml.MappingStartEvent) else yaml.SequenceNode
    return kind(tag, [], start, end, event.flow_style)


def _refuse_more_than_data(event: Any, name: str) -> None:
    if isinstance(event, yaml.AliasEvent):
        raise BadFile([_at_event(event, name, f"'*{shown(event.anchor)}': aliases are not allowed")])
    if event.anchor is not None:
        raise BadFile([_at_event(event, name, f"'&{shown(event.anchor)}': anchors are not allowed")])
    if event.tag not in (None, "!"):
        raise BadFile([_at_event(event, name, f"'{shown(_as_written(event.tag))}': tags are not allowed")])


def _at_event(event: Any, name: str, text: str) -> Problem:
    mark = event.start_mark
    return Problem(name, mark.line + 1, mark.column + 1, text)
