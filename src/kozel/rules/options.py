"""A ruleset's `options` as its file writes them: the default, the values, and what they are called in any language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import yaml

from kozel.locales import languages
from kozel.rules.naming import suggest_option
from kozel.rules.ruleset import Option, Texts, Value, written
from kozel.yamltree import Problem, at, is_none, mapping, meant_answer, quoting, scalar, suggest

LONGEST_NAME = 60
LONGEST_TEXT = 250
_KEYS = ("default", "values", "name", "about")
_SMALL_LATIN = frozenset("abcdefghijklmnopqrstuvwxyz")
_LETTERS = _SMALL_LATIN | frozenset("0123456789_")
_LONGEST_ID = 40
_CODE = re.compile("[a-z]{2}(-[A-Z]{2})?")


def read_options(node: yaml.Node, inherited: Mapping[str, Option], problems: list[Problem]) -> dict[str, Option]:
    """The options of a ruleset, those that it inherits among them; what is wrong goes to `problems`."""
    options = dict(inherited)
    for name, (key, value) in mapping(node, "options", problems).items():
        if is_none(value) and name in options:
            del options[name]
        elif is_none(value) and inherited:
            hint = suggest_option(name, inherited)
            problems.append(at(key, "mistake.no_option_to_leave_out", option=name, hint=hint))
        elif not _is_name(name):
            wrong = quoting("mistake.option_name", option=name)
            meant = suggest_option(name, inherited)
            is_known = meant.key in ("mistake.write_instead", "mistake.look_alike")
            problems.append(at(key, quoting("mistake.hinted", text=wrong, hint=meant) if is_known else wrong))
        else:
            option = _option(key, value, options.get(name), problems)
            if option is not None:
                options[name] = option
    return options


def _is_name(name: str) -> bool:
    return (
        name[:1] in _SMALL_LATIN
        and set(name) <= _LETTERS
        and len(name) <= _LONGEST_ID
        and name not in ("pairs", "seats")
    )


def read_texts(node: yaml.Node, key: str, longest: int, problems: list[Problem]) -> Texts:
    """A text, or one for each language; under '' one that is for all of them.

    The languages may be others than the program's own: whoever has them hears them.
    """
    if isinstance(node, yaml.ScalarNode):
        text = _text(node, longest, problems)
        return {"": text} if text else {}
    texts: dict[str, str] = {}
    for lang, (lang_node, value) in mapping(node, key, problems).items():
        if is_none(value) and " " in lang:
            problems.append(at(lang_node, "mistake.rest_of_a_text", word=lang))
        elif lang not in languages() and not _CODE.fullmatch(lang):
            hint = suggest(lang, languages())
            problems.append(at(lang_node, "mistake.no_language", key=key, lang=lang, hint=hint))
        else:
            text = _text(value, longest, problems)
            if text:
                texts[lang] = text
    return texts


def _text(node: yaml.Node, longest: int, problems: list[Problem]) -> str | None:
    if not isinstance(node, yaml.ScalarNode) or not node.value.strip():
        problems.append(at(node, "mistake.name_no_text"))
    elif len(node.value) > longest:
        problems.append(at(node, "mistake.name_too_long", most=longest, found=len(node.value)))
    elif not node.value.isprintable():
        problems.append(at(node, "mistake.name_not_plain"))
    else:
        return str(node.value)
    return None


def _option(key: yaml.ScalarNode, node: yaml.Node, inherited: Option | None, problems: list[Problem]) -> Option | None:
    name = key.value
    if isinstance(node, yaml.ScalarNode):
        default = scalar(node)
        if inherited and inherited.values is not None and default in inherited.values:
            return replace(inherited, default=default, node=node)
        if default is None or isinstance(default, str):
            wrong = quoting("mistake.option_default_missing", option=name)
            answer = meant_answer(node.value)
            hint = quoting("mistake.write_instead", text=answer)
            problems.append(at(node, quoting("mistake.hinted", text=wrong, hint=hint) if answer else wrong))
            return None
        if inherited and inherited.values is None:
            return replace(inherited, default=default, node=node)
        return Option(name, default, None, (), node)
    before = len(problems)
    option = _with_parts(name, node, inherited, problems)
    return option if len(problems) == before else None


def _with_parts(name: str, node: yaml.Node, inherited: Option | None, problems: list[Problem]) -> Option | None:
    """An option with more to it than its default; what it inherits and is not written stays."""
    parts = mapping(node, quoting("mistake.an_option", option=name), problems)
    for word, (word_node, _) in parts.items():
        if word not in _KEYS:
            problems.append(at(word_node, "mistake.option_key", key=word, hint=suggest(word, _KEYS)))
    option = inherited or Option(name, False, None, ())
    if "default" not in parts and inherited is None:
        problems.append(at(node, "mistake.option_parts", option=name))
        return None
    option = replace(option, node=node)
    if "values" in parts:
        values = _values(name, parts["values"][1], problems)
        if values is None:
            return None
        called = {written(value): texts for value, texts in values if texts}
        option = replace(option, values=tuple(value for value, _ in values), value_names=called)
    if "default" in parts:
        default_node = parts["default"][1]
        default = scalar(default_node) if isinstance(default_node, yaml.ScalarNode) else None
        if option.values is None and (default is None or isinstance(default, str)):
            problems.append(at(node, "mistake.option_parts", option=name))
            return None
        if default is None or (option.values is not None and not _among(default, option.values)):
            problems.append(at(default_node, "mistake.option_default", option=name))
            return None
        option = replace(option, default=default)
    elif option.values is not None and not _among(option.default, option.values):
        problems.append(at(node, "mistake.option_default", option=name))
    if "name" in parts:
        option = replace(option, names=read_texts(parts["name"][1], "name", LONGEST_NAME, problems))
    if "about" in parts:
        option = replace(option, abouts=read_texts(parts["about"][1], "about", LONGEST_TEXT, problems))
    return option


def _among(value: Value, values: tuple[Value, ...]) -> bool:
    return any(value == known and type(value) is type(known) for known in values)


def _values(name: str, node: yaml.Node, problems: list[Problem]) -> list[tuple[Value, Texts]] | None:
    """The values of an option: a list, or each with what it is called."""
    if not isinstance(node, yaml.CollectionNode) or not node.value:
        problems.append(at(node, "mistake.option_values", option=name))
        return None
    before = len(problems)
    values: list[tuple[Value, Texts]] = []
    pairs = node.value if isinstance(node, yaml.MappingNode) else [(item, None) for item in node.value]
    for item, called in pairs:
        value = scalar(item) if isinstance(item, yaml.ScalarNode) else None
        if value is None:
            problems.append(at(item, "mistake.option_value", option=name))
        elif _among(value, tuple(known for known, _ in values)):
            problems.append(at(item, "mistake.option_value_twice", value=item.value, option=name))
        else:
            texts = {} if called is None or is_none(called) else read_texts(called, item.value, LONGEST_NAME, problems)
            values.append((value, texts))
    return values if len(problems) == before else None
