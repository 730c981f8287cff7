"""A ruleset tried out: the heaviest rounds there can be, and rounds played at random, to see whether a match ever ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from random import Random
from typing import NamedTuple

from kozel.engine.ledger import Ledger, MatchEnd
from kozel.engine.match import deal, new_match, shuffled
from kozel.engine.moves import KEEP, Move
from kozel.engine.round import Deal, Outcome, Round, Start, apply
from kozel.engine.settlement import Draft, Facts, facts_of, settle
from kozel.engine.tiles import DOUBLE, FULL_SET, TILES, Seat, Tile, TileSet, mask_of
from kozel.locales import Phrase
from kozel.rules.registry import Role, roles_of
from kozel.rules.ruleset import Entry, Ruleset, Value
from kozel.yamltree import quoting

ROUNDS_PLAYED = 1000
"""How many rounds are played out at a table where no match has ended before."""
ROUNDS_AT_FIRST = 100
"""After how many of them the match goes on with rounds taken from those, again and again."""
ROUNDS_SETTLED = 10_000
"""How many rounds a match may last so: more than anybody plays."""
MOST_TABLES = 60
"""How many tables are tried out: all seatings as the options are by default, then one option after the other changed."""
MOST_SETTLED = 60_000
_NO_DEAL = Deal((), (), False, None, None, None)
_SEED = "trial"


class Failing(NamedTuple):
    """What keeps a match at some table from its end, and the rule that is to blame."""

    entry: Entry
    phrase: Phrase


def try_out(ruleset: Ruleset) -> Iterator[tuple[Mapping[str, Value], list[Failing]]]:
    """Each table that was tried, with what fails there; none after the first seatings where one of these fails."""
    settled, failed = 0, False
    seatings = list(ruleset.seatings())
    for number, (seating, options) in enumerate(_tables(ruleset, seatings)):
        if number >= MOST_TABLES or settled > MOST_SETTLED or (failed and number >= len(seatings)):
            return
        table = _Table(ruleset, int(seating["seats"]), bool(seating["pairs"]), options)
        failing = list(table.failing())
        settled += table.settled
        failed = failed or bool(failing)
        yield {**seating, **options}, failing


def _tables(
    ruleset: Ruleset, seatings: Iterable[Mapping[str, Value]]
) -> Iterator[tuple[Mapping[str, Value], dict[str, Value]]]:
    """Every seating with the options as they are by default, then with one of them changed."""
    for seating in seatings:
        yield seating, {}
    for name, option in ruleset.options.items():
        for value in option.values or ((True, False) if isinstance(option.default, bool) else ()):
            if value != option.default:
                for seating in seatings:
                    yield seating, {name: value}


class _Table:
    """One table. `settled`: how many rounds were settled at it."""

    def __init__(self, ruleset: Ruleset, seats: int, pairs: bool, options: Mapping[str, Value]) -> None:
        binder = ruleset.binder(seats, pairs, options)
        self._game = ruleset.game(seats, pairs, options)
        self._steps = [(entry, binder.bound(entry)) for entry in binder.holding("settlement")]
        self._counting = binder.holding("counting")[0]
        ledger = new_match(self._game).ledger
        self._before = ledger._replace(eggs=self._most_eggs(len(ledger.totals))) if self._step("eggs") else ledger
        self.settled = 0

    def failing(self) -> Iterator[Failing]:
        """What fails at this table."""
        heaviest = list(self._heaviest())
        failing = self._nothing_given(heaviest) or self._never_written(heaviest) or self._never_sat(heaviest)
        failing = failing or self._never_ended()
        if failing:
            yield failing

    def _step(self, role: Role) -> Entry | None:
        return next((entry for entry, _ in self._steps if role in roles_of(entry.name)), None)

    # the heaviest rounds

    def _most_eggs(self, sides: int) -> int:
        """The points that one equal fish can leave on the line."""
        return self._game.count(FULL_SET) // sides

    def _heaviest(self) -> Iterator[Facts]:
        """Rounds in which a side is left with as much as can be, and those in which it is left with one tile."""
        count, game = self._game.count, self._game
        weight = {tile: count(1 << tile | rest) - count(rest) for tile, rest in ((t, _two_others(t)) for t in TILES)}
        by_weight = sorted(TILES, key=lambda tile: -weight[tile])
        yield from self._facts(self._hands(by_weight[: len(TILES) - game.hand], None), out=True)
        yield from self._facts(self._hands(by_weight[:-1], by_weight[-1]), out=False)
        for tile in TILES:
            rest = [each for each in by_weight if each != tile]
            hands = self._hands(rest, None)
            yield from self._facts((0, 1 << tile, *hands[2:]), out=True, last=False)

    def _hands(self, heaviest: list[Tile], kept: Tile | None) -> tuple[TileSet, ...]:
        """Seat 0 wins; seat 1 and its partner hold the heaviest tiles, seat 1 all of the bazaar as well."""
        game = self._game
        bazaar = 0 if game.round.draws == 0 else len(TILES) - game.seats * game.hand
        hands = [0] * game.seats
        hands[0] = 0 if kept is None else 1 << kept
        losers = sorted(range(1, game.seats), key=lambda seat: (game.sides[seat] != game.sides[1], seat))
        start = 0
        for seat in losers:
            end = start + game.hand + (bazaar if seat == 1 else 0)
            hands[seat] = mask_of(heaviest[start:end])
            start = end
        return tuple(hands)

    def _facts(self, hands: tuple[TileSet, ...], *, out: bool, last: bool = True) -> Iterator[Facts]:
        """The facts of such a round: with each opening tile, then with each last move."""
        yield from (self._fact(hands, out, 0, tile, 0) for tile in (TILES if last else TILES[:1]))
        if out and last:
            doubles = [1 << one | 1 << two for one, two in combinations(DOUBLE, 2)]
            yield from (self._fact(hands, out, 0, DOUBLE[0], tiles) for tiles in (*(1 << t for t in TILES), *doubles))
            yield from (self._fact(hands, out, 0, DOUBLE[-1], 1 << tile) for tile in DOUBLE)
        if not out:
            yield self._fact(hands, out, 1, TILES[0], 0)

    def _fact(self, hands: tuple[TileSet, ...], out: bool, seat: Seat, opened: Tile, out_on: TileSet) -> Facts:
        game = self._game
        move = Move("", out_on, (), -1, 0) if out_on else None
        outcome = Outcome("out" if out else "fish", seat, move)
        state = Round(hands, (), (), seat, (), Start(_NO_DEAL, (), seat, opened), outcome)
        return facts_of(state, game.sides, game.count, game.fish_winners)

    def _draft(self, facts: Facts, until: Role) -> Draft:
        """The round settled by the steps before the first one with this role."""
        draft = Draft(facts, self._before)
        for entry, step in self._steps:
            if until in roles_of(entry.name) or draft.stop:
                break
            step(draft)
        return draft

    def _most_given(self, heaviest: list[Facts]) -> int:
        self.settled += len(heaviest)
        return max(max(self._draft(facts, "record").points) for facts in heaviest)

    def _nothing_given(self, heaviest: list[Facts]) -> Failing | None:
        """Nobody ever gets a point."""
        counting, count = self._counting, self._step("count")
        if self._step("record") is None or count is None or self._most_given(heaviest):
            return None
        if not any(any(facts.points) for facts in heaviest):
            return Failing(counting, quoting("mistake.counts_nothing", rule=counting.name))
        return Failing(count, quoting("mistake.gives_nobody", rule=count.name))

    def _never_written(self, heaviest: list[Facts]) -> Failing | None:
        """No round gives as much as it takes to open an account."""
        record = self._step("account")
        if record is None:
            return None
        for facts in heaviest:
            draft = self._draft(facts, "end")
            if any(draft.scored) or any(now != then for now, then in zip(draft.open, draft.before.open, strict=True)):
                return None
        return Failing(record, quoting("mistake.never_opens", rule=record.name, most=self._most_given(heaviest)))

    def _never_sat(self, heaviest: list[Facts]) -> Failing | None:
        """No round leaves a side with as much as it takes to sit down on the goat."""
        sit = self._step("sit")
        if sit is None:
            return None
        for facts in heaviest:
            draft = Draft(facts, new_match(self._game).ledger)
            next(step for entry, step in self._steps if entry is sit)(draft)
            if draft.sitting is not None:
                return None
        most = max(max(facts.side_points) for facts in heaviest)
        return Failing(sit, quoting("mistake.never_sits", rule=sit.name, most=most))

    # rounds played at random

    def _never_ended(self) -> Failing | None:
        """Rounds played at random, and those settled again and again, do not end the match."""
        played: list[tuple[Facts, tuple[TileSet, ...]]] = []
        random = Random(_SEED)
        ledger = new_match(self._game).ledger
        for facts, hands, after, over in self._played(random):
            played.append((facts, hands))
            ledger = after
            if over or (len(played) == ROUNDS_AT_FIRST and self._ended_by(played, ledger, random)):
                return None
        return None if self._ended_by(played, ledger, random) else self._blamed(ledger)

    def _ended_by(
        self, played: list[tuple[Facts, tuple[TileSet, ...]]], ledger: Ledger, random: Random
    ) -> MatchEnd | None:
        """How a match ended in which rounds like these came again and again."""
        game = self._game
        for _ in range(ROUNDS_SETTLED if played else 0):
            facts, hands = played[int(random.random() * len(played))]
            ledger, _, end = settle(facts, hands, game.steps, ledger, game.payments)
            self.settled += 1
            if end:
                return end
        return None

    def _blamed(self, ledger: Ledger) -> Failing | None:
        account, end = self._step("account"), self._step("end")
        if account is not None and not any(ledger.open):
            return Failing(account, quoting("mistake.hardly_opens", rule=account.name, n=ROUNDS_PLAYED))
        return None if end is None else Failing(end, quoting("mistake.hardly_ends", rule=end.name, n=ROUNDS_PLAYED))

    def _played(self, random: Random) -> Iterator[tuple[Facts, tuple[TileSet, ...], Ledger, bool]]:
        """Rounds played at random: what each came to, the hands left, the ledger after it, and whether the match is over."""
        game = self._game
        match = new_match(game)
        for _ in range(ROUNDS_PLAYED):
            match, _ = deal(match, shuffled(match, _SEED))
            state = match.round
            if state is None:
                continue
            while state.outcome is None:
                legal = state.legal
                move = KEEP if KEEP in legal else legal[int(random.random() * len(legal))]
                state, _ = apply(game.round, state, move)
            facts = facts_of(state, game.sides, game.count, game.fish_winners)
            ledger, _, end = settle(facts, state.hands, game.steps, match.ledger, game.payments)
            self.settled += 1
            yield facts, state.hands, ledger, end is not None
            if end:
                return
            match = match._replace(ledger=ledger, round=None)


def _two_others(tile: Tile) -> TileSet:
    """Two tiles beside one, so that no hand is a lone tile."""
    return mask_of([other for other in TILES[:3] if other != tile][:2])
