"""What goes into the portable Windows zip, and that its bytes are a matter of its content alone."""

from __future__ import annotations

import importlib
import re
import struct
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(name="tool")
def _tool(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return importlib.import_module("windows_zip")


def wheel(path: Path, *names: str) -> Path:
    """A wheel with these files."""
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, name)
    return path


def test_the_same_tree_gives_the_same_bytes_in_whatever_order_it_was_made(tool: Any, tmp_path: Path) -> None:
    tree = {"py/a.py": (b"a", "x"), "Kozel.cmd": (b"b", "kozel"), "py/b.dll": (b"c" * 10_000, "x")}
    tool.pack(tree, tmp_path / "one.zip")
    tool.pack(dict(reversed(tree.items())), tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert archive.namelist() == sorted(tree)
        assert archive.read("py/b.dll") == b"c" * 10_000


def test_of_pywin32_only_what_readers_need_is_packed(tool: Any, tmp_path: Path) -> None:
    names = [
        "win32/win32api.pyd",
        "win32com/client/gencache.py",
        "win32com/__init__.py",
        "pywin32_system32/pythoncom313.dll",
    ]
    ballast = ["PyWin32.chm", "pythonwin/mfc140u.dll", "win32comext/shell/shell.pyd", "win32/test/test_win32api.py"]
    files = tool.wheel_files("pywin32", wheel(tmp_path / "pywin32-1-x.whl", *names, *ballast))
    assert set(files) == {f"py/Lib/site-packages/{name}" for name in names}


def test_files_for_the_prefix_and_for_compilers_stay_out(tool: Any, tmp_path: Path) -> None:
    names = ["game/__init__.py", "game-1.data/platlib/game/more.py"]
    out = ["game/__init__.pyi", "game/game.h", "game-1.data/data/share/man/man1/game.1", "game-1.dist-info/RECORD"]
    files = tool.wheel_files("game", wheel(tmp_path / "game-1-x.whl", *names, *out))
    assert set(files) == {"py/Lib/site-packages/game/__init__.py", "py/Lib/site-packages/game/more.py"}


def executable(signature: int) -> bytes:
    """The head of a 64-bit Windows executable whose signature has this size."""
    head = bytearray(400)
    struct.pack_into("<I", head, 0x3C, 64)
    struct.pack_into("<H", head, 64 + 24, 0x20B)
    struct.pack_into("<II", head, 64 + 24 + 112 + 4 * 8, 300 if signature else 0, signature)
    return bytes(head)


def test_every_executable_is_listed_with_where_it_is_from_and_whether_it_is_signed(tool: Any) -> None:
    tree = {
        "py/python.exe": (executable(1000), "python.org's Python"),
        "py/Lib/x.pyd": (executable(0), "x-1.whl"),
        "py/Lib/x.py": (b"", "x-1.whl"),
        "Kozel.cmd": (b"@", "kozel"),
    }
    lines = [re.sub(", SHA-256 [0-9a-f]{64}$", "", line) for line in tool.executables(tree)]
    assert lines == [
        "Kozel.cmd: from kozel, text",
        "py/Lib/x.pyd: from x-1.whl, not signed",
        "py/python.exe: from python.org's Python, signed",
    ]


def test_every_pin_names_a_version_and_a_hash(tool: Any) -> None:
    packing = importlib.import_module("packing")
    for line in f"{tool.WHEELS}{packing.BUILDING}{tool.EMBEDDED}".strip().replace("\n\n", "\n").split("\n"):
        assert re.fullmatch(r'[a-z0-9-]+==[\d.]+(; python_version < "3\.11")?( --hash=sha256:[0-9a-f]{64})+', line), (
            line
        )


def test_the_starter_runs_the_python_beside_it_with_all_words() -> None:
    starter = (ROOT / "tools/windows/Kozel.cmd").read_bytes()
    assert starter.decode("ascii").endswith("\r\n")
    assert b'"%~dp0py\\python.exe" -X utf8 -m kozel %*\r\n' in starter
    assert starter.count(b"\n") == starter.count(b"\r\n")


def test_a_portable_folder_has_its_data_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kozel.cli.installation import data_folder, portable_folder

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    folder = tmp_path / "Козёл игра"
    python = folder / "py" / "python.exe"
    python.parent.mkdir(parents=True)
    assert portable_folder(str(python)) is None
    (folder / "Kozel.cmd").write_text("", encoding="utf-8")
    assert portable_folder(str(python)) == folder
    if sys.platform != "win32":
        assert data_folder(str(python)) == tmp_path / "home" / "kozel"
    (folder / "data").mkdir()
    assert data_folder(str(python)) == folder / "data"
