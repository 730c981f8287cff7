"""What is written to a terminal, and what is believed about Shift+Space, without a terminal at hand."""

from __future__ import annotations

import pytest

from kozel.terminal.decode import KeyDecoder
from kozel.terminal.handshake import Handshake, shift_space_support
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
    assert written == ["\x1b[>4m\x1b[?2004h\x1b7\x1b[?u\x1b8\x1b[c"]
    assert not handshake.settled
    _answer(handshake, "\x1b[?0u\x1b[?62;c")
    assert (handshake.level, handshake.settled, handshake.shift_space()) == ("kitty", True, "yes")
    handshake.leave()
    assert written[1:] == ["\x1b[>25u", "\x1b[<u\x1b[?2004l"]
    assert handshake.answers == ["\x1b[?0u", "\x1b[?62;c"]


def test_flags_that_a_killed_program_left_are_cleared_before_they_are_saved() -> None:
    handshake, written = _handshake()
    handshake.ask()
    _answer(handshake, "\x1b[?25u\x1b[?62;c")
    assert written[1:] == ["\x1b[=0u", "\x1b[>25u"]


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
    off, on = "\x1b[<u\x1b[?2004l", "\x1b[?2004h\x1b[>25u"
    assert written[2:] == [off, on, "\x1b[?2004h\x1b[=25u", off]


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
