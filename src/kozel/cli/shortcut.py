"""A shortcut on the Windows desktop to the portable folder's `Kozel.cmd`, through the shell's own objects.

By their Unicode interface, since the scripting one loses letters that the system's code page lacks; the desktop's folder is asked
of the system, which may have moved it into OneDrive. Importing this works on Windows only.
"""

# ruff: noqa: E402 - type checkers skip what follows on other platforms
from __future__ import annotations

import sys

assert sys.platform == "win32"

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import HRESULT, POINTER, WINFUNCTYPE, byref, c_void_p, c_wchar_p
from pathlib import Path
from typing import Any
from uuid import UUID

_SHELL_LINK = UUID("00021401-0000-0000-c000-000000000046")
_SHELL_LINK_W = UUID("000214f9-0000-0000-c000-000000000046")
_PERSIST_FILE = UUID("0000010b-0000-0000-c000-000000000046")
_DESKTOP = UUID("b4bfcc3a-db2c-424c-b029-7fe99a87c641")
_IN_PROCESS = 1
_QUERY_INTERFACE, _RELEASE = 0, 2
_SET_WORKING_DIRECTORY, _SET_PATH = 9, 20
"""Places in the table of IShellLinkW's functions."""
_SAVE = 6
"""The place of IPersistFile's."""


def put_on_desktop(name: str, target: Path) -> Path:
    """Make a shortcut of this name to a file, started in the file's folder, or renew it. Raises `OSError`."""
    path = _desktop() / f"{name}.lnk"
    ctypes.oledll.ole32.CoInitialize(None)
    try:
        with _created(_SHELL_LINK, _SHELL_LINK_W) as link:
            _call(link, _SET_PATH, c_wchar_p, str(target))
            _call(link, _SET_WORKING_DIRECTORY, c_wchar_p, str(target.parent))
            with _other_face(link, _PERSIST_FILE) as file:
                _call(file, _SAVE, c_wchar_p, str(path), ctypes.c_int, True)
    finally:
        ctypes.windll.ole32.CoUninitialize()
    return path


def _desktop() -> Path:
    path = c_wchar_p()
    ctypes.oledll.shell32.SHGetKnownFolderPath(_bytes(_DESKTOP), 0, None, byref(path))
    try:
        return Path(path.value or "")
    finally:
        ctypes.windll.ole32.CoTaskMemFree(path)


@contextmanager
def _created(kind: UUID, face: UUID) -> Iterator[c_void_p]:
    made = c_void_p()
    ctypes.oledll.ole32.CoCreateInstance(_bytes(kind), None, _IN_PROCESS, _bytes(face), byref(made))
    with _held(made):
        yield made


@contextmanager
def _other_face(thing: c_void_p, face: UUID) -> Iterator[c_void_p]:
    other = c_void_p()
    _call(thing, _QUERY_INTERFACE, c_void_p, _bytes(face), c_void_p, ctypes.addressof(other))
    with _held(other):
        yield other


@contextmanager
def _held(thing: c_void_p) -> Iterator[None]:
    try:
        yield
    finally:
        _function(thing, _RELEASE, ctypes.c_ulong)(thing)


def _call(thing: c_void_p, place: int, *typed: Any) -> None:
    """Call the function at a place of an object's table; `typed`: its arguments, each after its type. Raises `OSError`."""
    _function(thing, place, HRESULT, *typed[::2])(thing, *typed[1::2])


def _function(thing: c_void_p, place: int, result: Any, *types: Any) -> Any:
    table = ctypes.cast(thing, POINTER(POINTER(c_void_p))).contents
    return WINFUNCTYPE(result, c_void_p, *types)(table[place])


def _bytes(uuid: UUID) -> bytes:
    return uuid.bytes_le
