"""What ends the program from outside: it says goodbye, and leaves the terminal as it was, whatever the terminal does."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

pytest.importorskip("pty", reason="there are no pseudo-terminals on this platform")

from play.typed import Typed

pytestmark = pytest.mark.slow

_ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]
_TABLE = ("play", "kozel", "--player", "Anna", "--player", "Boris:novice", "--seed", "7")
_KEPT = "The match is kept"


@pytest.mark.parametrize("signum", _ENDING, ids=lambda signum: signum.name)
def test_a_terminal_that_reads_nothing_holds_nobody_up(signum: signal.Signals, tmp_path: Path) -> None:
    with Typed(tmp_path, *_TABLE) as program:
        program.listened()
        program.terminal.deaf = True
        for _ in range(150):  # the hand, told again and again, fills what the kernel keeps for the terminal
            program.send(*"aaaaaaaa")
            time.sleep(0.01)
        time.sleep(1.0)
        began = time.monotonic()
        program.process.send_signal(signum)
        assert program.process.wait(20) == 128 + signum
        assert time.monotonic() - began < 10
        assert program.terminal.restored


@pytest.mark.parametrize("after", [0.0, 0.005, 0.02])
@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM], ids=lambda signum: signum.name)
def test_a_second_signal_at_once_does_not_cut_the_goodbye(signum: signal.Signals, after: float, tmp_path: Path) -> None:
    with Typed(tmp_path, *_TABLE) as program:
        program.listened()
        program.process.send_signal(signum)
        time.sleep(after)
        program.process.send_signal(signum)
        assert program.process.wait(20) == 128 + signum
        program.terminal.wait_for(lambda: _KEPT in program.shown, "no goodbye")
        assert "Traceback" not in program.shown
        assert program.terminal.restored


@pytest.mark.parametrize("data", ["\x1c", "\x1b[92;5u", "\x1b[27;5;92~"], ids=repr)
def test_ctrl_backslash_as_a_key_is_the_signal(data: str, tmp_path: Path) -> None:
    with Typed(tmp_path, *_TABLE) as program:
        program.listened()
        program.terminal.send(data)
        assert program.process.wait(20) == 128 + signal.SIGQUIT
        program.terminal.wait_for(lambda: _KEPT in program.shown, "no goodbye")
        assert program.terminal.restored


def test_nothing_is_done_while_a_question_stands_in_a_computers_turn(tmp_path: Path) -> None:
    """Asked every 20 ms whether there was a key, this took three quarters of a core."""
    (tmp_path / "settings.yaml").write_text("pause: 10\n", encoding="utf-8")
    words = ("play", "kozel-1x1", "--player", "Anna", "--player", "Boris:novice", "--seed", "1")
    with Typed(tmp_path, *words) as program:
        program.listened()
        program.press("escape")
        before = _processor_time(program.process.pid)
        time.sleep(3.0)
        assert _processor_time(program.process.pid) - before < 0.3


def _processor_time(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
