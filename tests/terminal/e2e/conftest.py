"""The displays, one of a kind for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from terminal.e2e.display import Display, missing


def _opened(folder: Path, *, repeats: bool) -> Iterator[Display]:
    reason = missing()
    if reason:
        pytest.skip(reason)
    opened = Display(folder, repeats=repeats)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def display(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Display]:
    yield from _opened(tmp_path_factory.mktemp("display"), repeats=False)


@pytest.fixture(scope="module")
def repeating(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Display]:
    """One that repeats keys held down."""
    yield from _opened(tmp_path_factory.mktemp("repeating"), repeats=True)
