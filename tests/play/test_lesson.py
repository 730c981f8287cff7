"""The guided first match in the real program: walked to its end by the keys that it asks for, and by none other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kozel.locales import default_names, message
from kozel.play.lesson_deal import LEARNER, PART, LessonTable
from kozel.session.commands import Command
from kozel.session.lesson import STEPS, steps_for
from kozel.terminal.keyboard import KeymapNames
from kozel.terminal.keymap import load_keymap
from kozel.terminal.names import spoken
from play.driven import Driven
from play.program import KEYS, Line, Piped

NAMES: list[str] = [*KEYS, *"abcdefghijklmnopqrstuvwxyz0123456789,.[]`"]
ASKED = {"en": r"[Pp]ress ([^:.]+)[:.]", "ru": r": ([^:;.]+)[;.]"}
OR = {"en": " or ", "ru": " или "}
FIRST = {"en": "f", "ru": "4"}
WRONG = ("=", "h", "backspace", "enter", "x", "f4")
TELLING = ("w", "down", "right", "4", "f2", "s-tab", "f3", "f9", "f6", "f5")

DOES = {
    "=": (),
    "h": (Command.HINT,),
    "backspace": (),
    "enter": (Command.ACT, Command.CONFIRM),
    "x": (Command.MARK,),
    "f4": (Command.DRAW,),
}


def command(key: str) -> Command | None:
    return load_keymap("classic", None).keys.get(key)


def key_asked_for(line: Line, lang: str) -> str:
    """The key that a sentence of the coach ends with: the one after 'or', which every terminal has."""
    text = line.text[max(line.text.find("Нажмите: "), 0) :]
    asked: str = re.findall(ASKED[lang], text)[0 if text.startswith("Нажмите") else -1]
    said = asked.rpartition(OR[lang])[2]
    return next(name for name in NAMES if spoken(name, lang) == said)


def begin(kozel: Piped, lang: str) -> list[Line]:
    kozel.start()
    lines = kozel.press(FIRST[lang])
    assert lines[0].text.startswith(message(lang, "menu.first"))
    return lines


@pytest.mark.parametrize("keymap", ["classic", "letters", "left-hand"])
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_keys_asked_for_lead_to_the_end(tmp_path: Path, lang: str, keymap: str) -> None:
    with Piped(tmp_path, "--keymap", keymap, lang=lang) as kozel:
        lines = kozel.start()
        assert message(lang, "lesson.offer") in [line.text for line in lines]
        lines = begin(kozel, lang)
        for step in steps_for(KeymapNames(load_keymap(keymap, tmp_path)), lang):
            assert lines[-1].to == 0
            assert lines[-1].kind == "event"
            lines = kozel.press(key_asked_for(lines[-1], lang))
            assert step.text == "lesson.end" or len(lines) > 1, step
        assert lines[-1].text.startswith(message(lang, "menu.title"))
        told = [line.text for line in kozel.transcript.all]
    opponent = default_names(lang)[0]
    assert message(lang, "match.goat", who=(opponent,)) in told
    assert not list(tmp_path.glob("matches/*"))
    assert not list(tmp_path.glob("practice/*"))


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_wrong_key_is_answered_with_the_right_one(tmp_path: Path, lang: str) -> None:
    with Piped(tmp_path, lang=lang) as kozel:
        lines = begin(kozel, lang)
        for step in STEPS[:-1]:
            right = key_asked_for(lines[-1], lang)
            for wrong in WRONG:
                leaves = wrong == "enter" and step.text == "lesson.stay"
                if wrong != right and step.command not in DOES[wrong] and not leaves:
                    [answer] = kozel.press(wrong)
                    assert spoken(wrong, lang).casefold() in answer.text.casefold()
                    assert key_asked_for(answer, lang) == right, step
            lines = kozel.press(right)
        assert lines[-1].text.startswith(message(lang, "lesson.end", key="", help="")[:20])


@pytest.mark.parametrize("decisions", range(1, 8))
def test_whoever_comes_back_goes_on_after_the_last_decision(tmp_path: Path, decisions: int) -> None:
    places = [number for number, step in enumerate(STEPS) if step.decides]
    with Piped(tmp_path) as kozel:
        lines = begin(kozel, "en")
        for _ in range(places[decisions - 1] + 1):
            lines = kozel.press(key_asked_for(lines[-1], "en"))
        asked = lines[-1].text
        kozel.press("escape", "enter")
        assert kozel.finish() == 0
    with Piped(tmp_path) as kozel:
        lines = begin(kozel, "en")
        assert lines[-1].text == asked
        for _ in STEPS[places[decisions - 1] + 1 :]:
            lines = kozel.press(key_asked_for(lines[-1], "en"))
        assert lines[-1].text.startswith(message("en", "menu.title"))
        assert kozel.finish() == 0


@pytest.mark.parametrize("number", range(0, len(STEPS), 5))
def test_escape_leaves_at_any_step_and_escape_again_stays(tmp_path: Path, number: int) -> None:
    with Piped(tmp_path) as kozel:
        lines = begin(kozel, "en")
        for _ in range(number):
            lines = kozel.press(key_asked_for(lines[-1], "en"))
        asked = lines[-1].text
        [question] = kozel.press("escape")
        assert question.text == message("en", "lesson.leave_question")
        assert kozel.press("escape")[-1].text == asked
        kozel.press("escape")
        for key in ("space", "y", "="):
            [answer] = kozel.press(key)
            assert answer.text.endswith("does nothing here: Enter yes, Escape no.")
        lines = kozel.press("enter")
        assert lines[0].text == message("en", "lesson.left")
        assert lines[-1].text.startswith(message("en", "menu.title"))


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_keys_that_only_tell_are_answered_and_change_nothing(tmp_path: Path, lang: str) -> None:
    with Piped(tmp_path, lang=lang) as kozel:
        lines = begin(kozel, lang)
        for step in STEPS[:-1]:
            right = key_asked_for(lines[-1], lang)
            for key in TELLING:
                asked = key == right or command(key) is step.command
                if not asked and not (
                    step.text in ("lesson.which_end", "lesson.make_fish") and key in ("down", "right")
                ):
                    lines = kozel.press(key)
                    assert len(lines) > 1
                    assert key_asked_for(lines[-1], lang) == right, (step, key)
            lines = kozel.press(right)
        assert lines[-1].text.startswith(message(lang, "lesson.end", key="", help="")[:20])


def test_the_step_fits_what_the_table_asks_for(tmp_path: Path) -> None:
    """Where the table names a key of its own, it is the one that the coach asks for."""
    named = 0
    with Piped(tmp_path) as kozel:
        lines = begin(kozel, "en")
        for _ in STEPS[:-1]:
            right = key_asked_for(lines[-1], "en")
            for line in lines:
                if line.text.endswith("nothing fits, draw: F4."):
                    named += 1
                    assert command(right) is Command.DRAW
            lines = kozel.press(right)
    assert named == 1


def test_the_lesson_is_offered_once(tmp_path: Path) -> None:
    for keys in (("escape", "enter"), ()):
        with Piped(tmp_path / str(len(keys))) as kozel:
            begin(kozel, "en")
            kozel.press(*keys)
            kozel.finish()
        with Piped(tmp_path / str(len(keys))) as kozel:
            assert message("en", "lesson.offer") not in [line.text for line in kozel.start()]


def test_what_tells_is_answered_and_the_key_asked_for_again(tmp_path: Path) -> None:
    with Piped(tmp_path) as kozel:
        begin(kozel, "en")
        for key in ("f6", ",", "]", "f8", "f1"):
            lines = kozel.press(key)
            assert len(lines) > 1
            assert lines[-1].text == "Press Right or G: right along the tiles."


def test_the_end_of_the_input_ends_the_lesson(tmp_path: Path) -> None:
    with Piped(tmp_path) as kozel:
        begin(kozel, "en")
        assert kozel.finish() == 0
        assert kozel.transcript.all[-1].text == message("en", "cli.bye")


def test_once_a_match_is_kept_nothing_is_offered(tmp_path: Path) -> None:
    with Piped(tmp_path, "play", "kozel", "--player", "Anna", "--player", "Boris:novice") as kozel:
        kozel.start()
    with Piped(tmp_path) as kozel:
        assert message("en", "lesson.offer") not in [line.text for line in kozel.start()]


def test_the_parts_of_the_lesson_fit_each_other() -> None:
    runner, part = Driven(LessonTable("Anna", "Boris")), iter(PART)
    runner.deal()
    learner = iter(LEARNER)
    while runner.match.round is not None:
        state = runner.match.round
        text = next(part if state.turn else learner)
        runner.decide(next(move for move in state.legal if move.text == text))
    assert next(learner, None) is None
    assert next(part, None) is None
    [summary] = runner.match.past
    assert (summary.result, summary.seat, summary.hand_points[0]) == ("fish", 0, 13)
    assert runner.match.end is not None
    assert runner.match.end.losers == (1,)
