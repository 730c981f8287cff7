"""`kozel keys` and `kozel speech`: what is in force, and a try of it."""

from __future__ import annotations

from kozel.cli.app import App
from kozel.cli.mistakes import Mistake
from kozel.cli.playing import Session, choose_language
from kozel.locales import message
from kozel.terminal.keys_command import keys_list, keys_test
from kozel.terminal.source import KeySource
from kozel.voice.speech_command import speech_list, speech_test


def keys_command(app: App, action: str) -> int:
    """`kozel keys list | test`."""
    if action == "list":
        keys_list(app.tell, app.lang, app.keymap)
        return 0
    return Session(app).run_tool(lambda: keys_test(app.tell, app.lang, app.keymap))


def speech_command(app: App, action: str) -> int:
    """`kozel speech list | test`."""
    if action == "list":
        speech_list(app.tell, app.lang, app.settings.speech)
    else:
        speech_test(app.tell, app.lang, app.announcer.mode_facts(timeout=3.0))
    return 0
