"""The product replays random records, sound and broken ones, as the independent model does.

KOZEL_ORACLE_MATCHES sets how many matches are compared (default 400), for long runs.
"""

from __future__ import annotations

import json
import os
from random import Random
from typing import Any

import pytest

from oracle.records import break_record, random_record
from oracle.records import replay_text as replay_by_oracle

replay = pytest.importorskip("kozel.records.replay")

MATCHES = int(os.environ.get("KOZEL_ORACLE_MATCHES", "400"))
CHUNK = 25
CHUNKS = range(0, MATCHES, CHUNK)


def first_difference(expected: object, found: object, where: str = "") -> str | None:
    """Where two JSON values first differ and how; None if they do not."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in [*expected, *(key for key in found if key not in expected)]:
            if key not in expected or key not in found:
                return f"{where}.{key}: only {'found' if key in found else 'expected'}"
            difference = first_difference(expected[key], found[key], f"{where}.{key}")
            if difference:
                return difference
        return None
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        differences = (
            first_difference(one, other, f"{where}[{place}]")
            for place, (one, other) in enumerate(zip(expected, found, strict=True))
        )
        return next((difference for difference in differences if difference), None)
    if type(expected) is type(found) and expected == found:
        return None
    return f"{where}: expected {expected!r}, found {found!r}"


def compare(seed: str, text: str) -> None:
    found: dict[str, Any] = json.loads(json.dumps(replay.replay_text(text.encode("utf-8"), f"{seed}.yaml")))
    expected = replay_by_oracle(text)
    error = found.pop("error", None)
    assert found.pop("file", None) == f"{seed}.yaml"
    assert found.pop("shuffle", None) is None
    difference = first_difference(expected, found)
    if difference:
        pytest.fail(f"seed {seed!r}: {difference} (error: {error!r})\n{text}", pytrace=False)
    if expected["ok"]:
        assert error is None
    else:
        assert isinstance(error, str)
        assert error.strip()
        assert "\n" not in error


@pytest.mark.parametrize("start", CHUNKS)
def test_sound_records(start: int) -> None:
    for number in range(start, min(start + CHUNK, MATCHES)):
        seed = f"match {number}"
        compare(seed, random_record(Random(seed)))


@pytest.mark.parametrize("start", CHUNKS)
def test_broken_records(start: int) -> None:
    for number in range(start, min(start + CHUNK, MATCHES)):
        seed = f"broken {number}"
        rng = Random(seed)
        compare(seed, break_record(rng, random_record(rng)))
