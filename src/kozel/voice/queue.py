"""The queue in front of direct speech: what is cut, what waits, and what becomes of it when nothing can speak."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Literal, NamedTuple

from kozel.voice.log import station
from kozel.voice.message import Message
from kozel.voice.speakers import Speaker, SpeechFailed
from kozel.voice.speech_texts import ended
from kozel.voice.worker import Worker

State = Literal["opening", "speaking", "failed"]

log = logging.getLogger(__name__)
outputs = station("outputs")

_FOCUS_POLL = 0.25
_LONGEST_RETRY = 10.0
_SECONDS_A_CHARACTER = 0.07
"""What a slow voice takes: where an output does not tell when it has said a text, it is taken to speak so long."""


class Utterance(NamedTuple):
    """What is handed to the speaker in one go. `cut`: it takes the place of what is being said."""

    text: str
    braille: str
    cut: bool
    messages: tuple[Message, ...]


def merge(bursts: Sequence[Sequence[Message]], final_fresh: bool = False) -> Utterance:
    """One utterance of all that waits, as it was handed over; the only place where its order is decided.

    1. Of the echoes only those of the newest hand-over count: they answer the newest key. So they come first and cut
       what is being said: a refusal or an answer is heard before the events that waited behind it.
    2. Events and results follow in the order in which they happened; none is dropped. So the own turn, told last,
       is heard last.
    3. A result that has only just been told (`final_fresh`), or that waits here since before the echo, is not cut:
       then the echo comes after it.
    """
    answers = [[m for m in burst if m.kind == "echo"] for burst in bursts]
    told = [[m for m in burst if m.kind != "echo"] for burst in bursts]
    newest = max((index for index, answer in enumerate(answers) if answer), default=None)
    order = list(chain.from_iterable(told))
    cut = False
    if newest is not None:
        before = list(chain.from_iterable(told[:newest]))
        cut = not final_fresh and all(m.kind != "final" for m in before)
        place = 0 if cut else len(before)
        order[place:place] = answers[newest]
    return Utterance(_joined(m.text for m in order), _joined(m.braille or m.text for m in order), cut, tuple(order))


def _joined(texts: Iterable[str]) -> str:
    """Texts in one, each a sentence of its own."""
    *others, last = texts
    return " ".join((*map(ended, others), last))


class _Uttered(NamedTuple):
    """An utterance that an output took, and the time.monotonic() by which a slow voice has said it."""

    messages: tuple[Message, ...]
    until: float


class SpeechQueue:
    """Takes messages at once, from any thread, and says them through a speaker opened by `opener`.

    What can't be said goes to `fallback`, in order. `lost` is told the reason, and whether an output had worked before
    it was lost; opening is tried again with what is said later, after `retry` seconds at the earliest. `opened` is told
    how the first opening ended, before anything is said. A call that takes longer than `patience` seconds is given up,
    the first opening after `open_patience`; then `hung` is asked whether another output may be tried at once. `guard` is how many
    seconds a result is safe from echoes. `has_focus` says whether the player listens at all (None: not known); what is
    said meanwhile waits.
    """

    def __init__(
        self,
        opener: Callable[[], Speaker],
        fallback: Callable[[Sequence[Message]], None],
        *,
        lost: Callable[[SpeechFailed, bool], None] = lambda failure, worked: None,
        opened: Callable[[SpeechFailed | None], None] = lambda failure: None,
        hung: Callable[[], bool] = lambda: False,
        has_focus: Callable[[], bool | None] = lambda: None,
        patience: float = 3.0,
        open_patience: float = 8.0 if sys.platform == "win32" else 3.0,
        retry: float = 1.0,
        guard: float = 1.5,
    ) -> None:
        self._opener, self._fallback, self._lost, self._has_focus = opener, fallback, lost, has_focus
        self._opened, self._hung = opened, hung
        self._patience, self._open_patience, self._retry, self._guard = patience, open_patience, retry, guard
        self._pending: deque[list[Message]] = deque()
        self._change = threading.Condition()
        self._hush = self._closing = self._away = self._busy = False
        self._worker: Worker | None = None
        self._state: State = "opening"
        self._failure: SpeechFailed | None = None
        self._next_try = 0.0
        self._hangs = 0
        self._in_flight: tuple[Message, ...] = ()
        self._uttered: deque[_Uttered] = deque()
        self._listener: int | None = None
        self._private = False
        self._final_at = float("-inf")
        self._thread = threading.Thread(target=self._run, name="speech queue", daemon=True)
        self._thread.start()

    @property
    def output_name(self) -> str:
        """What speaks, "" if nothing does."""
        worker = self._worker
        return worker.name if worker is not None else ""

    def state(self, timeout: float = 0.0) -> tuple[State, SpeechFailed | None]:
        """Whether it speaks, and why not; waits for the first attempt to end, `timeout` seconds at most."""
        with self._change:
            self._change.wait_for(lambda: self._state != "opening", timeout)
            return self._state, self._failure

    def put(self, messages: Sequence[Message]) -> None:
        """Hands messages over. Never raises and never waits."""
        with self._change:
            self._pending.append(list(messages))
            self._change.notify_all()

    @property
    def speaking(self) -> bool:
        """Whether something waits or is still being said, as far as the output tells."""
        with self._change:
            return bool(self._pending or self._busy or self._unfinished())

    def silence(self) -> list[Message]:
        """Cuts what is being said and drops what waits; returns all that was not said to its end."""
        with self._change:
            unsaid = [*self._unfinished(), *chain.from_iterable(self._pending)]
            self._pending.clear()
            self._hush = True
            self._change.notify_all()
        return unsaid

    def keep_from_others(self, listener: int | None) -> None:
        """Another listener takes the keyboard: nothing is said any more that was for somebody else's ears alone.

        Where such a text is being said the output falls silent; events and results that this cuts are said again.
        """
        with self._change:
            self._listener, self._private = listener, True
            self._pending = deque(burst for burst in map(self._for_listener, self._pending) if burst)
            unsaid = self._unfinished()
            kept = self._for_listener(unsaid)
            if len(kept) < len(unsaid):
                self._hush = True
                told = [m for m in kept if m.kind != "echo"]
                if told:
                    self._pending.appendleft(told)
            self._change.notify_all()

    def _for_listener(self, messages: Sequence[Message]) -> list[Message]:
        if not self._private:
            return list(messages)
        return [m for m in messages if m.to is None or m.to == self._listener]

    def _unfinished(self) -> list[Message]:
        """What an output took and has not said to its end: as it tells, else as long as a slow voice would take."""
        worker = self._worker
        count = worker.unfinished if worker is not None else 0
        now = time.monotonic()
        if count is None:
            count = sum(uttered.until > now for uttered in self._uttered)
        while len(self._uttered) > count:
            self._uttered.popleft()
        return [*chain.from_iterable(uttered.messages for uttered in self._uttered), *self._in_flight]

    def set_focused(self, focused: bool) -> None:
        """Holds everything back while the window is not in front, and says it in one go afterwards."""
        with self._change:
            self._away = not focused
            self._change.notify_all()

    def flush(self, timeout: float) -> bool:
        """Waits until all that was handed over is said or written; False if it took longer."""
        with self._change:
            return self._change.wait_for(lambda: not self._pending and not self._busy, timeout)

    def close(self, grace: float = 1.0) -> list[Message]:
        """Says what waits and closes the output; waits `grace` seconds at most. Returns what was left unsaid."""
        until = time.monotonic() + grace
        with self._change:
            self._closing = True
            self._change.notify_all()
        self._thread.join(grace)
        worker = self._worker
        if worker is not None and not self._thread.is_alive():
            worker.join(max(0.0, until - time.monotonic()))
        with self._change:
            left = self._for_listener([*self._in_flight, *chain.from_iterable(self._pending)])
            self._pending.clear()
        return left

    def _run(self) -> None:
        self._opened(self._open())
        while True:
            with self._change:
                self._busy = False
                self._change.notify_all()
                while not self._due():
                    self._change.wait(_FOCUS_POLL if self._pending else None)
                hush, self._hush = self._hush, False
                batch = [] if self._holds() else list(self._pending)
                if batch:
                    self._pending.clear()
                self._in_flight = tuple(chain.from_iterable(batch))
                self._busy = True
            if hush:
                self._fall_silent()
            if batch:
                self._deliver_safely(batch)
            if self._closing and (not self._pending or self._holds()):
                break
        with self._change:
            self._busy = False
            self._change.notify_all()
        if self._worker is not None:
            self._worker.leave()

    def _due(self) -> bool:
        return self._hush or self._closing or bool(self._pending and not self._holds())

    def _holds(self) -> bool:
        return self._away or self._has_focus() is False

    def _deliver_safely(self, batch: Sequence[Sequence[Message]]) -> None:
        try:
            self._deliver(batch)
        except Exception:
            log.exception("the speech queue failed")
            self._write(list(chain.from_iterable(batch)))

    def _fall_silent(self) -> None:
        self._uttered.clear()
        failure = self._call(lambda speaker: speaker.stop())
        outputs.debug("%s is silenced%s", self.output_name or "nothing", f": {failure}" if failure else "")

    def _write(self, messages: Sequence[Message]) -> None:
        with self._change:
            kept = self._for_listener(messages)
        if kept:
            self._fallback(kept)

    def _deliver(self, batch: Sequence[Sequence[Message]]) -> None:
        utterance = merge(batch, time.monotonic() - self._final_at < self._guard)
        self._in_flight = utterance.messages
        failure: SpeechFailed | None = None
        hang: SpeechFailed | None = None
        for _ in range(3):  # a reader that was started again takes the same text over a new connection
            if time.monotonic() < self._next_try:
                break
            failure = self._open() or self._call(lambda speaker: speaker.speak(utterance.text, utterance.cut))
            if failure is None:
                self._said(utterance)
                return
            outputs.debug("%s: %r", failure, utterance.text)
            if hang is not None and failure.reason != "hangs":
                failure = hang
                break
            if failure.reason == "hangs":
                if not self._hung():
                    break  # it has been waited for long enough
                hang, self._next_try = failure, 0.0
        self._in_flight = ()
        self._write(utterance.messages)
        if failure is not None:
            self._give_up(failure)

    def _give_up(self, failure: SpeechFailed) -> None:
        self._wait_before_next_try(failure)
        worked = self._state == "speaking"
        self._set_state("failed", failure)
        if worked:
            self._lost(failure, True)

    def _said(self, utterance: Utterance) -> None:
        now = time.monotonic()
        with self._change:
            if utterance.cut:
                self._uttered.clear()
            begin = max([now, *(uttered.until for uttered in self._uttered)])
            self._uttered.append(_Uttered(utterance.messages, begin + len(utterance.text) * _SECONDS_A_CHARACTER))
            self._in_flight = ()
        outputs.debug("%s takes, %s: %r", self.output_name, "now" if utterance.cut else "after", utterance.text)
        self._hangs = 0
        if any(m.kind == "final" for m in utterance.messages):
            self._final_at = time.monotonic()
        if self._state != "speaking":
            self._set_state("speaking", None)
        self._call(lambda speaker: speaker.braille(utterance.braille))

    def _open(self) -> SpeechFailed | None:
        """Makes sure that there is an output; says why there is none."""
        if self._worker is not None:
            return None
        worker = Worker(self._opener)
        try:
            worker.open(self._open_patience if self._state == "opening" else self._patience)
        except SpeechFailed as failure:
            worker.leave()
            self._wait_before_next_try(failure)
            if self._state == "opening":
                self._set_state("failed", failure)
                self._lost(failure, False)
            return failure
        self._worker = worker
        if self._state == "opening":
            self._set_state("speaking", None)
        return None

    def _call(self, step: Callable[[Speaker], None]) -> SpeechFailed | None:
        worker = self._worker
        if worker is None:
            return self._failure
        try:
            worker.call(step, self._patience)
        except SpeechFailed as failure:
            worker.leave()
            self._worker = None
            return failure
        return None

    def _wait_before_next_try(self, failure: SpeechFailed) -> None:
        if failure.reason == "hangs":
            self._hangs += 1
        self._next_try = time.monotonic() + min(self._retry * 2.0**self._hangs, _LONGEST_RETRY)

    def _set_state(self, state: State, failure: SpeechFailed | None) -> None:
        with self._change:
            self._state, self._failure = state, failure
            self._change.notify_all()
