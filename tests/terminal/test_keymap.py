"""Keymaps: the shipped ones against the documented tables, and every mistake that a player's file can have."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kozel.locales import languages
from kozel.session.command_texts import command_text
from kozel.session.commands import Command
from kozel.session.keys import Place
from kozel.shipped import shipped
from kozel.terminal.decode import KeyEvent
from kozel.terminal.key_lists import keymap_lines, keymap_markdown
from kozel.terminal.keymap import load_keymap, shipped_ids
from kozel.terminal.keynames import KeyNameError, parse_key
from kozel.terminal.names import split, spoken, written
from kozel.terminal.pt import Bindings, Press, pt_key
from kozel.yamltree import BadFile

DOCUMENTED = {
    "up": "zone_before", "down": "zone_after", "left": "walk_left", "right": "walk_right", "home": "walk_home",
    "end": "walk_end", "tab": "next_fit", "s-tab": "previous_fit", "space": "act", "enter": "confirm",
    "s-space": "mark", "x": "mark", "f4": "draw", "d": "draw", "f2": "last_move", "m": "last_move",
    "s-f2": "moves_since_turn", "f3": "counts", "c": "counts", "s-f3": "scores", "s": "scores", "c-f3": "last_round",
    "p": "last_round", "c-s-f3": "eggs", "e": "eggs", "s-left": "end_left", "l": "end_left", "s-right": "end_right",
    "r": "end_right", "s-up": "end_up", "u": "end_up", "s-down": "end_down", "n": "end_down", "s-f4": "bazaar",
    "b": "bazaar", "f1": "help", "k": "help", "?": "help", "f5": "whose_turn", "w": "whose_turn", "f6": "repeat",
    "t": "repeat", "f7": "speech_mode", "o": "speech_mode", "f8": "verbosity", "v": "verbosity", "f9": "hand",
    "a": "hand", "s-f9": "chain", "z": "chain", ",": "older", ".": "newer", "[": "kind_before", "]": "kind_after",
    "f": "walk_left", "g": "walk_right", "y": "moves_since_turn", "i": "stand", "j": "silence", "`": "talk",
    "pageup": "louder", "pagedown": "quieter", "h": "hint", "backspace": "undo", "escape": "leave", "q": "leave",
    "1": "tile_1", "2": "tile_2", "3": "tile_3",
    "4": "tile_4", "5": "tile_5", "6": "tile_6", "7": "tile_7", "8": "tile_8", "9": "tile_9", "0": "tile_10",
}  # fmt: skip
_PLACES = list(zip("qwertyuiopasdfghjklzxcvbnm[],.`", "йцукенгшщзфывапролдячсмитьхъбюё", strict=True))
_LEFT_HAND = set("`123456qwertasdfgzxcvb") | {"tab", "space", "escape", *(f"f{n}" for n in range(1, 9))}
_RARELY_WANTED = {
    "walk_home", "walk_end", "previous_fit", "stand", "silence", "talk", "kind_before", "kind_after", "louder", "quieter",
    *(f"tile_{number}" for number in range(1, 11)),
}  # fmt: skip
_WITH_KEYS = {command for command in Command if command.has_keys}


def _given(bindings: Bindings, key: str, place: Place = Place.TURN) -> Command | None:
    return bindings.meaning(Press(KeyEvent("key", key, ""), 0.0), place).command


def _write(tmp_path: Path, text: str, name: str = "own.yaml") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def _mistakes(tmp_path: Path, text: str, name: str = "own.yaml") -> list[str]:
    """What is said about a file, without its path."""
    path = _write(tmp_path, text, name)
    with pytest.raises(BadFile) as caught:
        load_keymap(path, tmp_path)
    return [str(problem).removeprefix(f"{path}:") for problem in caught.value.problems]


def test_the_classic_keymap_is_the_documented_table() -> None:
    assert {key: command.value for key, command in load_keymap("classic").keys.items()} == DOCUMENTED


@pytest.mark.parametrize("name", ["classic", "letters", "left-hand"])
def test_every_command_has_a_key_in_each_keymap_and_a_text_in_each_language(name: str) -> None:
    assert set(load_keymap(name).commands) == _WITH_KEYS
    for lang in languages():
        assert all(command_text(command, lang) for command in Command)


@pytest.mark.parametrize("name", ["classic", "letters", "left-hand"])
def test_the_bindings_are_the_keymap(name: str) -> None:
    keymap = load_keymap(name)
    bindings = Bindings(keymap)
    for key, command in keymap.keys.items():
        assert _given(bindings, key) is command
        handlers = [binding.handler for binding in bindings.registry.get_bindings_for_keys((pt_key(key),))]
        handler = next(handler for handler in handlers if handler.__name__ == command.value)
        assert handler.__doc__ == command_text(command, "en")
    assert _given(bindings, "c-x") is None


def test_a_paste_is_text_and_no_command() -> None:
    pasted = Press(KeyEvent("paste", "paste", "", "x y"), 1.5)
    assert Bindings(load_keymap("classic")).meaning(pasted, Place.TURN) == ("paste", None, "x y", 1.5)


@pytest.mark.parametrize(("latin", "russian"), _PLACES)
def test_letters_and_signs_work_in_both_cases_and_in_the_russian_layout(latin: str, russian: str) -> None:
    bindings = Bindings(load_keymap("classic"))
    wanted = DOCUMENTED.get(latin)
    shifted = {",": "<", ".": ">", "[": "{", "]": "}", "`": "~"}.get(latin, latin.upper())
    for char in (latin, shifted, russian, russian.upper()):
        assert _given(bindings, char) == wanted


@pytest.mark.parametrize(
    ("char", "key", "belarusian"),
    [
        ("і", "s", False), ("І", "s", False), ("ї", "]", False), ("є", "'", False), ("ґ", "\\", False),
        ("ў", "o", False), ("ў", "o", True), ("і", "b", True), ("І", "b", True),
    ],
)  # fmt: skip
def test_ukrainian_and_belarusian_letters_act_by_their_place(char: str, key: str, belarusian: bool) -> None:
    assert Press(KeyEvent("key", char, ""), 0.0, belarusian=belarusian).place_name == key


def test_the_arrows_answer_the_question_for_an_end_in_every_keymap() -> None:
    wanted = {
        "left": Command.TOWARDS_LEFT,
        "right": Command.TOWARDS_RIGHT,
        "up": Command.TOWARDS_UP,
        "down": Command.TOWARDS_DOWN,
    }
    for name in shipped_ids():
        keymap = load_keymap(name)
        bindings = Bindings(keymap)
        for key, command in wanted.items():
            assert _given(bindings, key, Place.END) is command
        for key in keymap.commands[Command.WALK_LEFT]:
            assert _given(bindings, key, Place.END) is Command.TOWARDS_LEFT
            assert _given(bindings, key, Place.TURN) is Command.WALK_LEFT


def test_what_lays_draws_in_the_bazaar() -> None:
    bindings = Bindings(load_keymap("classic"))
    assert _given(bindings, "space", Place.BAZAAR) is _given(bindings, "enter", Place.BAZAAR) is Command.DRAW
    assert _given(bindings, "space", Place.TURN) is Command.ACT


@pytest.mark.parametrize("place", [Place.MENU, Place.READING, Place.YES_NO, Place.HELP, Place.LINE])
def test_outside_the_table_some_keys_mean_the_same_in_every_keymap(place: Place) -> None:
    wanted = {"enter": Command.CONFIRM, "escape": Command.LEAVE, "f1": Command.HELP, "f6": Command.REPEAT}
    for name in shipped_ids():
        bindings = Bindings(load_keymap(name))
        assert {key: _given(bindings, key, place) for key in wanted} == wanted


def test_in_a_typed_line_what_writes_is_text_and_what_erases_erases() -> None:
    bindings = Bindings(load_keymap("classic"))
    for key in ("x", "Ч", "space", "?", "1", "`"):
        given = bindings.meaning(Press(KeyEvent("key", key, ""), 0.0), Place.LINE)
        assert (given.command, given.text) == (None, " " if key == "space" else key)
    assert _given(bindings, "backspace", Place.LINE) is Command.ERASE
    assert _given(bindings, "delete", Place.LINE) is Command.ERASE_NEXT
    assert _given(bindings, "f8", Place.LINE) is Command.VERBOSITY


def test_a_key_costs_little() -> None:
    """The goal is 0.2 ms a key from prompt_toolkit's own processor; the limit leaves room for a busy machine."""
    bindings = Bindings(load_keymap("classic"))
    press = Press(KeyEvent("key", "s-f3", ""), 0.0)
    best = min(_time(lambda: bindings.meaning(press, Place.TURN)) for _ in range(50))
    assert best < 0.001


def _time(doing: Callable[[], object]) -> float:
    began = time.perf_counter()
    doing()
    return time.perf_counter() - began


def test_the_letters_keymap_needs_no_function_key_and_no_modifier() -> None:
    keymap = load_keymap("letters")
    for command in _WITH_KEYS:
        plain = [key for key in keymap.commands[command] if not split(key)[0]]
        assert plain, command
        assert not any(len(key) > 1 and key.startswith("f") for key in plain)
    walking = ("walk_left", "walk_right", "walk_home", "walk_end", "zone_before", "zone_after", "next_fit")
    for walk in walking:
        assert any(len(key) == 1 for key in keymap.commands[Command(walk)])


def test_the_left_hand_keymap_is_played_with_the_left_hand_and_no_chord() -> None:
    keymap = load_keymap("left-hand")
    for command, keys in keymap.commands.items():
        assert set(keys) & _LEFT_HAND or command.value in _RARELY_WANTED, command
        assert all(split(key)[0] == 0 for key in keys)


def test_shipped_keymaps_have_names_in_both_languages() -> None:
    assert shipped_ids() == ["classic", "left-hand", "letters"]
    for each in shipped_ids():
        assert set(load_keymap(each).names) == {"ru", "en"}


def test_a_players_keymap_extends_another(tmp_path: Path) -> None:
    _write(tmp_path, "extends: classic\nname: Моя\nkeys:\n  hint: [F10, J]\n  eggs: none\n  mark: X\n", "mine.yaml")
    _write(tmp_path, "extends: mine\nkeys: {hint: H}", "mine-too.yaml")
    keymap = load_keymap("mine", tmp_path)
    assert keymap.id == "mine"
    assert keymap.name("en") == keymap.name("ru") == "Моя"
    assert keymap.commands[Command.HINT] == ("f10", "j")
    assert Command.EGGS not in keymap.commands
    assert keymap.keys.get("s-space") is None
    assert keymap.keys.get("f2") is Command.LAST_MOVE
    further = load_keymap("mine-too", tmp_path).keys
    assert (further.get("j"), further.get("h"), further.get("e")) == (None, Command.HINT, None)


def test_a_keymap_written_before_there_were_these_keys_is_as_good_as_it_was(tmp_path: Path) -> None:
    text = "extends: classic\nkeys: {hint: [J, F, I], eggs: Y, scores: '`', undo: PageUp}"
    keymap = load_keymap(_write(tmp_path, text))
    assert keymap.commands[Command.HINT] == ("j", "f", "i")
    assert keymap.commands[Command.WALK_LEFT] == ("left",)
    assert keymap.commands[Command.MOVES_SINCE_TURN] == ("s-f2",)
    assert not {Command.SILENCE, Command.STAND, Command.TALK, Command.LOUDER} & keymap.commands.keys()
    assert keymap.commands[Command.QUIETER] == ("pagedown",)


@pytest.mark.parametrize("word", ["towards_left", "erase"])
def test_a_command_without_keys_gets_none(word: str, tmp_path: Path) -> None:
    assert f"there is no command '{word}'" in _mistakes(tmp_path, f"extends: classic\nkeys: {{{word}: F10}}")[0]


def test_every_mistake_is_found_at_once_with_its_place(tmp_path: Path) -> None:
    text = """extends: clasic
nam: x
keys:
  last_moev: F2
  act: Space
  mark: [X, ч]
  draw: x
  hint: Shft+F3
  eggs: CapsLock
  scores: {a: b}
  counts: [F13, Ctrl+I, Shift+S, Ctrl+C]
  bazaar:
"""
    assert _mistakes(tmp_path, text) == [
        "1:10: no keymap is called 'clasic': did you mean 'classic'?",
        "2:1: 'nam' is no part of a keymap: did you mean 'name'?",
        "4:3: there is no command 'last_moev': did you mean 'last_move'?",
        "6:13: 'ч' already gives 'mark' (line 6, column 10): one key, one command",
        "7:9: 'x' already gives 'mark' (line 6, column 10): one key, one command",
        "8:9: no key is called 'Shft+F3': did you mean 'Shift+F3'?",
        "9:9: 'CapsLock' cannot be used: Caps Lock belongs to the screen reader and reaches no program in a terminal",
        "10:11: a key, a list of keys, or 'none' is expected here",
        "11:12: 'F13' cannot be used: keyboards have F1 to F12",
        "11:17: 'Ctrl+I' cannot be used: most terminals cannot tell Ctrl+I from Tab",
        "11:25: 'Shift+S' cannot be used: letters, digits and signs are the same key with and without Shift",
        "11:34: 'Ctrl+C' cannot be used: Ctrl+C stops the program",
        "12:10: a key is missing here; to take the keys away write 'none'",
    ]


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("", "1:1: is empty"),
        ("[1, 2]", "1:1: a keymap must be written as 'name: value' lines"),
        ("name: x", "1:1: a keymap needs 'keys:'"),
        ("extends: classic\nkeys: {hint: S}", "'S' already gives 'scores' in the keymap that this one extends"),
        ("extends: own\nkeys: {}", "1:10: 'extends' goes in a circle: own → own"),
        ("extends: [classic]\nkeys: {}", "1:10: the name of one keymap is expected after 'extends:'"),
        ("extends: classic\nkeys: {leave: none}", "'leave' has no key left"),
        ("extends: classic\nkeys: {leave: [none, J]}", "'none' stands alone"),
        ("keys: {act: Space}", "'walk_left' has no key left"),
        ("extends: classic\nkeys: {hint: J, hint: Y}", "'hint' stands twice"),
        ("extends: classic\nkeys: {hint: [[J]]}", "a key is expected here"),
        ("extends: classic\nname: {de: x}\nkeys: {hint: J}", "2:8: 'de' is no language"),
        ("extends: classic\nkeys: {hint: &a J}", "anchors are not allowed"),
        ("keys: {hint: [J", "is no YAML"),
    ],
)
def test_one_mistake(text: str, mistake: str, tmp_path: Path) -> None:
    assert any(mistake in each for each in _mistakes(tmp_path, text))


def test_keymaps_that_extend_each_other_in_a_circle(tmp_path: Path) -> None:
    _write(tmp_path, "extends: two\nkeys: {}", "one.yaml")
    two = _write(tmp_path, "extends: one\nkeys: {}", "two.yaml")
    with pytest.raises(BadFile, match="circle: one → two → one") as caught:
        load_keymap("one", tmp_path)
    assert str(caught.value.problems[0]).startswith(f"{two}:1:10:")


@pytest.mark.parametrize("by_path", [True, False])
def test_a_player_may_not_take_the_name_of_a_shipped_keymap(by_path: bool, tmp_path: Path) -> None:
    path = _write(tmp_path, "extends: letters\nkeys: {}", "classic.yaml")
    with pytest.raises(BadFile, match="'classic' is the name of a keymap that comes with the program"):
        load_keymap(path if by_path else "classic", tmp_path)
    assert load_keymap(shipped("keymaps") / "classic.yaml", tmp_path).id == "classic"


def test_a_keymap_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as caught:
        load_keymap("clasic", tmp_path)
    assert [str(each) for each in caught.value.problems] == ["no keymap is called 'clasic': did you mean 'classic'?"]
    with pytest.raises(BadFile, match="cannot be read: there is no such file"):
        load_keymap(tmp_path / "absent.yaml", tmp_path)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Shift+F3", "s-f3"), ("shift+f3", "s-f3"), ("S-F3", "s-f3"), ("Ctrl+Shift+F3", "c-s-f3"),
        ("Shift+Ctrl+F3", "c-s-f3"), ("X", "x"), ("ч", "x"), ("<", ","), ("Esc", "escape"), ("Return", "enter"),
        ("page up", "pageup"), ("Shift+Space", "s-space"), ("-", "-"), ("Alt+x", "a-x"), ("Ctrl+Left", "c-left"),
        ("1", "1"), ("/", "?"), ("comma", ","),
    ],
)  # fmt: skip
def test_keys_as_people_write_them(text: str, key: str) -> None:
    assert parse_key(text) == key


@pytest.mark.parametrize(
    "text",
    ["Insert", "Win+X", "Shift", "F0", "F24", "Ctrl+M", "Ctrl+[", "Shift+Enter", "Shift+1", "Ctrl+1", "Ctrl+Z",
     "Alt+Tab", "Alt+F4", "Shift+Shift+F3", "Fn+F3", "Left+Right", "xyz", "Ctrl+", "NumLock", "Center"],
)  # fmt: skip
def test_keys_that_reach_no_program(text: str) -> None:
    with pytest.raises(KeyNameError, match=r"'.*' (cannot be used|names a modifier twice)|no key is called"):
        parse_key(text)


@pytest.mark.parametrize("name", ["classic", "letters", "left-hand"])
@pytest.mark.parametrize("lang", ["ru", "en"])
def test_what_is_written_for_a_key_is_read_as_that_key(name: str, lang: str) -> None:
    for key in load_keymap(name).keys:
        assert parse_key(written(key)) == key
        assert "+" not in spoken(key, lang)


def test_the_lists_are_made_from_the_keymap_in_force(tmp_path: Path) -> None:
    classic = load_keymap("classic")
    assert "Shift F3 or S: the scores" in keymap_lines(classic, "en")
    assert f"Shift пробел или X: {command_text(Command.MARK, 'ru')}" in keymap_lines(classic, "ru")
    assert "1 to 9 and 0: own tile of that number, 0 for the tenth" in keymap_lines(classic, "en")
    assert "- `Shift+Ctrl+F3`, `E`: the eggs" in keymap_markdown(classic, "en")
    assert len(keymap_lines(classic, "ru")) == len(_WITH_KEYS) - 9
    own = load_keymap(_write(tmp_path, "extends: classic\nkeys: {hint: [F10, J], tile_3: none}"))
    lines = keymap_lines(own, "en")
    assert "F10 or J: a hint" in lines
    assert "2: own tile 2" in lines
    assert not any(line.startswith("3:") for line in lines)


def test_the_format_page_names_every_command() -> None:
    page = (shipped("keymaps") / "README.md").read_text(encoding="utf-8")
    for command in Command:
        assert f"`{command.value}`" in page or command.tile is not None


def test_shift_makes_no_difference_where_most_terminals_tell_none() -> None:
    bindings = Bindings(load_keymap("classic"))
    assert _given(bindings, "s-enter") is Command.CONFIRM
    assert _given(bindings, "s-escape") is Command.LEAVE
    assert _given(Bindings(load_keymap("letters")), "s-space") is None
