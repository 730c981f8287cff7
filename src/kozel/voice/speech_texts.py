"""The sentences about speech itself, in Russian and English: modes, failures, and messages heard again."""

from __future__ import annotations

from typing import TypeVar

from kozel.voice.history import Edge, Recalled, View
from kozel.voice.modes import ModeFacts, ModeInForce
from kozel.voice.speakers import Reason, SpeechFailed

_T = TypeVar("_T")

_MODES: dict[str, dict[ModeInForce, str]] = {
    "ru": {
        "lines": "Речь: строки, их читает программа экранного доступа.",
        "direct": "Речь: прямая.",
        "off": "Речь выключена.",
    },
    "en": {
        "lines": "Speech: lines, read by your screen reader.",
        "direct": "Speech: direct.",
        "off": "Speech is off.",
    },
}
_THROUGH = {"ru": "Речь: прямая, через {}.", "en": "Speech: direct, through {}."}
_HINTS: dict[str, dict[ModeInForce, str]] = {
    "ru": {
        "lines": "Если не слышно, нажимайте F7.",
        "direct": "Если слышно дважды, нажимайте F7.",
        "off": "F7 включает её.",
    },
    "en": {
        "lines": "If you hear nothing, press F7.",
        "direct": "If you hear things twice, press F7.",
        "off": "F7 turns it on.",
    },
}
_REASONS: dict[str, dict[Reason, str]] = {
    "ru": {
        "no_reader": "не запущена программа экранного доступа",
        "no_server": "не запущен speech-dispatcher",
        "no_client": "не установлено дополнение kozel[linux]",
        "no_backend": "не загружается accessible-output2",
        "not_here": "на этом компьютере её нет",
        "sleep_mode": "NVDA спит в этом окне, её будит NVDA Shift S",
        "gone": "программа экранного доступа пропала",
        "hangs": "программа экранного доступа не отвечает",
        "fault": "ошибка",
    },
    "en": {
        "no_reader": "no screen reader runs",
        "no_server": "speech-dispatcher doesn't run",
        "no_client": "the extra kozel[linux] is not installed",
        "no_backend": "accessible-output2 doesn't load",
        "not_here": "it isn't on this computer",
        "sleep_mode": "NVDA sleeps in this window, NVDA Shift S wakes it",
        "gone": "the screen reader is gone",
        "hangs": "the screen reader doesn't answer",
        "fault": "an error",
    },
}
_FAILED = {"ru": "Прямая речь не работает: {}. Пишу строками.", "en": "Direct speech doesn't work: {}. Writing lines."}
_VIEWS: dict[str, dict[View, str]] = {
    "ru": {"all": "Все сообщения", "moves": "Ходы", "scores": "Счёт", "answers": "Ответы"},
    "en": {"all": "All messages", "moves": "Moves", "scores": "Scores", "answers": "Answers"},
}
_EDGES: dict[str, dict[Edge, str]] = {
    "ru": {
        "oldest": "Старее нет.",
        "newest": "Новее нет.",
        "first_view": "Это первый вид.",
        "last_view": "Это последний вид.",
    },
    "en": {
        "oldest": "Nothing older.",
        "newest": "Nothing newer.",
        "first_view": "The first kind.",
        "last_view": "The last kind.",
    },
}
_PLACE = {"ru": "{} из {}", "en": "{} of {}"}
_NONE = {"ru": "пока нет", "en": "none yet"}
_SAID_NOTHING = {"ru": "Пока ничего не сказано.", "en": "Nothing has been said yet."}
_AGAIN = {"ru": "Ещё раз.", "en": "Again."}
_CANT_FORGET = {
    "ru": "Этот терминал не стирает старые строки: не листайте назад.",
    "en": "This terminal can't erase old lines: don't scroll back.",
}


def mode_sentence(facts: ModeFacts, lang: str) -> str:
    """Which mode is in force, and whether it works: said when F7 was pressed."""
    if facts.mode != "direct":
        return _of(_MODES, lang)[facts.mode]
    if facts.works is False:
        return failure_sentence(facts.failure, lang)
    return _of(_THROUGH, lang).format(facts.output) if facts.output else _of(_MODES, lang)["direct"]


def start_sentence(facts: ModeFacts, lang: str) -> str:
    """The mode in force and how to change it: said once at the start."""
    mode: ModeInForce = "lines" if facts.works is False else facts.mode
    return f"{mode_sentence(facts, lang)} {_of(_HINTS, lang)[mode]}"


def failure_sentence(failure: SpeechFailed | None, lang: str) -> str:
    """Why direct speech doesn't work, and what happens instead."""
    return _of(_FAILED, lang).format(reason(failure or SpeechFailed("fault"), lang))


def reason(failure: SpeechFailed, lang: str) -> str:
    """The reason of a failure, without its technical detail, to stand after a colon."""
    return _of(_REASONS, lang)[failure.reason]


def recalled_sentence(recalled: Recalled, lang: str, *, view_changed: bool = False, braille: bool = False) -> str:
    """A message found again with its place among those of its kind, which tells identical ones apart."""
    view = _of(_VIEWS, lang)[recalled.view]
    edge = _of(_EDGES, lang)[recalled.edge] if recalled.edge else ""
    if not recalled.total:
        return " ".join(part for part in (edge, f"{view}: {_of(_NONE, lang)}.") if part)
    text = recalled.braille if braille else recalled.text
    place = _of(_PLACE, lang).format(recalled.position, recalled.total)
    if braille:
        return f"{text} {recalled.position}/{recalled.total}"
    return " ".join(part for part in (edge, f"{view}." if view_changed else "", ended(text), f"{place}.") if part)


def nothing_said(lang: str) -> str:
    """The answer to "the last announcement again" when there was none."""
    return _of(_SAID_NOTHING, lang)


def again(lang: str) -> str:
    """What is added on the screen to one of many identical lines."""
    return _of(_AGAIN, lang)


def cannot_forget(lang: str) -> str:
    """Said at a handover where the terminal keeps what was written."""
    return _of(_CANT_FORGET, lang)


def ended(text: str) -> str:
    """The text as a sentence, to be followed by another one."""
    return text if text.endswith((".", "!", "?", "…", ":")) else text + "."


def _of(texts: dict[str, _T], lang: str) -> _T:
    return texts.get(lang) or texts["en"]
