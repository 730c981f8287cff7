"""What happens at the table, and the turn's own questions. {who}: a player; {n}: tiles, unless said otherwise."""

MESSAGES: dict[str, str | dict[str, str]] = {
    # the beginning of a round
    "opening.round": {"you": "Round {number}: you open.", "they": "Round {number}: {who:who} opens."},
    "opening.begins": "Round {number}.",
    "opening.opens": {"you": "You open.", "they": "{who:Who} opens."},
    "opening.lot": {"you": "The lot falls on you: you open.", "they": "{who:Who} opens, drawn by lot."},
    "opening.dealt": {
        "one": "{each:Count} tiles each, one in the bazaar.",
        "other": "{each:Count} tiles each, {n:count} in the bazaar.",
    },
    "opening.draws": "Drawing to open: {draws:draws}; {tile:tile} opens.",
    "opening.round_taken": {
        "you": "Round {number}: you take {tile:tile} and open.",
        "they": "Round {number}: {who:who} takes {tile:tile} and opens.",
    },
    "opening.taken": {"you": "You take {tile:tile}.", "they": "{who:Who} takes {tile:tile}."},
    "opening.asked": {"you": "You may ask for a new deal.", "they": "{who:Who} may ask for a new deal."},
    "opening.kept": {"you": "You keep the deal.", "they": "{who:Who} keeps the deal."},
    "opening.again_number": {
        "you": "Dealt again: you have too many {pips:pips_many}.",
        "they": "Dealt again: {who:who} has too many {pips:pips_many}.",
    },
    "opening.again_asked": {"you": "Dealt again, as you asked.", "they": "Dealt again: {who:who} asks for it."},
    # a turn
    "turn.open": {"you": "You: {laid:lays}.", "they": "{who:Who} opens: {laid:lays}."},
    "turn.lay": {"you": "You: {laid:lays}.", "they": "{who:Who}: {laid:lays}."},
    "turn.lay_one_left": {"you": "You: {laid:lays}; one tile left.", "they": "{who:Who}: {laid:lays}; one tile left."},
    "turn.draw_lay": {"you": "You: {laid:lays}; {n:drew}.", "they": "{who:Who}: {laid:lays}; {n:drew}."},
    "turn.draw_lay_one_left": {
        "you": "You: {laid:lays}; {n:drew}; one tile left.",
        "they": "{who:Who}: {laid:lays}; {n:drew}; one tile left.",
    },
    "turn.draw": {
        "you": "You draw {n:taken}.",
        "one": "{who:Who} draws a tile.",
        "other": "{who:Who} draws {n:taken} tiles.",
    },
    "turn.draw_brief": {"you": "You draw {n:taken}.", "they": "{who:Who} draws {n:taken}."},
    "turn.draw_pass": {"you": "You draw {n:taken}, pass.", "they": "{who:Who} draws {n:taken}, passes."},
    "turn.pass": {"you": "You pass.", "they": "{who:Who} passes."},
    "turn.snot": "Snot: {thrown:tiles}.",
    "turn.snot_pair": "Snot: {thrown:thrown}.",
    "turn.one_left": {"you": "You have one tile left.", "they": "{who:Who} has one tile left."},
    "turn.ends": "Ends: {ends:open_ends}.",
    "turn.ends_and_left": {
        "one": "Ends: {ends:open_ends}; one tile left.",
        "other": "Ends: {ends:open_ends}; {n:count} tiles left.",
    },
    "turn.takes_bazaar": {
        "you": "You take the bazaar: {n:taken}.",
        "they": "{who:Who} takes the bazaar: {n:taken}.",
    },
    "draw.own": "Drawn: {drawn:hand}.",
    "draw.own_brief": "{drawn:Hand}.",
    "draw.own_full": {
        "one": "Drawn: {drawn:hand}. Bazaar: one tile.",
        "other": "Drawn: {drawn:hand}. Bazaar: {n:count} tiles.",
    },
    "draw.again": "{said} {key} again.",
    # a turn on a braille display, with tiles as digits
    "braille.drew": "+{n}",
    "braille.pass": "pass",
    "braille.snot": "snot",
    "braille.one_left": "1 left",
    # whoever decides next
    "yours.fit": {"one": "Your turn, one fits.", "other": "Your turn, {n:count} fit."},
    "yours.draw": "Your turn, draw: {key}.",
    "yours.open_any": "Your turn, open with any tile.",
    "yours.open_with": "Your turn, open with {tiles:any_tile}.",
    "handover.next": "{name}, Enter.",
    "handover.after": "{said} {name}, Enter.",
    "handover.fit": {"one": "{ends:Open_ends}. One fits.", "other": "{ends:Open_ends}. {n:Count} fit."},
    "handover.draw": "{ends:Open_ends}. Draw: {key}.",
    "question.end": "{ends:Open_ends}?",
    "question.tile_end": "{tile:Tile}: {ends:open_ends}?",
    "question.redeal": "{n:Count} doubles. New deal? Enter yes, Escape no.",
    "question.leave": "Leave? The match is kept. Enter yes, Escape no.",
    "next.round": "Enter: next round.",
    # going on with a match
    "resume.seats": "{game}: {who:who}.",
    "resume.sides": "{game}: {one:who} against {other:who}.",
    "resume.round": "Round {number}.",
    "resume.between": "Round {number} is over.",
    "resume.before": "No round played yet.",
    "resume.ends": "Ends: {ends:open_ends}.",
}
