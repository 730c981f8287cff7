"""The words of the game, a language a package. Imports nothing of the game, so that everything may import it."""

from kozel.locales.catalogue import LANGUAGES, message

__all__ = ["LANGUAGES", "message"]
