"""What a record says of a deal that was promised otherwise."""

from __future__ import annotations

from kozel.engine.round import Refused


class Unlike(Refused):
    """The deals of a record are not what was promised: `kind` says in what."""
