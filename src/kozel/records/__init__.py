"""The game record: the text that holds a match, read, written and replayed by the rules."""
