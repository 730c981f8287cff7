"""What `kozel speech list` and `kozel speech test` say."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kozel.locales import message
from kozel.voice.modes import Mode, ModeFacts, ModeInForce, first_mode
from kozel.voice.speakers import Speaker, SpeechFailed, telling
from kozel.voice.speech_texts import mode_sentence, reason
from kozel.voice.worker import Worker

_PATIENCE = 10.0


class Found(NamedTuple):
    """An output that accessible_output2 knows on this system; `failure` says why it can't be made here."""

    name: str
    active: bool
    failure: SpeechFailed | None = None


def find_outputs(lang: str) -> list[Found]:
    """The outputs for direct speech, readers first. Raises SpeechFailed if they can't be looked for, or one hangs."""
    found: list[Found] = []

    def look() -> Speaker:
        from kozel.voice.reader import survey

        found.extend(Found(*row) for row in survey(lang))
        raise SpeechFailed("no_reader")

    try:
        Worker(look).open(_PATIENCE)
    except SpeechFailed as failure:
        if failure.reason != "no_reader":
            raise
    return found


def speech_list(say: Callable[[str], object], lang: str, mode: Mode = "auto", key: str = "F7") -> None:
    """Says each output found, one message each, then the one in use and how to choose another: in the game by `key`."""
    say(message(lang, "speech.list_lines"))
    outputs: list[Found] = []
    try:
        outputs = find_outputs(lang)
    except SpeechFailed as failure:
        say(message(lang, "speech.list_nothing", reason=reason(failure, lang)))
    for output in outputs:
        if output.failure is not None:
            say(message(lang, "speech.list_cant", output=output.name, reason=reason(output.failure, lang)))
        else:
            say(message(lang, f"speech.list_{'runs' if output.active else 'idle'}", output=output.name))
    say(mode_sentence(facts_of(mode, outputs), lang))
    say(message(lang, "speech.list_how", key=key))


def speech_test(say: Callable[[str], object], lang: str, facts: ModeFacts) -> None:
    """Says which mode is in force (`Announcer.mode_facts`), then a sentence as the game would say it."""
    if facts.mode == "off":
        say(message(lang, "speech.list_kept"))
        return
    say(mode_sentence(facts, lang))
    say(message(lang, "speech.list_test"))


def facts_of(mode: Mode, outputs: list[Found]) -> ModeFacts:
    readers = [output for output in outputs if output.active]
    chosen: ModeInForce = first_mode(mode, bool(readers))
    if chosen != "direct":
        return ModeFacts(chosen, True)
    if readers:
        return ModeFacts("direct", True, readers[0].name)
    return ModeFacts("direct", False, failure=telling([output.failure for output in outputs if output.failure]))
