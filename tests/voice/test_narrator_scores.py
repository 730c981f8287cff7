"""Results and their reasons, word for word."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import kozel
from kozel.engine.events import MatchOver
from kozel.engine.ledger import MatchEnd, Note, RoundSummary
from kozel.engine.round import Refused
from kozel.engine.tiles import mask_of, parse_tile
from kozel.locales.catalogue import catalogue
from kozel.narration.faults import fault_sentence, placed_fault
from kozel.narration.narrator import Narrator, Table, Verbosity
from voice.played import NAMES

SOURCE = Path(kozel.__file__).parent


def t(name: str) -> int:
    return parse_tile(name)


def narrator(lang: str, verbosity: Verbosity = "normal", seats: int = 2, points: bool = True) -> Narrator:
    pairs = seats == 4
    return Narrator(lang, verbosity, Table(NAMES[lang][:seats], (0, 1, 0, 1)[:seats], pairs, points))


OUT = RoundSummary(
    number=3,
    opener=1,
    result="out",
    seat=0,
    winner=(0,),
    hand_points=(0, 17),
    hands=(0, mask_of([t("5-6"), t("3-3")])),
    scored=(0, 17),
    eggs=0,
    totals=(20, 40),
    open=(True, True),
    deferred=(0, 0),
    sitting=None,
    next_opener=0,
    notes=(),
)
FISH = OUT._replace(result="fish", seat=1, hand_points=(3, 17), hands=(mask_of([t("1-2")]), OUT.hands[1]))
PAIRS = OUT._replace(
    hand_points=(0, 17, 5, 8), hands=(0, OUT.hands[1], mask_of([t("2-3")]), mask_of([t("4-4")])), scored=(0, 25)
)


def test_a_round_ends_with_who_went_out_then_recorded_and_totals() -> None:
    assert narrator("en").round_end(OUT, None) == ["Anna goes out.", "Recorded: Boris 17. Totals: Anna 20, Boris 40."]
    assert narrator("ru").round_end(OUT, 1) == ["Анна выходит.", "Запись: вы 17. Счёт: Анна 20, вы 40."]
    assert narrator("ru").round_end(OUT, 0)[0] == "Вы выходите."


def test_brief_keeps_result_and_totals() -> None:
    assert narrator("en", "brief").round_end(OUT, None) == ["Anna goes out.", "Totals: Anna 20, Boris 40."]


def test_a_fish_names_who_made_it_and_who_wins() -> None:
    assert narrator("en").round_end(FISH, None)[0] == "Fish: blocked by Boris. Anna wins."
    assert narrator("ru").round_end(FISH, None)[0] == "Рыба, рыбак Борис. Выигрывает Анна."
    assert narrator("ru").round_end(FISH, 1)[0] == "Рыба, рыбак вы. Выигрывает Анна."
    assert narrator("en").round_end(FISH, None, closed=True)[0] == "Fish: Boris closed the last end. Anna wins."


def test_an_equal_fish_leaves_eggs() -> None:
    equal = FISH._replace(winner=(), scored=(0, 0), eggs=12, notes=(Note("eggs_laid", None, 6, 12),))
    assert narrator("en").round_end(equal, None) == [
        "Fish: blocked by Boris. All are equal. Eggs: 6 more, 12 on the line.",
        "Nothing recorded. Totals: Anna 20, Boris 40; eggs 12.",
    ]
    first = equal._replace(eggs=6, notes=(Note("eggs_laid", None, 6, 6),))
    assert narrator("ru").round_end(first, None) == [
        "Рыба, рыбак Борис. У всех поровну. Яйца: 6.",
        "Ничего не записано. Счёт: Анна 20, Борис 40; яйца 6.",
    ]


def test_several_lowest_at_a_fish_are_named_together() -> None:
    three = Narrator("en", "normal", Table(NAMES["en"][:3], (0, 1, 2), False))
    fish = FISH._replace(winner=(0, 2), hand_points=(3, 17, 3), scored=(0, 17, 0), totals=(0, 40, 0))
    assert three.round_end(fish, None)[0] == "Fish: blocked by Boris. Anna and Vera have the fewest points."
    assert three.round_end(fish, 2)[0] == "Fish: blocked by Boris. You and Anna have the fewest points."


@pytest.mark.parametrize(
    ("note", "english", "russian"),
    [
        (
            Note("lone_tile", 1, 25, tile=0),
            "Boris: double blank alone counts 25.",
            "Борис: дупль пусто без других идёт за 25.",
        ),
        (
            Note("bonus_opened", 1, 50, tile=27),
            "Boris: 50 more, the round began with double six.",
            "Борис: ещё 50, первая кость дупль шесть.",
        ),
        (
            Note("bonus_out", 1, 25, tile=0),
            "Boris: 25 more, the round ended on double blank.",
            "Борис: ещё 25, раунд закончен на дупль пусто.",
        ),
        (Note("eggs_to", 1, 6), "Boris: 6 more for the eggs.", "Борис: ещё 6 за яйца."),
        (
            Note("under_threshold", 1, 9, 13),
            "Boris: 9 not recorded, under 13.",
            "Борис: 9, меньше тринадцати, не пишется.",
        ),
        (Note("account_opened", 1, 14), "Account opened: Boris.", "Запись открыта: Борис."),
        (Note("put_by", 1, 9, 9), "Boris: 9 put by.", "Борис: отложено 9."),
        (Note("put_by", 1, 9, 15), "Boris: 9 put by, 15 in all.", "Борис: отложено 9, всего 15."),
        (Note("sits", 1, 30), "Boris sits down on the goat with 30.", "Борис садится на козла: 30."),
        (Note("nothing_changes", 1), "Boris: zero, nothing changes.", "Борис: ноль, ничего не меняется."),
    ],
)
def test_reasons_out_of_the_ordinary_are_told_at_once(note: Note, english: str, russian: str) -> None:
    summary = OUT._replace(notes=(note,))
    assert narrator("en").round_end(summary, None)[0] == f"Anna goes out. {english}"
    assert narrator("ru").round_end(summary, None)[0] == f"Анна выходит. {russian}"


def test_the_ordinary_reason_waits_for_the_question() -> None:
    summary = FISH._replace(notes=(Note("difference", 0, 14, 3),))
    assert narrator("en").round_end(summary, None)[0] == "Fish: blocked by Boris. Anna wins."
    assert "Anna: 14, with 3 of their own taken off." in narrator("en").explain(summary)


def test_the_account_of_a_round_names_each_hand() -> None:
    assert narrator("en").explain(OUT) == [
        "Round 3. Anna goes out.",
        "Anna: no tiles.",
        "Boris: double three, six five; 17 points.",
        "Recorded: Boris 17.",
        "Score: Anna 20, Boris 40.",
        "Anna opens next.",
    ]


def test_pairs_are_named_by_both_and_their_points_added() -> None:
    lines = narrator("ru", seats=4).explain(PAIRS, 3)
    assert "Анна и Вера вместе: 5." in lines
    assert "Вы и Борис вместе: 25." in lines
    assert "Запись: вы и Борис 25." in lines
    english = narrator("en", seats=4)
    sits = PAIRS._replace(notes=(Note("sits", 1, 25),))
    assert english.round_end(sits, None)[0] == "Anna goes out. Boris and Gena sit down on the goat with 25."
    assert english.round_end(sits, 1)[0] == "Anna goes out. You and Gena sit down on the goat with 25."


def test_a_new_deal_is_accounted_for() -> None:
    assert narrator("en").explain(OUT._replace(result="redeal")) == ["Round 3. Dealt again because of Anna."]


def test_the_yard_keeps_no_points() -> None:
    yard = narrator("en", points=False)
    few = OUT._replace(scored=(0, 0), totals=(0, 0), notes=(Note("too_few_to_sit", 1, 9, 13),))
    assert yard.round_end(few, None) == ["Anna goes out.", "Boris: 9, too few to sit; 13 are needed."]
    assert yard.explain(few)[-2:] == ["Nobody sits on the goat.", "Anna opens next."]
    assert yard.scores((0, 0), (True, True), (0, 0), 0, None) == ["No points are kept in this game."]
    assert narrator("ru", points=False).sitting(1, 1) == "На козле сидите вы."
    stands = few._replace(notes=(Note("written_off", 1), Note("sits_at_once", 0)))
    assert yard.round_end(stands, None)[1] == "Boris gets up from the goat. Anna sits down on the goat at once."


def over(
    winners: tuple[int, ...], losers: tuple[int, ...], title: str, payout: tuple[int, ...] | None = None
) -> MatchOver:
    return MatchOver(MatchEnd(winners, losers, title, payout), (30, 130), (0, 4))


@pytest.mark.parametrize(
    ("title", "english", "russian"),
    [
        ("goat", "Boris is the goat.", "Козёл: Борис."),
        ("officer_goat", "Boris is an officer goat.", "Офицерский козёл: Борис."),
        ("general_goat", "Boris is a general goat.", "Генеральский козёл: Борис."),
        ("donkey", "Boris is the donkey.", "Осёл: Борис."),
    ],
)
def test_the_match_ends_with_its_title(title: str, english: str, russian: str) -> None:
    assert narrator("en").match_end(over((0,), (1,), title), None) == [english]
    assert narrator("ru").match_end(over((0,), (1,), title), None) == [russian]
    assert narrator("en").match_end(over((0,), (1,), title), 1)[0].startswith("You are ")


def test_a_winner_is_named_where_the_first_to_reach_wins() -> None:
    assert narrator("en").match_end(over((0,), (1,), "winner"), None) == ["Anna wins the match."]
    assert narrator("ru", seats=4).match_end(over((1,), (0,), "winner"), None) == ["Партию выигрывают Борис и Гена."]


def test_several_goats_are_named_together() -> None:
    assert narrator("en", seats=4).match_end(over((0,), (1,), "goat"), None) == ["Boris and Gena are the goats."]
    assert narrator("ru", seats=4).match_end(over((0,), (1,), "goat"), 3) == ["Козлы: вы и Борис."]


def test_the_bank_is_split_in_figures_before_the_result() -> None:
    assert narrator("en").match_end(over((0,), (1,), "goat", (200, 0)), None) == [
        "Bank 200: Anna 200, Boris 0.",
        "Boris is the goat.",
    ]
    assert narrator("ru").match_end(over((0,), (1,), "donkey", (200, 0)), 0)[0] == "Банк 200: вы 200, Борис 0."


def test_the_fewest_points_win_and_equals_share() -> None:
    three = Narrator("en", "normal", Table(NAMES["en"][:3], (0, 1, 2), False))
    end = MatchEnd((0,), (1,), "goat", None)
    assert three.match_end(MatchOver(end, (30, 130, 60), (0, 0, 0)), None) == [
        "Anna wins the match with 30.",
        "Boris is the goat.",
    ]
    assert (
        three.match_end(MatchOver(end, (30, 130, 30), (4, 0, 9)), None)[0] == "Anna wins the match with 30, put by 4."
    )
    four = Narrator("en", "normal", Table(NAMES["en"], (0, 1, 2, 3), False))
    shared = MatchEnd((0, 2), (1,), "goat", None)
    assert four.match_end(MatchOver(shared, (30, 130, 30, 60), (0, 0, 0, 0)), 0) == [
        "You and Vera share the win with 30 each, put by 0 each.",
        "Boris is the goat.",
    ]
    nobody = MatchEnd((0, 1, 2), (), "goat", None)
    assert len(three.match_end(MatchOver(nobody, (130, 130, 130), (0, 0, 0)), None)) == 1


def test_the_scores_tell_closed_accounts_put_by_and_eggs() -> None:
    assert narrator("en").scores((20, 0), (True, False), (0, 9), 6, None) == [
        "Score: Anna 20, Boris 0.",
        "No account yet: Boris.",
        "Put by: Boris 9.",
        "Eggs: 6.",
    ]
    assert narrator("ru").scores((20, 0), (True, False), (0, 9), 0, 1) == [
        "Счёт: Анна 20, вы 0.",
        "Ещё без записи: вы.",
        "Отложено: вы 9.",
    ]
    assert narrator("ru").eggs(0) == "Яиц нет."


def called_with(*names: str) -> set[str]:
    """The first arguments, where they are literal, of all calls of these names in the program."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if called in names and isinstance(node.args[0].value, str):
                    found.add(node.args[0].value)
    return found


def test_every_reason_that_the_rules_write_has_its_sentence() -> None:
    kinds = called_with("note") | {"full_fish", "fisher_pays", "bonus_opened", "bonus_out", "round_won", "round_lost"}
    assert len(kinds) > 15
    for lang in ("en", "ru"):
        assert {f"note.{kind}" for kind in kinds} <= set(catalogue(lang))


def test_every_fault_of_a_deal_or_move_has_its_sentence() -> None:
    kinds = called_with("BadDeal", "IllegalMove", "Refused")
    assert len(kinds) > 20
    for lang in ("en", "ru"):
        assert {f"fault.{kind}" for kind in kinds} <= set(catalogue(lang))


def test_a_fault_names_the_player_and_its_place() -> None:
    fault = Refused("hand_size", seat=1, found=6, wanted=7)
    assert fault_sentence("en", fault, NAMES["en"]) == "Boris has 6 tiles in the deal: there must be 7."
    assert placed_fault("ru", fault, NAMES["ru"], 2, None) == "Раунд 2: Борис: костей в сдаче 6, а нужно 7."
    several = Refused("which_end", tile="1-4", ends=("left", "right"))
    assert placed_fault("en", several, NAMES["en"], 1, 3) == (
        "Round 1, move 3: The tile 1-4 fits several ends (left, right): the move must name one."
    )


SIXES = mask_of([t("5-5"), t("6-6"), t("0-0")])
CONVENTIONS = [
    (Note("round_won", 0, 2), "Anna: 2 for the round won.", "Анна: 2 за выигранный раунд."),
    (Note("round_lost", 1, 1), "Boris: 1 for the round lost.", "Борис: 1 за проигранный раунд."),
    (
        Note("tied_record", 0, 3),
        "Anna: fewest together with others, own 3 all the same.",
        "Анна: меньше всех поровну, но свои 3 всё же пишутся.",
    ),
    (Note("fish_times", 1, 34, 2), "Boris: 34, the fish counts 2 times.", "Борис: 34, рыба умножает на 2."),
    (
        Note("shared_fish", None, 12),
        "Several share the fish: the points of the others, 12, go to none of them.",
        "Рыба на нескольких: очки остальных, 12, никому из них не идут.",
    ),
    (
        Note("title_takes", None, 17),
        "The title decides the match: 17 in hand are not recorded.",
        "Партию решило звание: очки с рук, 17, не пишутся.",
    ),
    (
        Note("general_goat", 1, tiles=SIXES),
        "Boris: general goat, the round ended on double blank, double five and double six.",
        "Борис: генеральский козёл, раунд закончен на дупль пусто, дупль пять и дупль шесть.",
    ),
    (
        Note("general_goat", 1, tiles=mask_of([t("0-0"), t("6-6")])),
        "Boris: general goat, the round ended on both double blank and double six.",
        "Борис: генеральский козёл, раунд закончен на дупль пусто и дупль шесть.",
    ),
]


@pytest.mark.parametrize(("note", "english", "russian"), CONVENTIONS, ids=lambda each: getattr(each, "kind", ""))
def test_a_convention_of_a_club_says_why_it_gives_or_takes_points(note: Note, english: str, russian: str) -> None:
    found = FISH._replace(notes=(note,))
    assert english in narrator("en").explain(found)
    assert russian in narrator("ru").explain(found)


def test_what_a_title_takes_is_told_at_once_but_not_where_no_points_are_kept() -> None:
    found = OUT._replace(scored=(0, 0), notes=(Note("officer_goat", 1, tile=t("0-0")), Note("title_takes", None, 17)))
    assert "17 in hand are not recorded" in narrator("en").round_end(found, None)[0]
    without = narrator("en", points=False)
    assert not any("recorded" in line for line in (*without.round_end(found, None), *without.explain(found)))
