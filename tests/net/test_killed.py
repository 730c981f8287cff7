"""A server, and clients, that are killed without a word at random moments: every match goes on at its moment."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("a process is killed as POSIX does it", allow_module_level=True)

from kozel.net import link as link_module
from net.served import Served
from net.test_link import proven, two_at_a_table
from net.test_matches import run

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("KOZEL_TEST_KILLS", "6"))
"""The check before a release kills two hundred times."""


def test_matches_go_on_after_kills_at_random_moments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "_WAITS", (0.02, 0.1))
    server = Served(tmp_path / "server")

    async def play() -> None:
        rng = random.Random(11)
        killed = matches = 0
        while killed < KILLS:
            players = await two_at_a_table(tmp_path, (server.port, server.port))
            playing = asyncio.gather(*(player.play(0.05) for player in players))
            while not playing.done() and killed < KILLS:
                await asyncio.sleep(rng.uniform(0.05, 1.5))
                killed += 1
                if rng.random() < 0.5:
                    await asyncio.to_thread(server.kill)
                    await asyncio.to_thread(server.start)
                else:
                    rng.choice(players).die()
            await asyncio.wait_for(playing, 120)
            for player in players:
                proven(player)
                await player.link.close()
            matches += 1

    try:
        run(play(), 60 + KILLS * 15)
    finally:
        if server.process.poll() is None:
            server.kill()
