"""Keys at the table that need words of their own. {key}: a key's name; {tile}: a tile."""

MESSAGES: dict[str, str | dict[str, str]] = {
    "answer.no_move": "Nobody has played yet.",
    "answer.no_round": "No round has been played yet.",
    "question.single": "Only {tile:tile}? Space again; {key} marks it.",
    "question.taken_back": "Taken back.",
    "question.x_marks": "To lay two doubles at once, mark them with {key}.",
    "question.x_closes": "{key:Text} marks a double open; again, closed; again, not at all. Marked doubles are laid together.",
    "match.new": "New match. {game}: {who:who}.",
    "refusal.not_saved": "Make room and press again: {file} cannot be written, {why}.",
    "refusal.record_vanished": "Press again, and the match goes on in {elsewhere}: {file} has vanished.",
    "refusal.record_replaced": "Press again, to go on in {elsewhere}: {file} was replaced.",
    "refusal.record_changed": "Press again, to go on in {elsewhere}: {file} was changed.",
}
