"""What servers of a club say to each other: lines on subjects named by servers, never by anything that a player sends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from kozel.net.cluster.bus import Away, Bus
from kozel.net.wire import BadLine, Message, decode, encode

log = logging.getLogger(__name__)

Take = Callable[[Message], None]


class Post:
    """Sends messages to servers, this one included, in order. What is lost with NATS is lost: `Members` tells of it."""

    def __init__(self, bus: Bus, own: str, take: Take) -> None:
        self._bus, self._own, self._take = bus, own, take
        self._out: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Take what comes. Raises `Away`."""

        async def came(data: bytes, reply: str) -> None:
            try:
                self._take(decode(data))
            except (BadLine, KeyError, TypeError, ValueError) as error:
                log.warning("another server said %r: %s", data[:100], error)

        await self._bus.subscribe(f"kozel.server.{self._own}", came)
        self._task = asyncio.ensure_future(self._send_on())

    def close(self) -> None:
        """Send no more."""
        if self._task is not None:
            self._task.cancel()

    def send(self, server: str, message: Message) -> None:
        """Send a message, without waiting."""
        if server == self._own:
            asyncio.get_running_loop().call_soon(self._take, message)
        else:
            self._out.put_nowait((server, encode(message)))

    async def _send_on(self) -> None:
        while True:
            server, data = await self._out.get()
            try:
                await self._bus.publish(f"kozel.server.{server}", data)
            except Away:
                log.debug("a message to %s is lost", server)
