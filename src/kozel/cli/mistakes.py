"""A mistake of the user's: lines for standard error, and exit status 2."""

from __future__ import annotations

from collections.abc import Iterable

from kozel.locales import message
from kozel.narration.faults import placed_fault
from kozel.play.store import Unusable
from kozel.yamltree import BadFile, suggest

__all__ = ["Mistake", "bad_file", "hint", "why", "wrong"]


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
        return error.phrase.text(lang)
    return placed_fault(lang, error.fault, error.players, *error.at)


def hint(lang: str, word: str, known: Iterable[str]) -> str:
    """How a sentence about an unknown word goes on, in the player's language: the nearest known word, or all of them."""
    return suggest(word, known).text(lang)


def bad_file(error: BadFile, lang: str) -> Mistake:
    """All that is wrong in a file."""
    return Mistake(problem.placed(lang) for problem in error.problems)
