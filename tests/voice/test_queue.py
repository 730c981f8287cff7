"""What a burst becomes: one utterance, in one order, with no result dropped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kozel.voice.message import Kind, Message
from kozel.voice.queue import merge


def waits(*bursts: str) -> list[list[Message]]:
    """What was handed over: k an answer to a key, e an event, f a result."""
    kinds: dict[str, Kind] = {"k": "echo", "e": "event", "f": "final"}
    return [[Message(kinds[text[0]], None, text) for text in burst.split()] for burst in bursts]


@pytest.mark.parametrize(
    ("waiting", "text", "cut"),
    [
        (["e1", "e2"], "e1. e2", False),
        (["k1 k2", "e1", "k3 k4 k5", "e2"], "k3. k4. k5. e1. e2", True),
        (["f1", "k1 k2"], "f1. k1. k2", False),
        (["k1", "k2", "k3"], "k3", True),
        (["e1", "k1"], "k1. e1", True),
        (["k1", "e1"], "k1. e1", True),
        (["e1", "k1", "e2", "k2", "e3"], "k2. e1. e2. e3", True),
        (["f1", "k1"], "f1. k1", False),
        (["e1", "f1", "k1", "e2"], "e1. f1. k1. e2", False),
        (["k1", "f1"], "k1. f1", True),
    ],
)
def test_the_order_of_answer_event_and_result(waiting: list[str], text: str, cut: bool) -> None:
    utterance = merge(waits(*waiting))
    assert (utterance.text, utterance.cut) == (text, cut)


def test_a_result_just_told_is_not_cut() -> None:
    assert merge(waits("e1", "k1"), final_fresh=True)[:3] == ("e1. k1", "e1. k1", False)


def test_braille_has_its_short_form() -> None:
    waiting = [
        Message("event", None, "Анна: шесть пять, справа.", braille="Анна 6:5 П"),
        Message("event", None, "Ваш ход."),
    ]
    assert merge([waiting]).braille == "Анна 6:5 П. Ваш ход."


@given(st.lists(st.sampled_from("kef"), min_size=1, max_size=12), st.booleans())
def test_every_event_and_result_is_kept_in_order_and_one_echo_at_most(kinds: list[str], final_fresh: bool) -> None:
    waiting = waits(*(f"{kind}{number}" for number, kind in enumerate(kinds)))
    utterance = merge(waiting, final_fresh)
    told = [m for m in utterance.messages if m.kind != "echo"]
    assert told == [m for (m,) in waiting if m.kind != "echo"]
    echoes = [m for (m,) in waiting if m.kind == "echo"]
    assert [m for m in utterance.messages if m.kind == "echo"] == echoes[-1:]
    assert utterance.cut <= (utterance.messages[0].kind == "echo" and not final_fresh)
