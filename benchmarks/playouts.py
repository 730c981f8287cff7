"""The playout kernel of the computer players next to the PyPI package `dominoes`: random games, and play-outs from a position.

Four seats, 28 tiles, no drawing. Run `python -m benchmarks.playouts [ROUNDS]` in an environment with
`benchmarks/requirements.txt`. Both play in one process, in turns; a ratio is the median over the rounds of the ratios
within a round, times are of the processor. A play-out of `dominoes` starts from a deep copy, as its own players do it.
"""

from __future__ import annotations

import copy
import random
import sys
from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time
from typing import Any

import dominoes  # type: ignore[import-not-found]

from kozel.bots.kernel import Position, start
from kozel.engine.round import RoundRules
from kozel.engine.tiles import TILES, mask_of, parse_tile, pips_in
from kozel.rules.reading import find

ROUNDS = 9
_GAMES = 100
_POSITIONS = 20
_PLAYOUTS = 5
_HAND = 7


def rules() -> RoundRules:
    """Four single players, one tile a move, nothing drawn."""
    block = find("kozel").game(4, False, {"double_play": False}).round
    block.draws = 0
    return block


def kernel_game(block: RoundRules) -> None:
    """A whole random game, dealt and counted."""
    chance = random.random
    order = sorted(TILES, key=lambda _: chance())
    hands = [mask_of(order[first : first + _HAND]) for first in range(0, len(order), _HAND)]
    position = start(block, hands, [], 0, hands[0])
    position.rollout(chance)
    assert [pips_in(hand) for hand in position.hands]


def dominoes_game() -> None:
    """The same with `dominoes`."""
    _to_the_end(dominoes.Game.new(starting_player=0))


def _to_the_end(game: Any) -> None:
    while game.result is None:
        moves = game.valid_moves
        game.make_move(*moves[int(random.random() * len(moves))])


def midgame(seed: int, tiles_left: int) -> Any:
    """A position of `dominoes` with so many tiles in hands."""
    random.seed(seed)
    while True:
        game = dominoes.Game.new(starting_player=0)
        while game.result is None and sum(map(len, game.hands)) > tiles_left:
            moves = game.valid_moves
            game.make_move(*moves[int(random.random() * len(moves))])
        if game.result is None:
            return game


def same_position(block: RoundRules, game: Any) -> Position:
    """The kernel's position of a game of `dominoes`."""
    hands = [mask_of(parse_tile(f"{tile.first}-{tile.second}") for tile in hand) for hand in game.hands]
    ends = (game.board.left_end(), game.board.right_end())
    return Position(block, hands, [], ends, game.turn, block.moves(hands[game.turn], ends), 0)


def compare(name: str, ours: Callable[[], None], theirs: Callable[[], None], rounds: int) -> None:
    """Time both in turns, and print the line; each call is one share of a round."""
    ratios = []
    for _ in range(rounds):
        spent = []
        for play in (ours, theirs):
            started = process_time()
            play()
            spent.append(process_time() - started)
        ratios.append(spent[1] / spent[0])
    print(f"{name:40} x{median(ratios):6.1f}  [{min(ratios):.1f}..{max(ratios):.1f}]", flush=True)


def main(rounds: int) -> None:
    """Print how many times as fast the kernel is."""
    block = rules()
    print(f"Python {sys.version.split()[0]}, rounds {rounds}")
    compare("random games", partial(_games, partial(kernel_game, block)), partial(_games, dominoes_game), rounds)
    for left in (24, 16):
        games = [midgame(seed, left) for seed in range(_POSITIONS)]
        positions = [same_position(block, game) for game in games]
        compare(
            f"play-outs with {left} tiles left", partial(_kernel_playouts, positions), partial(_playouts, games), rounds
        )


def _games(play: Callable[[], None]) -> None:
    random.seed(0)
    for _ in range(_GAMES):
        play()


def _kernel_playouts(positions: list[Position]) -> None:
    for position in positions:
        for _ in range(_PLAYOUTS):
            position.copy().rollout(random.random)


def _playouts(games: list[Any]) -> None:
    for game in games:
        for _ in range(_PLAYOUTS):
            _to_the_end(copy.deepcopy(game))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
