"""Write the reference part of `rulesets/README.md`, in each language that has one, from the rules themselves.

python tools/ruleset_reference.py          rewrite the part between the two marks
python tools/ruleset_reference.py --check  say whether it is up to date: exit status 1 if not

In English a rule is told by its docstring, which names its source; in other languages by its sentences in the catalogue.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from kozel.locales import FALLBACK, languages, message  # noqa: E402
from kozel.rules.head import DEFAULTS, HEAD_KEYS  # noqa: E402
from kozel.rules.registry import ROLES, Slot, roles_of  # noqa: E402
from kozel.rules.ruleset import written  # noqa: E402
from kozel.rules.settings import kind_of  # noqa: E402
from kozel.rules.vocabulary import RULES, SLOTS, settings_of  # noqa: E402

FOLDER = ROOT / "rulesets"
BEGIN, END = "<!-- reference: begin -->", "<!-- reference: end -->"
_NOTES = re.compile(r"\s*Notes? `.*", re.S)
_PLACEHOLDER = re.compile(r"\{(\w+)(?::\w+)?\}")


def readme(lang: str) -> Path:
    """The README of a language."""
    return FOLDER / ("README.md" if lang == FALLBACK else f"README.{lang}.md")


class Reference:
    """The reference part in one language."""

    def __init__(self, lang: str) -> None:
        self._lang = lang
        self._said = import_module(f"kozel.locales.{lang}.rules")

    def text(self) -> str:
        """Keys, slots with their rules, settlement steps in their order."""
        return "\n".join((*self._keys(), *self._slots(), *self._steps())) + "\n"

    def _word(self, key: str, **facts: str) -> str:
        return str(self._said.REFERENCE[key]).format(**facts)

    def _keys(self) -> Iterator[str]:
        yield f"### {self._word('keys')}"
        yield ""
        for key in HEAD_KEYS:
            yield f"- `{key}`: {self._said.KEYS[key]}."
        yield ""

    def _slots(self) -> Iterator[str]:
        for slot in SLOTS:
            if slot == "settlement":
                continue
            yield from self._heading(slot)
            for name, function in RULES[slot].items():
                yield from self._rule(name, function)
            yield ""

    def _heading(self, slot: Slot) -> Iterator[str]:
        purpose = message(self._lang, f"mistake.slot_{slot}")
        default = self._word("left_out", rule=DEFAULTS[slot]) if slot in DEFAULTS else self._word("must_be")
        yield f"### {self._word('slot', slot=slot)}"
        yield ""
        yield f"{purpose[:1].upper()}{purpose[1:]}. {default}"
        yield ""

    def _steps(self) -> Iterator[str]:
        yield from self._heading("settlement")
        told: set[str] = set()
        for role in ROLES:
            names = [name for name in RULES["settlement"] if role in roles_of(name) and name not in told]
            if not names:
                continue
            yield f"#### {self._word('step', what=self._said.ROLES[role])}"
            yield ""
            for name in names:
                told.add(name)
                yield from self._rule(name, RULES["settlement"][name])
            yield ""

    def _rule(self, name: str, function: Callable[..., Any]) -> Iterator[str]:
        yield f"- `{name}`: {self._docstring(function) if self._lang == FALLBACK else self._sentences(name)}"
        parameters = inspect.signature(function).parameters
        for setting, (annotation, needed) in settings_of(function).items():
            default = parameters[setting].default
            if needed:
                rest = self._word("needed")
            elif default is None or default == ():
                rest = self._word("optional")
            else:
                rest = self._word("default", value=written(default))
            yield f"  - `{setting}`: {kind_of(annotation).wanted.text(self._lang)}; {rest}."

    @staticmethod
    def _docstring(function: Callable[..., Any]) -> str:
        text = inspect.cleandoc(function.__doc__ or "").replace("\n\n", " ")
        return " ".join(_NOTES.sub("", text).split())

    def _sentences(self, name: str) -> str:
        """The sentences of a rule, its settings by their names."""
        parts = []
        for key, sentence in self._said.RULES[name].items():
            text = _PLACEHOLDER.sub(r"`\1`", sentence[:1].upper() + sentence[1:])
            given = re.sub(r":(\w+)", r": \1", key) if ":" in key and not key.endswith(":given") else ""
            parts.append(f"`{given}`: {text}" if given else text)
        return " ".join(parts)


def with_reference(text: str, lang: str) -> str:
    """A README with its reference part made anew. Raises `ValueError` if the marks are missing."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{Reference(lang).text()}{END}{after}"


def _main(words: list[str]) -> int:
    status = 0
    for lang in languages():
        file = readme(lang)
        if not file.is_file():
            continue
        old = file.read_text(encoding="utf-8")
        new = with_reference(old, lang)
        if words == ["--check"]:
            print(
                f"{file.name}: up to date" if new == old else f"{file} is out of date: run tools/ruleset_reference.py"
            )
            status = max(status, int(new != old))
        else:
            file.write_text(new, encoding="utf-8", newline="\n")
    return status


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
