"""PPO with action masks in one file, in the style of CleanRL: ``python examples/ppo_torch.py``.

It needs ``pip install torch``. The games are those of the vector environment. In NEXT_STEP mode the
step after the end of a game is no decision, so it is left out of the loss.
"""

from __future__ import annotations

import argparse
import time

import gymnasium
import numpy as np
import torch
from torch import nn

import byzanz.envs.gymnasium  # noqa: F401  registers Byzanz-v1
from byzanz.encoding import FEATURES, NUMBERS, scales

STEPS, EPOCHS, BATCHES, CLIP, LAMBDA, ENTROPY, RATE = 128, 3, 4, 0.2, 0.95, 0.003, 1e-3


class Agent(nn.Module):
    """A policy and a value with a common hidden layer."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(FEATURES, 128), nn.Tanh())
        self.policy, self.value = nn.Linear(128, NUMBERS), nn.Linear(128, 1)

    def forward(self, rows: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the log-probabilities of the legal numbers, and the value."""
        hidden = self.body(rows)
        scores = self.policy(hidden).masked_fill(~masks, -1e9)
        return scores.log_softmax(1), self.value(hidden)[:, 0]


def tensors(seen: dict[str, np.ndarray]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return scaled features and boolean masks; a game that is over allows every number."""
    masks = seen["action_mask"].astype(bool)
    masks[~masks.any(axis=1)] = True
    return torch.from_numpy(seen["observation"] / scales()), torch.from_numpy(masks)


def update(agent: Agent, optimiser: torch.optim.Optimizer, data: list[torch.Tensor]) -> None:
    """Do some epochs of PPO on these decisions."""
    for _ in range(EPOCHS):
        for at in torch.randperm(len(data[0])).chunk(BATCHES):
            rows, masks, numbers, before, gains, returns = [each[at] for each in data]
            logs, values = agent(rows, masks)
            ratio = (logs.gather(1, numbers[:, None])[:, 0] - before).exp()
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            gains = (gains - gains.mean()) / (gains.std() + 1e-8)
            loss = -torch.min(ratio * gains, clipped * gains).mean()
            loss += 0.5 * (values - returns).pow(2).mean()
            loss += ENTROPY * (logs.exp() * logs).sum(1).mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimiser.step()


def main(arguments: list[str] | None = None) -> None:
    """Train and print the learning curve."""
    parser = argparse.ArgumentParser(description="PPO with action masks, in the style of CleanRL.")
    parser.add_argument("--opponents", nargs="+", default=["random"], help="default: random")
    parser.add_argument("--num-envs", type=int, default=64, help="games at once (default: 64)")
    parser.add_argument("--updates", type=int, default=40, help="of the agent (default: 40)")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    chosen = parser.parse_args(arguments)
    torch.manual_seed(chosen.seed)
    envs = gymnasium.make_vec(
        "Byzanz-v1", chosen.num_envs, opponents=chosen.opponents, seat=None, reward="profit"
    )
    agent = Agent()
    optimiser = torch.optim.Adam(agent.parameters(), lr=RATE)
    seen, _ = envs.reset(seed=chosen.seed)
    fresh, won, start = np.zeros(chosen.num_envs, dtype=bool), [], time.perf_counter()
    for number_of_update in range(1, chosen.updates + 1):
        kept: list[list[torch.Tensor]] = []
        rewards, ends, decided = [], [], []
        for _ in range(STEPS):
            rows, masks = tensors(seen)
            with torch.no_grad():
                logs, values = agent(rows, masks)
            numbers = torch.distributions.Categorical(logits=logs).sample()
            log = logs.gather(1, numbers[:, None])[:, 0]
            kept.append([rows, masks, numbers, log, values])
            decided.append(torch.from_numpy(~fresh))
            sat = envs.unwrapped.seats.copy()
            seen, reward, over, _, infos = envs.step(numbers.numpy())
            rewards.append(torch.from_numpy(reward.astype(np.float32)))
            ends.append(torch.from_numpy(over.astype(np.float32)))
            if over.any():
                won += infos["share"][over, sat[over]].tolist()
            fresh = over
        with torch.no_grad():
            following = agent(*tensors(seen))[1]
        gain, gains = torch.zeros(chosen.num_envs), []
        for at in reversed(range(STEPS)):
            going = 1 - ends[at]
            error = rewards[at] + going * following - kept[at][4]
            gain = error + LAMBDA * going * gain
            following = kept[at][4]
            gains.append(gain)
        gains.reverse()
        count = torch.cat(decided)
        data = [torch.cat([step[part] for step in kept])[count] for part in range(5)]
        advantages = torch.cat(gains)[count]
        update(agent, optimiser, [*data[:4], advantages, advantages + data[4]])
        if number_of_update % 10 == 0:
            steps = number_of_update * STEPS * chosen.num_envs
            speed = steps / (time.perf_counter() - start)
            share, won = float(np.mean(won)) if won else 0.0, []
            print(f"{steps:8} steps: {share:.1%} of the wins, {speed:,.0f} steps/s", flush=True)


if __name__ == "__main__":
    main()
