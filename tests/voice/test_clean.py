"""Names and texts without anything that a terminal or a reader would take for a command."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kozel.clean import clean


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("  Анна \t\n Петровна ", "Анна Петровна"),
        ("\x1b[31mАнна\x1b[0m", "Анна"),
        ("\x1b]0;title\x07Анна", "Анна"),
        ("\x1b]8;;http://x\x1b\\Анна\x1b]8;;\x1b\\", "Анна"),
        ("\x9b2JАнна", "Анна"),
        ("\x1bcАнна", "Анна"),
        ("Ан\u200bна\ufeff", "Анна"),
        ("\u202eАнна\u2066", "Анна"),
        ("Анна\u2028Борис", "Анна Борис"),
        ("Анна\u00a0Борис", "Анна Борис"),
        ("и\u0306", "й"),
        ("А" + "\u0301" * 50, "А\u0301\u0301"),
        ("\ud83d", None),
        ("\ue000\ufe0f", None),
        ("\x00\x07\x1b", None),
        ("", None),
        ("<b>Анна</b> & Co", "<b>Анна</b> & Co"),
    ],
)
def test_cleaning(text: str, left: str | None) -> None:
    assert clean(text) == left


@given(st.text(alphabet=st.characters(), max_size=60))
def test_what_is_left_is_printable_and_clean_already(text: str) -> None:
    left = clean(text)
    if left is not None:
        assert left.isprintable()
        assert left.encode("utf-8")
        assert not any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn") for character in left)
        assert clean(left) == left


@given(st.text(), st.integers(1, 20))
def test_no_longer_than_asked(text: str, limit: int) -> None:
    left = clean(text, limit)
    assert left is None or 0 < len(left) <= limit
