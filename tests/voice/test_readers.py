"""Which of several screen readers is taken, and what happens when one of them dies, hangs or comes back."""

from __future__ import annotations

import io
import sys
import threading
import types
from collections.abc import Iterator

import pytest

from kozel.voice import reader as readers
from kozel.voice.announcer import Announcer
from voice.dispatcher import wait_for


class Output:
    """An output as accessible_output2 makes them; `state` is shared by all that are made of one reader."""

    name = ""
    priority = 0
    spoken: list[tuple[str, str]]
    state: dict[str, str]
    hanging = threading.Event()

    def is_active(self) -> bool:
        self._hang()
        return self.state[self.name] in ("runs", "refuses")

    def speak(self, text: str, interrupt: bool = False) -> None:
        self._hang()
        if self.state[self.name] != "runs":
            raise OSError("gone")
        self.spoken.append((self.name, text))

    def braille(self, text: str) -> None:
        pass

    def _hang(self) -> None:
        if self.state[self.name] == "hangs":
            self.hanging.wait(60)


@pytest.fixture
def states(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[dict[str, str], list[tuple[str, str]]]]:
    """Two screen readers, by name: 'runs', 'off', 'refuses' (seems to run, and takes no text) or 'hangs'."""
    Output.spoken, Output.state = [], {"One": "runs", "Two": "runs"}
    Output.hanging = threading.Event()
    package = types.ModuleType("accessible_output2.outputs")
    for place, name in enumerate(Output.state):
        module = types.ModuleType(name)
        module.output_class = type(name, (Output,), {"name": name, "priority": place})  # type: ignore[attr-defined]
        setattr(package, name, module)
    monkeypatch.setitem(sys.modules, "accessible_output2", types.ModuleType("accessible_output2"))
    monkeypatch.setitem(sys.modules, "accessible_output2.outputs", package)
    yield Output.state, Output.spoken
    Output.hanging.set()


def announcer(screen: io.StringIO) -> Announcer:
    return Announcer("en", "direct", stream=screen)


@pytest.mark.parametrize("death", ["off", "refuses", "hangs"])
def test_one_reader_dies_and_the_living_one_is_found(
    states: tuple[dict[str, str], list[tuple[str, str]]], death: str
) -> None:
    state, spoken = states
    screen = io.StringIO()
    voice = announcer(screen)
    voice.say("event", None, "One tile.")
    assert wait_for(lambda: spoken == [("One", "One tile.")])
    state["One"] = death
    if death == "off":
        state["One"] = "off"
    voice.say("event", None, "Two tiles.")
    assert wait_for(lambda: ("Two", "Two tiles.") in spoken, 20)
    voice.say("event", None, "Three tiles.")
    assert wait_for(lambda: ("Two", "Three tiles.") in spoken, 5)
    voice.close()
    assert screen.getvalue() == ""


def test_with_no_other_reader_alive_lines_are_written(states: tuple[dict[str, str], list[tuple[str, str]]]) -> None:
    state, spoken = states
    screen = io.StringIO()
    voice = announcer(screen)
    voice.say("event", None, "One tile.")
    assert wait_for(lambda: len(spoken) == 1)
    state.update(One="off", Two="off")
    voice.say("event", None, "Two tiles.")
    assert wait_for(lambda: "Two tiles." in screen.getvalue())
    state["Two"] = "runs"

    def speaks_again() -> bool:
        voice.say("event", None, "Three tiles.")
        return ("Two", "Three tiles.") in spoken

    assert wait_for(speaks_again, 20)
    voice.close()


def test_a_reader_that_hangs_when_it_is_looked_for_is_passed_over(
    states: tuple[dict[str, str], list[tuple[str, str]]],
) -> None:
    state, spoken = states
    state["One"] = "hangs"
    screen = io.StringIO()
    voice = announcer(screen)
    voice.say("event", None, "One tile.")

    def speaks() -> bool:
        voice.say("event", None, "Again.")
        return any(name == "Two" for name, _ in spoken)

    assert wait_for(speaks, 30)
    voice.close()


def test_the_survey_names_every_reader(states: tuple[dict[str, str], list[tuple[str, str]]]) -> None:
    states[0]["Two"] = "off"
    assert [(name, active) for name, active, _ in readers.survey("en")] == [("One", True), ("Two", False)]
