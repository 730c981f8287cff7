"""Signals, closed streams and their exit status, on a pipe."""

from __future__ import annotations

import shlex
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


def redirected(words: tuple[str, ...], folder: Path, streams: str) -> subprocess.CompletedProcess[bytes]:
    line = shlex.join(command(*words, "--data-dir", str(folder), "--lang", "en"))
    return subprocess.run(
        ["/bin/bash", "-c", f"set -o pipefail; {line} {streams}"],
        env=environment(),
        input=b"",
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )


FULL = b"Nothing more can be written to the output: No space left on device.\n"
CLOSED = b"Nothing more can be written to the output: Bad file descriptor.\n"
STREAMS = {
    "<&-": (0, b""),
    "</dev/null": (0, b""),
    ">&-": (1, CLOSED),
    ">&- 2>&-": (1, b""),
    "<&- >&- 2>&-": (1, b""),
    ">/dev/full": (1, FULL),
    ">/dev/full 2>/dev/full": (1, b""),
    "| true": (141, b""),
}


@pytest.mark.parametrize("streams", STREAMS)
@pytest.mark.parametrize("words", [PLAY, ALONE], ids=["a person", "computers"])
def test_without_some_of_its_streams(words: tuple[str, ...], streams: str, tmp_path: Path) -> None:
    """Nothing that was played is lost, and computers do not play on for nobody."""
    done = redirected(words, tmp_path, streams)
    assert (done.returncode, done.stderr) == STREAMS[streams]
    assert not (tmp_path / "log.txt").exists()
    (record,) = (tmp_path / "matches").glob("*.yaml")
    told = replay_text(record.read_text(encoding="utf-8"))
    assert told["ok"]
    assert words == PLAY or told["over"] == (done.returncode == 0)


@pytest.mark.parametrize("streams", [streams for streams in STREAMS if "<" not in streams])
@pytest.mark.parametrize("name", ["rules", "show", "replay", "json", "doctor", "keys"])
def test_commands_that_print_without_an_output(name: str, streams: str, tmp_path: Path) -> None:
    record = tmp_path / "a.yaml"
    record.write_bytes((Path(__file__).parent.parent / "conformance" / "kozel" / "eggs-twice.yaml").read_bytes())
    words = {
        "rules": ("rules",),
        "show": ("rules", "show", "osel"),
        "replay": ("replay", str(record)),
        "json": ("replay", "--json", *[str(record)] * 3),
        "doctor": ("doctor",),
        "keys": ("keys",),
    }[name]
    done = redirected(words, tmp_path / "data", streams)
    wanted = STREAMS[streams]
    assert (done.returncode, done.stderr) == wanted or (streams == "| true" and done.returncode == 0)
    assert not (tmp_path / "data" / "log.txt").exists()
