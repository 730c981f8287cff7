"""Keys as people write them in a keymap, and which of them can reach the game at all."""

from __future__ import annotations

from kozel.locales import Phrase, phrase
from kozel.terminal.names import ALT, BASES, CTRL, SHIFT, fold, named, written
from kozel.yamltree import quoting, suggest

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
    "capslock": "caps_lock",
    "caps": "caps_lock",
    "numlock": "num_lock",
    "scrolllock": "scroll_lock",
    "printscreen": "print_screen",
    "pause": "pause",
    "menu": "menu",
    "win": "windows",
    "super": "super",
    "cmd": "command",
    "meta": "meta",
    "fn": "fn",
    "shift": "shift",
    "ctrl": "ctrl",
    "control": "ctrl",
    "alt": "alt",
    "insert": "insert",
    "center": "numpad",
}
"""Keys that reach no program, by the end of the message that says so."""
_SAME_BYTE = {"i": "Tab", "m": "Enter", "j": "Enter", "h": "Backspace", "[": "Escape"}
_RESERVED = {"c": "stops", "z": "suspends", "\\": "stops_all"}


class KeyNameError(ValueError):
    """What is written is no key, or no key that can reach the game; `phrase` says why."""

    def __init__(self, key: str, /, **facts: object) -> None:
        self.phrase = quoting(key, **facts)
        super().__init__(self.phrase.text("en"))


def parse_key(text: str) -> str:
    """The name of a key that is written as in 'Shift+F3', 'shift+f3', 's-f3', 'Left', 'x' or ','.

    Letters come back in lower case and by place: 'X', 'x' and 'ч' are one key. Raises `KeyNameError`.
    """
    mods, word = _split(text)
    base = _base(text, word)
    reason = _unreachable(mods, base)
    if reason:
        raise KeyNameError("mistake.key_unusable", key=text, why=reason)
    return named(base, mods)


def _split(text: str) -> tuple[int, str]:
    mods, rest = 0, text.strip()
    while True:
        for sign in "+-":
            head, found, tail = rest.partition(sign)
            if found and tail and head.strip().lower() in _MODIFIERS:
                bit = _MODIFIERS[head.strip().lower()]
                if mods & bit:
                    raise KeyNameError("mistake.modifier_twice", key=text)
                mods, rest = mods | bit, tail.strip()
                break
        else:
            return mods, rest


def _base(text: str, word: str) -> str:
    if len(word) == 1:
        if not word.isprintable():
            raise KeyNameError("mistake.key_control_character")
        return fold(word)
    lower = word.lower().replace(" ", "").replace("_", "")
    lower = _OTHER_WORDS.get(lower, lower)
    if lower in _NEVER_SENT:
        raise KeyNameError("mistake.key_unusable", key=text, why=phrase(f"mistake.key_{_NEVER_SENT[lower]}"))
    head = lower.partition("+")[0]
    if head != lower and head in _NEVER_SENT:
        raise KeyNameError("mistake.key_unusable", key=text, why=phrase(f"mistake.key_{_NEVER_SENT[head]}"))
    if lower in BASES or len(lower) == 1:
        return lower
    known = [written(base) for base in sorted(BASES) if base not in _NEVER_SENT]
    near = suggest(text, [*known, *(f"{word}+{base}" for word in ("Shift", "Ctrl") for base in known)])
    hint = near if near.key == "mistake.did_you_mean" else phrase("mistake.key_examples")
    raise KeyNameError("mistake.no_key", key=text, hint=hint)


def _unreachable(mods: int, base: str) -> Phrase | None:
    """Why no terminal or console can deliver the key for sure as itself; None where one can."""
    if base.startswith("f") and base[1:].isdigit() and int(base[1:]) > 12:
        return phrase("mistake.key_f12")
    if len(base) == 1:
        if mods & CTRL and base in _RESERVED:
            return phrase(f"mistake.key_{_RESERVED[base]}", key=written(named(base, CTRL)))
        if mods & CTRL and base in _SAME_BYTE:
            return phrase("mistake.key_same_byte", key=f"Ctrl+{base.upper()}", other=_SAME_BYTE[base])
        if mods & SHIFT:
            return phrase("mistake.key_same_with_shift")
        if mods & CTRL and not ("a" <= base <= "z"):
            return phrase("mistake.key_ctrl_sign")
    if mods & SHIFT and base in ("enter", "backspace", "escape"):
        return phrase("mistake.key_not_told_from", other=written(base))
    if mods & CTRL and base in ("enter", "tab", "backspace", "escape"):
        return phrase("mistake.key_not_told_without_ctrl")
    if mods & ALT and base in ("tab", "escape", "space", "f4"):
        return phrase("mistake.key_desktop")
    return None
