"""The README says what the program does: its list of keys is the keymap's."""

from __future__ import annotations

from pathlib import Path

from kozel.terminal.key_lists import keymap_markdown
from kozel.terminal.keymap import load_keymap

README = Path(__file__).resolve().parent.parent / "README.md"
BEGIN, END = "<!-- keys: made from keymaps/classic.yaml by a test -->\n", "<!-- end of keys -->"


def test_the_list_of_keys_is_made_from_the_keymap() -> None:
    text = README.read_text(encoding="utf-8")
    listed = text[text.index(BEGIN) + len(BEGIN) : text.index(END)].strip()
    wanted = "\n".join(keymap_markdown(load_keymap("classic"), "en"))
    assert listed == wanted, f"put this between the marks in README.md:\n{wanted}"
