"""A line that is being typed."""

MESSAGES: dict[str, str | dict[str, str]] = {
    "line.how": "Type, then Enter. Escape goes back without it, Up reads what is typed.",
    "line.typed": "Typed: {text}",
    "line.nothing": "Nothing is typed yet.",
    "line.nothing_to_erase": "Nothing to erase.",
    "line.beginning": "The beginning of the line.",
    "line.end": "The end of the line.",
    "line.full": "The line is full: {n} characters.",
    "line.no_such_key": "{key:Text} does nothing while you type. Enter sends, Escape goes back.",
}
