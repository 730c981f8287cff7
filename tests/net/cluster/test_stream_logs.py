"""Logs of tables on a real NATS: one table is never carried by two, and what was appended is there once."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from kozel.engine.match import Match, deal, new_match
from kozel.engine.shuffle import Shuffle
from kozel.net.cluster import stream_logs
from kozel.net.cluster.bus import TABLES, Bus, Wanted
from kozel.net.cluster.stream_logs import Entry, NewerLog, StreamLogs, TableLost
from kozel.play.journal import Journal
from kozel.play.store import Unusable
from kozel.records.writing import deal_text, head_text, move_text
from kozel.rules.reading import find
from kozel.rules.seating import Seating
from net.cluster.nats_servers import NatsServers, nats_servers


class Writer(StreamLogs):
    """The logs of one server, and what it was told of them."""

    def __init__(self, bus: Bus, name: str) -> None:
        self.losses: list[str] = []
        self.stalls: list[tuple[str, str | None]] = []
        super().__init__(
            bus, name, lost=self.losses.append, stalled=lambda table, reason: self.stalls.append((table, reason))
        )


@pytest.fixture(scope="module")
def nats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServers]:
    with nats_servers(tmp_path_factory.mktemp("nats")) as servers:
        yield servers


def with_buses(servers: NatsServers, n: int, body: Callable[..., Awaitable[None]], seconds: float = 60) -> None:
    """Run something with `n` connections of their own."""

    async def run() -> None:
        buses = [await Bus.open(Wanted(tuple(servers.urls))) for _ in range(n)]
        try:
            await asyncio.wait_for(body(*buses), seconds)
        finally:
            for bus in buses:
                await bus.close()

    asyncio.run(run())


def table() -> str:
    return random.randbytes(8).hex()


def seating() -> Seating:
    ruleset = find("kozel")
    return Seating(ruleset, ("Anna", "Boris"), (None, None), False, ruleset.choices({}))


def head(shuffle: Shuffle) -> str:
    return head_text("kozel", ("Anna", "Boris"), False, levels=(None, None), shuffle=shuffle, date=str(date.today()))


SHUFFLE = Shuffle(b"s" * 32, (None, None))


async def begun(logs: StreamLogs, id: str) -> tuple[str, Match]:
    """A match with a deal and a decision; what its record must be."""
    await logs.create(id)
    logs.keep_room(id, {"code": "1"})
    journal = await logs.begin(id, head(SHUFFLE))
    match = new_match(seating().game())
    dealt = SHUFFLE.deal(match)
    match, _ = deal(match, dealt)
    await journal.deal(dealt)
    assert match.round is not None
    move = match.round.legal[0].text
    await journal.decide(move)
    return head(SHUFFLE) + deal_text(dealt) + move_text(move), match


def test_the_log_of_a_table_is_the_game_record_and_another_server_goes_on_from_it(nats: NatsServers) -> None:
    async def body(one: Bus, two: Bus) -> None:
        first, second, id = Writer(one, "one"), Writer(two, "two"), table()
        text, _ = await begun(first, id)
        assert await first.text(id) == text
        taken = await second.take_up(id)
        assert taken.room == {"code": "1"}
        assert taken.match is not None
        kept, journal = taken.match
        assert sum(len(each.moves) for each in kept.record.rounds) == 1
        assert await second.text(id) == text
        assert second.term(id) > first.term(id)
        state = kept.match.round
        assert state is not None
        await journal.decide(state.legal[0].text)
        assert first.losses == []
        with pytest.raises(TableLost):
            await (await first.begin(id, "x")).decide("x")
        assert first.losses == [id]
        with pytest.raises(TableLost):
            first.keep_room(id, {})
        kinds = [entry.kind for entry in await second.read(id)]
        assert kinds == ["carry", "room", "begin", "record", "record", "carry", "record"]
        assert first.counts.refused == 1
        assert second.counts.appended == 2

    with_buses(nats, 2, body)


def test_what_was_handed_over_and_what_is_closed(nats: NatsServers) -> None:
    async def body(one: Bus, two: Bus) -> None:
        first, second, id = Writer(one, "one"), Writer(two, "two"), table()
        await begun(first, id)
        first.keep_room(id, {"code": "2"})
        await first.release(id)
        assert not first.carries(id)
        assert (await second.take_up(id)).room == {"code": "2"}
        assert first.losses == []
        third = table()
        await begun(second, third)
        stale = Writer(one, "one")
        await stale.take_up(third)
        with pytest.raises(TableLost):
            await second.over(third, "x")
        await stale.closed(third)
        assert await stale.read(third) == []
        with pytest.raises(TableLost):
            await second.take_up(third)

    with_buses(nats, 2, body)


def test_a_closed_table_takes_nothing_more_from_one_who_does_not_know(nats: NatsServers) -> None:
    async def body(one: Bus, two: Bus) -> None:
        first, second, id = Writer(one, "one"), Writer(two, "two"), table()
        await begun(first, id)
        await second.take_up(id)
        await second.closed(id)
        first.talk(id, {"who": "Anna", "text": "hello"})
        await asyncio.sleep(0.3)
        assert first.losses == [id]
        assert await first.read(id) == []

    with_buses(nats, 2, body)


def test_after_a_match_the_log_begins_again_and_the_record_is_put_away(nats: NatsServers) -> None:
    async def body(one: Bus, two: Bus) -> None:
        first, id = Writer(one, "one"), table()
        text, _ = await begun(first, id)
        first.talk(id, {"who": "Anna", "text": "well"})
        await first.over(id, f"2026-12-01-{id}")
        assert [entry.kind for entry in await first.read(id)] == ["room"]
        stored = await two.entries("KOZEL_FINISHED", f"kozel.finished.2026-12-01-{id}")
        assert len(stored) == 1
        assert text in json.loads(stored[0].data)["record"]
        taken = await Writer(two, "two").take_up(id)
        assert taken.match is None
        assert taken.room == {"code": "1"}

    with_buses(nats, 2, body)


def test_a_match_with_more_talk_than_one_message_holds_is_put_away_whole_and_once(nats: NatsServers) -> None:
    async def body(one: Bus, two: Bus) -> None:
        first, second, id = Writer(one, "one"), Writer(two, "two"), table()
        text, _ = await begun(first, id)
        said = [{"who": "Anna", "text": f"{n} " + "я" * 200} for n in range(3000)]
        for line in said:
            first.talk(id, line)
        await first._settled(first._held(id))
        await first._put_away(first._held(id), id)
        await second.take_up(id)
        await asyncio.wait_for(second.over(id, id), 20)
        stored = [json.loads(each.data) for each in await two.entries("KOZEL_FINISHED", f"kozel.finished.{id}")]
        assert stored[0]["record"] == text
        assert [line for each in stored for line in each["talk"]] == said
        assert [entry.kind for entry in await second.read(id)] == ["room"]

    with_buses(nats, 2, body)


def test_entries_stand_in_the_order_in_which_they_were_asked_for(nats: NatsServers) -> None:
    async def body(bus: Bus) -> None:
        logs, id, journal = await writing(bus)
        logs.keep_room(id, {"code": "9"})
        logs.talk(id, {"who": "Anna", "text": "well"})
        await journal.decide("x")
        assert [entry.kind for entry in await logs.read(id)][-3:] == ["room", "talk", "record"]

    with_buses(nats, 1, body)


def test_whoever_asked_may_go_while_an_entry_is_appended(nats: NatsServers) -> None:
    async def body(bus: Bus) -> None:
        logs, id = Writer(bus, "one"), table()
        text, _ = await begun(logs, id)
        journal = await logs.begin(id, text)
        for steps in range(6):
            asked = asyncio.ensure_future(journal.decide(f"{steps}"))
            for _ in range(steps):
                await asyncio.sleep(0)
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
        await journal.decide("last")
        assert logs.losses == []
        assert await logs.text(id) == b"".join([e.data for e in await logs.read(id) if e.kind != "carry"][-7:]).decode()

    with_buses(nats, 1, body)


async def writing(bus: Bus) -> tuple[Writer, str, Journal]:
    """A writer whose table has just begun another match."""
    logs, id = Writer(bus, "one"), table()
    await begun(logs, id)
    return logs, id, await logs.begin(id, head(SHUFFLE))


@pytest.mark.parametrize("kind", ["newer", "torn", "cheated", "room"])
def test_a_log_that_cannot_be_gone_on_with_stays_as_it_is(nats: NatsServers, kind: str) -> None:
    async def body(one: Bus, two: Bus) -> None:
        first, id = Writer(one, "one"), table()
        await begun(first, id)
        last = (await first.read(id))[-1].sequence
        data = {"newer": b"", "torn": b"      - L 3", "cheated": b"      - L 6-6 right\n", "room": b"[1]"}[kind]
        headers = {
            "Kozel-Kind": "room" if kind == "room" else "record",
            "Kozel-Format": "2" if kind == "newer" else "1",
        }
        await one.js.publish(f"kozel.table.{id}.log", data, headers=dict(headers))
        second = Writer(two, "two")
        with pytest.raises((ValueError, Unusable)) as no:
            await second.take_up(id)
        assert isinstance(no.value, NewerLog) == (kind == "newer")
        assert (await first.read(id))[-1].sequence == last + 1
        assert not second.carries(id)

    with_buses(nats, 2, body)


def check(entries: list[Entry]) -> None:
    """No entry is a server's that does not carry the table just then."""
    carrier = ""
    for entry in entries:
        if entry.kind == "carry":
            carrier = entry.by
        assert entry.by == carrier, entries


@pytest.mark.parametrize("seed", range(4))
def test_two_that_race_for_a_table_never_both_have_it(
    nats: NatsServers, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    async def body(*buses: Bus) -> None:
        rng = random.Random(seed)
        id, acknowledged = table(), []
        writers = [Writer(bus, f"s{n}") for n, bus in enumerate(buses)]
        await writers[0].create(id)

        async def write(writer: Writer) -> None:
            for n in range(60):
                await asyncio.sleep(rng.choice((0, 0, 0.001, 0.003)))
                try:
                    if not writer.carries(id):
                        await writer.take_up(id)
                    mark = f"{writer._server}-{n}"
                    journal = await writer.begin(id, mark)
                    await asyncio.sleep(rng.choice((0, 0.002)))
                    acknowledged.append(mark)
                    await journal.decide(mark)
                    acknowledged.append(f"      - {mark}\n")
                except (TableLost, Unusable):
                    continue

        await asyncio.gather(*map(write, writers))
        entries = await writers[0].read(id)
        check(entries)
        written = [entry.data.decode() for entry in entries if entry.kind in ("begin", "record")]
        assert len(written) == len(set(written))
        assert set(acknowledged) <= set(written)
        assert len({entry.by for entry in entries}) > 1

    # the marks are no records: whoever takes the table up must not read them
    monkeypatch.setattr(stream_logs, "kept_text", lambda content, name: None)
    with_buses(nats, 3, body)


def test_an_append_waits_for_nats_says_so_and_is_there_once(tmp_path: Path) -> None:
    with nats_servers(tmp_path) as servers:

        async def body(bus: Bus) -> None:
            logs, id, journal = await writing(bus)
            servers.kill(0)
            waiting = asyncio.ensure_future(journal.decide("waits"))
            await asyncio.sleep(2.5)
            assert not waiting.done()
            assert logs.stalls == [(id, "away")]
            servers.start(0)
            await asyncio.wait_for(waiting, 10)
            assert logs.stalls == [(id, "away"), (id, None)]
            assert [entry.data for entry in await logs.read(id)].count(b"      - waits\n") == 1
            assert await logs.verify(id)

        with_buses(servers, 1, body)


def test_a_frozen_nats_gets_nothing_twice(tmp_path: Path) -> None:
    with nats_servers(tmp_path) as servers:

        async def body(bus: Bus) -> None:
            logs, id, journal = await writing(bus)
            for n in range(3):
                servers.freeze(0)
                waiting = asyncio.ensure_future(journal.decide(f"move {n}"))
                await asyncio.sleep(1.3)
                servers.thaw(0)
                await asyncio.wait_for(waiting, 20)
            written = [entry.data for entry in await logs.read(id)][-3:]
            assert written == [b"      - move 0\n", b"      - move 1\n", b"      - move 2\n"]
            assert logs.losses == []

        with_buses(servers, 1, body)


def test_whoever_gives_up_has_told_nobody(tmp_path: Path) -> None:
    with nats_servers(tmp_path) as servers:

        async def body(bus: Bus) -> None:
            logs, _, journal = await writing(bus)
            servers.kill(0)
            waiting = asyncio.ensure_future(journal.decide("given up"))
            await asyncio.sleep(0.3)
            logs.abandon()
            with pytest.raises(OSError, match="NATS"):
                await asyncio.wait_for(waiting, 5)

        with_buses(servers, 1, body)


def test_a_full_store_stands_still_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with nats_servers(tmp_path, jetstream="sync_interval: always, max_file_store: 100MB") as servers:

        async def body(bus: Bus) -> None:
            logs, id, journal = await writing(bus)
            info = await bus.js.stream_info(TABLES)
            await bus.js.update_stream(info.config.evolve(max_bytes=info.state.bytes + 10))
            waiting = asyncio.ensure_future(journal.decide("waits"))
            await asyncio.sleep(2.2)
            assert logs.stalls == [(id, "full")]
            await bus.js.update_stream(info.config.evolve(max_bytes=-1))
            await asyncio.wait_for(waiting, 5)
            assert logs.stalls[-1] == (id, None)

        with_buses(servers, 1, body)


@pytest.mark.slow
def test_three_servers_lose_nothing_when_their_leader_is_killed(tmp_path: Path) -> None:
    with nats_servers(tmp_path, 3) as servers:

        async def body(one: Bus, two: Bus) -> None:
            assert one.replicas == 3
            logs, id, journal = await writing(one)
            written: list[str] = []

            async def write() -> None:
                until = time.monotonic() + 12
                while time.monotonic() < until:
                    await journal.decide(str(len(written)))
                    written.append(str(len(written)))

            async def kill() -> None:
                await asyncio.sleep(1)
                leader = servers.leader(TABLES)
                servers.kill(leader)
                await asyncio.sleep(7)
                servers.start(leader)

            await asyncio.gather(write(), kill())
            assert len(written) > 100
            moves = [entry.data for entry in await Writer(two, "two").read(id) if entry.data.startswith(b"      - ")]
            assert moves[-len(written) :] == [f"      - {n}\n".encode() for n in written]
            assert logs.losses == []

        with_buses(servers, 2, body, 90)


def test_eighty_tables_are_taken_up_within_two_seconds_of_reading(nats: NatsServers) -> None:
    """Not a timed test: what must hold is that all of them are taken up, each from its own log."""

    async def body(one: Bus, two: Bus) -> None:
        first, second = Writer(one, "one"), Writer(two, "two")
        ids = [table() for _ in range(80)]
        texts = [(await begun(first, id))[0] for id in ids]
        taken = await asyncio.gather(*map(second.take_up, ids))
        assert all(each.match is not None for each in taken)
        assert [await second.text(id) for id in ids] == texts

    with_buses(nats, 2, body)
