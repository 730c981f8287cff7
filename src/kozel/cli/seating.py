"""From the words of `kozel play` to who plays what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

import yaml

from kozel.bots.levels import LEVELS
from kozel.clean import MAX_NAME, alike, clean
from kozel.cli.mistakes import bad_file, wrong
from kozel.locales import languages, message
from kozel.play.store import Folder
from kozel.rules.naming import suggest_option
from kozel.rules.reading import UnknownRuleset, find
from kozel.rules.ruleset import BadSetup, Ruleset, Value
from kozel.rules.seating import Seating
from kozel.yamltree import BadFile, scalar, shown


def ruleset_named(name: str, folder: Folder, lang: str) -> Ruleset:
    """A ruleset by id, name or path. Raises `Mistake`."""
    try:
        return find(name, folder.rulesets)
    except UnknownRuleset as error:
        raise wrong(lang, "no_ruleset", name=name, hint=error.hint) from None
    except BadFile as error:
        raise bad_file(error, lang) from None


def player(text: str, lang: str) -> tuple[str, str | None]:
    """A player's name and level from `NAME[:LEVEL]`: the last colon counts, and only before a known level.

    Levels are understood in every language and case. Raises `Mistake`, also for what is nearly a level.
    """
    name, colon, word = text.rpartition(":")
    known = _level_words()
    level = known.get(word.strip().casefold()) if colon else None
    if colon and level is None:
        near = get_close_matches(word.strip().casefold()[:MAX_NAME], known, 1, _NEAR_A_LEVEL)
        if near:
            told = message(lang, "mistake.did_you_mean", word=near[0])
            raise wrong(lang, "no_level", level=clean(word) or "", hint=told)
    name = clean(name if level else text) or ""
    if not name:
        raise wrong(lang, "no_player")
    if len(name) > MAX_NAME:
        raise wrong(lang, "name_long", name=shown(name), found=len(name), most=MAX_NAME)
    return name, level


_NEAR_A_LEVEL = 0.65
"""How much of a word must be as in a level's name, so that it is a level written wrongly and no part of the player's name."""


def _level_words() -> dict[str, str]:
    """The levels by what they are called, in any language."""
    words = {level: level for level in LEVELS}
    for lang in languages():
        words.update({message(lang, f"setup.level_{level}").casefold(): level for level in LEVELS})
    return words


def options(words: Sequence[str], lang: str) -> dict[str, object]:
    """Options from `NAME=VALUE` words."""
    given: dict[str, object] = {}
    for text in words:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise wrong(lang, "bad_option_form", text=clean(text) or "")
        if name.strip() in given:
            raise wrong(lang, "option_twice", option=clean(name) or "")
        given[name.strip()] = scalar(yaml.ScalarNode("", value.strip()))
    return given


def seat(
    ruleset: Ruleset,
    players: Sequence[tuple[str, str | None]],
    pairs: bool | None,
    given: dict[str, object],
    seed: str | None,
    lang: str,
) -> Seating:
    """Players at a table of this ruleset. Raises `Mistake`."""
    try:
        together = ruleset.seating(len(players), pairs)
    except BadSetup as error:
        raise setup_mistake(error, lang, ruleset) from None
    chosen = checked_options(ruleset, given, lang)
    names, levels = zip(*players, strict=True)
    for place, name in enumerate(names):
        if alike(name) in map(alike, names[:place]):
            raise wrong(lang, "name_twice", name=name)
    if seed is not None:
        seed = seed.encode("utf-8", "replace").decode()  # bytes that are no text stand in no record
    return Seating(ruleset, names, levels, together, chosen, seed)


def checked_options(ruleset: Ruleset, given: Mapping[str, object], lang: str) -> dict[str, Value]:
    """All options of a ruleset, these as given. Raises `Mistake`."""
    try:
        return ruleset.choices(given)
    except BadSetup as error:
        raise setup_mistake(error, lang, ruleset) from None


def setup_mistake(error: BadSetup, lang: str, ruleset: Ruleset) -> Exception:
    """The sentence for seats, pairs or options that a ruleset cannot have."""
    facts = error.facts
    if error.kind == "bad_seats":
        allowed = facts["allowed"]
        assert isinstance(allowed, tuple)
        return wrong(lang, "bad_seats", found=facts["found"], allowed=allowed)
    if error.kind == "no_pairs":
        return wrong(lang, "no_pairs") if facts["never"] else wrong(lang, "pairs_need_four", found=facts["seats"])
    if error.kind == "unknown_option":
        near = suggest_option(str(facts["option"]), ruleset.options)
        return wrong(lang, "unknown_option", option=facts["option"], hint=near)
    if error.kind == "bad_option":
        option = ruleset.options[str(facts["option"])]
        return wrong(lang, "bad_option", **{**facts, "wanted": option.wanted})
    return wrong(lang, "always_pairs")
