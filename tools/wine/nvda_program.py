"""Runs in Windows' Python over the stub NVDA library (nvda_stub.c): direct speech with NVDA there, gone, back, asleep,
slow and hanging. Prints a line for each thing that was checked; the exit status is 1 if one of them did not hold."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from kozel.voice.announcer import Announcer
from kozel.voice.speech_command import speech_list

LOG, STATE = Path(os.environ["NVDA_STUB_LOG"]), Path(os.environ["NVDA_STUB_STATE"])
failed: list[str] = []


def nvda(answer: int = 0, milliseconds: int = 0) -> None:
    STATE.write_text(f"{answer} {milliseconds}")


def calls(text: str = "") -> list[str]:
    """What NVDA took, as "function text"; only calls with this text in them."""
    rows = [line.split("\t") for line in LOG.read_text("utf-8").splitlines()] if LOG.exists() else []
    taken = [f"{function} {said}".strip() for _, answer, function, said in rows if answer == "0"]
    return [call for call in taken if text in call and call != "testIfRunning"]


def threads() -> int:
    rows = [line.split("\t") for line in LOG.read_text("utf-8").splitlines()]
    return len({thread for thread, _, function, _ in rows if function == "speakText"})


def check(what: str, condition: Callable[[], bool], timeout: float = 20) -> None:
    start = time.monotonic()
    while not (held := condition()) and time.monotonic() - start < timeout:
        time.sleep(0.01)
    print(f"{'ok  ' if held else 'FAIL'} {what} ({(time.monotonic() - start) * 1000:.0f} ms)", flush=True)
    if not held:
        failed.append(what)


def say_until(announcer: Announcer, text: str) -> Callable[[], bool]:
    def heard() -> bool:
        announcer.say("event", None, text)
        announcer.flush(0.2)
        return bool(calls(text))

    return heard


def main() -> int:
    nvda()
    screen = io.StringIO()
    announcer = Announcer("ru", "auto", stream=screen)
    check("auto is direct where NVDA runs", lambda: announcer.mode == "direct")
    check("NVDA is found", lambda: announcer.mode_facts(10).output == "NVDA")
    print("     " + announcer.start_sentence())
    announcer.say("event", None, "Анна: шесть пять, справа.", braille="Анна 6:5 П")
    check("Russian arrives whole, in speech and braille", lambda: calls()[-2:] == [
        "speakText Анна: шесть пять, справа.", "brailleMessage Анна 6:5 П"])  # fmt: skip
    check("an event cuts nothing", lambda: "cancelSpeech" not in calls())
    announcer.say("echo", 0, "шесть пять")
    check("an echo cuts what is said", lambda: calls()[-3:] == [
        "cancelSpeech", "speakText шесть пять", "brailleMessage шесть пять"])  # fmt: skip
    check("nothing was written on the screen", lambda: screen.getvalue() == "")

    nvda(1722)
    announcer.say("event", None, "Пока NVDA нет.")
    check("what NVDA can't take is written", lambda: "Пока NVDA нет." in screen.getvalue())
    check("its loss is told", lambda: "Речь напрямую не работает" in screen.getvalue())
    nvda()
    check("NVDA is found again", say_until(announcer, "NVDA вернулась."))
    nvda(-1)
    announcer.say("event", None, "В спящем режиме.")
    check("sleep mode is named", lambda: "NVDA спит в этом окне" in screen.getvalue())
    nvda()
    check("NVDA that woke up is used again", say_until(announcer, "NVDA проснулась."))

    nvda(0, 1000)
    before = time.perf_counter()
    for number in range(100):
        announcer.say("event", None, f"Медленно {number}.")
    cost = (time.perf_counter() - before) / 100 * 1e6
    print(f"     say() with an NVDA that takes 1 s a call: {cost:.0f} microseconds")
    check("all of it arrives", lambda: bool(calls("Медленно 99.")))
    nvda(0, 8000)
    announcer.say("event", None, "NVDA зависла.")
    check("an NVDA that hangs is given up and its text written", lambda: "NVDA зависла." in screen.getvalue())
    nvda()
    check("after it a new thread speaks", say_until(announcer, "Снова."), 60)
    check("each output was used in one thread of its own", lambda: threads() >= 2)
    announcer.set_focused(False)
    announcer.say("event", None, "Без фокуса.")
    announcer.flush(0.5)
    check("nothing is said without the focus", lambda: not calls("Без фокуса."))
    announcer.set_focused(True)
    check("it is said on return", lambda: bool(calls("Без фокуса.")))
    announcer.close()

    speech_list(lambda text: print("     " + text), "en")
    nvda(1722)
    silent = Announcer("en", "auto", stream=io.StringIO())
    check("auto is lines where no reader runs", lambda: silent.mode == "lines")
    silent.close()
    speech_list(lambda text: print("     " + text), "en", "direct")
    return 1 if failed else 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    raise SystemExit(status)
