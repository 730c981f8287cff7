"""Hints, practice and the guided first match. {laid}: the move; {key}: a key's name; {n}: tiles, unless said otherwise."""

MESSAGES: dict[str, str | dict[str, str]] = {
    # hints
    "hint.draw": "Draw: {key}. Nothing fits.",
    "hint.keep": "Keep the deal, {key}: on average a new one does no better.",
    "hint.redeal": "Ask for a new deal, {key}: with {n:count} doubles a new one does better on average.",
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
    "hint.blocks_draw": "{laid:Lays}: {who:who} has nothing for it and must draw.",
    "hint.blocks_pass": "{laid:Lays}: {who:who} has nothing for it and must pass.",
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
    "hint.several": "{laid:Lays}: gets rid of {n:count} doubles at once.",
    "hint.closes": "{laid:Lays}: closes this end to everybody.",
    "hint.closes_useless": "{laid:Lays}: closes an end for which you have nothing else.",
    "hint.double": "{laid:Lays}: gets rid of a double, which fits one number only.",
    "hint.heaviest": "{laid:Lays}: gets rid of {n} points, the most you can.",
    "hint.fits": {
        "one": "{laid:Lays}: one of your tiles fits then.",
        "other": "{laid:Lays}: {n:count} of your tiles fit then.",
    },
    "hint.points": "{laid:Lays}: gets rid of {n} points.",
    "hint.marked": "{said} Mark with {key}.",
    # practice
    "undo.lay": "Taken back: {laid:lays}.",
    "undo.lay_more": "Taken back: {laid:lays}, and all after it.",
    "undo.draw": "Taken back: a draw.",
    "undo.draw_more": "Taken back: a draw, and all after it.",
    "undo.answer": "Taken back: the answer about a new deal.",
    "undo.answer_more": "Taken back: the answer about a new deal, and all after it.",
    "refusal.nothing_to_take_back": "Play on: nobody has decided anything in this round.",
}
