"""`kozel serve` and `kozel join` on the command line: each mistake is one sentence, in the player's language."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from kozel.locales import message
from net.served import served


def kozel(*words: str, lang: str = "en", block: str = "pass") -> subprocess.CompletedProcess[str]:
    code = f"import sys; {block}; from kozel.__main__ import main; sys.argv[0] = 'kozel'; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", code, *words, "--lang", lang], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--port", "x"], "'x' is no port"),
        (["--port", "70000"], "'70000' is no port"),
        (["--tables", "0"], "'0' is no number for --tables"),
        (["--away", "-5"], "--away"),
        (["--guests", "maybe"], "'maybe' is neither yes nor no"),
        (["--allow", "/nowhere/keys"], "--allow: /nowhere/keys cannot be read"),
        (["--bar", "/nowhere/bars"], "--bar: /nowhere/bars cannot be read"),
        (["--address", "not an address"], "cannot be opened"),
    ],
)
def test_a_wrong_flag_of_serve_is_one_sentence(tmp_path: Path, words: list[str], sentence: str) -> None:
    done = kozel("serve", "--data-dir", str(tmp_path / "data"), *words)
    assert done.returncode == 2, done.stderr
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = kozel("serve", "--address", "127.0.0.1", "--port", port, "--data-dir", str(tmp_path), lang="ru")
    assert done.returncode == 2
    assert f"Порт {port} по адресу 127.0.0.1 не открыть" in done.stderr


def test_a_damaged_host_key_is_named(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "host_key").write_text("no key")
    done = kozel("serve", "--port", "0", "--data-dir", str(tmp_path))
    assert done.returncode == 2
    assert "host_key cannot be read" in done.stderr


@pytest.mark.parametrize("words", [["serve"], ["join", "club.example"]])
def test_without_the_extra_the_line_that_installs_it_is_told(tmp_path: Path, words: list[str]) -> None:
    block = (
        "import importlib.util as u; f = u.find_spec; u.find_spec = lambda n, *a: None if n == 'asyncssh' else f(n, *a)"
    )
    done = kozel(*words, "--data-dir", str(tmp_path), block=block)
    assert done.returncode == 2, done.stderr
    assert "pip install 'kozel[network]'" in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["a:b"], "'a:b' is no address"),
        (["club.example", "1234"], "'1234' is no table's code"),
        (["club.example", "abcdefgh"], "is no table's code"),
    ],
)
def test_a_wrong_word_of_join_is_one_sentence(tmp_path: Path, words: list[str], sentence: str) -> None:
    done = kozel("join", *words, "--data-dir", str(tmp_path))
    assert done.returncode == 2, done.stderr
    assert sentence in done.stderr


def test_a_server_that_is_not_there_is_told_and_the_status_is_one(tmp_path: Path) -> None:
    done = kozel("join", "127.0.0.1:1", "--data-dir", str(tmp_path))
    assert done.returncode == 1
    assert "no server answers" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_a_second_server_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    with served(tmp_path / "server"):
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "kozel",
                "serve",
                "--port",
                "0",
                "--data-dir",
                str(tmp_path / "server"),
                "--lang",
                "en",
            ],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.strip() == message("en", "cli.serve_twice", file=tmp_path / "server" / "server")


def test_a_damaged_list_of_servers_is_told_once(tmp_path: Path) -> None:
    servers = tmp_path / "network" / "servers.json"
    servers.parent.mkdir()
    servers.write_text("nonsense", encoding="utf-8")
    words = [sys.executable, "-m", "kozel", "join", "127.0.0.1:1", "--data-dir", str(tmp_path), "--lang", "en"]
    for told in (True, False):
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
        assert ("servers.json, was damaged: it is now called servers.json.damaged-" in done.stdout) == told
