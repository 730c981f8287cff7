"""What options and their values are called, in words; and which one is meant by a word that is none of their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from kozel.locales import FALLBACK, Phrase, languages, message
from kozel.rules.ruleset import Option, Texts, Value, written
from kozel.rules.vocabulary import RULES, SLOTS
from kozel.yamltree import quoting, suggest


def text_in(texts: Texts, lang: str) -> str | None:
    """A text in a language, else in English, else in whichever there is."""
    return texts.get(lang) or texts.get("") or texts.get(FALLBACK) or next(iter(texts.values()), None)


def known(lang: str, key: str) -> str | None:
    """A message without facts, if there is one."""
    try:
        return message(lang, key)
    except KeyError:
        return None


def option_label(option: Option, lang: str) -> str:
    """What an option is called: as its ruleset says, or as every ruleset calls one of that name."""
    return text_in(option.names, lang) or known(lang, f"setup.option_{option.name}") or option.name.replace("_", " ")


def option_about(option: Option, lang: str) -> str | None:
    """What an option is about, if its ruleset, or the program, explains it."""
    return text_in(option.abouts, lang) or known(lang, f"setup.help_{option.name}")


def value_label(option: Option, value: Value, lang: str) -> str:
    """What a value of an option is called."""
    own = text_in(option.value_names.get(written(value), {}), lang)
    if own:
        return own
    if isinstance(value, bool):
        return message(lang, "menu.yes" if value else "menu.no")
    return known(lang, f"setup.value_{value}") or str(value).replace("_", " ")


def suggest_option(word: str, options: Mapping[str, Option]) -> Phrase:
    """How a message about an unknown option goes on; a name that is spoken, in any language, is answered with the written one."""
    folded = _folded(word)
    for option in options.values():
        if folded in _names(option):
            return quoting("mistake.write_instead", text=option.name)
    return suggest(word, options)


def _names(option: Option) -> Iterator[str]:
    for lang in languages():
        yield _folded(option_label(option, lang))
        yield from (_folded(word) for word, name in _words(lang, "OPTION_WORDS").items() if name == option.name)


def suggest_key(
    word: str, value_is_no: bool, keys: tuple[str, ...], options: Mapping[str, Option], extends: bool
) -> Phrase:
    """How a message about an unknown key of a ruleset goes on: what to write instead, where that can be told."""
    if word in options:
        return quoting("mistake.write_instead", text=f"options: {{{word}: …}}")
    for lang in languages():
        remedy = _words(lang, "KEY_WORDS").get(_folded(word))
        if remedy and remedy.startswith("step "):
            step = remedy.removeprefix("step ")
            return _step(f"{step.partition(':')[0]}: none" if value_is_no else step, extends)
        if remedy:
            plain, _, no = remedy.partition(" / ")
            return quoting("mistake.write_instead", text=no if value_is_no and no else plain)
    if word in RULES["settlement"]:
        return _step(f"{word}: none" if value_is_no and extends else word, extends)
    slot = next((slot for slot in SLOTS if word in RULES[slot]), None)
    if slot is not None:
        return quoting("mistake.write_instead", text=f"{slot}: {word}")
    spoken = suggest_option(word, options)
    if spoken.key == "mistake.write_instead":
        return quoting("mistake.write_instead", text=f"options: {{{dict(spoken.facts)['text']}: …}}")
    return suggest(word, keys)


def _step(step: str, extends: bool) -> Phrase:
    return quoting("mistake.write_step", step=step, key="steps" if extends else "settlement")


def _words(lang: str, name: str) -> Mapping[str, str]:
    """The words of a language for what a ruleset writes, from its module `rules`."""
    return getattr(import_module(f"kozel.locales.{lang}.rules"), name, {})


def _folded(word: str) -> str:
    return word.strip().casefold().replace("ё", "е").replace("_", " ")
