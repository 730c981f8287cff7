"""Everything said can be heard again, and nobody hears what was said to somebody else alone."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from kozel.voice.history import VIEWS, History, Recalled
from kozel.voice.message import Message
from kozel.voice.speech_texts import recalled_sentence


def event(text: str, to: int | None = None) -> Message:
    return Message("event", to, text, group="moves")


def told(*messages: Message) -> History:
    history = History()
    for message in messages:
        history.add([message])
    return history


def texts(step: Callable[[int | None], Recalled], listener: int | None, times: int) -> list[str]:
    return [step(listener).text for _ in range(times)]


def test_older_and_newer_walk_from_the_newest_to_the_oldest_and_back() -> None:
    history = told(event("первое"), event("второе"), event("третье"))
    assert texts(history.older, 0, 4) == ["третье", "второе", "первое", "первое"]
    assert history.older(0).edge == "oldest"
    assert texts(history.newer, 0, 3) == ["второе", "третье", "третье"]
    assert history.newer(0).edge == "newest"


def test_at_the_handover_each_person_has_their_own_messages() -> None:
    history = told(
        event("Анна берёт."), event("Взята два два.", to=0), event("Борис берёт."), event("Взята шесть один.", to=1)
    )
    assert texts(history.older, 0, 4) == ["Борис берёт.", "Взята два два.", "Анна берёт.", "Анна берёт."]
    assert texts(history.older, 1, 4) == ["Взята шесть один.", "Борис берёт.", "Анна берёт.", "Анна берёт."]
    assert texts(history.older, None, 3) == ["Борис берёт.", "Анна берёт.", "Анна берёт."]


def test_the_last_announcement_is_all_that_was_told_together() -> None:
    history = History()
    history.add([event("Анна: шесть пять."), event("Ваш ход, подходят две.", to=1)])
    history.add([Message("echo", 1, "три четыре")])
    repeated = history.repeat(1)
    assert repeated is not None
    assert repeated.text == "Анна: шесть пять. Ваш ход, подходят две."
    assert repeated.to == 1
    other = history.repeat(0)
    assert other is not None
    assert other.text == "Анна: шесть пять."


def test_without_announcements_the_last_answer_is_repeated() -> None:
    history = told(Message("echo", None, "Клавиши: стрелки."))
    repeated = history.repeat(0)
    assert repeated is not None
    assert repeated.text == "Клавиши: стрелки."
    assert History().repeat(0) is None


def test_kinds_are_walked_in_order_and_end_at_the_edges() -> None:
    history = told(
        event("ход"), Message("event", None, "счёт", group="scores"), Message("echo", None, "ответ", group="answers")
    )
    assert [history.kind_after(0).view for _ in range(4)] == ["moves", "scores", "answers", "answers"]
    assert history.kind_after(0).edge == "last_view"
    assert history.older(0).text == "ответ"
    found = [history.kind_before(0) for _ in range(4)]
    assert [(step.view, step.text) for step in found] == [
        ("scores", "счёт"),
        ("moves", "ход"),
        ("all", "ответ"),
        ("all", "ответ"),
    ]
    assert found[-1].edge == "first_view"


def test_a_kind_without_messages_says_so() -> None:
    history = told(event("ход"))
    history.kind_after(0)
    empty = history.kind_after(0)
    assert (empty.total, empty.text) == (0, "")
    assert recalled_sentence(empty, "ru", view_changed=True) == "Счёт: пока нет."
    assert recalled_sentence(history.older(0), "en") == "Scores: none yet."


def test_identical_events_in_a_row_stay_distinguishable() -> None:
    history = told(*[event("Борис: мимо.")] * 3)
    sentences = [recalled_sentence(history.older(0), "ru") for _ in range(4)]
    assert sentences == [
        "Борис: мимо. 3 из 3.",
        "Борис: мимо. 2 из 3.",
        "Борис: мимо. 1 из 3.",
        "Старее нет. Борис: мимо. 1 из 3.",
    ]
    history.newer(0)
    assert history.newer(0).same_before == 2


def test_what_arrives_while_reading_does_not_move_the_reader() -> None:
    history = told(event("первое"), event("второе"), event("третье"))
    texts(history.older, 0, 2)
    history.add([event("четвёртое")])
    assert history.newer(0).text == "третье"
    assert history.newer(0).text == "четвёртое"


def test_another_key_ends_the_reading_of_its_listener_only() -> None:
    history = told(event("первое"), event("второе"), event("третье"))
    texts(history.older, 0, 2)
    texts(history.older, 1, 2)
    history.add([Message("echo", 0, "шесть пять")])
    assert history.older(0).text == "шесть пять"
    assert history.older(1).text == "первое"


def test_memory_is_bounded_and_a_reader_on_a_forgotten_message_comes_to_the_oldest() -> None:
    history = History(limit=3)
    history.add([event("0")])
    assert history.older(0).text == "0"
    for number in range(1, 6):
        history.add([event(str(number))])
    assert len(history) == 3
    assert history.older(0).text == "3"


MESSAGES = st.builds(
    Message,
    st.sampled_from(["echo", "event", "final"]),
    st.sampled_from([None, 0, 1, 2]),
    st.sampled_from(["а", "б", "в"]),
    st.none(),
    st.sampled_from(["moves", "scores", "answers", "other"]),
)
STEPS = st.sampled_from(["older", "newer", "kind_before", "kind_after", "repeat"])
ACTIONS = st.lists(
    st.one_of(st.lists(MESSAGES, min_size=1, max_size=3), st.tuples(STEPS, st.sampled_from([None, 0, 1, 2]))),
    max_size=40,
)


@given(ACTIONS, st.integers(1, 12))
def test_no_listener_ever_gets_what_is_for_another_and_places_are_true(
    actions: list[list[Message] | tuple[str, int | None]], limit: int
) -> None:
    history = History(limit)
    kept: list[Message] = []
    for action in actions:
        if isinstance(action, list):
            history.add(action)
            kept = [*kept, *action][-limit:]
            continue
        step, listener = action
        found: Recalled | None = getattr(history, step)(listener)
        if found is None:
            assert not [m for m in kept if m.to in (None, listener)]
            continue
        audible = [m for m in kept if m.to in (None, listener) and found.view in ("all", m.group)]
        assert found.total == len(audible)
        assert found.to in (None, listener)
        assert found.view in VIEWS
        if step != "repeat" and audible:
            assert (found.text, found.to) == (audible[found.position - 1].text, audible[found.position - 1].to)


@given(st.lists(MESSAGES, min_size=1, max_size=30), st.sampled_from([None, 0, 1]))
def test_everything_a_listener_may_hear_is_reached_by_one_key(messages: list[Message], listener: int | None) -> None:
    history = told(*messages)
    audible = [m.text for m in messages if m.to in (None, listener)]
    assert texts(history.older, listener, len(audible)) == audible[::-1]
