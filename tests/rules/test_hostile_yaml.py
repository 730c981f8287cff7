"""Files that are no rulesets but attacks or accidents: refused at once, with a place and a sentence."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from kozel.rules.reading import MAX_NODES, parse_ruleset, read_ruleset
from kozel.yamltree import MAX_BYTES, MAX_DEPTH, BadFile

FILE = Path("hostile.yaml")
BOMB = "a: &a [x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20)
)
HOSTILE: dict[str, tuple[bytes, str]] = {
    "anchor bomb": (BOMB.encode(), "1:4: '&a': anchors are not allowed"),
    "alias": (b"a: 1\nb: *a\n", "2:4: '*a': aliases are not allowed"),
    "merge key": (b"x: 1\n<<: *x\n", "2:5: '*x': aliases are not allowed"),
    "python tag": (
        b"a: !!python/object/apply:os.system [ls]\n",
        "1:4: '!!python/object/apply:os.system': tags are not allowed",
    ),
    "plain tag": (b"a: !!int 3\n", "1:4: '!!int': tags are not allowed"),
    "local tag": (b"a: !x 3\n", "1:4: '!x': tags are not allowed"),
    "deep flow": (b"[" * 500, f"1:{MAX_DEPTH + 1}: is nested deeper than {MAX_DEPTH} levels"),
    "deeper than the parser goes": (b"[" * 100_000, "1:1001: is no YAML: exceeded maximum nesting depth"),
    "deep block": (
        "".join(f"{'  ' * n}a:\n" for n in range(60)).encode(),
        f"{MAX_DEPTH + 1}:{2 * MAX_DEPTH + 1}: is nested deeper than {MAX_DEPTH} levels",
    ),
    "too large": (b"#" * (MAX_BYTES + 1), "1:1: is larger than 1 MB"),
    "null bytes": (b"id: a\x00b\n", "1:6: has a control character: it is no text file"),
    "picture": (b"\x89PNG\r\n\x1a\n\x00\x00", "1:1: is not UTF-8 text"),
    "escape sequence": (b"id: x\nname: \x1b[2J\n", "2:7: has a control character: it is no text file"),
    "windows-1251": ("id: x\nname: Козёл".encode("cp1251"), "2:7: is not UTF-8 text"),
    "utf-16": ("id: x".encode("utf-16"), "1:1: is not UTF-8 text"),
    "utf-16 without a mark": ("id: x".encode("utf-16-le"), "1:2: has a control character: it is no text file"),
    "nothing": (b"", "1:1: is empty"),
    "only remarks": (b"# nothing\n\n", "1:1: is empty"),
    "two documents": (b"a: 1\n---\nb: 2\n", "2:1: is no YAML: but found another document"),
    "tabs": (b"a:\n\tb: 1\n", "2:1: is no YAML: a tab stands here: indent with spaces instead"),
    "open bracket": (b"seats: [2, 3\n", "2:1: is no YAML: did not find expected ',' or ']'"),
    "open quote": (b"id: 'x\n", "2:1: is no YAML: found unexpected end of stream"),
    "thousands of keys": (
        "".join(f"key{n}: 1\n" for n in range(5000)).encode(),
        f"{MAX_NODES // 2}:9: has more than {MAX_NODES} names and values",
    ),
}


@pytest.mark.parametrize(("content", "text"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_refused_with_one_sentence(content: bytes, text: str) -> None:
    with pytest.raises(BadFile) as refused:
        parse_ruleset(content, FILE)
    assert [str(problem) for problem in refused.value.problems] == [f"hostile.yaml:{text}"]


@pytest.mark.parametrize("content", [b"- a\n- b\n", b"just words\n", b"42\n"])
def test_a_file_that_is_no_list_of_names_is_told_once(content: bytes) -> None:
    with pytest.raises(BadFile) as refused:
        parse_ruleset(content, FILE)
    assert [str(problem) for problem in refused.value.problems] == [
        "hostile.yaml:1:1: a ruleset must be written as 'name: value' lines"
    ]


def test_very_long_words_are_quoted_short() -> None:
    word = "x" * 900_000
    with pytest.raises(BadFile) as refused:
        parse_ruleset(f"{word}: {word}\nid: {word}\nplacing: {word}\n".encode(), FILE)
    assert all(len(str(problem)) < 400 for problem in refused.value.problems)


def test_escapes_in_quoted_text_stay_out_of_messages() -> None:
    with pytest.raises(BadFile) as refused:
        parse_ruleset(b'"a\\e[2J\\nb": 1\nid: "\\x1b[31m"\nname: "\\a"\n', FILE)
    assert all(str(problem).isprintable() for problem in refused.value.problems)
    assert "hostile.yaml:3:7: a name must be plain characters on one line" in map(str, refused.value.problems)


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as refused:
        parse_ruleset(b"\xef\xbb\xbfidd: x\n", FILE)
    assert "hostile.yaml:1:1: a ruleset has no 'idd'; did you mean 'id'?" in map(str, refused.value.problems)


def complaint(path: Path) -> str:
    with pytest.raises(BadFile) as refused:
        read_ruleset(path)
    (problem,) = refused.value.problems
    return str(problem)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert complaint(tmp_path) == f"{tmp_path}: cannot be read: it is a folder"


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    assert complaint(tmp_path / "none.yaml").startswith(f"{tmp_path / 'none.yaml'}: cannot be read: ")


def test_a_path_with_a_null_byte_is_told() -> None:
    assert "cannot be read" in complaint(Path("a\0b.yaml"))


def test_a_file_that_grows_beyond_a_megabyte_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "big.yaml"
    with path.open("wb") as file:
        file.truncate(3_000_000_000)
    assert complaint(path) == f"{path}:1:1: is larger than 1 MB"


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in Windows' file system")
def test_a_pipe_that_nobody_writes_to_does_not_hang(tmp_path: Path) -> None:
    path = tmp_path / "pipe.yaml"
    os.mkfifo(path)
    assert complaint(path) == f"{path}: cannot be read: it is no regular file"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_the_right_to_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "secret.yaml"
    path.write_text("id: x")
    path.chmod(0)
    assert complaint(path) == f"{path}: cannot be read: Permission denied"


def test_a_pipe_as_the_extended_ruleset_does_not_hang(tmp_path: Path) -> None:
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe.yaml")
    path = tmp_path / "own.yaml"
    path.write_text("kozel-ruleset: 1\nid: own\nextends: pipe\n")
    assert complaint(path).startswith(f"{path}:3:10: there is no ruleset 'pipe' to extend; known: domino, ")
