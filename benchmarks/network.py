"""Tables over a network under load: scripted clients at human pace against a server of ours, and a bare one in the same run.

    python benchmarks/network.py --seats 200 --seconds 20
    python benchmarks/network.py --cost 10,50,100

At door one (plain ssh) each seat presses an info key every three seconds and tries a decision every five; measured is, at
the server's side, the time from a key's bytes to the line that answers it, and the same at the clients' side, where the
bare server's is next to it. At door two each seat decides every five
seconds; measured is, at the clients' side, the time from the decision to its event at each seat. The bare server answers
any key with one fixed line. Server and clients are processes of their own; `--cost` shows processor time against tables.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import asyncssh

from kozel.bots.thinkers import Thinkers
from kozel.cli.door_one import DoorOne
from kozel.net import door_two
from kozel.net.chairs import Front, Visitor
from kozel.net.club import Club
from kozel.net.server import Server, SshSession, host_key
from kozel.net.wish import wish_of

SEATS = 4
GAME = "kozel"
INFO_EVERY, DECIDE_EVERY = 3.0, 5.0
_CONNECTING = 20
_KEYS = 50


class Timed(SshSession):
    """A channel that notes how long each info key waited for its line."""

    waits: list[float] = []  # noqa: RUF012  one list for all, on purpose
    _at: float | None = None

    def data_received(self, data: bytes, datatype: asyncssh.DataType) -> None:
        if data == b"i":
            self._at = time.perf_counter()
        super().data_received(data, datatype)

    def write(self, data: bytes) -> None:
        super().write(data)
        if self._at is not None:
            self.waits.append(time.perf_counter() - self._at)
            self._at = None


class Seating(Club):
    """A club in which visitors of door one named `TABLE-SEAT` sit down by themselves."""

    waiting: dict[str, str] = {}  # noqa: RUF012

    async def enter(self, id: str, wanted: str, front: Front, *, lang: str, address: str, adds: bool) -> Visitor:
        visitor = await super().enter(id, wanted, front, lang=lang, address=address, adds=adds)
        if not adds:
            self._sit_by_name(visitor, wanted.split("-", maxsplit=1)[0])
        return visitor

    def _sit_by_name(self, visitor: Visitor, table: str) -> None:
        from kozel.net.room import Room

        if table not in self.waiting:
            wish = wish_of({"ruleset": GAME, "levels": [None] * SEATS, "options": {"target": 500}})
            room = Room(self, f"{int(table):016x}", f"{int(table):08}", wish, visitor.person)
            self._add(room)
            self.waiting[table] = room.id
        room = self._rooms[self.waiting[table]]
        if room.sit(visitor, invited=True) == SEATS - 1:
            host = room.chairs[0].visitor
            assert host is not None
            asyncio.get_running_loop().call_later(1.0, room.start, host)


async def serve(kind: str) -> None:
    """The server's process: tells its port, then its figures for each line that comes on standard input."""
    if kind == "bare":
        acceptor = await asyncssh.create_server(
            _Bare, "127.0.0.1", 0, server_host_keys=[asyncssh.generate_private_key("ssh-ed25519")],
            process_factory=_answer, line_editor=False, compression_algs=None,
        )  # fmt: skip
        port = acceptor.get_port()
    else:
        door_two.REQUESTS_A_SECOND = 1000.0
        folder = Path(tempfile.mkdtemp())
        club = Seating(folder, name="benchmark", tables=2000, thinkers=Thinkers(1, 10_000))
        await club.open()
        import kozel.net.server as server_module

        server_module.SshSession = Timed  # type: ignore[misc]
        server = Server(club, host_key(folder / "key"), None)
        server.door_one = DoorOne(club, lambda: [("127.0.0.1", server.port)]).serve
        await server.open("127.0.0.1", 0)
        port = server.port
        server_module.collect_rarely()
    print(port, flush=True)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.readline():
        waits, Timed.waits[:] = list(Timed.waits), []
        print(json.dumps({"cpu": time.process_time(), "rss": _rss(), "waits": waits}), flush=True)


class _Bare(asyncssh.SSHServer):
    def begin_auth(self, username: str) -> bool:
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        return True


async def _answer(process: asyncssh.SSHServerProcess[str]) -> None:
    process.stdout.write("Ready.\r\n")
    with contextlib.suppress(asyncssh.Error, OSError):
        while await process.stdin.read(16):
            at = time.perf_counter()
            process.stdout.write("Anna: six five, right. Boris, your turn, two fit.\r\n")
            Timed.waits.append(time.perf_counter() - at)


def _rss() -> float:
    with contextlib.suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6
    return 0.0


class Process:
    """A server's process, and what it tells of itself."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self._process, self.port = process, port

    @classmethod
    async def start(cls, kind: str) -> Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable, __file__, "--serve", kind,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 24,
        )  # fmt: skip
        assert process.stdout is not None
        return cls(process, int(await process.stdout.readline()))

    async def figures(self) -> dict[str, Any]:
        """Processor seconds, megabytes, and the waits since the last time."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(b"\n")
        told: dict[str, Any] = json.loads(await self._process.stdout.readline())
        return told

    async def stop(self) -> None:
        self._process.kill()
        await self._process.wait()


_keys: list[asyncssh.SSHKey] = []


async def connect(port: int, name: str, key: asyncssh.SSHKey) -> asyncssh.SSHClientConnection:
    """One client's connection."""
    return await asyncssh.connect(
        "127.0.0.1", port, known_hosts=None, client_keys=[key], username=name, config=None, agent_path=None,
        compression_algs=None,
    )  # fmt: skip


async def gather(jobs: Sequence[Callable[[], Awaitable[Any]]]) -> list[Any]:
    """Do them, so many at a time."""
    places = asyncio.Semaphore(_CONNECTING)

    async def one(job: Callable[[], Awaitable[Any]]) -> Any:
        async with places:
            return await job()

    return list(await asyncio.gather(*map(one, jobs)))


async def at_door_one(port: int, seats: int, seconds: float, server: Process, *, bare: bool) -> dict[str, Any]:
    """Seats at door one, or at the bare server, at human pace; the server's figures."""

    async def open_one(number: int) -> asyncssh.SSHClientProcess[str]:
        name = f"{number // SEATS}-{number % SEATS}"
        connection = await connect(port, name, asyncssh.generate_private_key("ssh-ed25519"))
        return await connection.create_process(
            term_type="xterm", encoding="utf-8", env={"LANG": "en_US.UTF-8"}, errors="replace"
        )

    processes = await gather([lambda number=number: open_one(number) for number in range(seats)])  # type: ignore[misc]
    seen = [_Seen() for _ in processes]
    readers = [asyncio.ensure_future(_read_all(process, mine)) for process, mine in zip(processes, seen, strict=True)]
    await asyncio.sleep(4)
    before = await server.figures()
    until = time.monotonic() + seconds
    pressing = zip(processes, seen, strict=True)
    await asyncio.gather(*(_press(process, mine, until, bare=bare) for process, mine in pressing))
    after = await server.figures()
    for reader in readers:
        reader.cancel()
    for process in processes:
        process.close()
    clients = [wait for mine in seen for wait in mine.waits]
    spent = (after["cpu"] - before["cpu"]) / seconds
    return {"cpu": spent, "rss": after["rss"], "waits": after["waits"], "clients": clients}


class _Seen:
    """What a client saw: how long each info key waited for the next line, at its own side."""

    def __init__(self) -> None:
        self.pressed: float | None = None
        self.waits: list[float] = []

    def line(self) -> None:
        """Something came."""
        if self.pressed is not None:
            self.waits.append(time.perf_counter() - self.pressed)
            self.pressed = None


async def _read_all(process: asyncssh.SSHClientProcess[str], seen: _Seen) -> None:
    with contextlib.suppress(asyncssh.Error, OSError):
        while await process.stdout.read(4096):
            seen.line()


async def _press(process: asyncssh.SSHClientProcess[str], seen: _Seen, until: float, *, bare: bool) -> None:
    rng = random.Random()
    info, decide = rng.uniform(0, INFO_EVERY), rng.uniform(0, DECIDE_EVERY)
    begun = time.monotonic()
    while (now := time.monotonic()) < until:
        await asyncio.sleep(max(0.0, min(info, decide) - (now - begun)))
        if info <= decide:
            seen.pressed = time.perf_counter()
            process.stdin.write("i")
            info += rng.expovariate(1 / INFO_EVERY)
        else:
            process.stdin.write("\t")
            await asyncio.sleep(0.5)
            process.stdin.write("x" if bare else rng.choice((" ", " ", "d", "\r")))
            decide += rng.expovariate(1 / DECIDE_EVERY)


class Line:
    """A client of door two: JSON lines."""

    def __init__(self, process: Any) -> None:
        self._process = process
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._number = 0
        self.view: dict[str, Any] = {}
        self.serial, self.seat = 0, None
        self.table: dict[str, Any] = {}
        self.came: dict[int, float] = {}

    async def read(self) -> None:
        rest = b""
        with contextlib.suppress(asyncssh.Error, OSError):
            while data := await self._process.stdout.read(65536):
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    self._take(json.loads(line))

    def _take(self, message: dict[str, Any]) -> None:
        if "re" in message:
            self._answers.pop(message["re"]).set_result(message)
        elif message["now"] == "update":
            self.serial = message["serial"]
            self.came[self.serial] = time.perf_counter()
            self.view.update(message["view"])
        elif message["now"] == "match":
            self.view, self.serial, self.seat = message["view"], message["serial"], message["seat"]
        elif message["now"] == "table":
            self.table = message["table"]
        elif message["now"] == "promise":
            import hashlib

            self.send(do="hash", hash=hashlib.sha256(str(id(self)).encode()).hexdigest())
        elif message["now"] == "hashes":
            self.send(do="addition", addition=str(id(self)))

    def send(self, **request: Any) -> asyncio.Future[Any]:
        self._number += 1
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._answers[self._number] = future
        self._process.stdin.write(json.dumps({"id": self._number, **request}).encode() + b"\n")
        return future


async def at_door_two(port: int, seats: int, seconds: float, server: Process) -> dict[str, Any]:
    """Seats at door two that decide at human pace; how long an event takes to each seat."""

    async def open_one(number: int) -> Line:
        connection = await connect(port, "kozel", asyncssh.generate_private_key("ssh-ed25519"))
        line = Line(await connection.create_process(subsystem="kozel", encoding=None))
        line.reader = asyncio.ensure_future(line.read())  # type: ignore[attr-defined]
        await line.send(do="hello", versions=[1], name=f"p{number}", lang="en")
        return line

    lines = await gather([lambda number=number: open_one(number) for number in range(seats)])  # type: ignore[misc]
    tables = [lines[start : start + SEATS] for start in range(0, seats, SEATS)]
    for table in tables:
        wish = {"ruleset": GAME, "levels": [None] * len(table), "options": {"target": 500}, "by_code": True}
        code = (await table[0].send(do="open", **wish))["ok"]["code"]
        for line in table[1:]:
            await line.send(do="sit", code=code)
        await table[0].send(do="start")
    await asyncio.sleep(3)
    before = await server.figures()
    until = time.monotonic() + seconds
    waits: list[float] = []
    await asyncio.gather(*(_play(table, until, waits) for table in tables))
    after = await server.figures()
    return {"cpu": (after["cpu"] - before["cpu"]) / seconds, "rss": after["rss"], "waits": waits}


async def _play(table: list[Line], until: float, waits: list[float]) -> None:
    """One table: a decision every five seconds a seat, so the table's next one comes the sooner the more sit there."""
    rng = random.Random()
    while time.monotonic() < until:
        await asyncio.sleep(rng.expovariate(len(table) / DECIDE_EVERY))
        line = next(
            (line for line in table if line.view.get("turn") is not None and line.view["turn"] == line.seat), None
        )
        if line is None:
            for each in table:
                each.send(do="ready")
            continue
        at, serial = time.perf_counter(), line.serial
        answer = await line.send(do="decide", move=rng.choice(line.view["legal"])["text"], serial=serial)
        if "ok" in answer:
            await asyncio.sleep(0.05)
            waits += [each.came[serial + 1] - at for each in table if serial + 1 in each.came]


def told(name: str, figures: dict[str, Any]) -> str:
    """A row of the table."""
    waits = sorted(figures["waits"]) or [0.0]
    p95 = waits[int(len(waits) * 0.95)]
    return (
        f"| {name} | {len(waits)} | {statistics.median(waits) * 1e3:.2f} | {p95 * 1e3:.2f} | "
        f"{waits[int(len(waits) * 0.99)] * 1e3:.2f} | {at_clients(figures) * 1e3:.2f} | {figures['cpu']:.2f} | "
        f"{figures['rss']:.0f} |"
    )


def at_clients(figures: dict[str, Any]) -> float:
    """The 95th percentile of the waits at the clients' side, in seconds; 0 where it was not taken."""
    waits = sorted(figures.get("clients", ())) or [0.0]
    return waits[int(len(waits) * 0.95)]


async def measure(seats: int, seconds: float) -> None:
    """The bare server, door one and door two, in one run."""
    print(f"{seats} seats at {seats // SEATS} tables, {seconds:.0f} s each\n")
    print(
        "| what | measured | median ms | p95 ms | p99 ms | p95 ms at the clients | processor s/s | MB |\n"
        "|---|---|---|---|---|---|---|---|"
    )
    bare = ratio = 0.0
    for name in ("bare", "door one", "door two"):
        server = await Process.start("bare" if name == "bare" else "ours")
        try:
            if name == "door two":
                figures = await at_door_two(server.port, seats, seconds, server)
            else:
                figures = await at_door_one(server.port, seats, seconds, server, bare=name == "bare")
            print(told(name, figures), flush=True)
            if name == "bare":
                bare = at_clients(figures)
            elif name == "door one" and bare:
                ratio = at_clients(figures) / bare
        finally:
            await server.stop()
    print(f"\ndoor one against the bare server, p95 at the clients: {ratio:.2f} times")


async def cost(tables: Sequence[int], seconds: float) -> None:
    """Processor time of the server against the number of tables."""
    print("| tables | door | median ms | p95 ms | processor s/s | ms/s a table | MB |\n|---|---|---|---|---|---|---|")
    for number in tables:
        for name in ("one", "two"):
            server = await Process.start("ours")
            try:
                if name == "two":
                    figures = await at_door_two(server.port, number * SEATS, seconds, server)
                else:
                    figures = await at_door_one(server.port, number * SEATS, seconds, server, bare=False)
            finally:
                await server.stop()
            waits = sorted(figures["waits"]) or [0.0]
            print(
                f"| {number} | {name} | {statistics.median(waits) * 1e3:.2f} | {waits[int(len(waits) * 0.95)] * 1e3:.2f} | "
                f"{figures['cpu']:.2f} | {figures['cpu'] / number * 1e3:.1f} | {figures['rss']:.0f} |",
                flush=True,
            )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seats", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--cost", metavar="TABLES,…")
    parser.add_argument("--serve", choices=("bare", "ours"), help=argparse.SUPPRESS)
    parsed = parser.parse_args()
    if parsed.serve:
        asyncio.run(serve(parsed.serve))
    elif parsed.cost:
        asyncio.run(cost([int(number) for number in parsed.cost.split(",")], parsed.seconds))
    else:
        asyncio.run(measure(parsed.seats, parsed.seconds))


if __name__ == "__main__":
    main()
