"""Runs in Windows' Python over the stub of JAWS (jaws_stub.py): direct speech and braille with JAWS there, gone and back.
Prints a line for each thing that was checked; the exit status is 1 if one of them did not hold."""

from __future__ import annotations

import io
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

from kozel.voice.announcer import Announcer

LOG = Path(os.environ["JAWS_STUB_LOG"])
GONE = Path(f"{LOG}.gone")
failed: list[str] = []


def calls() -> list[list[object]]:
    """What JAWS took, without accessible_output2's empty probes."""
    rows = [json.loads(line) for line in LOG.read_text("utf-8").splitlines()] if LOG.exists() else []
    return [row for row in rows if row[1:2] != [""]]


def check(what: str, condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not (held := condition()) and time.monotonic() < until:
        time.sleep(0.01)
    print("ok  " if held else "FAIL", what, flush=True)
    if not held:
        failed.append(what)


def main() -> int:
    screen = io.StringIO()
    announcer = Announcer("ru", "direct", stream=screen)
    check("JAWS is found in the thread that speaks", lambda: announcer.mode_facts(10).output == "JAWS")
    announcer.say("event", None, 'Анна: "шесть" пять.', braille='Анна "6:5"')
    check("speech and braille arrive", lambda: calls() == [
        ["SayString", 'Анна: "шесть" пять.', False], ["RunFunction", "BrailleString(\"Анна '6:5'\")"]])  # fmt: skip
    announcer.say("echo", 0, "шесть пять")
    check("an echo cuts what is said", lambda: ["SayString", "шесть пять", True] in calls())
    GONE.touch()
    announcer.say("event", None, "Пока JAWS нет.")
    check("what JAWS can't take is written", lambda: "Пока JAWS нет." in screen.getvalue())
    GONE.unlink()

    def heard() -> bool:
        announcer.say("event", None, "JAWS вернулся.")
        announcer.flush(0.2)
        return any("JAWS вернулся." in str(row[1]) for row in calls())

    check("JAWS is found again", heard)
    announcer.close()
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
