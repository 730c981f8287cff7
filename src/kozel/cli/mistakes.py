"""A mistake of the user's: lines for standard error, and exit status 2."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from kozel.clean import clean
from kozel.locales import message
from kozel.narration.faults import placed_fault
from kozel.play.store import Unusable
from kozel.yamltree import BadFile, Problem

__all__ = ["Mistake", "bad_file", "hint", "problem_words", "why", "wrong"]


_LONGEST_WORD = 80


class Mistake(Exception):
    """What the user got wrong; `lines` say what, where, and what would be right."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        super().__init__("\n".join(self.lines))


def wrong(lang: str, key: str, /, **facts: object) -> Mistake:
    """A mistake with its sentence from the catalogue."""
    return Mistake([message(lang, f"cli.{key}", **facts)])


def why(lang: str, error: Unusable) -> str:
    """Why a record cannot be used, in the player's language."""
    if error.fault is None:
        return error.text
    return placed_fault(lang, error.fault, error.players, *error.at)


def hint(lang: str, word: str, known: Iterable[str]) -> str:
    """How a sentence about an unknown word goes on, in the player's language: the nearest known word, or all of them."""
    words = list(known)
    near = get_close_matches(word[:_LONGEST_WORD], words, 1)
    if near:
        return message(lang, "cli.did_you_mean", word=near[0])
    return message(lang, "cli.known", words=words)


def problem_words(lang: str, problem: Problem) -> str:
    """What is wrong in a file; why it cannot be read at all in the player's language."""
    if not problem.reason:
        return str(problem)
    known = problem.reason in ("missing", "folder", "irregular")
    why = message(lang, f"cli.reason_{problem.reason}") if known else problem.reason
    return message(lang, "cli.unreadable", file=clean(problem.file) or "", why=why)


def bad_file(error: BadFile, lang: str = "en") -> Mistake:
    """All that is wrong in a file."""
    return Mistake(problem_words(lang, problem) for problem in error.problems)
