"""`docs/protocol.md` names all that the server takes and tells, so that a client can be written from it alone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import kozel
from kozel.engine.plain import read_plain
from kozel.engine.seen import View
from kozel.locales import languages
from kozel.locales.catalogue import catalogue
from kozel.net.club import Club
from kozel.net.wish import PHRASES

SOURCE = Path(kozel.__file__).parent / "net"
PAGE = (SOURCE.parent.parent.parent / "docs" / "protocol.md").read_text(encoding="utf-8")
NOT_OVER_THE_WIRE = {"back", "closed", "gone", "nonsense", "cancelled", "lost", "other"}
"""Of guests at door one, or made by the client itself."""


def texts(*names: str) -> str:
    return "".join((SOURCE / name).read_text(encoding="utf-8") for name in names)


def test_every_request_stands_on_the_page() -> None:
    requests = {name.removeprefix("_do_") for name in vars(Club) if name.startswith("_do_")} | {"hello"}
    for request in requests - NOT_OVER_THE_WIRE:
        assert f"`{request}`" in PAGE, request


def test_every_reason_stands_on_the_page_and_in_every_catalogue() -> None:
    told = texts(
        "club.py",
        "room.py",
        "company.py",
        "dealing.py",
        "identity.py",
        "limits.py",
        "wish.py",
        "wire.py",
        "door_two.py",
    )
    reasons = set(re.findall(r'Declined\("(\w+)"', told))
    assert len(reasons) > 30
    for reason in reasons | {"fault", "not_kept"}:
        for lang in languages():
            assert f"net.no_{reason}" in catalogue(lang), reason
        if reason not in NOT_OVER_THE_WIRE | {"no_guests"}:
            assert f"`{reason}`" in PAGE, reason


def test_every_notice_has_a_sentence() -> None:
    kinds = set(re.findall(r'notice\(\s*"(\w+)"', texts("club.py", "room.py", "company.py")))
    assert len(kinds) > 15
    for kind in kinds:
        assert f"net.{kind}" in catalogue("en"), kind


def test_every_message_of_the_server_stands_on_the_page() -> None:
    told = set(re.findall(r'"now": "(\w+)"', texts("club.py", "room.py", "company.py", "door_two.py")))
    for now in told:
        assert f"`{now}`" in PAGE, now
    for phrase in PHRASES:
        assert f"`{phrase}`" in PAGE


def lines(side: str) -> list[str]:
    block = PAGE[PAGE.index("```") :]
    return [line[2:] for line in block.split("\n") if line.startswith(side + " ") and not line.endswith("…")]


def test_the_recorded_session_is_one() -> None:
    sent = [json.loads(line) for line in lines("C")]
    came = [json.loads(line) for line in lines("S")]
    assert sent[0]["do"] == "hello"
    assert {answer["re"] for answer in came if "re" in answer} >= {request["id"] for request in sent[:9]}
    view: View | None = None
    for message in came:
        if message.get("now") == "match":
            view = View(**{name: read_plain(value) for name, value in message["view"].items()})
        if message.get("now") == "update":
            for event in message["events"]:
                read_plain(event)
    assert view is not None
    assert view.seat == 0


@pytest.mark.parametrize("word", ["commitment", "hashes", "additions", "past+", "serial", "legal", "2222", "4096"])
def test_what_a_client_needs_is_explained(word: str) -> None:
    assert word in PAGE
