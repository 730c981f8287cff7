"""Whole matches of every ruleset, told: nothing hidden is named, one short line a turn, every event has its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from statistics import median

import pytest

from kozel.engine.events import Drew, Laid, Passed, RoundScored, Threw
from kozel.engine.tiles import HALVES, TILES
from kozel.engine.turns import Turn, turns_of
from kozel.locales.catalogue import tile_words, words
from kozel.narration.narrator import VERBOSITIES, Narrator, Verbosity
from voice.played import TABLES, Step, game_of, played, table_of

LANGS = ("en", "ru")
OTHERS = 0
"""The listener in these matches sits in seat 0."""


@cache
def match_of(ruleset: str, seats: int, pairs: bool) -> tuple[Step, ...]:
    return tuple(played(game_of(ruleset, seats, pairs), f"told {ruleset} {seats}", rounds=12))


def tiles_named(lang: str, text: str) -> set[int]:
    """The tiles that a text names."""
    return {tile for tile in TILES if re.search(rf"\b({'|'.join(named(lang, tile))})\b", text, re.IGNORECASE)}


def named(lang: str, tile: int) -> set[str]:
    """How a tile may be called: as in a hand, or from the chain outwards."""
    w = words(lang)
    low, high = HALVES[tile]
    both = {f"{w.PIPS[low]} {w.PIPS[high]}", f"{w.PIPS[high]} {w.PIPS[low]}"}
    return {tile_words(w, tile)} if low == high else both


def public_tiles(steps: tuple[Step, ...]) -> Iterator[tuple[Step, set[int]]]:
    """Each step with the tiles that everybody knows after it in that round: laid, thrown, or taken and drawn openly."""
    known: set[int] = set()
    for step in steps:
        for event in step.events:
            kind = type(event).__name__
            if kind == "RoundBegan":
                known = {event.taken[1]} if event.taken else set()  # type: ignore[union-attr]
            elif kind == "DrewToOpen":
                known.add(event.draws[-1][1])  # type: ignore[union-attr, arg-type]
            elif isinstance(event, Laid):
                known |= {lay.tile for lay in event.move.lays}
            elif isinstance(event, Threw):
                known |= {tile for _, tile in event.thrown}
        yield step, set(known)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("verbosity", VERBOSITIES)
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_no_public_line_names_a_hidden_tile(table: tuple[str, int, bool], lang: str, verbosity: Verbosity) -> None:
    steps = match_of(*table)
    teller = Narrator(lang, verbosity, table_of(game_of(*table), lang))
    for step, known in public_tiles(steps):
        going_on = [event for event in step.events if not isinstance(event, RoundScored)]
        for line in teller.tell(going_on, None, step.before):
            assert tiles_named(lang, line) <= known, line


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_line_is_a_sentence_of_words(table: tuple[str, int, bool], lang: str) -> None:
    steps = match_of(*table)
    for verbosity in VERBOSITIES:
        teller = Narrator(lang, verbosity, table_of(game_of(*table), lang))
        for you in (None, OTHERS):
            for step in steps:
                lines = teller.tell(step.events, you, step.before)
                for event in step.events:
                    if isinstance(event, RoundScored):
                        lines += teller.explain(event.summary, you)
                for line in lines:
                    assert line[-1] in ".?", line
                    assert line[0].isupper(), line
                    assert not re.search(r"\d-\d|None|\(|\{|  |\.\.", line), line
                    assert len(line) >= 3


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_round_ends_in_two_lines_at_normal(table: tuple[str, int, bool]) -> None:
    teller = Narrator("en", "normal", table_of(game_of(*table), "en"))
    ends = [event for step in match_of(*table) for event in step.events if isinstance(event, RoundScored)]
    assert ends
    for event in ends:
        lines = teller.round_end(event.summary, None)
        assert len(lines) == 2 or not teller.table.points
        if teller.table.points:
            assert lines[1].count("Totals: ") == 1


def all_turns() -> list[Turn]:
    turns: list[Turn] = []
    for table in TABLES:
        events: list[object] = []
        for step in match_of(*table):
            if any(type(event).__name__ == "RoundBegan" for event in step.events):
                turns += turns_of(events)  # type: ignore[arg-type]
                events = []
            events += step.events
        turns += turns_of(events)  # type: ignore[arg-type]
    return turns


@pytest.mark.parametrize("lang", LANGS)
def test_a_turn_takes_six_words_or_fewer_at_normal(lang: str) -> None:
    turns = all_turns()
    assert len(turns) > 2000
    counted: dict[str, list[int]] = {}
    for verbosity in VERBOSITIES:
        teller = Narrator(lang, verbosity, table_of(game_of("kozel", 4, False), lang))
        counted[verbosity] = [len(teller.turn(turn.events, None, turn.before).split()) for turn in turns]
    means = {verbosity: round(sum(counts) / len(counts), 2) for verbosity, counts in counted.items()}
    print(
        f"{lang}: words a turn, median { ({v: median(c) for v, c in counted.items()}) }, mean {means}, {len(turns)} turns"
    )
    assert median(counted["normal"]) <= 6
    assert means["brief"] <= means["normal"] < means["full"]


@pytest.mark.parametrize("lang", LANGS)
def test_a_turn_fits_forty_cells(lang: str) -> None:
    """With names of four letters, all but the rare turns that have several things to tell; who and what come first always."""
    table = table_of(game_of("kozel", 4, False), lang)
    names = ("Anna", "Ivan", "Vera", "Gena") if lang == "en" else ("Анна", "Иван", "Вера", "Гена")
    teller = Narrator(lang, "normal", table._replace(names=names))
    turns = [turn for turn in all_turns() if not any(isinstance(event, Threw) for event in turn.events)]
    long = []
    for turn in turns:
        said = teller.turn(turn.events, None, turn.before).removesuffix(".")
        laid = next((event.move.lays for event in turn.events if isinstance(event, Laid)), ())
        assert not laid or named(lang, laid[0].tile) & set(re.findall(r"\w+ \w+", said[:28])), said
        if len(said) > 40:
            long.append(said)
            several = len(laid) > 1 or laid[0].closed or ";" in said or said.count(",") > 1
            assert several, said
    print(f"{lang}: {len(long)} of {len(turns)} turns are longer than 40 cells")


@pytest.mark.parametrize("lang", LANGS)
def test_every_turn_in_braille_fits_forty_cells(lang: str) -> None:
    teller = Narrator(lang, "normal", table_of(game_of("kozel", 4, False), lang))
    for turn in all_turns():
        cells = teller.braille_turn(turn.events, None)
        assert 3 <= len(cells) <= 40, cells


@pytest.mark.parametrize("verbosity", VERBOSITIES)
def test_every_level_tells_who_what_where_draws_and_passes(verbosity: Verbosity) -> None:
    teller = Narrator("en", verbosity, table_of(game_of("kozel", 4, False), "en"))
    for turn in all_turns():
        said = teller.turn(turn.events, None, turn.before)
        assert teller.table.names[turn.seat] in said
        for event in turn.events:
            if isinstance(event, Laid):
                for lay in event.move.lays:
                    assert any(name in said for name in named("en", lay.tile))
                    assert lay.end < 0 or words("en").ENDS[lay.end] in said
                assert event.left != 1 or "last tile" in said
            elif isinstance(event, Passed):
                assert "passes" in said
            elif isinstance(event, Drew):
                assert re.search("draws|drew", said)
