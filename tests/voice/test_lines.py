"""The bytes of the lines output: on real pseudo-terminals, on pipes, and in a terminal without UTF-8."""

from __future__ import annotations

import difflib
import io
import os
import re
import sys
import threading
import time
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

import pytest

from kozel.voice.encoding import encode
from kozel.voice.lines import LinesOutput
from kozel.voice.message import Message
from kozel.voice.page import PAUSE, Page, Place, TerminalKind, wrapped

pytest.importorskip("termios", reason="pseudo-terminals are Unix's")
pyte = pytest.importorskip("pyte")

import fcntl  # noqa: E402
import struct  # noqa: E402
import termios  # noqa: E402
import tty  # noqa: E402

XTERM = {"TERM": "xterm-256color"}
VTE = XTERM | {"VTE_VERSION": "7006"}
ROWS, COLUMNS = 6, 40


class Terminal(NamedTuple):
    """A pseudo-terminal: the program's end as a stream, and the end where the bytes come out."""

    stream: IO[str]
    master: int

    def read(self) -> bytes:
        os.set_blocking(self.master, False)
        data = b""
        try:
            while chunk := os.read(self.master, 65536):
                data += chunk
        except BlockingIOError:
            pass
        return data


def open_terminal(encoding: str = "utf-8") -> Terminal:
    master, slave = os.openpty()
    tty.setraw(slave)
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    return Terminal(os.fdopen(slave, "w", encoding=encoding), master)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    opened = open_terminal()
    yield opened
    opened.stream.close()
    os.close(opened.master)


def messages(*texts: str) -> list[Message]:
    return [Message("event", None, text) for text in texts]


def written(output: LinesOutput, terminal: Terminal, *texts: str) -> bytes:
    output.say(messages(*texts))
    assert output.flush(10)
    return terminal.read()


def test_an_event_writes_exactly_its_message_after_a_line_break(terminal: Terminal) -> None:
    output = LinesOutput(terminal.stream, XTERM)
    assert written(output, terminal, "Анна: шесть пять.").decode() == "\r\nАнна: шесть пять.\r"
    assert written(output, terminal, "Ваш ход.").decode() == "\r\nВаш ход.\r"


def test_an_unbuffered_terminal_is_a_terminal_too(terminal: Terminal) -> None:
    raw = os.fdopen(os.dup(terminal.stream.fileno()), "wb", buffering=0)
    stream = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)  # as PYTHONUNBUFFERED does
    assert written(LinesOutput(stream, XTERM), terminal, "Анна: шесть пять.").decode() == "\r\nАнна: шесть пять.\r"
    stream.close()


def test_a_burst_is_one_write(terminal: Terminal) -> None:
    output = LinesOutput(terminal.stream, XTERM)
    assert written(output, terminal, "Анна: шесть пять.", "Ваш ход.") == "\r\nАнна: шесть пять.\r\nВаш ход.\r".encode()


def test_the_last_line_break_comes_at_the_end(terminal: Terminal) -> None:
    output = LinesOutput(terminal.stream, XTERM)
    written(output, terminal, "До свидания.")
    output.close()
    assert terminal.read() == b"\r\n"


def test_under_vte_the_last_line_break_leaves_orca_time_for_the_last_message(terminal: Terminal) -> None:
    output = LinesOutput(terminal.stream, VTE)
    written(output, terminal, "До свидания.")
    before = time.monotonic()
    output.close()
    assert time.monotonic() - before > 2 * PAUSE
    assert terminal.read() == b"\r\n"


def test_the_last_page_is_turned_with_its_pauses_though_the_program_ends(terminal: Terminal) -> None:
    """Orca lost a goodbye that began a page."""
    output = LinesOutput(terminal.stream, VTE)
    for number in range(ROWS):
        written(output, terminal, f"Строка {number}.")
    before = time.monotonic()
    output.say(messages("До свидания."))
    output.close()
    assert time.monotonic() - before > 4 * PAUSE
    assert terminal.read().decode().endswith("\x1b[HДо свидания.\x1b[K\x1b[J\r\n")


def test_nothing_is_written_where_nothing_was_said(terminal: Terminal) -> None:
    LinesOutput(terminal.stream, VTE).close()
    assert terminal.read() == b""


@pytest.mark.parametrize(("text", "line"), [("5", "5.."), ("Да", "Да."), ("", "..."), ("Нет", "Нет")])
def test_no_line_is_too_short_for_nvda(terminal: Terminal, text: str, line: str) -> None:
    assert written(LinesOutput(terminal.stream, XTERM), terminal, text).decode() == f"\r\n{line}\r"


def test_a_long_message_breaks_between_words(terminal: Terminal) -> None:
    text = "Шесть пять, четыре два, дупль три, пусто шесть, два один, три пусто, пять два и ещё одна"
    data = written(LinesOutput(terminal.stream, XTERM), terminal, text).decode()
    lines = data.removeprefix("\r\n").removesuffix("\r\x1b[2A").split("\r\n")
    assert " ".join(lines) == text
    assert [len(line) <= COLUMNS for line in lines] == [True] * 3


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("один два три", 8, ["один два", "три"]),
        ("один два три", 7, ["один", "два три"]),
        ("раз, два, да", 9, ["раз,", "два, да"]),
        ("длинноеслово да", 5, ["длинн", "оесло", "во да"]),
        ("", 5, ["..."]),
        ("да", 5, ["да."]),
        ("龍龍 龍龍龍", 6, ["龍龍.", "龍龍龍"]),
        ("е\u0301ж е\u0301ж", 5, ["е\u0301ж е\u0301ж"]),
    ],
)
def test_rows_are_filled_with_whole_words_and_none_is_too_short(text: str, columns: int, lines: list[str]) -> None:
    assert wrapped(text, columns) == lines


@pytest.mark.parametrize("columns", [18, 20, 32, 40, 80])
@pytest.mark.parametrize("rows", [10, 24, 30, 50])
@pytest.mark.parametrize("environ", [XTERM, VTE], ids=["elsewhere", "vte"])
def test_no_write_is_taller_than_half_of_the_window_and_nothing_is_lost(
    terminal: Terminal, environ: dict[str, str], rows: int, columns: int
) -> None:
    page = Page(lambda: (columns, rows), environ, platform="linux")
    screen = pyte.HistoryScreen(columns, rows, history=1000)
    texts = [f"Сообщение {number}: " + "слово " * (number * 7 % 40) + "конец." for number in range(12)]
    steps = [*page.say(messages(*texts)), *page.say(messages("Слева два, справа три; подходит шесть два."))]
    tall, burst = 0, 0
    shown: list[str] = []
    for step in steps:
        if isinstance(step, float):
            burst = 0
            continue
        if step.startswith((b"\x1b7", b"\x1b[H\x1b[2J")):
            shown += [line.rstrip() for line in screen.display]
        written_rows = re.sub(r"\x1b\[[0-9]*[AHJ]", "", step.decode()).split("\r\n")
        burst += sum(bool(row.strip()) for row in written_rows)
        tall = max(tall, burst)
        pyte.ByteStream(screen).feed(step)
    assert tall <= rows // 2
    rolled = ["".join(row[x].data for x in range(columns)).rstrip() for row in screen.history.top]
    everything = " ".join(filter(None, [*shown, *rolled, *(line.rstrip() for line in screen.display)]))
    assert everything == " ".join([*texts, "Слева два, справа три; подходит шесть два."])


def test_many_hand_overs_at_once_are_paced_like_one(terminal: Terminal) -> None:
    output = LinesOutput(terminal.stream, XTERM)
    before = time.monotonic()
    for number in range(ROWS + 1):
        output.say(messages(f"Клавиша {number}."))
    assert output.flush(10)
    assert time.monotonic() - before > 2 * PAUSE
    assert terminal.read().decode().split("\r\n")[1:] == [f"Клавиша {number}.\r" for number in range(ROWS + 1)]


@pytest.mark.parametrize("cells", [18, 20, 32, 40, 80])
def test_a_braille_display_shows_the_newest_messages_beginning(terminal: Terminal, cells: int) -> None:
    """A display shows the part of the screen's row, so many cells wide, that the cursor is in."""
    fcntl.ioctl(terminal.stream.fileno(), termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    screen = pyte.Screen(80, 24)
    stream = pyte.ByteStream(screen)
    output = LinesOutput(terminal.stream, XTERM)
    words = "Анна: шесть пять, справа; взята одна; слева два, справа три; подходит шесть два, слева; осталась одна"
    for length in range(3, len(words)):
        texts = ["Раньше.", words[:length].strip()]
        stream.feed(written(output, terminal, *texts))
        part = screen.cursor.x // cells * cells
        shown = screen.display[screen.cursor.y][part : part + cells].rstrip()
        assert shown
        assert texts[1].startswith(shown)
    output.close()


@pytest.mark.parametrize(
    ("cursor", "environ", "answer", "begins"),
    [
        ("auto", XTERM, None, True),
        ("auto", {"TERM": "linux"}, None, True),
        ("auto", XTERM, "vte", False),
        ("auto", XTERM, "windows", False),
        ("auto", XTERM, "other", True),
        ("auto", VTE, None, False),
        ("auto", {"TERM": "dumb"}, None, False),
        ("begin", {"TERM": "dumb"}, None, False),
        ("begin", VTE, None, True),
        ("begin", XTERM, "windows", True),
        ("end", XTERM, None, False),
    ],
)
def test_where_the_cursor_stays(cursor: Place, environ: dict[str, str], answer: TerminalKind, begins: bool) -> None:
    page = Page(lambda: (40, 24), environ, platform="linux")
    page.cursor = cursor
    if answer is not None:
        page.is_on(answer)
    last = [step for step in page.say(messages("Ваш ход.")) if isinstance(step, bytes)][-1]
    assert last.endswith(b"\r") is begins


def test_a_windows_console_keeps_the_cursor_at_the_end_and_is_never_cleared() -> None:
    page = Page(lambda: (40, 6), {}, platform="win32")
    data = [step for number in range(20) for step in page.say(messages(f"Строка {number}.")) if isinstance(step, bytes)]
    assert b"".join(data).decode() == "".join(f"\r\nСтрока {number}." for number in range(20))


def test_a_terminal_that_says_it_is_vte_turns_pages_from_then_on(terminal: Terminal) -> None:
    """Over ssh the environment doesn't tell."""
    output = LinesOutput(terminal.stream, XTERM)
    written(output, terminal, "Анна: шесть пять.")
    output.is_on("vte")
    assert written(output, terminal, "Ваш ход.").decode() == "\x1b[H\x1b[2JВаш ход."
    assert written(output, terminal, "Базар: семь.").decode() == "\r\nБазар: семь."


def test_joined_makes_one_line_of_what_is_told_together(terminal: Terminal) -> None:
    output = LinesOutput(terminal.stream, XTERM, joined=True)
    assert written(output, terminal, "Борис: пять два", "Ваш ход.").decode() == "\r\nБорис: пять два. Ваш ход.\r"
    output.set_up(cursor="end", joined=False)
    assert written(output, terminal, "Борис: пять два", "Ваш ход.").decode() == "\r\nБорис: пять два\r\nВаш ход."


class Typing(NamedTuple):
    """A line being typed, on an emulated screen."""

    output: LinesOutput
    terminal: Terminal
    screen: Any

    def shows(self, text: str, caret: int | None = None) -> bytes:
        self.output.typed(text, caret)
        return self.feed()

    def says(self, *texts: str) -> bytes:
        self.output.say(messages(*texts))
        return self.feed()

    def feed(self) -> bytes:
        assert self.output.flush(10)
        data = self.terminal.read()
        pyte.ByteStream(self.screen).feed(data)
        return data

    @property
    def row(self) -> str:
        return str(self.screen.display[self.screen.cursor.y]).rstrip()


@pytest.mark.parametrize("environ", [XTERM, VTE, {"TERM": "dumb"}], ids=["elsewhere", "vte", "dumb"])
def test_a_typed_line_stands_below_the_messages_and_grows_by_what_was_typed(
    terminal: Terminal, environ: dict[str, str]
) -> None:
    typing = Typing(LinesOutput(terminal.stream, environ), terminal, pyte.HistoryScreen(COLUMNS, ROWS))
    typing.says("Имя:")
    assert typing.shows("А").decode().endswith("\r\nА")
    assert typing.shows("Ан").decode() == "н"
    assert typing.shows("Анна").decode() == "на"
    assert (typing.row, typing.screen.cursor.x) == ("Анна", 4)
    assert len(typing.shows("Анн")) <= 4
    assert (typing.row, typing.screen.cursor.x) == ("Анн", 3)
    typing.shows("Анн", 1)
    assert (typing.row, typing.screen.cursor.x) == ("Анн", 1)
    typing.shows("АБнн", 2)
    assert (typing.row, typing.screen.cursor.x) == ("АБнн", 2)
    typing.shows("нн", 0)
    assert (typing.row, typing.screen.cursor.x) == ("нн", 0)
    typing.says("Привет, нн.")
    assert typing.row == "Привет, нн."
    assert "нн" in [line.rstrip() for line in typing.screen.display]


def test_a_message_in_between_lets_the_typed_line_begin_again_below_it(terminal: Terminal) -> None:
    typing = Typing(LinesOutput(terminal.stream, XTERM), terminal, pyte.HistoryScreen(COLUMNS, ROWS))
    typing.shows("При")
    typing.says("Борис: пять два.")
    assert typing.shows("Прив").decode() == "\r\nПрив"
    assert [line.rstrip() for line in typing.screen.display][1:4] == ["При", "Борис: пять два.", "Прив"]


def test_a_line_longer_than_the_window_shows_the_part_around_the_caret(terminal: Terminal) -> None:
    typing = Typing(LinesOutput(terminal.stream, XTERM), terminal, pyte.HistoryScreen(COLUMNS, ROWS))
    text = ""
    for number in range(60):
        text += chr(ord("a") + number % 26)
        typing.shows(text)
        assert text.endswith(typing.row)
        assert typing.screen.cursor.x == len(typing.row) == min(number + 1, COLUMNS - 1)
    typing.shows(text, 5)
    assert text[typing.screen.cursor.x - 1] in typing.row
    assert typing.row[: typing.screen.cursor.x] == text[:5]
    assert sum(bool(line.strip()) for line in typing.screen.display) == 1


def test_typed_lines_count_in_the_height_of_a_vte_page(terminal: Terminal) -> None:
    typing = Typing(LinesOutput(terminal.stream, VTE), terminal, pyte.HistoryScreen(COLUMNS, ROWS))
    for number in range(3 * ROWS):
        typing.says(f"Вопрос {number}?")
        typing.shows("да")
        typing.shows("да, конечно")
    assert len(typing.screen.history.top) == 0


def test_nothing_typed_reaches_a_pipe() -> None:
    stream = io.StringIO()
    output = LinesOutput(stream, XTERM)
    output.typed("Анна")
    output.say(messages("Привет, Анна."))
    output.close()
    assert stream.getvalue().split() == ["Привет,", "Анна."]


def test_the_cursor_stays_at_the_end_of_the_newest_message(terminal: Terminal) -> None:
    screen = pyte.Screen(COLUMNS, ROWS)
    output = LinesOutput(terminal.stream, VTE)
    for number in range(20):
        pyte.ByteStream(screen).feed(written(output, terminal, f"Сообщение {number}."))
        line = screen.display[screen.cursor.y]
        assert line.rstrip() == f"Сообщение {number}."
        assert screen.cursor.x == len(line.rstrip())


def test_under_vte_the_screen_never_scrolls(terminal: Terminal) -> None:
    output = LinesOutput(terminal.stream, VTE)
    screen = pyte.HistoryScreen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    for number in range(30):
        stream.feed(written(output, terminal, f"Сообщение {number}, " + "и " * (number % 3) * 15))
    assert len(screen.history.top) == 0


@pytest.mark.parametrize("around", [{}, {"TMUX": "/tmp/tmux,1,0"}, {"STY": "1.pts"}], ids=["alone", "tmux", "screen"])
def test_under_vte_a_full_page_is_cleared_and_begun_at_the_top(terminal: Terminal, around: dict[str, str]) -> None:
    output = LinesOutput(terminal.stream, VTE | around)
    data = [written(output, terminal, f"Сообщение {number}.") for number in range(2 * ROWS + 1)]
    turned = [index for index, piece in enumerate(data) if b"\x1b" in piece]
    assert turned == [0, ROWS, 2 * ROWS]
    assert data[0].decode() == "\x1b[H\x1b[2JСообщение 0."
    blanks = " " * len("Сообщение 0.")
    assert data[ROWS].decode() == f"\x1b7\x1b[1;1H{blanks}\x1b8\x1b[HСообщение {ROWS}.\x1b[K\x1b[J"
    assert data[1].decode() == "\r\nСообщение 1."


def test_a_page_is_turned_without_the_cursor_in_an_empty_row() -> None:
    """Orca says "blank" of such a row after an arrow, and of a row written over another one only what differs."""
    page = Page(lambda: (COLUMNS, ROWS), VTE, platform="linux")
    screen = pyte.Screen(COLUMNS, ROWS)
    for number in range(ROWS):
        for step in page.say(messages(f"Анна: шесть {number}, справа.")):
            if isinstance(step, bytes):
                pyte.ByteStream(screen).feed(step)
    cursor = (screen.cursor.y, screen.cursor.x)
    text = "Анна: шесть пять, слева; осталась одна; ваш ход: слева два."
    steps = [step for step in page.say(messages(text)) if isinstance(step, bytes)]
    pyte.ByteStream(screen).feed(steps[0])
    assert (screen.cursor.y, screen.cursor.x) == cursor
    assert [line.strip() for line in screen.display[:3]] == ["", "", "Анна: шесть 2, справа."]
    pyte.ByteStream(screen).feed(steps[1])
    assert " ".join(line.strip() for line in screen.display[:2]) == text
    assert screen.cursor.y == 1
    assert screen.cursor.x == len(screen.display[1].rstrip())
    assert screen.display[2].startswith("Анна")
    pyte.ByteStream(screen).feed(steps[2])
    assert [line.strip() for line in screen.display[2:]] == [""] * (ROWS - 2)
    assert len(steps) == 3


def test_a_page_of_another_size_is_cleared() -> None:
    sizes = [(COLUMNS, ROWS)]
    page = Page(lambda: sizes[-1], VTE, platform="linux")
    for number in range(ROWS - 2):
        list(page.say(messages(f"Строка {number}.")))
    sizes.append((COLUMNS, ROWS - 2))
    assert next(step for step in page.say(messages("Ещё одна.")) if isinstance(step, bytes)) == b"\x1b[H\x1b[2J"


def test_the_page_turn_is_two_writes_with_a_pause(terminal: Terminal) -> None:
    os.set_blocking(terminal.master, True)
    output = LinesOutput(terminal.stream, VTE)
    output.say(messages("Сообщение."))
    assert os.read(terminal.master, 1000) == b"\x1b[H\x1b[2J"
    cleared = time.monotonic()
    assert os.read(terminal.master, 1000).decode() == "Сообщение."
    assert time.monotonic() - cleared > 0.05


def test_what_was_just_written_is_not_cleared_at_once(terminal: Terminal) -> None:
    """A computer player's move that follows the own one over a page's end, and a key pressed at once after an answer."""
    os.set_blocking(terminal.master, True)
    output = LinesOutput(terminal.stream, VTE)
    for number in range(ROWS):
        written(output, terminal, f"Сообщение {number}.")
    os.set_blocking(terminal.master, True)
    output.forget()
    output.say(messages("Вы: шесть пять."))
    assert os.read(terminal.master, 1000) == b"\x1b[H\x1b[2J\x1b[3J"
    assert os.read(terminal.master, 1000).decode() == "Вы: шесть пять."
    wrote = time.monotonic()
    output.say(messages("Борис: пять четыре.", "Ваш ход."))
    output.say(messages("Базар: семь.", "Кости: шесть.", "Счёт: ноль."))
    assert os.read(terminal.master, 1000).decode() == "\r\nБорис: пять четыре.\r\nВаш ход."
    assert os.read(terminal.master, 1000).decode() == "\r\nБазар: семь.\r\nКости: шесть.\r\nСчёт: ноль."
    output.say(messages("Вера: пас."))
    assert os.read(terminal.master, 1000).startswith(b"\x1b7")
    assert time.monotonic() - wrote > 0.05


@pytest.mark.parametrize("environ", [XTERM, {"TERM": "linux"}, XTERM | {"TMUX": "/tmp/tmux,1,0"}])
def test_elsewhere_nothing_is_ever_cleared(terminal: Terminal, environ: dict[str, str]) -> None:
    output = LinesOutput(terminal.stream, environ)
    assert b"\x1b" not in b"".join(written(output, terminal, f"Сообщение {number}.") for number in range(30))


@pytest.mark.parametrize("environ", [XTERM, VTE, {"TERM": "linux"}])
def test_forgetting_erases_the_screen_and_what_was_scrolled_away(terminal: Terminal, environ: dict[str, str]) -> None:
    output = LinesOutput(terminal.stream, environ)
    written(output, terminal, "Ваши кости: шесть пять.")
    assert output.forget()
    assert output.flush(10)
    assert terminal.read() == b"\x1b[H\x1b[2J\x1b[3J"


def test_after_forgetting_a_vte_page_is_not_cleared_again(terminal: Terminal) -> None:
    output = LinesOutput(terminal.stream, VTE)
    output.forget()
    output.flush(10)
    terminal.read()
    assert written(output, terminal, "Борис, Enter.") == "Борис, Enter.".encode()
    assert written(output, terminal, "Ваш ход.") == "\r\nВаш ход.".encode()


def test_what_is_said_after_forgetting_comes_after_it_and_a_pause(terminal: Terminal) -> None:
    os.set_blocking(terminal.master, True)
    output = LinesOutput(terminal.stream, XTERM)
    output.forget()
    output.say(messages("Борис, Enter."))
    assert os.read(terminal.master, 1000) == b"\x1b[H\x1b[2J\x1b[3J"
    assert os.read(terminal.master, 1000).decode() == "\r\nБорис, Enter.\r"


@pytest.mark.parametrize("name", ["dumb", "", "unknown"])
def test_a_dumb_terminal_gets_a_screenful_of_empty_lines(terminal: Terminal, name: str) -> None:
    output = LinesOutput(terminal.stream, {"TERM": name})
    written(output, terminal, "Ваши кости: шесть пять.")
    assert not output.forget()
    assert output.flush(10)
    assert terminal.read() == b"\r\n" * ROWS


def test_gnu_screen_is_erased_but_its_own_history_stays(terminal: Terminal) -> None:
    output = LinesOutput(terminal.stream, {"TERM": "screen", "STY": "1.pts"})
    assert not output.forget()
    assert output.flush(10)
    assert terminal.read() == b"\x1b[H\x1b[2J\x1b[3J"


def test_a_pipe_gets_whole_lines_and_no_escape_sequence() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w", encoding="utf-8") as stream:
        output = LinesOutput(stream, VTE)
        output.say(messages("Анна: шесть пять.", "Ваш ход."))
        assert output.forget()
        output.say(messages("Да"))
        output.close()
    with os.fdopen(reading, "rb") as end:
        assert end.read().decode().split(os.linesep) == ["Анна: шесть пять.", "Ваш ход.", "Да.", ""]


def test_a_closed_pipe_is_noticed_and_never_raises(capfd: pytest.CaptureFixture[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    stream = os.fdopen(writing, "w", encoding="utf-8")
    output = LinesOutput(stream, XTERM)
    for _ in range(3):
        output.say(messages("Никто не читает."))
    assert output.flush(10)
    assert output.broken
    output.close()
    stream.close()
    assert capfd.readouterr() == ("", "")


def test_a_closed_or_missing_stream_never_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stdout", None)
    for stream in (closed, None):
        output = LinesOutput(stream, XTERM)
        output.say(messages("Никто не читает."))
        output.forget()
        assert output.flush(10)
        assert output.broken
        output.close()


def test_a_pipe_that_nobody_empties_holds_nobody_up() -> None:
    reading, writing = os.pipe()
    stream = os.fdopen(writing, "w", encoding="utf-8")
    output = LinesOutput(stream, XTERM)
    before = time.monotonic()
    for number in range(5000):
        output.say(messages(f"Сообщение {number}, а трубу никто не читает."))
    output.close(grace=0.2)
    assert time.monotonic() - before < 10
    with os.fdopen(reading, "rb") as end:
        end.read(1)
    assert wait_until_broken(output)


def wait_until_broken(output: LinesOutput) -> bool:
    until = time.monotonic() + 10
    while not output.broken and time.monotonic() < until:
        time.sleep(0.01)
    return output.broken


def test_a_terminal_made_non_blocking_by_its_other_end_loses_nothing(terminal: Terminal) -> None:
    os.set_blocking(terminal.stream.fileno(), False)
    output = LinesOutput(terminal.stream, XTERM)
    texts = [f"Сообщение {number}." for number in range(3000)]
    output.say(messages(*texts))
    threading.Thread(target=output.close, args=(0.5,), daemon=True).start()  # nothing is paced after the grace
    data = b""
    until = time.monotonic() + 20
    while not data.endswith(b"\r\r\n") and time.monotonic() < until:
        data += terminal.read()
    assert data.decode().split() == " ".join(texts).split()


@pytest.mark.parametrize("encoding", ["cp866", "cp1251", "koi8-r", "ascii", "latin-1", "utf-8"])
def test_a_terminal_without_utf_8_gets_readable_text(encoding: str) -> None:
    terminal = open_terminal(encoding)
    text = "Ёж — «дупль», Анна: щука № 5… 👍 Ωμέγα é"
    data = written(LinesOutput(terminal.stream, XTERM), terminal, text)
    assert b"?" not in data
    decoded = data.decode(encoding)
    assert "5" in decoded
    if encoding in ("ascii", "latin-1"):
        assert "Yozh - " in decoded
        assert "Anna: shchuka" in decoded
    else:
        assert "Ёж" in decoded
        assert "Анна: щука" in decoded
    terminal.stream.close()
    os.close(terminal.master)


@pytest.mark.parametrize(
    ("text", "ascii_text"),
    [
        ("Ход Бориса: шесть пять", b"Khod Borisa: shest pyat"),
        ("ЩУКА Щука щука", b"SHCHUKA Shchuka shchuka"),
        ("Счёт — «двадцать пять»…", b'Schyot - "dvadtsat pyat"...'),
        ("Café №1", b"Cafe No.1"),
    ],
)
def test_what_the_encoding_lacks_is_written_by_its_sound(text: str, ascii_text: bytes) -> None:
    assert encode(text, "ascii") == ascii_text
    assert encode(text, "no such encoding") == ascii_text


def heard_by_nvda(before: list[str], after: list[str]) -> list[str]:
    """What NVDA's line diff of a terminal makes of two screens (its LiveText over Python's difflib)."""
    return [line[2:] for line in difflib.ndiff(before, after) if line.startswith("+ ") and line[2:].strip()]


@pytest.mark.parametrize("answer", [["Ваш ход, подходят две."], ["На конце шесть.", "Слева шесть, справа два?"]])
def test_one_answer_asked_for_again_and_again_is_heard_each_time(terminal: Terminal, answer: list[str]) -> None:
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    output = LinesOutput(terminal.stream, XTERM)
    output.again = "Ещё раз."
    shown = []
    for _ in range(25):
        before = [line.rstrip() for line in screen.display]
        shown.append(written(output, terminal, *answer))
        stream.feed(shown[-1])
        heard = heard_by_nvda(before, [line.rstrip() for line in screen.display])
        assert [line.removesuffix(" Ещё раз.") for line in heard] == answer
    assert len(set(shown)) == 2


def test_without_the_word_more_a_screen_of_one_answer_is_silent(terminal: Terminal) -> None:
    """The check itself."""
    screen = pyte.Screen(COLUMNS, ROWS)
    output = LinesOutput(terminal.stream, XTERM)
    for _ in range(ROWS + 1):
        before = list(screen.display)
        pyte.ByteStream(screen).feed(written(output, terminal, "Ваш ход, подходят две."))
    assert heard_by_nvda(before, list(screen.display)) == []


def test_other_answers_stay_as_they_are(terminal: Terminal) -> None:
    output = LinesOutput(terminal.stream, XTERM)
    output.again = "Ещё раз."
    for number in range(30):
        text = f"Сообщение {number % 2}."
        assert written(output, terminal, text).decode() == f"\r\n{text}\r"
