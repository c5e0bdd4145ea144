"""Random agents in PettingZoo: ``python examples/random_pettingzoo.py --players 4``."""

from __future__ import annotations

import argparse

from byzanz.envs import pettingzoo


def main(arguments: list[str] | None = None) -> None:
    """Play some games and print each agent's reward."""
    parser = argparse.ArgumentParser(description="Random agents in the PettingZoo environment.")
    parser.add_argument(
        "--players", type=int, default=4, help="number of players, 3 to 6 (default: 4)"
    )
    parser.add_argument("--games", type=int, default=3, help="number of games (default: 3)")
    parser.add_argument(
        "--seed", type=int, default=1, help="random seed of the first game (default: 1)"
    )
    parser.add_argument("--reward", default="win", help="win or profit (default: win)")
    chosen = parser.parse_args(arguments)
    env = pettingzoo.env(chosen.players, chosen.reward)
    for game in range(chosen.games):
        env.reset(seed=chosen.seed + game)
        for seat, agent in enumerate(env.agents):
            env.action_space(agent).seed(chosen.seed + game + seat)
        steps, earned = 0, {}
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, _ = env.last()
            if terminated or truncated:
                earned[agent] = reward
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(seen["action_mask"]))
                steps += 1
        rewards = "  ".join(f"{agent} {reward:+.2f}" for agent, reward in earned.items())
        print(f"game {game + 1}: {steps} steps  {rewards}")
    env.close()


if __name__ == "__main__":
    main()
