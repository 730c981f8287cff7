"""What sounds cost, on a real null sink: `PYTHONPATH=tests python -m benchmarks.sound [pulseaudio|pipewire] [COUNT]`.

Told are: from the request to the first sample in a recording of the sink (which the recorder's own buffer is part of),
alone and beside a thread that thinks; what a request costs the game; what the playing process costs while it is silent;
from a key to its sentence and from the start to the first words, with sounds and without; and how loud sounds are next to
espeak through speech-dispatcher on the same sink. Needs Debian's pulseaudio, or pipewire-pulse with wireplumber and dbus,
and pulseaudio-utils; for the last figure speech-dispatcher-espeak-ng.
"""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from kozel.sounds.bank import RATE, shipped_samples
from kozel.sounds.board import Board
from kozel.sounds.plan import SOUNDS, Cue
from play.program import Piped, environment
from sounds.null_sink import Heard, NullSink, PipeWireSink

COUNT = 200


def told(name: str, values: Sequence[float], unit: str = "ms") -> None:
    """A line of a table."""
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"{name}: median {median(ordered):.2f} {unit}, p95 {p95:.2f}, most {ordered[-1]:.2f} (n = {len(ordered)})")


def heard(sink: NullSink, board: Board, cues: Sequence[Cue]) -> tuple[list[Heard], list[float]]:
    """Play these one by one: what was heard, and the milliseconds that each request took in the game."""
    recorder = sink.record()
    time.sleep(0.5)
    asked, costs = [], []
    for number, cue in enumerate(cues):
        asked.append(time.monotonic())
        board.play([cue])
        costs.append((time.monotonic() - asked[-1]) * 1000)
        time.sleep(len(shipped_samples(cue.name)) / RATE + 0.1 + 0.0037 * (number % 7))
    return [answer for answer in recorder.heard(asked) if answer is not None], costs


@contextlib.contextmanager
def thinking() -> Iterator[None]:
    """A thread that computes in Python all the time, as computer players do."""
    over = threading.Event()

    def think() -> None:
        while not over.is_set():
            sum(number * number for number in range(1000))

    thread = threading.Thread(target=think, daemon=True)
    thread.start()
    yield
    over.set()
    thread.join()


def processor_seconds(number: int) -> float:
    """What a process has used."""
    fields = Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def delays(sink: NullSink, count: int) -> None:
    """From a request to its first sample, and what it costs."""
    board = Board()
    assert board.settled(15) == "playing"
    time.sleep(3)
    answers, costs = heard(sink, board, [Cue("marked")] * count)
    told("request to first sample", [answer.after * 1000 for answer in answers])
    told("a request in the game", costs)
    with thinking():
        answers, costs = heard(sink, board, [Cue("marked")] * count)
    told("request to first sample, beside a thread that thinks", [answer.after * 1000 for answer in answers])
    assert board._process is not None
    before = processor_seconds(board._process.pid)
    time.sleep(10)
    print(f"the silent player: {(processor_seconds(board._process.pid) - before) * 10:.1f} % of one processor")
    board.close()


def keys(sink: NullSink, count: int) -> None:
    """From a key to its sentence, and from the start to the first words, in turns with sounds and without."""
    for name, env in (("off", {"KOZEL_SOUNDS": "off"}), ("on", {"KOZEL_SOUNDS": "on", **sink.environ})) * 2:
        firsts, answers = [], []
        for _ in range(5):
            with tempfile.TemporaryDirectory() as folder:
                words = ["play", "kozel", "--player", "Anna", "--player", "Boris:novice"]
                start = time.perf_counter()
                with Piped(Path(folder), *words, env=environment(**env)) as program:
                    while not program.transcript.fresh():
                        time.sleep(0.001)
                    firsts.append((time.perf_counter() - start) * 1000)
                    program.start()
                    time.sleep(2)
                    for _ in range(count // 10):
                        start = time.perf_counter()
                        program.press("f5")
                        answers.append((time.perf_counter() - start) * 1000)
        told(f"sounds {name}: start to first words", firsts)
        told(f"sounds {name}: key to sentence", answers)


SPEECHD = """LogLevel 1
AudioOutputMethod "pulse"
AddModule "espeak-ng" "sd_espeak-ng" ""
DefaultModule espeak-ng
DefaultLanguage "en"
DefaultVolume 100
DisableAutoSpawn
"""


def levels(sink: NullSink) -> None:
    """How loud each kind of sound is next to espeak on the same sink."""
    with tempfile.TemporaryDirectory(prefix="kz") as folder:
        (Path(folder) / "speechd.conf").write_text(SPEECHD)
        address = f"unix_socket:{folder}/s"
        env = {**os.environ, **sink.environ, "SPEECHD_ADDRESS": address}
        options = ["-s", "-C", folder, "-c", "unix_socket", "-S", f"{folder}/s", "-P", f"{folder}/pid", "-L", folder]
        server = subprocess.Popen(
            ["speech-dispatcher", *options], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(2)
        recorder = sink.record()
        time.sleep(0.5)
        asked = time.monotonic()
        subprocess.run(
            ["spd-say", "-w", "Boris: six five, right. Your turn, two fit."], env=env, timeout=30, check=True
        )
        time.sleep(0.5)
        (speech,) = recorder.heard([asked])
        server.terminate()
        server.wait(10)
    assert speech is not None, "nothing was spoken"
    print(f"espeak: peak {decibels(speech.peak)}, {decibels(speech.loudness)} on average")
    board = Board()
    assert board.settled(15) == "playing"
    time.sleep(3)
    answers, _ = heard(sink, board, [Cue(name) for name in SOUNDS])
    for name, answer in zip(SOUNDS, answers, strict=True):
        print(f"{name}: peak {decibels(answer.peak)}, {decibels(answer.loudness)} on average")
    board.close()


def decibels(share: float) -> str:
    """A share of full scale."""
    return f"{20 * math.log10(share):.1f} dB"


def main(server: str, count: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix="kz") as folder:
        sink = NullSink(Path(folder)) if server == "pulseaudio" else PipeWireSink(Path(folder))
        os.environ.update(sink.environ)
        with sink:
            delays(sink, count)
            keys(sink, count)
            if shutil.which("spd-say"):
                levels(sink)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "pulseaudio", int(sys.argv[2]) if len(sys.argv) > 2 else COUNT)
