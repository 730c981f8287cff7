"""Who plays what, asked by menus before a match."""

from __future__ import annotations

from collections.abc import Mapping

from kozel.bots.levels import LEVELS
from kozel.cli.menu import Menus
from kozel.cli.mistakes import Mistake
from kozel.cli.seating import seat
from kozel.play.runner import Seating
from kozel.play.store import Folder
from kozel.records.reading import MAX_NAME
from kozel.rules.reading import find, own_ids, shipped_ids
from kozel.rules.ruleset import Ruleset
from kozel.voice.clean import clean
from kozel.yamltree import BadFile


async def ask_for_seating(
    menus: Menus, folder: Folder, ruleset: Ruleset | None, options: Mapping[str, object], seed: str | None
) -> Seating | None:
    """Asks for the game, the seats, pairs and names; None where the player goes back. Raises `Mistake`."""
    if ruleset is None:
        ruleset = await _ask_for_ruleset(menus, folder)
        if ruleset is None:
            return None
    seats = await _ask_for_seats(menus, ruleset)
    if seats is None:
        return None
    pairs = await _ask_for_pairs(menus, ruleset, seats)
    players: list[tuple[str, str | None]] = []
    for number in range(1, seats + 1):
        found = await _ask_for_player(menus, number, [name for name, _ in players])
        if found is None:
            return None
        players.append(found)
    return seat(ruleset, players, pairs, dict(options), seed, menus.lang)


async def _ask_for_ruleset(menus: Menus, folder: Folder) -> Ruleset | None:
    rulesets = [find(id) for id in shipped_ids()]
    for id in own_ids(folder.rulesets):
        try:
            rulesets.append(find(id, folder.rulesets))
        except BadFile as error:
            menus.echo(str(error.problems[0]))
    names = [ruleset.name(menus.lang) for ruleset in rulesets]
    chosen = await menus.choose(menus.say("setup.ruleset"), names)
    return None if chosen is None else rulesets[chosen]


async def _ask_for_seats(menus: Menus, ruleset: Ruleset) -> int | None:
    if len(ruleset.seats) == 1:
        return ruleset.seats[0]
    chosen = await menus.choose(
        menus.say("setup.seats"), [menus.say("setup.seats_of", n=seats) for seats in ruleset.seats]
    )
    return None if chosen is None else ruleset.seats[chosen]


async def _ask_for_pairs(menus: Menus, ruleset: Ruleset, seats: int) -> bool | None:
    if seats != 4 or ruleset.pairs != "optional":
        return None
    chosen = await menus.choose(menus.say("setup.pairs"), [menus.say("setup.pairs_no"), menus.say("setup.pairs_yes")])
    return chosen == 1


async def _ask_for_player(menus: Menus, number: int, taken: list[str]) -> tuple[str, str | None] | None:
    kinds = [menus.say("setup.person")]
    kinds += [menus.say("setup.computer", level=menus.say(f"setup.level_{level}")) for level in LEVELS]
    chosen = await menus.choose(menus.say("setup.who", number=number), kinds, 0 if number == 1 else 1)
    if chosen is None:
        return None
    if chosen:
        return menus.say("setup.computer_name", number=number), list(LEVELS)[chosen - 1]
    while True:
        typed = await menus.line(menus.say("setup.name", number=number) + " ")
        if typed is None:
            raise Mistake([menus.say("setup.name_empty")])
        name = (clean(typed) or "")[:MAX_NAME].strip() or menus.say("setup.name_default", number=number)
        if name not in taken:
            return name, None
        menus.echo(menus.say("setup.name_taken", name=name))
