"""`kozel serve`: tables for friends, until a signal ends it."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import ipaddress
import socket
from importlib.util import find_spec
from pathlib import Path

from kozel.cli.app import App
from kozel.cli.mistakes import Mistake, wrong
from kozel.clean import clean
from kozel.terminal.signals import SignalWatch

NETWORK_MODULE = "asyncssh"
DEFAULT_PORT, DEFAULT_TABLES, DEFAULT_AWAY = "2222", "250", "120"
_FOLDER = "server"
_NOWHERE = ("192.0.2.1", 9)
"""An address from the range for documents: asking the way to it sends nothing, and tells one's own address."""


def needs_network(app: App) -> None:
    """Raises `Mistake` where the extra is not installed."""
    if find_spec(NETWORK_MODULE) is None:
        raise wrong(app.lang, "serve_extra")


def serve_command(app: App, parsed: argparse.Namespace) -> int:
    """`kozel serve`; the exit status."""
    needs_network(app)
    from kozel.net.club import Club
    from kozel.net.limits import Bars
    from kozel.net.server import allowed_keys, host_key

    port = _number(app, "--port", parsed.port, 0, 65535, "serve_port")
    tables = _number(app, "--tables", parsed.tables, 1, 100_000)
    away = _number(app, "--away", parsed.away, 1, 86_400)
    if parsed.guests not in ("yes", "no"):
        raise wrong(app.lang, "serve_yes_no", value=clean(parsed.guests) or "")
    folder = app.settings.folder.path / _FOLDER
    allow = None
    if parsed.allow is not None:
        try:
            allow = allowed_keys(Path(parsed.allow))
        except OSError as error:
            raise _unreadable(app, "--allow", parsed.allow, error) from None
        except ValueError as error:
            raise wrong(app.lang, "serve_allow_line", file=parsed.allow, line=str(error)) from None
    try:
        bars = Bars(Path(parsed.bar) if parsed.bar is not None else None)
    except OSError as error:
        raise _unreadable(app, "--bar", parsed.bar, error) from None
    try:
        key = host_key(folder / "host_key")
    except ValueError as error:
        raise wrong(app.lang, "serve_key", file=folder / "host_key", why=str(error)) from None
    except OSError as error:
        raise wrong(app.lang, "serve_data", file=folder, why=error.strerror or str(error)) from None

    async def serve() -> int:
        from kozel.cli.door_one import DoorOne
        from kozel.net.server import Server

        name = clean(parsed.name, 60) if parsed.name is not None else None
        try:
            club = Club(
                folder,
                name=name or socket.gethostname(),
                tables=tables,
                away=away,
                guests=parsed.guests == "yes",
                bars=bars,
                pause=app.pause,
            )
            damaged = await club.open()
        except OSError as error:
            raise wrong(app.lang, "serve_data", file=folder, why=error.strerror or str(error)) from None
        server = Server(club, key, None, allow)
        server.door_one = DoorOne(club, lambda: addresses(parsed.address, server.port)).serve
        came = asyncio.Event()
        signals: list[int] = []

        def stop(signum: int) -> None:
            signals.append(signum)
            came.set()

        with SignalWatch(stop):
            try:
                await server.open(parsed.address or "", port)
            except OSError as error:
                await club.close()
                where = parsed.address or app.say("cli.serve_everywhere")
                why = error.strerror or str(error)
                raise wrong(app.lang, "serve_listen", port=port, address=where, why=why) from None
            _tell_open(app, server.club.name, addresses(parsed.address, server.port), server.fingerprint)
            kept = sum(1 for _ in club.rooms)
            if kept:
                app.tell(app.say("cli.serve_kept", n=kept))
            for table in damaged:
                app.tell(app.say("cli.serve_damaged", table=table, file=folder / "tables" / table))
            await came.wait()
            await server.close()
        app.tell(app.say("cli.serve_stopped"))
        return 128 + signals[0]

    return asyncio.run(serve())


def addresses(asked: str | None, port: int) -> list[tuple[str, int]]:
    """Where the server can be reached from the network it is in, as far as this machine knows."""
    if asked and not _is_any(asked):
        return [(asked, port)]
    own = []
    for family, nowhere in ((socket.AF_INET, _NOWHERE), (socket.AF_INET6, ("2001:db8::1", 9))):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect(nowhere)
            own.append(str(asking.getsockname()[0]))
    return [(address, port) for address in own] or [(socket.gethostname(), port)]


def ssh_line(host: str, port: int) -> str:
    """The line for plain ssh.

    >>> ssh_line("192.0.2.7", 2222)
    'ssh -p 2222 192.0.2.7'
    """
    return f"ssh -p {port} {host}" if port != 22 else f"ssh {host}"


def join_line(host: str, port: int, code: str = "") -> str:
    """The line for the installed game.

    >>> join_line("2001:db8::7", 2200, "12345678")
    'kozel join [2001:db8::7]:2200 12345678'
    """
    where = f"[{host}]" if ":" in host else host
    return " ".join(filter(None, ("kozel join", where if port == 2222 else f"{where}:{port}", code)))


def _tell_open(app: App, name: str, places: list[tuple[str, int]], fingerprint: str) -> None:
    lines = [app.say("cli.serve_open", club=name)]
    for host, port in places:
        lines.append(app.say("cli.serve_ssh", line=ssh_line(host, port)))
        lines.append(app.say("cli.serve_join", line=join_line(host, port)))
    app.tell(*lines, app.say("cli.serve_fingerprint", key=fingerprint))


def _is_any(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_unspecified
    except ValueError:
        return False


def _number(app: App, name: str, value: str, low: int, high: int, key: str = "serve_number") -> int:
    if value.isascii() and value.isdecimal() and len(value) < 10 and low <= int(value) <= high:
        return int(value)
    raise wrong(app.lang, key, name=name, value=clean(value) or "", low=low, high=high)


def _unreadable(app: App, name: str, file: str, error: OSError) -> Mistake:
    return wrong(app.lang, "serve_file", name=name, file=file, why=error.strerror or str(error))
