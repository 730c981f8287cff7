"""The first start: no words on the command line, an empty data folder, and whatever the system says of itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def start(folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """`kozel` alone, at the end of its standard input."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KOZEL_", "LC_", "LANG"))}
    environ = {**kept, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "LOCALAPPDATA": str(folder), **env}
    return subprocess.run(
        [sys.executable, "-m", "kozel"],
        env={**environ, "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("locale", "menu", "bye"), [("ru_RU.UTF-8", "Меню", "До свидания."), ("en_GB.UTF-8", "Menu", "Goodbye.")]
)
def test_the_command_alone_opens_the_menu_in_the_systems_language(
    tmp_path: Path, locale: str, menu: str, bye: str
) -> None:
    done = start(tmp_path, LANG=locale)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.split("\n")
    assert any(menu in line for line in lines), lines
    assert bye in lines[-2]


def test_a_system_in_neither_language_is_asked_for_one(tmp_path: Path) -> None:
    done = start(tmp_path, LANG="de_DE.UTF-8")
    assert done.returncode == 0
    assert "Language. Язык." in done.stdout
