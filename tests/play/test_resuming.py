"""A record is parsed before anything of it is cut: only what an interrupted write of ours left is, all else stays."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from kozel.engine.match import Dealt, Match, deal, decide, new_match, shuffled
from kozel.engine.moves import Move
from kozel.engine.shuffle import Shuffle
from kozel.play.store import Kept, Unusable, read_kept, take
from kozel.records.reading import parse_record
from kozel.records.replay import replay_text
from kozel.records.writing import RecordFile, deal_text, head_text, move_text, record_text
from kozel.rules.reading import find
from play.kept_matches import play

SHUFFLE = Shuffle(bytes(range(32)), ("дача", None, "x: [1, 'y'] #"))


def own_record(folder: Path, ruleset: str = "kozel", **how: object) -> bytes:
    """A record as the program writes it; the file is taken away."""
    path = play(folder, ruleset, decisions=30, target=1000, **how)  # type: ignore[arg-type]
    content = path.read_bytes()
    path.unlink()
    return content


def version_2(folder: Path) -> bytes:
    """A record with a deal that proves itself, in which a computer took a seat over."""
    rules = find("kozel")
    match = new_match(rules.game(3, False, {"target": 1000}))
    head = head_text("kozel", ("A", "B", "V"), False, options={"target": 1000}, shuffle=SHUFFLE, date="2026-11-30")
    path = folder / "two.yaml"
    record = RecordFile.create(path, head, private=True)
    chance = Random(4)
    for number in range(40):
        if match.round is None:
            dealt = SHUFFLE.deal(match)
            match, _ = deal(match, dealt)
            record.deal(dealt)
        if number in (7, 20):
            record.seat_computer(1, "amateur")
        if number == 9:
            record.seat_person(1)
        match = decided(match, record, chance)
    record.close()
    content = path.read_bytes()
    path.unlink()
    return content


def decided(match: Match, record: RecordFile, chance: Random) -> Match:
    assert match.round is not None
    move = chance.choice(match.round.legal)
    record.decide(move.text)
    return decide(match, move)[0]


def decisions(content: bytes) -> list[str]:
    """The whole lines under `moves` of a record of ours, plainly."""
    whole = content[: content.rfind(b"\n") + 1].decode().split("\n")
    return [line[8:] for line in whole if line.startswith("      - ") and not line.startswith("      - [")]


def held(kept: Kept) -> list[str]:
    """What a record read holds: decisions, and who decides from where on, in order."""
    text = record_text(kept.record)
    return decisions(text.encode())


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    folder = tmp_path_factory.mktemp("records")
    return [
        own_record(folder),
        own_record(folder, "osel", players=("A", "Б: 'в'", "#")),
        own_record(folder, "kozel-2x2", players=("A", "B", "V", "G")),
        version_2(folder),
    ]


@pytest.mark.parametrize("place", ["matches", "practice", "elsewhere"])
@pytest.mark.parametrize("number", range(4))
def test_cut_at_every_byte_it_goes_on_exactly_or_is_refused_and_stays(
    records: list[bytes], place: str, number: int, tmp_path: Path
) -> None:
    record = records[number]
    (tmp_path / place).mkdir()
    path = tmp_path / place / "match.yaml"
    head = record.index(b"rounds:\n") + len(b"rounds:\n")
    near = 1 if place == "matches" and number == 0 else 4
    last = record.rindex(b"  - hands:") - 10
    for size in (*range(0, head, 40), *range(head, last, 30), *range(last, len(record) + 1, near)):
        cut = record[:size]
        path.write_bytes(cut)
        try:
            kept, file = take(read_kept(path))
        except Unusable:
            assert size < head
            assert path.read_bytes() == cut
            continue
        file.close()
        if file.path != path:  # legal, but not as we write: it stays, and nothing of it is left out in its copy
            assert path.read_bytes() == cut
            assert place == "elsewhere" or size < head
            assert held(kept)[: len(decisions(cut))] == decisions(cut)
            assert parse_record(file.path.read_bytes(), file.path).rounds == kept.record.rounds
            file.path.unlink()
        else:
            left = path.read_bytes()
            assert cut.startswith(left)
            assert held(kept) == decisions(cut) == decisions(left)
            assert kept.torn == len(cut) - len(left) < 600
            assert replay_text(left, "x")["ok"]


def flow(content: bytes) -> bytes:
    return json.dumps(yaml.safe_load(content), ensure_ascii=False).encode()


def flow_moves(content: bytes) -> bytes:
    return re.sub(
        rb"    moves:\n((?:      - .*\n)*)",
        lambda block: b"    moves: [" + b", ".join(line[8:] for line in block[1].splitlines()) + b"]\n",
        content,
    )


def reordered(content: bytes) -> bytes:
    """The rounds before the head."""
    head, rounds = content.split(b"rounds:\n")
    return b"rounds:\n" + rounds + head


LAYOUTS: dict[str, Callable[[bytes], bytes]] = {
    "flow style": flow,
    "flow style and a newline": lambda content: flow(content) + b"\n",
    "flow moves": flow_moves,
    "carriage returns": lambda content: content.replace(b"\n", b"\r"),
    "Windows line ends": lambda content: content.replace(b"\n", b"\r\n"),
    "a byte order mark": lambda content: b"\xef\xbb\xbf" + content,
    "a comment before": lambda content: b"# tea at five\n" + content,
    "a comment inside": lambda content: content.replace(b"players:", b"# who\nplayers:"),
    "a comment after": lambda content: content + b"# to be continued",
    "a comment on the last line": lambda content: content[:-1] + b"   # well played",
    "a document mark": lambda content: b"---\n" + content + b"...\n",
    "wider": lambda content: content.replace(b"\n      - ", b"\n         -   "),
    "the head last": reordered,
    "blank lines": lambda content: content.replace(b"\n  - hands", b"\n\n  - hands"),
    "trailing blanks": lambda content: content.replace(b"\n", b"  \n"),
    "single quotes": lambda content: re.sub(rb'ruleset: "(.*)"', rb"ruleset: '\1'", content),
}


@pytest.mark.parametrize("end", ["as it is", "no newline"])
@pytest.mark.parametrize("place", ["matches", "elsewhere"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_legal_record_in_another_layout_goes_on_in_a_copy(
    records: list[bytes], layout: str, place: str, end: str, tmp_path: Path
) -> None:
    path = tmp_path / place / "вечер #1.yaml"
    path.parent.mkdir()
    for record in (records[0], records[2], records[3]):
        content = LAYOUTS[layout](record)
        if end == "no newline":
            content = content.rstrip(b"\r\n ")
        path.write_bytes(content)
        whole = parse_record(content, path)
        kept, file = take(read_kept(path))
        state = kept.match.round
        if state is not None:
            file.decide(state.legal[0].text)
        file.close()
        assert path.read_bytes() == content
        assert file.path.parent == path.parent
        copied = parse_record(file.path.read_bytes(), file.path)
        assert copied.head == whole.head
        moves = [each.moves for each in copied.rounds]
        assert [each.hands for each in copied.rounds] == [tuple(map(tuple, map(sorted, r.hands))) for r in whole.rounds]
        if state is not None:
            moves[-1] = moves[-1][:-1]
        assert moves == [each.moves for each in whole.rounds]
        assert [each.changes for each in copied.rounds] == [each.changes for each in whole.rounds]
        again = read_kept(file.path)
        assert (again.own, again.torn) == (True, 0)
        file.path.unlink()


@pytest.mark.parametrize("name", ["record-flow-moves-no-newline.yaml", "CRLF"])
def test_the_reported_record(name: str, tmp_path: Path) -> None:
    text = """\
kozel-record: 1
ruleset: "kozel"
players: ["Anna", "Boris"]
pairs: no
rounds:
  - hands:
      - [0-1, 1-1, 1-5, 2-2, 3-6, 4-5, 5-6]
      - [0-0, 0-3, 1-4, 2-4, 3-3, 3-5, 6-6]
    bazaar: [1-2, 2-6, 0-4, 2-3, 0-2, 1-6, 4-6, 0-5, 2-5, 5-5, 4-4, 0-6, 3-4, 1-3]
    moves: [1-1, 1-4 left, 4-5 left, 3-5 left, 3-6 left]"""
    content = text.replace("\n", "\r\n" if name == "CRLF" else "\n").encode()
    for folder in ("matches", "elsewhere"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "match.yaml"
        path.write_bytes(content)
        kept, file = take(read_kept(path))
        file.close()
        assert path.read_bytes() == content
        assert held(kept) == ["1-1", "1-4 left", "4-5 left", "3-5 left", "3-6 left"]
        assert decisions(file.path.read_bytes()) == held(kept)


def test_a_damaged_record_that_replay_refuses_stays(records: list[bytes], tmp_path: Path) -> None:
    """Every line in turn is blanked out or filled with zeros."""
    (tmp_path / "matches").mkdir()
    path = tmp_path / "matches" / "match.yaml"
    lines = records[0].split(b"\n")
    for number, line in enumerate(lines[:-1]):
        for filled in (b" " * len(line), b"\0" * len(line), b"x" * len(line)):
            content = b"\n".join([*lines[:number], filled, *lines[number + 1 :]])
            path.write_bytes(content)
            check_nothing_lost(path, content)


def check_nothing_lost(path: Path, content: bytes) -> None:
    """A record is taken or refused; whatever happens, no whole decision of it that could be read is gone."""
    legal = replay_text(content, str(path))["ok"]
    try:
        kept, file = take(read_kept(path))
    except Unusable:
        assert path.read_bytes() == content
        assert not legal
        return
    file.close()
    left = path.read_bytes()
    if file.path != path:
        assert left == content
        assert legal
        assert decisions(file.path.read_bytes()) == held(kept)
        file.path.unlink()
    elif left != content:  # what was interrupted is less than a line, or a deal of which nothing was told
        assert content.startswith(left)
        gone = content[len(left) :]
        assert b"\n" not in gone or gone.startswith(b"  - hands:")
        assert b"    moves:\n" not in gone
        assert len(gone) <= 1024


PIECES = (
    b"",
    b" ",
    b"\n",
    b"\r",
    b"\0",
    b"\0" * 30,
    b"#",
    b"]",
    b"- ",
    b"4-5 left",
    b"1",
    b"\xff",
    b"moves: []\n",
    b"\t",
)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 3), st.data())
def test_whatever_happened_to_a_record_nothing_more_is_lost(
    records: list[bytes], tmp_path_factory: pytest.TempPathFactory, number: int, data: st.DataObject
) -> None:
    content = records[number]
    folder = tmp_path_factory.getbasetemp() / "damage" / data.draw(st.sampled_from(("matches", "elsewhere")))
    folder.mkdir(parents=True, exist_ok=True)
    for _ in range(data.draw(st.integers(1, 2))):
        near = data.draw(st.sampled_from((len(content), 200)))
        start = data.draw(st.integers(max(0, len(content) - near), len(content)))
        end = data.draw(st.integers(start, min(len(content), start + 40)))
        content = content[:start] + data.draw(st.sampled_from(PIECES)) + content[end:]
    path = folder / "match.yaml"
    path.write_bytes(content)
    check_nothing_lost(path, content)


def test_zeros_that_a_power_cut_left_in_place_of_a_line_are_cut_and_no_more(
    records: list[bytes], tmp_path: Path
) -> None:
    (tmp_path / "matches").mkdir()
    path = tmp_path / "matches" / "match.yaml"
    for begun, zeros in ((b"", 16), (b"      - ", 8), (b"", 600)):
        path.write_bytes(records[0] + begun + bytes(zeros))
        kept, file = take(read_kept(path))
        file.close()
        assert kept.torn == len(begun) + zeros
        assert path.read_bytes() == records[0]
    path.write_bytes(records[0] + bytes(5000))
    with pytest.raises(Unusable):
        read_kept(path)


def test_what_the_program_writes_it_reads_whatever_the_size(tmp_path: Path) -> None:
    """Two megabytes: a player asks for a new deal for ever."""
    rules = find("kozel-1x1")
    match = new_match(rules.game(2, False, {}))
    asked = next(
        dealt
        for dealt in (shuffled(match._replace(deals=number), "x") for number in range(100_000))
        if {move.text for move in asked_in(match, dealt)} == {"keep", "redeal"}
    )
    head = head_text("kozel-1x1", ("A", "B"), False, seed="x")
    record = head + (deal_text(asked) + move_text("redeal")) * 10_000 + deal_text(asked)
    assert len(record) > 2_000_000
    (tmp_path / "matches").mkdir()
    path = tmp_path / "matches" / "long.yaml"
    path.write_bytes(record.encode() + b"      - ke")
    kept, file = take(read_kept(path))
    file.decide("keep")
    file.close()
    assert (len(kept.match.past), kept.own, kept.torn) == (10_000, True, 10)
    assert path.read_bytes() == (record + move_text("keep")).encode()


def asked_in(match: Match, dealt: Dealt) -> tuple[Move, ...]:
    state = deal(match, dealt)[0].round
    return state.legal if state else ()
