"""A speech-dispatcher output module that makes no sound: it writes what it is told to speak as JSON lines.

Speaks the module protocol of speech-dispatcher 0.9 and newer on standard input and output. Environment:
SD_LOG the file; SD_MS_PER_CHARACTER how long it pretends to speak, so that it can be stopped.
Rows: {"ns": monotonic nanoseconds, "event": "speak" | "stop" | "stopped" | "done", "text", "language", "raw"}.
"""

from __future__ import annotations

import html
import json
import os
import re
import sys
import threading
import time

SPOKEN = ("SPEAK", "CHAR", "KEY", "SOUND_ICON")


class Module:
    def __init__(self) -> None:
        self.log = open(os.environ["SD_LOG"], "a", buffering=1, encoding="utf-8")  # noqa: SIM115  open as long as it runs
        self.seconds_per_character = float(os.environ.get("SD_MS_PER_CHARACTER", "0")) / 1000
        self.settings: dict[str, str] = {}
        self.stopped = threading.Event()
        self.lock = threading.Lock()

    def write(self, event: str, text: str = "", raw: str = "") -> None:
        row = {"ns": time.monotonic_ns(), "event": event, "text": text, "language": self.settings.get("language")}
        self.log.write(json.dumps(row | {"raw": raw}, ensure_ascii=False) + "\n")

    def answer(self, *lines: str) -> None:
        with self.lock:
            sys.stdout.write("".join(line + "\n" for line in lines))
            sys.stdout.flush()

    def speak(self, text: str, stopped: threading.Event) -> None:
        self.answer("701 BEGIN")
        if stopped.wait(self.seconds_per_character * len(text)) if self.seconds_per_character else False:
            self.write("stopped", text)
            self.answer("703 STOP")
        else:
            self.write("done", text)
            self.answer("702 END")

    def take(self, command: str) -> bool:
        """Carries out one command; False after the last one."""
        if command in SPOKEN:
            self.answer("202 OK RECEIVING MESSAGE")
            raw = data()
            text = html.unescape(re.sub(r"<[^>]*>", "", raw)).strip()
            self.write("speak", text, raw)
            self.stopped = threading.Event()
            self.answer("200 OK SPEAKING")
            threading.Thread(target=self.speak, args=(text, self.stopped), daemon=True).start()
        elif command in ("STOP", "PAUSE"):
            self.write("stop")
            self.stopped.set()
        elif command == "SET":
            self.answer("203 OK RECEIVING SETTINGS")
            self.settings |= dict(line.split("=", 1) for line in data().splitlines() if "=" in line)
            self.answer("203 OK SETTINGS RECEIVED")
        else:
            return self.take_chore(command)
        return True

    def take_chore(self, command: str) -> bool:
        if command == "INIT":
            self.answer("299-logger ready", "299 OK LOADED SUCCESSFULLY")
        elif command.startswith("LIST VOICES"):
            self.answer("200-logger-en\ten\tnone", "200-logger-ru\tru\tnone", "200 OK VOICE LIST SENT")
        elif command in ("AUDIO", "LOGLEVEL"):
            self.answer("207 OK RECEIVING")
            data()
            self.answer("203 OK SET")
        elif command.startswith("DEBUG"):
            self.answer("200 OK DEBUGGING ON")
        elif command == "QUIT":
            self.answer("210 OK QUIT")
            return False
        else:
            self.answer("300 ERR UNKNOWN COMMAND")
        return True


def data() -> str:
    lines = []
    for line in iter(sys.stdin.readline, ""):
        if line == ".\n":
            break
        lines.append(line[1:] if line.startswith("..") else line)
    return "".join(lines).rstrip("\n")


if __name__ == "__main__":
    module = Module()
    for command_line in iter(sys.stdin.readline, ""):
        if not module.take(command_line.strip()):
            break
