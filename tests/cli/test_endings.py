"""Signals, closed streams and their exit status, on a pipe."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from oracle.records import replay_text
from play.program import PATIENCE, Piped, command, environment

PLAY = ("play", "kozel", "--player", "Anna", "--player", "Boris:novice")
ALONE = ("play", "kozel", "--player", "Anna:novice", "--player", "Boris:novice", "--option", "target=1000")
KEPT = "The match is kept. Go on with: kozel resume --data-dir {}"
STATUS = {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")


@pytest.mark.parametrize("name", STATUS)
@pytest.mark.parametrize("words", [PLAY, ALONE, ()], ids=["a person", "computers", "the menu"])
def test_a_signal(name: str, words: tuple[str, ...], tmp_path: Path) -> None:
    with Piped(tmp_path, *words) as program:
        if words == ALONE:
            until = time.monotonic() + PATIENCE
            while len(program.transcript.all) < 5 and time.monotonic() < until:
                program.transcript.fresh()
        else:
            program.start()
        program.process.send_signal(getattr(signal, name))
        assert program.process.wait(PATIENCE) == STATUS[name]
        program.transcript.fresh()
        assert program.transcript.all[-1].text == (KEPT.format(tmp_path) if words else "Goodbye.")
        assert program.errors == ""
        if words:
            assert replay_text(program.record.read_text(encoding="utf-8"))["ok"]


@pytest.mark.parametrize("closed", ["<&-", "</dev/null", ">&- 2>&-", "<&- >&- 2>&-", ">/dev/full"])
def test_without_some_of_its_streams(closed: str, tmp_path: Path) -> None:
    words = " ".join(command(*PLAY, "--data-dir", str(tmp_path), "--lang", "en"))
    done = subprocess.run(
        ["/bin/sh", "-c", f"exec {words} {closed}"],
        env=environment(),
        input=b"",
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert not (tmp_path / "log.txt").exists()
    (record,) = (tmp_path / "matches").glob("*.yaml")
    assert replay_text(record.read_text(encoding="utf-8"))["ok"]
