"""What a session gives to the ear besides words: one listener, told what happens and what the keyboard's answer was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from kozel.engine.events import Event

Notice = Literal["turn", "handover", "marked", "unmarked", "refused", "came", "went", "talk"]
"""What is no event of the match."""


class Sounds(Protocol):
    """Plays sounds. Nothing here raises or waits. `you`: the seat whose person has the keyboard, None for a watcher."""

    @property
    def there(self) -> bool:
        """Are sounds on, and can they be played here?"""

    def stand_for_moves(self) -> bool:
        """Are others' moves heard as sounds now, and told only when asked?"""

    def happened(self, events: Sequence[Event], you: int | None, seats: int) -> None:
        """These events happened, as the listener may know them."""

    def noticed(self, notice: Notice, seat: int | None, you: int | None, seats: int, to: int | None) -> None:
        """Something else happened at a seat, or (None) in the middle; `to`: the seat that alone may hear of it."""

    def sample(self, name: str) -> None:
        """Play a sound to be learnt."""

    def names(self) -> Sequence[str]:
        """The sounds that there are, in the order in which they are learnt."""

    def turn_volume(self, by: int) -> str | None:
        """The volume a step up (by > 0) or down: what is to be said of it, None where nothing can be heard."""


class NoSounds:
    """Plays nothing."""

    there = False

    def stand_for_moves(self) -> bool:
        """They are told."""
        return False

    def happened(self, events: Sequence[Event], you: int | None, seats: int) -> None:
        """Nothing is heard."""

    def noticed(self, notice: Notice, seat: int | None, you: int | None, seats: int, to: int | None) -> None:
        """Nothing is heard."""

    def sample(self, name: str) -> None:
        """Nothing is heard."""

    def names(self) -> Sequence[str]:
        """None."""
        return ()

    def turn_volume(self, by: int) -> str | None:
        """There is none."""
        return None
