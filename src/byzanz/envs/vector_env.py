"""The Gymnasium environments with many games, on the compiled engine.

A game of :class:`ByzanzVectorEnv` has one learner. In :class:`ByzanzSelfPlayEnv` the caller plays
all seats, or all but those of policies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from byzanz.encoding import FEATURES, NUMBERS
from byzanz.fast import Batch, step, write_features, write_mask
from byzanz.fast.layout import SEATS, TURN, Bytes, Ints, Record
from byzanz.fast.parallel import by_rows
from byzanz.rules import SEEDS

from .observations import observation_space
from .policies import CALLER, POLICIES, actors_at, check_policies, play_all
from .rewards import batch_rewards
from .single_env import ILLEGAL_PENALTY, check_table

Observation = dict[str, Any]
Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Returned = tuple[Observation, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]

_REFUSALS = np.array(
    [
        *(f"number {n} is not legal here; legal are those of the mask" for n in range(NUMBERS)),
        f"action numbers are 0 to {NUMBERS - 1}",
    ],
    dtype=object,
)
_NO_REFUSAL = np.array(None, dtype=object)


@by_rows(fewest=64)
def _play_numbers(games: Record, numbers: Ints, refused: Flags, masks: Bytes) -> None:
    """Play a number in each game, except where refused; mark illegal numbers as refused."""
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
    """Write the mask of the seat on turn, and the features of a given seat."""
    for place in range(len(games)):
        write_mask(games[place], masks[place])
        write_features(games[place], seats[place], rows[place])


class _ManyGames(VectorEnv[Observation, Numbers, npt.NDArray[Any]]):
    """What both environments with many games share."""

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
        """The seat of each current observation."""
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
        """Play each game's number, and deal a new game where one is over."""
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
        """Return the legal numbers of all games as booleans."""
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
        """Deal new games in the same step, and move what is final to the infos."""
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
        """Draw the next deals of these games."""
        self.deals[places] = self.np_random.integers(SEEDS, size=len(places), dtype=np.uint64)

    def _infos(self) -> dict[str, Any]:
        """Return infos that every step has."""
        return {}

    def _seats_to_observe(self) -> Numbers:
        """Return the seat of each game whose view is the next observation."""
        return self.seats

    def _play_numbers(self, numbers: Numbers, refused: Flags) -> Observation:
        """Play these numbers, except where refused, and return the next observations."""
        masks = np.empty((self.num_envs, NUMBERS), dtype=np.uint8)
        rows = np.empty((self.num_envs, FEATURES), dtype=np.uint8)
        games = self.batch.games
        if not refused.all():
            _play_numbers(games, numbers, refused, masks)
        play_all(games, self._actors)
        self.seats = self._seats_to_observe()
        _observe(games, self.seats, masks, rows)
        return {"observation": rows, "action_mask": masks.view(np.int8)}


class ByzanzVectorEnv(_ManyGames):
    """Many games on the compiled engine, each with one learner against compiled policies.

    ``opponents`` are names of policies, starting on the learner's left: ``random``, ``sensible``,
    ``trader``, ``emperor``. If there are more seats than names, the names are repeated. If ``seat``
    is None, the learner's seat is drawn for each game. ``opponent`` is the older name for a single
    opponent. Raises ValueError if an argument is invalid.
    """

    def __init__(  # noqa: PLR0913
        self,
        num_envs: int = 1,
        players: int = 4,
        opponents: str | Sequence[str] = ("random",),
        *,
        opponent: str | None = None,
        seat: int | None = 0,
        reward: str = "win",
        illegal_penalty: float = ILLEGAL_PENALTY,
        render_mode: str | None = None,
        engine: str = "compiled",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        check_table(players, seat, reward)
        if opponent is not None:
            opponents = opponent
        self.opponents = (opponents,) if isinstance(opponents, str) else tuple(opponents)
        if not self.opponents:
            raise ValueError("a learner needs at least one opponent")
        check_policies(self.opponents)
        if render_mode is not None:
            raise ValueError(f"many games have no render mode '{render_mode}'")
        if engine != "compiled":
            raise ValueError(f"many games run on the compiled engine, not on '{engine}'")
        super().__init__(
            num_envs,
            players,
            reward=reward,
            illegal_penalty=illegal_penalty,
            autoreset_mode=autoreset_mode,
        )
        self._fixed_seat = seat
        self._tables = np.stack(
            [actors_at(other, self.opponents, players) for other in range(players)]
        )
        self._sit(np.arange(num_envs), np.full(num_envs, seat or 0, dtype=np.int64))

    def _sit(self, places: Numbers, seats: Numbers) -> None:
        """Give the learners of these games their seats, and the opponents the others."""
        self.seats[places] = seats
        self._actors[places] = self._tables[seats]

    def _draw_deals(self, places: Numbers) -> None:
        super()._draw_deals(places)
        if self._fixed_seat is None:
            self._sit(places, self.np_random.integers(self.players, size=len(places)))


class ByzanzSelfPlayEnv(_ManyGames):
    """Many games on the compiled engine in which the caller plays every seat in turn.

    Each observation is that of the seat on turn, which ``infos["seat"]`` names; of a game that is
    over, it is that of the seat that acted last. The reward is that of the seat that acted, and
    ``infos["seat_rewards"]`` has the rewards of all seats of the games that ended. ``policies``
    names, by seat, who plays it: None is the caller, others are compiled policies. If there are
    more seats than names, the names are repeated. Raises ValueError if an argument is invalid.
    """

    def __init__(  # noqa: PLR0913
        self,
        num_envs: int = 1,
        players: int = 4,
        policies: Sequence[str | None] = (None,),
        *,
        reward: str = "win",
        illegal_penalty: float = ILLEGAL_PENALTY,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        check_table(players, None, reward)
        check_policies(policies)
        seated = [policies[seat % len(policies)] for seat in range(players)] if policies else []
        if None not in seated:
            raise ValueError("the caller needs at least one seat: name None among the policies")
        super().__init__(
            num_envs,
            players,
            reward=reward,
            illegal_penalty=illegal_penalty,
            autoreset_mode=autoreset_mode,
        )
        self.policies = tuple(seated)
        for seat, name in enumerate(seated):
            self._actors[:, seat] = CALLER if name is None else POLICIES[name]

    def _results(self, over: Flags) -> dict[str, Any]:
        ended = super()._results(over)
        by_seat = np.where(over[:, None], ended["rewards"], 0.0)
        return {**ended, "rewards": by_seat, "seat_rewards": by_seat, "_seat_rewards": over.copy()}

    def _infos(self) -> dict[str, Any]:
        return {"seat": self.seats.copy(), "_seat": np.ones(self.num_envs, dtype=np.bool_)}

    def _seats_to_observe(self) -> Numbers:
        turns = self.batch.games[:, TURN]
        return np.where(turns < 0, self.seats, turns)
