"""Backspace in the real program: in practice it takes moves back, elsewhere moves stand."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from kozel.locales import message
from kozel.play.library import Library
from kozel.play.store import Folder
from play.program import Line, Piped, command, environment

PLAY = ("play", "kozel", "--player", "Anna", "--player", "Boris:novice", "--seed", "5")
TAKEN_BACK = {"en": "Taken back: ", "ru": "Возврат: "}


def decide(kozel: Piped) -> list[Line]:
    """The decision of a hint."""
    [hint] = kozel.press("h")
    if hint.text.startswith(("Draw", "Берите")):
        return kozel.press("f4")
    lines = kozel.press("space")
    while lines[-1].text.endswith("?"):
        lines = kozel.press("left" if "left:" in hint.text or "слева:" in hint.text else "right")
    return lines


def stands(kozel: Piped) -> list[str]:
    """What the keys that tell say of the table."""
    return [kozel.press(key)[0].text for key in ("f9", "s-f9", "f3", "s-f4", "f2", "f5")]


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_moves_are_taken_back_to_the_rounds_start_and_played_again(tmp_path: Path, lang: str) -> None:
    with Piped(tmp_path, *PLAY, "--practice", lang=lang) as kozel:
        kozel.start()
        record = next(iter((tmp_path / "practice").glob("*.yaml")))
        before = []
        for _ in range(5):
            before.append((stands(kozel), record.read_bytes()))
            decide(kozel)
        after = stands(kozel), record.read_bytes()
        for told, written in reversed(before):
            lines = kozel.press("backspace")
            assert lines[0].text.startswith(TAKEN_BACK[lang])
            assert lines[-1].to == 0
            assert (stands(kozel), record.read_bytes()) == (told, written)
        assert kozel.press("backspace")[0].text == message(lang, "refusal.nothing_to_take_back")
        for _ in range(5):
            decide(kozel)
        assert (stands(kozel), record.read_bytes()) == after
    assert not Library(Folder(tmp_path)).entries()


def test_in_a_match_that_counts_moves_stand(tmp_path: Path) -> None:
    with Piped(tmp_path, *PLAY) as kozel:
        kozel.start()
        decide(kozel)
        told = stands(kozel)
        assert kozel.press("backspace")[0].text == message("en", "refusal.practice_only")
        assert stands(kozel) == told


def test_what_another_person_did_is_taken_back_and_the_keyboard_goes_to_them(tmp_path: Path) -> None:
    with Piped(tmp_path, "play", "kozel", "--player", "Anna", "--player", "Boris", "--practice") as kozel:
        lines = kozel.start()
        first = lines[-1].text.removesuffix(", Enter.").rsplit(" ", 1)[-1]
        kozel.press("enter")
        lines = decide(kozel)
        assert lines[-1].text.endswith(", Enter.")
        lines = kozel.press("backspace")
        assert [line.to for line in lines] == [None]
        assert lines[0].text.startswith("Taken back: ")
        assert lines[0].text.endswith(f" {first}, Enter.")


def test_practice_is_begun_and_gone_on_with_from_the_menu(tmp_path: Path) -> None:
    with Piped(tmp_path) as kozel:
        kozel.start()
        lines = kozel.press("3")
        assert lines[-1].text.startswith(message("en", "menu.practice_new") + ". ")
        lines = kozel.press("enter")
        assert message("en", "practice.begins", key="Backspace") in [line.text for line in lines]
        kozel.press("escape", "enter")
        lines = kozel.press("3")
        assert lines[-1].text.startswith(f"{message('en', 'practice.title')} {message('en', 'menu.practice_on')}")
        lines = kozel.press("enter")
        assert message("en", "resume.round", number=1) in " ".join(line.text for line in lines)
        assert kozel.press("backspace")[0].text != message("en", "refusal.practice_only")
        kozel.press("escape", "enter")
    assert len(list((tmp_path / "practice").glob("*.yaml"))) == 1


def test_a_practice_record_is_gone_on_with_as_practice(tmp_path: Path) -> None:
    with Piped(tmp_path, *PLAY, "--practice") as kozel:
        kozel.start()
        decide(kozel)
        told = stands(kozel)
        assert kozel.finish() == 0
        assert kozel.transcript.all[-1].text.startswith(message("en", "cli.kept", command="kozel resume "))
    record = next(iter((tmp_path / "practice").glob("*.yaml")))
    with Piped(tmp_path, "resume", str(record)) as kozel:
        kozel.start()
        assert stands(kozel) == told
        assert kozel.press("backspace")[0].text.startswith("Taken back: ")


def test_practice_and_a_record_elsewhere_do_not_go_together(tmp_path: Path) -> None:
    done = subprocess.run(
        command(*PLAY, "--practice", "--record", str(tmp_path / "x.yaml"), "--data-dir", str(tmp_path), "--lang", "en"),
        input=b"",
        capture_output=True,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.decode().strip() == message("en", "cli.practice_record")
    assert not list(tmp_path.rglob("*.yaml"))
