"""Both doors, as people come through them: real ssh, the real program, on pseudo-terminals."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are needed", allow_module_level=True)

from net.served import Screen, Served, join, new_key, served, ssh

pytestmark = pytest.mark.slow

DOWN, HOME = "\x1b[B", "\x1b[H"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "server") as server:
        yield server


def open_with_computer(screen: Screen) -> None:
    """A table for two, the other seat given to a computer player; then the match."""
    screen.hear("Open a table; 1 of")
    screen.press("\r")
    screen.hear("New table")
    screen.press("\r")
    screen.hear("At the table")
    screen.press(DOWN, DOWN, "\r")
    screen.hear("free; 1 of 5")
    screen.press(DOWN)
    screen.hear("novice; 2 of 5")
    screen.press("\r")
    screen.hear("Boris, novice")
    screen.press(HOME)
    screen.hear("Begin the match: all seats taken")
    screen.press("\r")
    screen.hear("The match begins")
    screen.hear("Your turn", "you open")


def test_plain_ssh_plays_in_the_visitors_language(server: Served, tmp_path: Path) -> None:
    key = new_key(tmp_path / "anna")
    anna = ssh(server.port, key)
    anna.hear("Language.*Язык")
    anna.press(DOWN, "\r")
    anna.hear("Вы Anna")
    anna.hear("Открыть стол; 1 из")
    anna.press("\x1b")
    anna.hear("До свидания")
    assert anna.end() == 0
    again = ssh(server.port, key)
    again.hear("Вы Anna")  # the language was asked once and kept by the key
    again.close()


def test_a_match_over_plain_ssh_is_kept_and_gone_on_with(server: Served, tmp_path: Path) -> None:
    key = new_key(tmp_path / "anna")
    anna = ssh(server.port, key)
    anna.hear("Language")
    anna.press("\r")
    open_with_computer(anna)
    anna.press("`")
    anna.hear("To the table")
    anna.press("hello there", "\r")
    anna.hear("Anna says: hello there")
    anna.close()
    again = ssh(server.port, key)
    again.hear("Score: you 0, Boris 0")
    again.hear("Your turn", "Computer")
    again.press("w")
    again.close()


@pytest.mark.parametrize("term", ["dumb", "linux", "xterm-256color", "nothing-known"])
def test_any_terminal_is_served(server: Served, tmp_path: Path, term: str) -> None:
    anna = ssh(server.port, new_key(tmp_path / "key"), TERM=term)
    anna.hear("Language")
    anna.press("\r")
    anna.hear("Open a table; 1 of")
    anna.child.setwinsize(20, 60)
    anna.press(DOWN)
    anna.hear("Go to a table by its code")
    anna.close()


def test_a_guest_comes_without_a_key_and_comes_back_by_a_code(server: Served) -> None:
    guest = ssh(server.port, None, "Vera")
    guest.hear("Language")
    guest.press("\r")
    guest.hear("You come without a key")
    open_with_computer(guest)
    said = guest.child.before
    guest.close()
    assert said is not None


def test_ssh_and_the_installed_game_at_one_table(server: Served, tmp_path: Path) -> None:
    anna = ssh(server.port, new_key(tmp_path / "anna"))
    anna.hear("Language")
    anna.press("\r")
    anna.hear("Open a table; 1 of")
    anna.press("\r")
    anna.hear("New table")
    anna.press("\r")
    anna.hear("At the table")
    anna.press(DOWN, DOWN, DOWN)
    anna.hear(r"Invite: (\d\d) (\d\d) (\d\d) (\d\d)")
    code = "".join(anna.child.match.groups())
    boris = join(server.port, tmp_path / "boris", "Boris", code)
    boris.hear("First visit here. The server's key: SHA256:")
    boris.hear("At the table. Waiting for the host")
    anna.hear("Boris sits down")
    anna.press(HOME)
    anna.hear("Begin the match: all seats taken")
    anna.press("\r")
    anna.hear("The match begins")
    boris.hear("The match begins")
    boris.press("`")
    boris.hear("To the table")
    boris.press("good evening", "\r")
    anna.hear("Boris says: good evening")
    boris.press("\x1b", "\r")
    anna.hear("Boris leaves. The seat is kept")
    boris.hear("Back to your table")
    boris.press("\x1b")
    boris.hear("Goodbye")
    assert boris.end() == 0
    assert list((tmp_path / "boris" / "promises").glob("*.json"))
    anna.close()


def test_the_server_stops_politely_and_goes_on(server: Served, tmp_path: Path) -> None:
    anna = join(server.port, tmp_path / "anna", "Anna")
    open_with_computer(anna)
    assert server.stop(signal.SIGTERM) == 128 + signal.SIGTERM
    assert "every match is kept" in server.said
    anna.hear("The server stops. The match is kept")
    anna.hear("Connection lost")
    server.start()
    assert "One match goes on" in server.said
    anna.hear("Connected again")
    anna.press("w")
    anna.hear("Your turn", "your turn")
    anna.close()


def test_what_cannot_be_reached_is_one_sentence(server: Served, tmp_path: Path) -> None:
    nobody = join(1, tmp_path / "a", "Anna")
    nobody.hear("no server answers")
    assert nobody.end() == 1
    wrong_code = join(server.port, tmp_path / "a", "Anna", "00000000")
    wrong_code.hear("No table has this code")
    wrong_code.close()
    for words, sentence in ((["12"], "is no table's code"), (["12345678", "--port"], "port")):
        mistaken = join(server.port, tmp_path / "a", "Anna", *words)
        mistaken.hear(sentence)
        assert mistaken.end() == 2
    bad_address = Screen([sys.executable, "-m", "kozel", "join", "a:b:c:", "--lang", "en"])
    bad_address.hear("is no address", "no address")
    bad_address.close()


def test_a_changed_key_is_refused_with_what_to_do(server: Served, tmp_path: Path) -> None:
    first = join(server.port, tmp_path / "anna", "Anna")
    first.hear("First visit")
    first.hear("Open a table")
    first.press("\x1b")
    first.end()
    server.stop()
    (server.folder / "server" / "host_key").unlink()
    server.start()
    second = join(server.port, tmp_path / "anna", "Anna")
    second.hear("another key than at your first")
    assert second.end() == 1


def test_the_files_of_a_running_match_are_for_nobody_else(server: Served, tmp_path: Path) -> None:
    anna = join(server.port, tmp_path / "anna", "Anna")
    open_with_computer(anna)
    records = list((server.folder / "server" / "tables").glob("*/record.yaml"))
    assert [path.stat().st_mode & 0o777 for path in records] == [0o600]
    assert (server.folder / "server" / "host_key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "anna" / "network" / "key").stat().st_mode & 0o777 == 0o600
    anna.close()
    time.sleep(0.2)


def test_the_bell_rings_over_plain_ssh_at_the_own_turn_once_it_is_wished(server: Served, tmp_path: Path) -> None:
    anna = ssh(server.port, new_key(tmp_path / "anna"))
    anna.hear("Language.*Язык")
    anna.press("\r")
    anna.hear("Open a table; 1 of")
    anna.press("\x1b[6~")
    anna.hear("The bell is off")
    anna.press("\x1b[5~")
    anna.hear("The bell rings at your turn")
    anna.press(HOME)
    open_with_computer(anna)
    anna.hear("\x07")
    anna.close()
