"""Random agents in OpenSpiel: ``python examples/random_openspiel.py``.

It needs OpenSpiel: ``.venv/bin/pip install -c constraints.txt -e '.[openspiel]'``.
"""

from __future__ import annotations

import random

import pyspiel

import byzanz.envs.openspiel  # noqa: F401  importing it registers the game


def main(games: int = 5, seed: int = 1) -> None:
    """Play some games and print each seat's share of the wins."""
    chance = random.Random(seed)
    game = pyspiel.load_game("python_byzanz(players=4)")
    wins = [0.0] * game.num_players()
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                cards, shares = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(cards, shares)[0])
            else:
                state.apply_action(chance.choice(state.legal_actions()))
        wins = [won + share for won, share in zip(wins, state.returns(), strict=True)]
    for seat, won in enumerate(wins):
        print(f"seat {seat} won {won:g} of {games} games")


if __name__ == "__main__":
    main()
