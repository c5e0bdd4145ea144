"""The Gymnasium environments with many games, on the compiled engine.

A game of :class:`ByzanzVectorEnv` has one learner. In :class:`ByzanzSelfPlayEnv` the caller plays
all seats, or all except those that policies play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from byzanz.fast.layout import TURN

from .many_games import Flags, ManyGames, Numbers
from .policies import CALLER, POLICIES, actors_at, check_policies
from .single_env import ILLEGAL_PENALTY, check_table, opponents_of


class ByzanzVectorEnv(ManyGames):
    """Many games on the compiled engine, each with one learner against compiled policies.

    ``opponents`` are names of policies, starting on the learner's left: ``random``, ``sensible``,
    ``trader``, ``emperor``, ``level1`` to ``level9``. If there are more seats than names, the names
    are repeated. If ``seat`` is None, the learner's seat is drawn for each game. ``opponent`` is
    an older argument for a single opponent. Raises ValueError if an argument is invalid.
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
        self.opponents = opponents_of(opponents, players)
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


class ByzanzSelfPlayEnv(ManyGames):
    """Many games on the compiled engine in which the caller plays every seat in turn.

    Each observation is that of the seat to act, whose number is in ``infos["seat"]``. In a game
    that is over, it is that of the caller's seat that acted last. The reward is that of the
    caller's seat that acted, and ``infos["seat_rewards"]`` has the rewards of all seats in the
    games that ended. ``policies`` names the player of each seat: None is the caller, and other
    names are compiled policies. If there are more seats than names, the names are repeated. Raises
    ValueError if an argument is invalid.
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
        if len(policies) > players:
            raise ValueError(f"{len(policies)} policies cannot sit on {players} seats")
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
