"""Runs in a terminal: writes every byte that it sends into a file."""

from __future__ import annotations

import os
import sys
import termios
import tty

if __name__ == "__main__":
    before = termios.tcgetattr(0)
    tty.setraw(0)
    with open(sys.argv[1], "wb", buffering=0) as recorded:
        try:
            while data := os.read(0, 4096):
                recorded.write(data)
        finally:
            termios.tcsetattr(0, termios.TCSANOW, before)
