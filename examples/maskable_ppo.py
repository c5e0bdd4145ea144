"""MaskablePPO of sb3-contrib on Byzanz, without a wrapper: ``python examples/maskable_ppo.py``.

It needs ``pip install sb3-contrib``, which is not a requirement of Byzanz.
"""

from __future__ import annotations

import argparse

import gymnasium
from sb3_contrib import MaskablePPO

import byzanz.envs.gymnasium  # noqa: F401  registers Byzanz-v1


def share_of_wins(model: MaskablePPO, opponents: list[str], games: int) -> float:
    """Return the learner's share of the wins in some games with deals it was not trained on."""
    env = gymnasium.make("Byzanz-v1", opponents=opponents, seat=None)
    won = 0.0
    for game in range(games):
        seen, info = env.reset(seed=10**9 + game)
        over = False
        while not over:
            number, _ = model.predict(seen, action_masks=info["action_mask"], deterministic=True)
            seen, reward, over, _, info = env.step(int(number))
        won += float(reward)
    return won / games


def main(arguments: list[str] | None = None) -> None:
    """Train and print the learning curve."""
    parser = argparse.ArgumentParser(description="MaskablePPO on Byzanz.")
    parser.add_argument("--opponents", nargs="+", default=["random"], help="default: random")
    parser.add_argument("--steps", type=int, default=50_000, help="in all (default: 50000)")
    parser.add_argument("--stages", type=int, default=5, help="lines of the curve (default: 5)")
    parser.add_argument("--games", type=int, default=200, help="for each line (default: 200)")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    chosen = parser.parse_args(arguments)
    env = gymnasium.make("Byzanz-v1", opponents=chosen.opponents, seat=None, reward="profit")
    settings = {"batch_size": 512, "n_epochs": 4, "ent_coef": 0.01, "gamma": 1.0}
    model = MaskablePPO("MultiInputPolicy", env, seed=chosen.seed, **settings)
    for stage in range(chosen.stages + 1):
        won = share_of_wins(model, chosen.opponents, chosen.games)
        print(f"{stage * chosen.steps // chosen.stages:7} steps: {won:.1%} of the wins", flush=True)
        if stage < chosen.stages:
            model.learn(chosen.steps // chosen.stages, reset_num_timesteps=False)


if __name__ == "__main__":
    main()
