"""What importing the engine costs over bare Python: `python -m benchmarks.start [RUNS]`.

Both are started in turns; told are the median of the paired differences, and the difference of the quickest starts.
"""

from __future__ import annotations

import subprocess
import sys
import time
from statistics import median

RUNS = 40
BARE = "pass"
ENGINE = "import kozel.engine.match"


def milliseconds(code: str) -> float:
    """How long a fresh interpreter takes for it."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-I", "-c", code], check=True)
    return (time.perf_counter() - start) * 1000


def main(runs: int) -> None:
    """Measure and print; a first run writes the byte code."""
    milliseconds(ENGINE)
    pairs = [(milliseconds(BARE), milliseconds(ENGINE)) for _ in range(runs)]
    over = [engine - bare for bare, engine in pairs]
    least = min(engine for _, engine in pairs) - min(bare for bare, _ in pairs)
    print(
        f"Python {sys.version.split()[0]}: bare {median(bare for bare, _ in pairs):.1f} ms, with the engine "
        f"{median(engine for _, engine in pairs):.1f} ms; {median(over):.1f} ms more (the least of each: {least:.1f} more)"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
