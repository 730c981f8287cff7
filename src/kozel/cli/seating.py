"""From the words of `kozel play` to who plays what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import yaml

from kozel.bots.levels import LEVELS
from kozel.clean import clean
from kozel.cli.mistakes import bad_file, hint, wrong
from kozel.play.store import Folder
from kozel.records.reading import LEVELS as KNOWN_LEVELS
from kozel.records.reading import MAX_NAME
from kozel.rules.naming import suggest_option
from kozel.rules.reading import UnknownRuleset, find
from kozel.rules.ruleset import BadSetup, Ruleset, Value
from kozel.rules.seating import Seating
from kozel.yamltree import BadFile, scalar


def ruleset_named(name: str, folder: Folder, lang: str) -> Ruleset:
    """A ruleset by id, name or path. Raises `Mistake`."""
    try:
        return find(name, folder.rulesets)
    except UnknownRuleset as error:
        raise wrong(lang, "no_ruleset", name=name, hint=error.hint) from None
    except BadFile as error:
        raise bad_file(error, lang) from None


def player(text: str, lang: str) -> tuple[str, str | None]:
    """A player's name and level from `NAME[:LEVEL]`: the last colon counts, and only before a known level."""
    name, colon, level = text.rpartition(":")
    if not colon or level not in KNOWN_LEVELS:
        name, level = text, ""
    name = clean(name) or ""
    if not name or len(name) > MAX_NAME:
        raise wrong(lang, "no_player")
    if level and level not in LEVELS:
        raise wrong(lang, "no_level", level=level, hint=hint(lang, level, LEVELS))
    return name, level or None


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
