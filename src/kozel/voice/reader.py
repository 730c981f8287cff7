"""Direct speech: the screen reader that runs now, found among accessible_output2's outputs.

Nothing here may be imported, nor accessible_output2 by it, before direct speech is wanted: it costs 50 ms on Linux and
half a second on Windows.
"""

from __future__ import annotations

import importlib
import logging
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from kozel.voice.channels import Channel, Jaws, Nvda, Sapi, Speechd
from kozel.voice.speakers import SpeechFailed, telling
from kozel.voice.watch import Watch

log = logging.getLogger(__name__)

_UNUSABLE = ("Auto", "ESpeak", "SystemAccess")
"""Auto chooses among the others; ESpeak's Python module is long gone and says so on standard output; SystemAccess asks
for an attribute that it doesn't have."""
_NAMES = {"Jaws": "JAWS", "SAPI5": "SAPI 5", "SpeechDispatcher": "speech-dispatcher"}
_LOOK_AGAIN = 2.0
"""Seconds after which a synthesizer's user may have started a screen reader."""


class Reader:
    """The first active output; made, used and closed in the thread that is to speak.

    `synthesizer` also allows Windows' own voice. Raises SpeechFailed if nothing is active.
    """

    def __init__(self, language: str, synthesizer: bool = True, watch: Watch | None = None) -> None:
        self._com = _enter_apartment()
        self._watch = watch or Watch()
        self._channels: list[Channel] = []
        self._current: Channel | None = None
        self._looked = 0.0
        try:
            failures: list[SpeechFailed] = []
            for hung in (False,) if self._watch.others_only() else (False, True):
                built = [row for _, row in build_channels(language, synthesizer, self._watch, hung)]
                self._channels += [row for row in built if isinstance(row, Channel)]
                failures += [row for row in built if isinstance(row, SpeechFailed)]
                self._current = self._active()
                if self._current is not None:
                    break
            if self._current is None:
                raise telling(failures)
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        return self._current.name if self._current else ""

    @property
    def unfinished(self) -> int | None:
        return self._current.unfinished if self._current else None

    def speak(self, text: str, interrupt: bool) -> None:
        channel = self._channel()
        try:
            with self._watch.asking(channel.name):
                channel.speak(text, interrupt)
        except SpeechFailed as failure:
            other = self._active(besides=channel)
            if other is None or (other.synthesizer and failure.reason == "sleep_mode"):
                raise
            log.debug("%s: %s; %s is taken", channel.name, failure, other.name)
            self._current = other
            with self._watch.asking(other.name):
                other.speak(text, interrupt)

    def braille(self, text: str) -> None:
        self._channel().braille(text)

    def stop(self) -> None:
        self._channel().stop()

    def close(self) -> None:
        for channel in self._channels:
            channel.close()
        self._channels, self._current = [], None
        if self._com is not None:
            self._com.CoUninitialize()
            self._com = None

    def _channel(self) -> Channel:
        if self._current is None:
            raise SpeechFailed("no_reader")
        if self._current.synthesizer and time.monotonic() - self._looked > _LOOK_AGAIN:
            self._current = self._active() or self._current
        return self._current

    def _active(self, besides: Channel | None = None) -> Channel | None:
        self._looked = time.monotonic()
        for channel in sorted(self._channels, key=lambda channel: self._watch.passes_over(channel.name)):
            if channel is besides:
                continue
            with self._watch.asking(channel.name):
                if channel.active():
                    return channel
        return None


def build_channels(
    language: str, synthesizer: bool = True, watch: Watch | None = None, hung: bool = False
) -> list[tuple[str, Channel | SpeechFailed]]:
    """Every output there is for this system, screen readers first: ready to use, or why it can't be made.

    `hung`: those that `watch` passes over, instead of all others. Raises SpeechFailed if accessible_output2 itself can't
    be loaded.
    """
    watch = watch or Watch()
    built: list[tuple[str, Channel | SpeechFailed]] = []
    for output_class in _output_classes():
        if getattr(output_class, "system_output", False) and not synthesizer:
            continue
        name = _NAMES.get(output_class.__name__, str(output_class.name))
        if watch.passes_over(name) is hung:
            with watch.asking(name):
                built.append((name, _built(output_class, language, name)))
            if isinstance(built[-1][1], Channel):
                watch.knows(name)
    built.sort(key=lambda row: isinstance(row[1], Channel) and row[1].synthesizer)
    return built


def survey(language: str) -> list[tuple[str, bool, SpeechFailed | None]]:
    """Each output's name, whether it would speak now, and why it can't be made; all are closed again."""
    com = _enter_apartment()
    rows: list[tuple[str, bool, SpeechFailed | None]] = []
    try:
        for name, built in build_channels(language):
            if isinstance(built, Channel):
                rows.append((built.name, built.active(), None))
                built.close()
            else:
                rows.append((name, False, built))
    finally:
        if com is not None:
            com.CoUninitialize()
    return rows


def reader_runs() -> bool:
    """Whether NVDA or JAWS runs, on Windows, without loading accessible_output2. Asks NVDA, so it may take a moment."""
    if sys.platform != "win32":
        return False
    import ctypes

    try:
        find_window = ctypes.WinDLL("user32").FindWindowW
        find_window.argtypes = [ctypes.c_wchar_p, ctypes.c_wchar_p]
        if find_window("JFWUI2", "JAWS"):
            return True
        spec = importlib.util.find_spec("accessible_output2")
        folder = next(iter(spec.submodule_search_locations or ()), "") if spec else ""
        bits = "64" if sys.maxsize > 2**32 else "32"
        library = ctypes.WinDLL(f"{folder}\\lib\\nvdaControllerClient{bits}.dll")
        return bool(library.nvdaController_testIfRunning() == 0)
    except (OSError, AttributeError):
        return False


def _built(output_class: Any, language: str, name: str) -> Channel | SpeechFailed:
    try:
        return _channel(output_class, language, name)
    except SpeechFailed as failure:
        return failure
    except Exception as error:  # a missing library, another processor's library, COM, a missing module
        log.debug("%s: %r", output_class.__name__, error)
        return SpeechFailed("not_here", repr(error))


def _channel(output_class: Any, language: str, name: str) -> Channel:
    special: dict[str, Callable[[], Channel]] = {
        "NVDA": lambda: Nvda(output_class(), name),
        "Jaws": lambda: Jaws(output_class(), name),
        "SAPI5": lambda: Sapi(output_class(), name, language),
        "SpeechDispatcher": lambda: Speechd(output_class, name, language),
    }
    make = special.get(output_class.__name__)
    return make() if make else Channel(output_class(), name)


def _output_classes() -> list[Any]:
    try:
        outputs = importlib.import_module("accessible_output2.outputs")
    except Exception as error:
        raise SpeechFailed("no_backend", repr(error)) from error
    if sys.platform == "win32":
        _keep_com_cache(outputs)
    modules = [m for m in vars(outputs).values() if isinstance(m, ModuleType) and hasattr(m, "output_class")]
    for module in modules:
        module.print = log.debug  # type: ignore[attr-defined]  # it complains on standard output, where readers read
    classes = [module.output_class for module in modules]
    return sorted((c for c in classes if c.__name__ not in _UNUSABLE), key=lambda c: c.priority)


def _keep_com_cache(outputs: ModuleType) -> None:
    """Replaces a loader that deletes the user's whole cache of COM wrappers when one of them is spoilt."""
    original = vars(outputs).get("load_com")
    if original is None:
        return

    def load_com(*names: str) -> Any:
        try:
            return original(*names)
        except (AttributeError, TypeError):
            return importlib.import_module("win32com.client.dynamic").Dispatch(names[0])

    for module in vars(outputs).values():
        if isinstance(module, ModuleType) and "load_com" in vars(module) and "output_class" in vars(module):
            module.load_com = load_com  # type: ignore[attr-defined]


def _enter_apartment() -> Any:
    """COM works only in a thread that has entered an apartment; elsewhere JAWS and SAPI are silently absent."""
    if sys.platform != "win32":
        return None
    try:
        pythoncom: Any = importlib.import_module("pythoncom")
    except ImportError:
        return None
    pythoncom.CoInitialize()
    return pythoncom
