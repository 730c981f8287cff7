"""Mistakes in YAML files: a place, a sentence in the player's language, never too long, never too many."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kozel.locales import languages, phrase
from kozel.locales.catalogue import catalogue
from kozel.rules.reading import parse_ruleset
from kozel.terminal.keymap import load_keymap
from kozel.yamltree import MAX_PROBLEMS, MAX_SENTENCE, BadFile, Problem, compose, listed, suggest
from rules.test_reading import BROKEN, BROKEN_EXTENSIONS, changed

FILE = Path("own.yaml")
TEXTS = [changed(old, new) for old, new, _ in BROKEN.values()] + [text for text, _ in BROKEN_EXTENSIONS.values()]
QUOTED = re.compile(r"«[^»]*»|\{[^}]*\}|\[[^]]*\]|[a-z_0-9-]+: (?=[a-z0-9])")


def mistakes(content: str | bytes) -> BadFile:
    with pytest.raises(BadFile) as refused:
        parse_ruleset(content.encode() if isinstance(content, str) else content, FILE)
    return refused.value


@pytest.mark.parametrize("text", TEXTS, ids=[*BROKEN, *BROKEN_EXTENSIONS])
def test_a_mistake_in_a_ruleset_is_told_in_russian_at_the_same_place(text: str) -> None:
    for problem in mistakes(text).problems:
        english, russian = problem.placed("en"), problem.placed("ru")
        assert russian.split(": ")[0] == english.split(": ")[0]
        told = QUOTED.sub("", problem.text("ru"))
        assert re.search("[а-яё]", told)
        assert not re.search(r"\b(the|is|must|known|needs|that|not|did)\b", told), told


@pytest.mark.parametrize(
    ("content", "russian"),
    [
        (b"", "файл пуст"),
        (b"a:\n\tb: 1\n", "это не YAML: здесь табуляция, отступ делают пробелами"),
        (b"seats: [2, 3\n", "это не YAML: здесь нужна запятая или «]»"),
        (b"hand: {2: 3\n", "это не YAML: здесь нужна запятая или «}»"),
        (b"id: 'x\n", "это не YAML: файл кончился раньше, чем закрыта кавычка"),
        (b"a: 1\n  b: 2\n", "это не YAML: двоеточие не к месту: одна строка, одно имя"),
        (b"a: @x\n", "это не YAML: с этого знака значение начинаться не может"),
        (b"\x89PNG", "это не текст в кодировке UTF-8"),
        (b"a: &x 1\n", "«&x»: якоря не разрешены"),
    ],
)
def test_what_is_no_yaml_is_told_in_russian(content: bytes, russian: str) -> None:
    (problem,) = mistakes(content).problems
    assert problem.text("ru").startswith(russian)


def test_of_many_mistakes_twenty_lines_are_told_and_the_last_one_counts_the_rest() -> None:
    error = mistakes("".join(f"key{n}: 1\n" for n in range(100)))
    assert len(error.problems) == MAX_PROBLEMS
    rest = error.count - MAX_PROBLEMS + 1
    assert error.problems[-1].placed("en") == f"own.yaml: and {rest} more mistakes"
    assert str(rest) in error.problems[-1].text("ru")


def test_as_many_mistakes_as_can_be_told_are_all_told() -> None:
    told = [Problem("a.yaml", n + 1, 1, phrase("mistake.empty")) for n in range(MAX_PROBLEMS)]
    assert BadFile(told).problems == tuple(told)


@pytest.mark.parametrize("lang", languages())
def test_no_sentence_is_longer_than_can_be_heard(lang: str) -> None:
    word = "слово" * 200
    for key in catalogue(lang):
        if key.startswith("mistake."):
            facts: dict[str, object] = dict.fromkeys(re.findall(r"\{(\w+)[:}]", str(catalogue(lang)[key])), word)
            facts |= {"n": 5, "allowed": [word]}
            problem = Problem("/tmp/" + word, 12, 5, phrase(key, **facts))
            assert len(problem.placed(lang)) <= MAX_SENTENCE
            assert len(problem.text(lang)) <= MAX_SENTENCE
            assert problem.placed(lang).startswith("…")


def test_a_list_of_known_words_ends_where_there_is_no_more_room() -> None:
    words = [f"word{n:03}" for n in range(100)]
    assert listed(words[:3]) == ("word000", "word001", "word002")
    assert listed(words)[-1] == "…"
    assert len(suggest("zzzzzz", words).text("en")) < 220


def test_a_mistake_in_a_keymap_is_told_in_russian(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("extends: clasic\nkeys:\n  eggs: CapsLock\n  mark: Ctrl+I\n", encoding="utf-8")
    with pytest.raises(BadFile) as refused:
        load_keymap(path)
    assert [problem.text("ru") for problem in refused.value.problems] == [
        "нет раскладки «clasic»: может быть, «classic»?",
        "«CapsLock» не годится: Caps Lock занята программой экранного доступа и до программ в терминале не доходит",
        "«Ctrl+I» не годится: большинство терминалов не отличает Ctrl+I от Tab",
    ]


def test_nothing_of_a_file_is_built_that_is_more_than_data() -> None:
    with pytest.raises(BadFile, match="tags are not allowed"):
        compose("a: !!python/name:os.system x", "own.yaml")
