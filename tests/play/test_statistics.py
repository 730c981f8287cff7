"""Statistics counted from records, against sums made by hand from what the independent model replays."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from kozel.engine.ledger import MatchEnd
from kozel.play.digest import Digest, RoundDigest, digest
from kozel.play.statistics import (
    Against,
    Player,
    against,
    companies,
    company_of,
    counting,
    figures,
    of_company,
    of_ruleset,
    players,
    rulesets,
)
from kozel.play.store import read_kept
from oracle.records import random_record, replay_text
from play.kept_matches import play

ANNA, BORIS, VERA = Player("Anna", None), Player("Boris", None), Player("Vera", "novice")


def a_match(*winners: int, title: str = "goat", over: bool = True, seats: int = 2) -> Digest:
    """A match without rounds, won by these sides."""
    names = ("Anna", "Boris", "Vera", "Gena")[:seats]
    losers = tuple(side for side in range(seats) if side not in winners)
    return Digest(
        reference="kozel",
        ruleset="kozel",
        names={"en": "Kozel"},
        players=names,
        levels=(None, None, "novice", "novice")[:seats],
        sides=tuple(range(seats)),
        pairs=False,
        points=True,
        date=None,
        rounds=(),
        totals=(0,) * seats,
        sitting=None,
        round=0,
        end=MatchEnd(winners, losers, title, None) if over else None,
    )


def counted(told: list[dict[str, Any]], seats: list[int], sides: list[int]) -> dict[str, int]:
    """A player's sums from replayed matches, the plain way."""
    sums = dict.fromkeys(("matches", "won", "lost", "rounds", "rounds_won", "out", "fishes", "hand", "scored"), 0)
    for match, seat in zip(told, seats, strict=True):
        side = sides[seat] if len(sides) > seat else seat
        sums["matches"] += match["over"]
        sums["won"] += side in match["winners"]
        sums["lost"] += side in match["losers"]
        for each in match["rounds"]:
            if each["result"] == "redeal":
                continue
            sums["rounds"] += 1
            sums["rounds_won"] += side in each["winner"]
            sums["out"] += each["result"] == "out" and each["hand_points"][seat] == 0
            sums["fishes"] += each["fisher"] == seat
            sums["hand"] += each["hand_points"][seat]
            sums["scored"] += each["scored"][side]
    return sums


@pytest.mark.parametrize("ruleset", ["domino", "kozel", "kozel-101", "osel", "kozel-1x1", "kozel-deferred"])
def test_figures_are_those_of_the_independent_model(tmp_path: Path, ruleset: str) -> None:
    rng = Random(ruleset)
    matches: list[Digest] = []
    told: list[dict[str, Any]] = []
    while len(matches) < 12:
        text = random_record(rng, ruleset)
        (tmp_path / "match.yaml").write_text(text, encoding="utf-8")
        found = digest(read_kept(tmp_path / "match.yaml"))
        if found.pairs:
            continue
        matches.append(found._replace(players=("Anna", *found.players[1:]), levels=(None, *found.levels[1:])))
        told.append(replay_text(text))
    wanted = counted(told, [0] * len(told), [0, 1, 2, 3])
    alone = [match for match in matches if match.players.count("Anna") == 1]
    if len(alone) < len(matches):
        told = [each for each, match in zip(told, matches, strict=True) if match in alone]
        wanted = counted(told, [0] * len(told), [0, 1, 2, 3])
    found_figures = figures(alone, ANNA)
    assert wanted["rounds"] > 20
    assert found_figures.matches == wanted["matches"]
    assert found_figures.won == wanted["won"]
    assert found_figures.lost == wanted["lost"]
    assert found_figures.unfinished == len(alone) - wanted["matches"]
    assert found_figures.rounds == wanted["rounds"]
    assert found_figures.rounds_won == wanted["rounds_won"]
    assert found_figures.fishes == wanted["fishes"]
    assert found_figures.mean_in_hand == pytest.approx(wanted["hand"] / wanted["rounds"])
    assert found_figures.mean_recorded == pytest.approx(wanted["scored"] / wanted["rounds"])


def test_an_abandoned_match_is_no_loss(tmp_path: Path) -> None:
    found = figures([a_match(0), a_match(over=False)], ANNA)
    assert (found.matches, found.won, found.lost, found.unfinished) == (1, 1, 0, 1)
    assert against([a_match(over=False)], ANNA) == []


def test_streaks_run_in_the_order_of_play() -> None:
    found = figures([a_match(0), a_match(0), a_match(1), a_match(1), a_match(1), a_match(0)], ANNA)
    assert (found.longest_won, found.longest_lost, found.streak) == (2, 3, 1)
    assert figures([a_match(0), a_match(1), a_match(1)], ANNA).streak == -2


def test_neither_won_nor_lost_breaks_a_streak() -> None:
    neither = a_match()._replace(end=MatchEnd((1,), (), "goat", None))
    assert figures([a_match(0), neither], ANNA).streak == 0
    assert figures([a_match(0), neither, a_match(0)], ANNA).longest_won == 1


def test_goats_are_counted_by_kind_on_both_sides() -> None:
    matches = [a_match(1), a_match(1, title="general_goat"), a_match(0, title="officer_goat"), a_match(0)]
    found = figures(matches, ANNA)
    assert dict(found.titles) == {"goat": 1, "general_goat": 1, "officer_goat": 0}
    assert dict(found.made) == {"goat": 1, "general_goat": 0, "officer_goat": 1}


def test_who_did_not_win_a_plain_game_is_no_goat() -> None:
    assert not figures([a_match(1, title="winner")], ANNA).titles


def test_fishes_and_eggs() -> None:
    rounds = (
        RoundDigest("fish", 0, (0,), (3, 9), (0, 9), ()),
        RoundDigest("fish", 0, (1,), (9, 3), (9, 0), ()),
        RoundDigest("fish", 1, (0,), (3, 9), (0, 9), ()),
        RoundDigest("fish", 0, (), (8, 8), (0, 0), ()),
        RoundDigest("out", 1, (1,), (20, 0), (36, 0), ((0, 16),)),
    )
    match = a_match(over=False)._replace(rounds=rounds)
    found = figures([match], ANNA)
    assert (found.fishes, found.fishes_won, found.gone_out) == (3, 1, 0)
    assert (found.eggs, found.egg_takings) == (16, 1)
    assert figures([match], BORIS).gone_out == 1
    assert found.mean_recorded == 9
    assert figures([match._replace(points=False)], ANNA).scored_rounds == 0


def test_a_computer_player_of_another_level_is_somebody_else() -> None:
    stronger = a_match(0, seats=3)._replace(levels=(None, None, "master"))
    assert [player for player, _ in players([a_match(0, seats=3), stronger])] == [
        ANNA,
        BORIS,
        Player("Vera", "master"),
        VERA,
    ]


def test_a_company_is_the_same_whatever_the_seats() -> None:
    one = a_match(0)
    other = one._replace(players=("Boris", "Anna"))
    assert company_of(one) == company_of(other)
    assert companies([one, other, a_match(0, seats=3)])[0] == (company_of(one), 2)
    assert of_company([one, other], company_of(one)) == [one, other]


def test_in_another_pairing_it_is_another_company() -> None:
    four = a_match(0, seats=4)
    paired = four._replace(sides=(0, 1, 0, 1), pairs=True)
    assert company_of(paired) == ((ANNA, VERA), (BORIS, Player("Gena", "novice")))
    assert len(companies([four, paired, paired._replace(sides=(0, 0, 1, 1))])) == 3


def test_against_whom() -> None:
    three = a_match(1, seats=3)
    assert against([a_match(0), three], ANNA) == [(BORIS, Against(2, 1, 1)), (VERA, Against(1, 0, 1))]


def test_partners_are_not_against_each_other() -> None:
    paired = a_match(0, seats=4)._replace(sides=(0, 1, 0, 1), end=MatchEnd((0,), (1,), "goat", None))
    assert {other for other, _ in against([paired], ANNA)} == {BORIS, Player("Gena", "novice")}


def test_by_ruleset() -> None:
    other = a_match(0)._replace(ruleset="osel", names={"en": "Osel"})
    assert [(id, count) for id, _, count in rulesets([a_match(0), other, other])] == [("osel", 2), ("kozel", 1)]
    assert of_ruleset([a_match(0), other], "osel") == [other]


def test_a_match_in_which_a_computer_took_a_seat_over_counts_for_nobody(tmp_path: Path) -> None:
    """It is kept and listed, but nobody is measured by it."""
    path = play(tmp_path, rounds=1)
    text = path.read_text(encoding="utf-8").replace("kozel-record: 1", "kozel-record: 2")
    path.write_text(text, encoding="utf-8")
    plain = digest(read_kept(path))
    first = text.index("moves:\n") + len("moves:\n")
    path.write_text(text[:first] + "      - computer 0 amateur\n" + text[first:], encoding="utf-8")
    taken = digest(read_kept(path))
    assert (plain.stood_in, taken.stood_in) == (False, True)
    assert taken._replace(stood_in=False) == plain
    assert counting([plain, taken, plain]) == [plain, plain]


def test_donkeys_of_osel_are_counted(tmp_path: Path) -> None:
    matches = [digest(read_kept(play(tmp_path, "osel", seed=str(number)))) for number in range(3)]
    assert {match.end.title for match in matches if match.end} == {"donkey"}
    losers = sum(len(match.end.losers) for match in matches if match.end)
    named = {player for match in matches for side in company_of(match) for player in side}
    assert sum(figures(matches, player).titles["donkey"] for player in named) == losers > 0
