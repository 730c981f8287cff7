"""A player's ruleset file: what is read from it, and every mistake in it at its line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

from kozel.cli.rules_command import rules_command
from kozel.rules.naming import option_about, option_label, value_label
from kozel.rules.reading import UnknownRuleset, find, own_ids, parse_ruleset, shipped_ids
from kozel.yamltree import BadFile

FILE = Path("own.yaml")
KOZEL = """\
kozel-ruleset: 1
id: own
seats: [2, 4]
pairs: optional
hand: 7
options:
  target: 125
  bonuses: yes
  draw: {default: all, values: [all, one]}
first_opening: {lowest_double_opens: {never: [0-0]}}
later_opening: last_round_decides
placing: two_ends
drawing:
  - one_tile: {when: {draw: one}}
  - until_playable
settlement:
  - losers_record_their_own
  - bonus_for_first_and_last_tile: {tiles: {0-0: 25}, when: {bonuses: yes}}
  - account_from: {single: 13, pairs: 25}
  - who_reaches_loses: {target: $target}
  - winner_opens_next
"""
EXTENDING = "kozel-ruleset: 1\nid: own\nextends: kozel\n"


def problems(text: str) -> list[str]:
    try:
        parse_ruleset(text.encode(), FILE)
    except BadFile as error:
        return [str(problem).removeprefix("own.yaml:") for problem in error.problems]
    return []


def test_the_file_that_the_others_are_broken_from_is_fine() -> None:
    assert problems(KOZEL) == []
    assert problems(EXTENDING) == []


def changed(old: str, new: str) -> str:
    assert KOZEL.count(old) == 1, old
    return KOZEL.replace(old, new)


END_WAYS = "first_to_reach_wins, who_reaches_loses, fewest_win_when_one_reaches, match_of_rounds, sitting_on_the_goat"
BROKEN: dict[str, tuple[str, str, list[str]]] = {
    "unknown key": ("hand: 7", "hand: 7\nhands: 7", ["6:1: a ruleset has no 'hands'; did you mean 'hand'?"]),
    "key twice": ("hand: 7", "hand: 7\nhand: 6", ["6:1: 'hand' stands twice in a ruleset"]),
    "no format": ("kozel-ruleset: 1\n", "", ["1:1: the line 'kozel-ruleset: 1' is missing"]),
    "other format": (
        "kozel-ruleset: 1",
        "kozel-ruleset: 2",
        ["1:16: 'kozel-ruleset' must be 1, the format that this program reads"],
    ),
    "no id": ("id: own\n", "", ["1:1: the line 'id: NAME' is missing"]),
    "bad id": ("id: own", "id: my game", ["2:5: 'my game' is no id: letters, digits, '-', '_' and '.', at most 40"]),
    "a shipped id": ("id: own", "id: kozel", ["2:5: 'kozel' is a shipped ruleset's id; choose another one"]),
    "empty name": ("id: own", "id: own\nname: ''", ["3:7: a name must be a text"]),
    "language": ("id: own", "id: own\nname: {eng: X}", ["3:8: 'name' has no language 'eng'; did you mean 'en'?"]),
    "long name": (
        "id: own",
        f"id: own\nname: {'x' * 61}",
        ["3:7: a name has at most 60 characters, not 61"],
    ),
    "no seats": ("seats: [2, 4]\n", "", ["1:1: the line 'seats: [2, 3, 4]' is missing"]),
    "five seats": ("[2, 4]", "[2, 5]", ["3:12: 'seats' lists numbers of players, each once, from 2 to 4"]),
    "seats twice": ("[2, 4]", "[2, 4, 2]", ["3:15: 'seats' lists numbers of players, each once, from 2 to 4"]),
    "pairs": ("optional", "sometimes", ["4:8: 'pairs' must be one of never, optional, always, not 'sometimes'"]),
    "pairs without four": ("[2, 4]", "[2, 3]", ["1:1: 'pairs: optional' needs a game for 4 seats"]),
    "no hand": ("hand: 7\n", "", ["1:1: the line 'hand: 7' is missing"]),
    "hand too large": ("hand: 7", "hand: 8", ["5:7: the hand must be from 1 to 7 tiles, for 4 seats have 28 together"]),
    "hand of nothing": (
        "hand: 7",
        "hand: 0",
        ["5:7: the hand must be from 1 to 7 tiles, for 4 seats have 28 together"],
    ),
    "hand for some": ("hand: 7", "hand: {2: 7}", ["5:7: 'hand' lacks the tiles for 4 seats"]),
    "hand for others": (
        "hand: 7",
        "hand: {2: 7, 3: 7, 4: 7}",
        ["5:14: 'hand' is by the number of seats, 2, 4; there is no game for '3'"],
    ),
    "option name": (
        "  bonuses: yes",
        "  Bonus: yes\n  bonuses: yes",
        ["8:3: 'Bonus' is no name for an option: small Latin letters, digits and '_', not 'pairs' or 'seats'"],
    ),
    "option of words": (
        "target: 125",
        "target: much",
        ["7:11: option 'target' needs its default: yes, no, a number, or {default: …, values: […]}"],
    ),
    "option out of range": (
        "target: 125",
        "target: 1001",
        ["7:11: option 'target' cannot be 1001: where it is used it must be a whole number from 1 to 1000"],
    ),
    "option default": (
        "{default: all,",
        "{default: two,",
        ["9:19: the default of 'draw' must be one of its values"],
    ),
    "option parts": (
        "{default: all, values: [all, one]}",
        "{default: all, value: [all, one]}",
        ["9:9: option 'draw' needs 'default' and 'values'", "9:24: an option has no 'value'; did you mean 'values'?"],
    ),
    "unused option": ("  bonuses: yes", "  bonuses: yes\n  auto: no", ["9:9: no rule uses the option 'auto'"]),
    "no placing": (
        "placing: two_ends\n",
        "",
        ["1:1: the line 'placing: RULE' is missing: which ends a chain has and what may be laid on them"],
    ),
    "unknown rule": (
        "placing: two_ends",
        "placing: two_end",
        ["12:10: 'placing' has no rule 'two_end'; did you mean 'two_ends'?"],
    ),
    "rule of another slot": (
        "placing: two_ends",
        "placing: until_playable",
        ["12:10: 'placing' has no rule 'until_playable'; it is a rule of 'drawing'; known here: two_ends, four_ends"],
    ),
    "unknown setting": (
        "{never: [0-0]}",
        "{newer: [0-0]}",
        ["10:39: 'lowest_double_opens' has no setting 'newer'; did you mean 'never'?"],
    ),
    "setting left out": ("{single: 13, pairs: 25}", "{pairs: 25}", ["19:5: 'account_from' needs its setting 'single'"]),
    "setting twice": ("{single: 13,", "{single: 13, single: 14,", ["19:32: 'single' stands twice in 'account_from'"]),
    "setting of the wrong kind": (
        "single: 13",
        "single: many",
        ["19:28: 'single' must be a whole number from 0 to 1000, not 'many'"],
    ),
    "yes or no": (
        "placing: two_ends",
        "placing: {two_ends: {double_play: maybe}}",
        ["12:35: 'double_play' must be yes or no, not 'maybe'"],
    ),
    "one of several words": (
        "{target: $target}",
        "{target: $target, title: gout}",
        ["20:49: 'title' must be one of goat, donkey, not 'gout'; did you mean 'goat'?"],
    ),
    "no tile": ("[0-0]", "[0-7]", ["10:47: '0-7' is no tile: write two numbers from 0 to 6, such as 2-5"]),
    "a tile twice": (
        "[0-0]",
        "[1-0, 0-1]",
        ["10:47: tile 1-0 stands twice in 'never'", "10:52: tile 0-1 stands twice in 'never'"],
    ),
    "points of no tile": (
        "{0-0: 25}",
        "{0-0: 25, six: 50}",
        ["18:54: 'six' is no tile: write two numbers from 0 to 6, such as 2-5"],
    ),
    "tiles from an option": (
        "{0-0: 25}",
        "$target",
        ["18:44: 'tiles' cannot come from an option: write points for tiles such as {0-0: 25, 6-6: 50}"],
    ),
    "unknown option in a setting": (
        "$target",
        "$targets",
        ["20:33: 'who_reaches_loses' uses an option 'targets' that is not among the options; did you mean 'target'?"],
    ),
    "unknown option in when": (
        "{draw: one}",
        "{drew: one}",
        ["14:23: 'when' names an option 'drew' that is not among the options; did you mean 'draw'?"],
    ),
    "when that never holds": (
        "{draw: one}",
        "{draw: two}",
        ["14:23: 'when: {draw: two}' never holds: 'draw' is one of all, one"],
    ),
    "when with a number": (
        "{draw: one}",
        "{draw: one, target: 125}",
        ["14:34: 'when' can ask for yes, no or one of the listed values; 'target' is a number"],
    ),
    "when with seats": (
        "{draw: one}",
        "{draw: one, seats: 3}",
        ["14:34: 'when: {seats: 3}' never holds: the seats are 2, 4"],
    ),
    "no rule at some tables": (
        "  - until_playable\n",
        "",
        ["14:5: no rule of 'drawing' holds where draw: all"],
    ),
    "a rule that is never reached": (
        "  - one_tile: {when: {draw: one}}\n  - until_playable",
        "  - until_playable\n  - one_tile: {when: {draw: one}}",
        ["15:5: 'one_tile' is never used: a rule above it holds whenever it would"],
    ),
    "no rule at all": ("placing: two_ends", "placing: []", ["12:10: 'placing' needs at least one rule"]),
    "points after recording": (
        "  - account_from: {single: 13, pairs: 25}\n",
        "  - account_from: {single: 13, pairs: 25}\n  - eggs_to_the_loser\n",
        ["20:5: 'eggs_to_the_loser' must stand before 'account_from': what it gives would not be recorded"],
    ),
    "end before recording": (
        "  - account_from: {single: 13, pairs: 25}\n  - who_reaches_loses: {target: $target}\n",
        "  - who_reaches_loses: {target: $target}\n  - account_from: {single: 13, pairs: 25}\n",
        ["20:5: 'account_from' must stand before 'who_reaches_loses': the match would end a round late"],
    ),
    "counting after the bonus": (
        "  - losers_record_their_own\n  - bonus_for_first_and_last_tile: {tiles: {0-0: 25}, when: {bonuses: yes}}\n",
        "  - bonus_for_first_and_last_tile: {tiles: {0-0: 25}, when: {bonuses: yes}}\n  - losers_record_their_own\n",
        [
            "18:5: 'losers_record_their_own' must stand before 'bonus_for_first_and_last_tile': it would undo what "
            "'bonus_for_first_and_last_tile' gives where bonuses: yes"
        ],
    ),
    "bank before the end": (
        "  - who_reaches_loses: {target: $target}\n",
        "  - bank_by_points: {stake: 5}\n  - who_reaches_loses: {target: $target}\n",
        ["21:5: 'who_reaches_loses' must stand before 'bank_by_points': only a match that is over is paid out"],
    ),
    "recorded twice": (
        "  - who_reaches_loses",
        "  - record_everything\n  - who_reaches_loses",
        ["20:5: 'record_everything' and 'account_from' cannot both hold: the points would be recorded twice"],
    ),
    "two ends": (
        "  - winner_opens_next",
        "  - first_to_reach_wins: {target: 10}\n  - winner_opens_next",
        ["21:5: 'first_to_reach_wins' and 'who_reaches_loses' cannot both hold: each says who wins the match"],
    ),
    "never recorded": (
        "  - account_from: {single: 13, pairs: 25}\n",
        "",
        [
            "17:5: what 'losers_record_their_own' gives is never recorded: 'settlement' needs one of record_everything, "
            "account_from, account_with_points_put_by"
        ],
    ),
    "nothing counted": (
        "  - losers_record_their_own\n",
        "",
        [
            "17:5: no step says what a side gets: 'settlement' needs one of winner_gets_the_rest, "
            "losers_record_their_own, round_gives, all_record_their_own"
        ],
    ),
    "no opener": (
        "  - winner_opens_next\n",
        "",
        [
            "11:16: 'last_round_decides' needs a step that names the opener: one of winner_opens_next, "
            "loser_opens_next, next_in_turn_opens_next, last_to_lay_opens_next, sitting_on_the_goat"
        ],
    ),
    "a tile that nobody has taken": (
        "later_opening: last_round_decides",
        "later_opening: {last_round_decides: {taken: 6-6}}",
        ["11:45: 'taken' needs 'deal: {winner_takes_a_tile: {tile: …}}' with the same tile"],
    ),
    "always dealt again": (
        "hand: 7",
        "hand: 7\nredeal: {dealt_again: {same_number: 2}}",
        ["6:37: with 'same_number: 2' hardly a deal of 2 hands of 7 tiles would ever count"],
    ),
    "first round without a last one": (
        "first_opening: {lowest_double_opens: {never: [0-0]}}",
        "first_opening: last_round_decides",
        [
            "10:16: 'first_opening' has no rule 'last_round_decides'; it is a rule of 'later_opening'; known here: "
            "lowest_double_opens, highest_double_opens, smallest_tile_opens, lowest_double_unless_bonus_opens, "
            "lowest_double_drawn_for_opens, lot_opens"
        ],
    ),
    "steps without extends": (
        "hand: 7",
        "hand: 7\nsteps: {winner_opens_next: none}",
        ["6:1: 'steps' changes the settlement of the ruleset that is extended; it needs 'extends' and no 'settlement'"],
    ),
    "a step unknown and another out of order": (
        "  - account_from: {single: 13, pairs: 25}\n",
        "  - account_frm: {single: 13}\n  - record_everything\n  - eggs_to_the_loser\n",
        [
            "19:5: 'settlement' has no rule 'account_frm'; did you mean 'account_from'?",
            "21:5: 'eggs_to_the_loser' must stand before 'record_everything': what it gives would not be recorded",
        ],
    ),
    "several at once": (
        "placing: two_ends\ndrawing:",
        "placing: two_end\ncolour: red\ndrawing:",
        [
            "12:10: 'placing' has no rule 'two_end'; did you mean 'two_ends'?",
            "13:1: a ruleset has no 'colour'; known: kozel-ruleset, id, extends, name, source, seats, pairs, hand, "
            "options, steps, deal, redeal, first_opening, later_opening, lead, placing, drawing, throwing, counting, "
            "fish, settlement",
        ],
    ),
}


@pytest.mark.parametrize(("old", "new", "expected"), BROKEN.values(), ids=BROKEN)
def test_a_mistake_is_told_at_its_place(old: str, new: str, expected: list[str]) -> None:
    assert problems(changed(old, new)) == expected


BROKEN_EXTENSIONS: dict[str, tuple[str, list[str]]] = {
    "unknown parent": (
        "kozel-ruleset: 1\nid: own\nextends: kozl\n",
        ["3:10: there is no ruleset 'kozl' to extend; did you mean 'kozel'?"],
    ),
    "unknown step to leave out": (
        f"{EXTENDING}steps: {{account: none}}\n",
        ["4:9: there is no step 'account' to leave out; did you mean 'account_from'?"],
    ),
    "new step without a place": (
        f"{EXTENDING}steps: {{record_everything: {{}}}}\n",
        ["4:9: the new step 'record_everything' needs 'before: STEP' or 'after: STEP'"],
    ),
    "place that is not there": (
        f"{EXTENDING}steps: {{account_from: none, record_everything: {{after: egg}}}}\n",
        [
            "4:56: there is no step 'egg' here; known: general_goat, losers_record_their_own, bonus_for_first_and_last_tile, "
            "eggs_to_the_loser, who_reaches_loses, winner_opens_next"
        ],
    ),
    "two places": (
        f"{EXTENDING}steps: {{winner_opens_next: {{after: general_goat, before: general_goat}}}}\n",
        ["4:50: a step has one place: 'before' or 'after', once"],
    ),
    "unknown step": (
        f"{EXTENDING}steps: {{who_reach_loses: {{target: 5}}}}\n",
        ["4:9: 'settlement' has no rule 'who_reach_loses'; did you mean 'who_reaches_loses'?"],
    ),
    "unknown option to leave out": (
        f"{EXTENDING}options: {{aim: none}}\n",
        ["4:11: there is no option 'aim' to leave out; known: target, auto_draw, double_play, bonuses"],
    ),
    "option that inherited rules need": (
        f"{EXTENDING}options: {{bonuses: none}}\n",
        [
            "3:10: 'when' names an option 'bonuses' that is not among the options; known: target, auto_draw, double_play, "
            "pairs, seats (inherited)"
        ],
    ),
    "order after a change": (
        f"{EXTENDING}steps: {{eggs_to_the_loser: {{after: account_from}}}}\n",
        ["4:9: 'eggs_to_the_loser' must stand before 'account_from': what it gives would not be recorded"],
    ),
    "hand for a new number of seats": (
        "kozel-ruleset: 1\nid: own\nextends: kozel-1x1\nhand: 14\nseats: [2, 4]\n",
        ["4:7: the hand must be from 1 to 7 tiles, for 4 seats have 28 together"],
    ),
    "no opener any more": (
        f"{EXTENDING}steps: {{winner_opens_next: none}}\n",
        [
            "3:10: 'last_round_decides' needs a step that names the opener: one of winner_opens_next, loser_opens_next, "
            "next_in_turn_opens_next, last_to_lay_opens_next, sitting_on_the_goat (inherited)"
        ],
    ),
}


@pytest.mark.parametrize(("text", "expected"), BROKEN_EXTENSIONS.values(), ids=BROKEN_EXTENSIONS)
def test_a_mistake_in_a_change_is_told_at_its_place(text: str, expected: list[str]) -> None:
    assert problems(text) == expected


def test_too_many_conditions_are_refused_at_once() -> None:
    options = "".join(f"  option{n}: yes\n" for n in range(40))
    rules = "".join(f"  - any_tile: {{when: {{option{n}: yes}}}}\n" for n in range(40))
    text = KOZEL.replace("options:\n", f"lead:\n{rules}  - any_double\noptions:\n{options}")
    assert problems(text) == ["1:1: 'when' asks for 42 options in more than 2000 combinations; ask for fewer"]


def test_settings_and_places_of_inherited_steps_change() -> None:
    ruleset = parse_ruleset(
        f"{EXTENDING}steps: {{account_from: {{single: 20, after: losers_record_their_own}}, eggs_to_the_loser: none, "
        "bonus_for_first_and_last_tile: none}\n".encode(),
        FILE,
    )
    steps = ruleset.slots["settlement"]
    assert [step.name for step in steps] == [
        "general_goat",
        "losers_record_their_own",
        "account_from",
        "who_reaches_loses",
        "winner_opens_next",
    ]
    assert steps[2].settings == {"single": 20, "pairs": 25}


def test_a_condition_of_an_inherited_step_can_be_taken_away() -> None:
    text = f"{EXTENDING}steps: {{bonus_for_first_and_last_tile: {{when: none}}}}\n"
    ruleset = parse_ruleset(text.encode(), FILE)
    assert next(step for step in ruleset.slots["settlement"] if step.name.startswith("bonus")).when == {}
    assert "bonuses" not in ruleset.options


def test_an_inherited_option_that_no_rule_uses_goes() -> None:
    ruleset = parse_ruleset(f"{EXTENDING}drawing: never_drawn\n".encode(), FILE)
    assert tuple(ruleset.options) == ("target", "double_play", "bonuses")


def test_own_rulesets_are_found_by_their_id_and_read_again_when_they_or_their_parents_change(tmp_path: Path) -> None:
    (tmp_path / "first.yaml").write_text(KOZEL.replace("id: own", "id: base"), encoding="utf-8")
    (tmp_path / "second.yaml").write_text("kozel-ruleset: 1\nid: child\nextends: first\n", encoding="utf-8")
    (tmp_path / "kozel.yaml").write_text("kozel-ruleset: 1\nid: kozel\nextends: domino\n", encoding="utf-8")
    assert own_ids(tmp_path) == ("base", "child")
    assert find("child", tmp_path).hand == {2: 7, 4: 7}
    (tmp_path / "first.yaml").write_text(
        KOZEL.replace("id: own", "id: base").replace("hand: 7", "hand:  6"), encoding="utf-8"
    )
    assert find("child", tmp_path).hand == {2: 6, 4: 6}
    with pytest.raises(UnknownRuleset, match="there is no ruleset 'chold'; did you mean 'child'"):
        find("chold", tmp_path)


def test_rulesets_that_extend_each_other_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("kozel-ruleset: 1\nid: a\nextends: b\n")
    (tmp_path / "b.yaml").write_text("kozel-ruleset: 1\nid: b\nextends: a\n")
    with pytest.raises(BadFile, match="'a' extends itself"):
        find("a", tmp_path)


def commanded(
    action: str, *names: str, lang: str = "en", folder: Path | None = None
) -> tuple[int, list[str], list[str]]:
    said: list[str] = []
    complained: list[str] = []
    status = rules_command(action, names, lang, folder, said.append, complained.append)
    return status, said, complained


def test_rules_list_names_the_shipped_and_the_own_ones(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(KOZEL.replace("id: own", "id: own\nname: Ours"), encoding="utf-8")
    (tmp_path / "bad.yaml").write_text("id: bad\n")
    status, said, complained = commanded("list", folder=tmp_path)
    assert (status, complained) == (0, [])
    assert said[0] == "domino: Domino"
    assert len(said) == len(shipped_ids()) + 3
    assert said[-3:] == [
        f"bad: can't be used; see: kozel rules check {tmp_path / 'bad.yaml'}",
        "own: Ours, your own",
        f"Your own rulesets go into this folder: {tmp_path}",
    ]


def test_rules_show_tells_a_ruleset_or_the_nearest_name() -> None:
    status, said, _ = commanded("show", "osel", lang="ru")
    assert status == 0
    assert said[0] == "Осёл (osel)."
    assert commanded("show", "oselo") == (2, [], ["There is no ruleset 'oselo'; did you mean 'osel'?"])


def test_rules_check_tells_all_files(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(KOZEL, encoding="utf-8")
    bad.write_text(KOZEL.replace("seats: [2, 4]", "seats: [2, 9]").replace("two_ends", "two_end"), encoding="utf-8")
    status, said, complained = commanded("check", str(bad), str(good))
    assert status == 2
    assert said == [f"{good} is fine: own (own)."]
    assert complained == [
        f"{bad}:3:12: 'seats' lists numbers of players, each once, from 2 to 4",
        f"{bad}:12:10: 'placing' has no rule 'two_end'; did you mean 'two_ends'?",
    ]


NATURAL: dict[str, tuple[str, list[str]]] = {
    "a word for the drawing": (f"{EXTENDING}bazaar: no\n", ["a ruleset has no 'bazaar'; write 'drawing: never_drawn'"]),
    "the same with yes": (f"{EXTENDING}bazaar: yes\n", ["a ruleset has no 'bazaar'; write 'drawing: until_playable'"]),
    "the same in Russian": (f"{EXTENDING}базар: нет\n", ["a ruleset has no 'базар'; write 'drawing: never_drawn'"]),
    "no for a slot": (f"{EXTENDING}redeal: no\n", ["'redeal' has no rule 'no'; write 'redeal: never_dealt_again'"]),
    "no for the drawing": (f"{EXTENDING}drawing: нет\n", ["'drawing' has no rule 'нет'; write 'drawing: never_drawn'"]),
    "no pairs": (
        f"{EXTENDING}pairs: no\n",
        ["'pairs' must be one of never, optional, always, not 'no'; write 'pairs: never'"],
    ),
    "no in Russian": (
        f"{EXTENDING}options: {{bonuses: нет}}\n",
        ["option 'bonuses' needs its default: yes, no, a number, or {default: …, values: […]}; write 'no'"],
    ),
    "a letter for a digit": (
        f"{EXTENDING}steps: {{who_reaches_loses: {{target: 1О1}}}}\n",
        ["'target' must be a whole number from 1 to 1000, not '1О1'; write '101'"],
    ),
    "a shipped ruleset by its name": (
        "kozel-ruleset: 1\nid: own\nextends: Козёл\n",
        ["there is no ruleset 'Козёл' to extend; write 'kozel'"],
    ),
    "a step that is not wanted, outside of the steps": (
        f"{EXTENDING}general_goat: no\n",
        ["a ruleset has no 'general_goat'; it is a step: write it under 'steps' as 'general_goat: none'"],
    ),
    "players": (f"{EXTENDING}игроки: 2\n", ["a ruleset has no 'игроки'; write 'seats: [2, 3, 4]'"]),
    "an option outside of the options": (
        f"{EXTENDING}target: 50\n",
        ["a ruleset has no 'target'; write 'options: {target: …}'"],
    ),
    "a rule in its slot's place": (
        f"{EXTENDING}never_drawn: yes\n",
        ["a ruleset has no 'never_drawn'; write 'drawing: never_drawn'"],
    ),
    "a step outside of the steps": (
        f"{EXTENDING}officer_goat: {{tile: 0-0}}\n",
        ["a ruleset has no 'officer_goat'; it is a step: write it under 'steps' as 'officer_goat'"],
    ),
    "eggs": (
        f"{EXTENDING}яйца: no\n",
        ["a ruleset has no 'яйца'; it is a step: write it under 'steps' as 'eggs_to_the_loser: none'"],
    ),
    "an option by its Russian name": (
        f"{EXTENDING}options: {{Премии: no}}\n",
        [
            "'Премии' is no name for an option: small Latin letters, digits and '_', not 'pairs' or 'seats'; "
            "write 'bonuses'"
        ],
    ),
    "an option by its English name": (f"{EXTENDING}options: {{two doubles at once: none}}\n", [
        "there is no option 'two doubles at once' to leave out; write 'double_play'"
    ]),
    "an option asked for by its Russian name": (
        f"{EXTENDING}lead: [{{any_double: {{when: {{надбавки: yes}}}}}}, any_tile]\n",
        ["'when' names an option 'надбавки' that is not among the options; write 'bonuses'"],
    ),
    "Cyrillic letters that look like Latin ones": (
        "kozel-ruleset: 1\nid: own\nextends: k\u043ezel\n",
        [
            "there is no ruleset 'k\u043ezel' to extend; some letters here are Cyrillic (\u043e): "
            "write 'kozel' in Latin letters"
        ],
    ),
    "the same in a key": (
        f"{EXTENDING}h\u0430nd: 6\n",
        ["a ruleset has no 'h\u0430nd'; some letters here are Cyrillic (\u0430): write 'hand' in Latin letters"],
    ),
    "the same in a rule": (
        f"{EXTENDING}drawing: never_dr\u0430wn\n",
        [
            "'drawing' has no rule 'never_dr\u0430wn'; some letters here are Cyrillic (\u0430): "
            "write 'never_drawn' in Latin letters"
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), NATURAL.values(), ids=NATURAL)
def test_a_natural_attempt_is_answered_with_what_to_write(text: str, expected: list[str]) -> None:
    assert [told.partition(": ")[2] for told in problems(text)] == expected


@pytest.mark.parametrize("word", ["none", "no", "No", "off", "~"])
def test_no_leaves_a_step_out_as_none_does(word: str) -> None:
    ruleset = parse_ruleset(
        f"kozel-ruleset: 1\nid: own\nextends: kozel-yard\nsteps: {{officer_goat: {word}}}\n".encode(), FILE
    )
    assert [step.name for step in ruleset.slots["settlement"]] == ["general_goat", "sitting_on_the_goat"]


NAMED = f"""\
{EXTENDING}options:
  target: {{name: {{ru: До скольких очков, en: Up to}}}}
  draw:
    default: all
    values: {{all: {{ru: до подходящей, en: until one fits}}, one: {{en: one tile}}, few: }}
    name: {{en: Drawing}}
    about: {{ru: Сколько брать., en: How many are drawn.}}
  bonuses: {{default: no, name: Extra}}
drawing:
  - one_tile: {{when: {{draw: one}}}}
  - never_drawn: {{when: {{draw: few}}}}
  - until_playable
"""


def test_a_ruleset_names_its_options_and_their_values_and_explains_them() -> None:
    options = parse_ruleset(NAMED.encode(), FILE).options
    draw = options["draw"]
    assert (draw.default, draw.values) == ("all", ("all", "one", "few"))
    assert [option_label(draw, lang) for lang in ("en", "ru")] == ["Drawing", "Drawing"]
    assert [option_about(draw, lang) for lang in ("en", "ru")] == ["How many are drawn.", "Сколько брать."]
    assert [value_label(draw, value, "ru") for value in draw.values or ()] == ["до подходящей", "one tile", "few"]
    assert (options["target"].default, option_label(options["target"], "ru")) == (125, "До скольких очков")
    assert (options["bonuses"].default, option_label(options["bonuses"], "ru")) == (False, "Extra")


def test_what_is_not_named_is_called_as_the_program_calls_it() -> None:
    options = find("kozel").options
    assert option_label(options["double_play"], "en") == "Two doubles at once"
    own = parse_ruleset(KOZEL.replace("draw:", "who_draws:").encode().replace(b"{draw", b"{who_draws"), FILE)
    assert option_label(own.options["who_draws"], "ru") == "who draws"


def test_a_default_among_inherited_values_keeps_them() -> None:
    options = parse_ruleset(b"kozel-ruleset: 1\nid: own\nextends: kozel-1x1\noptions: {draw: one}\n", FILE).options
    assert (options["draw"].default, options["draw"].values) == ("one", ("until_playable", "one"))


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("{default: 125, name: {eng: X}}", "'name' has no language 'eng'; did you mean 'en'?"),
        ("{default: 125, name: {en: ''}}", "a name must be a text"),
        (f"{{default: 125, about: {'x' * 251}}}", "a name has at most 250 characters, not 251"),
        (
            "{default: 125, about: {en: One, or two}}",
            "'or two' looks like the rest of a text: a text with a comma stands in quotes",
        ),
        ("{default: 125, nam: X}", "an option has no 'nam'; did you mean 'name'?"),
        ("{default: 5, values: {}}", "'values' of option 'target' must be a list such as [1, 2, 3]"),
    ],
)
def test_a_mistake_in_what_an_option_is_called_is_told(option: str, expected: str) -> None:
    (told,) = problems(changed("target: 125", f"target: {option}"))
    assert told.partition(": ")[2] == expected


def test_names_may_be_in_a_language_that_the_program_does_not_have_and_fall_back_to_english() -> None:
    text = f"{EXTENDING}name: {{be: Казёл, en: Goat}}\noptions: {{target: {{name: {{uk: Мета}}}}}}\n"
    ruleset = parse_ruleset(text.encode(), FILE)
    assert [ruleset.name(lang) for lang in ("be", "ru", "en")] == ["Казёл", "Goat", "Goat"]
    assert option_label(ruleset.options["target"], "ru") == "Мета"


def test_rules_check_takes_an_id_too(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(KOZEL, encoding="utf-8")
    assert commanded("check", "own", folder=tmp_path)[1] == [f"{tmp_path / 'good.yaml'} is fine: own (own)."]
    status, said, _ = commanded("check", "osel", folder=tmp_path)
    assert status == 0
    assert said[0].endswith("osel.yaml is fine: Osel (osel).")
