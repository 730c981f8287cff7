"""What each command does, in a few words, for lists of keys and for the key tester."""

from __future__ import annotations

from kozel.locales import message
from kozel.session.commands import Command


def command_text(command: Command, lang: str) -> str:
    """What a command does, without a full stop."""
    if command.tile is not None:
        return message(lang, "command.tile", number=command.tile)
    return message(lang, f"command.{command.value}")
