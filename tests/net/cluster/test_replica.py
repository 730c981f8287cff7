"""Buckets as each server knows them, on a real NATS that is killed, frozen and cut off."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kozel.net.cluster.bus import Bus
from kozel.net.cluster.replica import Replica, Stale, Taken
from net.cluster.nats_servers import NatsServers, nats_servers
from net.cluster.test_stream_logs import with_buses

BUCKET = "kozel_names"


@pytest.fixture(scope="module")
def nats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServers]:
    with nats_servers(tmp_path_factory.mktemp("nats")) as servers:
        yield servers


async def until(holds: Callable[[], bool], seconds: float = 10) -> None:
    async def wait() -> None:
        while not holds():
            await asyncio.sleep(0.01)

    await asyncio.wait_for(wait(), seconds)


def test_each_server_knows_what_the_others_write(nats: NatsServers) -> None:
    async def body(one: Bus, two: Bus) -> None:
        first, second = await Replica.open(one, BUCKET), await Replica.open(two, BUCKET)
        heard: list[tuple[str, Any]] = []
        second.listen(lambda key, value: heard.append((key, value)))
        revision = await first.create("a", {"name": "Анна"})
        assert first.get("a") == {"name": "Анна"}
        await until(lambda: second.get("a") == {"name": "Анна"})
        with pytest.raises(Taken):
            await second.create("a", 2)
        await second.update("a", 2, revision)
        with pytest.raises(Stale):
            await first.update("a", 3, revision)
        assert first.get("a") == 2
        await second.delete("a")
        await until(lambda: first.get("a") is None)
        await first.create("a", 4)
        first.later("b", 1)
        first.later("b", 2)
        await until(lambda: second.get("b") == 2 and second.get("a") == 4)
        third = await Replica.open(two, BUCKET)
        assert dict(third.items()) == {"a": 4, "b": 2}
        assert [value for key, value in heard if key == "a"] == [{"name": "Анна"}, 2, None, 4]
        for each in (first, second, third):
            await each.close()

    with_buses(nats, 2, body)


def test_a_key_that_many_want_at_once_goes_to_one(nats: NatsServers) -> None:
    async def body(*buses: Bus) -> None:
        replicas = [await Replica.open(bus, "kozel_people") for bus in buses]
        for n in range(20):
            wanted = [replica.create(f"key{n}", who) for who, replica in enumerate(replicas)]
            results = await asyncio.gather(*wanted, return_exceptions=True)
            assert sum(not isinstance(result, Taken) for result in results) == 1
            winner = next(who for who, result in enumerate(results) if not isinstance(result, Taken))
            for replica in replicas:
                await until(lambda replica=replica, n=n: replica.get(f"key{n}") is not None)  # type: ignore[misc]
                assert replica.get(f"key{n}") == winner
        for replica in replicas:
            await replica.close()

    with_buses(nats, 3, body)


def test_what_another_server_wrote_meanwhile_is_not_taken_away(
    nats: NatsServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def body(one: Bus, two: Bus) -> None:
        first, second = await Replica.open(one, "kozel_bars"), await Replica.open(two, "kozel_bars")
        append, asked, written = one.append, asyncio.Event(), asyncio.Event()

        async def late(*place: Any, **settings: Any) -> int:
            asked.set()
            await written.wait()
            return await append(*place, **settings)

        revision = await first.create("a", "Anna")
        monkeypatch.setattr(one, "append", late)
        first.later("a", None)
        await asyncio.wait_for(asked.wait(), 5)
        await second.update("a", "Vera", revision)
        written.set()
        await until(lambda: first.get("a") == "Vera")
        first.later("a", "Olga")
        first.later("a", None)  # what was to be written before it, it takes away
        await first.close()
        await until(lambda: second.get("a") is None)
        assert await second.fetch("a") is None
        await second.close()

    with_buses(nats, 2, body)


def test_a_server_killed_and_started_again_is_followed_on(tmp_path: Path) -> None:
    with nats_servers(tmp_path) as servers:

        async def body(one: Bus, two: Bus) -> None:
            first, second = await Replica.open(one, BUCKET), await Replica.open(two, BUCKET)
            await first.put("a", 1)
            await first.put("b", 1)
            servers.kill(0)
            first.later("c", 3)
            first.later("b", None)
            await asyncio.sleep(0.5)
            servers.start(0)
            await until(lambda: second.get("c") == 3 and second.get("b") is None, 15)
            await first.put("d", 4)
            await until(lambda: second.get("d") == 4, 15)
            await first.close()
            await second.close()

        with_buses(servers, 2, body)


def test_without_nats_a_write_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kozel.net.cluster.replica._PATIENCE", 0.5)
    with nats_servers(tmp_path) as servers:

        async def body(bus: Bus) -> None:
            replica = await Replica.open(bus, BUCKET)
            servers.kill(0)
            await until(lambda: not bus.connected)
            with pytest.raises(OSError, match="NATS"):
                await replica.create("a", 1)
            assert replica.get("a") is None

        with_buses(servers, 1, body)


@pytest.mark.slow
def test_three_servers_are_followed_when_their_leader_is_killed(tmp_path: Path) -> None:
    with nats_servers(tmp_path, 3) as servers:

        async def body(one: Bus, two: Bus) -> None:
            first, second = await Replica.open(one, BUCKET), await Replica.open(two, BUCKET)
            for n in range(3):
                leader = servers.leader(f"KV_{BUCKET}")
                servers.kill(leader)
                first.later(f"key{n}", n)
                await until(lambda n=n: second.get(f"key{n}") == n, 25)  # type: ignore[misc]
                servers.start(leader)
            await first.close()
            await second.close()

        with_buses(servers, 2, body, 100)
