"""Version 2 of the record: deals that prove themselves, promises kept by players, computers that take a seat over."""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from kozel.cli.main import run
from kozel.engine.match import deal as dealt_round
from kozel.engine.match import decide, new_match
from kozel.engine.shuffle import Shuffle
from kozel.play.store import read_kept
from kozel.play.table import Table
from kozel.records.reading import parse_record
from kozel.records.replay import replay_text
from kozel.records.shuffling import Promise, promise_text
from kozel.records.writing import deal_text, head_text, move_text, record_text
from kozel.rules.reading import find
from play.driven import Driven

SHUFFLE = Shuffle(bytes(range(32)), ("k7", None, "лес"))
NAMES = ("Anna", "Boris", "Vera")


def played(ruleset: str = "kozel", shuffle: Shuffle = SHUFFLE, rounds: int = 3, **changes: str) -> str:
    """A match by this shuffle; `changes`: lines under `moves` before a decision, by its number: `at_7`."""
    rules = find(ruleset)
    seats = len(shuffle.additions)
    pairs = rules.seating(seats, None)
    match = new_match(rules.game(seats, pairs, {}))
    text = head_text(ruleset, (*NAMES, "Gleb")[:seats], pairs, shuffle=shuffle, date="2026-11-30")
    chance, number = Random(5), 0
    while match.end is None and len(match.past) < rounds:
        dealt = shuffle.deal(match)
        match, _ = dealt_round(match, dealt)
        text += deal_text(dealt)
        while match.round is not None:
            text += "".join(map(move_text, filter(None, [changes.get(f"at_{number}", "")])))
            move = chance.choice(match.round.legal)
            match, _ = decide(match, move)
            text += move_text(move.text)
            number += 1
    return text


def check(text: str, promise: Promise | None = None) -> dict[str, Any]:
    return replay_text(text, "x.yaml", promise=promise)


def kept(shuffle: Shuffle = SHUFFLE, seat: int | None = 0) -> Promise:
    return Promise(shuffle.commitment, shuffle.hashes, shuffle.additions[seat or 0], seat)


RULESETS = ("domino", "kozel", "kozel-101", "osel", "kozel-deferred")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_right_shuffle_is_consistent_and_with_its_promise_proven(ruleset: str) -> None:
    text = played(ruleset)
    assert text.startswith("kozel-record: 2\n")
    assert check(text)["shuffle"] == "consistent"
    assert check(text, kept())["shuffle"] == "proven"
    assert check(text, kept(seat=1))["shuffle"] == "proven"
    assert check(text, kept(seat=None))["shuffle"] == "proven"
    assert list(check(text)).index("shuffle") == list(check(text)).index("to_move") + 1


@pytest.mark.parametrize(("ruleset", "seats"), [("kozel-yard", 4), ("kozel-2x2", 4), ("kozel-1x1", 2)])
def test_with_tiles_that_are_given_lots_and_new_deals(ruleset: str, seats: int) -> None:
    shuffle = Shuffle(b"7" * 32, ("a", "b", None, "")[:seats])
    assert check(played(ruleset, shuffle, rounds=12))["shuffle"] == "consistent"


def test_the_deals_are_those_of_the_formats_words() -> None:
    """Computed here from the record's own text, without the program."""
    data = yaml.safe_load(played())
    secret = bytes.fromhex(data["shuffle"]["secret"])
    assert data["shuffle"]["commitment"] == hashlib.sha256(secret).hexdigest()
    add = hashlib.sha256(json.dumps(data["shuffle"]["additions"], separators=(",", ":")).encode()).hexdigest()
    for number, each in enumerate(data["rounds"]):
        tiles = [f"{a}-{b}" for a in range(7) for b in range(a, 7)]
        tiles.sort(key=lambda tile: hmac.new(secret, f"{add}/{number}/{tile}".encode(), "sha256").digest())
        assert [sorted(tiles[seat * 7 : seat * 7 + 7]) for seat in range(3)] == [sorted(hand) for hand in each["hands"]]
        assert tiles[21:] == each["bazaar"]


def test_it_is_written_again_as_it_was_read() -> None:
    text = played(at_3="computer 1 amateur", at_9="person 1")
    assert record_text(parse_record(text, Path("x"))) == text


OTHER = Shuffle(b"x" * 32, SHUFFLE.additions)
HEADS = {
    "another secret": (SHUFFLE.secret.hex(), OTHER.secret.hex(), "commitment"),
    "another commitment": (SHUFFLE.commitment, OTHER.commitment, "commitment"),
    "another addition": ('"k7"', '"k8"', "seat 0"),
    "a hash that is none": ("null, ", '"x", ', "64 hexadecimal digits"),
    "an addition that was none": ('"k7", null', '"k7", "x"', "seat 1"),
    "another hash": (SHUFFLE.hashes[2] or "", OTHER.commitment, "seat 2"),
    "no hash": (f'"{SHUFFLE.hashes[2]}"', "null", "seat 2"),
    "a short secret": (SHUFFLE.secret.hex(), SHUFFLE.secret.hex()[:-2], "64 hexadecimal digits"),
    "a secret with blanks": (SHUFFLE.secret.hex(), SHUFFLE.secret.hex()[:-2] + "  ", "64 hexadecimal digits"),
    "a list too short": ('additions: ["k7", null, "лес"]', 'additions: ["k7", null]', "for each seat"),
    "no list": ('additions: ["k7", null, "лес"]', "additions: k7", "for each seat"),
    "lists in the list": ('additions: ["k7", null, "лес"]', 'additions: ["k7", [], "лес"]', "for each seat"),
    "a part missing": (f'  commitment: "{SHUFFLE.commitment}"\n', "", "commitment: …"),
    "an unknown part": ("  hashes:", "  salt: x\n  hashes:", "has no 'salt'"),
    "a seed as well": ("date:", "seed: x\ndate:", "not both"),
    "version 1": ("kozel-record: 2", "kozel-record: 1", "kozel-record: 2"),
    "version 3": ("kozel-record: 2", "kozel-record: 3", "1 or 2"),
}


@pytest.mark.parametrize("name", HEADS)
def test_what_is_wrong_in_the_head(name: str) -> None:
    old, new, told = HEADS[name]
    text = played(rounds=1)
    assert old in text
    result = check(text.replace(old, new, 1))
    assert (result["ok"], result["round"], result["move"]) == (False, None, None)
    assert told in result["error"]
    assert "shuffle" not in result


def test_upper_case_digits_are_the_same_numbers() -> None:
    text = played(rounds=1)
    for digits in (SHUFFLE.secret.hex(), SHUFFLE.commitment, SHUFFLE.hashes[0] or ""):
        text = text.replace(digits, digits.upper())
    assert check(text, kept())["shuffle"] == "proven"


def test_without_a_shuffle_version_2_is_as_version_1() -> None:
    text = played(rounds=1)
    start, end = text.index("shuffle:"), text.index("date:")
    told = check(text[:start] + text[end:])
    assert (told["ok"], told["shuffle"]) == (True, None)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_another_deal_is_its_rounds_error(number: int) -> None:
    """Two tiles of the bazaar, or of two hands, change places; the decisions after it are not looked at."""
    data = yaml.safe_load(played())
    for change in ("bazaar", "hands", "both"):
        changed = json.loads(json.dumps(data))
        each = changed["rounds"][number - 1]
        bazaar, hands = each["bazaar"], each["hands"]
        if change == "bazaar":
            bazaar[0], bazaar[-1] = bazaar[-1], bazaar[0]
        elif change == "hands":
            hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
        else:
            hands[2][6], bazaar[3] = bazaar[3], hands[2][6]
        told = check(json.dumps(changed))
        assert (told["ok"], told["round"], told["move"]) == (False, number, None)
        assert "not_promised" in told["error"]
        each["hands"] = [sorted(hand, reverse=True) for hand in data["rounds"][number - 1]["hands"]]
        each["bazaar"] = data["rounds"][number - 1]["bazaar"]
        assert check(json.dumps(changed))["ok"], "the order within a hand means nothing"


def test_another_lot_is_its_rounds_error() -> None:
    shuffle = Shuffle(b"7" * 32, ("a", "b", None, ""))
    text = played("kozel-2x2", shuffle, rounds=1)
    lot = shuffle.lot(0, 4)
    told = check(text.replace(f"    opener: {lot}\n", f"    opener: {(lot + 1) % 4}\n", 1))
    assert (told["round"], told["move"], told["error"].split()[0]) == (1, None, "not_promised_lot")


UNLIKE = {
    "promise_commitment": kept()._replace(commitment=OTHER.commitment),
    "promise_hash": kept()._replace(hashes=(SHUFFLE.hashes[0], None, None)),
    "promise_seats": kept()._replace(hashes=SHUFFLE.hashes[:2]),
    "promise_addition": kept()._replace(addition="k8"),
}


@pytest.mark.parametrize("kind", UNLIKE)
def test_a_record_that_is_not_what_was_promised(kind: str) -> None:
    """All of it may be consistent: whoever forged it could not forge what the player kept."""
    told = check(played(rounds=1), UNLIKE[kind])
    assert (told["ok"], told["round"], told["move"], told["error"].split()[0]) == (False, None, None, kind)


def test_a_record_made_anew_from_another_secret_is_consistent_but_not_proven() -> None:
    forged = played(rounds=1, shuffle=OTHER)
    assert check(forged)["shuffle"] == "consistent"
    assert not check(forged, kept())["ok"]


def test_a_record_without_a_shuffle_is_not_the_promised_one() -> None:
    told = check("kozel-record: 1\nruleset: kozel\nplayers: [A, B]\n", kept())
    assert (told["ok"], told["round"], told["error"]) == (False, None, "promise_no_shuffle")


# who decides from where on


def test_computers_and_persons_are_no_decisions_and_change_nothing() -> None:
    plain = played()
    text = played(at_3="computer 1 amateur", at_9="person 1", at_12="computer 0 master", at_0="person 2")
    assert text.count("computer") == 2
    assert check(text) == check(plain)
    broken = text.rstrip("\n").rsplit("\n", 1)[0] + "\n      - 0-0 up closed\n"
    plainly = plain.rstrip("\n").rsplit("\n", 1)[0] + "\n      - 0-0 up closed\n"
    assert check(broken)["move"] == check(plainly)["move"]
    assert check(text + move_text("computer 2 novice"))["ok"], "after a round's last decision too"


NOBODY = (
    *("computer", "computer 1", "computer 3 amateur", "computer -1 novice", "computer 1 genius", "computer one novice"),
    *("computer 1 novice 2", "computer 01 novice", "person", "person 7", "person 1 novice"),
)


@pytest.mark.parametrize("line", NOBODY)
def test_a_line_that_seats_nobody(line: str) -> None:
    told = check(played(at_3=line))
    assert (told["ok"], told["round"], told["move"], told["error"].split()[0]) == (False, 1, 4, "seat_change")


def test_in_version_1_they_are_no_moves() -> None:
    text = played(at_3="computer 1 amateur", rounds=1)
    start, end = text.index("shuffle:"), text.index("date:")
    told = check((text[:start] + text[end:]).replace("kozel-record: 2", "kozel-record: 1"))
    assert (told["ok"], told["round"], told["move"]) == (False, 1, 4)


# at a table, and on the command line


def test_a_match_that_goes_on_is_dealt_by_its_shuffle(tmp_path: Path) -> None:
    path = tmp_path / "match.yaml"
    path.write_text(played(rounds=2), encoding="utf-8")
    table = Driven(Table.go_on(read_kept(path)))
    for _ in range(2):
        table.deal()
        while table.match.round is not None:
            table.decide(table.match.round.legal[0])
        if table.match.end is not None:
            break
    table.close()
    told = check(path.read_text(encoding="utf-8"), kept())
    assert told["shuffle"] == "proven"
    assert len(told["rounds"]) > 2


def test_computers_draw_their_numbers_from_it(tmp_path: Path) -> None:
    path = tmp_path / "match.yaml"
    path.write_text(played(rounds=2), encoding="utf-8")
    table = Table.go_on(read_kept(path))
    view = table.view(1)
    assert table.randoms(1)(view).random() == SHUFFLE.stream(1, view.decisions).random()


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KOZEL_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "match.yaml").write_text(played(), encoding="utf-8")
    (tmp_path / "forged.yaml").write_text(played(shuffle=OTHER), encoding="utf-8")
    (tmp_path / "promise.json").write_text(promise_text(kept()), encoding="utf-8")
    return tmp_path


def test_replay_with_a_promise(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match, forged, promise = (str(files / name) for name in ("match.yaml", "forged.yaml", "promise.json"))
    assert run(["replay", "--json", match]) == 0
    assert json.loads(capsys.readouterr().out)["shuffle"] == "consistent"
    assert run(["replay", "--json", "--promise", promise, match, forged]) == 2
    proven, wrong = map(json.loads, capsys.readouterr().out.splitlines())
    assert proven["shuffle"] == "proven"
    assert (wrong["ok"], wrong["round"], wrong["move"]) == (False, None, None)


WORDS = [("en", "own secret", "were promised"), ("ru", "самой записи", "обещано")]


@pytest.mark.parametrize(("lang", "consistent", "proven"), WORDS)
def test_in_words_it_says_so_once(
    files: Path, lang: str, consistent: str, proven: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match, forged, promise = (str(files / name) for name in ("match.yaml", "forged.yaml", "promise.json"))
    assert run(["replay", "--lang", lang, match]) == 0
    assert capsys.readouterr().out.count(consistent) == 1
    assert run(["replay", "--lang", lang, "--promise", promise, match]) == 0
    assert capsys.readouterr().out.count(proven) == 1
    assert run(["replay", "--lang", lang, "--promise", promise, forged]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"{forged}: ")
    assert told.err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{}", "commitment"),
        ("[]", "promise"),
        ('{"commitment": "x", "hashes": [], "addition": null}', "64 hexadecimal digits"),
        (promise_text(kept()).replace('"seat": 0', '"seat": 9'), "'seat' must be a number from 0 to 2"),
        (promise_text(kept()).replace('"addition": "k7"', '"addition": []'), "'addition' must be a text, or null"),
        (promise_text(kept()).replace('"hashes": [', '"hashes": [[], '), "'hashes' must be a list"),
    ],
)
def test_a_promise_that_cannot_be_read(
    files: Path, content: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "bad.json").write_text(content, encoding="utf-8")
    assert run(["replay", "--lang", "en", "--promise", str(files / "bad.json"), str(files / "match.yaml")]) == 2
    said = capsys.readouterr()
    assert told in said.err
    assert said.out == ""


def test_a_promise_in_yaml_with_more_in_it(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"commitment: {SHUFFLE.commitment}", f"hashes: [{SHUFFLE.hashes[0]}, null, {SHUFFLE.hashes[2]}]"]
    text = "\n".join([*lines, "addition: k7", "server: somewhere", "players: [A, B, V]", ""])
    (files / "promise.yaml").write_text(text, encoding="utf-8")
    assert run(["replay", "--json", "--promise", str(files / "promise.yaml"), str(files / "match.yaml")]) == 0
    assert json.loads(capsys.readouterr().out)["shuffle"] == "proven"
