"""Keys as people write them in a keymap, and which of them can reach the game at all."""

from __future__ import annotations

from kozel.terminal.names import ALT, BASES, CTRL, SHIFT, fold, named, written
from kozel.yamltree import suggest

_MODIFIERS = {
    "shift": SHIFT,
    "s": SHIFT,
    "ctrl": CTRL,
    "control": CTRL,
    "c": CTRL,
    "alt": ALT,
    "a": ALT,
}
_OTHER_WORDS = {
    "esc": "escape",
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "pgdown": "pagedown",
    "comma": ",",
    "period": ".",
    "dot": ".",
    "slash": "?",
    "question": "?",
    "minus": "-",
    "plus": "=",
    "equals": "=",
    "semicolon": ";",
    "apostrophe": "'",
    "grave": "`",
    "backslash": "\\",
}
_NEVER_SENT = {
    "capslock": "Caps Lock belongs to the screen reader and reaches no program in a terminal",
    "caps": "Caps Lock belongs to the screen reader and reaches no program in a terminal",
    "numlock": "Num Lock reaches no program in a terminal",
    "scrolllock": "Scroll Lock reaches no program in a terminal",
    "printscreen": "Print Screen reaches no program in a terminal",
    "pause": "Pause reaches no program in most terminals",
    "menu": "the menu key reaches no program in most terminals",
    "win": "the Windows key reaches no program in a terminal",
    "super": "the Super key reaches no program in a terminal",
    "cmd": "the Command key reaches no program in a terminal",
    "meta": "the Meta key reaches no program in a terminal",
    "fn": "Fn reaches no program",
    "shift": "Shift alone reaches no program in a terminal",
    "ctrl": "Ctrl alone reaches no program in a terminal",
    "control": "Ctrl alone reaches no program in a terminal",
    "alt": "Alt alone reaches no program in a terminal",
    "insert": "Insert belongs to the screen reader",
    "center": "the numpad belongs to the screen reader",
}
_SAME_BYTE = {"i": "Tab", "m": "Enter", "j": "Enter", "h": "Backspace", "[": "Escape"}
_RESERVED = {"c": "Ctrl+C stops the program", "z": "Ctrl+Z suspends the program", "\\": "Ctrl+\\ stops programs"}


class KeyNameError(ValueError):
    """What is written is no key, or no key that can reach the game; the message is a sentence for the player."""


def parse_key(text: str) -> str:
    """The name of a key that is written as in 'Shift+F3', 'shift+f3', 's-f3', 'Left', 'x' or ','.

    Letters come back in lower case and by place: 'X', 'x' and 'ч' are one key. Raises `KeyNameError`.
    """
    mods, word = _split(text)
    base = _base(text, word)
    reason = _unreachable(mods, base)
    if reason:
        raise KeyNameError(f"'{text}' cannot be used: {reason}")
    return named(base, mods)


def _split(text: str) -> tuple[int, str]:
    mods, rest = 0, text.strip()
    while True:
        for sign in "+-":
            head, found, tail = rest.partition(sign)
            if found and tail and head.strip().lower() in _MODIFIERS:
                bit = _MODIFIERS[head.strip().lower()]
                if mods & bit:
                    raise KeyNameError(f"'{text}' names a modifier twice")
                mods, rest = mods | bit, tail.strip()
                break
        else:
            return mods, rest


def _base(text: str, word: str) -> str:
    if len(word) == 1:
        if not word.isprintable():
            raise KeyNameError("a control character is no key")
        return fold(word)
    lower = word.lower().replace(" ", "").replace("_", "")
    lower = _OTHER_WORDS.get(lower, lower)
    if lower in _NEVER_SENT:
        raise KeyNameError(f"'{text}' cannot be used: {_NEVER_SENT[lower]}")
    head = lower.partition("+")[0]
    if head != lower and head in _NEVER_SENT:
        raise KeyNameError(f"'{text}' cannot be used: {_NEVER_SENT[head]}")
    if lower in BASES or len(lower) == 1:
        return lower
    known = [written(base) for base in sorted(BASES) if base not in _NEVER_SENT]
    near = suggest(text, [*known, *(f"{word}+{base}" for word in ("Shift", "Ctrl") for base in known)])
    hint = near if near.startswith("did") else "write Left, F3, Shift+F3, Space, or one character"
    raise KeyNameError(f"no key is called '{text}': {hint}")


def _unreachable(mods: int, base: str) -> str | None:
    """Why no terminal or console can deliver the key for sure as itself; None where one can."""
    if base.startswith("f") and base[1:].isdigit() and int(base[1:]) > 12:
        return "keyboards have F1 to F12"
    if len(base) == 1:
        if mods & CTRL and base in _RESERVED:
            return _RESERVED[base]
        if mods & CTRL and base in _SAME_BYTE:
            return f"most terminals cannot tell Ctrl+{base.upper()} from {_SAME_BYTE[base]}"
        if mods & SHIFT:
            return "letters, digits and signs are the same key with and without Shift"
        if mods & CTRL and not ("a" <= base <= "z"):
            return "most terminals send nothing of their own for Ctrl with digits and signs"
    if mods & SHIFT and base in ("enter", "backspace", "escape"):
        return f"most terminals cannot tell it from {written(base)}"
    if mods & CTRL and base in ("enter", "tab", "backspace", "escape"):
        return "most terminals cannot tell it from the key without Ctrl"
    if mods & ALT and base in ("tab", "escape", "space", "f4"):
        return "the desktop takes it"
    return None
