"""The master: a search tree over what the seat knows (information-set Monte Carlo), and exact endgames of two."""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt
from random import Random

from kozel.bots.aim import Aim, aim_for
from kozel.bots.inference import likely_worlds
from kozel.bots.kernel import Position
from kozel.bots.redeals import answer
from kozel.bots.searching import affordable, candidates, different, opening_tile, position_in, solved
from kozel.bots.view import View
from kozel.engine.moves import REDEAL, Move

ITERATIONS = 1000
_EXPLORE = 4.0
"""How much a seldom tried move is worth trying, in mean swings of a round's value."""
_ENDGAME_TILES = 12
_ENDGAME_CAP = 12_000


class _Node:
    """What was found after a move: visits, the sum of the mover's values, in how many worlds it was possible."""

    __slots__ = ("after", "possible", "total", "visits")

    def __init__(self) -> None:
        self.visits, self.total, self.possible = 0, 0.0, 1
        self.after: dict[Move, _Node] = {}


def choose(view: View, random: Random) -> Move:
    """The move that the search went into most often."""
    if REDEAL in view.legal:
        return answer(view, random)
    moves = candidates(view)
    if len(moves) == 1:
        return moves[0]
    aim = aim_for(view.game, view.ledger)
    exact = solved(view, aim, _ENDGAME_TILES, _ENDGAME_CAP)
    if exact:
        return exact
    found = searched(view, aim, moves, ITERATIONS, random.random)
    return max(moves, key=lambda move: found[move][0])


def searched(
    view: View, aim: Aim, moves: tuple[Move, ...], iterations: int, random: Callable[[], float]
) -> dict[Move, tuple[int, float]]:
    """For each move how often the search tried it, and what it came to on average; `iterations` as far as affordable."""
    root, sides = _Node(), view.game.sides
    explore, opened = _EXPLORE * aim.swing, opening_tile(view)
    number = affordable(view, iterations)
    for hands, bazaar in likely_worlds(view, number, number, random):
        position = position_in(view, hands[:], bazaar[:], opened)
        path = _descend(root, position, explore, random)
        finish = position.rollout(random)
        values = aim.values(finish, position.hands, position.opened)
        for node, seat in path:
            node.visits += 1
            node.total += values[sides[seat]]
    return {
        move: (root.after[move].visits, root.after[move].total / root.after[move].visits)
        if move in root.after
        else (0, 0.0)
        for move in moves
    }


def _descend(node: _Node, position: Position, explore: float, random: Callable[[], float]) -> list[tuple[_Node, int]]:
    """Play down the tree by upper confidence, to the first move that is new there; the nodes passed, with their movers."""
    path = []
    while position.finish is None:
        after, seat = node.after, position.turn
        fresh, best, highest = [], None, -1e9
        for move in different(position.ends, position.legal):
            child = after.get(move)
            if child is None:
                fresh.append(move)
                continue
            child.possible += 1
            bound = child.total / child.visits + explore * sqrt(log(child.possible) / child.visits)
            if bound > highest:
                highest, best = bound, move
        if fresh:
            best = fresh[int(random() * len(fresh))]
            node = after[best] = _Node()
        else:
            assert best is not None
            node = after[best]
        path.append((node, seat))
        position.play(best)
        if fresh:
            break
    return path
