"""Run in Windows' Python by zip_check.py, in a console: code pages. Writes its findings to the file named first."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

kernel = ctypes.windll.kernel32  # type: ignore[attr-defined]
RULES = [sys.executable, "-X", "utf8", "-m", "kozel", "rules", "list", "--lang", "ru"]
LINES, COLUMNS = 30, 100


def screen() -> str:
    """What stands on the console, as Windows tells it."""
    handle = kernel.CreateFileW("CONOUT$", 0xC0000000, 3, None, 3, 0, None)
    text = ctypes.create_unicode_buffer(LINES * COLUMNS + 1)
    read = ctypes.c_ulong()
    kernel.ReadConsoleOutputCharacterW(ctypes.c_void_p(handle), text, LINES * COLUMNS, 0, ctypes.byref(read))
    return str(text.value)


def code_page(page: int) -> str:
    """Russian lines on a console of this code page."""
    kernel.SetConsoleCP(page)
    kernel.SetConsoleOutputCP(page)
    subprocess.run(["cmd", "/c", "cls"], check=False, timeout=60)
    subprocess.run(RULES, check=False, timeout=60)
    there = kernel.GetConsoleOutputCP()
    return f"code page {page} (in force {there}): {'read' if 'Козёл' in screen() else 'not read'}"


def main() -> None:
    """A line for each code page."""
    out = Path(sys.argv[1])
    pages = [code_page(page) for page in (437, 866, 1251, 65001)]
    out.with_suffix(".new").write_text("\n".join(pages), encoding="utf-8")
    os.replace(out.with_suffix(".new"), out)


main()
