"""Whatever the process that plays does, the game goes on at once, and knows whether it is heard.

Each test has a process of its own in the player's place, written down in the test: it stands for one that hangs, ends,
or finds no device, where a real device would have to.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kozel.sounds.bank import BadSound
from kozel.sounds.board import Board
from kozel.sounds.plan import Cue

PROMPT = 0.05
"""Seconds within which a call returns that does not wait, on a machine that does other work."""
PLAYING = """import json, os, sys
def tell(**report): os.write(1, (json.dumps(report) + chr(10)).encode())
first = json.loads(sys.stdin.readline())
tell(state="playing", output="fake")
"""
READS = PLAYING + "for line in sys.stdin:\n    tell(taken=json.loads(line)['number'])\n"


def standing(code: str) -> list[str]:
    """A process with this code, instead of the one that plays."""
    return [sys.executable, "-S", "-c", code]


def took(doing: Callable[[], object]) -> float:
    start = time.perf_counter()
    doing()
    return time.perf_counter() - start


def until(true: Callable[[], bool], timeout: float = 6.0) -> bool:
    end = time.monotonic() + timeout
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def test_orders_reach_the_player_in_order(tmp_path: Path) -> None:
    log = tmp_path / "log"
    writes = (
        f"for line in sys.stdin:\n    open({str(log)!r}, 'a').write(line); tell(taken=json.loads(line)['number'])\n"
    )
    heard: list[Cue] = []
    board = Board(40, own=tmp_path, volumes={"ends": 20}, played=heard.extend, command=standing(PLAYING + writes))
    board.play([Cue("laid", -0.7, to=1)])
    assert board.settled(10) == "playing"
    assert board.plays
    assert board.output == "fake"
    board.play([Cue("drew"), Cue("turn")])
    board.volume += 10
    board.set_volume_of("keys", 30)
    assert until(lambda: log.exists() and len(log.read_text().splitlines()) == 4)
    board.close()
    orders = [json.loads(line) for line in log.read_text().splitlines()]
    assert orders[0]["play"] == [["laid", -0.7, 1.0, 1.0]], "what was asked for before the device opened is not lost"
    assert [cue[0] for cue in orders[1]["play"]] == ["drew", "turn"]
    assert orders[0]["at"] < orders[1]["at"] <= time.monotonic()
    assert heard == [Cue("laid", -0.7, to=1), Cue("drew"), Cue("turn")]
    assert orders[2]["volume"] == 50
    assert orders[3]["volumes"] == {"keys": 30}


def test_the_player_is_told_the_settings_first(tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = f"import sys; open({str(log)!r}, 'w').write(sys.stdin.readline())"
    board = Board(40, own=tmp_path / "sounds", volumes={"ends": 20}, command=standing(code))
    board.start()
    assert until(lambda: log.exists() and log.read_text().endswith("\n"))
    board.close()
    first = json.loads(log.read_text())
    assert (first["own"], first["volume"], first["volumes"]["ends"]) == (str(tmp_path / "sounds"), 40, 20)


def test_without_miniaudio_no_process_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("subprocess.Popen", lambda *_, **__: pytest.fail("a process was started"))
    board = Board()
    board.play([Cue("laid")])
    assert board.settled(0.2) == board.status == "absent"
    assert board.silent
    board.close()


def test_sounds_that_are_off_start_no_process_and_keep_their_volume(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subprocess.Popen", lambda *_, **__: pytest.fail("a process was started"))
    board = Board(30, on=False)
    board.play([Cue("laid")])
    assert board.settled(0.2) == "off"
    board.volume = 40
    assert board.volume == 40


def test_a_process_that_cannot_be_started_is_no_device() -> None:
    board = Board(command=["/nowhere/at/all"])
    board.play([Cue("laid")])
    assert board.settled(5) == "no_device"
    board.close()


def test_a_player_that_reads_nothing_holds_nothing_up() -> None:
    board = Board(command=standing(PLAYING + "import time; time.sleep(15)"))
    assert board.settled(10) == "playing"
    many = [Cue("drew")] * 20
    assert max(took(lambda: board.play(many)) for _ in range(500)) < PROMPT
    assert until(lambda: not board.plays, 2)
    assert board.status == "stopped"
    assert took(board.close) < PROMPT


def test_a_player_that_catches_up_plays_again_at_the_volume_of_now() -> None:
    catches_up = (
        "import time; time.sleep(1.5)\n"
        "for line in sys.stdin:\n"
        "    order = json.loads(line)\n"
        "    tell(taken=order['number'])\n"
        "    if order.get('volume') == 10: tell(state='playing', output='ten')\n"
    )
    board = Board(command=standing(PLAYING + catches_up))
    assert board.settled(10) == "playing"
    for _ in range(60):
        board.play([Cue("laid")])
    board.volume = 10
    assert until(lambda: board.status == "stopped", 2)
    assert until(lambda: board.plays)
    assert until(lambda: board.output == "ten"), "the volume was lost"
    board.close()


def test_a_player_that_ends_is_started_again() -> None:
    board = Board(command=standing(PLAYING + "sys.stdin.readline()"))
    assert board.settled(10) == "playing"
    board.play([Cue("laid")])
    assert until(lambda: board.status == "stopped", 3)
    assert took(lambda: board.play([Cue("laid")])) < PROMPT
    assert until(lambda: board.plays)
    board.close()


def test_a_player_without_a_device_is_told() -> None:
    heard: list[Cue] = []
    board = Board(played=heard.extend, command=standing(READS.replace("playing", "no_device")))
    board.play([Cue("laid")])
    assert board.settled(10) == "no_device"
    assert not board.plays
    board.play([Cue("laid")])
    assert heard == [], "what no device got was not played"
    board.close()


def test_the_player_ends_when_the_game_does() -> None:
    """However it ends: here killed."""
    code = f"""if True:
        import time
        from kozel.sounds.board import Board
        board = Board(command={standing(READS)!r})
        board.settled(10)
        print(board._process.pid, flush=True)
        time.sleep(15)
    """
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as game:
        assert game.stdout is not None
        player = int(game.stdout.readline())
        game.kill()
    assert until(lambda: not _runs(player))


def _runs(number: int) -> bool:
    import os

    try:
        os.kill(number, 0)
    except OSError:
        return False
    status = Path(f"/proc/{number}/stat")
    return not (status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] == "Z")


def test_a_game_whose_player_hangs_ends_at_once() -> None:
    code = f"""if True:
        from kozel.sounds.board import Board
        from kozel.sounds.plan import Cue
        board = Board(command={standing(PLAYING + "import time; time.sleep(15)")!r})
        print(board.settled(10))
        board.play([Cue("laid")])
    """
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20, check=True)
    assert (done.stdout, done.stderr) == ("playing\n", "")
    assert time.monotonic() - start < 10


def test_a_board_that_was_closed_stays_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subprocess.Popen", lambda *_, **__: pytest.fail("a process was started"))
    board = Board(command=standing(READS))
    board.close()
    board.play([Cue("laid")])
    assert board.settled(0.2) == "opening"


def test_volumes_stay_between_nothing_and_all() -> None:
    board = Board(95, on=False, volumes={"moves": 40})
    board.volume += 10
    assert board.volume == 100
    board.volume -= 110
    assert board.volume == 0
    assert (board.volume_of("moves"), board.volume_of("ends")) == (40, 100)
    board.set_volume_of("ends", 130)
    assert board.volume_of("ends") == 100


def test_bad_files_are_told(tmp_path: Path) -> None:
    told: list[BadSound] = []
    bad = "tell(bad=[['lay.wav', 'unknown', 'laid']])\n"
    board = Board(own=tmp_path, tell=told.extend, command=standing(READS.replace("for", bad + "for")))
    board.start()
    assert until(lambda: bool(told))
    assert told == [BadSound(tmp_path / "lay.wav", "unknown", near="laid")]
    board.close()


def test_loading_the_board_does_not_load_miniaudio() -> None:
    code = "import sys, kozel.sounds.board; print([n for n in ('miniaudio', 'difflib', 'yaml') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20, check=True)
    assert done.stdout.strip() == "[]"
