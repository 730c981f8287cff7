from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from voice.dispatcher import Dispatcher


@pytest.fixture
def dispatcher(monkeypatch: pytest.MonkeyPatch) -> Iterator[Dispatcher]:
    """A real speech-dispatcher, not yet started, to which the environment points."""
    if sys.platform == "win32" or shutil.which("speech-dispatcher") is None:
        pytest.skip("speech-dispatcher is not installed (apt-get install speech-dispatcher)")
    pytest.importorskip("speechd", reason="the client of speech-dispatcher is not installed (kozel[linux])")
    folder = Path(tempfile.mkdtemp(prefix="kozel", dir="/tmp"))
    server = Dispatcher(folder)
    monkeypatch.setenv("SPEECHD_ADDRESS", server.address)
    yield server
    server.kill()
    shutil.rmtree(folder, ignore_errors=True)
