"""Where a session's keys come from, whatever stands behind it: a terminal, a pipe, an ssh channel, a test.

The session knows commands. What keys are called and which key gives a command in which place is the front end's.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Literal, NamedTuple, Protocol

from kozel.session.commands import Command

ShiftSpace = Literal["yes", "no", "unknown"]
"""Whether Shift+Space is told from Space."""


class Place(Enum):
    """Where the player is when a key is read: it settles what the key means. The front end has a named filter for each."""

    TURN = auto()
    """The own decision, the cursor in the own tiles or on the table."""
    BAZAAR = auto()
    """The own decision, the cursor in the bazaar: what lays a tile elsewhere draws here."""
    END = auto()
    """The question for an end: arrows answer it."""
    REDEAL = auto()
    """The question about a new deal."""
    LEAVING = auto()
    """The question whether to leave."""
    HANDOVER = auto()
    """The next person's Enter."""
    WAITING = auto()
    """Somebody else's turn."""
    BETWEEN = auto()
    """Enter for the next round."""
    OVER = auto()
    """Enter for a new match, Escape for the menu."""
    HELP = auto()
    """A list of help that lies over the table."""
    LOOKBACK = auto()
    """Looking back at a match."""
    MENU = auto()
    """A menu: digits and first letters choose."""
    READING = auto()
    """A list that is only read."""
    YES_NO = auto()
    """A question for yes or no outside the table."""
    LINE = auto()
    """A line that is being typed."""


AT_THE_TABLE = frozenset(
    {
        Place.TURN,
        Place.BAZAAR,
        Place.END,
        Place.REDEAL,
        Place.LEAVING,
        Place.HANDOVER,
        Place.WAITING,
        Place.BETWEEN,
        Place.OVER,
        Place.HELP,
    }
)
"""The places of a match that is played."""

ACTS_ONCE = frozenset(
    {
        Command.ACT,
        Command.CONFIRM,
        Command.LEAVE,
        Command.MARK,
        Command.UNDO,
        Command.TOWARDS_LEFT,
        Command.TOWARDS_RIGHT,
        Command.TOWARDS_UP,
        Command.TOWARDS_DOWN,
    }
)
"""Commands whose key acts once while it is held down. A digit or a letter that chooses in a menu does, too."""


class Pressed(NamedTuple):
    """A key. `key`: the front end's name for it; `command`: what it means in the place where it was read, None for nothing;
    `text`: the character or the pasted text that it stands for, '' for none; `at`: when it arrived, `time.monotonic`.

    A paste has the key 'paste'. After the program was suspended, the key 'resume' comes.
    """

    key: str
    command: Command | None
    text: str
    at: float


class KeyNames(Protocol):
    """What keys are called in a language."""

    def of(self, command: Command, lang: str) -> str:
        """The key that gives a command, as it is said: one that this front end can send; '' where there is none."""

    def all_of(self, command: Command, lang: str) -> tuple[str, ...]:
        """All keys that give a command, as they are said."""

    def pressed(self, key: str, lang: str) -> str:
        """A key by the front end's name for it, as it is said."""


class Keys(Protocol):
    """What keys are read from."""

    @property
    def is_terminal(self) -> bool:
        """Does a person type here, to whom the waits of typing ahead and of held keys apply?"""

    @property
    def shift_space(self) -> ShiftSpace:
        """Whether Shift+Space is told from Space."""

    @property
    def names(self) -> KeyNames:
        """What the keys are called."""

    @property
    def wait(self) -> float:
        """Seconds from a question to a key that may answer it: 0.3, over a network a half round trip more."""

    async def settled(self) -> None:
        """Wait until `shift_space` is known, or the front end says nothing of it."""

    async def get(self, place: Callable[[], Place], timeout: float | None = None) -> Pressed | None:
        """The next key, given its meaning in the place where the player is when it is taken; None after `timeout` seconds.

        A key of `ACTS_ONCE` that is held down is given once. Raises what ends the input, as its front end says.
        """
