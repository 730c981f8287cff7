"""A display of its own with a window manager, and terminals on it whose keys are pressed with xdotool."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

PATIENCE = 30.0
_KEY_PATIENCE = 5.0
_NEEDED = ("Xvfb", "xdotool", "openbox")
_REPEAT = ("-ardelay", "500", "-arinterval", "33")
"""A key held down is repeated 30 times a second after half a second."""
_NO_REPEAT = ("-r",)
"""On a busy machine a key may stay down for longer than it was pressed."""
_PROBE = Path(__file__).with_name("probe.py")


def missing() -> str | None:
    """Why there can be no display here; None where there can."""
    absent = [name for name in _NEEDED if shutil.which(name) is None]
    return f"not installed: {', '.join(absent)}" if absent else None


def wait_for(what: Callable[[], bool], why: str) -> None:
    until = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < until, why
        time.sleep(0.05)


class Display:
    """Xvfb with openbox, which gives each new window the keyboard. `repeats`: a key held down is repeated."""

    def __init__(self, folder: Path, *, repeats: bool = False) -> None:
        repeating = _REPEAT if repeats else _NO_REPEAT
        read, write = os.pipe()
        self._log = (folder / "display.log").open("wb")
        self._processes = [
            subprocess.Popen(
                ["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24", "-nolisten", "tcp", *repeating],
                pass_fds=[write],
                stdout=self._log,
                stderr=self._log,
            )
        ]
        os.close(write)
        with os.fdopen(read) as number:
            self.name = f":{number.readline().strip()}"
        self.environ = {
            name: value
            for name, value in os.environ.items()
            if name not in ("TMUX", "STY", "WAYLAND_DISPLAY", "TERM_PROGRAM", "VTE_VERSION", "XTERM_VERSION")
        } | {"DISPLAY": self.name, "LIBGL_ALWAYS_SOFTWARE": "1", "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"}
        self._processes.append(self.start(["openbox"]))
        wait_for(lambda: self.answers("get_desktop"), "the window manager did not start")

    def start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(command, env=self.environ, stdout=self._log, stderr=self._log, start_new_session=True)

    def press(self, *keys: str) -> None:
        """Press keys as xdotool names them: 'shift+F3'."""
        self.do("key", "--delay", "40", *keys)

    def do(self, *words: str) -> None:
        """Run xdotool."""
        subprocess.run(["xdotool", *words], env=self.environ, check=True, timeout=PATIENCE)

    def answers(self, *question: str) -> bool:
        """Whether xdotool can do something here."""
        done = subprocess.run(
            ["xdotool", *question], env=self.environ, capture_output=True, check=False, timeout=PATIENCE
        )
        return done.returncode == 0

    def close(self) -> None:
        for process in reversed(self._processes):
            process.terminate()
            process.wait(PATIENCE)
        self._log.close()


class Opened:
    """A terminal on a display. `command` starts it: '@' stands for the script to run in it, '@tmux' for tmux's socket."""

    def __init__(self, display: Display, folder: Path, command: Sequence[str], script: str) -> None:
        self.display = display
        self._tmux = folder / "tmux"
        run = folder / "run.sh"
        run.write_text(f"#!/bin/sh\n{script}\n")
        run.chmod(0o755)
        places = {"@": str(run), "@tmux": str(self._tmux)}
        self.process = display.start([places.get(word, word) for word in command])

    def wait_for_keyboard(self) -> None:
        """The window manager gives the new window the keyboard, and the program gets the terminal's answers."""
        wait_for(lambda: self.display.answers("getactivewindow"), "no window has the keyboard")
        time.sleep(1.0)

    def tmux(self, *words: str) -> str:
        """What a command of tmux says, where the program runs in it."""
        done = subprocess.run(
            ["tmux", "-S", str(self._tmux), *words], capture_output=True, check=True, timeout=PATIENCE, text=True
        )
        return done.stdout

    def close(self) -> None:
        if self._tmux.exists():
            subprocess.run(["tmux", "-S", str(self._tmux), "kill-server"], capture_output=True, check=False)
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()


class Window(Opened):
    """A terminal that runs a program, then a probe which records what the terminal sends afterwards.

    `program` is what runs; it must write lines to the file that its option --log names, the first of them 'ready'.
    """

    def __init__(self, display: Display, folder: Path, command: Sequence[str], program: Sequence[str]) -> None:
        self.log = folder / "keys.log"
        self._probed = folder / "probed"
        runs = shlex.join([*program, "--log", str(self.log)])
        probes = shlex.join([sys.executable, str(_PROBE), str(self._probed)])
        super().__init__(display, folder, command, f"{runs}\nexec {probes}")
        wait_for(lambda: "ready" in self.lines(), "the program did not start")
        self.wait_for_keyboard()

    def lines(self) -> list[str]:
        return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []

    def press(self, key: str) -> list[str]:
        """Press a key; the lines that the program says to it. A key that never arrives costs all the patience."""
        before = len(self.lines())
        self.display.press(key)
        until = time.monotonic() + _KEY_PATIENCE
        while time.monotonic() < until and len(self.lines()) == before:
            time.sleep(0.02)
        time.sleep(0.05)
        return self.lines()[before:]

    def leave(self) -> None:
        """Press Q, and wait for the probe."""
        self.display.press("q")
        wait_for(self._probed.exists, "the probe did not start")

    def probe(self, key: str) -> bytes:
        """What the terminal sends for a key now that the program has left."""
        before = self._probed.stat().st_size
        self.display.press(key)
        until = time.monotonic() + _KEY_PATIENCE
        while time.monotonic() < until and self._probed.stat().st_size == before:
            time.sleep(0.02)
        return self._probed.read_bytes()[before:]
