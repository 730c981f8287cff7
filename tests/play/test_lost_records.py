"""A record that vanishes, is cut, changed or replaced while it is played: said at the next decision, and saved elsewhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from kozel.play.store import Folder, MatchFile, MatchLost, read_kept, take
from kozel.records.writing import RecordLost
from oracle.records import replay_text
from play.hearing import Asked
from play.kept_matches import play
from play.person import Person
from play.program import PATIENCE, Piped, command, environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a file that is open cannot vanish there")


def truncated(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 9)


def emptied(path: Path) -> None:
    os.truncate(path, 0)


def longer(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"      - draw\n")


def edited(path: Path) -> None:
    """In place, at the same length."""
    with path.open("r+b") as file:
        file.seek(-5, os.SEEK_END)
        file.write(b"xxxx\n")


def replaced(path: Path) -> None:
    """As editors save."""
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    os.replace(other, path)


def folder_gone(path: Path) -> None:
    shutil.rmtree(path.parent)


LOSSES: dict[str, tuple[Callable[[Path], object], str]] = {
    "vanished": (lambda path: path.unlink(), "vanished"),
    "moved": (lambda path: path.rename(path.with_name("moved.yaml")), "vanished"),
    "its folder gone": (folder_gone, "vanished"),
    "truncated": (truncated, "changed"),
    "emptied": (emptied, "changed"),
    "appended to": (longer, "changed"),
    "edited": (edited, "changed"),
    "replaced": (replaced, "replaced"),
}


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("ruleset", ["kozel", "ours"])
def test_a_lost_record_is_noticed_and_all_of_it_saved_in_another_file(loss: str, ruleset: str, tmp_path: Path) -> None:
    (tmp_path / "rulesets").mkdir()
    text = "kozel-ruleset: 1\nid: ours\nextends: kozel\nname: Ours\n"
    (tmp_path / "rulesets" / "ours.yaml").write_text(text, encoding="utf-8")
    path = play(tmp_path, ruleset, decisions=9)
    kept, record = take(read_kept(path))
    whole = path.read_bytes()
    lose, kind = LOSSES[loss]
    lose(path)
    after = path.read_bytes() if path.exists() else None
    state = kept.match.round
    assert state is not None
    decision = state.legal[0].text
    with pytest.raises(MatchLost) as told:
        record.decide(decision)
    assert told.value.kind == kind
    assert told.value.filename == str(path)
    record.decide(decision)
    record.close()
    assert record.path == told.value.elsewhere != path
    assert record.path.read_bytes() == whole + f"      - {decision}\n".encode()
    assert read_kept(record.path).own
    assert (path.read_bytes() if path.exists() else None) == after


def test_leaving_saves_what_is_lost(tmp_path: Path) -> None:
    path = play(tmp_path, decisions=9)
    _, record = take(read_kept(path))
    whole = path.read_bytes()
    path.unlink()
    record.secure()
    record.secure()
    record.close()
    assert (record.path != path, record.path.read_bytes()) == (True, whole)


def test_where_nothing_can_be_saved_it_stays_lost_and_says_so(tmp_path: Path) -> None:
    path = play(tmp_path, decisions=9)
    _, record = take(read_kept(path))
    shutil.rmtree(path.parent)
    path.parent.write_text("in the way", encoding="utf-8")
    for _ in range(3):
        with pytest.raises(OSError, match="directory"):
            record.secure()
    path.parent.unlink()
    record.secure()
    assert record.path.exists()


def test_a_record_that_was_only_touched_is_not_lost(tmp_path: Path) -> None:
    path = play(tmp_path, decisions=9)
    kept, record = take(read_kept(path))
    os.utime(path, (1, 1))
    state = kept.match.round
    assert state is not None
    record.decide(state.legal[0].text)
    record.close()
    assert record.path == path


def test_taking_back_looks_first(tmp_path: Path) -> None:
    path = play(tmp_path, decisions=9)
    kept, record = take(read_kept(path))
    longer(path)
    with pytest.raises(MatchLost):
        record.take_back(kept.record.rounds[-1].moves[-1:])
    assert path.read_bytes().endswith(b"draw\n")


def test_the_plain_record_tells_it_too(tmp_path: Path) -> None:
    from kozel.records.writing import RecordFile

    record = RecordFile.create(tmp_path / "a.yaml", "head\n")
    (tmp_path / "a.yaml").unlink()
    with pytest.raises(RecordLost, match="vanished"):
        record.decide("draw")
    record.save_elsewhere(tmp_path / "b.yaml")
    record.decide("draw")
    record.close()
    assert (tmp_path / "b.yaml").read_bytes() == b"head\n      - draw\n"


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_at_the_table(lang: str, tmp_path: Path) -> None:
    """Said at the next decision; the same key again, and the match goes on in a file that is there at the end."""
    words = ("kozel", "--player", "Anna", "--player", "Boris:novice", "--seed", "7", "--option", "target=1000")
    with Piped(tmp_path, "play", *words, lang=lang) as program:
        person = Person(program.press, Random(2), lang)
        person.hear(program.start())
        for _ in range(12):
            person.step()
        path = program.record
        path.unlink()
        assert person.question is Asked.DRAWN
        person.step()
        person.hear(program.press("f4"))
        for _ in range(12):
            assert person.step()
        said = [line.text for line in program.transcript.all]
        notices = [text for text in said if str(path) in text]
        assert len(notices) == 1
        assert ("has vanished" if lang == "en" else "исчез") in notices[0]
        (copy,) = (tmp_path / "matches").glob("*.yaml")
        assert copy != path
        program.send("q\r")
        assert program.process.wait(PATIENCE) == 0
    assert replay_text(copy.read_text(encoding="utf-8"))["ok"]
    assert not path.exists()


def test_lost_and_left_at_once(tmp_path: Path) -> None:
    """No decision comes after the loss: what is said to be kept is there."""
    words = ("kozel", "--player", "Anna", "--player", "Boris:novice", "--seed", "7")
    with Piped(tmp_path, "play", *words) as program:
        program.start()
        path = program.record
        emptied(path)
        program.send("q\r")
        assert program.process.wait(PATIENCE) == 0
        program.transcript.fresh()
        *_, lost, kept = (line.text for line in program.transcript.all)
    (copy,) = (each for each in (tmp_path / "matches").glob("*.yaml") if each != path)
    assert lost == f"{path} is lost; all of the match is now in {copy}."
    assert kept.startswith("The match is kept.")
    assert path.read_bytes() == b""
    assert replay_text(copy.read_text(encoding="utf-8"))["ok"]


def test_ten_matches_started_at_once_all_start(tmp_path: Path) -> None:
    (tmp_path / "rulesets").mkdir()
    for name, parent in (("ours", "base"), ("base", "kozel")):
        text = f"kozel-ruleset: 1\nid: {name}\nextends: {parent}\nname: {name}\n"
        (tmp_path / "rulesets" / f"{name}.yaml").write_text(text, encoding="utf-8")
    words = ("play", "ours", "--player", "A", "--player", "B", "--data-dir", str(tmp_path), "--lang", "en")
    programs = [
        subprocess.Popen(
            command(*words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
        )
        for _ in range(10)
    ]
    for program in programs:
        out, err = program.communicate(timeout=PATIENCE * 2)
        assert (program.returncode, err) == (0, b"")
        assert b"The match is kept" in out
    records = list(Folder(tmp_path).records())
    assert len(records) == 10
    assert all(read_kept(path).record.head.ruleset.id == "ours" for path in records)


def test_a_name_that_is_taken_meanwhile_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name was free when it was looked for, and is no longer when it is used."""
    first = play(tmp_path, decisions=1)
    real, asked = Folder.new_match, []

    def new_match(self: Folder, *args: object) -> Path:
        asked.append(args)
        return first if len(asked) < 3 else real(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Folder, "new_match", new_match)
    content = first.read_bytes()
    second = play(tmp_path, decisions=1)
    assert (len(asked), second != first, first.read_bytes()) == (3, True, content)


def test_a_match_with_a_proven_deal_is_for_nobody_else_to_read(tmp_path: Path) -> None:
    record = MatchFile.create(tmp_path / "a.yaml", "head\n", private=True)
    assert (tmp_path / "a.yaml").stat().st_mode & 0o777 == 0o600
    (tmp_path / "a.yaml").unlink()
    record.secure()
    record.close()
    assert record.path.stat().st_mode & 0o777 == 0o600


def test_where_files_cannot_be_told_apart_none_is_taken_for_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on file systems that number a file anew each time it is asked for."""
    path = play(tmp_path, decisions=9)
    monkeypatch.setattr(os.path, "samestat", lambda one, other: False)
    kept, record = take(read_kept(path))
    state = kept.match.round
    assert state is not None
    record.decide(state.legal[0].text)
    assert record.path == path
    path.unlink()
    with pytest.raises(MatchLost, match="vanished"):
        record.decide("draw")
    record.close()
