"""One adapter for each output of accessible_output2, with its return codes read and its sharp edges off."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import locale
from functools import partial
from typing import Any

from kozel.voice.speakers import SpeechFailed

_NVDA_GONE = (1717, 1722, 1726, 1727)
"""RPC errors: unknown interface, server unavailable, call failed (and did not execute)."""
_NVDA_SLEEPS = -1
_SAPI_LAST_WORDS_MS = 3000
_SAPI_ENGLISH = 0x409


class Channel:
    """Wraps an output of accessible_output2; what it raises becomes SpeechFailed. `synthesizer`: it is no screen reader."""

    synthesizer = False

    def __init__(self, output: Any, name: str) -> None:
        self._output = output
        self.name = name

    def active(self) -> bool:
        try:
            return bool(self._output.is_active())
        except Exception:
            return False

    @property
    def unfinished(self) -> int | None:
        """How many of the texts it took are not said to their end; None if it doesn't tell."""
        return None

    def speak(self, text: str, interrupt: bool) -> None:
        self._call(self._output.speak, text, interrupt=interrupt)

    def braille(self, text: str) -> None:
        self._call(self._output.braille, text)

    def stop(self) -> None:
        if hasattr(self._output, "silence"):
            self._call(self._output.silence)

    def close(self) -> None:
        self._output = None

    def _call(self, function: Any, *arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except Exception as error:
            raise SpeechFailed("gone", f"{self.name}: {error!r}") from error


class Nvda(Channel):
    """NVDA's controller client: accessible_output2 throws its return codes away, so its functions are called here."""

    def speak(self, text: str, interrupt: bool) -> None:
        if interrupt:
            self.stop()
        self._check(self._call(self._output.lib.nvdaController_speakText, text))

    def braille(self, text: str) -> None:
        self._check(self._call(self._output.lib.nvdaController_brailleMessage, text))

    def stop(self) -> None:
        self._check(self._call(self._output.lib.nvdaController_cancelSpeech))

    def _check(self, code: int) -> None:
        if code == 0:
            return
        if code == _NVDA_SLEEPS:
            raise SpeechFailed("sleep_mode")
        raise SpeechFailed("gone" if code in _NVDA_GONE else "fault", f"NVDA {code}")


class Jaws(Channel):
    """JAWS over COM. Its methods return False if JAWS is not there; accessible_output2 doesn't look."""

    def speak(self, text: str, interrupt: bool) -> None:
        if self._call(self._output.object.SayString, text, interrupt) is False:
            raise SpeechFailed("gone", self.name)

    def stop(self) -> None:
        self._call(self._output.object.StopSpeech)


class Sapi(Channel):
    """The Windows synthesizer, for people who asked for speech without a screen reader.

    It reads XML, in which the text is escaped and marked with its language, so that a voice of that language is taken.
    """

    synthesizer = True
    _ASYNC, _PURGE, _XML = 1, 2, 8

    def __init__(self, output: Any, name: str, language: str) -> None:
        super().__init__(output, name)
        self._language = f"{_sapi_language(language):x}"

    def speak(self, text: str, interrupt: bool) -> None:
        flags = self._ASYNC | self._XML | (self._PURGE if interrupt else 0)
        xml = f'<lang langid="{self._language}">{escaped(text)}</lang>'
        self._call(self._output.object.Speak, xml, flags)

    def braille(self, text: str) -> None:
        """A synthesizer has no display."""

    def stop(self) -> None:
        self._call(self._output.object.Speak, "", self._ASYNC | self._PURGE)

    def close(self) -> None:
        with contextlib.suppress(Exception):  # the voice falls silent with the program, so its last words are awaited
            self._output.object.WaitUntilDone(_SAPI_LAST_WORDS_MS)
        super().close()


class Speechd(Channel):
    """speech-dispatcher on Linux, over our own connection: named, in the text's language, without starting a server."""

    synthesizer = True

    def __init__(self, output_class: Any, name: str, language: str) -> None:
        output = output_class.__new__(output_class)  # its own __init__ prints, and starts a server
        speechd = _speechd()
        try:
            self._client = output._client = speechd.SSIPClient("kozel", autospawn=False)
        except Exception as error:
            raise SpeechFailed("no_server", str(error)) from error
        self._ends = (speechd.CallbackType.END, speechd.CallbackType.CANCEL)
        self._taken = self._ended = 0
        super().__init__(output, name)
        try:
            self._client.set_data_mode(speechd.DataMode.TEXT)
            self._client.set_language(language)
        except Exception as error:
            self.close()
            raise SpeechFailed("no_server", repr(error)) from error

    @property
    def unfinished(self) -> int | None:
        return self._taken - self._ended

    def speak(self, text: str, interrupt: bool) -> None:
        if interrupt:
            self.stop()
        self._taken += 1
        self._call(self._client.speak, text, callback=partial(self._end, self._taken), event_types=self._ends)

    def stop(self) -> None:
        self._call(self._client.cancel)
        self._ended = self._taken

    def braille(self, text: str) -> None:
        """A speech server has no display."""

    def close(self) -> None:
        with contextlib.suppress(Exception):  # a dead connection closes itself
            self._client.close()
        super().close()

    def _end(self, number: int, _: str) -> None:
        """A text was said or cancelled, and all before it: the server may forget to tell of one of them."""
        self._ended = max(self._ended, number)


def escaped(text: str) -> str:
    """The text as XML character data."""
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(character, entity)
    return text


def _speechd() -> Any:
    if importlib.util.find_spec("speechd") is None:
        raise SpeechFailed("no_client")
    speechd: Any = importlib.import_module("speechd")
    if not hasattr(speechd, "SSIPClient"):
        raise SpeechFailed("no_client", f"{list(speechd.__path__)} is something else")
    return speechd


def _sapi_language(language: str) -> int:
    """Windows' number of a language; that of English where it has none."""
    tags = locale.windows_locale.items()
    return next((number for number, tag in tags if tag.split("_")[0] == language), _SAPI_ENGLISH)
