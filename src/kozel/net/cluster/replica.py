"""A bucket of NATS as this server knows it: read at once, written with a check of what stood there."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import DeliverPolicy
from nats.js.errors import Error as JetStreamError
from nats.nuid import NUID

from kozel.net.cluster.bus import Away, Bus, Stored, WrongLast, away, bucket_place

log = logging.getLogger(__name__)

_PATIENCE = 5.0
_PAUSE = 0.2
_LOOK_EVERY = 1.0

HearEntry = Callable[[str, Any], None]


class Taken(Exception):
    """The key is there already."""


class Stale(Exception):
    """The value is another one than the one that was to be replaced."""


class _Pending(NamedTuple):
    """What is to be written later. `mark`: the same at each try; `known`: what stood there, as far as this server knew."""

    value: Any
    mark: str
    known: tuple[Any, ...]


class Replica:
    """A bucket kept up by a watch. Keys are words of letters, digits and `-_.=/`; values are plain data."""

    def __init__(self, bus: Bus, bucket: str) -> None:
        self._bus, self._bucket = bus, bucket
        self._values: dict[str, Any] = {}
        self._revisions: dict[str, int] = {}
        self._seen = 0
        self._behind = 0
        self._hearers: list[HearEntry] = []
        self._later: dict[str, _Pending] = {}
        self._names = NUID()
        self._subscription: JetStreamContext.PushSubscription | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._more, self._look = asyncio.Event(), asyncio.Event()
        self._stop: Callable[[], None] | None = None

    @classmethod
    async def open(cls, bus: Bus, bucket: str) -> Replica:
        """Read a bucket, and follow it from now on. Raises `Away`."""
        replica = cls(bus, bucket)
        await replica._watch()
        until = time.monotonic() + _PATIENCE
        last = await bus.last_sequence(bucket_place(bucket, ">")[0])
        while replica._seen < last:
            if time.monotonic() > until:
                raise Away(bucket)
            await asyncio.sleep(0.005)
        replica._stop = bus.listen(replica._bus_changed)
        replica._tasks = [asyncio.ensure_future(replica._look_after()), asyncio.ensure_future(replica._write_later())]
        return replica

    async def close(self) -> None:
        """Follow it no more; what is to be written later is written now, if that can be."""
        until = time.monotonic() + 1
        while self._later and self._bus.connected and time.monotonic() < until:
            await asyncio.sleep(0.02)
        if self._stop is not None:
            self._stop()
        for task in self._tasks:
            task.cancel()
        await self._forget()

    def get(self, key: str) -> Any:
        """The value of a key, None where there is none; what is to be written later counts already."""
        return self._later[key].value if key in self._later else self._values.get(key)

    async def fetch(self, key: str) -> Any:
        """The value of a key as NATS has it now, which the watch may not have told yet. Raises `Away`."""
        last = await self._bus.last(*bucket_place(self._bucket, key))
        if last is not None:
            self._apply(key, last)
        return self.get(key)

    def items(self) -> Iterator[tuple[str, Any]]:
        """All keys and values."""
        values = {**self._values, **{key: pending.value for key, pending in self._later.items()}}
        yield from [(key, value) for key, value in values.items() if value is not None]

    def revision(self, key: str) -> int:
        """The number of the last change of a key, 0 where there was none."""
        return self._revisions.get(key, 0)

    def listen(self, hear: HearEntry) -> Callable[[], None]:
        """Tell `hear` each key that changes and its value, None where it is gone; call what is returned to stop."""
        self._hearers.append(hear)
        return lambda: self._hearers.remove(hear)

    async def create(self, key: str, value: Any) -> int:
        """A key that is not there yet; what is to be written there later comes first. Raises `Taken`, `OSError`."""
        until = time.monotonic() + _PATIENCE
        while key in self._later:
            if time.monotonic() > until:
                raise Away(key)
            await asyncio.sleep(0.005)
        if key in self._values:
            raise Taken(key)
        try:
            return await self._write(key, value, self.revision(key))
        except WrongLast as wrong:
            last = wrong.last
            if last is not None and not last.gone:
                raise Taken(key) from None
            try:
                return await self._write(key, value, last.sequence if last else 0)
            except WrongLast:
                raise Taken(key) from None

    async def update(self, key: str, value: Any, revision: int) -> int:
        """Another value in place of the one of that revision. Raises `Stale`, `OSError`."""
        try:
            return await self._write(key, value, revision)
        except WrongLast as wrong:
            if wrong.last is not None:
                self._apply(key, wrong.last)
            raise Stale(key) from None

    async def put(self, key: str, value: Any) -> int:
        """A value, whatever stands there. Raises `OSError`."""
        return await self._write(key, value, None)

    async def delete(self, key: str) -> None:
        """No value any more. Raises `OSError`."""
        await self._write(key, None, None)

    def later(self, key: str, value: Any) -> None:
        """A value, or None for no value any more, as soon as it can be; only the newest of a key counts.

        A value that another server has put there meanwhile is not taken away.
        """
        before = self._later.pop(key, None)
        known = (self._values.get(key), *((before.value, *before.known) if before else ()))
        self._later[key] = _Pending(value, self._mark(), known)
        self._more.set()

    # inside

    def _mark(self) -> str:
        return self._names.next().decode()

    async def _write(
        self, key: str, value: Any, expected: int | None, seconds: float = _PATIENCE, mark: str | None = None
    ) -> int:
        data = None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        stored = await self._bus.put(self._bucket, key, data, mark or self._mark(), expected=expected, seconds=seconds)
        if stored is None:
            return self.revision(key)
        self._apply(key, stored)
        return stored.sequence

    def _apply(self, key: str, stored: Stored) -> None:
        if stored.sequence <= self.revision(key):
            return
        self._revisions[key] = stored.sequence
        if stored.gone:
            self._values.pop(key, None)
        else:
            try:
                self._values[key] = json.loads(stored.data)
            except ValueError:
                log.warning("%s %s is no value of ours", self._bucket, key)
                self._values.pop(key, None)
        value = self._values.get(key)
        for hear in tuple(self._hearers):
            hear(key, value)

    async def _watch(self) -> None:
        """Read all that stands there, and hear what comes. Raises `Away`."""
        await self._forget()
        stream, subject = bucket_place(self._bucket, ">")

        async def came(message: Msg) -> None:
            sequence = message.metadata.sequence.stream
            self._apply(
                message.subject[len(subject) - 1 :], Stored(sequence, dict(message.headers or {}), message.data)
            )
            self._seen = max(self._seen, sequence)

        with away(self._bucket):
            self._subscription = await self._bus.js.subscribe(
                subject,
                stream=stream,
                cb=came,
                ordered_consumer=True,
                deliver_policy=DeliverPolicy.LAST_PER_SUBJECT,
                inactive_threshold=300.0,
            )

    async def _forget(self) -> None:
        subscription, self._subscription = self._subscription, None
        if subscription is not None:
            with contextlib.suppress(NatsError, JetStreamError, OSError, asyncio.TimeoutError):
                await asyncio.wait_for(subscription.unsubscribe(), 1)

    def _bus_changed(self, there: bool) -> None:
        if there:
            self._behind = 2
            self._look.set()
            self._more.set()

    async def _look_after(self) -> None:
        """A watch can end without a word, where NATS' leader was killed: then all is read anew."""
        while True:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._look.wait(), _LOOK_EVERY)
            self._look.clear()
            try:
                last = await self._bus.last_sequence(bucket_place(self._bucket, ">")[0])
                self._behind = self._behind + 1 if last > self._seen else 0 if self._behind < 2 else self._behind
                if self._behind >= 2:
                    await self._watch()
                    self._behind = 0
            except Away:
                continue
            except Exception:
                log.exception("bucket %s", self._bucket)

    async def _write_later(self) -> None:
        while True:
            await self._more.wait()
            self._more.clear()
            while self._later:
                key, pending = next(iter(self._later.items()))
                try:
                    if pending.value is None:
                        await self._take_away(key, pending)
                    else:
                        await self._write(key, pending.value, None, 0.0, pending.mark)
                except OSError:
                    await asyncio.sleep(_PAUSE)
                    continue
                if self._later.get(key) is pending:
                    del self._later[key]

    async def _take_away(self, key: str, pending: _Pending) -> None:
        """Delete a key as long as what stands there is what this server knew. Raises `OSError`."""
        while self._values.get(key) in pending.known:
            try:
                await self._write(key, None, self.revision(key), 0.0, pending.mark)
                return
            except WrongLast as wrong:
                if wrong.last is None or wrong.last.gone or wrong.last.sequence <= self.revision(key):
                    return
                self._apply(key, wrong.last)
