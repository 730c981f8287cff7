"""A person's dealings with seats: cursor, marks, questions, hints, help. Knows no byte, no key name, no screen."""
