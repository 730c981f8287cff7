"""`kozel serve --nats` in processes of its own: flags, status, taking over after a kill, faults at random."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kozel.locales import message
from kozel.net import link as link_module
from net.cluster.fleet import FAULTS, Fleet, Sitter, under_faults
from net.cluster.nats_servers import NatsServers, nats_servers
from net.served import Served, new_key, served, ssh

pytestmark = pytest.mark.slow

FAULTS_WANTED = int(os.environ.get("KOZEL_TEST_FAULTS", "6"))
"""The check before a release survives two hundred, at sixty tables."""
TABLES = int(os.environ.get("KOZEL_TEST_TABLES", "4"))


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[NatsServers]:
    with nats_servers(tmp_path / "nats") as servers:
        yield servers


def serve(*words: str, lang: str = "en") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kozel", "serve", *words, "--lang", lang],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize(
    ("words", "key", "facts"),
    [
        (("--nats", "nats://127.0.0.1:1"), "nats_unreachable", {"url": "nats://127.0.0.1:1"}),
        (("--nats", "http://x"), "nats_bad_url", {"url": "http://x"}),
        (("--nats", ""), "nats_bad_url", {"url": "?"}),
        (("--nats-ca", "x"), "nats_needed", {"flag": "--nats-ca"}),
        (("--nats-credentials", "x"), "nats_needed", {"flag": "--nats-credentials"}),
        (("--json",), "status_needed", {}),
        (("--status", "nats://127.0.0.1:1"), "nats_unreachable", {"url": "nats://127.0.0.1:1"}),
        (("--reach", "a b"), "serve_reach", {"value": "a b"}),
    ],
)
def test_what_cannot_be_is_one_sentence(
    tmp_path: Path, lang: str, words: tuple[str, ...], key: str, facts: dict[str, object]
) -> None:
    done = serve("--data-dir", str(tmp_path), "--port", "0", *words, lang=lang)
    assert done.returncode == 2
    assert done.stderr.strip() == message(lang, f"cli.{key}", **facts)
    assert done.stdout == ""


def test_a_nats_without_jetstream(tmp_path: Path) -> None:
    with nats_servers(tmp_path / "nats", jetstream=None) as servers:
        done = serve("--data-dir", str(tmp_path), "--port", "0", "--nats", servers.urls[0])
    assert (done.returncode, done.stderr.strip()) == (2, message("en", "cli.nats_no_jetstream"))


def test_the_status_of_a_club(tmp_path: Path, nats: NatsServers) -> None:
    url = nats.urls[0]
    nobody = serve("--status", url)
    assert (nobody.returncode, (nobody.stdout + nobody.stderr).strip()) == (1, message("en", "cli.status_nobody"))
    with served(tmp_path / "server", "--nats", url, "--reach", "club.example:2222") as server:
        assert "kozel join club.example\n" in server.said
        told = json.loads(serve("--status", url, "--json").stdout)
        assert [one["places"] for one in told["servers"]] == [["club.example:2222"]]
        assert (told["tables"], told["refused"]) == (0, 0)
        text = serve("--status", url).stdout
        assert text.startswith("One server, tables: 0, of them playing: 0, people: 0.\nclub.example:2222: tables 0")
        assert server.stop() == 143
    events = [json.loads(line)["event"] for line in (tmp_path / "server" / "server" / "events.jsonl").open()]
    assert (events[0], events[-1]) == ("server_open", "server_stops")


def test_a_table_goes_on_at_another_server_after_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "_WAITS", (0.1, 0.3, 0.5, 1.0, 1.0))

    async def play() -> None:
        async with Fleet(tmp_path, nats=1) as fleet:
            players = [Sitter(tmp_path / "players", fleet.ports[n], name, n) for n, name in ((0, "Anna"), (1, "Boris"))]
            for player in players:
                await player.link.open()
            opened = await players[0].link.ask("open", ruleset="kozel", levels=[None, None], options={"target": 80})
            await players[1].link.ask("sit", code=opened["code"])
            await players[0].link.ask("start")
            playing = asyncio.gather(*(player.play(0.05) for player in players))
            await asyncio.sleep(1)
            await asyncio.to_thread(fleet.servers[0].kill)
            killed = time.monotonic()
            await asyncio.wait_for(playing, 90)
            assert all(player.last_update > killed for player in players)
            assert players[0].link.address.port != fleet.ports[0]
            for player in players:
                player.check()
                assert player.notices("lost") <= 1
                await player.link.close()
            diary = "".join(path.read_text(encoding="utf-8") for path in tmp_path.glob("server*/server/events.jsonl"))
            assert '"event": "table_taken_over"' in diary
            assert "L " not in diary

    asyncio.run(asyncio.wait_for(play(), 150))


def test_plain_ssh_hears_that_the_server_stops_and_finds_its_seat_at_another(tmp_path: Path, nats: NatsServers) -> None:
    key = new_key(tmp_path / "key")
    servers = [Served(tmp_path / f"server{n}", "--nats", nats.urls[0]) for n in range(2)]
    screens = []
    try:
        first = ssh(servers[0].port, key)
        screens.append(first)
        first.hear("Language", "Язык")
        first.press("\r")
        first.hear(r"welcome|Welcome|Добро пожаловать|Anna")
        servers[0].stop()
        first.hear(message("en", "net.no_stopping").split(".")[0], message("ru", "net.no_stopping").split(".")[0])
        second = ssh(servers[1].port, key)
        screens.append(second)
        second.hear("Anna")
    finally:
        for screen in screens:
            screen.close()
        for server in servers:
            if server.process.poll() is None:
                server.kill()


@pytest.mark.timeout(60 + 40 * FAULTS_WANTED + 240)
def test_matches_survive_faults_at_random(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "_WAITS", (0.1, 0.3, 0.5, 1.0, 1.0))

    async def play() -> None:
        async with Fleet(tmp_path) as fleet:
            seed = random.randrange(10**6)
            heard: list[str] = [f"seed {seed}"]
            with contextlib.ExitStack() as stack:
                stack.callback(lambda: print(*heard, sep="\n"))
                done = await under_faults(
                    fleet, tables=TABLES, faults=FAULTS_WANTED, pause=0.2, target=30, seed=seed, say=heard.append
                )
            assert done["matches"] >= TABLES
            assert sum(done[kind] for kind in FAULTS) == FAULTS_WANTED

    asyncio.run(play())
