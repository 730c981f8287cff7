"""One display for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from terminal.e2e.display import Display, missing


@pytest.fixture(scope="module")
def display(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Display]:
    reason = missing()
    if reason:
        pytest.skip(reason)
    opened = Display(tmp_path_factory.mktemp("display"))
    yield opened
    opened.close()
