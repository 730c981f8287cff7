"""Windows key records as keys; the records are synthetic, in the shape that the console API documents."""

from __future__ import annotations

import pytest

from kozel.terminal.console_keys import Change, FocusRecord, KeyRecord, changes, decode_record, in_front
from kozel.terminal.names import fold

_SHIFT, _LEFT_CTRL, _LEFT_ALT, _RIGHT_ALT, _CAPS, _NUMLOCK, _ENHANCED = 0x10, 0x08, 0x02, 0x01, 0x80, 0x20, 0x100


def _press(vk: int, char: str = "", state: int = 0) -> KeyRecord:
    return KeyRecord(vk, char, True, state)


@pytest.mark.parametrize(
    ("record", "name"),
    [
        (_press(0x20, " "), "space"),
        (_press(0x20, " ", _SHIFT), "s-space"),
        (_press(0x20, " ", _SHIFT | _CAPS | _NUMLOCK), "s-space"),
        (_press(0x72), "f3"),
        (_press(0x72, "", _SHIFT), "s-f3"),
        (_press(0x72, "", _LEFT_CTRL), "c-f3"),
        (_press(0x72, "", _LEFT_CTRL | _SHIFT), "c-s-f3"),
        (_press(0x73, "", _SHIFT), "s-f4"),
        (_press(0x25, "", _SHIFT | _ENHANCED), "s-left"),
        (_press(0x27, "", _SHIFT | _ENHANCED), "s-right"),
        (_press(0x09, "\t", _SHIFT), "s-tab"),
        (_press(0x0D, "\r"), "enter"),
        (_press(0x1B, "\x1b"), "escape"),
        (_press(0x08, "\x08"), "backspace"),
        (_press(0x43, "\x03", _LEFT_CTRL), "c-c"),
        (_press(0x5A, "\x1a", _LEFT_CTRL), "c-z"),
        (_press(0x58, "x"), "x"),
        (_press(0x58, "X", _SHIFT), "X"),
        (_press(0x58, "ч"), "x"),
        (_press(0x58, "Ч", _SHIFT), "X"),
        (_press(0x58, "Ч", _CAPS), "X"),
        (_press(0x43, "", _LEFT_CTRL), "c-c"),
        (_press(0xBC, "б"), ","),
        (_press(0xBE, "Ю", _SHIFT), "."),
        (_press(0xDB, "х"), "["),
        (_press(0xDD, "ъ"), "]"),
        (_press(0xBF, "."), "/"),
        (_press(0xBF, ",", _SHIFT), "?"),
        (_press(0xBE, "."), "."),
        (_press(0x31, "1"), "1"),
        (_press(0x31, "&"), "1"),
        (_press(0x37, "?", _SHIFT), "?"),
        (_press(0x61, "1", _NUMLOCK), "1"),
        (_press(0x38, "[", _RIGHT_ALT | _LEFT_CTRL), "["),
        (_press(0xE7, "z"), "z"),
        (_press(0x58, "", _LEFT_ALT), "a-x"),
        (_press(0, "\r"), "enter"),
        (KeyRecord(0x12, "ч", False, 0), "ч"),
        (_press(0x10, "", _SHIFT), None),
        (_press(0x11, "", _LEFT_CTRL), None),
        (_press(0x14, "", _CAPS), None),
        (KeyRecord(0x20, " ", False, 0), None),
        (KeyRecord(0x20, " ", False, _SHIFT), None),
        (_press(0xAF), None),
    ],
)
def test_one_record(record: KeyRecord, name: str | None) -> None:
    assert decode_record(record) == name


@pytest.mark.parametrize(
    ("vk", "latin", "russian"),
    [(ord(a.upper()), a, b) for a, b in zip("qwertyuiopasdfghjklzxcvbnm", "йцукенгшщзфывапролдячсмить", strict=True)],
)
def test_letters_keep_their_place_in_the_russian_layout(vk: int, latin: str, russian: str) -> None:
    for char in (latin, russian, latin.upper(), russian.upper()):
        assert fold(decode_record(_press(vk, char)) or "") == latin


def _names(records: list[KeyRecord]) -> list[str]:
    return [change.name for change in changes(records) if change.down]


def test_a_held_key_repeats_until_it_is_let_go() -> None:
    assert changes([KeyRecord(0x73, "", True, 0, 3)]) == [Change("f4", True)] * 3
    assert changes([KeyRecord(0x73, "", False, 0)]) == [Change("f4", False)]
    assert changes([KeyRecord(0x10, "", False, 0), KeyRecord(0x12, "ч", False, 0)]) == [Change("ч", True)]


def test_a_key_that_comes_and_goes_at_once_was_pressed_by_no_finger() -> None:
    """An ssh server on Windows makes both records of one byte, for each repeat of a held key too."""
    records = [KeyRecord(0x20, " ", True, 0), KeyRecord(0x20, " ", False, 0)]
    assert changes(records) == [Change("space", True)]


def test_a_paste_is_one_key() -> None:
    text = "play x now\r"
    records = [KeyRecord(0, char, down, 0) for char in text for down in (True, False)]
    assert changes(records) == [Change("paste", True, "play x now\n")]


def test_a_held_letter_and_fast_function_keys_are_no_paste() -> None:
    assert _names([KeyRecord(0x44, "d", True, 0, 20)]) == ["d"] * 20
    assert _names([_press(0x72), _press(0x73)] * 20) == ["f3", "f4"] * 20


@pytest.mark.parametrize(
    ("records", "front"),
    [
        ([], None),
        ([FocusRecord(False)], False),
        ([FocusRecord(False), FocusRecord(True)], True),
        ([_press(0x12), FocusRecord(False), KeyRecord(0x12, "", False, 0)], False),
        ([FocusRecord(False), _press(0x72)], True),
        ([_press(0x72)], True),
        ([KeyRecord(0x72, "", False, 0)], None),
    ],
    ids=["nothing", "left", "left and back", "Alt Tab", "a key though it never came back", "a key", "a release"],
)
def test_whether_the_console_is_in_front(records: list[KeyRecord | FocusRecord], front: bool | None) -> None:
    assert in_front(records) is front
