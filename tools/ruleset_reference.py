"""Write the reference part of `rulesets/README.md` from the rule functions themselves.

python tools/ruleset_reference.py          rewrite the part between the two marks
python tools/ruleset_reference.py --check  say whether it is up to date: exit status 1 if not
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from kozel.locales import message  # noqa: E402
from kozel.rules.head import DEFAULTS, HEAD_KEYS  # noqa: E402
from kozel.rules.registry import ROLES, Slot, roles_of  # noqa: E402
from kozel.rules.ruleset import written  # noqa: E402
from kozel.rules.settings import kind_of  # noqa: E402
from kozel.rules.vocabulary import RULES, SLOTS, settings_of  # noqa: E402

README = ROOT / "rulesets" / "README.md"
BEGIN, END = "<!-- reference: begin -->", "<!-- reference: end -->"
_NOTES = re.compile(r"\s*Notes? `.*", re.S)


def reference() -> str:
    """The reference part: keys, slots with their rules, settlement steps in their order."""
    return "\n".join((*_keys(), *_slots(), *_steps())) + "\n"


def with_reference(text: str) -> str:
    """The README with its reference part made anew. Raises `ValueError` if the marks are missing."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{reference()}{END}{after}"


def _keys() -> Iterator[str]:
    yield "### Keys"
    yield ""
    for key, what in HEAD_KEYS.items():
        yield f"- `{key}`: {what}."
    yield ""


def _slots() -> Iterator[str]:
    for slot in SLOTS:
        if slot == "settlement":
            continue
        default = f" Left out: `{DEFAULTS[slot]}`." if slot in DEFAULTS else " It must be given, or inherited."
        yield f"### Slot `{slot}`"
        yield ""
        yield f"{_purpose(slot)}.{default}"
        yield ""
        for name, function in RULES[slot].items():
            yield from _rule(name, function)
        yield ""


def _purpose(slot: Slot) -> str:
    words = message("en", f"mistake.slot_{slot}")
    return words[:1].upper() + words[1:]


def _steps() -> Iterator[str]:
    yield "### Slot `settlement`"
    yield ""
    yield f"{_purpose('settlement')}. It must be given, or inherited."
    yield ""
    told: set[str] = set()
    for role, what in ROLES.items():
        names = [name for name in RULES["settlement"] if role in roles_of(name) and name not in told]
        if not names:
            continue
        yield f"#### A step that {what}"
        yield ""
        for name in names:
            told.add(name)
            yield from _rule(name, RULES["settlement"][name])
        yield ""


def _rule(name: str, function: Callable[..., Any]) -> Iterator[str]:
    first, *more = inspect.cleandoc(function.__doc__ or "").split("\n\n")
    text = " ".join((first, *more))
    yield f"- `{name}`: {' '.join(_NOTES.sub('', text).split())}"
    parameters = inspect.signature(function).parameters
    for setting, (annotation, needed) in settings_of(function).items():
        default = parameters[setting].default
        if needed:
            rest = "needed"
        elif default is None or default == ():
            rest = "may be left out"
        else:
            rest = f"left out: {written(default)}"
        yield f"  - `{setting}`: {kind_of(annotation).wanted.text('en')}; {rest}."


def _main(words: list[str]) -> int:
    old = README.read_text(encoding="utf-8")
    new = with_reference(old)
    if words == ["--check"]:
        print("up to date" if new == old else f"{README} is out of date: run tools/ruleset_reference.py")
        return int(new != old)
    README.write_text(new, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
