"""The program's own files: never half there, never over another one, and out of the way where they are damaged."""

from __future__ import annotations

import os
import sys
from datetime import date
from pathlib import Path

import pytest

from kozel.files import create_durably, set_aside, write_durably
from kozel.play.store import Folder, keep_record, read_kept
from play.kept_matches import play

DAY = date(2026, 11, 30)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written_in_place_of_another(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.yaml"
    for text in ("one\n", "два\n", b"\xff"):
        write_durably(path, text)
        assert path.read_bytes() == (text if isinstance(text, bytes) else text.encode())
    assert names(path.parent) == ["a.yaml"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "a")
    write_durably(tmp_path / "link", "x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "a").read_text(encoding="utf-8") == "x"


def test_where_it_cannot_be_written_the_old_one_stays_and_nothing_else_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    write_durably(path, "old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, full)
            with pytest.raises(OSError, match="No space left"):
                write_durably(path, "new")
        assert (names(tmp_path), path.read_text(encoding="utf-8")) == (["a"], "old")


def test_a_new_file_takes_no_others_place(tmp_path: Path) -> None:
    create_durably(tmp_path / "a", "one")
    with pytest.raises(FileExistsError):
        create_durably(tmp_path / "a", "two")
    assert (tmp_path / "a").read_text(encoding="utf-8") == "one"


@pytest.mark.skipif(sys.platform == "win32", reason="rights are POSIX")
def test_a_private_file_is_private_from_the_first(tmp_path: Path) -> None:
    write_durably(tmp_path / "a", "x", private=True)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600


def test_damaged_files_are_set_aside_without_an_end(tmp_path: Path) -> None:
    path = tmp_path / "settings.yaml"
    for text in ("a", "b", "c"):
        path.write_text(text, encoding="utf-8")
        aside = set_aside(path, DAY)
        assert aside is not None
        assert aside.read_text(encoding="utf-8") == text
    assert names(tmp_path) == [f"settings.yaml.damaged-2026-11-30{more}" for more in ("", "-2", "-3")]
    assert set_aside(path, DAY) is None


def test_a_record_from_elsewhere_is_put_among_the_own_ones(tmp_path: Path) -> None:
    own = play(tmp_path, rounds=1)
    text = own.read_text(encoding="utf-8")
    kept = [keep_record(Folder(tmp_path), "kozel", date(2026, 11, 29), text) for _ in range(2)]
    assert len({own, *kept}) == 3
    assert [path.read_text(encoding="utf-8") for path in kept] == [text, text]
    assert next(Folder(tmp_path).records()) == kept[1]
    assert read_kept(kept[1]).own
