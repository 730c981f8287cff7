"""The sounds of a table: what the session tells of, planned, played, and written into the transcript."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from kozel.cli.app import App
from kozel.engine.events import Event
from kozel.session.sounding import Notice, Sounds
from kozel.sounds.plan import SOUNDS, Cue, cues, notice


def table_sounds(app: App) -> Sounds:
    """The sounds for a table of this app."""
    return TableSounds(app)


class TableSounds:
    """Plays on the app's board, whichever that is now. The bell of the terminal rings over ssh, if that is wished.

    Speech comes first: what a key or an update sets off is played together, once all its words were handed over.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._fallback_told = False
        self._waiting: list[Cue] = []
        self._rings = False
        app.board.start()

    @property
    def there(self) -> bool:
        """Are sounds on, and can they be played here?"""
        return not self._app.board.silent

    def stand_for_moves(self) -> bool:
        """Are others' moves heard as sounds now? Where no device plays they are told; that is said once."""
        app = self._app
        if app.moves == "told":
            return False
        if app.board.plays:
            self._fallback_told = False
            return True
        if app.board.status != "opening" and not self._fallback_told:
            self._fallback_told = True
            app.tell(app.say("sounds.told_again"))
        return False

    def happened(self, events: Sequence[Event], you: int | None, seats: int) -> None:
        """These events happened, as the listener may know them."""
        self._play(cues(events, you, seats))

    def noticed(self, notice_: Notice, seat: int | None, you: int | None, seats: int, to: int | None) -> None:
        """Something else happened at a seat, or (None) in the middle."""
        if notice_ == "turn" and self._app.bell and self._app.far:
            self._rings = True
        self._play([notice(notice_, seat, you, seats, to)])

    def sample(self, name: str) -> None:
        """Play a sound to be learnt."""
        self._play([Cue(name)])

    def names(self) -> Sequence[str]:
        """The sounds that there are, in the order in which they are learnt."""
        return tuple(SOUNDS) if self.there else ()

    def turn_volume(self, by: int) -> str | None:
        """The volume a step up or down: what is to be said of it."""
        return self._app.turn_volume(by)

    def _play(self, planned: Sequence[Cue]) -> None:
        if not planned:
            return
        first = not self._waiting
        self._waiting += planned
        if first:
            try:
                asyncio.get_running_loop().call_soon(self._play_all)
            except RuntimeError:  # no event loop: nothing more comes of this key
                self._play_all()

    def _play_all(self) -> None:
        planned, self._waiting = self._waiting, []
        self._app.board.play(planned)
        if self._rings:
            self._rings = False
            self._app.announcer.ring()
