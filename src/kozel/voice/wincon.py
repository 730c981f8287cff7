"""What the Windows console tells about itself. Everywhere else the questions have no answer."""

from __future__ import annotations

import sys

_ENABLE_VIRTUAL_TERMINAL_PROCESSING = 0x0004


def enable_escape_sequences(fileno: int) -> bool:
    """Lets the console behind this file descriptor carry out escape sequences; False if it can't (before Windows 10)."""
    if sys.platform != "win32":
        return True
    import ctypes
    import msvcrt
    from ctypes import wintypes

    try:
        handle = wintypes.HANDLE(msvcrt.get_osfhandle(fileno))
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        mode = wintypes.DWORD()
        if not kernel.GetConsoleMode(handle, ctypes.byref(mode)):
            return False
        return bool(kernel.SetConsoleMode(handle, mode.value | _ENABLE_VIRTUAL_TERMINAL_PROCESSING))
    except OSError:
        return False


def console_has_focus() -> bool | None:
    """Whether the console window is the one in front; None if that can't be known.

    Under Windows Terminal the console's own window is a hidden stand-in, so its answer would be wrong: None.
    """
    if sys.platform != "win32":
        return None
    import ctypes
    from ctypes import wintypes

    try:
        user, kernel = ctypes.WinDLL("user32"), ctypes.WinDLL("kernel32")
        kernel.GetConsoleWindow.restype = user.GetForegroundWindow.restype = wintypes.HWND
        user.IsWindowVisible.argtypes = [wintypes.HWND]
        window = kernel.GetConsoleWindow()
        if not window or not user.IsWindowVisible(window):
            return None
        return bool(window == user.GetForegroundWindow())
    except (OSError, AttributeError):
        return None
