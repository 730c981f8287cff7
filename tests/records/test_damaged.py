"""Whatever a file holds, replaying it gives an object: the match, or where and why it is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kozel.records.replay import replay_text

RECORDS = [path.read_bytes() for path in sorted((Path(__file__).parent.parent / "conformance").glob("*/*.yaml"))]
PIECES: tuple[bytes, ...] = (
    *(b"", b" ", b"\n", b":", b"- ", b"[", b"]", b"{", b"}", b"0-0", b"9-9", b"left", b"draw", b"keep", b"&a", b"*a"),
    *(b"!!int", b"\t", b"\x00", b"\xff", b"'", b'"', b"#", b"null", b"-1", b"99999999999999999999", "козёл".encode()),
)
HEAD = "kozel-record: 1\nruleset: kozel\nplayers: [A, B]\nrounds:\n"
HANDS = "[[0-1, 1-1, 1-5, 2-2, 3-6, 4-5, 5-6], [0-0, 0-3, 1-4, 2-4, 3-3, 3-5, 6-6]]"
BAZAAR = "[1-2, 2-6, 0-4, 2-3, 0-2, 1-6, 4-6, 0-5, 2-5, 5-5, 4-4, 0-6, 3-4, 1-3]"


def check(content: bytes) -> dict[str, object]:
    found = replay_text(content, "match.yaml")
    if not found["ok"]:
        error = found["error"]
        assert isinstance(error, str)
        assert error.strip()
        assert "\n" not in error
        assert found["round"] is not None or found["move"] is None
    return found


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(RECORDS), st.data())
def test_any_damage(record: bytes, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(record)))
        end = data.draw(st.integers(start, min(len(record), start + 40)))
        record = record[:start] + data.draw(st.sampled_from(PIECES)) + record[end:]
    check(record)


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(RECORDS), st.integers(0, 4000))
def test_any_cut(record: bytes, length: int) -> None:
    check(record[:length])


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=200))
def test_any_bytes(content: bytes) -> None:
    assert not check(content)["ok"]


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("7", (1, None)),
        ("[]", (1, None)),
        ("{hands: 1}", (1, None)),
        ("{hands: [1, 2]}", (1, None)),
        ("{hands: [[{a: b}], [[0-0]]]}", (1, None)),
        (f"{{hands: {HANDS}, bazaar: {BAZAAR}, opener: 99999999999999999999}}", (1, None)),
        (f"{{hands: {HANDS}, bazaar: {BAZAAR}, opener: -1}}", (1, None)),
        (f"{{hands: {HANDS}, bazaar: {BAZAAR}, moves: draw}}", (1, None)),
        (f"{{hands: {HANDS}, bazaar: {BAZAAR}, moves: {{a: 1}}}}", (1, None)),
        (f"{{hands: {HANDS}, bazaar: {BAZAAR}, moves: [[1-1]]}}", (1, 1)),
        (f"{{hands: {HANDS}, bazaar: {BAZAAR}, moves: [1-1, {{1-4: left}}]}}", (1, 2)),
        (f"{{hands: {HANDS}, bazaar: {BAZAAR}, moves: [1-1, 1-4 left right]}}", (1, 2)),
        (f"{{hands: {HANDS}, bazaar: {BAZAAR}, moves: [1-1, '']}}", (1, 2)),
        (f"{{hands: {HANDS}, bazaar: {BAZAAR}, moves: [1-1, '+']}}", (1, 2)),
        (f"{{hands: {HANDS}, bazaar: {BAZAAR}, moves: [1-1, {'1-4 + ' * 3000}1-4]}}", (1, 2)),
        (f"{{hands: {HANDS}, bazaar: {BAZAAR}, moves: [1-1], move: [1-4]}}", (1, None)),
    ],
)
def test_what_is_no_round(written: str, place: tuple[int, int | None]) -> None:
    """The place is the round, and the decision where the deal is whole."""
    found = check(f"{HEAD}  - {written}\n".encode())
    assert (found["round"], found["move"]) == place
