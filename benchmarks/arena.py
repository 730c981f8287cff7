"""Strength of the computer players: two levels against each other on seeded deals, as a table.

Rounds: each deal is played twice, the seats exchanged: a match's first round, or with --later one that seat 0 opens as
it likes, before anything is scored. Matches: each seed twice, likewise.
A won round or match counts 1, one that nobody or everybody won 0.5; the interval is 95 %, over pairs. Example:

    python benchmarks/arena.py --ruleset domino strong:random strong:amateur --deals 500
    python benchmarks/arena.py --ruleset domino --option target=101 master:heaviest --matches 100
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections.abc import Sequence
from functools import lru_cache
from multiprocessing import Pool
from os import cpu_count
from random import Random
from time import process_time
from typing import NamedTuple

from kozel.bots.levels import LEVELS, Chooser, stream
from kozel.bots.view import View, observe
from kozel.engine import seen
from kozel.engine.match import Game, Match, deal, decide, new_match, shuffled
from kozel.engine.moves import KEEP, Move
from kozel.engine.tiles import pips_in
from kozel.rules.reading import find


def randomly(view: View, random: Random) -> Move:
    """Any legal decision."""
    return random.choice(view.legal)


def heaviest(view: View, random: Random) -> Move:
    """The most pips, any of the moves that have them; a hand is kept."""
    if KEEP in view.legal:
        return KEEP
    return max(view.legal, key=lambda move: (pips_in(move.tiles), random.random()))


PLAYERS: dict[str, Chooser] = {"random": randomly, "heaviest": heaviest, **LEVELS}


class Setting(NamedTuple):
    """What is played: a ruleset at a table, whole matches or rounds, first or later ones."""

    ruleset: str
    seats: int
    pairs: bool | None
    options: tuple[tuple[str, str], ...]
    whole: bool
    later: bool

    def game(self) -> Game:
        """The game, made ready."""
        ruleset = find(self.ruleset)
        values: dict[str, object] = {}
        for name, text in self.options:
            values[name] = {"yes": True, "no": False}.get(text, int(text) if text.isdigit() else text)
        return ruleset.game(self.seats, self.pairs, values)


_game = lru_cache(Setting.game)
"""One game a process and setting: the levels learn a game's outlook once."""


class Pairing(NamedTuple):
    """One seed, played with the first player in the even seats and then in the odd ones."""

    setting: Setting
    first: str
    second: str
    seed: str


class Tally(NamedTuple):
    """What the first player came to in a pairing: the share won, and the processor seconds of each decision with a choice."""

    share: float
    seconds: tuple[float, ...]


def play(pairing: Pairing) -> Tally:
    """Play a pairing."""
    game = _game(pairing.setting)
    shares: list[float] = []
    seconds: list[float] = []
    for parity in (0, 1):
        names = [pairing.first if seat % 2 == parity else pairing.second for seat in range(game.seats)]
        match = _played(game, pairing, names, seconds)
        winners = match.end.winners if pairing.setting.whole and match.end else match.past[-1].winner
        mine = {game.sides[seat] for seat in range(game.seats) if seat % 2 == parity}
        shares.append(len(mine & set(winners)) / len(winners) if winners else 0.5)
    return Tally(statistics.mean(shares), tuple(seconds))


def _played(game: Game, pairing: Pairing, names: Sequence[str], seconds: list[float]) -> Match:
    match, decision = new_match(game), 0
    if pairing.setting.later:
        match = match._replace(ledger=match.ledger._replace(fresh=False, opener=0))
    while not match.end:
        if match.round is None:
            if match.ledger.rounds and not pairing.setting.whole:
                break
            match, _ = deal(match, shuffled(match, pairing.seed))
            continue
        seat = match.round.turn
        view = observe(match.game, seen.view(match, seat))
        decision += 1
        random = stream(pairing.seed, seat, decision)
        started = process_time()
        move = PLAYERS[names[seat]](view, random)
        if names[seat] == pairing.first and len(view.legal) > 1:
            seconds.append(process_time() - started)
        match, _ = decide(match, move)
    return match


def row(setting: Setting, first: str, second: str, tallies: Sequence[Tally]) -> str:
    """A line of the table."""
    shares = [tally.share for tally in tallies]
    error = 1.96 * statistics.stdev(shares) / math.sqrt(len(shares)) if len(shares) > 1 else math.nan
    times = [second for tally in tallies for second in tally.seconds]
    what = "matches" if setting.whole else "later" if setting.later else "rounds"
    cost = f"{1e3 * statistics.mean(times):7.2f} {1e3 * sorted(times)[int(0.99 * len(times))]:7.1f} {1e3 * max(times):7.1f}"
    result = f"{100 * statistics.mean(shares):5.1f} ± {100 * error:3.1f}"
    table = f"{setting.ruleset}/{setting.seats}{' pairs' if setting.pairs else ''}"
    return f"{table:18} {first:9} {second:9} {2 * len(shares):5} {what:7} {result:>12}  {cost}"


HEADING = f"{'table':18} {'player':9} {'against':9} {'number':>5} {'':7} {'won, %':>12}  {'ms mean':>7} {'99 %':>7} {'most':>7}"


def main() -> None:
    """Read the command line, play, and print the table row by row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("duels", nargs="+", metavar="PLAYER:AGAINST", help=f"players: {', '.join(PLAYERS)}")
    parser.add_argument("--ruleset", default="domino")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--pairs", action="store_true")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    number = parser.add_mutually_exclusive_group()
    number.add_argument("--deals", type=int, default=500, help="deals, each played twice")
    number.add_argument("--matches", type=int, help="whole matches: seeds, each played twice")
    parser.add_argument("--later", action="store_true", help="rounds that seat 0 opens as it likes")
    parser.add_argument("--seed", default="arena")
    parser.add_argument("--processes", type=int, default=cpu_count() or 1)
    given = parser.parse_args()
    options = tuple((name, value) for name, _, value in (each.partition("=") for each in given.option))
    setting = Setting(given.ruleset, given.seats, given.pairs or None, options, given.matches is not None, given.later)
    setting.game()
    print(f"seed {given.seed}\n{HEADING}", flush=True)
    with Pool(given.processes) as pool:
        for duel in given.duels:
            first, _, second = duel.partition(":")
            for name in (first, second):
                if name not in PLAYERS:
                    parser.error(f"there is no player '{name}'; choose from {', '.join(PLAYERS)}")
            pairings = [
                Pairing(setting, first, second, f"{given.seed} {n}") for n in range(given.matches or given.deals)
            ]
            tallies = pool.map(play, pairings, chunksize=max(1, len(pairings) // (8 * given.processes)))
            print(row(setting, first, second, tallies), flush=True)


if __name__ == "__main__":
    main()
