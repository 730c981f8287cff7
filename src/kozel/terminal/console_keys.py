"""Windows console key records as key names. Pure: no console is needed.

Letters go by virtual key, so that they stay in their places under the Russian layout. The same six numbers come as text
in Microsoft's win32-input-mode (`CSI Vk;Sc;Uc;Kd;Cs;Rc _`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kozel.terminal.names import ALT, CTRL, SHIFT, named, text_key

_RIGHT_ALT, _LEFT_ALT, _RIGHT_CTRL, _LEFT_CTRL, _SHIFT, _CAPS_LOCK = 0x01, 0x02, 0x04, 0x08, 0x10, 0x80
_VK_MENU = 0x12

_KEYS = {
    0x08: "backspace",
    0x09: "tab",
    0x0C: "center",
    0x0D: "enter",
    0x1B: "escape",
    0x20: "space",
    0x21: "pageup",
    0x22: "pagedown",
    0x23: "end",
    0x24: "home",
    0x25: "left",
    0x26: "up",
    0x27: "right",
    0x28: "down",
    0x2D: "insert",
    0x2E: "delete",
    **{0x70 + i: f"f{1 + i}" for i in range(24)},
}
_MODIFIER_KEYS = frozenset((0x10, 0x11, _VK_MENU, 0x14, 0x5B, 0x5C, 0x90, 0x91, *range(0xA0, 0xA6)))
_LETTERS = range(0x41, 0x5B)
_DIGITS = range(0x30, 0x3A)
_SIGNS = dict(zip((0xBA, 0xBB, 0xBC, 0xBD, 0xBE, 0xBF, 0xC0, 0xDB, 0xDC, 0xDD, 0xDE), ";=,-./`[\\]'", strict=True))
_VK_SLASH = 0xBF
_RUSSIAN_SLASH_KEY = {".": "/", ",": "?"}
_CONTROLS = {8: "backspace", 9: "tab", 10: "enter", 13: "enter", 27: "escape"}

_MOST_REPEATS = 100
_PASTE_LENGTH = 8
_TYPED = {"space": " ", "enter": "\n", "tab": "\t"}


class KeyRecord(NamedTuple):
    """A KEY_EVENT_RECORD: virtual key, character ('' for none), pressed or released, dwControlKeyState, repeats."""

    vk: int
    char: str
    down: bool
    state: int
    repeat: int = 1


class Change(NamedTuple):
    """A key by its name, pressed or let go; a paste with its `text`."""

    name: str
    down: bool
    text: str = ""


class FocusRecord(NamedTuple):
    """A FOCUS_EVENT_RECORD: the console's window came to the front or left it."""

    front: bool


def in_front(records: Sequence[KeyRecord | FocusRecord]) -> bool | None:
    """Whether the console is in front after these records, None if they don't tell.

    A key that is pressed comes to the window in front, so a console that never says that it is back is believed no
    longer than to the next key.
    """
    told = [record.front if isinstance(record, FocusRecord) else True for record in records if _tells(record)]
    return told[-1] if told else None


def _tells(record: KeyRecord | FocusRecord) -> bool:
    return isinstance(record, FocusRecord) or record.down


def decode_record(record: KeyRecord) -> str | None:
    """The name of the key that was pressed; None for releases, modifiers alone and what is no key."""
    char = "" if record.char == "\0" else record.char
    if not record.down:
        # A character composed with Alt and the numpad comes with the release of Alt.
        return text_key(char) if record.vk == _VK_MENU else None
    if record.vk in _MODIFIER_KEYS:
        return None
    mods = _modifiers(record.state)
    alt_gr = bool(record.state & _RIGHT_ALT) and bool(record.state & _LEFT_CTRL)
    if alt_gr and char and char.isprintable() and char != " ":
        return text_key(char)
    if record.vk in _KEYS:
        return named(_KEYS[record.vk], mods)
    if mods & (CTRL | ALT):
        key = _by_place(record.vk)
        return named(key, mods) if key else text_key(char, mods)
    if char in map(chr, _CONTROLS):
        return named(_CONTROLS[ord(char)], mods)
    return text_key(_typed(record.vk, char, record.state))


def released_by(record: KeyRecord) -> str | None:
    """The name of the key that was let go; None for keys pressed, modifiers alone and what is no key."""
    return None if record.down or record.vk == _VK_MENU else decode_record(record._replace(down=True))


def changes(records: Sequence[KeyRecord]) -> list[Change]:
    """What one read of the console brought, in order, held keys as often as they repeated.

    A paste reaches a console as key records; nobody types that many different characters between two reads, so such a
    read is one paste of those characters. A key that comes and goes in one read was pressed by a program that stands
    between, such as an ssh server, and its end says nothing of a finger: it is left out.
    """
    came: list[Change] = []
    for record in records:
        name = decode_record(record)
        if name is not None:
            came += [Change(name, True)] * min(max(1, record.repeat), _MOST_REPEATS)
            continue
        released = released_by(record)
        if released is not None and Change(released, True) not in came:
            came.append(Change(released, False))
    typed = [_TYPED.get(change.name, change.name) for change in came if change.down]
    typed = [char for char in typed if len(char) == 1]
    if len(typed) >= _PASTE_LENGTH and len(set(typed)) > 2:
        return [Change("paste", True, "".join(typed))]
    return came


def _modifiers(state: int) -> int:
    return (
        (SHIFT if state & _SHIFT else 0)
        | (CTRL if state & (_LEFT_CTRL | _RIGHT_CTRL) else 0)
        | (ALT if state & (_LEFT_ALT | _RIGHT_ALT) else 0)
    )


def _by_place(vk: int) -> str:
    if vk in _LETTERS or vk in _DIGITS:
        return chr(vk).lower()
    return _SIGNS.get(vk, "")


def _typed(vk: int, char: str, state: int) -> str:
    """The character of a key press without Ctrl and Alt, by place where the layout writes another alphabet."""
    if vk in _LETTERS and not (char.isascii() and char.isalpha()):
        upper = bool(state & _SHIFT) != bool(state & _CAPS_LOCK)
        return chr(vk) if upper else chr(vk).lower()
    if vk in _DIGITS and not state & _SHIFT:
        return chr(vk)
    if vk == _VK_SLASH and char in _RUSSIAN_SLASH_KEY:
        return _RUSSIAN_SLASH_KEY[char]
    if vk in _SIGNS and "а" <= char.lower() <= "ё":
        return _SIGNS[vk]
    return char
