"""The adapters over accessible_output2's Windows outputs.

Neither NVDA, JAWS nor SAPI can exist here, so the outputs are stand-ins with the functions that accessible_output2 0.17
has; `tools/wine` runs the same adapters in Windows' own Python over a stub NVDA library.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from kozel.voice.channels import Channel, Jaws, Nvda, Sapi, escaped
from kozel.voice.speakers import SpeechFailed

Calls = list[tuple[Any, ...]]
COMMANDS: list[Callable[[Channel], None]] = [
    lambda channel: channel.speak("Ваш ход.", False),
    lambda channel: channel.braille("Ваш ход."),
    lambda channel: channel.stop(),
]


def recording(calls: Calls, answer: object, *name: str) -> Callable[..., object]:
    def function(*arguments: object) -> object:
        calls.append((*name, *arguments))
        return answer

    return function


def nvda(code: int, calls: Calls) -> Nvda:
    names = ("nvdaController_speakText", "nvdaController_brailleMessage", "nvdaController_cancelSpeech")
    library = SimpleNamespace(**{name: recording(calls, code, name) for name in names})
    return Nvda(SimpleNamespace(lib=library, is_active=lambda: True), "NVDA")


def test_nvda_is_cut_only_by_an_echo() -> None:
    calls: Calls = []
    channel = nvda(0, calls)
    channel.speak("Анна: шесть пять.", interrupt=False)
    channel.speak("шесть пять", interrupt=True)
    channel.braille("6:5")
    assert [call[0].removeprefix("nvdaController_") for call in calls] == [
        "speakText",
        "cancelSpeech",
        "speakText",
        "brailleMessage",
    ]


@pytest.mark.parametrize(("code", "reason"), [(1722, "gone"), (1726, "gone"), (-1, "sleep_mode"), (5, "fault")])
def test_nvdas_return_codes_are_read(code: int, reason: str) -> None:
    for command in COMMANDS:
        with pytest.raises(SpeechFailed) as failure:
            command(nvda(code, []))
        assert failure.value.reason == reason


@pytest.mark.parametrize("taken", [True, None, 1])
def test_jaws_takes_the_text(taken: object) -> None:
    calls: Calls = []
    com = SimpleNamespace(SayString=recording(calls, taken))
    Jaws(SimpleNamespace(object=com), "JAWS").speak("Ваш ход.", interrupt=True)
    assert calls == [("Ваш ход.", True)]


def test_jaws_that_is_gone_is_noticed() -> None:
    com = SimpleNamespace(SayString=lambda *arguments: False)
    with pytest.raises(SpeechFailed, match="gone"):
        Jaws(SimpleNamespace(object=com), "JAWS").speak("Ваш ход.", interrupt=False)


def test_sapi_gets_escaped_xml_in_the_texts_language() -> None:
    calls: Calls = []
    com = SimpleNamespace(Speak=recording(calls, 1), WaitUntilDone=lambda ms: True)
    channel = Sapi(SimpleNamespace(object=com), "SAPI 5", "ru")
    channel.speak('Анна & <Борис> "да"', interrupt=True)
    channel.speak("Ваш ход.", interrupt=False)
    channel.close()
    assert calls == [
        ('<lang langid="419">Анна &amp; &lt;Борис&gt; &quot;да&quot;</lang>', 11),
        ('<lang langid="419">Ваш ход.</lang>', 9),
    ]
    assert escaped("&lt;") == "&amp;lt;"


def test_whatever_an_output_raises_is_a_failure_to_speak() -> None:
    def broken(*arguments: object, **options: object) -> None:
        raise OSError(193, "not a valid Win32 application")

    channel = Channel(SimpleNamespace(speak=broken, is_active=broken, braille=broken, silence=broken), "ZDSR")
    assert not channel.active()
    for command in COMMANDS:
        with pytest.raises(SpeechFailed, match="193"):
            command(channel)
    channel.close()
