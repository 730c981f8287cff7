"""Hints, practice and the guided first match. {laid}: the move; {key}: a key's name; {n}: tiles, unless said otherwise."""

MESSAGES: dict[str, str | dict[str, str]] = {
    # hints
    "hint.draw": "Draw: {key}. Nothing fits.",
    "hint.keep": "Keep the deal, {key}: on average a new one does no better.",
    "hint.redeal": "Ask for a new deal, {key}: with so many doubles a new one does better on average.",
    "hint.open_only": "{laid:Lays}: no other tile may open.",
    "hint.only": "{laid:Lays}: nothing else fits.",
    "hint.out": {
        "one": "{laid:Lays}: your last tile, you go out.",
        "other": "{laid:Lays}: your last tiles, you go out.",
    },
    "hint.fish_won": "{laid:Lays}: a fish, and you win it, {mine} points to {theirs}.",
    "hint.fish_equal": "{laid:Lays}: a fish with equal points, {mine} to {theirs}.",
    "hint.fish_lost": "{laid:Lays}: a fish, though you lose it, {mine} points to {theirs}.",
    "hint.fish": "{laid:Lays}: a fish at once; you hold {mine} points then.",
    "hint.blocks_draw": "{laid:Lays}: {who:who} cannot follow and must draw.",
    "hint.blocks_pass": "{laid:Lays}: {who:who} cannot follow and must pass.",
    "hint.keeps_shut": "{laid:Lays}: leaves {n} points, too few to open your account if you lose now.",
    "hint.both_ends": {
        "one": "{laid:Lays}: both ends show {pips:pips_many}, and you hold another one.",
        "other": "{laid:Lays}: both ends show {pips:pips_many}, and you hold {n:count} more.",
    },
    "hint.all_fit": "{laid:Lays}: all your tiles fit then.",
    "hint.most_fit": {
        "one": "{laid:Lays}: one of your tiles fits then, after any other move none.",
        "other": "{laid:Lays}: {n:count} of your tiles fit then, more than after any other move.",
    },
    "hint.several": {
        "one": "{laid:Lays}: gets rid of {n:of_doubles} at once.",
        "other": "{laid:Lays}: gets rid of {n:of_doubles} at once.",
    },
    "hint.closes": "{laid:Lays}: closes this end to everybody.",
    "hint.closes_useless": "{laid:Lays}: closes an end for which you have nothing else.",
    "hint.double": "{laid:Lays}: gets rid of a double, which fits one number only.",
    "hint.heaviest": "{laid:Lays}: gets rid of {n} points, the most you can.",
    "hint.fits": {
        "one": "{laid:Lays}: one of your tiles fits then.",
        "other": "{laid:Lays}: {n:count} of your tiles fit then.",
    },
    "hint.points": "{laid:Lays}: gets rid of {n} points.",
    "hint.wait": "One moment.",
    "hint.marked": "{said} Mark with {key}.",
    # practice
    "undo.lay": "Taken back: {laid:lays}.",
    "undo.lay_more": "Taken back: {laid:lays}, and all after it.",
    "undo.draw": "Taken back: a draw.",
    "undo.draw_more": "Taken back: a draw, and all after it.",
    "undo.answer": "Taken back: the answer about a new deal.",
    "undo.answer_more": "Taken back: the answer about a new deal, and all after it.",
    "refusal.nothing_to_take_back": "Play on: nobody has decided anything in this round.",
    "practice.title": "Practice.",
    "menu.practice_on": "Continue",
    "menu.practice_new": "New practice match",
    "menu.help_practice_on": "The practice match that was played last.",
    "menu.help_practice_new": "Choose the game, its options and who plays, then start.",
    "practice.begins": "Practice: {key} takes moves back. It does not count.",
    "menu.practice": "Practice",
    "menu.help_practice": "A match in which moves can be taken back. It does not count in the statistics.",
    "menu.first": "First match",
    "menu.help_first": "What dominoes is, and how it is played from the keyboard: a short match, explained.",
    # the guided first match; each asks for one key, {key}
    "lesson.offer": "New here? First match in the menu teaches the game.",
    "lesson.begins": "First match: one round against {who:who}. The aim is to be rid of your tiles first. "
    "Press the keys that you are asked for. {key} leaves at any time.",
    "lesson.tiles": "A tile with equal halves is a double. There are 28 tiles, and you hold seven. To hear "
    "all of yours, press {key}.",
    "lesson.walk": "A tile has two halves, each with zero to six dots; zero is called blank. You stand on "
    "your first tile. To walk to the next, press {key}.",
    "lesson.walk_end": "The arrow the other way goes back. To the last tile: press {key}.",
    "lesson.aim": "Whoever lays all their tiles first goes out, and the round is over. How many has each "
    "player? Press {key}.",
    "lesson.next_fit": "Only double one may open this match. To jump to a tile that can be laid, press {key}.",
    "lesson.chain": "A new tile goes to either end of the chain, beside an equal half. To hear the chain, press {key}.",
    "lesson.bazaar": "The bazaar holds what nobody was dealt. How many tiles are there? Press {key}.",
    "lesson.draw": "Tiles lie in a chain, equal halves touching. Its ends are a one and a blank, and you "
    "hold neither. So draw from the bazaar, the boneyard: press {key}.",
    "lesson.ends": "Whose turn it is, both ends and what fits, by one key: press {key}.",
    "lesson.number": "Both ends show a six. A number goes to your own tile in that place. Press {key}.",
    "lesson.scores": "After a round the dots left in hand are counted and recorded for the losers, from "
    "thirteen on. The scores: press {key}.",
    "lesson.make_fish": "Six on both ends and all sixes laid: nobody can go on. That is a fish, and ends the "
    "round. The right end: press {key}.",
    "lesson.last_round": "The fewest dots win a fish. Your opponent records theirs, reaches {target} and is the "
    "goat; the usual target is {usual}. To hear it in full, press {key}.",
    "lesson.end": "That was your first match. {help} opens the help at any time: keys and rules. To the "
    "menu: press {key}.",
    "lesson.moves": "All that the others did since your turn: press {key}.",
    "lesson.eggs": "If a fish leaves equal points, they wait for the next round; they are called eggs. How "
    "many are there? Press {key}.",
    "lesson.further": "On to the next tile that can be laid: press {key}.",
    "lesson.lay": "A tile that has been said can be laid. Press {key}.",
    "lesson.last_move": "Before you lay, listen around. To hear the last move again, press {key}.",
    "lesson.draw_again": "It fits neither end. Draw again: press {key}.",
    "lesson.lay_drawn": "This one fits, and you stand on it. Lay it: press {key}.",
    "lesson.repeat": "If you miss something, the last announcement comes again. Press {key}.",
    "lesson.lay_number": "It fits both ends, but they show the same, so nothing is asked. Press {key}.",
    "lesson.unheard": "You stand on a tile that was not said in this turn. The key that lays only says it then. Press {key}.",
    "lesson.heard": "Now it has been said and can be laid. Press {key}.",
    "lesson.which_end": "It fits two different ends, so you answer with the arrow towards one. The left end: press {key}.",
    "lesson.mark": "Double six and double two fit the two ends and may be laid together. To mark double six, press {key}.",
    "lesson.home": "The other one is your first tile. Go there: press {key}.",
    "lesson.mark_second": "Mark it as well: press {key}.",
    "lesson.lay_both": "Lay both at once: press {key}.",
    "lesson.leave": "You can leave a match at any time; the menu or {command} resumes it. Try it: press {key}.",
    "lesson.stay": "Enter would leave now. To stay, press {key}.",
    "lesson.hint": "What would the computer do in your place? For a hint, press {key}.",
    "lesson.lay_hint": "The tile has been said and can be laid. Press {key}.",
    "lesson.leave_question": "Leave this lesson? Enter yes, Escape no.",
    "lesson.yes_or_no": "{pressed:Text} does nothing here: Enter yes, Escape no.",
    "lesson.left": "You have left the lesson. It begins anew from the menu.",
    "lesson.press": "Press {key}: {does}.",
    "lesson.not_now": "{pressed:Text} is not needed now. Press {key}: {does}.",
    "cli.practice_record": "--record and --practice do not go together: practice matches are kept in the folder practice.",
    # the rules from F1, page by page; {n}: pages
    "help.more": "{key}: more rules. {place} of {n}.",
    "help.end": "These were the rules, {place} of {n}. {key}: the keys again.",
}
