"""Where the data files that come with the program lie: `rulesets/` and `keymaps/`."""

from __future__ import annotations

from pathlib import Path


def shipped(kind: str) -> Path:
    """The folder of the shipped files of a kind, 'rulesets' or 'keymaps'.

    A wheel carries the folders inside the package; a checkout (an editable install) has them at its top.
    """
    package = Path(__file__).resolve().parent
    inside = package / kind
    return inside if inside.is_dir() else package.parent.parent / kind
