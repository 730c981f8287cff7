"""A ruleset's options as items of a menu: their names, their values in words, and the values to step through."""

from __future__ import annotations

from collections.abc import Sequence

from kozel.rules.ruleset import Option, Value
from kozel.rules.settings import Whole, kind_of

_STEP = 25
_SMALL = 1000
"""Up to here numbers are stepped through by 25, above it as 1, 2, 5, 10, 20 and so on."""


def option_number(option: Option) -> Whole | None:
    """The numbers that an option can be; None where it is no number, or one of a few."""
    kinds = [kind for kind in map(kind_of, option.annotations) if isinstance(kind, Whole)]
    if option.values is not None or isinstance(option.default, bool) or not kinds:
        return None
    return Whole(max(kind.low for kind in kinds), min(kind.high for kind in kinds))


def option_values(option: Option) -> Sequence[Value]:
    """The values to step through, in order; of numbers some round ones and the default."""
    number = option_number(option)
    if number is not None:
        return sorted({*_round_numbers(number), number.low, number.high, int(option.default)})
    return option.values if option.values is not None else (False, True)


def _round_numbers(number: Whole) -> list[int]:
    if number.high <= _SMALL:
        candidates = list(range(_STEP, number.high + 1, _STEP))
    else:
        candidates = [digit * 10**power for power in range(len(str(number.high))) for digit in (1, 2, 5)]
    return [each for each in candidates if number.low <= each <= number.high]


def stepped(values: Sequence[Value], now: Value, by: int) -> Value:
    """The value after or before one, round and round; of numbers the nearest beyond one that is not among them."""
    if now in values:
        return values[(list(values).index(now) + by) % len(values)]
    numbers = [each for each in values if isinstance(each, int) and isinstance(now, int) and (each - now) * by > 0]
    return (min(numbers) if by > 0 else max(numbers)) if numbers else values[0]
