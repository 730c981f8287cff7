"""Everything that is said goes through here: to the transcript, the history, and the output of the mode in force."""

from __future__ import annotations

import atexit
import logging
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Literal

from kozel.clean import clean
from kozel.voice import speech_texts
from kozel.voice.history import History, Recalled
from kozel.voice.lines import LinesOutput
from kozel.voice.message import Group, Kind, Message
from kozel.voice.modes import Mode, ModeFacts, ModeInForce, first_mode, next_mode
from kozel.voice.queue import SpeechQueue
from kozel.voice.speakers import Speaker, SpeechFailed
from kozel.voice.transcript import Transcript
from kozel.voice.wincon import console_has_focus

log = logging.getLogger(__name__)

_LONGEST = 20_000
_LONGEST_QUESTION = 1.0

Again = Literal["repeat", "older", "newer", "kind_before", "kind_after"]


class Announcer:
    """Says messages; never raises, never waits for an output, whatever the terminal or the screen reader does.

    `lang` is the language of what is said and of the announcer's own sentences ("ru" or "en"). `mode` is what the
    player asked for. Raises OSError if the transcript can't be opened. `stream` stands for standard output, `environ`
    for the environment, `opener` for what opens direct speech.
    """

    def __init__(
        self,
        lang: str,
        mode: Mode = "auto",
        *,
        transcript: str | Path | None = None,
        stream: IO[str] | None = None,
        environ: Mapping[str, str] | None = None,
        opener: Callable[[], Speaker] | None = None,
    ) -> None:
        self._lang = lang
        self.history = History()
        self._transcript = Transcript(transcript) if transcript is not None else None
        self._lines = LinesOutput(stream, environ)
        self._opener = opener
        self._lock = threading.RLock()
        self._queue: SpeechQueue | None = None
        self._tells_failure = False
        self._focused = True
        self._asked = mode
        self._mode: ModeInForce = "lines"
        self._begin(first_mode(mode, mode == "auto" and _reader_runs()))
        atexit.register(self.close)

    @property
    def lang(self) -> str:
        """The language of what is said; a synthesizer is told at once when it changes."""
        return self._lang

    @lang.setter
    def lang(self, lang: str) -> None:
        with self._lock:
            changed, self._lang = lang != self._lang, lang
            if changed and self._queue is not None:
                self._begin(self._mode)

    @property
    def mode(self) -> ModeInForce:
        """The mode in force: what is asked for, or what `auto` found."""
        return self._mode

    @property
    def transcript_problem(self) -> OSError | None:
        """Why the transcript broke off, if it did."""
        return self._transcript.problem if self._transcript else None

    @property
    def output_gone(self) -> bool:
        """Whether nobody reads standard output any more."""
        return self._lines.broken

    def say(
        self,
        kind: Kind,
        to: int | None,
        text: str,
        *,
        braille: str | None = None,
        group: Group = "other",
        remember: bool = True,
    ) -> float:
        """Says one message and returns the time.monotonic() at which it was handed to the output.

        `to` is the seat that alone may hear it, None is everybody. What is left of an empty text is not said.
        `remember=False` keeps it out of the history.
        """
        return self.say_all([Message(kind, to, text, braille, group)], remember=remember)

    def say_all(self, messages: Iterable[Message], *, remember: bool = True) -> float:
        """Says messages that belong together in one go: one write on a terminal, one utterance of direct speech."""
        try:
            said = [m for m in map(_speakable, messages) if m is not None]
            if said:
                self._hand_over(said, remember)
        except Exception:
            log.exception("a message was lost")
        return time.monotonic()

    def again(self, which: Again, listener: int | None) -> float:
        """Says something that was said before, as the answer to a key: F6, or a step in the history.

        `listener` is the seat that holds the keyboard, None if only what is public may be heard.
        """
        if which == "repeat":
            found = self.history.repeat(listener)
            if found is None:
                return self.say("echo", None, speech_texts.nothing_said(self.lang), remember=False)
            return self.say("echo", found.to, found.text, braille=found.braille, remember=False)
        steps: dict[Again, Callable[[int | None], Recalled]] = {
            "older": self.history.older,
            "newer": self.history.newer,
            "kind_before": self.history.kind_before,
            "kind_after": self.history.kind_after,
        }
        recalled = steps[which](listener)
        changed = which.startswith("kind")
        text = speech_texts.recalled_sentence(recalled, self.lang, view_changed=changed)
        braille = speech_texts.recalled_sentence(recalled, self.lang, view_changed=changed, braille=True)
        return self.say("echo", recalled.to, text, braille=braille, remember=False)

    def mode_facts(self, timeout: float = 0.5) -> ModeFacts:
        """The mode in force and whether it works; waits until an output was looked for, `timeout` seconds at most.

        If that is not known by then, its failure is told as soon as it is.
        """
        queue = self._queue
        if queue is None:
            return ModeFacts(self._mode, True)
        state, failure = queue.state(timeout)
        self._tells_failure = state == "opening"
        if self._tells_failure:
            state, failure = queue.state()
        return ModeFacts(self._mode, {"speaking": True, "failed": False}.get(state), queue.output_name, failure)

    def start_sentence(self) -> str:
        """Which mode is in force and how to change it, to be said at the start."""
        return speech_texts.start_sentence(self.mode_facts(), self.lang)

    def switch_mode(self) -> ModeFacts:
        """Goes to the next mode. `speech_texts.mode_sentence` makes the facts a sentence.

        That speech is off is to be said while it is still on: `announce_next_mode` does both in the right order.
        """
        with self._lock:
            self._begin(next_mode(self._mode))
        return self.mode_facts(timeout=1.5)

    def ask_for(self, mode: Mode) -> ModeFacts:
        """Goes to the mode that the player asks for."""
        with self._lock:
            self._asked = mode
            self._begin(first_mode(mode, mode == "auto" and _reader_runs()))
        return self.mode_facts(timeout=1.5)

    def announce_next_mode(self) -> float:
        """Goes to the next mode and says so, in the new mode, or in the old one if the new one is off."""
        if next_mode(self._mode) == "off":
            told = self._say_mode(ModeFacts("off", True))
            self.flush(0.5)
            self.switch_mode()
            return told
        return self._say_mode(self.switch_mode())

    def show(self, lines: Sequence[str]) -> None:
        """Writes lines on the terminal for a sighted partner, in every mode; says and keeps nothing."""
        self._lines.say([line for line in (clean(line, _LONGEST) for line in lines) if line])

    def forget(self, listener: int | None = None) -> bool:
        """The keyboard goes to `listener`: erases the terminal, and what waits for another's ears is not said any more.

        False if the terminal keeps what was written; `speech_texts.cannot_forget` says so.
        """
        with self._lock:
            if self._queue is not None:
                self._queue.keep_from_others(listener)
            return self._lines.forget()

    def hush(self) -> None:
        """Cuts direct speech short."""
        if self._queue is not None:
            self._queue.hush()

    def set_focused(self, focused: bool) -> None:
        """Tells whether the console is in front: direct speech is held back while it is not, and said on return."""
        with self._lock:
            self._focused = focused
            if self._queue is not None:
                self._queue.set_focused(focused)

    def flush(self, timeout: float = 1.0) -> bool:
        """Waits until all that was said is with the output; False if it took longer than `timeout` seconds."""
        until = time.monotonic() + timeout
        queue = self._queue
        done = queue.flush(timeout) if queue is not None else True
        return self._lines.flush(max(0.0, until - time.monotonic())) and done

    def close(self, grace: float = 1.0) -> None:
        """Says what waits, closes the output, ends the last line. Waits `grace` seconds at most, whatever hangs."""
        until = time.monotonic() + grace
        atexit.unregister(self.close)
        with self._lock:
            queue, self._queue = self._queue, None
        if queue is not None:
            self._write_lines(queue.close(grace))
        self._lines.close(max(0.1, until - time.monotonic()))
        if self._transcript is not None:
            self._transcript.close()

    def _hand_over(self, messages: list[Message], remember: bool) -> None:
        with self._lock:
            if remember:
                self.history.add(messages)
            if self._transcript is not None:
                self._transcript.write(messages)
            if self._queue is not None:
                self._queue.put(messages)
            elif self._mode == "lines":
                self._write_lines(messages)

    def _write_lines(self, messages: Sequence[Message]) -> None:
        self._lines.again = speech_texts.again(self._lang)
        self._lines.say([m.text for m in messages])

    def _begin(self, mode: ModeInForce) -> None:
        queue, self._queue = self._queue, None
        if queue is not None:
            self._write_lines(queue.close(grace=0.3))
        self._mode = mode
        if mode == "direct":
            self._queue = SpeechQueue(
                self._opener or _reader(self._lang, self._asked != "auto"),
                self._write_lines,
                lost=self._tell_loss,
                has_focus=console_has_focus,
            )
            self._queue.set_focused(self._focused)

    def _tell_loss(self, failure: SpeechFailed, worked: bool) -> None:
        if not worked and not self._tells_failure:
            return
        messages = [Message("event", None, speech_texts.failure_sentence(failure, self.lang))]
        with self._lock:
            self.history.add(messages)
            if self._transcript is not None:
                self._transcript.write(messages)
            self._write_lines(messages)

    def _say_mode(self, facts: ModeFacts) -> float:
        return self.say("echo", None, speech_texts.mode_sentence(facts, self.lang), group="answers")


def _speakable(message: Message) -> Message | None:
    text = clean(message.text, _LONGEST)
    if text is None:
        return None
    braille = clean(message.braille, _LONGEST) if message.braille else None
    return message._replace(text=text, braille=braille)


def _reader(language: str, synthesizer: bool) -> Callable[[], Speaker]:
    def open_reader() -> Speaker:
        from kozel.voice.reader import Reader

        return Reader(language, synthesizer)

    return open_reader


def _reader_runs() -> bool:
    """Whether a reader takes direct speech here; one that doesn't answer in time doesn't."""
    if sys.platform != "win32":
        return False
    from kozel.voice.reader import reader_runs

    answers: list[bool] = []
    asking = threading.Thread(target=lambda: answers.append(reader_runs()), daemon=True)
    asking.start()
    asking.join(_LONGEST_QUESTION)
    return answers == [True]
