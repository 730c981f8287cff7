"""A key's time is when it arrived, not when the program had time to read it."""

from __future__ import annotations

import asyncio
import os
import threading
import time

import pytest

pytest.importorskip("pty", reason="there are no pseudo-terminals on this platform")

import pty

from kozel.terminal.posix import Watcher


def test_a_busy_program_does_not_make_keys_younger() -> None:
    master, slave = pty.openpty()
    came: list[tuple[float, bytes]] = []
    sent: list[float] = []

    def press() -> None:
        time.sleep(0.1)
        sent.append(time.monotonic())
        os.write(master, b"x\n")

    async def program() -> None:
        watcher = Watcher(slave, asyncio.get_running_loop(), lambda at: came.append((at, os.read(slave, 100))))
        typist = threading.Thread(target=press)
        typist.start()
        time.sleep(0.8)  # the event loop does nothing else meanwhile
        typist.join()
        for _ in range(100):
            await asyncio.sleep(0.01)
            if came:
                break
        watcher.stop()

    try:
        asyncio.run(program())
    finally:
        os.close(master)
        os.close(slave)
    ((at, data),) = came
    assert data == b"x\n"
    assert 0 <= at - sent[0] < 0.4


def test_a_watcher_that_was_stopped_reads_nothing_more() -> None:
    master, slave = pty.openpty()
    came: list[float] = []

    async def program() -> None:
        watcher = Watcher(slave, asyncio.get_running_loop(), came.append)
        watcher.stop()
        os.write(master, b"x\n")
        await asyncio.sleep(0.2)

    try:
        asyncio.run(program())
        assert came == []
        assert os.read(slave, 100) == b"x\n"  # it is the next program's
    finally:
        os.close(master)
        os.close(slave)
