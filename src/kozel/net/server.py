"""The server: one SSH port with two doors. Any key is an identity; what cannot be trusted is cut off early."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import asyncssh

from kozel.net.club import Club
from kozel.net.door_two import DoorTwo
from kozel.net.limits import network_of
from kozel.net.logs import write_private
from kozel.net.wire import LONGEST_REQUEST, SUBSYSTEM

log = logging.getLogger(__name__)

LOGIN_SECONDS = 20.0
"""To prove who one is, and again to open a session, and again to say hello."""
KEEPALIVE, KEEPALIVES_LOST = 15.0, 3
CONNECTIONS_AN_ADDRESS = 64
"""Connections from one address; this machine itself may have as many as there are."""
SPARE_CONNECTIONS = 200
"""So many more than seats may be connected at once."""
UNREAD = 1 << 20
"""Bytes that may wait for a side that does not read; of a record, which is longer, at most as much again."""
_QUEUE = 64
_CIPHERS = ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes256-ctr", "aes128-ctr"]
"""Every ssh client has one of them. ChaCha20, which most would choose, takes Python six times as long: 58 µs a packet, not 9."""
_LOOPBACK = ("127.0.0.1", "::1")


class ChannelEnd:
    """A channel as what stands behind it sees it: plain ssh of door one."""

    def __init__(self, session: SshSession) -> None:
        self._session = session

    @property
    def term(self) -> str:
        """The terminal's type as its side calls it, '' where there is no terminal."""
        return self._session.term

    @property
    def environ(self) -> Mapping[str, str]:
        """What the other side sent of its environment."""
        return self._session.environ

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows; 80 and 24 where they are not told."""
        return self._session.size

    @property
    def gone(self) -> bool:
        """Is the connection at its end?"""
        return self._session.gone

    @property
    def waiting(self) -> int:
        """Bytes that came and were not read yet."""
        return self._session.unread

    def write(self, data: bytes) -> None:
        """Send bytes in one message. Where the other side does not read, the connection ends."""
        self._session.write(data)

    async def read(self) -> bytes:
        """The next bytes that came, b'' at the end."""
        return await self._session.read()

    async def round_trip(self) -> float | None:
        """Seconds that a keepalive and its answer take, None where none comes."""
        return await self._session.round_trip()


DoorOne = Callable[[ChannelEnd, str, str, str, bool], Awaitable[None]]
"""Serves plain ssh: the channel, the identity, the name that it came by, its address, whether it is a guest."""


class Server:
    """The SSH port of a club. `allow`: the only keys that may come in, None for all. `door_one` serves plain ssh."""

    def __init__(
        self, club: Club, host_key: asyncssh.SSHKey, door_one: DoorOne | None, allow: Iterable[str] | None = None
    ) -> None:
        self.club, self._host_key, self.door_one = club, host_key, door_one
        self._allow = None if allow is None else frozenset(allow)
        self._connections: set[Connection] = set()
        self._addresses: Counter[str] = Counter()
        self._acceptor: asyncssh.SSHAcceptor | None = None
        self._watching: asyncio.Task[None] | None = None

    @property
    def fingerprint(self) -> str:
        """The host key's fingerprint, as ssh shows it."""
        return str(self._host_key.get_fingerprint())

    @property
    def port(self) -> int:
        """The port in use."""
        assert self._acceptor is not None
        return int(self._acceptor.get_port())

    async def open(self, address: str, port: int) -> None:
        """Listen. Raises `OSError`."""
        self._acceptor = await asyncssh.create_server(
            lambda: Connection(self),
            address,
            port,
            server_host_keys=[self._host_key],
            encoding=None,
            line_editor=False,
            login_timeout=LOGIN_SECONDS,
            keepalive_interval=KEEPALIVE,
            keepalive_count_max=KEEPALIVES_LOST,
            compression_algs=None,
            encryption_algs=_CIPHERS,
            allow_scp=False,
            agent_forwarding=False,
            x11_forwarding=False,
            tcp_keepalive=True,
            server_version="kozel",
        )
        self._watching = asyncio.ensure_future(self._watch())

    async def close(self) -> None:
        """No more connections; everybody hears that the server stops; every match is kept."""
        if self._acceptor is not None:
            self._acceptor.close()
        if self._watching is not None:
            self._watching.cancel()
        await self.club.close()
        await asyncio.sleep(0.2)
        for connection in tuple(self._connections):
            connection.close()
        if self._acceptor is not None:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._acceptor.wait_closed(), 2)

    def admits(self, connection: Connection) -> bool:
        """May this connection go on to say who it is?"""
        address = connection.address
        if self.club.bars.address(address) or len(self._connections) > self.club.tables * 4 + SPARE_CONNECTIONS:
            return False
        return address in _LOOPBACK or self._addresses[network_of(address)] <= CONNECTIONS_AN_ADDRESS

    def knows(self, key: asyncssh.SSHKey) -> bool:
        """May somebody with this key come in?"""
        fingerprint = str(key.get_fingerprint())
        return (self._allow is None or fingerprint in self._allow) and not self.club.bars.key(fingerprint)

    @property
    def guests(self) -> bool:
        """May people without a key come in?"""
        return self.club.guests and self._allow is None

    def serve(self, session: SshSession) -> None:
        """A channel of door one was opened."""
        if self.door_one is None:
            session.close(1)
            return
        connection = session.connection
        guest = connection.fingerprint is None
        id = self.club.identities.new_guest() if connection.fingerprint is None else connection.fingerprint
        name = connection.user
        task = asyncio.ensure_future(self.door_one(ChannelEnd(session), id, name, connection.address, guest))
        session.task = task
        task.add_done_callback(lambda task: _served(task, session))

    def add(self, connection: Connection) -> None:
        """A connection was made."""
        self._connections.add(connection)
        self._addresses[network_of(connection.address)] += 1

    def forget(self, connection: Connection) -> None:
        """A connection is gone."""
        if connection in self._connections:
            self._connections.discard(connection)
            network = network_of(connection.address)
            self._addresses[network] -= 1
            if self._addresses[network] <= 0:
                del self._addresses[network]

    async def _watch(self) -> None:
        """Cut off what is connected and does nothing."""
        while True:
            await asyncio.sleep(LOGIN_SECONDS / 4)
            now = time.monotonic()
            for connection in tuple(self._connections):
                if not connection.busy and now - connection.since > LOGIN_SECONDS:
                    connection.close()


class Connection(asyncssh.SSHServer):
    """One SSH connection. `fingerprint`: of the key that was proved, None for a guest."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.fingerprint: str | None = None
        self.address, self.user = "", ""
        self.since = time.monotonic()
        self.session: SshSession | None = None
        self._tried: str | None = None
        self._as_guest = False
        self._connection: asyncssh.SSHServerConnection | None = None

    @property
    def busy(self) -> bool:
        """Has it a session that was opened, and said who it is?"""
        return self.session is not None and self.session.busy

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """A connection comes in."""
        self._connection = conn
        self.address = str((conn.get_extra_info("peername") or ("",))[0])
        self.server.add(self)
        if not self.server.admits(self):
            conn.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self.server.forget(self)
        if self.session is not None:
            self.session.lost()

    def begin_auth(self, username: str) -> bool:
        """Everybody has to say who they are."""
        self.user = username
        return True

    def public_key_auth_supported(self) -> bool:
        """A key is asked for first."""
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Any key that may come in is an identity; that it is theirs they prove next."""
        if not self.server.knows(key):
            return False
        self._tried, self._as_guest = str(key.get_fingerprint()), False
        return True

    def auth_completed(self) -> None:
        """They are who they say."""
        conn = self._connection
        assert conn is not None
        self.since = time.monotonic()
        if not self._as_guest:
            self.fingerprint = self._tried

    def kbdint_auth_supported(self) -> bool:
        """Without a key, as a guest: nothing is asked for, so that nothing has to be typed."""
        return self.server.guests

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> bool:
        """Come in as a guest."""
        self._as_guest = self.server.guests
        return self._as_guest

    def session_requested(self) -> SshSession | bool:
        """One session a connection."""
        if self.session is not None:
            return False
        self.session = SshSession(self)
        return self.session

    def abort(self) -> None:
        """End it at once."""
        if self._connection is not None:
            self._connection.abort()

    def close(self) -> None:
        """End it."""
        if self._connection is not None:
            self._connection.close()

    async def round_trip(self) -> float | None:
        """Seconds that a keepalive and its answer take."""
        # asyncssh sends keepalives by itself and does not say how long the answer took
        request = getattr(self._connection, "_make_global_request", None)
        if request is None:
            return None
        begun = time.monotonic()
        try:
            await asyncio.wait_for(request(b"keepalive@openssh.com"), 5)
        except (asyncio.TimeoutError, OSError, asyncssh.Error):
            return None
        return time.monotonic() - begun


class SshSession(asyncssh.SSHServerSession[bytes]):
    """The channel of a connection: a shell is door one, the subsystem `kozel` is door two."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.term, self.size = "", (80, 24)
        self.environ: dict[str, str] = {}
        self.gone = False
        self.task: asyncio.Task[Any] | None = None
        self._channel: asyncssh.SSHServerChannel[bytes] | None = None
        self._door_two: DoorTwo | None = None
        self._is_shell = False
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._rest = b""
        self._came = asyncio.Event()
        self._bytes = bytearray()
        self._paused = False

    @property
    def busy(self) -> bool:
        """Is a door open?"""
        return self._is_shell or (self._door_two is not None and self._door_two.greeted)

    @property
    def unread(self) -> int:
        """Bytes that came and were not read yet."""
        return len(self._bytes)

    # what asyncssh calls

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        """The channel is there."""
        self._channel = chan

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        """A terminal, of whatever type."""
        self.term = term_type
        self.size = _size(term_size)
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        """The window has another size."""
        self.size = _size((width, height, pixwidth, pixheight))

    def shell_requested(self) -> bool:
        """Door one."""
        self._is_shell = True
        return True

    def exec_requested(self, command: str) -> bool:
        """Nothing is run here."""
        return False

    def subsystem_requested(self, subsystem: str) -> bool:
        """Door two."""
        if subsystem != SUBSYSTEM:
            return False
        club, connection = self.connection.server.club, self.connection
        id = connection.fingerprint or ""
        self._door_two = DoorTwo(club, id, connection.address, self.write, lambda: self.close(0))
        return True

    def session_started(self) -> None:
        """A door is open."""
        channel = self._channel
        assert channel is not None
        with contextlib.suppress(AttributeError):
            self.environ = {str(name): str(value) for name, value in channel.get_environment().items()}
        if self._door_two is not None:
            if self.connection.fingerprint is None:
                self._door_two.refuse("needs_key")
                return
            self.task = asyncio.ensure_future(self._carry(self._door_two))
        else:
            self.connection.server.serve(self)

    def data_received(self, data: bytes, datatype: asyncssh.DataType) -> None:
        """Bytes came."""
        if self._door_two is None:
            self._bytes += data
            self._came.set()
            self._pause(len(self._bytes) > 4 * LONGEST_REQUEST)
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._lines.put_nowait(line)
        if len(self._rest) > LONGEST_REQUEST or any(len(line) > LONGEST_REQUEST for line in lines):
            self._door_two.too_long()
            self._rest = b""
            return
        self._pause(self._lines.qsize() > _QUEUE)

    def eof_received(self) -> bool:
        """The other side says no more; what it asked for is still answered."""
        self._lines.put_nowait(None)
        self._end_input()
        return True

    def break_received(self, msec: int) -> bool:
        """A break is no key."""
        return True

    def signal_received(self, signal: str) -> None:
        """A signal is none of ours."""

    def connection_lost(self, exc: Exception | None) -> None:
        """The channel is gone."""
        self.lost()

    # what the doors call

    def write(self, data: bytes) -> None:
        """Send bytes; a side that does not read is cut off."""
        channel = self._channel
        if self.gone or channel is None:
            return
        try:
            if channel.get_write_buffer_size() > UNREAD:
                log.info("%s does not read", self.connection.address)
                self.connection.abort()
                return
            channel.write(data)
        except (OSError, asyncssh.Error):
            self._end_input()

    def close(self, status: int) -> None:
        """Nothing more is sent."""
        channel = self._channel
        if channel is not None and not self.gone:
            with contextlib.suppress(OSError, asyncssh.Error):
                channel.exit(status)

    def lost(self) -> None:
        """Nobody is there any more."""
        self.gone = True
        self._end_input()
        if self._door_two is not None:
            self._door_two.lost()
            if self.task is not None:
                self.task.cancel()

    async def read(self) -> bytes:
        """The next bytes, b'' at the end."""
        while not self._bytes and not self.gone:
            self._came.clear()
            await self._came.wait()
        data = bytes(self._bytes)
        self._bytes.clear()
        self._pause(False)
        return data

    async def round_trip(self) -> float | None:
        """Seconds that a keepalive and its answer take."""
        return await self.connection.round_trip()

    async def _carry(self, door: DoorTwo) -> None:
        while True:
            line = await self._lines.get()
            if line is None:
                return
            await door.receive(line)
            self._pause(self._lines.qsize() > _QUEUE)

    def _end_input(self) -> None:
        self.gone = self.gone or self._door_two is None
        self._came.set()

    def _pause(self, paused: bool) -> None:
        channel = self._channel
        if paused != self._paused and channel is not None and not self.gone:
            self._paused = paused
            with contextlib.suppress(OSError, asyncssh.Error):
                channel.pause_reading() if paused else channel.resume_reading()


def collect_rarely() -> None:
    """Let Python look for garbage in circles less often: with a thousand people here each full look stops all of them.

    What is there by now is never looked at again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 200)


def host_key(path: Path) -> asyncssh.SSHKey:
    """The server's own key, made at the first start and kept for its owner alone. Raises `OSError`, `ValueError`."""
    if path.exists():
        try:
            return asyncssh.read_private_key(str(path))
        except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError) as error:
            raise ValueError(str(error)) from None
    key = asyncssh.generate_private_key("ssh-ed25519", comment="kozel")
    write_private(path, key.export_private_key().decode())
    return key


def allowed_keys(path: Path) -> list[str]:
    """The fingerprints of the keys in a file in the form of `authorized_keys`. Raises `OSError`, `ValueError` with the line."""
    fingerprints = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if text.startswith("SHA256:"):
            fingerprints.append(text.split()[0])
            continue
        try:
            fingerprints.append(str(asyncssh.import_public_key(text).get_fingerprint()))
        except asyncssh.KeyImportError:
            raise ValueError(str(number)) from None
    return fingerprints


def _served(task: asyncio.Task[None], session: SshSession) -> None:
    if not task.cancelled() and task.exception() is not None:
        log.error("door one", exc_info=task.exception())
    session.close(0)


def _size(size: tuple[int, int, int, int]) -> tuple[int, int]:
    columns, rows = size[0], size[1]
    return (columns if 0 < columns < 10_000 else 80), (rows if 0 < rows < 10_000 else 24)
