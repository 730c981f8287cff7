"""What is done meanwhile: kept until it is done, and what fails is in the log."""

from __future__ import annotations

import asyncio
import logging

import pytest

from kozel.net.errands import Errands


def test_what_fails_is_logged_and_what_is_given_up_is_not(caplog: pytest.LogCaptureFixture) -> None:
    async def fail(error: Exception) -> None:
        raise error

    async def run() -> None:
        errands = Errands("table 7")
        with caplog.at_level(logging.WARNING):
            failing = [errands.start(fail(error)) for error in (OSError("full"), ValueError("odd"))]
            waiting = errands.start(asyncio.sleep(60))
            await asyncio.wait(failing)
            errands.cancel()
            await asyncio.wait([waiting])
            await asyncio.sleep(0)

    asyncio.run(run())
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("WARNING", "table 7: full"),
        ("ERROR", "table 7"),
    ]
