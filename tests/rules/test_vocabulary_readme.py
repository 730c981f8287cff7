"""`rulesets/README.md` against the code: all of the vocabulary is in it, nothing else, and its examples play."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from kozel.rules.describing import describe
from kozel.rules.head import HEAD_KEYS
from kozel.rules.reading import parse_ruleset, shipped_ids
from kozel.rules.vocabulary import RULES, SLOTS, settings_of
from rules.play import play_match

ROOT = Path(__file__).resolve().parent.parent.parent
READMES = {lang: ROOT / "rulesets" / name for lang, name in (("en", "README.md"), ("ru", "README.ru.md"))}
TEXTS = {lang: path.read_text(encoding="utf-8") for lang, path in READMES.items()}
EXAMPLES = {lang: re.findall(r"```yaml\n(.*?)```", text, re.S) for lang, text in TEXTS.items()}
EACH = [(lang, text) for lang, examples in EXAMPLES.items() for text in examples]
MOST_ROUNDS = 3000
PLAIN_WORDS = {
    "before",
    "after",
    "none",
    "no",
    "when",
    "when: none",
    "$",
    "#",
    "never",
    "optional",
    "always",
    "target",
} | {
    "about",
    "values",
}
"""Words of the format, values and an option's name, which are no keys, slots, rules or settings."""


def vocabulary() -> set[str]:
    words = {*HEAD_KEYS, *SLOTS}
    for rules in RULES.values():
        for name, function in rules.items():
            words |= {name, *settings_of(function)}
    return words


def test_the_reference_part_is_what_the_rule_functions_say() -> None:
    tool = ROOT / "tools" / "ruleset_reference.py"
    done = subprocess.run([sys.executable, tool, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("lang", READMES)
def test_every_key_slot_rule_and_setting_is_named(lang: str) -> None:
    reference = TEXTS[lang][TEXTS[lang].index("<!-- reference: begin -->") :]
    missing = {word for word in vocabulary() if f"`{word}`" not in reference}
    assert not missing


def test_every_setting_of_a_rule_is_explained_in_its_docstring() -> None:
    unexplained = [
        f"{name}.{setting}"
        for rules in RULES.values()
        for name, function in rules.items()
        for setting in settings_of(function)
        if not re.search(rf"`{setting}\b", function.__doc__ or "")
    ]
    assert not unexplained


@pytest.mark.parametrize("lang", READMES)
def test_nothing_is_named_that_does_not_exist(lang: str) -> None:
    prose = re.sub(r"```.*?```", "", TEXTS[lang], flags=re.S)
    known = vocabulary() | PLAIN_WORDS
    quoted = {word for word in re.findall(r"`([^`]+)`", prose) if not word.startswith(("kozel ", "{", "["))}
    named = {re.split(r":", word)[0] for word in quoted}
    unknown = {word for word in named - known if re.fullmatch(r"[a-z_]{3,}", word)}
    assert not unknown


@pytest.mark.parametrize(("lang", "text"), EACH, ids=lambda each: (re.findall(r"id: (\S+)", each) or [each])[0])
def test_each_example_is_fine_and_plays_to_the_end(lang: str, text: str) -> None:
    ruleset = parse_ruleset(text.encode(), Path("example.yaml"), tried=True)
    assert all(line.strip() for line in describe(ruleset, lang))
    assert ruleset.id not in shipped_ids()
    for table in ruleset.seatings():
        game = ruleset.game(int(table["seats"]), bool(table["pairs"]))
        assert play_match(game, "readme", MOST_ROUNDS).end


@pytest.mark.parametrize("lang", READMES)
def test_there_are_examples_from_nothing_and_by_extending(lang: str) -> None:
    assert sum("extends:" in text for text in EXAMPLES[lang]) >= 3
    assert sum("extends:" not in text for text in EXAMPLES[lang]) >= 2


def test_both_languages_show_the_same_examples_and_sections() -> None:
    def stripped(text: str) -> str:
        return re.sub(r" +#.*|source: .*", "", text)

    assert [stripped(text) for text in EXAMPLES["en"]] == [stripped(text) for text in EXAMPLES["ru"]]
    headings = {lang: re.findall(r"^(#+) ", text, re.M) for lang, text in TEXTS.items()}
    assert headings["en"] == headings["ru"]
