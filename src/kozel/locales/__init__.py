"""The words of the game, a language a package. Imports nothing of the game, so that everything may import it."""

from kozel.locales.catalogue import FALLBACK, Phrase, default_names, language_name, languages, message, name_in, phrase

__all__ = ["FALLBACK", "Phrase", "default_names", "language_name", "languages", "message", "name_in", "phrase"]
