"""The installed game's connection, over real ssh on this machine: cut, slow, killed, coming back; and people who mean no good."""

from __future__ import annotations

import asyncio
import random
import socket
import time
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from kozel.net import door_two
from kozel.net import link as link_module
from kozel.net import server as server_module
from kozel.net.club import Club
from kozel.net.known import BadPromise, Known, Promised, kept_promise
from kozel.net.link import Address, Link, Unreachable, address_of
from kozel.net.remote import RemoteHost
from kozel.net.server import Server, allowed_keys, host_key
from kozel.net.wire import Declined, Message
from kozel.play.seat import Update
from kozel.records.replay import replay_text
from kozel.records.shuffling import read_promise
from net.served import Wire
from net.test_matches import run

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody here types as slowly as a person, and lines come back at once."""
    monkeypatch.setattr(door_two, "REQUESTS_A_SECOND", 1e6)
    monkeypatch.setattr(link_module, "_WAITS", (0.02, 0.05))


async def serving(folder: Path, allow: list[str] | None = None, port: int = 0, **settings: Any) -> Server:
    club = Club(folder, name="test", **settings)
    await club.open()
    server = Server(club, host_key(folder / "host_key"), None, allow)
    await server.open("127.0.0.1", port)
    return server


class Player:
    """An installed game without a person: it decides at random, and checks that nothing comes twice or out of order."""

    def __init__(self, folder: Path, port: int, name: str, seed: int) -> None:
        self.known = Known(folder / name)
        self.link = Link(Address("127.0.0.1", port), self.known, name, "en", own=True)
        self.told: list[Message] = []
        self.link.listen(self._hear)
        self._rng = random.Random(seed)
        self._changed = asyncio.Event()
        self._serials: list[int] = []
        self._heard: set[int] = set()

    @property
    def over(self) -> Message | None:
        """The news that the match is over."""
        return next((message for message in self.told if message["now"] == "over"), None)

    def notices(self, kind: str) -> int:
        """How often something was told."""
        return sum(1 for message in self.told if message["now"] == "notice" and message["kind"] == kind)

    def _hear(self, message: Message) -> None:
        self.told.append(message)
        self._changed.set()
        host = self.link.host
        if isinstance(host, RemoteHost) and id(host) not in self._heard:
            self._heard.add(id(host))
            host.seat.listen(self._update)

    def _update(self, update: Update) -> None:
        assert not self._serials or update.serial > self._serials[-1]
        self._serials.append(update.serial)
        self._changed.set()

    def die(self) -> None:
        """The connection ends without a word, as where the program or its machine was killed."""
        connection = self.link._connection
        if connection is not None:
            connection.abort()

    async def play(self, pause: float = 0.0) -> None:
        """Play to the end, whatever happens to the connection."""
        while self.over is None:
            host = self.link.host
            if not isinstance(host, RemoteHost):
                await self._wait()
                continue
            seat = host.seat
            if pause:
                await asyncio.sleep(pause)
            if seat.view.own_turn:
                await seat.decide(self._rng.choice(seat.view.legal))
            elif seat.view.turn is None and seat.view.end is None and seat.view.past:
                await seat.ready()
                if seat.view.turn is None and seat.view.end is None:
                    await self._wait()
            elif self.over is None:
                await self._wait()

    async def _wait(self) -> None:
        self._changed.clear()
        try:
            await asyncio.wait_for(self._changed.wait(), 1.0)
        except asyncio.TimeoutError:
            return


async def two_at_a_table(folder: Path, ports: tuple[int, int], **wish: Any) -> list[Player]:
    players = [
        Player(folder, port, name, n) for n, (port, name) in enumerate(zip(ports, ("Anna", "Boris"), strict=True))
    ]
    for player in players:
        await player.link.open()
    opened = await players[0].link.ask("open", ruleset="kozel", levels=[None, None], **wish)
    await players[1].link.ask("sit", code=opened["code"])
    await players[0].link.ask("start")
    return players


def proven(player: Player) -> None:
    """The record that came is the one that was promised."""
    over = player.over
    assert over is not None
    kept = kept_promise(player.known.promises, over["commitment"])
    assert kept is not None
    told = replay_text(over["record"], "record.yaml", promise=read_promise(kept))
    assert told["ok"], told
    assert told["over"]
    assert told["shuffle"] == "proven"


def test_a_match_over_ssh_is_proven(tmp_path: Path) -> None:
    async def match() -> None:
        server = await serving(tmp_path / "server")
        players = await two_at_a_table(tmp_path, (server.port, server.port))
        await asyncio.gather(*(player.play() for player in players))
        for player in players:
            proven(player)
            assert player.known.server(player.link.address.text) == server.fingerprint
            await player.link.close()
        await server.close()

    run(match())


def test_a_match_goes_on_through_cuts_at_random_moments(tmp_path: Path) -> None:
    async def match() -> None:
        server = await serving(tmp_path / "server")
        rng = random.Random(3)
        async with Wire(server.port) as one, Wire(server.port) as other:
            players = await two_at_a_table(tmp_path, (one.port, other.port))

            async def cut() -> None:
                while all(player.over is None for player in players):
                    await asyncio.sleep(rng.uniform(0.05, 0.4))
                    wire = rng.choice((one, other))
                    wire.cut()
                    await asyncio.sleep(rng.uniform(0.0, 0.1))
                    wire.mend()

            cutting = asyncio.ensure_future(cut())
            await asyncio.gather(*(player.play(0.01) for player in players))
            cutting.cancel()
            lost = sum(1 for player in players for told in player.told if told == {"now": "link", "lost": True})
            assert lost >= 3
            for player in players:
                proven(player)
                await player.link.close()
        await server.close()

    run(match(), 120)


def test_a_match_goes_on_after_the_server_was_stopped_at_random_moments(tmp_path: Path) -> None:
    async def match() -> None:
        folder = tmp_path / "server"
        server = await serving(folder)
        port = server.port
        players = await two_at_a_table(tmp_path, (port, port))
        playing = asyncio.gather(*(player.play(0.02) for player in players))
        rng = random.Random(4)
        for _ in range(4):
            await asyncio.sleep(rng.uniform(0.1, 0.6))
            if playing.done():
                break
            await server.close()
            server = await serving(folder, port=port)
        await playing
        for player in players:
            proven(player)
            assert player.notices("stopping") >= 1
            await player.link.close()
        await server.close()

    run(match(), 120)


def test_a_slow_line_only_takes_longer(tmp_path: Path) -> None:
    async def match() -> None:
        server = await serving(tmp_path / "server")
        async with Wire(server.port) as wire:
            wire.delay = 0.02
            players = await two_at_a_table(tmp_path, (wire.port, server.port), options={"target": 20})
            await asyncio.gather(*(player.play() for player in players))
            for player in players:
                proven(player)
                await player.link.close()
        await server.close()

    run(match(), 120)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("club.example", Address("club.example", 2222)),
        ("club.example:22", Address("club.example", 22)),
        (" 192.0.2.1:2200 ", Address("192.0.2.1", 2200)),
        ("[2001:db8::1]:2200", Address("2001:db8::1", 2200)),
        ("2001:db8::1", Address("2001:db8::1", 2222)),
    ],
)
def test_addresses_are_read(text: str, address: Address) -> None:
    assert address_of(text) == address
    assert address_of(address.text) == address


@pytest.mark.parametrize(
    "text", ["", ":", ":22", "a:", "a:b", "a:0", "a:65536", "a b", "a@b", "ssh://a", "[::1", "[::1]x"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        address_of(text)


def test_a_server_with_another_key_is_refused(tmp_path: Path) -> None:
    async def visit() -> None:
        server = await serving(tmp_path / "server")
        known = Known(tmp_path / "anna")
        address = Address("127.0.0.1", server.port)
        known.remember(address.text, "SHA256:another")
        link = Link(address, known, "Anna", "en", own=True)
        with pytest.raises(Unreachable) as error:
            await link.open()
        assert error.value.kind == "other_key"
        assert error.value.facts["file"] == str(known.servers_file)
        assert known.server(address.text) == "SHA256:another"
        await server.close()

    run(visit())


def test_only_allowed_keys_come_in(tmp_path: Path) -> None:
    async def visit() -> None:
        known = Known(tmp_path / "anna")
        file = tmp_path / "keys"
        file.write_text(f"# friends\n{known.key().export_public_key().decode()}\n")
        server = await serving(tmp_path / "server", allow=allowed_keys(file))
        address = Address("127.0.0.1", server.port)
        link = Link(address, known, "Anna", "en", own=True)
        await link.open()
        with pytest.raises(Unreachable) as error:
            await Link(address, Known(tmp_path / "boris"), "Boris", "en", own=True).open()
        assert error.value.kind == "not_admitted"
        await link.close()
        await server.close()

    run(visit())


def test_a_line_of_the_allow_file_that_is_no_key_is_named(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text("# friends\n\nssh-ed25519 nonsense\n")
    with pytest.raises(ValueError, match="3"):
        allowed_keys(file)


def test_another_service_is_told_from_a_club(tmp_path: Path) -> None:
    async def visit() -> None:
        async def other(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"220 mail.example ESMTP\r\n")
            await writer.drain()
            await reader.read()

        listening = await asyncio.start_server(other, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        for at, kinds in ((port, ("no_club", "gone", "no_answer")), (1, ("nothing_there",))):
            with pytest.raises(Unreachable) as error:
                await Link(Address("127.0.0.1", at), Known(tmp_path / "a"), "Anna", "en", own=True).open()
            assert error.value.kind in kinds
        listening.close()

    run(visit())


# what was promised


def promise(folder: Path) -> Promised:
    message = {"commitment": "ab" * 32, "players": ["Anna", "Boris"], "adds": [True, True], "seat": 0}
    return Promised(folder, "club.example", message)


def test_a_promise_is_kept_before_anything_is_opened(tmp_path: Path) -> None:
    promised = promise(tmp_path)
    promised.take_hashes([promised.hash, "cd" * 32])
    kept = read_promise(promised.path)
    assert kept.commitment == "ab" * 32
    assert kept.hashes == (promised.hash, "cd" * 32)
    assert kept.addition == promised.addition
    assert kept.seat == 0
    assert promise(tmp_path).addition != promised.addition


@pytest.mark.parametrize(
    ("hashes", "kind"),
    [(["cd" * 32, "cd" * 32], "own_hash"), (["own", None], "hash_missing"), (["own"], "hash_missing")],
)
def test_an_addition_is_not_opened_where_the_hashes_are_not_all_there(
    tmp_path: Path, hashes: list[str | None], kind: str
) -> None:
    promised = promise(tmp_path)
    with pytest.raises(BadPromise, match=kind):
        promised.take_hashes([promised.hash if text == "own" else text for text in hashes])
    assert not list(tmp_path.iterdir())


def test_hashes_and_additions_must_stay_what_they_were(tmp_path: Path) -> None:
    promised = promise(tmp_path)
    with pytest.raises(BadPromise, match="hash_missing"):
        promised.take_additions([promised.addition, "x"])
    promised.take_hashes([promised.hash, "cd" * 32])
    with pytest.raises(BadPromise, match="other_hashes"):
        promised.take_hashes([promised.hash, "ce" * 32])
    with pytest.raises(BadPromise, match="other_addition"):
        promised.take_additions([promised.addition, "not what was hashed"])


# people who mean no good


async def raw(port: int, name: str = "mallory") -> asyncssh.SSHClientConnection:
    key = asyncssh.generate_private_key("ssh-ed25519")
    return await asyncssh.connect(
        "127.0.0.1", port, known_hosts=None, client_keys=[key], username=name, config=None, agent_path=None
    )


async def ping(players: list[Player]) -> float:
    """How long the club takes to answer others meanwhile."""
    begun = time.monotonic()
    await asyncio.wait_for(asyncio.gather(*(player.link.ask("lobby") for player in players)), 10)
    return time.monotonic() - begun


@pytest.mark.parametrize("attack", ["giant", "random", "flood", "mute", "silent", "unread", "shell", "forward"])
def test_others_notice_nothing(tmp_path: Path, attack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "LOGIN_SECONDS", 2.0)

    async def visit() -> None:
        server = await serving(tmp_path / "server")
        monkeypatch.setattr(door_two, "REQUESTS_A_SECOND", 20.0)
        players = await two_at_a_table(tmp_path, (server.port, server.port))
        await getattr(Attacks, attack)(server)
        assert await ping(players) < 2.0
        for player in players:
            assert not player.notices("lost")
            await player.link.close()
        await server.close()

    run(visit(), 60)


class Attacks:
    """What a bad neighbour does, and how it ends."""

    @staticmethod
    async def giant(server: Server) -> None:
        connection = await raw(server.port)
        process = await connection.create_process(subsystem="kozel", encoding=None)
        process.stdin.write(b"x" * 200_000)
        said = await asyncio.wait_for(process.stdout.read(), 10)
        assert b'"why":"line_too_long"' in said
        connection.close()

    @staticmethod
    async def random(server: Server) -> None:
        rng = random.Random(1)
        for _ in range(5):
            connection = await raw(server.port)
            process = await connection.create_process(subsystem="kozel", encoding=None)
            process.stdin.write(rng.randbytes(3000) + b"\n")
            said = await asyncio.wait_for(process.stdout.read(), 10)
            assert b'"now":"end"' in said
            connection.close()
            stream = socket.create_connection(("127.0.0.1", server.port), 5)
            stream.sendall(rng.randbytes(3000))
            stream.close()

    @staticmethod
    async def flood(server: Server) -> None:
        connection = await raw(server.port)
        process = await connection.create_process(subsystem="kozel", encoding=None)
        process.stdin.write(b'{"id":0,"do":"hello","versions":[1],"name":"Mallory"}\n')
        begun = time.monotonic()
        process.stdin.write(b'{"id":1,"do":"lobby"}\n' * 3000)
        answered = 0
        while time.monotonic() - begun < 2.0:
            try:
                answered += (await asyncio.wait_for(process.stdout.read(65536), 0.5)).count(b'"re":1')
            except asyncio.TimeoutError:
                break
        assert answered < 200
        connection.close()

    @staticmethod
    async def mute(server: Server) -> None:
        streams = [socket.create_connection(("127.0.0.1", server.port), 5) for _ in range(100)]
        await asyncio.sleep(0.5)
        for stream in streams:
            stream.close()

    @staticmethod
    async def silent(server: Server) -> None:
        connection = await raw(server.port)
        await connection.create_process(subsystem="kozel", encoding=None)
        await asyncio.wait_for(connection.wait_closed(), 10)

    @staticmethod
    async def unread(server: Server) -> None:
        connection = await raw(server.port)
        process = await connection.create_process(subsystem="kozel", encoding=None)
        process.stdout.channel.pause_reading()
        process.stdin.write(b'{"id":0,"do":"hello","versions":[1],"name":"Mallory"}\n')
        await asyncio.sleep(0.3)
        visitor = next(each for each in server.club.visitors if each.person.name == "Mallory")
        for _ in range(5000):
            visitor.front.push({"now": "notice", "kind": "test", "facts": {"text": "x" * 1000}})
        await asyncio.wait_for(connection.wait_closed(), 10)

    @staticmethod
    async def shell(server: Server) -> None:
        connection = await raw(server.port)
        for command in ("id", "sh -c id", "scp -t /"):
            with pytest.raises(asyncssh.Error):
                await asyncio.wait_for(connection.run(command, check=True), 10)
        connection.close()

    @staticmethod
    async def forward(server: Server) -> None:
        connection = await raw(server.port)
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_connection("127.0.0.1", server.port)
        with pytest.raises(asyncssh.ChannelListenError):
            await connection.start_server(lambda host, port: True, "127.0.0.1", 0)
        with pytest.raises(asyncssh.Error):
            await connection.start_sftp_client()
        connection.close()


def test_a_server_that_talks_nonsense_is_left(tmp_path: Path) -> None:
    async def visit() -> None:
        server = await serving(tmp_path / "server")
        player = Player(tmp_path, server.port, "Anna", 1)
        await player.link.open()
        [visitor] = server.club.visitors
        visitor.front.push({"now": "match", "table": "x", "seat": 9, "view": {}})
        while not any(told["now"] == "end" for told in player.told):
            await asyncio.sleep(0.02)
        with pytest.raises(Declined, match="nonsense"):
            await player.link.ask("lobby")
        await player.link.close()
        await server.close()

    run(visit())
