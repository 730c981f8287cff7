"""`kozel serve`: tables for friends, until a signal ends it."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import ipaddress
import socket
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kozel.clean import clean
from kozel.cli.app import App
from kozel.cli.installation import install_line
from kozel.cli.mistakes import Mistake, wrong
from kozel.records.locking import Hold, InUse, hold
from kozel.terminal.signals import SignalWatch

if TYPE_CHECKING:
    import asyncssh

    from kozel.net.club import Club
    from kozel.net.cluster.bus import Wanted
    from kozel.net.limits import Bars

NETWORK_MODULE = "asyncssh"
_FOLDER = "server"
_NOWHERE = ("192.0.2.1", 9)
"""An address from the range for documents: asking the way to it sends nothing, and tells one's own address."""


def needs_network(app: App) -> None:
    """Raises `Mistake` where the extra is not installed."""
    if find_spec(NETWORK_MODULE) is None:
        raise wrong(app.lang, "serve_extra", line=install_line("network"))


def serve_command(app: App, parsed: argparse.Namespace) -> int:
    """`kozel serve`; the exit status."""
    from kozel.cli.cluster_commands import check_nats_flags, status_command

    check_nats_flags(app, parsed)
    if parsed.status is not None:
        return status_command(app, parsed)
    needs_network(app)
    wanted = _wanted(app, parsed)
    return asyncio.run(_serve(app, wanted))


class _Wanted(NamedTuple):
    """What the operator's flags ask for."""

    folder: Path
    address: str
    port: int
    name: str
    tables: int
    away: int
    guests: bool
    allow: list[str] | None
    bars: Bars
    bar_file: Path | None
    key: asyncssh.SSHKey
    reach: tuple[str, int] | None
    nats: Wanted | None


def _wanted(app: App, parsed: argparse.Namespace) -> _Wanted:
    """The flags, read. Raises `Mistake`."""
    from kozel.cli.cluster_commands import wanted_nats
    from kozel.net.limits import Bars
    from kozel.net.link import address_of
    from kozel.net.server import allowed_keys, host_key

    folder = app.settings.folder.path / _FOLDER
    port = _number(app, "--port", parsed.port, 0, 65535, "serve_port")
    tables = _number(app, "--tables", parsed.tables, 1, 100_000)
    away = _number(app, "--away", parsed.away, 1, 86_400)
    if parsed.guests not in ("yes", "no"):
        raise wrong(app.lang, "serve_yes_no", value=clean(parsed.guests) or "")
    try:
        allow = allowed_keys(Path(parsed.allow)) if parsed.allow is not None else None
    except OSError as error:
        raise _unreadable(app, "--allow", parsed.allow, error) from None
    except ValueError as error:
        raise wrong(app.lang, "serve_allow_line", file=parsed.allow, line=str(error)) from None
    bar_file = Path(parsed.bar) if parsed.bar is not None else None
    try:
        bars = Bars(bar_file)
    except OSError as error:
        raise _unreadable(app, "--bar", parsed.bar, error) from None
    try:
        key = host_key(folder / "host_key")
    except ValueError as error:
        raise wrong(app.lang, "serve_key", file=folder / "host_key", why=str(error)) from None
    except OSError as error:
        raise _unwritable(app, folder, error) from None
    try:
        reach = address_of(parsed.reach) if parsed.reach is not None else None
    except ValueError:
        raise wrong(app.lang, "serve_reach", value=clean(parsed.reach) or "") from None
    nats = wanted_nats(app, parsed.nats, parsed) if parsed.nats is not None else None
    name = clean(parsed.name, 60) if parsed.name is not None else None
    guests = parsed.guests == "yes"
    name = name or socket.gethostname()
    address = parsed.address or ""
    return _Wanted(folder, address, port, name, tables, away, guests, allow, bars, bar_file, key, reach, nats)


async def _serve(app: App, wanted: _Wanted) -> int:
    """Serve until a signal comes."""
    from kozel.cli.door_one import DoorOne
    from kozel.net.diary import close_diary, log_event, open_diary
    from kozel.net.server import Server, collect_rarely

    alone = _alone(app, wanted.folder)
    try:
        diary = open_diary(wanted.folder)
        club = await _club(app, wanted)
        damaged = await club.open()
    except OSError as error:
        raise _unwritable(app, wanted.folder, error) from None
    server = Server(club, wanted.key, None, wanted.allow)

    def places() -> list[tuple[str, int]]:
        return [wanted.reach] if wanted.reach is not None else addresses(wanted.address, server.port)

    server.door_one = DoorOne(club, places).serve
    came = asyncio.Event()
    signals: list[int] = []

    def stop(signum: int) -> None:
        signals.append(signum)
        came.set()

    with SignalWatch(stop):
        try:
            await server.open(wanted.address, wanted.port)
        except OSError as error:
            await club.close()
            where = wanted.address or app.say("cli.serve_everywhere")
            why = error.strerror or str(error)
            raise wrong(app.lang, "serve_listen", port=wanted.port, address=where, why=why) from None
        club.reached_at([(host, port, server.fingerprint) for host, port in places()])
        _tell_open(app, club.name, places(), server.fingerprint)
        kept = sum(1 for _ in club.rooms)
        if kept:
            app.tell(app.say("cli.serve_kept", n=kept))
        for table in damaged:
            app.tell(app.say("cli.serve_damaged", table=table, file=wanted.folder / "tables" / table))
        collect_rarely()
        log_event("server_open", club=club.name, port=server.port, tables=kept, damaged=damaged)
        await came.wait()
        log_event("server_stops", signal=signals[0])
        await server.close()
    close_diary(diary)
    alone.release()
    app.tell(app.say("cli.serve_stopped"))
    return 128 + signals[0]


def _alone(app: App, folder: Path) -> Hold:
    """The folder, held for this server alone. Raises `Mistake`."""
    lock = folder / "running"
    try:
        lock.touch(mode=0o600)
        return hold(lock)
    except InUse:
        raise wrong(app.lang, "serve_twice", file=folder) from None
    except OSError as error:
        raise _unwritable(app, folder, error) from None


async def _club(app: App, wanted: _Wanted) -> Club:
    """The club, on this server alone or on many. Raises `OSError`, `Mistake`."""
    from kozel.cli.cluster_commands import cluster_club
    from kozel.net.club import Club

    settings: dict[str, Any] = {
        "name": wanted.name,
        "tables": wanted.tables,
        "away": wanted.away,
        "guests": wanted.guests,
        "pause": app.pause,
    }
    if wanted.nats is not None:
        return await cluster_club(app, wanted.nats, wanted.folder, wanted.bar_file, settings)
    return Club(wanted.folder, bars=wanted.bars, **settings)


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


def _unwritable(app: App, folder: Path, error: OSError) -> Mistake:
    return wrong(app.lang, "serve_data", file=folder, why=error.strerror or str(error))


def _unreadable(app: App, name: str, file: str, error: OSError) -> Mistake:
    return wrong(app.lang, "serve_file", name=name, file=file, why=error.strerror or str(error))
