"""In continuous integration on Linux nothing is skipped for want of a tool: there, a skip that is not expected is a failure."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest

os.environ["KOZEL_SOUNDS"] = "off"  # a test that wants them says so

EXPECTED = (
    r"not installed: (kitty|xfce4-terminal|dbus-run-session, xfce4-terminal)$",  # tried where a developer has them
    r"root reads everything$",  # root can't be refused a file
    r"Python 3\.\d+ is not installed",  # other versions than the one in use
)
"""Reasons to skip that continuous integration may have."""


def _unexpected(report: pytest.TestReport | pytest.CollectReport) -> str | None:
    """Why this was skipped, where it may not be."""
    if not os.environ.get("CI") or sys.platform != "linux" or not report.skipped or hasattr(report, "wasxfail"):
        return None
    told = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    reason = told.removeprefix("Skipped: ")
    return None if any(re.match(expected, reason) for expected in EXPECTED) else reason


def _judge(report: pytest.TestReport | pytest.CollectReport) -> None:
    reason = _unexpected(report)
    if reason is not None:
        report.outcome = "failed"
        report.longrepr = f"skipped in continuous integration, where all that is needed must be: {reason}"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    """Judge a test that was skipped."""
    outcome: Any = yield
    _judge(outcome.get_result())


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report() -> Iterator[None]:
    """Judge a file that was skipped as a whole."""
    outcome: Any = yield
    _judge(outcome.get_result())
