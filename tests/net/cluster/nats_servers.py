"""Real NATS servers in processes of their own, on free ports of this machine, that can be killed, frozen and started again."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_READY = 30.0


def nats_server() -> str:
    """The program, from its wheel beside this Python."""
    found = shutil.which("nats-server", path=str(Path(sys.executable).parent)) or shutil.which("nats-server")
    assert found is not None, "nats-server is not installed"
    return found


def free_ports(n: int) -> list[int]:
    """Ports that nobody listens on."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(n)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


class NatsServers:
    """`n` servers of one cluster. `jetstream`, `config`: what stands in that block of the settings, and beside it.

    `advertise`: do they tell clients of each other.
    """

    def __init__(
        self,
        folder: Path,
        n: int = 1,
        *,
        jetstream: str | None = "sync_interval: always",
        config: str = "",
        advertise: bool = True,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self.n, self._jetstream = folder, n, jetstream
        ports = free_ports(3 * n)
        self.ports, self._routes, self._monitors = ports[:n], ports[n : 2 * n], ports[2 * n :]
        hidden = "no_advertise: true" if not advertise else ""
        routes = ", ".join(f"nats://127.0.0.1:{port}" for port in self._routes)
        for i in range(n):
            lines = [f"server_name: n{i}", f"listen: 127.0.0.1:{self.ports[i]}", f"http: 127.0.0.1:{self._monitors[i]}"]
            if jetstream is not None:
                lines.append(f'jetstream {{ store_dir: "{(folder / str(i)).as_posix()}", {jetstream} }}')
            if n > 1:
                lines.append(
                    f"cluster {{ name: c, listen: 127.0.0.1:{self._routes[i]}, routes: [{routes}], {hidden} }}"
                )
            (folder / f"{i}.conf").write_text("\n".join([*lines, config, ""]), encoding="utf-8")
        self.processes: list[subprocess.Popen[bytes] | None] = [None] * n
        for i in range(n):
            self.start(i, wait=False)
        self.wait()

    @property
    def urls(self) -> list[str]:
        """Where clients reach them."""
        return [f"nats://127.0.0.1:{port}" for port in self.ports]

    def start(self, i: int, *, wait: bool = True) -> None:
        """Start one (again)."""
        with (self._folder / f"{i}.log").open("ab") as log:
            self.processes[i] = subprocess.Popen(
                [nats_server(), "-c", str(self._folder / f"{i}.conf")], stdout=log, stderr=log, start_new_session=True
            )
        if wait:
            self.wait(i)

    def wait(self, i: int | None = None) -> None:
        """Wait until one, or all, can be used."""
        until = time.monotonic() + _READY
        for each in range(self.n) if i is None else (i,):
            while not self._healthy(each):
                assert time.monotonic() < until, (self._folder / f"{each}.log").read_text(encoding="utf-8")[-2000:]
                time.sleep(0.02)

    def _healthy(self, i: int) -> bool:
        check = "healthz" if self._jetstream is not None else "varz"
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._monitors[i]}/{check}", timeout=1) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def kill(self, i: int) -> None:
        """End one without a word."""
        process, self.processes[i] = self.processes[i], None
        if process is not None:
            process.kill()
            process.wait()

    def freeze(self, i: int) -> None:
        """SIGSTOP."""
        self._signal(i, signal.SIGSTOP)

    def thaw(self, i: int) -> None:
        """SIGCONT."""
        self._signal(i, signal.SIGCONT)

    def _signal(self, i: int, signum: int) -> None:
        process = self.processes[i]
        assert process is not None
        process.send_signal(signum)

    def leader(self, stream: str) -> int:
        """The number of the server that leads a stream."""
        for i in range(self.n):
            if self.processes[i] is None:
                continue
            with contextlib.suppress(OSError, KeyError, IndexError, StopIteration, ValueError):
                for account in self._jsz(i)["account_details"]:
                    for each in account["stream_detail"]:
                        if each["name"] == stream:
                            return int(each["cluster"]["leader"][1:])
        raise AssertionError(f"nobody leads {stream}")

    def _jsz(self, i: int) -> Any:
        url = f"http://127.0.0.1:{self._monitors[i]}/jsz?streams=1"
        with urllib.request.urlopen(url, timeout=2) as answer:
            return json.load(answer)

    def close(self) -> None:
        """End all."""
        for i in range(self.n):
            process = self.processes[i]
            if process is not None:
                process.send_signal(signal.SIGCONT)
            self.kill(i)


@contextlib.contextmanager
def nats_servers(folder: Path, n: int = 1, **settings: Any) -> Iterator[NatsServers]:
    """Servers for a while."""
    servers = NatsServers(folder, n, **settings)
    try:
        yield servers
    finally:
        servers.close()
