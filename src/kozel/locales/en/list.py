"""Help as a list over the table. {keys}: keys as they are said; {back}: the key that leaves the list."""

MESSAGES: dict[str, str | dict[str, str]] = {
    "list.help": "Help: {n} lines. Down and Up walk, {back} goes back.",
    "list.leave_first": "{back:Text} leaves the help first.",
    "list.key": "{keys:One_of}: {text}.",
    "list.tiles": "{first:Text} to 9, {last}: own tile of that number, {last} for the tenth.",
}
