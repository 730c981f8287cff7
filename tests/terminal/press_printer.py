"""A small program around `KeySource`: it says on standard output what each key is, as a test reads it.

After `ready` every key is a line `key NAME COMMAND level LEVEL SHIFT-SPACE`, until the key that quits.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import os
from pathlib import Path

from kozel.session.keys import Place
from kozel.session.line import TypedLine
from kozel.terminal.keymap import load_keymap
from kozel.terminal.source import KeysClosed, KeySource, Signalled
from kozel.voice.announcer import Announcer


class Boom(Exception):
    """The fault that a test asks for."""


class Printer:
    def __init__(self, log: Path | None) -> None:
        self._log = log

    def say(self, text: str) -> None:
        with contextlib.suppress(OSError):  # the terminal is gone
            print(f"\r\n{text}", end="", flush=True)
        if self._log is not None:
            with self._log.open("a", encoding="utf-8") as file:
                file.write(text + "\n")


async def run(options: argparse.Namespace, printer: Printer) -> int:
    async with KeySource(load_keymap(options.keymap)) as keys:
        printer.say("ready")
        try:
            while await told_one(keys, options, printer):
                pass
        except KeysClosed:
            printer.say("closed")
        except Signalled as signalled:
            printer.say(f"signal {signalled.signum}")
            return 128 + signalled.signum
    return 0


async def told_one(keys: KeySource, options: argparse.Namespace, printer: Printer) -> bool:
    """Whether to go on after the next key."""
    pressed = await keys.get(lambda: Place[options.place])
    assert pressed is not None
    printer.say(f"key {pressed.key} {pressed.command} level {keys.level} {keys.shift_space}")
    if pressed.key == options.quit_on:
        printer.say("bye")
        return False
    if pressed.key == options.raise_on:
        raise Boom
    if pressed.key == options.line_on:
        printer.say(f"line {await typed_line(keys, printer)!r}")
    return True


async def typed_line(keys: KeySource, printer: Printer) -> str | None:
    """A line, asked for with `name?`."""
    line = TypedLine(Announcer("en", "off", stream=io.StringIO()), keys.names, "en", "Name?")
    line.ask()
    printer.say("name?")
    while not line.over:
        pressed = await keys.get(lambda: Place.LINE)
        assert pressed is not None
        line.press(pressed)
    return line.line


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keymap", default="classic")
    parser.add_argument("--place", default="WAITING")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--quit-on", default="q")
    parser.add_argument("--raise-on")
    parser.add_argument("--line-on")
    options = parser.parse_args()
    printer = Printer(options.log)
    status = asyncio.run(run(options, printer))
    printer.say(f"exit {status}")
    printer.say("")
    return status


if __name__ == "__main__":
    status = main()
    os._exit(status)  # without flushing once more to a terminal that may be gone
