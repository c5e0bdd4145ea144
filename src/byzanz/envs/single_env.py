"""The Gymnasium environments with one game: one learner against bots or compiled policies."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from byzanz.bots import check_bots
from byzanz.encoding import NUMBERS, IllegalNumber, Moment
from byzanz.rules import SEEDS, SETUPS, Deal, Game

from .engines import check_engine
from .learner_tables import BotTable, PolicyTable
from .observations import observation_space
from .policies import POLICIES
from .rewards import batch_rewards, check_reward

Observation = dict[str, Any]

ILLEGAL_PENALTY = 0.1
"""The default penalty for an illegal number."""


def check_table(players: int, seat: int | None, reward: str) -> None:
    """Raise ValueError if there is no such table, seat or reward."""
    check_reward(reward)
    if players not in SETUPS:
        raise ValueError(f"Byzanz is for {min(SETUPS)} to {max(SETUPS)} players, not {players}")
    if seat is not None and not 0 <= seat < players:
        raise ValueError(f"there is no seat {seat} at a table of {players}")


def opponents_of(given: str | Sequence[str], players: int) -> tuple[str, ...]:
    """Return the names of the opponents; a single name may be given as a string.

    Raises ValueError if there are no names, or more names than seats.
    """
    names = (given,) if isinstance(given, str) else tuple(given)
    if not names:
        raise ValueError("a learner needs at least one opponent")
    if len(names) >= players:
        raise ValueError(f"{len(names)} opponents cannot sit on {players - 1} seats")
    return names


class ByzanzEnv(gymnasium.Env[Observation, np.int64]):
    """One learner against bots, on the readable rules.

    ``opponents`` are names of bots, starting on the learner's left. If there are more seats than
    names, the names are repeated. If ``seat`` is None, the learner's seat is drawn for each game.
    Raises ValueError or UnknownBot if an argument is invalid.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "human"], "render_fps": 1}  # type: ignore[misc]

    def __init__(  # noqa: PLR0913
        self,
        players: int = 4,
        opponents: Sequence[str] = ("greedy",),
        *,
        seat: int | None = 0,
        reward: str = "win",
        illegal_penalty: float = ILLEGAL_PENALTY,
        render_mode: str | None = None,
    ) -> None:
        check_table(players, seat, reward)
        self.opponents = opponents_of(opponents, players)
        if not self._by_policies():
            check_bots(self.opponents)
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"there is no render mode '{render_mode}'")
        self.players = players
        self.reward = reward
        self.illegal_penalty = illegal_penalty
        self.render_mode = render_mode
        self.observation_space = observation_space()
        self.action_space = spaces.Discrete(NUMBERS)
        self.seat = seat or 0
        """The learner's seat in the current game."""
        self._fixed_seat = seat
        self._table: BotTable | PolicyTable | None = None

    @property
    def table(self) -> BotTable | PolicyTable:
        """The current game with all hidden cards; the learner must not see it."""
        if self._table is None:
            raise gymnasium.error.ResetNeeded("there is no game before reset()")
        return self._table

    @property
    def game(self) -> Game:
        """The current game with all hidden cards, if the opponents are bots."""
        if isinstance(self.table, BotTable):
            return self.table.game
        raise AttributeError("there is a Game only against bots; use moment")

    @property
    def moment(self) -> Moment:
        """The current state and the cards laid towards a bid; the learner must not see it."""
        return self.table.moment

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a new game and play it up to the learner's first decision.

        The option ``deal`` replaces the deal of the seed; other options are ignored.
        """
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(SEEDS, dtype=np.uint64)) if seed is None else seed
        deal = (options or {}).get("deal")
        if deal is not None and len(deal.hands) != self.players:
            raise ValueError(f"the deal has {len(deal.hands)} players, the table {self.players}")
        if self._fixed_seat is None:
            self.seat = int(self.np_random.integers(self.players))
        self.close()
        self._table = self._new_table(deal, drawn)
        if self.render_mode == "human":
            self.render()
        seen = self.table.observe()
        return seen, {"action_mask": seen["action_mask"].copy()}

    def _by_policies(self) -> bool:
        """Return whether compiled policies play all opponents."""
        return False

    def _new_table(self, deal: Deal | None, seed: int) -> BotTable | PolicyTable:
        dealt = Deal.from_seed(self.players, seed) if deal is None else deal
        return BotTable(dealt, seed, self.seat, self.opponents)

    def step(self, action: int | np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play this number for the learner, then let the others play until its next turn."""
        if self.table.over:
            raise gymnasium.error.ResetNeeded("the game is over: reset() deals the next one")
        table = self.table
        info: dict[str, Any] = {}
        reward = 0.0
        try:
            table.play(int(action))
        except IllegalNumber as refused:
            info = {"refusal": str(refused), "legal": table.moment.legal()}
            reward = -self.illegal_penalty
        else:
            if self.render_mode == "human":
                self.render()
        if table.over:
            profit, share = table.results()
            info = {"profit": profit, "share": share}
            reward = float(batch_rewards(profit, share, self.reward)[self.seat])
        seen = table.observe()
        info["action_mask"] = seen["action_mask"].copy()
        return seen, reward, table.over, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal numbers as booleans, as MaskablePPO of sb3-contrib expects."""
        return self.table.mask().view(np.bool_)

    def render(self) -> str | None:
        """Return the learner's view as a line of notation; mode ``human`` prints it."""
        text = self.table.render()
        if self.render_mode == "ansi":
            return text
        if self.render_mode == "human":
            sys.stdout.write(text + "\n")
        return None

    def close(self) -> None:
        """Close the bots of the current game, and end their programs if they have any."""
        if self._table is not None:
            self._table.close()


class ByzanzEnvV1(ByzanzEnv):
    """One learner against compiled policies, on the compiled engine by default.

    ``opponents`` are names of policies: ``random``, ``sensible``, ``trader``, ``emperor`` and
    ``level1`` to ``level9``. If other names are among them, all opponents are bots, as in
    :class:`ByzanzEnv`, on the readable rules. Raises ValueError or UnknownBot if an argument is
    invalid.
    """

    def __init__(  # noqa: PLR0913
        self,
        players: int = 4,
        opponents: str | Sequence[str] = ("random",),
        *,
        seat: int | None = 0,
        reward: str = "win",
        illegal_penalty: float = ILLEGAL_PENALTY,
        render_mode: str | None = None,
        engine: str = "compiled",
    ) -> None:
        check_engine(engine)
        self.engine = engine
        """The engine of games against policies; games against bots are on the readable rules."""
        super().__init__(
            players,
            opponents,
            seat=seat,
            reward=reward,
            illegal_penalty=illegal_penalty,
            render_mode=render_mode,
        )

    def _by_policies(self) -> bool:
        return all(name in POLICIES for name in self.opponents)

    def _new_table(self, deal: Deal | None, seed: int) -> BotTable | PolicyTable:
        if not self._by_policies():
            return super()._new_table(deal, seed)
        dealt = seed if deal is None else deal
        return PolicyTable(dealt, self.players, self.seat, self.opponents, self.engine)
