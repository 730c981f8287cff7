"""How the real program ends while it speaks directly: what is waited for, what is cut, what is heard last."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("pty", reason="there are no pseudo-terminals on this platform")

from play.program import Transcript, command
from play.typed import Typed
from terminal.emulated import Emulated, Running
from voice.dispatcher import Dispatcher, wait_for

ALONE = ("play", "domino", "--player", "Anna:novice", "--player", "Boris:novice", "--option", "target=1", "--seed", "3")
LIMIT = 60


def words(folder: Path, *rest: str) -> list[str]:
    heard = ("--transcript", str(folder / "heard.jsonl"))
    return command(*rest, "--lang", "en", "--speech", "direct", "--data-dir", str(folder), *heard)


def done(server: Dispatcher) -> str:
    return " ".join(row.text for row in server.rows() if row.event == "done")


def test_computers_alone_wait_until_their_match_has_been_heard(dispatcher: Dispatcher, tmp_path: Path) -> None:
    dispatcher.start(ms_per_character=1)
    transcript = Transcript(tmp_path / "heard.jsonl")
    ended = subprocess.run(
        words(tmp_path, *ALONE), check=False, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT
    )
    heard_by_then = done(dispatcher)
    assert (ended.returncode, ended.stderr) == (0, b"")
    texts = [line.text for line in transcript.fresh()]
    assert len(texts) > 10
    assert all(text in heard_by_then for text in texts[:-1])
    assert wait_for(lambda: done(dispatcher).endswith(texts[-1]))


def test_a_key_cuts_what_computers_alone_left_to_be_said(dispatcher: Dispatcher, tmp_path: Path) -> None:
    dispatcher.start(ms_per_character=40)
    transcript = Transcript(tmp_path / "heard.jsonl")
    with Emulated() as terminal:
        program = Running(terminal, command=words(tmp_path, *ALONE), term="xterm-256color", environ={})
        assert wait_for(lambda: bool(transcript.fresh()) and "wins the match" in transcript.all[-1].text, LIMIT)
        time.sleep(0.5)
        assert program.process.poll() is None
        begin = time.monotonic()
        terminal.send(" ")
        assert program.wait() == 0
        assert time.monotonic() - begin < 8
        assert terminal.restored
    time.sleep(0.5)
    assert dispatcher.rows()[-1].event == "stopped"
    assert "wins the match" not in done(dispatcher)


@pytest.mark.parametrize("key", ["escape", "c-c"])
def test_leaving_cuts_a_long_answer_and_the_goodbye_is_heard(dispatcher: Dispatcher, tmp_path: Path, key: str) -> None:
    dispatcher.start(ms_per_character=20)
    one = ("play", "kozel", "--player", "Anna", "--player", "Boris:novice", "--seed", "3")
    transcript = Transcript(tmp_path / "heard.jsonl")
    with Typed(tmp_path, *one, speech="direct") as program:
        program.listened()
        program.send("a")
        program.until(bool)
        if key == "c-c":
            program.terminal.send("\x03")
        else:
            program.send("escape")
            program.until(bool)
            time.sleep(0.5)
            program.send("enter")
        assert program.program.wait() == (130 if key == "c-c" else 0)
    kept = transcript.fresh()[-1].text
    assert "kozel resume" in kept
    assert wait_for(lambda: kept in done(dispatcher), 20)
    assert dispatcher.spoken()[-1].endswith(kept)
    time.sleep(0.3)
    assert done(dispatcher).endswith(kept)


def test_the_list_of_outputs_is_on_the_terminal_in_every_mode(dispatcher: Dispatcher, tmp_path: Path) -> None:
    dispatcher.start()
    shown = {}
    for mode in ("lines", "direct", "off"):
        command = [sys.executable, "-m", "kozel", "speech", "list", "--lang", "en", "--speech", mode]
        run = subprocess.run(
            [*command, "--data-dir", str(tmp_path)], check=False, capture_output=True, text=True, timeout=LIMIT
        )
        shown[mode] = run.stdout.splitlines()
        assert run.stderr == ""
    assert "speech-dispatcher: runs." in shown["lines"]
    assert [line for line in shown["direct"] if "Speech" not in line] == [
        line for line in shown["lines"] if "Speech" not in line
    ]
    assert "Speech: direct, through speech-dispatcher." in shown["direct"]
    assert "Speech is off." in shown["off"]
    assert any("speech-dispatcher: runs." in text for text in dispatcher.spoken())
