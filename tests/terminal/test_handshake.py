"""What is written to a terminal, and what is believed about Shift+Space, without a terminal at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from kozel.terminal.decode import KeyDecoder
from kozel.terminal.handshake import Handshake, reader_between, shift_space_support
from kozel.terminal.handshake import Level as HandshakeLevel


def _handshake(term: str = "xterm-256color", environ: dict[str, str] | None = None) -> tuple[Handshake, list[str]]:
    written: list[str] = []
    return Handshake(written.append, term, environ or {}), written


def _answer(handshake: Handshake, text: str) -> None:
    for event in KeyDecoder().feed(text, 0.0):
        handshake.answer(event)


def test_kittys_answer_brings_its_flags_and_takes_them_back() -> None:
    handshake, written = _handshake()
    handshake.ask()
    assert written == ["\x1b[>4m\x1b[?2004h\x1b7\x1b[?u\x1b8\x1b[>c\x1b[c"]
    assert not handshake.settled
    _answer(handshake, "\x1b[?0u\x1b[?62;c")
    assert (handshake.level, handshake.settled, handshake.shift_space()) == ("kitty", True, "yes")
    handshake.leave()
    assert written[1:] == ["\x1b[>27u", "\x1b[<u\x1b[?2004l"]
    assert handshake.answers == ["\x1b[?0u", "\x1b[?62;c"]


def test_flags_that_a_killed_program_left_are_cleared_before_they_are_saved() -> None:
    handshake, written = _handshake()
    handshake.ask()
    _answer(handshake, "\x1b[?25u\x1b[?62;c")
    assert written[1:] == ["\x1b[=0u", "\x1b[>27u"]


@pytest.mark.parametrize("term", ["xterm", "xterm-256color", "tmux-256color", "screen", "foot", "mintty"])
def test_other_terminals_that_know_it_get_modify_other_keys(term: str) -> None:
    handshake, written = _handshake(term)
    handshake.ask()
    _answer(handshake, "\x1b[?1;2c")
    handshake.leave()
    assert written[1:] == ["\x1b[>4;2m", "\x1b[>4m\x1b[?2004l"]


@pytest.mark.parametrize("term", ["rxvt-unicode", "st-256color", "alacritty", "mlterm"])
def test_terminals_of_other_names_stay_as_they_are(term: str) -> None:
    handshake, written = _handshake(term)
    handshake.ask()
    _answer(handshake, "\x1b[?1;2c")
    assert (handshake.level, written[1:]) == ("legacy", [])


def test_an_answer_that_was_not_asked_for_changes_nothing() -> None:
    handshake, written = _handshake("linux")
    handshake.ask()
    _answer(handshake, "\x1b[?0u\x1b[?62;c")
    handshake.leave()
    assert (handshake.level, written) == ("legacy", [])


def test_an_answer_while_leaving_switches_nothing_on() -> None:
    handshake, written = _handshake()
    handshake.ask()
    handshake.close()
    _answer(handshake, "\x1b[?0u\x1b[?62;c")
    handshake.leave()
    assert written[1:] == ["\x1b[?2004l"]


def test_leaving_for_a_while_and_coming_back() -> None:
    handshake, written = _handshake()
    handshake.ask()
    _answer(handshake, "\x1b[?0u\x1b[?62;c")
    handshake.leave()
    handshake.leave()
    handshake.enter()
    handshake.enter()
    handshake.assure()
    handshake.leave()
    off, on = "\x1b[<u\x1b[?2004l", "\x1b[?2004h\x1b[>27u"
    assert written[2:] == [off, on, "\x1b[?2004h\x1b[=27u", off]


@pytest.mark.parametrize(
    ("level", "environ", "support"),
    [
        ("kitty", {}, "yes"),
        ("kitty", {"VTE_VERSION": "7000"}, "yes"),
        ("legacy", {"XTERM_VERSION": "XTerm(379)"}, "no"),
        ("modifyOtherKeys", {"XTERM_VERSION": "XTerm(379)"}, "yes"),
        ("modifyOtherKeys", {}, "unknown"),
        ("modifyOtherKeys", {"VTE_VERSION": "7006"}, "no"),
        ("modifyOtherKeys", {"VTE_VERSION": "7006", "XTERM_VERSION": "XTerm(379)"}, "no"),
        ("modifyOtherKeys", {"KONSOLE_VERSION": "221203"}, "no"),
        ("modifyOtherKeys", {"STY": "1.pts", "XTERM_VERSION": "XTerm(379)"}, "no"),
        ("modifyOtherKeys", {"TERM_PROGRAM": "Apple_Terminal"}, "no"),
        ("modifyOtherKeys", {"TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a", "XTERM_VERSION": "x"}, "no"),
        ("modifyOtherKeys", {"TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.5a"}, "unknown"),
        ("modifyOtherKeys", {"TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "next-3.8"}, "unknown"),
        ("modifyOtherKeys", {"TMUX": "/tmp/tmux", "XTERM_VERSION": "x"}, "unknown"),
    ],
)
def test_shift_space_as_measured(level: HandshakeLevel, environ: dict[str, str], support: str) -> None:
    assert shift_space_support(level, environ) == support


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("\x1b[>65;7006;1c", "vte"),
        ("\x1b[>61;7600;1c", "vte"),
        ("\x1b[>1;5202;0c", "vte"),
        ("\x1b[>0;10;1c", "windows"),
        ("\x1b[>41;379;0c", "other"),
        ("\x1b[>1;4000;26c", "other"),
        ("\x1b[>1;011301;0c", "other"),
        ("\x1b[>1;115;0c", "other"),
        ("\x1b[>84;0;0c", "other"),
        ("\x1b[>0;1700;1c", "other"),
        ("", "other"),
    ],
)
def test_a_terminal_says_what_it_is(answer: str, kind: str) -> None:
    """As measured; over ssh nothing else tells it."""
    handshake, written = _handshake()
    handshake.ask()
    _answer(handshake, answer + "\x1b[?1;2c")
    assert (handshake.kind, handshake.settled) == (kind, True)
    assert "\x1b[>c" in written[0]


def _process(folder: Path, number: int, name: str, parent: int) -> None:
    (folder / str(number)).mkdir()
    (folder / str(number) / "stat").write_text(f"{number} ({name}) S {parent} 1 1 0 -1")


@pytest.mark.parametrize("reader", ["yasr", "tdsr", "fenrir"])
def test_a_reader_between_the_terminal_and_the_program_is_found(tmp_path: Path, reader: str) -> None:
    for number, name, parent in ((40, "kozel", 30), (30, "ba) sh (x", 20), (20, reader, 10), (10, "xterm", 1)):
        _process(tmp_path, number, name, parent)
    assert reader_between(tmp_path, 40)
    assert not reader_between(tmp_path, 10)
    assert not reader_between(tmp_path, 99)
    assert not reader_between(tmp_path / "nowhere", 40)
