"""The menus of the real program, by keys through a pipe: every key is answered, every value is said, choices are remembered."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from kozel.play.store import Folder, read_kept
from kozel.records.locking import hold
from play.kept_matches import play
from play.program import KEYS, Ended, Line, Piped, command, environment

ALL_KEYS = [name for name in KEYS if name not in ("enter", "space", "escape", "f12", "f7")]
CHOOSING = {"enter", "space", "escape"}
UNUSED = ["ъ", "`", "_", "~", "="]
"""Characters that begin no item of any menu."""


def said(lines: list[Line]) -> str:
    return " | ".join(line.text for line in lines)


def last(lines: list[Line]) -> str:
    return lines[-1].text


def to(program: Piped, label: str, key: str = "down") -> str:
    """Walk to the item that begins with a label; what is said of it."""
    program.press("home")
    heard = ""
    for _ in range(40):
        text = last(program.press(key)) if heard else last(program.press("f5"))
        if label in text:
            return text
        assert text != heard or not text.endswith(("Edge.", "Край.")), f"no {label}"
        heard = text
    raise AssertionError(f"no {label}")


def place_of(text: str) -> int:
    """The number of the item that was said."""
    return int(re.findall(r"(\d+) (?:of|из) \d+\.$", text)[0])


def items_in(text: str) -> int:
    """How many items the menu has, as it was said."""
    return int(re.findall(r"(?:of|из) (\d+)\.$", text)[0])


def every_key_is_answered(program: Piped) -> None:
    for key in [*ALL_KEYS, *UNUSED]:
        assert program.press(key), key


LABELS = {
    "en": ["New match", "Continue", "Matches", "Statistics", "Rules", "Keys", "Settings", "Quit"],
    "ru": ["Новая партия", "Продолжить", "Партии", "Статистика", "Правила", "Клавиши", "Настройки", "Выход"],
}


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_first_words_are_the_title_and_one_item_and_the_rest_is_walked(tmp_path: Path, lang: str) -> None:
    with Piped(tmp_path, lang=lang) as program:
        first = last(program.start())
        assert LABELS[lang][0] in first
        assert not any(label in first for label in LABELS[lang][1:])
        heard = [first, *(last(program.press("down")) for _ in range(items_in(first) - 1))]
        named = [label for text in heard[1:] for label in LABELS[lang] if text.startswith(label)]
        assert named == LABELS[lang][1:]
        assert last(program.press("down")) == last(program.press("end")) != heard[-1]
        assert LABELS[lang][0] in last(program.press("home"))


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_item_says_what_it_means_and_then_how_menus_work(tmp_path: Path, lang: str) -> None:
    meanings = set()
    with Piped(tmp_path, lang=lang) as program:
        items = items_in(last(program.start()))
        for _ in range(items):
            program.send(KEYS["f1"] + KEYS["f1"])
            heard = program.press("down")
            meanings.add(heard[0].text)
            assert heard[0].text != heard[2].text
            assert "Enter" in heard[2].text
    assert len(meanings) == items


def test_every_key_is_answered_in_every_menu(tmp_path: Path) -> None:
    play(tmp_path, target=40)
    play(tmp_path, rounds=1)
    with Piped(tmp_path) as program:
        program.start()
        every_key_is_answered(program)
        ways = {
            "New match": ["enter"],
            "Continue": ["enter"],
            "Matches": ["enter"],
            "Statistics": ["enter"],
            "Rules": ["enter"],
            "Keys": ["enter"],
            "Settings": ["enter"],
        }
        for label, keys in ways.items():
            to(program, label)
            program.press(*keys)
            if label == "Settings":
                for key in ("up", "down", "f1", "f2", "f3", "f5", "f6", "tab", "s-tab", *UNUSED):
                    assert program.press(key), key
            else:
                every_key_is_answered(program)
            assert "Menu" in last(program.press("escape"))


def test_every_key_is_answered_in_a_question_and_asks_it_again(tmp_path: Path) -> None:
    play(tmp_path, rounds=1)
    with Piped(tmp_path) as program:
        program.start()
        to(program, "Matches")
        program.press("enter", "enter")
        to(program, "Delete")
        question = last(program.press("enter"))
        assert question.startswith("Delete?")
        for key in (*(key for key in ALL_KEYS if key not in CHOOSING), *UNUSED, "space"):
            assert last(program.press(key)) == question, key
        assert "Not deleted" in said(program.press("escape"))
    assert len(list((tmp_path / "matches").glob("*.yaml"))) == 1


def test_digits_and_first_letters_choose(tmp_path: Path) -> None:
    with Piped(tmp_path) as program:
        program.start()
        number = place_of(to(program, "Rules"))
        program.press("home")
        assert "Which game?" in said(program.press(str(number)))
        assert "Menu" in said(program.press("escape"))
        assert last(program.press("s")).startswith("Settings")
        assert last(program.press("s")).startswith("Statistics")
        assert "Which game?" in said(program.press("R"))
        program.press("escape")
        to(program, "Settings")
        program.press("enter")
        assert "no item 10" in last(program.press("0"))
        assert "no item 10" in last(program.press("0"))
        program.press("escape")
        with pytest.raises(Ended):
            program.press("q")
        assert program.process.wait(60) == 0


def test_letters_of_the_other_layout_choose_by_their_place(tmp_path: Path) -> None:
    with Piped(tmp_path, lang="ru") as program:
        program.start()
        assert last(program.press("y")).startswith("Настройки")


# a new match


def test_a_match_is_set_up_in_one_menu_by_values_changed_in_place(tmp_path: Path) -> None:
    with Piped(tmp_path) as program:
        program.start()
        program.press("enter")
        to(program, "Game")
        while last(program.press("right")) != "Kozel.":
            pass
        to(program, "Players")
        assert last(program.press("left")) == "4."
        to(program, "In pairs")
        assert last(program.press("right")) == "yes."
        to(program, "Seat 1")
        asked = said(program.press("enter", "\r"))
        assert "Name of player 1; Enter alone: Boris." in asked
        assert "Boris, person" in asked
        program.press("enter", "Вера\r")
        assert "Enter alone: Вера." in said(program.press("enter", "\r"))
        to(program, "Seat 2")
        heard = [last(program.press("right")) for _ in range(4)]
        assert [text.split(", ")[1] for text in heard] == ["amateur.", "strong.", "master.", "person."]
        program.press("enter", "Boris\r")
        to(program, "Target")
        assert last(program.press("right")) == "150."
        assert "number from 1 to 1000" in said(program.press("enter", "5000\r"))
        assert "Target: 60" in said(program.press("enter", "60\r"))
        to(program, "Bonuses")
        assert "Bonuses: no" in said(program.press("enter"))
        to(program, "Seat 3")
        assert "taken" in said(program.press("enter", "Boris\r", "\r"))
        to(program, "Start")
        begun = said(program.press("enter"))
        assert "Kozel: Вера and Vera against Boris and Gleb." in begun
        record = read_kept(program.record).record
    assert record.head.ruleset.id == "kozel"
    assert record.head.pairs
    assert record.head.levels == (None, None, "novice", "novice")
    assert record.head.options == {"target": 60, "bonuses": False}


def test_options_follow_the_game_and_the_rules_can_be_heard_first(tmp_path: Path) -> None:
    with Piped(tmp_path) as program:
        program.start()
        program.press("enter")
        to(program, "Game")
        assert "Which game?" in said(program.press("enter"))
        game = last(program.press("end"))
        assert "New match" not in game
        program.press("enter")
        assert game.split(";")[0].removesuffix(".") in to(program, "Game")
        to(program, "Rules of this game")
        assert "Rules." in said(program.press("enter"))
        assert program.press("down")
        assert "Rules of this game" in last(program.press("escape"))


def test_the_table_is_remembered_and_can_be_played_at_again(tmp_path: Path) -> None:
    with Piped(tmp_path) as program:
        program.start()
        program.press("enter")
        to(program, "Seat 1")
        program.press("enter", "Anna\r")
        to(program, "Target")
        program.press("enter", "60\r")
        to(program, "Start")
        program.press("enter")
        program.finish()
    with Piped(tmp_path) as program:
        first = last(program.start())
        assert "Again with the same seats" in first
        assert "Anna and Boris" in first
        assert "Anna and Boris" in said(program.press("enter"))
        again = read_kept(program.record).record.head
        program.finish()
    assert again.options == {"target": 60}
    assert again.levels == (None, "novice")
    with Piped(tmp_path) as program:
        program.start()
        program.press("n")
        assert "Anna, person" in to(program, "Seat 1")
        assert "60" in to(program, "Target")


def test_options_of_the_command_line_hold_for_their_match_only(tmp_path: Path) -> None:
    two = ("play", "kozel", "--player", "Anna", "--player", "Boris:novice")
    for words, kept in (((), 125), (("--option", "target=30"), 125)):
        with Piped(tmp_path, *two, *words) as program:
            program.start()
            program.finish()
        with Piped(tmp_path) as program:
            program.start()
            program.press("n")
            assert f"Target: {kept}" in to(program, "Target")
            assert "Anna" in to(program, "Seat 1")
    with Piped(tmp_path) as program:
        program.start()
        program.press("n")
        to(program, "Target")
        program.press("enter", "60\r")
        to(program, "Start")
        program.press("enter")
        program.finish()
    with Piped(tmp_path, *two, "--option", "bonuses=no") as program:
        program.start()
        program.finish()
    with Piped(tmp_path) as program:
        program.start()
        program.press("n")
        assert "Target: 60" in to(program, "Target")
        assert "Bonuses: yes" in to(program, "Bonuses")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "last: [",
        "last: x\n",
        "last: kozel\ntables: {kozel: 5}\n",
        "last: kozel\ntables:\n  kozel: {players: [1]}\n",
    ],
)
def test_a_damaged_memory_of_tables_is_told_and_costs_nothing_else(tmp_path: Path, text: str) -> None:
    (tmp_path / "last.yaml").write_text(text, encoding="utf-8")
    with Piped(tmp_path) as program:
        start = program.start()
        assert "New match" in last(start)
        assert sum("last.yaml is damaged (" in line.text for line in start) == 1
        assert "Start" in last(program.press("enter"))
        assert "Round 1" in said(program.press("enter"))
        program.finish()
    with Piped(tmp_path) as program:
        assert "Again" in last(program.start())
    (aside,) = tmp_path.glob("last.yaml.damaged-*")
    assert aside.read_text(encoding="utf-8") == text


def test_digits_keep_their_meaning_when_an_item_comes_or_goes(tmp_path: Path) -> None:
    rules: list[int] = []
    for _ in range(2):
        with Piped(tmp_path) as program:
            first = last(program.start())
            assert ("Again" in first) == bool(rules)
            rules.append(place_of(to(program, "Rules")))
            program.press("home")
            assert "Which game?" in said(program.press(str(rules[-1])))
            program.press("escape")
            to(program, "New match")
            program.press("enter")
            seat = place_of(to(program, "Seat 2"))
            to(program, "Players")
            program.press("left")  # four of them: seats three and four, and pairs
            assert place_of(to(program, "Seat 2")) == seat
            to(program, "Start")
            program.press("enter")
            program.finish()
    assert rules[0] == rules[1]


def test_a_match_is_deleted_by_the_same_digit_whatever_else_can_be_done_with_it(tmp_path: Path) -> None:
    play(tmp_path, target=40)
    play(tmp_path, rounds=1)
    play(tmp_path, rounds=0)
    places = []
    for match in ("1", "2", "3"):
        with Piped(tmp_path) as program:
            program.start()
            to(program, "Matches")
            program.press("enter", match)
            places.append(place_of(to(program, "Delete")))
    assert len(set(places)) == 1


def test_a_match_without_a_round_has_nothing_to_look_back_at(tmp_path: Path) -> None:
    play(tmp_path, rounds=0)
    with Piped(tmp_path) as program:
        program.start()
        to(program, "Matches")
        program.press("enter", "enter")
        to(program, "Look back")
        assert program.press("enter")[0].text == "No round has been played yet."


def test_a_table_that_its_ruleset_no_longer_allows_is_not_offered_again(tmp_path: Path) -> None:
    tables = {"kozel-1x1": {"players": ["A", "B", "C"], "levels": [None] * 3, "pairs": False, "options": {"no": 1}}}
    (tmp_path / "last.yaml").write_text(f"last: kozel-1x1\ntables: {json.dumps(tables)}\n", encoding="utf-8")
    with Piped(tmp_path) as program:
        assert "New match" in last(program.start())
        assert "Start" in last(program.press("enter"))


def test_the_players_own_rulesets_are_offered_with_their_options_and_broken_ones_told(tmp_path: Path) -> None:
    (tmp_path / "rulesets").mkdir()
    (tmp_path / "rulesets" / "ours.yaml").write_text(
        "kozel-ruleset: 1\nid: ours\nextends: kozel\nname: Ours\n"
        "options: {bonuses: {name: {ru: Надбавка, en: Extra points}, about: {en: More for double blank.}}}\n",
        encoding="utf-8",
    )
    (tmp_path / "rulesets" / "broken.yaml").write_text("kozel-ruleset: 1\nid: broken\nseats: [9]\n", encoding="utf-8")
    with Piped(tmp_path) as program:
        program.start()
        assert "broken.yaml:" in said(program.press("enter"))
        to(program, "Game")
        assert last(program.press("left")) == "Ours."
        to(program, "Extra points")
        assert "More for double blank." in said(program.press("f1"))
        program.press("right")
        to(program, "Start")
        program.press("enter")
        head = read_kept(program.record).record.head
    assert head.ruleset.id == "ours"
    assert head.options == {"bonuses": False}


# settings


def test_settings_are_changed_in_place_kept_and_in_force(tmp_path: Path) -> None:
    with Piped(tmp_path) as program:
        program.start()
        to(program, "Settings")
        assert "Language: English" in last(program.press("enter"))
        assert last(program.press("right")).casefold() == "русский."
        assert "Подробность: обычная" in last(program.press("down"))
        assert last(program.press("right")) == "полная."
        program.press("down", "down")
        assert last(program.press("left", "left", "left")) == "классическая."
        program.press("down")
        assert last(program.press("right")) == "0,5 секунды."
        assert "Козёл. Меню." in last(program.press("escape"))
    kept = (tmp_path / "settings.yaml").read_text(encoding="utf-8")
    assert 'lang: "ru"' in kept
    assert 'verbosity: "full"' in kept
    assert "pause: 0.5" in kept
    with Piped(tmp_path, lang="ru") as program:
        program.start()
        to(program, "Настройки")
        program.press("enter")
        assert "0,5 секунды" in to(program, "Пауза")


def test_a_keymap_without_arrows_can_be_left_again_by_arrows(tmp_path: Path) -> None:
    with Piped(tmp_path) as program:
        program.start()
        to(program, "Settings")
        program.press("enter")
        to(program, "Keymap")
        seen = [last(program.press("right")) for _ in range(3)]
        assert len(set(seen)) == 3
        assert seen[-1] == "classic."
        assert "Pause" in last(program.press("down"))


FULL = """\
import os
replace = os.replace
def full(one, other):
    if str(other).endswith("settings.yaml"):
        raise OSError(28, "No space left on device", str(other))
    replace(one, other)
os.replace = full
"""
"""Stands for a disk on which the settings have no room."""


def test_settings_that_cannot_be_kept_hold_for_now(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(FULL, encoding="utf-8")
    with Piped(tmp_path, env=environment(PYTHONPATH=str(tmp_path / "site"))) as program:
        program.start()
        to(program, "Settings")
        program.press("enter", "down")
        heard = program.press("right")
        assert "cannot be written" in said(heard)
        assert last(heard) == "full."


# matches kept


def test_the_list_says_what_when_who_and_the_score(tmp_path: Path) -> None:
    path = play(tmp_path, players=("Anna", "Boris"), rounds=2)
    path.with_name("played.txt").write_text(f"2026-09-21T09:05:00 {path.name}\n", encoding="utf-8")
    totals = read_kept(path).match.ledger.totals
    with Piped(tmp_path) as program:
        program.start()
        to(program, "Continue")
        heard = last(program.press("enter"))
    assert "Kozel" in heard
    assert f"Anna {totals[0]}, Boris {totals[1]}" in heard
    assert "21 September 2026 9:05: Anna" in heard
    assert "round 3" in heard


def test_a_match_is_gone_on_with_from_the_list_and_left_again(tmp_path: Path) -> None:
    path = play(tmp_path, rounds=1)
    with Piped(tmp_path) as program:
        program.start()
        to(program, "Continue")
        program.press("enter")
        assert "Round 1 is over" in said(program.press("enter"))
        assert "Menu" in last(program.press("escape", "enter"))
    assert len(read_kept(path).match.past) == 1


def test_a_match_that_another_program_plays_is_refused_by_name(tmp_path: Path) -> None:
    path = play(tmp_path, rounds=1)
    held = hold(path)
    try:
        with Piped(tmp_path) as program:
            program.start()
            to(program, "Continue")
            program.press("enter")
            heard = program.press("enter")
            assert path.name in heard[0].text
            assert "another window" in heard[0].text
            assert "Continue which match?" in last(heard)
        told = subprocess.run(
            command("resume", str(path), "--lang", "en", "--data-dir", str(tmp_path)),
            capture_output=True,
            encoding="utf-8",
            env=environment(),
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )
    finally:
        held.release()
    assert told.returncode == 2
    assert "another window" in told.stderr


def test_a_damaged_match_is_said_to_be_so_stays_and_hides_no_other(tmp_path: Path) -> None:
    play(tmp_path, rounds=1)
    damaged = tmp_path / "matches" / "old.yaml"
    damaged.write_bytes(b"kozel-record: 1\nrulezet: kozel\n")
    with Piped(tmp_path) as program:
        program.start()
        to(program, "Continue")
        assert "Anna" in last(program.press("enter"))
        assert "Damaged: old.yaml" in last(program.press("down"))
        assert "old.yaml is damaged and stays as it is" in said(program.press("enter"))
        program.press("escape")
        to(program, "Matches")
        program.press("enter", "end", "enter")
        assert "old.yaml is damaged" in said(program.press("enter"))
    assert damaged.read_bytes() == b"kozel-record: 1\nrulezet: kozel\n"


def test_a_match_is_renamed_exported_and_deleted(tmp_path: Path) -> None:
    path = play(tmp_path, target=30)
    with Piped(tmp_path) as program:
        program.start()
        to(program, "Matches")
        program.press("enter", "enter")
        to(program, "Export")
        assert "Enter alone goes back" in said(program.press("enter", "2", "\r"))
        assert not (tmp_path / "exports").exists()
        assert "Exported" in said(program.press("enter", "\r"))
        assert "there already" in said(program.press("enter", "\r"))
        assert "Exported" in said(program.press("enter", "2", "other\r"))
        assert (tmp_path / "exports" / "other.yaml").exists()
        to(program, "Rename")
        assert "cannot be the name" in said(program.press("enter", "a/b\r"))
        heard = program.press("enter", "Дача\r")
        assert "Renamed: Дача" in said(heard)
        assert last(heard).startswith("Rename")
        assert "Renamed" not in said(program.press("enter", "\r"))
        assert "Дача. Kozel" in last(program.press("escape"))
        program.press("enter")
        to(program, "Delete")
        program.press("enter")
        assert "Deleted." in said(program.press("enter"))
        assert not list((tmp_path / "matches").glob("*.yaml"))
    exported = tmp_path / "exports" / path.name
    assert read_kept(exported).match.end is not None


# looking back


def test_a_match_is_walked_with_all_hands_open_or_as_one_player_saw_it(tmp_path: Path) -> None:
    play(tmp_path, target=30)
    with Piped(tmp_path) as program:
        program.start()
        to(program, "Matches")
        program.press("enter", "enter")
        heard = program.press("enter")
        assert heard[0].text.startswith("Looking back")
        assert "Round 1" in last(heard)
        assert ": double " in last(program.press("right"))
        open_hands = last(program.press("f9"))
        assert "Anna." in open_hands
        assert "Boris." in open_hands
        assert "As Anna saw it" in last(program.press("tab"))
        assert "Boris." not in last(program.press("f9"))
        assert "Hidden" in last(program.press("2"))
        program.press("tab")
        assert "Hidden" in last(program.press("1"))
        program.press("tab")
        advised = [last(program.press("right", "space")) for _ in range(12)]
        assert any(text.startswith("Master") and "percent" in text for text in advised)
        assert "Recorded" in last(program.press("end")) or "account" in last(program.press("end"))
        assert "Anna" in last(program.press("c-f3"))
        assert "Nothing to decide" in last(program.press("enter"))
        every_key_is_answered(program)
        assert "Look back" in last(program.press("escape"))


def test_an_unfinished_match_offers_its_past_rounds_and_no_more(tmp_path: Path) -> None:
    path = play(tmp_path, rounds=1)
    with Piped(tmp_path) as program:
        program.start()
        to(program, "Continue")
        program.press("enter", "enter", "enter", "escape", "enter")
        assert read_kept(path).match.round is not None
        to(program, "Matches")
        program.press("enter", "enter")
        to(program, "Look back")
        assert "Rounds: 1." in said(program.press("enter"))
        assert "Edge." in last(program.press("down"))


# statistics


def test_statistics_are_those_of_the_matches_kept(tmp_path: Path) -> None:
    won = {"Anna": 0, "Boris": 0}
    for number in range(3):
        end = read_kept(play(tmp_path, seed=str(number), target=30)).match.end
        assert end is not None
        for side in end.winners:
            won[("Anna", "Boris")[side]] += 1
    play(tmp_path, rounds=1)
    with Piped(tmp_path) as program:
        program.start()
        to(program, "Statistics")
        program.press("enter")
        assert "Anna: 3" in last(program.press("enter"))
        heard = [last(program.press("enter")), *(last(program.press("down")) for _ in range(12))]
        assert f"Matches 3: won {won['Anna']}, lost {won['Boris']}" in heard[0]
        assert any("Unfinished matches: 1" in text for text in heard)
        assert any(
            f"Against Boris, novice: matches 3, won {won['Anna']}, lost {won['Boris']}" in text for text in heard
        )
        program.press("escape", "escape", "down")
        assert "Kozel: 3" in last(program.press("enter"))
        assert "Matches over: 3. Unfinished: 1" in last(program.press("enter"))
        program.press("escape", "escape", "down")
        assert "Anna and Boris: 3" in last(program.press("enter"))
        program.press("enter")
        assert f"Anna: won {won['Anna']}, lost {won['Boris']}" in said(program.press("down", "down"))


def test_without_matches_lists_say_so(tmp_path: Path) -> None:
    with Piped(tmp_path) as program:
        program.start()
        for label in ("Continue", "Matches", "Statistics"):
            to(program, label)
            heard = program.press("enter")
            assert "No" in heard[0].text
            assert label in last(heard)
    assert not list(Folder(tmp_path).records())
