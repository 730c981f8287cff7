"""A real speech-dispatcher for tests: without sound, D-Bus or systemd, on a socket of its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

MODULE = Path(__file__).with_name("sd_logger.py")

CONFIGURATION = """
LogLevel 3
LogDir "{folder}/log"
AudioOutputMethod "alsa"
AddModule "logger" "sd_logger" "logger.conf"
DefaultModule logger
DefaultLanguage "en"
Timeout 0
DisableAutoSpawn
"""


class Row(NamedTuple):
    """One event in the output module, see sd_logger.py."""

    ns: int
    event: str
    text: str
    language: str | None
    raw: str


class Dispatcher:
    """Starts, stops, kills and freezes a speech-dispatcher. `folder` must be short: a socket's path has 107 bytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "socket"
        self.log = folder / "spoken.jsonl"
        self._process: subprocess.Popen[bytes] | None = None
        for name in ("conf/modules", "conf/clients", "modules", "log"):
            (folder / name).mkdir(parents=True)
        module = folder / "modules" / "sd_logger"
        module.write_text(f'#!/bin/sh\nexec "{sys.executable}" -u "{MODULE}"\n')
        module.chmod(0o755)
        (folder / "conf" / "modules" / "logger.conf").write_text("")
        (folder / "conf" / "speechd.conf").write_text(CONFIGURATION.format(folder=folder))

    @property
    def address(self) -> str:
        return f"unix_socket:{self.socket}"

    def start(self, ms_per_character: float = 0) -> None:
        self.socket.unlink(missing_ok=True)
        command = shutil.which("speech-dispatcher")
        assert command is not None
        arguments = ["--run-single", "-t", "0", "-c", "unix_socket", "-S", str(self.socket)]
        folders = ["-C", "conf", "-m", "modules", "-L", "log", "-P", "pid"]
        environment = os.environ | {"SD_LOG": str(self.log), "SD_MS_PER_CHARACTER": str(ms_per_character)}
        with (self.folder / "log" / "stdout").open("ab") as output:
            self._process = subprocess.Popen(
                [command, *arguments, *(str(self.folder / f) if f[0] != "-" else f for f in folders)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=environment,
                start_new_session=True,
            )
        assert wait_for(self._answers, 10), (self.folder / "log" / "stdout").read_text(errors="replace")

    def kill(self, signal_number: int = signal.SIGKILL) -> None:
        """Ends the server and its modules; by default as if the machine had dropped it."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGCONT)
            os.killpg(self._process.pid, signal_number)
            self._process.wait(10)
            self._process = None

    def freeze(self) -> None:
        """Leaves the server alive but mute."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGCONT)

    def rows(self) -> list[Row]:
        if not self.log.exists():
            return []
        return [Row(**json.loads(line)) for line in self.log.read_text("utf-8").splitlines()]

    def spoken(self) -> list[str]:
        return [row.text for row in self.rows() if row.event == "speak"]

    def hears(self, text: str, timeout: float = 10) -> bool:
        """Whether an utterance with this text arrives."""
        return wait_for(lambda: any(text in spoken for spoken in self.spoken()), timeout)

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, "speech-dispatcher ended"
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(str(self.socket)) == 0


def wait_for(condition: Callable[[], bool], timeout: float = 10) -> bool:
    """Whether the condition comes true in so many seconds; a long timeout only catches hangs."""
    until = time.monotonic() + timeout
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.002)
    return False
