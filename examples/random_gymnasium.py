"""Random learners through Gymnasium: ``python examples/random_gymnasium.py``."""

from __future__ import annotations

import argparse
import time

import gymnasium
import numpy as np

import byzanz.envs.gymnasium  # noqa: F401  registers Byzanz-v0


def one_by_one(games: int, seed: int, opponent: str) -> None:
    """Plays some games against bots and prints how they ended."""
    env = gymnasium.make("Byzanz-v0", players=4, opponents=(opponent,), seat=None)
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


def side_by_side(steps: int, seed: int, num_envs: int) -> None:
    """Plays many games at once and prints how fast."""
    envs = gymnasium.make_vec("Byzanz-v0", num_envs, vectorization_mode="vector_entry_point")
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
    print(f"{games} games side by side: share of the win {share}, {speed:,.0f} steps a second")
    envs.close()


def main(arguments: list[str] | None = None) -> None:
    """Plays against bots one by one, then against compiled policies side by side."""
    parser = argparse.ArgumentParser(description="Random learners through Gymnasium's API.")
    parser.add_argument("--games", type=int, default=3, help="one by one (default: 3)")
    parser.add_argument("--opponent", default="greedy", help="a bot (default: greedy)")
    parser.add_argument("--num-envs", type=int, default=1024, help="side by side (default: 1024)")
    parser.add_argument("--steps", type=int, default=200, help="of all together (default: 200)")
    parser.add_argument("--seed", type=int, default=1, help="of the first game (default: 1)")
    chosen = parser.parse_args(arguments)
    one_by_one(chosen.games, chosen.seed, chosen.opponent)
    side_by_side(chosen.steps, chosen.seed, chosen.num_envs)


if __name__ == "__main__":
    main()
