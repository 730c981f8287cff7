"""Every conformance record replays to the object that stands beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kozel.records.replay import replay_text

FOLDER = Path(__file__).parent.parent / "conformance"
RECORDS = sorted(FOLDER.glob("*/*.yaml"))


def test_there_are_all_of_them() -> None:
    assert len(RECORDS) == 152


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_replays_as_written_beside_it(path: Path) -> None:
    wanted = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    found = json.loads(json.dumps(replay_text(path.read_bytes(), str(path))))
    assert found.pop("file") == str(path)
    if not wanted["ok"]:
        error = found.pop("error")
        assert error
        assert "\n" not in error
    else:
        assert found.pop("shuffle") is None
    wanted.pop("file", None)
    wanted.pop("error", None)
    assert found == wanted
