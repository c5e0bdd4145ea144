"""A small learner in NumPy alone: it starts by chance and soon beats three ``greedy`` bots.

One hidden layer maps an observation to a probability for each legal number and to a guess of the
outcome. Games are played many at a time (``ByzanzVectorEnv``); when they are over, each number
played becomes likelier if its game went better than guessed, and less likely if worse (REINFORCE
with a baseline), but not by more than a fifth in one lesson (the clip of PPO). Now and then the
likeliest numbers are tried against three ``greedy`` bots (``ByzanzEnv``), which the learner never
meets while learning.

    python examples/learn.py            three seeds, a few minutes on two cores
    python examples/learn.py --quick    seconds, to see that it runs
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
CURIOSITY = 0.01
"""How much evenness of the probabilities is worth, so that learning does not settle too soon."""
BATCH = 512
CLIP = 0.2
"""A number that one lesson has made likelier or less likely by so much is left alone."""
SCALES = 1 / scales()


@dataclass(frozen=True)
class Plan:
    """How much to learn and how often to measure."""

    lessons: int = 300
    games: int = 256
    """Games of a lesson."""
    every: int = 60
    """Lessons between two measurements."""
    measured: int = 100
    """Games of a measurement."""
    opponent: str = "sensible"


@dataclass(frozen=True)
class Measured:
    """What a learner was worth against three greedy bots: its shares of the win, game by game."""

    games: int
    """How many games it had learnt from."""
    shares: tuple[float, ...]


class Decisions(NamedTuple):
    """What was played when, side by side."""

    rows: Bytes
    masks: npt.NDArray[np.int8]
    numbers: Numbers
    chances: Array
    """Of the numbers, when they were played."""
    guesses: Array
    """Of the outcome, when they were played."""
    games: Numbers


class Policy:
    """One hidden layer; the last output guesses the outcome."""

    def __init__(self, rng: np.random.Generator) -> None:
        # About sixty bytes of a row are not zero, so inputs are scaled as if there were sixty.
        self.weights: dict[str, Array] = {
            "in": rng.normal(0, 60**-0.5, (FEATURES, HIDDEN)).astype(np.float32),
            "bend": np.zeros(HIDDEN, dtype=np.float32),
            "out": rng.normal(0, 0.01, (HIDDEN, NUMBERS + 1)).astype(np.float32),
            "lift": np.zeros(NUMBERS + 1, dtype=np.float32),
        }
        self._mean = {name: np.zeros_like(of) for name, of in self.weights.items()}
        self._square = {name: np.zeros_like(of) for name, of in self.weights.items()}
        self._steps = 0

    def __call__(self, rows: Bytes, masks: npt.NDArray[np.int8]) -> tuple[Array, Array, Array]:
        """Probabilities of the numbers, guesses of the outcomes, and the hidden layer."""
        own = self.weights
        hidden = np.maximum(rows * SCALES @ own["in"] + own["bend"], 0)
        out = hidden @ own["out"] + own["lift"]
        raised = np.where(masks == 1, out[:, :-1], -np.inf)
        powers = np.exp(raised - raised.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True), out[:, -1], hidden

    def learn(self, played: Decisions, outcomes: Array, better: Array) -> None:
        """Numbers whose games went better than guessed have become likelier."""
        chances, guesses, hidden = self(played.rows, played.masks)
        every = np.arange(len(outcomes))
        ratio = chances[every, played.numbers] / played.chances
        weight = better * ratio * np.where(better > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        slope = np.empty((len(outcomes), NUMBERS + 1), dtype=np.float32)
        slope[:, :-1] = chances * weight[:, None]
        slope[every, played.numbers] -= weight
        logs = np.log(np.maximum(chances, 1e-12))
        slope[:, :-1] += CURIOSITY * chances * (logs - (chances * logs).sum(axis=1, keepdims=True))
        slope[:, -1] = 0.5 * (guesses - outcomes)
        slope /= len(outcomes)
        below = slope @ self.weights["out"].T * (hidden > 0)
        self._adam(
            {
                "in": (played.rows * SCALES).T @ below,
                "bend": below.sum(axis=0),
                "out": hidden.T @ slope,
                "lift": slope.sum(axis=0),
            }
        )

    def _adam(self, slopes: dict[str, Array]) -> None:
        self._steps += 1
        for name, slope in slopes.items():
            self._mean[name] += 0.1 * (slope - self._mean[name])
            self._square[name] += 0.001 * (slope**2 - self._square[name])
            mean = self._mean[name] / (1 - 0.9**self._steps)
            square = self._square[name] / (1 - 0.999**self._steps)
            self.weights[name] -= RATE * mean / (np.sqrt(square) + 1e-8)


def lesson(policy: Policy, env: ByzanzVectorEnv, rng: np.random.Generator) -> None:
    """The policy has played a batch of games to their end and learnt from them."""
    seen, _ = env.reset(seed=int(rng.integers(1 << 62)))
    going = np.arange(env.num_envs)
    outcomes = np.zeros(env.num_envs, dtype=np.float32)
    kept = []
    while len(going):
        rows, masks = seen["observation"][going], seen["action_mask"][going]
        chances, guesses, _ = policy(rows, masks)
        sums = np.cumsum(chances, axis=1)
        drawn = rng.random((len(going), 1), dtype=np.float32) * sums[:, -1:]
        numbers = np.argmax(sums > drawn, axis=1)
        chance = chances[np.arange(len(going)), numbers]
        kept.append(Decisions(rows, masks, numbers, chance, guesses, going))
        every = np.zeros(env.num_envs, dtype=np.int64)  # a game that is over ignores its number
        every[going] = numbers
        seen, rewards, over, _, _ = env.step(every)
        ended = going[over[going]]
        outcomes[ended] = rewards[ended]
        going = going[~over[going]]
    played = Decisions._make(map(np.concatenate, zip(*kept, strict=True)))
    better = outcomes[played.games] - played.guesses
    better = (better - better.mean()) / (better.std() + 1e-6)
    order = rng.permutation(len(better))
    for at in range(0, len(order), BATCH):
        some = order[at : at + BATCH]
        part = Decisions._make(of[some] for of in played)
        policy.learn(part, outcomes[part.games], better[some])


def measure(policy: Policy, deals: range) -> tuple[float, ...]:
    """Shares of the win against three greedy bots, the likeliest number played each time."""
    env = ByzanzEnv(players=4, opponents=("greedy",), seat=None)
    shares = []
    for deal in deals:
        seen, _ = env.reset(seed=deal)
        over = False
        while not over:
            chances, _, _ = policy(seen["observation"][None], seen["action_mask"][None])
            seen, share, over, _, _ = env.step(int(chances[0].argmax()))
        shares.append(float(share))
    return tuple(shares)


def learnt(plan: Plan, seed: int) -> list[Measured]:
    """What one learner came to, measured from before its first lesson to after its last."""
    rng = np.random.default_rng(seed)
    policy = Policy(rng)
    env = ByzanzVectorEnv(plan.games, 4, plan.opponent, seat=None, reward="profit")
    deals = range(seed * plan.measured, (seed + 1) * plan.measured)
    course = [Measured(0, measure(policy, deals))]
    for number in range(1, plan.lessons + 1):
        lesson(policy, env, rng)
        if number % plan.every == 0:
            course.append(Measured(number * plan.games, measure(policy, deals)))
    return course


def interval(shares: tuple[float, ...]) -> tuple[float, float, float]:
    """The mean of shares, and its 95 % interval (Wilson's, which holds near 0 and 1 too)."""
    mean, count, z = float(np.mean(shares)), len(shares), 1.96
    middle = (mean + z**2 / (2 * count)) / (1 + z**2 / count)
    spread = mean * (1 - mean) / count + z**2 / (4 * count**2)
    reach = z * float(np.sqrt(spread)) / (1 + z**2 / count)
    return mean, max(0.0, middle - reach), min(1.0, middle + reach)


def together(courses: list[list[Measured]]) -> list[Measured]:
    """The learners' games, taken together."""
    rows = zip(*courses, strict=True)
    return [Measured(row[0].games, sum((one.shares for one in row), ())) for row in rows]


def table(courses: list[list[Measured]]) -> str:
    """Shares of the win by games learnt from: each learner, and all together."""
    names = [*(f"seed {seed}" for seed in range(len(courses))), "all"]
    lines = ["   games" + "".join(f"{name:>18}" for name in names)]
    for row in zip(*courses, together(courses), strict=True):
        cells = [tuple(100 * share for share in interval(one.shares)) for one in row]
        texts = [f"{mean:.0f} % ({low:.0f} to {high:.0f})" for mean, low, high in cells]
        lines.append(f"{row[0].games:>8}" + "".join(f"{text:>18}" for text in texts))
    return "\n".join(lines)


def picture(courses: list[list[Measured]]) -> str:
    """The learning curve as SVG: each learner thin, all together with the 95 % interval."""
    width, height, left, top = 640, 360, 60, 30
    last = max(point.games for point in courses[0])

    def x(games: int) -> str:
        return f"{left + games / last * (width - left - 20):.1f}"

    def y(share: float) -> str:
        return f"{top + (1 - share) * (height - top - 50):.1f}"

    def path(points: list[tuple[int, float]]) -> str:
        return " ".join(f"{x(games)},{y(share)}" for games, share in points)

    pooled = [(one.games, *interval(one.shares)) for one in together(courses)]
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
        f'<text x="{left}" y="{height - 10}">games learnt from ({legend})</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def main(arguments: list[str] | None = None) -> None:
    """Learns, prints the table and draws the curve."""
    parser = argparse.ArgumentParser(description="A small learner in NumPy alone.")
    parser.add_argument("--seeds", type=int, default=3, help="learners (default: 3)")
    parser.add_argument("--lessons", type=int, default=Plan.lessons, help="of 256 games each")
    parser.add_argument("--opponent", default=Plan.opponent, help="whom to learn against")
    parser.add_argument("--jobs", type=int, default=2, help="learners at a time (default: 2)")
    parser.add_argument("--picture", type=Path, default=Path("learning.svg"), help="where to draw")
    parser.add_argument("--quick", action="store_true", help="a few games only")
    chosen = parser.parse_args(arguments)
    plan = Plan(lessons=chosen.lessons, opponent=chosen.opponent)
    if chosen.quick:
        plan = Plan(lessons=2, games=16, every=1, measured=2, opponent=chosen.opponent)
    learn = partial(learnt, plan)
    if chosen.jobs == 1:
        courses = list(map(learn, range(chosen.seeds)))
    else:
        # A learner keeps one core busy; more threads each would only get in each other's way.
        for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
            os.environ.setdefault(name, "1")
        with ProcessPoolExecutor(chosen.jobs, get_context("spawn")) as pool:
            courses = list(pool.map(learn, range(chosen.seeds)))
    print("Share of the win against three greedy bots, by games learnt from (95 % intervals):")
    print(table(courses))
    chosen.picture.write_text(picture(courses), encoding="utf-8")
    print(f"The curve is in {chosen.picture}.")


if __name__ == "__main__":
    main()
