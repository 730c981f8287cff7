"""A display of its own with a window manager, and terminals on it whose keys are pressed with xdotool."""

from __future__ import annotations

import os
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
    """Xvfb with openbox, which gives each new window the keyboard."""

    def __init__(self, folder: Path) -> None:
        read, write = os.pipe()
        self._log = (folder / "display.log").open("wb")
        self._processes = [
            subprocess.Popen(
                ["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
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
        subprocess.run(["xdotool", "key", "--delay", "40", *keys], env=self.environ, check=True, timeout=PATIENCE)

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


class Window:
    """A terminal on a display that runs a program, then a probe which records what the terminal sends afterwards.

    `command` starts the terminal; the script to run in it is put in the place of '@'. `program` is what runs; it must
    write lines to the file that the variable KEYS_LOG names, the first of them 'ready'.
    """

    def __init__(self, display: Display, folder: Path, command: Sequence[str], program: Sequence[str]) -> None:
        self._display = display
        self.log = folder / "keys.log"
        self._probed = folder / "probed"
        script = folder / "run.sh"
        quoted = " ".join(f"'{word}'" for word in program)
        script.write_text(
            f"#!/bin/sh\n{quoted} --log '{self.log}'\nexec '{sys.executable}' '{_PROBE}' '{self._probed}'\n"
        )
        script.chmod(0o755)
        self._process = display.start([str(script) if word == "@" else word for word in command])
        wait_for(lambda: "ready" in self.lines(), "the program did not start")
        wait_for(lambda: display.answers("getactivewindow"), "no window has the keyboard")
        time.sleep(1.0)  # the handshake gets its answer

    def lines(self) -> list[str]:
        return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []

    def press(self, key: str) -> list[str]:
        """Press a key; the lines that the program says to it. A key that never arrives costs all the patience."""
        before = len(self.lines())
        self._display.press(key)
        until = time.monotonic() + _KEY_PATIENCE
        while time.monotonic() < until and len(self.lines()) == before:
            time.sleep(0.02)
        time.sleep(0.05)
        return self.lines()[before:]

    def leave(self) -> None:
        """Press Q, and wait for the probe."""
        self._display.press("q")
        wait_for(self._probed.exists, "the probe did not start")

    def probe(self, key: str) -> bytes:
        """What the terminal sends for a key now that the program has left."""
        before = self._probed.stat().st_size
        self._display.press(key)
        until = time.monotonic() + _KEY_PATIENCE
        while time.monotonic() < until and self._probed.stat().st_size == before:
            time.sleep(0.02)
        return self._probed.read_bytes()[before:]

    def close(self) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGTERM)
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
