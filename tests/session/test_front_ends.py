"""The same session behind other front ends: whole matches by commands alone, and many sessions side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from random import Random

import pytest

from kozel.bots.thinkers import Thinkers
from kozel.engine.moves import DRAW, Move
from kozel.engine.round import Refused
from kozel.play.host import LocalHost, Trouble
from kozel.play.seat import Seat, Update
from kozel.play.store import Folder, read_kept
from kozel.play.table import Table
from kozel.rules.reading import find
from kozel.rules.seating import Seating
from kozel.session.commands import Command
from kozel.session.game import GameSession
from kozel.session.keys import Place
from session.front import Commands, Ears, Over, simple_player

DAY = date(2026, 11, 30)
GAMES = [
    ("domino", 2, 1),
    ("domino", 3, 3),
    ("kozel", 4, 2),
    ("kozel-yard", 2, 2),
    ("kozel-101", 3, 1),
    ("osel", 2, 2),
    ("kozel-1x1", 2, 1),
    ("kozel-2x2", 4, 1),
    ("kozel-deferred", 3, 2),
]


def seating(name: str, seats: int, persons: int, seed: str = "session", target: int | None = 20) -> Seating:
    ruleset = find(name)
    options = {"target": target} if target and "target" in ruleset.options else {}
    levels = (None,) * persons + ("novice",) * (seats - persons)
    players = ("Anna", "Boris", "Vera", "Gleb")[:seats]
    return Seating(ruleset, players, levels, ruleset.seating(seats, None), ruleset.choices(options), seed)


def local(folder: Path, thinkers: Thinkers, seats: Seating) -> LocalHost:
    home = Folder(folder)
    return LocalHost(Table.start(seats, home, DAY), thinkers, folder=home, day=DAY)


async def play_alone(host: LocalHost, thinkers: Thinkers, ears: Ears, lang: str) -> Commands:
    keys = Commands(simple_player(Random(1), lambda: host.table.match.end is not None))
    session = GameSession(host, ears, keys, lang, "normal", thinkers=thinkers)
    with pytest.raises(Over):
        await asyncio.wait_for(session.run(resumed=False), 60)
    host.rise()
    return keys


@pytest.mark.parametrize(("name", "seats", "persons"), GAMES)
def test_a_whole_match_by_commands_alone(name: str, seats: int, persons: int, tmp_path: Path) -> None:
    async def play() -> None:
        thinkers = Thinkers()
        host = local(tmp_path, thinkers, seating(name, seats, persons))
        ears = Ears("en")
        keys = await play_alone(host, thinkers, ears, "en")
        await host.close()
        thinkers.close()
        kept = read_kept(host.table.path)
        assert kept.match.end is not None
        assert kept.match.end == host.table.match.end
        assert any(message.kind == "final" for message in ears.messages)
        assert Place.TURN in keys.places
        if persons > 1:
            assert Place.HANDOVER in keys.places
            assert all(message.to in (None, *range(persons)) for message in ears.messages)

    asyncio.run(play())


class Guest:
    """Some seats of a table that somebody else keeps."""

    can_take_back = False

    def __init__(self, keeper: LocalHost, number: int) -> None:
        self._keeper, self._number = keeper, number
        self.seating = keeper.seating

    @property
    def seats(self) -> Mapping[int, Seat]:
        return {self._number: self._keeper.table.seats[self._number]}

    def watch(self) -> Seat:
        return self._keeper.table.watch()

    def open(self, trouble: Trouble) -> None:
        return

    async def quiet(self) -> None:
        await self._keeper.quiet()

    def hold(self, held: bool) -> None:
        return

    async def retry(self) -> None:
        await self._keeper.retry()

    async def again(self) -> Guest:
        raise NotImplementedError("a guest opens no match")


def test_two_languages_at_one_table(tmp_path: Path) -> None:
    """Two sessions in one process, each with its own language, verbosity and ears; neither hears the other's hand."""

    async def play() -> None:
        thinkers = Thinkers()
        keeper = local(tmp_path, thinkers, seating("kozel", 3, 2))
        keeper.open(lambda error: None)
        ears = {0: Ears("en"), 1: Ears("ru")}

        def over() -> bool:
            return keeper.table.match.end is not None

        sessions = []
        for number, lang in ((0, "en"), (1, "ru")):
            keys = Commands(simple_player(Random(number), over))
            host = Guest(keeper, number)
            sessions.append(
                GameSession(host, ears[number], keys, lang, "full" if number else "brief", thinkers=thinkers)
            )
        runs = [asyncio.ensure_future(session.run(resumed=False)) for session in sessions]
        done = await asyncio.wait_for(asyncio.gather(*runs, return_exceptions=True), 60)
        assert all(isinstance(each, Over) for each in done)
        await keeper.close()
        thinkers.close()
        for number, own in ears.items():
            assert own.messages
            assert all(message.to in (None, number) for message in own.messages)
        assert not any("а" <= letter <= "я" for text in ears[0].texts for letter in text.lower())
        russian = [text for text in ears[1].texts if any("а" <= letter <= "я" for letter in text.lower())]
        assert len(russian) > 0.9 * len(ears[1].texts)

    asyncio.run(play())


def test_a_hundred_tables_side_by_side(tmp_path: Path) -> None:
    """Each goes on while others think: no table waits for all others to end."""

    async def play() -> None:
        thinkers = Thinkers()
        hosts = [local(tmp_path / str(n), thinkers, seating("domino", 2, 1, seed=str(n))) for n in range(100)]
        ears = [Ears("ru" if n % 2 else "en") for n in range(100)]
        runs = [play_alone(host, thinkers, own, own.lang) for host, own in zip(hosts, ears, strict=True)]
        await asyncio.gather(*runs)
        for host in hosts:
            assert host.table.match.end is not None
            await host.close()
        thinkers.close()

    asyncio.run(play())


class Slow:
    """A record on a disk that takes its time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.lines: list[str] = []

    async def deal(self, dealt: object) -> None:
        self.lines.append("deal")

    async def decide(self, move: str) -> None:
        await asyncio.sleep(self._seconds)
        self.lines.append(move)

    async def secure(self) -> None:
        return

    def close(self) -> None:
        return


def slow_table(seconds: float, persons: int = 2) -> tuple[Table, Slow]:
    from kozel.engine.match import new_match

    seats = seating("domino", 2, persons)
    record = Slow(seconds)
    return Table(seats, new_match(seats.game()), record, "slow", 0), record


def test_a_decision_is_told_only_when_it_is_written_and_the_loop_goes_on_meanwhile() -> None:
    async def play() -> None:
        table, record = slow_table(0.2)
        await table.deal()
        heard: list[Update] = []
        table.seats[1].listen(heard.append)
        turn = table.match.round.turn if table.match.round else -1
        deciding = asyncio.ensure_future(table.seats[turn].decide(table.seats[turn].view.legal[0]))
        ticks = 0
        while not deciding.done():
            assert not heard or len(record.lines) == 2
            await asyncio.sleep(0.01)
            ticks += 1
        assert ticks > 5
        assert [len(heard), record.lines[0], len(record.lines)] == [1, "deal", 2]

    asyncio.run(play())


def test_one_decision_at_a_time_whoever_asks_and_however_late() -> None:
    async def play() -> None:
        table, record = slow_table(0.05)
        await table.deal()
        assert table.match.round is not None
        turn = table.match.round.turn
        seat, other = table.seats[turn], table.seats[1 - turn]
        move, serial = seat.view.legal[0], seat.serial
        results = await asyncio.gather(
            seat.decide(move, serial), seat.decide(move, serial), other.decide(DRAW), return_exceptions=True
        )
        assert results[0] is None
        assert [error.kind for error in results[1:] if isinstance(error, Refused)][:1] == ["stale"]
        assert isinstance(results[2], Refused)
        assert len(record.lines) == 2

    asyncio.run(play())


def test_what_was_begun_is_finished_though_whoever_asked_is_gone() -> None:
    async def play() -> None:
        table, record = slow_table(0.1)
        await table.deal()
        assert table.match.round is not None
        seat = table.seats[table.match.round.turn]
        asking = asyncio.ensure_future(seat.decide(seat.view.legal[0]))
        await asyncio.sleep(0.02)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await asyncio.sleep(0.3)
        assert (len(record.lines), seat.serial, seat.view.decisions) == (2, 2, 1)

    asyncio.run(play())


class Full(Slow):
    """A record on a disk without room, until there is some."""

    room = False

    async def decide(self, move: str) -> None:
        if not self.room:
            raise OSError(28, "No space left on device", "slow.yaml")
        await super().decide(move)


def test_what_cannot_be_written_changes_nothing_and_can_be_decided_again() -> None:
    async def play() -> None:
        table, _ = slow_table(0)
        record = Full(0)
        table._journal = record
        await table.deal()
        assert table.match.round is not None
        seat = table.seats[table.match.round.turn]
        heard: list[Update] = []
        seat.listen(heard.append)
        before = seat.view
        with pytest.raises(OSError, match="No space"):
            await seat.decide(before.legal[0])
        assert (seat.view, heard) == (before, [])
        record.room = True
        await seat.decide(before.legal[0])
        assert len(heard) == 1

    asyncio.run(play())


def test_watchers_hear_what_is_public_and_decide_nothing() -> None:
    async def play() -> None:
        table, _ = slow_table(0)
        watcher = table.watch()
        heard: list[Update] = []
        stop = watcher.listen(heard.append)
        await table.deal()
        assert (watcher.number, watcher.view.hand, len(heard)) == (None, (), 1)
        with pytest.raises(Refused, match="only_watches"):
            await watcher.decide(DRAW)
        with pytest.raises(Refused, match="only_watches"):
            await watcher.ready()
        stop()
        assert table.match.round is not None
        seat = table.seats[table.match.round.turn]
        await seat.decide(seat.view.legal[0])
        assert len(heard) == 1

    asyncio.run(play())


def test_a_listener_hung_on_events_hears_three_of_them(tmp_path: Path) -> None:
    """What a sound would do: it listens to a seat and to nothing else."""
    from kozel.engine.events import Fish, Laid, WentOut

    async def play() -> None:
        thinkers = Thinkers()
        host = local(tmp_path, thinkers, seating("kozel", 2, 1))
        clicks: list[str] = []
        host.seats[0].listen(
            lambda update: clicks.extend(
                type(event).__name__ for event in update.events if isinstance(event, (Laid, WentOut, Fish))
            )
        )
        await play_alone(host, thinkers, Ears("en"), "en")
        await host.close()
        thinkers.close()
        assert clicks.count("Laid") > 5
        assert {"WentOut", "Fish"} & set(clicks)

    asyncio.run(play())


def test_space_in_a_question_for_an_end_lays_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        thinkers = Thinkers()
        host = local(tmp_path, thinkers, seating("domino", 2, 2, target=None))
        asked = [0]
        moves: list[Move] = []
        simple = simple_player(Random(2), lambda: asked[0] > 6)

        def choose(place: Place) -> Command | None:
            if place is Place.END and asked[0] % 2 == 0:
                asked[0] += 1
                moves.append(DRAW)
                return Command.ACT
            if place is Place.END:
                asked[0] += 1
            return simple(place)

        ears = Ears("en")
        keys = Commands(choose)
        session = GameSession(host, ears, keys, "en", "normal", thinkers=thinkers)
        with pytest.raises(Over):
            await asyncio.wait_for(session.run(resumed=False), 60)
        assert any(text.startswith("Press an arrow") for text in ears.texts)
        await host.close()
        thinkers.close()

    asyncio.run(play())
