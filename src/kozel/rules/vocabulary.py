"""All rules: importing this module fills the registry."""

from __future__ import annotations

from kozel.rules import accounts, eggs, endings, goats, openings, scoring, table
from kozel.rules.registry import RULES, SLOTS, Slot, in_play, settings_of

__all__ = [
    "RULES",
    "SLOTS",
    "Slot",
    "accounts",
    "eggs",
    "endings",
    "goats",
    "in_play",
    "openings",
    "scoring",
    "settings_of",
    "table",
]
