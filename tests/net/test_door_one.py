"""Door one without a network: what is written on a visitor's terminal, and that nobody can keep the server busy with keys."""

from __future__ import annotations

import asyncio
import random
import re
import time
from pathlib import Path
from typing import Any, cast

import pytest

from kozel.cli.door_one import DoorOne
from kozel.engine.tiles import NAMES, TILES
from kozel.locales.catalogue import tile_words, words
from kozel.net.channel import BYTES_AT_ONCE
from kozel.net.club import Club
from kozel.net.server import ChannelEnd
from net.scripted import at_the_door, seated
from net.test_matches import opened, run

pytestmark = pytest.mark.slow

_ESCAPES = re.compile(r"\x1b\[[0-9;?>]*[A-Za-z]|\x1b[78]|[\r\x08]")
_NAMES = {tile: tile_words(words("en"), tile) for tile in TILES}
_ANY = re.compile("|".join(sorted(map(re.escape, _NAMES.values()), key=len, reverse=True)))


class Terminal:
    """A visitor's terminal, as `ChannelEnd` shows it: what is typed into it, and what was written on it."""

    def __init__(self, term: str = "xterm") -> None:
        self.term, self.environ, self.size, self.gone = term, {"LANG": "en_GB.UTF-8"}, (80, 24), False
        self.writes: list[str] = []
        self._typed: asyncio.Queue[bytes] = asyncio.Queue()
        self.read_bytes = 0
        self.watch: Any = None

    @property
    def waiting(self) -> int:
        return 0

    def write(self, data: bytes) -> None:
        text = _ESCAPES.sub("", data.decode())
        self.writes.append(text)
        if self.watch is not None:
            self.watch(text)

    async def read(self) -> bytes:
        data = await self._typed.get()
        self.read_bytes += len(data)
        return data

    async def round_trip(self) -> float | None:
        return 0.0

    def type(self, text: str) -> None:
        self._typed.put_nowait(text.encode())

    def hang_up(self) -> None:
        self.gone = True
        self._typed.put_nowait(b"")

    @property
    def text(self) -> str:
        return "".join(self.writes)

    async def hear(self, text: str, seconds: float = 20) -> None:
        until = time.monotonic() + seconds
        while text not in self.text:
            assert time.monotonic() < until, self.text[-600:]
            await asyncio.sleep(0.02)


def enter(club: Club, terminal: Terminal, name: str, key: str | None = None) -> asyncio.Future[None]:
    """A visitor comes by plain ssh."""
    door = DoorOne(club, lambda: [("club.example", 2222)])
    id = key or f"SHA256:{name}"
    end = cast(ChannelEnd, terminal)
    return asyncio.ensure_future(door.serve(end, id, name, "192.0.2.7", id.startswith("guest:")))


async def press(terminal: Terminal, *keys: str) -> None:
    for key in keys:
        await asyncio.sleep(0.5)
        terminal.type(key)


@pytest.mark.parametrize("number", range(2))
def test_no_line_on_a_terminal_tells_a_hidden_tile(tmp_path: Path, number: int) -> None:
    """In the first round: after it the hands that were left are told."""

    async def match() -> None:
        rng = random.Random(number)
        club = await opened(tmp_path)
        [boris] = await seated(club, ["Boris"], levels=[None, None], ruleset="kozel")
        terminal = Terminal()
        visit = enter(club, terminal, "Anna")
        await terminal.hear("Lobby.")
        await press(terminal, "\x1b[B", "\r")
        await terminal.hear("Code of the table")
        await press(terminal, boris.table["code"], "\r")
        await terminal.hear("Waiting for the host")
        [room] = club.rooms
        told: set[int] = set()

        def check(text: str) -> None:
            table = room.table
            if table is None or table.match.past or table.match.round is None:
                return
            state = table.match.round
            hidden = {tile for tile in TILES if state.hands[0] >> tile & 1} | set(state.bazaar)
            for name in _ANY.findall(text):
                tile = next(tile for tile, each in _NAMES.items() if each == name)
                assert tile not in hidden, (NAMES[tile], text)
                told.add(tile)

        failures: list[BaseException] = []

        def watch(text: str) -> None:
            try:
                check(text)
            except AssertionError as error:
                failures.append(error)

        terminal.watch = watch
        await boris.ask("start")
        await boris.until(lambda: boris.view.get("turn") is not None)
        playing = asyncio.ensure_future(boris.play(rng))
        for _ in range(60):
            if room.table is None or room.table.match.past:
                break
            terminal.type(rng.choice(["\t", "\t", " ", " ", *"dimycsbazwlht", "\x1b[C"]))
            await asyncio.sleep(0.25)
        assert not failures, failures[0]
        assert len(told) > 5
        playing.cancel()
        terminal.hang_up()
        await asyncio.wait_for(visit, 10)
        assert boris.notices("lost") == [{"name": "Anna"}]
        await club.close()

    run(match(), 120)


def test_ten_thousand_keys_a_second_are_read_as_fast_as_a_person_types(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        terminal = Terminal()
        visiting = enter(club, terminal, "Mallory")
        await terminal.hear("Lobby.")
        other = at_the_door(club, "SHA256:Anna")
        await other.hello("Anna")
        terminal.type("\x1b[B" * 20_000)
        slowest = 0.0
        for _ in range(20):
            begun = time.monotonic()
            await other.ask("lobby")
            slowest = max(slowest, time.monotonic() - begun)
            await asyncio.sleep(0.05)
        assert slowest < 1.0
        assert len(terminal.writes) < BYTES_AT_ONCE
        visiting.cancel()
        await club.close()

    run(visit(), 60)


def test_random_bytes_are_no_harm(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        terminal = Terminal("dumb")
        visiting = enter(club, terminal, "Mallory", "guest:1")
        await terminal.hear("Lobby.")
        rng = random.Random(1)
        for _ in range(10):
            terminal._typed.put_nowait(rng.randbytes(200).replace(b"\x03", b"").replace(b"\x1c", b""))
            await asyncio.sleep(0.05)
        assert not visiting.done() or visiting.exception() is None
        terminal.hang_up()
        await asyncio.wait_for(visiting, 20)
        assert not list(club.visitors)
        await club.close()

    run(visit(), 60)


def test_a_line_is_one_write_and_is_only_added(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        terminal = Terminal()
        writes: list[bytes] = []
        terminal.write = writes.append  # type: ignore[method-assign,assignment]
        visiting = enter(club, terminal, "Anna")
        await asyncio.sleep(2)
        before = len(writes)
        terminal.type("\x1b[B")
        await asyncio.sleep(1)
        [line] = writes[before:]
        assert line.startswith(b"\r\n")
        assert b"\x1b" not in line
        assert line.endswith(b"of 10.")
        terminal.hang_up()
        await asyncio.wait_for(visiting, 10)
        await club.close()

    run(visit(), 60)


def test_after_a_match_whose_seats_are_not_all_taken_the_tables_menu_comes_back(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        terminal = Terminal()
        visiting = enter(club, terminal, "Anna")
        await terminal.hear("Lobby.")
        boris = at_the_door(club, "SHA256:Boris")
        boris.name = "Boris"
        await boris.hello("Boris")
        opened_table = await boris.ask("open", ruleset="kozel", levels=[None, None], options={"target": 1}, move_time=1)
        await press(terminal, "\x1b[B", "\r")
        await terminal.hear("Code of the table")
        await press(terminal, opened_table["code"], "\r")
        await terminal.hear("Waiting for the host")
        await boris.ask("start")
        await boris.play(random.Random(1))
        await boris.ask("leave")
        await terminal.hear("Boris leaves the table")
        terminal.writes.clear()
        await press(terminal, "\r")
        await terminal.hear("One seat is free")
        await terminal.hear("Begin the match: one seat free")
        terminal.hang_up()
        await asyncio.wait_for(visiting, 10)
        await club.close()

    run(visit(), 90)


def test_a_watcher_hears_the_public_part_and_leaves(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        anna, boris = await seated(club, ["Anna", "Boris"], options={"target": 20})
        await anna.ask("start")
        await anna.until(lambda: anna.view.get("turn") is not None)
        await boris.until(lambda: boris.view.get("turn") is not None)
        terminal = Terminal()
        visiting = enter(club, terminal, "Vera")
        await terminal.hear("Lobby.")
        await press(terminal, "\x1b[B", "\x1b[B")
        await terminal.hear("Anna and Boris; a match is on")
        await press(terminal, "\r")
        await terminal.hear("Watch; 1 of 2")
        await press(terminal, "\r")
        await terminal.hear("You watch")
        rng = random.Random(1)
        start = anna.serial
        await asyncio.gather(*(c.play(rng, lambda: anna.serial >= start + 8) for c in (anna, boris)))
        await terminal.hear("Anna: ")
        await terminal.hear("Boris: ")
        await press(terminal, "a", "c", " ")
        await asyncio.gather(anna.play(rng), boris.play(rng))
        await terminal.hear("Enter: new match")
        await press(terminal, "\x1b", "\r")
        await terminal.hear("Lobby. Open a table", 20)
        terminal.hang_up()
        await asyncio.wait_for(visiting, 10)
        await club.close()

    run(visit(), 90)


def test_who_plays_for_somebody_is_heard_by_a_name_of_its_own(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path, away=0.2)
        anna, boris = await seated(club, ["Anna", "Boris"], options={"target": 100})
        await anna.ask("start")
        await anna.until(lambda: anna.view.get("turn") is not None)
        terminal = Terminal()
        visiting = enter(club, terminal, "Vera")
        await terminal.hear("Lobby.")
        await press(terminal, "\x1b[B", "\x1b[B")
        await terminal.hear("Anna and Boris; a match is on")
        await press(terminal, "\r", "\r")
        await terminal.hear("You watch")
        assert boris.door is not None
        boris.door.lost()
        await anna.until(lambda: bool(anna.notices("may_stand_in")))
        await anna.ask("vote", seat=1)
        await anna.until(lambda: bool(anna.notices("computer_in")))
        rng = random.Random(1)
        await anna.play(rng, lambda: "computer for Boris" in terminal.text)
        await terminal.hear("computer for Boris")
        before = len(terminal.writes)
        again = at_the_door(club, "SHA256:Boris")
        await again.hello("Boris")
        await again.ask("sit", table=anna.table["id"])
        await asyncio.gather(anna.play(rng), again.play(rng))
        heard = "".join(terminal.writes[before:])
        assert "Boris: " in heard[heard.index("Boris is back") :]
        assert "computer for Boris" not in heard[heard.index("the computer goes") :]
        terminal.hang_up()
        await asyncio.wait_for(visiting, 10)
        await club.close()

    run(visit(), 90)


def test_whoever_comes_back_hears_how_it_stands_once(tmp_path: Path) -> None:
    async def visit() -> None:
        club = await opened(tmp_path)
        first = Terminal()
        visiting = enter(club, first, "Vera")
        await first.hear("Lobby.")
        [anna] = await seated(club, ["Anna"], levels=[None, None])
        await press(first, "\x1b[B", "\x1b[B", "\r")
        await first.hear("One table. Look again; 4 of")
        await press(first, "\x1b[A", "\r", "\r")
        await first.hear("At the table.")
        await anna.ask("start")
        await first.hear("Round 1")
        first.hang_up()
        await asyncio.wait_for(visiting, 10)
        again = Terminal()
        visiting = enter(club, again, "Vera")
        await again.hear("Round 1.")
        await press(again, "i", "i")
        await asyncio.sleep(0.3)
        assert again.text.count("Round 1.") == 1, again.text
        again.hang_up()
        await asyncio.wait_for(visiting, 10)
        await club.close()

    run(visit(), 90)
