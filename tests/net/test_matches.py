"""Whole matches at a club, line by line: what is played, what is kept, and what no line may tell."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from kozel.engine.plain import read_plain
from kozel.engine.seen import View
from kozel.engine.tiles import NAMES
from kozel.net import door_two
from kozel.net.club import Club
from kozel.records.replay import replay_text
from kozel.records.shuffling import Promise
from net.scripted import Client, Declined, at_the_door, seated

GAMES = [
    ("kozel", 2, {}),
    ("kozel", 3, {"auto_draw": True}),
    ("domino", 4, {}),
    ("kozel-101", 4, {}),
    ("osel", 3, {}),
    ("kozel-2x2", 4, {}),
    ("kozel-1x1", 2, {}),
    ("kozel-yard", 4, {}),
    ("kozel-deferred", 4, {}),
]


def run(doing: Coroutine[Any, Any, None], seconds: float = 60) -> None:
    asyncio.run(asyncio.wait_for(doing, seconds))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody here types as slowly as a person."""
    monkeypatch.setattr(door_two, "REQUESTS_A_SECOND", 1e6)


async def opened(folder: Path, **settings: Any) -> Club:
    club = Club(folder, name="test", **settings)
    await club.open()
    return club


async def played(clients: list[Client], seed: int) -> None:
    await clients[0].ask("start")
    for client in clients:
        await client.until(lambda client=client: bool(client.view))  # type: ignore[misc]
    await asyncio.gather(*(client.play(random.Random(seed * 10 + n)) for n, client in enumerate(clients)))


@pytest.mark.parametrize(("game", "seats", "options"), GAMES)
def test_a_match_is_played_to_its_end_and_proves_its_deals(tmp_path: Path, game: str, seats: int, options: Any) -> None:
    async def match() -> None:
        club = await opened(tmp_path)
        names = ["Anna", "Boris", "Vera", "Gena"][:seats]
        clients = await seated(club, names, ruleset=game, options=options)
        await played(clients, seats)
        for seat, client in enumerate(clients):
            assert client.record is not None
            hashes = tuple(client.promise["hashes"])
            promise = Promise(client.promise["commitment"], hashes, client.addition, seat)
            told = replay_text(client.record, "record.yaml", promise=promise)
            assert told["ok"], told
            assert told["over"]
            assert told["shuffle"] == "proven"
        await club.close()

    run(match())


def test_computers_of_all_levels_sit_down_at_any_table(tmp_path: Path) -> None:
    async def match() -> None:
        club = await opened(tmp_path)
        levels = [None, "novice", "amateur", "strong"]
        [anna] = await seated(club, ["Anna"], ruleset="domino", levels=levels)
        await played([anna], 7)
        assert anna.record is not None
        assert "levels: [null, novice, amateur, strong]" in anna.record
        assert replay_text(anna.record, "r.yaml")["shuffle"] == "consistent"
        await club.close()

    run(match())


def tiles_of(view: dict[str, Any]) -> set[int]:
    """The tiles that a view gives a seat to know: its own, and those on the table or told to it."""
    read = View(**{name: read_plain(value) for name, value in view.items()})
    known = {tile for tile in range(28) if read.played >> tile & 1} | set(read.hand)
    for event in read.log:
        for tile in getattr(event, "tiles", ()) if type(event).__name__ in ("Drew", "TookBazaar") else ():
            if tile is not None:
                known.add(tile)
    return known


class Spy(Client):
    """Checks each line as it comes against what the table itself knows: no byte tells a hidden tile."""

    club: Club

    def take(self, line: bytes) -> None:
        super().take(line)
        message = json.loads(line)
        if message.get("now") in ("match", "update") and self.view["turn"] is not None:
            self.check(line)

    def check(self, line: bytes) -> None:
        room = next(iter(self.club.rooms))
        assert room.table is not None
        state = room.table.match.round
        if state is None or room.table.serial != self.serial:
            return
        hidden = set(state.bazaar)
        for seat, hand in enumerate(state.hands):
            if seat != self.seat:
                hidden |= {tile for tile in range(28) if hand >> tile & 1}
        told = tiles_of(self.view) - {tile for event in room.table.match.log for tile in _opening(event)}
        assert not told & hidden, (sorted(NAMES[tile] for tile in told & hidden), line)


def _opening(event: object) -> tuple[int, ...]:
    """The tile that everybody saw before it was laid: the one that settled who opens."""
    draws = getattr(event, "draws", None)
    return (draws[-1][1],) if draws else ()


MATCHES = int(os.environ.get("KOZEL_TEST_MATCHES", "9"))
"""The check before a release listens to ten thousand."""


@pytest.mark.parametrize("number", range(MATCHES))
def test_no_line_tells_a_seat_or_a_watcher_a_hidden_tile(tmp_path: Path, number: int) -> None:
    """Views, updates, talk, errors, a watcher, a connection that is lost and comes back, a computer that stands in."""
    game, seats, options = GAMES[number % len(GAMES)]
    rng = random.Random(number)

    async def match() -> None:
        club = await opened(tmp_path, away=0.01)
        Spy.club = club
        names = ["Anna", "Boris", "Vera", "Gena"][:seats]
        clients = await seated(club, names, kind=Spy, ruleset=game, options=options)
        watcher = at_the_door(club, "SHA256:Watcher", kind=Spy)
        await watcher.hello("Watcher")
        card = (await watcher.ask("lobby"))["tables"][0]
        await watcher.ask("watch", table=card["id"])
        await clients[0].ask("start")
        for client in clients:
            await client.until(lambda client=client: client.view.get("turn") is not None)  # type: ignore[misc]
        lines = [client.heard for client in (*clients, watcher)]
        for _ in range(rng.randrange(3)):
            stop = clients[0].serial + rng.randrange(2, 12)
            await asyncio.gather(*(c.play(rng, lambda stop=stop: clients[0].serial >= stop) for c in clients))  # type: ignore[misc]
            if clients[0].record is not None:
                break
            await misfortune(club, clients, rng, lines)
        await asyncio.gather(*(client.play(rng) for client in clients))
        record = clients[0].record
        assert record is not None
        secret = next(line for line in record.split("\n") if "secret:" in line).split('"')[1]
        for heard in lines:
            assert secret.encode() not in b"".join(line for line in heard if b'"now":"over"' not in line)
        await club.close()

    run(match(), 120)


async def misfortune(club: Club, clients: list[Client], rng: random.Random, lines: list[list[bytes]]) -> None:
    """Something that happens to one of them; what is heard by a new connection is listened to as well."""
    at = rng.randrange(1, len(clients))
    client, kind = clients[at], rng.randrange(3)
    with contextlib.suppress(Declined):
        if kind == 0:
            await client.ask("decide", move=rng.choice(["6-6", "0-0 left", "draw", "keep"]), serial=client.serial)
            await client.ask("say", text="what do you hold?")
            return
    assert client.door is not None
    client.door.lost()
    if kind == 2:
        for other in clients:
            if other is not client:
                with contextlib.suppress(Declined):
                    await other.ask("vote", seat=at)
        await asyncio.sleep(0.05)
    again = at_the_door(club, f"SHA256:{client.name}", kind=Spy)
    again.name = client.name
    greeting = await again.hello(client.name)
    await again.ask("sit", table=greeting["kept"])
    clients[at] = again
    lines.append(again.heard)


def test_whoever_asks_for_more_than_their_own_learns_nothing(tmp_path: Path) -> None:
    async def match() -> None:
        club = await opened(tmp_path)
        anna, boris = await seated(club, ["Anna", "Boris"])
        watcher = at_the_door(club, "SHA256:Vera")
        await watcher.hello("Vera")
        card = (await watcher.ask("lobby"))["tables"][0]
        await watcher.ask("watch", table=card["id"])
        await anna.ask("start")
        await anna.until(lambda: anna.view.get("turn") is not None)
        await boris.until(lambda: boris.view.get("turn") is not None)
        waits = boris if anna.own_turn else anna
        plays = anna if waits is boris else boris
        for client, kind in ((waits, "not_your_turn"), (watcher, "only_watching")):
            before = len(client.heard)
            with pytest.raises(Declined, match=kind):
                await client.ask("decide", move=plays.view["legal"][0]["text"], serial=client.serial)
            assert len(client.heard) == before + 1
        for asked in ("state", "ready"):
            await waits.ask(asked, seat=plays.seat)
        assert waits.view["seat"] == waits.seat
        for kind in ("record", "hand", "deal", "secret", "_room", "__class__"):
            with pytest.raises(Declined):
                await waits.ask(kind, name="2026-11-30-1-kozel", seat=plays.seat)
        move = plays.view["legal"][0]["text"]
        serial = plays.serial
        await plays.ask("decide", move=move, serial=serial)
        with pytest.raises(Declined, match="stale"):
            await plays.ask("decide", move=move, serial=serial)
        await club.close()

    run(match())


def test_a_view_kept_up_by_updates_is_the_seats_own(tmp_path: Path) -> None:
    async def match() -> None:
        club = await opened(tmp_path)
        anna, boris = await seated(club, ["Anna", "Boris"], options={"target": 300})
        await anna.ask("start")
        await boris.until(lambda: bool(boris.view))
        rng = random.Random(3)
        for stop in (5, 20, 45):
            await asyncio.gather(*(c.play(rng, lambda stop=stop: anna.serial >= stop) for c in (anna, boris)))  # type: ignore[misc]
            kept = json.loads(json.dumps(boris.view))
            await boris.ask("state")
            assert boris.view == kept
        await club.close()

    run(match())
