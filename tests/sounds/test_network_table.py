"""At a network table the installed game plays its own sounds: who comes, goes and talks, and the match."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sounds.null_sink import NullSink, missing

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are needed", allow_module_level=True)

from net.served import join, served

pytestmark = [pytest.mark.slow, pytest.mark.skipif(missing() is not None, reason=str(missing()))]
DOWN, HOME = "\x1b[B", "\x1b[H"


@pytest.fixture
def sink(monkeypatch: pytest.MonkeyPatch) -> Iterator[NullSink]:
    """A null sink that is awake, for every program that the test starts."""
    with tempfile.TemporaryDirectory(prefix="kz") as folder, NullSink(Path(folder)) as sink:
        recorder = sink.record()
        monkeypatch.setenv("PULSE_SERVER", sink.server)
        monkeypatch.setenv("KOZEL_SOUNDS", "on")
        yield sink
        recorder.stop()


def played(transcript: Path) -> list[str]:
    rows = [json.loads(line) for line in transcript.read_text(encoding="utf-8").splitlines()]
    return [row["name"] for row in rows if row["kind"] == "sound"]


def hears(transcript: Path, name: str) -> bool:
    until = time.monotonic() + 15
    while name not in played(transcript):
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True


def test_who_comes_goes_and_talks_is_heard(sink: NullSink, tmp_path: Path) -> None:
    heard = tmp_path / "anna.jsonl"
    with served(tmp_path / "server") as server:
        anna = join(server.port, tmp_path / "anna", "Anna", "--transcript", str(heard))
        anna.hear("Open a table; 1 of")
        anna.press("\x1b[5~")
        anna.hear("Volume 60")
        anna.press(HOME, "\r")
        anna.hear("New table")
        anna.press("\r")
        anna.hear("At the table")
        anna.press(DOWN, DOWN, DOWN)
        anna.hear(r"Invite: (\d\d) (\d\d) (\d\d) (\d\d)")
        code = "".join(anna.child.match.groups())
        boris = join(server.port, tmp_path / "boris", "Boris", code)
        boris.hear("At the table. Waiting for the host")
        anna.hear("Boris sits down")
        assert hears(heard, "came")
        anna.press(HOME, "\r")
        boris.hear("Round 1")
        assert hears(heard, "dealt")
        boris.press("`")
        boris.hear("To the table")
        boris.press("good evening", "\r")
        anna.hear("Boris says: good evening")
        assert hears(heard, "talk")
        boris.press("\x1b", "\r")
        anna.hear("Boris leaves")
        assert hears(heard, "went")
        boris.close()
        anna.close()
