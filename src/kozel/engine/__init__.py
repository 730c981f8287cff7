"""The game itself: tiles, moves, rounds, matches. Standard library only; no I/O, clock, text or global chance.

Modules full of named tuples do not postpone their annotations: each would be compiled from a string again, which costs
every start one and a half milliseconds.
"""
