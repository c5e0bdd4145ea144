"""What a finished game is worth to each seat: the rewards that all environments share.

``"win"``
    The win, shared among the winners: 1 for a sole winner, 1/2 each for two, 0 for all others. The
    rewards of a game sum to 1.
``"profit"``
    One's own profit less the mean profit of the others, divided by 20 (``PROFIT_SCALE``), about
    what a sensible player is ahead of players by chance. The rewards of a game sum to 0.

All rewards come at the end of a game; every step before is worth 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from byzanz.rules import Result

PROFIT_SCALE = 20
"""So much profit ahead of the others is worth 1."""

MOST_PROFIT = 131
"""More than this cannot be earned with 112 cards.

Thirty-seven sets at most; the best there could be keep five merchants (5 each), the twelve 4s, the
eighteen 3s and two 2s.
"""

REWARDS: dict[str, tuple[float, float]] = {
    "win": (0.0, 1.0),
    "profit": (-MOST_PROFIT / PROFIT_SCALE, MOST_PROFIT / PROFIT_SCALE),
}
"""The names of the rewards, and what each is at least and at most."""


def check_reward(name: str) -> None:
    """Raises ValueError if there is no reward of this name."""
    if name not in REWARDS:
        raise ValueError(f"there is no reward '{name}'; there are {', '.join(REWARDS)}")


def rewards_of(result: Result, name: str = "win") -> tuple[float, ...]:
    """The reward of each seat for a finished game."""
    seats = range(len(result.profit))
    shares = [(seat in result.winners) / len(result.winners) for seat in seats]
    return tuple(map(float, rewards_of_all(np.array(result.profit), np.array(shares), name)))


def rewards_of_all(
    profits: npt.NDArray[np.int64], shares: npt.NDArray[np.float64], name: str = "win"
) -> npt.NDArray[np.float64]:
    """The rewards of games side by side, from profits and shares of the win; seats come last."""
    check_reward(name)
    if name == "win":
        return shares
    others = (profits.sum(axis=-1, keepdims=True) - profits) / (profits.shape[-1] - 1)
    return np.asarray((profits - others) / PROFIT_SCALE)
