"""An evaluator that plays games to their end in compiled code, for OpenSpiel's Python search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from byzanz.envs.rewards import batch_rewards
from byzanz.fast import RECORD_LENGTH, layout
from byzanz.fast.arguments import seeds_of
from byzanz.fast.chance_nodes import AT_CHANCE, roll_out
from byzanz.fast.policy_ids import POLICIES

if TYPE_CHECKING:
    from .game import ByzanzState


class RolloutEvaluator:
    """An evaluator like OpenSpiel's RandomRolloutEvaluator, but compiled.

    Give it to ``open_spiel.python.algorithms.ismcts.ISMCTSBot`` or ``mcts.MCTSBot``. The
    value of a state is the mean return of ``n_rollouts`` games that start from it. Each game
    shuffles the undrawn cards, and all seats play ``policy``: ``random`` or ``sensible``.
    """

    def __init__(self, n_rollouts: int = 1, policy: str = "random", seed: int = 0) -> None:
        if policy not in POLICIES:
            raise ValueError(f"there is no policy '{policy}'; there are {', '.join(POLICIES)}")
        if n_rollouts < 1:
            raise ValueError(f"an evaluator needs at least one rollout, not {n_rollouts}")
        self._policy = POLICIES[policy]
        self._chance = seeds_of([seed])[0]
        self._random = np.random.default_rng(seed)
        self._rollouts = n_rollouts
        self._scratch = (
            np.zeros(RECORD_LENGTH, np.int64), np.zeros(layout.SEATS, np.int64),
            np.zeros((3, layout.SEATS)),
        )  # fmt: skip

    def evaluate(self, state: ByzanzState) -> npt.NDArray[np.float64]:
        """Return each seat's mean return in games played from this state."""
        if state.is_terminal():
            return np.array(state.returns())
        if state.is_chance_node():
            state = state.clone()
            while state.line.player == AT_CHANCE:
                faces, shares = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(self._random.choice(faces, p=shares)))
        line = state.line
        record = line.to_record()
        record[layout.CHANCE] = self._chance
        roll_out(record, np.array(line.left), self._policy, self._rollouts, *self._scratch)
        self._chance = record[layout.CHANCE]
        _, profits, shares = self._scratch[-1][:, : line.players].copy()
        return batch_rewards(profits, shares, state.reward)

    def prior(self, state: ByzanzState) -> list[tuple[int, float]]:
        """Return each legal action with an equal probability, or the outcomes of a chance node."""
        if state.is_chance_node():
            return state.chance_outcomes()
        legal: list[Any] = state.legal_actions()
        return [(number, 1 / len(legal)) for number in legal]
