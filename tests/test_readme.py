"""The papers say what the program does: lists of keys are the keymap's, both READMEs give the lines, links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kozel.locales import languages
from kozel.session.commands import Command
from kozel.terminal.key_lists import keymap_markdown
from kozel.terminal.keymap import load_keymap

ROOT = Path(__file__).resolve().parent.parent
READMES = ("README.md", "README.ru.md")
PAPERS = sorted((*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("keymaps/*.md")))
KEYS = {"en": "docs/keys.md", "ru": "docs/keys.ru.md"}
BEGIN, END = "<!-- keys: made from keymaps/classic.yaml by a test -->\n", "<!-- end of keys -->"
LINES = (
    "    python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/kozel\n",
    "    py -m venv .venv; .venv\\Scripts\\pip install .; .venv\\Scripts\\kozel\n",
    "    python3 -m venv .venv && .venv/bin/pip install -e '.[test]' && .venv/bin/pytest\n",
    "    py -m venv .venv; .venv\\Scripts\\pip install -e '.[test]'; .venv\\Scripts\\pytest\n",
)


@pytest.mark.parametrize("lang", KEYS)
def test_the_list_of_keys_is_made_from_the_keymap(lang: str) -> None:
    text = (ROOT / KEYS[lang]).read_text(encoding="utf-8")
    listed = text[text.index(BEGIN) + len(BEGIN) : text.index(END)].strip()
    wanted = "\n".join(keymap_markdown(load_keymap("classic"), lang))
    assert listed == wanted, f"put this between the marks in {KEYS[lang]}:\n{wanted}"


@pytest.mark.parametrize("name", READMES)
def test_the_lines_to_give_stand_in_both(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert [line for line in LINES if line not in text] == []


@pytest.mark.parametrize("name", READMES)
def test_the_first_page_is_one_screen(name: str) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) <= 70


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files(paper: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", paper.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (paper.parent / link).exists()] == []


@pytest.mark.parametrize("name", ["README.md", "README.ru.md"])
def test_each_page_about_keymaps_explains_every_command(name: str) -> None:
    text = (ROOT / "keymaps" / name).read_text(encoding="utf-8")
    assert [command.value for command in Command if f"`{command.value}`" not in text and command.tile is None] == []


def test_there_is_a_list_of_keys_in_every_shipped_language() -> None:
    assert set(KEYS) == set(languages())
