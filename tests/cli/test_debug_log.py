"""`--log FILE`: a key and a message followed through every station, and nothing that the player may not know."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kozel.voice.log import STATIONS

ENVIRONMENT_LIMIT = 120
LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} kozel\.([a-z_.]+) \[[^]]*\] (.*)")
PLAY = ("play", "domino", "--player", "Anna", "--player", "Boris:novice", "--seed", "log-seed-7", "--lang", "en")


def run(folder: Path, keys: str, *more: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "kozel", *PLAY, "--speech", "lines", "--data-dir", str(folder / "data"), *more]
    return subprocess.run(command, input=keys.encode(), capture_output=True, timeout=ENVIRONMENT_LIMIT, check=False)


def stations(log: Path) -> list[tuple[str, str]]:
    matches = [LINE.fullmatch(line) for line in log.read_text("utf-8").splitlines()]
    assert None not in matches
    return [(match[1], match[2]) for match in matches if match is not None]


def test_every_station_has_its_lines_in_the_order_of_the_way(tmp_path: Path) -> None:
    log = tmp_path / "debug"
    assert run(tmp_path, "w", "--log", str(log)).returncode == 0
    lines = stations(log)
    assert {place for place, _ in lines} == set(STATIONS)
    answer = next(place for place, (name, text) in enumerate(lines) if name == "messages" and text.startswith("echo"))
    words = lines[answer][1].partition(": ")[2].strip("'")
    way = [
        next(place for place, line in enumerate(lines) if line == ("keys", "key w arrives")),
        next(place for place, (name, _) in enumerate(lines) if name == "commands"),
        answer,
        next(
            place for place, (name, text) in enumerate(lines) if name == "outputs" and words in text and place > answer
        ),
    ]
    assert way == sorted(way)


def test_the_log_knows_no_hidden_hand_and_no_seed(tmp_path: Path) -> None:
    log, heard = tmp_path / "debug", tmp_path / "heard"
    assert run(tmp_path, "\t w\t w\t w", "--log", str(log), "--transcript", str(heard)).returncode == 0
    text = log.read_text("utf-8")
    assert "log-seed-7" not in text
    said = {json.loads(line)["text"] for line in heard.read_text("utf-8").splitlines()}
    told = [entry for place, entry in stations(log) if place == "messages"]
    assert len(told) == len(heard.read_text("utf-8").splitlines())
    assert all(any(repr(sentence) in entry for sentence in said) for entry in told)
    draws = [entry for place, entry in stations(log) if place == "events" and "Drew(seat=1" in entry]
    assert all("tiles=(None" in entry or "tiles=()" in entry for entry in draws)


def test_the_variable_does_what_the_flag_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOZEL_LOG", str(tmp_path / "debug"))
    assert run(tmp_path, "w").returncode == 0
    assert stations(tmp_path / "debug")


def test_a_log_that_cannot_be_written_is_a_mistake_of_the_users(tmp_path: Path) -> None:
    ended = run(tmp_path, "w", "--log", str(tmp_path / "no" / "debug"))
    assert ended.returncode == 2
    assert ended.stderr.decode().splitlines() == [
        f"The log {tmp_path / 'no' / 'debug'} cannot be written: No such file or directory."
    ]
