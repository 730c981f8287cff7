"""What is written on a terminal, and when, so that screen readers and braille displays follow it; no input, no output.

Measured with Orca 43.1 in VTE, and with BRLTTY, Fenrir and yasr elsewhere:

- The line break comes before a message, not after it. Nothing is drawn again or coloured.
- No write is taller than half of the window, and what follows in a moment counts as the same write: Orca lost 14 lines of
  38, NVDA compares what the window showed with what it shows.
- Lines break between words.
- Under VTE, in tmux and screen too, the cursor stays at the newest message's end, where Orca looks for what was
  inserted. Orca repeats the line before as soon as the screen scrolls, so when a page is full the next one begins at the
  top. A clear screen would put the cursor in an empty row, and after an arrow Orca says "blank" of that, which is a
  tile's name; a row written over another one is told only as far as they differ. So the top rows are filled with blanks
  while the cursor stays, then the message is written there, then all below it is erased; with pauses, without which Orca
  misses what comes before or after.
- The Windows console keeps the cursor at the end too; NVDA speaks fragments after a clear screen, so nothing is cleared.
- Everywhere else the cursor goes back to the newest message's beginning, because braille displays show the cell that it
  is in and those after it.
- NVDA and Fenrir compare screens: where one and the same answer fills half of the window, every second one ends with a
  word more, so that the next screen is another one.
"""

from __future__ import annotations

import sys
import time
import unicodedata
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Literal

from kozel.voice.encoding import encode
from kozel.voice.message import Message
from kozel.voice.speech_texts import ended

Place = Literal["auto", "begin", "end"]
PLACES: tuple[Place, ...] = ("auto", "begin", "end")
"""Where the cursor stays for braille displays (the setting `braille_cursor`)."""
TerminalKind = Literal["vte", "windows", "other"]
Steps = Iterator[bytes | float]
"""Bytes to be written at once, and seconds to wait before the next ones."""

SHORTEST = 3
"""NVDA passes over a changed line with fewer characters."""
PAUSE = 0.1
"""Seconds between two writes that a reader must not take for one."""

_CLEAR_PAGE = b"\x1b[H\x1b[2J"
_FORGET = b"\x1b[H\x1b[2J\x1b[3J"
_CLEAR_LINE = b"\x1b[K"
_CLEAR_BELOW = b"\x1b[J"
_HOME = b"\x1b[H"


class Page:
    """One terminal's newest page. Each method yields what is to be done, and must be carried out before the next one.

    `size` tells columns and rows. `obeys` is called where escape sequences are to be carried out; False where they
    aren't. `again` is the sentence that tells one of many identical lines from the next; without it they stay as they are.
    """

    def __init__(
        self,
        size: Callable[[], tuple[int, int]],
        environ: Mapping[str, str],
        *,
        encoding: str = "utf-8",
        obeys: Callable[[], bool] = lambda: True,
        platform: str = sys.platform,
    ) -> None:
        self.again = ""
        self.cursor: Place = "auto"
        self.joined = False
        self._size, self._encoding = size, encoding
        self._escapes = _obeys_escapes(environ, platform)
        self._obeys = obeys if self._escapes else lambda: False
        self.can_forget = self._escapes and "STY" not in environ
        self._kind: TerminalKind = "windows" if platform == "win32" else "vte" if "VTE_VERSION" in environ else "other"
        self._page: list[int] = []
        self._page_size = (0, 0)
        self._just_written = 0
        self._below = 1
        self._fresh = self.wrote = False
        self._wrote_at = float("-inf")
        self._last: tuple[str, ...] = ()
        self._alike = 0
        self._typed: str | None = None
        self._caret = 0

    def is_on(self, kind: TerminalKind) -> None:
        """The terminal said what it is; it is believed where the environment told nothing."""
        if self._kind == "other":
            self._kind = kind

    @property
    def turns(self) -> bool:
        """Whether full pages are cleared and begun again."""
        return self._kind == "vte" and self._escapes

    def say(self, messages: Sequence[Message]) -> Steps:
        """Messages that belong together: in one write if they are not too tall for it."""
        self._typed = None
        columns, rows = self._size()
        texts = [m.text for m in messages]
        if self.joined:
            texts = [" ".join([*map(ended, texts[:-1]), texts[-1]])]
        if not self.turns:
            texts = self._told_apart(texts, columns, rows)
        tallest = max(1, rows // 2)
        for part in _parts([wrapped(text, columns) for text in texts], tallest):
            height = sum(map(len, part))
            if self._just_written + height > tallest:
                yield from self._wait()
            lines = [line for message in part for line in message]
            begin, over = yield from self._begin_rows(list(map(width, lines)), (columns, rows))
            end = _CLEAR_LINE if over else b""
            text = b"\r\n".join(self._encoded(line) + end for line in lines)
            yield from self._write(begin + text + self._back(len(part[-1])), height)
            if over:
                yield PAUSE
                yield _CLEAR_BELOW

    def forget(self) -> Steps:
        """Erases all that was written, in the scrollback too; a screenful of empty lines where that can't be done."""
        self._typed = None
        yield from self._wait()
        if self._obeys():
            self._page, self._fresh = [], True
            yield _FORGET
        else:
            yield b"\r\n" * self._size()[1]
        self._below = 1
        yield PAUSE

    def type(self, text: str, caret: int) -> Steps:
        """A line that is being typed, below all messages; as little of it as possible is written again.

        `caret` is the place in it, in characters. Of a line too long for the window the part around the caret is shown.
        """
        size = self._size()
        columns = size[0]
        shown, place = _visible(text, caret, columns - 1)
        before, self._typed = self._typed, shown
        at_ends = before is not None and self._caret == len(before) and place == len(shown)
        self._caret = place
        if before is None:
            begin, over = yield from self._begin_rows([width(shown)], size)
            data = begin + self._encoded(shown) + (_CLEAR_LINE if over else b"") + _left(shown[place:])
            if over:
                data += _CLEAR_BELOW
        elif at_ends and shown.startswith(before):
            data = self._encoded(shown[len(before) :])
        elif at_ends and before.startswith(shown):
            data = self._erased(before[len(shown) :])
        else:
            data = b"\r" + self._encoded(shown) + self._rest(before, shown) + _left(shown[place:])
        self._below = 1
        if self._page:
            self._page[-1] = width(shown)
        if data:
            yield from self._write(data, 0)

    def end(self) -> Steps:
        """The last line break."""
        if self.wrote:
            if self.turns:
                yield 3 * PAUSE  # Orca says nothing of a line that the cursor has left when it looks
            yield b"\r\n" * self._below

    def _begin_rows(
        self, widths: list[int], size: tuple[int, int]
    ) -> Generator[bytes | float, None, tuple[bytes, bool]]:
        """What begins rows so wide, and whether they are written over others, at the top of the next page."""
        fresh, self._fresh = self._fresh, False
        newline = b"\r\n" * self._below
        if not self.turns:
            return newline, False
        if fresh:
            self._page, self._page_size = widths, size
            return b"", False
        if self._page and len(self._page) + len(widths) <= size[1]:
            self._page += widths
            return newline, False
        yield from self._wait()
        over = bool(self._page) and self._page_size == size and not self._begins
        if over:
            blanks = (b"\x1b[%d;1H" % row + b" " * old for row, old in enumerate(self._page[: len(widths)], 1))
            yield b"\x1b7" + b"".join(blanks) + b"\x1b8"
        else:
            yield _CLEAR_PAGE
        yield PAUSE
        self._page, self._page_size = widths, size
        return _HOME if over else b"", over

    def _write(self, data: bytes, height: int) -> Steps:
        yield data
        now = time.monotonic()
        self._just_written = height + (self._just_written if now - self._wrote_at < PAUSE else 0)
        self.wrote, self._wrote_at = True, now

    def _wait(self) -> Steps:
        """Until a reader doesn't take what was written and what will be for one."""
        rest = self._wrote_at + PAUSE - time.monotonic()
        self._just_written = 0
        if rest > 0:
            yield rest

    @property
    def _begins(self) -> bool:
        return (self.cursor == "begin" or (self.cursor == "auto" and self._kind == "other")) and self._obeys()

    def _back(self, height: int) -> bytes:
        """From the end of a message so many rows tall to where the cursor stays."""
        if not self._begins:
            self._below = 1
            return b""
        self._below = height
        return b"\r" if height == 1 else b"\r\x1b[%dA" % (height - 1)

    def _told_apart(self, texts: list[str], columns: int, rows: int) -> list[str]:
        """The texts, or with a word more where a screen of nothing else would be followed by the same screen."""
        alike, self._last = tuple(texts) == self._last, tuple(texts)
        self._alike = self._alike + 1 if alike else 0
        height = sum(len(wrapped(text, columns)) for text in texts)
        if not self.again or self._alike % 2 == 0 or (self._alike + 1) * height < rows // 2:
            return texts
        return [*texts[:-1], f"{texts[-1]} {self.again}"]

    def _encoded(self, text: str) -> bytes:
        return encode(text, self._encoding)

    def _erased(self, text: str) -> bytes:
        """Takes back the text before the cursor, at the end of the row."""
        back = _left(text)
        return back + (_CLEAR_LINE if self._obeys() else b" " * width(text) + back)

    def _rest(self, before: str, shown: str) -> bytes:
        """Takes away what stands behind a row that was written again."""
        if self._obeys():
            return _CLEAR_LINE
        longer = max(0, width(before) - width(shown))
        return b" " * longer + b"\b" * longer


def wrapped(text: str, columns: int) -> list[str]:
    """A message's rows in a window so wide, broken between words; none is shorter than `SHORTEST`."""
    rows: list[list[str]] = []
    for line in text.split("\n"):
        rows += _rows_of([part for word in line.split() for part in _chopped(word, columns)], columns)
    lines = [" ".join(row) for row in rows] or [""]
    return [line if len(line) >= SHORTEST else line.ljust(SHORTEST, ".") for line in lines]


def width(text: str) -> int:
    """How many columns a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(_cells, text))


def _rows_of(words: list[str], columns: int) -> list[list[str]]:
    rows: list[list[str]] = [[]]
    room = columns
    for word in words:
        needed = width(word) + bool(rows[-1])
        if needed > room and rows[-1]:
            rows.append([])
            room, needed = columns, width(word)
        rows[-1].append(word)
        room -= needed
    while len(rows) > 1 and len(" ".join(rows[-1])) < SHORTEST and len(rows[-2]) > 1:
        rows[-1].insert(0, rows[-2].pop())
    return rows


def _chopped(word: str, columns: int) -> list[str]:
    """A word in parts that fit into a row."""
    if width(word) <= columns:
        return [word]
    parts = [""]
    for character in word:
        if width(parts[-1]) + _cells(character) > columns:
            parts.append("")
        parts[-1] += character
    return parts


def _parts(messages: Sequence[Sequence[str]], tallest: int) -> Iterator[list[Sequence[str]]]:
    """Messages, each in its rows, in parts of at most so many rows; a message is divided only if it is taller itself."""
    part: list[Sequence[str]] = []
    height = 0
    for lines in messages:
        for first in range(0, len(lines), tallest):
            piece = lines[first : first + tallest]
            if part and height + len(piece) > tallest:
                yield part
                part, height = [], 0
            part.append(piece)
            height += len(piece)
    if part:
        yield part


def _visible(text: str, caret: int, columns: int) -> tuple[str, int]:
    """The part of a line that fits into a row and holds the caret, and the caret's place in it."""
    if width(text) <= columns:
        return text, caret
    start = caret
    while start > 0 and width(text[start - 1 : caret]) <= columns:
        start -= 1
    end = caret
    while end < len(text) and width(text[start : end + 1]) <= columns:
        end += 1
    return text[start:end], caret - start


def _left(text: str) -> bytes:
    return b"\b" * width(text)


def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _obeys_escapes(environ: Mapping[str, str], platform: str) -> bool:
    return platform == "win32" or environ.get("TERM", "") not in ("", "dumb", "unknown")
