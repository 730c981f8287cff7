"""`kozel doctor` says what is there, whatever is broken around it, and never fails itself."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kozel.cli.doctor import TOPICS, Private, run_doctor
from kozel.locales import languages, message

HOME = "/home/Ivan Sidorov"


def doctor(folder: Path, *words: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    """`kozel doctor` in an environment that has only what is named."""
    environ = {
        "PATH": os.defpath,
        "HOME": str(folder),
        "LANG": "en_GB.UTF-8",
        "PYTHONUTF8": "1",
        "TERM": "xterm",
        **env,
    }
    return subprocess.run(
        [sys.executable, "-m", "kozel", "doctor", *words],
        env={name: value for name, value in environ.items() if value != "-"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=90,
        check=False,
    )


def lines_of(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    """What it says; it came through, and had nothing to complain of."""
    said = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b""), (done, said)
    lines = said.splitlines()
    assert len(lines) > len(TOPICS)
    for topic in TOPICS:
        assert any(line.startswith(f"{message('en', f'doctor.topic_{topic}')}: ") for line in lines), (topic, lines)
    return lines


def about(lines: list[str], topic: str) -> str:
    name = message("en", f"doctor.topic_{topic}")
    return " ".join(line for line in lines if line.startswith(f"{name}: "))


def broken_settings(folder: Path) -> dict[str, str]:
    (folder / "settings.yaml").write_text("lang: [ru\n", encoding="utf-8")
    return {"KOZEL_DATA_DIR": str(folder)}


def unknown_setting(folder: Path) -> dict[str, str]:
    (folder / "settings.yaml").write_text("colour: green\n", encoding="utf-8")
    return {"KOZEL_DATA_DIR": str(folder)}


def folder_is_a_file(folder: Path) -> dict[str, str]:
    (folder / "data").write_text("", encoding="utf-8")
    return {"KOZEL_DATA_DIR": str(folder / "data")}


def folder_under_a_file(folder: Path) -> dict[str, str]:
    (folder / "file").write_text("", encoding="utf-8")
    return {"KOZEL_DATA_DIR": str(folder / "file" / "data")}


def folder_that_nobody_can_make(folder: Path) -> dict[str, str]:
    return {"KOZEL_DATA_DIR": "/proc/kozel"}


def no_such_keymap(folder: Path) -> dict[str, str]:
    return {"KOZEL_KEYMAP": "clasic"}


def broken_keymap(folder: Path) -> dict[str, str]:
    (folder / "own.yaml").write_text("keys: 7\n", encoding="utf-8")
    return {"KOZEL_KEYMAP": str(folder / "own.yaml")}


def unknown_language(folder: Path) -> dict[str, str]:
    return {"KOZEL_LANG": "xx"}


def unknown_speech(folder: Path) -> dict[str, str]:
    return {"KOZEL_SPEECH": "loud"}


def no_home(folder: Path) -> dict[str, str]:
    return {"HOME": "-", "KOZEL_DATA_DIR": str(folder)}


def no_terminal_name(folder: Path) -> dict[str, str]:
    return {"TERM": "-"}


def shadow(folder: Path, name: str, code: str) -> dict[str, str]:
    """A module in the place of a package."""
    (folder / "shadows").mkdir(exist_ok=True)
    (folder / "shadows" / f"{name}.py").write_text(code, encoding="utf-8")
    return {"PYTHONPATH": str(folder / "shadows")}


def no_reader_package(folder: Path) -> dict[str, str]:
    return shadow(folder, "accessible_output2", "raise ImportError('no such thing')\n")


def reader_package_that_fails(folder: Path) -> dict[str, str]:
    return shadow(folder, "accessible_output2", "1 / 0\n")


def no_key_package(folder: Path) -> dict[str, str]:
    return shadow(folder, "prompt_toolkit", "raise ImportError('no such thing')\n")


def damaged_match(folder: Path) -> dict[str, str]:
    (folder / "matches").mkdir()
    (folder / "matches" / "broken.yaml").write_bytes(b"\0\xff")
    return {"KOZEL_DATA_DIR": str(folder)}


BROKEN: dict[Callable[[Path], dict[str, str]], tuple[str, str]] = {
    broken_settings: ("settings", "Do this:"),
    unknown_setting: ("settings", "colour"),
    folder_is_a_file: ("folder", "that is a file"),
    folder_under_a_file: ("folder", "Do this:"),
    folder_that_nobody_can_make: ("folder", "cannot be written"),
    no_such_keymap: ("keymap", "did you mean 'classic'?"),
    broken_keymap: ("keymap", "own.yaml"),
    unknown_language: ("language", "KOZEL_LANG"),
    unknown_speech: ("settings", "KOZEL_SPEECH"),
    no_home: ("folder", "can be written"),
    no_terminal_name: ("terminal", "does not say which"),
    no_reader_package: ("packages", "accessible-output2 (ImportError)"),
    reader_package_that_fails: ("packages", "accessible-output2 (ZeroDivisionError)"),
    no_key_package: ("packages", "prompt_toolkit (ImportError)"),
    damaged_match: ("folder", "matches: 1"),
}


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: str(broken.__name__))
def test_whatever_is_broken_is_named_and_the_rest_is_told(
    tmp_path: Path, broken: Callable[[Path], dict[str, str]]
) -> None:
    topic, words = BROKEN[broken]
    assert words in about(lines_of(doctor(tmp_path, **broken(tmp_path))), topic)


@pytest.mark.parametrize("package", ["yaml", "platformdirs"])
def test_a_package_without_which_nothing_loads_is_named(tmp_path: Path, package: str) -> None:
    env = shadow(tmp_path, package, "raise ImportError('no such thing')\n")
    said = doctor(tmp_path, **env).stdout.decode()
    assert "(ImportError)" in said
    assert "pip install --force-reinstall kozel" in said or "pip install -e ." in said


def test_without_such_a_package_the_game_says_so_in_one_sentence(tmp_path: Path) -> None:
    env = shadow(tmp_path, "yaml", "raise ImportError('no such thing', name='yaml')\n")
    done = subprocess.run(
        [sys.executable, "-m", "kozel"],
        env={"PATH": os.defpath, "HOME": str(tmp_path), "LANG": "ru_RU.UTF-8", "PYTHONUTF8": "1", **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.decode().startswith("Нет пакета yaml")
    assert done.stderr.count(b"\n") == 1


def test_an_output_that_hangs_is_given_up(tmp_path: Path) -> None:
    env = shadow(tmp_path, "accessible_output2", "import time\nif __name__ != '__main__':\n    time.sleep(600)\n")
    lines = doctor(tmp_path, **env).stdout.decode().splitlines()
    assert message("en", "doctor.topic_log") in lines[-2]
    assert "does not answer" in about(lines, "packages")


def test_a_terminal_without_russian_letters_gets_what_it_can_show(tmp_path: Path) -> None:
    done = doctor(tmp_path, "--lang", "ru", LANG="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "LANG=ru_RU.UTF-8" in done.stdout.decode("ascii")


def test_a_folder_that_is_gone_is_no_hindrance(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    code = "import os, sys; os.rmdir(os.getcwd()); sys.argv = ['kozel', 'doctor']"
    code += "; from kozel.__main__ import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=gone, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_nothing_in_it_tells_who_or_where_the_player_is(tmp_path: Path) -> None:
    home = tmp_path / "Ivan Sidorov"
    data = home / "Games" / "data"
    data.mkdir(parents=True)
    (data / "settings.yaml").write_text("colour: green\n", encoding="utf-8")
    (data / "log.txt").write_text(f"{home}\n", encoding="utf-8")
    (home / "own.yaml").write_text("keys: 7\n", encoding="utf-8")
    done = doctor(
        home,
        "--data-dir",
        str(data),
        "--keymap",
        str(home / "own.yaml"),
        USER="sidorov",
        HOSTNAME="sidorov-laptop",
        SSH_CONNECTION="10.0.0.1 1 10.0.0.2 22",
        TERM_PROGRAM="vscode",
    )
    said = done.stdout.decode()
    assert "~/own.yaml" in said
    assert "colour" in said
    for secret in ("Ivan", "sidorov", "10.0.0.1", str(tmp_path)):
        assert secret.lower() not in said.lower()


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        (f"{HOME}/.local/share/kozel: gone", "~/.local/share/kozel: gone"),
        (f"'{HOME}'", "'~'"),
        ("/srv/ivan/keys.yaml", "/srv/…/keys.yaml"),
        (r"D:\ivan\keys.yaml", r"D:\…\keys.yaml"),
        ("ivan is a word", "ivan is a word"),
        ("/srv/ivanov/keys.yaml", "/srv/ivanov/keys.yaml"),
    ],
)
def test_private_parts_of_paths_are_taken_out(text: str, hidden: str) -> None:
    assert Private({"HOME": HOME, "USER": "ivan"}).hidden(text) == hidden


@pytest.mark.parametrize("lang", languages())
def test_it_speaks_every_language(lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOZEL_DATA_DIR", str(tmp_path))
    told: list[str] = []
    assert run_doctor({}, lang, told.append, {"KOZEL_DATA_DIR": str(tmp_path)}) == 0
    assert told[0] == message(lang, "doctor.title")
    assert all(any(line.startswith(message(lang, f"doctor.topic_{topic}")) for line in told) for topic in TOPICS)


def test_at_a_terminal_the_keys_are_tried_and_the_terminal_is_as_before(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    try:
        before = os.popen(f"stty -a -F {os.ttyname(theirs)}").read()
        done = subprocess.Popen(
            [sys.executable, "-m", "kozel", "doctor"],
            env={"PATH": os.defpath, "HOME": str(tmp_path), "LANG": "en_GB.UTF-8", "PYTHONUTF8": "1", "TERM": "linux"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        said = b""
        while b"Nothing to do" not in said and b"Something to do" not in said:
            said += os.read(ours, 65536)
        assert done.wait(60) == 0
        assert "Keys: reported as legacy. These do not arrive" in said.decode()
        assert os.popen(f"stty -a -F {os.ttyname(theirs)}").read() == before
    finally:
        os.close(ours)
        os.close(theirs)
