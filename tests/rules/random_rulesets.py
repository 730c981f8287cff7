"""Random rulesets as YAML text, from the vocabulary itself: whatever rule is added to it is in here."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Literal, get_args, get_origin

from kozel.engine.tiles import NAMES
from kozel.rules.registry import Role, Slot, declared, roles_of
from kozel.rules.settings import OneTile, SomeTiles, TilePoints, Whole, kind_of
from kozel.rules.vocabulary import RULES, SLOTS, settings_of

_STEP_ORDER: tuple[tuple[Role, ...], ...] = (
    ("title",),
    ("count",),
    ("change",),
    ("add", "eggs"),
    ("record",),
    ("end",),
    ("pay",),
    ("opener",),
)


def random_ruleset(seed: str, sensible: bool) -> str:
    """A ruleset. `sensible`: its settlement is in the right order, so that it has a chance to be valid."""
    return _Writer(Random(seed), sensible).text()


class _Writer:
    def __init__(self, random: Random, sensible: bool) -> None:
        self._random, self._sensible = random, sensible
        self._options: dict[str, str] = {}

    def text(self) -> str:
        random = self._random
        seats = sorted(random.sample((2, 3, 4), random.randint(1, 3)))
        pairs = random.choice(("never", "optional", "always")) if 4 in seats else "never"
        hand = random.randint(1, 28 // max(seats))
        slots = [f"{slot}: {self._slot(slot)}" for slot in SLOTS if slot != "settlement"]
        steps = [f"  - {step}" for step in self._steps()]
        options = [f"  {name}: {value}" for name, value in self._options.items()]
        return "\n".join(
            (
                "kozel-ruleset: 1",
                "id: random",
                f"seats: {seats}",
                f"pairs: {pairs}",
                f"hand: {hand}",
                *(("options:", *options) if options else ()),
                *slots,
                "settlement:",
                *steps,
                "",
            )
        )

    def _slot(self, slot: Slot) -> str:
        names = sorted(RULES[slot])
        plain = [name for name in names if declared(name).silent]
        if self._sensible and plain and self._random.random() < 0.5:
            return plain[0]
        if self._random.random() < 0.15:
            option = self._option("yes")
            first, second = self._random.choice(names), self._random.choice(names)
            return f"[{self._rule(slot, first, f'{option}: yes')}, {self._rule(slot, second, f'{option}: no')}]"
        return self._rule(slot, self._random.choice(names))

    def _steps(self) -> list[str]:
        random = self._random
        if not self._sensible:
            names = random.sample(sorted(RULES["settlement"]), random.randint(1, 8))
            return [self._rule("settlement", name) for name in names]
        steps = []
        for roles in _STEP_ORDER:
            names = [name for name in RULES["settlement"] if roles_of(name) & {*roles} and "sit" not in roles_of(name)]
            if roles[0] in ("count", "record", "end", "opener") or random.random() < 0.5:
                steps.append(self._rule("settlement", random.choice(names)))
        if random.random() < 0.2:
            steps = [step for step in steps if "goat" in step]
            steps.append(self._rule("settlement", "sitting_on_the_goat"))
        return steps

    def _rule(self, slot: Slot, name: str, when: str = "") -> str:
        settings = self._settings(RULES[slot][name])
        if when:
            settings.append(f"when: {{{when}}}")
        return f"{{{name}: {{{', '.join(settings)}}}}}" if settings else name

    def _settings(self, function: Callable[..., Any]) -> list[str]:
        chosen = []
        for name, (annotation, needed) in settings_of(function).items():
            if needed or self._random.random() < 0.5:
                chosen.append(f"{name}: {self._value(annotation)}")
        return chosen

    def _value(self, annotation: Any) -> str:
        random = self._random
        kind = kind_of(annotation)
        if isinstance(kind, OneTile):
            return random.choice(("6-6", random.choice(NAMES)))
        if isinstance(kind, SomeTiles):
            count = random.choice((1, 1, 1, 2, 7) if self._sensible else (0, 1, 2, 7, 28))
            return f"[{', '.join(random.sample(NAMES, count))}]"
        if isinstance(kind, TilePoints):
            tiles = random.sample(NAMES, random.randint(int(self._sensible), 5))
            return f"{{{', '.join(f'{tile}: {random.randint(0, 60)}' for tile in tiles)}}}"
        plain = self._plain(annotation, kind)
        return self._option(plain, annotation) if random.random() < 0.2 else plain

    def _plain(self, annotation: Any, kind: object) -> str:
        if get_origin(annotation) is Literal:
            return str(self._random.choice(get_args(annotation)))
        if isinstance(kind, Whole):
            return str(self._random.randint(kind.low, min(kind.high, kind.low + self._random.choice((7, 60)))))
        return self._random.choice(("yes", "no"))

    def _option(self, value: str, annotation: Any = None) -> str:
        """A new option with this default; how a setting refers to it, or just its name for a `when`."""
        name = f"option_{len(self._options)}"
        listed = get_origin(annotation) is Literal
        self._options[name] = f"{{default: {value}, values: [{value}]}}" if listed else value
        return f"${name}" if annotation is not None else name
