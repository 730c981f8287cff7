"""Run in Windows' Python by zip_check.py, in a console: code pages, Ctrl+Break. Writes its findings to the file named first."""

import ctypes
import os
import signal
import subprocess
import sys
import time
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


def control_break(transcript: Path) -> str:
    """Ctrl+Break at the table."""
    words = ["-m", "kozel", "play", "kozel", "--player", "Анна", "--player", "Борис", "--transcript", str(transcript)]
    group = subprocess.CREATE_NEW_PROCESS_GROUP  # type: ignore[attr-defined]
    game = subprocess.Popen([sys.executable, "-X", "utf8", *words], creationflags=group)
    for _ in range(300):
        if transcript.exists() and "Раунд 1" in transcript.read_text(encoding="utf-8"):
            break
        time.sleep(0.1)
    time.sleep(1)
    os.kill(game.pid, signal.CTRL_BREAK_EVENT)  # type: ignore[attr-defined]
    status = game.wait(60)
    last = transcript.read_text(encoding="utf-8").splitlines()[-1]
    return f"Ctrl+Break: status {status}, the last words {last}"


def main() -> None:
    """Everything, a line each."""
    out = Path(sys.argv[1])
    found = [code_page(page) for page in (437, 866, 1251, 65001)]
    try:
        found.append(control_break(out.with_suffix(".jsonl")))
    except Exception as error:
        found.append(f"Ctrl+Break: {error!r}")
    out.with_suffix(".new").write_text("\n".join(found), encoding="utf-8")
    os.replace(out.with_suffix(".new"), out)


main()
