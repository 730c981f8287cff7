"""Sounds in Windows' own Python under Wine, recorded from a real PulseAudio: `tools/wine/sound_check.py FOLDER`.

FOLDER is what setup_python.sh made. It shows that miniaudio finds a device over WASAPI, that the playing process starts
without a console and that each sound comes from its place; it is no proof about Windows' own audio. Debian 12: apt-get
install --no-install-recommends wine wine64 pulseaudio pulseaudio-utils. Run it with the project's Python.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(ROOT / "tests")]


def main(folder: Path) -> int:
    """Play and record; 0 where each sound was heard in its place."""
    from sound_program import PANS, STEP

    from sounds.null_sink import NullSink

    with tempfile.TemporaryDirectory(prefix="kz") as work:
        sink = NullSink(Path(work))
        sink.start()
        recorder = sink.record()
        env = {**os.environ, **sink.environ, "WINEPREFIX": str(folder / "wp"), "WINEDEBUG": "-all"}
        env.pop("DISPLAY", None)
        program = [f"Z:{HERE / 'sound_program.py'}", f"Z:{ROOT / 'src'}"]
        began = 0.0
        with subprocess.Popen(
            ["wine", str(folder / "py" / "python.exe"), *program],
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as wine:
            assert wine.stdout is not None
            for line in wine.stdout:
                print(line.strip())
                began = time.monotonic() if line.startswith("begins") else began
        heard = recorder.heard([began - STEP / 4 + STEP * number for number in range(len(PANS))])
        sink.kill()
    right = [answer is not None and abs(answer.pan - pan) < 0.05 for answer, pan in zip(heard, PANS, strict=True)]
    print(f"heard in their places: {sum(right)} of {len(right)}")
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
