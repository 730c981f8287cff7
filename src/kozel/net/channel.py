"""Door one's terminal: a visitor's own, at the other end of an ssh channel. Lines go out, keys come in, no thread a player."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from kozel.locales import message
from kozel.net.limits import Bucket
from kozel.session.keys import ShiftSpace
from kozel.terminal.handshake import ANSWER_WAIT, Handshake
from kozel.terminal.names import writes_belarusian
from kozel.terminal.sequences import KeyEvent
from kozel.voice.announcer import Announcer
from kozel.voice.message import Message
from kozel.voice.modes import Mode
from kozel.voice.page import Page, Place, Steps, TerminalKind

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_processor import KeyPress

    from kozel.net.server import ChannelEnd
    from kozel.terminal.pt import Press

BYTES_A_SECOND, BYTES_AT_ONCE = 600.0, 4000.0
"""A key that is held down sends about 300; what comes faster waits at its sender."""
KEYS_WAITING = 100
"""So many keys may wait to be obeyed; until then no more are read."""
_MEASURE_EVERY = 60.0


class ChannelLines:
    """Lines written on a visitor's terminal; what has to wait waits in the event loop."""

    def __init__(self, channel: ChannelEnd, environ: Mapping[str, str]) -> None:
        self._channel = channel
        self._page = Page(lambda: channel.size, environ, platform="linux")
        self._page.cursor = "end"
        self._jobs: deque[Steps] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def again(self) -> str:
        """The sentence that tells one of many identical lines from the next."""
        return self._page.again

    @again.setter
    def again(self, text: str) -> None:
        self._page.again = text

    def say(self, messages: Sequence[Message]) -> None:
        """Writes messages that belong together."""
        if messages:
            self._put(self._page.say(messages))

    def typed(self, text: str, caret: int | None = None) -> None:
        """Shows a line that is being typed."""
        self._put(self._page.type(text, len(text) if caret is None else caret))

    def is_on(self, kind: TerminalKind) -> None:
        """The terminal said what it is."""
        self._page.is_on(kind)

    def set_up(self, *, cursor: Place, joined: bool) -> None:
        """Changes the settings; where nothing is asked for, the cursor stays at the message's end here."""
        self._page.cursor, self._page.joined = ("end" if cursor == "auto" else cursor), joined

    def ring(self) -> None:
        """The terminal's bell."""
        if not self._closed:
            self._channel.write(b"\a")

    def forget(self) -> bool:
        """Erases all that was written."""
        self._put(self._page.forget())
        return self._page.can_forget

    def flush(self, timeout: float = 1.0) -> bool:
        """Nothing waits here but for a reader's sake, and the event loop must not."""
        return not self._jobs

    def close(self, grace: float = 1.0) -> None:
        """Ends the last line."""
        if not self._closed:
            self._put(self._page.end())
            self._closed = True

    def _put(self, steps: Steps) -> None:
        if not self._closed:
            self._jobs.append(steps)
            if self._timer is None:
                self._go_on()

    def _go_on(self) -> None:
        self._timer = None
        while self._jobs:
            step = next(self._jobs[0], None)
            if step is None:
                self._jobs.popleft()
            elif isinstance(step, bytes):
                self._channel.write(step)
            else:
                self._timer = asyncio.get_running_loop().call_later(step, self._go_on)
                return


class ChannelTerminal:
    """Keys from a visitor's terminal. It is asked what it can tell of keys, and what it is, as one at this machine would be.

    So many bytes a second are read, so that nobody keeps all others waiting; `waiting` tells how many keys are not taken.
    """

    def __init__(
        self,
        channel: ChannelEnd,
        environ: Mapping[str, str],
        waiting: Callable[[], int],
        called: tuple[
            Callable[[list[Press]], None],
            Callable[[KeyEvent], None],
            Callable[[], None],
            Callable[[], None],
            Callable[[], None],
        ],
    ) -> None:
        from kozel.terminal.pt import GameParser

        self._channel, self._waiting = channel, waiting
        self._keys, self._event, self._end, self._settled, _ = called
        self.handshake = Handshake(self._write, environ.get("TERM", ""), environ)
        self._presses: list[Press] = []
        self._parser = GameParser(
            self._came,
            self._on_event,
            belarusian=writes_belarusian(environ),
        )
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="surrogateescape")
        self._bucket = Bucket(BYTES_A_SECOND, BYTES_AT_ONCE)
        self._tasks: list[asyncio.Task[None]] = []
        self._flush_timer: asyncio.TimerHandle | None = None
        self._round_trip = 0.0

    @property
    def level(self) -> str:
        """How it reports keys."""
        return self.handshake.level

    @property
    def kind(self) -> TerminalKind:
        """What it says that it is."""
        return self.handshake.kind

    @property
    def answers(self) -> Sequence[str]:
        """What it said at the start."""
        return self.handshake.answers

    @property
    def round_trip(self) -> float:
        """Seconds that a keepalive and its answer take, as measured last."""
        return self._round_trip

    def unread(self) -> bool:
        """Whether something came that was not read yet."""
        return self._channel.waiting > 0

    def shift_space(self) -> ShiftSpace:
        """Whether Shift+Space is told from Space."""
        return self.handshake.shift_space()

    def start(self) -> None:
        """Take the keys."""
        self.handshake.ask()
        if self.handshake.settled:
            self._settled()
        else:
            asyncio.get_running_loop().call_later(ANSWER_WAIT, self._give_up)
        self._tasks = [asyncio.ensure_future(self._read()), asyncio.ensure_future(self._measure())]

    async def finish(self) -> None:
        """Put the terminal back as it was."""
        self.handshake.close()
        for task in self._tasks:
            task.cancel()
        if self._flush_timer is not None:
            self._flush_timer.cancel()
        self.handshake.leave()

    def suspend(self) -> None:
        """There is no shell here to go back to."""

    def _write(self, text: str) -> None:
        self._channel.write(text.encode("ascii", "replace"))

    async def _read(self) -> None:
        while True:
            data = await self._channel.read()
            if not data:
                self._end()
                return
            for start in range(0, len(data), 256):
                part = data[start : start + 256]
                wait = self._bucket.take(len(part))
                if wait > 0:
                    await asyncio.sleep(wait)
                self._feed(part)
                while self._waiting() > KEYS_WAITING and not self._channel.gone:
                    await asyncio.sleep(0.02)

    def _feed(self, data: bytes) -> None:
        self._parser.feed(self._decoder.decode(data))
        self._give()

    def _give(self) -> None:
        presses, self._presses = self._presses, []
        if presses:
            self._keys(presses)
        if self._flush_timer is not None:
            self._flush_timer.cancel()
            self._flush_timer = None
        deadline = self._parser.deadline
        if deadline is not None:
            loop = asyncio.get_running_loop()
            self._flush_timer = loop.call_later(max(0.0, deadline - time.monotonic()), self._silence)

    def _came(self, press: KeyPress) -> None:
        self._presses.append(cast("Press", press))

    def _silence(self) -> None:
        self._parser.flush()
        self._give()

    def _on_event(self, event: KeyEvent) -> None:
        self._event(event)
        if event.kind == "reply":
            self.handshake.answer(event)
            if self.handshake.settled:
                self._settled()

    def _give_up(self) -> None:
        if not self.handshake.settled:
            self.handshake.give_up()
            self._settled()

    async def _measure(self) -> None:
        while not self._channel.gone:
            measured = await self._channel.round_trip()
            if measured is not None:
                self._round_trip = measured
            await asyncio.sleep(_MEASURE_EVERY)


class ChannelAnnouncer(Announcer):
    """Says things to a visitor: by lines on the visitor's terminal, never by a voice of the server's own."""

    def __init__(self, lang: str, lines: ChannelLines) -> None:
        super().__init__(lang, "lines", lines=lines)

    def announce_next_mode(self) -> float:
        """Where lines are all there is."""
        return self.say("echo", None, message(self.lang, "net.lines_only"), group="answers")

    def ask_for(self, mode: Mode) -> None:
        """It stays with lines."""


def environ_of(channel: ChannelEnd) -> dict[str, str]:
    """What is known of a visitor's terminal, as an environment: its type, and what its side sent along."""
    environ = {name: value for name, value in channel.environ.items() if name.startswith(("LANG", "LC_", "COLORTERM"))}
    return {**environ, "TERM": channel.term, "SSH_CONNECTION": "here"}


async def hang_up(lines: ChannelLines) -> None:
    """Let what waits for a reader's sake be written before the channel closes."""
    with contextlib.suppress(asyncio.TimeoutError):
        await asyncio.wait_for(_written(lines), 1.0)


async def _written(lines: ChannelLines) -> None:
    while not lines.flush():
        await asyncio.sleep(0.05)
