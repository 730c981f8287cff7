"""`kozel join`, and the menu's "Play with friends": the installed game at a server."""

from __future__ import annotations

import contextlib
import getpass
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from kozel.clean import clean
from kozel.cli.app import App
from kozel.cli.menu import Menus
from kozel.cli.mistakes import wrong
from kozel.cli.serve_command import join_line, needs_network, ssh_line
from kozel.terminal.source import KeySource

if TYPE_CHECKING:
    from kozel.cli.visit import Visit
    from kozel.net.link import Address, Link
    from kozel.net.wire import Message

GONE = 1
"""The exit status where a server is gone or refuses."""


def join_command(app: App, host: str, code: str | None, name: str | None) -> int:
    """`kozel join HOST[:PORT] [CODE]`; the exit status."""
    needs_network(app)
    from kozel.cli.visit import Visit

    address = _address(app, host)
    digits = None
    if code is not None:
        digits = "".join(code.split())
        if not (digits.isascii() and digits.isdecimal() and len(digits) == 8):
            raise wrong(app.lang, "join_code", text=clean(code, 60) or "")
    status = 0

    async def play(keys: KeySource) -> None:
        nonlocal status
        status = await at_server(visit, keys, address, digits, name)

    visit = Visit(app)
    app.tell(app.announcer.start_sentence())
    ended = visit.run(play)
    return ended or status


async def join_from_menu(visit: Visit, menus: Menus) -> None:
    """The menu's item: asks for the address, the last one proposed. Raises `Mistake`."""
    app = visit.app
    needs_network(app)
    file = app.settings.folder.path / "network" / "last"
    last = _read(file)
    typed = await menus.line(app.say("friends.type_address") + (f" {last}" if last else ""))
    if typed is None or not (typed.strip() or last):
        return
    text = typed.strip() or last
    words = text.split()
    address = _address(app, words[0])
    code = "".join(words[1:]) or None
    if await at_server(visit, menus.keys, address, code, None) == 0:
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(address.text, encoding="utf-8")


async def at_server(visit: Visit, keys: KeySource, address: Address, code: str | None, name: str | None) -> int:
    """At a server until it is left; 1 where it cannot be reached, or is gone."""
    from kozel.cli.friends import Friends, Out, no_words
    from kozel.net.known import Known
    from kozel.net.link import Link, Unreachable
    from kozel.net.wire import Declined

    app = visit.app
    app.tell(app.say("net.connecting", host=address.text))
    known = Known(app.settings.folder.path)
    link = Link(address, known, name or _default_name(app), app.lang, own=name is not None)
    if known.aside is not None:
        app.tell(app.say("cli.servers_damaged", file=known.servers_file, aside=known.aside.name))
    try:
        await link.open()
    except Unreachable as error:
        app.tell(app.say(f"net.cannot_{error.kind}", **error.facts))
        return GONE
    except Declined as no:
        app.tell(no_words(app, no.kind, no.facts))
        return GONE
    except (OSError, ValueError) as error:
        raise wrong(app.lang, "join_key", why=str(error)) from None
    try:
        if link.first:
            app.tell(app.say("net.first_visit", key=known.server(address.text)))
        app.tell(app.say("net.welcome", club=clean(link.server, 60) or address.text, name=clean(link.name) or "?"))
        await _fetch(app, link)

        async def over(told: Message) -> list[str]:
            return await _keep(app, link, told)

        def invitation(table: str) -> Sequence[str]:
            place = (address.host, address.port)
            return [app.say("friends.invite_code", code=table), join_line(*place, table), ssh_line(*place)]

        await Friends(link, app, keys, visit.thinkers, over, invitation).stay(code)
    except Out as out:
        app.tell(no_words(app, out.kind, out.facts))
        return GONE
    finally:
        await link.close()
    return 0


async def _fetch(app: App, link: Link) -> None:
    """Matches that ended while this player was away."""
    from kozel.net.remote import Lost
    from kozel.net.wire import Declined

    with contextlib.suppress(Declined, Lost, OSError):
        names = (await link.ask("records"))["records"]
        for name in names:
            record = (await link.ask("record", name=name))["record"]
            _save(app, str(record))
            await link.ask("fetched", name=name)
        if names:
            app.tell(app.say("net.fetched", n=len(names)))


async def _keep(app: App, link: Link, told: Message) -> list[str]:
    """A match is over: its record goes to the own matches, its deals are compared with what was promised."""
    record = told.get("record")
    if not isinstance(record, str):
        return []
    lines = []
    try:
        path = _save(app, record)
    except OSError as error:
        lines.append(app.say("net.record_not_kept", why=error.strerror or str(error)))
    else:
        lines.append(app.say("net.record_kept"))
        name = told.get("name")
        if isinstance(name, str):
            await link.ask("fetched", name=name)
        lines.append(_compared(app, path, str(told.get("commitment") or "")))
    return lines


def _save(app: App, record: str) -> Path:
    """Put a record among the own matches. Raises `OSError`."""
    from kozel.play.store import keep_record
    from kozel.records.reading import BadHead, parse_record

    folder = app.settings.folder
    try:
        ruleset = parse_record(record, folder.matches / "record.yaml").head.ruleset.id
    except BadHead:
        ruleset = "record"
    return keep_record(folder, ruleset, date.today(), record)


def _compared(app: App, record: Path, commitment: str) -> str:
    """Were the deals as promised, in a sentence?"""
    from kozel.narration.faults import fault_sentence
    from kozel.net.known import kept_promise
    from kozel.records.replay import replay_text
    from kozel.records.shuffling import read_promise
    from kozel.yamltree import BadFile

    kept = kept_promise(app.settings.folder.path / "promises", commitment) if commitment else None
    try:
        promise = read_promise(kept) if kept is not None else None
    except BadFile as error:
        return app.say("net.deal_broken", why=error.problems[0].placed(app.lang))
    result = replay_text(
        record.read_bytes(),
        record.name,
        lambda fault, players: fault_sentence(app.lang, fault, players),
        lang=app.lang,
        promise=promise,
    )
    if not result["ok"]:
        return app.say("net.deal_broken", why=result["error"])
    return app.say("net.deal_proven" if result["shuffle"] == "proven" else "net.deal_consistent")


def _address(app: App, text: str) -> Address:
    from kozel.net.link import PORT, address_of

    try:
        return address_of(text)
    except ValueError:
        raise wrong(app.lang, "join_address", text=clean(text, 80) or "", port=PORT) from None


def _default_name(app: App) -> str:
    """The name to come by at the first time: that of the user of this machine, where it has one."""
    try:
        user = clean(getpass.getuser(), 30)
    except (OSError, KeyError, ImportError):
        user = None
    if user is None or user in ("root", "user", "admin", "administrator"):
        return app.say("friends.default_name")
    return user[:1].upper() + user[1:]


def _read(file: Path) -> str:
    try:
        return clean(file.read_text(encoding="utf-8"), 100) or ""
    except (OSError, ValueError):
        return ""
