"""Statistics by player, by game and by company, told from the matches kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kozel.clean import clean
from kozel.cli.menu import Menus
from kozel.locales import name_in
from kozel.play.digest import Digest
from kozel.play.library import Library
from kozel.play.statistics import (
    GOATS,
    Company,
    Figures,
    Player,
    against,
    companies,
    counting,
    figures,
    of_company,
    of_ruleset,
    players,
    rulesets,
    seats_of,
)

_WAYS = ("players", "games", "companies")


class StatisticsMenu:
    """One visit to the statistics."""

    def __init__(self, menus: Menus) -> None:
        self._menus = menus
        self._say = menus.say
        entries = Library(menus.app.settings.folder).entries(lambda: menus.tell(menus.say("library.wait")))
        self._matches = counting(entry.found for entry in reversed(entries) if entry.found)

    async def ask(self) -> None:
        """By whom, by what or with whom; until it is left."""
        if not self._matches:
            self._menus.tell(self._say("stats.none"))
            return
        at = 0
        while True:
            chosen = await self._menus.choose(
                self._say("stats.title"),
                [self._say(f"stats.by_{way}") for way in _WAYS],
                at,
                [self._say(f"stats.help_{way}") for way in _WAYS],
            )
            if chosen is None:
                return
            at = chosen
            await (self._by_player, self._by_game, self._by_company)[chosen]()

    async def _by_player(self) -> None:
        known = players(self._matches)
        at = 0
        while True:
            labels = [self._counted(self._player(player), count) for player, count in known]
            chosen = await self._menus.choose(self._say("stats.which_player"), labels, at)
            if chosen is None:
                return
            at = chosen
            await self._games_of(known[at][0])

    async def _games_of(self, player: Player) -> None:
        """A player's figures in all games, or in one of several."""
        own = [match for match in self._matches if seats_of(match, player)]
        games = rulesets(own)
        if len(games) == 1:
            await self._menus.read(self._player(player) + ".", self._lines(own, player))
            return
        at = 0
        lang = self._menus.lang
        labels = [self._counted(self._say("stats.all_games"), sum(count for _, _, count in games))]
        labels += [self._counted(name_in(lang, names, id), count) for id, names, count in games]
        while True:
            chosen = await self._menus.choose(self._say("stats.which_game"), labels, at)
            if chosen is None:
                return
            at = chosen
            matches = own if at == 0 else of_ruleset(own, games[at - 1][0])
            await self._menus.read(f"{self._player(player)}. {labels[at]}.", self._lines(matches, player))

    async def _by_game(self) -> None:
        games = rulesets(self._matches)
        at = 0
        while True:
            labels = [self._counted(name_in(self._menus.lang, names, id), count) for id, names, count in games]
            chosen = await self._menus.choose(self._say("stats.which_game"), labels, at)
            if chosen is None:
                return
            at = chosen
            await self._menus.read(labels[at] + ".", self._table(of_ruleset(self._matches, games[at][0])))

    async def _by_company(self) -> None:
        known = companies(self._matches)
        at = 0
        while True:
            names = self._companies([company for company, _ in known])
            labels = [self._counted(name, count) for name, (_, count) in zip(names, known, strict=True)]
            chosen = await self._menus.choose(self._say("stats.which_company"), labels, at)
            if chosen is None:
                return
            at = chosen
            await self._menus.read(labels[at] + ".", self._table(of_company(self._matches, known[at][0])))

    # words

    def _counted(self, what: str, count: int) -> str:
        return self._say("stats.counted", what=what, count=count)

    def _player(self, player: Player) -> str:
        name = clean(player.name) or "?"
        if player.level is None:
            return name
        return self._say("stats.computer", name=name, level=self._say(f"setup.level_{player.level}"))

    def _companies(self, companies: Sequence[Company]) -> list[str]:
        """Who sits at each table; with the computers' levels where names alone do not tell two tables apart."""
        short = [
            tuple(tuple(clean(player.name) or "?" for player in side) for side in company) for company in companies
        ]
        long = [tuple(tuple(self._player(player) for player in side) for side in company) for company in companies]
        told = [names if short.count(names) == 1 else full for names, full in zip(short, long, strict=True)]
        return [self._say("stats.company", sides=sides) for sides in told]

    def _decimal(self, number: float) -> str:
        whole, tenth = divmod(round(number * 10), 10)
        return self._say("word.decimal", whole=whole, tenth=tenth)

    def _table(self, matches: Sequence[Digest]) -> list[str]:
        """The figures of a game or a company, then a line a player."""
        rounds = [each for match in matches for each in match.rounds]
        over = sum(match.over for match in matches)
        fishes = sum(each.result == "fish" for each in rounds)
        lines = [
            self._say("stats.matches_all", matches=over, unfinished=len(matches) - over),
            self._say("stats.rounds_all", rounds=len(rounds), fishes=fishes),
        ]
        for player, _ in players(matches):
            found = figures(matches, player)
            facts = {"player": self._player(player), "won": found.won, "lost": found.lost}
            titles = self._titles(found.titles)
            line = (
                self._say("stats.line_titles", titles=titles, **facts) if titles else self._say("stats.line", **facts)
            )
            if found.scored_rounds:
                line = self._say("stats.mean", said=line, mean=self._decimal(found.mean_recorded))
            lines.append(line)
        return lines

    def _lines(self, matches: Sequence[Digest], player: Player) -> list[str]:
        """All figures of a player, those that matter most first."""
        found = figures(matches, player)
        lines = [self._say("stats.matches", matches=found.matches, won=found.won, lost=found.lost)]
        if found.unfinished:
            lines.append(self._say("stats.unfinished", count=found.unfinished))
        lines.append(self._say("stats.rounds", rounds=found.rounds, won=found.rounds_won, out=found.gone_out))
        lines += self._goats(found)
        lines.append(self._say("stats.fishes", fishes=found.fishes, won=found.fishes_won))
        if found.egg_takings:
            lines.append(self._say("stats.eggs", times=found.egg_takings, points=found.eggs))
        if found.rounds:
            lines.append(self._say("stats.in_hand", mean=self._decimal(found.mean_in_hand)))
        if found.scored_rounds:
            lines.append(self._say("stats.recorded", mean=self._decimal(found.mean_recorded)))
        lines.append(self._say("stats.streaks", won=found.longest_won, lost=found.longest_lost))
        if found.streak:
            key = "stats.streak_won" if found.streak > 0 else "stats.streak_lost"
            lines.append(self._say(key, count=abs(found.streak)))
        for other, counts in against(matches, player):
            facts = {"matches": counts.matches, "won": counts.won, "lost": counts.lost}
            lines.append(self._say("stats.against", player=self._player(other), **facts))
        return lines

    def _goats(self, found: Figures) -> list[str]:
        """How often the player became what, and made others it; nothing where that never was."""
        lines = []
        for key, counts in (("stats.titles", found.titles), ("stats.made", found.made)):
            said = self._titles(counts)
            if said:
                lines.append(self._say(key, titles=said))
        return lines

    def _titles(self, counts: Mapping[str, int]) -> str:
        """'goat 2, donkey 1': the titles that occurred, '' for none."""
        return ", ".join(self._say(f"stats.{title}", count=counts[title]) for title in GOATS if counts.get(title))
