"""A match as a computer player is shown it."""

from __future__ import annotations

from kozel.bots.view import View
from kozel.bots.view import observe as shown
from kozel.engine.match import Match
from kozel.engine.seen import view


def observe(match: Match, seat: int) -> View:
    """What the seat may know."""
    return shown(match.game, view(match, seat))
