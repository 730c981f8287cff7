"""Saves: cut at every byte, on a full disk, written by hand, resumed from every phase."""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import sys
from datetime import date
from pathlib import Path
from random import Random

import pytest

from kozel.play.store import Folder, Unusable, newest_unfinished, read_kept
from kozel.rules.reading import find
from kozel.rules.seating import Seating
from oracle.records import replay_text
from play.driven import Driven
from play.hearing import Asked, tiles_named
from play.person import Person
from play.program import Ended, Line, Piped, command, environment
from play.test_killed import MASHED

DAY = date(2026, 11, 29)


def begun(path: Path, decisions: int, ruleset: str = "kozel", seats: int = 2) -> bytes:
    """A match with so many decisions; its record."""
    names = ("Анна", "Борис", "Вера", "Гена")[:seats]
    seating = Seating(find(ruleset), names, (None,) * seats, False, {"target": 1000}, "seed")
    runner = Driven.start(seating, Folder(path), DAY)
    chance = Random(1)
    runner.deal()
    for _ in range(decisions):
        if runner.match.round is None:
            runner.deal()
        assert runner.match.round is not None
        runner.decide(chance.choice(runner.match.round.legal))
    runner.close()
    return runner.path.read_bytes()


def decisions_in(record: bytes) -> int:
    """The whole decisions of a record of ours."""
    whole = record[: record.rfind(b"\n") + 1].split(b"\n")
    return sum(line.startswith(b"      - ") and not line.startswith(b"      - [") for line in whole)


def test_a_save_cut_at_any_byte_loses_no_whole_decision(tmp_path: Path) -> None:
    record = begun(tmp_path, 34)
    assert record.count(b"  - hands:") >= 2
    path = next((tmp_path / "matches").glob("*.yaml"))
    head = record.index(b"rounds:\n") + len(b"rounds:\n")
    first_deal, last_deal = record.index(b"  - hands:"), record.rindex(b"  - hands:")
    for size in (*range(first_deal + 200), *range(last_deal - 100, len(record) + 1)):
        path.write_bytes(record[:size])
        if size < head:
            with contextlib.suppress(Unusable):
                assert read_kept(path).match.round is None
            continue
        runner = Driven.go_on(read_kept(path))
        assert sum(len(each["moves"]) for each in _rounds(path)) == decisions_in(record[:size])
        if runner.match.round is None:
            runner.deal()
        else:
            runner.decide(runner.match.round.legal[0])
        runner.close()
        now = path.read_bytes()
        assert now.startswith(record[: record[:size].rfind(b"\n  - hands:") + 1])
        assert size % 7 or replay_text(now.decode())["ok"]


def _rounds(path: Path) -> list[dict[str, list[str]]]:
    from oracle.reading import load

    rounds = load(path.read_text(encoding="utf-8"))["rounds"] or []
    return [{"moves": each["moves"] or []} for each in rounds]


@pytest.mark.parametrize("cut", range(0, 1300, 190))
def test_the_program_resumes_a_cut_save(cut: int, tmp_path: Path) -> None:
    record = begun(tmp_path, 40)
    path = next((tmp_path / "matches").glob("*.yaml"))
    kept = record[: len(record) - cut]
    path.write_bytes(kept)
    with Piped(tmp_path, "resume", lang="ru") as program:
        person = Person(program.press, Random(1), "ru")
        person.hear(program.start())
        for _ in range(8):
            assert person.step()
    now = path.read_bytes()
    assert decisions_in(now) > decisions_in(kept)
    assert replay_text(now.decode())["ok"]


def test_a_save_without_a_head_is_passed_over(tmp_path: Path) -> None:
    """A match of which nothing was told yet; the one before it is gone on with."""
    begun(tmp_path, 5)
    torn = tmp_path / "matches" / "2999-11-29-9-kozel.yaml"
    torn.write_bytes(b'kozel-record: 1\nruleset: "koz')
    with Piped(tmp_path, "resume") as program:
        start = program.start()
    assert start[0].text.startswith("2999-11-29-9-kozel.yaml is damaged and stays as it is: ")
    assert any(line.text == "Kozel: Анна and Борис." for line in start)
    assert torn.read_bytes() == b'kozel-record: 1\nruleset: "koz'


@pytest.mark.skipif(sys.platform == "win32", reason="file size limits are POSIX")
def test_on_a_full_disk_nothing_counts_that_was_not_written(tmp_path: Path) -> None:
    """A file size limit stands in for the full disk: the write fails in the middle of a line, and goes through later."""
    import resource

    begun(tmp_path, 7)
    path = next((tmp_path / "matches").glob("*.yaml"))
    runner = Driven.go_on(read_kept(path))
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    match = runner.match
    assert match.round is not None
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 5, hard))
    try:
        for _ in range(3):
            with pytest.raises(OSError, match="File too large"):
                runner.decide(match.round.legal[0])
            assert runner.match is match
            assert path.read_bytes() == before
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    runner.decide(match.round.legal[0])
    runner.close()
    assert decisions_in(path.read_bytes()) == 8
    assert replay_text(path.read_text(encoding="utf-8"))["ok"]


def _limited(words: list[str], size: int) -> list[str]:
    """A command that cannot make a file longer than `size` bytes, except its transcript, which is a pipe's."""
    limit = f"import resource, os, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))"
    return [sys.executable, "-c", f"{limit}; os.execv(sys.argv[1], sys.argv[1:])", *words]


@pytest.mark.skipif(sys.platform == "win32", reason="file size limits are POSIX")
@pytest.mark.parametrize("players", ["A:novice B:novice", "A B:novice"])
def test_a_match_that_cannot_be_saved_says_so_once(players: str, tmp_path: Path) -> None:
    """With computers alone it ends, exit 1; a computer that plays against a person waits for the person's Enter."""
    words = ["play", "kozel", "--lang", "en", "--data-dir", str(tmp_path), "--seed", "5", "--option", "target=1000"]
    for player in players.split():
        words += ["--player", player]
    done = subprocess.run(
        _limited(command(*words), 700),
        check=False,
        input=MASHED[:3000].encode(),
        capture_output=True,
        env=environment(),
        timeout=60,
    )
    said = (done.stdout + done.stderr).decode()
    assert "cannot be written, File too large" in said or "cannot be written: File too large" in said
    assert done.returncode == (1 if players.count("novice") == 2 else 0)
    (path,) = (tmp_path / "matches").glob("*.yaml")
    assert replay_text(path.read_text(encoding="utf-8"))["ok"]


HAND_WRITTEN = """\
# Two games at the dacha
kozel-record: 1
ruleset: domino
players: [Anna, Boris]   # Anna began
rounds:
  - hands:
      - [0-0, 0-3, 1-4, 2-4, 3-3, 3-5, 6-6]
      - [0-1, 1-1, 1-5, 2-2, 3-6, 4-5, 5-6]
    bazaar: [1-2, 2-6, 0-4, 2-3, 0-2, 1-6, 4-6, 0-5, 2-5, 5-5, 4-4, 0-6, 3-4, 1-3]
    moves: [0-0, 0-1, 4-1 left]"""


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n# the tea is ready\n"])
def test_a_record_written_by_hand_is_gone_on_with(end: str, tmp_path: Path) -> None:
    """All of it counts, as `replay` reads it, whether a newline ends it or not; it goes on in a copy, and the file stays."""
    path = tmp_path / "мой матч.yaml"
    path.write_text(HAND_WRITTEN + end, encoding="utf-8", newline="")
    written, copy = path.read_bytes(), path.with_name("мой матч-2.yaml")
    expected = replay_text(HAND_WRITTEN)
    with Piped(tmp_path / "data", "resume", str(path)) as program:
        person = Person(program.press, Random(1), "en")
        person.hear(program.start())
        assert program.transcript.all[0].text.endswith("Domino: Anna and Boris.") or person.question is Asked.HANDOVER
        assert person.lines[-1].text == "Boris, Enter."
        person.press("enter")
        question = person.lines
        (hand,) = program.press("a")
        assert sorted(tiles_named(hand.text, "en")) == expected["hands"][1]
        person.hear(question)
        for _ in range(6):
            assert person.step()
        program.send("q\r")
        program.process.wait(60)
        program.transcript.fresh()
        assert (
            program.transcript.all[-1].text == f"The match is kept. Go on with: kozel resume {shlex.quote(str(copy))}"
        )
        assert any("мой матч-2.yaml" in line.text for line in program.transcript.all[:3])
    assert path.read_bytes() == written
    now = copy.read_text(encoding="utf-8")
    assert "# Two games at the dacha" in now
    after = replay_text(now)
    assert after["ok"]
    assert _rounds(copy)[0]["moves"][:3] == ["0-0", "0-1", "4-1 left"]


def test_what_the_program_wrote_may_be_torn_anywhere(tmp_path: Path) -> None:
    """A match recorded outside the data folder, killed while it wrote: the torn line was not told and does not count."""
    record = begun(tmp_path, 12)
    path = tmp_path / "elsewhere.yaml"
    path.write_bytes(record + b"      - 4-")
    assert decisions_in(record) == 12
    runner = Driven.go_on(read_kept(path))
    runner.close()
    assert path.read_bytes() == record


def _resume(folder: Path, lang: str = "en") -> tuple[list[Line], Asked | None]:
    with Piped(folder, "resume", lang=lang) as program:
        person = Person(program.press, Random(1), lang)
        person.hear(program.start())
        return person.lines, person.question


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_resumed_from_every_phase(lang: str, tmp_path: Path) -> None:
    """Seats, score, round, ends, then the handover; from inside a question too; never a hand first."""
    words = ("kozel", "--player", "Anna", "--player", "Boris", "--seed", "7", "--option", "target=1000")
    seen = set()
    with Piped(tmp_path, "play", *words, lang=lang) as program:
        person = Person(program.press, Random(2), lang)
        person.hear(program.start())
        for _ in range(400):
            what = person.question
            if what in (Asked.HANDOVER, Asked.TURN, Asked.END, Asked.NEXT_ROUND, Asked.DRAWN) and what not in seen:
                seen.add(what)
                copy = tmp_path / f"at {what.name}"
                (copy / "matches").mkdir(parents=True)
                (copy / "matches" / program.record.name).write_bytes(program.record.read_bytes())
                lines, question = _resume(copy, lang)
                assert question is (Asked.NEXT_ROUND if what is Asked.NEXT_ROUND else Asked.HANDOVER)
                assert all(line.to is None for line in lines)
                assert not any(tiles_named(line.text, lang) for line in lines)
            person.step()
    assert len(seen) == 5


def test_resumed_before_the_first_deal(tmp_path: Path) -> None:
    """Killed between head and deal: the deal that the seed gives is dealt."""
    record = begun(tmp_path, 3)
    path = next((tmp_path / "matches").glob("*.yaml"))
    path.write_bytes(record[: record.index(b"  - hands:")])
    lines, question = _resume(tmp_path)
    assert question is Asked.HANDOVER
    assert any(line.text.startswith("Round 1: ") for line in lines)
    dealt = record[: record.index(b"    moves:\n")]
    assert path.read_bytes().startswith(dealt)


def test_a_finished_or_broken_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "over.yaml"
    words = ("play", "domino", "--player", "A:novice", "--player", "B:novice", "--record", str(path))
    with Piped(tmp_path, *words) as program:
        assert program.finish() == 0
    with Piped(tmp_path, "resume", str(path)) as program, pytest.raises(Ended):
        program.start()
    assert program.process.wait() == 2
    assert program.errors == f"The match in {path} is over. A new one: kozel play\n"
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole.replace("moves:\n", "moves:\n      - 7-8\n", 1), encoding="utf-8")
    with Piped(tmp_path, "resume", str(path)) as program, pytest.raises(Ended):
        program.start()
    assert program.process.wait() == 2
    assert program.errors.startswith(f"{path} cannot be resumed: Round 1, move 1: ")
    assert program.errors.count("\n") == 1


def test_the_newest_unfinished_match_is_gone_on_with(tmp_path: Path) -> None:
    begun(tmp_path, 4)
    begun(tmp_path, 6)
    kept, damaged = newest_unfinished(Folder(tmp_path))
    assert damaged == []
    assert kept is not None
    assert decisions_in(kept.path.read_bytes()) == 6


def played_at(path: Path, **times: str) -> None:
    """What is noted of when matches were played."""
    lines = "".join(f"{when} {name}.yaml\n" for name, when in times.items())
    path.with_name("played.txt").write_text(lines, encoding="utf-8")


def test_resume_goes_by_the_matchs_own_time_whatever_its_files(tmp_path: Path) -> None:
    """Files that are copied, touched or unpacked have other times: the one played last is still known."""
    begun(tmp_path, 4)
    begun(tmp_path, 6)
    first, second = sorted((tmp_path / "matches").glob("*.yaml"))
    os.utime(first, (2_000_000_000, 2_000_000_000))
    os.utime(second, (1, 1))
    assert newest(tmp_path) == second
    runner = Driven.go_on(read_kept(first))
    runner.close()
    os.utime(first, (1, 1))
    assert newest(tmp_path) == first


def newest(folder: Path) -> Path:
    kept, damaged = newest_unfinished(Folder(folder))
    assert kept is not None
    assert damaged == []
    return kept.path


def test_without_notes_the_records_date_counts_then_its_number(tmp_path: Path) -> None:
    """As of another machine, an older version, or written by hand."""
    record = begun(tmp_path, 4)
    (old,) = (tmp_path / "matches").glob("*.yaml")
    old.unlink()
    (tmp_path / "matches" / "played.txt").unlink()
    ages = {"a": "2026-11-28", "b": "2026-11-30", "c": "2026-11-29", "d": "2026-11-30T09:30"}
    for number, (name, day) in enumerate(ages.items()):
        path = tmp_path / "matches" / f"{name}.yaml"
        path.write_bytes(record.replace(b"2026-11-29", day.encode()))
        os.utime(path, (2_000_000_000 - number * 1000, 2_000_000_000 - number * 1000))
    order = [path.stem for path in Folder(tmp_path).records()]
    assert order == ["d", "b", "c", "a"]
    for number in (1, 2, 10):
        path = tmp_path / "matches" / f"2026-12-01-{number}-kozel.yaml"
        path.write_bytes(record.replace(b'date: "2026-11-29"\n', b""))
        os.utime(path, (2_000_000_000 - number, 2_000_000_000 - number))
    assert newest(tmp_path).name == "2026-12-01-10-kozel.yaml"
    played_at(path, a="2026-12-02T10:00:00", b="nonsense", c="2026-12-02T09:59:59.500000")
    assert [path.stem for path in Folder(tmp_path).records()][:2] == ["a", "c"]
    assert newest(tmp_path).stem == "a"


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"x" * 300_000, b"2026-12-01T00:00:00\n" * 20_000])
def test_damaged_notes_cost_nothing_but_the_order(content: bytes, tmp_path: Path) -> None:
    begun(tmp_path, 4)
    (tmp_path / "matches" / "played.txt").write_bytes(content)
    assert newest(tmp_path).exists()
    begun(tmp_path, 4)
    assert newest(tmp_path).name == "2026-11-29-2-kozel.yaml"
