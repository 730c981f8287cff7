"""From a deal to a round: who is asked about a new deal, who opens, and with what (rulebook 2)."""

from __future__ import annotations

from oracle.rules import Rules
from oracle.tiles import ALL_TILES, DOUBLE_BLANK, DOUBLE_SIX, Tile, doubles, ordinary_doubles, smallest

Hands = list[list[Tile]]


def deal_is_whole(rules: Rules, hands: Hands, bazaar: list[Tile]) -> bool:
    dealt = [tile for hand in hands for tile in hand] + bazaar
    right_sizes = len(hands) == rules.seats and all(len(hand) == rules.hand_size for hand in hands)
    return right_sizes and sorted(dealt) == sorted(ALL_TILES)


def six_of_one_number(hand: list[Tile]) -> bool:
    return any(sum(number in tile for tile in hand) >= 6 for number in range(7))


def must_deal_again(rules: Rules, hands: Hands) -> bool:
    return rules.ruleset in ("kozel-1x1", "kozel-2x2") and any(six_of_one_number(hand) for hand in hands)


def seats_to_ask(rules: Rules, hands: Hands) -> list[int]:
    if rules.ruleset not in ("kozel-1x1", "kozel-2x2"):
        return []
    return [seat for seat in range(rules.seats) if len(doubles(hands[seat])) >= 5]


def holder(hands: Hands, tile: Tile) -> int:
    return next(seat for seat, hand in enumerate(hands) if tile in hand)


def opening_by_tile(hands: Hands, barred: tuple[Tile, ...] = ()) -> tuple[int, Tile]:
    """The lowest double in any hand, else the smallest tile, leaving out `barred` tiles; and the seat that holds it."""
    held = [tile for hand in hands for tile in hand if tile not in barred]
    tile = doubles(held)[0] if doubles(held) else smallest(held)
    return holder(hands, tile), tile


def kozel_first_opening(rules: Rules, hands: Hands, bazaar: list[Tile]) -> tuple[int, Tile]:
    """Rulebook 2.2: 1-1 to 5-5, the lowest held; drawn for, seat by seat from 0, where no hand has one.

    Changes `hands` and `bazaar` by what is drawn.
    """
    held = ordinary_doubles(tile for hand in hands for tile in hand)
    if held:
        return holder(hands, held[0]), held[0]
    seat = 0
    while True:
        tile = bazaar.pop(0)
        hands[seat].append(tile)
        if ordinary_doubles([tile]):
            return seat, tile
        seat = (seat + 1) % rules.seats


def first_opening(rules: Rules, hands: Hands, bazaar: list[Tile]) -> tuple[int, list[Tile]]:
    """The first round's opener, where the tiles name one, and what may be led. Not for `kozel-2x2`."""
    if rules.ruleset in ("kozel", "kozel-yard"):
        seat, tile = kozel_first_opening(rules, hands, bazaar)
        return seat, [tile]
    if rules.ruleset == "kozel-deferred":
        seat, tile = opening_by_tile(hands, barred=(DOUBLE_BLANK,))
        return seat, [tile]
    if rules.ruleset != "kozel-1x1":
        seat, tile = opening_by_tile(hands)
        return seat, [tile]
    if not rules.double_lead:
        tile = smallest(tile for hand in hands for tile in hand)
        return holder(hands, tile), [tile]
    seat, tile = opening_by_tile(hands)
    return seat, first_lead_in_1x1(rules, hands[seat], tile)


def first_lead_in_1x1(rules: Rules, hand: list[Tile], called: Tile) -> list[Tile]:
    """The row "1x1, first lead" of rulebook 2.6; `called` is the tile that makes this hand the opener's."""
    if not rules.bonuses or not doubles(hand):
        return [called]
    ordinary = ordinary_doubles(hand)
    lowest = doubles(hand)[0]
    if lowest in ordinary:
        return [lowest]
    if ordinary:
        return [DOUBLE_BLANK, ordinary[0]]
    return [*doubles(hand), smallest(tile for tile in hand if tile not in (DOUBLE_BLANK, DOUBLE_SIX))]


def free_lead(rules: Rules, hand: list[Tile]) -> list[Tile]:
    """The rows "2x2, every round" and "1x1, later" of rulebook 2.6; without `double_lead` it is any tile."""
    if not rules.double_lead:
        return list(hand)
    binding = ordinary_doubles(hand) if rules.bonuses else doubles(hand)
    return doubles(hand) if binding else list(hand)
