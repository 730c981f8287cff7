"""The rules in plain sentences.

RULES holds, for each rule function, its sentence under "" and what a setting adds to it: under "setting:value" for that
value, under "setting:given" for any other that is not empty. Placeholders are the function's settings.
"""

from __future__ import annotations

COMMON: tuple[str, ...] = (
    "In turn, to the left, each player lays a tile whose half equals an open end.",
    "Who lays the last tile of the hand goes out and ends the round.",
    "When no tile that is still in play fits, the round is a fish, made by the player who laid last.",
)
SLOTS: dict[str, str] = {
    "deal": "Before the deal",
    "redeal": "New deal",
    "first_opening": "First round",
    "later_opening": "Later rounds",
    "lead": "Opening tile",
    "placing": "Chain",
    "drawing": "Drawing",
    "throwing": "Under the opening tile",
    "counting": "Counting",
    "fish": "Fish",
    "settlement": "After the round, in this order",
}
RULES: dict[str, dict[str, str]] = {
    "nobody_takes_a_tile": {"": "nobody takes a tile; all are dealt face down."},
    "winner_takes_a_tile": {"": "while a side sits on the goat, the player who opens takes {tile}, one of the hand."},
    "never_dealt_again": {"": "every deal counts."},
    "dealt_again": {
        "": "some hands need not be played.",
        "same_number:given": "A hand in which {same_number} tiles or more show one number is dealt again by itself.",
        "doubles:given": "Whose hand holds {doubles} doubles or more may ask for a new deal before the first tile.",
    },
    "lowest_double_opens": {
        "": "the holder of the lowest double opens with it; if no hand has one, the holder of the smallest tile with that.",
        "never:given": "Not counted: {never}.",
    },
    "highest_double_opens": {
        "": "the holder of the highest double opens with it; if no hand has one, the holder of the greatest tile with that.",
        "never:given": "Not counted: {never}.",
    },
    "smallest_tile_opens": {"": "the holder of the smallest tile opens with it."},
    "lowest_double_unless_bonus_opens": {
        "": "the holder of the lowest double opens. If that double is not one of these, {bonus}, it must; else with it or with "
        "the lowest other double; whose only doubles are among those may also take the smallest other tile. "
        "If no hand has a double, the smallest tile opens.",
    },
    "lowest_double_drawn_for_opens": {
        "": "the holder of the lowest double opens with it; if no hand has one, the players draw from the bazaar in turn "
        "until somebody has one, and that one opens.",
        "never:given": "Not counted: {never}.",
    },
    "lot_opens": {"": "the lot decides who opens."},
    "last_round_decides": {
        "": "the player opens whom the round before has named.",
        "taken:given": "While a side sits on the goat, with {taken}.",
    },
    "any_tile": {"": "any tile."},
    "any_double": {"": "a double; without one, any tile."},
    "double_with_bonus_at_will": {"": "a double; who has none but {bonus}, or none at all, opens with any tile."},
    "two_ends": {
        "": "it has a left and a right end.",
        "double_play:yes": "Two doubles that fit the two ends may be laid at once.",
        "double_play:no": "One tile is laid a turn.",
    },
    "four_ends": {
        "": "the first double laid is the spinner, with four ends. A double may be laid closed, and that end is gone for the "
        "round. Two, three or four doubles may be laid at once. All ends closed is a fish.",
    },
    "until_playable": {
        "": "who has no tile that fits draws until one does or the bazaar is empty; then the turn "
        "passes. At a fish the next player takes what is left of the bazaar.",
        "auto:yes": "The game draws by itself.",
        "auto:no": "The player draws each tile.",
    },
    "one_tile": {
        "": "who has no tile that fits draws one; if it does not fit, the turn passes. At a fish "
        "what is left of the bazaar counts for nobody.",
        "auto:yes": "The game draws by itself.",
        "auto:no": "The player draws it.",
    },
    "never_drawn": {"": "nobody draws; who has no tile that fits passes."},
    "nothing_thrown": {"": "nothing is thrown."},
    "snot": {
        "": "when the round opens with {under}, the opener's side throws its doubles under it, the snot: the double blank, the "
        "double one and so on, as long as the side holds the next.",
    },
    "pips": {"": "a hand counts its pips."},
    "pips_or_lone_tile": {"": "a hand counts its pips; one that is a single tile counts: {lone}."},
    "pips_or_values": {
        "": "a hand counts its pips, but these tiles count: {values}.",
        "lone:given": "A hand that is a single tile counts: {lone}.",
    },
    "fewest_win": {"": "the sides with the fewest points win; if all are equal, nobody does."},
    "fewest_win_even_if_all": {"": "the sides with the fewest points win, even if all are equal."},
    "winner_gets_the_rest": {
        "": "The winning side gets the points of all other sides. If several share a fish, nobody gets any.",
        "less_own:yes": "At a fish the winner's own points are taken off.",
        "less_own:no": "At a fish the winner's own points are not taken off.",
    },
    "losers_record_their_own": {"": "Each side that has not won gets the points of its own hands."},
    "all_record_their_own": {"": "Every side gets the points of its own hands, the lowest at a fish too."},
    "round_gives": {
        "": "The points of the hands do not matter.",
        "winner:given": "Each winning side gets points: {winner}.",
        "loser:given": "Each losing side gets points: {loser}.",
    },
    "losers_record_all_at_a_fish": {"": "At a fish each losing side gets the points of all sides."},
    "losing_fisher_records_all": {"": "A side that made a fish and lost it gets the points of all sides."},
    "tied_record_at_a_fish": {"": "At a fish, sides that share the fewest points get their own points too."},
    "fish_counts_times": {"": "At a fish all this counts {times} times."},
    "bonus_for_first_and_last_tile": {
        "": "Each losing side gets more, all that apply added up: {tiles}.",
        "opened:yes": "It applies if the round was opened with that tile.",
        "opened:no": "Opening with it does not matter.",
        "out:yes": "It applies if somebody went out on it.",
        "out:no": "Going out on it does not matter.",
    },
    "eggs_to_the_winner": {
        "": "At a fish with equal points these lie on the line as eggs. The next side that wins a round gets them.",
    },
    "eggs_to_the_loser": {
        "": "At a fish with equal points these lie on the line as eggs. The next losing side gets them: of several, the one "
        "with the most points in hand; if several have the most, the eggs stay.",
    },
    "eggs_by_their_number": {
        "": "At a fish with equal points these lie on the line as eggs. Fewer than {threshold} are written off unless an "
        "account is open; a loser whose account was open gets them, for another they are written off. From {threshold} on "
        "the next loser gets them in any case, and they open the account.",
    },
    "record_everything": {"": "All points are recorded."},
    "account_from": {
        "": "An account opens with {single} points or more in one round; what comes before that is lost.",
        "pairs:given": "In pairs it takes {pairs}.",
    },
    "account_with_points_put_by": {
        "": "Until the account is open, up to {over} points in a round are put by. More open it, and what was put by is added. "
        "Going out with a closed account clears what was put by.",
    },
    "first_to_reach_wins": {
        "": "Whoever has {target} points or more wins the match.",
        "pairs:given": "In pairs it takes {pairs}.",
    },
    "who_reaches_loses": {
        "": "Whoever has {target} points or more loses the match.",
        "pairs:given": "In pairs it takes {pairs}.",
        "title:goat": "The loser is the goat.",
        "title:donkey": "The loser is the donkey.",
    },
    "fewest_win_when_one_reaches": {
        "": "When somebody has {target} points or more, the match is over. The fewest points win, then the fewest put by; equals "
        "share. Others who have that many are goats.",
    },
    "match_of_rounds": {
        "": "The match is over after rounds: {rounds}.",
        "best:fewest": "The fewest points win; the most make a goat.",
        "best:most": "The most points win.",
    },
    "bank_by_points": {
        "": "Each player stakes {stake}. The bank goes to those who have not lost: the fewer points, the more of it.",
    },
    "winner_opens_next": {"": "Who went out opens the next round; after a fish, the seat with the fewest points."},
    "last_to_lay_opens_next": {"": "Who laid the last tile opens the next round."},
    "loser_opens_next": {"": "The seat with the most points in hand opens the next round."},
    "next_in_turn_opens_next": {"": "The player after the opener of this round opens the next one."},
    "general_goat": {"": "Who goes out with {tiles} in one move makes the others general goats: the match is over."},
    "officer_goat": {
        "": "Who goes out on {tile} makes the others officer goats, and the match is over.",
        "unless:given": "Not if {unless} goes with it.",
    },
    "sitting_on_the_goat": {
        "": "No points are kept. A side that loses with {single} points or more sits down on the goat; if it loses again, it is "
        "the goat, and the match is over. If it goes out, it gets up and everything begins anew; if it wins a fish, it gets "
        "up and the other side sits down. The winner of a round opens the next one.",
        "pairs:given": "In pairs it takes {pairs}.",
    },
}
TEXTS: dict[str, str] = {
    "name": "{name} ({id}).",
    "seats": "Players: {seats}.",
    "pairs_optional": "Four may play in pairs; partners sit opposite each other.",
    "pairs_always": "Four play in pairs; partners sit opposite each other.",
    "pairs_at_table": "Pairs: partners sit opposite each other.",
    "hand": "Tiles in each hand: {hand}.",
    "hand_for": "{seats} players {hand}",
    "rule": "{slot}: {text}",
    "step": "{number}. {text}",
    "if_seats": "With {value} players: {text}",
    "if_pairs": "In pairs: {text}",
    "if_single": "Without pairs: {text}",
    "holds": "{text} ({conditions})",
    "condition": "{option}: {value}",
    "from_option": "{value} (option {option})",
    "option": "Option {option}: {values}; default {default}.",
    "range": "from {low} to {high}",
    "otherwise": "With {conditions}. {text}",
    "instead": "With {conditions}. {slot}: {text}",
    "points_for": "{tile} {points}",
    "yes": "yes",
    "no": "no",
    "listed": "{id}: {name}",
    "listed_own": "{id}: {name}, your own",
    "listed_broken": "{id}: can't be used; see: kozel rules check {file}",
    "own_folder": "Your own rulesets go into this folder: {folder}",
    "fine": "{file} is fine: {name} ({id}).",
    "unknown": "There is no ruleset '{name}'; {hint}",
}
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
