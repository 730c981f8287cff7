"""`KeySource` in a real pseudo-terminal: the handshake, the keys, and the terminal as it was before, whatever happens."""

from __future__ import annotations

import os
import signal
import sys
import termios
import time
from typing import Any

import pytest

pytest.importorskip("pty", reason="there are no pseudo-terminals on this platform")

import pexpect  # type: ignore[import-untyped]

from terminal.emulated import PATIENCE, PRINTER, Emulated, Running, running

_ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]
_HOTKEYS = [
    ("\x1b[A", "up zone_before"),
    ("\x1bOB", "down zone_after"),
    ("\x1b[D", "left walk_left"),
    ("\x1b[C", "right walk_right"),
    (" ", "space act"),
    ("\x1b[27;2;32~", "s-space mark"),
    ("\x1b[32;2u", "s-space mark"),
    ("\x1bOQ", "f2 last_move"),
    ("\x1bOR", "f3 counts"),
    ("\x1bOS", "f4 draw"),
    ("\x1b[1;2R", "s-f3 scores"),
    ("\x1b[1;5R", "c-f3 last_round"),
    ("\x1b[1;6R", "c-s-f3 eggs"),
    ("\x1b[1;2S", "s-f4 bazaar"),
    ("\x1b[1;2D", "s-left end_left"),
    ("\x1b[1;2C", "s-right end_right"),
    ("\x1b", "escape leave"),
    ("Ч", "Ч mark"),
    ("\t", "tab next_fit"),
    ("\r", "enter confirm"),
    ("\x1b[200~  \r\x1b[201~", "paste None"),
]


def _settle(terminal: Emulated) -> None:
    terminal.expect("ready")
    terminal.expect("\x1b[c")


@pytest.mark.parametrize(
    ("kitty", "on"), [(True, "\x1b[>27u"), (False, "\x1b[>4;2m")], ids=["kitty", "modifyOtherKeys"]
)
def test_every_key_and_the_terminal_as_it_was(kitty: bool, on: str) -> None:
    with Emulated(kitty=kitty) as terminal, running(terminal) as program:
        terminal.expect(on)
        assert terminal.paste
        assert not terminal.restored
        for data, line in _HOTKEYS:
            terminal.key(data, line)
        terminal.send("q")
        assert program.wait() == 0
        assert terminal.clean
        assert terminal.restored
        assert ("\x1b[<u" in terminal.text) == kitty


def test_a_silent_terminal_is_asked_once_and_gets_no_modes_it_does_not_know() -> None:
    with Emulated(answers=False) as terminal, running(terminal) as program:
        _settle(terminal)
        terminal.key("\x1b[1;2R", "s-f3 scores level legacy")
        time.sleep(0.35)
        terminal.key(" ", "space act level legacy no")
        terminal.send("q")
        assert program.wait() == 0
        assert "u" not in terminal.text.replace("\x1b[?u", "").split("bye")[1].split("exit")[0]
        assert "\x1b[>27u" not in terminal.text
        assert "\x1b[>4;2m" not in terminal.text
        assert terminal.clean
        assert terminal.restored


def test_space_is_not_taken_before_the_terminal_has_answered() -> None:
    with Emulated(answers=False) as terminal, running(terminal) as program:
        terminal.expect("\x1b[c")
        terminal.send("  ")
        terminal.key("x", "x mark")
        time.sleep(0.35)
        terminal.key(" ", "space act")
        terminal.send("q")
        program.wait()
        assert terminal.text.count("key space") == 1


def test_a_late_answer_still_counts() -> None:
    with Emulated(kitty=True, delay=0.6) as terminal, running(terminal) as program:
        terminal.expect("\x1b[c")
        terminal.expect("\x1b[>27u")
        terminal.key("x", "x mark level kitty yes")
        terminal.send("q")
        assert program.wait() == 0
        assert terminal.clean


@pytest.mark.parametrize("term", ["linux", "dumb", "", None])
def test_no_handshake_byte_for_a_terminal_that_might_print_it(term: str | None) -> None:
    with Emulated(answers=False) as terminal, running(terminal, term=term) as program:
        terminal.expect("ready")
        for data, line in [("\x1b[[C", "f3 counts"), ("\x1b[28~", "s-f3 scores"), (" ", "space act level legacy no")]:
            terminal.key(data, line)
        terminal.send("q")
        assert program.wait() == 0
        assert "\x1b" not in terminal.text
        assert terminal.restored


def test_an_exception_leaves_the_terminal_clean_before_its_traceback() -> None:
    with Emulated(kitty=True) as terminal, running(terminal, "--raise-on", "!") as program:
        terminal.expect("\x1b[>27u")
        terminal.send("!")
        assert program.wait() == 1
        assert terminal.text.index("\x1b[<u") < terminal.text.index("Traceback")
        assert terminal.clean
        assert terminal.restored


@pytest.mark.parametrize("signum", _ENDING, ids=lambda signum: signum.name)
def test_a_signal_leaves_the_terminal_as_it_was(signum: signal.Signals) -> None:
    with Emulated(kitty=True) as terminal, running(terminal) as program:
        terminal.expect("\x1b[>27u")
        terminal.expect("ready")
        program.process.send_signal(signum)
        assert program.wait() == 128 + signum
        assert terminal.clean
        assert terminal.restored
        assert f"signal {int(signum)}" in terminal.text


@pytest.mark.parametrize("delay", [0.1, 0.2])
@pytest.mark.parametrize("signum", _ENDING, ids=lambda signum: signum.name)
def test_a_signal_in_mid_handshake_leaves_neither_modes_nor_the_answer(signum: signal.Signals, delay: float) -> None:
    with Emulated(kitty=True, delay=delay) as terminal, running(terminal) as program:
        terminal.expect("\x1b[c")
        program.process.send_signal(signum)
        assert program.wait() == 128 + signum
        assert terminal.clean
        assert terminal.restored
        assert terminal.unread == 0


@pytest.mark.parametrize("data", ["\x03", "\x1b[99;5u", "\x1b[27;5;99~", "\x1b[1089;5u"], ids=repr)
def test_ctrl_c_as_a_key_is_the_signal(data: str) -> None:
    with Emulated() as terminal, running(terminal) as program:
        _settle(terminal)
        terminal.send(data)
        assert program.wait() == 130
        assert terminal.clean
        assert terminal.restored


@pytest.mark.parametrize("kitty", [True, False], ids=["kitty", "modifyOtherKeys"])
def test_a_start_after_a_kill_cleans_what_was_left(kitty: bool) -> None:
    with Emulated(kitty=kitty) as terminal:
        with running(terminal) as program:
            terminal.expect("\x1b[>27u" if kitty else "\x1b[>4;2m")
            program.process.kill()
            program.process.wait()
        assert not terminal.clean
        assert not terminal.restored
        start = len(terminal.text)
        with running(terminal) as program:
            terminal.expect("\x1b[>27u" if kitty else "\x1b[>4;2m", start)
            terminal.key("x", "x mark")
            terminal.send("q")
            assert program.wait() == 0
        assert terminal.clean
        assert terminal.restored


def test_a_terminal_that_is_raw_on_purpose_stays_so() -> None:
    with Emulated() as terminal:
        raw = termios.tcgetattr(terminal.slave)
        raw[0] = raw[1] = raw[3] = 0
        termios.tcsetattr(terminal.slave, termios.TCSANOW, raw)
        with running(terminal) as program:
            _settle(terminal)
            terminal.send("q")
            assert program.wait() == 0
        assert termios.tcgetattr(terminal.slave)[:4] == raw[:4]


def test_a_terminal_that_vanishes_raises_nothing() -> None:
    read, write = os.pipe()
    with Emulated(kitty=True) as terminal:
        program = Running(terminal, stderr=write)
        os.close(write)
        terminal.expect("\x1b[>27u")
        terminal.hang_up()
        status = program.process.wait(PATIENCE)
    with os.fdopen(read) as errors:
        told = errors.read()
    assert told == ""
    assert status == 129


def test_a_lone_escape_and_a_slow_line() -> None:
    with Emulated() as terminal, running(terminal) as program:
        terminal.expect("\x1b[>4;2m")
        terminal.key("\x1b", "escape leave")
        terminal.send("[")
        time.sleep(0.1)
        terminal.send("1;2R")
        terminal.key("x", "x mark")
        for char in "\x1b[1;2R":
            terminal.send(char)
            time.sleep(0.02)
        terminal.expect("key s-f3")
        terminal.send("\x1b[99;88;77X\x1b[24;80R")
        terminal.send("q")
        assert program.wait() == 0
        names = [line.split()[1] for line in terminal.text.splitlines() if line.startswith("key ")]
        assert names == ["escape", "x", "s-f3", "q"]


def test_keys_that_come_all_at_once_keep_their_order() -> None:
    burst = "\x1bOQ\x1b[1;2R x\x1b[1;5Rm" * 100
    with Emulated() as terminal, running(terminal) as program:
        terminal.expect("\x1b[>4;2m")
        terminal.send(burst + "q")
        assert program.wait() == 0
        names = [line.split()[1] for line in terminal.text.splitlines() if line.startswith("key ")]
        assert names == ["f2", "s-f3", "space", "x", "c-f3", "m"] * 100 + ["q"]


def test_a_line_is_edited_in_characters_whatever_the_terminal_knows_of_them() -> None:
    """The kernel's own editing takes a byte for a character where the terminal lacks IUTF8."""
    with Emulated(kitty=True) as terminal:
        attributes = termios.tcgetattr(terminal.slave)
        attributes[0] &= ~getattr(termios, "IUTF8", 0)
        termios.tcsetattr(terminal.slave, termios.TCSANOW, attributes)
        with running(terminal, "--line-on", "n") as program:
            terminal.expect("\x1b[>27u")
            terminal.key("n", "n end_down")
            terminal.expect("name?")
            terminal.send("Анна Каренина\x7f\x7f\x1b[A\r")
            terminal.expect("line 'Анна Карени'")
            terminal.key("\x1b[1;2R", "s-f3 scores level kitty")
            terminal.send("q")
            assert program.wait() == 0


def test_what_was_typed_before_a_line_was_asked_for_belongs_to_it() -> None:
    with Emulated() as terminal, running(terminal, "--line-on", "n") as program:
        terminal.expect("\x1b[>4;2m")
        terminal.send("nBorya\rx")
        terminal.expect("line 'Borya'")
        terminal.expect("key x mark")
        terminal.send("q")
        assert program.wait() == 0


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("\x04x\r", "'x'"),  # Ctrl+D is no end of anything
        ("abc\x1b[D\x1b[D\x1b[3~X\r", "'aXc'"),
        ("abc\x1b[HX\x1b[FY\r", "'XabcY'"),
        ("abc\x15d\r", "'d'"),
        ("a\x1bOPb\x1b[17~c\r", "'abc'"),  # F1 and F6 are answered
        ("a\x1b[200~b\nc\x1b[201~d\r", "'ab cd'"),  # a pasted line break sends nothing
        ("Ёж №5\r", "'Ёж №5'"),
    ],
)
def test_a_line_is_edited_by_the_keys_that_everybody_knows(typed: str, line: str) -> None:
    with Emulated() as terminal, running(terminal, "--line-on", "n") as program:
        terminal.expect("\x1b[>4;2m")
        terminal.key("n", "n end_down")
        terminal.expect("name?")
        terminal.send(typed)
        terminal.expect(f"line {line}")
        terminal.send("q")
        assert program.wait() == 0


def test_escape_cancels_a_line() -> None:
    with Emulated() as terminal, running(terminal, "--line-on", "n") as program:
        terminal.expect("\x1b[>4;2m")
        terminal.key("n", "n end_down")
        terminal.expect("name?")
        terminal.send("abc\x1b")
        terminal.expect("line None")
        terminal.key("x", "x mark")
        terminal.send("q")
        assert program.wait() == 0


@pytest.mark.parametrize("signum", _ENDING, ids=lambda signum: signum.name)
def test_a_signal_while_a_line_is_typed(signum: signal.Signals) -> None:
    with Emulated(kitty=True) as terminal, running(terminal, "--line-on", "n") as program:
        terminal.expect("\x1b[>27u")
        terminal.key("n", "n end_down")
        terminal.expect("name?")
        program.process.send_signal(signum)
        assert program.wait() == 128 + signum
        assert terminal.clean
        assert terminal.restored


def test_standard_output_that_is_no_terminal_gets_no_escape_sequence() -> None:
    read, write = os.pipe()
    with Emulated() as terminal:
        program = Running(terminal, stdout=write)
        os.close(write)
        with os.fdopen(read, "rb", buffering=0) as output:
            told = b""
            while b"ready" not in told:
                told += output.read(1000)
            terminal.send("\x1b[1;2R q")
            told = told + output.readall()
        assert program.wait() == 0
        assert b"key s-f3 scores level legacy no" in told
        assert b"key space act" in told
        assert b"\x1b" not in told + terminal.out
        assert terminal.restored


class _Shell:
    """An interactive bash, which has jobs."""

    def __init__(self) -> None:
        environ = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "PS1": "$ ", "LC_ALL": "C.UTF-8"}
        self.child = pexpect.spawn(
            "bash", ["--norc", "--noprofile", "-i"], env=environ, encoding="utf-8", timeout=PATIENCE
        )
        self.child.expect_exact("$ ")

    def start_printer(self) -> None:
        self.child.sendline(f"{sys.executable} {PRINTER}")
        self.child.expect_exact("\x1b[c")
        self.child.send("\x1b[?0u\x1b[?62c")
        self.child.expect_exact("\x1b[>27u")

    def modes(self) -> set[str]:
        self.child.sendline("stty -a; echo done-$((1+1))")
        self.child.expect("done-2")
        return set(str(self.child.before).split())


@pytest.fixture
def shell() -> _Shell:
    if pexpect.which("bash") is None:
        pytest.skip("bash, which has jobs, is not installed")
    return _Shell()


@pytest.mark.parametrize("how", ["key", "kitty key", "signal"])
def test_suspending_gives_the_shell_a_clean_terminal_and_going_on_takes_it_again(shell: _Shell, how: str) -> None:
    child = shell.child
    shell.start_printer()
    if how == "signal":
        child.sendline("")
        child.expect("key enter")
        os.kill(_printer_of(child), signal.SIGTSTP)
    else:
        child.send("\x1a" if how == "key" else "\x1b[122;5u")
    child.expect_exact("\x1b[<u\x1b[?2004l")
    child.expect("Stopped")
    modes = shell.modes()
    assert {"icanon", "echo", "isig", "icrnl"} <= modes
    child.sendline("fg")
    child.expect_exact("\x1b[?2004h\x1b[>27u")
    child.expect("key resume repeat")
    child.send("\x1b[1;2R")
    child.expect("key s-f3 scores level kitty")
    child.send("q")
    child.expect_exact("\x1b[<u\x1b[?2004l")
    child.expect("exit 0")
    assert "icanon" in shell.modes()


def test_a_stop_from_outside_is_mended_when_the_program_goes_on(shell: _Shell) -> None:
    child = shell.child
    shell.start_printer()
    os.kill(_printer_of(child), signal.SIGSTOP)
    child.expect("Stopped")
    child.sendline("fg")
    child.expect_exact("\x1b[?2004h\x1b[=27u")
    child.send("\x1b[1;5R")
    child.expect("key c-f3 last_round level kitty")
    child.send("q")
    child.expect("exit 0")
    assert "icanon" in shell.modes()


def _printer_of(child: Any) -> int:
    with open(f"/proc/{child.pid}/task/{child.pid}/children", encoding="ascii") as file:
        return int(file.read().split()[0])
