"""Completions and manual pages are what the parser says, and their shells and readers take them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARE = ROOT / "share"
COMMANDS = {"play", "resume", "replay", "rules", "keys", "speech", "doctor"}


def run(*words: str, cwd: Path | None = None) -> str:
    """What a program says; it has nothing to complain of."""
    done = subprocess.run(words, cwd=cwd, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def needs(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        pytest.skip(f"{program} is not installed")
    return path


def test_the_files_are_what_the_parser_says() -> None:
    code = "import json, command_pages; print(json.dumps(command_pages.pages()))"
    made = json.loads(run(sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT / 'tools')!r}); {code}"))
    there = {
        path.relative_to(SHARE).as_posix(): path.read_text(encoding="utf-8")
        for path in SHARE.rglob("*")
        if path.is_file()
    }
    assert there == made, "run tools/command_pages.py"


def bash_offers(*words: str) -> set[str]:
    """What bash would complete the last word to."""
    script = f"""
. {SHARE / "bash-completion/completions/kozel"}
COMP_WORDS=({" ".join(f"'{word}'" for word in words)}); COMP_CWORD={len(words) - 1}
_kozel; printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    return set(run(needs("bash"), "--norc", "-c", script, cwd=SHARE / "man").split("\n")) - {""}


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["kozel", "re"], {"resume", "replay"}),
        (["kozel", "rules", "s"], {"show"}),
        (["kozel", "rules", "show", "kozel-d"], {"kozel-deferred"}),
        (["kozel", "play", "--pra"], {"--practice"}),
        (["kozel", "play", "kozel", "--speech", ""], {"auto", "lines", "direct", "off"}),
        (["kozel", "--lang", "r"], {"ru"}),
        (["kozel", "play", "--seed", ""], set()),
    ],
)
def test_bash_completes(words: Sequence[str], offered: set[str]) -> None:
    assert bash_offers(*words) == offered


def test_bash_offers_every_command() -> None:
    assert bash_offers("kozel", "") >= COMMANDS


def test_fish_completes() -> None:
    fish = needs("fish")
    source = f"source {SHARE / 'fish/vendor_completions.d/kozel.fish'}; complete -C"

    def offers(line: str) -> set[str]:
        return {row.split("\t")[0] for row in run(fish, "--no-config", "-c", f"{source} '{line}'").splitlines()}

    assert offers("kozel ") >= COMMANDS
    assert offers("kozel play --verb") == {"--verbosity"}
    assert offers("kozel keys ") >= {"list", "test"}
    assert offers("kozel --speech ") == {"auto", "lines", "direct", "off"}


def test_zsh_takes_the_completion() -> None:
    zsh = needs("zsh")
    run(zsh, "-n", str(SHARE / "zsh/site-functions/_kozel"))
    setup = (
        f"fpath=({SHARE / 'zsh/site-functions'} $fpath); autoload -Uz compinit; compinit -D -u; print $_comps[kozel]"
    )
    assert run(zsh, "-f", "-c", setup).strip() == "_kozel"


@pytest.mark.parametrize(("place", "words"), [("man", "EXIT STATUS"), ("man/ru", "КОД ЗАВЕРШЕНИЯ")])
def test_the_manual_page_can_be_read(place: str, words: str) -> None:
    page = SHARE / place / "man1" / "kozel.1"
    text = run(needs("groff"), "-Kutf8", "-Tutf8", "-man", "-ww", "-P-cbou", str(page))
    assert words in text
    for command in COMMANDS:
        assert f"kozel {command}" in text
    for flag in ("--player", "--data-dir", "--json"):
        assert flag in text


@pytest.mark.parametrize("place", ["man", "man/ru"])
def test_the_manual_page_is_well_formed(place: str) -> None:
    page = SHARE / place / "man1" / "kozel.1"
    run(needs("mandoc"), "-T", "lint", "-W", "error", str(page))
