"""What a complete escape sequence means. Pure tables and functions; `decode` finds where sequences begin and end.

Known are: xterm, VTE, kitty and foot legacy keys (`CSI 1;m X`, `CSI n;m ~`, `SS3 X`), Konsole (`SS3 m X`), rxvt (finals
`^ $ @`, lower-case arrows), the Linux console (`CSI [ A` to `E`, F13 to F16 for shifted keys), xterm's modifyOtherKeys in
both encodings, the kitty keyboard protocol and Microsoft's win32-input-mode. Everything else is a sequence without a key.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from kozel.terminal.console_keys import KeyRecord, decode_record, released_by
from kozel.terminal.names import ALT, CTRL, SHIFT, fold, named, text_key

Kind = Literal["key", "release", "focus", "paste", "reply", "silent", "unknown"]


class KeyEvent(NamedTuple):
    """Something that the terminal sent.

    `kind` is 'key' (`name` is its name), 'release' (the key of that name was let go), 'focus' (`name` is 'in' or 'out'),
    'paste' (`text` is what was pasted), 'reply' (the answer to a query: `name` is 'kitty', 'da1' or 'da2', `text` its
    parameters), 'silent' (no key on purpose: a cursor report, Shift alone) or 'unknown': a sequence that nobody knows.
    `raw` is what arrived, cut where it was long. `repeat`: the terminal itself says that the key is held down.
    """

    kind: Kind
    name: str
    raw: str
    text: str = ""
    repeat: bool = False


Meaning = Callable[[str], KeyEvent]

_FINALS = {
    "A": "up",
    "B": "down",
    "C": "right",
    "D": "left",
    "E": "center",
    "F": "end",
    "H": "home",
    "P": "f1",
    "Q": "f2",
    "R": "f3",
    "S": "f4",
}
# No PC keyboard has F13 to F16. They are Shift+F3 and Shift+F4: 25 and 26 on rxvt and in the kernel's own keymap,
# 28 and 29 in the keymaps of kbd and console-data.
_NUMBERED: dict[int, tuple[str, int]] = {
    **dict.fromkeys((1, 7), ("home", 0)),
    2: ("insert", 0),
    3: ("delete", 0),
    **dict.fromkeys((4, 8), ("end", 0)),
    5: ("pageup", 0),
    6: ("pagedown", 0),
    **{11 + i: (f"f{1 + i}", 0) for i in range(5)},
    **{17 + i: (f"f{6 + i}", 0) for i in range(5)},
    23: ("f11", 0),
    24: ("f12", 0),
    **dict.fromkeys((25, 28), ("f3", SHIFT)),
    **dict.fromkeys((26, 29), ("f4", SHIFT)),
    **{31 + i: (f"f{17 + i}", 0) for i in range(4)},
}
_RXVT_SHIFTED = re.compile(r"\x1b\[([235678])\$")
_KITTY_KEYS = {
    8: "backspace",
    9: "tab",
    10: "enter",
    13: "enter",
    27: "escape",
    32: "space",
    127: "backspace",
    57414: "enter",
    57417: "left",
    57418: "right",
    57419: "up",
    57420: "down",
    57421: "pageup",
    57422: "pagedown",
    57423: "home",
    57424: "end",
    57425: "insert",
    57426: "delete",
    57427: "center",
    **{57376 + i: f"f{13 + i}" for i in range(23)},
}
_KITTY_NUMPAD = {57399 + i: sign for i, sign in enumerate("0123456789./*-+")} | {57415: "=", 57416: ","}
_SS3_NUMPAD = dict(zip("pqrstuvwxynlmkjoX", "0123456789.,-+*/=", strict=True))
_CONTROLS = {
    **{i: "c-" + chr(96 + i) for i in range(1, 27)},
    0: "c-space",
    8: "backspace",
    9: "tab",
    10: "enter",
    13: "enter",
    27: "escape",
    28: "c-\\",
    29: "c-]",
    30: "c-^",
    31: "c-_",
    127: "backspace",
}
_KITTY_REPEAT, _KITTY_RELEASE = 2, 3
_LOCKS = 64 | 128
_LARGEST_PARAMETER = 0x10FFFF


def character(char: str, raw: str | None = None) -> KeyEvent:
    """A character outside of any sequence."""
    code = ord(char)
    name = _CONTROLS.get(code) if code < 32 or code == 127 else text_key(char)
    return _key(name, char if raw is None else raw)


def with_alt(event: KeyEvent) -> KeyEvent:
    """A key that came with an Escape before it, which is how Alt is reported."""
    if event.kind != "key":
        return event
    name = event.name
    if len(name) == 1:
        return event._replace(name=named(fold(name) if name.isalpha() else name, ALT))
    return event._replace(name="c-a-" + name[2:] if name.startswith("c-") else "a-" + name)


def is_rxvt_shifted(raw: str) -> bool:
    """Whether this beginning of a CSI sequence is a whole key on rxvt, which uses '$' as a final."""
    return _RXVT_SHIFTED.fullmatch(raw) is not None


def rxvt_shifted(raw: str) -> KeyEvent:
    match = _RXVT_SHIFTED.fullmatch(raw)
    return _numbered(int(match[1]), SHIFT, raw) if match else unknown(raw)


def console(raw: str) -> KeyEvent:
    """`CSI [ x` of the Linux console: F1 to F5."""
    number = ord(raw[-1]) - ord("A")
    return _key(f"f{number + 1}" if 0 <= number < 5 else None, raw)


def ss3(raw: str) -> KeyEvent:
    """`ESC O`, maybe parameters, and a final."""
    final = raw[-1]
    parameters = re.findall(r"[0-9]+", raw[2:-1])
    mods = _modifiers(int(parameters[-1][:9])) if parameters else 0
    if final in _FINALS:
        return _key(named(_FINALS[final], mods), raw)
    if final in "abcd":  # rxvt: Ctrl and an arrow
        return _key(named(_FINALS[final.upper()], mods | CTRL), raw)
    if final in _SS3_NUMPAD:
        return _key(_SS3_NUMPAD[final], raw)
    base = {"M": "enter", "I": "tab", " ": "space"}.get(final)
    return _key(named(base, mods) if base else None, raw)


def csi(raw: str, *, locks: bool = False) -> KeyEvent:
    """A whole CSI sequence, `ESC [` to its final. `locks`: modifiers come with Caps Lock and Num Lock, as kitty's do."""
    body, final = raw[2:-1], raw[-1]
    if body.startswith("?") and final in "uc" and re.fullmatch(r"[0-9;:]*", body[1:]):
        return KeyEvent("reply", "kitty" if final == "u" else "da1", raw, body[1:])
    if body.startswith(">") and final == "c":
        return KeyEvent("reply", "da2", raw, body[1:])
    if not re.fullmatch(r"[0-9;:]*", body):
        return _silent(raw) if body[0] in "<=>?" else unknown(raw)
    fields = _Fields(body)
    if final == "_":
        return _win32(fields, raw)
    if final in "IO" and not body:
        return KeyEvent("focus", "in" if final == "I" else "out", raw)
    event = _csi_key(fields, body, final, raw, locks=locks)
    how = fields(1, 1)
    if event.kind != "key" or how not in (_KITTY_REPEAT, _KITTY_RELEASE):
        return event
    return event._replace(repeat=True) if how == _KITTY_REPEAT else event._replace(kind="release")


def _csi_key(fields: _Fields, body: str, final: str, raw: str, *, locks: bool) -> KeyEvent:
    mods = _modifiers(fields(1))
    if final in _FINALS:
        if final == "R" and len(fields) == 2 and not _is_f3(fields(0), fields(1), locks):
            return _silent(raw)
        return _key(named(_FINALS[final], mods), raw)
    if final in "abcd":  # rxvt: Shift and an arrow
        return _key(named(_FINALS[final.upper()], mods | SHIFT), raw)
    if final == "Z":
        return _key(named("tab", mods | SHIFT), raw)
    if final in "^@" and body:  # rxvt: Ctrl, and Ctrl with Shift
        return _numbered(fields(0), CTRL if final == "^" else CTRL | SHIFT, raw)
    if final == "~":
        if fields(0) == 27 and len(fields) == 3:  # xterm's modifyOtherKeys
            return _unicode(fields(2, 0, 0), mods, raw, code_is_shifted=True)
        return _numbered(fields(0), mods, raw)
    if final == "u":
        return _csi_u(fields, mods, raw)
    return unknown(raw)


class _Fields:
    """The numbers of a CSI sequence: `fields(i, j)` is part j of field i."""

    def __init__(self, body: str) -> None:
        groups = body.split(";") if body else []
        self._parts = [[int(part[:9]) if part else None for part in group.split(":")] for group in groups]

    def __len__(self) -> int:
        return len(self._parts)

    def __call__(self, field: int, part: int = 0, default: int = 1) -> int:
        try:
            value = self._parts[field][part]
        except IndexError:
            return default
        return default if value is None else value

    def text(self, field: int) -> str:
        codes = self._parts[field] if field < len(self._parts) else []
        return "".join(chr(code) for code in codes if code and code <= _LARGEST_PARAMETER)


def _modifiers(parameter: int) -> int:
    """Shift, Alt and Ctrl of an xterm modifier parameter; Super, Caps Lock and Num Lock are dropped on purpose."""
    return (parameter - 1) & (SHIFT | ALT | CTRL) if parameter > 0 else 0


def _is_f3(row: int, column: int, locks: bool) -> bool:
    """`CSI r;c R` is a cursor report, except that row 1 and a column that can be modifiers are F3 with these."""
    bits = column - 1
    if locks and bits & _LOCKS:
        return row == 1 and bits & ~_LOCKS < 8
    return row == 1 and bits < 16


def _key(name: str | None, raw: str) -> KeyEvent:
    return KeyEvent("key", name, raw) if name else unknown(raw)


def unknown(raw: str) -> KeyEvent:
    return KeyEvent("unknown", "", raw)


def _silent(raw: str) -> KeyEvent:
    return KeyEvent("silent", "", raw)


def _numbered(number: int, mods: int, raw: str) -> KeyEvent:
    base, more = _NUMBERED.get(number, ("", 0))
    return _key(named(base, mods | more) if base else None, raw)


def _win32(fields: _Fields, raw: str) -> KeyEvent:
    if len(fields) < 5:
        return unknown(raw)
    code = fields(2, 0, 0)
    char = chr(code) if 0 < code <= _LARGEST_PARAMETER else ""
    record = KeyRecord(fields(0, 0, 0), char, bool(fields(3, 0, 0)), fields(4, 0, 0))
    name = decode_record(record)
    if name:
        return _key(name, raw)
    released = released_by(record)
    return KeyEvent("release", released, raw) if released else _silent(raw)


def _csi_u(fields: _Fields, mods: int, raw: str) -> KeyEvent:
    text = fields.text(2)
    code = fields(0, 0, 0)
    if code == 0:  # kitty: text without a key
        return _key(text_key(text), raw)
    if text and not mods & (CTRL | ALT) and code not in _KITTY_KEYS and code not in _KITTY_NUMPAD:
        return _key(text_key(text), raw)
    shifted = fields(0, 1, 0)
    if shifted and mods & SHIFT and not mods & (CTRL | ALT) and code not in _KITTY_KEYS:
        return _unicode(shifted, mods, raw, code_is_shifted=True)
    return _unicode(code, mods, raw, code_is_shifted=False)


def _unicode(code: int, mods: int, raw: str, *, code_is_shifted: bool) -> KeyEvent:
    if code in _KITTY_KEYS:
        return _key(named(_KITTY_KEYS[code], mods), raw)
    if code in _KITTY_NUMPAD:
        return _key(text_key(_KITTY_NUMPAD[code], mods & ~SHIFT), raw)
    if code > _LARGEST_PARAMETER or 0xE000 <= code <= 0xF8FF:  # kitty reports lone modifiers and media keys there
        return _silent(raw)
    return _key(text_key(chr(code), mods & ~SHIFT if code_is_shifted else mods), raw)
