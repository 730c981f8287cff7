"""Which of the lines said were heard, from what arrived in the output module of a speech server."""

from __future__ import annotations

from collections.abc import Sequence

from play.program import Line


class Account:
    """Lines of a transcript, told off against utterances, each of which is one line or several.

    `heard`: the lines' numbers in the order in which they were spoken; `foreign`: what was spoken and never said.
    """

    def __init__(self, lines: Sequence[Line], utterances: Sequence[str]) -> None:
        self._lines = lines
        self._events = [number for number, line in enumerate(lines) if line.kind != "echo"]
        self._echoes = [number for number, line in enumerate(lines) if line.kind == "echo"]
        self.heard: list[int] = []
        self.foreign: list[str] = []
        for utterance in utterances:
            self._take(utterance)

    @property
    def unheard(self) -> list[str]:
        """The lines that were not heard."""
        return [line.text for number, line in enumerate(self._lines) if number not in self.heard]

    @property
    def lost(self) -> list[str]:
        """Events and results that were not heard though no answer to a key was spoken in their place.

        What an output has taken and not begun with is cut with what it is saying.
        """
        return [
            self._lines[number].text for number in self._events if number not in self.heard and not self._cut(number)
        ]

    @property
    def in_order(self) -> bool:
        """Whether events, and echoes, were each heard in the order in which they were said."""
        for kind in (self._events, self._echoes):
            heard = [number for number in self.heard if number in kind]
            if heard != sorted(heard):
                return False
        return True

    def _cut(self, number: int) -> bool:
        """Whether an echo was spoken between the events heard before and after this one."""
        order = [(at, n) for at, n in enumerate(self.heard) if self._lines[n].kind != "echo"]
        begin = max((at for at, n in order if n < number), default=-1)
        end = min((at for at, n in order if n > number), default=len(self.heard))
        return any(self._lines[n].kind == "echo" for n in self.heard[begin + 1 : end])

    def _take(self, utterance: str) -> None:
        if self._is_events(utterance):  # F6 says the same words in one echo
            return
        rest = utterance
        while rest:
            fitting = [n for n in self._next() if _begins(rest, self._lines[n].text)]
            number = max(fitting, key=lambda n: len(self._lines[n].text), default=None)
            if number is None:
                self.foreign.append(rest)
                return
            self.heard.append(number)
            rest = rest[len(self._lines[number].text) :].lstrip(". ")

    def _is_events(self, utterance: str) -> bool:
        """Takes an utterance that is nothing but the events that come next."""
        last = max((n for n in self.heard if n in self._events), default=-1)
        echo = max((n for n in self.heard if n in self._echoes), default=-1)
        next_event = next((n for n in self._events if n > last), None)
        next_echo = next((n for n in self._echoes if n > echo), None)
        if (
            next_echo is not None
            and self._lines[next_echo].text == utterance
            and (next_event is None or next_echo < next_event)
        ):
            return False  # an answer in the words of an event that comes later
        numbers: list[int] = []
        rest = utterance
        for number in (n for n in self._events if n > last):
            if rest and _begins(rest, self._lines[number].text):
                numbers.append(number)
                rest = rest[len(self._lines[number].text) :].lstrip(". ")
        if not rest:
            self.heard += numbers
        return not rest

    def _next(self) -> list[int]:
        """The lines that may come next: those after the last event, and after the last echo, that was heard."""
        found: list[int] = []
        for kind in (self._events, self._echoes):
            last = max((n for n in self.heard if n in kind), default=-1)
            found += [n for n in kind if n > last]
        return sorted(found)


def _begins(text: str, line: str) -> bool:
    return text == line or text.startswith((line + " ", line + ". "))
