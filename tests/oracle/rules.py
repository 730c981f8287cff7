"""The eight rulesets' table of seats, pairs, hands and options (rulebook 2 and 2.8)."""

from __future__ import annotations

from dataclasses import dataclass


class HeadError(Exception):
    """What a record's head asks for does not exist."""


SEATS: dict[str, tuple[int, ...]] = {
    "domino": (2, 3, 4),
    "kozel": (2, 3, 4),
    "kozel-yard": (2, 4),
    "kozel-101": (2, 3, 4),
    "osel": (2, 3, 4),
    "kozel-1x1": (2,),
    "kozel-2x2": (4,),
    "kozel-deferred": (2, 3, 4),
}

OPTIONS: dict[str, dict[str, str]] = {
    "domino": {"target": "125", "auto_draw": "no", "double_play": "yes"},
    "kozel": {"target": "125", "auto_draw": "no", "double_play": "yes", "bonuses": "yes"},
    "kozel-yard": {"auto_draw": "no", "double_play": "yes"},
    "kozel-101": {"target": "101", "auto_draw": "no", "stake": "100"},
    "osel": {"target": "101", "auto_draw": "no", "stake": "100"},
    "kozel-1x1": {
        "target": "125",
        "bonuses": "no",
        "rule_13": "yes",
        "double_lead": "no",
        "double_play": "no",
        "full_fish": "no",
        "auto_draw": "yes",
        "draw": "until_playable",
    },
    "kozel-2x2": {
        "target": "125",
        "bonuses": "no",
        "rule_13": "yes",
        "double_lead": "no",
        "double_play": "no",
        "full_fish": "no",
    },
    "kozel-deferred": {"target": "125", "auto_draw": "no"},
}

NUMBER_LIMITS = {"target": 1000, "stake": 1_000_000}
DRAW_VALUES = ("until_playable", "one")
YES_AND_NO = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True)
class Rules:
    """A ruleset with its options, seats and pairs settled. `target` is 0 in `kozel-yard`, which has none."""

    ruleset: str
    seats: int
    pairs: bool
    target: int = 0
    stake: int = 0
    auto_draw: bool = False
    draw: str = "until_playable"
    double_play: bool = False
    bonuses: bool = False
    rule_13: bool = False
    double_lead: bool = False
    full_fish: bool = False

    @property
    def sides(self) -> int:
        return 2 if self.pairs else self.seats

    def side_of(self, seat: int) -> int:
        return seat % 2 if self.pairs else seat

    def seats_of(self, side: int) -> list[int]:
        return [seat for seat in range(self.seats) if self.side_of(seat) == side]

    @property
    def hand_size(self) -> int:
        return 5 if self.ruleset == "domino" and self.seats > 2 else 7

    @property
    def account_threshold(self) -> int | None:
        """The points that open an account in one round; None where every account is open from the start."""
        if self.ruleset == "kozel":
            return 25 if self.pairs else 13
        if self.ruleset in ("kozel-101", "osel", "kozel-deferred"):
            return 13
        return 13 if self.rule_13 else None


def pairs_allowed(ruleset: str, seats: int) -> set[bool]:
    if ruleset in ("domino", "kozel") and seats == 4:
        return {False, True}
    if ruleset in ("kozel-yard", "kozel-2x2") and seats == 4:
        return {True}
    return {False}


def settle_rules(ruleset: str, seats: int, pairs: str | None, options: dict[str, str]) -> Rules:
    """Builds the rules from the texts of a record's head; `pairs` is None where the head is silent.

    Raises HeadError for an unknown ruleset or option, a value out of range, or seats or pairs that it cannot have.
    """
    if ruleset not in SEATS:
        raise HeadError(f"unknown ruleset {ruleset}")
    if seats not in SEATS[ruleset]:
        raise HeadError(f"{ruleset} is not for {seats} seats")
    allowed = pairs_allowed(ruleset, seats)
    if pairs is None:
        in_pairs = allowed == {True}
    elif pairs not in YES_AND_NO or YES_AND_NO[pairs] not in allowed:
        raise HeadError(f"pairs: {pairs}")
    else:
        in_pairs = YES_AND_NO[pairs]
    for option in options:
        if option not in OPTIONS[ruleset]:
            raise HeadError(f"unknown option {option}")
    numbers: dict[str, int] = {}
    switches: dict[str, bool] = {}
    draw = "until_playable"
    for option, text in {**OPTIONS[ruleset], **options}.items():
        if option in NUMBER_LIMITS:
            numbers[option] = number_option(option, text)
        elif option == "draw":
            if text not in DRAW_VALUES:
                raise HeadError(f"draw: {text}")
            draw = text
        else:
            if text not in YES_AND_NO:
                raise HeadError(f"{option}: {text}")
            switches[option] = YES_AND_NO[text]
    if ruleset == "osel":
        switches["double_play"] = True
    return Rules(
        ruleset=ruleset,
        seats=seats,
        pairs=in_pairs,
        target=numbers.get("target", 0),
        stake=numbers.get("stake", 0),
        draw=draw,
        **switches,
    )


def number_option(option: str, text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= NUMBER_LIMITS[option]:
        raise HeadError(f"{option}: {text}")
    return int(text)
