"""The rules, told by a person to a person.

RULES holds, for each rule function, its sentence under "" and what a setting adds to it: under "setting:value" for that
value (several joined by commas), under "setting:given" for any value that it does not have anyway. Under "opener", "end" and
"shared" stands what is told elsewhere: who opens the next round, what it means at a round's end, where the points of a fish go
that several share. Placeholders are the function's settings; after a colon stands the noun that a number counts, from FORMS.
A sentence that begins with a small letter stands in a frame of TEXTS.
"""

from __future__ import annotations

SECTIONS: dict[str, str] = {
    "aim": "The aim",
    "deal": "The deal",
    "turn": "The turn",
    "end": "The end of a round",
    "count": "The count",
    "choice": "What you can choose",
}
RULES: dict[str, dict[str, str]] = {
    "nobody_takes_a_tile": {"": "All tiles are dealt face down."},
    "winner_takes_a_tile": {
        "": "While somebody sits on the goat, the player who opens takes {tile} before the deal, as one of the hand.",
    },
    "never_dealt_again": {"": "Every deal counts."},
    "dealt_again": {
        "": "Some hands need not be played.",
        "same_number:given": "A hand with {same_number:tiles} or more that show the same number is dealt again at "
        "once.",
        "doubles:given": "Whoever holds {doubles:doubles} or more may ask for a new deal before the first tile.",
    },
    "lowest_double_opens": {
        "": "whoever holds the lowest double opens with it. If nobody has a double, whoever holds the smallest tile "
        "opens with that.",
        "never:given": "Not counted: {never}.",
    },
    "highest_double_opens": {
        "": "whoever holds the highest double opens with it. If nobody has a double, whoever holds the greatest tile "
        "opens with that.",
        "never:given": "Not counted: {never}.",
    },
    "smallest_tile_opens": {"": "whoever holds the smallest tile opens with it."},
    "lowest_double_unless_bonus_opens": {
        "": "whoever holds the lowest double opens with it. With {bonus} nobody has to: that player may take the lowest other "
        "double, or, without one, the smallest other tile. If nobody has a double, the smallest tile opens.",
    },
    "lowest_double_drawn_for_opens": {
        "": "whoever holds the lowest double opens with it. If nobody has a double, the players draw from the bazaar "
        "in turn until one appears, and it opens.",
        "never:given": "Not counted: {never}.",
    },
    "lot_opens": {"": "the lot decides who opens."},
    "last_round_decides": {
        "": "the round before decides who opens.",
        "taken:given": "While somebody sits on the goat, the first tile is always {taken}.",
    },
    "any_tile": {"": "Any tile may be the first."},
    "any_double": {"": "The first tile must be a double; without one, any tile will do."},
    "double_with_bonus_at_will": {
        "": "The first tile must be a double. Whoever has none but {bonus}, or none at all, may open with any tile.",
    },
    "two_ends": {
        "": "The chain has two ends, left and right.",
        "double_play:yes": "If two doubles fit two different ends, both may be laid in one move.",
        "double_play:no": "One tile is laid a turn.",
    },
    "four_ends": {
        "": "The first double of a round becomes the centre: tiles go on from its four sides, left, right, up and "
        "down. A double may be laid closed: nothing more is laid at that end in this round. Two, three or four "
        "doubles may be laid in one move, each at an end of its own.",
        "end": "If all ends are closed, that is a fish too.",
    },
    "until_playable": {
        "": "If nothing fits, you draw from the bazaar, one tile at a time, until one does. If the bazaar is empty, "
        "you pass.",
        "auto:yes": "The game draws for you.",
        "auto:no": "You draw each tile yourself.",
        "end": "At a fish the next player takes what is left of the bazaar, and it counts in that hand.",
    },
    "one_tile": {
        "": "If nothing fits, you draw one tile from the bazaar; if it does not fit either, you pass.",
        "auto:yes": "The game draws for you.",
        "auto:no": "You draw it yourself.",
        "end": "At a fish what is left of the bazaar counts for nobody.",
    },
    "never_drawn": {"": "Nobody draws: if nothing fits, you pass."},
    "nothing_thrown": {"": "Nothing is thrown under the first tile."},
    "snot": {
        "": "If the first tile is {under}, the opener's side throws its doubles under it: double blank, double one "
        "and so on, without a gap. That is the snot.",
    },
    "pips": {"": "The tiles left in a hand count their pips."},
    "pips_or_lone_tile": {
        "": "The tiles left in a hand count their pips; but if just one of these is left, it counts: {lone}.",
    },
    "pips_or_values": {
        "": "The tiles left in a hand count their pips, but these count: {values}.",
        "lone:given": "If it is the only tile left, it counts: {lone}.",
    },
    "fewest_win": {"": "Whoever holds the fewest points wins the fish; if all hold the same, nobody does."},
    "fewest_win_even_if_all": {
        "": "Whoever holds the fewest points wins the fish; if several hold the fewest, all of them do.",
    },
    "winner_gets_the_rest": {
        "": "The winner of a round gets the points in the hands of all opponents.",
        "less_own:yes": "At a fish the winner's own points are taken off.",
        "less_own:no": "At a fish the winner's own points are not taken off.",
        "shared": "If several share a fish, none of them gets these points.",
    },
    "losers_record_their_own": {
        "": "The losers write down the points of their own hands.",
        "shared": "If several share a fish, they write nothing, and all others write their own points.",
    },
    "all_record_their_own": {"": "Everybody writes down the points of their own hand, the lowest at a fish as well."},
    "round_gives": {
        "": "What is left in the hands does not matter.",
        "winner:given": "A round won gives {winner:points}.",
        "loser:given": "A round lost gives {loser:points}.",
    },
    "losers_record_all_at_a_fish": {"": "Full fish: whoever loses a fish writes down the points of all hands."},
    "losing_fisher_records_all": {"": "Whoever makes a fish and loses it writes down the points of all hands."},
    "tied_record_at_a_fish": {"": "At a fish, players who share the fewest points write down their own as well."},
    "fish_counts_times": {"": "At a fish all this counts {times} times."},
    "bonus_for_first_and_last_tile": {
        "": "The losers get more for special tiles: {tiles}.",
        "opened:yes,out:yes": "That is, if the round was opened with it or somebody went out on it.",
        "opened:yes,out:no": "That is, if the round was opened with it.",
        "opened:no,out:yes": "That is, if somebody went out on it.",
    },
    "eggs_to_the_winner": {
        "": "If all hold the same at a fish, that number of points stays on the line: eggs. Whoever wins the next "
        "round gets them as well.",
        "shared": "If several but not all share a fish, the others' points less the lowest stay on the line as eggs.",
    },
    "eggs_to_the_loser": {
        "": "If all hold the same at a fish, that number of points stays on the line: eggs. Whoever loses the next "
        "round writes them down. Of several losers it is the one with the most points in hand; if several have the "
        "most, the eggs wait on.",
    },
    "eggs_by_their_number": {
        "": "If all hold the same at a fish, that number of points stays on the line: eggs. Fewer than {threshold} "
        "are written off if no account is open. If one is, the next loser writes them down; but a loser without an "
        "account lets them go. {threshold} or more go to the next loser in any case and open the account.",
    },
    "record_everything": {"": "All points are recorded."},
    "account_from": {
        "": "At first nobody has an account. It opens when one round gives at least {single:points}. Anything less "
        "before that is lost.",
        "pairs:given": "In pairs it takes {pairs}.",
    },
    "account_with_points_put_by": {
        "": "At first nobody has an account, and {over:points} or less in a round are put by. More opens the account, "
        "and what was put by is added. If you go out before that, what you had put by is cleared.",
    },
    "first_to_reach_wins": {
        "": "The first to have {target:points} wins the match.",
        "pairs:given": "In pairs it takes {pairs}.",
    },
    "who_reaches_loses": {
        "": "Stay below {target:points}.",
        "pairs:given": "In pairs, below {pairs}.",
        "title:goat": "Whoever has that many is the goat and has lost the match; all others win.",
        "title:donkey": "Whoever has that many is the donkey and has lost the match; all others win.",
    },
    "fewest_win_when_one_reaches": {
        "": "When somebody reaches {target:points}, the match is over. Whoever has the fewest points wins. Among "
        "equals it is the one with the fewest put by; if those are equal too, they share the win. All others who "
        "have reached that many are goats.",
    },
    "match_of_rounds": {
        "": "The match lasts {rounds:rounds}.",
        "best:fewest": "The fewest points win; whoever has the most is the goat.",
        "best:most": "The most points win.",
    },
    "bank_by_points": {
        "": "Everybody puts {stake} into the bank. When the match is over, those who have not lost share it: the fewer points, "
        "the larger the share.",
    },
    "winner_opens_next": {
        "": "whoever went out in the one before opens; after a fish, whoever had the fewest points in hand."
    },
    "last_to_lay_opens_next": {"": "whoever laid the last tile of the one before opens."},
    "loser_opens_next": {"": "whoever was left with the most points in the one before opens."},
    "next_in_turn_opens_next": {"": "the next player in turn opens."},
    "general_goat": {
        "": "Whoever goes out with {tiles} in one move makes all others general goats, and that ends the match.",
    },
    "officer_goat": {
        "": "Whoever goes out on {tile} makes all others officer goats, and that ends the match.",
        "unless:given": "Not if {unless} went with it in that move.",
    },
    "sitting_on_the_goat": {
        "": "Do not lose twice running: no points are kept. Whoever loses a round with {single:points} or more in "
        "hand sits down on the goat. Whoever loses while sitting there is the goat, and the match is over. If the "
        "one who sits goes out, everything begins anew. If the one who sits wins a fish, the other side sits down "
        "instead.",
        "pairs:given": "In pairs it takes {pairs:points}.",
        "opener": "whoever won the one before opens; after a fish, of the winners the one with the fewest points in "
        "hand.",
    },
}
FORMS: dict[str, tuple[str, dict[str, str]]] = {
    "points": ("", {"one": "point", "other": "points"}),
    "tiles": ("nominative", {"one": "tile", "other": "tiles"}),
    "dealt": ("accusative", {"one": "tile", "other": "tiles"}),
    "doubles": ("", {"one": "double", "other": "doubles"}),
    "rounds": ("", {"one": "round", "other": "rounds"}),
}
PLAYERS: dict[int, str] = {2: "two", 3: "three", 4: "four"}
TOGETHER: dict[int, str] = {2: "two", 3: "three", 4: "four"}
TEXTS: dict[str, str] = {
    "name": "{name}.",
    "headed": "{heading}. {text}",
    "set": "There are 28 tiles, one for each pair of numbers from blank to six.",
    "players": "This is a game for {players} players.",
    "pairs_optional": "Four may play in pairs; partners sit opposite each other.",
    "pairs_always": "Four play in pairs; partners sit opposite each other.",
    "pairs_at_table": "You play in pairs; partners sit opposite each other.",
    "hand": "Everybody is dealt {hand:dealt}.",
    "hands": "Everybody is dealt {parts}.",
    "hand_for": "{hand:dealt} with {together} players",
    "bazaar": "The rest lie face down: the bazaar, also called the boneyard.",
    "no_bazaar": "There is no bazaar, for all tiles are dealt: if nothing fits, you pass.",
    "laying": "Turns go to the left. The first tile is laid on the table. Then each player in turn adds a tile at an "
    "open end of the chain. Equal halves meet: a six with a six, a blank with a blank. A tile with two equal halves "
    "is a double.",
    "first_round": "In the first round {text}",
    "later_rounds": "In later rounds {text}",
    "every_round": "In every round {text}",
    "out": "Whoever plays their last tile goes out and wins the round.",
    "blocked": "When no tile that is still in play fits, the round is blocked: that is a fish. Whoever laid the last "
    "tile has made it.",
    "pair_points": "A pair's points are added together.",
    "if_seats": "With {together} players: {text}",
    "if_pairs": "In pairs: {text}",
    "if_single": "Without pairs: {text}",
    "condition": "{option}: {value}",
    "option": "{option}: {values}; usually {default}.",
    "range": "from {low} to {high}",
    "otherwise": "{conditions}. {text}",
    "points_for": "{tile} {points}",
    "shown": "{name} ({id}).",
    "listed": "{id}: {name}",
    "listed_own": "{id}: {name}, your own",
    "listed_broken": "{id}: can't be used; see: kozel rules check {file}",
    "own_folder": "Your own rulesets go into this folder: {folder}",
    "fine": "{file} is fine: {name} ({id}).",
    "unknown": "There is no ruleset '{name}'; {hint}",
}
KEYS: dict[str, str] = {
    "kozel-ruleset": "the format, always 1",
    "id": "its name for the program: letters, digits, '-', '_' and '.', at most 40; no shipped ruleset's",
    "extends": "the ruleset that it changes: a shipped one's id, or a file beside it",
    "name": "its name for players: a text, or one for each language, {ru: …, en: …}",
    "source": "where the rules come from: a text",
    "seats": "the numbers of players: one, or a list, from 2 to 4",
    "pairs": "with 4 players: never (the default), optional or always",
    "hand": "how many tiles are dealt to each: a number, or one by the number of seats, {2: 7, 3: 5}",
    "options": "what players may choose, each with its default, and what it is called",
    "steps": "changes to an inherited settlement, step by step",
}
"""What each key of a ruleset says."""
ROLES: dict[str, str] = {
    "title": "ends the match at once by a title; the round scores nothing",
    "count": "says what each side gets",
    "change": "changes what a side gets",
    "add": "adds to what a side gets",
    "eggs": "lays eggs, or gives them to a side",
    "record": "writes the points down",
    "account": "keeps a side's account closed at first",
    "end": "ends the match",
    "pay": "shares the bank",
    "opener": "names the seat that opens the next round",
    "sit": "says who sits on the goat",
}
"""What a settlement step does."""
REFERENCE: dict[str, str] = {
    "keys": "Keys",
    "slot": "Slot `{slot}`",
    "left_out": "Left out: `{rule}`.",
    "must_be": "It must be given, or inherited.",
    "step": "A step that {what}",
    "needed": "needed",
    "optional": "may be left out",
    "default": "left out: {value}",
}
"""Words of the reference part of `rulesets/README.md`."""
KEY_WORDS: dict[str, str] = {
    "bazaar": "drawing: until_playable / drawing: never_drawn",
    "boneyard": "drawing: until_playable / drawing: never_drawn",
    "stock": "drawing: until_playable / drawing: never_drawn",
    "draw": "drawing: until_playable / drawing: never_drawn",
    "auto draw": "drawing: {until_playable: {auto: yes}}",
    "players": "seats: [2, 3, 4]",
    "player": "seats: [2, 3, 4]",
    "tiles": "hand: 7",
    "teams": "pairs: always / pairs: never",
    "partners": "pairs: always / pairs: never",
    "title": "name: {ru: …, en: …}",
    "description": "source: …",
    "about": "source: …",
    "version": "kozel-ruleset: 1",
    "base": "extends: kozel",
    "parent": "extends: kozel",
    "inherits": "extends: kozel",
    "rules": "settlement: …",
    "scoring": "settlement: …",
    "score": "settlement: …",
    "start": "first_opening: lowest_double_opens",
    "opening": "first_opening: lowest_double_opens",
    "opener": "first_opening: lowest_double_opens",
    "chain": "placing: two_ends",
    "ends": "placing: two_ends",
    "double play": "placing: {two_ends: {double_play: yes}} / placing: two_ends",
    "snot": "throwing: {snot: {under: 6-6}} / throwing: nothing_thrown",
    "eggs": "step eggs_to_the_loser",
    "account": "step account_from: {single: 13}",
    "bonus": "step bonus_for_first_and_last_tile: {tiles: {0-0: 25, 6-6: 50}}",
    "bank": "step bank_by_points: {stake: 100}",
    "new deal": "redeal: {dealt_again: {doubles: 5}} / redeal: never_dealt_again",
}
"""What a key that no ruleset has is likely to mean, and what to write instead; after ' / ', where it says no; a step
of the settlement begins with 'step'."""
OPTION_WORDS: dict[str, str] = {
    "goal": "target",
    "points": "target",
    "limit": "target",
    "auto": "auto_draw",
    "automatic draw": "auto_draw",
    "double": "double_play",
    "doubles": "double_play",
    "bonus": "bonuses",
    "bet": "stake",
    "thirteen": "rule_13",
    "lead": "double_lead",
    "fish": "full_fish",
    "drawing": "draw",
}
"""Other words for the options of the shipped rulesets."""
