"""The words of the game, a language a package. Imports nothing of the game, so that everything may import it."""

from kozel.locales.catalogue import FALLBACK, language_name, languages, message

__all__ = ["FALLBACK", "language_name", "languages", "message"]
