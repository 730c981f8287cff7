"""A round rebuilt from its deal and the events alone: whoever only listens must come to the state that the engine keeps."""

from __future__ import annotations

from collections.abc import Sequence

from kozel.engine.events import (
    DealKept,
    Drew,
    DrewToOpen,
    Event,
    Fish,
    Laid,
    NewDealOffered,
    OpenerFound,
    Passed,
    RoundBegan,
    Threw,
    TookBazaar,
    WentOut,
)
from kozel.engine.match import Dealt
from kozel.engine.round import Round, RoundRules
from kozel.engine.seen import known
from kozel.engine.tiles import FULL_SET, NO_END, SUIT, mask_of


class Follower:
    """Hands and table as told so far. Fails where an event cannot follow on what was told before."""

    def __init__(self, rules: RoundRules, dealt: Dealt) -> None:
        self.rules = rules
        self.hands = [mask_of(hand) for hand in dealt.hands]
        self.bazaar = list(dealt.bazaar)
        self.table = 0
        self.ends: tuple[int, ...] = ()
        self.turn: int | None = None
        self.over = False

    def hear(self, events: Sequence[Event]) -> None:
        """Follow these events, and hold that every tile is in one place."""
        for event in events:
            getattr(self, f"_{type(event).__name__}", self._nothing)(event)
            tiles = [*self.hands, mask_of(self.bazaar), self.table]
            assert sum(tiles) == FULL_SET, f"28 tiles, each in one place, after {event}"
            assert sum(mask.bit_count() for mask in tiles) == 28

    def stands_like(self, state: Round) -> None:
        """Hold that the state is what was told."""
        assert (tuple(self.hands), tuple(self.bazaar), self.ends) == (state.hands, state.bazaar, state.ends)
        assert self.turn == state.turn

    def _nothing(self, event: Event) -> None:
        pass

    def _fits(self, seat: int) -> bool:
        return any(SUIT[pip] & self.hands[seat] for pip in self.ends)

    def _RoundBegan(self, event: RoundBegan) -> None:  # noqa: N802
        assert event.sizes == tuple(hand.bit_count() for hand in self.hands)
        assert event.bazaar == len(self.bazaar)

    def _NewDealOffered(self, event: NewDealOffered) -> None:  # noqa: N802
        self.turn = event.seat

    def _DealKept(self, event: DealKept) -> None:  # noqa: N802
        assert event.seat == self.turn

    def _DrewToOpen(self, event: DrewToOpen) -> None:  # noqa: N802
        for number, (seat, tile) in enumerate(event.draws):
            assert seat == number % len(self.hands)
            self._draw(seat, (tile,))

    def _OpenerFound(self, event: OpenerFound) -> None:  # noqa: N802
        self.turn = event.seat

    def _Laid(self, event: Laid) -> None:  # noqa: N802
        assert event.seat == self.turn
        assert event.opening == (not self.ends)
        assert event.move.tiles & ~self.hands[event.seat] == 0
        self.hands[event.seat] ^= event.move.tiles
        self.table |= event.move.tiles
        self.ends = event.ends
        assert event.left == self.hands[event.seat].bit_count()
        self._next()

    def _Threw(self, event: Threw) -> None:  # noqa: N802
        for seat, double in event.thrown:
            self.hands[seat] ^= 1 << double
            self.table |= 1 << double
        assert event.left == tuple(hand.bit_count() for hand in self.hands)

    def _Drew(self, event: Drew) -> None:  # noqa: N802
        assert event.seat == self.turn
        assert not self._fits(event.seat), "draws with a fitting tile"
        self._draw(event.seat, event.tiles)
        assert (event.bazaar, event.left) == (len(self.bazaar), self.hands[event.seat].bit_count())

    def _draw(self, seat: int, tiles: Sequence[int | None]) -> None:
        drawn = known(tiles)
        assert len(drawn) == len(tiles)
        assert list(drawn) == self.bazaar[: len(drawn)], "not in the order of the bazaar"
        del self.bazaar[: len(drawn)]
        self.hands[seat] |= mask_of(drawn)

    def _Passed(self, event: Passed) -> None:  # noqa: N802
        assert event.seat == self.turn
        assert not self._fits(event.seat), "passes with a fitting tile"
        assert not self.bazaar or self.rules.draws is not None, "passes where it must draw"
        self._next()

    def _WentOut(self, event: WentOut) -> None:  # noqa: N802
        assert not self.hands[event.seat]
        self.over = True

    def _Fish(self, event: Fish) -> None:  # noqa: N802
        unseen = 0 if self.rules.draws == 0 else mask_of(self.bazaar)
        assert not any(self._fits(seat) for seat in range(len(self.hands)))
        assert not any(SUIT[pip] & unseen for pip in self.ends)
        assert all(self.hands)
        assert event.closed == all(pip == NO_END for pip in self.ends)
        self.over = True

    def _TookBazaar(self, event: TookBazaar) -> None:  # noqa: N802
        assert event.seat == self.turn
        assert len(event.tiles) == len(self.bazaar)
        self._draw(event.seat, event.tiles)

    def _next(self) -> None:
        assert self.turn is not None
        self.turn = (self.turn + 1) % len(self.hands)
