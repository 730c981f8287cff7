"""What continuous integration makes of skipped tests."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import pytest

def test_runs():
    pass

def test_needs_a_tool():
    pytest.skip("not installed: xterm")

def test_needs_a_tool_that_may_be_missing():
    pytest.skip("not installed: kitty")

@pytest.mark.skipif(True, reason="there is no such thing here")
def test_marked():
    pass

@pytest.fixture
def display():
    pytest.skip("not installed: Xvfb, xdotool, openbox")

def test_needs_a_display(display):
    pass

@pytest.mark.xfail(reason="known")
def test_known():
    assert False
"""


def counts(folder: Path, **environ: str) -> dict[str, int]:
    """How many tests of a folder came out how."""
    shutil.copy(Path(__file__).with_name("conftest.py"), folder)
    kept = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)],
        env=kept | environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    last = done.stdout.splitlines()[-1]
    return {what: int(number) for number, what in re.findall(r"(\d+) (passed|failed|skipped|xfailed|error)", last)}


@pytest.mark.skipif(sys.platform != "linux", reason="continuous integration is judged on Linux")
def test_only_what_is_expected_is_skipped_in_continuous_integration(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS, encoding="utf-8")
    assert counts(tmp_path) == {"passed": 1, "skipped": 4, "xfailed": 1}
    assert counts(tmp_path, CI="true") == {"passed": 1, "skipped": 1, "xfailed": 1, "failed": 1, "error": 2}


@pytest.mark.skipif(sys.platform != "linux", reason="continuous integration is judged on Linux")
def test_a_file_skipped_as_a_whole(tmp_path: Path) -> None:
    whole = 'import pytest\npytest.importorskip("no_such_module", reason="no such module")\n'
    (tmp_path / "test_whole.py").write_text(whole, encoding="utf-8")
    assert counts(tmp_path) == {"skipped": 1}
    assert counts(tmp_path, CI="true") == {"error": 1}
