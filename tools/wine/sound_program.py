"""Plays from Windows' own Python, for `sound_check.py`: each place three times, then the device's name and the costs."""

import sys
import time

PANS = (-0.7, -0.15, 0.0, 0.35, 0.7) * 3
STEP = 0.4
"""Seconds from one sound to the next."""

if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    from kozel.sounds.board import Board
    from kozel.sounds.plan import Cue

    board = Board()
    status = board.settled(30)
    time.sleep(3)
    print("begins", flush=True)
    costs = []
    for pan in PANS:
        start = time.perf_counter()
        board.play([Cue("passed", pan)])
        costs.append((time.perf_counter() - start) * 1000)
        time.sleep(STEP)
    print(f"{status} {board.output}, a request at most {max(costs):.1f} ms", flush=True)
    board.close()
