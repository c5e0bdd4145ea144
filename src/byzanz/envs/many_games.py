"""What the Gymnasium environments with many games share: steps, resets and infos."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from byzanz.encoding import FEATURES, NUMBERS
from byzanz.fast import Batch, step, write_features, write_mask
from byzanz.fast.layout import SEATS, Bytes, Ints, Record
from byzanz.fast.parallel import by_rows
from byzanz.rules import SEEDS

from .observations import observation_space
from .policies import CALLER, play_all
from .rewards import batch_rewards

Observation = dict[str, Any]
Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Returned = tuple[Observation, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]

_REFUSALS = np.array(
    [
        *(f"number {n} is not legal here; the mask has the legal ones" for n in range(NUMBERS)),
        f"action numbers are 0 to {NUMBERS - 1}",
    ],
    dtype=object,
)
_NO_REFUSAL = np.array(None, dtype=object)


@by_rows(fewest=64)
def _play_numbers(games: Record, numbers: Ints, refused: Flags, masks: Bytes) -> None:
    """Play one number in each game not marked as refused; mark games whose number is illegal."""
    for place in range(len(games)):
        if not refused[place]:
            number = numbers[place]
            write_mask(games[place], masks[place])
            if 0 <= number < NUMBERS and masks[place, number]:
                step(games[place], number)
            else:
                refused[place] = True


@by_rows(fewest=64)
def _observe(games: Record, seats: Ints, masks: Bytes, rows: Bytes) -> None:
    """Write, for each game, the mask of the seat to act and the features of a given seat."""
    for place in range(len(games)):
        write_mask(games[place], masks[place])
        write_features(games[place], seats[place], rows[place])


class ManyGames(VectorEnv[Observation, Numbers, npt.NDArray[Any]]):
    """Many games on the compiled engine, in which the caller plays some of the seats."""

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int,
        players: int,
        *,
        reward: str,
        illegal_penalty: float,
        autoreset_mode: AutoresetMode | str,
    ) -> None:
        mode = AutoresetMode(autoreset_mode)
        if mode is AutoresetMode.DISABLED:
            raise ValueError("finished games are always reset: in the next or in the same step")
        self.metadata = {**self.metadata, "autoreset_mode": mode}  # type: ignore[misc]
        self.num_envs = num_envs
        self.players = players
        self.reward = reward
        self.illegal_penalty = illegal_penalty
        self.single_observation_space = observation_space()
        self.single_action_space = spaces.Discrete(NUMBERS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.seats: Numbers = np.zeros(num_envs, dtype=np.int64)
        """The seat that each current observation belongs to."""
        self.deals = np.zeros(num_envs, dtype=np.uint64)
        """The seeds of the current deals; learners must not see them."""
        self._actors = np.full((num_envs, SEATS), CALLER, dtype=np.int64)
        self._batch: Batch | None = None
        self._finished = np.zeros(num_envs, dtype=np.bool_)

    @property
    def batch(self) -> Batch:
        """The current games with all hidden cards; learners must not see them."""
        if self._batch is None:
            raise gymnasium.error.ResetNeeded("there are no games before reset()")
        return self._batch

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal new games and play each up to the caller's first decision."""
        super().reset(seed=seed)
        self._draw_deals(np.arange(self.num_envs))
        if seed is not None:
            self.deals = np.arange(self.num_envs, dtype=np.uint64) + np.uint64(seed)
        self._batch = Batch(self.players, self.deals)
        self._finished[:] = False
        seen = self._play_numbers(
            np.zeros(self.num_envs, dtype=np.int64), np.ones(self.num_envs, dtype=np.bool_)
        )
        return seen, self._infos()

    def step(self, actions: npt.NDArray[np.int64]) -> Returned:
        """Play one action number in each game, and deal a new game where one is over."""
        batch, restarted = self.batch, self._finished
        numbers = np.asarray(actions)
        if numbers.dtype.kind not in "iu":
            raise TypeError(f"action numbers must be integers, not {numbers.dtype}")
        if numbers.shape != (self.num_envs,):
            raise ValueError(f"expected {self.num_envs} numbers, not shape {numbers.shape}")
        if restarted.any():
            self._deal(np.flatnonzero(restarted))
        acted, refused = self.seats.copy(), restarted.copy()
        seen = self._play_numbers(numbers.astype(np.int64), refused)
        refused &= ~restarted
        rewards = np.where(refused, -self.illegal_penalty, 0.0)
        over = np.array(batch.over)
        infos: dict[str, Any] = {}
        if refused.any():
            known = np.where((numbers >= 0) & (numbers < NUMBERS), numbers, NUMBERS)
            infos["refusal"] = np.where(refused, _REFUSALS[known], _NO_REFUSAL)
            infos["_refusal"] = refused
        if over.any():
            ended = self._results(over)
            rewards[over] = ended.pop("rewards")[over, acted[over]]
            if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP:
                seen = self._restart(seen, over, ended, infos)
            else:
                infos |= ended
        self._finished = over & (self.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP)
        infos |= self._infos()
        return seen, rewards, over.copy(), np.zeros(self.num_envs, dtype=np.bool_), infos

    def action_masks(self) -> Flags:
        """Return the action masks of all games as booleans."""
        masks = np.empty((self.num_envs, NUMBERS), dtype=np.uint8)
        rows = np.empty((self.num_envs, FEATURES), dtype=np.uint8)
        _observe(self.batch.games, self.seats, masks, rows)
        return masks.view(np.bool_)

    def _results(self, over: Flags) -> dict[str, Any]:
        """Return the infos of the games that are over, and all rewards."""
        profits, shares = self.batch.results()
        return {
            "rewards": batch_rewards(profits, shares, self.reward),
            "profit": np.where(over[:, None], profits, 0),
            "_profit": over.copy(),
            "share": np.where(over[:, None], shares, 0.0),
            "_share": over.copy(),
        }

    def _restart(
        self, seen: Observation, over: Flags, ended: dict[str, Any], infos: dict[str, Any]
    ) -> Observation:
        """Deal new games in the same step, and put the end of the old ones into ``infos``."""
        final = np.full(self.num_envs, None, dtype=object)
        for place in np.flatnonzero(over):
            final[place] = {name: array[place].copy() for name, array in seen.items()}
        infos["final_obs"], infos["_final_obs"] = final, over.copy()
        infos["final_info"], infos["_final_info"] = ended, over.copy()
        self._deal(np.flatnonzero(over))
        skipped = np.ones(self.num_envs, dtype=np.bool_)
        return self._play_numbers(np.zeros(self.num_envs, dtype=np.int64), skipped)

    def _deal(self, places: Numbers) -> None:
        self._draw_deals(places)
        self.batch.deal(places, self.deals[places])

    def _draw_deals(self, places: Numbers) -> None:
        """Draw the seeds of the next deals of these games."""
        self.deals[places] = self.np_random.integers(SEEDS, size=len(places), dtype=np.uint64)

    def _infos(self) -> dict[str, Any]:
        """Return the infos that every step has."""
        return {}

    def _seats_to_observe(self) -> Numbers:
        """Return the seat of each game whose view is the next observation."""
        return self.seats

    def _play_numbers(self, numbers: Numbers, refused: Flags) -> Observation:
        """Play one number in each game not marked as refused, and return the next observations."""
        masks = np.empty((self.num_envs, NUMBERS), dtype=np.uint8)
        rows = np.empty((self.num_envs, FEATURES), dtype=np.uint8)
        games = self.batch.games
        if not refused.all():
            _play_numbers(games, numbers, refused, masks)
        play_all(games, self._actors)
        self.seats = self._seats_to_observe()
        _observe(games, self.seats, masks, rows)
        return {"observation": rows, "action_mask": masks.view(np.int8)}
