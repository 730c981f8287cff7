"""Where a player's attention is: in which zone, and on which tile of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Zone = Literal["hand", "table", "bazaar"]
ZONES: tuple[Zone, ...] = ("hand", "table", "bazaar")
"""From the upper to the lower."""
Step = Literal["left", "right", "home", "end"]


class Cursor:
    """One player's place in each zone. A place stays with its tile, and with its number where the tile is gone."""

    def __init__(self) -> None:
        self.zone: Zone = "hand"
        self._tiles: dict[Zone, int | None] = {}
        self._numbers: dict[Zone, int] = {}

    def copy(self) -> Cursor:
        """Where it stands now, to come back to."""
        other = Cursor()
        other.come_to(self)
        return other

    def come_to(self, other: Cursor) -> None:
        """Stand in every zone where another one does."""
        self.zone = other.zone
        self._tiles, self._numbers = dict(other._tiles), dict(other._numbers)

    def change_zone(self, step: int) -> bool:
        """Go to the zone before (-1) or after (1); False at the edge."""
        place = ZONES.index(self.zone) + step
        if not 0 <= place < len(ZONES):
            return False
        self.zone = ZONES[place]
        return True

    def place(self, tiles: Sequence[int], zone: Zone | None = None) -> int:
        """The number, from 0, of the tile that the cursor stands on; -1 where there are none."""
        zone = zone or self.zone
        tile = self._tiles.get(zone)
        if tile is not None and tile in tiles:
            return tiles.index(tile)
        return min(self._numbers.get(zone, 0), len(tiles) - 1)

    def stand(self, tiles: Sequence[int], number: int, zone: Zone | None = None) -> None:
        """Put the cursor on a tile, by its number from 0."""
        zone = zone or self.zone
        self._numbers[zone] = number
        self._tiles[zone] = tiles[number]

    def walk(self, tiles: Sequence[int], step: Step) -> bool:
        """Walk in the zone; False, and nothing changes, where it has no tile that way."""
        if not tiles:
            return False
        now = self.place(tiles)
        wanted = {"left": now - 1, "right": now + 1, "home": 0, "end": len(tiles) - 1}[step]
        inside = 0 <= wanted < len(tiles)
        self.stand(tiles, min(max(wanted, 0), len(tiles) - 1))
        return inside
