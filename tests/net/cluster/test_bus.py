"""The connection to NATS: what is wrong with it is one sentence, and what is right is there."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import datetime
import hashlib
import ipaddress
import json
import os
import time
from pathlib import Path
from typing import Any

import nkeys  # type: ignore[import-untyped]
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from kozel.net.cluster.bus import Bus, Unfit, Wanted, urls_of
from net.cluster.nats_servers import nats_servers

ACCOUNTS = """
accounts {
  SYS { users: [{user: sys, password: sys}], exports: [{service: "$SYS.REQ.SERVER.PING.JSZ", response_type: stream}] }
  KOZEL { jetstream: enabled, users: [{user: kozel, password: secret}],
          imports: [{service: {account: SYS, subject: "$SYS.REQ.SERVER.PING.JSZ"}}] }
}
system_account: SYS
"""


def opened(*urls: str, credentials: Path | None = None, ca: Path | None = None) -> tuple[int, list[str]]:
    """Open a connection; the copies that NATS keeps, and the kinds of warnings."""

    async def run() -> tuple[int, list[str]]:
        bus = await Bus.open(Wanted(urls, credentials, ca))
        told = bus.replicas, [kind for kind, _ in bus.warnings]
        await bus.close()
        return told

    return asyncio.run(asyncio.wait_for(run(), 40))


def unfit(*urls: str, **wanted: Any) -> str:
    """Why a connection cannot be."""
    with pytest.raises(Unfit) as no:
        opened(*urls, **wanted)
    return no.value.kind


@pytest.mark.parametrize("text", ["", ",", "http://a", "nats://", "nats://a:port", "nats://a b", "nats://a:99999"])
def test_what_is_no_address_is_said(text: str) -> None:
    with pytest.raises(Unfit, match="bad_url"):
        urls_of(text)


def test_a_password_in_an_address_is_not_shown() -> None:
    for url in ("nats://kozel:se@cr:et@127.0.0.1:1", "kozel:se@cr:et@127.0.0.1:1"):
        with pytest.raises(Unfit) as no:
            opened(url)
        assert "127.0.0.1:1" in str(no.value.facts["url"])
        assert "cr" not in str(no.value.facts["url"])
    with pytest.raises(Unfit) as no:
        urls_of("http://kozel:secret@a")
    assert no.value.facts == {"url": "http://a"}


def test_nobody_there() -> None:
    assert unfit("nats://127.0.0.1:1") == "unreachable"
    assert unfit("nats://nowhere.invalid:4222") == "unreachable"


def test_one_address_that_answers_is_enough(tmp_path: Path) -> None:
    with nats_servers(tmp_path) as servers:
        assert opened("nats://127.0.0.1:1", *servers.urls)[0] == 1


def test_without_jetstream(tmp_path: Path) -> None:
    with nats_servers(tmp_path, jetstream=None) as servers:
        assert unfit(*servers.urls) == "no_jetstream"


def test_an_old_server() -> None:
    """A stand-in for nats-server 2.9, which is not to be had here: it says its version and nothing else of use."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        info = {"server_id": "x", "version": "2.9.10", "proto": 1, "max_payload": 1048576, "headers": True}
        writer.write(b"INFO " + json.dumps(info).encode() + b" \r\n")
        with contextlib.suppress(OSError):
            while line := await reader.readline():
                if line.startswith(b"PING"):
                    writer.write(b"PONG\r\n")
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(Unfit) as no:
            await asyncio.wait_for(Bus.open(Wanted((f"nats://127.0.0.1:{port}",))), 20)
        assert (no.value.kind, no.value.facts) == ("too_old", {"version": "2.9.10"})
        server.close()

    asyncio.run(run())


def test_an_account_of_its_own_sees_whether_it_is_written_at_once(tmp_path: Path) -> None:
    with nats_servers(tmp_path / "1", config=ACCOUNTS) as servers:
        [port] = servers.ports
        assert opened(f"nats://kozel:secret@127.0.0.1:{port}") == (1, [])
        assert unfit(f"nats://kozel:wrong@127.0.0.1:{port}") == "credentials"
        assert unfit(f"nats://127.0.0.1:{port}") == "credentials"
    with nats_servers(tmp_path / "2", config=ACCOUNTS, jetstream="max_file_store: 1GB") as servers:
        [port] = servers.ports
        assert opened(f"nats://kozel:secret@127.0.0.1:{port}") == (1, ["sync"])


def test_where_it_cannot_be_seen_that_is_said(tmp_path: Path) -> None:
    with nats_servers(tmp_path) as servers:
        assert opened(*servers.urls) == (1, ["sync_unknown"])


def test_an_account_without_rights(tmp_path: Path) -> None:
    config = (
        'authorization { users: [{user: a, password: b, permissions: {publish: "nothing", subscribe: "_INBOX.>"}}] }'
    )
    with nats_servers(tmp_path, config=config) as servers:
        [port] = servers.ports
        assert unfit(f"nats://a:b@127.0.0.1:{port}") == "no_rights"


@pytest.mark.slow
def test_copies_grow_with_the_servers(tmp_path: Path) -> None:
    with nats_servers(tmp_path, 3, config=ACCOUNTS) as servers:
        urls = [f"nats://kozel:secret@127.0.0.1:{port}" for port in servers.ports]
        assert opened(*urls) == (3, [])


def test_files_that_are_none(tmp_path: Path) -> None:
    nonsense = tmp_path / "nonsense"
    nonsense.write_text("nonsense", encoding="utf-8")
    assert unfit("nats://127.0.0.1:1", credentials=nonsense) == "no_credentials"
    assert unfit("nats://127.0.0.1:1", credentials=tmp_path / "nothing") == "file"
    assert unfit("nats://127.0.0.1:1", ca=nonsense) == "no_ca"
    assert unfit("nats://127.0.0.1:1", ca=tmp_path / "nothing") == "file"


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for this machine that is its own authority, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    folder.mkdir(exist_ok=True)
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return folder / "cert.pem", folder / "key.pem"


def test_a_certificate_is_checked(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path / "tls")
    other, _ = certificate(tmp_path / "other")
    config = f'tls {{ cert_file: "{cert.as_posix()}", key_file: "{key.as_posix()}" }}'
    with nats_servers(tmp_path / "nats", config=config) as servers:
        url = servers.urls[0].replace("nats:", "tls:")
        assert opened(url, ca=cert)[0] == 1
        assert unfit(url) == "certificate"
        assert unfit(url, ca=other) == "certificate"


class Key:
    """An nkey of a kind: O for an operator, A for an account, U for a user."""

    def __init__(self, kind: str) -> None:
        prefix = {"O": nkeys.PREFIX_BYTE_OPERATOR, "A": nkeys.PREFIX_BYTE_ACCOUNT, "U": nkeys.PREFIX_BYTE_USER}[kind]
        self.seed = bytes(nkeys.encode_seed(os.urandom(32), prefix))
        self.pair = nkeys.from_seed(bytearray(self.seed))
        self.public = bytes(self.pair.public_key).decode()

    def sign(self, subject: Key, name: str, claims: dict[str, Any]) -> str:
        """A JWT as NATS wants it."""
        body: dict[str, Any] = {
            "iat": int(time.time()),
            "iss": self.public,
            "name": name,
            "sub": subject.public,
            "nats": {"version": 2, **claims},
        }
        body["jti"] = base64.b32encode(hashlib.sha256(json.dumps(body).encode()).digest()).decode().rstrip("=")
        parts = [
            base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
            for part in ({"typ": "JWT", "alg": "ed25519-nkey"}, body)
        ]
        signature = base64.urlsafe_b64encode(bytes(self.pair.sign(b".".join(parts)))).rstrip(b"=")
        return b".".join([*parts, signature]).decode()


def test_a_credentials_file_opens_the_door(tmp_path: Path) -> None:
    operator, system, account, user, stranger = Key("O"), Key("A"), Key("A"), Key("U"), Key("U")
    every = dict.fromkeys(("subs", "data", "payload", "imports", "exports", "conn", "leaf"), -1)
    store = dict.fromkeys(("mem_storage", "disk_storage", "streams", "consumer"), -1)
    limits = {**every, "wildcards": True}
    jwts = {
        "operator": operator.sign(operator, "op", {"type": "operator", "system_account": system.public}),
        "system": operator.sign(system, "SYS", {"type": "account", "limits": limits}),
        "account": operator.sign(account, "KOZEL", {"type": "account", "limits": {**limits, **store}}),
    }
    config = (
        f"operator: {jwts['operator']}\nsystem_account: {system.public}\nresolver: MEMORY\n"
        f"resolver_preload: {{ {system.public}: {jwts['system']}, {account.public}: {jwts['account']} }}\n"
    )

    def file(name: str, key: Key, signer: Key) -> Path:
        users = dict.fromkeys(("subs", "data", "payload"), -1)
        jwt = signer.sign(key, "kozel", {"type": "user", **users})
        path = tmp_path / name
        path.write_text(
            f"-----BEGIN NATS USER JWT-----\n{jwt}\n------END NATS USER JWT------\n\n"
            f"-----BEGIN USER NKEY SEED-----\n{key.seed.decode()}\n------END USER NKEY SEED------\n",
            encoding="utf-8",
        )
        return path

    with nats_servers(tmp_path / "nats", config=config) as servers:
        assert opened(*servers.urls, credentials=file("good.creds", user, account))[0] == 1
        assert unfit(*servers.urls, credentials=file("bad.creds", stranger, Key("A"))) == "credentials"
        assert unfit(*servers.urls) == "credentials"
