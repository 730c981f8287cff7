"""Runs in a Windows console: writes key records into the console's own input and says what `KeySource` makes of them.

`keys_program.py REPORT [--typed SECONDS]`: the report goes to a file, because the console is under test. With `--typed`
nothing is written into the input; what is typed until nothing came for so long is reported instead.
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
import traceback
from ctypes import wintypes
from pathlib import Path

from kozel.session.keys import Place
from kozel.terminal.keymap import load_keymap
from kozel.terminal.source import KeySource, Signalled

assert sys.platform == "win32"

SHIFT, CTRL, CAPS, ENHANCED = 0x10, 0x08, 0x80, 0x100
RECORDS = [
    ("Space", 0x20, " ", 0, "space act"),
    ("Shift+Space", 0x20, " ", SHIFT, "s-space mark"),
    ("Shift+Space, Caps Lock", 0x20, " ", SHIFT | CAPS, "s-space mark"),
    ("F2", 0x71, "", 0, "f2 last_move"),
    ("F3", 0x72, "", 0, "f3 counts"),
    ("Shift+F3", 0x72, "", SHIFT, "s-f3 scores"),
    ("Ctrl+F3", 0x72, "", CTRL, "c-f3 last_round"),
    ("Shift+Ctrl+F3", 0x72, "", SHIFT | CTRL, "c-s-f3 eggs"),
    ("F4", 0x73, "", 0, "f4 draw"),
    ("Shift+F4", 0x73, "", SHIFT, "s-f4 bazaar"),
    ("Left", 0x25, "", ENHANCED, "left walk_left"),
    ("Shift+Left", 0x25, "", SHIFT | ENHANCED, "s-left end_left"),
    ("Shift+Right", 0x27, "", SHIFT | ENHANCED, "s-right end_right"),
    ("Shift+Up", 0x26, "", SHIFT | ENHANCED, "s-up end_up"),
    ("Shift+Down", 0x28, "", SHIFT | ENHANCED, "s-down end_down"),
    ("Tab", 0x09, "\t", 0, "tab next_fit"),
    ("Shift+Tab", 0x09, "\t", SHIFT, "s-tab previous_fit"),
    ("Enter", 0x0D, "\r", 0, "enter confirm"),
    ("Escape", 0x1B, "\x1b", 0, "escape leave"),
    ("Backspace", 0x08, "\x08", 0, "backspace undo"),
    ("X", 0x58, "X", SHIFT, "X mark"),
    ("X on the Russian layout", 0x58, "ч", 0, "x mark"),
    ("comma on the Russian layout", 0xBC, "б", 0, ", older"),
    ("question mark by place on the Russian layout", 0xBF, ",", SHIFT, "? help"),
    ("1", 0x31, "1", 0, "1 tile_1"),
    ("Shift alone", 0x10, "", SHIFT, ""),
    ("Ctrl+C", 0x43, "\x03", CTRL, "signal 2"),
]


class KeyEventRecord(ctypes.Structure):
    _fields_ = (
        ("down", wintypes.BOOL),
        ("repeat", wintypes.WORD),
        ("vk", wintypes.WORD),
        ("scan", wintypes.WORD),
        ("char", wintypes.WCHAR),
        ("state", wintypes.DWORD),
    )


class FocusEventRecord(ctypes.Structure):
    _fields_ = (("front", wintypes.BOOL),)


class EventRecord(ctypes.Union):
    _fields_ = (("key", KeyEventRecord), ("focus", FocusEventRecord))


class InputRecord(ctypes.Structure):
    _fields_ = (("type", wintypes.WORD), ("event", EventRecord))


kernel32 = ctypes.WinDLL("kernel32")
kernel32.GetStdHandle.restype = wintypes.HANDLE
kernel32.GetStdHandle.argtypes = (wintypes.DWORD,)
kernel32.GetConsoleMode.argtypes = (wintypes.HANDLE, ctypes.POINTER(wintypes.DWORD))
kernel32.WriteConsoleInputW.argtypes = (
    wintypes.HANDLE,
    ctypes.POINTER(InputRecord),
    wintypes.DWORD,
    ctypes.POINTER(wintypes.DWORD),
)
STDIN = kernel32.GetStdHandle(0xFFFFFFF6)


def mode() -> int:
    flags = wintypes.DWORD()
    kernel32.GetConsoleMode(STDIN, ctypes.byref(flags))
    return flags.value


def write_key(vk: int, char: str, state: int, changes: tuple[bool, ...] = (True, False)) -> None:
    for down in changes:
        write(InputRecord(1, EventRecord(key=KeyEventRecord(down, 1, vk, 0, char or "\0", state))))


def write_focus(front: bool) -> None:
    write(InputRecord(0x10, EventRecord(focus=FocusEventRecord(front))))


def write(record: InputRecord) -> None:
    written = wintypes.DWORD()
    if not kernel32.WriteConsoleInputW(STDIN, ctypes.byref(record), 1, ctypes.byref(written)):
        raise ctypes.WinError()


async def arrived(keys: KeySource, seconds: float) -> str:
    try:
        pressed = await keys.get(lambda: Place.WAITING, seconds)
    except Signalled as signalled:
        return f"signal {signalled.signum}"
    return f"{pressed.key} {pressed.command}" if pressed else ""


async def held_down(keys: KeySource) -> list[str]:
    """Enter held down, let go, and pressed again at once: what comes of each part."""
    write_key(0x0D, "\r", 0, (True,))
    first = await arrived(keys, 2.0)
    await asyncio.sleep(0.5)
    for _ in range(10):
        write_key(0x0D, "\r", 0, (True,))
        await asyncio.sleep(0.033)
    repeats = await arrived(keys, 0.5)
    write_key(0x0D, "\r", 0, (False,))
    await asyncio.sleep(0.05)
    write_key(0x0D, "\r", 0)
    return [first, repeats, await arrived(keys, 2.0)]


async def written_records(report: list[str]) -> int:
    wrong = 0
    before = mode()
    async with KeySource(load_keymap("classic")) as keys:
        report.append(f"level {keys.level}, shift_space {keys.shift_space}, mode {before:#x} now {mode():#x}")
        wrong += mode() & 0x0207 != 0
        got_held = await held_down(keys)
        wrong += got_held != ["enter confirm", "", "enter confirm"]
        report.append(f"{'WRONG' if wrong else 'ok'}: Enter held down, and pressed again: {got_held}")
        for what, vk, char, state, wanted in RECORDS:
            write_key(vk, char, state)
            got = await arrived(keys, 2.0 if wanted else 0.3)
            wrong += got != wanted
            report.append(f"{'ok' if got == wanted else 'WRONG'}: {what}: {got or 'nothing'}")
    wrong += mode() != before
    report.append(f"{'ok' if mode() == before else 'WRONG'}: mode afterwards {mode():#x}")
    told = focus_told()
    wrong += told != [False, True, False, True]
    report.append(f"{'ok' if told == [False, True, False, True] else 'WRONG'}: focus left, back, left, a key: {told}")
    return wrong


def focus_told() -> list[bool]:
    """What the reader makes of focus records. It is called here, because Wine's console wakes nobody for them."""
    from kozel.terminal.win32 import RecordReader

    told: list[bool] = []
    reader = RecordReader(lambda event: None, told.append)
    for front in (False, True, False):
        write_focus(front)
        reader.read()
    write_key(0x72, "", 0)
    reader.read()
    return told


async def typed(report: list[str], seconds: float) -> int:
    async with KeySource(load_keymap("classic")) as keys:
        Path(f"{sys.argv[1]}.ready").touch()
        while True:
            got = await arrived(keys, seconds)
            if not got:
                return 0
            report.append(got)


def main() -> int:
    report: list[str] = []
    try:
        if "--typed" in sys.argv:
            return asyncio.run(typed(report, float(sys.argv[sys.argv.index("--typed") + 1])))
        return min(1, asyncio.run(written_records(report)))
    except Exception:
        report.append(f"WRONG: {traceback.format_exc()}")
        return 1
    finally:
        Path(sys.argv[1]).write_text("\n".join(report) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
