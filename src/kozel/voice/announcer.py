"""Everything that is said goes through here: to the transcript, the history, and the output of the mode in force."""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Literal, Protocol

from kozel.clean import clean
from kozel.voice import speech_texts
from kozel.voice.history import History, Recalled
from kozel.voice.lines import LinesOutput
from kozel.voice.log import station
from kozel.voice.message import Group, Kind, Message, Sound
from kozel.voice.modes import Mode, ModeFacts, ModeInForce, first_mode, next_mode
from kozel.voice.page import Place, TerminalKind
from kozel.voice.queue import SpeechQueue
from kozel.voice.speakers import Speaker, SpeechFailed
from kozel.voice.transcript import Transcript
from kozel.voice.watch import Watch
from kozel.voice.wincon import console_has_focus

log = logging.getLogger(__name__)
messages_log = station("messages")

_LONGEST = 20_000
_LONGEST_QUESTION = 1.0
_LAST_WORDS = 0.3
"""Seconds that a mode left by its user may take to say what waits."""

Again = Literal["repeat", "older", "newer", "kind_before", "kind_after"]
Listener = Callable[[Sequence[Message]], object]


class Lines(Protocol):
    """Where lines are written: a terminal, a pipe, or a visitor's terminal. Nothing here raises or waits but `flush`
    and `close`."""

    again: str
    """The sentence that tells one of many identical lines from the next."""

    def say(self, messages: Sequence[Message]) -> None:
        """Writes messages that belong together, in order, after all that came before."""
        ...

    def typed(self, text: str, caret: int | None = None) -> None:
        """Shows a line that is being typed; `caret` is the place in it, its end if nothing is said."""
        ...

    def is_on(self, kind: TerminalKind) -> None:
        """The terminal said what it is."""
        ...

    def set_up(self, *, cursor: Place, joined: bool) -> None:
        """Changes the settings `braille_cursor` and `joined`."""
        ...

    def ring(self) -> None:
        """Rings the terminal's bell, if there is one."""
        ...

    def forget(self) -> bool:
        """Erases all that was written; False if the terminal keeps it."""
        ...

    def flush(self, timeout: float = 1.0) -> bool:
        """Waits until all is written; False if that took longer."""
        ...

    def close(self, grace: float = 1.0) -> None:
        """Writes what waits and ends the last line; waits `grace` seconds at most."""
        ...


class Announcer:
    """Says messages; never raises, never waits for an output, whatever the terminal or the screen reader does.

    `lang` is the language of what is said and of the announcer's own sentences. `mode` is what the player asked for.
    `lines` is where lines are written; without it to `stream` (standard output), in the environment `environ`. `opener`
    opens direct speech; without it the screen reader that runs is looked for. Any number of announcers live side by
    side. Raises OSError if the transcript can't be opened.

    `listeners` are called with the messages of each hand-over, after the output got them, in the thread that said them:
    for sounds, counters, another front end. One that fails is logged, and called again the next time.
    """

    def __init__(
        self,
        lang: str,
        mode: Mode = "auto",
        *,
        transcript: str | Path | None = None,
        stream: IO[str] | None = None,
        environ: Mapping[str, str] | None = None,
        lines: Lines | None = None,
        opener: Callable[[], Speaker] | None = None,
    ) -> None:
        self._lang = lang
        self.history = History()
        self.listeners: list[Listener] = []
        self._transcript = Transcript(transcript) if transcript is not None else None
        self._lines: Lines = LinesOutput(stream, environ) if lines is None else lines
        self._opener = opener
        self._has_focus = console_has_focus if stream is None and lines is None else _not_known
        self._lock = threading.RLock()
        self._queue: SpeechQueue | None = None
        self._retired: list[threading.Thread] = []
        self._together = 0
        self._collected: list[tuple[Message, bool]] = []
        self._attempt = object()
        self._tells_failure = self._trying = self._tells_success = False
        self._transcript_told = self._hush_told = False
        self._focused = True
        self._asked = mode
        self._mode: ModeInForce = "lines"
        self._begin(first_mode(mode, mode == "auto" and _reader_runs()))
        self._forgotten = weakref.finalize(self, self._lines.close)

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
    def output_problem(self) -> OSError | None:
        """Why standard output takes no more lines, if it broke off."""
        return self._lines.problem if isinstance(self._lines, LinesOutput) else None

    @property
    def speaking(self) -> bool:
        """Whether something is still being said or waits, as far as the output tells; lines are said when written."""
        queue = self._queue
        return queue.speaking if queue is not None else not self._lines.flush(0)

    def say(
        self,
        kind: Kind,
        to: int | None,
        text: str,
        *,
        braille: str | None = None,
        group: Group = "other",
        event: object | None = None,
        remember: bool = True,
    ) -> float:
        """Says one message and returns the time.monotonic() at which it was handed to the output.

        `to` is the seat that alone may hear it, None is everybody. What is left of an empty text is not said.
        `remember=False` keeps it out of the history.
        """
        return self.say_all([Message(kind, to, text, braille, group, event)], remember=remember)

    def say_all(self, messages: Iterable[Message], *, remember: bool = True) -> float:
        """Says messages that belong together in one go: one write on a terminal, one utterance of direct speech."""
        try:
            spoken = [m for m in map(_speakable, messages) if m is not None]
            with self._lock:
                self._collected += [(m, remember) for m in spoken]
                if not self._together:
                    self._hand_over()
        except Exception:
            log.exception("a message was lost")
        return time.monotonic()

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """What is said inside is handed over in one go at the end: one key is one write, whatever it sets off."""
        with self._lock:
            self._together += 1
        try:
            yield
        finally:
            with self._lock:
                self._together -= 1
                if not self._together:
                    self._hand_over()

    def ring(self) -> None:
        """Rings the terminal's bell."""
        self._lines.ring()

    def sounded(self, sound: Sound) -> None:
        """A sound is played: the transcript gets it."""
        with self._lock:
            if self._transcript is not None:
                self._transcript.write_sound(sound)

    def tell_fault(self, file: str | Path) -> None:
        """Says that the program has a fault and which file holds the details."""
        self.say("event", None, speech_texts.fault_logged(str(file), self.lang))

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

    def start_sentence(self, key: str = "F7") -> str:
        """Which mode is in force and how to change it, to be said at the start."""
        return speech_texts.start_sentence(self.mode_facts(), self.lang, key)

    def announce_next_mode(self) -> float:
        """Goes to the next mode and says so: see `announce_mode`."""
        return self.announce_mode(next_mode(self._mode))

    def announce_mode(self, mode: Mode) -> float:
        """Goes to a mode and says which one is in force, in the new one; that speech is off is said before.

        Waits for nothing: direct speech is told when it is known whether it works, and until then lines are written.
        """
        wanted = first_mode(mode, mode == "auto" and _reader_runs())
        told = time.monotonic()
        if wanted == "off":
            told = self._say_mode(ModeFacts("off", True))
        self._change_mode(mode, wanted, tells_success=True)
        return self._say_mode(ModeFacts("lines", True)) if wanted == "lines" else told

    def ask_for(self, mode: Mode) -> None:
        """Goes to a mode as `announce_mode` does, and says only if direct speech doesn't work, when that is known."""

        def change() -> None:
            self._change_mode(mode, first_mode(mode, mode == "auto" and _reader_runs()), tells_success=False)

        if mode == "auto" and sys.platform == "win32":  # a reader that hangs doesn't answer whether it runs
            threading.Thread(target=change, name="looks for a reader", daemon=True).start()
        else:
            change()

    def _change_mode(self, asked: Mode, mode: ModeInForce, tells_success: bool) -> None:
        with self._lock:
            self._hand_over()
            self._asked, self._tells_success = asked, tells_success
            self._begin(mode, trial=True)

    def show(self, lines: Sequence[str]) -> None:
        """Writes lines on the terminal for a sighted partner, in every mode; says and keeps nothing."""
        self._lines.say([m for m in (_speakable(Message("event", None, line)) for line in lines) if m is not None])

    def say_and_show(self, line: str) -> None:
        """Says a line, and writes it on the terminal in every mode: for what somebody is to read or to pass on."""
        self.say("event", None, line)
        if self._mode != "lines" and not self._trying:
            self.show([line])

    def forget(self, listener: int | None = None) -> bool:
        """The keyboard goes to `listener`: erases the terminal, and what was for another's ears is not said any more.

        Direct speech falls silent where it says such a text; events and results that this cuts are said again. False if
        the terminal keeps what was written; `speech_texts.cannot_forget` says so.
        """
        with self._lock:
            self._hand_over()
            if self._queue is not None:
                self._queue.keep_from_others(listener)
            return self._lines.forget()

    def erased(self, timeout: float = 1.0) -> bool:
        """Waits until the terminal is erased after `forget`; False if that took longer than `timeout` seconds."""
        return self._lines.flush(timeout)

    def typed(self, text: str, caret: int | None = None) -> None:
        """Shows a line that is being typed below all messages, in every mode, with the cursor at `caret` (its end).

        To be called with the whole line after each change. It is never spoken: readers echo keys themselves. The next
        message ends it; what is typed after that is shown on a line of its own again.
        """
        self._lines.typed(text, caret)

    def is_on(self, kind: TerminalKind) -> None:
        """The terminal said what it is: how lines are written goes by that."""
        self._lines.is_on(kind)

    def set_up(self, *, cursor: Place = "auto", joined: bool = False) -> None:
        """Changes the settings `braille_cursor` and `joined`."""
        self._lines.set_up(cursor=cursor, joined=joined)

    def hush(self) -> bool:
        """The key that silences: direct speech stops, what waits is not said, and F6 gives all of it.

        Where lines are written it says once that the reader's own key does that, and returns False.
        """
        with self._lock:
            if self._speech is not None:
                self._hand_over()
                self.history.silenced(self._speech.silence())
                return True
            if self._mode == "lines" and not self._hush_told:
                self._hush_told = True
                self.say("echo", None, speech_texts.silenced_by_reader(self._lang), group="answers")
            return False

    def fall_silent(self) -> None:
        """Direct speech stops, and what waits is not said: to be called before the goodbye."""
        with self._lock:
            self._hand_over()
            if self._queue is not None:
                self._queue.silence()

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
        self._forgotten.detach()
        with self._lock:
            self._hand_over()
            queue, self._queue = self._queue, None
            retired, self._retired = self._retired, []
        if queue is not None:
            self._write_lines(queue.close(grace))
        for thread in retired:
            thread.join(max(0.0, until - time.monotonic()))
        self._lines.close(max(0.1, until - time.monotonic()))
        if self._transcript is not None:
            self._transcript.close()

    @property
    def _speech(self) -> SpeechQueue | None:
        """Where messages go in direct mode; not yet while it is only being tried whether that works."""
        return None if self._trying else self._queue

    def _hand_over(self) -> None:
        batch, self._collected = self._collected, []
        if not batch:
            return
        messages = [m for m, _ in batch]
        self.history.add([m for m, remember in batch if remember])
        if self._transcript is not None:
            self._transcript.write(messages)
        if self._speech is not None:
            self._speech.put(messages)
        elif self._mode == "lines" or self._trying:
            self._write_lines(messages)
        for m in messages:
            messages_log.debug("%s to %s, %s, %s: %r", m.kind, m.to, m.group, type(m.event).__name__, m.text)
        for listener in list(self.listeners):
            try:
                listener(messages)
            except Exception:
                log.exception("a listener failed")
        self._tell_broken_transcript()

    def _tell_broken_transcript(self) -> None:
        problem = self.transcript_problem
        if problem is not None and self._transcript is not None and not self._transcript_told:
            self._transcript_told = True
            file = self._transcript.path
            log.error("the transcript %s can't be written: %r", file, problem)
            self.say("event", None, speech_texts.transcript_broke(clean(str(file)) or "", problem, self._lang))

    def _write_lines(self, messages: Sequence[Message]) -> None:
        self._lines.again = speech_texts.again(self._lang)
        self._lines.say(messages)

    def _begin(self, mode: ModeInForce, trial: bool = False) -> None:
        """Another mode; as a `trial`, lines are written until it is known whether direct speech works."""
        retired = self._retire()
        self._mode, self._trying = mode, trial and mode == "direct"
        self._attempt = attempt = object()
        if mode == "direct":
            watch = Watch()
            opener = self._opener or _reader(self._lang, self._asked != "auto", watch)
            self._queue = SpeechQueue(
                lambda: _opened_after(retired, opener),
                self._write_lines,
                lost=self._tell_loss,
                opened=lambda failure: self._opened(attempt, failure),
                hung=watch.hung,
                has_focus=self._has_focus,
            )
            self._queue.set_focused(self._focused)

    def _retire(self) -> threading.Thread | None:
        """Lets the queue in use say what waits and end, in a thread of its own."""
        queue, self._queue = self._queue, None
        if queue is None:
            return None
        thread = threading.Thread(target=lambda: self._write_lines(queue.close(_LAST_WORDS)), daemon=True)
        self._retired = [*(old for old in self._retired if old.is_alive()), thread]
        thread.start()
        return thread

    def _opened(self, attempt: object, failure: SpeechFailed | None) -> None:
        with self._lock:
            if self._attempt is not attempt or not self._trying or self._queue is None:
                return
            self._trying = False
            if failure is not None or self._tells_success:
                self._say_mode(ModeFacts("direct", failure is None, self._queue.output_name, failure))

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


def _opened_after(retired: threading.Thread | None, opener: Callable[[], Speaker]) -> Speaker:
    """Direct speech begins where the queue before it has ended, so that all is said in its order."""
    if retired is not None:
        retired.join(2 * _LAST_WORDS)
    return opener()


def _not_known() -> None:
    """The answer of an output without a window."""


def _reader(language: str, synthesizer: bool, watch: Watch) -> Callable[[], Speaker]:
    def open_reader() -> Speaker:
        from kozel.voice.reader import Reader

        return Reader(language, synthesizer, watch)

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
