"""The rewards that all environments share.

``"win"``
    1 for a sole winner, 1/2 each for two winners and so on, 0 for all others. The rewards of a game
    sum to 1.
``"profit"``
    The seat's profit minus the mean profit of the other seats, divided by 20 (``PROFIT_SCALE``),
    which is about the lead of a sensible player over random players. The rewards of a game sum
    to 0.

All rewards come at the end of a game; the reward of every earlier step is 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from byzanz.rules import Result

PROFIT_SCALE = 20
"""The lead in profit that gives the reward 1."""

MAX_PROFIT = 131
"""An upper bound for the profit of a seat.

112 cards make at most 37 sets. The best 37 cards to keep are five merchants (5 each), twelve 4s,
eighteen 3s and two 2s.
"""

REWARDS: dict[str, tuple[float, float]] = {
    "win": (0.0, 1.0),
    "profit": (-MAX_PROFIT / PROFIT_SCALE, MAX_PROFIT / PROFIT_SCALE),
}
"""The rewards by name, each with its minimum and maximum."""


def check_reward(name: str) -> None:
    """Raise ValueError if there is no reward with this name."""
    if name not in REWARDS:
        raise ValueError(f"there is no reward '{name}'; there are {', '.join(REWARDS)}")


def rewards_of(result: Result, name: str = "win") -> tuple[float, ...]:
    """Return the reward of each seat for a finished game."""
    seats = range(len(result.profit))
    shares = [(seat in result.winners) / len(result.winners) for seat in seats]
    return tuple(map(float, batch_rewards(np.array(result.profit), np.array(shares), name)))


def batch_rewards(
    profits: npt.NDArray[np.int64], shares: npt.NDArray[np.float64], name: str = "win"
) -> npt.NDArray[np.float64]:
    """Return the rewards of many games from profits and win shares; seats are the last axis."""
    check_reward(name)
    if name == "win":
        return shares
    others = (profits.sum(axis=-1, keepdims=True) - profits) / (profits.shape[-1] - 1)
    return np.asarray((profits - others) / PROFIT_SCALE)
