"""Three NATS servers and some of ours in processes of their own, scripted players at many tables, and whatever can go wrong.

`python -m net.cluster.fleet --help` (with `tests` on the path) plays under random faults and checks what was told.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kozel.engine.events import Event
from kozel.engine.match import Match
from kozel.engine.seen import seen
from kozel.net import link as link_module
from kozel.net.link import Unreachable
from kozel.net.remote import Lost, RemoteHost
from kozel.net.wire import Declined
from kozel.play.seat import Update
from kozel.records.reading import parse_record
from kozel.records.replay import replay
from net.cluster.nats_servers import NatsServers, free_ports
from net.served import Served, Wire
from net.test_link import Player, proven

Say = Callable[[str], None]


class Fleet:
    """`n` servers of ours at three of NATS, each connection through a wire that can be cut."""

    def __init__(self, folder: Path, n: int = 3, nats: int = 3, *, python: str = sys.executable) -> None:
        self.folder, self._python = folder, python
        self.nats = NatsServers(folder / "nats", nats, advertise=False)
        self.wires: list[list[Wire]] = []
        self.ports = free_ports(n)
        self.servers: list[Served] = []

    async def __aenter__(self) -> Fleet:
        for n, port in enumerate(self.ports):
            wires = [await Wire(port).__aenter__() for port in self.nats.ports]
            self.wires.append(wires)
            urls = ",".join(f"nats://127.0.0.1:{wire.port}" for wire in wires)
            folder = self.folder / f"server{n}"
            log = str(self.folder / f"server{n}.log")
            flags = ("--nats", urls, "--name", "club", "--away", "5", "--log", log)
            self.servers.append(await asyncio.to_thread(Served, folder, *flags, port=port))
        return self

    async def __aexit__(self, *exc: Any) -> None:
        for server in self.servers:
            if server.process.poll() is None:
                server.process.send_signal(signal.SIGCONT)
                server.kill()
        for wires in self.wires:
            for wire in wires:
                await wire.__aexit__()
        self.nats.close()

    def status(self) -> dict[str, Any]:
        """What `kozel serve --status --json` says."""
        words = ["serve", "--status", ",".join(self.nats.urls), "--json"]
        done = subprocess.run(
            [self._python, "-m", "kozel", *words], capture_output=True, text=True, timeout=60, check=False
        )
        told: dict[str, Any] = json.loads(done.stdout) if done.returncode == 0 else {"servers": []}
        return told

    # what goes wrong, each until it is well again

    async def kill(self, rng: random.Random) -> None:
        """kill -9 of one of ours, and its restart."""
        server = rng.choice([each for each in self.servers if each.process.poll() is None])
        await asyncio.to_thread(server.kill)
        await asyncio.sleep(rng.uniform(0.1, 4))
        await asyncio.to_thread(server.start)

    async def restart(self, rng: random.Random) -> None:
        """A polite stop, and its restart."""
        server = rng.choice(self.servers)
        await asyncio.to_thread(server.stop)
        await asyncio.sleep(rng.uniform(0.1, 2))
        await asyncio.to_thread(server.start)

    async def freeze(self, rng: random.Random, seconds: float = 20) -> None:
        """SIGSTOP of one of ours."""
        process = rng.choice(self.servers).process
        process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(rng.uniform(0.5, seconds))
        process.send_signal(signal.SIGCONT)

    async def cut(self, rng: random.Random) -> None:
        """One of ours reaches none of NATS, or not all of them."""
        wires = rng.choice(self.wires)
        cut = rng.sample(wires, rng.choice((1, len(wires), len(wires))))
        for wire in cut:
            wire.cut()
        await asyncio.sleep(rng.uniform(0.5, 8))
        for wire in cut:
            wire.mend()

    async def kill_nats(self, rng: random.Random) -> None:
        """kill -9 of the server of NATS that leads the tables' logs."""
        try:
            leader = await asyncio.to_thread(self.nats.leader, "KOZEL_TABLES")
        except AssertionError:
            leader = 0
        await asyncio.to_thread(self.nats.kill, leader)
        await asyncio.sleep(rng.uniform(0.5, 6))
        await asyncio.to_thread(self.nats.start, leader)

    async def freeze_nats(self, rng: random.Random) -> None:
        """SIGSTOP of one of NATS."""
        i = rng.randrange(self.nats.n)
        self.nats.freeze(i)
        await asyncio.sleep(rng.uniform(0.5, 6))
        self.nats.thaw(i)


FAULTS = ("kill", "restart", "freeze", "cut", "kill_nats", "freeze_nats")


class Sitter(Player):
    """A player who keeps what was heard, by match."""

    def __init__(self, folder: Path, port: int, name: str, seed: int) -> None:
        super().__init__(folder, port, name, seed)
        self.events: list[Event] = []
        self.missed = 0
        self.seat: int | None = None
        self.last_update = time.monotonic()

    def _update(self, update: Update) -> None:
        self.last_update = time.monotonic()
        if update.events:
            super()._update(update)
        else:
            self._serials.append(max(update.serial, self._serials[-1] if self._serials else 0))
            self.missed += 1
        self.events += update.events
        host = self.link.host
        if isinstance(host, RemoteHost):
            self.seat = host.seat.number

    def check(self) -> None:
        """What was heard happened in this order, and each of it once; what was not heard was told as missed."""
        proven(self)
        over = self.over
        assert over is not None
        happened = events_of(over["record"], self.seat)
        at, left_out = 0, 0
        for event in self.events:
            try:
                found = happened.index(event, at)
            except ValueError:
                raise AssertionError(f"{self.link.name} heard {event}, which did not happen then") from None
            left_out += found - at
            at = found + 1
        assert not left_out or self.missed or self.notices("ended_meanwhile"), f"{left_out} events were told to nobody"


def events_of(record: str, seat: int | None) -> list[Event]:
    """All that a seat may have heard of a match."""
    events: list[Event] = []

    def watch(match: Match, told: list[Event]) -> None:
        events.extend(seen(event, seat) for event in told)

    replay(parse_record(record, Path("record.yaml")), watch)
    return events


async def table(fleet: Fleet, number: int, pause: float, target: int) -> list[Sitter]:
    """Two players at servers of their own play one match to its end, whatever happens."""
    rng = random.Random(number)
    ports = [rng.choice(fleet.ports) for _ in range(2)]
    players = [
        Sitter(fleet.folder / "players", port, f"{name} {number}", number)
        for port, name in zip(ports, ("Anna", "Boris"), strict=True)
    ]
    try:
        return await _match(players, pause, target)
    except BaseException as error:
        if not isinstance(error, asyncio.CancelledError):
            for player in players:
                print(player.link.name, *player.told[-6:], sep="\n  ", file=sys.stderr)
        raise
    finally:
        for player in players:
            await player.link.close()


async def _match(players: list[Sitter], pause: float, target: int) -> list[Sitter]:
    for player in players:
        await patiently(player.link.open)
    opened: dict[str, Any] = {}

    async def open_table() -> None:
        if not opened:
            with contextlib.suppress(Declined):
                await players[0].link.ask("leave")
            opened.update(
                await players[0].link.ask("open", ruleset="kozel", levels=[None, None], options={"target": target})
            )

    async def sit() -> None:
        await players[1].link.ask("sit", code=opened["code"])

    await patiently(open_table)
    await patiently(sit)
    playing = asyncio.gather(*(player.play(pause) for player in players))
    while not playing.done():
        if players[0].link.host is None and players[0].over is None:
            with contextlib.suppress(Exception):  # begun already, or not to be begun just now
                await asyncio.wait_for(players[0].link.ask("start"), 10)
        await asyncio.wait([playing], timeout=2)
    await playing
    for player in players:
        player.check()
    return players


async def patiently(doing: Callable[[], Any]) -> None:
    """Try until it is done; servers come and go."""
    for patience in range(60):
        try:
            await doing()
            return
        except (Unreachable, Declined, Lost, OSError):
            if patience == 59:
                raise
            await asyncio.sleep(0.5)


async def under_faults(
    fleet: Fleet,
    *,
    tables: int,
    faults: int,
    pause: float,
    target: int,
    seed: int,
    say: Say,
    kinds: tuple[str, ...] = FAULTS,
) -> Counter[str]:
    """Matches at so many tables at once, begun anew until so many faults were survived; which ones there were."""
    rng = random.Random(seed)
    done: Counter[str] = Counter()
    numbers = iter(range(1, 1_000_000))
    ended = asyncio.Event()

    async def keep_playing() -> None:
        while not ended.is_set():
            await table(fleet, next(numbers), pause, target)
            done["matches"] += 1

    playing = [asyncio.ensure_future(keep_playing()) for _ in range(tables)]

    def check() -> None:
        failed = next((each for each in playing if each.done() and each.exception() is not None), None)
        if failed is not None:
            for each in playing:
                each.cancel()
            failed.result()

    await asyncio.sleep(3)
    for _ in range(faults):
        kind = rng.choice(kinds)
        begun = time.monotonic()
        await getattr(fleet, kind)(rng)
        done[kind] += 1
        say(f"{kind}: {time.monotonic() - begun:.1f} s; {done['matches']} matches are over")
        await asyncio.sleep(rng.uniform(0.5, 4))
        check()
    ended.set()
    await asyncio.wait_for(asyncio.gather(*playing), 240)
    return done


async def demo(
    folder: Path,
    *,
    tables: int,
    faults: int,
    seed: int,
    pause: float,
    target: int,
    say: Say,
    kinds: tuple[str, ...] = FAULTS,
) -> None:
    """Start it all, play, kill, and show that nothing was lost."""
    link_module._WAITS = (0.1, 0.3, 0.5, 1.0, 1.0)
    say("three servers of NATS and three of ours are started…")
    async with Fleet(folder) as fleet:
        say(f"they are at the ports {', '.join(map(str, fleet.ports))}; {tables} tables are played at")
        done = await under_faults(
            fleet, tables=tables, faults=faults, pause=pause, target=target, seed=seed, say=say, kinds=kinds
        )
        status = await asyncio.to_thread(fleet.status)
        for server in status["servers"]:
            say(
                f"server {server['server']}: {server['appended']} entries, {server['refused']} refused,"
                f" {server['taken_over']} tables taken over, p95 {server['lag_p95_ms']} ms"
            )
    matches = done.pop("matches")
    told = ", ".join(f"{kind} {n}" for kind, n in sorted(done.items()))
    say(f"{matches} matches came to their end under these faults: {told}.")
    say("Each record was as promised; all that was heard stands in it, in order and once.")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--faults", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pause", type=float, default=0.2, help="seconds before each decision")
    parser.add_argument("--kinds", default=",".join(FAULTS), help="which faults")
    parser.add_argument("--target", type=int, default=30, help="points of a match")
    parsed = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kozel-cluster-") as folder:
        asyncio.run(
            demo(
                Path(folder),
                tables=parsed.tables,
                faults=parsed.faults,
                seed=parsed.seed,
                pause=parsed.pause,
                target=parsed.target,
                kinds=tuple(parsed.kinds.split(",")),
                say=lambda text: print(text, flush=True),
            )
        )


if __name__ == "__main__":
    main()
