"""The deal that proves itself, against the format's own words carried out by other means."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kozel.engine.ledger import Ledger
from kozel.engine.match import Match, deal, needs_lot, new_match
from kozel.engine.shuffle import Shuffle, addition_hash, commitment_to
from kozel.engine.tiles import NAMES, parse_tile
from kozel.rules.reading import find

SECRET = bytes(31) + b"\x2a"
SHUFFLE = Shuffle(SECRET, ("k7", "лес", None))
additions = st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=20), min_size=2, max_size=4)


def by_hand(secret: bytes, text: str) -> bytes:
    """HMAC-SHA256 as its standard defines it, without the library's."""
    key = secret.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + text.encode()).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def joined(texts: tuple[str | None, ...]) -> str:
    return hashlib.sha256(json.dumps(list(texts), separators=(",", ":")).encode()).hexdigest()


def a_match(ruleset: str = "kozel", seats: int = 3, deals: int = 0) -> Match:
    rules = find(ruleset)
    return new_match(rules.game(seats, rules.seating(seats, None), {}))._replace(deals=deals)


def test_what_another_program_computes() -> None:
    """Values of `openssl dgst -sha256 -mac HMAC` and `sha256sum`."""
    assert SHUFFLE.commitment == "0a28e9ffef0073f9a6a674cf57ee77307f38f0f1bebb087888d9011ed0eeefdf"
    assert f"{SHUFFLE.number('0/0-0'):064x}" == "360f0921a9f65ba5a3a83d19c8a555d0830c80f3ec71840e38fe740e0b806cf7"
    assert f"{SHUFFLE.number('0/6-6'):064x}" == "9c307a89fedc3c90337749154cf4a90c908d24d04c319c81e67b0f3ecfde6b53"
    assert SHUFFLE.lot(3, 3) == int("7d14432c91f2bb46b969536a51d6b723fc261ae503b312b97cb0726b3a492cfc", 16) % 3
    assert SHUFFLE.hashes == (hashlib.sha256(b"k7").hexdigest(), hashlib.sha256("лес".encode()).hexdigest(), None)


@settings(max_examples=100, deadline=None)
@given(st.binary(min_size=32, max_size=32), additions, st.integers(0, 1000))
def test_order_and_lot_as_the_format_says(secret: bytes, texts: list[str | None], number: int) -> None:
    shuffle = Shuffle(secret, tuple(texts))
    add = joined(tuple(texts))
    wanted = sorted(NAMES, key=lambda name: by_hand(secret, f"{add}/{number}/{name}"))
    assert [NAMES[tile] for tile in shuffle.order(number)] == wanted
    seats = len(texts)
    assert shuffle.lot(number, seats) == int.from_bytes(by_hand(secret, f"{add}/{number}/lot"), "big") % seats


@pytest.mark.parametrize("ruleset", ["domino", "kozel", "osel", "kozel-1x1", "kozel-2x2"])
def test_the_tiles_go_out_seat_by_seat(ruleset: str) -> None:
    seats = find(ruleset).seats[-1]
    match = a_match(ruleset, seats, deals=2)
    dealt = SHUFFLE.deal(match)
    order, size = SHUFFLE.order(2), match.game.hand
    assert dealt.hands == tuple(tuple(order[seat * size : (seat + 1) * size]) for seat in range(seats))
    assert dealt.bazaar == tuple(order[seats * size :])
    assert dealt.lot == (SHUFFLE.lot(2, seats) if needs_lot(match) else None)
    after, _ = deal(match, dealt)
    assert after.deals == 3


def test_a_tile_that_the_rules_give_lies_first_in_its_hand() -> None:
    match = a_match("kozel-yard", 4)
    ledger: Ledger = match.ledger._replace(sitting=0, opener=2, fresh=False)
    match = match._replace(ledger=ledger)
    six = parse_tile("6-6")
    dealt = SHUFFLE.deal(match)
    rest = [tile for tile in SHUFFLE.order(0) if tile != six]
    size = match.game.hand
    assert dealt.hands[2] == (six, *rest[2 * size : 3 * size - 1])
    assert (*dealt.hands[0], *dealt.hands[1]) == tuple(rest[: 2 * size])
    assert dealt.hands[3] == tuple(rest[3 * size - 1 : 4 * size - 1])


@settings(max_examples=50, deadline=None)
@given(st.binary(min_size=32, max_size=32), additions, st.data())
def test_whatever_is_changed_changes_every_deal(secret: bytes, texts: list[str | None], data: st.DataObject) -> None:
    shuffle = Shuffle(secret, tuple(texts))
    place = data.draw(st.integers(0, 31))
    other = secret[:place] + bytes([secret[place] ^ 1]) + secret[place + 1 :]
    assert Shuffle(other, shuffle.additions).order(0) != shuffle.order(0)
    assert commitment_to(other) != shuffle.commitment
    seat = data.draw(st.integers(0, len(texts) - 1))
    changed = (*texts[:seat], (texts[seat] or "") + "x", *texts[seat + 1 :])
    assert Shuffle(secret, changed).order(0) != shuffle.order(0)
    assert addition_hash(changed[seat] or "") != shuffle.hashes[seat]
    assert shuffle.order(0) != shuffle.order(1)


def test_a_seat_that_adds_nothing_is_not_one_that_adds_an_empty_text() -> None:
    assert Shuffle(SECRET, (None, "a")).order(0) != Shuffle(SECRET, ("", "a")).order(0)
    assert Shuffle(SECRET, (None, "a")).hashes == (None, addition_hash("a"))


def test_computers_random_numbers_are_streams_of_their_own() -> None:
    streams = {SHUFFLE.stream(seat, decision).random() for seat in range(3) for decision in range(20)}
    assert len(streams) == 60
    assert SHUFFLE.stream(1, 5).random() == SHUFFLE.stream(1, 5).random()


def test_every_seat_gets_every_tile_about_as_often() -> None:
    """Over many deals of one secret a tile lies in each hand as often as the hand's size wants, within five deviations."""
    match = a_match("kozel", 4)
    count = 1000
    holds = [[0] * 28 for _ in range(4)]
    for number in range(count):
        for seat, hand in enumerate(SHUFFLE.deal(match._replace(deals=number)).hands):
            for tile in hand:
                holds[seat][tile] += 1
    mean = count * match.game.hand / 28
    deviation = (mean * (1 - match.game.hand / 28)) ** 0.5
    assert all(abs(times - mean) < 5 * deviation for seat in holds for times in seat)
