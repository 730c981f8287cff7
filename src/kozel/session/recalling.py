"""The commands that say again what was said before."""

from __future__ import annotations

from collections.abc import Mapping

from kozel.session.commands import Command
from kozel.voice.announcer import Again

AGAIN: Mapping[Command, Again] = {
    Command.REPEAT: "repeat",
    Command.OLDER: "older",
    Command.NEWER: "newer",
    Command.KIND_BEFORE: "kind_before",
    Command.KIND_AFTER: "kind_after",
}
