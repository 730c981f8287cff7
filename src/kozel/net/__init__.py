"""Tables over a network: a club that keeps them, the two doors by which players come in, and the installed game as client."""
