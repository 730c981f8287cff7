"""The library of matches: what it lists, and that nothing done to one match touches another."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kozel.play.digest import digest, packed, unpacked
from kozel.play.library import BadName, Entry, Library, checked_name
from kozel.play.store import Folder, read_kept, take
from kozel.play.table import Table
from kozel.records.locking import InUse, hold
from kozel.records.replay import result
from kozel.rules.reading import find
from kozel.rules.seating import Seating
from play.driven import Driven
from play.kept_matches import DAY, play

OWN = "kozel-ruleset: 1\nid: ours\nextends: kozel\nname: Ours\n"


def library(folder: Path) -> Library:
    return Library(Folder(folder))


def by_name(folder: Path) -> dict[str, Entry]:
    return {entry.path.name: entry for entry in library(folder).entries()}


def own_ruleset(folder: Path) -> None:
    (folder / "rulesets").mkdir(parents=True, exist_ok=True)
    (folder / "rulesets" / "ours.yaml").write_text(OWN, encoding="utf-8")


def test_the_match_played_last_comes_first(tmp_path: Path) -> None:
    paths = [play(tmp_path, seed=str(number), rounds=1) for number in range(4)]
    for age, path in enumerate(paths):
        os.utime(path, (1_000_000 - age, 1_000_000 - age))  # as when a folder is copied: it says nothing of the match
    assert [entry.path for entry in library(tmp_path).entries()] == paths[::-1]
    take(read_kept(paths[1]))[1].close()
    assert library(tmp_path).entries()[0].path == paths[1]


def test_an_entry_says_what_the_record_says(tmp_path: Path) -> None:
    path = play(tmp_path, "kozel", ("Anna", "Boris", "Vera", "Gena"), pairs=True, target=40)
    told = result(read_kept(path).match)
    found = by_name(tmp_path)[path.name].found
    assert found is not None
    assert found.end is not None
    assert found.players == ("Anna", "Boris", "Vera", "Gena")
    assert (list(found.end.winners), list(found.end.losers), found.end.title) == (
        told["winners"],
        told["losers"],
        told["title"],
    )
    played = [each for each in told["rounds"] if each["result"] != "redeal"]
    assert [list(each.scored) for each in found.rounds] == [each["scored"] for each in played]
    assert list(found.totals) == played[-1]["totals"]


@pytest.mark.parametrize("decisions", [0, 5])
def test_an_unfinished_match_says_its_round(tmp_path: Path, decisions: int) -> None:
    path = play(tmp_path, decisions=decisions)
    found = by_name(tmp_path)[path.name].found
    assert found is not None
    assert not found.over
    assert found.round == 1


def test_damaged_records_are_listed_as_such_kept_and_hide_no_other(tmp_path: Path) -> None:
    good = play(tmp_path, rounds=1)
    record = good.read_bytes()
    damaged = {
        "empty.yaml": b"",
        "binary.yaml": bytes(range(256)),
        "head.yaml": record[:40],
        "illegal.yaml": record.replace(b"    moves:\n", b"    moves:\n      - 0-0 up\n", 1),
        "huge.yaml": b"#" * 1_100_000,
    }
    for name, content in damaged.items():
        (good.parent / name).write_bytes(content)
    (good.parent / "folder.yaml").mkdir()
    entries = by_name(tmp_path)
    assert {name for name, entry in entries.items() if entry.damage} == {*damaged, "folder.yaml"}
    assert all(str(entry.damage) for entry in entries.values() if entry.damage)
    assert entries[good.name].found is not None
    for name, content in damaged.items():
        assert (good.parent / name).read_bytes() == content


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_record_cut_anywhere_is_listed_with_all_that_was_told_or_as_damaged(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.getbasetemp() / "cut"
    paths = list((folder / "matches").glob("whole*.yaml")) if folder.exists() else []
    if not paths:
        path = play(folder, rounds=2)
        path.rename(path.with_name("whole.yaml.kept"))
    whole = (folder / "matches" / "whole.yaml.kept").read_bytes()
    size = data.draw(st.integers(0, len(whole)))
    cut = folder / "matches" / "cut.yaml"
    cut.write_bytes(whole[:size])
    entry = by_name(folder)["cut.yaml"]
    if size < whole.index(b"rounds:\n") + len(b"rounds:\n"):
        assert entry.damage is not None or (entry.found is not None and not entry.found.rounds)
        return
    assert entry.found is not None
    deals = whole[:size].count(b"    moves:\n")
    assert entry.found.round == (deals if len(entry.found.rounds) < deals else 0)
    assert len(entry.found.rounds) in (deals - 1, deals)


def test_the_cache_tells_the_same_and_forgets_what_changed(tmp_path: Path) -> None:
    paths = [play(tmp_path, seed=str(number), rounds=number) for number in range(3)]
    first = library(tmp_path).entries()
    assert (tmp_path / "matches.json").exists()
    assert library(tmp_path).entries() == first
    with paths[0].open("ab") as file:
        file.write(b"nonsense\n")
    paths[1].unlink()
    changed = by_name(tmp_path)
    assert changed[paths[0].name].damage is not None
    assert paths[1].name not in changed
    assert changed[paths[2].name] in first


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": [1, "0"]}', b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_cache_costs_nothing_but_time(tmp_path: Path, content: bytes) -> None:
    play(tmp_path, rounds=1)
    wanted = library(tmp_path).entries()
    (tmp_path / "matches.json").write_bytes(content)
    assert library(tmp_path).entries() == wanted


def test_a_cache_whose_entries_are_damaged_is_passed_over(tmp_path: Path) -> None:
    play(tmp_path, rounds=1)
    wanted = library(tmp_path).entries()
    cache = json.loads((tmp_path / "matches.json").read_text(encoding="utf-8"))
    for broken in (None, 5, [[0, 0]], [[0, 0], [0, 0], [1, 2, 3]]):
        cache["matches"] = dict.fromkeys(cache["matches"], broken)
        (tmp_path / "matches.json").write_text(json.dumps(cache), encoding="utf-8")
        assert library(tmp_path).entries() == wanted


@pytest.mark.parametrize("ruleset", ["domino", "kozel", "kozel-yard", "kozel-101", "kozel-deferred"])
def test_a_digest_comes_back_from_the_cache_as_it_was(tmp_path: Path, ruleset: str) -> None:
    found = digest(read_kept(play(tmp_path, ruleset)))
    assert unpacked(json.loads(json.dumps(packed(found)))) == found


# renaming


def test_a_match_renamed_is_the_same_match(tmp_path: Path) -> None:
    path = play(tmp_path, rounds=1)
    before = by_name(tmp_path)[path.name]
    renamed = library(tmp_path).rename(path, "  Evening at the dacha. ")
    entry = by_name(tmp_path)[renamed.name]
    assert entry.title == "Evening at the dacha"
    assert before.title == ""
    assert entry.found == before.found
    assert (entry.played.day, entry.played.time) == (before.played.day, before.played.time)


def test_a_match_renamed_keeps_its_ruleset_though_another_is_begun(tmp_path: Path) -> None:
    own_ruleset(tmp_path)
    first = library(tmp_path).rename(play(tmp_path, "ours", rounds=1), "first")
    text = OWN + "options: {target: 50}\n"
    (tmp_path / "rulesets" / "ours.yaml").write_text(text, encoding="utf-8")
    play(tmp_path, "ours", rounds=1)
    assert read_kept(first).match.game.options["target"] == 125
    assert all(entry.found for entry in library(tmp_path).entries())


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    first, second = play(tmp_path, rounds=1), play(tmp_path, rounds=1)
    with pytest.raises(BadName, match="taken"):
        library(tmp_path).rename(second, first.stem)
    assert first.exists()
    assert second.exists()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("", "empty"),
        (" . ", "empty"),
        ("x" * 81, "long"),
        ("a/b", "letters"),
        ("..\\b", "letters"),
        ("what?", "letters"),
        ("CON", "letters"),
        ("lpt1.x", "letters"),
        (".hidden", "letters"),
        ("a.ruleset", "letters"),
        ("a\nb", "letters"),
    ],
)
def test_names_that_some_system_cannot_have_are_refused(name: str, kind: str) -> None:
    with pytest.raises(BadName, match=kind):
        checked_name(name)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=100))
def test_a_name_that_is_accepted_is_a_file_name_of_one_part(name: str) -> None:
    try:
        accepted = checked_name(name)
    except (BadName, UnicodeEncodeError):
        return
    assert Path(accepted + ".yaml").name == accepted + ".yaml"
    assert Path(accepted + ".yaml").stem == accepted


# deleting


def test_deleting_takes_the_copy_of_a_ruleset_along_where_no_other_match_needs_it(tmp_path: Path) -> None:
    own_ruleset(tmp_path)
    first, second = play(tmp_path, "ours", rounds=1), play(tmp_path, "ours", rounds=1)
    shared = first.with_name("third.yaml")
    shared.write_bytes(first.read_bytes())
    library(tmp_path).delete(first)
    assert read_kept(shared).match.past
    library(tmp_path).delete(shared)
    assert sorted(path.name for path in second.parent.glob("*.yaml")) == [second.stem + ".ruleset.yaml", second.name]
    assert read_kept(second).match.past


def test_a_match_that_is_being_played_is_neither_deleted_nor_renamed(tmp_path: Path) -> None:
    path = play(tmp_path, rounds=1)
    held = hold(path)
    try:
        with pytest.raises(InUse):
            library(tmp_path).delete(path)
        with pytest.raises(InUse):
            library(tmp_path).rename(path, "other")
    finally:
        held.release()
    assert path.exists()


NAMES = (
    *("spring #1", "a: b", "[x]", "&y", "o'k", 'q"q', "*z", "!t", "%p", " lead", "- d", "~", "null", "привет", "{a}"),
    *("@a", "`a", "a,b", "back\\slash", "> x", "| x", "? x", "tab\there", "line\nend", "\x7f", "\u2028", "\udcff"),
)


@pytest.mark.skipif(sys.platform == "win32", reason="files cannot have such names there")
@pytest.mark.parametrize("name", NAMES)
def test_the_copy_of_a_ruleset_whatever_the_records_name(tmp_path: Path, name: str) -> None:
    """A ruleset that extends another, both the player's own; the copies are all that is needed afterwards."""
    folder = tmp_path / "rulesets"
    folder.mkdir()
    (folder / "base.yml").write_bytes(
        "\ufeff# основа\r\nkozel-ruleset: 1\r\nid: base\r\nextends: kozel # его\r\n".encode()
    )
    text = "kozel-ruleset: 1\nid: ours\nextends: 'base'   # мой\nname: Ours\noptions: {target: 20}\n"
    (folder / "ours.yaml").write_text(text, encoding="utf-8")
    path = tmp_path / "matches" / f"{name}.yaml"
    rules = find("ours", folder)
    seating = Seating(rules, ("A", "B"), (None, None), False, rules.choices({}), "x")
    table = Driven(Table.start(seating, Folder(tmp_path), DAY, path))
    table.deal()
    table.close()
    shutil.rmtree(folder)
    kept = read_kept(path)
    assert (kept.own, kept.match.game.options["target"], kept.match.round is not None) == (True, 20, True)
    assert len(list(path.parent.glob("*.ruleset.yaml"))) == 2
    library(tmp_path).delete(path)
    assert list(path.parent.glob("*.yaml")) == []


# exporting


@pytest.mark.parametrize("ruleset", ["kozel", "ours"])
def test_an_exported_match_replays_by_itself_to_the_same(tmp_path: Path, ruleset: str) -> None:
    own_ruleset(tmp_path)
    path = play(tmp_path, ruleset, target=40)
    kept = read_kept(path)
    shelf = library(tmp_path)
    target = shelf.export(kept, tmp_path / "elsewhere" / "sent.yaml")
    shelf.delete(path)
    exported = read_kept(target)
    assert result(exported.match) == result(kept.match)
    assert exported.record.rounds == kept.record.rounds
    with pytest.raises(FileExistsError):
        shelf.export(exported, target)


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("", "exports/2026-11-29-1-kozel.yaml"),
        ("game", "exports/game.yaml"),
        (" game.yml ", "exports/game.yml"),
        ("other/game", "other/game.yaml"),
        ("./game", "game.yaml"),
        ("settings.yaml", "exports/settings.yaml"),
        ("matches.json", "exports/matches.json.yaml"),
        ("~x", "exports/~x.yaml"),
        ("dir/", "dir/2026-11-29-1-kozel.yaml"),
    ],
)
def test_where_a_match_is_exported_to(tmp_path: Path, typed: str, wanted: str) -> None:
    path = library(tmp_path).export_path(typed, tmp_path / "matches" / "2026-11-29-1-kozel.yaml")
    assert path == (tmp_path / wanted if wanted.startswith("exports") else Path(wanted))


@pytest.mark.parametrize(
    "typed", ["dir\\game", "\\game", "dir/a\\b", "~\\game", "C:\\game", "10:30", "dir/con", "dir/.."]
)
@pytest.mark.skipif(sys.platform == "win32", reason="there it is a folder")
def test_a_backslash_leads_nowhere(tmp_path: Path, typed: str) -> None:
    """What is a folder on one system and a letter on another would land where nobody looks."""
    with pytest.raises(BadName):
        library(tmp_path).export_path(typed, tmp_path / "matches" / "m.yaml")


PLACES = [
    "settings",
    "settings.yaml",
    "SETTINGS",
    "last",
    "rulesets/mine",
    "keymaps/mine.yaml",
    "promises/x",
    "matches/m",
]


@pytest.mark.parametrize("place", PLACES)
def test_no_export_takes_the_place_of_a_file_of_the_programs_own(tmp_path: Path, place: str) -> None:
    shelf = library(tmp_path)
    for typed in (str(tmp_path / place), os.path.relpath(tmp_path / place), str(tmp_path / "exports" / ".." / place)):
        with pytest.raises(BadName, match="ours"):
            shelf.export_path(typed, tmp_path / "matches" / "m.yaml")
    assert shelf.export_path(str(tmp_path / "exports" / "settings"), tmp_path / "m.yaml").name == "settings.yaml"
    assert shelf.export_path(str(tmp_path.parent / "settings"), tmp_path / "m.yaml").name == "settings.yaml"


@pytest.mark.parametrize("typed", ["..", "con", "what?", "a.ruleset"])
def test_a_bare_name_that_no_file_can_have_is_refused(tmp_path: Path, typed: str) -> None:
    with pytest.raises(BadName):
        library(tmp_path).export_path(typed, tmp_path / "matches" / "m.yaml")
