"""What a terminal sends, character by character, as keys.

The decoder follows ECMA-48 in finding where a sequence ends, so that one it does not know is swallowed whole: no letter
or digit of it becomes a key. It holds no clock; whoever feeds it says what time it is, and calls `flush` at `deadline`.
"""

from __future__ import annotations

from enum import Enum, auto

from kozel.terminal import sequences
from kozel.terminal.sequences import KeyEvent

__all__ = ["ESCAPE_WAIT", "LATE", "PASTE_SILENCE", "KeyDecoder", "KeyEvent"]

ESCAPE_WAIT = 0.06
"""Seconds of silence after which an Escape character was the Escape key."""
LATE = 1.0
"""Seconds within which the rest of a sequence may still come on a slow line."""
PASTE_SILENCE = 5.0
"""Seconds of silence after which a paste whose end got lost is over."""

_MOST_RAW = 128
_MOST_PASTED = 10_000
_PASTE_START = "\x1b[200~"
_PASTE_END = "\x1b[201~"
_STRING_INTRODUCERS = "P]_^X"
_C1 = {0x8F: "O", 0x90: "P", 0x98: "X", 0x9B: "[", 0x9D: "]", 0x9E: "^", 0x9F: "_"}
_UNDECODED = 0xDC00  # how Python keeps a byte that is not UTF-8


class _State(Enum):
    GROUND = auto()
    ESCAPE = auto()
    CSI = auto()
    CONSOLE = auto()
    MOUSE = auto()
    SS3 = auto()
    STRING = auto()
    STRING_ESCAPE = auto()
    PASTE = auto()


class KeyDecoder:
    """Turns text from a terminal into `KeyEvent`s. Memory is bounded whatever arrives.

    `meta` says that Escape before a character is Alt held with it, as terminals send it. From a pipe no Alt comes:
    there an Escape that begins no sequence is the Escape key, however fast the next character follows.
    """

    def __init__(self, *, meta: bool = True) -> None:
        self._meta = meta
        self._kitty = False
        self._state = _State.GROUND
        self._raw = ""
        self._too_long = False
        self._alt = False
        self._late = False
        self._mouse_left = 0
        self._pasted: list[str] = []
        self._paste_tail = ""
        self.last_at = 0.0
        """When the text that was fed last arrived."""
        self._escape_taken_at: float | None = None
        self._out: list[KeyEvent] = []

    @property
    def deadline(self) -> float | None:
        """When `flush` should be called if nothing arrives before; None if nothing is open."""
        if self._state is _State.GROUND:
            return None
        return self.last_at + self._patience()

    def feed(self, data: str, now: float) -> list[KeyEvent]:
        """The events that `data`, read at `now` (seconds on any steady clock), completes."""
        for char in data:
            self._step(char, now)
        if data:
            self.last_at = now
        return self._taken()

    def flush(self, now: float) -> list[KeyEvent]:
        """The events that the silence until `now` decides, a lone Escape first of all."""
        if self._state is not _State.GROUND and now - self.last_at >= self._patience() - 1e-9:
            self._silence(now)
        return self._taken()

    def finish(self) -> list[KeyEvent]:
        """The events that the end of the input decides."""
        if self._state is not _State.GROUND:
            self._silence(self.last_at)
        return self._taken()

    def _taken(self) -> list[KeyEvent]:
        out, self._out = self._out, []
        return out

    def _patience(self) -> float:
        if self._state is _State.PASTE:
            return PASTE_SILENCE
        return ESCAPE_WAIT if self._may_be_whole() else LATE

    def _may_be_whole(self) -> bool:
        """Whether what is open could also be a key that was pressed, so that a short silence decides."""
        if self._state in (_State.ESCAPE, _State.MOUSE):
            return True
        if self._state is _State.STRING:
            return len(self._raw) == 2
        return self._state is _State.CSI and not self._late and sequences.is_rxvt_shifted(self._raw)

    def _silence(self, now: float) -> None:
        state = self._state
        if state is _State.ESCAPE:
            self._escapes()
            self._escape_taken_at = now
        elif state is _State.PASTE:
            self._end_paste()
        elif state is _State.STRING and len(self._raw) == 2:
            self._emit(sequences.with_alt(sequences.character(self._raw[1], self._raw)))
        elif state is _State.CSI and not self._late and sequences.is_rxvt_shifted(self._raw):
            self._emit(sequences.rxvt_shifted(self._raw))
        else:
            self._drop()
        self._ground()

    def _step(self, char: str, now: float) -> None:
        code = ord(char)
        if self._state is not _State.PASTE and (0x80 <= code <= 0x9F or 0x80 <= code - _UNDECODED <= 0x9F):
            self._c1(code & 0xFF, now)
            return
        _STEPS[self._state](self, char, now)

    def _c1(self, code: int, now: float) -> None:
        """An 8-bit control: what ESC and a character would be."""
        if self._state in (_State.STRING, _State.STRING_ESCAPE):
            if code == 0x9C:
                self._drop()
                self._ground()
            return
        introducer = _C1.get(code)
        if introducer is not None:
            self._step("\x1b", now)
            self._begin(introducer)

    def _in_ground(self, char: str, now: float) -> None:
        taken_at, self._escape_taken_at = self._escape_taken_at, None
        if char == "\x1b":
            self._state, self._raw = _State.ESCAPE, char
        elif char in "[O" and taken_at is not None and now - taken_at <= LATE:
            self._begin(char)
            self._late = True
        else:
            self._emit(sequences.character(char))

    def _in_escape(self, char: str, now: float) -> None:
        if char == "\x1b":
            if self._alt or not self._meta:
                self._emit(KeyEvent("key", "escape", char))
            self._alt = self._meta
        elif char in "[O" or (char in _STRING_INTRODUCERS and (self._meta or char != "X")):
            self._begin(char)
        elif not self._meta:
            self._escapes()
            self._again(char, now)
        else:
            if self._alt:
                self._emit(KeyEvent("key", "escape", "\x1b"))
            # The Linux console has no Shift+Tab of its own: it sends what would be Alt+Tab.
            event = sequences.character(char, "\x1b" + char)
            self._emit(event._replace(name="s-tab") if char == "\t" else sequences.with_alt(event))
            self._ground()

    def _begin(self, introducer: str) -> None:
        self._raw = "\x1b" + introducer
        self._state = {"[": _State.CSI, "O": _State.SS3}.get(introducer, _State.STRING)

    def _in_csi(self, char: str, now: float) -> None:
        if self._raw == "\x1b[" and char == "[":
            self._keep(char)
            self._state = _State.CONSOLE
        elif " " <= char <= "?":
            self._keep(char)
        elif "@" <= char <= "~":
            self._keep(char)
            self._end_csi()
        else:
            if not self._late and sequences.is_rxvt_shifted(self._raw):
                self._emit(sequences.rxvt_shifted(self._raw))
            else:
                self._drop()
            self._again(char, now)

    def _end_csi(self) -> None:
        if self._raw == _PASTE_START:
            self._ground()
            self._state = _State.PASTE
        elif self._raw == "\x1b[M":
            # A mouse report of the oldest kind goes on with three characters; the first of a click is a space.
            self._mouse_left = 3
            self._state = _State.MOUSE
        else:
            self._complete(self._csi)

    def _csi(self, raw: str) -> KeyEvent:
        event = sequences.csi(raw, locks=self._kitty)
        self._kitty |= event.kind == "reply" and event.name == "kitty"
        return event

    def _in_console(self, char: str, now: float) -> None:
        if " " <= char <= "~":
            self._keep(char)
            self._complete(sequences.console)
        else:
            self._drop()
            self._again(char, now)

    def _in_mouse(self, char: str, now: float) -> None:
        if char < " ":
            self._drop()
            self._again(char, now)
            return
        self._keep(char)
        self._mouse_left -= 1
        if not self._mouse_left:
            self._drop()
            self._ground()

    def _in_ss3(self, char: str, now: float) -> None:
        if char.isascii() and (char.isdigit() or char == ";"):
            self._keep(char)
        elif " " <= char <= "~":
            self._keep(char)
            self._complete(sequences.ss3)
        else:
            self._drop()
            self._again(char, now)

    def _in_string(self, char: str, now: float) -> None:
        if char == "\x1b":
            self._state = _State.STRING_ESCAPE
        elif char in "\x07\x18\x1a":
            self._drop()
            self._ground()
        else:
            self._keep(char)

    def _in_string_escape(self, char: str, now: float) -> None:
        self._drop()
        if char == "\\":
            self._ground()
        else:
            self._again("\x1b", now)
            self._step(char, now)

    def _in_paste(self, char: str, now: float) -> None:
        if len(self._pasted) < _MOST_PASTED:
            self._pasted.append(char)
        self._paste_tail = (self._paste_tail + char)[-len(_PASTE_END) :]
        if self._paste_tail == _PASTE_END:
            self._end_paste()
            self._ground()

    def _end_paste(self) -> None:
        text = "".join(self._pasted).partition("\x1b")[0]
        self._emit(KeyEvent("paste", "paste", "", text))

    def _keep(self, char: str) -> None:
        if len(self._raw) < _MOST_RAW:
            self._raw += char
        else:
            self._too_long = True

    def _complete(self, meaning: sequences.Meaning) -> None:
        if self._late or self._too_long:
            self._drop()
        else:
            event = meaning(self._raw)
            self._emit(sequences.with_alt(event) if self._alt else event)
        self._ground()

    def _drop(self) -> None:
        self._emit(sequences.unknown(self._raw))

    def _escapes(self) -> None:
        for _ in range(2 if self._alt else 1):
            self._emit(KeyEvent("key", "escape", "\x1b"))

    def _again(self, char: str, now: float) -> None:
        """What is open is over; `char` begins something new."""
        self._ground()
        self._step(char, now)

    def _ground(self) -> None:
        self._state = _State.GROUND
        self._raw = ""
        self._too_long = self._alt = self._late = False
        self._pasted, self._paste_tail = [], ""

    def _emit(self, event: KeyEvent) -> None:
        self._out.append(event)


_STEPS = {
    _State.GROUND: KeyDecoder._in_ground,
    _State.ESCAPE: KeyDecoder._in_escape,
    _State.CSI: KeyDecoder._in_csi,
    _State.CONSOLE: KeyDecoder._in_console,
    _State.MOUSE: KeyDecoder._in_mouse,
    _State.SS3: KeyDecoder._in_ss3,
    _State.STRING: KeyDecoder._in_string,
    _State.STRING_ESCAPE: KeyDecoder._in_string_escape,
    _State.PASTE: KeyDecoder._in_paste,
}
