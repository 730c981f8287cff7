"""A visit by door two: the installed game's connection, which comes back by itself when it was lost."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Iterable
from typing import NamedTuple

import asyncssh

from kozel import __version__
from kozel.engine.round import Refused
from kozel.net.errands import Errands
from kozel.net.known import BadPromise, Known, Promised
from kozel.net.presence import ClubHearers, Hear
from kozel.net.remote import Lost, RemoteHost, goes_on, remote_host
from kozel.net.wire import LONGEST_ANSWER, SUBSYSTEM, VERSION, BadLine, Declined, Message, decode, encode, result_of
from kozel.play.host import Host

log = logging.getLogger(__name__)

PORT = 2222
"""The port where nothing else is said."""
CONNECT_SECONDS = 10.0
_KEEPALIVE, _KEEPALIVES_LOST = 5.0, 2
_WAITS = (0.3, 0.7, 1.5, 3.0, 5.0)
GIVES_UP = 900.0
"""Seconds after which a lost connection is not tried again."""
_FOR_A_MOMENT = ("table_moves", "not_kept", "fault")
"""Why a table can be out of reach though it is there: it is tried again."""
_FINAL = ("replaced", "barred", "line_too_long", "needs_key")
"""Ends after which it is not tried again."""


class Unreachable(Exception):
    """No server, or not this one. `kind`: the sentence's name, `facts` what fills it."""

    def __init__(self, kind: str, **facts: object) -> None:
        self.kind, self.facts = kind, facts
        super().__init__(f"{kind} {facts}")


class Address(NamedTuple):
    """Where a server is."""

    host: str
    port: int

    @property
    def text(self) -> str:
        """As it is typed, with the port where it is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORT else f"{host}:{self.port}"


def address_of(text: str) -> Address:
    """The address in `HOST[:PORT]`. Raises `ValueError`.

    >>> address_of("club.example:2200")
    Address(host='club.example', port=2200)
    >>> address_of("[2001:db8::1]").text
    '[2001:db8::1]'
    """
    text = text.strip()
    if text.startswith("["):
        host, closing, port = text[1:].partition("]")
        if not closing or (port and not port.startswith(":")):
            raise ValueError(text)
        port = port[1:]
    elif text.count(":") > 1:
        host, port = text, ""
    else:
        host, colon, port = text.partition(":")
        if colon and not port:
            raise ValueError(text)
    if not host or any(character.isspace() or character in "/@" for character in host):
        raise ValueError(text)
    if port and not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
        raise ValueError(text)
    return Address(host, int(port) if port else PORT)


class Link:
    """A visit to a club far away: `await Link.open(…)`, then what `Presence` has; `close` at the end.

    While the connection is lost, requests wait for it. `wanted`: the name asked for; `own`: it was chosen by the player.
    """

    def __init__(self, address: Address, known: Known, wanted: str, lang: str, *, own: bool) -> None:
        self.address, self._known, self._wanted, self._lang, self._own = address, known, wanted, lang, own
        self._addresses = [address, *_addresses(known.others(address.text))]
        self._hearers = ClubHearers()
        self._waiting: dict[int, asyncio.Future[Message]] = {}
        self._number = 0
        self._connection: asyncssh.SSHClientConnection | None = None
        self._channel: asyncssh.SSHClientChannel[bytes] | None = None
        self._session: _Session | None = None
        self._there = asyncio.Event()
        self._changed = asyncio.Event()
        self._ended: Declined | None = None
        self._coming: asyncio.Task[None] | None = None
        self._at: tuple[str, bool] | None = None
        self._told_match = False
        self._promised: Promised | None = None
        self._errands = Errands(f"at {address.text}")
        self.name, self.guest, self.server = wanted, False, ""
        self.first = False
        self.kept: str | None = None
        self.host: Host | None = None
        self.seat: int | None = None

    @property
    def table(self) -> Message | None:
        """The card of the table where this person is."""
        return self._hearers.table if self._at is not None else None

    async def open(self) -> None:
        """Connect and say who we are, at another server of the club where the one asked for is not reached.

        Raises `Unreachable`, `Declined`, `OSError`, `ValueError` for a key that is none.
        """
        reason: Unreachable | None = None
        for address in tuple(self._addresses):
            self.address = address
            try:
                await self._connect()
                return
            except Unreachable as error:
                reason = reason or error
                if error.kind == "other_key":
                    break
        self.address = self._addresses[0]
        assert reason is not None
        raise reason

    async def close(self) -> None:
        """Hang up."""
        self._ended = self._ended or Declined("closed")
        if self._coming is not None:
            self._coming.cancel()
        self._errands.cancel()
        self._hang_up()

    def listen(self, hear: Hear) -> Callable[[], None]:
        """Give `hear` each thing that the club tells."""
        return self._hearers.listen(hear)

    async def ask(self, do: str, **facts: object) -> Message:
        """Ask for something; waits for the connection. Raises `Declined`, `Refused`, `Lost` where that is not known."""
        await self.back()
        answer = await self._request({"do": do, **facts})
        if do in ("open", "sit", "watch"):
            self._at = str(answer.get("table")), do == "watch"
        elif do == "leave":
            self._at = self.host = None
        elif do == "name":
            self.name = str(answer.get("name"))
        return answer

    async def back(self) -> None:
        """Wait until the connection is there. Raises `Declined` where it will not be."""
        while not self._there.is_set():
            if self._ended is not None:
                raise self._ended
            waiting = [asyncio.ensure_future(each.wait()) for each in (self._there, self._changed)]
            try:
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in waiting:
                    each.cancel()
            self._changed.clear()

    async def again(self, before: Host) -> Host:
        """The match after `before`, with the same seats: begun now, or by somebody else already. Raises `Declined`."""
        if self.host is not None and self.host is not before:
            return self.host
        await self.ask("again")
        if self.host is before:
            with contextlib.suppress(Declined):
                await self.ask("state")
        while self.host is before or self.host is None:
            if self.host is None or self._ended is not None:
                raise self._ended or Declined("cancelled")
            self._changed.clear()
            await self._changed.wait()
        return self.host

    # the connection

    async def _connect(self) -> None:
        address, known = self.address, self._known
        client = _Client(known.server(address.text))
        try:
            session = self._session = _Session(self)
            connection, _ = await asyncio.wait_for(
                asyncssh.create_connection(
                    lambda: client,
                    address.host,
                    address.port,
                    username="kozel",
                    client_keys=[known.key()],
                    known_hosts=([], [], []),
                    server_host_key_algs=["ssh-ed25519"],
                    preferred_auth=["publickey"],
                    agent_path=None,
                    config=None,
                    keepalive_interval=_KEEPALIVE,
                    keepalive_count_max=_KEEPALIVES_LOST,
                    compression_algs=None,
                    client_version=f"kozel_{__version__}",
                ),
                CONNECT_SECONDS,
            )
            self._connection = connection
            _nodelay(connection)
            if client.first:
                self.first = True
                known.remember(address.text, client.fingerprint)
            self._channel, _ = await asyncio.wait_for(
                connection.create_session(lambda: session, subsystem=SUBSYSTEM, encoding=None),
                CONNECT_SECONDS,
            )
        except (OSError, asyncio.TimeoutError, asyncssh.Error) as error:
            self._hang_up()
            raise _unreachable(address, client, known, error) from None
        try:
            answer = await self._request(
                {
                    "do": "hello",
                    "versions": [VERSION],
                    "lang": self._lang,
                    "name": self._wanted,
                    "default_name": not self._own,
                    "program": __version__,
                }
            )
        except Lost:
            self._hang_up()
            raise self._ended or Unreachable("gone", host=address.text) from None
        except Declined:
            self._hang_up()
            raise
        self.name, self.server = str(answer["you"]), str(answer.get("server") or "")
        self._learn(answer.get("servers"))
        self.kept = answer.get("kept") if isinstance(answer.get("kept"), str) else None
        if self._at is not None:
            try:
                await self._back_to_the_table()
            except Lost:
                self._hang_up()
                raise Unreachable("gone", host=address.text) from None
        self._there.set()

    def _learn(self, servers: object) -> None:
        """The other servers of the club, with their keys: one that cannot be reached any more is no end."""
        told: dict[str, str] = {}
        for server in servers if isinstance(servers, list) else []:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                address = address_of(str(server["host"]))._replace(port=int(server["port"]))
                told[address.text] = str(server["key"])
        if told:
            told.pop(self.address.text, None)
            self._addresses = [self.address, *_addresses(told)]
            with contextlib.suppress(OSError):
                self._known.learn(self.address.text, told)

    async def _back_to_the_table(self) -> None:
        assert self._at is not None
        table, watching = self._at
        before, self._told_match = self.host, False
        try:
            await self._request({"do": "watch" if watching else "sit", "table": table})
        except Declined as no:
            if no.kind in _FOR_A_MOMENT:
                raise Lost from None
            log.info("the table is gone: %s", no)
            await self._ended_meanwhile(before)
            self._at = self.host = None
            self._hearers.tell({"now": "out", "why": "table_gone"})
        else:
            if before is not None and not self._told_match:
                await self._ended_meanwhile(before)
                self.host = None
                self._hearers.tell({"now": "ended"})

    async def _ended_meanwhile(self, host: Host | None) -> None:
        """The match that was played is no longer in progress: its record is among those that wait here."""
        if not isinstance(host, RemoteHost):
            return
        with contextlib.suppress(Declined):
            for name in (await self._request({"do": "records"})).get("records", []):
                record = (await self._request({"do": "record", "name": name})).get("record")
                if isinstance(record, str) and host.commitment in record:
                    self._hearers.tell({"now": "notice", "kind": "ended_meanwhile", "facts": {}})
                    self._over({"record": record, "name": name})

    def lost(self, session: _Session) -> None:
        """A channel is gone, for whatever reason; one that was given up before does not count."""
        if session is not self._session:
            return
        self._channel = self._session = None
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(Lost())
                future.exception()  # whoever asked may be gone as well
        self._waiting.clear()
        was_there = self._there.is_set()
        self._there.clear()
        self._changed.set()
        if was_there and self._ended is None:
            self._hearers.tell({"now": "link", "lost": True})
            self._coming = asyncio.ensure_future(self._come_back())

    async def _come_back(self) -> None:
        until = asyncio.get_running_loop().time() + GIVES_UP
        tries = 0
        while self._ended is None:
            turn, at = divmod(tries, len(self._addresses))
            if at == 0:
                await asyncio.sleep(_WAITS[min(turn, len(_WAITS) - 1)])
            self.address = self._addresses[at]
            tries += 1
            try:
                await self._connect()
            except Unreachable as error:
                if (
                    error.kind == "other_key" and len(self._addresses) == 1
                ) or asyncio.get_running_loop().time() > until:
                    self._end(Declined("gone", host=self.address.text))
                continue
            except Declined as no:
                self._end(no)
                continue
            except (OSError, ValueError):
                continue
            self._hearers.tell({"now": "link", "lost": False})
            return

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        session = self._session
        if session is not None:
            self.lost(session)
        if connection is not None:
            connection.close()

    def _end(self, no: Declined) -> None:
        if self._ended is None:
            self._ended = no
            self._at = self.host = None
            self._changed.set()
            self._hearers.tell({"now": "end", "why": no.kind, "facts": no.facts})

    # lines

    async def _request(self, request: Message) -> Message:
        channel = self._channel
        if channel is None:
            raise Lost
        self._number += 1
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting[self._number] = future
        try:
            channel.write(encode({"id": self._number, **request}))
        except (OSError, asyncssh.Error):
            raise Lost from None
        return result_of(await future)

    def take(self, line: bytes) -> None:
        """A line from the server. One that makes no sense ends the visit: no server of ours sends it."""
        try:
            message = decode(line)
            number = message.get("re")
            if isinstance(number, int):
                future = self._waiting.pop(number, None)
                if future is not None and not future.done():
                    future.set_result(message)
            else:
                self._told(message)
        except (BadLine, KeyError, TypeError, ValueError) as error:
            log.warning("the server said %r: %s", line[:200], error)
            self._end(Declined("nonsense"))
            self._hang_up()

    def _told(self, message: Message) -> None:
        now = message.get("now")
        if now == "update":
            if isinstance(self.host, RemoteHost):
                self.host.seat.tell(message)
            return
        if now == "match":
            self._match(message)
            return
        if now == "end":
            why = str(message.get("why"))
            if why in _FINAL:
                facts = message.get("facts")
                self._end(Declined(why, **(facts if isinstance(facts, dict) else {})))
            elif why == "stopping":
                self._hearers.tell({"now": "notice", "kind": "stopping", "facts": {}})
            return
        if now == "servers":
            self._learn(message["servers"])
            return
        if now in ("promise", "hashes", "additions", "cancelled"):
            self._promise(message)
        elif now == "out":
            self._at = self.host = None
        if now == "over":
            self._over(message)
            return
        self._changed.set()
        self._hearers.tell(message)

    def _match(self, message: Message) -> None:
        """A match begins, or is told anew after a lost connection."""
        host, renewed = self.host, remote_host(self, message)
        self._told_match = True
        promised = self._promised
        if promised is not None and promised.commitment == renewed.commitment:
            told = message.get("hashes"), message.get("additions")
            if told != (promised.hashes, promised.additions):
                self._broken("other_hashes")
                return
        self.seat = renewed.seat.number
        missed = goes_on(host, renewed)
        if missed is not None:
            if missed:
                self._hearers.tell({"now": "notice", "kind": "missed", "facts": {"n": missed}})
            if isinstance(host, RemoteHost) and host.seat.waits_for_deal:
                self._errand("ready")
            return
        self.host = renewed
        self._changed.set()
        self._hearers.tell({"now": "match", "table": message.get("table")})

    # the shuffle

    def _promise(self, message: Message) -> None:
        try:
            if message["now"] == "promise":
                self._promised = Promised(self._known.promises, self.address.text, message)
                if self._promised.hash is not None:
                    self._errand("hash", hash=self._promised.hash)
            elif self._promised is None:
                return
            elif message["now"] == "hashes":
                self._promised.take_hashes(message["hashes"])
                if self._promised.addition is not None:
                    self._errand("addition", addition=self._promised.addition)
            elif message["now"] == "additions":
                self._promised.take_additions(message["additions"])
            else:
                self._promised.cancelled(message["seat"], message["why"])
                self._promised = None
        except BadPromise as bad:
            self._broken(bad.kind)
        except OSError as error:
            self._hearers.tell({"now": "notice", "kind": "promise_not_kept", "facts": {"why": error.strerror or "?"}})

    def _broken(self, kind: str) -> None:
        """The server does not keep to the order that makes a deal provable: then this match is not played."""
        self._promised = None
        self._hearers.tell({"now": "notice", "kind": f"promise_{kind}", "facts": {}})
        self._errand("leave")

    def _over(self, message: Message) -> None:
        host, self._promised = self.host, None
        commitment = host.commitment if isinstance(host, RemoteHost) else ""
        self._hearers.tell(
            {"now": "over", "record": message.get("record"), "name": message.get("name"), "commitment": commitment}
        )

    def _errand(self, do: str, **facts: object) -> None:
        async def run() -> None:
            with contextlib.suppress(Declined, Lost, Refused):
                await self._request({"do": do, **facts})

        self._errands.start(run())


def _addresses(texts: Iterable[str]) -> list[Address]:
    known = []
    for text in texts:
        with contextlib.suppress(ValueError):
            known.append(address_of(text))
    return known


class _Client(asyncssh.SSHClient):
    """Knows the server by its key: at the first visit it is remembered, later it must be the same."""

    def __init__(self, wanted: str | None) -> None:
        self._wanted = wanted
        self.first = wanted is None
        self.fingerprint = ""
        self.other = False

    def validate_host_public_key(self, host: str, addr: str, port: int, key: asyncssh.SSHKey) -> bool:
        """Is it the server that we know?"""
        self.fingerprint = str(key.get_fingerprint())
        self.other = self._wanted is not None and self._wanted != self.fingerprint
        return not self.other


class _Session(asyncssh.SSHClientSession[bytes]):
    """The channel's lines."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._rest = b""

    def data_received(self, data: bytes, datatype: asyncssh.DataType) -> None:
        """Bytes came."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._link.take(line)
        if len(self._rest) > LONGEST_ANSWER:
            self._link.take(b"")

    def connection_lost(self, exc: Exception | None) -> None:
        """The channel is gone."""
        self._link.lost(self)


def _unreachable(address: Address, client: _Client, known: Known, error: Exception) -> Unreachable:
    """Why a server was not reached, as one sentence's kind and facts."""
    host = address.text
    if client.other:
        return Unreachable("other_key", host=host, file=str(known.servers_file), key=client.fingerprint)
    if isinstance(error, asyncssh.PermissionDenied):
        return Unreachable("not_admitted", host=host)
    if isinstance(error, (asyncssh.ChannelOpenError, asyncssh.ProtocolError, asyncssh.KeyExchangeFailed)):
        return Unreachable("no_club", host=host)
    if isinstance(error, socket.gaierror):
        return Unreachable("no_host", host=host)
    if isinstance(error, ConnectionRefusedError):
        return Unreachable("nothing_there", host=host)
    if isinstance(error, (asyncio.TimeoutError, TimeoutError)):
        return Unreachable("no_answer", host=host)
    return Unreachable("gone", host=host)


def _nodelay(connection: asyncssh.SSHClientConnection) -> None:
    """A decision is sent at once."""
    sock = connection.get_extra_info("socket")
    if sock is not None:
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
