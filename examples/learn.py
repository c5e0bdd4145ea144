"""A small learner that needs only NumPy; it starts with random play and soon beats ``greedy``.

A network with one hidden layer maps an observation to a probability for each legal number and to a
value, its prediction of the outcome. It plays many games at a time (``ByzanzVectorEnv``). When they
are over, each number that was played becomes more likely if the outcome was better than predicted,
and less likely if it was worse (REINFORCE with a baseline), but not by more than a fifth in one
update (PPO's clipping). From time to time the policy is evaluated greedily against three ``greedy``
bots (``ByzanzEnv``), which it does not meet in training.

    python examples/learn.py            three seeds, a few minutes on two cores
    python examples/learn.py --quick    a few seconds, to see that it runs
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from byzanz.encoding import FEATURES, NUMBERS, scales
from byzanz.envs.gymnasium import ByzanzEnv, ByzanzVectorEnv

Array = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

HIDDEN = 32
RATE = 0.004
ENTROPY_BONUS = 0.01
"""The weight of the entropy bonus, which keeps the policy from becoming deterministic too soon."""
BATCH = 512
CLIP = 0.2
"""PPO's clipping range: how far from 1 an update may move a probability ratio."""
SCALES = 1 / scales()


@dataclass(frozen=True)
class Plan:
    """How long to train, and how often to evaluate."""

    lessons: int = 300
    games: int = 256
    """Games for each update."""
    every: int = 60
    """Updates between two evaluations."""
    measured: int = 100
    """Games of an evaluation."""
    opponent: str = "sensible"


@dataclass(frozen=True)
class Evaluation:
    """An evaluation: the learner's share of the win in each game against three greedy bots."""

    games: int
    """The number of training games before the evaluation."""
    shares: tuple[float, ...]


class Decisions(NamedTuple):
    """Decisions, as arrays with one row each."""

    rows: Bytes
    masks: npt.NDArray[np.int8]
    numbers: Numbers
    probabilities: Array
    """The probabilities of the numbers when they were played."""
    values: Array
    """The predicted outcomes when they were played."""
    games: Numbers


class Policy:
    """A network with one hidden layer, whose last output predicts the outcome."""

    def __init__(self, rng: np.random.Generator) -> None:
        # About sixty bytes of a row are not zero, so weights are initialised for sixty inputs.
        self.weights: dict[str, Array] = {
            "in": rng.normal(0, 60**-0.5, (FEATURES, HIDDEN)).astype(np.float32),
            "hidden_bias": np.zeros(HIDDEN, dtype=np.float32),
            "out": rng.normal(0, 0.01, (HIDDEN, NUMBERS + 1)).astype(np.float32),
            "out_bias": np.zeros(NUMBERS + 1, dtype=np.float32),
        }
        self._mean = {name: np.zeros_like(of) for name, of in self.weights.items()}
        self._square = {name: np.zeros_like(of) for name, of in self.weights.items()}
        self._steps = 0

    def __call__(self, rows: Bytes, masks: npt.NDArray[np.int8]) -> tuple[Array, Array, Array]:
        """Return the probabilities of the numbers, the values, and the hidden layer."""
        own = self.weights
        hidden = np.maximum(rows * SCALES @ own["in"] + own["hidden_bias"], 0)
        out = hidden @ own["out"] + own["out_bias"]
        logits = np.where(masks == 1, out[:, :-1], -np.inf)
        exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
        return exponentials / exponentials.sum(axis=1, keepdims=True), out[:, -1], hidden

    def learn(self, played: Decisions, outcomes: Array, advantages: Array) -> None:
        """Make one step of gradient descent."""
        probabilities, values, hidden = self(played.rows, played.masks)
        every = np.arange(len(outcomes))
        ratio = probabilities[every, played.numbers] / played.probabilities
        weight = advantages * ratio * np.where(advantages > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        gradient = np.empty((len(outcomes), NUMBERS + 1), dtype=np.float32)
        gradient[:, :-1] = probabilities * weight[:, None]
        gradient[every, played.numbers] -= weight
        logs = np.log(np.maximum(probabilities, 1e-12))
        gradient[:, :-1] += (
            ENTROPY_BONUS
            * probabilities
            * (logs - (probabilities * logs).sum(axis=1, keepdims=True))
        )
        gradient[:, -1] = 0.5 * (values - outcomes)
        gradient /= len(outcomes)
        hidden_gradient = gradient @ self.weights["out"].T * (hidden > 0)
        self._adam(
            {
                "in": (played.rows * SCALES).T @ hidden_gradient,
                "hidden_bias": hidden_gradient.sum(axis=0),
                "out": hidden.T @ gradient,
                "out_bias": gradient.sum(axis=0),
            }
        )

    def _adam(self, gradients: dict[str, Array]) -> None:
        self._steps += 1
        for name, gradient in gradients.items():
            self._mean[name] += 0.1 * (gradient - self._mean[name])
            self._square[name] += 0.001 * (gradient**2 - self._square[name])
            mean = self._mean[name] / (1 - 0.9**self._steps)
            square = self._square[name] / (1 - 0.999**self._steps)
            self.weights[name] -= RATE * mean / (np.sqrt(square) + 1e-8)


def update(policy: Policy, env: ByzanzVectorEnv, rng: np.random.Generator) -> None:
    """Play a batch of games to the end and learn from them."""
    seen, _ = env.reset(seed=int(rng.integers(1 << 62)))
    running = np.arange(env.num_envs)
    outcomes = np.zeros(env.num_envs, dtype=np.float32)
    kept = []
    while len(running):
        rows, masks = seen["observation"][running], seen["action_mask"][running]
        probabilities, values, _ = policy(rows, masks)
        sums = np.cumsum(probabilities, axis=1)
        drawn = rng.random((len(running), 1), dtype=np.float32) * sums[:, -1:]
        numbers = np.argmax(sums > drawn, axis=1)
        chance = probabilities[np.arange(len(running)), numbers]
        kept.append(Decisions(rows, masks, numbers, chance, values, running))
        every = np.zeros(env.num_envs, dtype=np.int64)  # a finished game ignores its number
        every[running] = numbers
        seen, rewards, over, _, _ = env.step(every)
        ended = running[over[running]]
        outcomes[ended] = rewards[ended]
        running = running[~over[running]]
    played = Decisions._make(map(np.concatenate, zip(*kept, strict=True)))
    advantages = outcomes[played.games] - played.values
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
    order = rng.permutation(len(advantages))
    for at in range(0, len(order), BATCH):
        some = order[at : at + BATCH]
        part = Decisions._make(of[some] for of in played)
        policy.learn(part, outcomes[part.games], advantages[some])


def evaluate(policy: Policy, deals: range) -> tuple[float, ...]:
    """Return the shares of the win against three greedy bots when the policy plays greedily."""
    env = ByzanzEnv(players=4, opponents=("greedy",), seat=None)
    shares = []
    for deal in deals:
        seen, _ = env.reset(seed=deal)
        over = False
        while not over:
            probabilities, _, _ = policy(seen["observation"][None], seen["action_mask"][None])
            seen, share, over, _, _ = env.step(int(probabilities[0].argmax()))
        shares.append(float(share))
    return tuple(shares)


def train(plan: Plan, seed: int) -> list[Evaluation]:
    """Train one learner, and return its evaluations, the first before any training."""
    rng = np.random.default_rng(seed)
    policy = Policy(rng)
    env = ByzanzVectorEnv(plan.games, 4, plan.opponent, seat=None, reward="profit")
    deals = range(seed * plan.measured, (seed + 1) * plan.measured)
    course = [Evaluation(0, evaluate(policy, deals))]
    for number in range(1, plan.lessons + 1):
        update(policy, env, rng)
        if number % plan.every == 0:
            course.append(Evaluation(number * plan.games, evaluate(policy, deals)))
    return course


def interval(shares: tuple[float, ...]) -> tuple[float, float, float]:
    """Return the mean of shares and its Wilson interval (95 %), which is valid near 0 and 1 too."""
    mean, count, z = float(np.mean(shares)), len(shares), 1.96
    middle = (mean + z**2 / (2 * count)) / (1 + z**2 / count)
    spread = mean * (1 - mean) / count + z**2 / (4 * count**2)
    reach = z * float(np.sqrt(spread)) / (1 + z**2 / count)
    return mean, max(0.0, middle - reach), min(1.0, middle + reach)


def combined(courses: list[list[Evaluation]]) -> list[Evaluation]:
    """Return the evaluations of all learners together."""
    rows = zip(*courses, strict=True)
    return [Evaluation(row[0].games, sum((one.shares for one in row), ())) for row in rows]


def table(courses: list[list[Evaluation]]) -> str:
    """Return a table of the shares of the win by training games."""
    names = [*(f"seed {seed}" for seed in range(len(courses))), "all"]
    lines = ["   games" + "".join(f"{name:>18}" for name in names)]
    for row in zip(*courses, combined(courses), strict=True):
        cells = [tuple(100 * share for share in interval(one.shares)) for one in row]
        texts = [f"{mean:.0f} % ({low:.0f} to {high:.0f})" for mean, low, high in cells]
        lines.append(f"{row[0].games:>8}" + "".join(f"{text:>18}" for text in texts))
    return "\n".join(lines)


def picture(courses: list[list[Evaluation]]) -> str:
    """Return the learning curves as SVG: a thin one for each learner, and one for all of them."""
    width, height, left, top = 640, 360, 60, 30
    last = max(point.games for point in courses[0])

    def x(games: int) -> str:
        return f"{left + games / last * (width - left - 20):.1f}"

    def y(share: float) -> str:
        return f"{top + (1 - share) * (height - top - 50):.1f}"

    def path(points: list[tuple[int, float]]) -> str:
        return " ".join(f"{x(games)},{y(share)}" for games, share in points)

    pooled = [(one.games, *interval(one.shares)) for one in combined(courses)]
    upper = [(games, high) for games, _, _, high in pooled]
    lower = [(games, low) for games, _, low, _ in reversed(pooled)]
    size = f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{left}" y="18">Share of the win against three greedy bots</text>',
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        dash = ' stroke-dasharray="5 4"' if share == 0.25 else ""
        parts += [
            f'<path d="M{left} {y(share)}H{width - 20}" stroke="#bbb"{dash}/>',
            f'<text x="{left - 8}" y="{y(share)}" dy="4" text-anchor="end">{share:.0%}</text>',
        ]
    parts += [
        f'<text x="{x(games)}" y="{height - 32}" text-anchor="middle">{games:,}</text>'
        for games, _, _, _ in pooled
    ]
    parts.append(f'<polygon points="{path(upper + lower)}" fill="#7b2d8b" opacity="0.2"/>')
    for course in courses:
        seed = path([(point.games, interval(point.shares)[0]) for point in course])
        parts.append(f'<polyline points="{seed}" fill="none" stroke="#7b2d8b" opacity="0.45"/>')
    mean = path([(games, share) for games, share, _, _ in pooled])
    legend = "thin: each seed; band: 95 % interval of all games; dashed: a fair share"
    parts += [
        f'<polyline points="{mean}" fill="none" stroke="#7b2d8b" stroke-width="2.5"/>',
        f'<text x="{left}" y="{height - 10}">training games ({legend})</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def main(arguments: list[str] | None = None) -> None:
    """Train, print the table and draw the curve."""
    parser = argparse.ArgumentParser(description="A small learner that needs only NumPy.")
    parser.add_argument("--seeds", type=int, default=3, help="number of learners (default: 3)")
    parser.add_argument(
        "--lessons",
        type=int,
        default=Plan.lessons,
        help="updates, of 256 games each (default: 300)",
    )
    parser.add_argument(
        "--opponent", default=Plan.opponent, help="policy in the other seats (default: sensible)"
    )
    parser.add_argument("--jobs", type=int, default=2, help="number of processes (default: 2)")
    parser.add_argument(
        "--picture", type=Path, default=Path("learning.svg"), help="file for the learning curve"
    )
    parser.add_argument("--quick", action="store_true", help="train for a few games only")
    chosen = parser.parse_args(arguments)
    plan = Plan(lessons=chosen.lessons, opponent=chosen.opponent)
    if chosen.quick:
        plan = Plan(lessons=2, games=16, every=1, measured=2, opponent=chosen.opponent)
    learn = partial(train, plan)
    if chosen.jobs == 1:
        courses = list(map(learn, range(chosen.seeds)))
    else:
        # Each learner keeps one core busy, so more threads would only compete with it.
        for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
            os.environ.setdefault(name, "1")
        with ProcessPoolExecutor(chosen.jobs, get_context("spawn")) as pool:
            courses = list(pool.map(learn, range(chosen.seeds)))
    print("Share of the wins against three greedy bots, by training games (95 % intervals):")
    print(table(courses))
    chosen.picture.write_text(picture(courses), encoding="utf-8")
    print(f"The curve is in {chosen.picture}.")


if __name__ == "__main__":
    main()
