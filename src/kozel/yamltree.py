"""YAML files that people write, read as nodes that know their line and column.

The player's files are hostile until shown otherwise: a file that is too large, binary, not UTF-8,
deeply nested, or that uses anchors, aliases or tags is refused at once, before anything is built from it.
"""

from __future__ import annotations

import errno
import io
import re
import stat
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from kozel.locales import Phrase, languages, message, phrase

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML built without libyaml
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]

MAX_BYTES = 1_000_000
MAX_DEPTH = 20
_MOST_PASSED = 100_000
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff]")
_UNSPEAKABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]+")
_LONGEST_WORD = 60
_LONGEST_LIST = 200
_LONGEST_PATH = 120
MAX_SENTENCE = 300
"""How many characters a sentence about a mistake has at most, its place included."""
MAX_PROBLEMS = 20
"""How many mistakes of a file are told."""
_YES = frozenset(("yes", "true", "on"))
_NO = frozenset(("no", "false", "off"))


class Problem(NamedTuple):
    """One mistake in a file: where it is (line and column count from 1) and what would be right, in no language yet.

    `phrase` is a message of the catalogue's theme `mistakes`. A file that cannot be read at all has line 0; where a mistake
    is of no file, `file` is ''.
    """

    file: str
    line: int
    column: int
    phrase: Phrase

    def text(self, lang: str) -> str:
        """What is wrong, as a sentence in a language, without its place."""
        return cut(self.phrase.text(lang), MAX_SENTENCE)

    def placed(self, lang: str) -> str:
        """The sentence after `file:line:column:`, at most `MAX_SENTENCE` characters together."""
        return cut(self.placed_phrase.text(lang), MAX_SENTENCE)

    @property
    def placed_phrase(self) -> Phrase:
        """The mistake with its place, as a part of another message."""
        if not self.file:
            return self.phrase
        file = _UNSPEAKABLE.sub(" ", self.file)
        if len(file) > _LONGEST_PATH:
            file = f"…{file[1 - _LONGEST_PATH :]}"
        place = f"{file}:{self.line}:{self.column}" if self.line else file
        return phrase("mistake.placed", place=place, text=self.phrase)

    def __str__(self) -> str:
        return self.placed("en")


class BadFile(Exception):
    """A file that cannot be used.

    `problems` holds the mistakes in the order of the file; of more than `MAX_PROBLEMS` the last one says how many more.
    `count`: how many there are.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda p: (p.line, p.column)))
        self.count = len(self.problems)
        if len(self.problems) > MAX_PROBLEMS:
            first = self.problems[: MAX_PROBLEMS - 1]
            n = len(self.problems) - len(first)
            self.problems = (*first, Problem(first[-1].file, 0, 0, phrase("mistake.more", n=n)))
        super().__init__("\n".join(map(str, self.problems)))


def at(node: yaml.Node, key: str | Phrase, /, **facts: object) -> Problem:
    """A problem at the place of a node."""
    mark = node.start_mark
    return Problem(mark.name, mark.line + 1, mark.column + 1, quoting(key, **facts))


def quoting(key: str | Phrase, /, **facts: object) -> Phrase:
    """A message about words of a file: facts that are texts come out as `shown`."""
    if isinstance(key, Phrase):
        return key
    return phrase(key, **{name: shown(fact) if isinstance(fact, str) else fact for name, fact in facts.items()})


def shown(word: object) -> str:
    """Words of a file as a message quotes them: on one line, without control characters, and not at endless length."""
    return cut(_UNSPEAKABLE.sub(" ", str(word)), _LONGEST_WORD)


def cut(text: str, length: int) -> str:
    """A text that is at most so long."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


def suggest(word: str, known: Iterable[str]) -> Phrase:
    """How a message about an unknown word goes on: the nearest known word, or all of them as far as there is room."""
    words = [str(k) for k in known]
    alike = {_skeleton(each): each for each in words}.get(_skeleton(word))
    if alike is not None and alike.casefold() != word.casefold():
        cyrillic = tuple(dict.fromkeys(letter for letter in word if letter in _LOOK_ALIKES))
        if cyrillic:
            return quoting("mistake.look_alike", word=alike, letters=cyrillic)
        return quoting("mistake.look_alike_latin", word=alike)
    near = get_close_matches(word, words, 1) if len(word) <= _LONGEST_WORD else []
    if near:
        return quoting("mistake.did_you_mean", word=near[0])
    return quoting("mistake.known", words=listed(words)) if words else quoting("mistake.none_known")


_LOOK_ALIKES = dict(zip("аеорсухікмтнвАЕОРСУХІКМТНВѕЅјЈ", "aeopcyxikmthbAEOPCYXIKMTHBsSjJ", strict=True))
"""Cyrillic letters and the Latin ones that look like them."""


def _skeleton(word: str) -> str:
    """What a word looks like, whatever alphabet its letters are of."""
    return "".join(_LOOK_ALIKES.get(letter, letter) for letter in word).casefold()


def listed(words: Sequence[object]) -> tuple[str, ...]:
    """Words as a message lists them: as many as there is room for, then '…'."""
    room = _LONGEST_LIST
    shorter: list[str] = []
    for word in map(shown, words):
        room -= len(word) + 2
        if room < 0:
            return (*shorter, "…")
        shorter.append(word)
    return tuple(shorter)


def read_bytes(path: Path, most: int = MAX_BYTES) -> bytes:
    """The content of a file, at most one byte more than `most`, or `BadFile` with a sentence why it cannot be read."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe or a device may wait for ever
            raise _unreadable(path, phrase("mistake.is_folder" if path.is_dir() else "mistake.is_irregular"))
        with path.open("rb") as file:
            return file.read(most + 1)
    except FileNotFoundError:
        raise _unreadable(path, phrase("mistake.is_missing")) from None
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        known = _SYSTEM_WORDS.get(getattr(error, "errno", None) or 0)
        raise _unreadable(path, phrase(known) if known else str(reason)) from None


_SYSTEM_WORDS = {errno.EACCES: "mistake.is_forbidden", errno.ENAMETOOLONG: "mistake.is_long_name"}
"""What the system says, by the messages that say it in the player's language."""


def _unreadable(path: Path, why: str | Phrase) -> BadFile:
    return BadFile([Problem(str(path), 0, 0, quoting("mistake.unreadable", why=why))])


class Parts(NamedTuple):
    """A list under a key of the document that may be of any length, as each of its items is judged by itself.

    `sound(item)`: False where nothing that comes after the item matters any more; it is then not built. `most`: how many
    nodes all items may have.
    """

    key: str
    sound: Callable[[yaml.Node], bool]
    most: int


def compose(
    content: bytes | str, name: str, most: int | None = None, parts: Parts | None = None, most_bytes: int = MAX_BYTES
) -> yaml.Node:
    """The single document of a YAML text as a tree of nodes; `most`: how many nodes it, or each of its `parts`, may have.

    `name` stands for the file in messages. Raises `BadFile` where the text is no YAML or is more than plain data.
    """
    text = _decoded(content, name, most_bytes)
    try:
        node = _tree(text, name, most, parts)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        why = _parsers_words(str(error.problem or error.context))
        if text.split("\n")[line - 1 : line] and text.split("\n")[line - 1][column - 1 :].startswith("\t"):
            why = phrase("mistake.yaml_tab")
        raise BadFile([Problem(name, line, column, quoting("mistake.no_yaml", why=why))]) from None
    except yaml.YAMLError as error:
        raise BadFile([Problem(name, 1, 1, quoting("mistake.no_yaml", why=str(error)))]) from None
    if node is None:
        raise BadFile([Problem(name, 1, 1, phrase("mistake.empty"))])
    return node


def load(path: Path) -> yaml.Node:
    """`compose` of a file on disk; the path as given stands in messages."""
    return compose(read_bytes(path), str(path))


def mapping(
    node: yaml.Node, what: str | Phrase, problems: list[Problem]
) -> dict[str, tuple[yaml.ScalarNode, yaml.Node]]:
    """The entries of a mapping node by key, each with its key's node; what is wrong goes to `problems`.

    `what` is the whole, as sentences call it: a word of the file, or a phrase for it.
    """
    if isinstance(what, str):
        what = quoting("mistake.quoted", word=what)
    if not isinstance(node, yaml.MappingNode):
        problems.append(at(node, "mistake.no_mapping", what=what))
        return {}
    entries: dict[str, tuple[yaml.ScalarNode, yaml.Node]] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            problems.append(at(key, "mistake.no_name", what=what))
        elif key.value in entries:
            problems.append(at(key, "mistake.twice", word=key.value, what=what))
        else:
            entries[key.value] = (key, value)
    return entries


def is_none(node: yaml.Node) -> bool:
    """Does `none`, or nothing, stand there?"""
    return isinstance(node, yaml.ScalarNode) and not node.style and node.value in ("none", "", "null", "~")


def meant_answer(word: str) -> str | None:
    """`yes` or `no` where a word says so in some language of the program, else None."""
    for lang in languages():
        for answer in ("yes", "no"):
            if word.strip().casefold() == message(lang, f"menu.{answer}").casefold():
                return answer
    return None


def says_no(node: yaml.Node) -> bool:
    """Does `none`, nothing, or a no in some language stand there?"""
    return is_none(node) or is_no(node) or (isinstance(node, yaml.ScalarNode) and meant_answer(node.value) == "no")


def is_no(node: yaml.Node) -> bool:
    """Does `no` stand there?"""
    return isinstance(node, yaml.ScalarNode) and not node.style and node.value.lower() in _NO


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


def _decoded(content: bytes | str, name: str, most: int) -> str:
    if len(content) > most:
        raise BadFile([Problem(name, 1, 1, quoting("mistake.too_large", megabytes=most // 1_000_000))])
    if isinstance(content, str):
        text = content
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            lines = content[: error.start].split(b"\n")
            column = len(lines[-1].decode("utf-8-sig")) + 1
            raise BadFile([Problem(name, len(lines), column, phrase("mistake.no_utf8"))]) from None
    bad = _CONTROL.search(text)
    if bad:
        before = text[: bad.start()]
        column = bad.start() - (before.rfind("\n") + 1) + 1
        line = before.count("\n") + 1
        raise BadFile([Problem(name, line, column, phrase("mistake.control_character"))])
    return text


class _Named(io.StringIO):
    """A text that tells its loader, and so every mark, the name of its file."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text)
        self.name = name


def _as_written(tag: str) -> str:
    return tag.replace("tag:yaml.org,2002:", "!!")


def _tree(text: str, name: str, most: int | None, parts: Parts | None) -> yaml.Node | None:
    """Build the nodes from the parser's events in one pass. What is more than data is refused before it is built."""
    loader = _Loader(_Named(text, name))
    tree = _Tree(name, most, parts)
    try:
        while loader.check_event() and tree.wants_more():
            tree.take(loader.get_event())
    finally:
        loader.dispose()
    return tree.root


class _Tree:
    """The nodes as they are built. `inside`: the lists and mappings that are open, the outermost first."""

    def __init__(self, name: str, most: int | None, parts: Parts | None) -> None:
        self._name, self._most, self._parts = name, most, parts
        self.root: yaml.Node | None = None
        self._inside: list[yaml.CollectionNode] = []
        self._nodes = self._nodes_before_part = 0
        self._nodes_of_parts = 0
        self._list_of_parts: yaml.Node | None = None
        self._passing_over = False
        self._passed = self._depth_passed = 0

    def wants_more(self) -> bool:
        """Is there anything left that matters? After an unsound part a file is read on for mistakes in its form, not for ever."""
        if self._passed <= _MOST_PASSED:
            return True
        assert isinstance(self.root, yaml.MappingNode)
        self.root.value = _pairs(self.root.value)
        return False

    def take(self, event: Any) -> None:
        """The parser's next event."""
        if self._passing_over and self._pass(event):
            return
        if isinstance(event, yaml.NodeEvent):
            self._begin(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            ended = self._inside.pop()
            ended.end_mark = event.end_mark
            if isinstance(ended, yaml.MappingNode):
                ended.value = _pairs(ended.value)
            self._end(ended)
        elif isinstance(event, yaml.DocumentStartEvent) and self.root is not None:
            why = _parsers_words("but found another document")
            raise BadFile([_at_event(event, self._name, "mistake.no_yaml", why=why)])

    def _pass(self, event: Any) -> bool:
        """Pass over an event within the parts that no longer matter; False for the end of their list."""
        self._passed += 1
        if isinstance(event, yaml.CollectionStartEvent):
            self._depth_passed += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            if not self._depth_passed:
                self._passing_over = False
                return False
            self._depth_passed -= 1
        return True

    def _begin(self, event: Any) -> None:
        self._nodes += 1
        if event.anchor is not None or event.tag is not None:
            _refuse_more_than_data(event, self._name)
        if self._most is not None and self._nodes > self._most:
            raise BadFile([_at_event(event, self._name, "mistake.too_many", most=self._most)])
        if self._parts and self._nodes_of_parts > self._parts.most:
            raise BadFile([_at_event(event, self._name, "mistake.too_many", most=self._parts.most)])
        node = _node(event)
        if self._inside:
            self._inside[-1].value.append(node)
        else:
            self.root = node
        if not isinstance(node, yaml.CollectionNode):
            self._end(node)
            return
        if self._parts and len(self._inside) == 1 and self._is_list_of_parts():
            self._list_of_parts, self._nodes_before_part = node, self._nodes
        self._inside.append(node)
        if len(self._inside) > MAX_DEPTH:
            raise BadFile([_at_event(event, self._name, "mistake.too_deep", most=MAX_DEPTH)])

    def _is_list_of_parts(self) -> bool:
        outermost = self._inside[0]
        if self._list_of_parts is not None or not isinstance(outermost, yaml.MappingNode) or len(outermost.value) % 2:
            return False
        key = outermost.value[-2]
        return self._parts is not None and isinstance(key, yaml.ScalarNode) and key.value == self._parts.key

    def _end(self, node: yaml.Node) -> None:
        if self._parts and len(self._inside) == 2 and self._inside[1] is self._list_of_parts:
            self._nodes_of_parts += self._nodes - self._nodes_before_part
            self._nodes = self._nodes_before_part
            self._passing_over = not self._parts.sound(node)


def _pairs(nodes: list[Any]) -> list[tuple[Any, Any]]:
    return list(zip(nodes[::2], nodes[1::2], strict=True))


def _node(event: Any) -> yaml.Node:
    tag, start, end = event.tag, event.start_mark, event.end_mark
    if isinstance(event, yaml.ScalarEvent):
        return yaml.ScalarNode(tag, event.value, start, end, event.style)
    kind = yaml.MappingNode if isinstance(event, yaml.MappingStartEvent) else yaml.SequenceNode
    return kind(tag, [], start, end, event.flow_style)


def _refuse_more_than_data(event: Any, name: str) -> None:
    if isinstance(event, yaml.AliasEvent):
        raise BadFile([_at_event(event, name, "mistake.alias", word=f"*{event.anchor}")])
    if event.anchor is not None:
        raise BadFile([_at_event(event, name, "mistake.anchor", word=f"&{event.anchor}")])
    if event.tag not in (None, "!"):
        raise BadFile([_at_event(event, name, "mistake.tag", word=_as_written(event.tag))])


def _at_event(event: Any, name: str, key: str, /, **facts: object) -> Problem:
    mark = event.start_mark
    return Problem(name, mark.line + 1, mark.column + 1, quoting(key, **facts))


_PARSERS_WORDS = {
    "but found another document": "mistake.yaml_document",
    "found character that cannot start any token": "mistake.yaml_character",
    "found unexpected end of stream": "mistake.yaml_quote",
    "found unexpected document indicator": "mistake.yaml_quote",
    "did not find expected ',' or ']'": "mistake.yaml_bracket",
    "did not find expected ',' or '}'": "mistake.yaml_brace",
    "did not find expected key": "mistake.yaml_key",
    "did not find expected '-' indicator": "mistake.yaml_dash",
    "did not find expected node content": "mistake.yaml_content",
    "could not find expected ':'": "mistake.yaml_colon",
    "mapping values are not allowed in this context": "mistake.yaml_value",
    "block sequence entries are not allowed in this context": "mistake.yaml_entry",
    "exceeded maximum nesting depth": "mistake.yaml_depth",
    "did not find expected <document start>": "mistake.yaml_start",
    "found unknown escape character": "mistake.yaml_escape",
    "found a tab character that violates indentation": "mistake.yaml_tab",
    "found a tab character where an indentation space is expected": "mistake.yaml_tab",
    "found incompatible YAML document": "mistake.yaml_version",
    "found undefined tag handle": "mistake.yaml_tag",
}
"""What the parser says, by the messages that say it in the player's language."""


def _parsers_words(words: str) -> str | Phrase:
    return phrase(_PARSERS_WORDS[words]) if words in _PARSERS_WORDS else words
