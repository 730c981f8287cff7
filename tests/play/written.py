"""What a program wrote on a terminal: the handshake's and the handover's escape sequences, and its lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kozel.voice.page import wrapped
from play.program import Line

_COLUMNS = 80
"""The width of a pseudo-terminal that nobody has given a size."""

HANDOVER = b"\x1b[H\x1b[2J\x1b[3J"
_HANDSHAKE = re.compile(rb"\x1b(?:7|8|\[\?u|\[>?c|\[[>=]2[57]u|\[<u|\[>4(?:;2)?m|\[\?2004[hl])")
_DRAWN = re.compile("[\u2500-\u25ff\u2600-\u27bf\u2800-\u28ff\ufe0f\U0001f030-\U0001f093\U0001f300-\U0001faff]")
"""Box, block and geometric drawing, symbols, braille, dominoes, emoji."""


def only_lines(out: bytes) -> str:
    """What was written without the handshake, handovers, and the way back to a message's beginning and down again."""
    return "".join(_forwards(part.decode()) for part in between_handshakes(out).split(HANDOVER))


def _forwards(written: str) -> str:
    """The cursor stays at the newest message's beginning, for braille displays."""
    text, *parts = re.split(r"\r(?!\n)((?:\x1b\[\d+A)?)", written)
    for up, after in zip(parts[::2], parts[1::2], strict=True):
        text += after.removeprefix("\r\n" * int(re.sub(r"\D", "", up) or 0))
    return text


def between_handshakes(out: bytes) -> bytes:
    """What was written without the handshake's sequences; the line breaks as the program wrote them."""
    return re.sub(rb"\r+\n", b"\r\n", _HANDSHAKE.sub(b"", out))


def unlike(out: bytes, lines: Sequence[Line], *, ended: bool) -> str:
    """Where what was written differs from the lines said, each after a line break; '' for nowhere.

    `ended`: the program ended, with a last line break.
    """
    written = only_lines(out)
    rows = [row for line in lines for row in wrapped(line.text, _COLUMNS)]
    expected = "".join(f"\r\n{row}" for row in rows) + ("\r\n" if ended else "")
    if written == expected:
        return ""
    place = next((i for i, (a, b) in enumerate(zip(written, expected, strict=False)) if a != b), len(written))
    begin = max(0, place - 40)
    return f"{written[begin : place + 80]!r} instead of {expected[begin : place + 80]!r}"


def unspeakable(lines: Sequence[Line]) -> list[str]:
    """Lines that a reader passes over or spells: under three characters, without a word, with escapes or drawings."""
    return [
        line.text
        for line in lines
        if len(line.text.strip()) < 3
        or not re.search(r"[^\W\d_]{2}", line.text)
        or not line.text.isprintable()
        or _DRAWN.search(line.text)
    ]
