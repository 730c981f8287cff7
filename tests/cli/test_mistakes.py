"""Mistakes on the command line: plain lines on standard error, exit status 2, never a traceback."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kozel.cli.main import run
from play.program import command, environment

RECORD = Path(__file__).parent.parent / "conformance" / "kozel" / "eggs-twice.yaml"
TWO = ("--player", "Anna", "--player", "Boris:novice")
PLAY = ("play", "kozel", *TWO)
MISTAKES: dict[str, tuple[tuple[str, ...], str]] = {
    "an unknown command": (("bogus",), "There is no command 'bogus'; known: play, resume"),
    "an unknown ruleset": (("play", "kozl", *TWO), "There is no ruleset 'kozl'; did you mean 'kozel'?"),
    "an unknown option": ((*PLAY, "--option", "targt=5"), "no option 'targt'; did you mean 'target'?"),
    "an option of another ruleset": ((*PLAY, "--option", "stake=5"), "known: target, auto_draw, double_play, bonuses"),
    "a value too small": ((*PLAY, "--option", "target=0"), "a whole number from 1 to 1000"),
    "a value too large": ((*PLAY, "--option", "target=1001"), "a whole number from 1 to 1000"),
    "a stake too large": (("play", "osel", *TWO, "--option", "stake=1000001"), "from 1 to 1000000"),
    "no number": ((*PLAY, "--option", "target=many"), "cannot be 'many'"),
    "no yes or no": ((*PLAY, "--option", "auto_draw=maybe"), "it must be yes or no"),
    "an option twice": ((*PLAY, "--option", "target=50", "--option", "target=60"), "'target' is given twice"),
    "no value": ((*PLAY, "--option", "target"), "write NAME=VALUE"),
    "no name of an option": ((*PLAY, "--option", "=3"), "write NAME=VALUE"),
    "one player": (("play", "kozel", "--player", "Anna"), "Players: 1; this game is for 2, 3 or 4."),
    "six players": ((*PLAY, *TWO, *TWO), "Players: 6"),
    "three in the yard": (("play", "kozel-yard", *TWO, "--player", "Vera"), "for 2 or 4"),
    "pairs of two": ((*PLAY, "--pairs"), "Pairs need 4 players, not 2."),
    "pairs where there are none": (("play", "kozel-101", *TWO, *TWO, "--pairs"), "no pairs"),
    "no name": (("play", "kozel", "--player", "", "--player", "B"), "A player needs a name"),
    "a level without a name": (("play", "kozel", "--player", ":novice", "--player", "B"), "A player needs a name"),
    "only control characters": (("play", "kozel", "--player", "\x1b\x07", "--player", "B"), "A player needs a name"),
    "a language": ((*PLAY, "--lang", "fr"), "--lang cannot be 'fr'; known: ru, en"),
    "a speech mode": ((*PLAY, "--speech", "loud"), "known: auto, lines, direct, off"),
    "a verbosity": ((*PLAY, "--verbosity", "norml"), "did you mean 'normal'?"),
    "a keymap": ((*PLAY, "--keymap", "clasic"), "did you mean 'classic'?"),
    "a broken keymap": ((*PLAY, "--keymap", "{folder}/broken.yaml"), "broken.yaml:2:1: is no YAML"),
    "a record that is there": ((*PLAY, "--record", "{folder}/broken.yaml"), "is there already"),
    "a record in the place of the settings": (
        (*PLAY, "--record", "{folder}/data/settings.yaml"),
        "settings.yaml is kept for the program's own files",
    ),
    "a record among the rulesets": (
        (*PLAY, "--record", "{folder}/data/rulesets/x.yaml"),
        "is kept for the program's own",
    ),
    "a record in no folder": ((*PLAY, "--record", "{folder}/broken.yaml/x"), "cannot be written: Not a directory"),
    "a transcript in no folder": ((*PLAY, "--transcript", "{folder}/no/t"), "cannot be written: No such file"),
    "a data folder that is a file": ((*PLAY, "--data-dir", "{folder}/broken.yaml"), "Not a directory"),
    "a flag without its value": ((*PLAY, "--seed"), "--seed needs a value"),
    "an unknown flag": ((*PLAY, "--frob"), "--frob"),
    "a word too many": (("play", "kozel", "more", *TWO), "more"),
    "nobody to ask": (("play",), "There is no terminal to ask on"),
    "nothing to resume": (("resume",), "There is no unfinished match in"),
    "no such record": (("resume", "{folder}/none.yaml"), "none.yaml: cannot be read: there is no such file\n"),
    "a broken record": (("resume", "{folder}/broken.yaml"), "line 2: is no YAML"),
    "a folder for a record": (("resume", "{folder}"), "it is a folder"),
    "no such record to replay": (
        ("replay", "{folder}/none.yaml"),
        "none.yaml: cannot be read: there is no such file\n",
    ),
    "nothing to replay": (("replay",), "FILE"),
    "a ruleset to show": (("rules", "show", "kozl"), "did you mean 'kozel'?"),
    "a ruleset to check": (("rules", "check", "{folder}/broken.yaml"), "is no YAML"),
    "no ruleset to check": (("rules", "check"), "Name a file"),
    "what to do with rules": (("rules", "frob"), "known: list, show, check"),
    "what to do with keys": (("keys", "frob"), "known: list, test"),
    "what to do with speech": (("speech", "frob"), "known: list, test"),
}


def kozel(folder: Path, *words: str, data: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    home = {"HOME": str(folder), "KOZEL_DATA_DIR": str(folder / "data")}
    return subprocess.run(
        command(*words),
        env=environment(**{"KOZEL_LANG": "en", **home, **env}),
        input=data,
        capture_output=True,
        check=False,
        timeout=60,
    )


def check(done: subprocess.CompletedProcess[bytes], text: str) -> None:
    said = done.stderr.decode()
    assert done.returncode == 2
    assert done.stdout == b""
    assert text in said
    assert "Traceback" not in said
    assert 1 <= said.count("\n") <= 2


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """In this process, for speed; `test_in_a_process_of_its_own` takes some of them."""
    (tmp_path / "broken.yaml").write_text("a: [1\n", encoding="utf-8")
    words, text = MISTAKES[name]
    monkeypatch.setenv("KOZEL_LANG", "en")
    monkeypatch.setenv("KOZEL_DATA_DIR", str(tmp_path / "data"))
    given = [word.format(folder=tmp_path) for word in words]
    status = run(given)
    check(subprocess.CompletedProcess(given, status, *capfdbinary.readouterr()), text)
    assert not list(tmp_path.glob("data/matches/*"))


@pytest.mark.parametrize("name", ["an unknown command", "a value too small", "a broken record", "nobody to ask"])
def test_in_a_process_of_its_own(name: str, tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("a: [1\n", encoding="utf-8")
    words, text = MISTAKES[name]
    check(kozel(tmp_path, *(word.format(folder=tmp_path) for word in words)), text)


@pytest.mark.parametrize("variable", ["KOZEL_LANG", "KOZEL_SPEECH", "KOZEL_VERBOSITY"])
def test_a_variable(variable: str, tmp_path: Path) -> None:
    variables: dict[str, Any] = {variable: "nonsense"}
    check(kozel(tmp_path, *PLAY, **variables), f"{variable} cannot be 'nonsense'; known: ")


def test_a_flag_counts_more_than_a_variable_and_that_more_than_the_file(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "settings.yaml").write_text("lang: ru\n", encoding="utf-8")
    assert "Партия сохранена." in kozel(tmp_path, *PLAY, KOZEL_LANG="").stdout.decode()
    assert "The match is kept." in kozel(tmp_path, *PLAY, KOZEL_LANG="en").stdout.decode()
    assert "Партия сохранена." in kozel(tmp_path, *PLAY, "--lang", "ru", KOZEL_LANG="en").stdout.decode()


def test_all_that_is_wrong_in_the_settings(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "settings.yaml"
    file.write_text("lang: fr\nverbosty: full\npause: 99\n", encoding="utf-8")
    done = kozel(tmp_path, *PLAY)
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == [
        f"{file}:1:7: 'lang' cannot be 'fr'; known: ru, en",
        f"{file}:2:1: there is no setting 'verbosty'; did you mean 'verbosity'?",
        f"{file}:3:8: 'pause' must be seconds from 0 to 10",
    ]
    assert file.read_text(encoding="utf-8").startswith("lang: fr")


DAMAGE = (
    b"",
    b"\n",
    b"# nothing\n",
    b"\xff\xfe",
    b"lang: [",
    b"- a\n",
    b"\x00" * 40,
    b"lang: ru\nverb",
    b"x" * 1_100_000,
)


@pytest.mark.parametrize("words", [PLAY, ("rules",), ("replay",), ("keys",)], ids=lambda words: words[0])
def test_damaged_settings_are_set_aside_and_the_defaults_hold(words: tuple[str, ...], tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    file = data / "settings.yaml"
    given = (*words, str(RECORD)) if words == ("replay",) else words
    for number, content in enumerate(DAMAGE, 1):
        file.write_bytes(content)
        done = kozel(tmp_path, *given)
        said = (done.stdout + done.stderr).decode()
        assert done.returncode == 0, said
        assert said.count(f"{file} is damaged (") == 1
        assert not file.exists()
        aside = sorted(data.glob("settings.yaml.damaged-*"))
        assert len(aside) == number
        assert content in [each.read_bytes() for each in aside]
        again = kozel(tmp_path, *given)
        assert " is damaged" not in (again.stdout + again.stderr).decode()


def test_damaged_settings_are_told_in_russian(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "settings.yaml").write_bytes(b"")
    said = kozel(tmp_path, "rules", KOZEL_LANG="ru").stderr.decode()
    assert re.search(r"Файл .* повреждён \(.*\): теперь он называется settings\.yaml\.damaged-", said)


def test_settings_that_are_a_folder_are_set_aside_too(tmp_path: Path) -> None:
    (tmp_path / "data" / "settings.yaml" / "x").mkdir(parents=True)
    done = kozel(tmp_path, "rules")
    assert (done.returncode, "it is a folder" in done.stderr.decode()) == (0, True)


def test_the_doctor_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "settings.yaml").write_bytes(b"lang: [")
    assert kozel(tmp_path, "doctor").returncode == 0
    assert [path.name for path in (tmp_path / "data").glob("settings*")] == ["settings.yaml"]


def test_damaged_tables_are_set_aside_when_a_match_begins(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    for content in (b"", b"last: [", b"last: kozel\n", b"last: kozel\ntables: {kozel: 7}\n"):
        (data / "last.yaml").write_bytes(content)
        done = kozel(tmp_path, *PLAY)
        assert (done.returncode, done.stdout.decode().count("last.yaml is damaged")) == (0, 1)
        assert (data / "last.yaml").read_text(encoding="utf-8").startswith('last: "kozel"')
    assert len(list(data.glob("last.yaml.damaged-*"))) == 4


def test_without_a_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Somebody whom the system does not know, and no HOME: no folder called '~' is made."""
    pwd = pytest.importorskip("pwd")

    def unknown(uid: int) -> object:
        raise KeyError(uid)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    for name in ("HOME", "KOZEL_DATA_DIR", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    for words in (("rules",), ("play", "kozel", *TWO), ("resume",)):
        assert run([*words, "--lang", "en"]) == 2
        told = b"There is no home folder (HOME is not set): name a data folder with --data-dir.\n"
        assert capfdbinary.readouterr() == (b"", told)
    assert list(tmp_path.iterdir()) == []


WITHOUT_ROOTS_RIGHTS = """\
import ctypes, os, sys
for capability in (1, 2):  # to read and enter what is forbidden
    ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # taken out of what a program that is executed can have
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="rights are POSIX")
@pytest.mark.parametrize("closed", ["data", "data/matches", "data/rulesets"])
@pytest.mark.parametrize("words", [PLAY, ("resume",), ("rules",), ("replay", str(RECORD))], ids=lambda words: words[0])
def test_a_folder_that_may_not_be_entered(words: tuple[str, ...], closed: str, tmp_path: Path) -> None:
    folder = tmp_path / closed
    folder.mkdir(parents=True)
    folder.chmod(0)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_ROOTS_RIGHTS, *command(*words, "--data-dir", str(tmp_path / "data"))],
        env=environment(KOZEL_LANG="en"),
        input=b"",
        capture_output=True,
        check=False,
        timeout=60,
    )
    folder.chmod(0o755)
    said = done.stderr.decode()
    concerned = closed == "data" or (closed == "data/matches") == (words[0] in ("play", "resume"))
    if words[0] == "resume" and closed != "data/matches":
        concerned = True  # there is nothing to resume
    if not concerned or (closed == "data/rulesets" and words[0] in ("play", "replay")):
        assert (done.returncode, said) == (0, "")
    else:
        assert (done.returncode, said.count("\n")) == (2, 1), said
        assert str(tmp_path / "data") in said
        assert "Permission denied" in said or (words[0] == "resume" and closed == "data/rulesets")


def test_a_mistake_told_in_russian_has_no_english_in_it(tmp_path: Path) -> None:
    for words in (
        ("play", "kozl", *TWO),
        (*PLAY, "--option", "zzzz=1"),
        (*PLAY, "--option", "target=0"),
        ("play", "kozel", "--player", "Ян"),
        (*PLAY, "--verbosity", "zzzz"),
        (*PLAY, "--keymap", "zzzz"),
        (*PLAY, "--keymap", "zzzz.yaml"),
        (*PLAY, "--option", "target=5", "--option", "target=5"),
        (*PLAY, "--frob"),
        (*PLAY, "--seed"),
        (*PLAY, "--pairs=yes"),
        ("replay",),
        ("replay", "zzzz.yaml"),
        ("resume", "zzzz.yaml"),
        ("resume", "/"),
        ("rules", "zzzz"),
        ("rules", "show"),
        ("rules", "check"),
        ("rules", "list", "zzzz"),
        ("zzzz",),
        ("resume",),
    ):
        said = kozel(tmp_path, *words, KOZEL_LANG="ru").stderr.decode()
        assert re.search("[а-я]", said)
        assert not re.search(r"did you|known|must be|there is|players|argument|cannot|:1:1", said), said


@pytest.mark.parametrize(
    ("words", "env"),
    [
        (("--lang", "ru", "frob"), {}),
        (("frob", "--lang=ru"), {"KOZEL_LANG": "en"}),
        (("frob",), {"KOZEL_LANG": "ru"}),
        (("frob",), {"LANG": "ru_RU.UTF-8"}),
        (("play", "--data-dir", "{folder}", "--frob"), {}),
    ],
)
def test_what_cannot_be_parsed_is_told_in_the_language_in_force(
    words: tuple[str, ...], env: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "settings.yaml").write_text("lang: ru\n", encoding="utf-8")
    shown = (word.format(folder=tmp_path) for word in words)
    done = kozel(tmp_path, *shown, data=b"", **{"KOZEL_LANG": "", **env})
    said = done.stderr.decode()
    assert done.returncode == 2
    assert re.search("[а-я]", said) or words[0] == "--lang"
    assert "Traceback" not in said


def test_a_data_folder_that_cannot_be_written(tmp_path: Path) -> None:
    where = "/proc/kozel" if sys.platform == "linux" else str(tmp_path / "\0")
    done = kozel(tmp_path, *PLAY, "--data-dir", where)
    assert done.returncode == 2
    assert "cannot be written" in done.stderr.decode()


@pytest.mark.parametrize(
    ("encoding", "locale"),
    [
        ("ascii", {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}),
        ("ascii", {"LANG": "C"}),
        ("cp866", {"LANG": "C"}),
        ("cp1251", {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}),
    ],
)
def test_no_encoding_ever_raises(encoding: str, locale: dict[str, str], tmp_path: Path) -> None:
    keys = " \t\r \x1bOSяёФ".encode(encoding, "replace") * 20
    for words in (
        ("play", "kozel", "--player", "Анна", "--player", "Ёлка:novice", "--seed", "весна"),
        ("play", "козёл", *TWO),
        ("replay", "нет.yaml"),
        ("rules", "show", "osel"),
        ("keys", "list"),
    ):
        done = kozel(tmp_path, *words, data=keys, PYTHONIOENCODING=encoding, KOZEL_LANG="ru", **locale)
        assert done.returncode in (0, 2)
        assert b"Traceback" not in done.stderr
        assert not (tmp_path / "data" / "log.txt").exists()
        said = (done.stdout + done.stderr).decode(encoding)
        assert encoding == "ascii" or words[0] == "replay" or re.search("[а-я]", said)


def test_a_fault_of_the_programs_own_is_one_sentence_and_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The fault is put in: a replaced function stands for a mistake in the program."""
    from kozel.cli import main

    def broken(*_: object) -> int:
        raise RuntimeError("the dog ate it")

    monkeypatch.setattr(main, "_replay", broken)
    assert main.run(["replay", "x.yaml", "--lang", "en", "--data-dir", str(tmp_path)]) == 1
    log = tmp_path / "log.txt"
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err == f"The program has failed; nothing that was told is lost. Details: {log}\n"
    assert "RuntimeError: the dog ate it" in log.read_text(encoding="utf-8")


def test_output_that_nobody_reads_is_no_fault(tmp_path: Path) -> None:
    program = subprocess.Popen(
        command("rules", "show", "osel"),
        env=environment(KOZEL_LANG="en", KOZEL_DATA_DIR=str(tmp_path)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert program.stdout is not None
    program.stdout.close()
    assert program.stderr is not None
    errors = program.stderr.read()
    program.stderr.close()
    assert program.wait(60) == 141
    assert errors == b""
    assert not (tmp_path / "log.txt").exists()
