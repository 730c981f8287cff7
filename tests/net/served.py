"""A server of ours in a process of its own, real ssh and real `kozel join` on pseudo-terminals, and a wire that can be cut."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]

_OPEN = re.compile(r"ssh -p (\d+)")


class Served:
    """`kozel serve` in a folder. `port`: where; `said`: its lines so far."""

    def __init__(self, folder: Path, *flags: str, port: int = 0, lang: str = "en") -> None:
        self.folder, self._flags, self._lang = folder, flags, lang
        self.port = port
        self.start()

    def start(self) -> None:
        """Start it, at the port that it had before."""
        log = self.folder.with_suffix(".out")
        self._out = log.open("wb")
        words = [
            "serve",
            "--address",
            "127.0.0.1",
            "--port",
            str(self.port),
            "--data-dir",
            str(self.folder),
            *self._flags,
        ]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kozel", *words, "--lang", self._lang], stdout=self._out, stderr=subprocess.STDOUT
        )
        until = time.monotonic() + 90
        while time.monotonic() < until:
            self.said = log.read_text(encoding="utf-8", errors="replace")
            found = _OPEN.search(self.said)
            if found and "SHA256:" in self.said:
                self.port = int(found[1])
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise AssertionError(f"no server: {self.said}")

    def stop(self, signum: int = signal.SIGTERM) -> int:
        """End it; its exit status."""
        self.process.send_signal(signum)
        status = self.process.wait(20)
        self._out.close()
        self.said = self.folder.with_suffix(".out").read_text(encoding="utf-8", errors="replace")
        return status

    def kill(self) -> None:
        """End it without a word."""
        self.stop(signal.SIGKILL)


@contextlib.contextmanager
def served(folder: Path, *flags: str) -> Iterator[Served]:
    """A server for a while."""
    server = Served(folder, *flags)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()


class Screen:
    """A program on a pseudo-terminal, and what it has written."""

    def __init__(self, words: list[str], **environ: str) -> None:
        env = {**os.environ, "TERM": "xterm", "LANG": "C.UTF-8", **environ}
        self.child = pexpect.spawn(words[0], words[1:], env=env, encoding="utf-8", codec_errors="replace", timeout=20)
        self.child.setwinsize(40, 120)

    def hear(self, *texts: str, seconds: float = 20) -> str:
        """Wait for one of these texts (regular expressions)."""
        at: int = self.child.expect(list(texts), timeout=seconds)
        return texts[at]

    def press(self, *keys: str) -> None:
        """Press keys, each long enough after the one before to count."""
        for key in keys:
            time.sleep(0.7)
            self.child.send(key)

    def end(self) -> int | None:
        """Wait for its end; the exit status."""
        self.child.expect(pexpect.EOF, timeout=20)
        self.child.close()
        status: int | None = self.child.exitstatus
        return status

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(pexpect.ExceptionPexpect):  # a busy machine takes its time to bury it
            self.child.close(force=True)


def ssh(port: int, key: Path | None, name: str = "Anna", **environ: str) -> Screen:
    """A real ssh client, with a key or without any."""
    options = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-F", "none", "-e", "none"]
    options += ["-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", "-o", "LogLevel=ERROR"]
    options += ["-i", str(key)] if key is not None else ["-o", "PubkeyAuthentication=no"]
    return Screen(["ssh", "-tt", "-p", str(port), *options, f"{name}@127.0.0.1"], **environ)


def new_key(path: Path) -> Path:
    """A key of a visitor's."""
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True, timeout=30)
    return path


def join(port: int, folder: Path, name: str, *words: str, lang: str = "en") -> Screen:
    """The installed game at the server."""
    command = [sys.executable, "-m", "kozel", "join", f"127.0.0.1:{port}", *words]
    return Screen([*command, "--name", name, "--data-dir", str(folder), "--lang", lang])


class Wire:
    """A port that leads to another one, until it is cut; a cut one leads nowhere until it is mended."""

    def __init__(self, port: int) -> None:
        self._to, self.port = port, 0
        self._pairs: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._cut = False
        self.delay = 0.0

    async def __aenter__(self) -> Wire:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *exc: Any) -> None:
        self.cut()
        assert self._server is not None
        self._server.close()

    def cut(self) -> None:
        """Nothing goes through any more."""
        self._cut = True
        for writer in tuple(self._pairs):
            writer.transport.abort()

    def mend(self) -> None:
        """New connections go through again."""
        self._cut = False

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._cut:
            writer.transport.abort()
            return
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.transport.abort()
            return
        self._pairs |= {writer, far_writer}
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(self._one_way(reader, far_writer), self._one_way(far_reader, writer))
        self._pairs -= {writer, far_writer}

    async def _one_way(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(4096):
                if self.delay:
                    await asyncio.sleep(self.delay)
                writer.write(data)
                await writer.drain()
        writer.transport.abort()
