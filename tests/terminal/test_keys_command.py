"""`kozel keys list` and `kozel keys test`."""

from __future__ import annotations

import asyncio
import os
import sys

import pytest

from kozel.terminal.keymap import load_keymap
from kozel.terminal.keys_command import list_keys, try_keys

_PRIVATE = {"HOME": "/home/anna", "USER": "anna", "SSH_CONNECTION": "10.1.2.3 5 10.1.2.4 22", "TERM": "xterm\x1b[31m"}


def _tried(data: bytes, lang: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the tester says to the bytes, from a real pipe."""
    read, write = os.pipe()
    os.write(write, data)
    os.close(write)
    said: list[str] = []
    with os.fdopen(read) as pipe:
        monkeypatch.setattr(sys, "stdin", pipe)
        asyncio.run(try_keys(load_keymap("classic"), lang, said.append, _PRIVATE))
    return said


def test_each_key_is_said_with_its_command_until_escape_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    said = _tried(b"\x1b[1;2R\x1b=\x1b[99X\x1b[57441u\x1b[200~secret\x1b[201~\x1b\x1bm", "en", monkeypatch)
    report = said.index("Summary for a report:")
    assert said[1:report] == [
        "Shift F3: the scores",
        "Escape: leave, the match is kept",
        "equals: does nothing",
        "a key that is not known: ESC [ 9 9 X",
        "pasted text, which is no key",
        "Escape: leave, the match is kept",
        "Escape: leave, the match is kept",
    ]
    assert "Shift+F3: ESC [ 1 ; 2 R" in said[report:]
    assert "unknown: ESC [ 9 9 X" in said[report:]
    assert "Keymap: classic" in said[report:]
    assert not any(line.startswith("M:") for line in said)


def test_in_russian_and_at_the_end_of_the_input(monkeypatch: pytest.MonkeyPatch) -> None:
    said = _tried("ч\x1b[1;2R".encode(), "ru", monkeypatch)
    assert said[1:3] == ["Ч: отметить дупль; в Осле ещё раз: закрытым; затем снять отметку", "Shift F3: счёт"]
    assert said[3] == "Итог для сообщения о неполадке:"


def test_nothing_private_is_in_the_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(_tried(b"\x1b[200~secret\x1b[201~\x1b\x1b", "en", monkeypatch))
    for private in ("anna", "10.1.2.3", "secret", "\x1b"):
        assert private not in text
    assert "SSH_CONNECTION is set" in text
    assert "TERM=xterm[31m" in text


def test_the_list_begins_with_the_keymaps_name() -> None:
    said: list[str] = []
    list_keys(load_keymap("left-hand"), "ru", said.append)
    assert said[0] == "Раскладка: левая рука"
    assert "A: влево по костям" in said
