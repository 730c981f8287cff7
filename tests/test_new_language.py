"""A language is added as a stranger would: a copied folder, nothing else, and the whole program speaks it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kozel.shipped import shipped

pytestmark = pytest.mark.slow

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "kozel"
CODE = "xx"
COMMANDS = (
    "rules list",
    "rules show kozel",
    "keys list",
    "sounds list",
    "speech list --speech lines",
    "speech test --speech lines",
)
HELPS = ("", "play", "resume", "replay", "rules", "keys", "speech", "sounds", "doctor", "serve", "join")


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package in which the Russian folder stands a second time, under another code."""
    top = tmp_path_factory.mktemp("stranger")
    shutil.copytree(PACKAGE, top / "kozel", ignore=shutil.ignore_patterns("__pycache__"))
    for kind in ("rulesets", "keymaps"):
        shutil.copytree(shipped(kind), top / "kozel" / kind)
    locales = top / "kozel" / "locales"
    shutil.copytree(locales / "ru", locales / CODE)
    return top


def run(top: Path, *words: str, keys: str = "", lang: str = CODE) -> subprocess.CompletedProcess[str]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("KOZEL_", "LC_", "LANG"))}
    environ |= {"PYTHONPATH": str(top), "PYTHONIOENCODING": "utf-8", "LANG": "C.UTF-8"}
    return subprocess.run(
        [sys.executable, "-m", "kozel", *words, "--lang", lang, "--data-dir", str(top / f"data-{lang}")],
        input=keys,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        env=environ,
        cwd=top,
        check=False,
    )


def named_in_russian(text: str) -> str:
    """A text with the ruleset's Russian name, which falls back to English in the new language."""
    return text.replace("Kozel", "Козёл")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_speaks_it(stranger: Path, command: str) -> None:
    done = run(stranger, *command.split())
    russian = run(stranger, *command.split(), lang="ru")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
    if "list" not in command:
        assert named_in_russian(done.stdout) == russian.stdout


@pytest.mark.parametrize("command", HELPS)
def test_every_help_speaks_it(stranger: Path, command: str) -> None:
    done = run(stranger, *command.split(), "--help")
    assert done.returncode == 0
    assert done.stdout == run(stranger, *command.split(), "--help", lang="ru").stdout
    assert "xx" in done.stdout
    assert "Как писать:" in done.stdout


def test_a_mistake_is_told_in_it(stranger: Path) -> None:
    assert re.fullmatch(r"Нет команды 'paly'; может быть, .play.\?\n", run(stranger, "paly").stderr)


def test_a_language_that_is_not_there_is_refused(stranger: Path) -> None:
    done = run(stranger, "rules", lang="yy")
    assert done.returncode == 2
    assert "'yy'" in done.stderr
    assert "xx" in done.stderr


def test_a_match_is_played_in_it_with_every_key_that_tells(stranger: Path, tmp_path: Path) -> None:
    heard: dict[str, list[str]] = {}
    for lang in (CODE, "ru"):
        file = tmp_path / f"{lang}.jsonl"
        keys = "kkwtmcblrazspe.,[]hv" + "0987654321 d" * 40 + "q\n"
        words = ("play", "kozel", "--player", "Анна", "--player", "Борис:novice", "--seed", "7", "--speech", "lines")
        done = run(stranger, *words, "--transcript", str(file), keys=keys, lang=lang)
        assert done.returncode == 0, done.stderr
        heard[lang] = [json.loads(line)["text"] for line in file.read_text(encoding="utf-8").splitlines()]
    assert [named_in_russian(text) for text in heard[CODE][:-1]] == heard["ru"][:-1]
    assert len(heard[CODE]) > 100


def test_the_first_start_offers_it_and_says_what_it_would_do(stranger: Path, tmp_path: Path) -> None:
    environ = os.environ | {"PYTHONPATH": str(stranger), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    file = tmp_path / "first.jsonl"
    code = "import sys; from kozel.__main__ import main; sys.argv = ['kozel', *sys.argv[1:]]; sys.exit(main())"
    words = ("--data-dir", str(tmp_path / "data"), "--transcript", str(file), "--speech", "lines")
    subprocess.run(
        [sys.executable, "-c", code, *words],
        input="\x1b[B\x1b[B\x1b[B",
        encoding="utf-8",
        capture_output=True,
        timeout=60,
        env={name: value for name, value in environ.items() if not name.startswith("KOZEL_")},
        check=False,
    )
    told = " ".join(json.loads(line)["text"] for line in file.read_text(encoding="utf-8").splitlines())
    assert "Language. Язык." in told
    assert "Русский (ru)" in told
    assert "Русский (xx)" in told
