"""What a real synthesizer makes of the words: espeak-ng's phonemes hold no minus, no spelled letters, no wrong numbers."""

from __future__ import annotations

import re
import shutil
import subprocess
from difflib import SequenceMatcher
from functools import cache

import pytest

from kozel.engine.events import RoundScored
from kozel.engine.tiles import HALVES, TILES
from kozel.locales import message
from kozel.locales.catalogue import tile_words, words
from kozel.narration.narrator import Narrator
from voice.played import game_of, played, table_of

pytestmark = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="espeak-ng is not installed (apt-get install espeak-ng)"
)
COUNTS = (0, 1, 2, 3, 4, 5, 7, 11, 12, 14, 20, 21, 22, 25, 28)


@cache
def phonemes(lang: str, text: str) -> tuple[str, ...]:
    """What espeak-ng says, word by word, without stress marks."""
    spoken = subprocess.run(
        ["espeak-ng", "-q", "--ipa", "-v", lang, text], capture_output=True, encoding="utf-8", check=True, timeout=60
    ).stdout
    return tuple(re.sub("[ˈˌ]", "", spoken).split())


def test_a_hyphen_would_be_said_as_something_else() -> None:
    """The reason for words: the digits of a tile are not said as its name."""
    assert phonemes("en", "6-5") != phonemes("en", "six five")
    assert phonemes("ru", "6-5") != phonemes("ru", "шесть пять")


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_tile_names_are_their_two_words(lang: str) -> None:
    w = words(lang)
    for tile in TILES:
        low, high = HALVES[tile]
        first = w.DOUBLE if low == high else w.PIPS[low] if low == 0 else w.PIPS[high]
        second = w.PIPS[low] if low == high or low else w.PIPS[high]
        apart = "".join([*phonemes(lang, first), *phonemes(lang, second)])
        together = "".join(phonemes(lang, tile_words(w, tile)))
        # sounds at the seam of two words may soften, in Russian above all
        assert SequenceMatcher(None, apart, together).ratio() > 0.85, (apart, together)


def test_the_names_of_tiles_sound_different_from_each_other() -> None:
    for lang in ("en", "ru"):
        assert len({phonemes(lang, tile_words(words(lang), tile)) for tile in TILES}) == 28


def test_russian_numbers_of_tiles_are_feminine() -> None:
    two_tiles = "".join(phonemes("ru", "две кости"))
    assert "".join(phonemes("ru", message("ru", "turn.draw", who=("Анна",), n=2))).endswith(two_tiles)
    wrong = "".join(phonemes("ru", "2 кости"))
    assert wrong != two_tiles
    for n in COUNTS:
        said = "".join(phonemes("ru", message("ru", "bazaar.holds", n=n)))
        assert wrong not in said


def letters(lang: str) -> set[str]:
    """How the names of letters sound, those that are words of the language left out."""
    alphabet = "bcdefghjklmnopqrstuvwxyz" if lang == "en" else "бвгджзйлмнпрстфхцчшщ"
    return {"".join(phonemes(lang, letter)) for letter in alphabet}


def lines_of_a_match(lang: str) -> list[str]:
    lines = []
    for ruleset, seats in (("kozel", 3), ("osel", 2)):
        game = game_of(ruleset, seats, False)
        teller = Narrator(lang, "full", table_of(game, lang))
        for step in played(game, "speakable", rounds=1):
            lines += teller.tell(step.events, None, step.before)
            for event in step.events:
                if isinstance(event, RoundScored):
                    lines += teller.explain(event.summary)
    return list(dict.fromkeys(lines))


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_sentences_sound_as_their_words_one_by_one(lang: str) -> None:
    """No word of a sentence is spelled, read as a sign or as part of a date: each sounds about as it does alone."""
    lines = lines_of_a_match(lang)
    assert len(lines) > 40
    vocabulary = sorted({word for line in lines for word in re.findall(r"\w+", line)})
    spelled = letters(lang)
    minus = {"".join(phonemes("en", "minus")), "".join(phonemes("ru", "минус"))}
    for word in vocabulary:
        if not word.isdigit():
            said = phonemes(lang, word.lower())
            assert len(said) <= 1 or not set(said) & spelled, (word, said)
    for line in lines:
        assert not set(phonemes(lang, line)) & minus, line


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_scores_are_read_as_numbers_not_dates_or_ordinals(lang: str) -> None:
    for points in (0, 9, 13, 21, 25, 101, 125):
        alone = "".join(phonemes(lang, str(points)))
        for key in ("score.totals", "round.totals", "round.recorded"):
            said = "".join(phonemes(lang, message(lang, key, sums=((("Анна" if lang == "ru" else "Anna",), points),))))
            assert said.endswith(alone), (key, points)
        bank = "".join(phonemes(lang, message(lang, "score.eggs", eggs=points)))
        assert bank.endswith(alone)
    for number in (1, 2, 3, 12):
        alone = "".join(phonemes(lang, str(number)))
        assert "".join(phonemes(lang, message(lang, "opening.begins", number=number))).endswith(alone)
