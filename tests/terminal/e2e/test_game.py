"""The real game in real terminals: every key pressed in a running match, the transcript as the witness."""

from __future__ import annotations

import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from oracle.records import replay_text
from play.hearing import Asked
from play.listening import UNHURRIED
from play.person import Person
from play.test_saved import decisions_in
from terminal.e2e.display import Display, Opened, wait_for
from terminal.e2e.game import Game, two_doubles
from terminal.e2e.terminals import KINDS, installed

pytestmark = [pytest.mark.slow, pytest.mark.display]

Open = Callable[..., Game]
_TURN = r"Your turn: left four, right five; three fit\."
_HELP = r"Help: \d+ lines\."
_NOT_MARKED = r"Nothing to lay it with: double blank stays unmarked\."
PRESSES = (
    # walking
    ("home", r"Double blank\."),
    ("right", r"Blank two\."),
    ("end", r"Double five, right\."),
    ("left", r"Five four, left and right\."),
    ("up", r"This is the first zone: own tiles\."),
    ("down", r"Table: four tiles\. Four one\."),
    ("end", r"Three five\."),
    ("down", r"Bazaar: seven tiles\."),
    ("up", r"Table: four tiles\. Three five\."),
    ("up", r"Own tiles: six\. Five four"),
    ("tab", r"Double five, right\."),
    ("s-tab", r"Five four, left and right\."),
    ("2", r"Blank two\."),
    ("6", r"Double five, right\."),
    ("9", r"There is no tile 9: you have six\."),
    ("0", r"There is no tile 10: you have six\."),
    ("1", r"Double blank\."),
    # refused, the remedy first
    ("space", r"Choose another: double blank fits nothing\."),
    ("enter", r"Choose another: double blank fits nothing\."),
    ("f4", r"Lay a tile: double four fits\."),
    ("d", r"Lay a tile: double four fits\."),
    ("D", r"Lay a tile: double four fits\."),
    ("backspace", r"Moves stand: taking back is for practice only\."),
    # what is told
    ("f2", r"Vera: three five, right\."),
    ("m", r"Vera: three five, right\."),
    ("M", r"Vera: three five, right\."),
    ("s-f2", r"Boris: one three, right\. Vera: three five, right\."),
    ("f3", r"Tiles: you 6, Boris 6, Vera 5\."),
    ("c", r"Tiles: you 6, Boris 6, Vera 5\."),
    ("C", r"Tiles: you 6, Boris 6, Vera 5\."),
    ("s-f3", r"Score: you 0, Boris 0, Vera 0\."),
    ("s", r"Score: you 0, Boris 0, Vera 0\."),
    ("S", r"Score: you 0, Boris 0, Vera 0\."),
    ("c-f3", r"No round has been played yet\."),
    ("p", r"No round has been played yet\."),
    ("c-s-f3", r"No eggs\."),
    ("e", r"No eggs\."),
    ("s-left", r"Left four\."),
    ("l", r"Left four\."),
    ("s-right", r"Right five\."),
    ("r", r"Right five\."),
    ("s-up", r"There is no upper end open\."),
    ("u", r"There is no upper end open\."),
    ("s-down", r"There is no lower end open\."),
    ("n", r"There is no lower end open\."),
    ("s-f4", r"Bazaar: seven tiles\."),
    ("b", r"Bazaar: seven tiles\."),
    ("f5", _TURN),
    ("w", _TURN),
    ("f9", r"Six tiles: double blank; .*; double five, right\."),
    ("a", r"Six tiles: double blank; .*; double five, right\."),
    ("s-f9", r"Chain: four tiles\. Left to right: four one, double one, one three, three five\."),
    ("z", r"Chain: four tiles\. Left to right: four one, double one, one three, three five\."),
    ("f1", _HELP),
    ("f1", _TURN),
    ("K", _HELP),
    ("escape", _TURN),
    ("?", _HELP),
    ("escape", _TURN),
    ("k", _HELP),
    ("k", _TURN),
    (",", r".* (\d+) of \1\."),
    (".", r"Nothing newer\. .* (\d+) of \1\."),
    ("[", r"The first kind\. All messages\. .* (\d+) of \1\."),
    ("]", r"Moves: none yet\."),
    ("f8", r"Verbosity: full\."),
    ("v", r"(?i).*\bbrief\b"),
    ("f8", r"Verbosity: normal\."),
    ("f7", r"Speech: direct|Direct speech doesn't work"),
    ("o", r"Speech is off\."),
    ("f7", r"Speech: lines"),
    # leaving asks, and Space never confirms
    ("q", r"Leave\?"),
    ("f6", r"Leave\?"),
    ("t", r"Leave\?"),
    ("space", r"Answer first: Leave\?"),
    ("escape", _TURN),
    ("escape", r"Leave\?"),
    ("q", _TURN),
    ("f6", _TURN),
    ("1", r"Double blank\."),
    ("x", _NOT_MARKED),
    ("X", _NOT_MARKED),
    ("Cyrillic_che", _NOT_MARKED),
    (
        "h",
        r"Double four left, double five right: gets rid of two doubles at once\. "
        r"Mark once with (X|Shift Space): double four, double five\.",
    ),
)
"""Keys in order, and the line that answers each. They end on a double that can be laid together with another one."""


@pytest.fixture
def play(display: Display, tmp_path: Path) -> Iterator[Open]:
    """Opens the game in a terminal; closes it at the end."""
    opened: list[Game] = []

    def start(name: str, *words: str, on: Display = display) -> Game:
        opened.append(Game(on, tmp_path, installed(name).command, *words))
        return opened[-1]

    yield start
    for game in opened:
        game.window.close()


@pytest.mark.parametrize("name", KINDS)
def test_every_key(name: str, play: Open, tmp_path: Path) -> None:
    kind = installed(name)
    game = play(name, "resume", str(two_doubles(tmp_path)))
    before = (tmp_path / "match.yaml").read_bytes()
    start = game.listened()
    assert any(line.text == "To lay two doubles at once, mark them with X." for line in start) == (
        kind.shift_space != "yes"
    )
    no_mark = _shift_space_is_no_move(game, kind.shift_space)
    faults = []
    own = {key.lower() for key in kind.own}
    for key, pattern in PRESSES:
        if key in own:
            continue
        lines = game.press(key)
        if not lines or not any(re.match(pattern, line.text) for line in (lines[0], lines[-1])):
            faults.append((key, pattern, lines))
        if len(lines) != 1:
            faults.append((key, "one line", lines))
    assert not faults, "\n".join(map(str, faults))
    assert no_mark == ""
    assert (tmp_path / "match.yaml").read_bytes() == before
    mark = "s-space" if kind.shift_space == "yes" else "x"
    assert [line.text for line in game.press(mark)] == ["Double four, marked."]
    assert [line.text for line in game.press("6", mark)] == ["Double five, right.", "Double five, marked."]
    lines = game.press("space")
    assert lines[0].text.lower().endswith("double four left, double five right.")
    assert b"\n      - 4-4 left + 5-5 right\n" in (tmp_path / "match.yaml").read_bytes()


def _shift_space_is_no_move(game: Game, support: str) -> str:
    """Shift+Space on a double that could be marked: '' where it marks, or asks where it arrives as Space."""
    said = [line.text for line in game.press("4", "s-space")]
    if support == "yes":
        said += [line.text for line in game.press("s-space")]
        wanted = ["Double four, left.", "Double four, marked.", "Double four, mark off."]
    else:
        wanted = ["Double four, left.", "Only double four? Space again; X marks it."]
    return "" if said == wanted else str(said)


@pytest.mark.parametrize("name", KINDS)
def test_a_whole_turn(name: str, play: Open) -> None:
    """Tab, Space, the question for the end answered by an arrow; later a draw by F4."""
    words = ("--player", "Anna", "--player", "Boris:novice", "--option", "target=1000", "--seed", "7")
    game = play(name, "play", "kozel", *words)
    person = Person(game.press, Random(1), "en", fancy=0)
    person.hear(game.listened())
    reach(person, Asked.END)
    arrow = "left" if "left" in person.lines[-1].text else "right"
    before = decisions_in(game.record.read_bytes())
    person.press(arrow)
    assert re.search(rf", {arrow}[.;]", person.lines[0].text)
    assert decisions_in(game.record.read_bytes()) > before
    reach(person, Asked.DRAW)
    before = decisions_in(game.record.read_bytes())
    person.press("f4")
    assert person.lines[0].text.startswith("Drawn: ")
    assert person.lines[0].to == 0
    assert decisions_in(game.record.read_bytes()) > before
    assert replay_text(game.record.read_text(encoding="utf-8"))["ok"]
    person.press("q")
    assert person.question is Asked.LEAVE
    time.sleep(UNHURRIED)
    game.send("enter")
    game.ended()
    assert game.transcript.all[-1].text.startswith("The match is kept. Go on with: kozel resume")


def reach(person: Person, wanted: Asked) -> None:
    """Play until something is asked."""
    for _ in range(200):
        if person.question is wanted:
            return
        assert person.step()
    raise AssertionError(f"{wanted} is never asked")


@pytest.mark.parametrize("name", ["xterm", "kitty"])
def test_keys_held_down(name: str, play: Open, repeating: Display, tmp_path: Path) -> None:
    """The display repeats them 30 times a second: one tile is laid, no question is answered, nothing unheard is laid."""
    game = play(name, "resume", str(two_doubles(tmp_path)), on=repeating)
    record = tmp_path / "match.yaml"
    game.press("home")
    for key in ("right", "left", "up", "down", "up", "tab"):
        before = record.read_bytes()
        game.hold(key, 1.0)
        assert len(game.settled()) >= 5
        assert record.read_bytes() == before
    game.press("home", "5")
    time.sleep(UNHURRIED)
    game.hold("space", 1.5)
    assert [line.text for line in game.settled()] == ["Left four, right five?"]
    assert record.read_bytes() == before
    game.press("left")
    own = decisions_by_anna(record)
    for key in ("space", "enter"):
        time.sleep(UNHURRIED)
        game.press("tab")
        time.sleep(UNHURRIED)
        game.hold(key, 1.5)
        game.settled()
        assert decisions_by_anna(record) - own <= 1
        own = decisions_by_anna(record)
    assert replay_text(record.read_text(encoding="utf-8"))["ok"]


def decisions_by_anna(record: Path) -> int:
    """How many tiles Anna has laid."""
    result = replay_text(record.read_text(encoding="utf-8"))
    return 7 - len(result["hands"][0]) if result["hands"] else 7


def test_nothing_of_the_other_hand_is_left_in_tmux(play: Open) -> None:
    """The pane's whole history, as a player who scrolls back would read it."""
    words = ("--player", "Anna", "--player", "Boris", "--option", "target=1000", "--seed", "7")
    game = play("tmux", "play", "kozel", *words)
    person = Person(game.press, Random(1), "en", fancy=0)
    person.hear(game.listened())
    for _ in range(4):
        reach(person, Asked.HANDOVER)
        person.press("enter")
        mine = person.lines[-1].to
        assert mine is not None
        question = person.lines
        game.press("a", "home", "right")
        time.sleep(0.3)  # what was written is on its way through tmux
        everything = " ".join(game.window.tmux("capture-pane", "-p", "-J", "-S", "-").split())
        told = {line.text for line in game.transcript.all if line.to in (None, mine)}
        others = {line.text for line in game.transcript.all if line.to not in (None, mine)} - told
        assert question[-1].text in everything
        assert [text for text in others if text in everything] == []
        person.hear(question)
        person.step()


def test_the_key_tester_in_xterm(display: Display, tmp_path: Path) -> None:
    """What it says, as `script` keeps it of what is written to the terminal."""
    kind = installed("xterm")
    said = tmp_path / "said.txt"
    tester = shlex.join([sys.executable, "-m", "kozel", "keys", "test", "--lang", "en"])
    window = Opened(display, tmp_path, kind.command, f"exec script -q -f -c {shlex.quote(tester)} {said}")
    try:
        wait_for(
            lambda: said.exists() and "Press keys." in said.read_text(errors="replace"), "the tester did not start"
        )
        window.wait_for_keyboard()
        display.press("shift+F3", "ctrl+shift+F3", "shift+space", "x", "shift+Left", "F11", "Escape", "Escape")
        window.process.wait(30)
    finally:
        window.close()
    text = said.read_text(errors="replace")
    wanted = (
        "Shift F3: the scores",
        "Shift Control F3: the eggs",
        "Shift Space: mark a double; in Osel again: closed; then no mark",
        "X: mark a double; in Osel again: closed; then no mark",
        "Shift Left: the left end",
        "F11: does nothing",
        "Escape: leave, the match is kept",
        "Summary for a report:",
        "Shift+Space told from Space: yes",
        "Shift+Ctrl+F3: ESC [ 1 ; 6 R",
        "Shift+Space: ESC [ 2 7 ; 2 ; 3 2 ~",
    )
    places = [text.find(line) for line in wanted]
    assert -1 not in places, (wanted[places.index(-1)], text)
    assert places[:9] == sorted(places[:9])
