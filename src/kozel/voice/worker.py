"""The thread that makes, uses and drops one speaker, and that can be given up if a call never returns."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

from kozel.voice.speakers import Speaker, SpeechFailed

log = logging.getLogger(__name__)

_Step = Callable[[Speaker], None]


class Worker:
    """Owns a speaker: COM wants it used in the thread that made it, speech-dispatcher's client has no lock.

    A step that takes longer than its patience raises SpeechFailed("hangs") in the caller; the thread is left behind
    and closes the speaker if the call ever returns.
    """

    def __init__(self, opener: Callable[[], Speaker]) -> None:
        self._opener = opener
        self._steps: queue.SimpleQueue[_Step | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[SpeechFailed | None] = queue.SimpleQueue()
        self.name = ""
        self._speaker: Speaker | None = None
        self._thread = threading.Thread(target=self._run, name="speech output", daemon=True)

    def open(self, patience: float) -> None:
        """Makes the speaker. Raises SpeechFailed."""
        try:
            self._thread.start()
        except RuntimeError as error:  # the interpreter is on its way out
            raise SpeechFailed("fault", str(error)) from error
        self._wait(patience)

    def call(self, step: _Step, patience: float) -> None:
        """Does something with the speaker. Raises SpeechFailed."""
        self._steps.put(step)
        self._wait(patience)

    @property
    def unfinished(self) -> int | None:
        """See `Speaker.unfinished`."""
        speaker = self._speaker
        return speaker.unfinished if speaker is not None else None

    def leave(self) -> None:
        """Lets the thread close its speaker and end, whenever it can. Doesn't wait."""
        self._steps.put(None)

    def join(self, grace: float) -> None:
        self._thread.join(grace)

    def _wait(self, patience: float) -> None:
        try:
            failure = self._results.get(timeout=patience)
        except queue.Empty:
            raise SpeechFailed("hangs") from None
        if failure is not None:
            raise failure

    def _run(self) -> None:
        try:
            speaker = self._opener()
        except SpeechFailed as failure:
            self._results.put(failure)
            return
        except Exception as error:
            log.exception("the speech output could not be opened")
            self._results.put(SpeechFailed("fault", repr(error)))
            return
        self.name, self._speaker = speaker.name, speaker
        self._results.put(None)
        while (step := self._steps.get()) is not None:
            self._results.put(self._done(step, speaker))
            self.name = speaker.name
        self._speaker = None
        speaker.close()

    @staticmethod
    def _done(step: _Step, speaker: Speaker) -> SpeechFailed | None:
        try:
            step(speaker)
        except SpeechFailed as failure:
            return failure
        except Exception as error:
            log.exception("the speech output failed")
            return SpeechFailed("fault", repr(error))
        return None
