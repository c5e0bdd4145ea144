"""Byzanz for PettingZoo: every seat is an agent; agents act in turn, with action masks.

* Creation: ``env(players=4, reward="win", render_mode=None, engine="compiled")``.
* Agents: ``seat_0`` to ``seat_5``, as many as there are players (3 to 6).
* Action space: ``Discrete(289)``.
* Observation space: a ``Dict`` with ``observation``, a ``Box(0, 255, (FEATURES,), uint8)``, and
  ``action_mask``, a ``Box(0, 1, (289,), int8)``.
* State space: ``Box(0, 255, (players * FEATURES,), uint8)``.
* Parallel API: no, because seats act in turn.
* Render modes: ``ansi``, ``human``.

**Observation.** A row of bytes, made of the pieces of :data:`byzanz.encoding.PIECES`. It holds
what the seat may know and nothing else. Seats are relative: slot 0 is the observing agent, slot 1
the next on the left. ``byzanz.encoding.piece_of(row, "hand")`` returns a piece, and dividing by
``byzanz.encoding.scales()`` scales a row to roughly the range 0 to 1. The mask is 1 for each legal
action number. It is all 0 for every agent but the agent to act, and when the game is over. The mask
is also in ``info["action_mask"]``, and ``action_masks()`` returns the mask of the agent to act as
an array of booleans.

**State.** ``state()`` is for a critic that sees everything during training: the observations of all
seats, one after the other. It holds every hand, but neither the order of the deck nor the removed
cards, which nobody knows.

**Actions.** The numbers of :mod:`byzanz.encoding.numbers`. A bid is laid card by card, in face
order, and then confirmed, so an agent can act several times in a row. An agent can sell whenever it
is its turn, but not out of turn.

**Order of agents.** ``agent_selection`` is the agent to act. In an auction the turn goes clockwise,
then to the winner, who gives a card. In the market it follows the order of the offer cards, and in
the final sale the order of the seats. A seat with too many cards acts before play continues. When
the game is over, all agents are terminated at once. A game is truncated only if an illegal number
ended it.

**Rewards.** ``"win"`` or ``"profit"``, at the end of the game: see :mod:`byzanz.envs.rewards`.

**Illegal numbers.** ``env`` treats illegal numbers as PettingZoo's own card games do: the game ends
with reward -1 for the agent that played the number and 0 for the others, and counts as both
terminated and truncated. ``raw_env`` raises ``byzanz.encoding.IllegalNumber`` instead, and its
state stays the same.

**Seeds.** ``reset(seed=7)`` deals the cards of seed 7, the same as everywhere in this project
(``docs/dealing.md``). ``reset()`` without a seed deals the next game of the random sequence that
the last seed started.
``reset(options={"deal": deal})`` plays a given :class:`byzanz.rules.Deal`. Other options are
ignored.

An environment can be copied (``copy.deepcopy``) and pickled in the middle of a game; the copy
continues exactly as the original does.

**Engine.** ``"compiled"`` keeps the game in an engine record of :mod:`byzanz.fast`; ``"readable"``
plays on :mod:`byzanz.rules`, with the same observations, masks, rewards and renderings, and is
several times slower.

**Version history**

* v0: the first version. Added later, without changing how games are played: ``engine``,
  ``state()``, ``action_masks()`` and ``info["action_mask"]``.
"""

from __future__ import annotations

import sys
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import EzPickle, seeding
from pettingzoo import AECEnv

from byzanz.encoding import FEATURES, NUMBERS, Moment
from byzanz.rules import SEEDS, SETUPS

from .checked import CheckedEnv
from .engines import ENGINES, Observation, SingleGame, check_engine
from .observations import observation_space
from .rewards import batch_rewards, check_reward

ILLEGAL_REWARD = -1
"""The reward of the agent that played an illegal number."""

_NO_MASK = np.zeros(NUMBERS, dtype=np.int8)
_NO_MASK.flags.writeable = False


def env(
    players: int = 4,
    reward: str = "win",
    render_mode: str | None = None,
    engine: str = "compiled",
) -> AECEnv:
    """Return the environment, wrapped so that an illegal number ends the game."""
    return CheckedEnv(raw_env(players, reward, render_mode, engine), ILLEGAL_REWARD)


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801
    """The environment without wrappers, which raises IllegalNumber for an illegal number."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "byzanz_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        players: int = 4,
        reward: str = "win",
        render_mode: str | None = None,
        engine: str = "compiled",
    ) -> None:
        EzPickle.__init__(self, players, reward, render_mode, engine)
        AECEnv.__init__(self)
        check_reward(reward)
        check_engine(engine)
        if players not in SETUPS:
            raise ValueError(f"Byzanz is for {min(SETUPS)} to {max(SETUPS)} players, not {players}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"there is no render mode '{render_mode}'")
        self.reward = reward
        self.engine = engine
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self.state_space = spaces.Box(0, 255, (players * FEATURES,), np.uint8)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        # Each agent has its own spaces, because a space holds a random generator for samples.
        self._observation_spaces = {agent: observation_space() for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(NUMBERS) for agent in self.possible_agents}
        self._random: np.random.Generator | None = None
        self._game: SingleGame

    # EzPickle would make a new environment; these keep the game.
    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @property
    def moment(self) -> Moment:
        """The current game with all hidden cards; agents must not see it."""
        return self._game.moment

    @moment.setter
    def moment(self, moment: Moment) -> None:
        self._game.moment = moment

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space of an agent, the same object each time."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space of an agent, the same object each time."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game, in which ``seat_0`` acts first."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        drawn = int(self._random.integers(SEEDS, dtype=np.uint64)) if seed is None else seed
        players = len(self.possible_agents)
        deal = (options or {}).get("deal")
        if deal is not None and len(deal.hands) != players:
            raise ValueError(f"the deal has {len(deal.hands)} players, the table {players}")
        self._game = ENGINES[self.engine](players, drawn if deal is None else deal)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": _NO_MASK} for agent in self.agents
        }
        self._select(0)
        self._skip_agent_selection: str | None = None
        if self.render_mode == "human":
            self.render()

    def _select(self, seat: int) -> None:
        """Make a seat the agent to act, and put its mask into its info."""
        self.agent_selection = agent = self.possible_agents[seat]
        self.infos[agent] = {"action_mask": self._game.mask()}

    def observe(self, agent: str) -> Observation:
        """Return what the agent may know, and the mask of the numbers that it may play now."""
        return self._game.observe(self._seats[agent])

    def state(self) -> npt.NDArray[np.uint8]:
        """Return the observations of all seats, one after the other, for a central critic."""
        return self._game.all_features().reshape(-1)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal numbers of the agent to act as booleans."""
        return self._game.mask().view(np.bool_)

    def step(self, action: int | None) -> None:
        """Play this number for the agent to act; a terminated agent plays None."""
        agent = self.agent_selection
        if self.terminations[agent] or action is None:
            self._was_dead_step(action)
            return
        game = self._game
        game.play(int(action))
        self.infos[agent] = {"action_mask": _NO_MASK}
        if game.turn < 0:
            earned = batch_rewards(*game.results(), self.reward).tolist()
            self.rewards = dict(zip(self.agents, earned, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
            self.agent_selection = self.agents[0]
        else:
            self._select(game.turn)
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the view of the agent to act as a line of notation; mode ``human`` prints it."""
        turn = self._game.turn
        text = self._game.render(None if turn < 0 else turn)
        if self.render_mode == "ansi":
            return text
        if self.render_mode == "human":
            sys.stdout.write(text + "\n")
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
