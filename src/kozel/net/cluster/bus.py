"""The connection to NATS, with the streams and buckets that a club keeps there.

Settings as in `docs/cluster.md`: file storage, as many replicas as NATS servers, three at most.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, StorageType, StreamConfig, StreamInfo
from nats.js.errors import APIError, NotFoundError, ServiceUnavailableError
from nats.js.errors import Error as JetStreamError

from kozel.play.hearers import Hearers

log = logging.getLogger(__name__)

TABLES, FINISHED = "KOZEL_TABLES", "KOZEL_FINISHED"
"""The streams: the logs of tables, and the records of matches that are over."""
BUCKETS = ("kozel_tables", "kozel_names", "kozel_people", "kozel_records", "kozel_bars")
OLDEST = (2, 10)
"""The oldest nats-server that will do."""
_CONNECT, _ANSWER = 3, 5.0
_RECONNECT_EVERY, _PING_EVERY, _PINGS_LOST = 0.25, 2, 2
_BATCH = 500
_TRY, _PAUSE = 1.0, 0.2
_OPERATION = "KV-Operation"
_DEDUPE_SECONDS = 120.0
_FULL = (10047, 10077, 10023, 10054, 10122)
"""JetStream's codes for a store without room."""
_WRONG_LAST = (10071, 10164)
_SETTINGS_SUBJECT = "$SYS.REQ.SERVER.PING.JSZ"


class Unfit(Exception):
    """NATS cannot be used as it is. `kind`: the sentence's name, `facts` what fills it."""

    def __init__(self, kind: str, **facts: object) -> None:
        self.kind, self.facts = kind, facts
        super().__init__(f"{kind} {facts}")


class Away(OSError):
    """NATS does not answer now."""

    def __init__(self, what: str) -> None:
        super().__init__(110, "NATS does not answer", what)


class Wanted(NamedTuple):
    """Where NATS is, as the operator says it: addresses, a credentials file, a file with the certificate to trust."""

    urls: tuple[str, ...]
    credentials: Path | None = None
    ca: Path | None = None


def urls_of(text: str) -> tuple[str, ...]:
    """The addresses in `URL[,URL…]`. Raises `Unfit` for one that is none.

    >>> urls_of("nats://a.example:4222, tls://b.example")
    ('nats://a.example:4222', 'tls://b.example')
    """
    urls = tuple(each.strip() for each in text.split(",") if each.strip())
    for url in urls or ("",):
        full = url if "://" in url else f"nats://{url}"
        try:
            parts = urlsplit(full)
            fine = parts.scheme in ("nats", "tls") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
        except ValueError:
            fine = False
        if not fine or any(map(str.isspace, url)):
            raise Unfit("bad_url", url=shown(url or text))
    return urls


class WrongLast(Exception):
    """Somebody else has appended meanwhile: `last` is what stands there now."""

    def __init__(self, last: Stored | None) -> None:
        self.last = last
        super().__init__(f"last entry {last.sequence if last else 0}")


class Stored(NamedTuple):
    """An entry of a stream: its number, its headers, its bytes."""

    sequence: int
    headers: dict[str, str]
    data: bytes

    @property
    def gone(self) -> bool:
        """Of a bucket: does it say that there is no value any more?"""
        return self.headers.get(_OPERATION) in ("DEL", "PURGE") or "Nats-Marker-Reason" in self.headers


class Bus:
    """A connection that comes back by itself. `replicas`: copies that NATS keeps; `warnings`: sentences for the operator."""

    def __init__(self, client: Client, replicas: int) -> None:
        self._client, self.replicas = client, replicas
        self.js: JetStreamContext = client.jetstream(timeout=_ANSWER)
        self.warnings: list[tuple[str, dict[str, object]]] = []
        self._hearers: Hearers[bool] = Hearers()
        self.losses = 0
        self._closing = False
        self._forbidden: Exception | None = None

    @classmethod
    async def open(cls, wanted: Wanted, *, prepare: bool = True) -> Bus:
        """Connect, and (`prepare`) see to it that everything is there. Raises `Unfit`."""
        options = _options(wanted)
        await _probe(wanted, options)
        client = Client()
        bus = cls(client, 1)
        await client.connect(
            list(wanted.urls),
            **options,
            max_reconnect_attempts=-1,
            reconnect_time_wait=cast("int", _RECONNECT_EVERY),
            ping_interval=_PING_EVERY,
            max_outstanding_pings=_PINGS_LOST,
            disconnected_cb=bus._lost,
            reconnected_cb=bus._back,
            error_cb=bus._error,
            pending_size=0,
        )
        try:
            if prepare:
                await bus._prepare()
        except Unfit:
            await bus.close()
            raise
        except (NatsError, JetStreamError, OSError, asyncio.TimeoutError) as error:
            await bus.close()
            raise _unfit(bus._forbidden or error, ",".join(wanted.urls)) from error
        return bus

    @property
    def connected(self) -> bool:
        """Is NATS there?"""
        return self._client.is_connected

    def listen(self, hear: Callable[[bool], None]) -> Callable[[], None]:
        """Tell `hear` False when the connection is lost and True when it is back; call what is returned to stop."""
        return self._hearers.listen(hear)

    async def publish(self, subject: str, data: bytes) -> None:
        """Tell whoever listens now. What cannot be sent now is not sent. Raises `Away`."""
        if not self.connected:
            raise Away(subject)
        try:
            await self._client.publish(subject, data)
        except (NatsError, OSError) as error:
            raise Away(subject) from error

    async def subscribe(
        self, subject: str, hear: Callable[[bytes, str], Awaitable[None]]
    ) -> Callable[[], Awaitable[None]]:
        """Give `hear` the bytes, and where an answer is awaited, of each message; await what is returned to stop."""

        async def came(message: Msg) -> None:
            await hear(message.data, message.reply)

        subscription = await self._client.subscribe(subject, cb=came, pending_msgs_limit=1 << 20)
        return subscription.unsubscribe

    async def gather(self, subject: str, data: bytes, seconds: float) -> list[bytes]:
        """Ask everybody who listens; the answers that come in that time. Raises `Away`."""
        answers: list[bytes] = []

        async def came(message: Msg) -> None:
            if "Status" not in (message.headers or {}):  # which says that nobody listens
                answers.append(message.data)

        with away(subject):
            async with self._inbox(came) as inbox:
                await self._client.publish(subject, data, reply=inbox)
                await asyncio.sleep(seconds)
        return answers

    @contextlib.asynccontextmanager
    async def _inbox(self, came: Callable[[Msg], Awaitable[None]]) -> AsyncIterator[str]:
        """A subject for answers, for a while."""
        inbox = self._client.new_inbox()
        subscription = await self._client.subscribe(inbox, cb=came)
        try:
            yield inbox
        finally:
            with contextlib.suppress(NatsError, OSError):
                await subscription.unsubscribe()

    async def append(
        self,
        stream: str,
        subject: str,
        data: bytes,
        mark: str,
        *,
        expected: int | None = None,
        headers: Mapping[str, str] | None = None,
        seconds: float = _ANSWER,
    ) -> int:
        """One try to append an entry with a mark of its own; its number, also where an earlier try was carried out already.

        `expected`: the number of the subject's last entry before it, 0 where there is none. Raises `WrongLast` where that is
        another one, `Full`, and `Away` where it is not known whether the entry was appended.
        """
        if not self.connected:
            raise Away(subject)
        told = {**(headers or {}), "Nats-Msg-Id": mark}
        if expected is not None:
            told["Nats-Expected-Last-Subject-Sequence"] = str(expected)
        try:
            ack = await self.js.publish(subject, data, timeout=seconds, stream=stream, headers=told)
            if not ack.duplicate:
                return int(ack.seq)
        except APIError as error:
            if error.err_code not in _WRONG_LAST:
                log.warning("%s: %s %s", subject, error.err_code, error.description)
                raise (Full if is_full(error) else Away)(subject) from None
        except (NatsError, JetStreamError, OSError, asyncio.TimeoutError) as error:
            raise Away(subject) from error
        last = await self.last(stream, subject)
        if last is None or last.headers.get("Nats-Msg-Id") != mark:
            raise WrongLast(last)
        return last.sequence

    async def put(
        self, bucket: str, key: str, data: bytes | None, mark: str, *, expected: int | None = None, seconds: float
    ) -> Stored | None:
        """A value of a bucket, None for no value any more, tried for some seconds; what stands there then.

        `expected`: the number of the value to be replaced, 0 for none. Without it None is given back where somebody else has
        put another value there since. Raises `WrongLast`, `Away`.
        """
        stream, subject = bucket_place(bucket, key)
        headers = {_OPERATION: "DEL"} if data is None else {}
        until = time.monotonic() + seconds
        while True:
            try:
                number = await self.append(
                    stream, subject, data or b"", mark, expected=expected, headers=headers, seconds=_TRY
                )
                return Stored(number, headers, data or b"")
            except WrongLast:
                if expected is not None:
                    raise
                return None
            except Away:
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(_PAUSE)

    async def last(self, stream: str, subject: str) -> Stored | None:
        """The last entry of a subject, as the stream's leader has it. Raises `Away`."""
        with away(subject):
            try:
                message = await self.js.get_last_msg(stream, subject)
            except NotFoundError:
                return None
        return Stored(int(message.seq or 0), dict(message.headers or {}), message.data or b"")

    async def entries(self, stream: str, subject: str) -> list[Stored]:
        """All entries of a subject, in order. Raises `Away`."""
        with away(subject):
            entries = await self._batch(stream, subject)
            return await self._one_by_one(stream, subject) if entries is None else entries

    async def _batch(self, stream: str, subject: str) -> list[Stored] | None:
        """The entries in one go; None where NATS is too old for that (before 2.11)."""
        came: asyncio.Queue[Msg] = asyncio.Queue()
        entries: list[Stored] = []
        async with self._inbox(came.put) as inbox:
            while True:
                start = entries[-1].sequence + 1 if entries else 1
                asked = {"batch": _BATCH, "seq": start, "next_by_subj": subject}
                await self._client.publish(f"$JS.API.DIRECT.GET.{stream}", json.dumps(asked).encode(), reply=inbox)
                while True:
                    message = await asyncio.wait_for(came.get(), _ANSWER)
                    headers = message.headers or {}
                    if headers.get("Status") == "404":
                        return entries
                    if "Status" in headers:
                        if headers["Status"] != "204":
                            raise Away(subject)
                        break
                    if "Nats-Num-Pending" not in headers:
                        return None
                    entries.append(Stored(int(headers["Nats-Sequence"]), headers, message.data))
                if headers.get("Nats-Num-Pending", "0") == "0":
                    return entries

    async def _one_by_one(self, stream: str, subject: str) -> list[Stored]:
        entries: list[Stored] = []
        with contextlib.suppress(NotFoundError):
            while True:
                start = entries[-1].sequence + 1 if entries else 1
                message = await self.js.get_msg(stream, seq=start, subject=subject, next=True)
                entries.append(Stored(int(message.seq or 0), dict(message.headers or {}), message.data or b""))
        return entries

    async def last_sequence(self, stream: str) -> int:
        """The number of the last entry of a stream. Raises `Away`."""
        with away(stream):
            return int((await self.js.stream_info(stream)).state.last_seq)

    async def close(self) -> None:
        """Hang up."""
        self._closing = True
        with contextlib.suppress(NatsError, OSError, asyncio.TimeoutError):
            await asyncio.wait_for(self._client.close(), 3)

    # inside

    async def _lost(self) -> None:
        if self._closing:
            return
        self.losses += 1
        log.warning("NATS is lost")
        self._hearers.tell(False)

    async def _back(self) -> None:
        log.info("NATS is back")
        self._hearers.tell(True)

    async def _error(self, error: Exception) -> None:
        log.debug("NATS: %s", error)
        text = str(error).lower()
        if "permissions violation" in text and _SETTINGS_SUBJECT.lower() not in text:  # that one is asked for on trust
            self._forbidden = error

    async def _prepare(self) -> None:
        version = self._client.connected_server_version
        if (version.major, version.minor) < OLDEST:
            raise Unfit("too_old", version=f"{version.major}.{version.minor}.{version.patch}")
        try:
            await self.js.account_info()
        except (ServiceUnavailableError, NotFoundError):
            raise Unfit("no_jetstream") from None
        except APIError as error:
            if error.err_code in (10039, 10076):
                raise Unfit("no_jetstream") from None
            raise
        await self._settings()
        for name, subject in ((TABLES, "kozel.table.*.log"), (FINISHED, "kozel.finished.*")):
            await self._stream(
                StreamConfig(
                    name=name,
                    subjects=[subject],
                    storage=StorageType.FILE,
                    discard=DiscardPolicy.NEW,
                    duplicate_window=_DEDUPE_SECONDS,
                    allow_direct=True,
                )
            )
        for bucket in BUCKETS:
            name, subject = bucket_place(bucket, ">")
            await self._stream(
                StreamConfig(
                    name=name,
                    subjects=[subject],
                    storage=StorageType.FILE,
                    discard=DiscardPolicy.NEW,
                    max_msgs_per_subject=1,
                    allow_rollup_hdrs=True,
                    deny_delete=True,
                    allow_direct=True,
                    duplicate_window=_DEDUPE_SECONDS,
                )
            )

    async def _stream(self, config: StreamConfig) -> None:
        """A stream with as many replicas as can be had: what NATS refuses is tried with fewer. One that is there only grows."""
        name = cast("str", config.name)
        try:
            there: StreamInfo | None = await self.js.stream_info(name)
        except NotFoundError:
            there = None
        least = 1 if there is None else int(there.config.num_replicas or 1)
        for replicas in (3, 1):
            if replicas < least:
                continue
            if there is not None and replicas == least:
                break
            try:
                change = self.js.add_stream if there is None else self.js.update_stream
                await self._patiently(change, config.evolve(num_replicas=replicas))
                least = replicas
                break
            except APIError as error:
                if replicas == 1:
                    if error.err_code in _FULL:
                        raise Unfit("full", why=error.description or "") from None
                    raise
                log.info("%s with %d replicas: %s", name, replicas, error.description)
        self.replicas = least

    @staticmethod
    async def _patiently(change: Callable[[StreamConfig], Awaitable[StreamInfo]], config: StreamConfig) -> None:
        """Two servers that start at once may both make the stream; a cluster that has just come up needs a moment."""
        for patience in range(10):
            try:
                await change(config)
                return
            except (APIError, NatsError, asyncio.TimeoutError) as error:
                clustered = isinstance(error, APIError) and error.err_code in (10005, 10074, 10052, 10047)
                if clustered or patience == 9:
                    raise
                log.debug("stream %s: %s", config.name, error)
                await asyncio.sleep(0.5)

    async def _settings(self) -> None:
        """Do all NATS servers write at once?"""
        try:
            answers = await self.gather(_SETTINGS_SUBJECT, b'{"config":true}', 0.5)
        except Away:
            answers = []
        always: list[bool] = []
        for answer in answers:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                config = json.loads(answer)["data"].get("config") or {}
                always.append(bool(config.get("sync_always")))
        if not always:
            self.warnings.append(("sync_unknown", {}))
        elif not all(always):
            self.warnings.append(("sync", {"n": always.count(False)}))


def bucket_place(bucket: str, key: str) -> tuple[str, str]:
    """The stream of a bucket, and the subject of a key there; `>` stands for all keys."""
    return f"KV_{bucket}", f"$KV.{bucket}.{key}"


@contextlib.contextmanager
def away(what: str) -> Iterator[None]:
    """Whatever shows that NATS does not answer becomes `Away`."""
    try:
        yield
    except Away:
        raise
    except (NatsError, JetStreamError, OSError, asyncio.TimeoutError) as error:
        if isinstance(error, APIError) and is_full(error):
            raise Full(what) from error
        raise Away(what) from error


def is_full(error: APIError) -> bool:
    """Has NATS no room for more?"""
    return error.err_code in _FULL


class Full(Away):
    """NATS has no room for more."""


def _options(wanted: Wanted) -> dict[str, Any]:
    options: dict[str, Any] = {"connect_timeout": _CONNECT, "name": "kozel"}
    if wanted.credentials is not None:
        try:
            text = wanted.credentials.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Unfit("file", flag="--nats-credentials", file=wanted.credentials, why=_why(error)) from None
        if "BEGIN NATS USER JWT" not in text or "SEED" not in text:
            raise Unfit("no_credentials", file=wanted.credentials)
        options["user_credentials"] = str(wanted.credentials)
    if wanted.ca is not None:
        try:
            options["tls"] = ssl.create_default_context(cafile=str(wanted.ca))
        except (OSError, ssl.SSLError) as error:
            if isinstance(error, ssl.SSLError):
                raise Unfit("no_ca", file=wanted.ca) from None
            raise Unfit("file", flag="--nats-ca", file=wanted.ca, why=_why(error)) from None
    return options


async def _probe(wanted: Wanted, options: dict[str, Any]) -> None:
    """Is there anybody at all who lets us in? Raises `Unfit` with the reason of the first address."""
    reason: Unfit | None = None
    for url in wanted.urls:
        errors: list[Exception] = []

        async def note(error: Exception, errors: list[Exception] = errors) -> None:
            errors.append(error)

        try:
            client = await asyncio.wait_for(
                nats.connect(url, **options, allow_reconnect=False, error_cb=note), _CONNECT + 2
            )
        except Exception as error:  # whatever a nonsense address, certificate or seed makes the client raise
            reason = reason or _unfit(errors[0] if errors else error, url)
            continue
        await client.close()
        return
    raise reason or Unfit("unreachable", url="")


def shown(url: str) -> str:
    """An address, or several with commas between, without the name and password in it.

    >>> shown("tls://kozel:secret@a.example:4222")
    'tls://a.example:4222'
    """
    return ",".join(re.sub(r"^([a-z]+://)?.*@", r"\1", each, flags=re.DOTALL) for each in url.split(","))


def _unfit(error: Exception, url: str) -> Unfit:
    url = shown(url)
    text = f"{type(error).__name__} {error}".lower()
    if isinstance(error, ssl.SSLError) or "certificate" in text or "tls" in text:
        return Unfit("certificate", url=url, why=str(error))
    if "authorization" in text or "authentication" in text or "nkey" in text or "jwt" in text or "seed" in text:
        return Unfit("credentials", url=url)
    if "permissions violation" in text:
        return Unfit("no_rights", url=url)
    if isinstance(error, APIError) and error.err_code in _FULL:
        return Unfit("full", why=error.description or "")
    if isinstance(error, APIError) and error.err_code in (10039, 10076):
        return Unfit("no_jetstream")
    return Unfit("unreachable", url=url)


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or type(error).__name__
