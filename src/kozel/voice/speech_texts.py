"""The sentences about speech itself: modes, failures, and messages heard again."""

from __future__ import annotations

from kozel.locales import message
from kozel.voice.history import Recalled
from kozel.voice.modes import ModeFacts, ModeInForce
from kozel.voice.speakers import SpeechFailed


def mode_sentence(facts: ModeFacts, lang: str) -> str:
    """Which mode is in force, and whether it works: said when F7 was pressed."""
    if facts.mode != "direct":
        return message(lang, f"speech.mode_{facts.mode}")
    if facts.works is False:
        return failure_sentence(facts.failure, lang)
    if facts.output:
        return message(lang, "speech.through", output=facts.output)
    return message(lang, "speech.mode_direct")


def start_sentence(facts: ModeFacts, lang: str, key: str = "F7") -> str:
    """The mode in force and how to change it, by a key: said once at the start."""
    mode: ModeInForce = "lines" if facts.works is False else facts.mode
    return f"{mode_sentence(facts, lang)} {message(lang, f'speech.hint_{mode}', key=key)}"


def failure_sentence(failure: SpeechFailed | None, lang: str) -> str:
    """Why direct speech doesn't work, and what happens instead."""
    return message(lang, "speech.failed", reason=reason(failure or SpeechFailed("fault"), lang))


def reason(failure: SpeechFailed, lang: str) -> str:
    """The reason of a failure, without its technical detail, to stand after a colon."""
    return message(lang, f"speech.reason_{failure.reason}")


def recalled_sentence(recalled: Recalled, lang: str, *, view_changed: bool = False, braille: bool = False) -> str:
    """A message found again with its place among those of its kind, which tells identical ones apart."""
    view = message(lang, f"speech.view_{recalled.view}")
    edge = message(lang, f"speech.edge_{recalled.edge}") if recalled.edge else ""
    if not recalled.total:
        return " ".join(part for part in (edge, f"{view}: {message(lang, 'speech.none')}.") if part)
    text = recalled.braille if braille else recalled.text
    place = message(lang, "speech.place", position=recalled.position, total=recalled.total)
    if braille:
        return f"{text} {recalled.position}/{recalled.total}"
    return " ".join(part for part in (edge, f"{view}." if view_changed else "", ended(text), f"{place}.") if part)


def nothing_said(lang: str) -> str:
    """The answer to "the last announcement again" when there was none."""
    return message(lang, "speech.nothing_said")


def again(lang: str) -> str:
    """What is added on the screen to one of many identical lines."""
    return message(lang, "speech.again")


def cannot_forget(lang: str) -> str:
    """Said at a handover where the terminal keeps what was written."""
    return message(lang, "speech.cannot_forget")


def silenced_by_reader(lang: str) -> str:
    """The answer to the key that silences, where the screen reader reads lines."""
    return message(lang, "speech.silenced_by_reader")


def transcript_broke(file: str, error: OSError, lang: str) -> str:
    """Said when the transcript can't be written any more."""
    return message(lang, "speech.transcript_broke", file=file, reason=error.strerror or str(error))


def fault_logged(file: str, lang: str) -> str:
    """Said at the first fault of the program's own that the game survives."""
    return message(lang, "speech.fault_logged", file=file)


def ended(text: str) -> str:
    """The text as a sentence, to be followed by another one."""
    return text if text.endswith((".", "!", "?", "…", ":")) else text + "."
