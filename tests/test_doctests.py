"""What the docstrings of forms that read back show is so."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

SHOWING = {
    "kozel.clean": 2,
    "kozel.engine.moves": 3,
    "kozel.engine.shuffle": 2,
    "kozel.engine.tiles": 4,
    "kozel.records.notation": 9,
    "kozel.records.reading": 4,
    "kozel.records.writing": 1,
}
"""Modules, and how many examples there are at least."""


@pytest.mark.parametrize("name", SHOWING)
def test_the_examples_of_a_module(name: str) -> None:
    result = doctest.testmod(import_module(name), optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert (result.failed, result.attempted >= SHOWING[name]) == (0, True), result
