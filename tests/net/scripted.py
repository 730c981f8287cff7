"""A client of door two that knows nothing but `docs/protocol.md`, and a club to which it talks without a network."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections.abc import Callable
from typing import Any

from kozel.net.club import Club
from kozel.net.door_two import DoorTwo


class Declined(Exception):
    """The server said no."""


class Client:
    """One connection. `view`: the match as this seat knows it, by the rules of the protocol; `heard`: every line that came."""

    def __init__(self, send: Callable[[bytes], None], addition: str | None = None) -> None:
        self._send = send
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._number = 0
        self.addition = addition or f"addition {random.random()}"
        self.heard: list[bytes] = []
        self.pushes: list[dict[str, Any]] = []
        self.view: dict[str, Any] = {}
        self.serial = 0
        self.seat: int | None = None
        self.name = ""
        self.record: str | None = None
        self.promise: dict[str, Any] = {}
        self.ended = ""
        self.opens = True
        self.table: dict[str, Any] = {}
        self.door: DoorTwo | None = None
        self.carrying: asyncio.Future[None] | None = None
        self.changed = asyncio.Event()

    def take(self, line: bytes) -> None:
        """A line from the server."""
        self.heard.append(line)
        message = json.loads(line)
        if "re" in message:
            future = self._answers.pop(message["re"], None)
            if future is not None and not future.done():
                future.set_result(message)
        else:
            self.pushes.append(message)
            getattr(self, f"_now_{message['now']}", lambda message: None)(message)
        self.changed.set()

    def send(self, **request: Any) -> asyncio.Future[dict[str, Any]]:
        """Ask for something, without waiting."""
        self._number += 1
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[self._number] = future
        self._send(json.dumps({"id": self._number, **request}).encode() + b"\n")
        return future

    async def ask(self, do: str, **facts: Any) -> dict[str, Any]:
        """Ask for something; what is answered. Raises `Declined` with the reason."""
        answer = await asyncio.wait_for(self.send(do=do, **facts), 20)
        if "ok" not in answer:
            raise Declined(answer.get("no") or answer.get("refused"), answer.get("facts"))
        ok: dict[str, Any] = answer["ok"]
        return ok

    async def hello(self, name: str) -> dict[str, Any]:
        """Say who we are."""
        return await self.ask("hello", versions=[1], name=name, lang="en")

    async def until(self, holds: Callable[[], bool], seconds: float = 20) -> None:
        """Wait until something holds."""

        async def wait() -> None:
            while not holds():
                self.changed.clear()
                await self.changed.wait()

        await asyncio.wait_for(wait(), seconds)

    def notices(self, kind: str) -> list[dict[str, Any]]:
        """What was told of one kind."""
        return [push["facts"] for push in self.pushes if push["now"] == "notice" and push["kind"] == kind]

    @property
    def own_turn(self) -> bool:
        """Is it this seat that is to decide?"""
        return self.seat is not None and self.view.get("turn") == self.seat

    async def play(self, rng: random.Random, stop: Callable[[], bool] = lambda: False) -> None:
        """Decide at random until the match is over."""
        while self.record is None and not self.ended and not stop():
            self.changed.clear()
            serial = self.serial
            if self.own_turn:
                moves = [move["text"] for move in self.view["legal"]]
                answer = await self.send(do="decide", move=rng.choice(moves), serial=serial)
                assert "ok" in answer or answer.get("refused") == "stale", answer
            elif self.view and self.view["turn"] is None and self.view["end"] is None:
                await self.send(do="ready")
                if self.view["turn"] is None and self.record is None:
                    await asyncio.wait_for(self.changed.wait(), 20)
            else:
                await asyncio.wait_for(self.changed.wait(), 20)

    def _now_promise(self, message: dict[str, Any]) -> None:
        self.promise = {"commitment": message["commitment"], "hashes": None}
        if self.name and message["seat"] is not None and message["adds"][message["seat"]]:
            self.send(do="hash", hash=hashlib.sha256(self.addition.encode()).hexdigest())

    def _now_hashes(self, message: dict[str, Any]) -> None:
        self.promise["hashes"] = message["hashes"]
        if self.opens and self.name:
            self.send(do="addition", addition=self.addition)

    def _now_table(self, message: dict[str, Any]) -> None:
        self.table = message["table"]

    def _now_match(self, message: dict[str, Any]) -> None:
        self.view, self.serial, self.seat = message["view"], message["serial"], message["seat"]

    def _now_update(self, message: dict[str, Any]) -> None:
        self.serial = message["serial"]
        self.view["log"] = self.view["log"] + message["events"]
        for field, value in message["view"].items():
            if field == "past+":
                self.view["past"] = self.view["past"] + value
            else:
                self.view[field] = value

    def _now_over(self, message: dict[str, Any]) -> None:
        self.record = message["record"] or ""

    def _now_end(self, message: dict[str, Any]) -> None:
        self.ended = message["why"]


def at_the_door(club: Club, key: str, address: str = "192.0.2.1", kind: type[Client] = Client) -> Client:
    """A client that talks to a club in this process, line by line, as it would over a network."""
    queue: asyncio.Queue[bytes] = asyncio.Queue()
    client = kind(queue.put_nowait)
    door = DoorTwo(club, key, address, client.take, lambda: None)

    async def carry() -> None:
        while True:
            await door.receive(await queue.get())

    client.door = door
    client.carrying = asyncio.ensure_future(carry())
    return client


async def seated(club: Club, names: list[str], kind: type[Client] = Client, **wish: Any) -> list[Client]:
    """Clients at one table, the first its host; with computer players on the seats that `wish` gives them."""
    clients = []
    for name in names:
        client = at_the_door(club, f"SHA256:{name}", kind=kind)
        client.name = name
        await client.hello(name)
        clients.append(client)
    opened = await clients[0].ask("open", **{"ruleset": "kozel", "levels": [None] * len(names), **wish})
    for client in clients[1:]:
        await client.ask("sit", code=opened["code"])
    return clients
