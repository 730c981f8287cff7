#!/usr/bin/env python3
"""Real Orca listens to a program in xfce4-terminal, on a display of its own; keys are pressed, and what it spoke and
showed in braille after each of them is printed as JSON lines.

    tools/orca/orca_hears.py --keys "Right F3 shift+F3 Return" -- COMMAND ARGUMENT…
    tools/orca/orca_hears.py --keys "…" --transcript FILE -- kozel play … --transcript FILE

A key is named as xdotool names it. COMMAND runs in this folder with this environment. The first key waits until the
program has been quiet for a while. With `--transcript` each message in that file is looked for in speech and braille, and
the exit status is 1 if one was not spoken exactly as often as it was said.

No speech server and no braille display are needed: Orca's debug log holds what it would say and show. Debian 12:
apt-get install --no-install-recommends orca xfce4-terminal xvfb xdotool openbox dbus at-spi2-core libatk-adaptor
gsettings-desktop-schemas dconf-gsettings-backend gir1.2-wnck-3.0
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

QUIET = 1.0
"""Seconds without a word after which Orca is taken to have said all."""
LONGEST = 8.0
_OUTPUT = re.compile(r"(\d\d:\d\d:\d\d\.\d+) - (SPEECH OUTPUT:|BRAILLE LINE:|     VISIBLE:) +(.*)")
_KINDS = {"SPEECH OUTPUT:": "speech", "BRAILLE LINE:": "line", "VISIBLE:": "braille"}
INSIDE = "KOZEL_ORCA_FOLDER"
LOG_LINE_BY_LINE = """
import builtins
plain_open = builtins.open
def open_for_lines(file, mode="r", buffering=-1, *more, **others):
    return plain_open(file, mode, 1 if (mode, buffering) == ("w", -1) else buffering, *more, **others)
builtins.open = open_for_lines
"""
"""Orca's debug log is written by blocks; its newest lines would be missing whenever it is read."""


class Heard(NamedTuple):
    """Something that Orca spoke ("speech"), showed in braille ("braille"), or holds ready on that braille line ("line")."""

    at: str
    kind: str
    text: str


def main() -> int:
    options = arguments()
    if INSIDE in os.environ:
        return listen(options, Path(os.environ[INSIDE]))
    return on_own_display([sys.executable, __file__, *sys.argv[1:]])


def on_own_display(command: list[str]) -> int:
    """Runs a command on a display and a session bus of its own; INSIDE names its folder. Its exit status."""
    with tempfile.TemporaryDirectory(prefix="orca", ignore_cleanup_errors=True) as name, ExitStack() as started:
        folder, display = Path(name), f":{random.randint(100, 999)}"
        started.enter_context(running(["Xvfb", display, "-screen", "0", "1280x800x24"], folder, "xvfb"))
        time.sleep(1)
        return subprocess.run(
            ["dbus-run-session", "--", *command], env=environment(folder, display), check=False
        ).returncode


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keys", default="", help="keys in the order in which they are pressed, with blanks between")
    parser.add_argument("--transcript", type=Path, help="a transcript to compare with")
    parser.add_argument("--log", type=Path, help="where Orca's debug log is kept")
    add_terminal(parser)
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


def add_terminal(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rows", type=int, default=24, help="height of the terminal in lines")
    parser.add_argument("--columns", type=int, default=100, help="its width")
    parser.add_argument("--terminal", choices=("xfce4", "gnome"), default="xfce4")
    parser.add_argument("--tmux", action="store_true", help="in tmux in that terminal")


def environment(folder: Path, display: str) -> dict[str, str]:
    home, runtime, shadow = folder / "home", folder / "runtime", folder / "shadow" / "speechd"
    for path in (home, shadow):
        path.mkdir(parents=True)
    runtime.mkdir(mode=0o700)
    (shadow / "__init__.py").write_text("raise ImportError\n")  # Orca without a speech server only logs
    (shadow.parent / "sitecustomize.py").write_text(LOG_LINE_BY_LINE)
    own = {"DISPLAY": display, "HOME": str(home), "XDG_RUNTIME_DIR": str(runtime), INSIDE: str(folder)}
    around = {name: value for name, value in os.environ.items() if name not in ("TMUX", "VTE_VERSION", "STY")}
    return around | own | {"GTK_MODULES": "gail:atk-bridge", "NO_AT_BRIDGE": "0", "LANG": "C.UTF-8"}


@contextmanager
def orca(folder: Path) -> Iterator[Path]:
    """A desktop with Orca on it; the file that its debug log goes to."""
    log = folder / "orca.log"
    for key in (
        "org.gnome.desktop.interface toolkit-accessibility",
        "org.gnome.desktop.a11y.applications screen-reader-enabled",
    ):
        subprocess.run(["gsettings", "set", *key.split(), "true"], check=True)
    with ExitStack() as started:
        started.enter_context(running(["openbox"], folder, "openbox"))
        started.enter_context(running(["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"], folder, "at-spi"))
        time.sleep(2)
        command = ["env", f"PYTHONPATH={folder / 'shadow'}", "orca", "--replace", f"--debug-file={log}"]
        started.enter_context(running(command, folder, "orca"))
        time.sleep(6)
        yield log


def listen(options: argparse.Namespace, folder: Path) -> int:
    place = terminal(
        options.command, options.rows, folder, kind=options.terminal, columns=options.columns, tmux=options.tmux
    )
    with orca(folder) as log, running(place, folder, "terminal"):
        marks = [("start", now())]
        time.sleep(3)
        wait_until_quiet(log)
        for key in options.keys.split():
            marks.append((key, now()))
            press(key)
            wait_until_quiet(log)
    text = log.read_text(errors="replace")
    if options.log:
        options.log.write_text(text)
    heard = list(read_log(text))
    for row in by_key(marks, heard):
        print(json.dumps(row, ensure_ascii=False))
    return compare(options.transcript, heard) if options.transcript else 0


def press(key: str) -> None:
    """Presses a key, named as xdotool names it."""
    subprocess.run(["xdotool", "key", key], check=True)


def terminal(
    command: list[str], rows: int, folder: Path, *, kind: str = "xfce4", columns: int = 100, tmux: bool = False
) -> list[str]:
    """A terminal that runs a command, and stays open after it, so that its last words are heard."""
    script = folder / "command"
    script.write_text(f"#!/bin/sh\ncd {shlex.quote(os.getcwd())}\n{shlex.join(command)}\nexec sleep 600\n")
    script.chmod(0o755)
    inside = ["tmux", "-L", folder.name, "-f", "/dev/null", "new-session", str(script)] if tmux else [str(script)]
    size = f"--geometry={columns}x{rows}"
    if kind == "gnome":
        return ["gnome-terminal", "--wait", size, "--", *inside]
    return ["xfce4-terminal", "--disable-server", size, "-x", *inside]


@contextmanager
def running(command: list[str], folder: Path, name: str) -> Iterator[None]:
    with (folder / f"{name}.out").open("w") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(2)
            except subprocess.TimeoutExpired:  # this Orca can hang when it is asked to end
                process.kill()


def now() -> str:
    return datetime.now().strftime("%H:%M:%S.%f")


def wait_until_quiet(log: Path) -> None:
    until, size, since = time.monotonic() + LONGEST, -1, time.monotonic()
    while time.monotonic() < until and time.monotonic() - since < QUIET:
        if (grown := log.stat().st_size) != size:
            size, since = grown, time.monotonic()
        time.sleep(0.05)


def read_log(text: str) -> Iterator[Heard]:
    lines = iter(text.split("\n"))
    for line in lines:
        found = _OUTPUT.match(line)
        if found is None:
            continue
        at, kind, said = found.groups()
        while said.count("'") < 2 and (following := next(lines, None)) is not None:
            said += "\n" + following
        said = re.sub(r"(\[?\{.*|', cursor=.*)", "", said, flags=re.DOTALL).strip().strip("'")
        yield Heard(at, _KINDS[kind.strip()], said)


def by_key(marks: list[tuple[str, str]], heard: list[Heard]) -> Iterator[dict[str, object]]:
    for (key, at), (_, until) in zip(marks, [*marks[1:], ("", "99")], strict=True):
        during = [h for h in heard if at <= h.at < until]
        yield {"key": key} | {kind: [h.text for h in during if h.kind == kind] for kind in ("speech", "braille")}


def compare(transcript: Path, heard: list[Heard]) -> int:
    """Whether each message was spoken as often as it was said; tells which was not, and which the display never showed.

    Of messages told together the display shows the last; the reader's hand goes up for the others.
    """
    said = Counter(json.loads(line)["text"] for line in transcript.read_text("utf-8").splitlines())
    spoken = Counter(line.strip() for h in heard if h.kind == "speech" for line in h.text.split("\n"))
    shown = "\n".join(h.text for h in heard if h.kind == "braille")
    wrong = {text: count for text, count in said.items() if spoken[text] != count}
    for text, count in wrong.items():
        print(json.dumps({"message": text, "said": count, "spoken": spoken[text]}, ensure_ascii=False))
    unseen = [text for text in said if text[-15:] not in shown and text[:15] not in shown]
    print(json.dumps({"messages": said.total(), "wrong": len(wrong), "not in braille": unseen}, ensure_ascii=False))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
