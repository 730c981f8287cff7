"""One club on many servers: from a decision to every seat, one server against three with copies, and after kills.

    python benchmarks/cluster.py --tables 60 --seconds 20
    python benchmarks/cluster.py --tables 250 --seconds 20 --pace 5

In one run: the same tables on one server with files, then on three servers of ours at three of NATS; then the server that
carries a table is killed with -9, and the server of NATS that leads the logs, and the time to the next told move is taken.
Two players a table, each at a server of their own, decide every `--pace` seconds on average. Needs the extra `test`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from kozel.net import link as link_module
from kozel.net.remote import RemoteHost
from kozel.play.seat import Update
from net.cluster.fleet import Fleet, Sitter, patiently
from net.cluster.nats_servers import free_ports
from net.served import Served


class Timed(Sitter):
    """A player who notes when each update of a table came. `times`: by table and count of decisions."""

    decided: ClassVar[dict[tuple[int, int], float]] = {}
    latencies: ClassVar[list[float]] = []
    waits: float = 5.0

    def __init__(self, folder: Path, port: int, name: str, seed: int) -> None:
        super().__init__(folder, port, name, seed)
        self.table_number = seed

    def _update(self, update: Update) -> None:
        super()._update(update)
        begun = self.decided.get((self.table_number, update.view.decisions))
        if begun is not None:
            self.latencies.append(time.perf_counter() - begun)

    async def decide_on(self, until: float) -> None:
        """Decide at human pace until a time."""
        rng = random.Random(self.table_number)
        while time.monotonic() < until:
            host = self.link.host
            if not isinstance(host, RemoteHost) or self.over is not None:
                await asyncio.sleep(0.2)
                continue
            seat = host.seat
            if seat.view.own_turn:
                await asyncio.sleep(rng.uniform(0, self.waits))
                if seat.view.own_turn:
                    self.decided[self.table_number, seat.view.decisions + 1] = time.perf_counter()
                    await seat.decide(rng.choice(seat.view.legal))
            elif seat.view.turn is None and seat.view.end is None and seat.view.past:
                await seat.ready()
                await asyncio.sleep(0.1)
            else:
                await asyncio.sleep(0.05)


async def tables_of(folder: Path, ports: Sequence[int], n: int) -> list[Timed]:
    """Two players at each of `n` tables, with a match begun."""
    players = []
    for number in range(n):
        pair = [
            Timed(folder / "players", ports[(number + seat) % len(ports)], f"{name} {number}", number)
            for seat, name in enumerate(("Anna", "Boris"))
        ]
        for player in pair:
            await patiently(player.link.open)
        opened = await pair[0].link.ask("open", ruleset="kozel", levels=[None, None], options={"target": 500})
        await pair[1].link.ask("sit", code=opened["code"])
        await pair[0].link.ask("start")
        players += pair
    return players


async def played(players: list[Timed], seconds: float) -> list[float]:
    """The seconds from each decision to each seat."""
    Timed.decided, Timed.latencies = {}, []
    await asyncio.gather(*(player.decide_on(time.monotonic() + seconds) for player in players))
    return sorted(Timed.latencies)


def told(what: str, latencies: list[float]) -> float:
    """Say how it was; the 95th percentile in milliseconds."""
    p95 = latencies[int(len(latencies) * 0.95)] * 1000
    median = statistics.median(latencies) * 1000
    print(
        f"{what}: {len(latencies)} told, median {median:.1f} ms, p95 {p95:.1f} ms, longest {latencies[-1] * 1000:.0f} ms"
    )
    return p95


async def after(players: list[Timed], doing: object, seconds: float) -> float:
    """The longest time from a fault to the next told move, over all tables."""
    assert callable(doing)
    playing = asyncio.gather(*(player.decide_on(time.monotonic() + seconds + 5) for player in players))
    await asyncio.sleep(2)
    begun = time.monotonic()
    await asyncio.to_thread(doing)
    first: dict[int, float] = defaultdict(float)
    while time.monotonic() < begun + seconds:
        for player in players:
            if player.last_update > begun + 0.05 and not first[player.table_number]:
                first[player.table_number] = player.last_update - begun
        await asyncio.sleep(0.02)
    await playing
    times = sorted(each for each in first.values() if each)
    print(
        f"  {len(times)} of {len(players) // 2} tables, median {statistics.median(times):.2f} s, longest {times[-1]:.2f} s"
    )
    return times[int(len(times) * 0.95)]


async def run(folder: Path, tables: int, seconds: float, pace: float) -> None:
    """All of it."""
    link_module._WAITS = (0.1, 0.3, 0.5, 1.0, 1.0)
    Timed.waits = pace * 2
    print(f"load before: {os.getloadavg()[0]:.1f}")
    [port] = free_ports(1)
    one = await asyncio.to_thread(Served, folder / "one", "--name", "club", port=port)
    players = await tables_of(folder / "1", [port], tables)
    alone = told(f"one server, {tables} tables", await played(players, seconds))
    for player in players:
        await player.link.close()
    one.kill()
    async with Fleet(folder / "three") as fleet:
        players = await tables_of(folder / "3", fleet.ports, tables)
        many = told(f"three servers, three copies, {tables} tables", await played(players, seconds))
        print(f"p95, three against one: {many / alone:.2f} times")
        print("processor seconds and memory of ours:", *(cost(server.process.pid) for server in fleet.servers))
        Timed.waits = 1.0
        print("kill -9 of one of ours, to the next told move of each table:")
        p95 = await after(players, fleet.servers[0].kill, 12)
        print(f"  p95 {p95:.2f} s")
        leader = fleet.nats.leader("KOZEL_TABLES")
        print("kill -9 of the NATS server that leads the logs, to the next told move of each table:")
        p95 = await after(players, lambda: fleet.nats.kill(leader), 20)
        print(f"  p95 {p95:.2f} s")
        for player in players:
            await player.link.close()


def cost(pid: int) -> str:
    """Processor time and memory of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    spent = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    resident = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return f"{spent:.1f} s {resident / 1e6:.0f} MB;"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pace", type=float, default=5)
    parsed = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kozel-bench-") as folder:
        asyncio.run(run(Path(folder), parsed.tables, parsed.seconds, parsed.pace))


if __name__ == "__main__":
    main()
