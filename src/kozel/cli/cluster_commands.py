"""`kozel serve --nats`: this server's part of a club on many servers; `kozel serve --status`: how they all are."""

from __future__ import annotations

import argparse
import asyncio
import json
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kozel.clean import clean
from kozel.cli.app import App
from kozel.cli.installation import install_line
from kozel.cli.mistakes import Mistake, wrong

if TYPE_CHECKING:
    from kozel.net.club import Club
    from kozel.net.cluster.bus import Bus, Unfit, Wanted

_MODULE = "nats"
_SECONDS = 1.0


def wanted_nats(app: App, urls: str, parsed: argparse.Namespace) -> Wanted:
    """Where NATS is, by the flags. Raises `Mistake`."""
    if find_spec(_MODULE) is None:
        raise wrong(app.lang, "cluster_extra", line=install_line("cluster"))
    from kozel.net.cluster.bus import Unfit, Wanted, urls_of

    try:
        return Wanted(urls_of(urls), _path(parsed.nats_credentials), _path(parsed.nats_ca))
    except Unfit as unfit:
        raise unfit_mistake(app, unfit) from None


def check_nats_flags(app: App, parsed: argparse.Namespace) -> None:
    """What goes only together. Raises `Mistake`."""
    if parsed.nats is None and parsed.status is None:
        for flag in ("nats_credentials", "nats_ca"):
            if getattr(parsed, flag) is not None:
                raise wrong(app.lang, "nats_needed", flag="--" + flag.replace("_", "-"))
    if parsed.json and parsed.status is None:
        raise wrong(app.lang, "status_needed")


async def cluster_club(app: App, nats: Wanted, folder: Path, bars: Path | None, settings: dict[str, Any]) -> Club:
    """This server's part of the club, with a word for the operator where NATS is not set up as it should be. Raises `Mistake`."""
    from kozel.net.cluster.bus import Bus, Unfit, shown
    from kozel.net.cluster.club import ClusterClub

    try:
        bus = await Bus.open(nats)
    except Unfit as unfit:
        raise unfit_mistake(app, unfit) from None
    for kind, facts in bus.warnings:
        app.tell(app.say(f"cli.nats_{kind}", **facts))
    app.tell(app.say("cli.nats_open", n=bus.replicas))
    try:
        return await ClusterClub.build(folder, bus, bars, **settings)
    except OSError as error:
        await bus.close()
        raise wrong(app.lang, "nats_gone", url=shown(",".join(nats.urls)), why=error.strerror or str(error)) from None


def status_command(app: App, parsed: argparse.Namespace) -> int:
    """`kozel serve --status URL`; the exit status."""
    nats = wanted_nats(app, parsed.status, parsed)
    servers = asyncio.run(_status(app, nats))
    sums = {
        name: sum(server[name] for server in servers) for name in ("people", "tables", "playing", "seats", "refused")
    }
    told = {
        "servers": servers,
        **sums,
        "lag_p95_ms": max((server["lag_p95_ms"] for server in servers), default=0.0),
    }
    if parsed.json:
        print(json.dumps(told, ensure_ascii=False, indent=1))
        return 0
    if not servers:
        app.tell(app.say("cli.status_nobody"))
        return 1
    app.tell(app.say("cli.status_all", n=len(servers), **sums))
    for server in servers:
        where = clean(", ".join(server["places"])) or server["server"]
        facts = {name: server[name] for name in server if name not in ("places", "server")}
        app.tell(app.say("cli.status_leaving" if server["leaving"] else "cli.status_server", where=where, **facts))
    return 0


async def _status(app: App, nats: Wanted) -> list[dict[str, Any]]:
    from kozel.net.cluster.bus import Away, Bus, Unfit, shown
    from kozel.net.cluster.club import STATUS

    try:
        bus: Bus = await Bus.open(nats, prepare=False)
    except Unfit as unfit:
        raise unfit_mistake(app, unfit) from None
    try:
        answers = await bus.gather(STATUS, b"{}", _SECONDS)
    except Away as error:
        raise wrong(app.lang, "nats_gone", url=shown(",".join(nats.urls)), why=error.strerror or "") from None
    finally:
        await bus.close()
    return sorted((json.loads(answer) for answer in answers), key=lambda server: str(server["server"]))


def unfit_mistake(app: App, unfit: Unfit) -> Mistake:
    """NATS cannot be used: one sentence."""
    facts = {name: clean(value, 300) or "?" if isinstance(value, str) else value for name, value in unfit.facts.items()}
    return wrong(app.lang, f"nats_{unfit.kind}", **facts)


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)
