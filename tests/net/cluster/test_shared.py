"""Names, libraries and bars of a club on many servers, on a real NATS."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from kozel.net.cluster.bus import Away, Bus
from kozel.net.cluster.replica import Replica
from kozel.net.cluster.shared import SharedBars, SharedBook, SharedLibraries
from kozel.net.identity import Identities
from kozel.net.wire import Declined
from net.cluster.nats_servers import NatsServers, nats_servers
from net.cluster.test_replica import until
from net.cluster.test_stream_logs import with_buses

DAY = date(2026, 12, 1)


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[NatsServers]:
    with nats_servers(tmp_path / "nats") as servers:
        yield servers


async def names(bus: Bus) -> Identities:
    return Identities(SharedBook(await Replica.open(bus, "kozel_names")))


def test_a_name_belongs_to_the_key_that_took_it_first_at_whichever_server(nats: NatsServers) -> None:
    async def body(one: Bus, two: Bus) -> None:
        first, second = await names(one), await names(two)
        results = await asyncio.gather(
            first.claim("SHA256:a", "Anna"), second.claim("SHA256:b", "anna"), return_exceptions=True
        )
        assert sum(isinstance(result, Declined) for result in results) == 1
        winner = "SHA256:a" if results[0] == "Anna" else "SHA256:b"
        await until(lambda: first.name(winner) is not None and second.name(winner) is not None)
        assert not first.free("ANNA", "SHA256:c")
        await first.claim(winner, "Vera")
        first.set_lang(winner, "ru")
        assert first.lang(winner) == "ru"
        await until(lambda: second.name(winner) == "Vera" and second.lang(winner) == "ru")
        await until(lambda: second.free("Anna", "SHA256:c"))
        assert await second.claim("SHA256:c", "Anna") == "Anna"

    with_buses(nats, 2, body)


def test_a_name_that_was_given_up_can_be_had_at_once(nats: NatsServers) -> None:
    async def body(bus: Bus) -> None:
        replica = await Replica.open(bus, "kozel_names")
        club = Identities(SharedBook(replica))
        for name in ("Anna", "Vera", "Anna", "Vera"):
            assert await club.claim("SHA256:a", name) == name
        assert await club.claim("SHA256:b", "Anna") == "Anna"
        await replica.close()
        after = await names(bus)
        assert not after.free("Anna", "SHA256:c")
        assert not after.free("Vera", "SHA256:c")
        assert (after.name("SHA256:a"), after.name("SHA256:b")) == ("Vera", "Anna")

    with_buses(nats, 1, body)


def test_a_name_is_freed_once_though_the_answer_was_lost(nats: NatsServers, monkeypatch: pytest.MonkeyPatch) -> None:
    async def body(one: Bus, two: Bus) -> None:
        replica, append = await Replica.open(one, "kozel_names"), one.append
        first, second = Identities(SharedBook(replica)), await names(two)
        freed, taken = asyncio.Event(), asyncio.Event()

        async def loses_an_answer(stream: str, subject: str, data: bytes, mark: str, **settings: Any) -> int:
            number = await append(stream, subject, data, mark, **settings)
            if settings["headers"] and not freed.is_set():
                freed.set()
                await taken.wait()
                raise Away(subject)
            return number

        await first.claim("SHA256:a", "Anna")
        await until(lambda: second.name("SHA256:a") == "Anna")
        monkeypatch.setattr(one, "append", loses_an_answer)
        await first.claim("SHA256:a", "Vera")
        await asyncio.wait_for(freed.wait(), 5)
        await until(lambda: second.free("Anna", "SHA256:b"))
        await second.claim("SHA256:b", "Anna")
        taken.set()
        await until(lambda: not first.free("Anna", "SHA256:c"))
        await replica.close()
        assert not (await names(two)).free("Anna", "SHA256:c")

    with_buses(nats, 2, body)


def test_nothing_is_kept_for_somebody_without_a_library(nats: NatsServers, tmp_path: Path) -> None:
    async def body(bus: Bus) -> None:
        before = await bus.last_sequence("KV_kozel_records")
        await SharedLibraries(tmp_path / "1", bus).fetched("guest:1", "nothing")
        assert await bus.last_sequence("KV_kozel_records") == before

    with_buses(nats, 1, body)


def test_a_guests_code_works_at_every_server_until_it_is_void(nats: NatsServers) -> None:
    async def body(one: Bus, two: Bus) -> None:
        first, second = await names(one), await names(two)
        guest = first.new_guest()
        await first.claim(guest, "Vera")
        code = first.code_for(guest)
        assert first.by_code(code) == guest
        await until(lambda: second.by_code(code) == guest and second.name(guest) == "Vera")
        second.forget(guest)
        await until(lambda: first.by_code(code) is None and first.free("Vera", "SHA256:x"))

    with_buses(nats, 2, body)


def test_a_library_is_the_same_at_every_server(nats: NatsServers, tmp_path: Path) -> None:
    async def body(one: Bus, two: Bus) -> None:
        first, second = SharedLibraries(tmp_path / "1", one), SharedLibraries(tmp_path / "2", two)
        text = "kozel-record: 2\ndate: 2026-12-01\n"
        name = await first.add("SHA256:a", "kozel", DAY, text)
        assert await second.add("SHA256:a", "kozel", DAY, text) == name
        other = await second.add("SHA256:a", "kozel", DAY, text + "rounds: []\n")
        assert (name, other) == ("2026-12-01-1-kozel", "2026-12-01-2-kozel")
        assert await first.waiting("SHA256:a") == [name, other]
        assert await first.text("SHA256:a", name) == text
        await second.fetched("SHA256:a", name)
        assert await first.waiting("SHA256:a") == [other]
        assert await first.waiting("SHA256:b") == []
        with pytest.raises(OSError, match="No such file"):
            await first.text("SHA256:a", "nothing")
        folder = await first.open("SHA256:a")
        assert sorted(path.stem for path in folder.records()) == [name, other]
        (folder.matches / f"{name}.yaml").unlink()
        await first.put_back("SHA256:a")
        assert [path.stem for path in (await second.open("SHA256:a")).records()] == [other]
        await second.put_back("SHA256:a")
        assert await first.waiting("SHA256:a") == [other]

    with_buses(nats, 2, body)


def test_a_name_that_is_given_anew_holds_the_new_record_at_every_server(nats: NatsServers, tmp_path: Path) -> None:
    async def body(one: Bus, two: Bus) -> None:
        first, second = SharedLibraries(tmp_path / "1", one), SharedLibraries(tmp_path / "2", two)
        name = await first.add("SHA256:a", "kozel", DAY, "old\n")
        await second.open("SHA256:a")
        folder = await first.open("SHA256:a")
        (folder.matches / f"{name}.yaml").unlink()
        await first.put_back("SHA256:a")
        assert await first.add("SHA256:a", "kozel", DAY, "new\n") == name
        folder = await second.open("SHA256:a")
        assert (folder.matches / f"{name}.yaml").read_text(encoding="utf-8") == "new\n"

    with_buses(nats, 2, body)


def test_many_servers_add_to_one_library_at_once(nats: NatsServers, tmp_path: Path) -> None:
    async def body(*buses: Bus) -> None:
        shared = [SharedLibraries(tmp_path / str(n), bus) for n, bus in enumerate(buses)]
        added = [library.add("SHA256:a", "kozel", DAY, f"text {n}") for n, library in enumerate(shared) for _ in "ab"]
        await asyncio.gather(*added)
        assert len(await shared[0].waiting("SHA256:a")) == len(buses)

    with_buses(nats, 4, body)


def test_what_one_operator_bars_all_servers_bar(nats: NatsServers, tmp_path: Path) -> None:
    async def body(one: Bus, two: Bus) -> None:
        file = tmp_path / "bars.txt"
        file.write_text("SHA256:evil\n192.0.2.0/24 # a school\n", encoding="utf-8")
        first = SharedBars(file, await Replica.open(one, "kozel_bars"), "one")
        second = SharedBars(None, await Replica.open(two, "kozel_bars"), "two")
        await until(lambda: second.key("SHA256:evil"))
        assert second.address("192.0.2.77")
        assert not second.address("198.51.100.1")
        file.write_text("198.51.100.1\n", encoding="utf-8")
        assert first.address("198.51.100.1")
        await until(lambda: second.address("198.51.100.1") and not second.key("SHA256:evil"))
        SharedBars(None, await Replica.open(one, "kozel_bars"), "one")
        await until(lambda: not second.address("198.51.100.1"))

    with_buses(nats, 2, body)
