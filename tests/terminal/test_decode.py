"""The decoder: every sequence that real terminals send, in one piece, in any pieces, and on a slow line."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kozel.terminal.decode import ESCAPE_WAIT, LATE, PASTE_SILENCE, KeyDecoder, KeyEvent
from terminal.measured import COLUMNS, EVERYWHERE, NO_KEYS, OTHER_KEYS, REPLIES, ROWS

_TABLE = [
    pytest.param(raw, name, id=f"{terminal}: {name}")
    for terminal, row in ROWS.items()
    for name, raw in zip(COLUMNS, row, strict=True)
    if raw is not None
]
_SINGLE = [pytest.param(raw, name, id=repr(raw)) for raw, name in (*EVERYWHERE, *OTHER_KEYS)]


def keys(events: list[KeyEvent]) -> list[str]:
    return [event.name for event in events if event.kind in ("key", "paste")]


def whole(data: str) -> list[KeyEvent]:
    """All events of a stream that arrives at once, followed by silence."""
    decoder = KeyDecoder()
    return [*decoder.feed(data, 0.0), *decoder.flush(0.0 + PASTE_SILENCE)]


def in_pieces(pieces: list[str], gap: float = 0.01) -> list[KeyEvent]:
    decoder = KeyDecoder()
    events: list[KeyEvent] = []
    now = 0.0
    for piece in pieces:
        now += gap
        if decoder.deadline is not None and decoder.deadline <= now:
            events += decoder.flush(now)
        events += decoder.feed(piece, now)
    return events + decoder.flush(now + PASTE_SILENCE)


@pytest.mark.parametrize(("raw", "name"), [*_TABLE, *_SINGLE])
def test_a_key_in_one_piece(raw: str, name: str) -> None:
    assert keys(whole(raw)) == [name]


@pytest.mark.parametrize(("raw", "name"), [*_TABLE, *_SINGLE])
def test_a_key_byte_by_byte(raw: str, name: str) -> None:
    assert keys(in_pieces(list(raw))) == [name]


@pytest.mark.parametrize(("raw", "name"), [*_TABLE, *_SINGLE])
def test_a_key_between_others_in_chunks(raw: str, name: str) -> None:
    stream = "x" + raw + "z"
    for cut in range(len(stream) + 1):
        assert keys(in_pieces([stream[:cut], stream[cut:]])) == ["x", name, "z"]


@pytest.mark.parametrize("raw", [*NO_KEYS, *REPLIES], ids=lambda raw: repr(raw)[:40])
def test_what_is_no_key_is_swallowed_whole(raw: str) -> None:
    assert keys(whole(raw + "x")) == ["x"]
    assert keys(in_pieces([*raw, "x"])) == ["x"]


@pytest.mark.parametrize("raw", REPLIES)
def test_answers_are_told_apart(raw: str) -> None:
    (event,) = whole(raw)
    assert (event.kind, event.name, event.text) == ("reply", "kitty" if raw.endswith("u") else "da1", raw[3:-1])


@pytest.mark.parametrize(("raw", "name"), [("\x1b[1;129R", "f3"), ("\x1b[1;130R", "s-f3"), ("\x1b[1;198R", "c-s-f3")])
def test_where_kitty_answered_the_modified_f3_comes_with_num_lock_too(raw: str, name: str) -> None:
    assert keys(whole(raw)) == []
    assert keys(whole("\x1b[?0u" + raw)) == [name]
    assert keys(whole("\x1b[?0u\x1b[1;80R\x1b[2;130R")) == []


def test_a_paste_is_one_event_and_never_a_key() -> None:
    stream = "\x1b[200~ x\r\x1b[1;2R\x1b[201z~ \x1b[201~d"
    for events in (whole(stream), in_pieces(list(stream))):
        assert keys(events) == ["paste", "d"]
    assert whole("\x1b[200~шесть пять\x1b[201~")[-1].text == "шесть пять"


def test_a_paste_that_never_ends_gives_the_keyboard_back_after_silence() -> None:
    decoder = KeyDecoder()
    assert decoder.feed("\x1b[200~xxx", 0.0) == []
    assert decoder.flush(PASTE_SILENCE - 0.1) == []
    assert keys(decoder.flush(PASTE_SILENCE)) == ["paste"]
    assert keys(decoder.feed("d", 6.0)) == ["d"]


def test_a_long_paste_takes_no_more_memory_than_allowed() -> None:
    decoder = KeyDecoder()
    decoder.feed("\x1b[200~", 0.0)
    assert decoder.feed("x" * 200_000, 0.0) == []
    (event,) = decoder.feed("\x1b[201~", 0.0)
    assert event.kind == "paste"
    assert len(event.text) <= 10_000


def test_a_lone_escape_is_the_escape_key_after_a_short_silence() -> None:
    decoder = KeyDecoder()
    assert decoder.feed("\x1b", 10.0) == []
    assert decoder.deadline == pytest.approx(10.0 + ESCAPE_WAIT)
    assert decoder.flush(10.0 + ESCAPE_WAIT / 2) == []
    assert keys(decoder.flush(10.0 + ESCAPE_WAIT)) == ["escape"]
    assert decoder.deadline is None


def test_two_escapes_are_two_keys() -> None:
    assert keys(whole("\x1b\x1b")) == ["escape", "escape"]
    assert keys(whole("\x1b\x1b\x1b")) == ["escape"] * 3


@pytest.mark.parametrize("rest", ["[A", "OA", "[1;2R", "[27;2;32~", "[200X", "O5R", "[[C", "[<0;1;1M"])
def test_a_late_sequence_is_swallowed_with_its_late_beginning(rest: str) -> None:
    decoder = KeyDecoder()
    events = [*decoder.feed("\x1b", 0.0), *decoder.flush(0.1)]
    now = 0.1
    for char in rest:
        now += 0.9 * LATE
        events += decoder.flush(now) + decoder.feed(char, now)
    events += decoder.feed("x", now + 0.01)
    assert keys(events) == ["escape", "x"]


def test_a_bracket_long_after_an_escape_is_a_key_again() -> None:
    decoder = KeyDecoder()
    decoder.feed("\x1b", 0.0)
    decoder.flush(ESCAPE_WAIT)
    assert keys(decoder.feed("[", ESCAPE_WAIT + LATE + 0.01)) == ["["]


def test_a_bracket_after_an_escape_and_another_key_is_a_key() -> None:
    decoder = KeyDecoder()
    decoder.feed("\x1b", 0.0)
    decoder.flush(ESCAPE_WAIT)
    assert keys(decoder.feed("x[", 0.3)) == ["x", "["]


def test_a_late_bracket_alone_does_not_keep_the_keyboard() -> None:
    decoder = KeyDecoder()
    decoder.feed("\x1b", 0.0)
    decoder.flush(ESCAPE_WAIT)
    decoder.feed("[", 0.5)
    assert keys(decoder.flush(0.5 + LATE)) == []
    assert keys(decoder.feed("1", 2.0)) == ["1"]


def test_a_late_paste_is_still_a_paste() -> None:
    decoder = KeyDecoder()
    events = [*decoder.feed("\x1b", 0.0), *decoder.flush(0.1), *decoder.feed("[200~ d \x1b[201~", 0.4)]
    assert keys(events) == ["escape", "paste"]


def test_a_sequence_on_a_slow_line_is_still_its_key() -> None:
    decoder = KeyDecoder()
    now, events = 0.0, decoder.feed("\x1b[", 0.0)
    for char in "1;2R":
        now += 0.9 * LATE
        events += decoder.flush(now) + decoder.feed(char, now)
    assert keys(events) == ["s-f3"]


@pytest.mark.parametrize("raw", ["\x1b[2$", "\x1b[7$"])
def test_rxvt_ends_shifted_keys_with_a_dollar(raw: str) -> None:
    assert len(keys(whole(raw))) == 1
    assert keys(whole(raw + "\x1b[A"))[1:] == ["up"]


@pytest.mark.parametrize(
    ("stream", "names"),
    [
        ("\x1bq", ["escape", "q"]),
        ("\x1b\x1bx", ["escape", "escape", "x"]),
        ("\x1b\x1b[A", ["escape", "up"]),
        ("\x1b[1;2R", ["s-f3"]),
        ("\x1bX", ["escape", "X"]),
        ("\x1b", ["escape"]),
        ("\x1b[", []),
        ("x\x1bP>|XTerm(379)\x1b\\q", ["x", "q"]),
    ],
)
def test_from_a_pipe_an_escape_that_begins_no_sequence_is_the_escape_key(stream: str, names: list[str]) -> None:
    decoder = KeyDecoder(meta=False)
    assert keys(decoder.feed(stream, 0.0) + decoder.finish()) == names


_PARAMETERS = st.text("0123456789;:<=>?", max_size=30)
_INTERMEDIATES = st.text(" !\"#%&'()*+,-./", max_size=3)
_FINAL = st.sampled_from([chr(code) for code in range(0x40, 0x7F)])
_CSI = st.builds("\x1b[{}{}{}".format, _PARAMETERS, _INTERMEDIATES, _FINAL)
_SS3 = st.builds("\x1bO{}{}".format, st.text("0123456789;", max_size=5), st.sampled_from(string.ascii_letters))
_STRING = st.builds(
    "\x1b{}{}{}".format,
    st.sampled_from("P]_^X"),
    st.text(max_size=50).map(_plain := lambda text: "".join(char for char in text if char.isprintable())),
    st.just("\x1b\\"),
)
_OWN_MEANING = ("\x1b[200~", "\x1b[M")


@given(st.lists(st.one_of(_CSI, _SS3, _STRING), max_size=8), st.data())
def test_no_sequence_leaks_a_letter_or_a_digit(sequences: list[str], data: st.DataObject) -> None:
    """Whatever sequence it is, it is at most one key, and what comes after it is untouched, however it is cut."""
    sequences = [each for each in sequences if each not in _OWN_MEANING and not each.startswith("\x1b[[")]
    stream = "z" + "".join(sequence + "z" for sequence in sequences)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    events = in_pieces(pieces)
    assert sum(event.raw == "z" for event in events) == len(sequences) + 1
    for event in events:
        assert event.raw == "z" or event.raw[:1] == "\x1b" or event.kind != "key"


@given(st.text(st.sampled_from("\x1b[O01;2~$uRMP\\\x07]\x9b\udc9bxX \r"), max_size=60))
@example("\x1b[200~\x1b[201")
def test_cutting_a_stream_changes_nothing(stream: str) -> None:
    assert [event[:2] for event in in_pieces(list(stream))] == [event[:2] for event in whole(stream)]


def test_a_million_random_characters_do_no_harm() -> None:
    """No exception, bounded memory, and every event that is a key has a name that the program knows how to write."""
    generator = random.Random(4)
    alphabet = [*map(chr, range(0x100)), *"\x1b[O]P~;?0123456789uR" * 4, "ч", "\udc9b"]
    decoder = KeyDecoder()
    now, fed, most = 0.0, 0, 0
    while fed < 1_000_000:
        piece = "".join(generator.choices(alphabet, k=500))
        fed += len(piece)
        for event in decoder.feed(piece, now):
            assert event.kind != "key" or event.name
            most = max(most, len(event.raw))
        now += generator.choice((0.001, 0.07, 1.5, 6.0))
        decoder.flush(now)
    assert most <= 200
