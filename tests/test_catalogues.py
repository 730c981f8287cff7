"""The catalogues: every message in both languages, with the same facts, in all plural forms, in its own letters."""

from __future__ import annotations

import ast
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import kozel
from kozel.engine import tiles as engine_tiles
from kozel.engine.moves import END_NAMES
from kozel.locales import default_names, languages, message
from kozel.locales.catalogue import _TILES, SPECS, catalogue, themes, tile_words, words

CATEGORIES = {"en": {"one", "other"}, "ru": {"one", "few", "many"}}
LATIN_IN_RUSSIAN = {
    "Enter",
    "Escape",
    "Kozel",
    "draw",
    "keep",
    "redeal",
    "opener",
    "closed",
    "left",
    "computer",
    "person",
}
"""Key names, and the words of a game record in sentences about its text."""
KEYBOARD = {"Home", "End", "Page Up", "Page Down", "Insert", "Delete", "Enter", "Tab", "Escape", "Backspace"} | {
    "Shift",
    "Ctrl",
    "Alt",
}
"""Keys that are called in Russian what stands on them."""
SHORT_ON_PURPOSE = {
    "menu.yes",
    "menu.no",
    "setting.sounds_on",
    "setting.bell_on",
    "braille.drew",
    "braille.pass",
}
"""Parts of a line or of a display, never said alone."""
KEYS = sorted(catalogue("en"))
OFF_THE_TABLE = ("cli.", "fault.", "mistake.")
"""Sentences about commands and files: they hold parts of both, and are not spoken in a match."""
WRITTEN = ("keys.tiles", "help.", "mistake.")
"""Texts that are read on paper and on the screen as well as heard."""
PASSED_ON = re.compile(r"\{\w+\}")
"""A sentence that somebody else made."""
SAMPLE_TILES = (5, 21, 27)
SAMPLES: dict[str, object] = {
    "": 23,
    "tile": 21,
    "tiles": SAMPLE_TILES,
    "all_tiles": SAMPLE_TILES,
    "any_tile": SAMPLE_TILES,
    "place": 3,
    "of_doubles": 2,
    "percent": 515,
    "chain": ((6, 5), (5, 5)),
    "pips_each": (2, 3),
    "where": ((21, 0, None),),
    "counts": ((("Anna",), 2), ((None, "Vera"), 1)),
    "pips": 4,
    "pips_many": 5,
    "end": 1,
    "end_name": 2,
    "ends": (0, 1),
    "open_ends": ((0, 6), (1, 2)),
    "count": 2,
    "taken": 2,
    "of": 7,
    "drew": 2,
    "sides": (("Anna", "Vera"), ("Boris", "Gena")),
    "one_of": (2, 3, 4),
    "text": "X",
    "who": ("Anna", "Vera"),
    "lays": ((21, 0, None),),
    "held": (21, (0, 1), "marked"),
    "hand": ((21, (0, 1), None), (5, (), None)),
    "sums": ((("Anna",), 23), ((None, "Vera"), 0)),
    "draws": ((("Anna",), 2), (("Vera",), 1)),
    "thrown": ((("Anna",), (0, 7)), (("Vera",), (13,))),
}


def forms(lang: str, key: str) -> dict[str, str]:
    found = catalogue(lang)[key]
    return {"": found} if isinstance(found, str) else dict(found)


def placeholders(text: str) -> dict[str, str]:
    return {name: spec or "" for _, name, spec, _ in string.Formatter().parse(text) if name is not None}


def every_text() -> Iterator[tuple[str, str, str]]:
    for lang in languages():
        for key in KEYS:
            for text in forms(lang, key).values():
                yield lang, key, text


def facts_of(lang: str, key: str, n: int) -> dict[str, object]:
    """Facts that every form of a message can be made with."""
    facts: dict[str, object] = {}
    for text in forms(lang, key).values():
        for name, spec in placeholders(text).items():
            small = spec[:1].lower() + spec[1:]
            if name not in facts or small:
                facts[name] = SAMPLES[small]
    facts["n"] = n
    return facts


def test_both_languages_have_the_same_keys() -> None:
    assert set(catalogue("ru")) == set(catalogue("en"))


@pytest.mark.parametrize("lang", languages())
def test_no_key_stands_in_two_themes(lang: str) -> None:
    from importlib import import_module

    sizes = [len(import_module(f"kozel.locales.{lang}.{theme}").MESSAGES) for theme in themes(lang)]
    assert sum(sizes) == len(catalogue(lang))


def test_both_languages_tell_the_same_facts() -> None:
    for key in KEYS:
        told = {
            lang: {name for text in forms(lang, key).values() for name in placeholders(text)} for lang in languages()
        }
        # a form for one tile may say "one" itself, and n then only chooses the form
        assert told["ru"] - {"n"} == told["en"] - {"n"}, key


@pytest.mark.parametrize("lang", languages())
def test_forms_are_complete(lang: str) -> None:
    for key in KEYS:
        found = set(forms(lang, key)) - {"you"}
        assert found in ({""}, {"they"}, CATEGORIES[lang]), key


def test_placeholders_name_facts_and_known_specs() -> None:
    for _, key, text in every_text():
        for name, spec in placeholders(text).items():
            assert name.isidentifier(), key
            assert not spec or spec[0].lower() + spec[1:] in SPECS, key


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("n", [0, 1, 2, 5, 11, 21, 111])
def test_every_message_can_be_said_for_every_number(lang: str, n: int) -> None:
    for key in KEYS:
        facts = facts_of(lang, key, n)
        said = message(lang, key, **facts)
        assert "{" not in said or "{{" in str(catalogue(lang)[key]), key
        if (
            key in SHORT_ON_PURPOSE
            or key.startswith(("cli.", "key."))
            or PASSED_ON.fullmatch(str(catalogue(lang)[key]))
        ):
            continue
        assert said == said.strip(), key
        assert len(said) >= 3, key
        if "who" in facts:
            assert len(message(lang, key, **facts | {"who": (None,)})) >= 3


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (0, "На базаре ноль костей."),
        (1, "На базаре одна кость."),
        (2, "На базаре две кости."),
        (5, "На базаре пять костей."),
        (11, "На базаре одиннадцать костей."),
        (21, "На базаре двадцать одна кость."),
        (22, "На базаре двадцать две кости."),
        (111, "На базаре сто одиннадцать костей."),
    ],
)
def test_russian_numbers_agree_with_tiles(n: int, said: str) -> None:
    assert message("ru", "bazaar.holds", n=n) == said


@pytest.mark.parametrize(("n", "said"), [(1, "one tile"), (2, "two tiles"), (5, "five tiles"), (21, "21 tiles")])
def test_english_numbers_agree_with_tiles(n: int, said: str) -> None:
    assert message("en", "bazaar.holds", n=n) == f"Bazaar: {said}."


def test_russian_cases_of_numbers() -> None:
    number = words("ru").number
    assert [number(n, "accusative") for n in (1, 2, 21, 100)] == ["одну", "две", "двадцать одну", "сто"]
    assert [number(n, "genitive") for n in (1, 4, 7, 12, 28)] == [
        "одной",
        "четырёх",
        "семи",
        "двенадцати",
        "двадцати восьми",
    ]


def test_russian_draws_agree_with_their_number() -> None:
    drew = words("ru").drew
    assert [drew(n) for n in (1, 2, 5, 21)] == ["взята одна", "взято две", "взято пять", "взята двадцать одна"]


def test_sides_of_several_players_are_kept_apart() -> None:
    pairs = (("Anna", None), ("Boris", "Gena"))
    assert message("en", "score.closed", sides=pairs) == "No account yet: Anna and you; Boris and Gena."
    assert message("ru", "score.closed", sides=(("Анна",), ("Вера",))) == "Ещё без записи: Анна и Вера."


def test_russian_is_written_in_cyrillic_and_english_in_latin() -> None:
    for lang, key, text in every_text():
        bare = re.sub(r"\{[^}]*\}", "", text)
        if lang == "en":
            assert not re.search(r"[А-Яа-яЁё]", bare), key
            continue
        assert not re.search(r"[А-Яа-яЁё][A-Za-z]|[A-Za-z][А-Яа-яЁё]", bare), key
        if key.startswith("key."):
            assert not re.search(r"[a-z]{2}", bare) or bare in KEYBOARD, key
        elif key.startswith(("cli.", "doctor.", "help.", "speech.", "keys.", "mistake.")):
            assert re.search(r"[А-Яа-яЁё]", bare) or not re.search(r"\w", bare), key
        else:
            assert set(re.findall(r"[A-Za-z]+", bare)) <= LATIN_IN_RUSSIAN, key


def test_no_tile_is_written_with_a_hyphen_but_in_a_hint_about_files() -> None:
    for _, key, text in every_text():
        assert not re.search(r"\d-\d", text) or key == "fault.not_understood" or key.startswith("mistake."), key


def test_no_figure_stands_before_a_russian_word_that_must_agree() -> None:
    for lang, key, text in every_text():
        if lang == "ru" and not key.startswith(OFF_THE_TABLE):
            counted = re.search(r"\d (?:кост|оч(?:к|ок))|\{\w+\} (?:кост|оч(?:к|ок)|дупл|раунд|игрок)", text)
            assert not counted, (key, text)


def test_sentences_are_calm_and_plain() -> None:
    for _, key, text in every_text():
        forbidden = (
            '[!"*#|]' if key.startswith("mistake.") else '[!…"*#<>|]' if key.startswith(WRITTEN) else '[!…—–"*#<>|]'
        )
        assert not re.search(forbidden, text), key
        assert "  " not in text, key


def test_sentences_begin_with_a_capital_and_end_with_a_stop() -> None:
    fragments = (
        "friends.",
        "braille.",
        "doctor.",
        "word.",
        "menu.",
        "setup.",
        "library.",
        "stats.",
        "setting.",
        "look.hand",
        "look.round_before",
        "handover.",
        "walk.",
        "yours.",
        "refusal.answer",
        "fault.at",
        "cli.",
        "mistake.",
        "command.",
        "line.",
        "net.",
        "key.",
        "keys.",
        "speech.",
        "help.",
        "sound.",
    )
    for _, key, text in every_text():
        first = re.match(r"\{(\w+):?(\w*)\}", text)
        if not key.startswith(fragments):
            assert text[-1] in ".?", key
            if first:
                assert not first[2] or first[2][0].isupper(), key
            else:
                assert not text[0].isalpha() or text[0].isupper(), key


def test_the_catalogue_numbers_tiles_and_ends_as_the_engine_does() -> None:
    assert _TILES == engine_tiles.HALVES
    for number, name in enumerate(END_NAMES):
        assert SPECS["end"](words("en"), name) == SPECS["end"](words("en"), number)


@pytest.mark.parametrize(
    ("tile", "english", "russian"),
    [
        ("5-6", "six five", "шесть пять"),
        ("0-3", "blank three", "пусто три"),
        ("3-3", "double three", "дупль три"),
        ("0-0", "double blank", "дупль пусто"),
        ("1-2", "two one", "два один"),
    ],
)
def test_tiles_are_named_higher_half_first_and_blank_first(tile: str, english: str, russian: str) -> None:
    number = engine_tiles.parse_tile(tile)
    assert tile_words(words("en"), number) == english
    assert tile_words(words("ru"), number) == russian


def test_all_tiles_have_names_of_their_own() -> None:
    for lang in languages():
        assert len({tile_words(words(lang), tile) for tile in engine_tiles.TILES}) == 28


def test_a_name_is_never_taken_for_a_placeholder_or_changed() -> None:
    assert message("en", "turn.pass", who=("anna {n} {}",)) == "anna {n} {} passes."
    assert message("en", "turn.pass", who=(None,)) == "You pass."


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(ValueError, match="no language 'de'"):
        message("de", "turn.pass", who=("Anna",))


def test_an_unknown_key_and_a_missing_fact_are_errors() -> None:
    with pytest.raises(KeyError, match=r"turn\.fly"):
        message("en", "turn.fly")
    with pytest.raises(KeyError, match="laid"):
        message("en", "turn.lay", who=("Anna",))


def keys_written_in_the_program() -> tuple[set[str], tuple[str, ...]]:
    """The message keys that the program's text holds, and the beginnings of those that it puts together."""
    whole: set[str] = set()
    begun: set[str] = set()
    for path in Path(kozel.__file__).parent.rglob("*.py"):
        if "locales" not in path.parts:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                    begun.add(str(node.values[0].value))
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    whole.add(node.value)
    return whole, tuple(start for start in begun if re.fullmatch(r"[a-z]+\.[a-z_]*", start))


def test_every_message_is_said_somewhere() -> None:
    whole, begun = keys_written_in_the_program()
    endings = {"turn.lay_one_left", "turn.draw_lay_one_left"}
    assert {key for key in KEYS if key not in whole | endings and not key.startswith(begun)} == set()


def test_every_key_said_by_name_is_in_the_catalogue() -> None:
    whole, _ = keys_written_in_the_program()
    themes = {key.split(".")[0] for key in KEYS if "." in key}
    names = {text for text in whole if re.fullmatch(r"[a-z]+\.[a-z_]+", text) and text.split(".")[0] in themes}
    assert {key for key in names if key not in KEYS and not key.endswith("_")} == set()


def test_the_words_import_nothing_of_the_game() -> None:
    """So everything may import them, and the first sentence waits for nothing else."""
    loaded = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from kozel.locales import message; message('ru', 'bazaar.empty'); "
            "print(*(name for name in sys.modules if name.startswith('kozel.')))",
        ],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    ).stdout.split()
    assert loaded
    assert all(name.startswith("kozel.locales") for name in loaded)


@pytest.mark.parametrize("lang", languages())
def test_default_names_are_human_skip_those_taken_and_put_the_players_own_first(lang: str) -> None:
    names = default_names(lang)
    assert len({name[0] for name in names}) == len(names) > 8
    assert not any(character.isdigit() for name in names for character in name)
    assert default_names(lang, (names[0].upper(), names[2])) == (names[1], *names[3:])
    assert default_names(lang, ("Zed",), ("Zed", "Ann", "ann"))[:2] == ("Ann", names[0])
