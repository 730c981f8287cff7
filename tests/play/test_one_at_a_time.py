"""Two programs on one match: the second is told, and the first one's end, however it comes, lets the next have it."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from kozel.play.store import Folder, read_kept
from kozel.records.locking import InUse, hold
from kozel.rules.reading import find
from kozel.rules.seating import Seating
from play.driven import Driven

HOLDING = """
import sys
from pathlib import Path
from kozel.records.locking import hold
held = hold(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def in_use(path: Path) -> bool:
    try:
        hold(path).release()
    except InUse:
        return True
    return False


def a_match(folder: Path) -> Path:
    ruleset = find("kozel")
    seating = Seating(ruleset, ("Anna", "Boris"), (None, None), False, ruleset.choices({}), "spring")
    runner = Driven.start(seating, Folder(folder), date(2026, 11, 29))
    runner.deal()
    runner.close()
    return runner.path


def another_program(path: Path) -> subprocess.Popen[str]:
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "held\n"
    return other


def test_a_match_that_another_program_plays_is_refused_until_that_program_dies(tmp_path: Path) -> None:
    path = a_match(tmp_path)
    other = another_program(path)
    try:
        assert in_use(path)
        with pytest.raises(InUse):
            Driven.go_on(read_kept(path))
    finally:
        other.kill()
        other.wait(timeout=60)
    runner = Driven.go_on(read_kept(path))
    assert in_use(path)
    runner.close()
    assert not in_use(path)


def test_a_match_being_played_can_be_read_by_others(tmp_path: Path) -> None:
    path = a_match(tmp_path)
    other = another_program(path)
    try:
        assert read_kept(path).match.round is not None
    finally:
        other.communicate(timeout=60)


def test_going_on_finds_what_was_played_since_the_record_was_read(tmp_path: Path) -> None:
    kept = read_kept(a_match(tmp_path))
    first = Driven.go_on(kept)
    state = first.match.round
    assert state is not None
    first.decide(state.legal[0])
    first.close()
    second = Driven.go_on(kept)
    assert second.match.log == first.match.log
    second.close()


def test_a_record_in_another_form_stays_and_its_copy_is_held(tmp_path: Path) -> None:
    path = a_match(tmp_path)
    path.write_text("# found in a drawer\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    before = path.read_bytes()
    runner = Driven.go_on(read_kept(path))
    copy = runner.path
    assert (copy != path, in_use(copy), in_use(path)) == (True, True, False)
    assert "# found in a drawer\n" in copy.read_text(encoding="utf-8")
    assert path.read_bytes() == before
    runner.close()
    assert not in_use(path)
