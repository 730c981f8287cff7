"""A club on many servers: players at any of them, a table at one at a time, whatever happens to that one."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kozel.bots.thinkers import Thinkers
from kozel.net.cluster.bus import Bus, Wanted
from kozel.net.cluster.club import ClusterClub
from kozel.net.presence import LocalPresence
from kozel.records.replay import replay_text
from net.cluster.nats_servers import NatsServers, nats_servers
from net.cluster.test_replica import until
from net.scripted import Client, Declined, at_the_door
from net.test_matches import Spy

SHORT = {"target": 20}


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[NatsServers]:
    with nats_servers(tmp_path / "nats") as servers:
        yield servers


class Servers:
    """The clubs of some servers in this process."""

    def __init__(self, nats: NatsServers, folder: Path) -> None:
        self._nats, self._folder = nats, folder
        self.clubs: list[ClusterClub] = []
        self._thinkers = Thinkers(workers=1)

    async def start(self) -> ClusterClub:
        """One more."""
        bus = await Bus.open(Wanted(tuple(self._nats.urls)))
        folder = self._folder / f"server{len(self.clubs)}"
        club = await ClusterClub.build(folder, bus, name="Club", away=0.5, thinkers=self._thinkers)
        club.reached_at([("192.0.2.1", 2222 + len(self.clubs), "SHA256:key")])
        await club.open()
        self.clubs.append(club)
        return club


def with_servers(
    nats: NatsServers, folder: Path, n: int, body: Callable[..., Awaitable[None]], seconds: float = 60
) -> None:
    """Run something with the clubs of `n` servers that know of each other."""

    async def run() -> None:
        servers = Servers(nats, folder)
        for _ in range(n):
            await servers.start()
        await until(lambda: all(sum(1 for _ in club.members.others) == n - 1 for club in servers.clubs))
        await until(lambda: all(club.members.settled for club in servers.clubs))
        try:
            await asyncio.wait_for(body(servers), seconds)
        finally:
            for club in servers.clubs:
                await club.close()

    asyncio.run(run())


async def guest(club: ClusterClub, name: str, kind: type[Client] = Client) -> Client:
    """A client at one server's door two."""
    client = at_the_door(club, f"SHA256:{name}", kind=kind)
    client.name = name
    await client.hello(name)
    return client


async def at_one_table(
    clubs: list[ClusterClub], names: list[str], kind: type[Client] = Client, **wish: Any
) -> list[Client]:
    """Clients at one table, the first its host, each at the door of its own server; the match is begun."""
    clients = [await guest(club, name, kind) for club, name in zip(clubs, names, strict=True)]
    opened = await clients[0].ask(
        "open", **{"ruleset": "kozel", "levels": [None] * len(names), "options": SHORT, **wish}
    )
    for club in clubs:
        await until(lambda club=club: club._entry(opened["table"]) is not None)  # type: ignore[misc]
    for client in clients[1:]:
        await client.ask("sit", code=opened["code"])
    await clients[0].ask("start")
    for client in clients:
        await client.until(lambda client=client: client.view.get("turn") is not None)  # type: ignore[misc]
    return clients


def check_ended(clients: list[Client]) -> None:
    """All have the same record, whose shuffle is as promised, and heard each update once."""
    records = {client.record for client in clients}
    assert len(records) == 1
    record = records.pop()
    assert record
    assert replay_text(record, "r.yaml")["shuffle"] == "consistent"
    for client in clients:
        assert client.promise["commitment"] in record
        serials = [push["serial"] for push in client.pushes if push["now"] == "update"]
        assert serials == sorted(set(serials))


def test_players_at_different_servers_play_a_match_at_one_table(nats: NatsServers, tmp_path: Path) -> None:
    async def body(servers: Servers) -> None:
        one, two, three = servers.clubs
        clients = await at_one_table([one, two, three], ["Anna", "Boris", "Vera"], ruleset="osel", options={})
        await clients[1].ask("say", text="hello")
        await clients[2].until(lambda: any(push["now"] == "talk" for push in clients[2].pushes))
        await until(lambda: any(entry["phase"] == "playing" for _, entry in two._entries()))
        lobby = await (await guest(two, "Gleb")).ask("lobby")
        assert [card["phase"] for card in lobby["tables"]] == ["playing"]
        assert lobby["people"] >= 2
        await asyncio.gather(*(c.play(random.Random(n)) for n, c in enumerate(clients)))
        check_ended(clients)
        assert await three.libraries.waiting("SHA256:Anna") == await one.libraries.waiting("SHA256:Anna") != []
        assert "now" not in {push["now"] for push in clients[0].pushes if push["now"] == "notice"}

    with_servers(nats, tmp_path, 3, body)


def test_a_watcher_at_another_server_hears_the_public_part(nats: NatsServers, tmp_path: Path) -> None:
    async def body(servers: Servers) -> None:
        one, two = servers.clubs
        clients = await at_one_table([one, one], ["Anna", "Boris"])
        watcher = await guest(two, "Vera")
        await until(lambda: any(entry["listed"] for _, entry in two._entries()))
        [card] = (await watcher.ask("lobby"))["tables"]
        await watcher.ask("watch", table=card["id"])
        await watcher.until(lambda: watcher.view.get("turn") is not None)
        assert watcher.view["hand"] == []
        await asyncio.gather(*(c.play(random.Random(n)) for n, c in enumerate(clients)))
        await watcher.until(lambda: watcher.record is not None)
        check_ended(clients)

    with_servers(nats, tmp_path, 2, body)


def test_a_server_that_stops_hands_its_tables_over_and_nobody_hears_more_than_that(
    nats: NatsServers, tmp_path: Path
) -> None:
    async def body(servers: Servers) -> None:
        _, two, three = servers.clubs
        clients = await at_one_table([two, three], ["Anna", "Boris"], options={"target": 101})
        playing = asyncio.gather(*(c.play(random.Random(n)) for n, c in enumerate(clients)))
        host = next(club for club in servers.clubs if club._rooms)
        assert host is two
        # a table of a third server moves, whose players are elsewhere
        await asyncio.sleep(0.3)
        [id] = two._rooms
        await two._hand_over(two._rooms[id])
        await until(lambda: any(id in club._rooms for club in servers.clubs))
        before = [len(client.pushes) for client in clients]
        await asyncio.wait_for(playing, 40)
        check_ended(clients)
        for client, at in zip(clients, before, strict=True):
            kinds = [push["kind"] for push in client.pushes[at:] if push["now"] == "notice"]
            assert set(kinds) <= {"lost", "back"} - {"lost", "back"}, kinds

    with_servers(nats, tmp_path, 3, body)


def test_one_identity_is_at_one_server(nats: NatsServers, tmp_path: Path) -> None:
    async def body(servers: Servers) -> None:
        one, two = servers.clubs
        older = await guest(one, "Anna")
        newer = await guest(two, "Anna")
        await older.until(lambda: older.ended == "replaced")
        await newer.ask("lobby")
        with pytest.raises(Declined, match="name_taken"):
            await at_the_door(one, "SHA256:other").hello("anna")

    with_servers(nats, tmp_path, 2, body)


def test_a_seat_is_kept_and_taken_again_at_another_server(nats: NatsServers, tmp_path: Path) -> None:
    async def body(servers: Servers) -> None:
        one, two = servers.clubs
        anna, boris = await at_one_table([one, two], ["Anna", "Boris"])
        assert boris.door is not None
        boris.door.lost()
        await anna.until(lambda: anna.notices("lost") == [{"name": "Boris"}])
        again = await guest(one, "Boris")
        kept = (await again.ask("lobby"))["kept"]
        await again.ask("sit", table=kept)
        await anna.until(lambda: anna.notices("back") == [{"name": "Boris"}])
        assert again.seat == 1
        again.promise = boris.promise
        await asyncio.gather(anna.play(random.Random(1)), again.play(random.Random(2)))
        check_ended([anna, again])

    with_servers(nats, tmp_path, 2, body)


def test_plain_ssh_plays_at_a_table_of_another_server(nats: NatsServers, tmp_path: Path) -> None:
    async def body(servers: Servers) -> None:
        one, two = servers.clubs
        anna = await guest(one, "Anna")
        opened = await anna.ask("open", ruleset="kozel", levels=[None, None], options=SHORT)
        boris = await LocalPresence.enter(two, two.identities.new_guest(), "Boris", lang="en", address="192.0.2.9")
        await until(lambda: two._entry(opened["table"]) is not None)
        answer = await boris.ask("sit", code=opened["code"])
        assert len(answer["way_back"]) > 20
        await anna.ask("start")
        await until(lambda: boris.host is not None)
        assert boris.host is not None
        seat = boris.host.seats[1]
        rng = random.Random(3)

        async def play() -> None:
            while anna.record is None:
                if seat.view.own_turn:
                    await seat.decide(rng.choice(seat.view.legal))
                elif seat.view.turn is None and seat.view.end is None:
                    await seat.ready()
                await asyncio.sleep(0.01)

        await asyncio.gather(anna.play(rng), play())
        check_ended([anna])

    with_servers(nats, tmp_path, 2, body)


@pytest.mark.parametrize("rude", [False, True])
def test_two_servers_forced_to_carry_one_table_never_both_decide(nats: NatsServers, tmp_path: Path, rude: bool) -> None:
    async def body(servers: Servers) -> None:
        one, two = servers.clubs
        clients = await at_one_table([one, one], ["Anna", "Boris"], options={"target": 60})
        [id] = one._rooms
        playing = asyncio.gather(*(c.play(random.Random(n)) for n, c in enumerate(clients)))
        for club in (two, one, two):
            await asyncio.sleep(0.5)
            if any(client.record is not None for client in clients):
                break
            if rude:
                club._taking.add(id)
            await club._take_over(id, close=False)
        await asyncio.wait_for(playing, 40)
        check_ended(clients)
        entries = await one._logs.read(id)
        carrier = ""
        for entry in entries:
            carrier = entry.by if entry.kind == "carry" else carrier
            assert carrier in ("", entry.by)

    with_servers(nats, tmp_path, 2, body)


def test_a_table_whose_log_is_damaged_is_closed_alone_and_kept(nats: NatsServers, tmp_path: Path) -> None:
    async def body(servers: Servers) -> None:
        one, two = servers.clubs
        clients = await at_one_table([two, two], ["Anna", "Boris"])
        others = await at_one_table([two, two], ["Vera", "Gleb"])
        [id] = [id for id, room in one._rooms.items() if room.seat_of("SHA256:Anna") is not None] or [
            id for id, room in two._rooms.items() if room.seat_of("SHA256:Anna") is not None
        ]
        carrier = one if id in one._rooms else two
        await carrier._bus.js.publish(
            f"kozel.table.{id}.log", b"nonsense", headers={"Kozel-Kind": "record", "Kozel-Format": "1"}
        )
        move = next(client for client in clients if client.own_turn)
        with pytest.raises(Declined):
            await move.ask("decide", move=move.view["legal"][0]["text"], serial=move.serial)
        for client in clients:
            await client.until(lambda client=client: any(p["now"] == "out" for p in client.pushes))  # type: ignore[misc]
            assert [push["why"] for push in client.pushes if push["now"] == "out"] == ["table_damaged"]
        assert (await carrier._logs.read(id))[-1].data == b"nonsense"
        await asyncio.gather(*(c.play(random.Random(n)) for n, c in enumerate(others)))
        check_ended(others)
        await clients[0].ask("open", ruleset="kozel", levels=[None, None])

    with_servers(nats, tmp_path, 2, body)


class Everywhere:
    """The rooms of all servers, for whoever listens in."""

    def __init__(self, clubs: list[ClusterClub]) -> None:
        self._clubs = clubs

    @property
    def rooms(self) -> Iterator[Any]:
        """Where the table is carried now."""
        return (room for club in self._clubs for room in club.rooms)


@pytest.mark.parametrize("ruleset", ["kozel", "osel", "domino"])
def test_no_line_between_servers_tells_a_seat_or_a_watcher_a_hidden_tile(
    nats: NatsServers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ruleset: str
) -> None:
    async def body(servers: Servers) -> None:
        one, two, three = servers.clubs
        monkeypatch.setattr(Spy, "club", Everywhere(servers.clubs), raising=False)
        clients = await at_one_table([one, two], ["Anna", "Boris"], kind=Spy, ruleset=ruleset, options={})
        watcher = await guest(three, "Vera", Spy)
        await until(lambda: any(entry["listed"] for _, entry in three._entries()))
        [card] = (await watcher.ask("lobby"))["tables"]
        await watcher.ask("watch", table=card["id"])
        rng = random.Random(7)
        for club in (three, two):
            stop = clients[0].serial + 6
            await asyncio.gather(*(c.play(rng, lambda stop=stop: clients[0].serial >= stop) for c in clients))  # type: ignore[misc]
            if clients[0].record is not None:
                break
            await club._take_over(card["id"], close=False)
            await until(
                lambda: all(visit._settled.is_set() for each in servers.clubs for visit in each._visits.values())
            )
        await asyncio.gather(*(client.play(rng) for client in clients))
        check_ended(clients)
        record = clients[0].record
        assert record is not None
        secret = next(line for line in record.split("\n") if "secret:" in line).split('"')[1]
        for client in (*clients, watcher):
            assert secret.encode() not in b"".join(line for line in client.heard if b'"now":"over"' not in line)

    with_servers(nats, tmp_path, 3, body, 100)


def test_a_log_that_an_older_version_wrote_is_gone_on_with(nats: NatsServers, tmp_path: Path) -> None:
    """The entries are those that the first version with this format wrote: they must be read for ever."""
    entries = json.loads((Path(__file__).parent / "log-format-1.json").read_text(encoding="utf-8"))

    async def body(servers: Servers) -> None:
        [club] = servers.clubs
        table = "00000000000000aa"
        for entry in entries:
            headers = {"Kozel-Kind": entry["kind"], "Kozel-Format": str(entry["format"]), "Kozel-By": entry["by"]}
            await club._bus.js.publish(f"kozel.table.{table}.log", entry["data"].encode(), headers=headers)
        room = await club.take_up(table)
        assert room is not None
        assert room.table is not None
        assert room.table.view(0).decisions == 6
        clients = [await guest(club, name) for name in ("Anna", "Boris")]
        await club._publish(room)
        for client in clients:
            await client.ask("sit", table=table)
        await asyncio.gather(*(c.play(random.Random(n)) for n, c in enumerate(clients)))
        record = clients[0].record
        assert record
        assert replay_text(record, "r.yaml")["shuffle"] == "consistent"

    with_servers(nats, tmp_path, 1, body)
