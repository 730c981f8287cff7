"""The chain's parts in the order of walking, for the narrator."""

from __future__ import annotations

from collections.abc import Sequence

from kozel.engine.chain import Chain
from kozel.narration.answers import Arm


def arms_of(chain: Chain) -> list[tuple[Arm, Sequence[int]]]:
    """Each part of a chain with its tiles; a chain without a spinner is one line."""
    thrown: tuple[Arm, Sequence[int]] = ("snot", chain.thrown)
    if chain.spinner is None:
        return [("line", chain.left), thrown]
    return [
        ("left", chain.left),
        ("spinner", (chain.spinner,)),
        ("right", chain.right),
        ("up", chain.up),
        ("down", chain.down),
        thrown,
    ]
