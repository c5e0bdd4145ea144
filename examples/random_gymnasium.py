"""Random actions in the Gymnasium environments: ``python examples/random_gymnasium.py``."""

from __future__ import annotations

import argparse
import time

import gymnasium
import numpy as np

import byzanz.envs.gymnasium  # noqa: F401  registers Byzanz-v1


def play_single_games(games: int, seed: int, opponent: str) -> None:
    """Play some games against bots and print their results."""
    env = gymnasium.make("Byzanz-v1", players=4, opponents=(opponent,), seat=None)
    env.action_space.seed(seed)
    for game in range(games):
        seen, _ = env.reset(seed=seed + game)
        over = False
        while not over:
            number = env.action_space.sample(seen["action_mask"])
            seen, reward, over, _, info = env.step(number)
        seat, profits = env.get_wrapper_attr("seat"), " ".join(map(str, info["profit"]))
        print(f"game {game + 1}: seat {seat}, profits {profits}, reward {float(reward):.2f}")
    env.close()


def play_many_games(steps: int, seed: int, num_envs: int) -> None:
    """Play many games at once and print the speed."""
    envs = gymnasium.make_vec("Byzanz-v1", num_envs)
    chance = np.random.default_rng(seed)
    seen, _ = envs.reset(seed=seed)
    games, won, start = 0, 0.0, time.perf_counter()
    for _ in range(steps):
        mask = seen["action_mask"]
        numbers = np.argmax(mask * chance.random(mask.shape, dtype=np.float32), axis=1)
        seen, rewards, over, _, _ = envs.step(numbers)
        games, won = games + int(over.sum()), won + float(rewards.sum())
    speed = steps * num_envs / (time.perf_counter() - start)
    share = f"{won / games:.3f}" if games else "not known yet"
    print(f"{games} games at once: share of the wins {share}, {speed:,.0f} steps per second")
    envs.close()


def main(arguments: list[str] | None = None) -> None:
    """Play single games against bots, then many games at once against compiled policies."""
    parser = argparse.ArgumentParser(description="Random actions in the Gymnasium environments.")
    parser.add_argument("--games", type=int, default=3, help="number of single games (default: 3)")
    parser.add_argument(
        "--opponent", default="greedy", help="bot in the other seats (default: greedy)"
    )
    parser.add_argument(
        "--num-envs", type=int, default=1024, help="number of games at once (default: 1024)"
    )
    parser.add_argument(
        "--steps", type=int, default=200, help="steps of these games (default: 200)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="random seed of the first game (default: 1)"
    )
    chosen = parser.parse_args(arguments)
    play_single_games(chosen.games, chosen.seed, chosen.opponent)
    play_many_games(chosen.steps, chosen.seed, chosen.num_envs)


if __name__ == "__main__":
    main()
