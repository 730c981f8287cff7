"""What keys are called, and which of them a terminal keeps to itself, as measured (readers and terminals of the papers)."""

from __future__ import annotations

from pathlib import Path

import pytest

from kozel.session.commands import Command
from kozel.terminal.keyboard import KeymapNames, lost_keys
from kozel.terminal.keymap import load_keymap, shipped_ids

_SHIFTED = {"s-left", "s-right", "s-up", "s-down"}


@pytest.mark.parametrize(
    ("environ", "lost"),
    [
        ({"TERM": "xterm-256color", "XTERM_VERSION": "XTerm(379)"}, set()),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7006"}, {"f1"}),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7006", "GNOME_TERMINAL_SCREEN": "/x"}, set()),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7006", "XDG_CURRENT_DESKTOP": "XFCE"}, {"f1", "c-f3"}),
        ({"TERM": "xterm-256color", "KONSOLE_VERSION": "221203"}, _SHIFTED),
        ({"TERM": "xterm-256color", "KONSOLE_VERSION": "221203", "XDG_CURRENT_DESKTOP": "KDE"}, _SHIFTED | {"c-f3"}),
        ({"TERM": "linux"}, _SHIFTED | {"c-f3", "c-s-f3", "s-f9"}),
        ({"TERM": "xterm", "TSDR_ACTIVE": "true"}, {"left", "right", "delete"}),
    ],
)
def test_what_a_terminal_is_known_to_take(environ: dict[str, str], lost: set[str]) -> None:
    assert lost_keys(environ, "yes", "linux") == lost
    assert lost_keys(environ, "no", "linux") == lost | {"s-space"}


def test_sentences_name_a_key_that_arrives() -> None:
    names = KeymapNames(load_keymap("classic"), frozenset({"s-left", "left", "s-space", "c-f3"}))
    assert names.of(Command.HELP, "en") == "K"  # so many terminals keep F1
    assert names.of(Command.END_LEFT, "en") == "L"
    assert names.of(Command.WALK_LEFT, "en") == "F"
    assert names.of(Command.MARK, "en") == "X"
    assert names.of(Command.LAST_ROUND, "ru") == "P"
    assert names.of(Command.END_RIGHT, "ru") == "Shift стрелка вправо"
    assert names.all_of(Command.END_LEFT, "en") == ("L",)
    assert names.pressed("paste", "en") == "pasted text"
    assert names.pressed("Ч", "ru") == "Ч"


def test_a_command_without_a_key_has_no_name_and_one_with_lost_keys_only_keeps_them(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("extends: classic\nkeys: {eggs: none, end_left: Shift+Left, help: F1}\n", encoding="utf-8")
    names = KeymapNames(load_keymap(path), frozenset({"s-left"}))
    assert (names.of(Command.EGGS, "en"), names.all_of(Command.EGGS, "en")) == ("", ())
    assert names.of(Command.END_LEFT, "en") == "Shift Left"
    assert names.of(Command.HELP, "en") == "F1"


def test_losses_are_told_with_what_does_the_same() -> None:
    names = KeymapNames(load_keymap("classic"), frozenset({"f1", "s-up", "s-space"}))
    assert names.losses() == (("f1", "s-up"), ("k", "u"))
    assert KeymapNames(load_keymap("letters"), frozenset({"f1", "s-up"})).losses() == ((), ())


@pytest.mark.parametrize("name", shipped_ids())
def test_whatever_a_terminal_takes_every_command_has_another_key(name: str) -> None:
    for environ in ({"TERM": "linux"}, {"KONSOLE_VERSION": "1"}, {"VTE_VERSION": "1", "XDG_CURRENT_DESKTOP": "XFCE"}):
        lost = lost_keys(environ, "no", "linux")
        for command, keys in load_keymap(name).commands.items():
            assert set(keys) - lost, command
