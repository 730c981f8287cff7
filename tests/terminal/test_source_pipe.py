"""`KeySource` where standard input is a pipe, a file or nothing: the same bytes, decoded only when a key is asked for."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from terminal import press_printer

PRINTER = press_printer.__file__

_PATIENCE = 20


def _run(data: bytes, *arguments: str, environ: dict[str, str] | None = None) -> tuple[list[str], int, str]:
    done = subprocess.run(
        [sys.executable, PRINTER, *arguments],
        input=data,
        capture_output=True,
        timeout=_PATIENCE,
        check=False,
        env={**os.environ, "PYTHONUTF8": "1", **(environ or {})},
    )
    lines = [line.strip() for line in done.stdout.decode().splitlines() if line.strip()]
    return lines, done.returncode, done.stderr.decode()


def _names(lines: list[str]) -> list[str]:
    return [line.split()[1] for line in lines if line.startswith("key ")]


def test_the_bytes_of_a_terminal_are_decoded_the_same_way() -> None:
    lines, status, errors = _run("x\x1b[1;2R\x1b[32;2u \x1bO5RЧ\t\x1b[99;88X\x1b[24;80R\x1b[200~  \x1b[201~q".encode())
    assert _names(lines) == ["x", "s-f3", "s-space", "space", "c-f3", "Ч", "tab", "paste", "q"]
    assert "key paste None" in "\n".join(lines)
    assert (status, errors) == (0, "")


def test_shift_space_is_told_from_space_where_bytes_are_written_on_purpose() -> None:
    lines, _, _ = _run(b" q")
    assert lines[1].endswith("level pipe yes")


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"\x1b", ["escape"]),
        (b"\x1bq", ["escape", "q"]),
        (b"\x1b\x1bx", ["escape", "escape", "x"]),
        (b"\x1b\x1b[Ax", ["escape", "up", "x"]),
        (b"\r\n\r\nx\n\n", ["enter", "enter", "x", "enter", "enter"]),
        (b"\x1b[1;", []),
        (b"\xff\xfex\xd0", ["x"]),
    ],
)
def test_the_end_of_the_input_decides_what_is_open(data: bytes, names: list[str]) -> None:
    lines, status, errors = _run(data)
    assert _names(lines) == names
    assert (status, errors) == (0, "")


def test_ctrl_c_in_a_pipe_is_the_signal() -> None:
    lines, status, _ = _run(b"x\x03y")
    assert _names(lines) == ["x"]
    assert status == 130


def test_lines_of_text_and_keys_share_the_input() -> None:
    lines, status, _ = _run("nАнна\r\nxnBoris\nnlast".encode(), "--line-on", "n")
    assert [line for line in lines if line.startswith("line ")] == ["line 'Анна'", "line 'Boris'"]
    assert _names(lines) == ["n", "x", "n", "n"]
    assert (lines[-2:], status) == (["closed", "exit 0"], 0)


def test_a_line_that_the_end_of_the_input_cuts_is_not_sent_and_escape_cancels_one() -> None:
    lines, _, _ = _run(b"nabc\x1bnabc", "--line-on", "n")
    assert [line for line in lines if line.startswith("line ")] == ["line None"]
    assert "closed" in lines


@pytest.mark.parametrize("content", [b"", b"x\x1b[1;2R"])
def test_a_file(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_bytes(content)
    with path.open("rb") as file:
        done = subprocess.run(
            [sys.executable, PRINTER], stdin=file, capture_output=True, timeout=_PATIENCE, check=False
        )
    assert _names(done.stdout.decode().splitlines()) == (["x", "s-f3"] if content else [])
    assert (done.returncode, done.stderr) == (0, b"")


def test_no_standard_input_at_all() -> None:
    program = f"import os, sys; os.close(0); os.execv(sys.executable, [sys.executable, {PRINTER!r}])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=_PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"closed" in done.stdout


def test_a_lone_escape_in_an_open_pipe_is_decided_by_silence() -> None:
    process = subprocess.Popen([sys.executable, PRINTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"\x1b")
    told = b""
    while b"key escape" not in told:
        told += process.stdout.read(1)
    process.stdin.write(b"\x1b")
    process.stdin.write(b"[1;2R")
    while b"key s-f3" not in told:
        told += process.stdout.read(1)
    process.stdin.close()
    assert process.wait(_PATIENCE) == 0
    process.stdout.close()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_signal_is_seen_while_nothing_comes_and_while_keys_never_stop() -> None:
    for feed in (b"", b"x" * 30_000):
        process = subprocess.Popen(
            [sys.executable, PRINTER], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        assert process.stdin is not None
        process.stdin.write(feed)
        process.stdin.flush()
        time.sleep(1.0)
        process.terminate()
        assert process.wait(_PATIENCE) == 143
        process.stdin.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        process.stderr.close()


def test_importing_the_source_does_not_import_prompt_toolkit() -> None:
    program = (
        "import sys, kozel.terminal.source, kozel.terminal.keys_command; sys.exit('prompt_toolkit' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=_PATIENCE, check=False).returncode == 0
