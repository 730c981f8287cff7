"""What the installed game keeps of the network: its own key, the keys of servers, and what it was promised."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import asyncssh

from kozel.engine.shuffle import addition_hash
from kozel.files import set_aside
from kozel.net.logs import write_private
from kozel.net.wire import Message

_CLUBS = "clubs"
"""Where lists of servers stand among their keys: no address is called so."""


class Known:
    """The files in a player's data folder: `network/key`, `network/servers.json`, `promises/`.

    `aside`: where a damaged list of servers was put, which the player is to hear of.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "network"
        self.promises = folder / "promises"
        self.aside: Path | None = None

    def key(self) -> asyncssh.SSHKey:
        """The own key, made silently at the first time. Raises `OSError`, `ValueError` where the file holds none."""
        path = self._folder / "key"
        if path.exists():
            try:
                return asyncssh.read_private_key(str(path))
            except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError) as error:
                raise ValueError(f"{path}: {error}") from None
        key = asyncssh.generate_private_key("ssh-ed25519", comment="kozel")
        write_private(path, key.export_private_key().decode())
        return key

    @property
    def servers_file(self) -> Path:
        """Where the keys of servers are kept."""
        return self._folder / "servers.json"

    def server(self, address: str) -> str | None:
        """The fingerprint of the key that a server had at the first visit."""
        value = self._servers().get(address)
        return value if isinstance(value, str) else None

    def remember(self, address: str, fingerprint: str) -> None:
        """Keep a server's key. Raises `OSError`."""
        self._write({**self._servers(), address: fingerprint})

    def others(self, address: str) -> list[str]:
        """The other servers of the same club, as they were told at the last visit."""
        clubs = self._servers().get(_CLUBS)
        for club in clubs if isinstance(clubs, list) else []:
            if isinstance(club, list) and address in club:
                return [str(other) for other in club if other != address]
        return []

    def learn(self, address: str, others: Mapping[str, str]) -> None:
        """Keep the other servers of the club of one, with the keys of those that were not known. Raises `OSError`."""
        before = self._servers()
        clubs = before.get(_CLUBS)
        club = {address, *others}
        kept = [[*map(str, each)] for each in clubs if isinstance(each, list)] if isinstance(clubs, list) else []
        after = {**others, **before, _CLUBS: [*(each for each in kept if not club & set(each)), [address, *others]]}
        if club not in map(set, kept) or len(after) > len(before):
            self._write(after)

    def _write(self, servers: Message) -> None:
        write_private(self.servers_file, json.dumps(servers, indent=1) + "\n")

    def _servers(self) -> Message:
        try:
            known = json.loads(self.servers_file.read_text(encoding="utf-8"))
        except OSError:
            return {}
        except ValueError:
            known = None
        if not isinstance(known, dict):
            self.aside = set_aside(self.servers_file, date.today())
            return {}
        return known


class BadPromise(Exception):
    """What the server tells does not fit what it told before. `kind` says what."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__(kind)


class Promised:
    """What was promised for one match, as it comes: commitment, hashes, additions. Kept before anything is opened."""

    def __init__(self, folder: Path, server: str, message: Message) -> None:
        self._folder, self._server = folder, server
        self.commitment: str = message["commitment"]
        self.players: list[str] = message["players"]
        self.adds: list[bool] = message["adds"]
        self.seat: int | None = message["seat"]
        self.addition = secrets.token_urlsafe(24) if self.seat is not None and self.adds[self.seat] else None
        self.hashes: list[str | None] | None = None
        self.additions: list[str | None] | None = None

    @property
    def path(self) -> Path:
        """The file that keeps it."""
        return self._folder / f"{date.today().isoformat()}-{self.commitment[:16]}.json"

    @property
    def hash(self) -> str | None:
        """What is told of the own addition."""
        return None if self.addition is None else addition_hash(self.addition)

    def take_hashes(self, hashes: list[str | None]) -> None:
        """All hashes came: they are kept. Raises `BadPromise` where the own addition must not be opened, `OSError`."""
        if self.hashes is not None and hashes != self.hashes:
            raise BadPromise("other_hashes")
        if len(hashes) != len(self.adds) or [text is not None for text in hashes] != self.adds:
            raise BadPromise("hash_missing")
        if self.seat is not None and hashes[self.seat] != self.hash:
            raise BadPromise("own_hash")
        self.hashes = hashes
        self._keep()

    def take_additions(self, additions: list[str | None]) -> None:
        """All additions came. Raises `BadPromise` where one is not what was promised, `OSError`."""
        if self.hashes is None:
            raise BadPromise("hash_missing")
        told = [None if text is None else addition_hash(text) for text in additions]
        if told != self.hashes or (self.seat is not None and additions[self.seat] != self.addition):
            raise BadPromise("other_addition")
        self.additions = additions
        self._keep()

    def cancelled(self, seat: int | None, why: str) -> None:
        """The match was cancelled, by a seat or by nobody: that is kept, too. Raises `OSError`."""
        self._keep(cancelled={"seat": seat, "name": None if seat is None else self.players[seat], "why": why})

    def _keep(self, **more: object) -> None:
        kept = {
            "commitment": self.commitment,
            "hashes": self.hashes,
            "addition": self.addition,
            "seat": self.seat,
            "players": self.players,
            "server": self._server,
            "additions": self.additions,
            **more,
        }
        write_private(self.path, json.dumps(kept, ensure_ascii=False, indent=1) + "\n")


def kept_promise(folder: Path, commitment: str) -> Path | None:
    """The file of the promise with this commitment."""
    return next(iter(sorted(folder.glob(f"*-{commitment[:16]}.json"), reverse=True)), None)
