"""`kozel keys` and `kozel speech`: what is in force, and a try of it."""

from __future__ import annotations

import asyncio

from kozel.cli.app import App
from kozel.session.commands import Command
from kozel.terminal.keyboard import KeymapNames
from kozel.terminal.keys_command import list_keys, try_keys
from kozel.terminal.source import Signalled
from kozel.voice.speech_command import speech_list, speech_test


def keys_command(app: App, action: str) -> int:
    """`kozel keys list | test`."""
    if action == "list":
        list_keys(app.keymap, app.lang, app.tell)
        return 0
    try:
        asyncio.run(try_keys(app.keymap, app.lang, app.tell))
    except Signalled as signal:
        return 128 + signal.signum
    return 0


def speech_command(app: App, action: str) -> int:
    """`kozel speech list | test`."""
    if action == "list":
        from kozel.cli.sounds_command import sounds_line

        key = KeymapNames(app.keymap).of(Command.SPEECH_MODE, app.lang)
        speech_list(app.announcer.say_and_show, app.lang, app.settings.speech, key)
        app.announcer.say_and_show(sounds_line(app))
    else:
        speech_test(app.tell, app.lang, app.announcer.mode_facts(timeout=3.0))
    return 0
